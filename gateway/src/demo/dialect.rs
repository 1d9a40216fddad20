//! What a demo agent understands and answers: plain HTTP, A2A 0.3 or A2A 1.0.
//!
//! Written by hand and without our own protocol types, so that the demo would show it if the
//! gateway spoke a dialect that only the gateway understands.

use serde_json::{Value, json};

use super::chance::hash;

/// The dialect of one agent process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// A body in, a body out.
    Http,
    /// A2A 0.3 over JSON-RPC.
    #[value(name = "a2a-0.3")]
    A2a03,
    /// A2A 1.0 over JSON-RPC.
    #[value(name = "a2a-1.0")]
    A2a1,
}

impl Kind {
    /// The name, as on the command line and in the answers of `/call`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::A2a03 => "a2a-0.3",
            Self::A2a1 => "a2a-1.0",
        }
    }

    fn method(self) -> &'static str {
        if self == Self::A2a1 {
            "SendMessage"
        } else {
            "message/send"
        }
    }
}

/// Answers a JSON-RPC request of this dialect; `version` is the header `A2A-Version`.
pub(super) fn answer(
    kind: Kind,
    version: Option<&str>,
    body: &[u8],
    skill: impl Fn(&str) -> String,
) -> Value {
    let Ok(request) = serde_json::from_slice::<Value>(body) else {
        return failed(&Value::Null, -32700, "Not JSON.");
    };
    let id = request.get("id").cloned().unwrap_or(Value::Null);
    // The standard demands the header of a 1.0 client; without it a request counts as 0.3.
    if kind == Kind::A2a1 && !version.is_some_and(|version| version.starts_with("1.")) {
        return failed(
            &id,
            -32009,
            "This agent speaks A2A 1.0: send the header A2A-Version: 1.0.",
        );
    }
    if request.get("method").and_then(Value::as_str) != Some(kind.method()) {
        return failed(
            &id,
            -32601,
            &format!("The only method here is {}.", kind.method()),
        );
    }
    let Some(message) = request.pointer("/params/message") else {
        return failed(&id, -32602, "params.message is missing.");
    };
    match text_of(kind, message) {
        Some(text) => {
            json!({"jsonrpc": "2.0", "id": id, "result": reply(kind, message, &skill(&text))})
        }
        None => failed(&id, -32602, "The message needs a part with text or data."),
    }
}

fn failed(id: &Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// The texts and data of the parts; in 0.3 each must say what kind it is.
fn text_of(kind: Kind, message: &Value) -> Option<String> {
    let parts = message.get("parts")?.as_array()?;
    let said = parts.iter().filter_map(|part| {
        let named = |name: &str| {
            kind == Kind::A2a1 || part.get("kind").and_then(Value::as_str) == Some(name)
        };
        match (part.get("text"), part.get("data")) {
            (Some(Value::String(text)), _) if named("text") => Some(text.clone()),
            (_, Some(data)) if named("data") => Some(words_of(data)),
            _ => None,
        }
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| said.join("\n"))
}

/// The text within data: its member `text`, else the data itself.
pub(super) fn words_of(data: &Value) -> String {
    match data.get("text").unwrap_or(data) {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn reply(kind: Kind, message: &Value, text: &str) -> Value {
    let asked = message
        .get("messageId")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let id = format!("reply-{:016x}", hash(asked));
    let mut reply = match kind {
        Kind::A2a1 => json!({"messageId": id, "role": "ROLE_AGENT", "parts": [{"text": text}]}),
        _ => {
            json!({"kind": "message", "messageId": id, "role": "agent", "parts": [{"kind": "text", "text": text}]})
        }
    };
    if let Some(context) = message.get("contextId") {
        reply["contextId"] = context.clone();
    }
    if kind == Kind::A2a1 {
        json!({"message": reply})
    } else {
        reply
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(kind: Kind, version: Option<&str>, body: &Value) -> Value {
        answer(kind, version, body.to_string().as_bytes(), |text| {
            format!("<{text}>")
        })
    }

    fn old(parts: Value) -> Value {
        json!({"jsonrpc": "2.0", "id": 7, "method": "message/send", "params": {"message": {"messageId": "m", "contextId": "c", "parts": parts}}})
    }

    #[test]
    fn each_dialect_is_answered_in_itself() {
        let answer = ask(
            Kind::A2a03,
            None,
            &old(json!([{"kind": "text", "text": "a"}])),
        );
        assert_eq!(answer["id"], 7);
        assert_eq!(answer["result"]["kind"], "message");
        assert_eq!(answer["result"]["contextId"], "c");
        assert_eq!(
            answer["result"]["parts"],
            json!([{"kind": "text", "text": "<a>"}])
        );
        let new = json!({"jsonrpc": "2.0", "id": "x", "method": "SendMessage",
            "params": {"message": {"messageId": "m", "role": "ROLE_USER", "parts": [{"data": {"text": "b"}}, {"text": "c"}]}}});
        let answer = ask(Kind::A2a1, Some("1.0"), &new);
        assert_eq!(
            answer["result"]["message"]["parts"],
            json!([{"text": "<b\nc>"}])
        );
        assert_eq!(answer["result"]["message"]["role"], "ROLE_AGENT");
    }

    #[test]
    fn the_other_dialect_is_refused() {
        let code = |answer: Value| answer["error"]["code"].as_i64();
        let message = old(json!([{"text": "a"}]));
        assert_eq!(
            code(ask(Kind::A2a03, None, &message)),
            Some(-32602),
            "a part without kind"
        );
        assert_eq!(code(ask(Kind::A2a1, Some("1.0"), &message)), Some(-32601));
        assert_eq!(code(ask(Kind::A2a1, None, &message)), Some(-32009));
        assert_eq!(
            code(answer(Kind::A2a03, None, b"{", |text| text.to_owned())),
            Some(-32700)
        );
    }
}
