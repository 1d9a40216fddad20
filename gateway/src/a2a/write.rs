//! Replies and refusals as JSON-RPC in the client's dialect.

use std::borrow::Cow;

use protocol::a2a::rpc::{self, ErrorCode, Id, RpcError};
use protocol::a2a::translate::{in_dialect, push_result};
use protocol::a2a::{Operation, Version};
use protocol::exact;
use serde_json::Value;

use super::{Refusal, Reply};
use crate::problem::Problem;

/// A whole answer; the bytes of an agent's own result stay as they are.
#[must_use]
pub fn answered(id: &Id, operation: Operation, reply: Reply, version: Version) -> Vec<u8> {
    match reply {
        Reply::Raw(raw) => with_raw(id, "result", raw.get()),
        reply => match result_of(operation, reply, version) {
            Ok(result) => written(&rpc::response(id, result)),
            Err(error) => written(&rpc::error(id, &error)),
        },
    }
}

/// The result of a reply that is no stream, in the client's dialect.
///
/// # Errors
/// -32603 for what this dialect has no form for.
pub fn result_of(operation: Operation, reply: Reply, version: Version) -> Result<Value, RpcError> {
    let unwritable = || RpcError::new(ErrorCode::Internal, "the answer has no form here");
    match reply {
        Reply::Item(item) => Ok(match operation {
            // Only a send may give either, and so says in 1.0 which it is.
            Operation::Send | Operation::SendStream => item.write(version, item.closes()),
            _ => match version {
                Version::V0_3 => item.write(version, item.closes()),
                Version::V1_0 => item.value,
            },
        }),
        Reply::Value(value) => match operation {
            Operation::PushCreate
            | Operation::PushGet
            | Operation::PushList
            | Operation::PushDelete => {
                push_result(operation, &value, version).map_err(|_| unwritable())
            }
            _ => Ok(value),
        },
        Reply::Raw(raw) => serde_json::from_str(raw.get()).map_err(|_| unwritable()),
        Reply::Stream(_) => Err(unwritable()),
    }
}

/// A whole refusal.
#[must_use]
pub fn refused(id: &Id, refusal: Refusal, version: Version) -> Vec<u8> {
    match refusal {
        Refusal::Raw(raw) => with_raw(id, "error", raw.get()),
        Refusal::Rpc(error) | Refusal::Agent(error) => {
            written(&rpc::error(id, &in_dialect(error, version)))
        }
        Refusal::Problem(problem) => with_raw(id, "error", &problem_error(&problem, "")),
    }
}

/// A problem of ours as a JSON-RPC error object: one typed element of its data holds the problem.
#[must_use]
pub fn problem_error(problem: &Problem, request_id: &str) -> String {
    let entry = problem.code().entry();
    let message = problem.body(request_id);
    let message = message.get("detail").cloned().unwrap_or(Value::Null);
    let text = problem.text(request_id);
    let members = text.trim_start_matches('{');
    format!(
        "{{\"code\":{},\"message\":{message},\"data\":[{{\"@type\":\"urn:guildhall:problem\",{members}]}}",
        entry.rpc
    )
}

/// JSON on its way out, with every number as it came in.
pub(crate) fn written(value: &Value) -> Vec<u8> {
    let text = value.to_string();
    match exact::unshield(&text) {
        Cow::Owned(text) => text.into_bytes(),
        Cow::Borrowed(_) => text.into_bytes(),
    }
}

/// The agent's own value under the client's id.
pub(crate) fn with_raw(id: &Id, member: &str, raw: &str) -> Vec<u8> {
    let id = Value::from(id).to_string();
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"{member}\":{raw}}}").into_bytes()
}
