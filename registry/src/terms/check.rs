//! The check of a whole payload: quick where it fits, in rounds of corrections where it does not.

use super::assess::Judge;
use super::declare::{Compiled, Direction};
use super::edit::Edits;
use super::mismatch::Mismatch;
use super::parse::TreeError;
use super::rates::RateTable;
use super::refusal::Refusal;
use super::schema::Schema;
use super::tree::Tree;
use super::{mismatch::Reason, walk};
use crate::clock::Millis;

/// The most differences that are written out; all are counted.
pub const MAX_MISMATCHES: usize = 200;

/// A correction may bring a further one to light (a renamed member has a unit); twice is enough.
const ROUNDS: usize = 3;

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The payload may be forwarded as it is.
    Fits,
    /// It does not fit.
    Mismatch(Box<Refusal>),
}

impl Outcome {
    /// Whether the payload may be forwarded as it is.
    #[must_use]
    pub const fn fits(&self) -> bool {
        matches!(self, Self::Fits)
    }
}

/// Checks a payload before it is forwarded; `caller` holds the caller's own terms, if it sent any.
///
/// The same input, rates and time give the same bytes. `now` is only compared with the age of rates.
///
/// # Errors
/// [`TreeError`] when the payload is no JSON document of at most 64 levels without repeated members.
pub fn check(
    terms: &Compiled,
    payload: &str,
    caller: Option<&Compiled>,
    rates: &RateTable,
    now: Millis,
) -> Result<Outcome, TreeError> {
    if terms.is_empty() {
        return Ok(Outcome::Fits);
    }
    Ok(check_tree(
        terms,
        &Tree::parse(payload)?,
        caller,
        rates,
        now,
    ))
}

/// As [`check`], for a payload that was read already.
#[must_use]
pub fn check_tree(
    terms: &Compiled,
    payload: &Tree<'_>,
    caller: Option<&Compiled>,
    rates: &RateTable,
    now: Millis,
) -> Outcome {
    Run {
        terms,
        caller,
        rates,
        now,
        direction: Direction::Request,
    }
    .outcome(payload)
}

/// Whether a payload fits, at once and without a word; for ranking.
#[must_use]
pub fn fits(terms: &Compiled, payload: &Tree<'_>) -> bool {
    fits_in(terms, payload, None, Direction::Request)
}

pub(super) fn fits_in(
    terms: &Compiled,
    payload: &Tree<'_>,
    caller: Option<&Compiled>,
    direction: Direction,
) -> bool {
    let caller = caller.map(|caller| &caller.rules);
    (terms.rules.is_empty()
        || walk::sites(&terms.rules, caller, direction, payload, true).is_empty())
        && schema(terms, direction).is_none_or(|schema| schema.fits(payload))
}

fn schema(terms: &Compiled, direction: Direction) -> Option<&Schema> {
    match direction {
        Direction::Reply => terms.output.as_ref(),
        Direction::Request | Direction::Both => terms.input.as_ref(),
    }
}

/// One check.
pub(super) struct Run<'r> {
    pub terms: &'r Compiled,
    pub caller: Option<&'r Compiled>,
    pub rates: &'r RateTable,
    pub now: Millis,
    pub direction: Direction,
}

/// What the rounds have found so far.
#[derive(Default)]
pub(super) struct Findings {
    pub mismatches: Vec<Mismatch>,
    pub omitted: usize,
    pub unsolved: usize,
    pub rate_used: bool,
}

impl Findings {
    fn add(&mut self, mismatch: Mismatch) {
        self.unsolved += usize::from(mismatch.cannot_convert.is_some());
        self.rate_used |= mismatch.rate.is_some();
        if self.mismatches.len() < MAX_MISMATCHES {
            self.mismatches.push(mismatch);
        } else {
            self.omitted += 1;
        }
    }

    const fn count(&self) -> usize {
        self.mismatches.len() + self.omitted
    }
}

impl Run<'_> {
    pub fn outcome(&self, payload: &Tree<'_>) -> Outcome {
        if fits_in(self.terms, payload, self.caller, self.direction) {
            return Outcome::Fits;
        }
        let mut findings = Findings::default();
        let corrected = self.rounds(payload, &mut findings);
        if findings.count() == 0 {
            // A unit that only the caller's own terms name was filled in, and that was all: what was
            // sent lacks it, and the schema wants it there.
            let violations = schema(self.terms, self.direction)
                .map(|schema| schema.violations(&payload.clone().into_owned()));
            for (mismatch, _) in violations.into_iter().flatten() {
                findings.add(mismatch);
            }
        }
        // The suggestion is what will be read from the wire, so its bytes are checked and nothing else.
        let suggestion = corrected
            .map(|tree| tree.to_json())
            .filter(|_| findings.unsolved == 0 && findings.count() > 0)
            .filter(|json| {
                Tree::parse(json).is_ok_and(|tree| fits_in(self.terms, &tree, None, self.direction))
            });
        Outcome::Mismatch(Box::new(Refusal::new(self, payload, findings, suggestion)))
    }

    /// Corrects until nothing is found; `None` when that cannot be reached.
    fn rounds(&self, payload: &Tree<'_>, findings: &mut Findings) -> Option<Tree<'static>> {
        let mut work = payload.clone().into_owned();
        for round in 0..ROUNDS {
            // A corrected payload speaks for itself: the caller's terms hold for what the caller wrote.
            let caller = self.caller.filter(|_| round == 0);
            let before = findings.count();
            self.convert(&mut work, caller, findings);
            self.repair(&mut work, findings);
            if findings.count() == before {
                return Some(work);
            }
            if findings.unsolved > 0 {
                return None;
            }
        }
        Some(work)
    }

    fn convert(
        &self,
        work: &mut Tree<'static>,
        caller: Option<&Compiled>,
        findings: &mut Findings,
    ) {
        let mut edits = Edits::default();
        let caller = caller.map(|caller| &caller.rules);
        for site in walk::sites(&self.terms.rules, caller, self.direction, work, false) {
            let judge = Judge {
                tree: work,
                rates: self.rates,
                now: self.now,
            };
            let (mismatch, changes) = judge.judge(&site);
            let taken = edits.take(changes);
            if let Some(mut mismatch) = mismatch {
                if !taken {
                    clash(&mut mismatch);
                }
                findings.add(mismatch);
            }
        }
        edits.apply(work);
    }

    fn repair(&self, work: &mut Tree<'static>, findings: &mut Findings) {
        let Some(schema) = schema(self.terms, self.direction) else {
            return;
        };
        let mut edits = Edits::default();
        for (mut mismatch, changes) in schema.violations(work) {
            if !edits.take(changes) {
                clash(&mut mismatch);
            }
            findings.add(mismatch);
        }
        edits.apply(work);
    }
}

/// Two corrections want different things at one place.
fn clash(mismatch: &mut Mismatch) {
    let words = format!(
        "{}: another difference asks for something else at the same place; correct it by hand.",
        super::show::shown(&mismatch.pointer)
    );
    mismatch.refuse(Reason::UnsupportedField, words);
}
