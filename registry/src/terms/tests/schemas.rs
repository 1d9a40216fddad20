//! JSON Schemas: exact numbers, certain repairs, and what is refused at the declaration.

use super::super::{Compiled, Source};
use super::{fits, outcome, reasons, refused, schema, suggested};

fn error(text: &str) -> (&'static str, String) {
    let error = Compiled::new(&Source {
        input_schema: Some(text),
        ..Source::default()
    })
    .expect_err(text);
    (error.code.as_str(), error.pointer)
}

#[test]
fn certain_repairs_are_made_and_come_together() {
    let terms = schema(
        r#"{"type":"object","additionalProperties":false,"required":["count","mode","weight","day","level"],
            "properties":{"count":{"type":"integer"},"mode":{"enum":["Fast","slow"]},"weight":{"type":"number"},
            "day":{"type":"string","format":"date"},"level":{"default":1.10},"kind":{"const":"Order"}}}"#,
    );
    assert_eq!(
        suggested(
            &terms,
            r#"{"count":"5","mode":"FAST","wieght":2.50,"day":"31.12.2026","kind":"order"}"#
        ),
        r#"{"count":5,"mode":"Fast","weight":2.50,"day":"2026-12-31","kind":"Order","level":1.10}"#
    );
}

#[test]
fn what_is_not_certain_is_said_and_not_guessed() {
    let terms = schema(
        r#"{"type":"object","additionalProperties":false,"required":["count"],
            "properties":{"count":{"type":"integer","maximum":9},"mode":{"enum":["a","A"]},"both":{"enum":["on","ON"]},"day":{"type":"string","format":"date"},"name":{"type":"string","pattern":"^[a-z]+$"}}}"#,
    );
    let one = |payload: &str| {
        let refusal = refused(&terms, payload);
        assert_eq!(refusal.suggested_payload, None, "{payload}");
        let mismatch = &refusal.mismatches[0];
        let violation = mismatch.schema.clone().expect("a violation");
        assert_eq!(mismatch.code, "schema");
        (mismatch.pointer.clone(), violation.keyword)
    };
    let at = |pointer: &str, keyword: &str| (pointer.to_owned(), keyword.to_owned());
    assert_eq!(one(r#"{"count":"5.5"}"#), at("/count", "type"));
    assert_eq!(one(r#"{"count":12}"#), at("/count", "maximum"));
    assert_eq!(one(r#"{"count":1,"mode":"B"}"#), at("/mode", "enum"));
    assert_eq!(
        one(r#"{"count":1,"day":"03/04/2026"}"#),
        at("/day", "format")
    );
    assert_eq!(one(r#"{"count":1,"name":"X"}"#), at("/name", "pattern"));
    assert_eq!(
        one(r#"{"count":1,"surprise":1}"#),
        at("/surprise", "additionalProperties")
    );
    assert_eq!(one(r#"{}"#), at("/count", "required"));
    assert_eq!(
        reasons(&terms, r#"{"count":"five"}"#),
        ["non_numeric_value"]
    );
    assert_eq!(
        reasons(&terms, r#"{"count":1,"day":"03/04/2026"}"#),
        ["ambiguous_date"]
    );
    assert_eq!(one(r#"{"count":1,"both":"oN"}"#), at("/both", "enum"));
    // Two slips of one name: neither is certain.
    assert_eq!(
        refused(&terms, r#"{"coun":1,"counts":2}"#).suggested_payload,
        None
    );
}

#[test]
fn numbers_are_compared_by_their_digits() {
    let terms = schema(
        r#"{"properties":{"n":{"multipleOf":0.01,"maximum":0.3},"i":{"type":"integer"},"u":{"uniqueItems":true},"c":{"const":9007199254740993},"e":{"enum":[1.0,"x"]}}}"#,
    );
    assert!(fits(&terms, r#"{"n":0.29}"#));
    assert!(fits(&terms, r#"{"n":0.30}"#));
    assert!(!fits(&terms, r#"{"n":0.300000000000000000000000001}"#));
    assert!(!fits(&terms, r#"{"n":0.0100000000000000000000001}"#));
    assert!(fits(&terms, r#"{"n":-1e-2}"#));
    let least = schema(r#"{"exclusiveMinimum":-0.3}"#);
    assert!(fits(&least, "-0.2999999999999999999999999999"));
    assert!(!fits(&least, "-0.3000000000000000000000000001"));
    assert!(!fits(&least, "-0.30e0"));
    assert!(fits(&least, "1e-30"));
    assert!(!fits(&least, "-1e30"));
    assert!(fits(&terms, r#"{"i":1e400}"#));
    assert!(!fits(&terms, r#"{"i":100000000000000000000000000.5}"#));
    assert!(!fits(&terms, r#"{"u":[1,1.0]}"#));
    assert!(!fits(&terms, r#"{"u":[{"a":1,"b":2},{"b":2.0,"a":1}]}"#));
    assert!(fits(
        &terms,
        r#"{"u":[1,"1",10000000000000000000000000001,10000000000000000000000000002]}"#
    ));
    assert!(!fits(&terms, r#"{"c":9007199254740992}"#));
    assert!(fits(&terms, r#"{"c":9007199254740993.0,"e":1}"#));
}

#[test]
fn both_drafts_are_known_and_others_are_not() {
    let seven = schema(
        r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"additionalItems":false}"#,
    );
    assert!(fits(&seven, r#"["a"]"#));
    assert!(!fits(&seven, r#"["a","b"]"#));
    let newer = schema(
        r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","prefixItems":[{"type":"string"}],"items":false}"#,
    );
    assert!(!fits(&newer, r#"["a","b"]"#));
    assert_eq!(
        error(r#"{"$schema":"http://json-schema.org/draft-04/schema#"}"#).1,
        "/input_schema/$schema"
    );
}

#[test]
fn bad_schemas_are_refused_with_their_place() {
    assert_eq!(error("[").0, "bad_schema");
    assert_eq!(error("3").0, "bad_schema");
    assert_eq!(
        error(r#"{"properties":{"a":{"type":"objekt"}}}"#),
        ("bad_schema", "/input_schema/properties/a/type".to_owned())
    );
    assert_eq!(
        error(r#"{"$ref":"https://example.com/x.json"}"#).0,
        "bad_reference"
    );
    assert_eq!(error(r#"{"$ref":"file:///etc/passwd"}"#).0, "bad_reference");
    assert_eq!(error(r##"{"$ref":"#/$defs/none"}"##).0, "bad_reference");
    assert_eq!(error(r#"{"pattern":"(?=a)b"}"#).0, "bad_schema");
    assert_eq!(
        error(r#"{"pattern":"(((a{1,100}){1,100}){1,100}){1,100}"}"#).0,
        "bad_schema"
    );
    assert_eq!(
        error(r#"{"maximum":0.12345678901234567890123}"#),
        ("precision_exceeded", "/input_schema/maximum".to_owned())
    );
    assert_eq!(
        error(&format!(r#"{{"title":"{}"}}"#, "x".repeat(70_000))).0,
        "too_large"
    );
}

#[test]
fn unknown_formats_are_notes_and_known_ones_hold() {
    let terms = schema(
        r#"{"properties":{"a":{"format":"sku"},"b":{"format":"email"},"c":{"format":"regex"}}}"#,
    );
    assert!(fits(&terms, r#"{"a":"x","b":"a@example.org","c":"("}"#));
    assert!(!fits(&terms, r#"{"b":"nobody"}"#));
}

/// A schema of `count` parts in a row, each made of the reference to the next one.
fn row(count: usize, last: &str, part: impl Fn(&str) -> String) -> String {
    let parts: Vec<_> = (0..count)
        .map(|index| {
            let next = format!(r##"{{"$ref":"#/$defs/d{}"}}"##, index + 1);
            format!(r#""d{index}":{}"#, part(&next))
        })
        .collect();
    let parts = parts.join(",");
    format!(
        r##"{{"$defs":{{{parts},"d{count}":{last}}},"properties":{{"a":{{"$ref":"#/$defs/d0"}}}}}}"##
    )
}

/// Compiles a schema and checks payloads that fit and that do not; `None` when it is refused as too large.
fn tried(text: &str) -> Option<()> {
    let source = Source {
        input_schema: Some(text),
        ..Source::default()
    };
    match Compiled::new(&source) {
        Ok(terms) => {
            for payload in [
                format!("{}1{}", r#"{"a":"#.repeat(64), "}".repeat(64)),
                format!("{}1{}", r#"{"a":"#.repeat(60), "}".repeat(60)),
                r#"{"a":"x"}"#.to_owned(),
            ] {
                let _ = outcome(&terms, &payload).fits();
            }
            Some(())
        }
        Err(error) => {
            assert_eq!(error.code.as_str(), "too_large", "{error}");
            None
        }
    }
}

#[test]
fn the_longest_rows_of_references_leave_the_stack_alone() {
    // Half of what a thread of the runtime has.
    let small = std::thread::Builder::new().stack_size(1024 * 1024);
    let run = || {
        let nested = |next: &str| format!(r#"{{"properties":{{"a":{next}}}}}"#);
        let same = |next: &str| format!(r#"{{"allOf":[{next}]}}"#);
        let (round, end) = (r##"{"$ref":"#"}"##, r#"{"type":"integer"}"#);
        let (mut taken, mut refused) = (0, 0);
        for count in [
            1, 2, 3, 4, 10, 30, 40, 48, 60, 64, 66, 90, 120, 190, 198, 250, 1_000,
        ] {
            for last in [round, end] {
                let texts = [
                    row(count, last, nested),
                    row(count, last, same),
                    row(count, last, str::to_owned),
                ];
                for text in texts {
                    match tried(&text) {
                        Some(()) => taken += 1,
                        None => refused += 1,
                    }
                }
            }
        }
        assert!(taken > 40 && refused > 20, "{taken} {refused}");
        let not = format!("{}true{}", r#"{"not":"#.repeat(63), "}".repeat(63));
        assert_eq!(tried(&not), Some(()));
    };
    small
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("no overflow");
}

#[test]
fn schemas_that_fan_out_are_refused_and_recursive_ones_taken() {
    let mut text = r#"{"$defs":{"d0":{"type":"string"}"#.to_owned();
    for level in 1..40 {
        let below = level - 1;
        text.push_str(&format!(
            r##","d{level}":{{"allOf":[{{"$ref":"#/$defs/d{below}"}},{{"$ref":"#/$defs/d{below}"}}]}}"##
        ));
    }
    text.push_str(r##"},"$ref":"#/$defs/d39"}"##);
    assert_eq!(error(&text).0, "too_large");
    let twice =
        r##"{"anyOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}}]}"##;
    assert_eq!(error(twice).0, "too_large");
    assert_eq!(error(r##"{"allOf":[{"$ref":"#"}]}"##).0, "too_large");
    let tree = schema(
        r##"{"anyOf":[{"type":"object","required":["and"],"properties":{"and":{"items":{"$ref":"#"}}}},{"type":"object","required":["not"],"properties":{"not":{"$ref":"#"}}},{"type":"string"}]}"##,
    );
    assert!(fits(&tree, r#"{"and":["a",{"not":{"and":["b"]}}]}"#));
    assert!(!fits(&tree, r#"{"and":["a",{"not":{"and":[1]}}]}"#));
}

#[test]
fn units_and_schema_are_corrected_together() {
    let schema_text = r#"{"additionalProperties":false,"required":["weight","weight_unit"],"properties":{"weight":{"type":"number","maximum":30},"weight_unit":{"enum":["kg"]}}}"#;
    let keys = [("weight_unit".to_owned(), Some("kg".to_owned()))].into();
    let terms = Compiled::new(&Source {
        payload_schema: Some(&keys),
        input_schema: Some(schema_text),
        ..Source::default()
    })
    .expect("good");
    // The unit is mended first, so the enumeration is no difference of its own; the slip brings it to light.
    assert_eq!(
        suggested(&terms, r#"{"weight":"50","weight_unit":"lb"}"#),
        r#"{"weight":22.6796185,"weight_unit":"kg"}"#
    );
    assert_eq!(
        suggested(
            &terms,
            r#"{"weigth":50,"weight_unit":"kg","weight_unit_":1}"#
                .replace(r#","weight_unit_":1"#, "")
                .as_str()
                .replace("50", "5")
                .as_str()
        ),
        r#"{"weight":5,"weight_unit":"kg"}"#
    );
    let heavy = refused(&terms, r#"{"weight":500,"weight_unit":"lb"}"#);
    assert_eq!(heavy.suggested_payload, None);
    assert_eq!(heavy.mismatches.len(), 2);
}

#[test]
fn terms_that_contradict_each_other_end_without_a_suggestion() {
    let keys = [("currency".to_owned(), Some("USD".to_owned()))].into();
    let terms = Compiled::new(&Source {
        payload_schema: Some(&keys),
        input_schema: Some(r#"{"properties":{"currency":{"const":"usd"}}}"#),
        ..Source::default()
    })
    .expect("good");
    let refusal = refused(&terms, r#"{"amount":1,"currency":"Usd"}"#);
    assert_eq!(refusal.suggested_payload, None);
    assert!(refusal.message.contains("do not fit together"));
}

#[test]
fn a_payload_that_could_have_endless_violations_is_told_of_one() {
    let names: Vec<_> = (0..3_000).map(|index| format!(r#""k{index}""#)).collect();
    let terms = schema(&format!(
        r#"{{"items":{{"required":[{}]}}}}"#,
        names.join(",")
    ));
    let payload = format!("[{}{{}}]", "{},".repeat(20_000));
    let refusal = refused(&terms, &payload);
    assert_eq!(refusal.mismatches.len(), 1);
    assert_eq!(refusal.mismatches[0].pointer, "/0/k0");
}

#[test]
fn many_violations_are_counted_and_bounded() {
    let terms = schema(r#"{"items":{"type":"string"}}"#);
    let payload = format!("[{}1]", "1,".repeat(999));
    let refusal = refused(&terms, &payload);
    assert_eq!((refusal.mismatches.len(), refusal.omitted), (200, 800));
    assert!(refusal.explanation.len() < 4_000);
}
