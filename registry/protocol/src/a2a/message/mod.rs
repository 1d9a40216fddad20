//! A message as both dialects mean it: read leniently from either, written strictly in each.

mod read;
mod write;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

/// Key in the metadata of a 0.3 data part whose value was no object and was wrapped in `value`.
pub(super) const WRAPPED: &str = "data_part_compat";

/// Key in the metadata of a 0.3 text or data part for the media type, which 0.3 has no place for.
pub(super) const MEDIA_TYPE: &str = "mediaType";

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The client's side.
    User,
    /// The agent's side.
    Agent,
}

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// Made by the sender. Both dialects require it; whether a missing one is refused is the
    /// caller's decision (a door refuses it).
    pub message_id: Option<String>,
    /// The conversation, when it goes on.
    pub context_id: Option<String>,
    /// The task, when it is about one.
    pub task_id: Option<String>,
    /// At least one.
    pub parts: Vec<Part>,
    /// Free members; keys and order kept. An empty object counts as absent.
    pub metadata: Option<Map<String, Value>>,
    /// URIs of the extensions used.
    pub extensions: Vec<String>,
    /// Tasks it refers to.
    pub reference_task_ids: Vec<String>,
}

/// One part of a message or an artifact.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What it holds.
    pub content: Content,
    /// The media type. 0.3 knows it for files only; for others it travels in the metadata.
    pub media_type: Option<String>,
    /// A file name. 0.3 knows it for files only.
    pub name: Option<String>,
    /// Free members; an empty object counts as absent.
    pub metadata: Option<Map<String, Value>>,
}

/// What a part holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Plain text.
    Text(String),
    /// Any JSON value but null; 0.3 has objects only, others are wrapped there.
    Data(Value),
    /// The bytes of a file.
    Bytes(Vec<u8>),
    /// The place of a file. Untrusted.
    Uri(String),
}

/// Why a value is no message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pointer}: {reason}")]
pub struct MessageError {
    /// JSON pointer below the value that was read; "" for the value itself.
    pub pointer: String,
    /// A sentence for people.
    pub reason: String,
}

impl MessageError {
    /// The pointer in the dotted form of field violations, below `message`.
    #[must_use]
    pub fn field(&self) -> String {
        format!("message{}", self.pointer.replace('/', "."))
    }
}

impl Message {
    /// A message of one part; the id is handed in by the caller's id source.
    #[must_use]
    pub fn new(role: Role, message_id: impl Into<String>, parts: Vec<Part>) -> Self {
        Self {
            role,
            message_id: Some(message_id.into()),
            context_id: None,
            task_id: None,
            parts,
            metadata: None,
            extensions: Vec::new(),
            reference_task_ids: Vec::new(),
        }
    }

    /// Reads a message of either dialect, with the oddities real peers send.
    ///
    /// # Errors
    /// The first place that cannot be understood.
    pub fn parse(value: &Value) -> Result<Self, MessageError> {
        read::message(value)
    }

    /// Writes the message for 0.3.
    #[must_use]
    pub fn to_v0_3(&self) -> Value {
        write::message_v0_3(self)
    }

    /// Writes the message for 1.0.
    #[must_use]
    pub fn to_v1_0(&self) -> Value {
        write::message_v1_0(self)
    }

    /// All text parts, joined by line feeds.
    #[must_use]
    pub fn joined_text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match &part.content {
            Content::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
}

impl Part {
    fn of(content: Content) -> Self {
        Self {
            content,
            media_type: None,
            name: None,
            metadata: None,
        }
    }

    /// A part of plain text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(Content::Text(text.into()))
    }

    /// A part of structured data.
    #[must_use]
    pub fn data(value: Value) -> Self {
        Self::of(Content::Data(value))
    }

    /// Reads a part of either dialect.
    ///
    /// # Errors
    /// The first place that cannot be understood.
    pub fn parse(value: &Value) -> Result<Self, MessageError> {
        read::part(value, "")
    }

    /// Writes the part for 0.3.
    #[must_use]
    pub fn to_v0_3(&self) -> Value {
        write::part_v0_3(self)
    }

    /// Writes the part for 1.0.
    #[must_use]
    pub fn to_v1_0(&self) -> Value {
        write::part_v1_0(self)
    }
}
