//! The closed list of things that are repaired or noticed when a card is read.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One remark about a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// What sort of remark.
    pub code: WarningCode,
    /// JSON pointer (RFC 6901) to the place, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// A sentence about this case.
    pub detail: String,
}

/// What was repaired, left out or noticed. The list is closed; clients may branch on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WarningCode {
    /// A flat card without `protocolVersion`.
    VersionMissing,
    /// A version below 0.3.
    VersionOld,
    /// The version that is declared does not fit the layout of the card.
    VersionShapeMismatch,
    /// An entry of the interface list without a version.
    InterfaceVersionMissing,
    /// An address with a binding or scheme that cannot be called.
    InterfaceDropped,
    /// A binding written in an unusual way.
    TransportNormalised,
    /// No call address at all.
    UrlMissing,
    /// The address was taken from another member.
    UrlAlias,
    /// The address is relative.
    UrlRelative,
    /// The address is a placeholder.
    UrlPlaceholder,
    /// The address is not on the public network.
    UrlPrivate,
    /// The address is public and not encrypted.
    UrlInsecure,
    /// The address looks like a page, not like an endpoint.
    UrlNotEndpoint,
    /// No `capabilities`.
    CapabilitiesMissing,
    /// `capabilities` is no object.
    CapabilitiesNotObject,
    /// Default input or output modes are missing.
    ModesMissing,
    /// No skills.
    SkillsMissing,
    /// A skill that is a text.
    SkillNotObject,
    /// A skill without an id.
    SkillIdMissing,
    /// A skill without tags.
    SkillTagsMissing,
    /// A skill without a name or description.
    SkillTextMissing,
    /// An example that is no text.
    SkillExampleNotText,
    /// No description.
    DescriptionMissing,
    /// No version of the agent.
    AgentVersionMissing,
    /// A provider without organization or url.
    ProviderIncomplete,
    /// A known member under another spelling.
    NameVariant,
    /// The `authentication` member of A2A 0.1.
    AuthLegacy,
    /// Security written in the form of the other dialect.
    SecurityShapeMixed,
    /// A signature that could not be checked.
    SignatureUnverified,
    /// A signature that cannot be right.
    SignatureInvalid,
    /// Members of an ERC-8004 registration.
    Erc8004Claims,
    /// `extensions` at the top.
    ExtensionsMisplaced,
    /// A byte order mark.
    Bom,
    /// A member that occurs twice.
    DuplicateMember,
}

/// Every code with its name and its sentence.
const TABLE: [(WarningCode, &str, &str); 34] = [
    (
        WarningCode::VersionMissing,
        "version_missing",
        "No protocol version; read as 0.3.",
    ),
    (
        WarningCode::VersionOld,
        "version_old",
        "A protocol version below 0.3; read as 0.3.",
    ),
    (
        WarningCode::VersionShapeMismatch,
        "version_shape_mismatch",
        "The declared protocol version does not fit the layout; the layout decides.",
    ),
    (
        WarningCode::InterfaceVersionMissing,
        "interface_version_missing",
        "An interface without a version; the card's own, or 1.0, is taken.",
    ),
    (
        WarningCode::InterfaceDropped,
        "interface_dropped",
        "An interface with a binding or scheme that cannot be called; it is not used.",
    ),
    (
        WarningCode::TransportNormalised,
        "transport_normalised",
        "A binding in an unusual spelling; read as the standard one.",
    ),
    (
        WarningCode::UrlMissing,
        "url_missing",
        "No address to call.",
    ),
    (
        WarningCode::UrlAlias,
        "url_alias",
        "The address was taken from a non-standard member.",
    ),
    (
        WarningCode::UrlRelative,
        "url_relative",
        "The address is relative.",
    ),
    (
        WarningCode::UrlPlaceholder,
        "url_placeholder",
        "The address is a placeholder, not callable.",
    ),
    (
        WarningCode::UrlPrivate,
        "url_private",
        "The address is not on the public network.",
    ),
    (
        WarningCode::UrlInsecure,
        "url_insecure",
        "The address is public and not encrypted.",
    ),
    (
        WarningCode::UrlNotEndpoint,
        "url_not_endpoint",
        "The address looks like a page; unverified until it answers.",
    ),
    (
        WarningCode::CapabilitiesMissing,
        "capabilities_missing",
        "No capabilities; read as none.",
    ),
    (
        WarningCode::CapabilitiesNotObject,
        "capabilities_not_object",
        "The capabilities are no object; words of a list became tags.",
    ),
    (
        WarningCode::ModesMissing,
        "modes_missing",
        "Default input or output modes are missing; served as text/plain.",
    ),
    (WarningCode::SkillsMissing, "skills_missing", "No skills."),
    (
        WarningCode::SkillNotObject,
        "skill_not_object",
        "A skill is a mere text; taken as its name.",
    ),
    (
        WarningCode::SkillIdMissing,
        "skill_id_missing",
        "A skill without id; made from its name.",
    ),
    (
        WarningCode::SkillTagsMissing,
        "skill_tags_missing",
        "A skill without tags.",
    ),
    (
        WarningCode::SkillTextMissing,
        "skill_text_missing",
        "A skill without name or description; left empty.",
    ),
    (
        WarningCode::SkillExampleNotText,
        "skill_example_not_text",
        "An example that is no text; kept as JSON text.",
    ),
    (
        WarningCode::DescriptionMissing,
        "description_missing",
        "No description.",
    ),
    (
        WarningCode::AgentVersionMissing,
        "agent_version_missing",
        "No version of the agent.",
    ),
    (
        WarningCode::ProviderIncomplete,
        "provider_incomplete",
        "The provider lacks its organization or its address.",
    ),
    (
        WarningCode::NameVariant,
        "name_variant",
        "A known member under another spelling.",
    ),
    (
        WarningCode::AuthLegacy,
        "auth_legacy",
        "Authentication in the way of A2A 0.1; read as far as it goes.",
    ),
    (
        WarningCode::SecurityShapeMixed,
        "security_shape_mixed",
        "Security in the form of the other dialect; both forms are tried.",
    ),
    (
        WarningCode::SignatureUnverified,
        "signature_unverified",
        "The card is signed, and the signature was not checked.",
    ),
    (
        WarningCode::SignatureInvalid,
        "signature_invalid",
        "The card is signed, and the signature does not hold.",
    ),
    (
        WarningCode::Erc8004Claims,
        "erc8004_claims",
        "On-chain identity is claimed; it counts once the chain links back.",
    ),
    (
        WarningCode::ExtensionsMisplaced,
        "extensions_misplaced",
        "Extensions at the top of the card; A2A reads them in the capabilities only.",
    ),
    (
        WarningCode::Bom,
        "bom",
        "A byte order mark in front; dropped.",
    ),
    (
        WarningCode::DuplicateMember,
        "duplicate_member",
        "A member occurs twice; the last one wins.",
    ),
];

impl WarningCode {
    /// Every code, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(code, _, _)| *code)
    }

    fn row(self) -> (&'static str, &'static str) {
        TABLE
            .iter()
            .find(|(code, _, _)| *code == self)
            .map_or(("", ""), |(_, name, title)| (*name, *title))
    }

    /// The machine name, snake case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// One sentence for people.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.row().1
    }
}

impl fmt::Display for WarningCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_agree_with_serde_and_are_complete() {
        for code in WarningCode::all() {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
            assert!(code.title().ends_with('.'));
        }
        let all: std::collections::BTreeSet<_> = WarningCode::all().collect();
        // The last variant counts them: a code left out of the table shows here.
        assert_eq!(all.len(), WarningCode::DuplicateMember as usize + 1);
    }
}
