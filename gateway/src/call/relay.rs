//! A request of an A2A door to an agent elsewhere: checked, sent in the agent's dialect, and its
//! answer given back in the client's.

use bytes::Bytes;
use protocol::a2a::message::MessageError;
use protocol::a2a::rpc::{ErrorCode, RpcError};
use protocol::a2a::translate::{Item, Params, answer, in_dialect, read_error, trim_history};
use protocol::a2a::{Operation, Version, rest};
use registry::agent::AgentId;
use registry::store::{CallOutcome, TaskRow};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::shaped::Tongue;
use super::{
    Answered, Body, Matched, Pending, Verified, agreed, recorded, routed, shaped, stream, verified,
};
use crate::a2a::{Refusal, Reply, foreign_context, listing, push, unknown_task};
use crate::caller::Visitor;
use crate::gate::Gate;
use crate::limits::Left;

/// What a client wants of an agent elsewhere.
#[derive(Debug)]
pub struct Relay {
    /// The client's dialect.
    pub version: Version,
    /// What is to be done.
    pub params: Params,
    /// The JSON-RPC request as it came, where it may be passed on untouched.
    pub raw: Option<Bytes>,
    /// The same, for those who must see its numbers as they were written.
    pub came: Bytes,
    /// Headers that the client wants passed.
    pub headers: Vec<(String, String)>,
    /// Whether it came over a REST binding, whose results are written anew.
    pub rest: bool,
}

/// A reply with what the door tells beside it.
pub struct Relayed {
    /// The reply.
    pub reply: Reply,
    /// What is left of the caller's limit.
    pub left: Option<Left>,
    /// Finds the record of a call that is over.
    pub transaction_id: Option<String>,
    /// Headers of the agent that pass.
    pub headers: Vec<(String, String)>,
    /// The record of a call to an agent hosted here; it is to hear of the answer.
    pub pending: Option<Pending>,
}

/// A JSON-RPC answer, unread within.
#[derive(Deserialize)]
pub(super) struct Envelope<'a> {
    #[serde(borrow)]
    pub(super) result: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

/// The code of [`ErrorCode::InvalidAgentResponse`].
const BROKEN: i64 = -32006;

/// Answers one operation of the A2A door of an agent elsewhere.
///
/// # Errors
/// A2A's errors of the agent or of ours, and our problems.
pub async fn relay(
    gate: &Gate,
    visitor: &Visitor,
    matched: Matched,
    asked: Relay,
) -> Result<Relayed, Refusal> {
    let verified = verified::anyone(gate, visitor, matched)?;
    let left = verified.left;
    let here = |reply| Relayed {
        reply,
        left,
        transaction_id: None,
        headers: Vec::new(),
        pending: None,
    };
    let agent_id = verified.listed.agent.id.clone();
    let caller = verified.caller.clone();
    let asked = agreed::relayed(gate, &verified.listed.agent, caller.as_ref(), asked).await?;
    // The rarer ways are boxed: a future is as large as its largest way, and each call moves it.
    match asked.params.operation {
        Operation::ListTasks => {
            let list = listing::list_tasks(&gate.store, &agent_id, caller.as_ref(), &asked.params);
            Box::pin(list).await.map(here)
        }
        Operation::ExtendedCard => Err(no_extended_card(asked.version).into()),
        Operation::PushCreate
        | Operation::PushGet
        | Operation::PushList
        | Operation::PushDelete => {
            let configured = super::hooks::configure(gate, verified, &asked);
            Box::pin(configured).await.map(here)
        }
        operation => {
            owned(gate, &agent_id, caller.as_ref(), &asked.params).await?;
            match operation {
                Operation::SendStream | Operation::Subscribe => {
                    Box::pin(stream::open(gate, verified, asked)).await
                }
                _ => unary(gate, verified, asked).await,
            }
        }
    }
}

