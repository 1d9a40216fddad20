//! Exchange rates that an operator loaded: exact, each with a source and an age limit; never fetched.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::decimal::{Decimal, show};
use super::mismatch::{RateUsed, Reason};
use crate::clock::Millis;
use crate::digest::sha256_hex;

/// What one unit of `base` is worth in `quote`, according to `source` at `as_of`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rate {
    /// ISO 4217.
    pub base: String,
    /// ISO 4217.
    pub quote: String,
    /// Above zero.
    pub rate: Decimal,
    /// As written in the file, RFC 3339.
    pub as_of: String,
    /// The same in milliseconds since 1970.
    pub as_of_millis: Millis,
    /// Who says so.
    pub source: String,
    /// In seconds; an older rate is not used.
    pub max_age: u64,
}

/// The operator's rates, sorted by pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateTable {
    rows: Vec<Rate>,
    pivot: Option<String>,
    inverse: bool,
    digest: String,
}

/// A rate as found, perhaps through the pivot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Quote {
    pub rate: BigRational,
    pub used: RateUsed,
}

impl Default for RateTable {
    /// No rates at all.
    fn default() -> Self {
        Self::new(Vec::new(), None, false)
    }
}

impl RateTable {
    /// A table of rows that were checked; see [`super::rates_file::parse`] for a file.
    #[must_use]
    pub(super) fn new(mut rows: Vec<Rate>, pivot: Option<String>, inverse: bool) -> Self {
        rows.sort_by(|a, b| (&a.base, &a.quote).cmp(&(&b.base, &b.quote)));
        let mut text = format!("rates-1\n{}\n{inverse}\n", pivot.as_deref().unwrap_or(""));
        for row in &rows {
            // Sources are free texts, so they stand last and in their debug form.
            text.push_str(&format!(
                "{} {} {} {} {} {:?}\n",
                row.base, row.quote, row.rate, row.as_of_millis, row.max_age, row.source
            ));
        }
        let digest = sha256_hex(text.as_bytes());
        Self {
            rows,
            pivot,
            inverse,
            digest,
        }
    }

    /// The rows, sorted by pair.
    #[must_use]
    pub fn rows(&self) -> &[Rate] {
        &self.rows
    }

    /// The one currency through which cross rates are made.
    #[must_use]
    pub fn pivot(&self) -> Option<&str> {
        self.pivot.as_deref()
    }

    /// Whether a row may be read backwards.
    #[must_use]
    pub const fn inverse(&self) -> bool {
        self.inverse
    }

    /// SHA-256 of the rows and the rules, in lower-case hex.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The rate of a pair: its row, else both legs through the pivot.
    pub(super) fn find(&self, from: &str, to: &str, now: Millis) -> Result<Quote, Reason> {
        if let Some(quote) = self.leg(from, to, now) {
            return quote;
        }
        let pivot = self
            .pivot
            .as_deref()
            .filter(|pivot| *pivot != from && *pivot != to)
            .ok_or(Reason::RateUnavailable)?;
        let first = self
            .leg(from, pivot, now)
            .ok_or(Reason::RateUnavailable)??;
        let second = self.leg(pivot, to, now).ok_or(Reason::RateUnavailable)??;
        Ok(first.then(second, pivot))
    }

    /// A single row, read forwards or, where the operator allows it, backwards.
    fn leg(&self, from: &str, to: &str, now: Millis) -> Option<Result<Quote, Reason>> {
        let row = |base: &str, quote: &str| {
            self.rows
                .iter()
                .find(|row| row.base == base && row.quote == quote)
        };
        let (row, rate) = match row(from, to) {
            Some(row) => (row, row.rate.exact()),
            None if self.inverse => {
                let row = row(to, from)?;
                (
                    row,
                    BigRational::from_integer(BigInt::from(1)) / row.rate.exact(),
                )
            }
            None => return None,
        };
        let limit = i128::from(row.max_age) * 1_000;
        if i128::from(now) - i128::from(row.as_of_millis) > limit {
            return Some(Err(Reason::RateStale));
        }
        Some(Ok(Quote {
            used: RateUsed {
                rate: show(&rate),
                source: row.source.clone(),
                as_of: row.as_of.clone(),
                via: None,
                as_of_millis: row.as_of_millis,
            },
            rate,
        }))
    }
}

impl Quote {
    fn then(self, next: Self, pivot: &str) -> Self {
        let rate = self.rate * next.rate;
        // A chain is as old as its oldest leg.
        let oldest = if self.used.as_of_millis <= next.used.as_of_millis {
            &self.used
        } else {
            &next.used
        };
        let source = if self.used.source == next.used.source {
            self.used.source.clone()
        } else {
            format!("{}; {}", self.used.source, next.used.source)
        };
        Self {
            used: RateUsed {
                rate: show(&rate),
                source,
                as_of: oldest.as_of.clone(),
                via: Some(pivot.to_owned()),
                as_of_millis: oldest.as_of_millis,
            },
            rate,
        }
    }
}
