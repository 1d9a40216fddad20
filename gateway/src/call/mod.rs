//! One call, from question to record, in named phases: matched → verified → agreed → shaped →
//! routed → recorded. Each phase's result is the next one's proof.
//!
//! The phase of money (around `routed`) has its place here.

use std::time::Duration;

use protocol::a2a::translate::Item;
use registry::agent::{AgentId, Profile};
use registry::store::{CallOutcome, TaskRow};
use registry::terms::Refusal;
use serde_json::value::RawValue;

use crate::caller::Visitor;
use crate::gate::Gate;
use crate::problem::Code;

mod agreed;
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
mod reply;
mod routed;
mod shaped;
mod stream;
mod targets;
mod understood;
mod verified;

pub use answer::{Answered, Body};
pub use hosted::hosted;
pub use matched::Matched;
pub use recorded::{Pending, Spoken};
pub use relay::{Relay, Relayed, relay};
pub use reply::Converted;
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
    /// The digest of a refusal whose suggestion is to go instead.
    pub accept_terms: Option<String>,
    /// Whether the reply is wanted in the caller's own conventions as well.
    pub convert_reply: bool,
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
    /// Whether the agent was, or may have been, reached.
    pub reached: bool,
    /// What does not fit the receiver's terms.
    pub terms: Option<Box<Refusal>>,
}

impl CallFailure {
    fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into(),
            pointer: None,
            transaction_id: None,
            retry_after: None,
            reached: false,
            terms: None,
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
    let terms = agreed::Terms {
        agent: &verified.listed.agent,
        caller: verified.caller.as_ref(),
        skill: ask.skill.as_deref(),
        accepts: ask.accept_terms.as_deref(),
    };
    let content = agreed::content(gate, terms, ask.content).await?;
    let ask = Ask { content, ..ask };
    let wish = ask.convert_reply.then(|| ask.skill.clone());
    let shaped = shaped::for_receiver(gate, verified, ask).await?;
    let (dialect, caller) = (shaped.dialect, shaped.verified.caller.clone());
    let routed = routed::send(gate, shaped, "call").await;
    let mut answered = recorded::finish(gate, routed)?;
    if let (Some(skill), Some(caller)) = (wish, &caller) {
        let copy = reply::converted(gate, caller, skill.as_deref(), &answered).await;
        answered.converted = Some(copy);
    }
    understood::finish(gate, &mut answered, caller.as_ref(), dialect)
        .await
        .map_err(|failure| CallFailure {
            reached: true,
            transaction_id: Some(answered.transaction_id.clone()),
            ..failure
        })?;
    Ok(answered)
}

/// The first phase alone, for doors that must know the agent before they read the question.
///
/// # Errors
/// [`CallFailure`] when there is no such agent, or it takes no calls now.
pub async fn find(gate: &Gate, agent_id: &str) -> Result<Matched, CallFailure> {
    matched::find(gate, agent_id).await
}

/// How long an agent may take where the caller does not say.
fn patience(gate: &Gate, profile: &Profile) -> Duration {
    let call = &gate.fixed.settings.call;
    let time = profile.timeout_ms.unwrap_or(call.timeout_ms);
    Duration::from_millis(time.min(call.max_timeout_ms))
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
