//! An agent as everybody may see it: no contact, no upstream address.

use std::collections::BTreeMap;

use poem_openapi::Object;
use protocol::a2a::card::{Binding, Skill, Warning};
use registry::agent::{Agent, Capability, Liveness, MessageProtocol, Profile, State};
use registry::clock::rfc3339;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An agent.
#[derive(Debug, Clone, Serialize, Object)]
#[oai(rename = "Agent")]
pub struct AgentView {
    /// Its id.
    pub agent_id: String,
    /// `unclaimed`, `listed`, `paused`, `suspended` or `withdrawn`.
    pub state: String,
    /// True for an agent served by this gateway itself.
    pub tenant: bool,
    /// Display name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// What it does best, in a line.
    pub specialty: String,
    /// The agent's own version.
    pub version: String,
    /// Organisation, as claimed.
    pub org_name: Option<String>,
    /// Domain, as claimed.
    pub org_domain: Option<String>,
    /// Whether the organisation's claims were proven.
    pub org_verified: bool,
    /// `a2a`, `mcp` or `raw`.
    pub message_protocol: String,
    /// Whether whole A2A envelopes are understood.
    pub a2a_compliant: bool,
    /// The shape of the card served here to clients that name no version: `hybrid`, `1.0` or `0.3`.
    pub card_shape: String,
    /// Milliseconds that it may take to answer when the caller does not say; null for the gateway's own.
    pub timeout_ms: Option<u64>,
    /// A2A dialects spoken by the agent, preferred first.
    pub a2a_versions: Vec<String>,
    /// A2A dialects in which its endpoint answered when it was asked.
    pub a2a_versions_observed: Vec<String>,
    /// Whether `/call` can reach it.
    pub callable: bool,
    /// What it can do, with weights.
    pub capabilities: Vec<CapabilityView>,
    /// Its skills.
    pub skills: Vec<SkillView>,
    /// Words.
    pub tags: Vec<String>,
    /// Media types taken.
    pub input_modes: Vec<String>,
    /// Media types given.
    pub output_modes: Vec<String>,
    /// Declared settlement rails.
    pub settlement_rail: Vec<String>,
    /// JSON or XML.
    pub accepted_terms_format: Option<String>,
    /// Media types for plain HTTP.
    pub accepted_content_types: Vec<String>,
    /// GET or POST, for plain HTTP.
    pub http_methods: Vec<String>,
    /// REST, GraphQL or gRPC, as declared.
    pub protocol: Option<String>,
    /// The four conventions; a null value means any.
    pub payload_schema: Option<BTreeMap<String, Option<String>>>,
    /// Terms by pointer.
    pub terms: Option<Value>,
    /// Terms and schemas of single skills.
    pub skill_terms: Option<Value>,
    /// The header that carries a credential of the agent's own.
    pub auth_header_name: Option<String>,
    /// How to get such a credential.
    pub signup_help: Option<String>,
    /// Documentation page.
    pub documentation_url: Option<String>,
    /// Icon.
    pub icon_url: Option<String>,
    /// Where the card was fetched from.
    pub card_url: Option<String>,
    /// SHA-256 of the card's bytes, lower-case hex.
    pub card_digest: Option<String>,
    /// What was odd about the card.
    pub warnings: Vec<WarningView>,
    /// What calls through this gateway have shown.
    pub liveness: LivenessView,
    /// The A2A door of the agent at this gateway; null where there is none.
    pub a2a_url: Option<String>,
    /// Counts changes, from 1; send it back with `/update` to refuse a lost update.
    pub revision: i64,
    /// When it was listed, RFC 3339; null in previews.
    pub created_at: Option<String>,
    /// When it changed last; null in previews.
    pub updated_at: Option<String>,
}

/// A capability with its weight.
#[derive(Debug, Clone, Serialize, Deserialize, Object)]
#[oai(rename = "Capability")]
pub struct CapabilityView {
    /// 1 to 50 characters.
    pub name: String,
    /// 3 the speciality, 2 secondary, 1 generic.
    pub weight: u8,
}

/// A skill.
#[derive(Debug, Clone, Serialize, Deserialize, Object)]
#[oai(rename = "Skill")]
pub struct SkillView {
    /// Unique within the agent.
    pub id: String,
    /// For people.
    pub name: String,
    /// For people and search.
    #[serde(default)]
    #[oai(default)]
    pub description: String,
    /// Words.
    #[serde(default)]
    #[oai(default)]
    pub tags: Vec<String>,
    /// Sample requests.
    #[serde(default)]
    #[oai(default)]
    pub examples: Vec<String>,
    /// Media types taken; empty means the agent's.
    #[serde(default)]
    #[oai(default)]
    pub input_modes: Vec<String>,
    /// Media types given; empty means the agent's.
    #[serde(default)]
    #[oai(default)]
    pub output_modes: Vec<String>,
}

