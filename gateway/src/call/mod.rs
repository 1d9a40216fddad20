//! One call, from question to record, in named phases: matched → verified → shaped →
//! routed → recorded. Each phase's result is the next one's proof.
//!
//! The phases of terms (before `shaped`) and money (around `routed`) have their place here.

use std::time::Duration;

use protocol::a2a::translate::Item;
use registry::agent::AgentId;
use registry::store::{CallOutcome, TaskRow};
use serde_json::value::RawValue;

use crate::caller::Visitor;
use crate::gate::Gate;
use crate::problem::Code;

mod answer;
mod content;
pub(crate) mod departure;
mod headers;
pub(crate) mod hooks;
mod hosted;
mod matched;
mod plain;
mod recorded;
mod relay;
mod routed;
mod shaped;
mod stream;
mod targets;
mod verified;

pub use answer::{Answered, Body};
pub use hosted::hosted;
pub use matched::Matched;
pub use recorded::{Pending, Spoken};
pub use relay::{Relay, Relayed, relay};
pub use routed::Routed;
pub use shaped::Shaped;
pub use targets::Targets;
pub use verified::Verified;

/// What a caller wants of an agent.
#[derive(Debug)]
pub struct Ask {
    /// Whom it calls.
    pub agent_id: String,
    /// Whom it says it is.
    pub caller_agent_id: Option<String>,
    /// Which skill it means.
    pub skill: Option<String>,
    /// What it says.
    pub content: Content,
    /// How long the agent may take.
    pub timeout: Option<Duration>,
    /// Headers for the agent.
    pub forwarded_headers: Vec<(String, String)>,
    /// GET or POST, for plain HTTP.
    pub method: Option<String>,
}

/// What is said, as it came.
#[derive(Debug)]
pub enum Content {
    /// An A2A message, a whole JSON-RPC envelope, or a text.
    Message(Box<RawValue>),
    /// Bare data.
    Payload(Box<RawValue>),
}

/// Why there is no answer of the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallFailure {
    /// What went wrong.
    pub code: Code,
    /// For the caller.
    pub detail: String,
    /// Which field of the request.
    pub pointer: Option<String>,
    /// Set where the agent was called and the call recorded.
    pub transaction_id: Option<String>,
    /// Seconds after which a limit lets the caller through again.
    pub retry_after: Option<u64>,
}

impl CallFailure {
    fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
            pointer: None,
            transaction_id: None,
            retry_after: None,
        }
    }

    fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into());
        self
    }
}

/// One call.
///
/// # Errors
/// [`CallFailure`]: our refusal, or the reason why the agent gave no answer. An answer of
/// the agent is never a failure, whatever its status.
pub async fn call(gate: &Gate, visitor: &Visitor, ask: Ask) -> Result<Answered, CallFailure> {
    let matched = matched::find(gate, &ask.agent_id).await?;
    let verified = verified::caller(gate, visitor, matched, ask.caller_agent_id.as_deref())?;
    let shaped = shaped::for_receiver(gate, verified, ask)?;
    let routed = routed::send(gate, shaped, "call").await;
    recorded::finish(gate, routed)
}

/// The first phase alone, for doors that must know the agent before they read the question.
///
/// # Errors
/// [`CallFailure`] when there is no such agent, or it takes no calls now.
pub async fn find(gate: &Gate, agent_id: &str) -> Result<Matched, CallFailure> {
    matched::find(gate, agent_id).await
}

/// What is known of a task after an agent elsewhere told us about it.
pub(crate) fn seen(gate: &Gate, agent_id: &AgentId, item: &Item, known: TaskRow) -> TaskRow {
    let caller = known.caller.clone();
    relay::seen(gate, agent_id, caller.as_ref(), item, Some(known))
}

/// The code of an outcome that is no answer.
fn code_of(outcome: CallOutcome) -> Code {
    match outcome {
        CallOutcome::Answered | CallOutcome::Broken => Code::UpstreamBroken,
        CallOutcome::Unreachable => Code::UpstreamUnreachable,
        CallOutcome::TimedOut => Code::UpstreamTimeout,
        CallOutcome::TooLarge => Code::UpstreamTooLarge,
        CallOutcome::Refused | CallOutcome::Abandoned => Code::UpstreamRefused,
    }
}
