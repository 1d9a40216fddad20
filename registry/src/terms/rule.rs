//! What is expected of one value: its dimension, unit, scale and rounding.

use num_rational::BigRational;

use super::currency::{self, Currency};
use super::dates::DateFormat;
use super::decimal::{Decimal, Rounding};
use super::tree::Tree;
use super::units::{self, Dimension, Unit};

/// An expectation, compiled from a declaration.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rule {
    /// The key of `payload_schema` that it comes from; `None` for an entry of `terms[]`.
    pub key: Option<&'static str>,
    pub dimension: Dimension,
    /// The unit, currency or format as declared: what the payload must say.
    pub text: Box<str>,
    pub measure: Measure,
    /// Digits after the point, where declared.
    pub scale: Option<u8>,
    pub rounding: Rounding,
    /// Counts that the receiver gave a factor: name and how many each.
    pub packs: Vec<(Box<str>, BigRational)>,
}

/// What a unit text means.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Measure {
    /// A row of the table.
    Unit(&'static Unit),
    /// A count of the receiver's own, with a factor where it declared one.
    Pack(Option<BigRational>),
    /// A currency.
    Currency(Currency),
    /// A date format.
    Date(DateFormat),
}

impl Rule {
    /// What another unit text means here, and its dimension.
    pub fn measure_of(&self, text: &str) -> Option<(Dimension, Measure)> {
        measure(text, self.dimension, &self.packs).or_else(|| {
            // A count may have a name that no table knows; it is still the same name.
            (self.dimension == Dimension::Count && units::same_name(text, &self.text))
                .then(|| (self.dimension, self.measure.clone()))
        })
    }

    /// Whether the number is one that may stay as it is: readable, and within the declared scale.
    pub fn number_fits(&self, value: &Tree<'_>) -> bool {
        let text = match value {
            Tree::Number(text) => text,
            Tree::String(text) => text.as_str(),
            _ => return false,
        };
        Decimal::parse(text).is_ok_and(|number| {
            self.scale
                .is_none_or(|scale| number.needed_scale() <= scale)
        })
    }

    /// The format of a date rule.
    pub const fn date(&self) -> Option<DateFormat> {
        match self.measure {
            Measure::Date(format) => Some(format),
            _ => None,
        }
    }

    /// How a result is cut: the declared scale, else the minor units of the currency.
    pub fn scale_of_result(&self) -> Option<u8> {
        match &self.measure {
            Measure::Currency(currency) => self.scale.or(currency.minor),
            _ => self.scale,
        }
    }

    /// Whether two rules ask for the same unit or format.
    pub fn same_measure(&self, other: &Self) -> bool {
        self.dimension == other.dimension
            && match (&self.measure, &other.measure) {
                (Measure::Pack(_), Measure::Pack(_)) => units::same_name(&self.text, &other.text),
                (mine, theirs) => mine == theirs,
            }
    }
}

/// What a unit text means, and its dimension; the packs of the receiver come first.
pub(super) fn measure(
    text: &str,
    wanted: Dimension,
    packs: &[(Box<str>, BigRational)],
) -> Option<(Dimension, Measure)> {
    if wanted == Dimension::Count
        && let Some((_, factor)) = packs.iter().find(|(name, _)| units::same_name(name, text))
    {
        return Some((Dimension::Count, Measure::Pack(Some(factor.clone()))));
    }
    let unit = || units::find(text).map(|unit| (unit.dimension, Measure::Unit(unit)));
    let money = || currency::find(text).map(|found| (Dimension::Money, Measure::Currency(found)));
    // KGS is a currency and kgs are kilograms: the dimension that is asked for wins.
    if wanted == Dimension::Money {
        money().or_else(unit)
    } else {
        unit().or_else(money)
    }
}