/// Something odd about a card.
#[derive(Debug, Clone, Serialize, Object)]
#[oai(rename = "CardWarning")]
pub struct WarningView {
    /// From the importer's closed list.
    pub code: String,
    /// JSON Pointer into the card.
    pub pointer: Option<String>,
    /// For people.
    pub detail: String,
}

/// What calls have shown.
#[derive(Debug, Clone, Serialize, Object)]
#[oai(rename = "Liveness")]
pub struct LivenessView {
    /// `answers`, `fails` or `unknown`.
    pub state: String,
    /// The last call that was answered.
    pub last_ok_at: Option<String>,
    /// The last call that was not.
    pub last_failure_at: Option<String>,
    /// Calls answered.
    pub answered: i64,
    /// Calls not answered.
    pub failed: i64,
    /// Duration of the last answered call, in milliseconds.
    pub last_latency_ms: Option<i64>,
}

impl AgentView {
    /// The view of a listed agent; `origin` is ours.
    #[must_use]
    pub fn of(agent: &Agent, origin: &str) -> Self {
        Self::with_profile(agent, agent.profile.clone(), origin)
    }

    fn with_profile(agent: &Agent, profile: Profile, origin: &str) -> Self {
        let door = agent.tenant || agent.interface().is_some();
        Self {
            agent_id: agent.id.to_string(),
            state: agent.state.as_str().to_owned(),
            tenant: agent.tenant,
            callable: agent.state.findable() && (agent.tenant || reachable(&agent.profile)),
            liveness: LivenessView::of(&agent.liveness),
            a2a_url: door.then(|| format!("{origin}/agents/{}", agent.id)),
            a2a_versions: if agent.tenant {
                vec!["1.0".into(), "0.3".into()]
            } else {
                versions(&agent.profile)
            },
            revision: agent.revision,
            created_at: Some(rfc3339(agent.created_at)),
            updated_at: Some(rfc3339(agent.updated_at)),
            ..view_of(profile)
        }
    }
}

/// An agent in a list: what it takes to choose one, and no more than a few kilobytes. The whole is
/// at `/agents/{id}`.
#[must_use]
pub fn brief_view(agent: &Agent, origin: &str) -> AgentView {
    let profile = &agent.profile;
    let cut = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    let few = |list: &[String]| list.iter().take(32).cloned().collect::<Vec<_>>();
    let skills = profile.skills.iter().take(12).map(|skill| Skill {
        id: skill.id.clone(),
        name: cut(&skill.name, 128),
        description: cut(&skill.description, 256),
        tags: few(&skill.tags),
        examples: skill
            .examples
            .iter()
            .take(2)
            .map(|text| cut(text, 128))
            .collect(),
        input_modes: few(&skill.input_modes),
        output_modes: few(&skill.output_modes),
    });
    let profile = Profile {
        name: cut(&profile.name, 256),
        description: cut(&profile.description, 1_024),
        specialty: cut(&profile.specialty, 512),
        interfaces: profile.interfaces.iter().take(8).cloned().collect(),
        capabilities: profile.capabilities.clone(),
        skills: skills.collect(),
        tags: few(&profile.tags),
        input_modes: few(&profile.input_modes),
        output_modes: few(&profile.output_modes),
        warnings: profile.warnings.iter().take(8).cloned().collect(),
        version: cut(&profile.version, 64),
        org_name: profile.org_name.as_deref().map(|text| cut(text, 256)),
        org_domain: profile.org_domain.clone(),
        endpoint_url: profile.endpoint_url.clone(),
        protocol: profile.protocol.clone(),
        message_protocol: profile.message_protocol,
        a2a_compliant: profile.a2a_compliant,
        card_shape: profile.card_shape,
        timeout_ms: profile.timeout_ms,
        observed_versions: profile.observed_versions.clone(),
        accepted_content_types: profile.accepted_content_types.clone(),
        http_methods: profile.http_methods.clone(),
        settlement_rail: profile.settlement_rail.clone(),
        accepted_terms_format: profile.accepted_terms_format.clone(),
        payload_schema: profile.payload_schema.clone(),
        signup_help: profile.signup_help.as_deref().map(|text| cut(text, 512)),
        auth_header_name: profile.auth_header_name.clone(),
        documentation_url: profile
            .documentation_url
            .as_deref()
            .map(|text| cut(text, 2_048)),
        icon_url: profile.icon_url.as_deref().map(|text| cut(text, 2_048)),
        card_url: profile.card_url.clone(),
        card_digest: profile.card_digest.clone(),
        ..Profile::default()
    };
    AgentView::with_profile(agent, profile, origin)
}

