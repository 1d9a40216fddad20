//! Replies: a copy in the caller's conventions, and the check of a reply against what its agent promised.

use super::check::{Outcome, Run, fits_in};
use super::declare::{Compiled, Direction, Field, Rules};
use super::parse::TreeError;
use super::rates::RateTable;
use super::refusal::Refusal;
use super::rule::Rule;
use super::tree::Tree;
use super::units::Dimension;
use crate::clock::Millis;
use crate::digest::sha256_hex;

/// What came of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplyOutcome {
    /// The reply has the caller's conventions already, or says nothing that they speak of.
    Unchanged,
    /// A copy in the caller's conventions; the list says what was changed.
    Converted {
        /// The whole copy, as JSON.
        reply: String,
        /// What was converted, each with its factor or rate.
        changes: Box<Refusal>,
    },
    /// Something cannot be converted, so nothing was.
    NotConverted(Box<Refusal>),
}

/// Converts a reply from the receiver's conventions to the caller's; the reply itself is left as it is.
///
/// Fields are found by the caller's terms and by the receiver's `terms[]`; what neither speaks of is copied.
///
/// # Errors
/// [`TreeError`] when the reply is no JSON document of at most 64 levels without repeated members.
pub fn convert_reply(
    reply: &str,
    receiver: &Compiled,
    caller: &Compiled,
    rates: &RateTable,
    now: Millis,
) -> Result<ReplyOutcome, TreeError> {
    let tree = Tree::parse(reply)?;
    let wanted = Compiled::of_rules(
        merged(&receiver.rules, &caller.rules),
        sha256_hex(format!("reply {} {}", receiver.digest(), caller.digest()).as_bytes()),
    );
    let run = Run {
        terms: &wanted,
        caller: Some(receiver),
        rates,
        now,
        direction: Direction::Reply,
    };
    Ok(match run.outcome(&tree) {
        Outcome::Fits => ReplyOutcome::Unchanged,
        Outcome::Mismatch(refusal) => match refusal.suggested_payload.clone() {
            Some(reply) => ReplyOutcome::Converted {
                reply,
                changes: refusal,
            },
            None => ReplyOutcome::NotConverted(refusal),
        },
    })
}

/// Checks a reply against its agent's own terms and output schema: a promise kept or broken.
///
/// # Errors
/// As [`convert_reply`].
pub fn check_reply(
    terms: &Compiled,
    reply: &str,
    rates: &RateTable,
    now: Millis,
) -> Result<Outcome, TreeError> {
    let tree = Tree::parse(reply)?;
    if fits_in(terms, &tree, None, Direction::Reply) {
        return Ok(Outcome::Fits);
    }
    let run = Run {
        terms,
        caller: None,
        rates,
        now,
        direction: Direction::Reply,
    };
    Ok(run.outcome(&tree))
}

/// What the caller wants of the fields that either side names.
fn merged(receiver: &Rules, caller: &Rules) -> Rules {
    let mut fields: Vec<Field> = caller.fields.clone();
    for theirs in &receiver.fields {
        let own = fields.iter().any(|own| own.pattern == theirs.pattern);
        if let Some(rule) = convention(&theirs.rule, caller).filter(|_| !own) {
            fields.push(Field {
                pattern: theirs.pattern.clone(),
                rule,
                unit_at: theirs.unit_at.clone(),
                direction: theirs.direction,
            });
        }
    }
    Rules {
        sugar: caller.sugar.clone(),
        fields,
    }
}

/// The caller's short key for a dimension, with the scale of the receiver's field.
fn convention(theirs: &Rule, caller: &Rules) -> Option<Rule> {
    let own = match theirs.dimension {
        Dimension::Money => caller.sugar.currency.as_ref(),
        Dimension::Mass => caller.sugar.weight.as_ref(),
        Dimension::Date => caller.sugar.date.as_ref(),
        dimension => caller
            .sugar
            .quantity
            .as_ref()
            .filter(|rule| rule.dimension == dimension),
    }?;
    let money = theirs.dimension == Dimension::Money;
    Some(Rule {
        // Each currency has minor units of its own; a length of digits belongs to the old one.
        scale: theirs.scale.filter(|_| !money),
        rounding: theirs.rounding,
        packs: theirs.packs.clone(),
        ..own.clone()
    })
}
