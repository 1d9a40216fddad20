//! The store: the one place that reads and writes the database, SQLite or PostgreSQL.
//!
//! Methods are named thing first, verb second. Every change of an agent writes its
//! outbox row in the same transaction.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use sea_orm::{DatabaseConnection, DatabaseTransaction};
use tokio::sync::watch;

use crate::clock::Clock;
use crate::error::Error;
use crate::ids::Random;
use cache::Cache;
use writer::Writer;

mod agents;
mod cache;
mod calls;
mod cards;
mod connect;
mod entity;
mod fresh;
mod idempotency;
mod imports;
mod keys;
mod leases;
mod listen;
mod operator_files;
mod outbox;
mod push;
mod recorder;
mod retention;
mod signing;
mod tasks;
mod writer;

pub use agents::{AgentPage, NewAgent};
pub use cache::Listed;
pub use calls::{CallOutcome, CallRecord, StoredCall};
pub use connect::{FolderLock, StoreOptions, lock_folder, migrate, migration_status};
pub use idempotency::Attempt;
pub use imports::Imported;
pub use keys::{IssuedKey, KeyView, Rotation};
pub use outbox::Change;
pub use push::{Delivery, PushConfig};
pub use recorder::Recorder;
pub use signing::SigningSeed;
pub use tasks::{TaskFilter, TaskRow};

/// A handle on the database; cheap to clone.
#[derive(Clone)]
pub struct Store {
    reader: DatabaseConnection,
    writer: Writer,
    cache: Arc<Cache>,
    changed: watch::Sender<i64>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    kind: Kind,
}

/// Which database stands behind the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A file of this machine.
    Sqlite,
    /// A server.
    Postgres,
}

impl Kind {
    /// The name in settings and answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

impl Store {
    /// The time by which rows are dated.
    #[must_use]
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.clock
    }

    /// The source of ids.
    #[must_use]
    pub fn random(&self) -> &Arc<dyn Random> {
        &self.random
    }

    /// Which database this is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// [`Error::Store`] when it does not.
    pub async fn ping(&self) -> Result<(), Error> {
        self.reader
            .ping()
            .await
            .map_err(Error::store("asked the database"))
    }

    /// Wakes after each commit of this process that wrote to the outbox, and on
    /// PostgreSQL after those of others; the number only counts wakings.
    #[must_use]
    pub fn outbox_changed(&self) -> watch::Receiver<i64> {
        self.changed.subscribe()
    }

    fn wake_followers(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    async fn write<T, F>(&self, doing: &'static str, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c DatabaseTransaction) -> BoxFuture<'c, Result<T, Error>>
            + Send
            + 'static,
    {
        self.writer.write(doing, work).await
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store")
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}
