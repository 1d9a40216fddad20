//! Keeping the memory of agents and keys right: every change in the outbox is forgotten at once,
//! whatever the search index is busy with.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::Store;
use crate::agent::AgentId;

/// How many changes are read at once.
const BATCH: u64 = 1_000;
/// How long a missed wake-up may go unnoticed: a revocation elsewhere holds here within a second.
const EVERY: Duration = Duration::from_millis(500);

impl Store {
    /// Forgets what others change until it is stopped; `position` is where the outbox stood before
    /// anything was remembered.
    pub async fn keep_fresh(self, mut position: i64, stop: CancellationToken) {
        let mut changed = self.outbox_changed();
        loop {
            changed.mark_unchanged();
            match self.forget_after(position).await {
                Ok(reached) => position = reached,
                Err(error) => tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "changes could not be read; what is in memory may be old"
                ),
            }
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(EVERY) => {}
                // The sender lives as long as the store.
                _ = changed.changed() => {}
            }
        }
    }

    async fn forget_after(&self, mut position: i64) -> Result<i64, crate::error::Error> {
        loop {
            let Some(changes) = self.outbox_after(position, BATCH).await? else {
                // Read before everything is forgotten: what changes from here on is news.
                position = self.outbox_head().await?;
                self.forget_everyone();
                continue;
            };
            let Some(last) = changes.last() else {
                return Ok(position);
            };
            position = last.seq;
            let ids: Vec<AgentId> = changes.into_iter().map(|change| change.agent_id).collect();
            self.forget(&ids);
        }
    }
}
