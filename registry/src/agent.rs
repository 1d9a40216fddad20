//! An agent as the directory knows it: identity, state and profile.

use std::collections::BTreeMap;
use std::fmt;

use protocol::a2a::card::{Binding, Interface, Skill, Warning};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clock::Millis;
use crate::error::{Invalid, InvalidKind};
use crate::terms::{Json, SkillTerms, Terms};

/// The id of an agent: `[a-z0-9][a-z0-9._-]{0,127}`, or a chain identity with colons.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AgentId(String);

impl AgentId {
    /// The most characters an id may have.
    pub const MAX: usize = 128;

    /// Reads an id that somebody wants to take: the reserved ones are refused.
    ///
    /// # Errors
    /// [`Invalid`] at `/agent_id`, of kind `ReservedId` where the form alone is right.
    pub fn claim(text: &str) -> Result<Self, Invalid> {
        let ours = text
            .strip_prefix("guildhall")
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.', '_']));
        if text.contains(':') || ours || text == "operator" {
            return Err(Invalid::of(
                InvalidKind::ReservedId,
                "/agent_id",
                "ids that contain ':', begin with 'guildhall', or are 'operator' are reserved",
            ));
        }
        Self::name(text).ok_or_else(|| {
            Invalid::value(
                "/agent_id",
                "an id is 1 to 128 of a-z 0-9 . _ - and begins with a letter or digit",
            )
        })
    }

    /// Reads an id for look-up: `None` when no agent can have it.
    #[must_use]
    pub fn lookup(text: &str) -> Option<Self> {
        let chain = text.contains(':')
            && text.len() <= Self::MAX
            && text
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b':');
        if chain {
            Some(Self(text.to_owned()))
        } else {
            Self::name(text)
        }
    }

    /// The id of a tenant of this process.
    #[must_use]
    pub fn tenant(name: &str) -> Option<Self> {
        Self::name(&format!("guildhall-{name}"))
    }

    fn name(text: &str) -> Option<Self> {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let mut bytes = text.bytes();
        let good = bytes.next().is_some_and(plain)
            && text.len() <= Self::MAX
            && bytes.all(|b| plain(b) || matches!(b, b'.' | b'_' | b'-'));
        good.then(|| Self(text.to_owned()))
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether, and by whom, an agent stands in the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Listed from its public card by somebody else; no owner, no price.
    Unclaimed,
    /// Listed by its owner.
    Listed,
    /// Taken out of search and calls by its owner, for a while.
    Paused,
    /// Taken out by the operator.
    Suspended,
    /// Withdrawn for good; the id stays taken.
    Withdrawn,
}

impl State {
    /// All states, in the order of the documentation.
    pub const ALL: [Self; 5] = [
        Self::Unclaimed,
        Self::Listed,
        Self::Paused,
        Self::Suspended,
        Self::Withdrawn,
    ];

    /// The name on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unclaimed => "unclaimed",
            Self::Listed => "listed",
            Self::Paused => "paused",
            Self::Suspended => "suspended",
            Self::Withdrawn => "withdrawn",
        }
    }

    /// The state with that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == text)
    }

    /// Whether `/match` may show the agent.
    #[must_use]
    pub const fn findable(self) -> bool {
        matches!(self, Self::Unclaimed | Self::Listed)
    }
}

/// How a message reaches the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageProtocol {
    /// A2A; see [`Profile::a2a_compliant`].
    #[default]
    A2a,
    /// Model Context Protocol: the body passes untouched.
    Mcp,
    /// Plain HTTP: the content part with its content type.
    Raw,
}

impl MessageProtocol {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::A2a => "a2a",
            Self::Mcp => "mcp",
            Self::Raw => "raw",
        }
    }
}

/// A capability and how much the agent is about it: 3 the speciality, 2 secondary, 1 generic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capability {
    /// 1 to 50 characters.
    pub name: String,
    /// 1, 2 or 3.
    pub weight: u8,
}

