//! A request of an A2A door to an agent that this process serves.

use protocol::a2a::Operation;
use registry::digest::sha256_hex;
use registry::ids;
use registry::store::{CallOutcome, CallRecord};
use serde_json::Value;

use super::recorded::{Pending, size};
use super::{Matched, Relay, Relayed, agreed, shaped, verified};
use crate::a2a::Refusal;
use crate::caller::Visitor;
use crate::gate::Gate;
use crate::host::Visit;

/// Answers one operation; a send is a call and is recorded.
///
/// # Errors
/// A2A's errors, and our problems.
pub async fn hosted(
    gate: &Gate,
    visitor: &Visitor,
    matched: Matched,
    asked: Relay,
) -> Result<Relayed, Refusal> {
    let verified = verified::anyone(gate, visitor, matched)?;
    let asked = agreed::relayed(
        gate,
        &verified.listed.agent,
        verified.caller.as_ref(),
        asked,
    )
    .await?;
    let visit = Visit {
        agent: verified.listed.agent.id.clone(),
        caller: verified.caller.clone(),
        version: asked.version,
    };
    let sent = matches!(
        asked.params.operation,
        Operation::Send | Operation::SendStream
    );
    let mut pending = sent.then(|| {
        let skill = asked.params.value.pointer("/message/metadata/skill");
        let now = gate.store.clock().now();
        let body = asked.came.as_ref();
        let record = CallRecord {
            id: ids::new_id("call", now, &**gate.store.random()),
            agent_id: visit.agent.clone(),
            caller: visit.caller.clone(),
            key_id: verified.key_id.clone(),
            door: "a2a",
            spoken: shaped::spoken(asked.version).as_str(),
            skill: skill.and_then(Value::as_str).map(shaped::named),
            request_digest: sha256_hex(body),
            request_bytes: size(body.len()),
            response_digest: None,
            response_bytes: 0,
            status_code: None,
            outcome: CallOutcome::Answered,
            started_at: now,
            duration_ms: 0,
        };
        Pending::begin(gate, record)
    });
    if let Some(pending) = &mut pending {
        pending.status(200);
    }
    let reply = gate.host.answer(gate, &visit, asked.params).await?;
    Ok(Relayed {
        reply,
        left: verified.left,
        transaction_id: pending
            .as_ref()
            .map(|pending| pending.transaction_id().to_owned()),
        headers: Vec::new(),
        pending,
    })
}
