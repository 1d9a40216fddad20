//! The four short keys: which member names they speak of, at any depth.

use super::rule::Rule;
use super::tree::Member;

/// Changes with any list below; part of every digest.
pub const VERSION: &str = "names-1";

/// Members that hold an amount of money; their unit stands in `currency`.
pub const MONEY: [&str; 3] = ["amount", "price", "total"];

/// Words that end in `date` and are no dates.
pub const NO_DATES: [&str; 12] = [
    "update",
    "candidate",
    "mandate",
    "validate",
    "invalidate",
    "consolidate",
    "accommodate",
    "liquidate",
    "intimidate",
    "elucidate",
    "inundate",
    "outdate",
];

/// A key of `payload_schema`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Currency,
    Weight,
    Quantity,
    Date,
}

impl Key {
    /// The key's own name, which is also the member that names the unit.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Currency => "currency",
            Self::Weight => "weight_unit",
            Self::Quantity => "quantity_unit",
            Self::Date => "date_format",
        }
    }

    /// The members that may name the unit, the first one found counts.
    pub const fn unit_members(self) -> &'static [&'static str] {
        match self {
            Self::Currency => &["currency"],
            Self::Weight => &["weight_unit", "unit"],
            Self::Quantity => &["quantity_unit"],
            Self::Date => &[],
        }
    }

    /// The key that speaks of a member, if one does.
    pub fn of_value(name: &str) -> Option<Self> {
        match name {
            "amount" | "price" | "total" => Some(Self::Currency),
            "weight" => Some(Self::Weight),
            "quantity" => Some(Self::Quantity),
            _ => is_date(name).then_some(Self::Date),
        }
    }
}

/// The expectations behind the four keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Sugar {
    pub currency: Option<Rule>,
    pub weight: Option<Rule>,
    pub quantity: Option<Rule>,
    pub date: Option<Rule>,
}

impl Sugar {
    pub const fn rule(&self, key: Key) -> Option<&Rule> {
        match key {
            Key::Currency => self.currency.as_ref(),
            Key::Weight => self.weight.as_ref(),
            Key::Quantity => self.quantity.as_ref(),
            Key::Date => self.date.as_ref(),
        }
    }

    pub const fn is_empty(&self) -> bool {
        self.currency.is_none()
            && self.weight.is_none()
            && self.quantity.is_none()
            && self.date.is_none()
    }
}

/// Whether a name says that its value is a date: it ends in `date` (in any case) or `_at`.
fn is_date(name: &str) -> bool {
    let bytes = name.as_bytes();
    if bytes.ends_with(b"_at") {
        return true;
    }
    let ends = |ending: &str| {
        bytes.len() >= ending.len()
            && bytes[bytes.len() - ending.len()..].eq_ignore_ascii_case(ending.as_bytes())
    };
    ends("date") && !NO_DATES.iter().any(|word| ends(word))
}

/// The place of the member that names the unit for a key.
pub(super) fn unit_place(members: &[Member<'_>], key: Key) -> Option<usize> {
    key.unit_members().iter().find_map(|wanted| {
        members.iter().position(|(name, value)| {
            // A null names no unit: the next enclosing object is asked.
            name.as_str() == *wanted && !matches!(value, super::tree::Tree::Null)
        })
    })
}
