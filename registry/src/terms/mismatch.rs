//! What does not fit: one entry for each difference, with the correction or the reason why there is none.

use super::decimal::Rounding;
use super::tree::{Text, Tree};
use super::units::Dimension;
use crate::clock::Millis;

/// Why a value cannot be corrected; a closed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The unit is not in the table, or in it without a factor.
    UnknownUnit,
    /// The unit is known and measures something else.
    DimensionMismatch,
    /// No rate for the pair.
    RateUnavailable,
    /// The rate is older than its `max_age`.
    RateStale,
    /// Not exactly one valid reading.
    AmbiguousDate,
    /// The value is no number.
    NonNumericValue,
    /// No unit for a value that needs one.
    MissingUnit,
    /// A count would not be whole.
    LossyQuantity,
    /// The pointer or the shape is not supported.
    UnsupportedField,
    /// More digits than the declared scale or the limit.
    PrecisionExceeded,
}

impl Reason {
    /// All reasons, in the order of the documentation.
    pub const ALL: [Self; 10] = [
        Self::UnknownUnit,
        Self::DimensionMismatch,
        Self::RateUnavailable,
        Self::RateStale,
        Self::AmbiguousDate,
        Self::NonNumericValue,
        Self::MissingUnit,
        Self::LossyQuantity,
        Self::UnsupportedField,
        Self::PrecisionExceeded,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnknownUnit => "unknown_unit",
            Self::DimensionMismatch => "dimension_mismatch",
            Self::RateUnavailable => "rate_unavailable",
            Self::RateStale => "rate_stale",
            Self::AmbiguousDate => "ambiguous_date",
            Self::NonNumericValue => "non_numeric_value",
            Self::MissingUnit => "missing_unit",
            Self::LossyQuantity => "lossy_quantity",
            Self::UnsupportedField => "unsupported_field",
            Self::PrecisionExceeded => "precision_exceeded",
        }
    }
}

/// A value and its unit, as texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amount {
    /// The number or date without quotes.
    pub value: String,
    /// The unit, currency or format.
    pub unit: Option<String>,
}

/// The rate that was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateUsed {
    /// The rate as a decimal, or `a/b` where it is none.
    pub rate: String,
    /// Who says so; both sources where the pivot was used.
    pub source: String,
    /// RFC 3339; of the older leg where the pivot was used.
    pub as_of: String,
    /// The pivot.
    pub via: Option<String>,
    pub(super) as_of_millis: Millis,
}

/// What a JSON Schema says of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The keyword that is violated.
    pub keyword: String,
    /// What it asks for, as JSON.
    pub expected: Tree<'static>,
    /// The value, as JSON; large ones are cut to a text.
    pub got: Tree<'static>,
    /// What to do.
    pub hint: String,
}

/// One difference between a payload and the terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// `unit_mismatch`, `currency_mismatch`, `date_format_mismatch`, `schema`, or the reason.
    pub code: &'static str,
    /// Where the value stands, RFC 6901.
    pub pointer: String,
    /// The key of `payload_schema`, else the name of the member.
    pub field: String,
    /// What the value measures; none for a schema.
    pub dimension: Option<Dimension>,
    /// What the caller sent: the unit, or the value.
    pub caller_value: Tree<'static>,
    /// What the receiver declared.
    pub receiver_expects: Tree<'static>,
    /// The value as sent.
    pub from: Option<Amount>,
    /// The value as it should be.
    pub to: Option<Amount>,
    /// What the value was multiplied by; none for dates and between temperature scales.
    pub factor: Option<String>,
    /// Digits after the point and rule, where the result was cut to a scale.
    pub rounding: Option<(u8, Rounding)>,
    /// For money.
    pub rate: Option<RateUsed>,
    /// Whether the correction loses nothing; none where there is no correction.
    pub lossless: Option<bool>,
    /// What to do, in words: enough to act on alone.
    pub correction: String,
    /// Why there is no correction.
    pub cannot_convert: Option<Reason>,
    /// For `schema`.
    pub schema: Option<Violation>,
}

impl Mismatch {
    /// Takes the correction back.
    pub(super) fn refuse(&mut self, reason: Reason, correction: String) {
        if self.schema.is_none() {
            self.code = reason.as_str();
        }
        self.to = None;
        self.factor = None;
        self.rounding = None;
        self.lossless = None;
        self.cannot_convert = Some(reason);
        self.correction = correction;
    }

    /// The entry as it stands in an answer.
    #[must_use]
    pub fn to_tree(&self) -> Tree<'static> {
        let mut members = vec![
            ("code", Tree::text(self.code)),
            ("pointer", Tree::text(&self.pointer)),
            ("field", Tree::text(&self.field)),
        ];
        if let Some(dimension) = self.dimension {
            members.push(("dimension", Tree::text(dimension.as_str())));
        }
        members.push(("caller_value", self.caller_value.clone()));
        members.push(("receiver_expects", self.receiver_expects.clone()));
        if let Some(violation) = &self.schema {
            members.push(("keyword", Tree::text(&violation.keyword)));
            members.push(("expected", violation.expected.clone()));
            members.push(("got", violation.got.clone()));
            members.push(("hint", Tree::text(&violation.hint)));
        }
        if let Some(from) = &self.from {
            members.push(("from", amount(from)));
        }
        match self.cannot_convert {
            Some(reason) => {
                members.push(("correction", Tree::text(&self.correction)));
                members.push(("cannot_convert", Tree::text(reason.as_str())));
            }
            None => self.solved(&mut members),
        }
        object(members)
    }

    fn solved(&self, members: &mut Vec<(&'static str, Tree<'static>)>) {
        if let Some(to) = &self.to {
            members.push(("to", amount(to)));
        }
        if self.schema.is_none() {
            members.push(("factor", optional(self.factor.as_deref())));
            let rounding = self.rounding.map_or(Tree::Null, |(scale, rule)| {
                object(vec![
                    ("scale", Tree::number(scale.to_string())),
                    ("rule", Tree::text(rule.as_str())),
                ])
            });
            members.push(("rounding", rounding));
        }
        if let Some(rate) = &self.rate {
            let mut parts = vec![
                ("rate", Tree::text(&rate.rate)),
                ("source", Tree::text(&rate.source)),
                ("as_of", Tree::text(&rate.as_of)),
            ];
            if let Some(via) = &rate.via {
                parts.push(("via", Tree::text(via)));
            }
            members.push(("rate", object(parts)));
        }
        if let Some(lossless) = self.lossless {
            members.push(("lossless", Tree::Bool(lossless)));
        }
        members.push(("correction", Tree::text(&self.correction)));
    }
}

fn amount(amount: &Amount) -> Tree<'static> {
    object(vec![
        ("value", Tree::text(&amount.value)),
        ("unit", optional(amount.unit.as_deref())),
    ])
}

/// A text or null.
pub(super) fn optional(text: Option<&str>) -> Tree<'static> {
    text.map_or(Tree::Null, Tree::text)
}

/// An object of known names.
pub(super) fn object(members: Vec<(&'static str, Tree<'static>)>) -> Tree<'static> {
    Tree::Object(
        members
            .into_iter()
            .map(|(name, value)| (Text::from(name), value))
            .collect(),
    )
}
