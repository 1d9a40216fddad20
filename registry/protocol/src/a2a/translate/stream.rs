//! The items of a stream from one dialect to another, with the little memory that this takes.

use serde_json::{Value, json};

use super::{Fault, Item, Kind, blank, fault};
use crate::a2a::Version;

/// A stream under translation; one for each stream.
#[derive(Debug, Clone)]
pub struct StreamTranslation {
    to: Version,
    /// The task that is attached to, as it stood before.
    known: Option<Value>,
    task_id: Option<String>,
    context_id: Option<String>,
    begun: bool,
    ended: bool,
    rests: bool,
}

/// How a stream ended, once its agent sends no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Nothing is under way.
    Whole,
    /// It broke off: reading the task, or attaching again, tells how it goes on.
    BrokenOff,
    /// Nothing was said at all.
    Empty,
}

impl StreamTranslation {
    /// A stream that is written in `to`.
    #[must_use]
    pub fn new(to: Version) -> Self {
        Self {
            to,
            known: None,
            task_id: None,
            context_id: None,
            begun: false,
            ended: false,
            rests: false,
        }
    }

    /// A stream about one known task, as attaching gives it; `task` is its last known state in
    /// 1.0's form, with which the stream begins where the agent begins with an update.
    #[must_use]
    pub fn of_task(to: Version, task: Value) -> Self {
        let known = Item::task(task);
        let text = |value: Option<&str>| value.map(str::to_owned);
        Self {
            task_id: text(known.task_id()),
            context_id: text(known.context_id()),
            known: Some(known.value),
            ..Self::new(to)
        }
    }

    /// Whether the stream is over by what it said: a message, a final status, or a state in which
    /// nothing more comes. It is to be closed then, whatever its agent does.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.ended
    }

    /// Whether it may be over: by the last that it said, nothing is under way.
    #[must_use]
    pub fn rests(&self) -> bool {
        self.ended || self.rests
    }

    /// How it ended, when its agent sends no more. No item is held back, so nothing is left to be
    /// written: a state that ends a stream of 0.3 is `final` at once, also one that waits.
    #[must_use]
    pub fn end(&self) -> Ending {
        match (self.begun, self.rests()) {
            (_, true) => Ending::Whole,
            (true, false) => Ending::BrokenOff,
            (false, false) => Ending::Empty,
        }
    }

    /// What is written for one item that was read; nothing after the end.
    ///
    /// 1.0 begins with a task or a message; a stream of 0.3 that begins with an update gets its
    /// task made of it.
    ///
    /// # Errors
    /// What is no item of A2A, or is about another task.
    pub fn push(&mut self, value: &Value) -> Result<Vec<Value>, Fault> {
        let items = self.take(Item::read(value)?)?;
        let write = |item: &Item| item.write(self.to, item.closes());
        Ok(items.iter().map(write).collect())
    }

    /// As [`StreamTranslation::push`], before anything is written.
    ///
    /// # Errors
    /// An item about another task than those before: one stream is about one task, and whose the
    /// other one is nobody has asked.
    pub fn take(&mut self, item: Item) -> Result<Vec<Item>, Fault> {
        if self.ended {
            return Ok(Vec::new());
        }
        if let (Some(known), Some(id)) = (&self.task_id, item.task_id())
            && known != id
        {
            let name = if item.kind == Kind::Task {
                "id"
            } else {
                "taskId"
            };
            return fault(format!("/{name}"), "The stream is about another task.");
        }
        Ok(self.items(item))
    }

    /// As [`StreamTranslation::take`], without a look at which task it is about or at the end.
    pub fn items(&mut self, mut item: Item) -> Vec<Item> {
        let mut out = Vec::with_capacity(2);
        self.learn(&mut item);
        let update = matches!(item.kind, Kind::Status | Kind::Artifact);
        if self.to == Version::V1_0 && !self.begun && update {
            let first = self.known.take().or_else(|| blank(&item));
            out.extend(first.map(Item::task));
        }
        self.begun = true;
        self.ended |= item.closes();
        if item.kind != Kind::Artifact {
            self.rests = item.rests();
        }
        out.push(item);
        out
    }

    /// Remembers the names, and tells an item that leaves out its conversation: both dialects
    /// require it, and the stream has said it before.
    fn learn(&mut self, item: &mut Item) {
        if self.task_id.is_none() {
            self.task_id = item.task_id().map(str::to_owned);
        }
        match (item.context_id(), &self.context_id) {
            (Some(said), None) => self.context_id = Some(said.to_owned()),
            (None, Some(known)) if item.kind != Kind::Message => {
                item.value["contextId"] = json!(known);
            }
            _ => {}
        }
    }
}