async fn unary(gate: &Gate, verified: Verified, mut asked: Relay) -> Result<Relayed, Refusal> {
    let owner = verified.caller.clone();
    let hook = super::hooks::before_send(gate, &verified, &mut asked).await?;
    let (shaped, upstream) = shaped::relayed(gate, verified, &asked)?;
    let routed = routed::send(gate, shaped, "a2a").await;
    let mut answered = recorded::finish(gate, routed)?;
    let same = upstream.version == asked.version && !upstream.rest && !asked.rest;
    let read = read(&answered, &asked.params, asked.version, upstream, same);
    let (reply, item) = read.inspect_err(|refusal| {
        // An answer that is no A2A does not count as one.
        if matches!(refusal, Refusal::Rpc(error) if error.code == BROKEN) {
            answered.pending.outcome(CallOutcome::Broken);
        }
    })?;
    if let Some(item) = &item {
        let kept = async {
            keep(gate, &answered.agent_id, owner.as_ref(), item).await?;
            super::hooks::after_send(gate, hook, item).await
        };
        kept.await.map_err(Refusal::after_the_call)?;
    }
    let length = asked.params.history_length();
    let reply = match (reply, item) {
        // What 0.3 cannot be asked for is left out here.
        (Reply::Item(mut item), _) => {
            trim_history(&mut item.value, length);
            Reply::Item(item)
        }
        (reply, _) => reply,
    };
    Ok(Relayed {
        reply,
        left: answered.left,
        transaction_id: Some(answered.transaction_id),
        headers: answered.response_headers,
        pending: None,
    })
}

/// Reads the agent's answer: it must be JSON-RPC or its REST binding's, and the result A2A.
fn read(
    answered: &Answered,
    params: &Params,
    version: Version,
    upstream: Tongue,
    same: bool,
) -> Result<(Reply, Option<Item>), Refusal> {
    let status = answered.status_code;
    let Body::Json(raw) = &answered.body else {
        return Err(no_a2a(status, "it is no JSON").into());
    };
    if upstream.rest {
        let item = over_rest(raw.get(), params.operation, status, upstream.version)
            .map_err(Refusal::Agent)?;
        return Ok((Reply::Item(item.clone()), Some(item)));
    }
    let envelope: Envelope<'_> =
        serde_json::from_str(raw.get()).map_err(|_| no_a2a(status, "it is no JSON-RPC answer"))?;
    match (envelope.result, envelope.error) {
        (_, Some(error)) => Err(refused(error, version, same, status)),
        (Some(result), None) => {
            // No update, and no other task than the one that was asked for.
            let value = exact_value(result).map_err(|error| not_valid(status, &error))?;
            let item = answer(params, &value).map_err(RpcError::from)?;
            if same {
                return Ok((Reply::Raw(result.to_owned()), Some(item)));
            }
            Ok((Reply::Item(item.clone()), Some(item)))
        }
        (None, None) => Err(no_a2a(status, "it has neither result nor error").into()),
    }
}

/// An answer of the HTTP+JSON binding, whose errors are told by the status.
pub(super) fn over_rest(
    text: &str,
    operation: Operation,
    status: u16,
    version: Version,
) -> Result<Item, RpcError> {
    let value: Value = serde_json::from_str(&protocol::exact::shield(text))
        .map_err(|_| no_a2a(status, "it is no JSON"))?;
    if status >= 400 {
        return Err(rest::read_error(status, &value));
    }
    let value = match version {
        Version::V1_0 => value,
        Version::V0_3 => rest::proto::answer_to_v1_0(operation, value)
            .map_err(|error| not_valid(status, &error))?,
    };
    Item::read(&value).map_err(|error| not_valid(status, &error))
}

/// The result of a send, a get or a cancel, or an item of a stream.
pub(super) fn item_of(result: &RawValue) -> Result<Item, MessageError> {
    Item::read(&exact_value(result)?)
}

/// A value with its numbers as they were written.
fn exact_value(result: &RawValue) -> Result<Value, MessageError> {
    let exact = protocol::exact::shield(result.get());
    serde_json::from_str(&exact).map_err(|error| MessageError {
        pointer: String::new(),
        reason: error.to_string(),
    })
}

/// The agent's own error, in the client's dialect.
pub(super) fn refused(error: &RawValue, version: Version, same: bool, status: u16) -> Refusal {
    let value: Value = serde_json::from_str(error.get()).unwrap_or_default();
    match read_error(&value) {
        Some(_) if same => Refusal::Raw(error.to_owned()),
        Some(error) => Refusal::Agent(in_dialect(error, version)),
        None => Refusal::Rpc(no_a2a(status, "its error has no code")),
    }
}

/// -32006 with the agent's own status.
pub(super) fn no_a2a(status: u16, why: &str) -> RpcError {
    let status = status.to_string();
    RpcError::with_metadata(
        ErrorCode::InvalidAgentResponse,
        format!("the agent's answer (HTTP {status}) is not A2A: {why}"),
        &[("upstreamStatus", &status)],
    )
}

