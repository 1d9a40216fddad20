//! From 0.3's JSON-RPC form to the shape of the proto, with the proto's members and no others.

use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::{Members, REFERENCES, task_name};
use crate::a2a::translate::Kind;

/// The members of these names, where they are present.
fn only(from: &mut Value, names: &[&str]) -> Members {
    let mut out = Members::new();
    for name in names {
        if let Some(value) = from.get_mut(*name).filter(|value| !value.is_null()) {
            out.insert((*name).to_owned(), value.take());
        }
    }
    out
}

/// Puts a member of `from` into `out`, changed and maybe under another name.
fn put(
    from: &mut Value,
    name: &str,
    out: &mut Members,
    as_name: &str,
    change: impl Fn(Value) -> Value,
) {
    if let Some(value) = from.get_mut(name).filter(|value| !value.is_null()) {
        out.insert(as_name.to_owned(), change(value.take()));
    }
}

fn each(value: Value, change: fn(Value) -> Value) -> Value {
    match value {
        Value::Array(list) => list.into_iter().map(change).collect(),
        other => other,
    }
}

/// The request of a send. `blocking` is always there, since an absent one is false to a proto.
pub(super) fn send(mut from: Value) -> Value {
    let mut out = Members::new();
    put(&mut from, "message", &mut out, "message", message);
    let mut configuration = from
        .get_mut("configuration")
        .map(Value::take)
        .unwrap_or_default();
    let mut written = only(
        &mut configuration,
        &["acceptedOutputModes", "historyLength"],
    );
    put(
        &mut configuration,
        "pushNotificationConfig",
        &mut written,
        "pushNotification",
        push,
    );
    let blocking = configuration.get("blocking").and_then(Value::as_bool);
    written.insert("blocking".to_owned(), json!(blocking.unwrap_or(true)));
    out.insert("configuration".to_owned(), written.into());
    put(&mut from, "metadata", &mut out, "metadata", |one| one);
    Value::Object(out)
}

pub(super) fn message(mut from: Value) -> Value {
    let mut out = only(&mut from, &["messageId", "contextId", "taskId"]);
    put(&mut from, "role", &mut out, "role", |role| {
        let agent = role == "agent" || role == "ROLE_AGENT";
        json!(if agent { "ROLE_AGENT" } else { "ROLE_USER" })
    });
    put(&mut from, "parts", &mut out, "content", |parts| {
        each(parts, part)
    });
    out.extend(only(&mut from, &["metadata", "extensions"]));
    if let Some(references) = only(&mut from, &[REFERENCES]).shift_remove(REFERENCES) {
        let metadata = out.entry("metadata").or_insert_with(|| json!({}));
        if let Some(metadata) = metadata.as_object_mut() {
            metadata.insert(REFERENCES.to_owned(), references);
        }
    }
    Value::Object(out)
}

fn part(mut from: Value) -> Value {
    let mut out = only(&mut from, &["text"]);
    put(&mut from, "file", &mut out, "file", |mut file| {
        let mut written = Members::new();
        put(&mut file, "bytes", &mut written, "fileWithBytes", |one| one);
        put(&mut file, "uri", &mut written, "fileWithUri", |one| one);
        written.extend(only(&mut file, &["mimeType", "name"]));
        Value::Object(written)
    });
    put(
        &mut from,
        "data",
        &mut out,
        "data",
        |data| json!({ "data": data }),
    );
    out.extend(only(&mut from, &["metadata"]));
    Value::Object(out)
}

pub(super) fn task(mut from: Value) -> Value {
    let mut out = only(&mut from, &["id", "contextId"]);
    put(&mut from, "status", &mut out, "status", status);
    put(&mut from, "artifacts", &mut out, "artifacts", |list| {
        each(list, artifact)
    });
    put(&mut from, "history", &mut out, "history", |list| {
        each(list, message)
    });
    out.extend(only(&mut from, &["metadata"]));
    Value::Object(out)
}

fn status(mut from: Value) -> Value {
    let mut out = Members::new();
    put(&mut from, "state", &mut out, "state", |state| match state {
        Value::String(name) => json!(super::state(&name)),
        other => other,
    });
    put(&mut from, "message", &mut out, "message", message);
    let time = from.get("timestamp").and_then(Value::as_str);
    if let Some(time) = time.and_then(timestamp) {
        out.insert("timestamp".to_owned(), time.into());
    }
    Value::Object(out)
}

/// A time that a proto can hold: RFC 3339 as it is, one without a zone as UTC, others not at all.
fn timestamp(text: &str) -> Option<String> {
    let zoned = format!("{text}Z");
    [text, &zoned]
        .into_iter()
        .find(|text| OffsetDateTime::parse(text, &Rfc3339).is_ok())
        .map(str::to_owned)
}

fn artifact(mut from: Value) -> Value {
    let mut out = only(&mut from, &["artifactId", "name", "description"]);
    put(&mut from, "parts", &mut out, "parts", |parts| {
        each(parts, part)
    });
    out.extend(only(&mut from, &["metadata", "extensions"]));
    Value::Object(out)
}

pub(super) fn item(kind: Kind, mut from: Value) -> Value {
    match kind {
        Kind::Task => json!({ "task": task(from) }),
        Kind::Message => json!({ "message": message(from) }),
        Kind::Status => {
            let mut out = only(&mut from, &["taskId", "contextId"]);
            put(&mut from, "status", &mut out, "status", status);
            out.extend(only(&mut from, &["final", "metadata"]));
            json!({ "statusUpdate": out })
        }
        Kind::Artifact => {
            let mut out = only(&mut from, &["taskId", "contextId"]);
            put(&mut from, "artifact", &mut out, "artifact", artifact);
            out.extend(only(&mut from, &["append", "lastChunk", "metadata"]));
            json!({ "artifactUpdate": out })
        }
    }
}

fn push(mut from: Value) -> Value {
    let mut out = only(&mut from, &["id", "url", "token"]);
    put(
        &mut from,
        "authentication",
        &mut out,
        "authentication",
        |mut one| Value::Object(only(&mut one, &["schemes", "credentials"])),
    );
    Value::Object(out)
}

/// A config with its name; without an id of its own it ends at the task.
pub(super) fn config(mut from: Value) -> Value {
    let task = from
        .get("taskId")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let mut name = task_name(task);
    let inner = from
        .get_mut("pushNotificationConfig")
        .map(Value::take)
        .unwrap_or_default();
    let inner = push(inner);
    if let Some(id) = inner.get("id").and_then(Value::as_str) {
        name = format!("{name}/pushNotificationConfigs/{id}");
    }
    json!({ "name": name, "pushNotificationConfig": inner })
}
