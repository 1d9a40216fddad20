//! Declarations that are refused, each at its place, and terms as they are stored.

use super::super::{Compiled, Source, Terms, parse_rates};

fn terms(text: &str) -> (&'static str, String) {
    let error = Compiled::new(&Source {
        terms: Some(text),
        ..Source::default()
    })
    .expect_err(text);
    (error.code.as_str(), error.pointer)
}

#[test]
fn mistakes_in_entries_are_named_with_their_place() {
    let at = |code: &'static str, pointer: &str| (code, pointer.to_owned());
    assert_eq!(terms("{}"), at("wrong_type", "/terms"));
    assert_eq!(terms("[1]"), at("wrong_type", "/terms/0"));
    assert_eq!(terms(r#"[{"x":1}]"#), at("unknown_member", "/terms/0/x"));
    assert_eq!(
        terms(r#"[{"pointer":"/a"}]"#),
        at("missing", "/terms/0/dimension")
    );
    let entry = |rest: &str| {
        terms(&format!(
            r#"[{{"pointer":"/a","dimension":"mass",{rest}}}]"#
        ))
    };
    assert_eq!(
        entry(r#""unit":"gallon""#),
        at("unknown_unit", "/terms/0/unit")
    );
    assert_eq!(
        entry(r#""unit":"m""#),
        at("dimension_mismatch", "/terms/0/unit")
    );
    assert_eq!(
        entry(r#""unit":"kg","scale":38"#),
        at("bad_value", "/terms/0/scale")
    );
    assert_eq!(
        entry(r#""unit":"kg","scale":"2""#),
        at("wrong_type", "/terms/0/scale")
    );
    assert_eq!(
        entry(r#""unit":"kg","rounding":"up_a_bit""#),
        at("bad_value", "/terms/0/rounding")
    );
    assert_eq!(
        entry(r#""unit":"kg","factors":{"box":2}"#),
        at("bad_value", "/terms/0/factors")
    );
    assert_eq!(
        entry(r#""unit":"kg","unit_pointer":"/b/*""#),
        at("bad_pointer", "/terms/0/unit_pointer")
    );
    assert_eq!(
        terms(r#"[{"pointer":"a","dimension":"mass","unit":"kg"}]"#),
        at("bad_pointer", "/terms/0/pointer")
    );
    assert_eq!(
        terms(r#"[{"pointer":"/a","dimension":"smell","unit":"kg"}]"#),
        at("unknown_dimension", "/terms/0/dimension")
    );
    let twice = r#"[{"pointer":"/a","dimension":"mass","unit":"kg"},{"pointer":"/a","dimension":"mass","unit":"g"}]"#;
    assert_eq!(terms(twice), at("duplicate", "/terms/1/pointer"));
    let dozen = r#"[{"pointer":"/a","dimension":"count","unit":"each","factors":{"dozen":"13"}}]"#;
    assert_eq!(terms(dozen), at("bad_value", "/terms/0/factors/dozen"));
}

#[test]
fn unknown_units_of_the_short_keys_are_refused() {
    for (key, value) in [
        ("currency", "DEM"),
        ("weight_unit", "snark"),
        ("date_format", "MM-DD"),
    ] {
        let schema = [(key.to_owned(), Some(value.to_owned()))].into();
        let error = Compiled::new(&Source {
            payload_schema: Some(&schema),
            ..Source::default()
        })
        .expect_err(value);
        assert_eq!(error.pointer, format!("/payload_schema/{key}"));
        assert_eq!(error.code.as_str(), "unknown_unit");
    }
    let schema = [(
        "quantity_unit".to_owned(),
        Some("individual_items".to_owned()),
    )]
    .into();
    assert!(
        Compiled::new(&Source {
            payload_schema: Some(&schema),
            ..Source::default()
        })
        .is_ok()
    );
}

#[test]
fn stored_terms_keep_their_numbers_and_name_their_skills() {
    let text = r#"{"payload_schema":{"currency":null},"skills":{"s":{"terms":[{"pointer":"/a","dimension":"mass","unit":"kg","scale":2}],"input_schema":{"type":"object","properties":{"n":{"maximum":10.10}}}}}}"#;
    let terms: Terms = serde_json::from_str(text).expect("good terms");
    assert_eq!(serde_json::to_string(&terms).expect("text"), text);
    let value = serde_json::to_value(&terms).expect("a value");
    assert!(serde_json::from_value::<Terms>(value).is_ok());
    terms.validate().expect("they compile");
    assert!(terms.compile(None).expect("compiles").is_empty());
    assert!(!terms.compile(Some("s")).expect("compiles").is_empty());
    let bad: Terms =
        serde_json::from_str(r#"{"skills":{"a/b":{"input_schema":{"type":"objekt"}}}}"#)
            .expect("JSON");
    let error = bad.validate().expect_err("a bad schema");
    assert!(
        error.pointer.starts_with("/skills/a~1b/input_schema"),
        "{error}"
    );
}

#[test]
fn mistakes_in_a_file_of_rates_are_named_with_their_place() {
    let wrong = |text: &str| parse_rates(text).expect_err(text).pointer;
    assert_eq!(wrong("["), "");
    assert_eq!(wrong("{}"), "/rates");
    assert_eq!(wrong(r#"{"rates":[],"pivots":"USD"}"#), "/pivots");
    assert_eq!(wrong(r#"{"rates":[],"pivot":"usd"}"#), "/pivot");
    let row = |rest: &str| {
        wrong(&format!(
            r#"{{"source":"s","as_of":"2026-09-01T12:00:00Z","max_age":1,"rates":[{{"base":"EUR","quote":"USD",{rest}}}]}}"#
        ))
    };
    assert_eq!(row(r#""rate":1.1"#), "/rates/0/rate");
    assert_eq!(row(r#""rate":"0""#), "/rates/0/rate");
    assert_eq!(row(r#""rate":"1,1""#), "/rates/0/rate");
    assert_eq!(row(r#""rate":"1.1","max_age":0"#), "/rates/0/max_age");
    assert_eq!(
        row(r#""rate":"1.1","as_of":"2026-09-01""#),
        "/rates/0/as_of"
    );
    assert_eq!(row(r#""rate":"1.1","note":"x""#), "/rates/0/note");
    let pair = r#"{"base":"EUR","quote":"USD","rate":"1"}"#;
    assert_eq!(
        wrong(&format!(
            r#"{{"source":"s","as_of":"2026-09-01T12:00:00Z","max_age":1,"rates":[{pair},{pair}]}}"#
        )),
        "/rates/1"
    );
    assert_eq!(
        wrong(&format!(
            r#"{{"as_of":"2026-09-01T12:00:00Z","max_age":1,"rates":[{pair}]}}"#
        )),
        "/rates/0/source"
    );
}
