//! What a send or a stream gives: a task, a message, or an update of a task.

use serde_json::{Value, json};

use super::task::at;
use super::{
    Fault, Members, TaskState, artifact, extras, fault, flag, member, message, metadata, needed,
    object, put, status, task, text,
};
use crate::a2a::Version;

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A whole task.
    Task,
    /// A message without a task.
    Message,
    /// A new status of a task.
    Status,
    /// A new or longer artifact of a task.
    Artifact,
}

/// One item in 1.0's form, without its wrapper.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// The value.
    pub value: Value,
    /// 0.3's `final`, where it was said.
    pub last: Option<bool>,
}

const WRAPPERS: [(Kind, &str, &str); 4] = [
    (Kind::Task, "task", "task"),
    (Kind::Message, "message", "message"),
    (Kind::Status, "statusUpdate", "status-update"),
    (Kind::Artifact, "artifactUpdate", "artifact-update"),
];

const KNOWN_STATUS: [&str; 8] = [
    "kind",
    "taskId",
    "task_id",
    "contextId",
    "context_id",
    "status",
    "final",
    "metadata",
];
const KNOWN_ARTIFACT: [&str; 10] = [
    "kind",
    "taskId",
    "task_id",
    "contextId",
    "context_id",
    "artifact",
    "append",
    "lastChunk",
    "last_chunk",
    "metadata",
];

impl Item {
    /// Reads an item of either dialect: wrapped, or bare with `kind` or told by its members.
    ///
    /// # Errors
    /// What is none of the four, or the first place that cannot be understood.
    pub fn read(value: &Value) -> Result<Self, Fault> {
        let members = object(value, "")?;
        let (kind, inner) = kind_of(members, value)?;
        let value = match kind {
            Kind::Task => task(inner, Version::V1_0)?,
            Kind::Message => message(inner, Version::V1_0)?,
            Kind::Status => update(inner, kind, Version::V1_0)?,
            Kind::Artifact => update(inner, kind, Version::V1_0)?,
        };
        let last = match (kind, inner.as_object()) {
            (Kind::Status, Some(inner)) => flag(inner, &["final"], "")?,
            _ => None,
        };
        Ok(Self { kind, value, last })
    }

    /// Writes the item: wrapped in 1.0, with `kind` in 0.3, where `last` is the `final` of a
    /// status-update.
    #[must_use]
    pub fn write(&self, to: Version, last: bool) -> Value {
        let Some((_, wrapper, _)) = WRAPPERS.iter().find(|(kind, ..)| *kind == self.kind) else {
            return Value::Null;
        };
        match to {
            Version::V1_0 => {
                let mut wrapped = Members::new();
                wrapped.insert((*wrapper).to_owned(), self.value.clone());
                Value::Object(wrapped)
            }
            Version::V0_3 => {
                // What was read is sound in either dialect.
                let written = match self.kind {
                    Kind::Task => task(&self.value, to),
                    Kind::Message => message(&self.value, to),
                    Kind::Status | Kind::Artifact => update(&self.value, self.kind, to),
                };
                let mut written = written.unwrap_or_default();
                if self.kind == Kind::Status {
                    written["final"] = json!(last);
                }
                written
            }
        }
    }

    /// A task in 1.0's form.
    #[must_use]
    pub fn task(value: Value) -> Self {
        Self {
            kind: Kind::Task,
            value,
            last: None,
        }
    }

    /// The id of the task that it is or is about.
    #[must_use]
    pub fn task_id(&self) -> Option<&str> {
        let name = if self.kind == Kind::Task {
            "id"
        } else {
            "taskId"
        };
        self.value.get(name).and_then(Value::as_str)
    }

    /// The conversation.
    #[must_use]
    pub fn context_id(&self) -> Option<&str> {
        self.value.get("contextId").and_then(Value::as_str)
    }

    /// The state that it tells; `None` for messages and artifacts.
    #[must_use]
    pub fn state(&self) -> Option<TaskState> {
        match self.kind {
            Kind::Task | Kind::Status => Some(super::status_of(&self.value)),
            Kind::Message | Kind::Artifact => None,
        }
    }

    /// Whether a stream ends with it. A whole task that waits does not end one: who attaches to it
    /// is told so first.
    #[must_use]
    pub fn closes(&self) -> bool {
        match self.kind {
            Kind::Message => true,
            Kind::Artifact => false,
            Kind::Task => self.state().is_some_and(TaskState::terminal),
            Kind::Status => self.last == Some(true) || self.rests(),
        }
    }

