//! The fields that `/register` and `/update` share.

use std::collections::BTreeMap;

use poem_openapi::{Enum, Object, Union};
use protocol::a2a::Version;
use protocol::a2a::card::serve::Shape;
use registry::agent::{Capability, MessageProtocol};
use registry::declaration::Declaration;
use registry::terms::{Json, SkillTerms, Tree};
use serde::Deserialize;
use serde_json::Value;

use super::verbatim::Verbatim;
use crate::views::{CapabilityView, SkillView};

/// What an owner declares; an absent field leaves what was there, an empty text or list clears it.
#[derive(Debug, Default, Deserialize, Object)]
#[serde(default)]
#[oai(default)]
pub(super) struct DeclarationBody {
    /// Where the owner is reached; one of this and `public_key` is needed. Never shown.
    #[oai(validator(max_length = 254))]
    contact_email: Option<String>,
    /// Any other channel. Never shown.
    #[oai(validator(max_length = 1024))]
    contact_info: Option<String>,
    /// Ed25519 public key: 32 raw bytes in base64url.
    public_key: Option<String>,
    /// Display name.
    #[oai(validator(max_length = 256))]
    name: Option<String>,
    /// What the agent does.
    #[oai(validator(max_length = 4096))]
    description: Option<String>,
    /// What it does best, in a line.
    #[oai(validator(max_length = 512))]
    specialty: Option<String>,
    /// The agent's own version.
    #[oai(validator(max_length = 64))]
    version: Option<String>,
    /// Organisation; a claim until proven.
    #[oai(validator(max_length = 256))]
    org_name: Option<String>,
    /// Domain; a claim until proven.
    #[oai(validator(max_length = 253))]
    org_domain: Option<String>,
    /// https URL that calls go to; absent for agents that only call.
    endpoint_url: Option<String>,
    /// At most six, as names or with weights (3 once, 2 twice, 1).
    capabilities: Option<Vec<CapabilityInput>>,
    /// REST, GraphQL or gRPC.
    protocol: Option<String>,
    /// x402, stripe, manual, or a list.
    settlement_rail: Option<OneOrMore>,
    /// JSON or XML.
    accepted_terms_format: Option<String>,
    /// How a message reaches the agent; a2a when not said.
    message_protocol: Option<ProtocolInput>,
    /// Whether the endpoint understands whole A2A JSON-RPC envelopes; else it gets the content part.
    a2a_compliant: Option<bool>,
    /// The dialect it understands, 0.3 when not said.
    a2a_version: Option<VersionInput>,
    /// The shape of the card served here to clients that name no version; hybrid when not said.
    card_shape: Option<ShapeInput>,
    /// Milliseconds that the agent may take to answer when the caller does not say; at most 600000,
    /// 0 for the gateway's own.
    timeout_ms: Option<u64>,
    /// Media types for plain HTTP.
    accepted_content_types: Option<Vec<String>>,
    /// GET (payload as query parameters) or POST.
    http_methods: Option<Vec<String>>,
    /// The four conventions and no other; null means any.
    payload_schema: Option<BTreeMap<String, Option<String>>>,
    /// Terms: a list of `{pointer, dimension, unit or unit_pointer, scale?, rounding?}`; a payload that
    /// does not have them is answered with the one that does.
    terms: Option<Verbatim>,
    /// By the id of a skill: `{terms?, input_schema?, output_schema?}`, JSON Schema 2020-12 or draft 7.
    skill_terms: Option<BTreeMap<String, SkillTermsInput>>,
    /// How to get a credential of the agent's own.
    signup_help: Option<String>,
    /// The header that carries it.
    auth_header_name: Option<String>,
    /// Words for search.
    tags: Option<Vec<String>>,
    /// Skills; at most 100.
    skills: Option<Vec<SkillView>>,
    /// Media types taken.
    input_modes: Option<Vec<String>>,
    /// Media types given.
    output_modes: Option<Vec<String>>,
    /// Documentation page.
    documentation_url: Option<String>,
    /// Refused in this version: a price needs proofs.
    price_schedule: Option<Value>,
}

/// What holds for one skill.
#[derive(Debug, Default, Deserialize, Object)]
#[serde(default)]
#[oai(rename = "SkillTerms", default)]
struct SkillTermsInput {
    /// Entries of its own.
    terms: Option<Verbatim>,
    /// JSON Schema of what it takes.
    input_schema: Option<Verbatim>,
    /// JSON Schema of what it gives.
    output_schema: Option<Verbatim>,
}

