//! Errors of the REST binding: the status of every code by the patch of 1.0, bodies written and read.

use serde_json::{Value, json};

use super::read_error;
use crate::a2a::rpc::{ErrorCode, RpcError};

/// A patch of 1.0; the two map a few codes differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Patch {
    /// 1.0.0, which the test kit of 1.0 still holds to.
    V1_0_0,
    /// 1.0.1 and later.
    V1_0_1,
}

/// HTTP status and the name of the gRPC status.
type Status = (u16, &'static str);

/// Code, in 1.0.0, in 1.0.1. The specification leaves out JSON-RPC's own codes: they follow
/// google.rpc's own mapping.
const TABLE: [(ErrorCode, Status, Status); 15] = [
    (
        ErrorCode::TaskNotFound,
        (404, "NOT_FOUND"),
        (404, "NOT_FOUND"),
    ),
    (
        ErrorCode::TaskNotCancelable,
        (409, "FAILED_PRECONDITION"),
        (400, "FAILED_PRECONDITION"),
    ),
    (
        ErrorCode::PushNotificationNotSupported,
        (400, "UNIMPLEMENTED"),
        (400, "FAILED_PRECONDITION"),
    ),
    (
        ErrorCode::UnsupportedOperation,
        (400, "UNIMPLEMENTED"),
        (400, "FAILED_PRECONDITION"),
    ),
    (
        ErrorCode::ContentTypeNotSupported,
        (415, "INVALID_ARGUMENT"),
        (400, "INVALID_ARGUMENT"),
    ),
    (
        ErrorCode::InvalidAgentResponse,
        (502, "INTERNAL"),
        (500, "INTERNAL"),
    ),
    (
        ErrorCode::ExtendedAgentCardNotConfigured,
        (400, "FAILED_PRECONDITION"),
        (400, "FAILED_PRECONDITION"),
    ),
    (
        ErrorCode::ExtensionSupportRequired,
        (400, "FAILED_PRECONDITION"),
        (400, "FAILED_PRECONDITION"),
    ),
    (
        ErrorCode::VersionNotSupported,
        (400, "UNIMPLEMENTED"),
        (400, "FAILED_PRECONDITION"),
    ),
    (
        ErrorCode::TaskGenerationMismatch,
        (409, "ABORTED"),
        (409, "ABORTED"),
    ),
    (
        ErrorCode::ParseError,
        (400, "INVALID_ARGUMENT"),
        (400, "INVALID_ARGUMENT"),
    ),
    (
        ErrorCode::InvalidRequest,
        (400, "INVALID_ARGUMENT"),
        (400, "INVALID_ARGUMENT"),
    ),
    (
        ErrorCode::MethodNotFound,
        (501, "UNIMPLEMENTED"),
        (501, "UNIMPLEMENTED"),
    ),
    (
        ErrorCode::InvalidParams,
        (400, "INVALID_ARGUMENT"),
        (400, "INVALID_ARGUMENT"),
    ),
    (ErrorCode::Internal, (500, "INTERNAL"), (500, "INTERNAL")),
];

/// The HTTP status and the name of the gRPC status of a code; an unknown one is as -32603.
#[must_use]
pub fn rest_status(code: i64, patch: Patch) -> (u16, &'static str) {
    let row = TABLE.iter().find(|(known, ..)| known.number() == code);
    row.map_or((500, "INTERNAL"), |(_, old, new)| match patch {
        Patch::V1_0_0 => *old,
        Patch::V1_0_1 => *new,
    })
}

/// The body of an error: `{error: {code, status, message, details}}`, where `code` is the HTTP status.
#[must_use]
pub fn rest_error(error: &RpcError, patch: Patch) -> Value {
    let (code, status) = rest_status(error.code, patch);
    json!({ "error": {
        "code": code,
        "status": status,
        "message": error.message,
        "details": error.data,
    }})
}

/// Reads the body of an error that came with a HTTP status; `None` when it is no error of A2A.
///
/// The typed details tell the code; without them the statuses do where they mean one thing, and
/// anything else is -32603. A JSON-RPC error object in the same place is read as well.
#[must_use]
pub fn read_rest_error(status: u16, body: &Value) -> Option<RpcError> {
    let said = body.get("error").filter(|said| said.is_object())?;
    let number = said.get("code").and_then(Value::as_i64);
    if number.is_some_and(i64::is_negative) {
        return read_error(said);
    }
    let message = said.get("message").and_then(Value::as_str);
    let name = said.get("status").and_then(Value::as_str);
    if message.is_none() && name.is_none() {
        return None;
    }
    let http = number
        .and_then(|number| u16::try_from(number).ok())
        .unwrap_or(status);
    // As in JSON-RPC: what has no type gets one of ours.
    let data = read_error(&json!({ "code": 0, "data": said.get("details") }))?.data;
    let code = of_details(&data).or_else(|| of_status(http, name.unwrap_or_default()));
    Some(RpcError {
        code: code.unwrap_or(ErrorCode::Internal).number(),
        message: message.unwrap_or_default().to_owned(),
        data,
    })
}

fn of_details(details: &[Value]) -> Option<ErrorCode> {
    let text = |one: &Value, name: &str| one.get(name).and_then(Value::as_str).map(str::to_owned);
    let reasons = details.iter().filter(|one| {
        text(one, "@type").is_some_and(|name| name.ends_with("google.rpc.ErrorInfo"))
    });
    let mut codes = reasons.filter_map(|one| {
        let reason = text(one, "reason")?;
        let row = TABLE
            .iter()
            .find(|(code, ..)| code.reason() == Some(&reason));
        row.map(|(code, ..)| *code)
    });
    let violations = || {
        let mut types = details.iter().filter_map(|one| text(one, "@type"));
        types.any(|name| name.ends_with("google.rpc.BadRequest"))
    };
    codes
        .next()
        .or_else(|| violations().then_some(ErrorCode::InvalidParams))
}

/// What the statuses mean, in either patch; of the faults of a request the commonest.
fn of_status(http: u16, name: &str) -> Option<ErrorCode> {
    match (http, name) {
        (404, "NOT_FOUND" | "") => Some(ErrorCode::TaskNotFound),
        (409, "FAILED_PRECONDITION") => Some(ErrorCode::TaskNotCancelable),
        (409, "ABORTED") => Some(ErrorCode::TaskGenerationMismatch),
        (415, _) => Some(ErrorCode::ContentTypeNotSupported),
        (501, _) => Some(ErrorCode::MethodNotFound),
        (502, "INTERNAL") => Some(ErrorCode::InvalidAgentResponse),
        (400, "INVALID_ARGUMENT") => Some(ErrorCode::InvalidParams),
        _ => None,
    }
}