    /// Whether a stream may end with it: nothing is under way.
    #[must_use]
    pub fn rests(&self) -> bool {
        self.kind == Kind::Message
            || self
                .state()
                .is_some_and(|state| state.terminal() || state.interrupted())
    }
}

/// What an item is, and where: `kind` tells, else the members of a bare one, else the wrapper. More
/// than one wrapper would have to be guessed.
fn kind_of<'a>(members: &'a Members, value: &'a Value) -> Result<(Kind, &'a Value), Fault> {
    let has = |name: &str| member(members, &[name]).is_some();
    let about = has("taskId") || has("task_id");
    match member(members, &["kind"]) {
        None => {}
        Some(Value::String(name)) => {
            let Some((kind, ..)) = WRAPPERS.iter().find(|(.., known)| known == name) else {
                return fault("/kind", "It is no kind of answer.");
            };
            let bare = match kind {
                Kind::Task => has("id"),
                Kind::Message => has("role"),
                Kind::Status | Kind::Artifact => about,
            };
            if bare {
                return Ok((*kind, value));
            }
            // A few agents write the name beside the wrapper.
            return match wrapped(members)? {
                Some((inner, value)) if inner == *kind => Ok((inner, value)),
                _ => Ok((*kind, value)),
            };
        }
        Some(_) => return fault("/kind", "It must be a text."),
    }
    match () {
        () if has("parts") && has("role") => Ok((Kind::Message, value)),
        () if has("artifact") && about => Ok((Kind::Artifact, value)),
        () if has("status") && has("id") => Ok((Kind::Task, value)),
        () if has("status") && about => Ok((Kind::Status, value)),
        () => match wrapped(members)? {
            Some(found) => Ok(found),
            None => fault("", "It is no task, message or update."),
        },
    }
}

fn wrapped(members: &Members) -> Result<Option<(Kind, &Value)>, Fault> {
    let names = [
        (Kind::Task, ["task", "task"]),
        (Kind::Message, ["message", "msg"]),
        (Kind::Status, ["statusUpdate", "status_update"]),
        (Kind::Artifact, ["artifactUpdate", "artifact_update"]),
    ];
    let mut all = names
        .iter()
        .filter_map(|(kind, names)| Some((*kind, member(members, names)?)));
    match (all.next(), all.next()) {
        (Some((_, inner)), None) if !inner.is_object() => fault("", "What it wraps is no object."),
        (one, None) => Ok(one),
        (_, Some(_)) => fault("", "It holds more than one answer."),
    }
}

/// A status-update or an artifact-update.
fn update(value: &Value, kind: Kind, to: Version) -> Result<Value, Fault> {
    let from = object(value, "")?;
    let mut out = Members::new();
    let id = needed(from, &["taskId", "task_id"], "")?;
    let context = text(from, &["contextId", "context_id"], "")?;
    let context = match to {
        Version::V0_3 => Some(context.unwrap_or_else(|| id.clone())),
        Version::V1_0 => context,
    };
    put(&mut out, "taskId", Some(id));
    put(&mut out, "contextId", context);
    let known: &[&str] = if kind == Kind::Status {
        let Some(now) = member(from, &["status"]) else {
            return fault("/status", "It is missing.");
        };
        out.insert("status".to_owned(), status(now, to).map_err(at("/status"))?);
        &KNOWN_STATUS
    } else {
        let Some(new) = member(from, &["artifact"]) else {
            return fault("/artifact", "It is missing.");
        };
        out.insert(
            "artifact".to_owned(),
            artifact(new, to).map_err(at("/artifact"))?,
        );
        put(&mut out, "append", flag(from, &["append"], "")?);
        put(
            &mut out,
            "lastChunk",
            flag(from, &["lastChunk", "last_chunk"], "")?,
        );
        &KNOWN_ARTIFACT
    };
    metadata(from, "", &mut out)?;
    if to == Version::V0_3 {
        let name = if kind == Kind::Status {
            "status-update"
        } else {
            "artifact-update"
        };
        put(&mut out, "kind", Some(name));
    }
    extras(from, known, &mut out);
    Ok(Value::Object(out))
}
