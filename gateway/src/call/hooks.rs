//! Push notifications of agents elsewhere: to the agent we are the webhook, and what it tells us
//! goes on to the client's address in the client's dialect.

use protocol::a2a::rpc::{ErrorCode, RpcError};
use protocol::a2a::translate::{Item, MissingId, Params, read_error};
use protocol::a2a::{Operation, Version, rest};
use registry::agent::AgentId;
use registry::ids;
use registry::store::PushConfig;
use serde_json::{Value, json};

use super::relay::{Relay, no_a2a};
use super::{Verified, recorded, routed, shaped};
use crate::a2a::{Refusal, Reply, push};
use crate::gate::Gate;

/// The address at which an agent tells us about a task.
pub(crate) fn address(gate: &Gate, agent_id: &AgentId, hook: &str) -> String {
    format!("{}/push/{hook}", gate.agent_url(agent_id))
}

/// Answers the four config methods: the config is ours, the agent gets one that leads to us.
pub(super) async fn configure(
    gate: &Gate,
    verified: Verified,
    asked: &Relay,
) -> Result<Reply, Refusal> {
    let agent = &verified.listed.agent;
    if !agent.profile.push_notifications {
        let text = "the agent sends no push notifications";
        return Err(RpcError::new(ErrorCode::PushNotificationNotSupported, text).into());
    }
    let agent_id = agent.id.clone();
    let (params, caller) = (&asked.params, verified.caller.as_ref());
    let row = push::task_of(gate, &agent_id, caller, params.task_id()).await?;
    let before = gate.store.push_configs(&agent_id, &row.task_id).await?;
    let reply = push::answer(gate, &row, params, asked.version).await?;
    match params.operation {
        Operation::PushCreate => {
            let after = gate.store.push_configs(&agent_id, &row.task_id).await?;
            let new = after.iter().find(|config| !before.contains(config));
            if let Some(config) = new {
                let create = ours(gate, config);
                if let Err(refused) = tell(gate, verified, Operation::PushCreate, create).await {
                    gate.store
                        .push_config_delete(&agent_id, &row.task_id, &config.config_id)
                        .await?;
                    return Err(refused);
                }
            }
        }
        Operation::PushDelete => {
            let id = params.value.get("id").cloned().unwrap_or_default();
            let delete = json!({ "taskId": row.task_id, "id": id });
            // Without its config nothing of what the agent still sends goes anywhere.
            let _ = tell(gate, verified, Operation::PushDelete, delete).await;
        }
        _ => {}
    }
    Ok(reply)
}

fn ours(gate: &Gate, config: &PushConfig) -> Value {
    json!({
        "taskId": config.task_id,
        "id": config.config_id,
        "url": address(gate, &config.agent_id, &config.hook),
        "token": config.hook,
    })
}

/// Sends a config method of our own to the agent.
async fn tell(
    gate: &Gate,
    verified: Verified,
    operation: Operation,
    params: Value,
) -> Result<(), Refusal> {
    let params = Params::read(operation, Some(&params), Version::V1_0, &MissingId::Refuse)
        .map_err(|error| crate::a2a::invalid(&error))?;
    let asked = Relay {
        version: Version::V1_0,
        params,
        raw: None,
        came: bytes::Bytes::new(),
        headers: Vec::new(),
        rest: false,
    };
    let (shaped, upstream) = shaped::relayed(gate, verified, &asked)?;
    let routed = routed::send(gate, shaped, "a2a").await;
    let answered = recorded::finish(gate, routed)?;
    let status = answered.status_code;
    let super::Body::Json(raw) = &answered.body else {
        return Err(no_a2a(status, "it is no JSON").into());
    };
    let answer: Value = serde_json::from_str(raw.get()).unwrap_or_default();
    let refused = match upstream.rest {
        true if status >= 400 => Some(rest::read_error(status, &answer)),
        true => None,
        false => answer.get("error").and_then(read_error),
    };
    match refused {
        Some(error) => Err(error.into()),
        None if upstream.rest || answer.get("result").is_some() => Ok(()),
        None => Err(no_a2a(status, "it has neither result nor error").into()),
    }
}

/// What the task of a config is called that is kept before the agent has named it.
pub(crate) const EARLY: &str = "unnamed:";

/// A client's config that travels with a message, kept while its task has no name.
pub(super) struct Early(PushConfig);

/// Whether the agent has not yet named the task of a config.
pub(crate) fn is_early(config: &PushConfig) -> bool {
    config.task_id.starts_with(EARLY)
}

/// Puts our address in the place of the client's. The config is kept before the agent hears of it: it
/// may tell of the task before it answers.
pub(super) async fn before_send(
    gate: &Gate,
    verified: &Verified,
    asked: &mut Relay,
) -> Result<Option<Early>, Refusal> {
    const PLACE: &str = "/configuration/taskPushNotificationConfig";
    let Some(config) = asked.params.value.pointer_mut(PLACE) else {
        return Ok(None);
    };
    if !verified.listed.agent.profile.push_notifications {
        let text = "the agent sends no push notifications";
        return Err(RpcError::new(ErrorCode::PushNotificationNotSupported, text).into());
    }
    let hook = ids::secret(&**gate.store.random());
    let agent_id = &verified.listed.agent.id;
    let theirs = std::mem::replace(
        config,
        json!({ "url": address(gate, agent_id, &hook), "token": hook }),
    );
    if let Some(id) = theirs.get("id") {
        config["id"] = id.clone();
    }
    // The request can no longer pass as it came.
    asked.raw = None;
    let kept = (asked.version, hook.clone());
    if let Some(task_id) = asked.params.task_id() {
        push::keep_as(gate, agent_id, task_id, &theirs, kept).await?;
        return Ok(None);
    }
    let task_id = format!("{EARLY}{hook}");
    let config = push::keep_as(gate, agent_id, &task_id, &theirs, kept).await?;
    Ok(Some(Early(config)))
}

/// Gives the client's config to its task, once that has a name.
pub(super) async fn after_send(
    gate: &Gate,
    hook: Option<Early>,
    item: &Item,
) -> Result<(), Refusal> {
    if let (Some(Early(config)), Some(task_id)) = (hook, item.task_id()) {
        gate.store.push_config_name(&config, task_id).await?;
    }
    Ok(())
}
