//! `POST /agents/{id}/push/{hook}`: where an agent elsewhere tells us about a task, in its own dialect.

use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use poem_openapi::{ApiResponse, Object};
use protocol::a2a::Version;
use protocol::a2a::translate::Item;
use protocol::exact;
use registry::error::Error;
use serde::Serialize;
use serde_json::Value;

use crate::call::hooks;
use crate::doors::lookup;
use crate::doors::payload::Answer;
use crate::gate::Gate;
use crate::problem::{Code, Problem};

use super::body::RpcBody;

pub(crate) struct PushDoor(pub(in crate::doors) Gate);

#[OpenApi]
impl PushDoor {
    /// Tell about a task
    ///
    /// For agents alone: the address was given to one agent for one config, and its last part is
    /// the secret. What is told goes on to the client in the client's dialect.
    #[oai(
        path = "/agents/:agent_id/push/:hook",
        method = "post",
        operation_id = "push_notification"
    )]
    async fn told(
        &self,
        /// Id of the agent.
        agent_id: Path<String>,
        /// The secret of the config.
        hook: Path<String>,
        body: RpcBody,
    ) -> Result<Told, Problem> {
        let gate = &self.0;
        let agent_id = lookup(&agent_id.0)?;
        let unknown = || Problem::new(Code::NotFound, "no config of this agent has this address");
        if hook.0.len() > 64 || !hook.0.is_ascii() {
            return Err(unknown());
        }
        let config = match gate.store.push_config_by_hook(&hook.0).await {
            Ok(config) if config.agent_id == agent_id => config,
            Ok(_) | Err(Error::NotFound(_)) => return Err(unknown()),
            Err(error) => return Err(error.into()),
        };
        let text = std::str::from_utf8(&body.0)
            .map_err(|_| Problem::new(Code::MalformedJson, "the body is no UTF-8"))?;
        let value: Value = protocol::json::parse(exact::shield(text).as_bytes())
            .map_err(|error| Problem::new(Code::MalformedJson, error.to_string()))?
            .value;
        let item = Item::read(&value)
            .map_err(|error| Problem::new(Code::InvalidRequest, error.reason).at(error.pointer))?;
        let named = item.task_id() == Some(&config.task_id);
        let first = item.task_id().is_some() && hooks::is_early(&config);
        if !(named || first) {
            let text = "the address was given for another task";
            return Err(Problem::new(Code::InvalidRequest, text));
        }
        let row = gate.store.task_by_id(&agent_id, &config.task_id).await;
        if let (true, Ok(row)) = (named, row) {
            let seen = crate::call::seen(gate, &agent_id, &item, row);
            gate.store.task_seen(seen).await?;
        }
        let item = item.write(Version::V1_0, false);
        gate.store.push_queue(&[config], &item).await?;
        Ok(Told::Taken(Answer(Taken { taken: true })))
    }
}

#[derive(ApiResponse)]
enum Told {
    /// Taken; it goes on from here.
    #[oai(status = 202)]
    Taken(Answer<Taken>),
}

/// What was told is on its way.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "NotificationTaken")]
struct Taken {
    /// Always true.
    taken: bool,
}
