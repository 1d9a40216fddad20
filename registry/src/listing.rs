//! From an agent card to a listing.

use protocol::a2a::card::{Binding, Card};
use url::Url;

use crate::agent::{AgentId, Capability, MessageProtocol, Profile};
use crate::digest::sha256_hex;

/// What a card says, as a profile. `bytes` are the card as it came.
#[must_use]
pub fn profile_of(card: &Card, bytes: &[u8], card_url: Option<&Url>) -> Profile {
    let callable = |binding| {
        card.interfaces
            .iter()
            .find(move |i| i.callable && i.binding == binding)
    };
    let address = callable(Binding::JsonRpc).or_else(|| callable(Binding::HttpJson));
    let provider = card.provider.clone().unwrap_or_default();
    Profile {
        name: card.name.clone(),
        description: card.description.clone(),
        version: card.version.clone(),
        org_name: Some(provider.organization).filter(|name| !name.is_empty()),
        org_domain: provider
            .url
            .as_deref()
            .and_then(host_of)
            .or_else(|| card_url.and_then(|url| host_of(url.as_str()))),
        org_url: provider.url,
        endpoint_url: address.map(|interface| interface.url.clone()),
        interfaces: card.interfaces.clone(),
        message_protocol: MessageProtocol::A2a,
        a2a_compliant: true,
        streaming: card.capabilities.streaming,
        push_notifications: card.capabilities.push_notifications,
        capabilities: card.skills.iter().take(6).map(generic).collect(),
        skills: card.skills.clone(),
        tags: card.tags.clone(),
        input_modes: card.default_input_modes.clone(),
        output_modes: card.default_output_modes.clone(),
        documentation_url: card.documentation_url.clone(),
        icon_url: card.icon_url.clone(),
        card_url: card_url.map(Url::to_string),
        card_digest: Some(sha256_hex(bytes)),
        extensions: card.capabilities.extensions.clone(),
        warnings: card.warnings.clone(),
        ..Profile::default()
    }
}

/// A card has skills, the directory has capabilities: the first six skills, generic.
fn generic(skill: &protocol::a2a::card::Skill) -> Capability {
    Capability {
        name: skill.id.chars().take(50).collect(),
        weight: 1,
    }
}

fn host_of(url: &str) -> Option<String> {
    Url::parse(url)
        .ok()?
        .host_str()
        .map(|host| host.trim_end_matches('.').to_ascii_lowercase())
}

/// What an importer should know is missing: members that make an agent findable and callable.
#[must_use]
pub fn missing_fields(profile: &Profile) -> Vec<&'static str> {
    let checks = [
        ("description", profile.description.is_empty()),
        ("endpoint_url", profile.endpoint_url.is_none()),
        ("org_name", profile.org_name.is_none()),
        ("skills", profile.skills.is_empty()),
        ("input_modes", profile.input_modes.is_empty()),
        ("output_modes", profile.output_modes.is_empty()),
        ("documentation_url", profile.documentation_url.is_none()),
    ];
    checks
        .into_iter()
        .filter(|(_, missing)| *missing)
        .map(|(name, _)| name)
        .collect()
}

/// Ids for an agent without one, best first: its name, name and host, name and digest.
#[must_use]
pub fn candidate_ids(profile: &Profile) -> Vec<AgentId> {
    let slug = slug(&profile.name);
    let host = profile
        .card_url
        .as_deref()
        .or(profile.endpoint_url.as_deref())
        .and_then(host_of);
    let digest = profile.card_digest.as_deref().unwrap_or_default();
    let with_host = host.map(|host| format!("{slug}.{}", self::slug(&host)));
    let short = digest.get(..8).unwrap_or_default();
    let with_digest = [format!("{slug}-{short}"), format!("{slug}-{digest}")];
    std::iter::once(slug.clone())
        .chain(with_host)
        .chain(with_digest)
        .filter_map(|text| AgentId::claim(text.get(..AgentId::MAX).unwrap_or(&text)).ok())
        .collect()
}

/// Lower-case words joined by `-`, at most 60 characters; `agent` when nothing is left.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if c == '.' && !slug.ends_with(['-', '.']) && !slug.is_empty() {
            slug.push('.');
        } else if !slug.ends_with(['-', '.']) && !slug.is_empty() {
            slug.push('-');
        }
    }
    slug.truncate(60);
    let slug = slug.trim_end_matches(['-', '.']);
    // "Guildhall …" is a fair name, but ids that begin so are ours.
    match slug.strip_prefix("guildhall-").unwrap_or(slug) {
        "" => "agent".to_owned(),
        slug => slug.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_ids() {
        for (name, id) in [
            ("Invoice  Agent (EU)", "invoice-agent-eu"),
            ("Guildhall Echo", "echo"),
            ("ÜÄ", "agent"),
            ("a.b", "a.b"),
        ] {
            assert_eq!(slug(name), id);
        }
        let ids = candidate_ids(&Profile {
            name: "X".into(),
            card_digest: Some("ab".repeat(32)),
            ..Profile::default()
        });
        assert_eq!(ids[0].as_str(), "x");
        assert_eq!(ids[1].as_str(), "x-abababab");
    }
}
