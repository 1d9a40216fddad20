//! The answer to a payload that does not fit, as it stands in a 409.

use super::check::{Findings, Run};
use super::mismatch::{Mismatch, object, optional};
use super::policy;
use super::tree::Tree;
use crate::digest::sha256_hex;

/// How many corrections the explanation spells out.
const SPELT_OUT: usize = 20;

/// Why a payload was not forwarded, and the payload that would be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// In the order in which they were found, at most [`super::MAX_MISMATCHES`].
    pub mismatches: Vec<Mismatch>,
    /// How many more there are.
    pub omitted: usize,
    /// The whole corrected payload as JSON; it passes the check without any terms of the caller.
    pub suggested_payload: Option<String>,
    /// One sentence.
    pub message: String,
    /// Every correction in words: enough to act on alone.
    pub explanation: String,
    /// What the caller accepts by naming it: terms, tables, rates that were used, payload and suggestion.
    pub terms_digest: String,
    /// Digest of the table of rates, where one was used.
    pub rates_digest: Option<String>,
}

impl Refusal {
    pub(super) fn new(
        run: &Run<'_>,
        payload: &Tree<'_>,
        findings: Findings,
        suggested_payload: Option<String>,
    ) -> Self {
        let Findings {
            mismatches,
            omitted,
            unsolved,
            rate_used,
        } = findings;
        let count = mismatches.len() + omitted;
        let message = message(count, unsolved, suggested_payload.is_some());
        let explanation = explanation(&mismatches, omitted, &message, run.caller.is_some());
        let terms_digest = digest(run, payload, &mismatches, suggested_payload.as_deref());
        Self {
            mismatches,
            omitted,
            suggested_payload,
            message,
            explanation,
            terms_digest,
            rates_digest: rate_used.then(|| run.rates.digest().to_owned()),
        }
    }

    /// The payload to forward instead, for a caller that named the digest of this very refusal.
    #[must_use]
    pub fn accepted(&self, digest: &str) -> Option<&str> {
        self.suggested_payload
            .as_deref()
            .filter(|_| digest == self.terms_digest)
    }

    /// The members of the answer, each with its JSON.
    #[must_use]
    pub fn members(&self) -> Vec<(&'static str, Tree<'static>)> {
        let suggestion = self
            .suggested_payload
            .as_deref()
            .and_then(|json| Tree::parse(json).ok())
            .map_or(Tree::Null, Tree::into_owned);
        let mismatches = self.mismatches.iter().map(Mismatch::to_tree).collect();
        let mut members = vec![
            ("error", Tree::text("schema_mismatch")),
            ("message", Tree::text(&self.message)),
            ("explanation", Tree::text(&self.explanation)),
            ("mismatches", Tree::Array(mismatches)),
        ];
        if self.omitted > 0 {
            members.push(("omitted", Tree::number(self.omitted.to_string())));
        }
        members.push(("suggested_payload", suggestion));
        members.push(("terms_digest", Tree::text(&self.terms_digest)));
        members.push(("rates_digest", optional(self.rates_digest.as_deref())));
        members
    }

    /// The whole answer as compact JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        object(self.members()).to_json()
    }

    /// The mismatches alone as a JSON array.
    #[must_use]
    pub fn mismatches_json(&self) -> String {
        Tree::Array(self.mismatches.iter().map(Mismatch::to_tree).collect()).to_json()
    }
}

fn message(count: usize, unsolved: usize, suggested: bool) -> String {
    let differences = if count == 1 {
        "1 difference".to_owned()
    } else {
        format!("{count} differences")
    };
    let end = match (suggested, unsolved) {
        (true, _) => "suggested_payload holds the payload that fits".to_owned(),
        (false, 0) => "corrected one by one they still do not fit together".to_owned(),
        (false, _) => format!("{unsolved} of them cannot be corrected here"),
    };
    format!(
        "The payload does not fit the terms of the receiver ({differences}); nothing was sent: {end}."
    )
}

fn explanation(mismatches: &[Mismatch], omitted: usize, message: &str, own_terms: bool) -> String {
    let mut text = message.to_owned();
    for mismatch in mismatches.iter().take(SPELT_OUT) {
        text.push(' ');
        text.push_str(&mismatch.correction);
    }
    let more = mismatches.len().saturating_sub(SPELT_OUT) + omitted;
    if more > 0 {
        text.push_str(&format!(" And {more} more."));
    }
    if own_terms {
        text.push_str(
            " The suggestion is in the receiver's conventions: send it without your own terms.",
        );
    }
    text
}

/// The digest binds all that the suggestion rests on, so that accepting it accepts nothing else.
fn digest(
    run: &Run<'_>,
    payload: &Tree<'_>,
    mismatches: &[Mismatch],
    suggestion: Option<&str>,
) -> String {
    let rates: Vec<Tree<'static>> = mismatches
        .iter()
        .filter_map(|mismatch| mismatch.rate.as_ref())
        .map(|rate| {
            object(vec![
                ("rate", Tree::text(&rate.rate)),
                ("source", Tree::text(&rate.source)),
                ("as_of", Tree::text(&rate.as_of)),
            ])
        })
        .collect();
    let whole = Tree::Array(vec![
        Tree::text(&policy()),
        Tree::text(run.terms.digest()),
        optional(run.caller.map(super::Compiled::digest)),
        Tree::Array(rates),
        Tree::text(&payload.to_json()),
        optional(suggestion),
    ]);
    sha256_hex(whole.to_json().as_bytes())
}
