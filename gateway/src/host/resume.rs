//! Taking up again what the end of a process broke off, and keeping the leases of our own work.

use std::sync::Arc;
use std::time::Duration;

use registry::clock::Millis;
use registry::error::Error;
use registry::store::{Kind, Store, TaskRow};
use tokio_util::sync::CancellationToken;

use super::Host;
use super::live::Live;
use super::run::{Job, visit_of};
use crate::gate::Gate;

/// How long a process may be silent before another takes up its work.
pub(super) const LEASE: Millis = 15_000;
/// How often leases are renewed and work is looked for.
const EVERY: Duration = Duration::from_secs(3);
/// How much work is taken at once.
const BATCH: u64 = 64;

impl Host {
    /// Before anything is served: the one process of a SQLite store need not wait for the leases
    /// that it held before it ended.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn take_over(&self, store: &Store) -> Result<(), Error> {
        match store.kind() {
            Kind::Sqlite => store.tasks_release_all().await,
            Kind::Postgres => Ok(()),
        }
    }

    /// Looks for work until it is stopped.
    pub async fn keep_working(self, gate: Gate, stop: CancellationToken) {
        if self.0.tenants.is_empty() {
            return;
        }
        loop {
            if let Err(error) = self.look(&gate).await {
                crate::problem::log_cause("waiting tasks could not be read", &error);
            }
            let pause = tokio::time::sleep(EVERY);
            if stop.run_until_cancelled(pause).await.is_none() {
                return;
            }
        }
    }

    async fn look(&self, gate: &Gate) -> Result<(), Error> {
        let until = gate.store.clock().now() + LEASE;
        if !self.0.runs.is_empty() {
            for (agent, task) in gate.store.tasks_renew(&self.0.runner, until).await? {
                let all = self.lock();
                let ours = all
                    .iter()
                    .find(|((id, name), _)| id.as_str() == agent && *name == task);
                if let Some((_, live)) = ours {
                    live.cancel.cancel();
                }
            }
        }
        self.forget_idle();
        for row in gate.store.tasks_take(&self.0.runner, until, BATCH).await? {
            self.resume(gate, row);
        }
        Ok(())
    }

    fn resume(&self, gate: &Gate, row: TaskRow) {
        let Some(hosted) = self.0.tenants.get(&row.agent_id) else {
            return;
        };
        let key = (row.agent_id.clone(), row.task_id.clone());
        let live = Arc::new(Live::new(row.task.clone(), CancellationToken::new()));
        self.lock().insert(key, live.clone());
        tracing::info!(agent = %row.agent_id, task = row.task_id, "work is taken up again");
        let job = Job {
            visit: visit_of(&row),
            message: row.inbox.first().cloned().unwrap_or_default(),
            row: Some(row),
            resumed: true,
            push: None,
        };
        self.take_up(gate, hosted, job, live);
    }

    /// Tasks that nobody works on or listens to are the store's alone.
    fn forget_idle(&self) {
        self.lock()
            .retain(|_, live| Arc::strong_count(live) > 1 || live.heard());
    }
}
