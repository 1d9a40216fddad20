//! Terms: whether a payload has the units, formats and shape that an agent declared, and the payload that has them.
//!
//! Pure: no input or output, no clock, no floats. Rates and the time are handed in; the same input gives the
//! same bytes. A declaration becomes [`Compiled`] once; [`check`] then answers [`Outcome::Fits`] in microseconds,
//! or a [`Refusal`] with every difference and, where all of them can be corrected, the corrected payload.

mod assess;
mod calendar;
mod check;
mod convert;
mod currency;
mod dates;
mod decimal;
mod declare;
mod edit;
mod entry;
mod mismatch;
mod parse;
mod pointer;
mod publish;
mod rates;
mod rates_file;
mod refusal;
mod reply;
mod rule;
mod schema;
mod show;
mod stored;
mod sugar;
mod tree;
mod unit_table;
mod units;
mod walk;

#[cfg(test)]
mod tests;

pub use check::{MAX_MISMATCHES, Outcome, check, check_tree, fits};
pub use currency::{Currency, currencies};
pub use dates::DateFormat;
pub use decimal::{Decimal, NumberError, Rounding};
pub use declare::{CompileCode, CompileError, Compiled, Source};
pub use mismatch::{Amount, Mismatch, RateUsed, Reason, Violation};
pub use parse::{MAX_DEPTH, TreeError};
pub use publish::publish;
pub use rates::{Rate, RateTable};
pub use rates_file::{RatesError, parse as parse_rates};
pub use refusal::Refusal;
pub use reply::{ReplyOutcome, check_reply, convert_reply};
pub use stored::{Json, SkillTerms, Terms};
pub use tree::{Member, Text, Tree};
pub use units::{Dimension, Unit, units};

/// The versions of everything that a result depends on besides the declaration; part of every digest.
#[must_use]
pub fn policy() -> String {
    format!(
        "terms-1 {} {} {}",
        unit_table::VERSION,
        currency::VERSION,
        sugar::VERSION
    )
}
