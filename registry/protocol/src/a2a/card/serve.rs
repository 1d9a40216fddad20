//! The card as it is served here: known members only, and every address ours.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Card, Provider, Skill};
use crate::a2a::Version;

/// The media type served when none is known.
const FALLBACK_MODE: &str = "text/plain";

/// Which layout is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum Shape {
    /// The 1.0 card with the 0.3 members in the same object; the default without a version header.
    #[default]
    #[serde(rename = "hybrid")]
    Hybrid,
    /// Pure 1.0.
    #[serde(rename = "1.0")]
    V1_0,
    /// Pure 0.3.
    #[serde(rename = "0.3")]
    V0_3,
}

impl Shape {
    /// The name on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::V1_0 => "1.0",
            Self::V0_3 => "0.3",
        }
    }
}

/// What a served card says about the agent, wherever it came from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CardSource {
    /// The agent's name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The agent's own version; "0" is written when empty.
    pub version: String,
    /// Who offers it; left out unless complete, since both dialects require both members.
    pub provider: Option<Provider>,
    /// A page for people.
    pub documentation_url: Option<String>,
    /// A picture.
    pub icon_url: Option<String>,
    /// Media types taken; text/plain when empty.
    pub default_input_modes: Vec<String>,
    /// Media types given; text/plain when empty.
    pub default_output_modes: Vec<String>,
    /// What it offers.
    pub skills: Vec<Skill>,
    /// The agent's own extensions, which are forwarded and so stay listed.
    pub extensions: Vec<Value>,
}

impl From<&Card> for CardSource {
    fn from(card: &Card) -> Self {
        Self {
            name: card.name.clone(),
            description: card.description.clone(),
            version: card.version.clone(),
            provider: card.provider.clone(),
            documentation_url: card.documentation_url.clone(),
            icon_url: card.icon_url.clone(),
            default_input_modes: card.default_input_modes.clone(),
            default_output_modes: card.default_output_modes.clone(),
            skills: card.skills.clone(),
            extensions: card.capabilities.extensions.clone(),
        }
    }
}

/// An extension of ours, under a URI of ours.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnExtension {
    /// Names the extension; an entry of the agent under the same URI is left out.
    pub uri: String,
    /// For people.
    pub description: String,
    /// What it says, an object.
    pub params: Value,
}

/// How callers prove who they are at our door.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Security {
    /// Nothing is asked for.
    None,
    /// A bearer key may be given: it is one alternative, none is the other.
    BearerOptional,
    /// A bearer key must be given.
    Bearer,
}

/// How a card is served.
#[derive(Debug, Clone, PartialEq)]
pub struct ServeOptions {
    /// Our JSON-RPC door for this agent, absolute.
    pub url: String,
    /// The dialects the door speaks for this agent, preferred first; both when empty.
    pub versions: Vec<Version>,
    /// Whether the paths of HTTP+JSON are below it.
    pub rest: bool,
    /// The layout.
    pub shape: Shape,
    /// What is ours.
    pub own: Vec<OwnExtension>,
    /// Whether the door answers streams for this agent.
    pub streaming: bool,
    /// Whether the door takes push notification configs for this agent.
    pub push: bool,
    /// Whether the door has a further card for authenticated callers.
    pub extended_card: bool,
    /// How callers prove who they are.
    pub security: Security,
}

/// Writes the card. A hybrid of an agent with one dialect only is the pure card of that dialect; a
/// pure shape is written as asked for.
#[must_use]
pub fn served(source: &CardSource, options: &ServeOptions) -> Value {
    let versions: &[Version] = if options.versions.is_empty() {
        &[Version::V1_0, Version::V0_3]
    } else {
        &options.versions
    };
    let (new, old) = match options.shape {
        Shape::V1_0 => (true, false),
        Shape::V0_3 => (false, true),
        Shape::Hybrid => (
            versions.contains(&Version::V1_0),
            versions.contains(&Version::V0_3),
        ),
    };
    let mut card = Map::new();
    put(&mut card, "name", source.name.as_str());
    put(&mut card, "description", source.description.as_str());
    put(
        &mut card,
        "version",
        if source.version.is_empty() {
            "0"
        } else {
            &source.version
        },
    );
    if new {
        let spoken = if old { versions } else { &[Version::V1_0] };
        card.insert(
            "supportedInterfaces".into(),
            interfaces(&options.url, options.rest, spoken),
        );
    }
    if old {
        put(&mut card, "protocolVersion", "0.3.0");
        put(&mut card, "url", options.url.as_str());
        put(&mut card, "preferredTransport", "JSONRPC");
        card.insert(
            "additionalInterfaces".into(),
            ["JSONRPC", "HTTP+JSON"]
                .iter()
                .take(if options.rest { 2 } else { 1 })
                .map(|transport| json!({"url": options.url, "transport": transport}))
                .collect(),
        );
    }
    about(source, &mut card);
    card.insert("capabilities".into(), capabilities(source, options, new));
    card.insert(
        "defaultInputModes".into(),
        modes(&source.default_input_modes),
    );
    card.insert(
        "defaultOutputModes".into(),
        modes(&source.default_output_modes),
    );
    let skills: Vec<Value> = source.skills.iter().map(skill).collect();
    card.insert("skills".into(), skills.into());
    if old && options.extended_card {
        card.insert("supportsAuthenticatedExtendedCard".into(), true.into());
    }
    security(options.security, new, old, &mut card);
    Value::Object(card)
}

