//! Phase 5: the call is recorded (digests, sizes, times, status; never a body) and answered.

use std::time::Instant;

use registry::digest::{Hasher, sha256_hex};
use registry::ids;
use registry::store::{CallOutcome, CallRecord};

use super::routed::Outcome;
use super::{Answered, Body, CallFailure, Routed, Shaped, code_of, headers};
use crate::gate::Gate;

/// What the agent was spoken to in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spoken {
    /// A2A 0.3 over JSON-RPC.
    A2a03,
    /// A2A 1.0 over JSON-RPC.
    A2a1,
    /// Plain HTTP.
    Http,
    /// MCP.
    Mcp,
}

impl Spoken {
    /// The name on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::A2a03 => "a2a-0.3",
            Self::A2a1 => "a2a-1.0",
            Self::Http => "http",
            Self::Mcp => "mcp",
        }
    }
}

pub(super) async fn finish(
    gate: &Gate,
    routed: Routed,
    door: &'static str,
) -> Result<Answered, CallFailure> {
    let id = ids::new_id("call", routed.started_at, &**gate.store.random());
    let record = record(&id, &routed, door);
    gate.fixed
        .metrics
        .call(record.outcome.as_str(), record.spoken);
    let duration_ms = record.duration_ms;
    gate.recorder.record(record).await;
    match routed.outcome {
        Outcome::Answered {
            status,
            headers,
            body,
        } => Ok(Answered {
            transaction_id: id,
            agent_id: routed.shaped.verified.listed.agent.id.clone(),
            status_code: status,
            response_headers: headers::returned(&headers),
            body: Body::new(&headers, body),
            dropped_headers: routed.shaped.dropped_headers,
            spoken: routed.shaped.spoken,
            duration_ms,
            left: routed.shaped.verified.left,
        }),
        Outcome::Failed { outcome, detail } => Err(CallFailure {
            transaction_id: Some(id),
            ..CallFailure::new(code_of(outcome), detail)
        }),
    }
}

fn record(id: &str, routed: &Routed, door: &'static str) -> CallRecord {
    let shaped = &routed.shaped;
    let (outcome, status_code, body) = match &routed.outcome {
        Outcome::Answered { status, body, .. } => {
            (CallOutcome::Answered, Some(*status), Some(body))
        }
        Outcome::Failed { outcome, .. } => (*outcome, None, None),
    };
    CallRecord {
        response_digest: body.map(|body| sha256_hex(body)),
        response_bytes: size(body.map_or(0, |body| body.len())),
        status_code,
        outcome,
        duration_ms: i64::try_from(routed.duration.as_millis()).unwrap_or(i64::MAX),
        ..asked(id, shaped, routed.started_at, door)
    }
}

/// A call under way: its record is stored when it is dropped, however it ended.
pub struct Pending {
    gate: Gate,
    record: Option<CallRecord>,
    begun: Instant,
    digest: Hasher,
    bytes: usize,
}

impl Pending {
    /// A call that has just begun.
    pub(super) fn begin(gate: &Gate, record: CallRecord) -> Self {
        Self {
            gate: gate.clone(),
            record: Some(record),
            begun: Instant::now(),
            digest: Hasher::new(),
            bytes: 0,
        }
    }

    /// A piece of the answer.
    pub fn add(&mut self, piece: &[u8]) {
        self.digest.update(piece);
        self.bytes += piece.len();
    }

    /// The agent answered with this status.
    pub(super) fn status(&mut self, status: u16) {
        if let Some(record) = &mut self.record {
            record.status_code = Some(status);
        }
    }

    /// It ended otherwise than with an answer.
    pub(super) fn outcome(&mut self, outcome: CallOutcome) {
        if let Some(record) = &mut self.record {
            record.outcome = outcome;
        }
    }

    /// Finds the record.
    #[must_use]
    pub fn transaction_id(&self) -> &str {
        self.record.as_ref().map_or("", |record| &record.id)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let Some(mut record) = self.record.take() else {
            return;
        };
        record.response_bytes = size(self.bytes);
        record.response_digest = record.status_code.map(|_| self.digest.hex());
        let elapsed = self.begun.elapsed().as_millis();
        record.duration_ms = i64::try_from(elapsed).unwrap_or(i64::MAX);
        self.gate
            .fixed
            .metrics
            .call(record.outcome.as_str(), record.spoken);
        self.gate.recorder.record_now(record);
    }
}

/// The record of a call that has just begun.
pub(super) fn begin(gate: &Gate, shaped: &Shaped, door: &'static str) -> CallRecord {
    let now = gate.store.clock().now();
    let id = ids::new_id("call", now, &**gate.store.random());
    asked(&id, shaped, now, door)
}

fn asked(id: &str, shaped: &Shaped, started_at: i64, door: &'static str) -> CallRecord {
    CallRecord {
        id: id.to_owned(),
        agent_id: shaped.verified.listed.agent.id.clone(),
        caller: shaped.verified.caller.clone(),
        key_id: shaped.verified.key_id.clone(),
        door,
        spoken: shaped.spoken.as_str(),
        skill: shaped.skill.clone(),
        request_digest: sha256_hex(&shaped.body),
        request_bytes: size(shaped.body.len()),
        response_digest: None,
        response_bytes: 0,
        status_code: None,
        outcome: CallOutcome::Answered,
        started_at,
        duration_ms: 0,
    }
}

pub(super) fn size(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
