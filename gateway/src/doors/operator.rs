//! `/operator/*`: what only the operator may do; closed when no operator key is set.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use registry::agent::{Agent, State};
use registry::error::Invalid;
use serde::Serialize;

use super::lookup;
use super::payload::Answer;
use crate::caller::Operator;
use crate::gate::Gate;
use crate::problem::Problem;

pub(crate) struct OperatorDoor(pub(super) Gate);

#[OpenApi]
impl OperatorDoor {
    /// Suspend an agent
    ///
    /// It is no longer found, calls to it and with its keys answer 403, until it is resumed.
    #[oai(
        path = "/operator/agents/:agent_id/suspend",
        method = "post",
        operation_id = "suspend_agent"
    )]
    async fn suspend(
        &self,
        _operator: Operator,
        /// Id of the agent.
        agent_id: Path<String>,
    ) -> Result<Answer<StateView>, Problem> {
        self.set(&agent_id.0, |agent| {
            if agent.state != State::Suspended {
                agent.suspended_from = Some(agent.state);
                agent.state = State::Suspended;
            }
            Ok(())
        })
        .await
    }

    /// Resume a suspended agent
    #[oai(
        path = "/operator/agents/:agent_id/resume",
        method = "post",
        operation_id = "resume_agent"
    )]
    async fn resume(
        &self,
        _operator: Operator,
        /// Id of the agent.
        agent_id: Path<String>,
    ) -> Result<Answer<StateView>, Problem> {
        self.set(&agent_id.0, |agent| match agent.state {
            State::Suspended => {
                // Without a note of what it was, the state that promises least.
                agent.state = agent.suspended_from.take().unwrap_or(State::Unclaimed);
                Ok(())
            }
            state => Err(Invalid::value(
                "/agent_id",
                format!("the agent is {}", state.as_str()),
            )),
        })
        .await
    }
}

impl OperatorDoor {
    async fn set(
        &self,
        id: &str,
        change: fn(&mut Agent) -> Result<(), Invalid>,
    ) -> Result<Answer<StateView>, Problem> {
        let agent = self
            .0
            .store
            .agent_update(&lookup(id)?, None, change)
            .await?;
        let state = agent.state.as_str().to_owned();
        Ok(Answer(StateView {
            agent_id: agent.id.to_string(),
            state,
        }))
    }
}

/// The state of an agent after a change.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "AgentState")]
struct StateView {
    /// Its id.
    agent_id: String,
    /// Its state now.
    state: String,
}
