//! Push notification configs: kept here for every agent, hosted or elsewhere, with the dialect in
//! which they were registered.

use protocol::a2a::rpc::{ErrorCode, RpcError};
use protocol::a2a::translate::Params;
use protocol::a2a::{Operation, Version};
use registry::agent::AgentId;
use registry::client::target;
use registry::ids;
use registry::store::{PushConfig, TaskRow};
use serde_json::{Value, json};

use super::{Refusal, Reply, unknown_task};
use crate::gate::Gate;

/// Answers one of the four config methods for a task that the caller may see.
///
/// # Errors
/// -32001 for an unknown task or config, -32602 for an address that is never called; the store's.
pub async fn answer(
    gate: &Gate,
    row: &TaskRow,
    params: &Params,
    version: Version,
) -> Result<Reply, Refusal> {
    let wanted = params.value.get("id").and_then(Value::as_str);
    match params.operation {
        Operation::PushCreate => {
            let kept = keep(gate, &row.agent_id, &row.task_id, &params.value, version).await?;
            Ok(Reply::Value(view(&kept)))
        }
        Operation::PushDelete => {
            let id = wanted.unwrap_or_default();
            gate.store
                .push_config_delete(&row.agent_id, &row.task_id, id)
                .await?;
            Ok(Reply::Value(json!({})))
        }
        operation => {
            let configs = gate.store.push_configs(&row.agent_id, &row.task_id).await?;
            if operation == Operation::PushList {
                let configs: Vec<Value> = configs.iter().map(view).collect();
                return Ok(Reply::Value(
                    json!({ "configs": configs, "nextPageToken": "" }),
                ));
            }
            let named = |config: &&PushConfig| wanted.is_none_or(|id| config.config_id == id);
            // 0.3 asks for "the" config by names of its own making; one without a name is meant.
            let nameless = |config: &&PushConfig| {
                version == Version::V0_3 && config.config_id == config.task_id
            };
            let found = configs.iter().find(named);
            let found = found.or_else(|| configs.iter().find(nameless));
            let found = found.ok_or_else(|| {
                RpcError::new(ErrorCode::TaskNotFound, "the task has no such push config")
            })?;
            Ok(Reply::Value(view(found)))
        }
    }
}

/// Keeps a config in 1.0's flat form; without an id it gets the task's.
///
/// # Errors
/// -32602 for an address that is never called; the store's.
pub async fn keep(
    gate: &Gate,
    agent_id: &AgentId,
    task_id: &str,
    flat: &Value,
    version: Version,
) -> Result<PushConfig, Refusal> {
    let secret = ids::secret(&**gate.store.random());
    keep_as(gate, agent_id, task_id, flat, (version, secret)).await
}

/// As [`keep`], where the agent was told the secret of our own address already.
///
/// # Errors
/// As [`keep`].
pub async fn keep_as(
    gate: &Gate,
    agent_id: &AgentId,
    task_id: &str,
    flat: &Value,
    (version, hook): (Version, String),
) -> Result<PushConfig, Refusal> {
    let text = |name: &str| flat.get(name).and_then(Value::as_str).map(str::to_owned);
    check_address(gate, flat)?;
    let config = PushConfig {
        agent_id: agent_id.clone(),
        task_id: task_id.to_owned(),
        config_id: text("id").unwrap_or_else(|| task_id.to_owned()),
        version: version.as_str().to_owned(),
        url: text("url").unwrap_or_default(),
        token: text("token"),
        authentication: flat.get("authentication").cloned(),
        hook,
        failures: 0,
    };
    gate.store.push_config_set(config.clone()).await?;
    Ok(config)
}

/// A name is judged when it is resolved, at each delivery; an address is known now.
///
/// # Errors
/// -32602 for an address that is never called.
pub fn check_address(gate: &Gate, flat: &Value) -> Result<(), RpcError> {
    let url = flat.get("url").and_then(Value::as_str).unwrap_or_default();
    match target::check(url, gate.fixed.settings.allow_private_targets) {
        Ok(_) => Ok(()),
        Err(refused) => Err(RpcError::invalid_params(
            "url",
            &format!("Not taken: {refused}."),
        )),
    }
}

/// A config in 1.0's flat form.
fn view(config: &PushConfig) -> Value {
    let mut view = json!({
        "taskId": config.task_id,
        "id": config.config_id,
        "url": config.url,
    });
    if let Some(token) = &config.token {
        view["token"] = json!(token);
    }
    if let Some(authentication) = &config.authentication {
        view["authentication"] = authentication.clone();
    }
    view
}

/// The task, if the caller may see it.
///
/// # Errors
/// -32001 where there is none, or it is somebody else's; the store's.
pub async fn task_of(
    gate: &Gate,
    agent_id: &AgentId,
    caller: Option<&AgentId>,
    task_id: Option<&str>,
) -> Result<TaskRow, Refusal> {
    let row = gate
        .store
        .task_by_id(agent_id, task_id.unwrap_or_default())
        .await?;
    if row.open_to(caller) {
        Ok(row)
    } else {
        Err(unknown_task().into())
    }
}
