//! Agent cards: read whatever people publish, and write the card that is served here.

mod address;
mod declared;
mod fields;
mod import;
mod interfaces;
mod refusal;
mod security;
pub mod serve;
mod skills;
mod sniff;
mod warning;

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Version;
use crate::erc8004::AgentRef;

pub use import::{ImportPolicy, MAX_BYTES, MAX_SKILLS, import};
pub use refusal::{ForeignKind, Refusal, RefusalCode};
pub use warning::{Warning, WarningCode};

/// A card as it was understood, with the original beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// The whole document as read; of repeated members the last. May hold `authentication.credentials`,
    /// so it is not to be shown or logged.
    pub original: Value,
    /// The agent's name, at most 256 characters.
    pub name: String,
    /// What it says of itself, at most 4,096 characters; empty when missing.
    pub description: String,
    /// The agent's own version, at most 64 characters; "0" when missing.
    pub version: String,
    /// Who offers it, as claimed.
    pub provider: Option<Provider>,
    /// A page for people; http or https.
    pub documentation_url: Option<String>,
    /// A picture; http or https.
    pub icon_url: Option<String>,
    /// The call addresses, preferred first, duplicates removed.
    pub interfaces: Vec<Interface>,
    /// What the agent says it can do beyond plain calls.
    pub capabilities: Capabilities,
    /// Media types taken when a skill says nothing; empty when unknown.
    pub default_input_modes: Vec<String>,
    /// Media types given when a skill says nothing; empty when unknown.
    pub default_output_modes: Vec<String>,
    /// What it offers.
    pub skills: Vec<Skill>,
    /// Words of a `capabilities` member that is a list.
    pub tags: Vec<String>,
    /// `securitySchemes` as written, in either form.
    pub security_schemes: Map<String, Value>,
    /// `securityRequirements` (1.0) or `security` (0.3) as written.
    pub security_requirements: Vec<Value>,
    /// Schemes named in a 0.1 `authentication` member.
    pub legacy_auth: Vec<LegacyAuth>,
    /// ERC-8004 members of the card, claims until the chain links back.
    pub identity_claims: Option<IdentityClaims>,
    /// What was repaired or left out, in the order it was noticed.
    pub warnings: Vec<Warning>,
}

/// Who offers an agent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Provider {
    /// At most 256 characters; empty when missing.
    pub organization: String,
    /// http or https; absent when missing or unusable.
    pub url: Option<String>,
}

/// How calls are carried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Binding {
    /// JSON-RPC 2.0 over HTTP.
    #[serde(rename = "JSONRPC")]
    JsonRpc,
    /// REST.
    #[serde(rename = "HTTP+JSON")]
    HttpJson,
    /// gRPC.
    #[serde(rename = "GRPC")]
    Grpc,
}

impl Binding {
    /// The name used in cards.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::JsonRpc => "JSONRPC",
            Self::HttpJson => "HTTP+JSON",
            Self::Grpc => "GRPC",
        }
    }
}

impl fmt::Display for Binding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// One call address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interface {
    /// The address as written, or resolved when it was relative; `host:port` is allowed for gRPC.
    pub url: String,
    /// How calls are carried.
    pub binding: Binding,
    /// The dialect the card says is spoken there.
    pub version: Version,
    /// A2A's routing string, echoed exactly in every request when present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// Whether the address is one that may be called: real, absolute, and public unless private
    /// targets are allowed. It says nothing about the binding.
    pub callable: bool,
}

/// What an agent says it can do beyond plain calls.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Capabilities {
    /// Answers as a stream.
    pub streaming: bool,
    /// Sends push notifications.
    pub push_notifications: bool,
    /// Has a further card for authenticated callers (either dialect's flag).
    pub extended_card: bool,
    /// `capabilities.extensions` as written; only objects are kept.
    pub extensions: Vec<Value>,
}

/// One thing an agent offers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Skill {
    /// At most 128 characters; made of the name when missing.
    pub id: String,
    /// At most 256 characters.
    pub name: String,
    /// At most 4,096 characters; empty when missing.
    pub description: String,
    /// At most 64 words.
    pub tags: Vec<String>,
    /// At most 32 texts.
    pub examples: Vec<String>,
    /// Empty: the agent's defaults hold.
    pub input_modes: Vec<String>,
    /// Empty: the agent's defaults hold.
    pub output_modes: Vec<String>,
}

/// A scheme named in the `authentication` member of A2A 0.1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LegacyAuth {
    /// HTTP bearer.
    Bearer,
    /// HTTP basic.
    Basic,
    /// An API key, its place unknown.
    ApiKey,
    /// Nothing is asked for.
    None,
    /// Payment by x402; no credential.
    X402,
    /// Anything else, at most 64 characters.
    Other(String),
}

/// ERC-8004 members found in a card.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct IdentityClaims {
    /// The `type`, when it is that of a registration file.
    pub registration_type: Option<String>,
    /// Readable entries of `registrations`, at most 64.
    pub registrations: Vec<AgentRef>,
    /// Words of `supportedTrust` or `trustModels`.
    pub trust_models: Vec<String>,
}
