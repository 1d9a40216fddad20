//! Registrations and cards with good defaults: a test names only what matters to it.

use serde_json::{Value, json};

/// A registration; members of `more` go over the defaults.
///
/// # Panics
/// When `more` is no object.
#[must_use]
pub fn registration(id: &str, more: Value) -> Value {
    let mut body = json!({ "agent_id": id, "contact_email": "owner@example.org" });
    let (members, more) = (body.as_object_mut().expect("an object"), more);
    members.extend(more.as_object().expect("an object").clone());
    body
}

/// A flat 0.3 card of an agent at `url`.
#[must_use]
pub fn card_v0_3(name: &str, url: &str) -> Value {
    json!({
        "name": name,
        "description": format!("{name} answers questions."),
        "url": url,
        "version": "1.2.0",
        "protocolVersion": "0.3.0",
        "capabilities": {},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [{ "id": "answer", "name": "Answer", "description": "Answers.", "tags": ["questions"] }],
    })
}

/// A 1.0 card of an agent at `url`.
#[must_use]
pub fn card_v1_0(name: &str, url: &str) -> Value {
    json!({
        "name": name,
        "description": format!("{name} answers questions."),
        "version": "1.2.0",
        "supportedInterfaces": [{ "url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0" }],
        "capabilities": {},
        "defaultInputModes": ["text/plain"],
        "defaultOutputModes": ["text/plain"],
        "skills": [{ "id": "answer", "name": "Answer", "description": "Answers.", "tags": ["questions"] }],
    })
}
