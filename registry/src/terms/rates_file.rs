//! Reads an operator's file of rates; every mistake is named with its place.

use super::currency;
use super::dates::DateFormat;
use super::decimal::{Decimal, NumberError};
use super::pointer;
use super::rates::{Rate, RateTable};
use super::tree::{Member, Tree};
use crate::clock::Millis;

/// Why a file of rates was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{pointer}: {reason}")]
pub struct RatesError {
    /// JSON Pointer (RFC 6901) into the file; empty for the file itself.
    pub pointer: String,
    /// Why, for the operator.
    pub reason: String,
}

/// What stands at the top for all rows that do not say it themselves.
#[derive(Default)]
struct Common<'t> {
    source: Option<&'t str>,
    as_of: Option<&'t Tree<'t>>,
    max_age: Option<&'t Tree<'t>>,
}

/// Reads `{pivot?, inverse?, source?, as_of?, max_age?, rates: [{base, quote, rate, as_of, source, max_age}]}`.
///
/// `rate` is a string, so that no tool on the way can have made a float of it; `as_of` is RFC 3339,
/// `max_age` whole seconds. `source`, `as_of` and `max_age` at the top hold for rows without their own.
/// `inverse: true` allows to read a row backwards.
///
/// # Errors
/// [`RatesError`] for the first mistake.
pub fn parse(text: &str) -> Result<RateTable, RatesError> {
    let tree = Tree::parse(text).map_err(|error| wrong("", error.to_string()))?;
    let members = tree
        .members()
        .ok_or_else(|| wrong("", "a file of rates is a JSON object"))?;
    only(
        members,
        "",
        &["pivot", "inverse", "source", "as_of", "max_age", "rates"],
    )?;
    let pivot = match tree.get("pivot") {
        None | Some(Tree::Null) => None,
        Some(value) => Some(code(value, "/pivot")?),
    };
    let inverse = match tree.get("inverse") {
        None => false,
        Some(Tree::Bool(value)) => *value,
        Some(_) => return Err(wrong("/inverse", "true or false")),
    };
    let common = Common {
        source: optional_text(tree.get("source"), "/source")?,
        as_of: tree.get("as_of"),
        max_age: tree.get("max_age"),
    };
    let Some(Tree::Array(items)) = tree.get("rates") else {
        return Err(wrong("/rates", "a list of rates is missing"));
    };
    let mut rows: Vec<Rate> = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let at = format!("/rates/{index}");
        let row = read_row(item, &at, &common)?;
        if rows
            .iter()
            .any(|known| known.base == row.base && known.quote == row.quote)
        {
            let pair = format!("{} to {} is given twice", row.base, row.quote);
            return Err(wrong(at, pair));
        }
        rows.push(row);
    }
    Ok(RateTable::new(rows, pivot, inverse))
}

fn read_row(item: &Tree<'_>, at: &str, common: &Common<'_>) -> Result<Rate, RatesError> {
    let members = item
        .members()
        .ok_or_else(|| wrong(at, "a rate is an object"))?;
    only(
        members,
        at,
        &["base", "quote", "rate", "as_of", "source", "max_age"],
    )?;
    let needed = |name: &str| {
        item.get(name)
            .ok_or_else(|| wrong(format!("{at}/{name}"), "is missing"))
    };
    let base = code(needed("base")?, &format!("{at}/base"))?;
    let quote = code(needed("quote")?, &format!("{at}/quote"))?;
    if base == quote {
        return Err(wrong(format!("{at}/quote"), "the same currency as base"));
    }
    let rate = positive(needed("rate")?, &format!("{at}/rate"))?;
    let source = optional_text(item.get("source"), &format!("{at}/source"))?
        .or(common.source)
        .ok_or_else(|| wrong(format!("{at}/source"), "is missing, here and at the top"))?;
    let absent = |name: &str| wrong(format!("{at}/{name}"), "is missing, here and at the top");
    let (as_of, place) = match item.get("as_of") {
        Some(own) => (own, format!("{at}/as_of")),
        None => (
            common.as_of.ok_or_else(|| absent("as_of"))?,
            "/as_of".to_owned(),
        ),
    };
    let (as_of, as_of_millis) = instant(as_of, &place)?;
    let (max_age, place) = match item.get("max_age") {
        Some(own) => (own, format!("{at}/max_age")),
        None => (
            common.max_age.ok_or_else(|| absent("max_age"))?,
            "/max_age".to_owned(),
        ),
    };
    let max_age = seconds(max_age, &place)?;
    Ok(Rate {
        base,
        quote,
        rate,
        as_of,
        as_of_millis,
        source: source.to_owned(),
        max_age,
    })
}

fn code(value: &Tree<'_>, at: &str) -> Result<String, RatesError> {
    let text = value
        .as_str()
        .ok_or_else(|| wrong(at, "an ISO 4217 code is a string"))?;
    match currency::find(text) {
        Some(currency) if currency.code == text => Ok(text.to_owned()),
        _ => Err(wrong(
            at,
            format!("{text:?} is no active ISO 4217 code in capitals"),
        )),
    }
}

fn positive(value: &Tree<'_>, at: &str) -> Result<Decimal, RatesError> {
    let text = value
        .as_str()
        .ok_or_else(|| wrong(at, "a rate is a decimal in a string, as in \"0.74\""))?;
    let rate = Decimal::parse(text).map_err(|error| match error {
        NumberError::NotANumber => wrong(at, format!("{text:?} is no decimal number")),
        NumberError::TooManyDigits => wrong(at, "more than 38 digits"),
    })?;
    if rate.is_positive() {
        return Ok(rate);
    }
    Err(wrong(at, "a rate is above zero"))
}

fn instant(value: &Tree<'_>, at: &str) -> Result<(String, Millis), RatesError> {
    let refused = || wrong(at, "a time as in RFC 3339, as in \"2026-01-31T12:00:00Z\"");
    let text = value.as_str().ok_or_else(refused)?;
    let moment = DateFormat::Rfc3339.read_text(text).ok_or_else(refused)?;
    let millis = moment.unix(1).map_err(|_| refused())?;
    Ok((text.to_owned(), millis.parse().map_err(|_| refused())?))
}

fn seconds(value: &Tree<'_>, at: &str) -> Result<u64, RatesError> {
    let refused = || wrong(at, "an age is a whole number of seconds above zero");
    let Tree::Number(text) = value else {
        return Err(refused());
    };
    match text.parse() {
        Ok(seconds) if seconds > 0 => Ok(seconds),
        _ => Err(refused()),
    }
}

fn optional_text<'t>(value: Option<&'t Tree<'_>>, at: &str) -> Result<Option<&'t str>, RatesError> {
    match value {
        None => Ok(None),
        Some(value) => match value.as_str().filter(|text| !text.trim().is_empty()) {
            Some(text) => Ok(Some(text)),
            None => Err(wrong(at, "a text that is not empty")),
        },
    }
}

/// A misspelt member must not be a member that silently does nothing.
fn only(members: &[Member<'_>], at: &str, known: &[&str]) -> Result<(), RatesError> {
    for (name, _) in members {
        if !known.contains(&name.as_str()) {
            let place = format!("{at}{}", pointer::step(name.as_str()));
            return Err(wrong(
                place,
                format!("no such member; known are {}", known.join(", ")),
            ));
        }
    }
    Ok(())
}

fn wrong(pointer: impl Into<String>, reason: impl Into<String>) -> RatesError {
    RatesError {
        pointer: pointer.into(),
        reason: reason.into(),
    }
}
