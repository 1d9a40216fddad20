//! Units, money, dates and counts through the whole check.

use super::super::{Compiled, Outcome, Source, check};
use super::{NOON, entries, fits, keys, rates, reasons, refused, suggested};

#[test]
fn the_nearest_enclosing_object_names_the_unit_and_untouched_parts_keep_their_bytes() {
    let terms = keys(&[("currency", "USD")]);
    let payload = r#"{"note":"caf\u00e9","big":12345678901234567890123456789.10,"currency":"SGD","lines":[{"price":1.5},{"price":2,"currency":"USD"}],"total":[10,"20"]}"#;
    assert_eq!(
        suggested(&terms, payload),
        r#"{"note":"caf\u00e9","big":12345678901234567890123456789.10,"currency":"USD","lines":[{"price":1.11},{"price":2,"currency":"USD"}],"total":[7.40,"14.80"]}"#
    );
}

#[test]
fn temperatures_are_affine_and_packs_need_a_declared_factor() {
    let terms = entries(
        r#"[{"pointer":"/t","dimension":"temperature","unit":"celsius","unit_pointer":"/tu"},
            {"pointer":"/q","dimension":"count","unit":"each","unit_pointer":"/qu","factors":{"pallet":"480"}}]"#,
    );
    assert_eq!(
        suggested(&terms, r#"{"t":"212","tu":"F","q":2,"qu":"pallets"}"#),
        r#"{"t":"100","tu":"celsius","q":960,"qu":"each"}"#
    );
    assert_eq!(reasons(&terms, r#"{"q":1,"qu":"box"}"#), ["unknown_unit"]);
    assert_eq!(
        suggested(&terms, r#"{"q":1,"qu":"gross"}"#),
        r#"{"q":144,"qu":"each"}"#
    );
}

#[test]
fn stars_pair_values_with_their_own_units() {
    let terms = entries(
        r#"[{"pointer":"/a/*/b/*/l","dimension":"length","unit":"m","unit_pointer":"/a/*/u"}]"#,
    );
    let payload = r#"{"a":[{"u":"ft","b":[{"l":10},{"l":20}]},{"u":"m","b":[{"l":1}]},{"u":"km","b":[{"l":0.5}]}]}"#;
    assert_eq!(
        suggested(&terms, payload),
        r#"{"a":[{"u":"m","b":[{"l":3.048},{"l":6.096}]},{"u":"m","b":[{"l":1}]},{"u":"m","b":[{"l":500}]}]}"#
    );
}

#[test]
fn a_declared_scale_holds_for_numbers_that_have_the_unit_already() {
    let terms = entries(r#"[{"pointer":"/w","dimension":"mass","unit":"kg","scale":2}]"#);
    assert!(fits(&terms, r#"{"w":1.500}"#));
    assert_eq!(reasons(&terms, r#"{"w":1.505}"#), ["precision_exceeded"]);
    assert!(fits(&terms, r#"{"w":null}"#));
    assert_eq!(reasons(&terms, r#"{"w":{}}"#), ["unsupported_field"]);
}

#[test]
fn another_spelling_of_the_same_unit_is_said_in_the_receivers() {
    let terms = keys(&[("weight_unit", "kg"), ("currency", "USD")]);
    assert_eq!(
        suggested(
            &terms,
            r#"{"weight":1.0,"unit":"Kilograms","price":3,"currency":"usd"}"#
        ),
        r#"{"weight":1.0,"unit":"kg","price":3,"currency":"USD"}"#
    );
}

#[test]
fn cross_rates_go_through_the_pivot_and_nothing_is_read_backwards() {
    let yen = keys(&[("currency", "JPY")]);
    let refusal = refused(&yen, r#"{"amount":100,"currency":"SGD"}"#);
    // 100 * 0.74 * 147.123 = 10887.102, and a yen has no minor unit.
    assert_eq!(
        refusal.suggested_payload.as_deref(),
        Some(r#"{"amount":10887,"currency":"JPY"}"#)
    );
    let rate = refusal.mismatches[0].rate.as_ref().expect("a rate");
    assert_eq!(rate.via.as_deref(), Some("USD"));
    assert_eq!(rate.rate, "108.87102");
    let dollar = keys(&[("currency", "SGD")]);
    assert_eq!(
        reasons(&dollar, r#"{"amount":1,"currency":"USD"}"#),
        ["rate_unavailable"]
    );
}

#[test]
fn dates_are_read_strictly() {
    let iso = keys(&[("date_format", "ISO8601")]);
    assert!(fits(
        &iso,
        r#"{"due_date":"2026-02-28","sent_at":"2026-02-28T10:00Z","update":"now"}"#
    ));
    let one = |value: &str| suggested(&iso, &format!(r#"{{"dueDate":{value}}}"#));
    assert_eq!(one(r#""20260228""#), r#"{"dueDate":"2026-02-28"}"#);
    assert_eq!(one(r#""28/02/2026""#), r#"{"dueDate":"2026-02-28"}"#);
    assert_eq!(one(r#""02/02/2026""#), r#"{"dueDate":"2026-02-02"}"#);
    assert_eq!(one(r#""28.02.2026""#), r#"{"dueDate":"2026-02-28"}"#);
    for bad in [
        "\"2026-02-30\"",
        "\"tomorrow\"",
        "\"02/03/2026\"",
        "1767225600",
        "true",
    ] {
        let payload = format!(r#"{{"due_date":{bad}}}"#);
        let found = reasons(&iso, &payload);
        assert_eq!(found, ["ambiguous_date"], "{bad}");
    }
    let strict = keys(&[("date_format", "RFC3339")]);
    assert_eq!(
        reasons(&strict, r#"{"sent_at":"2026-02-28"}"#),
        ["ambiguous_date"]
    );
    let seconds = keys(&[("date_format", "unix_seconds")]);
    assert_eq!(
        suggested(&seconds, r#"{"sent_at":"2026-01-01T01:00:00+01:00"}"#),
        r#"{"sent_at":1767225600}"#
    );
    let compact = keys(&[("date_format", "YYYYMMDD")]);
    assert_eq!(
        reasons(&compact, r#"{"sent_at":"2026-01-01T01:00:00Z"}"#),
        ["precision_exceeded"]
    );
}

#[test]
fn the_callers_own_terms_say_what_the_payload_does_not() {
    let receiver = keys(&[
        ("weight_unit", "kg"),
        ("date_format", "DD/MM/YYYY"),
        ("currency", "USD"),
    ]);
    let caller = keys(&[
        ("weight_unit", "lb"),
        ("date_format", "MM/DD/YYYY"),
        ("currency", "USD"),
    ]);
    let payload = r#"{"weight":50,"due_date":"03/04/2026","price":5}"#;
    let Ok(Outcome::Mismatch(refusal)) = check(&receiver, payload, Some(&caller), &rates(), NOON)
    else {
        panic!("it fits");
    };
    let suggestion = refusal.suggested_payload.expect("a suggestion");
    assert_eq!(
        suggestion,
        r#"{"weight":22.6796185,"due_date":"04/03/2026","price":5,"currency":"USD","weight_unit":"kg"}"#
    );
    assert!(fits(&receiver, &suggestion));
    let same = keys(&[("weight_unit", "kg"), ("currency", "USD")]);
    let payload = r#"{"weight":50,"price":5}"#;
    assert_eq!(
        check(&receiver, payload, Some(&same), &rates(), NOON),
        Ok(Outcome::Fits)
    );
    let fixed = entries(r#"[{"pointer":"/w","dimension":"mass","unit":"kg"}]"#);
    let pounds = entries(r#"[{"pointer":"/w","dimension":"mass","unit":"lb"}]"#);
    let Ok(Outcome::Mismatch(refusal)) = check(&fixed, r#"{"w":1}"#, Some(&pounds), &rates(), NOON)
    else {
        panic!("it fits");
    };
    assert_eq!(
        refusal.suggested_payload.as_deref(),
        Some(r#"{"w":0.45359237}"#)
    );
}

#[test]
fn two_rules_that_want_different_units_at_one_place_are_no_suggestion() {
    let terms = entries(
        r#"[{"pointer":"/a","dimension":"mass","unit":"kg","unit_pointer":"/u"},
            {"pointer":"/b","dimension":"mass","unit":"g","unit_pointer":"/u"}]"#,
    );
    assert_eq!(
        reasons(&terms, r#"{"a":1,"b":2,"u":"mg"}"#),
        ["unsupported_field"]
    );
}

#[test]
fn an_entry_takes_its_value_out_of_the_short_keys() {
    let keys = [("weight_unit".to_owned(), Some("kg".to_owned()))].into();
    let terms = Compiled::new(&Source {
        payload_schema: Some(&keys),
        terms: Some(r#"[{"pointer":"/a/weight","dimension":"mass","unit":"g","unit_pointer":"/a/weight_unit"}]"#),
        ..Source::default()
    })
    .expect("good");
    assert!(fits(
        &terms,
        r#"{"a":{"weight":1,"weight_unit":"g"},"b":{"weight":1,"weight_unit":"kg"}}"#
    ));
    assert_eq!(
        suggested(
            &terms,
            r#"{"a":{"weight":1,"weight_unit":"kg"},"b":{"weight":1,"weight_unit":"g"}}"#
        ),
        r#"{"a":{"weight":1000,"weight_unit":"g"},"b":{"weight":0.001,"weight_unit":"kg"}}"#
    );
}
