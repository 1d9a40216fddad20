//! Reading a card of any version: every repair is a warning, nothing is lost.

use serde_json::{Map, Value};
use url::Url;

use super::{
    Capabilities, Card, Provider, Refusal, RefusalCode, WarningCode,
    fields::{Notes, known, link, member, text, texts},
    interfaces, security, skills, sniff,
};
use crate::json::{self, JsonError, JsonErrorKind};

/// The largest document that is read, in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// The most skills a card may have.
pub const MAX_SKILLS: usize = 1000;

/// The byte order mark in UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// What the operator allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportPolicy {
    /// Whether addresses that are not on the public network may be called.
    pub private_targets: bool,
}

/// Reads a document as an agent card. `from` is where it was fetched, to resolve relative addresses.
///
/// # Errors
/// A [`Refusal`] when the document is no card or over a limit.
pub fn import(bytes: &[u8], from: Option<&Url>, policy: ImportPolicy) -> Result<Card, Refusal> {
    if bytes.len() > MAX_BYTES {
        let detail = format!(
            "The document has {} bytes; the limit is {MAX_BYTES}.",
            bytes.len()
        );
        return Err(Refusal::new(RefusalCode::TooLarge, detail));
    }
    let mut notes = Notes::default();
    let body = bytes.strip_prefix(BOM).unwrap_or(bytes);
    if body.len() < bytes.len() {
        notes.add(WarningCode::Bom, "", "A byte order mark in front; dropped.");
    }
    let parsed = json::parse(body).map_err(|error| unreadable(body, &error))?;
    for pointer in &parsed.duplicates {
        notes.add(
            WarningCode::DuplicateMember,
            pointer,
            "The member occurs twice; the last wins.",
        );
    }
    let object = sniff::card(&parsed.value, from)?;
    let count = object
        .get("skills")
        .and_then(Value::as_array)
        .map_or(0, Vec::len);
    if count > MAX_SKILLS {
        let detail = format!("The card has {count} skills; the limit is {MAX_SKILLS}.");
        return Err(Refusal::new(RefusalCode::TooManySkills, detail));
    }
    let mut card = read(object, from, policy, notes);
    card.original = parsed.value;
    Ok(card)
}

fn unreadable(body: &[u8], error: &JsonError) -> Refusal {
    let first = body.trim_ascii_start().first();
    let (code, detail) = match error.kind {
        JsonErrorKind::TooDeep => (RefusalCode::TooDeep, error.to_string()),
        JsonErrorKind::Empty => (RefusalCode::NotJson, "The document is empty.".to_owned()),
        JsonErrorKind::NotUtf8 => (RefusalCode::NotJson, format!("Not UTF-8: {error}.")),
        _ if first == Some(&b'<') => (
            RefusalCode::NotJson,
            "The document is a web page or XML, not JSON.".to_owned(),
        ),
        JsonErrorKind::Trailing => (
            RefusalCode::NotJson,
            format!("Several documents, or text after the first: {error}."),
        ),
        JsonErrorKind::Syntax | JsonErrorKind::Surrogate => {
            (RefusalCode::NotJson, format!("Not JSON: {error}."))
        }
    };
    Refusal {
        position: Some((error.line, error.column)),
        ..Refusal::new(code, detail)
    }
}

