//! The tables as one JSON document, so that anyone can recompute a correction.

use super::dates::DateFormat;
use super::decimal::{MAX_DIGITS, Rounding};
use super::mismatch::{Reason, object, optional};
use super::sugar::{self, MONEY, NO_DATES};
use super::tree::Tree;
use super::unit_table::UNCLEAR;
use super::units::{Dimension, Unit, units};
use super::{currency, policy};

/// `{version, units[], unclear_names[], currencies[], date_formats[], member_names, dimensions[], roundings[], reasons[], max_digits}`.
///
/// A unit is `{symbol, names[], dimension, factor, offset?}`: `base = (value + offset) * factor`, with the
/// factor as a decimal or `a/b`, null where only a receiver can say.
#[must_use]
pub fn publish() -> Tree<'static> {
    let unclear = UNCLEAR.iter().map(|(name, instead)| {
        object(vec![
            ("name", Tree::text(name)),
            ("instead", Tree::text(instead)),
        ])
    });
    let money = currency::currencies().map(|currency| {
        object(vec![
            ("code", Tree::text(currency.code)),
            (
                "minor_units",
                currency
                    .minor
                    .map_or(Tree::Null, |minor| Tree::number(minor.to_string())),
            ),
        ])
    });
    object(vec![
        ("version", Tree::text(&policy())),
        ("dimensions", texts(Dimension::ALL.map(Dimension::as_str))),
        ("units", Tree::Array(units().iter().map(row).collect())),
        ("unclear_names", Tree::Array(unclear.collect())),
        ("currencies", Tree::Array(money.collect())),
        (
            "date_formats",
            texts(DateFormat::ALL.map(DateFormat::as_str)),
        ),
        ("member_names", member_names()),
        ("roundings", texts(Rounding::ALL.map(Rounding::as_str))),
        ("reasons", texts(Reason::ALL.map(Reason::as_str))),
        ("max_digits", Tree::number(MAX_DIGITS.to_string())),
    ])
}

fn row(unit: &Unit) -> Tree<'static> {
    let mut members = vec![
        ("symbol", Tree::text(unit.symbol)),
        ("names", texts(unit.names.iter().copied())),
        ("dimension", Tree::text(unit.dimension.as_str())),
        ("factor", optional(unit.factor)),
    ];
    if let Some(offset) = unit.offset {
        members.push(("offset", Tree::text(offset)));
    }
    object(members)
}

/// Which members each key of `payload_schema` speaks of.
fn member_names() -> Tree<'static> {
    let key = |key: sugar::Key, values: Vec<&str>| {
        object(vec![
            ("values", texts(values)),
            ("units", texts(key.unit_members().iter().copied())),
        ])
    };
    object(vec![
        ("currency", key(sugar::Key::Currency, MONEY.to_vec())),
        ("weight_unit", key(sugar::Key::Weight, vec!["weight"])),
        ("quantity_unit", key(sugar::Key::Quantity, vec!["quantity"])),
        (
            "date_format",
            object(vec![
                ("ending_in", texts(["date", "_at"])),
                ("but_not", texts(NO_DATES)),
            ]),
        ),
    ])
}

fn texts<'t>(list: impl IntoIterator<Item = &'t str>) -> Tree<'static> {
    Tree::Array(list.into_iter().map(Tree::text).collect())
}
