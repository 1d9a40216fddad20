//! Replies in the caller's conventions, and promises of the receiver.

use super::super::{Compiled, ReplyOutcome, Source, check_reply, convert_reply};
use super::{NOON, entries, keys, rates};

#[test]
fn a_reply_is_copied_into_the_callers_conventions() {
    let receiver = keys(&[
        ("currency", "SGD"),
        ("weight_unit", "lb"),
        ("date_format", "YYYYMMDD"),
    ]);
    let caller = keys(&[
        ("currency", "USD"),
        ("weight_unit", "kg"),
        ("date_format", "YYYY-MM-DD"),
    ]);
    let reply = r#"{"price":10,"currency":"SGD","weight":2,"due_date":"20260901"}"#;
    let outcome = convert_reply(reply, &receiver, &caller, &rates(), NOON).expect("JSON");
    let ReplyOutcome::Converted { reply, changes } = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(
        reply,
        r#"{"price":7.40,"currency":"USD","weight":0.90718474,"due_date":"2026-09-01","weight_unit":"kg"}"#
    );
    assert_eq!(changes.mismatches.len(), 3);
}

#[test]
fn the_receivers_own_fields_follow_the_callers_short_keys() {
    let receiver = entries(
        r#"[{"pointer":"/load","dimension":"mass","unit":"lb","scale":3,"applies_to":"reply"},
            {"pointer":"/other","dimension":"mass","unit":"lb","applies_to":"request"}]"#,
    );
    let caller = keys(&[("weight_unit", "kg")]);
    let outcome = convert_reply(
        r#"{"load":10,"other":10}"#,
        &receiver,
        &caller,
        &rates(),
        NOON,
    );
    let Ok(ReplyOutcome::Converted { reply, .. }) = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!(reply, r#"{"load":4.536,"other":10}"#);
    let plain = convert_reply(r#"{"x":1}"#, &receiver, &caller, &rates(), NOON);
    assert_eq!(plain, Ok(ReplyOutcome::Unchanged));
    let bad = convert_reply(r#"{"load":"heavy"}"#, &receiver, &caller, &rates(), NOON);
    assert!(matches!(bad, Ok(ReplyOutcome::NotConverted(_))));
}

#[test]
fn a_broken_output_schema_is_seen() {
    let terms = Compiled::new(&Source {
        output_schema: Some(r#"{"required":["answer"]}"#),
        ..Source::default()
    })
    .expect("good");
    let fits = |reply| {
        check_reply(&terms, reply, &rates(), NOON)
            .expect("JSON")
            .fits()
    };
    assert!(fits(r#"{"answer":1}"#));
    assert!(!fits(r#"{}"#));
    assert!(super::fits(&terms, r#"{}"#));
}