/// A capability by name, or with its weight.
#[derive(Debug, Deserialize, Union)]
#[serde(untagged)]
enum CapabilityInput {
    Name(String),
    Weighted(CapabilityView),
}

/// A text or a list of texts.
#[derive(Debug, Deserialize, Union)]
#[serde(untagged)]
pub(super) enum OneOrMore {
    One(String),
    More(Vec<String>),
}

#[derive(Debug, Clone, Copy, Deserialize, Enum)]
#[serde(rename_all = "lowercase")]
#[oai(rename = "MessageProtocol", rename_all = "lowercase")]
pub(super) enum ProtocolInput {
    A2a,
    Mcp,
    Raw,
}

#[derive(Debug, Clone, Copy, Deserialize, Enum)]
#[oai(rename = "A2aVersion")]
enum VersionInput {
    #[serde(rename = "0.3")]
    #[oai(rename = "0.3")]
    V0_3,
    #[serde(rename = "1.0")]
    #[oai(rename = "1.0")]
    V1_0,
}

#[derive(Debug, Clone, Copy, Deserialize, Enum)]
#[oai(rename = "CardShape")]
enum ShapeInput {
    #[serde(rename = "hybrid")]
    #[oai(rename = "hybrid")]
    Hybrid,
    #[serde(rename = "1.0")]
    #[oai(rename = "1.0")]
    V1_0,
    #[serde(rename = "0.3")]
    #[oai(rename = "0.3")]
    V0_3,
}

impl OneOrMore {
    pub(super) fn into_list(self) -> Vec<String> {
        match self {
            Self::One(text) => vec![text],
            Self::More(list) => list,
        }
    }
}

impl From<ProtocolInput> for MessageProtocol {
    fn from(protocol: ProtocolInput) -> Self {
        match protocol {
            ProtocolInput::A2a => Self::A2a,
            ProtocolInput::Mcp => Self::Mcp,
            ProtocolInput::Raw => Self::Raw,
        }
    }
}

impl From<CapabilityInput> for Capability {
    fn from(capability: CapabilityInput) -> Self {
        match capability {
            CapabilityInput::Name(name) => Self { name, weight: 1 },
            CapabilityInput::Weighted(CapabilityView { name, weight }) => Self { name, weight },
        }
    }
}

/// The body was read strictly, so this is JSON.
fn json(raw: Verbatim) -> Json {
    Tree::parse(raw.text()).map_or_else(|_| Json::from(&Tree::Null), |tree| Json::from(&tree))
}

impl From<DeclarationBody> for Declaration {
    fn from(body: DeclarationBody) -> Self {
        Self {
            contact_email: body.contact_email,
            contact_info: body.contact_info,
            public_key: body.public_key,
            name: body.name,
            description: body.description,
            specialty: body.specialty,
            version: body.version,
            org_name: body.org_name,
            org_domain: body.org_domain,
            endpoint_url: body.endpoint_url,
            capabilities: body
                .capabilities
                .map(|list| list.into_iter().map(Into::into).collect()),
            protocol: body.protocol,
            settlement_rail: body.settlement_rail.map(OneOrMore::into_list),
            accepted_terms_format: body.accepted_terms_format,
            message_protocol: body.message_protocol.map(Into::into),
            a2a_compliant: body.a2a_compliant,
            a2a_version: body.a2a_version.map(|version| match version {
                VersionInput::V0_3 => Version::V0_3,
                VersionInput::V1_0 => Version::V1_0,
            }),
            card_shape: body.card_shape.map(|shape| match shape {
                ShapeInput::Hybrid => Shape::Hybrid,
                ShapeInput::V1_0 => Shape::V1_0,
                ShapeInput::V0_3 => Shape::V0_3,
            }),
            timeout_ms: body.timeout_ms,
            accepted_content_types: body.accepted_content_types,
            http_methods: body.http_methods,
            payload_schema: body.payload_schema,
            terms: body.terms.map(json),
            skill_terms: body.skill_terms.map(|skills| {
                let own = |own: SkillTermsInput| SkillTerms {
                    terms: own.terms.map(json),
                    input_schema: own.input_schema.map(json),
                    output_schema: own.output_schema.map(json),
                };
                skills
                    .into_iter()
                    .map(|(id, terms)| (id, own(terms)))
                    .collect()
            }),
            signup_help: body.signup_help,
            auth_header_name: body.auth_header_name,
            tags: body.tags,
            skills: body
                .skills
                .map(|list| list.into_iter().map(Into::into).collect()),
            input_modes: body.input_modes,
            output_modes: body.output_modes,
            documentation_url: body.documentation_url,
            price_schedule: body.price_schedule.is_some(),
        }
    }
}