pub(super) fn not_valid(status: u16, error: &MessageError) -> RpcError {
    let place = match error.pointer.as_str() {
        "" => "its result",
        pointer => pointer,
    };
    no_a2a(status, &format!("{place}: {}", error.reason))
}

/// The caller may use what the request names: to the agent all our callers are one.
pub(super) async fn owned(
    gate: &Gate,
    agent_id: &AgentId,
    caller: Option<&AgentId>,
    params: &Params,
) -> Result<(), Refusal> {
    let message = params.value.get("message");
    let context = message
        .and_then(|message| message.get("contextId"))
        .and_then(Value::as_str);
    if let Some(task_id) = params.task_id() {
        let row = push::task_of(gate, agent_id, caller, Some(task_id)).await?;
        if context.is_some_and(|context| context != row.context_id) {
            return Err(foreign_context().into());
        }
    } else if let Some(context) = context {
        let open = gate.store.context_claim(agent_id, context, caller).await?;
        if !open {
            return Err(foreign_context().into());
        }
    }
    let named = message.and_then(|message| message.get("referenceTaskIds"));
    for id in named.and_then(Value::as_array).into_iter().flatten() {
        push::task_of(gate, agent_id, caller, id.as_str()).await?;
    }
    Ok(())
}

/// Writes down what passed: whose task it is must be known before the caller can name it.
pub(super) async fn keep(
    gate: &Gate,
    agent_id: &AgentId,
    caller: Option<&AgentId>,
    item: &Item,
) -> Result<(), Refusal> {
    let Some(task_id) = item.task_id() else {
        if let Some(context) = item.context_id() {
            // A conversation that the agent gave to somebody else stays theirs.
            let claim = gate.store.context_claim(agent_id, context, caller);
            Box::pin(claim).await?;
        }
        return Ok(());
    };
    Box::pin(keep_task(gate, agent_id, caller, item, task_id)).await
}

async fn keep_task(
    gate: &Gate,
    agent_id: &AgentId,
    caller: Option<&AgentId>,
    item: &Item,
    task_id: &str,
) -> Result<(), Refusal> {
    let known = match gate.store.task_by_id(agent_id, task_id).await {
        Ok(row) if !row.open_to(caller) => return Err(unknown_task().into()),
        Ok(row) => Some(row),
        Err(registry::error::Error::NotFound(_)) => None,
        Err(error) => return Err(error.into()),
    };
    let row = seen(gate, agent_id, caller, item, known);
    gate.store.task_seen(row).await?;
    Ok(())
}

/// The row of a task as an item shows it.
pub(super) fn seen(
    gate: &Gate,
    agent_id: &AgentId,
    caller: Option<&AgentId>,
    item: &Item,
    known: Option<TaskRow>,
) -> TaskRow {
    let now = gate.store.clock().now();
    let task_id = item.task_id().unwrap_or_default();
    let mut task = match &known {
        Some(row) => row.task.clone(),
        None => serde_json::json!({
            "id": task_id,
            "contextId": item.context_id().unwrap_or(task_id),
            "status": { "state": "TASK_STATE_SUBMITTED" },
        }),
    };
    protocol::a2a::translate::apply(&mut task, item);
    let context = task.get("contextId").and_then(Value::as_str);
    let state = protocol::a2a::translate::status_of(&task);
    TaskRow {
        agent_id: agent_id.clone(),
        task_id: task_id.to_owned(),
        context_id: context.unwrap_or(task_id).to_owned(),
        caller: caller.cloned(),
        hosted: false,
        state: state.as_str(Version::V0_3).to_owned(),
        inbox: Vec::new(),
        cancel_requested: false,
        runner: None,
        lease_until: 0,
        revision: known.as_ref().map_or(1, |row| row.revision + 1),
        status_at: now,
        created_at: known.as_ref().map_or(now, |row| row.created_at),
        updated_at: now,
        task,
    }
}

fn no_extended_card(version: Version) -> RpcError {
    let code = match version {
        Version::V0_3 => ErrorCode::ExtendedAgentCardNotConfigured,
        Version::V1_0 => ErrorCode::UnsupportedOperation,
    };
    RpcError::new(code, "this agent has no extended card here")
}
