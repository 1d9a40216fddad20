//! A question to the directory: what may be asked, and what is refused.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::agent::{AgentId, MessageProtocol};
use crate::clock::Millis;
use crate::error::{Invalid, InvalidKind};

/// The most hits of one page.
pub const MAX_LIMIT: usize = 100;
/// The hits of a page when the question does not say.
pub const DEFAULT_LIMIT: usize = 20;

const MAX_ITEMS: usize = 20;
const MAX_EXCLUDE: usize = 1_000;

/// How many of the required capabilities an agent needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// One of them; the more, the better ranked.
    #[default]
    Any,
    /// Every one.
    All,
}

/// A question. Everything given must hold; at least one filter must be given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Query {
    /// Free text: agents with any of its words, best first. 1 to 1000 characters; blank counts as absent.
    pub query: Option<String>,
    /// Names of capabilities, at most 20 of 50 characters each; synonyms count.
    pub required_capabilities: Vec<String>,
    /// How many of them.
    pub mode: Mode,
    /// Ids or names of skills; an agent needs every one. At most 20.
    pub skills: Vec<String>,
    /// Tags of the agent or its skills; an agent needs every one. At most 20.
    pub tags: Vec<String>,
    /// The organisation's whole name, in any case.
    pub org_name: Option<String>,
    /// How messages reach the agent.
    pub message_protocol: Option<MessageProtocol>,
    /// Any of these rails; a list with `any` in it (in any case) filters nothing.
    pub settlement_rail: Vec<String>,
    /// The agent takes any of these media types.
    pub input_modes: Vec<String>,
    /// The agent gives any of these media types.
    pub output_modes: Vec<String>,
    /// The agent answered a call within so many milliseconds before now.
    pub alive_within_ms: Option<Millis>,
    /// Agents not wanted; at most 1000. No filter by itself.
    pub exclude: Vec<AgentId>,
    /// The size of a page, 1 to 100. No filter, and free to change from page to page.
    #[serde(skip)]
    pub limit: usize,
    /// Where the page before ended, as it said.
    #[serde(skip)]
    pub cursor: Option<String>,
}

impl Default for Query {
    fn default() -> Self {
        Self {
            query: None,
            required_capabilities: Vec::new(),
            mode: Mode::Any,
            skills: Vec::new(),
            tags: Vec::new(),
            org_name: None,
            message_protocol: None,
            settlement_rail: Vec::new(),
            input_modes: Vec::new(),
            output_modes: Vec::new(),
            alive_within_ms: None,
            exclude: Vec::new(),
            limit: DEFAULT_LIMIT,
            cursor: None,
        }
    }
}

impl Query {
    /// Whether the question can be answered.
    ///
    /// # Errors
    /// [`Invalid`] of kind `NoFilter` when nothing is asked, of kind `Value` for what is
    /// too long, too many, empty or out of range.
    pub fn check(&self) -> Result<(), Invalid> {
        lengths("/required_capabilities", &self.required_capabilities, 50)?;
        lengths("/skills", &self.skills, 128)?;
        lengths("/tags", &self.tags, 128)?;
        lengths("/settlement_rail", &self.settlement_rail, 50)?;
        lengths("/input_modes", &self.input_modes, 128)?;
        lengths("/output_modes", &self.output_modes, 128)?;
        length("/query", self.query.as_deref().unwrap_or_default(), 1_000)?;
        length(
            "/org_name",
            self.org_name.as_deref().unwrap_or_default(),
            256,
        )?;
        if self.exclude.len() > MAX_EXCLUDE {
            return Err(Invalid::value("/exclude", "at most 1000 ids"));
        }
        if !(1..=MAX_LIMIT).contains(&self.limit) {
            return Err(Invalid::value("/limit", "from 1 to 100"));
        }
        if self.alive_within_ms.is_some_and(|within| within <= 0) {
            return Err(Invalid::value("/alive_within", "more than nothing"));
        }
        if self.filters().is_empty() {
            return Err(Invalid::of(
                InvalidKind::NoFilter,
                "",
                "say what is looked for: at least one filter is needed",
            ));
        }
        Ok(())
    }

