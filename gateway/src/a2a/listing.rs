//! ListTasks: answered from our own index for every agent, since an agent elsewhere would list
//! everyone's.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use protocol::a2a::Version;
use protocol::a2a::rpc::RpcError;
use protocol::a2a::translate::{Params, TaskState, trim_history};
use registry::agent::AgentId;
use registry::clock::millis_of_rfc3339;
use registry::store::{Store, TaskFilter, TaskRow};
use serde_json::{Value, json};

use super::{Refusal, Reply};

/// How many tasks a page has when nobody says.
const PAGE: u64 = 50;

/// The caller's tasks of an agent, by the time of their status, newest first.
///
/// # Errors
/// -32602 for a token that we did not give or a time that is none; the store's own.
pub async fn list_tasks(
    store: &Store,
    agent_id: &AgentId,
    caller: Option<&AgentId>,
    params: &Params,
) -> Result<Reply, Refusal> {
    let text = |name: &str| params.value.get(name).and_then(Value::as_str);
    let size = params.value.get("pageSize").and_then(Value::as_u64);
    let limit = size.unwrap_or(PAGE);
    let filter = TaskFilter {
        agent_id: agent_id.clone(),
        caller: caller.cloned(),
        context_id: text("contextId").map(str::to_owned),
        state: text("status")
            .and_then(TaskState::parse)
            .map(|state| state.as_str(Version::V0_3).to_owned()),
        status_since: text("statusTimestampAfter").map(since).transpose()?,
        after: text("pageToken").map(read_token).transpose()?,
        limit: limit + 1,
    };
    // Nobody's tasks are listed only to who knows their conversation.
    let hidden = caller.is_none() && filter.context_id.is_none();
    let (mut rows, total) = match hidden {
        true => (Vec::new(), 0),
        false => store.tasks_list(&filter).await?,
    };
    let more = rows.len() as u64 > limit;
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let token = match rows.last() {
        Some(last) if more => write_token(last),
        _ => String::new(),
    };
    let artifacts = params.value.get("includeArtifacts") == Some(&json!(true));
    let tasks: Vec<Value> = rows
        .into_iter()
        .map(|row| shown(row, params.history_length(), artifacts))
        .collect();
    Ok(Reply::Value(json!({
        "tasks": tasks,
        "pageSize": limit,
        "nextPageToken": token,
        "totalSize": total,
    })))
}

fn shown(row: TaskRow, history: Option<i64>, artifacts: bool) -> Value {
    let mut task = row.task;
    trim_history(&mut task, history);
    if let (false, Some(members)) = (artifacts, task.as_object_mut()) {
        members.shift_remove("artifacts");
    }
    task
}

fn since(text: &str) -> Result<i64, RpcError> {
    millis_of_rfc3339(text)
        .ok_or_else(|| RpcError::invalid_params("statusTimestampAfter", "It is no time."))
}

fn write_token(last: &TaskRow) -> String {
    URL_SAFE_NO_PAD.encode(format!("{}/{}", last.status_at, last.task_id))
}

fn read_token(text: &str) -> Result<(i64, String), RpcError> {
    let read = || {
        let decoded = String::from_utf8(URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        let (at, id) = decoded.split_once('/')?;
        Some((at.parse().ok()?, id.to_owned()))
    };
    read().ok_or_else(|| RpcError::invalid_params("pageToken", "It was not given by this list."))
}
