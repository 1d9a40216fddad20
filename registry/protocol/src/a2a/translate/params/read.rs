//! Reading parameters of either dialect into 1.0's form.

use serde_json::{Value, json};

use super::{Dialect, MissingId};
use crate::a2a::translate::task::at;
use crate::a2a::translate::{
    Fault, Members, TaskState, extras, fault, flag, found, member, message, metadata, needed,
    object, push, put, text, texts, whole,
};
use crate::a2a::{Operation, Version};

/// The largest number of the proto form's int32.
const LARGEST: i64 = 2_147_483_647;

const HISTORY: [&str; 2] = ["historyLength", "history_length"];
const PAGE_SIZE: [&str; 2] = ["pageSize", "page_size"];
const PAGE_TOKEN: [&str; 2] = ["pageToken", "page_token"];

const KNOWN_SEND: [&str; 6] = [
    "tenant",
    "message",
    "request",
    "configuration",
    "metadata",
    "kind",
];
const PUSH: [&str; 5] = [
    "taskPushNotificationConfig",
    "task_push_notification_config",
    "pushNotificationConfig",
    "push_notification_config",
    "pushNotification",
];
const KNOWN_CONFIGURATION: [&str; 12] = [
    "acceptedOutputModes",
    "accepted_output_modes",
    "returnImmediately",
    "return_immediately",
    "blocking",
    HISTORY[0],
    HISTORY[1],
    PUSH[0],
    PUSH[1],
    PUSH[2],
    PUSH[3],
    PUSH[4],
];
const KNOWN_LIST: [&str; 13] = [
    "contextId",
    "context_id",
    "status",
    PAGE_SIZE[0],
    PAGE_SIZE[1],
    PAGE_TOKEN[0],
    PAGE_TOKEN[1],
    HISTORY[0],
    HISTORY[1],
    "statusTimestampAfter",
    "status_timestamp_after",
    "includeArtifacts",
    "include_artifacts",
];
const KNOWN_CONFIG: [&str; 10] = [
    "id",
    "taskId",
    "task_id",
    "pushNotificationConfigId",
    "push_notification_config_id",
    PAGE_SIZE[0],
    PAGE_SIZE[1],
    PAGE_TOKEN[0],
    PAGE_TOKEN[1],
    "kind",
];

pub(super) fn value(
    operation: Operation,
    from: &Members,
    dialect: Dialect,
    missing: &MissingId,
) -> Result<Value, Fault> {
    let out = match operation {
        Operation::Send | Operation::SendStream => send(from, dialect, missing)?,
        Operation::GetTask => with_id(from, &HISTORY, dialect)?,
        Operation::CancelTask | Operation::Subscribe => with_id(from, &[], dialect)?,
        Operation::ListTasks => list_tasks(from)?,
        Operation::PushCreate => {
            let flat = push::read_members(from)?;
            if !flat.contains_key("taskId") {
                return fault("/taskId", "It is missing.");
            }
            flat
        }
        Operation::PushGet | Operation::PushDelete => of_config(from, operation, dialect)?,
        Operation::PushList => list_configs(from, dialect)?,
        Operation::ExtendedCard => {
            let mut out = Members::new();
            extras(from, &["kind"], &mut out);
            out
        }
    };
    Ok(Value::Object(out))
}

fn send(from: &Members, dialect: Dialect, missing: &MissingId) -> Result<Members, Fault> {
    let mut out = Members::new();
    // 0.3's proto form calls it `request`.
    let Some(said) = member(from, &["message", "request"]) else {
        return fault("/message", "It is missing.");
    };
    let mut said = message(said, Version::V1_0).map_err(at("/message"))?;
    if said.get("messageId").is_none() {
        match missing {
            MissingId::Refuse => return fault("/message/messageId", "It is missing."),
            MissingId::Fill(id) => said["messageId"] = json!(id),
        }
    }
    out.insert("message".to_owned(), said);
    if let Some(value) = member(from, &["configuration"]) {
        let configuration = configuration(value, dialect)?;
        out.insert("configuration".to_owned(), configuration.into());
    }
    metadata(from, "", &mut out)?;
    extras(from, &KNOWN_SEND, &mut out);
    Ok(out)
}

