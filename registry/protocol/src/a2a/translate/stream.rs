//! The items of a stream from one dialect to another, with the little memory that this takes.

use serde_json::{Value, json};

use super::{Fault, Item, Kind, TaskState};
use crate::a2a::Version;

/// A stream under translation; one for each stream.
#[derive(Debug, Clone)]
pub struct StreamTranslation {
    to: Version,
    begun: bool,
    ended: bool,
    rests: bool,
}

impl StreamTranslation {
    /// A stream that is written in `to`.
    #[must_use]
    pub fn new(to: Version) -> Self {
        Self {
            to,
            begun: false,
            ended: false,
            rests: false,
        }
    }

    /// Whether the stream is over by what it said: a message, a final status, or a state in which
    /// nothing more comes.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// Whether it may be over: by the last that it said, nothing is under way.
    #[must_use]
    pub fn rests(&self) -> bool {
        self.ended || self.rests
    }

    /// What is written for one item that was read.
    ///
    /// 1.0 begins with a task or a message; a stream of 0.3 that begins with an update gets its
    /// task made of it.
    ///
    /// # Errors
    /// What is no item of A2A.
    pub fn push(&mut self, value: &Value) -> Result<Vec<Value>, Fault> {
        let items = self.items(Item::read(value)?);
        let write = |item: &Item| item.write(self.to, item.closes());
        Ok(items.iter().map(write).collect())
    }

    /// As [`StreamTranslation::push`], before anything is written.
    pub fn items(&mut self, item: Item) -> Vec<Item> {
        let mut out = Vec::with_capacity(2);
        let update = matches!(item.kind, Kind::Status | Kind::Artifact);
        if self.to == Version::V1_0 && !self.begun && update {
            out.push(first(&item));
        }
        self.begun = true;
        self.ended |= item.closes();
        if item.kind != Kind::Artifact {
            self.rests = item.rests();
        }
        out.push(item);
        out
    }
}

/// The task that an update is about, as far as the update tells.
fn first(update: &Item) -> Item {
    let mut task = json!({
        "id": update.task_id().unwrap_or_default(),
        "status": { "state": TaskState::Submitted.as_str(Version::V1_0) },
    });
    if let Some(context) = update.context_id() {
        task["contextId"] = json!(context);
    }
    Item::task(task)
}
