//! `/operator/*`: what only the operator may do; closed when no operator key is set.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use registry::agent::{Agent, Contact, State};
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
        self.set(&agent_id.0, |agent| match agent.state {
            State::Withdrawn => Err(Invalid::value("/agent_id", "a withdrawn agent stays so")),
            _ => Ok(State::Suspended),
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
            State::Suspended => Ok(state_before(agent)),
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
        next: fn(&Agent) -> Result<State, Invalid>,
    ) -> Result<Answer<StateView>, Problem> {
        let change = move |agent: &mut Agent| {
            agent.state = next(agent)?;
            Ok(())
        };
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

/// A listing without a contact was imported by a stranger and has no owner.
fn state_before(agent: &Agent) -> State {
    let owned = agent.tenant || agent.contact != Contact::default();
    if owned {
        State::Listed
    } else {
        State::Unclaimed
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