fn configuration(value: &Value, dialect: Dialect) -> Result<Members, Fault> {
    const PLACE: &str = "/configuration";
    let from = object(value, PLACE)?;
    let mut out = Members::new();
    let modes = ["acceptedOutputModes", "accepted_output_modes"];
    put(&mut out, modes[0], texts(from, &modes, PLACE)?);
    let at_once = match flag(from, &["returnImmediately", "return_immediately"], PLACE)? {
        Some(at_once) => Some(at_once),
        None => flag(from, &["blocking"], PLACE)?.map(|blocking| !blocking),
    };
    put(&mut out, "returnImmediately", at_once);
    put(&mut out, HISTORY[0], history(from, PLACE, dialect)?);
    if let Some((name, value)) = found(from, &PUSH) {
        let config = object(value, "").and_then(push::read_members);
        let config = config.map_err(at(&format!("{PLACE}/{name}")))?;
        out.insert(PUSH[0].to_owned(), config.into());
    }
    extras(from, &KNOWN_CONFIGURATION, &mut out);
    Ok(out)
}

/// How much history is wanted. 0 means "no limit" to 0.3, which is 1.0's silence.
fn history(from: &Members, place: &str, dialect: Dialect) -> Result<Option<i64>, Fault> {
    let length = whole(from, &HISTORY, place, 0..=LARGEST)?;
    Ok(length.filter(|length| dialect == Version::V1_0 || *length > 0))
}

fn with_id(from: &Members, lengths: &[&str], dialect: Dialect) -> Result<Members, Fault> {
    let mut out = Members::new();
    put(&mut out, "id", Some(needed(from, &["id"], "")?));
    if let Some(name) = lengths.first() {
        put(&mut out, name, history(from, "", dialect)?);
    }
    metadata(from, "", &mut out)?;
    let known = ["id", HISTORY[0], HISTORY[1], "metadata", "kind"];
    extras(from, &known, &mut out);
    Ok(out)
}

fn list_tasks(from: &Members) -> Result<Members, Fault> {
    let mut out = Members::new();
    let context = text(from, &["contextId", "context_id"], "")?;
    put(&mut out, "contextId", context);
    if let Some(state) = text(from, &["status"], "")? {
        match TaskState::parse(&state) {
            Some(TaskState::Unknown) => {}
            Some(state) => put(&mut out, "status", Some(state.as_str(Version::V1_0))),
            None => return fault("/status", "It is no state of a task."),
        }
    }
    page(from, &mut out)?;
    put(&mut out, HISTORY[0], history(from, "", Version::V1_0)?);
    let since = ["statusTimestampAfter", "status_timestamp_after"];
    put(&mut out, since[0], text(from, &since, "")?);
    let artifacts = ["includeArtifacts", "include_artifacts"];
    put(&mut out, artifacts[0], flag(from, &artifacts, "")?);
    extras(from, &KNOWN_LIST, &mut out);
    Ok(out)
}

fn page(from: &Members, out: &mut Members) -> Result<(), Fault> {
    put(out, PAGE_SIZE[0], whole(from, &PAGE_SIZE, "", 1..=100)?);
    put(out, PAGE_TOKEN[0], text(from, &PAGE_TOKEN, "")?);
    Ok(())
}

fn of_config(from: &Members, operation: Operation, dialect: Dialect) -> Result<Members, Fault> {
    let config: &[&str] = match dialect {
        Version::V1_0 => &["id"],
        Version::V0_3 => &["pushNotificationConfigId", "push_notification_config_id"],
    };
    let mut out = Members::new();
    let id = text(from, config, "")?;
    put(&mut out, "taskId", Some(task_of(from, dialect)?));
    // 0.3 may ask for "the" config of a task.
    let optional = dialect == Version::V0_3 && operation == Operation::PushGet;
    if id.is_none() && !optional {
        return fault(format!("/{}", config[0]), "It is missing.");
    }
    put(&mut out, "id", id);
    extras(from, &KNOWN_CONFIG, &mut out);
    Ok(out)
}

fn list_configs(from: &Members, dialect: Dialect) -> Result<Members, Fault> {
    let mut out = Members::new();
    put(&mut out, "taskId", Some(task_of(from, dialect)?));
    page(from, &mut out)?;
    extras(from, &KNOWN_CONFIG, &mut out);
    Ok(out)
}

/// 0.3 gives the task's id the name that the config's has in 1.0.
fn task_of(from: &Members, dialect: Dialect) -> Result<String, Fault> {
    match dialect {
        Version::V1_0 => needed(from, &["taskId", "task_id"], ""),
        Version::V0_3 => needed(from, &["id"], ""),
    }
}
