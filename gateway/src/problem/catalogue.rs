//! The closed list of failure codes: one table with HTTP status, JSON-RPC code and `retryable`.

mod table;

pub use table::CATALOGUE;

/// What went wrong, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(
    missing_docs,
    reason = "each code is documented by its title in the table below"
)]
pub enum Code {
    MalformedRequest,
    MalformedJson,
    InvalidPublicKey,
    InvalidRequest,
    InvalidCursor,
    MissingContact,
    ReservedId,
    PayloadSchema,
    PriceNotAllowed,
    NoFilter,
    UnsupportedFilter,
    NotJson,
    NotAnAgentCard,
    CardTooLarge,
    CardTooDeep,
    TooManySkills,
    CardUnreachable,
    NoEndpoint,
    UnsupportedBinding,
    Unauthorized,
    InvalidKey,
    CallerMismatch,
    NotOwner,
    AgentSuspended,
    UnknownAgent,
    UnknownCall,
    UnknownTask,
    UnknownKey,
    NotFound,
    MethodNotAllowed,
    RequestTimeout,
    AgentIdTaken,
    RevisionConflict,
    AgentPaused,
    AgentWithdrawn,
    PayloadTooLarge,
    UnsupportedMediaType,
    RateLimited,
    Internal,
    UpstreamUnreachable,
    UpstreamBroken,
    UpstreamTooLarge,
    UpstreamRefused,
    StoreUnavailable,
    Overloaded,
    AgentBusy,
    AgentFailing,
    CallerBusy,
    LoopDetected,
    IdempotencyMismatch,
    IdempotencyInProgress,
    OutcomeUnknown,
    SchemaMismatch,
    InvalidTerms,
    NotReady,
    UpstreamTimeout,
}

/// A row of the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// Its name on the wire.
    pub name: &'static str,
    /// HTTP status.
    pub status: u16,
    /// JSON-RPC code on A2A doors.
    pub rpc: i32,
    /// Whether the same request may succeed later, or is safe to repeat.
    pub retryable: bool,
    /// One sentence for people; the same for every occurrence.
    pub title: &'static str,
}

const fn entry(
    code: Code,
    name: &'static str,
    status: u16,
    rpc: i32,
    retryable: bool,
    title: &'static str,
) -> Entry {
    Entry {
        code,
        name,
        status,
        rpc,
        retryable,
        title,
    }
}

impl Code {
    /// The row of this code.
    #[must_use]
    pub const fn entry(self) -> &'static Entry {
        &CATALOGUE[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_order_of_the_codes_and_no_name_twice() {
        for (index, entry) in CATALOGUE.iter().enumerate() {
            assert_eq!(entry.code as usize, index, "{}", entry.name);
            assert!(
                CATALOGUE[..index]
                    .iter()
                    .all(|other| other.name != entry.name),
                "{}",
                entry.name
            );
        }
    }
}
