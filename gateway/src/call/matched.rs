//! Phase 1: the agent exists, is listed and takes calls.

use std::sync::Arc;

use registry::agent::{Agent, AgentId, State};
use registry::error::Error;
use registry::store::Listed;

use super::CallFailure;
use crate::gate::Gate;
use crate::problem::{Code, log_cause};

/// An agent that may be called.
#[derive(Debug)]
pub struct Matched {
    pub(super) listed: Arc<Listed>,
}

impl Matched {
    /// The agent.
    #[must_use]
    pub fn agent(&self) -> &Agent {
        &self.listed.agent
    }
}

pub(super) async fn find(gate: &Gate, id: &str) -> Result<Matched, CallFailure> {
    let unknown = || CallFailure::new(Code::UnknownAgent, "no agent has this id").at("/agent_id");
    let id = AgentId::lookup(id).ok_or_else(unknown)?;
    let listed = match gate.store.listed(&id).await {
        Ok(listed) => listed,
        Err(Error::NotFound(_)) => return Err(unknown()),
        Err(error) => {
            log_cause("an agent could not be read", &error);
            return Err(CallFailure::new(
                Code::StoreUnavailable,
                "the store does not answer; the agent was not called",
            ));
        }
    };
    match listed.agent.state {
        State::Listed | State::Unclaimed => Ok(Matched { listed }),
        State::Paused => Err(CallFailure::new(
            Code::AgentPaused,
            "the owner paused this agent",
        )),
        State::Suspended => Err(CallFailure::new(
            Code::AgentSuspended,
            "the operator suspended this agent",
        )),
        State::Withdrawn => Err(CallFailure::new(
            Code::AgentWithdrawn,
            "the owner withdrew this agent for good",
        )),
    }
}
