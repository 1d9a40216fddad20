//! The codes of JSON-RPC and A2A, and error objects with typed details.

use std::fmt;

use serde_json::{Value, json};

/// The domain of A2A's own error details.
pub(in crate::a2a) const DOMAIN: &str = "a2a-protocol.org";
pub(in crate::a2a) const ERROR_INFO: &str = "type.googleapis.com/google.rpc.ErrorInfo";
pub(super) const BAD_REQUEST: &str = "type.googleapis.com/google.rpc.BadRequest";

/// The codes of JSON-RPC and A2A.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorCode {
    /// -32700.
    ParseError,
    /// -32600.
    InvalidRequest,
    /// -32601.
    MethodNotFound,
    /// -32602.
    InvalidParams,
    /// -32603.
    Internal,
    /// -32001.
    TaskNotFound,
    /// -32002.
    TaskNotCancelable,
    /// -32003.
    PushNotificationNotSupported,
    /// -32004.
    UnsupportedOperation,
    /// -32005.
    ContentTypeNotSupported,
    /// -32006.
    InvalidAgentResponse,
    /// -32007.
    ExtendedAgentCardNotConfigured,
    /// -32008, 1.0 only.
    ExtensionSupportRequired,
    /// -32009, 1.0 only.
    VersionNotSupported,
    /// -32010, draft of 1.1.
    TaskGenerationMismatch,
}

/// Code, number, reason (for A2A's own), sentence.
const CODES: [(ErrorCode, i64, Option<&str>, &str); 15] = [
    (ErrorCode::ParseError, -32700, None, "Invalid JSON payload"),
    (ErrorCode::InvalidRequest, -32600, None, "Invalid request"),
    (ErrorCode::MethodNotFound, -32601, None, "Method not found"),
    (ErrorCode::InvalidParams, -32602, None, "Invalid parameters"),
    (ErrorCode::Internal, -32603, None, "Internal error"),
    (
        ErrorCode::TaskNotFound,
        -32001,
        Some("TASK_NOT_FOUND"),
        "Task not found",
    ),
    (
        ErrorCode::TaskNotCancelable,
        -32002,
        Some("TASK_NOT_CANCELABLE"),
        "Task cannot be canceled",
    ),
    (
        ErrorCode::PushNotificationNotSupported,
        -32003,
        Some("PUSH_NOTIFICATION_NOT_SUPPORTED"),
        "Push notifications are not supported",
    ),
    (
        ErrorCode::UnsupportedOperation,
        -32004,
        Some("UNSUPPORTED_OPERATION"),
        "This operation is not supported",
    ),
    (
        ErrorCode::ContentTypeNotSupported,
        -32005,
        Some("CONTENT_TYPE_NOT_SUPPORTED"),
        "Content type not supported",
    ),
    (
        ErrorCode::InvalidAgentResponse,
        -32006,
        Some("INVALID_AGENT_RESPONSE"),
        "The agent's answer is not valid",
    ),
    (
        ErrorCode::ExtendedAgentCardNotConfigured,
        -32007,
        Some("EXTENDED_AGENT_CARD_NOT_CONFIGURED"),
        "No extended card is configured",
    ),
    (
        ErrorCode::ExtensionSupportRequired,
        -32008,
        Some("EXTENSION_SUPPORT_REQUIRED"),
        "A required extension was not named",
    ),
    (
        ErrorCode::VersionNotSupported,
        -32009,
        Some("VERSION_NOT_SUPPORTED"),
        "The A2A version is not supported",
    ),
    (
        ErrorCode::TaskGenerationMismatch,
        -32010,
        Some("TASK_GENERATION_MISMATCH"),
        "The task has changed meanwhile",
    ),
];

impl ErrorCode {
    fn row(self) -> (i64, Option<&'static str>, &'static str) {
        CODES
            .iter()
            .find(|(code, ..)| *code == self)
            .map_or((-32603, None, ""), |(_, number, reason, text)| {
                (*number, *reason, *text)
            })
    }

    /// The number on the wire.
    #[must_use]
    pub fn number(self) -> i64 {
        self.row().0
    }

