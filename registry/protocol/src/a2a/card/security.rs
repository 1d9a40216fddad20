//! What a card says about credentials, signatures and on-chain identity.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value};

use super::{
    IdentityClaims, Interface, LegacyAuth, WarningCode,
    declared::Layout,
    fields::{Notes, known, member, text, texts},
    sniff::registration_type,
};
use crate::{a2a::Version, erc8004::AgentRef};

/// Wrapper members of a 1.0 security scheme.
const WRAPPERS: [&str; 5] = [
    "apiKeySecurityScheme",
    "httpAuthSecurityScheme",
    "oauth2SecurityScheme",
    "openIdConnectSecurityScheme",
    "mtlsSecurityScheme",
];

/// `securitySchemes` and the requirements as written, with a remark when they are of the other dialect.
pub(super) fn schemes(
    card: &Map<String, Value>,
    interfaces: &[Interface],
    layout: Layout,
    notes: &mut Notes,
) -> (Map<String, Value>, Vec<Value>) {
    let schemes = known(card, "", "securitySchemes", &[], notes)
        .and_then(|(value, _)| value.as_object().cloned())
        .unwrap_or_default();
    let all_flat = layout == Layout::Flat
        || (!interfaces.is_empty() && interfaces.iter().all(|one| one.version == Version::V0_3));
    let mixed = |scheme: &Value| {
        let wrapped = WRAPPERS
            .iter()
            .any(|name| scheme.get(*name).is_some_and(Value::is_object));
        let flat = scheme.get("type").is_some_and(Value::is_string);
        if all_flat {
            wrapped && !flat
        } else {
            layout == Layout::List && flat && !wrapped
        }
    };
    let mut odd = schemes
        .iter()
        .filter(|(_, scheme)| mixed(scheme))
        .map(|(name, _)| name);
    if let Some(name) = odd.next() {
        let pointer = format!("/securitySchemes{}", crate::json::pointer_step(name));
        let detail = "The scheme is written in the form of the other dialect.";
        notes.add(WarningCode::SecurityShapeMixed, &pointer, detail);
    }
    (schemes, requirements(card, notes))
}

fn requirements(card: &Map<String, Value>, notes: &mut Notes) -> Vec<Value> {
    let new = known(card, "", "securityRequirements", &[], notes).map(|(value, _)| value);
    let wrapped = |one: &&Value| one.get("schemes").is_some_and(Value::is_object);
    let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let (new, old) = (list(new), list(member(card, "security")));
    let bare = |one: &&Value| one.as_object().is_some_and(|o| !o.is_empty()) && !wrapped(one);
    if new.iter().any(|one| bare(&one)) {
        let detail = "A requirement without its schemes wrapper.";
        notes.add(
            WarningCode::SecurityShapeMixed,
            "/securityRequirements",
            detail,
        );
    }
    if old.iter().any(|one| wrapped(&one)) {
        let detail = "A requirement in the form of 1.0 in the place of 0.3.";
        notes.add(WarningCode::SecurityShapeMixed, "/security", detail);
    }
    if new.is_empty() { old } else { new }
}

/// The schemes of a 0.1 `authentication` member. Its `credentials` are never looked at.
pub(super) fn legacy(card: &Map<String, Value>, notes: &mut Notes) -> Vec<LegacyAuth> {
    let Some(value) = member(card, "authentication") else {
        return Vec::new();
    };
    let detail = "Authentication as in A2A 0.1; its schemes are read, its credentials are not.";
    notes.add(WarningCode::AuthLegacy, "/authentication", detail);
    let names = match value {
        Value::Object(object) => ["schemes", "scheme", "type"]
            .iter()
            .find_map(|name| member(object, name))
            .map_or_else(Vec::new, |value| texts(value, 16, 64)),
        other => texts(other, 16, 64),
    };
    names.into_iter().map(legacy_scheme).collect()
}

fn legacy_scheme(name: String) -> LegacyAuth {
    let plain: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_lowercase();
    match plain.as_str() {
        "bearer" | "bearertoken" => LegacyAuth::Bearer,
        "basic" => LegacyAuth::Basic,
        "apikey" => LegacyAuth::ApiKey,
        "none" | "public" | "noauth" => LegacyAuth::None,
        "x402" => LegacyAuth::X402,
        _ => LegacyAuth::Other(name),
    }
}

/// Notes signatures. Without a store of keys a well-formed one stays unverified; a card of which no
/// signature is even well-formed can never verify.
pub(super) fn signatures(card: &Map<String, Value>, notes: &mut Notes) {
    let Some(value) = member(card, "signatures") else {
        return;
    };
    if value.as_array().is_some_and(Vec::is_empty) {
        return;
    }
    let well_formed = value
        .as_array()
        .is_some_and(|list| list.iter().any(is_well_formed));
    let (code, detail) = if well_formed {
        (
            WarningCode::SignatureUnverified,
            "No key is at hand to check the signature.",
        )
    } else {
        (
            WarningCode::SignatureInvalid,
            "No signature has the form of a detached JWS.",
        )
    };
    notes.add(code, "/signatures", detail);
}

fn is_well_formed(signature: &Value) -> bool {
    let part = |name: &str| {
        let text = signature.get(name)?.as_str()?;
        URL_SAFE_NO_PAD
            .decode(text.trim_end_matches('='))
            .ok()
            .filter(|bytes| !bytes.is_empty())
    };
    let algorithm = part("protected")
        .and_then(|header| crate::json::parse(&header).ok())
        .and_then(|header| header.value.get("alg")?.as_str().map(str::to_owned));
    algorithm.is_some_and(|name| !name.eq_ignore_ascii_case("none")) && part("signature").is_some()
}

/// ERC-8004 members of a card.
pub(super) fn identity(card: &Map<String, Value>, notes: &mut Notes) -> Option<IdentityClaims> {
    let kind = registration_type(card);
    let names = ["registrations", "supportedTrust", "trustModels"];
    let first = names.iter().find(|name| member(card, name).is_some());
    let pointer = match (kind, first) {
        (Some(_), _) => "/type".to_owned(),
        (None, Some(name)) => format!("/{name}"),
        (None, None) => return None,
    };
    let detail = "On-chain identity is claimed; it counts once the chain links back.";
    notes.add(WarningCode::Erc8004Claims, &pointer, detail);
    let entries = card
        .get("registrations")
        .and_then(Value::as_array)
        .map(Vec::as_slice);
    let trust = member(card, "supportedTrust").or_else(|| member(card, "trustModels"));
    Some(IdentityClaims {
        registration_type: kind.map(|text| super::fields::cut(text, 256)),
        registrations: entries
            .unwrap_or_default()
            .iter()
            .filter_map(registration)
            .take(64)
            .collect(),
        trust_models: trust.map_or_else(Vec::new, |value| texts(value, 16, 64)),
    })
}

/// One `{agentId, agentRegistry: "eip155:{chain}:{address}"}`.
fn registration(entry: &Value) -> Option<AgentRef> {
    let id = text(entry.get("agentId")?, 78)?;
    let registry = entry.get("agentRegistry")?.as_str()?.trim();
    format!("{registry}:{id}").parse().ok()
}
