//! Reading messages of either dialect.

use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::{Map, Value};

use crate::exact::is_number_in_disguise;

use super::{Content, MEDIA_TYPE, Message, MessageError, Part, Role, WRAPPED};

/// Padding is taken and not demanded, as proto-JSON parsers do.
const LENIENT: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);

type Members = Map<String, Value>;

fn fail<T>(pointer: &str, reason: impl Into<String>) -> Result<T, MessageError> {
    Err(MessageError {
        pointer: pointer.to_owned(),
        reason: reason.into(),
    })
}

/// The first of several spellings that is present and not null, with its name.
fn member<'a>(object: &'a Members, names: &[&'static str]) -> Option<(&'static str, &'a Value)> {
    names
        .iter()
        .find_map(|name| Some((*name, object.get(*name).filter(|value| !value.is_null())?)))
}

/// A text; an empty one counts as absent, as in the proto form of 1.0.
fn text(
    object: &Members,
    base: &str,
    names: &[&'static str],
) -> Result<Option<String>, MessageError> {
    match member(object, names) {
        None => Ok(None),
        Some((_, Value::String(text))) if !is_number_in_disguise(text) => {
            Ok(Some(text.clone()).filter(|text| !text.is_empty()))
        }
        Some((name, _)) => fail(&format!("{base}/{name}"), "It must be a text."),
    }
}

fn texts(object: &Members, names: &[&'static str]) -> Result<Vec<String>, MessageError> {
    let Some((name, value)) = member(object, names) else {
        return Ok(Vec::new());
    };
    let Some(list) = value.as_array() else {
        return fail(&format!("/{name}"), "It must be a list of texts.");
    };
    let mut out = Vec::with_capacity(list.len());
    for (index, one) in list.iter().enumerate() {
        match one.as_str() {
            Some(text) => out.push(text.to_owned()),
            None => return fail(&format!("/{name}/{index}"), "It must be a text."),
        }
    }
    Ok(out)
}

fn metadata(object: &Members, base: &str) -> Result<Option<Members>, MessageError> {
    match member(object, &["metadata"]) {
        None => Ok(None),
        Some((_, Value::Object(members))) => {
            Ok(Some(members.clone()).filter(|members| !members.is_empty()))
        }
        Some(_) => fail(&format!("{base}/metadata"), "It must be an object."),
    }
}

pub(super) fn message(value: &Value) -> Result<Message, MessageError> {
    let Some(object) = value.as_object() else {
        return fail("", "A message is an object.");
    };
    if let Some((_, kind)) = member(object, &["kind"])
        && kind != "message"
    {
        return fail("/kind", "It must be \"message\".");
    }
    let role = match member(object, &["role"]) {
        Some((_, Value::String(role))) => match role.as_str() {
            "user" | "ROLE_USER" => Role::User,
            "agent" | "ROLE_AGENT" => Role::Agent,
            _ => return fail("/role", "It must be the user's or the agent's."),
        },
        Some(_) => return fail("/role", "It must be a text."),
        None => return fail("/role", "The role is missing."),
    };
    // `content` is what the proto form of 0.3 calls the parts.
    let (name, list) = match member(object, &["parts", "content"]) {
        Some((name, Value::Array(list))) => (name, list),
        Some((name, _)) => return fail(&format!("/{name}"), "It must be a list."),
        None => return fail("/parts", "The parts are missing."),
    };
    if list.is_empty() {
        return fail(&format!("/{name}"), "At least one part is needed.");
    }
    let mut parts = Vec::with_capacity(list.len());
    for (index, one) in list.iter().enumerate() {
        parts.push(part(one, &format!("/{name}/{index}"))?);
    }
    Ok(Message {
        role,
        message_id: text(object, "", &["messageId", "message_id"])?,
        context_id: text(object, "", &["contextId", "context_id"])?,
        task_id: text(object, "", &["taskId", "task_id"])?,
        parts,
        metadata: metadata(object, "")?,
        extensions: texts(object, &["extensions"])?,
        reference_task_ids: texts(object, &["referenceTaskIds", "reference_task_ids"])?,
    })
}

pub(super) fn part(value: &Value, base: &str) -> Result<Part, MessageError> {
    let Some(object) = value.as_object() else {
        return fail(base, "A part is an object.");
    };
    let declared = match member(object, &["kind", "type"]) {
        None => None,
        Some((_, Value::String(kind))) if matches!(kind.as_str(), "text" | "file" | "data") => {
            Some(kind.as_str())
        }
        Some((name, _)) => {
            return fail(&format!("{base}/{name}"), "It must be text, file or data.");
        }
    };
    let mut part = content(object, base)?;
    let found = match part.content {
        Content::Text(_) => "text",
        Content::Data(_) => "data",
        Content::Bytes(_) | Content::Uri(_) => "file",
    };
    if declared.is_some_and(|kind| kind != found) {
        return fail(base, "The part's kind does not fit what it holds.");
    }
    part.metadata = metadata(object, base)?;
    let own_type = text(object, base, &["mediaType", "media_type"])?;
    part.media_type = own_type.or(part.media_type.take());
    part.name = text(object, base, &["filename"])?.or(part.name.take());
    if declared.is_some() {
        unpack(&mut part);
    }
    Ok(part)
}

/// The one content of a part; none and several are errors.
fn content(object: &Members, base: &str) -> Result<Part, MessageError> {
    let names = ["text", "data", "raw", "url", "file"];
    let mut present = names.iter().filter_map(|name| member(object, &[name]));
    let Some((name, value)) = present.next() else {
        return fail(
            base,
            "The part holds nothing: no text, data, raw, url or file.",
        );
    };
    if present.next().is_some() {
        return fail(base, "The part holds more than one content.");
    }
    let here = format!("{base}/{name}");
    let content = match (name, value) {
        ("text", Value::String(text)) if !is_number_in_disguise(text) => {
            Content::Text(text.clone())
        }
        ("data", value) => Content::Data(value.clone()),
        ("raw", Value::String(raw)) => bytes(raw, &here)?,
        ("url", Value::String(url)) => Content::Uri(url.clone()),
        ("file", Value::Object(file)) => return file_part(file, &here),
        ("file", _) => return fail(&here, "It must be an object."),
        _ => return fail(&here, "It must be a text."),
    };
    Ok(Part::of(content))
}

/// The `file` member of 0.3, in its JSON and its proto form.
fn file_part(file: &Members, base: &str) -> Result<Part, MessageError> {
    let raw = text_of(file, base, &["bytes", "fileWithBytes", "file_with_bytes"])?;
    let uri = text_of(file, base, &["uri", "fileWithUri", "file_with_uri"])?;
    let content = match (raw, uri) {
        (Some((name, raw)), None) => bytes(raw, &format!("{base}/{name}"))?,
        (None, Some((_, uri))) => Content::Uri(uri.to_owned()),
        (None, None) => return fail(base, "The file has neither bytes nor uri."),
        (Some(_), Some(_)) => return fail(base, "The file has both bytes and uri."),
    };
    let mut part = Part::of(content);
    part.name = text(file, base, &["name"])?;
    part.media_type = text(file, base, &["mimeType", "mime_type", "mediaType"])?;
    Ok(part)
}

/// As [`text`], but an empty text is one: an empty file has no bytes.
fn text_of<'a>(
    object: &'a Members,
    base: &str,
    names: &[&'static str],
) -> Result<Option<(&'static str, &'a str)>, MessageError> {
    match member(object, names) {
        None => Ok(None),
        Some((name, Value::String(text))) if !is_number_in_disguise(text) => Ok(Some((name, text))),
        Some((name, _)) => fail(&format!("{base}/{name}"), "It must be a text."),
    }
}

fn bytes(text: &str, pointer: &str) -> Result<Content, MessageError> {
    let alphabet = if text.contains(['-', '_']) {
        &URL_SAFE
    } else {
        &STANDARD
    };
    match GeneralPurpose::new(alphabet, LENIENT).decode(text) {
        Ok(bytes) => Ok(Content::Bytes(bytes)),
        Err(_) => fail(pointer, "It is not base64."),
    }
}

/// Undoes what writing for 0.3 packs into the metadata.
fn unpack(part: &mut Part) {
    let Some(metadata) = part.metadata.as_mut() else {
        return;
    };
    if !matches!(part.content, Content::Text(_) | Content::Data(_)) {
        return;
    }
    if part.media_type.is_none()
        && let Some(Value::String(media_type)) = metadata.get(MEDIA_TYPE)
    {
        part.media_type = Some(media_type.clone());
        metadata.shift_remove(MEDIA_TYPE);
    }
    if let Content::Data(Value::Object(wrapper)) = &mut part.content
        && metadata.get(WRAPPED) == Some(&Value::Bool(true))
        && wrapper.len() == 1
        && let Some(inner) = wrapper
            .get_mut("value")
            .map(Value::take)
            .filter(|v| !v.is_null())
    {
        part.content = Content::Data(inner);
        metadata.shift_remove(WRAPPED);
    }
    part.metadata = part.metadata.take().filter(|metadata| !metadata.is_empty());
}
