//! A task that is being worked on, or watched, in this process: its latest form and who listens.

use std::sync::{Mutex, PoisonError};

use protocol::a2a::translate::Item;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// How many events a listener may be behind before it is let go; it may attach again.
const BEHIND: usize = 1024;

/// What happens to a task.
#[derive(Debug, Clone)]
pub enum Event {
    /// Something for its caller.
    Item(Item),
    /// The work on the message of this id is over; without one, that on all messages so far.
    Idle(Option<String>),
}

/// Where a listener hears of it.
pub type Events = mpsc::Receiver<Event>;

/// A task in memory.
#[derive(Debug)]
pub struct Live {
    inner: Mutex<Inner>,
    /// Ends the work.
    pub cancel: CancellationToken,
}

#[derive(Debug)]
struct Inner {
    task: Value,
    listeners: Vec<mpsc::Sender<Event>>,
}

/// A way to hear of a task from now on.
#[must_use]
pub fn listener() -> (mpsc::Sender<Event>, Events) {
    mpsc::channel(BEHIND)
}

impl Live {
    /// A task, and what ends the work on it.
    #[must_use]
    pub fn new(task: Value, cancel: CancellationToken) -> Self {
        Self {
            inner: Mutex::new(Inner {
                task,
                listeners: Vec::new(),
            }),
            cancel,
        }
    }

    /// The task as it is, and every event after it.
    pub fn attach(&self, listener: mpsc::Sender<Event>) -> Value {
        let mut inner = self.lock();
        inner.listeners.push(listener);
        inner.task.clone()
    }

    /// The task as it is.
    #[must_use]
    pub fn task(&self) -> Value {
        self.lock().task.clone()
    }

    /// The task is this now; who listens hears the event.
    pub fn publish(&self, task: Value, event: &Event) {
        let mut inner = self.lock();
        inner.task = task;
        inner
            .listeners
            .retain(|listener| listener.try_send(event.clone()).is_ok());
    }

    /// Whether anybody listens.
    #[must_use]
    pub fn heard(&self) -> bool {
        let mut inner = self.lock();
        inner.listeners.retain(|listener| !listener.is_closed());
        !inner.listeners.is_empty()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        // Nothing under the lock can leave it half changed.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
