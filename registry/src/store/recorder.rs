//! Call records on their way to the store: written behind the answer, in batches.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use super::{CallRecord, Store};

/// How many records wait in memory before a caller has to.
const QUEUE: usize = 16_384;
/// How many go into one transaction.
const BATCH: usize = 512;
/// How long the first record of a batch waits for others.
const GATHER: Duration = Duration::from_millis(20);
/// How long a batch that failed waits before it is tried again.
const RETRY: Duration = Duration::from_millis(250);
/// How often a batch is tried.
const TRIES: u32 = 20;

enum Item {
    Record(Box<CallRecord>),
    Flush(oneshot::Sender<()>),
}

/// A handle on the queue; cheap to clone. The task ends when every handle is gone,
/// after it has written what was queued.
#[derive(Debug, Clone)]
pub struct Recorder(mpsc::Sender<Item>);

impl std::fmt::Debug for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Item")
    }
}

impl Recorder {
    /// Starts the task that writes.
    #[must_use]
    pub fn start(store: Store, tasks: &TaskTracker) -> Self {
        let (queue, inbox) = mpsc::channel(QUEUE);
        tasks.spawn(write_behind(store, inbox));
        Self(queue)
    }

    /// A recorder that stores nothing, for building documents.
    #[must_use]
    pub fn stopped() -> Self {
        Self(mpsc::channel(1).0)
    }

    /// Queues a record; waits only when the queue is full.
    pub async fn record(&self, record: CallRecord) {
        if self.0.send(Item::Record(Box::new(record))).await.is_err() {
            tracing::error!("a call was not recorded: the recorder has stopped");
        }
    }

    /// Queues a record without waiting; it is lost, with a word in the log, when the queue is full.
    pub fn record_now(&self, record: CallRecord) {
        if self.0.try_send(Item::Record(Box::new(record))).is_err() {
            tracing::error!("a call was not recorded: the recorder is behind");
        }
    }

    /// Waits until all that was queued before is stored.
    pub async fn flush(&self) {
        let (done, stored) = oneshot::channel();
        if self.0.send(Item::Flush(done)).await.is_ok() {
            // An error means that the recorder stopped, after storing all it had.
            let _ = stored.await;
        }
    }
}

async fn write_behind(store: Store, mut inbox: mpsc::Receiver<Item>) {
    let mut items = Vec::with_capacity(BATCH);
    while inbox.recv_many(&mut items, BATCH).await > 0 {
        if !items.iter().any(|item| matches!(item, Item::Flush(_))) {
            gather(&mut inbox, &mut items).await;
        }
        let (mut records, mut waiting) = (Vec::new(), Vec::new());
        for item in items.drain(..) {
            match item {
                Item::Record(record) => records.push(*record),
                Item::Flush(done) => waiting.push(done),
            }
        }
        store_batch(&store, records.into()).await;
        for done in waiting {
            // The one who waited may be gone.
            let _ = done.send(());
        }
    }
}

async fn gather(inbox: &mut mpsc::Receiver<Item>, items: &mut Vec<Item>) {
    let full = async {
        while items.len() < BATCH {
            match inbox.recv().await {
                Some(item) => {
                    let flush = matches!(item, Item::Flush(_));
                    items.push(item);
                    if flush {
                        break;
                    }
                }
                None => break,
            }
        }
    };
    // Time being up only means that the batch is small.
    let _ = tokio::time::timeout(GATHER, full).await;
}

async fn store_batch(store: &Store, records: Arc<[CallRecord]>) {
    if records.is_empty() || stored_in_time(store, &records).await {
        return;
    }
    // One record that the store does not take must not cost the others.
    for record in &*records {
        if let Err(error) = store.calls_append([record.clone()].into()).await {
            tracing::error!(
                call = record.id,
                error = &error as &dyn std::error::Error,
                "a call was not recorded"
            );
        }
    }
}

async fn stored_in_time(store: &Store, records: &Arc<[CallRecord]>) -> bool {
    for _ in 0..TRIES {
        match store.calls_append(records.clone()).await {
            Ok(()) => return true,
            Err(error) => tracing::warn!(
                error = &error as &dyn std::error::Error,
                "calls could not be recorded"
            ),
        }
        tokio::time::sleep(RETRY).await;
    }
    false
}
