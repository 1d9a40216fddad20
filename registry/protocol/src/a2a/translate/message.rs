//! Messages, with the members that no dialect knows.

use serde_json::Value;

use super::{Fault, extras};
use crate::a2a::Version;
use crate::a2a::message::Message;

const KNOWN: [&str; 14] = [
    "kind",
    "role",
    "parts",
    "content",
    "messageId",
    "message_id",
    "contextId",
    "context_id",
    "taskId",
    "task_id",
    "metadata",
    "extensions",
    "referenceTaskIds",
    "reference_task_ids",
];

const KNOWN_PART: [&str; 11] = [
    "kind",
    "type",
    "text",
    "data",
    "raw",
    "url",
    "file",
    "metadata",
    "mediaType",
    "media_type",
    "filename",
];

/// What a file of 0.3 says that has a place of its own in 1.0.
const KNOWN_FILE: [&str; 10] = [
    "bytes",
    "fileWithBytes",
    "file_with_bytes",
    "uri",
    "fileWithUri",
    "file_with_uri",
    "name",
    "mimeType",
    "mime_type",
    "mediaType",
];

/// A message of either dialect, written in one.
///
/// # Errors
/// The first place that cannot be understood.
pub fn message(value: &Value, to: Version) -> Result<Value, Fault> {
    let parsed = Message::parse(value)?;
    let mut written = match to {
        Version::V0_3 => parsed.to_v0_3(),
        Version::V1_0 => parsed.to_v1_0(),
    };
    if let (Some(from), Some(out)) = (value.as_object(), written.as_object_mut()) {
        extras(from, &KNOWN, out);
        let originals = super::member(from, &["parts", "content"]);
        keep_of_parts(originals, out.get_mut("parts"));
    }
    Ok(written)
}

/// The parts of an artifact or a message keep what no dialect knows, one by one.
pub(super) fn keep_of_parts(originals: Option<&Value>, written: Option<&mut Value>) {
    let originals = originals.and_then(Value::as_array).into_iter().flatten();
    let written = written.and_then(Value::as_array_mut).into_iter().flatten();
    for (original, part) in originals.zip(written) {
        if let (Some(from), Some(out)) = (original.as_object(), part.as_object_mut()) {
            extras(from, &KNOWN_PART, out);
            // 1.0 has no object for the file: what it holds stands in the part.
            if let Some(Value::Object(file)) = from.get("file") {
                let fresh = |name: &&String| !KNOWN_PART.contains(&name.as_str());
                let known: Vec<&str> = file
                    .keys()
                    .filter(|n| !fresh(n))
                    .map(String::as_str)
                    .collect();
                extras(file, &[&KNOWN_FILE[..], &known].concat(), out);
            }
        }
    }
}
