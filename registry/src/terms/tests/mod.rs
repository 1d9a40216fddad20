//! Tests of the terms engine as a whole.

use std::collections::BTreeMap;

use super::{Compiled, Outcome, RateTable, Refusal, Source, Tree, check, parse_rates};

mod cases;
mod conversions;
mod declarations;
mod properties;
mod replies;
mod schemas;
mod tables;

/// 2026-09-01T12:00:00Z.
pub(super) const NOON: i64 = 1_788_264_000_000;

pub(super) const RATES: &str = r#"{
    "source": "ECB", "as_of": "2026-09-01T12:00:00Z", "max_age": 86400, "pivot": "USD",
    "rates": [
        {"base": "SGD", "quote": "USD", "rate": "0.74"},
        {"base": "USD", "quote": "JPY", "rate": "147.123"},
        {"base": "EUR", "quote": "USD", "rate": "1.17", "source": "Desk", "max_age": 60}
    ]}"#;

pub(super) fn rates() -> RateTable {
    parse_rates(RATES).expect("the rates are good")
}

/// Terms of the four short keys.
pub(super) fn keys(pairs: &[(&str, &str)]) -> Compiled {
    let schema: BTreeMap<_, _> = pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), Some((*value).to_owned())))
        .collect();
    Compiled::new(&Source {
        payload_schema: Some(&schema),
        ..Source::default()
    })
    .expect("the keys are good")
}

/// Terms of one list of entries.
pub(super) fn entries(terms: &str) -> Compiled {
    Compiled::new(&Source {
        terms: Some(terms),
        ..Source::default()
    })
    .expect("the entries are good")
}

/// Terms of an input schema.
pub(super) fn schema(text: &str) -> Compiled {
    Compiled::new(&Source {
        input_schema: Some(text),
        ..Source::default()
    })
    .expect("the schema is good")
}

pub(super) fn outcome(terms: &Compiled, payload: &str) -> Outcome {
    check(terms, payload, None, &rates(), NOON).expect("the payload is JSON")
}

pub(super) fn refused(terms: &Compiled, payload: &str) -> Refusal {
    match outcome(terms, payload) {
        Outcome::Fits => panic!("{payload} fits"),
        Outcome::Mismatch(refusal) => *refusal,
    }
}

/// The suggestion, after looking that it passes.
pub(super) fn suggested(terms: &Compiled, payload: &str) -> String {
    let refusal = refused(terms, payload);
    let suggestion = refusal
        .suggested_payload
        .unwrap_or_else(|| panic!("no suggestion: {}", refusal.explanation));
    assert_eq!(outcome(terms, &suggestion), Outcome::Fits);
    suggestion
}

/// The reasons of everything that cannot be corrected; there is no suggestion beside them.
pub(super) fn reasons(terms: &Compiled, payload: &str) -> Vec<&'static str> {
    let refusal = refused(terms, payload);
    assert_eq!(refusal.suggested_payload, None);
    refusal
        .mismatches
        .iter()
        .filter_map(|mismatch| mismatch.cannot_convert)
        .map(super::Reason::as_str)
        .collect()
}

pub(super) fn fits(terms: &Compiled, payload: &str) -> bool {
    let quick = super::fits(terms, &Tree::parse(payload).expect("the payload is JSON"));
    assert_eq!(quick, outcome(terms, payload).fits());
    quick
}
