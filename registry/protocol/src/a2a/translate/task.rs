//! Tasks and their status; and how the events of a stream add up to a task.

use serde_json::{Value, json};

use super::{
    Fault, Item, Kind, Members, TaskState, artifact, extras, fault, member, message, metadata,
    moment, needed, object, put, text,
};
use crate::a2a::Version;

const KNOWN: [&str; 8] = [
    "kind",
    "id",
    "contextId",
    "context_id",
    "status",
    "artifacts",
    "history",
    "metadata",
];
const KNOWN_STATUS: [&str; 4] = ["state", "message", "update", "timestamp"];

/// A task of either dialect, written in one.
///
/// # Errors
/// The first place that cannot be understood.
pub fn task(value: &Value, to: Version) -> Result<Value, Fault> {
    let from = object(value, "")?;
    let mut out = Members::new();
    let id = needed(from, &["id"], "")?;
    let context = text(from, &["contextId", "context_id"], "")?;
    // 0.3 requires a conversation; a task without one is a conversation of its own.
    let context = match to {
        Version::V0_3 => Some(context.unwrap_or_else(|| id.clone())),
        Version::V1_0 => context,
    };
    put(&mut out, "id", Some(id));
    put(&mut out, "contextId", context);
    let Some(now) = member(from, &["status"]) else {
        return fault("/status", "It is missing.");
    };
    out.insert("status".to_owned(), status(now, to).map_err(at("/status"))?);
    list(from, "artifacts", &mut out, |one| artifact(one, to))?;
    list(from, "history", &mut out, |one| message(one, to))?;
    metadata(from, "", &mut out)?;
    if to == Version::V0_3 {
        put(&mut out, "kind", Some("task"));
    }
    extras(from, &KNOWN, &mut out);
    Ok(Value::Object(out))
}

fn list(
    from: &Members,
    name: &str,
    out: &mut Members,
    write: impl Fn(&Value) -> Result<Value, Fault>,
) -> Result<(), Fault> {
    let values = match member(from, &[name]) {
        None => return Ok(()),
        Some(Value::Array(values)) => values,
        Some(_) => return fault(format!("/{name}"), "It must be a list."),
    };
    let mut written = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        written.push(write(value).map_err(at(&format!("/{name}/{index}")))?);
    }
    out.insert(name.to_owned(), written.into());
    Ok(())
}

/// Moves the place of a fault below another.
pub(super) fn at(base: &str) -> impl Fn(Fault) -> Fault {
    move |error| Fault {
        pointer: format!("{base}{}", error.pointer),
        ..error
    }
}

/// A status of either dialect, written in one. 1.0 wants its time in UTC with a Z; what is no time
/// at all is left out there.
///
/// # Errors
/// The first place that cannot be understood.
pub fn status(value: &Value, to: Version) -> Result<Value, Fault> {
    let from = object(value, "")?;
    let state = match member(from, &["state"]) {
        Some(Value::String(state)) => match TaskState::parse(state) {
            Some(state) => state,
            None => return fault("/state", "It is no state of a task."),
        },
        Some(_) => return fault("/state", "It must be a text."),
        // The proto form leaves out what is zero.
        None => TaskState::Unknown,
    };
    let mut out = Members::new();
    put(&mut out, "state", Some(state.as_str(to)));
    // 0.3's proto form calls it `update`.
    if let Some(said) = member(from, &["message", "update"]) {
        out.insert(
            "message".to_owned(),
            message(said, to).map_err(at("/message"))?,
        );
    }
    let time = text(from, &["timestamp"], "")?;
    let time = match to {
        Version::V0_3 => time,
        Version::V1_0 => time.as_deref().and_then(moment::in_utc),
    };
    put(&mut out, "timestamp", time);
    extras(from, &KNOWN_STATUS, &mut out);
    Ok(Value::Object(out))
}

/// The state of a task or a status-update of either dialect.
#[must_use]
pub fn status_of(value: &Value) -> TaskState {
    value
        .pointer("/status/state")
        .and_then(Value::as_str)
        .and_then(TaskState::parse)
        .unwrap_or(TaskState::Unknown)
}

