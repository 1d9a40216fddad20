//! `GET /calls/{id}`: the record of a call, for the caller that made it.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use registry::clock::rfc3339;
use registry::error::Error;
use registry::store::StoredCall;
use serde::Serialize;

use super::payload::Answer;
use crate::caller::Key;
use crate::gate::Gate;
use crate::problem::Problem;

pub(crate) struct CallsDoor(pub(super) Gate);

#[OpenApi]
impl CallsDoor {
    /// The record of a call
    ///
    /// Digests, sizes, times and status, never a body. Only the caller sees it.
    #[oai(
        path = "/calls/:transaction_id",
        method = "get",
        operation_id = "get_call"
    )]
    async fn get(
        &self,
        key: Key,
        /// `transaction_id` of the answer.
        transaction_id: Path<String>,
    ) -> Result<Answer<CallRecordView>, Problem> {
        // Records are written behind the answer: what is still on its way is waited for.
        self.0.recorder.flush().await;
        let call = self.0.store.call_by_id(&transaction_id.0).await?;
        let mine = key
            .0
            .caller()
            .is_some_and(|caller| call.caller.as_deref() == Some(caller.as_str()));
        if !mine {
            return Err(Error::NotFound("call").into());
        }
        Ok(Answer(call.into()))
    }
}

/// A recorded call.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "CallRecord")]
struct CallRecordView {
    /// Its id.
    transaction_id: String,
    /// Who was called.
    agent_id: String,
    /// Who called.
    caller_agent_id: Option<String>,
    /// `answered`, `unreachable`, `timed_out`, `too_large`, `broken`, `refused` or `abandoned`.
    state: String,
    /// The agent's HTTP status.
    status_code: Option<i32>,
    /// The skill that was named.
    skill: Option<String>,
    /// `a2a-1.0`, `a2a-0.3`, `http` or `mcp`.
    spoken: String,
    /// SHA-256 of what was sent to the agent, lower-case hex.
    request_digest: String,
    /// Its size in bytes.
    request_bytes: i64,
    /// SHA-256 of what came back.
    response_digest: Option<String>,
    /// Its size in bytes.
    response_bytes: i64,
    /// When it began.
    started_at: String,
    /// How long it took, in milliseconds.
    duration_ms: i64,
}

impl From<StoredCall> for CallRecordView {
    fn from(call: StoredCall) -> Self {
        Self {
            transaction_id: call.id,
            agent_id: call.agent_id,
            caller_agent_id: call.caller,
            state: call.outcome,
            status_code: call.status_code,
            skill: call.skill,
            spoken: call.spoken,
            request_digest: call.request_digest,
            request_bytes: call.request_bytes,
            response_digest: call.response_digest,
            response_bytes: call.response_bytes,
            started_at: rfc3339(call.started_at),
            duration_ms: call.duration_ms,
        }
    }
}
