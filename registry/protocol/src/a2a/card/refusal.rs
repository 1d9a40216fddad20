//! Why a document is not taken as an agent card.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The reason, as a closed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalCode {
    /// No single JSON document.
    NotJson,
    /// JSON, but something else.
    NotAnAgentCard,
    /// Over 1 MiB.
    TooLarge,
    /// Nested over 64 levels.
    TooDeep,
    /// Over 1,000 skills.
    TooManySkills,
}

/// What a document is that is no agent card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForeignKind {
    /// An ERC-8004 registration file.
    Erc8004Registration,
    /// A list of agents.
    AgentIndex,
    /// A document that only names the place of the card.
    Pointer,
    /// Any other manifest.
    OtherManifest,
}

/// A document that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{code}: {detail}")]
pub struct Refusal {
    /// The reason.
    pub code: RefusalCode,
    /// What it is instead, for `not_an_agent_card`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ForeignKind>,
    /// Line and column (in bytes) from 1, for `not_json` and `too_deep`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<(usize, usize)>,
    /// A sentence about this case.
    pub detail: String,
    /// The address to try instead, as found in the document (resolved when it was relative and the
    /// place of the document is known). Untrusted: it goes through the guarded client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Refusal {
    pub(super) fn new(code: RefusalCode, detail: impl Into<String>) -> Self {
        Self {
            code,
            kind: None,
            position: None,
            detail: detail.into(),
            hint: None,
        }
    }

    pub(super) fn foreign(
        kind: ForeignKind,
        hint: Option<String>,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            kind: Some(kind),
            hint,
            ..Self::new(RefusalCode::NotAnAgentCard, detail)
        }
    }
}

impl RefusalCode {
    /// The machine name, snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotJson => "not_json",
            Self::NotAnAgentCard => "not_an_agent_card",
            Self::TooLarge => "too_large",
            Self::TooDeep => "too_deep",
            Self::TooManySkills => "too_many_skills",
        }
    }

    /// One sentence for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::NotJson => "The document is not JSON.",
            Self::NotAnAgentCard => "The document is JSON, but no agent card.",
            Self::TooLarge => "The document is over 1 MiB.",
            Self::TooDeep => "The document is nested too deep.",
            Self::TooManySkills => "The card has over 1,000 skills.",
        }
    }
}

impl ForeignKind {
    /// The machine name, snake case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Erc8004Registration => "erc8004_registration",
            Self::AgentIndex => "agent_index",
            Self::Pointer => "pointer",
            Self::OtherManifest => "other_manifest",
        }
    }
}

impl fmt::Display for RefusalCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl fmt::Display for ForeignKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_agree_with_serde() {
        for code in [
            RefusalCode::NotJson,
            RefusalCode::NotAnAgentCard,
            RefusalCode::TooLarge,
            RefusalCode::TooDeep,
            RefusalCode::TooManySkills,
        ] {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
        for kind in [
            ForeignKind::Erc8004Registration,
            ForeignKind::AgentIndex,
            ForeignKind::Pointer,
            ForeignKind::OtherManifest,
        ] {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
    }
}