/// Leaves of a task's history what was asked for: `None` all, 0 none and no member, n the newest n.
pub fn trim_history(task: &mut Value, length: Option<i64>) {
    let (Some(length), Some(members)) = (length, task.as_object_mut()) else {
        return;
    };
    if length <= 0 {
        members.shift_remove("history");
        return;
    }
    if let Some(Value::Array(history)) = members.get_mut("history") {
        let wanted = usize::try_from(length).unwrap_or(usize::MAX);
        let surplus = history.len().saturating_sub(wanted);
        history.drain(..surplus);
    }
}

/// The task that an item is about, as far as the item tells: an update names its task and the
/// conversation. `None` for a message.
#[must_use]
pub fn blank(item: &Item) -> Option<Value> {
    match item.kind {
        Kind::Task => return Some(item.value.clone()),
        Kind::Message => return None,
        Kind::Status | Kind::Artifact => {}
    }
    let state = TaskState::Submitted.as_str(Version::V1_0);
    let mut task = json!({ "id": item.task_id()?, "status": { "state": state } });
    if let Some(context) = item.context_id() {
        task["contextId"] = json!(context);
    }
    Some(task)
}

/// Adds one item of a stream, in 1.0's form, to the task that it is about.
///
/// A status-update replaces the status, and the message of the status before goes into the
/// history; an artifact-update replaces or extends the artifact of its id; a task replaces all.
/// Null is a task of which nothing is known yet: updates may come before it.
pub fn apply(task: &mut Value, item: &Item) {
    if task.is_null() {
        *task = blank(item).unwrap_or_default();
    }
    match item.kind {
        Kind::Task => *task = item.value.clone(),
        Kind::Message => {}
        Kind::Status => apply_status(task, &item.value),
        Kind::Artifact => apply_artifact(task, &item.value),
    }
}

fn apply_status(task: &mut Value, update: &Value) {
    let said = task.pointer_mut("/status/message").map(Value::take);
    if let Some(said) = said.filter(|said| !said.is_null())
        && let Some(members) = task.as_object_mut()
    {
        let history = members.entry("history").or_insert_with(|| json!([]));
        if let Some(list) = history.as_array_mut() {
            list.push(said);
        }
    }
    if let (Some(members), Some(status)) = (task.as_object_mut(), update.get("status")) {
        members.insert("status".to_owned(), status.clone());
        merge_metadata(members, update);
    }
}

/// What is said later wins.
fn merge_metadata(into: &mut Members, from: &Value) {
    let Some(Value::Object(more)) = from.get("metadata") else {
        return;
    };
    let known = into.entry("metadata").or_insert_with(|| json!({}));
    if let Some(known) = known.as_object_mut() {
        known.extend(more.clone());
    }
}

fn apply_artifact(task: &mut Value, update: &Value) {
    let Some(new) = update.get("artifact") else {
        return;
    };
    let Some(members) = task.as_object_mut() else {
        return;
    };
    let artifacts = members.entry("artifacts").or_insert_with(|| json!([]));
    let Some(artifacts) = artifacts.as_array_mut() else {
        return;
    };
    let id = new.get("artifactId");
    let known = artifacts
        .iter_mut()
        .find(|artifact| artifact.get("artifactId") == id);
    let append = update.get("append").and_then(Value::as_bool) == Some(true);
    match known {
        None => artifacts.push(new.clone()),
        Some(Value::Object(known)) if append => extend(known, new),
        Some(known) => *known = new.clone(),
    }
}

/// The next piece of an artifact: its parts follow those before.
fn extend(artifact: &mut Members, piece: &Value) {
    let more = piece.get("parts").and_then(Value::as_array).cloned();
    let parts = artifact.entry("parts").or_insert_with(|| json!([]));
    if let (Some(parts), Some(more)) = (parts.as_array_mut(), more) {
        parts.extend(more);
    }
    merge_metadata(artifact, piece);
}