    /// The `reason` of the typed detail, for A2A's own codes.
    #[must_use]
    pub fn reason(self) -> Option<&'static str> {
        self.row().1
    }

    /// A short standard sentence.
    #[must_use]
    pub fn text(self) -> &'static str {
        self.row().2
    }

    /// The code of a number, when it is a known one.
    #[must_use]
    pub fn from_number(number: i64) -> Option<Self> {
        CODES
            .iter()
            .find(|(_, known, ..)| *known == number)
            .map(|(code, ..)| *code)
    }
}

/// An error object. The code is a bare number, since an agent's unknown codes pass unchanged.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcError {
    /// The number on the wire.
    pub code: i64,
    /// For people.
    pub message: String,
    /// Typed details, each an object with `@type`; written as an array, left out when empty.
    pub data: Vec<Value>,
}

impl std::error::Error for RpcError {}

impl fmt::Display for RpcError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} ({})", self.message, self.code)
    }
}

impl RpcError {
    /// An error of a known code; A2A's own get their `ErrorInfo`.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self::with_metadata(code, message, &[])
    }

    /// As [`RpcError::new`], with texts for the metadata of the `ErrorInfo`.
    #[must_use]
    pub fn with_metadata(
        code: ErrorCode,
        message: impl Into<String>,
        metadata: &[(&str, &str)],
    ) -> Self {
        let data = code.reason().map(|reason| {
            let mut info = json!({"@type": ERROR_INFO, "reason": reason, "domain": DOMAIN});
            if !metadata.is_empty() {
                info["metadata"] = metadata
                    .iter()
                    .map(|(key, value)| ((*key).to_owned(), Value::from(*value)))
                    .collect::<serde_json::Map<_, _>>()
                    .into();
            }
            info
        });
        Self {
            code: code.number(),
            message: message.into(),
            data: data.into_iter().collect(),
        }
    }

    /// -32602 about one member, named in dots (`message.parts`); "" for the whole.
    #[must_use]
    pub fn invalid_params(field: &str, description: &str) -> Self {
        Self::invalid_fields(&[(field, description)])
    }

    /// -32602 about several members.
    #[must_use]
    pub fn invalid_fields(fields: &[(&str, &str)]) -> Self {
        let violations: Vec<Value> = fields
            .iter()
            .map(|(field, description)| json!({"field": field, "description": description}))
            .collect();
        let message = match fields.first() {
            Some((_, description)) => format!("{}: {description}", ErrorCode::InvalidParams.text()),
            None => ErrorCode::InvalidParams.text().to_owned(),
        };
        let data = vec![json!({"@type": BAD_REQUEST, "fieldViolations": violations})];
        Self {
            code: ErrorCode::InvalidParams.number(),
            message,
            data,
        }
    }

    /// -32601 about a method name.
    #[must_use]
    pub fn method_not_found(name: &str) -> Self {
        let shown: String = name.chars().take(128).collect();
        Self::new(
            ErrorCode::MethodNotFound,
            format!("Method not found: {shown}"),
        )
    }

    /// -32009 with the versions that are spoken.
    #[must_use]
    pub fn version_not_supported(asked: &str, spoken: &[crate::a2a::Version]) -> Self {
        let list = spoken
            .iter()
            .map(|version| version.as_str())
            .collect::<Vec<_>>()
            .join(", ");
        let shown: String = asked.chars().take(64).collect();
        let message = format!("A2A version {shown:?} is not supported here; supported: {list}");
        let metadata = [("supportedVersions", list.as_str())];
        Self::with_metadata(ErrorCode::VersionNotSupported, message, &metadata)
    }

    /// Adds one more typed detail.
    #[must_use]
    pub fn and(mut self, detail: Value) -> Self {
        self.data.push(detail);
        self
    }

    /// The error object: code, message, data and nothing else.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut out = json!({"code": self.code, "message": self.message});
        if !self.data.is_empty() {
            out["data"] = Value::Array(self.data.clone());
        }
        out
    }
}

impl From<crate::a2a::message::MessageError> for RpcError {
    fn from(error: crate::a2a::message::MessageError) -> Self {
        Self::invalid_params(&error.field(), &error.reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct() {
        for (code, number, ..) in CODES {
            assert_eq!(ErrorCode::from_number(number), Some(code));
        }
        assert_eq!(ErrorCode::from_number(-1), None);
    }
}