fn put(card: &mut Map<String, Value>, name: &str, text: &str) {
    card.insert(name.into(), text.into());
}

fn interfaces(url: &str, rest: bool, versions: &[Version]) -> Value {
    let entry = |binding: &str, version: &Version| json!({"url": url, "protocolBinding": binding, "protocolVersion": version.as_str()});
    // One URL for both bindings: the paths of HTTP+JSON are below it.
    let bindings = ["JSONRPC", "HTTP+JSON"];
    bindings
        .iter()
        .take(if rest { 2 } else { 1 })
        .flat_map(|binding| versions.iter().map(|version| entry(binding, version)))
        .collect()
}

/// Provider and links.
fn about(source: &CardSource, card: &mut Map<String, Value>) {
    if let Some(Provider {
        organization,
        url: Some(url),
    }) = &source.provider
        && !organization.is_empty()
    {
        card.insert(
            "provider".into(),
            json!({"organization": organization, "url": url}),
        );
    }
    for (name, link) in [
        ("documentationUrl", &source.documentation_url),
        ("iconUrl", &source.icon_url),
    ] {
        if let Some(link) = link {
            put(card, name, link);
        }
    }
}

fn capabilities(source: &CardSource, options: &ServeOptions, new: bool) -> Value {
    let mut out = json!({"streaming": options.streaming, "pushNotifications": options.push});
    if new {
        out["extendedAgentCard"] = options.extended_card.into();
    }
    let theirs = source
        .extensions
        .iter()
        .filter_map(extension)
        .filter(|one| !options.own.iter().any(|own| one["uri"] == own.uri.as_str()));
    let ours = options.own.iter().map(|own| {
        json!({"uri": own.uri, "description": own.description, "required": false,
            "params": own.params})
    });
    let all: Vec<Value> = theirs.chain(ours).collect();
    if !all.is_empty() {
        out["extensions"] = all.into();
    }
    out
}

/// The known members of one extension, when it has its URI.
fn extension(value: &Value) -> Option<Value> {
    let mut out = Map::new();
    put(&mut out, "uri", value.get("uri")?.as_str()?);
    if let Some(text) = value.get("description").and_then(Value::as_str) {
        put(&mut out, "description", text);
    }
    if let Some(required) = value.get("required").and_then(Value::as_bool) {
        out.insert("required".into(), required.into());
    }
    if let Some(params) = value.get("params").filter(|params| params.is_object()) {
        out.insert("params".into(), params.clone());
    }
    Some(Value::Object(out))
}

fn modes(known: &[String]) -> Value {
    if known.is_empty() {
        json!([FALLBACK_MODE])
    } else {
        known.into()
    }
}

fn skill(skill: &Skill) -> Value {
    let mut out = Map::new();
    put(&mut out, "id", &skill.id);
    put(
        &mut out,
        "name",
        if skill.name.is_empty() {
            &skill.id
        } else {
            &skill.name
        },
    );
    put(&mut out, "description", &skill.description);
    out.insert("tags".into(), skill.tags.as_slice().into());
    let lists = [
        ("examples", &skill.examples),
        ("inputModes", &skill.input_modes),
        ("outputModes", &skill.output_modes),
    ];
    for (name, list) in lists {
        if !list.is_empty() {
            out.insert(name.into(), list.as_slice().into());
        }
    }
    Value::Object(out)
}

/// Our bearer scheme. In a hybrid card both forms are merged into one object, so each reader finds
/// its own.
fn security(security: Security, new: bool, old: bool, card: &mut Map<String, Value>) {
    let alternatives: &[bool] = match security {
        Security::None => return,
        Security::BearerOptional => &[true, false],
        Security::Bearer => &[true],
    };
    let description = "An API key of this gateway.";
    let mut scheme = json!({});
    if old {
        scheme = json!({"type": "http", "scheme": "bearer", "description": description});
    }
    if new {
        scheme["httpAuthSecurityScheme"] = json!({"scheme": "Bearer", "description": description});
    }
    card.insert("securitySchemes".into(), json!({"bearer": scheme}));
    if new {
        let list = alternatives.iter().map(|with| match with {
            true => json!({"schemes": {"bearer": {"list": []}}}),
            false => json!({"schemes": {}}),
        });
        card.insert("securityRequirements".into(), list.collect());
    }
    if old {
        let list = alternatives.iter().map(|with| match with {
            true => json!({"bearer": []}),
            false => json!({}),
        });
        card.insert("security".into(), list.collect());
    }
}

#[cfg(test)]
mod tests;
