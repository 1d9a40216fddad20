//! Telling agent cards from the many other things that lie where cards are looked for.

use serde_json::{Map, Value};
use url::Url;

use super::{
    ForeignKind, Refusal,
    fields::{cut, member},
};

/// Members whose text is a call address, the standard one first.
pub(super) const ADDRESS_NAMES: [&str; 4] = ["url", "a2aEndpoint", "endpoint", "serviceUrl"];

/// Members that make an object with a name and an address a card.
const COMPANIONS: [&str; 5] = [
    "capabilities",
    "protocolVersion",
    "supportedInterfaces",
    "preferredTransport",
    "defaultInputModes",
];

/// Members that name the place of the real card.
const POINTERS: [&str; 10] = [
    "a2a_agent_card",
    "a2aAgentCard",
    "a2a_card",
    "a2aCard",
    "agent_card",
    "agentCard",
    "agent_card_url",
    "agentCardUrl",
    "agentCardURL",
    "a2a_agent_card_url",
];

/// The object, when it is a card.
///
/// # Errors
/// The refusal with what it is instead and where to go.
pub(super) fn card<'a>(
    value: &'a Value,
    from: Option<&Url>,
) -> Result<&'a Map<String, Value>, Refusal> {
    let object = match value {
        Value::Object(object) => object,
        Value::Array(list) if list.iter().any(Value::is_object) => {
            let detail = "The document is a list, not one card.";
            return Err(Refusal::foreign(ForeignKind::AgentIndex, None, detail));
        }
        _ => {
            let detail = "The document is no JSON object.";
            return Err(Refusal::foreign(ForeignKind::OtherManifest, None, detail));
        }
    };
    let full = member(object, "skills").is_some_and(Value::is_array)
        || member(object, "supportedInterfaces").is_some();
    if let Some((name, target)) = pointer(object).filter(|_| !full) {
        let hint = resolve(target, from);
        let detail = format!("The document only names the place of the card, in {name}.");
        return Err(Refusal::foreign(ForeignKind::Pointer, hint, detail));
    }
    if is_card(object) {
        return Ok(object);
    }
    Err(foreign(object, from))
}

fn is_card(object: &Map<String, Value>) -> bool {
    let named = object
        .get("name")
        .and_then(Value::as_str)
        .is_some_and(|n| !cut(n, 256).is_empty());
    let skills = object.get("skills").is_some_and(Value::is_array);
    let companion = COMPANIONS.iter().any(|name| member(object, name).is_some());
    let registered = registration_type(object).is_some();
    named && (skills || (has_address(object) && (companion || registered)))
}

fn has_address(object: &Map<String, Value>) -> bool {
    let filled = |name: &&str| {
        object
            .get(*name)
            .and_then(Value::as_str)
            .is_some_and(|text| !text.trim().is_empty())
    };
    ADDRESS_NAMES.iter().any(filled)
        || object
            .get("supportedInterfaces")
            .or_else(|| object.get("supported_interfaces"))
            .and_then(Value::as_array)
            .is_some_and(|list| !list.is_empty())
}

/// The `type` of an ERC-8004 registration file.
pub(super) fn registration_type(object: &Map<String, Value>) -> Option<&str> {
    let text = object.get("type")?.as_str()?;
    let lower = text.to_ascii_lowercase();
    let known =
        lower.contains("eip-8004") || lower.contains("erc-8004") || lower.contains("erc8004");
    (known && lower.contains("registration")).then_some(text)
}

fn pointer(object: &Map<String, Value>) -> Option<(&'static str, &str)> {
    POINTERS.iter().find_map(|name| {
        let target = object.get(*name)?.as_str()?.trim();
        (!target.is_empty()).then_some((*name, target))
    })
}

fn resolve(target: &str, from: Option<&Url>) -> Option<String> {
    if target.len() > 2048 {
        return None;
    }
    match (Url::parse(target), from) {
        (Ok(url), _) => matches!(url.scheme(), "http" | "https").then(|| url.to_string()),
        (Err(_), Some(base)) => base.join(target).ok().map(|url| url.to_string()),
        (Err(_), None) => Some(target.to_owned()),
    }
}

fn foreign(object: &Map<String, Value>, from: Option<&Url>) -> Refusal {
    let has_list = |name: &str| object.get(name).is_some_and(Value::is_array);
    let services = has_list("services") || has_list("endpoints");
    if registration_type(object).is_some() || (has_list("registrations") && services) {
        let hint = a2a_service(object).and_then(|target| resolve(target, from));
        let detail = match hint {
            Some(_) => "An ERC-8004 registration file; its A2A service names the card.",
            None => "An ERC-8004 registration file without an A2A service.",
        };
        return Refusal::foreign(ForeignKind::Erc8004Registration, hint, detail);
    }
    let catalog = object.contains_key("specVersion") && has_list("entries");
    if has_list("agents") || has_list("agentCards") || has_list("cards") || catalog {
        let detail = "A list of agents, not one card.";
        return Refusal::foreign(ForeignKind::AgentIndex, None, detail);
    }
    let nested = object
        .iter()
        .find(|(_, value)| value.as_object().is_some_and(is_card));
    let detail = match nested {
        Some((key, _)) => {
            format!("The card lies below the member {:?}.", cut(key, 64))
        }
        None if !object.get("name").is_some_and(Value::is_string) => {
            "Some other manifest: no name at the top.".to_owned()
        }
        None => "Some other manifest: neither skills nor an address to call.".to_owned(),
    };
    Refusal::foreign(ForeignKind::OtherManifest, None, detail)
}

/// The endpoint of the service named A2A in a registration file (older ones say `endpoints`).
fn a2a_service(object: &Map<String, Value>) -> Option<&str> {
    ["services", "endpoints"].iter().find_map(|name| {
        object.get(*name)?.as_array()?.iter().find_map(|service| {
            let named = service.get("name")?.as_str()?.eq_ignore_ascii_case("a2a");
            let target = service
                .get("endpoint")
                .or_else(|| service.get("url"))?
                .as_str()?;
            named.then_some(target)
        })
    })
}
