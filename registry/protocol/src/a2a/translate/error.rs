//! Error objects: read from any agent, written for one dialect.

use serde_json::{Value, json};

use crate::a2a::Version;
use crate::a2a::rpc::{ErrorCode, RpcError};

/// Holds what an agent put into `data` in a form of its own.
const AGENT_DATA: &str = "urn:guildhall:agent-data";

/// Reads an error object of either dialect; `None` when it has no code.
#[must_use]
pub fn read_error(value: &Value) -> Option<RpcError> {
    let code = value.get("code")?.as_i64()?;
    let message = value
        .get("message")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let typed = |one: &Value| one.get("@type").is_some_and(Value::is_string);
    let wrap = |one: &Value| json!({ "@type": AGENT_DATA, "value": one });
    let data = match value.get("data") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(list)) => list
            .iter()
            .map(|one| if typed(one) { one.clone() } else { wrap(one) })
            .collect(),
        Some(one) if typed(one) => vec![one.clone()],
        Some(one) => vec![wrap(one)],
    };
    Some(RpcError {
        code,
        message: message.to_owned(),
        data,
    })
}

/// The error as a dialect may say it: codes that 0.3 does not have become -32603, with the
/// original in the data; in 1.0 A2A's own codes have their `ErrorInfo`.
#[must_use]
pub fn in_dialect(mut error: RpcError, to: Version) -> RpcError {
    let known = ErrorCode::from_number(error.code);
    let unknown_to_v0_3 = matches!(
        known,
        Some(
            ErrorCode::ExtensionSupportRequired
                | ErrorCode::VersionNotSupported
                | ErrorCode::TaskGenerationMismatch
        )
    );
    match to {
        Version::V0_3 if unknown_to_v0_3 => {
            error
                .data
                .push(json!({ "@type": AGENT_DATA, "value": { "code": error.code } }));
            error.code = ErrorCode::Internal.number();
            error
        }
        Version::V0_3 => error,
        Version::V1_0 => {
            let reason = known.and_then(ErrorCode::reason);
            let said = error
                .data
                .iter()
                .any(|one| one.get("reason").and_then(Value::as_str) == reason);
            if let (Some(code), Some(_), false) = (known, reason, said) {
                let typed = RpcError::new(code, "").data;
                error.data.splice(0..0, typed);
            }
            error
        }
    }
}