    /// The names of the filters that are set; every hit has passed all of them.
    #[must_use]
    pub fn filters(&self) -> Vec<&'static str> {
        let set = [
            ("query", self.words().is_some()),
            (
                "required_capabilities",
                !self.required_capabilities.is_empty(),
            ),
            ("skills", !self.skills.is_empty()),
            ("tags", !self.tags.is_empty()),
            ("org_name", self.org().is_some()),
            ("message_protocol", self.message_protocol.is_some()),
            ("settlement_rail", !self.rails().is_empty()),
            ("input_modes", !self.input_modes.is_empty()),
            ("output_modes", !self.output_modes.is_empty()),
            ("alive_within", self.alive_within_ms.is_some()),
        ];
        set.into_iter()
            .filter(|(_, given)| *given)
            .map(|(name, _)| name)
            .collect()
    }

    /// The free text, unless blank.
    pub(super) fn words(&self) -> Option<&str> {
        self.query.as_deref().filter(|text| !text.trim().is_empty())
    }

    /// The organisation, unless blank.
    pub(super) fn org(&self) -> Option<&str> {
        self.org_name
            .as_deref()
            .filter(|name| !name.trim().is_empty())
    }

    /// The rails that filter.
    pub(super) fn rails(&self) -> &[String] {
        let any = self
            .settlement_rail
            .iter()
            .any(|rail| rail.trim().eq_ignore_ascii_case("any"));
        if any { &[] } else { &self.settlement_rail }
    }

    /// Tells one question from another, whatever the page.
    pub(super) fn digest(&self) -> String {
        // A struct of strings and numbers always serialises; were it not so, all
        // questions would look alike, which no caller could turn into harm.
        let question = serde_json::to_vec(self).unwrap_or_default();
        URL_SAFE_NO_PAD.encode(&Sha256::digest(&question)[..12])
    }
}

fn lengths(pointer: &str, items: &[String], longest: usize) -> Result<(), Invalid> {
    if items.len() > MAX_ITEMS {
        return Err(Invalid::value(
            pointer,
            format!("at most {MAX_ITEMS} items"),
        ));
    }
    for (index, item) in items.iter().enumerate() {
        let pointer = format!("{pointer}/{index}");
        if item.trim().is_empty() {
            return Err(Invalid::value(pointer, "empty"));
        }
        length(&pointer, item, longest)?;
    }
    Ok(())
}

fn length(pointer: &str, text: &str, longest: usize) -> Result<(), Invalid> {
    if text.chars().nth(longest).is_some() {
        return Err(Invalid::value(
            pointer,
            format!("at most {longest} characters"),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(query: &Query) -> Option<(InvalidKind, String)> {
        query.check().err().map(|e| (e.kind, e.pointer))
    }

    #[test]
    fn asking_nothing_is_refused() {
        let nothing = Query {
            limit: 5,
            exclude: vec![AgentId::lookup("a").unwrap()],
            ..Query::default()
        };
        assert_eq!(
            refusal(&nothing),
            Some((InvalidKind::NoFilter, String::new()))
        );
        let blank = Query {
            query: Some("  ".into()),
            settlement_rail: vec!["Any".into()],
            ..Query::default()
        };
        assert_eq!(
            refusal(&blank),
            Some((InvalidKind::NoFilter, String::new()))
        );
        assert_eq!(
            refusal(&Query {
                query: Some("x".into()),
                ..Query::default()
            }),
            None
        );
    }

    #[test]
    fn limits_are_kept_and_named() {
        let value = |pointer: &str| Some((InvalidKind::Value, pointer.to_owned()));
        let long = Query {
            tags: vec!["ok".into(), "x".repeat(129)],
            ..Query::default()
        };
        assert_eq!(refusal(&long), value("/tags/1"));
        let many = Query {
            required_capabilities: vec!["a".into(); 21],
            ..Query::default()
        };
        assert_eq!(refusal(&many), value("/required_capabilities"));
        let empty = Query {
            skills: vec![" ".into()],
            ..Query::default()
        };
        assert_eq!(refusal(&empty), value("/skills/0"));
        let page = Query {
            query: Some("x".into()),
            limit: 101,
            ..Query::default()
        };
        assert_eq!(refusal(&page), value("/limit"));
    }

    #[test]
    fn the_page_is_no_part_of_the_question() {
        let first = Query {
            query: Some("x".into()),
            ..Query::default()
        };
        let second = Query {
            limit: 3,
            cursor: Some("c".into()),
            ..first.clone()
        };
        assert_eq!(first.digest(), second.digest());
        let other = Query {
            mode: Mode::All,
            ..first.clone()
        };
        assert_ne!(first.digest(), other.digest());
    }
}