/// What a card or declaration says, before it is listed.
#[must_use]
pub fn profile_view(profile: &Profile) -> AgentView {
    view_of(profile.clone())
}

fn view_of(profile: Profile) -> AgentView {
    AgentView {
        agent_id: String::new(),
        state: State::Unclaimed.as_str().to_owned(),
        tenant: false,
        callable: reachable(&profile),
        a2a_versions: versions(&profile),
        a2a_versions_observed: profile
            .observed_versions
            .iter()
            .map(|version| version.as_str().to_owned())
            .collect(),
        name: profile.name,
        description: profile.description,
        specialty: profile.specialty,
        version: profile.version,
        org_name: profile.org_name,
        org_domain: profile.org_domain,
        org_verified: false,
        message_protocol: profile.message_protocol.as_str().to_owned(),
        a2a_compliant: profile.a2a_compliant,
        card_shape: profile.card_shape.as_str().to_owned(),
        timeout_ms: profile.timeout_ms,
        capabilities: profile.capabilities.into_iter().map(Into::into).collect(),
        skills: profile.skills.into_iter().map(Into::into).collect(),
        tags: profile.tags,
        input_modes: profile.input_modes,
        output_modes: profile.output_modes,
        settlement_rail: profile.settlement_rail,
        accepted_terms_format: profile.accepted_terms_format,
        accepted_content_types: profile.accepted_content_types,
        http_methods: profile.http_methods,
        protocol: profile.protocol,
        payload_schema: profile.payload_schema,
        terms: profile
            .terms
            .as_ref()
            .and_then(|terms| serde_json::from_str(terms.as_str()).ok()),
        skill_terms: (!profile.skill_terms.is_empty())
            .then(|| serde_json::to_value(&profile.skill_terms).unwrap_or_default()),
        auth_header_name: profile.auth_header_name,
        signup_help: profile.signup_help,
        documentation_url: profile.documentation_url,
        icon_url: profile.icon_url,
        card_url: profile.card_url,
        card_digest: profile.card_digest,
        warnings: profile.warnings.into_iter().map(Into::into).collect(),
        liveness: LivenessView::of(&Liveness::default()),
        a2a_url: None,
        revision: 0,
        created_at: None,
        updated_at: None,
    }
}

/// Whether there is an address that this version can call.
fn reachable(profile: &Profile) -> bool {
    let speaks_a2a = profile.message_protocol == MessageProtocol::A2a && profile.a2a_compliant;
    if speaks_a2a {
        !versions(profile).is_empty()
    } else {
        profile.endpoint_url.is_some()
    }
}

fn versions(profile: &Profile) -> Vec<String> {
    let mut versions = Vec::new();
    for interface in profile
        .interfaces
        .iter()
        .filter(|i| i.callable && i.binding == Binding::JsonRpc)
    {
        let version = interface.version.as_str().to_owned();
        if !versions.contains(&version) {
            versions.push(version);
        }
    }
    versions
}

impl LivenessView {
    fn of(liveness: &Liveness) -> Self {
        let state = match liveness.answers() {
            None => "unknown",
            Some(true) => "answers",
            Some(false) => "fails",
        };
        Self {
            state: state.to_owned(),
            last_ok_at: liveness.last_ok_at.map(rfc3339),
            last_failure_at: liveness.last_failure_at.map(rfc3339),
            answered: liveness.answered,
            failed: liveness.failed,
            last_latency_ms: liveness.last_latency_ms,
        }
    }
}

impl From<Capability> for CapabilityView {
    fn from(capability: Capability) -> Self {
        Self {
            name: capability.name,
            weight: capability.weight,
        }
    }
}

impl From<Skill> for SkillView {
    fn from(skill: Skill) -> Self {
        Self {
            id: skill.id,
            name: skill.name,
            description: skill.description,
            tags: skill.tags,
            examples: skill.examples,
            input_modes: skill.input_modes,
            output_modes: skill.output_modes,
        }
    }
}

impl From<SkillView> for Skill {
    fn from(skill: SkillView) -> Self {
        Self {
            id: skill.id,
            name: skill.name,
            description: skill.description,
            tags: skill.tags,
            examples: skill.examples,
            input_modes: skill.input_modes,
            output_modes: skill.output_modes,
        }
    }
}

impl From<Warning> for WarningView {
    fn from(warning: Warning) -> Self {
        Self {
            code: warning.code.as_str().to_owned(),
            pointer: warning.pointer,
            detail: warning.detail,
        }
    }
}
