//! The JSON form of 0.3's proto, which that version's REST bodies have, from and to 1.0's form.
//!
//! It differs from 0.3's JSON-RPC form in shape only, so both ways go through that one: here is
//! the shape, what it means is said in [`crate::a2a::translate`]. Written is what the proto knows
//! and nothing else, since stock peers refuse the rest.

mod read;
mod write;

use serde_json::{Map, Value, json};

use crate::a2a::message::MessageError;
use crate::a2a::translate::{self, Item, MissingId, Params};
use crate::a2a::{Operation, Version};

type Members = Map<String, Value>;

/// Key in the metadata of a message for the tasks that it refers to; 0.3's proto has no member
/// for them.
const REFERENCES: &str = "referenceTaskIds";

/// A task's name in the proto, as path and body have it.
fn task_name(id: &str) -> String {
    format!("tasks/{id}")
}

/// A state by its 1.0 name, as the proto spells it: canceled has two L there.
pub(super) fn state(name: &str) -> String {
    match translate::TaskState::parse(name) {
        Some(translate::TaskState::Canceled) => "TASK_STATE_CANCELLED".to_owned(),
        Some(state) => state.as_str(Version::V1_0).to_owned(),
        None => name.to_owned(),
    }
}

/// The body of a request, in 1.0's form. A message without an id stays without one.
///
/// # Errors
/// The first place that cannot be understood.
pub fn body_to_v1_0(operation: Operation, mut body: Value) -> Result<Value, MessageError> {
    match operation {
        Operation::Send | Operation::SendStream => {
            read::send(&mut body);
            let missing = MissingId::Fill(String::new());
            let read = Params::read(operation, Some(&body), Version::V0_3, &missing)?;
            let mut params = read.value;
            if let Some(Value::Object(message)) = params.get_mut("message")
                && message.get("messageId") == Some(&json!(""))
            {
                message.shift_remove("messageId");
            }
            Ok(params)
        }
        Operation::PushCreate => {
            let mut flat = translate::push_config(&read::config_request(body), Version::V1_0)?;
            // The path names the task.
            if let Some(members) = flat.as_object_mut() {
                members.shift_remove("taskId");
            }
            Ok(flat)
        }
        _ => Ok(json!({})),
    }
}

/// The body of a request to an agent, from 1.0's form; `null` for operations without one.
///
/// # Errors
/// The first place that cannot be understood.
pub fn body_from_v1_0(operation: Operation, params: &Value) -> Result<Value, MessageError> {
    let text = |name: &str| params.get(name).and_then(Value::as_str).unwrap_or_default();
    match operation {
        Operation::Send | Operation::SendStream => {
            let read = Params::read(operation, Some(params), Version::V1_0, &MissingId::Refuse)?;
            Ok(write::send(read.write(Version::V0_3, None)))
        }
        Operation::PushCreate => {
            let config = write::config(translate::push_config(params, Version::V0_3)?);
            let mut out = json!({ "parent": task_name(text("taskId")) });
            if let Some(id) = config.pointer("/pushNotificationConfig/id").cloned() {
                out["configId"] = id;
            }
            out["config"] = config;
            Ok(out)
        }
        Operation::CancelTask => Ok(json!({ "name": task_name(text("id")) })),
        _ => Ok(Value::Null),
    }
}

/// A successful answer of an agent, in 1.0's form; of a stream one item. The extended card is let
/// pass, since it is read as every card is.
///
/// # Errors
/// The first place that cannot be understood.
pub fn answer_to_v1_0(operation: Operation, mut answer: Value) -> Result<Value, MessageError> {
    match operation {
        Operation::Send | Operation::SendStream | Operation::Subscribe => {
            read_item(answer).map(|item| item.write(Version::V1_0, false))
        }
        Operation::GetTask | Operation::CancelTask => {
            read::task(&mut answer);
            translate::task(&answer, Version::V1_0)
        }
        Operation::ListTasks => {
            let read = |mut task: Value| {
                read::task(&mut task);
                translate::task(&task, Version::V1_0)
            };
            let mut out = list(answer, "tasks", read)?;
            if let Some(members) = out.as_object_mut() {
                members.entry("nextPageToken").or_insert_with(|| json!(""));
            }
            Ok(out)
        }
        Operation::PushCreate | Operation::PushGet => {
            translate::push_config(&read::config(answer), Version::V1_0)
        }
        Operation::PushList => {
            let mut out = list(answer, "configs", |one| {
                translate::push_config(&read::config(one), Version::V1_0)
            })?;
            if let Some(members) = out.as_object_mut() {
                members.entry("nextPageToken").or_insert_with(|| json!(""));
            }
            Ok(out)
        }
        Operation::PushDelete => Ok(json!({})),
        Operation::ExtendedCard => Ok(answer),
    }
}

/// A successful answer to a client, from 1.0's form; of a stream one item, whose status-update is
/// final when it closes the stream by what it says.
///
/// # Errors
/// The first place that cannot be understood.
pub fn answer_from_v1_0(operation: Operation, answer: &Value) -> Result<Value, MessageError> {
    let old = |one: &Value| translate::task(one, Version::V0_3).map(write::task);
    match operation {
        Operation::Send | Operation::SendStream | Operation::Subscribe => {
            let item = Item::read(answer)?;
            let last = item.closes();
            Ok(write_item(&item, last))
        }
        Operation::GetTask | Operation::CancelTask => old(answer),
        Operation::ListTasks => list(answer.clone(), "tasks", |task| old(&task)),
        Operation::PushCreate | Operation::PushGet => {
            translate::push_config(answer, Version::V0_3).map(write::config)
        }
        Operation::PushList => list(answer.clone(), "configs", |one| {
            translate::push_config(&one, Version::V0_3).map(write::config)
        }),
        Operation::PushDelete => Ok(json!({})),
        Operation::ExtendedCard => Ok(answer.clone()),
    }
}

/// Reads the result of a send, or an item of a stream with its `final`.
///
/// # Errors
/// What is no item, or the first place that cannot be understood.
pub fn read_item(mut value: Value) -> Result<Item, MessageError> {
    read::item(&mut value);
    Item::read(&value)
}

/// Writes the result of a send, or an item of a stream; `last` is the `final` of a status-update.
#[must_use]
pub fn write_item(item: &Item, last: bool) -> Value {
    write::item(item.kind, item.write(Version::V0_3, last))
}

/// An answer that holds a list, each of which is written anew; an absent list is an empty one.
fn list(
    mut answer: Value,
    name: &str,
    write: impl Fn(Value) -> Result<Value, MessageError>,
) -> Result<Value, MessageError> {
    let fault = |pointer: String, reason: &str| MessageError {
        pointer,
        reason: reason.to_owned(),
    };
    let Some(members) = answer.as_object_mut() else {
        return Err(fault(String::new(), "It must be an object."));
    };
    let values = match members.get_mut(name).map(Value::take) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(values)) => values,
        Some(_) => return Err(fault(format!("/{name}"), "It must be a list.")),
    };
    let mut written = Vec::with_capacity(values.len());
    for (index, value) in values.into_iter().enumerate() {
        let at = |error: MessageError| MessageError {
            pointer: format!("/{name}/{index}{}", error.pointer),
            ..error
        };
        written.push(write(value).map_err(at)?);
    }
    members.insert(name.to_owned(), written.into());
    Ok(answer)
}
