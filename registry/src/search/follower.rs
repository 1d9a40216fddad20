//! The follower: reads the store's outbox and keeps the index, and whoever asked, up to date.

use std::time::Duration;

use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::Search;
use crate::agent::AgentId;
use crate::error::Error;
use crate::store::Store;

/// How often the outbox is looked at when nobody in this process wakes us.
const LOOK: Duration = Duration::from_millis(250);
/// Time between commits, so that a burst becomes few of them.
const REST: Duration = Duration::from_millis(50);
/// The first and the longest wait after a failure.
const RETRY: Duration = Duration::from_millis(250);
const LONGEST_RETRY: Duration = Duration::from_secs(30);

/// The most changes taken into one commit.
const BATCH: u64 = 2_000;
/// How many agents a rebuild reads at once.
const SCAN: u64 = 1_000;
/// After how many of them an empty index shows what it has so far.
const SHOW_EVERY: usize = 100_000;

/// Keeps an index by a store's outbox.
pub struct Follower {
    store: Store,
    search: Search,
}

impl Follower {
    /// A follower of `store` for `search`; there must be one for each index only.
    #[must_use]
    pub fn new(store: Store, search: Search) -> Self {
        Self { store, search }
    }

    /// Follows until `stop`. A failure is logged and tried again, less and less often.
    pub async fn run(self, stop: CancellationToken) {
        let mut changed = self.store.outbox_changed();
        let mut retry = RETRY;
        while !stop.is_cancelled() {
            changed.mark_unchanged();
            let pause = match self.step().await {
                Ok(Progress::More) => {
                    retry = RETRY;
                    continue;
                }
                Ok(Progress::CaughtUp { moved }) => {
                    retry = RETRY;
                    if moved { Pause::Rest } else { Pause::Wait }
                }
                Err(error) => {
                    tracing::error!(
                        error = &error as &dyn std::error::Error,
                        "the search index could not follow; it is tried again"
                    );
                    let pause = Pause::Retry(retry);
                    retry = (retry * 2).min(LONGEST_RETRY);
                    pause
                }
            };
            tokio::select! {
                () = stop.cancelled() => break,
                () = pause.over(&mut changed) => {}
            }
        }
    }

    /// Takes in what the outbox holds now: one commit at most, unless the index has to be built first.
    ///
    /// # Errors
    /// [`Error`] of the store or the index; nothing is lost, the next step does it again.
    pub async fn step(&self) -> Result<Progress, Error> {
        let known = *self.search.position().borrow();
        let Some(position) = known else {
            self.rebuild().await?;
            return Ok(Progress::More);
        };
        let Some(changes) = self.store.outbox_after(position, BATCH).await? else {
            tracing::warn!(
                position,
                "the search index slept too long and is built again"
            );
            self.rebuild().await?;
            return Ok(Progress::More);
        };
        let Some(last) = changes.last().map(|change| change.seq) else {
            return self.look_back(position).await;
        };
        let full = changes.len() as u64 == BATCH;
        let mut ids: Vec<AgentId> = changes.into_iter().map(|change| change.agent_id).collect();
        ids.sort_unstable();
        ids.dedup();
        let agents = self.store.agents_by_ids(&ids).await?;
        ids.retain(|id| !agents.iter().any(|agent| agent.id == *id));
        let search = self.search.clone();
        blocking(move || search.apply(&agents, &ids, last)).await?;
        Ok(if full {
            Progress::More
        } else {
            Progress::CaughtUp { moved: true }
        })
    }

    /// An index that is ahead of the outbox belongs to another store.
    async fn look_back(&self, position: i64) -> Result<Progress, Error> {
        let head = self.store.outbox_head().await?;
        if head < position {
            tracing::warn!(
                position,
                head,
                "the search index is ahead of the store and is built again"
            );
            self.rebuild().await?;
            return Ok(Progress::More);
        }
        Ok(Progress::CaughtUp { moved: false })
    }

    /// Builds the index again from the store. Questions see the old one until the new one is complete;
    /// only an index without a first build shows itself in between.
    ///
    /// # Errors
    /// [`Error`] of the store or the index; then the old one stays.
    pub async fn rebuild(&self) -> Result<(), Error> {
        let head = self.store.outbox_head().await?;
        let first = self.search.position().borrow().is_none();
        self.write(|search| search.write(super::Writer::begin_rebuild))
            .await?;
        let (mut after, mut seen, mut shown) = (None, 0, 0);
        loop {
            let agents = self.store.agents_page(after.as_ref(), SCAN).await?;
            let Some(last) = agents.last().map(|agent| agent.id.clone()) else {
                break;
            };
            after = Some(last);
            seen += agents.len();
            self.write(move |search| search.write(|writer| writer.apply(&agents, &[])))
                .await?;
            if first && seen - shown >= SHOW_EVERY {
                shown = seen;
                self.write(|search| {
                    search.write(|writer| writer.commit(None))?;
                    search.publish(None)
                })
                .await?;
            }
        }
        self.write(move |search| {
            search.write(|writer| writer.finish_rebuild(head))?;
            search.publish(Some(head))
        })
        .await?;
        tracing::info!(agents = seen, position = head, "the search index is built");
        Ok(())
    }

    async fn write(
        &self,
        work: impl FnOnce(&Search) -> Result<(), Error> + Send + 'static,
    ) -> Result<(), Error> {
        let search = self.search.clone();
        blocking(move || work(&search)).await
    }
}

impl std::fmt::Debug for Follower {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Follower")
            .field("search", &self.search)
            .finish_non_exhaustive()
    }
}

/// How far a step came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// There may be more in the outbox.
    More,
    /// The outbox held nothing more.
    CaughtUp {
        /// Whether there was anything.
        moved: bool,
    },
}

enum Pause {
    Rest,
    Wait,
    Retry(Duration),
}

impl Pause {
    async fn over(self, changed: &mut watch::Receiver<i64>) {
        match self {
            Self::Rest => sleep(REST).await,
            Self::Retry(time) => sleep(time).await,
            // A store that is being closed wakes nobody; then the clock does.
            Self::Wait => {
                if let Ok(Err(_)) = timeout(LOOK, changed.changed()).await {
                    sleep(LOOK).await;
                }
            }
        }
    }
}

async fn blocking(work: impl FnOnce() -> Result<(), Error> + Send + 'static) -> Result<(), Error> {
    spawn_blocking(work).await.unwrap_or_else(|failed| {
        let source = tantivy::TantivyError::InternalError(failed.to_string());
        Err(Error::Search {
            doing: "was written",
            source,
        })
    })
}
