//! What can go wrong in the registry, without a word about HTTP.

use std::borrow::Cow;

use sea_orm::DbErr;

/// A failed operation of the registry.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No such thing.
    #[error("no such {0}")]
    NotFound(&'static str),
    /// The thing exists already, or changed meanwhile.
    #[error("{what} is taken")]
    Conflict {
        /// What is taken, in words.
        what: &'static str,
        /// JSON Pointer of the member that names it.
        pointer: &'static str,
    },
    /// The agent was withdrawn for good.
    #[error("the agent was withdrawn")]
    Withdrawn,
    /// The operator suspended an agent of the same address or source.
    #[error("the operator suspended {0}, which is the same agent")]
    Suspended(crate::agent::AgentId),
    /// A value that the registry does not take.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The store could not be read or written.
    #[error("the store failed while it {doing}")]
    Store {
        /// What was being done.
        doing: &'static str,
        /// What the driver said.
        #[source]
        source: DbErr,
    },
    /// The search index could not be read or written.
    #[error("the search index failed while it {doing}")]
    Search {
        /// What was being done.
        doing: &'static str,
        /// What tantivy said.
        #[source]
        source: tantivy::TantivyError,
    },
    /// The guarded client could not be made.
    #[error("the client for outgoing requests could not be made")]
    Client {
        /// Why.
        #[source]
        source: crate::client::ClientError,
    },
    /// A file of the data folder could not be used.
    #[error("{path}: {doing}")]
    File {
        /// The file or folder.
        path: String,
        /// What was being done.
        doing: &'static str,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The database was written by a newer program.
    #[error(
        "the database knows the migration {0}, which this program does not: use a newer program"
    )]
    Future(String),
    /// The database lacks a step; only an operator may change a shared one.
    #[error("the database lacks the migration {0}: run `guildhall migrate up`")]
    Unmigrated(String),
    /// The data folder is in use by another process.
    #[error("{0} is in use by another process: one process serves one data folder")]
    Locked(String),
}

/// A value that was refused, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pointer}: {reason}")]
pub struct Invalid {
    /// What kind of refusal it is.
    pub kind: InvalidKind,
    /// JSON Pointer (RFC 6901) into the request.
    pub pointer: String,
    /// Why, for the caller.
    pub reason: Cow<'static, str>,
}

/// Refusals that have a code of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidKind {
    /// A value outside its limits.
    Value,
    /// `public_key` is not 32 bytes in base64url, or no usable key.
    PublicKey,
    /// An id that nobody may take.
    ReservedId,
    /// Neither `contact_email` nor `public_key`.
    MissingContact,
    /// `payload_schema` has a member beyond the four conventions.
    PayloadSchema,
    /// A search without any filter.
    NoFilter,
    /// A search filter that has no data behind it in this version.
    UnsupportedFilter,
    /// A cursor that was not given by us, or for another question.
    Cursor,
    /// A price where the rules do not allow one.
    Price,
    /// Terms that cannot be checked.
    Terms,
}

impl Invalid {
    /// An ordinary refusal of the value at `pointer`.
    pub fn value(pointer: impl Into<String>, reason: impl Into<Cow<'static, str>>) -> Self {
        Self::of(InvalidKind::Value, pointer, reason)
    }

    /// A refusal with a code of its own.
    pub fn of(
        kind: InvalidKind,
        pointer: impl Into<String>,
        reason: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            kind,
            pointer: pointer.into(),
            reason: reason.into(),
        }
    }
}

impl Error {
    /// For `map_err`: a store failure, with what was being done ("counted agents").
    pub(crate) fn store(doing: &'static str) -> impl FnOnce(DbErr) -> Self {
        move |source| Self::Store { doing, source }
    }

    /// For `map_err`: a search failure, with what was being done.
    pub(crate) fn search<E: Into<tantivy::TantivyError>>(
        doing: &'static str,
    ) -> impl FnOnce(E) -> Self {
        move |source| Self::Search {
            doing,
            source: source.into(),
        }
    }
}
