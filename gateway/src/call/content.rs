//! What the caller said, read once: an A2A message, whatever form it came in.

use protocol::a2a::message::{Message, Part, Role};
use protocol::a2a::translate::{MissingId, Params};
use protocol::a2a::{Operation, Version, method};
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

/// What is asked of an agent that speaks A2A.
pub(super) struct Question {
    /// In 1.0's form.
    pub(super) params: Params,
    /// The caller's dialect, where its words show one; the answer is given in it.
    pub(super) dialect: Option<Version>,
}

/// Reads the content as a request of A2A: a whole envelope with its method, or a message to send.
/// A missing message id is filled in.
pub(super) fn question(content: &Content, message_id: String) -> Result<Question, CallFailure> {
    let missing = MissingId::Fill(message_id);
    let raw = match content {
        Content::Message(raw) => raw,
        Content::Payload(_) => return send(&message(content)?.to_v1_0(), None, &missing),
    };
    match value(raw, "/message")? {
        Value::Object(envelope) if envelope.contains_key("method") => {
            let name = envelope["method"].as_str().unwrap_or_default();
            let Some((version, operation)) = method(name) else {
                return Err(bad("A2A has no such method", "/message/method".to_owned()));
            };
            if !matches!(
                operation,
                Operation::Send | Operation::GetTask | Operation::CancelTask
            ) {
                let text = "this method goes through the agent's A2A door, POST /agents/{id}";
                return Err(bad(text, "/message/method".to_owned()));
            }
            let params = Params::read(operation, envelope.get("params"), version, &missing)
                .map_err(|error| bad(error.reason, format!("/message/params{}", error.pointer)))?;
            Ok(Question {
                params,
                dialect: Some(version),
            })
        }
        Value::Object(members) if members.contains_key("params") => {
            let inner = members["params"].get("message").unwrap_or(&Value::Null);
            parse(inner, "/message/params/message")?;
            send(inner, dialect_of(inner), &missing)
        }
        Value::String(_) => send(&message(content)?.to_v1_0(), None, &missing),
        said => {
            parse(&said, "/message")?;
            send(&said, dialect_of(&said), &missing)
        }
    }
}

fn send(
    message: &Value,
    dialect: Option<Version>,
    missing: &MissingId,
) -> Result<Question, CallFailure> {
    let params = serde_json::json!({ "message": message });
    Params::read(Operation::Send, Some(&params), Version::V1_0, missing)
        .map(|params| Question { params, dialect })
        .map_err(|error| bad(error.reason, error.pointer))
}

/// A message shows its dialect by its `kind` or by how it names its role.
fn dialect_of(message: &Value) -> Option<Version> {
    let role = message.get("role").and_then(Value::as_str);
    match role {
        _ if message.get("kind").is_some() => Some(Version::V0_3),
        Some("user" | "agent") => Some(Version::V0_3),
        Some(_) => Some(Version::V1_0),
        None => None,
    }
}

fn value(raw: &RawValue, pointer: &str) -> Result<Value, CallFailure> {
    match protocol::json::parse(protocol::exact::shield(raw.get()).as_bytes()) {
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
