//! What the caller said, read once: an A2A message, whatever form it came in.

use protocol::a2a::message::{Message, Part, Role};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{CallFailure, Content};
use crate::problem::Code;

/// Reads the content as a message; its id may be missing.
pub(super) fn message(content: &Content) -> Result<Message, CallFailure> {
    match content {
        Content::Payload(raw) => Ok(wrap(part_of(value(raw, "/payload")?))),
        Content::Message(raw) => match value(raw, "/message")? {
            Value::String(text) => Ok(wrap(Part::text(text))),
            Value::Object(members)
                if members.contains_key("jsonrpc") || members.contains_key("params") =>
            {
                let inner = members
                    .get("params")
                    .and_then(|params| params.get("message"))
                    .unwrap_or(&Value::Null);
                parse(inner, "/message/params/message")
            }
            other => parse(&other, "/message"),
        },
    }
}

fn value(raw: &RawValue, pointer: &str) -> Result<Value, CallFailure> {
    match protocol::json::parse(raw.get().as_bytes()) {
        Ok(parsed) => match parsed.duplicates.first() {
            None => Ok(parsed.value),
            Some(twice) => Err(bad(
                "a member stands twice in one object",
                format!("{pointer}{twice}"),
            )),
        },
        Err(error) => Err(bad(error.to_string(), pointer.to_owned())),
    }
}

fn part_of(payload: Value) -> Part {
    match payload {
        Value::String(text) => Part::text(text),
        data => Part::data(data),
    }
}

fn wrap(part: Part) -> Message {
    Message {
        message_id: None,
        ..Message::new(Role::User, "", vec![part])
    }
}

fn parse(value: &Value, pointer: &str) -> Result<Message, CallFailure> {
    Message::parse(value).map_err(|error| {
        let reason = format!(
            "{}; bare data goes into `payload`",
            error.reason.trim_end_matches('.')
        );
        bad(reason, format!("{pointer}{}", error.pointer))
    })
}

fn bad(detail: impl Into<String>, pointer: String) -> CallFailure {
    CallFailure::new(Code::InvalidRequest, detail).at(pointer)
}
