//! Phase 5: the call is recorded (digests, sizes, times, status; never a body) and answered.

use std::sync::Arc;
use std::time::Instant;

use registry::digest::{Hasher, sha256_hex};
use registry::ids;
use registry::store::{CallOutcome, CallRecord, Recorder};

use super::routed::Outcome;
use super::{Answered, Body, CallFailure, Routed, Shaped, code_of, headers};
use crate::gate::{Fixed, Gate};

/// What the agent was spoken to in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spoken {
    /// A2A 0.3 over JSON-RPC.
    A2a03,
    /// A2A 1.0 over JSON-RPC.
    A2a1,
    /// A2A 0.3 over HTTP+JSON.
    Rest03,
    /// A2A 1.0 over HTTP+JSON.
    Rest1,
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
            Self::Rest03 => "a2a-0.3-rest",
            Self::Rest1 => "a2a-1.0-rest",
            Self::Http => "http",
            Self::Mcp => "mcp",
        }
    }
}

pub(super) fn finish(gate: &Gate, routed: Routed) -> Result<Answered, CallFailure> {
    let Routed {
        shaped,
        mut pending,
        outcome,
    } = routed;
    let usual = super::patience(gate, &shaped.verified.listed.agent.profile);
    let hurried = shaped.timeout.is_some_and(|time| time < usual);
    let now = gate.store.clock().now();
    let id = pending.transaction_id().to_owned();
    match outcome {
        Outcome::Answered {
            status,
            headers,
            body,
        } => {
            shaped
                .verified
                .pass
                .ended(CallOutcome::Answered, hurried, now);
            pending.answered(status, &body);
            Ok(Answered {
                transaction_id: id,
                agent_id: shaped.verified.listed.agent.id.clone(),
                status_code: status,
                response_headers: headers::returned(&headers),
                body: Body::new(&headers, body),
                dropped_headers: shaped.dropped_headers,
                spoken: shaped.spoken,
                duration_ms: pending.elapsed(),
                left: shaped.verified.left,
                converted: None,
                pending,
            })
        }
        Outcome::Failed { outcome, detail } => {
            shaped.verified.pass.ended(outcome, hurried, now);
            pending.outcome(outcome);
            Err(CallFailure {
                transaction_id: Some(id),
                reached: !matches!(outcome, CallOutcome::Unreachable | CallOutcome::Refused),
                ..CallFailure::new(code_of(outcome), detail)
            })
        }
        Outcome::NotSent(failure) => {
            pending.outcome(CallOutcome::Refused);
            Err(CallFailure {
                transaction_id: Some(id),
                ..failure
            })
        }
    }
}

/// A call under way: its record is stored when it is dropped, however it ended. Until something
/// else is said, its caller left.
pub struct Pending {
    fixed: Arc<Fixed>,
    recorder: Recorder,
    record: Option<CallRecord>,
    begun: Instant,
    digest: Hasher,
    bytes: usize,
    /// Where the answer was over before the record.
    duration_ms: Option<i64>,
}

impl Pending {
    /// A call that has just begun.
    pub(super) fn begin(gate: &Gate, record: CallRecord) -> Self {
        Self {
            fixed: gate.fixed.clone(),
            recorder: gate.recorder.clone(),
            record: Some(record),
            begun: Instant::now(),
            digest: Hasher::new(),
            bytes: 0,
            duration_ms: None,
        }
    }

    /// A piece of the answer.
    pub fn add(&mut self, piece: &[u8]) {
        self.digest.update(piece);
        self.bytes += piece.len();
    }

    /// The agent answers with this status.
    pub(super) fn status(&mut self, status: u16) {
        if let Some(record) = &mut self.record {
            record.status_code = Some(status);
            record.outcome = CallOutcome::Answered;
        }
    }

    /// The agent answered, and this is all of it.
    pub(super) fn answered(&mut self, status: u16, body: &[u8]) {
        self.status(status);
        self.add(body);
        self.duration_ms = Some(self.elapsed());
    }

    /// Milliseconds since it began.
    pub(super) fn elapsed(&self) -> i64 {
        i64::try_from(self.begun.elapsed().as_millis()).unwrap_or(i64::MAX)
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

impl std::fmt::Debug for Pending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pending")
            .field("record", &self.record)
            .finish_non_exhaustive()
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let Some(mut record) = self.record.take() else {
            return;
        };
        record.response_bytes = size(self.bytes);
        record.response_digest = record.status_code.map(|_| self.digest.hex());
        record.duration_ms = self.duration_ms.unwrap_or_else(|| self.elapsed());
        self.fixed
            .metrics
            .call(record.outcome.as_str(), record.spoken);
        self.recorder.record_now(record);
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
        outcome: CallOutcome::Abandoned,
        started_at,
        duration_ms: 0,
    }
}

pub(super) fn size(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