fn read(
    object: &Map<String, Value>,
    from: Option<&Url>,
    policy: ImportPolicy,
    mut notes: Notes,
) -> Card {
    let notes_ref = &mut notes;
    let (interfaces, layout) = interfaces::read(object, from, policy, notes_ref);
    let (capabilities, tags) = capabilities(object, notes_ref);
    let (default_input_modes, default_output_modes) = modes(object, notes_ref);
    let skills = skills::read(object, notes_ref);
    let description = texts_of_card(object, notes_ref);
    let provider = provider(object, notes_ref);
    let (security_schemes, security_requirements) =
        security::schemes(object, &interfaces, layout, notes_ref);
    let legacy_auth = security::legacy(object, notes_ref);
    security::signatures(object, notes_ref);
    let identity_claims = security::identity(object, notes_ref);
    if member(object, "extensions").is_some_and(|value| !is_empty(value)) {
        let detail = "A2A reads capabilities.extensions only.";
        notes_ref.add(WarningCode::ExtensionsMisplaced, "/extensions", detail);
    }
    let mut links = |name, variants: &[&'static str]| {
        known(object, "", name, variants, notes_ref).and_then(|(value, _)| link(value))
    };
    Card {
        original: Value::Null,
        name: object
            .get("name")
            .and_then(|value| text(value, 256))
            .unwrap_or_default(),
        description: description.0,
        version: description.1,
        provider,
        documentation_url: links(
            "documentationUrl",
            &["docUrl", "docsUrl", "documentationURL", "documentation"],
        ),
        icon_url: links("iconUrl", &["iconURL"]),
        interfaces,
        capabilities,
        default_input_modes,
        default_output_modes,
        skills,
        tags,
        security_schemes,
        security_requirements,
        legacy_auth,
        identity_claims,
        warnings: notes.finish(),
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Description and version of the agent.
fn texts_of_card(object: &Map<String, Value>, notes: &mut Notes) -> (String, String) {
    let description = member(object, "description").and_then(|value| text(value, 4096));
    if description.is_none() {
        notes.add(WarningCode::DescriptionMissing, "", "No description.");
    }
    let version = member(object, "version").and_then(|value| text(value, 64));
    if version.is_none() {
        notes.add(
            WarningCode::AgentVersionMissing,
            "",
            "No version of the agent; read as 0.",
        );
    }
    (
        description.unwrap_or_default(),
        version.unwrap_or_else(|| "0".to_owned()),
    )
}

fn capabilities(object: &Map<String, Value>, notes: &mut Notes) -> (Capabilities, Vec<String>) {
    let flag = |members: &Map<String, Value>, name: &str| {
        members.get(name).and_then(Value::as_bool).unwrap_or(false)
    };
    let old_flag = known(
        object,
        "",
        "supportsAuthenticatedExtendedCard",
        &["supportsExtendedAgentCard", "supportsExtendedCard"],
        notes,
    )
    .and_then(|(value, _)| value.as_bool())
    .unwrap_or(false);
    let mut found = Capabilities {
        extended_card: old_flag,
        ..Capabilities::default()
    };
    let members = match member(object, "capabilities") {
        Some(Value::Object(members)) => members,
        Some(other) => {
            let detail = "The capabilities are no object; words of a list became tags.";
            notes.add(WarningCode::CapabilitiesNotObject, "/capabilities", detail);
            return (found, words(other));
        }
        None => {
            notes.add(
                WarningCode::CapabilitiesMissing,
                "",
                "No capabilities; read as none.",
            );
            return (found, Vec::new());
        }
    };
    let mut known_flag = |name: &'static str| {
        known(members, "/capabilities", name, &[], notes).and_then(|(v, _)| v.as_bool())
    };
    found.push_notifications = known_flag("pushNotifications").unwrap_or(false);
    found.extended_card |= known_flag("extendedAgentCard").unwrap_or(false);
    found.streaming = flag(members, "streaming");
    let extensions = members
        .get("extensions")
        .and_then(Value::as_array)
        .map(Vec::as_slice);
    found.extensions = extensions
        .unwrap_or_default()
        .iter()
        .filter(|one| one.is_object())
        .take(64)
        .cloned()
        .collect();
    (found, Vec::new())
}

/// The words of a list of capabilities: texts, or the names of objects.
fn words(value: &Value) -> Vec<String> {
    let named = |one: &Value| text(one, 64).or_else(|| text(one.get("name")?, 64));
    value.as_array().map_or_else(Vec::new, |list| {
        list.iter().filter_map(named).take(64).collect()
    })
}

fn modes(object: &Map<String, Value>, notes: &mut Notes) -> (Vec<String>, Vec<String>) {
    let mut read = |name: &'static str| {
        known(object, "", name, &[], notes).map_or_else(Vec::new, |(value, _)| {
            texts(value, skills::MODES, skills::MODE)
        })
    };
    let (input, output) = (read("defaultInputModes"), read("defaultOutputModes"));
    if input.is_empty() || output.is_empty() {
        notes.add(
            WarningCode::ModesMissing,
            "",
            "Default input or output modes are missing.",
        );
    }
    (input, output)
}

fn provider(object: &Map<String, Value>, notes: &mut Notes) -> Option<Provider> {
    let value = member(object, "provider")?;
    let (organization, url) = match value {
        Value::Object(members) => {
            let standard = known(
                members,
                "/provider",
                "organization",
                &["organisation"],
                notes,
            )
            .and_then(|(value, _)| text(value, 256));
            if standard.is_none() || member(members, "url").is_none() {
                let detail = "The provider lacks its organization or its address.";
                notes.add(WarningCode::ProviderIncomplete, "/provider", detail);
            }
            let named = || text(members.get("name")?, 256);
            (standard.or_else(named), members.get("url").and_then(link))
        }
        other => {
            let detail = "The provider is no object.";
            notes.add(WarningCode::ProviderIncomplete, "/provider", detail);
            (text(other, 256), None)
        }
    };
    Some(Provider {
        organization: organization.unwrap_or_default(),
        url,
    })
}
