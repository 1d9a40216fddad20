//! Phase 2: the caller is who it says it is, and within its limits.

use std::sync::Arc;

use registry::agent::AgentId;
use registry::store::Listed;

use super::targets::{Busy, Caller, Pass};
use super::{CallFailure, Matched};
use crate::caller::Visitor;
use crate::gate::Gate;
use crate::limits::{self, Exceeded, Left};
use crate::problem::Code;

/// An agent that may be called by this caller now.
#[derive(Debug)]
pub struct Verified {
    pub(super) listed: Arc<Listed>,
    pub(super) caller: Option<AgentId>,
    pub(super) key_id: Option<String>,
    pub(super) left: Option<Left>,
    pub(super) pass: Pass,
    pub(super) via: Option<String>,
}

/// `/call` to a free agent wants a key.
pub(super) fn caller(
    gate: &Gate,
    visitor: &Visitor,
    matched: Matched,
    said: Option<&str>,
) -> Result<Verified, CallFailure> {
    let Some(caller) = visitor.caller() else {
        return Err(CallFailure::new(
            Code::Unauthorized,
            "send your key as `Authorization: Bearer gh_sk_…`",
        ));
    };
    if said.is_some_and(|said| said != caller.as_str()) {
        let detail = format!("the key belongs to {caller}");
        return Err(CallFailure::new(Code::CallerMismatch, detail).at("/caller_agent_id"));
    }
    anyone(gate, visitor, matched)
}

/// The A2A doors of free agents are open to nobody as well.
pub(super) fn anyone(
    gate: &Gate,
    visitor: &Visitor,
    matched: Matched,
) -> Result<Verified, CallFailure> {
    let (caller, key_id) = (
        visitor.caller().cloned(),
        visitor.key_id().map(str::to_owned),
    );
    let left = gate
        .fixed
        .limits
        .check_call(caller.as_ref(), visitor.source, &matched.listed.agent.id)
        .map_err(over_limit)?;
    let share = match &caller {
        Some(caller) => Caller::Agent(caller.clone()),
        None => Caller::Source(limits::network_of(visitor.source)),
    };
    let now = gate.store.clock().now();
    let pass = gate
        .fixed
        .targets
        .enter(&matched.listed.agent.id, &share, now)
        .map_err(busy)?;
    Ok(Verified {
        listed: matched.listed,
        pass,
        via: visitor.via.clone(),
        caller,
        key_id,
        left,
    })
}

fn busy(busy: Busy) -> CallFailure {
    let (code, text, wait) = match busy {
        Busy::Agent => (
            Code::AgentBusy,
            "too many calls to this agent are under way",
            1,
        ),
        Busy::Caller => (Code::CallerBusy, "too many of your calls are under way", 1),
        Busy::Failing(wait) => (Code::AgentFailing, "its last calls were not answered", wait),
    };
    CallFailure {
        retry_after: Some(wait),
        ..CallFailure::new(code, text)
    }
}

fn over_limit(exceeded: Exceeded) -> CallFailure {
    let Exceeded {
        name,
        per_minute,
        retry_after,
    } = exceeded;
    let detail = format!("limit `{name}`: {per_minute} a minute; try again in {retry_after} s");
    CallFailure {
        retry_after: Some(retry_after),
        ..CallFailure::new(Code::RateLimited, detail)
    }
}
