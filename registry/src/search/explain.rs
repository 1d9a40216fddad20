//! Why an agent was found: which parts of its profile matched, and how the score came about.

use std::collections::{HashMap, HashSet};

use super::query::Query;
use super::schema;
use super::score::{Contribution, Parts};
use super::synonyms::Synonyms;
use super::text::{self, Analysers};
use super::words::{Word, words};
use crate::agent::{Agent, Profile};

/// More words of one part of a profile are not compared.
const MOST_COMPARED: usize = 2_000;

/// How a word or name of the question met one of the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// The same word, or another form of it.
    Exact,
    /// A synonym.
    Synonym,
    /// The beginning of a word.
    Prefix,
    /// All but one letter of it.
    Typo,
}

impl How {
    /// The name in answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Synonym => "synonym",
            Self::Prefix => "prefix",
            Self::Typo => "typo",
        }
    }
}

/// A word or name of the question, and what it met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchedTerm {
    /// As asked, lower-cased.
    pub asked: String,
    /// As the agent has it, lower-cased.
    pub found: String,
    /// How the two met.
    pub how: How,
}

/// A part of the profile that matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matched {
    /// `name`, `skills`, `capabilities`, `tags`, `org_name`, `description`, `specialty`,
    /// or `required_capabilities` for what the agent was asked to be able to do.
    pub field: &'static str,
    /// At least one.
    pub terms: Vec<MatchedTerm>,
}

/// Why an agent is among the hits.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// What matched.
    pub matched: Vec<Matched>,
    /// The parts of the match score; their points add up to it.
    pub contributions: Vec<Contribution>,
    /// The names of the filters that the agent passed.
    pub filters: Vec<&'static str>,
}

/// Explains hits of one question.
pub struct Explainer {
    analysers: Analysers,
    words: Vec<Word>,
    capabilities: Vec<(String, Vec<String>)>,
    filters: Vec<&'static str>,
}

impl Explainer {
    pub(super) fn new(query: &Query, mut analysers: Analysers, synonyms: &Synonyms) -> Self {
        let words = query
            .words()
            .map_or_else(Vec::new, |text| words(text, &mut analysers, synonyms));
        let capabilities = query
            .required_capabilities
            .iter()
            .map(|name| (text::key(name), synonyms.of(name)));
        Self {
            analysers,
            words,
            capabilities: capabilities.collect(),
            filters: query.filters(),
        }
    }

    /// Why `agent` was found with these parts. An agent that changed after it was
    /// indexed may match in fewer words than it was found by.
    #[must_use]
    pub fn explain(&mut self, agent: &Agent, parts: &Parts) -> Why {
        let mut matched = Vec::new();
        matched.extend(self.claims(&agent.profile));
        if !self.words.is_empty() {
            for (part, content) in schema::texts(&agent.profile) {
                let terms = self.terms(&content, parts.relaxed);
                matched.extend((!terms.is_empty()).then(|| Matched {
                    field: part.name(),
                    terms,
                }));
            }
        }
        Why {
            matched,
            contributions: parts.contributions(),
            filters: self.filters.clone(),
        }
    }

    fn claims(&self, profile: &Profile) -> Option<Matched> {
        let has = schema::capabilities(profile);
        let met = |(asked, names): &(String, Vec<String>)| {
            let found = names.iter().find(|name| has.contains_key(*name))?;
            let how = if found == asked {
                How::Exact
            } else {
                How::Synonym
            };
            Some(MatchedTerm {
                asked: asked.clone(),
                found: found.clone(),
                how,
            })
        };
        let terms: Vec<_> = self.capabilities.iter().filter_map(met).collect();
        (!terms.is_empty()).then_some(Matched {
            field: "required_capabilities",
            terms,
        })
    }

    fn terms(&mut self, content: &str, relaxed: u32) -> Vec<MatchedTerm> {
        let mut bare = self.analysers.bare(content);
        bare.truncate(MOST_COMPARED);
        let mut known = HashSet::new();
        bare.retain(|word| known.insert(word.clone()));
        let mut stems: HashMap<String, usize> = HashMap::with_capacity(bare.len());
        for (place, word) in bare.iter().enumerate() {
            stems.entry(self.analysers.stem(word)).or_insert(place);
        }
        let met = |(bit, word): (usize, &Word)| {
            let term = |found: &String, how| MatchedTerm {
                asked: word.bare.clone(),
                found: found.clone(),
                how,
            };
            if known.contains(&word.bare) {
                return Some(term(&word.bare, How::Exact));
            }
            if let Some(place) = stems.get(&word.stem) {
                return Some(term(&bare[*place], How::Exact));
            }
            if let Some(place) = word.synonyms.iter().find_map(|stem| stems.get(stem)) {
                return Some(term(&bare[*place], How::Synonym));
            }
            if relaxed >> bit & 1 == 0 {
                return None;
            }
            let begun = |found: &&String| word.unfinished && found.starts_with(&word.bare);
            let mistyped =
                |found: &&String| word.correctable() && text::one_edit(&word.bare, found);
            let prefix = bare
                .iter()
                .find(begun)
                .map(|found| term(found, How::Prefix));
            prefix.or_else(|| {
                bare.iter()
                    .find(mistyped)
                    .map(|found| term(found, How::Typo))
            })
        };
        self.words.iter().enumerate().filter_map(met).collect()
    }
}

impl std::fmt::Debug for Explainer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Explainer")
            .field("words", &self.words)
            .field("filters", &self.filters)
            .finish_non_exhaustive()
    }
}
