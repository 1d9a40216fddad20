//! The agent's answer as the caller gets it: its status and body are the agent's own word.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::{HeaderMap, header};
use registry::agent::AgentId;
use serde_json::value::RawValue;

use super::{Converted, Pending, Spoken};
use crate::limits::Left;

/// An answered call.
#[derive(Debug)]
pub struct Answered {
    /// Finds the record at `/calls/{id}`.
    pub transaction_id: String,
    /// Who answered.
    pub agent_id: AgentId,
    /// The agent's HTTP status.
    pub status_code: u16,
    /// The agent's headers that pass.
    pub response_headers: Vec<(String, String)>,
    /// What it said.
    pub body: Body,
    /// Names of forwarded headers that did not pass.
    pub dropped_headers: Vec<String>,
    /// What it was spoken to in.
    pub spoken: Spoken,
    /// How long it took, in milliseconds.
    pub duration_ms: i64,
    /// What is left of the caller's limit.
    pub left: Option<Left>,
    /// The reply in the caller's own conventions, where it was wished for.
    pub converted: Option<Converted>,
    /// Its record, stored when this is dropped.
    pub pending: Pending,
}

/// A body in the form that fits into JSON.
#[derive(Debug)]
pub enum Body {
    /// JSON, byte for byte.
    Json(Box<RawValue>),
    /// Text that is no JSON.
    Text(String),
    /// Anything else, in base64.
    Base64(String),
    /// Nothing.
    Empty,
}

impl Body {
    pub(super) fn new(headers: &HeaderMap, bytes: Bytes) -> Self {
        if bytes.is_empty() {
            return Self::Empty;
        }
        let declared = headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let text = match String::from_utf8(bytes.into()) {
            Ok(text) => text,
            Err(binary) => return Self::Base64(STANDARD.encode(binary.as_bytes())),
        };
        // A depth bomb must not pass as JSON into our own answer.
        let json =
            declared.contains("json") && protocol::json::check(text.as_bytes(), false).is_ok();
        if !json {
            return Self::Text(text);
        }
        match RawValue::from_string(text) {
            Ok(raw) => Self::Json(raw),
            Err(_) => Self::Empty,
        }
    }
}
