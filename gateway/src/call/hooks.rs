//! Push notifications of agents elsewhere: to the agent we are the webhook, and what it tells us
//! goes on to the client's address in the client's dialect.

use protocol::a2a::rpc::{ErrorCode, RpcError};
use protocol::a2a::translate::{Item, MissingId, Params};
use protocol::a2a::{Operation, Version};
use registry::agent::AgentId;
use registry::ids;
use registry::store::PushConfig;
use serde_json::{Value, json};

use super::relay::Relay;
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
    let (shaped, _) = shaped::relayed(gate, verified, &asked)?;
    let routed = routed::send(gate, shaped, "a2a").await;
    let answered = recorded::finish(gate, routed)?;
    let refused = match &answered.body {
        super::Body::Json(raw) => serde_json::from_str::<Value>(raw.get())
            .ok()
            .and_then(|answer| protocol::a2a::translate::read_error(answer.get("error")?)),
        _ => None,
    };
    match refused {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// A client's config that travels with a message, until the task has a name.
pub(super) struct Hook {
    secret: String,
    theirs: Value,
}

/// Puts our address in the place of the client's.
pub(super) fn before_send(
    gate: &Gate,
    verified: &Verified,
    asked: &mut Relay,
) -> Result<Option<Hook>, Refusal> {
    const PLACE: &str = "/configuration/taskPushNotificationConfig";
    let Some(config) = asked.params.value.pointer_mut(PLACE) else {
        return Ok(None);
    };
    if !verified.listed.agent.profile.push_notifications {
        let text = "the agent sends no push notifications";
        return Err(RpcError::new(ErrorCode::PushNotificationNotSupported, text).into());
    }
    push::check_address(gate, config)?;
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
    Ok(Some(Hook {
        secret: hook,
        theirs,
    }))
}

/// Keeps the client's config once the task has a name.
pub(super) async fn after_send(
    gate: &Gate,
    agent_id: &AgentId,
    hook: Option<Hook>,
    item: &Item,
    version: Version,
) -> Result<(), Refusal> {
    let (Some(hook), Some(task_id)) = (hook, item.task_id()) else {
        return Ok(());
    };
    push::keep_as(
        gate,
        agent_id,
        task_id,
        &hook.theirs,
        (version, hook.secret),
    )
    .await?;
    Ok(())
}
