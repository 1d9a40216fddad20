//! From a question to what is read: the words that score, the tests that every hit passes,
//! and the shortest list of candidates to begin with.

use tantivy::query::{BooleanQuery, Occur, QueryClone as _, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, Term};

use super::query::{Mode, Query};
use super::schema::{Fields, Property};
use super::score::Weights;
use super::synonyms::Synonyms;
use super::text;
use super::words::{Clause, Word, whole_name};
use crate::clock::Millis;

/// A property of which a hit has one of these values.
#[derive(Debug, Clone)]
pub(super) struct Test {
    pub(super) property: Property,
    pub(super) values: Vec<String>,
}

/// Where candidates come from.
#[derive(Debug, Clone)]
pub(super) enum Drive {
    /// Agents with any word, the less promising ones passed over.
    Words,
    /// Agents with one of these terms.
    Terms(Field, Vec<String>),
    /// All agents.
    All,
}

/// What is read for one page.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// `None` when no words were asked for.
    pub(super) clauses: Option<Vec<Clause>>,
    /// For each capability asked for, the names that count as it.
    pub(super) groups: Vec<Vec<String>>,
    pub(super) mode: Mode,
    pub(super) tests: Vec<Test>,
    pub(super) ok_after: Option<Millis>,
    pub(super) exclude: Vec<String>,
    pub(super) now: Millis,
    pub(super) drive: Drive,
    pub(super) weights: Weights,
}

/// Seeking costs so much more than going through a list in order.
const SEEK: u64 = 8;

impl Plan {
    /// # Errors
    /// When the index cannot be read.
    pub(super) fn new(
        query: &Query,
        words: &[Word],
        relaxed: u32,
        synonyms: &Synonyms,
        fields: &Fields,
        searcher: &Searcher,
        now: Millis,
    ) -> tantivy::Result<Self> {
        let clauses = match query.words() {
            Some(text) => Some(clauses(text, words, relaxed, fields, searcher)?),
            None => None,
        };
        let mut groups: Vec<_> = query
            .required_capabilities
            .iter()
            .map(|name| synonyms.of(name))
            .collect();
        // The same thing asked twice, by whatever names, counts once.
        let mut seen = std::collections::HashSet::new();
        groups.retain(|group| {
            group
                .iter()
                .min()
                .is_none_or(|least| seen.insert(least.clone()))
        });
        let mut plan = Self {
            weights: Weights::new(!groups.is_empty(), clauses.is_some()),
            clauses,
            groups,
            mode: query.mode,
            tests: tests(query),
            ok_after: query
                .alive_within_ms
                .map(|within| now.saturating_sub(within).max(1)),
            exclude: query
                .exclude
                .iter()
                .map(|id| id.as_str().to_owned())
                .collect(),
            now,
            drive: Drive::All,
        };
        plan.drive = plan.shortest(fields, searcher)?;
        Ok(plan)
    }

    fn shortest(&self, fields: &Fields, searcher: &Searcher) -> tantivy::Result<Drive> {
        let mut lists: Vec<(Field, Vec<String>)> = self
            .tests
            .iter()
            .map(|test| (fields.property(test.property), test.values.clone()))
            .collect();
        match self.mode {
            _ if self.groups.is_empty() => {}
            Mode::Any => lists.push((fields.capability, self.groups.concat())),
            Mode::All => lists.extend(
                self.groups
                    .iter()
                    .map(|group| (fields.capability, group.clone())),
            ),
        }
        let mut best = match &self.clauses {
            Some(clauses) => (
                clauses.iter().map(|clause| clause.agents).sum(),
                Drive::Words,
            ),
            None => (u64::MAX, Drive::All),
        };
        let seek = if self.clauses.is_some() { SEEK } else { 1 };
        for (field, values) in lists {
            let mut length = 0;
            for value in &values {
                length += searcher.doc_freq(&Term::from_field_text(field, value))?;
            }
            if length * seek < best.0 {
                best = (length * seek, Drive::Terms(field, values));
            }
        }
        Ok(best.1)
    }
}

impl Drive {
    /// The query for agents with one of the terms.
    pub(super) fn terms(field: Field, values: &[String]) -> BooleanQuery {
        let terms = values.iter().map(|value| {
            let term = Term::from_field_text(field, value);
            (
                Occur::Should,
                TermQuery::new(term, IndexRecordOption::Basic).box_clone(),
            )
        });
        BooleanQuery::new(terms.collect())
    }
}

fn clauses(
    text: &str,
    words: &[Word],
    relaxed: u32,
    fields: &Fields,
    searcher: &Searcher,
) -> tantivy::Result<Vec<Clause>> {
    let mut clauses = Vec::new();
    for (bit, word) in words.iter().enumerate() {
        clauses.extend(word.exact(fields, searcher)?);
        if relaxed >> bit & 1 == 1 {
            clauses.extend(word.near(fields, searcher)?);
        }
    }
    clauses.extend(whole_name(text, fields, searcher)?);
    Ok(clauses)
}

fn tests(query: &Query) -> Vec<Test> {
    let mut tests = Vec::new();
    let mut test = |property, values: Vec<String>| tests.push(Test { property, values });
    query
        .skills
        .iter()
        .for_each(|skill| test(Property::Skill, vec![text::key(skill)]));
    query
        .tags
        .iter()
        .for_each(|tag| test(Property::Tag, vec![text::key(tag)]));
    if let Some(name) = query.org() {
        test(Property::Org, vec![text::org_key(name)]);
    }
    if let Some(protocol) = query.message_protocol {
        test(Property::Protocol, vec![protocol.as_str().to_owned()]);
    }
    let mut any = |property, values: &[String], key: fn(&str) -> String| {
        if !values.is_empty() {
            test(property, values.iter().map(|value| key(value)).collect());
        }
    };
    any(Property::Rail, query.rails(), text::key);
    any(Property::Input, &query.input_modes, text::media_key);
    any(Property::Output, &query.output_modes, text::media_key);
    tests
}
