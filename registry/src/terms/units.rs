//! Dimensions, the look-up of units and the exact arithmetic between them.

use num_bigint::BigInt;
use num_rational::BigRational;

use super::decimal::Decimal;
use super::unit_table::{UNCLEAR, UNITS};

/// What a value measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// Base unit kg.
    Mass,
    /// Base unit m.
    Length,
    /// Base unit m3.
    Volume,
    /// Base unit m2.
    Area,
    /// Base unit K; affine.
    Temperature,
    /// Base unit s.
    Time,
    /// Base unit each; always whole.
    Count,
    /// ISO 4217; between currencies only by a rate.
    Money,
    /// A calendar date or a point in time, in one of the strict formats.
    Date,
}

impl Dimension {
    /// All dimensions, in the order of the documentation.
    pub const ALL: [Self; 9] = [
        Self::Mass,
        Self::Length,
        Self::Volume,
        Self::Area,
        Self::Temperature,
        Self::Time,
        Self::Count,
        Self::Money,
        Self::Date,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Mass => "mass",
            Self::Length => "length",
            Self::Volume => "volume",
            Self::Area => "area",
            Self::Temperature => "temperature",
            Self::Time => "time",
            Self::Count => "count",
            Self::Money => "money",
            Self::Date => "date",
        }
    }

    /// The dimension with that name.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|dimension| dimension.as_str() == text)
    }
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    /// Compared with case.
    pub symbol: &'static str,
    /// Compared without case and plural; a space or a hyphen counts as `_`.
    pub names: &'static [&'static str],
    /// What it measures.
    pub dimension: Dimension,
    /// `base = value * factor`, a decimal or `a/b`; absent where only a receiver can say.
    pub factor: Option<&'static str>,
    /// For temperatures: `base = (value + offset) * factor`.
    pub offset: Option<&'static str>,
}

impl Unit {
    /// The exact factor to the base unit.
    #[must_use]
    pub fn exact_factor(&self) -> Option<BigRational> {
        fraction(self.factor?)
    }

    /// What is added before the factor is applied.
    fn exact_offset(&self) -> BigRational {
        self.offset.and_then(fraction).unwrap_or_else(zero)
    }
}

/// All units, in the order of the documentation.
#[must_use]
pub fn units() -> &'static [Unit] {
    &UNITS
}

/// The unit of that symbol (with case) or name (without case and plural).
#[must_use]
pub fn find(text: &str) -> Option<&'static Unit> {
    let symbol = UNITS.iter().find(|unit| unit.symbol == text);
    symbol.or_else(|| {
        // `C` and `F` are names in capitals: symbols that people write for °C and °F.
        let written = UNITS.iter().find(|unit| unit.names.contains(&text));
        written.or_else(|| singulars(text).iter().find_map(|name| named(name)))
    })
}

fn named(name: &str) -> Option<&'static Unit> {
    UNITS.iter().find(|unit| {
        // A word that serves as symbol (each, dozen, box) is a name as well.
        unit.names.contains(&name) || (unit.dimension == Dimension::Count && unit.symbol == name)
    })
}

/// What to write instead of a text that is no unit: another case, or a clearer word.
#[must_use]
pub fn hint(text: &str) -> Option<String> {
    let unclear = singulars(text).into_iter().find_map(|name| {
        UNCLEAR
            .iter()
            .find(|(word, _)| *word == name)
            .map(|(_, better)| (*better).to_owned())
    });
    unclear.or_else(|| {
        UNITS
            .iter()
            .find(|unit| unit.symbol.eq_ignore_ascii_case(text))
            .map(|unit| unit.symbol.to_owned())
    })
}

/// The text in lower case, as it stands and without the plural's ending.
fn singulars(text: &str) -> Vec<String> {
    let name = text.trim().to_lowercase().replace([' ', '-'], "_");
    let mut forms = vec![name.clone()];
    forms.extend(
        ["s", "es"]
            .iter()
            .filter_map(|ending| name.strip_suffix(ending))
            // One letter is a symbol, and symbols have no plural.
            .filter(|rest| rest.len() > 1)
            .map(str::to_owned),
    );
    forms
}

/// Whether two texts are the same name, without case and plural.
#[must_use]
pub(super) fn same_name(one: &str, other: &str) -> bool {
    let known = singulars(one);
    singulars(other).iter().any(|form| known.contains(form))
}

/// Converts between two units of one dimension; `None` where one of them has no factor.
#[must_use]
pub fn convert(value: &BigRational, from: &Unit, to: &Unit) -> Option<BigRational> {
    let base = (value + from.exact_offset()) * from.exact_factor()?;
    Some(base / to.exact_factor()? - to.exact_offset())
}

/// The one factor between two units; `None` for temperatures with different zeros.
#[must_use]
pub fn factor(from: &Unit, to: &Unit) -> Option<BigRational> {
    let plain =
        from.exact_offset() * from.exact_factor()? == to.exact_offset() * to.exact_factor()?;
    plain.then_some(from.exact_factor()? / to.exact_factor()?)
}

/// A decimal or `a/b` as an exact fraction; not zero below the line.
pub(super) fn fraction(text: &str) -> Option<BigRational> {
    let (over, under) = text.split_once('/').unwrap_or((text, "1"));
    let under = Decimal::parse(under).ok()?.exact();
    (under != zero()).then_some(Decimal::parse(over).ok()?.exact() / under)
}

/// Nothing, as a fraction.
pub(super) fn zero() -> BigRational {
    BigRational::from_integer(BigInt::ZERO)
}
