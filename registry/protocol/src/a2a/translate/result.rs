//! The result of one operation that is no stream: checked against what was asked, and translated.

use serde_json::Value;

use super::task::at;
use super::{
    Fault, Item, Kind, Members, Params, extras, fault, member, object, put, task, text, whole,
};
use crate::a2a::rpc::{ErrorCode, RpcError};
use crate::a2a::{Operation, Version};

/// What an agent said is no A2A: no shape is guessed, and none that is wrong passed on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the agent's answer is not A2A: result{pointer}: {reason}")]
pub struct InvalidAgentResponse {
    /// JSON pointer below the result; "" for the result itself.
    pub pointer: String,
    /// A sentence for people.
    pub reason: String,
}

impl From<Fault> for InvalidAgentResponse {
    fn from(fault: Fault) -> Self {
        Self {
            pointer: fault.pointer,
            reason: fault.reason,
        }
    }
}

impl From<InvalidAgentResponse> for RpcError {
    /// -32006 with the place.
    fn from(error: InvalidAgentResponse) -> Self {
        let place = format!("result{}", error.pointer);
        Self::with_metadata(
            ErrorCode::InvalidAgentResponse,
            error.to_string(),
            &[("place", &place)],
        )
    }
}

/// The task or the message that a send, a get or a cancel gave, in either dialect; a stream's
/// update is no such answer, and neither is another task than the one that was asked for.
///
/// # Errors
/// What is no such answer, or the first place that cannot be understood.
pub fn answer(params: &Params, value: &Value) -> Result<Item, InvalidAgentResponse> {
    let item = Item::read(value)?;
    let sent = matches!(params.operation, Operation::Send | Operation::SendStream);
    let reason = match item.kind {
        Kind::Task if sent || item.task_id() == params.task_id() => return Ok(item),
        Kind::Message if sent => return Ok(item),
        Kind::Task => "It is another task than the one that was asked for.",
        Kind::Message => "A message is no answer to this.",
        Kind::Status | Kind::Artifact => "An update is an answer in streams only.",
    };
    fault("", reason).map_err(InvalidAgentResponse::from)
}

/// The result of any operation but a stream, in either dialect, written in one.
///
/// # Errors
/// What is no answer to it, or the first place that cannot be understood.
pub fn result(params: &Params, value: &Value, to: Version) -> Result<Value, InvalidAgentResponse> {
    Ok(match params.operation {
        Operation::Send | Operation::SendStream => {
            let item = answer(params, value)?;
            item.write(to, item.closes())
        }
        Operation::GetTask | Operation::CancelTask | Operation::Subscribe => {
            let item = answer(params, value)?;
            match to {
                Version::V0_3 => item.write(to, item.closes()),
                // Only a send may give either, and so says in 1.0 which it is.
                Version::V1_0 => item.value,
            }
        }
        Operation::ListTasks => tasks(value, to)?,
        Operation::PushCreate
        | Operation::PushGet
        | Operation::PushList
        | Operation::PushDelete => {
            let mut value = value.clone();
            of_task(params, &mut value);
            super::push_result(params.operation, &value, to)?
        }
        Operation::ExtendedCard => {
            object(value, "")?;
            value.clone()
        }
    })
}

/// An agent may leave out for which task its configs are: for the one that was asked about.
fn of_task(params: &Params, value: &mut Value) {
    let listed = match value {
        Value::Array(list) => Some(list),
        Value::Object(page) if params.operation == Operation::PushList => {
            page.get_mut("configs").and_then(Value::as_array_mut)
        }
        Value::Object(config) => return name_task(params, config),
        _ => None,
    };
    let configs = listed.into_iter().flatten();
    for config in configs.filter_map(Value::as_object_mut) {
        name_task(params, config);
    }
}

fn name_task(params: &Params, config: &mut Members) {
    let said = member(config, &["taskId", "task_id"]).is_some_and(|said| said != "");
    put(config, "taskId", params.task_id().filter(|_| !said));
}

/// A page of tasks; the token is always there, "" on the last page.
fn tasks(value: &Value, to: Version) -> Result<Value, Fault> {
    let from = object(value, "")?;
    let listed = match member(from, &["tasks"]) {
        None => &[][..],
        Some(Value::Array(listed)) => listed,
        Some(_) => return fault("/tasks", "It must be a list."),
    };
    let mut written = Vec::with_capacity(listed.len());
    for (index, one) in listed.iter().enumerate() {
        written.push(task(one, to).map_err(at(&format!("/tasks/{index}")))?);
    }
    let mut out = Members::new();
    out.insert("tasks".to_owned(), written.into());
    let names = ["nextPageToken", "next_page_token"];
    let token = text(from, &names, "")?.unwrap_or_default();
    put(&mut out, names[0], Some(token));
    for names in [["pageSize", "page_size"], ["totalSize", "total_size"]] {
        put(&mut out, names[0], whole(from, &names, "", 0..=i64::MAX)?);
    }
    let known = [
        "tasks",
        "nextPageToken",
        "next_page_token",
        "pageSize",
        "page_size",
        "totalSize",
        "total_size",
    ];
    extras(from, &known, &mut out);
    Ok(Value::Object(out))
}
