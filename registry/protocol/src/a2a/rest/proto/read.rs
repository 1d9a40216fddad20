//! From the shape of the proto to that of 0.3's JSON-RPC form. Nothing is judged: what has another
//! shape stays as it is, for the translation to refuse or to take.

use serde_json::{Value, json};

use super::{Members, REFERENCES};

/// Gives a member the first of its names, if it has one of the others.
fn rename(members: &mut Members, name: &str, others: &[&str]) {
    for other in others {
        if members.get(name).is_none_or(Value::is_null)
            && let Some(value) = members.shift_remove(*other)
        {
            members.insert(name.to_owned(), value);
        }
    }
}

fn each(members: &mut Members, name: &str, change: fn(&mut Value)) {
    if let Some(Value::Array(list)) = members.get_mut(name) {
        list.iter_mut().for_each(change);
    }
}

/// The request of a send. An absent `blocking` is false to a proto, when there is a configuration.
pub(super) fn send(body: &mut Value) {
    let Some(members) = body.as_object_mut() else {
        return;
    };
    rename(members, "message", &["request"]);
    if let Some(said) = members.get_mut("message") {
        message(said);
    }
    if let Some(Value::Object(configuration)) = members.get_mut("configuration") {
        configuration
            .entry("blocking")
            .or_insert(Value::Bool(false));
        rename(
            configuration,
            "pushNotificationConfig",
            &["pushNotification", "push_notification"],
        );
        // 0 means "no limit" to 0.3.
        for name in ["historyLength", "history_length"] {
            if configuration.get(name) == Some(&json!(0)) {
                configuration.shift_remove(name);
            }
        }
    }
}

pub(super) fn message(value: &mut Value) {
    let Some(members) = value.as_object_mut() else {
        return;
    };
    rename(members, "parts", &["content"]);
    each(members, "parts", part);
    let Some(Value::Object(metadata)) = members.get_mut("metadata") else {
        return;
    };
    let texts = metadata.get(REFERENCES).and_then(Value::as_array);
    if texts.is_some_and(|list| list.iter().all(Value::is_string))
        && let Some(references) = metadata.shift_remove(REFERENCES)
    {
        if metadata.is_empty() {
            members.shift_remove("metadata");
        }
        members.entry(REFERENCES).or_insert(references);
    }
}

/// A part gets its `kind`, by which what was packed into its metadata is unpacked.
fn part(value: &mut Value) {
    let Some(members) = value.as_object_mut() else {
        return;
    };
    if members.contains_key("kind") || members.contains_key("type") {
        return;
    }
    let held = |members: &Members, name: &str| members.get(name).is_some_and(|one| !one.is_null());
    let mut kinds = ["text", "file", "data"]
        .into_iter()
        .filter(|name| held(members, name));
    let (Some(kind), None) = (kinds.next(), kinds.next()) else {
        return;
    };
    if let Some(Value::Object(data)) = members.get_mut("data") {
        // The proto's data part holds its object in a member of the same name.
        let nested = data.len() == 1 && data.get("data").is_some_and(Value::is_object);
        if nested && let Some(inner) = data.shift_remove("data") {
            members.insert("data".to_owned(), inner);
        }
    }
    members.insert("kind".to_owned(), json!(kind));
}

pub(super) fn task(value: &mut Value) {
    let Some(members) = value.as_object_mut() else {
        return;
    };
    status(members);
    each(members, "artifacts", artifact);
    if let Some(Value::Array(history)) = members.get_mut("history") {
        history.retain(says_something);
    }
    each(members, "history", message);
}

/// Servers that keep their tasks as protos answer an empty message where there is none.
fn says_something(message: &Value) -> bool {
    let empty = |name: &str| match message.get(name) {
        None | Some(Value::Null) => true,
        Some(Value::Array(list)) => list.is_empty(),
        Some(_) => false,
    };
    !(message.is_object() && empty("content") && empty("parts"))
}

fn status(members: &mut Members) {
    let Some(Value::Object(status)) = members.get_mut("status") else {
        return;
    };
    rename(status, "message", &["update"]);
    match status.get_mut("message") {
        Some(said) if says_something(said) => message(said),
        Some(_) => {
            status.shift_remove("message");
        }
        None => {}
    }
}

fn artifact(value: &mut Value) {
    if let Some(members) = value.as_object_mut() {
        each(members, "parts", part);
    }
}

/// An item, in its wrapper or bare.
pub(super) fn item(value: &mut Value) {
    let Some(members) = value.as_object_mut() else {
        return;
    };
    rename(members, "message", &["msg"]);
    rename(members, "statusUpdate", &["status_update"]);
    rename(members, "artifactUpdate", &["artifact_update"]);
    let wrapped = ["task", "message", "statusUpdate", "artifactUpdate"]
        .into_iter()
        .find(|name| members.get(*name).is_some_and(Value::is_object));
    match wrapped {
        None => inner(value),
        Some(name) => {
            if let Some(one) = members.get_mut(name) {
                inner(one);
            }
        }
    }
}

/// What an item is, its members tell; none of them means two things.
fn inner(value: &mut Value) {
    task(value);
    message(value);
    if let Some(one) = value.get_mut("artifact") {
        artifact(one);
    }
}

/// A config as answers have it: `{name, pushNotificationConfig}`.
pub(super) fn config(mut value: Value) -> Value {
    let Some(members) = value.as_object_mut() else {
        return value;
    };
    rename(
        members,
        "pushNotificationConfig",
        &["push_notification_config"],
    );
    let Some(name) = members.shift_remove("name") else {
        return value;
    };
    let steps: Vec<&str> = name.as_str().unwrap_or_default().split('/').collect();
    if let ["tasks", task, ..] = steps[..] {
        members.entry("taskId").or_insert_with(|| json!(task));
    }
    if let (["tasks", _, "pushNotificationConfigs", id], Some(Value::Object(inner))) =
        (&steps[..], members.get_mut("pushNotificationConfig"))
    {
        name_it(inner, id);
    }
    value
}

fn name_it(config: &mut Members, id: &str) {
    let nameless = config
        .get("id")
        .is_none_or(|known| known.is_null() || known == "");
    if nameless && !id.is_empty() {
        config.insert("id".to_owned(), json!(id));
    }
}

/// A config as requests have it: `{parent, configId, config}` as stock servers read it, or the
/// config alone as the proto's annotation has it.
pub(super) fn config_request(mut value: Value) -> Value {
    let Some(members) = value.as_object_mut() else {
        return value;
    };
    rename(members, "configId", &["config_id"]);
    let id = members.shift_remove("configId");
    let mut config = match members.get_mut("config") {
        Some(config @ Value::Object(_)) => config.take(),
        _ => value,
    };
    if let Some(members) = config.as_object_mut() {
        rename(
            members,
            "pushNotificationConfig",
            &["push_notification_config"],
        );
        // A name that a client makes of a config without an id ends in "None" or "undefined".
        members.shift_remove("name");
        members.shift_remove("parent");
        let inner = match members.get_mut("pushNotificationConfig") {
            Some(Value::Object(inner)) => inner,
            _ => members,
        };
        if let Some(Value::String(id)) = id {
            name_it(inner, &id);
        }
    }
    config
}
