//! Errors as REST tells them (A2A 1.0, 11.6): written from an [`RpcError`], and read back to one.

use serde_json::{Map, Value, json};

use super::Patch;
use super::status::{code_of_grpc, code_of_http, grpc_of_http, of_code};
use crate::a2a::Version;
use crate::a2a::rpc::{DOMAIN, ERROR_INFO, ErrorCode, RpcError};
use crate::a2a::translate;

/// Holds the number of a code that has no reason.
const BARE_CODE: &str = "urn:guildhall:code";

/// The reasons of JSON-RPC's codes, which have no number over REST; spelled as stock clients know
/// them.
const REASONS: [(ErrorCode, &str); 5] = [
    (ErrorCode::InvalidRequest, "INVALID_REQUEST"),
    (ErrorCode::MethodNotFound, "METHOD_NOT_FOUND"),
    (ErrorCode::InvalidParams, "INVALID_PARAMS"),
    (ErrorCode::Internal, "INTERNAL_ERROR"),
    // What cannot be parsed is an invalid request to them; -32700 comes back as -32600.
    (ErrorCode::ParseError, "INVALID_REQUEST"),
];

const OF_A2A: [ErrorCode; 10] = [
    ErrorCode::TaskNotFound,
    ErrorCode::TaskNotCancelable,
    ErrorCode::PushNotificationNotSupported,
    ErrorCode::UnsupportedOperation,
    ErrorCode::ContentTypeNotSupported,
    ErrorCode::InvalidAgentResponse,
    ErrorCode::ExtendedAgentCardNotConfigured,
    ErrorCode::ExtensionSupportRequired,
    ErrorCode::VersionNotSupported,
    ErrorCode::TaskGenerationMismatch,
];

/// An error on its way out.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The body; within a stream the data of an event of the type `error`.
    pub body: Value,
}

/// Writes an error with the status of its code. 0.3 left the body open: there code and message
/// stand at the top as well, where that version's JavaScript client looks for them.
#[must_use]
pub fn write_error(error: &RpcError, version: Version, patch: Patch) -> ErrorAnswer {
    let (status, grpc) = of_code(error.code, patch);
    written(error, version, status, grpc)
}

/// As [`write_error`], with an HTTP status of the caller's choice (401, 429, 503): for refusals
/// that are not A2A's.
#[must_use]
pub fn write_error_as(error: &RpcError, version: Version, status: u16) -> ErrorAnswer {
    written(error, version, status, grpc_of_http(status))
}

fn written(error: &RpcError, version: Version, status: u16, grpc: &str) -> ErrorAnswer {
    let mut details = error.data.clone();
    let known = ErrorCode::from_number(error.code);
    if let Some(reason) = known.and_then(reason) {
        let told = |one: &Value| is_info(one) && one.get("reason") == Some(&json!(reason));
        match details.iter().position(told) {
            // Who reads takes the first one.
            Some(place) => details[..=place].rotate_right(1),
            None => details.insert(0, info(reason)),
        }
    } else {
        details.insert(0, json!({ "@type": BARE_CODE, "code": error.code }));
    }
    let inner = json!({
        "code": status,
        "status": grpc,
        "message": error.message,
        "details": details,
    });
    let mut body = Map::new();
    if version == Version::V0_3
        && let Value::Object(members) = error.to_value()
    {
        body = members;
    }
    body.insert("error".to_owned(), inner);
    ErrorAnswer {
        status,
        body: Value::Object(body),
    }
}

fn reason(code: ErrorCode) -> Option<&'static str> {
    let of_json_rpc = REASONS.iter().find(|(known, _)| *known == code);
    code.reason().or(of_json_rpc.map(|(_, reason)| *reason))
}

fn info(reason: &str) -> Value {
    json!({ "@type": ERROR_INFO, "reason": reason, "domain": DOMAIN })
}

fn is_info(detail: &Value) -> bool {
    detail.get("@type").and_then(Value::as_str) == Some(ERROR_INFO)
}