/// Everything an agent says of itself: claims, until evidence says more.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    /// Display name.
    pub name: String,
    /// For people and search.
    pub description: String,
    /// One line on what it does best.
    pub specialty: String,
    /// The agent's own version.
    pub version: String,
    /// Organisation: a claim until a domain proof.
    pub org_name: Option<String>,
    /// Domain: a claim until a domain proof.
    pub org_domain: Option<String>,
    /// Web page of the organisation.
    pub org_url: Option<String>,
    /// Where calls go; absent for agents that only call.
    pub endpoint_url: Option<String>,
    /// All call addresses, preferred first.
    pub interfaces: Vec<Interface>,
    /// REST, GraphQL or gRPC, as declared.
    pub protocol: Option<String>,
    /// How a message reaches the agent.
    pub message_protocol: MessageProtocol,
    /// Whether whole JSON-RPC envelopes are understood (only with `a2a`).
    pub a2a_compliant: bool,
    /// How long it may take to answer, in milliseconds, when the caller does not say.
    pub timeout_ms: Option<u64>,
    /// The shape of its served card for clients that name no version.
    pub card_shape: protocol::a2a::card::serve::Shape,
    /// The dialects in which the A2A endpoint answered us, preferred first; empty before it was asked.
    pub observed_versions: Vec<protocol::a2a::Version>,
    /// Whether the A2A endpoint streams, as its card says.
    pub streaming: bool,
    /// Whether the A2A endpoint sends push notifications, as its card says.
    pub push_notifications: bool,
    /// Media types for plain HTTP.
    pub accepted_content_types: Vec<String>,
    /// GET or POST, for plain HTTP.
    pub http_methods: Vec<String>,
    /// Declared settlement rails.
    pub settlement_rail: Vec<String>,
    /// JSON or XML.
    pub accepted_terms_format: Option<String>,
    /// At most six.
    pub capabilities: Vec<Capability>,
    /// From the card.
    pub skills: Vec<Skill>,
    /// Words for search.
    pub tags: Vec<String>,
    /// Media types taken by default.
    pub input_modes: Vec<String>,
    /// Media types given by default.
    pub output_modes: Vec<String>,
    /// The four conventions; a null value means any.
    pub payload_schema: Option<BTreeMap<String, Option<String>>>,
    /// Entries by pointer, for all skills.
    pub terms: Option<Json>,
    /// What holds for single skills, by their ids.
    pub skill_terms: BTreeMap<String, SkillTerms>,
    /// How to get a credential of the agent itself.
    pub signup_help: Option<String>,
    /// The header that carries it.
    pub auth_header_name: Option<String>,
    /// Documentation page.
    pub documentation_url: Option<String>,
    /// Icon.
    pub icon_url: Option<String>,
    /// Where the card was fetched from.
    pub card_url: Option<String>,
    /// SHA-256 of the card's bytes in lower-case hex; the bytes are in the store.
    pub card_digest: Option<String>,
    /// A2A extensions as declared by the card.
    pub extensions: Vec<Value>,
    /// What was odd about the card.
    pub warnings: Vec<Warning>,
}

impl Profile {
    /// What the agent declares about the form of its data.
    #[must_use]
    pub fn terms(&self) -> Terms {
        Terms {
            payload_schema: self.payload_schema.clone(),
            terms: self.terms.clone(),
            skills: self.skill_terms.clone(),
        }
    }
}

/// How the owner can be reached and identified; never shown to others.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Contact {
    /// E-mail address.
    pub email: Option<String>,
    /// Any other channel.
    pub info: Option<String>,
    /// Ed25519 public key, base64url without padding.
    pub public_key: Option<String>,
}

/// What calls through this gateway have shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Liveness {
    /// The last call that got an answer.
    pub last_ok_at: Option<Millis>,
    /// The last call that got none.
    pub last_failure_at: Option<Millis>,
    /// Calls answered.
    pub answered: i64,
    /// Calls not answered.
    pub failed: i64,
    /// Duration of the last answered call, in milliseconds.
    pub last_latency_ms: Option<i64>,
}

/// One agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent {
    /// Its id.
    pub id: AgentId,
    /// Its state.
    pub state: State,
    /// What it was before it was suspended; what resuming gives back.
    pub suspended_from: Option<State>,
    /// True for an agent served by this process.
    pub tenant: bool,
    /// What it says of itself.
    pub profile: Profile,
    /// Its owner's contact.
    pub contact: Contact,
    /// What calls have shown.
    pub liveness: Liveness,
    /// Counts changes, from 1.
    pub revision: i64,
    /// When it was listed.
    pub created_at: Millis,
    /// When it changed last.
    pub updated_at: Millis,
}

impl Agent {
    /// The address that calls go to, with its dialect for A2A.
    #[must_use]
    pub fn interface(&self) -> Option<&Interface> {
        self.profile
            .interfaces
            .iter()
            .find(|i| i.callable && i.binding == Binding::JsonRpc)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_ids_are_told_from_bad_ones() {
        let kind = |text| AgentId::claim(text).map_err(|e| e.kind);
        assert!(kind("a.b_c-9").is_ok());
        assert_eq!(kind("guildhall-x"), Err(InvalidKind::ReservedId));
        assert_eq!(kind("eip155:1:0xab:7"), Err(InvalidKind::ReservedId));
        for bad in ["", "-a", "A", "a b", "ä", &"a".repeat(129)] {
            assert_eq!(kind(bad), Err(InvalidKind::Value), "{bad}");
        }
    }

    #[test]
    fn chain_ids_can_be_looked_up() {
        assert!(AgentId::lookup("eip155:1:0xab:7").is_some());
        assert!(AgentId::lookup("guildhall-echo").is_some());
        assert!(AgentId::lookup("no/slash").is_none());
    }
}
