//! Equality and order of JSON numbers of any length by their digits, and equality of whole values.

use std::cmp::Ordering;
use std::collections::HashSet;

use num_bigint::BigInt;
use serde_json::Value;

use crate::terms::tree::Tree;

/// Digits after the point in a [`quick`] number.
const QUICK_SCALE: usize = 18;

/// A number without exponent and with at most 18 digits on either side of the point, times 10^18.
pub(super) fn quick(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.len() > QUICK_SCALE || fraction.len() > QUICK_SCALE {
        return None;
    }
    let mut number: i128 = 0;
    for digit in whole.bytes().chain(fraction.bytes()) {
        // An exponent is no digit.
        number = number * 10 + i128::from(digit.checked_sub(b'0').filter(|digit| *digit < 10)?);
    }
    for _ in fraction.len()..QUICK_SCALE {
        number *= 10;
    }
    Some(if negative { -number } else { number })
}

/// Beyond this many digits a remainder is not computed.
const MAX_REMAINDER: i64 = 400;

/// A number as `digits * 10^exponent`, with no zero at either end of the digits; zero has none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plain {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Plain {
    /// Reads a JSON number; its grammar was checked before.
    pub fn read(text: &str) -> Self {
        let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (negative, number) = match number.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, number),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_end_matches('0');
        let dropped = all.len() - digits.len();
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() {
            return Self {
                negative: false,
                digits: String::new(),
                exponent: 0,
            };
        }
        Self {
            negative,
            digits: digits.to_owned(),
            exponent: power(exponent) + dropped as i64 - fraction.len() as i64,
        }
    }

    /// Whether it has no fraction.
    pub const fn is_whole(&self) -> bool {
        self.exponent >= 0
    }

    pub const fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// By value.
    pub fn order(&self, other: &Self) -> Ordering {
        match (self.sign(), other.sign()) {
            (mine, theirs) if mine != theirs => mine.cmp(&theirs),
            (-1, _) => other.magnitude(self),
            _ => self.magnitude(other),
        }
    }

    /// Whether it is a whole multiple of the other; never of zero.
    pub fn is_multiple_of(&self, other: &Self) -> bool {
        if self.is_zero() || other.is_zero() {
            return self.is_zero() && !other.is_zero();
        }
        let low = self.exponent.min(other.exponent);
        let (mine, theirs) = (self.exponent - low, other.exponent - low);
        if mine.max(theirs) > MAX_REMAINDER || self.digits.len() as i64 > MAX_REMAINDER {
            return false;
        }
        match (self.scaled(mine), other.scaled(theirs)) {
            (Some(mine), Some(theirs)) => mine % theirs == BigInt::ZERO,
            _ => false,
        }
    }

    fn scaled(&self, zeros: i64) -> Option<BigInt> {
        let zeros = u32::try_from(zeros).ok()?;
        let digits: BigInt = self.digits.parse().ok()?;
        Some(digits * BigInt::from(10).pow(zeros))
    }

    const fn sign(&self) -> i8 {
        match (self.is_zero(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }

    fn magnitude(&self, other: &Self) -> Ordering {
        let top = |number: &Self| number.exponent + number.digits.len() as i64;
        // With the same highest place the digits compare like text: a missing one is a zero.
        top(self)
            .cmp(&top(other))
            .then_with(|| self.digits.cmp(&other.digits))
    }

    fn key(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        format!("{sign}{}e{}", self.digits, self.exponent)
    }
}

/// An exponent, held within bounds that no text of digits can leave.
fn power(text: &str) -> i64 {
    const FAR: i64 = i64::MAX / 4;
    match text.parse::<i64>() {
        Ok(exponent) => exponent.clamp(-FAR, FAR),
        Err(_) if text.starts_with('-') => -FAR,
        Err(_) => FAR,
    }
}

/// Equality with a value of a schema; numbers compare by value.
pub(super) fn equals_value(tree: &Tree<'_>, expected: &Value) -> bool {
    match (tree, expected) {
        (Tree::Null, Value::Null) => true,
        (Tree::Bool(one), Value::Bool(other)) => one == other,
        (Tree::String(one), Value::String(other)) => one.as_str() == other,
        (Tree::Number(one), Value::Number(other)) => {
            Plain::read(one) == Plain::read(&other.to_string())
        }
        (Tree::Array(items), Value::Array(others)) => {
            items.len() == others.len()
                && items
                    .iter()
                    .zip(others)
                    .all(|(one, other)| equals_value(one, other))
        }
        (Tree::Object(members), Value::Object(others)) => {
            members.len() == others.len()
                && members.iter().all(|(name, value)| {
                    others
                        .get(name.as_str())
                        .is_some_and(|other| equals_value(value, other))
                })
        }
        _ => false,
    }
}

/// Whether no two items are equal.
pub(super) fn distinct(items: &[Tree<'_>]) -> bool {
    let mut seen = HashSet::with_capacity(items.len());
    items.iter().all(|item| seen.insert(key(item)))
}

/// A text that is the same for equal values and for no others.
pub(super) fn key(tree: &Tree<'_>) -> String {
    match tree {
        Tree::Null => "null".to_owned(),
        Tree::Bool(value) => value.to_string(),
        Tree::Number(text) => Plain::read(text).key(),
        Tree::String(text) => format!("{:?}", text.as_str()),
        Tree::Array(items) => {
            let keys: Vec<_> = items.iter().map(key).collect();
            format!("[{}]", keys.join(","))
        }
        Tree::Object(members) => {
            let mut keys: Vec<_> = members
                .iter()
                .map(|(name, value)| format!("{:?}:{}", name.as_str(), key(value)))
                .collect();
            keys.sort_unstable();
            format!("{{{}}}", keys.join(","))
        }
    }
}

/// The same text for a value of a schema.
pub(super) fn key_of_value(value: &Value) -> String {
    let json = value.to_string();
    // A value that serde_json wrote is JSON; one that is not equals nothing.
    Tree::parse(&json).map_or(json.clone(), |tree| key(&tree))
}
