//! The words of a question: what each may match, exactly and, where that is too little, nearly.

use std::collections::{BTreeMap, HashMap};

use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;
use tantivy::{Searcher, Term};

use super::schema::Fields;
use super::score::boost;
use super::synonyms::Synonyms;
use super::text::{self, Analysers};

/// More words of one question are not looked at.
const MOST_WORDS: usize = 32;
/// The fewest letters of a word that may be mistyped.
const TYPO_LETTERS: usize = 4;
/// The fewest letters of a word that may be unfinished.
const PREFIX_LETTERS: usize = 2;
/// The commonest completions and corrections of a word are searched, and no more.
const MOST_COMPLETIONS: usize = 16;
const MOST_CORRECTIONS: usize = 8;
/// How much of the dictionary is read for one prefix.
const MOST_READ: usize = 5_000;

/// A word of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// As written, lower-cased and without accents.
    pub(super) bare: String,
    pub(super) stem: String,
    /// Among the commonest of the language: looked for in short texts only.
    common: bool,
    /// The stems of single words that mean the same.
    pub(super) synonyms: Vec<String>,
    /// Whether it may be the beginning of a word.
    pub(super) unfinished: bool,
}

/// A term to look for, and how much it counts.
#[derive(Debug, Clone)]
pub(super) struct Clause {
    pub(super) term: Term,
    pub(super) boost: f32,
    /// How many agents have it.
    pub(super) agents: u64,
}

/// The distinct words of a text; the commonest ones only when there are no others.
pub(super) fn words(text: &str, analysers: &mut Analysers, synonyms: &Synonyms) -> Vec<Word> {
    let bare = analysers.bare(text);
    let ends_in_word = text.chars().next_back().is_some_and(char::is_alphanumeric);
    let last = bare.last().cloned().filter(|_| ends_in_word);
    let mut found: Vec<Word> = Vec::new();
    for bare in bare {
        if found.iter().any(|word| word.bare == bare) || found.len() == MOST_WORDS {
            continue;
        }
        let stem = analysers.stem(&bare);
        let mut same: Vec<_> = synonyms
            .of(&bare)
            .into_iter()
            .skip(1)
            .filter(|other| !other.contains('-'))
            .collect();
        same = same
            .into_iter()
            .map(|other| analysers.stem(&other))
            .filter(|other| *other != stem)
            .collect();
        same.sort_unstable();
        same.dedup();
        let unfinished = last.as_ref() == Some(&bare) && bare.chars().count() >= PREFIX_LETTERS;
        found.push(Word {
            common: analysers.common(&bare),
            stem,
            synonyms: same,
            unfinished,
            bare,
        });
    }
    if found.iter().any(|word| !word.common) {
        found.retain(|word| !word.common);
    }
    found
}

impl Word {
    /// Whether it may be mistyped.
    pub(super) fn correctable(&self) -> bool {
        self.bare.chars().count() >= TYPO_LETTERS
    }

    /// Whether relaxing it can change anything.
    pub(super) fn relaxable(&self) -> bool {
        self.unfinished || self.correctable()
    }

    /// The terms that match the word itself or a synonym.
    pub(super) fn exact(
        &self,
        fields: &Fields,
        searcher: &Searcher,
    ) -> tantivy::Result<Vec<Clause>> {
        let mut terms = vec![
            (fields.name, &self.stem, boost::NAME),
            (fields.keys, &self.stem, boost::KEYS),
        ];
        if !self.common {
            terms.push((fields.prose, &self.stem, boost::PROSE));
        }
        terms.extend(
            self.synonyms
                .iter()
                .map(|stem| (fields.keys, stem, boost::SYNONYM)),
        );
        let clauses = terms
            .into_iter()
            .map(|(field, stem, boost)| clause(searcher, field, stem, boost));
        clauses
            .collect::<tantivy::Result<Vec<_>>>()
            .map(|clauses| clauses.into_iter().flatten().collect())
    }

    /// The terms that the word may have been meant for.
    pub(super) fn near(
        &self,
        fields: &Fields,
        searcher: &Searcher,
    ) -> tantivy::Result<Vec<Clause>> {
        let mut found: BTreeMap<String, f32> = BTreeMap::new();
        if self.correctable() {
            let corrections = corrections(searcher, fields.plain, &self.bare)?;
            found.extend(commonest(corrections, MOST_CORRECTIONS).map(|word| (word, boost::TYPO)));
        }
        if self.unfinished {
            let completions = completions(searcher, fields.plain, &self.bare)?;
            found
                .extend(commonest(completions, MOST_COMPLETIONS).map(|word| (word, boost::PREFIX)));
        }
        found.remove(&self.bare);
        let clauses = found
            .iter()
            .map(|(word, boost)| clause(searcher, fields.plain, word, *boost));
        clauses
            .collect::<tantivy::Result<Vec<_>>>()
            .map(|clauses| clauses.into_iter().flatten().collect())
    }
}

/// The term for a whole name or id.
pub(super) fn whole_name(
    text: &str,
    fields: &Fields,
    searcher: &Searcher,
) -> tantivy::Result<Option<Clause>> {
    clause(
        searcher,
        fields.whole_name,
        &text::key(text),
        boost::WHOLE_NAME,
    )
}

fn clause(
    searcher: &Searcher,
    field: Field,
    word: &str,
    boost: f32,
) -> tantivy::Result<Option<Clause>> {
    let term = Term::from_field_text(field, word);
    let agents = searcher.doc_freq(&term)?;
    Ok((agents > 0).then_some(Clause {
        term,
        boost,
        agents,
    }))
}

fn completions(
    searcher: &Searcher,
    field: Field,
    word: &str,
) -> tantivy::Result<HashMap<String, u64>> {
    let mut found = HashMap::new();
    for segment in searcher.segment_readers() {
        let index = segment.inverted_index(field)?;
        let mut stream = index.terms().range().ge(word).into_stream()?;
        for _ in 0..MOST_READ {
            if !stream.advance() || !stream.key().starts_with(word.as_bytes()) {
                break;
            }
            count(&mut found, stream.key(), stream.value().doc_freq);
        }
    }
    Ok(found)
}

fn corrections(
    searcher: &Searcher,
    field: Field,
    word: &str,
) -> tantivy::Result<HashMap<String, u64>> {
    let near = FuzzyTermQuery::new(Term::from_field_text(field, word), 1, true);
    let mut found = HashMap::new();
    for segment in searcher.segment_readers() {
        let index = segment.inverted_index(field)?;
        let mut stream = index.terms().search(near.automaton()?).into_stream()?;
        while stream.advance() {
            count(&mut found, stream.key(), stream.value().doc_freq);
        }
    }
    Ok(found)
}

fn count(found: &mut HashMap<String, u64>, term: &[u8], agents: u32) {
    if let Ok(term) = std::str::from_utf8(term) {
        *found.entry(term.to_owned()).or_default() += u64::from(agents);
    }
}

/// The `most` commonest words; equally common ones by the alphabet, so that a page is like the one before.
fn commonest(found: HashMap<String, u64>, most: usize) -> impl Iterator<Item = String> {
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found.into_iter().take(most).map(|(word, _)| word)
}
