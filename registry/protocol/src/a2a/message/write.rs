//! Writing messages in each dialect.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::{Content, MEDIA_TYPE, Message, Part, Role, WRAPPED};

type Members = Map<String, Value>;

/// Members both dialects spell alike.
fn shared(message: &Message, out: &mut Members) {
    let texts = [
        ("messageId", &message.message_id),
        ("contextId", &message.context_id),
        ("taskId", &message.task_id),
    ];
    for (name, value) in texts {
        if let Some(value) = value {
            out.insert(name.into(), value.as_str().into());
        }
    }
    put_metadata(message.metadata.as_ref(), out);
    let lists = [
        ("extensions", &message.extensions),
        ("referenceTaskIds", &message.reference_task_ids),
    ];
    for (name, list) in lists {
        if !list.is_empty() {
            out.insert(name.into(), list.as_slice().into());
        }
    }
}

fn put_metadata(metadata: Option<&Members>, out: &mut Members) {
    if let Some(metadata) = metadata {
        out.insert("metadata".into(), Value::Object(metadata.clone()));
    }
}

pub(super) fn message_v0_3(message: &Message) -> Value {
    let role = match message.role {
        Role::User => "user",
        Role::Agent => "agent",
    };
    let parts: Vec<Value> = message.parts.iter().map(part_v0_3).collect();
    let mut out = Members::new();
    out.insert("kind".into(), "message".into());
    out.insert("role".into(), role.into());
    out.insert("parts".into(), parts.into());
    shared(message, &mut out);
    Value::Object(out)
}

pub(super) fn message_v1_0(message: &Message) -> Value {
    let role = match message.role {
        Role::User => "ROLE_USER",
        Role::Agent => "ROLE_AGENT",
    };
    let parts: Vec<Value> = message.parts.iter().map(part_v1_0).collect();
    let mut out = Members::new();
    out.insert("role".into(), role.into());
    out.insert("parts".into(), parts.into());
    shared(message, &mut out);
    Value::Object(out)
}

pub(super) fn part_v0_3(part: &Part) -> Value {
    let mut metadata = part.metadata.clone().unwrap_or_default();
    let mut out = Members::new();
    let mut file = |name: &str, content: Value| {
        let mut file = Members::new();
        file.insert(name.into(), content);
        for (name, value) in [("name", &part.name), ("mimeType", &part.media_type)] {
            if let Some(value) = value {
                file.insert(name.into(), value.as_str().into());
            }
        }
        out.insert("kind".into(), "file".into());
        out.insert("file".into(), Value::Object(file));
    };
    let is_file = match &part.content {
        Content::Bytes(bytes) => {
            file("bytes", STANDARD.encode(bytes).into());
            true
        }
        Content::Uri(uri) => {
            file("uri", uri.as_str().into());
            true
        }
        Content::Text(text) => {
            out.insert("kind".into(), "text".into());
            out.insert("text".into(), text.as_str().into());
            false
        }
        Content::Data(value) => {
            out.insert("kind".into(), "data".into());
            if value.is_object() {
                out.insert("data".into(), value.clone());
            } else {
                out.insert("data".into(), json!({"value": value}));
                metadata.insert(WRAPPED.into(), true.into());
            }
            false
        }
    };
    if let Some(media_type) = part.media_type.as_ref().filter(|_| !is_file) {
        metadata.insert(MEDIA_TYPE.into(), media_type.as_str().into());
    }
    put_metadata(
        Some(&metadata).filter(|metadata| !metadata.is_empty()),
        &mut out,
    );
    Value::Object(out)
}

pub(super) fn part_v1_0(part: &Part) -> Value {
    let (name, content) = match &part.content {
        Content::Text(text) => ("text", text.as_str().into()),
        Content::Data(value) => ("data", value.clone()),
        Content::Bytes(bytes) => ("raw", STANDARD.encode(bytes).into()),
        Content::Uri(uri) => ("url", uri.as_str().into()),
    };
    let mut out = Members::new();
    out.insert(name.into(), content);
    for (name, value) in [("filename", &part.name), ("mediaType", &part.media_type)] {
        if let Some(value) = value {
            out.insert(name.into(), value.as_str().into());
        }
    }
    put_metadata(part.metadata.as_ref(), &mut out);
    Value::Object(out)
}