/// Reads the body of an answer with an HTTP status of 400 or more, whatever the server made of it:
/// the form of 1.0, a bare code and message (JavaScript, 0.3), a sentence (Python, 0.3), a problem
/// of RFC 9457, or nothing that can be understood.
#[must_use]
pub fn read_error(status: u16, body: &Value) -> RpcError {
    if let Some(error) = body.get("error").filter(|error| error.is_object()) {
        return of_status_object(status, error);
    }
    // -32001 and the like; a positive number is the HTTP status again.
    if let Some(error) = translate::read_error(body).filter(|error| error.code < 0) {
        return error;
    }
    let text = |name: &str| body.get(name).and_then(Value::as_str);
    let slug = text("type").and_then(|address| address.rsplit(['/', ':']).next());
    let named = slug.and_then(|slug| {
        let name = slug.replace('-', "_").to_ascii_uppercase();
        code_of_reason(name.strip_suffix("_ERROR").unwrap_or(&name))
    });
    let code = match (named, text("message"), status) {
        (Some(code), ..) => code,
        // Without a sentence it is the framework's answer to a path that it does not know.
        (None, None, 404) => ErrorCode::MethodNotFound,
        (None, ..) => code_of_http(status),
    };
    let said = ["message", "detail", "title", "error"]
        .into_iter()
        .find_map(text);
    RpcError::new(code, said.unwrap_or(code.text()))
}

/// The error that the data of a stream's event holds instead of an item, if it does.
#[must_use]
pub fn stream_error(data: &Value) -> Option<RpcError> {
    let bare = data.get("code").is_some_and(Value::is_number)
        && data.get("message").is_some_and(Value::is_string);
    let holds = data.get("error").is_some_and(Value::is_object) || bare;
    holds.then(|| read_error(500, data))
}

fn of_status_object(http: u16, error: &Value) -> RpcError {
    let number = error.get("code").and_then(Value::as_i64);
    let empty = Vec::new();
    let details = error.get("details").and_then(Value::as_array);
    let details = details.unwrap_or(&empty);
    let bare = details.iter().find_map(bare_code);
    let named = details
        .iter()
        .find_map(|one| code_of_reason(one.get("reason")?.as_str().filter(|_| is_info(one))?));
    // Within a stream the body alone knows the HTTP status.
    let http = number
        .and_then(|number| u16::try_from(number).ok())
        .unwrap_or(http);
    let by_status = error.get("status").and_then(Value::as_str);
    let by_status = by_status.and_then(|status| code_of_grpc(status, http));
    let code = match (bare, named, number) {
        (Some(code), ..) => code,
        (None, Some(code), _) => code.number(),
        (None, None, Some(number)) if number < 0 => number,
        _ => by_status.unwrap_or_else(|| code_of_http(http)).number(),
    };
    // What writing added is taken away, so that reading gives what was written.
    let ours = |one: &Value| {
        bare_code(one).is_some() || REASONS.iter().any(|(_, reason)| *one == info(reason))
    };
    let kept: Vec<&Value> = details.iter().filter(|one| !ours(one)).collect();
    let data = match (kept.is_empty(), error.get("data")) {
        (true, Some(data)) => data.clone(),
        _ => json!(kept),
    };
    let shaped = json!({
        "code": code,
        "message": error.get("message").and_then(Value::as_str).unwrap_or_default(),
        "data": data,
    });
    translate::read_error(&shaped)
        .unwrap_or_else(|| RpcError::new(ErrorCode::Internal, ErrorCode::Internal.text()))
}

fn bare_code(detail: &Value) -> Option<i64> {
    let ours = detail.get("@type").and_then(Value::as_str) == Some(BARE_CODE);
    detail.get("code").and_then(Value::as_i64).filter(|_| ours)
}

fn code_of_reason(name: &str) -> Option<ErrorCode> {
    OF_A2A
        .into_iter()
        .find(|code| code.reason() == Some(name))
        .or_else(|| {
            let found = REASONS.iter().find(|(_, reason)| *reason == name);
            found.map(|(code, _)| *code)
        })
}
