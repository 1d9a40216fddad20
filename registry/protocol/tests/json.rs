//! Strict JSON: positions, depth, repeated members, and agreement of the two readers.

use proptest::prelude::*;
use protocol::json::{JsonErrorKind, MAX_DEPTH, check, parse};

fn fault(bytes: &[u8]) -> (JsonErrorKind, usize, usize) {
    let error = parse(bytes).expect_err("it must be refused");
    assert_eq!(check(bytes, false).as_ref(), Err(&error));
    assert_eq!(check(bytes, true).as_ref(), Err(&error));
    (error.kind, error.line, error.column)
}

#[test]
fn faults_have_a_kind_and_a_place() {
    for (bytes, want) in [
        (&b""[..], (JsonErrorKind::Empty, 1, 1)),
        (b" \n ", (JsonErrorKind::Empty, 2, 2)),
        (b"{\n \"a\": }", (JsonErrorKind::Syntax, 2, 7)),
        (b"{\"a\": 1", (JsonErrorKind::Syntax, 1, 7)),
        (b"{\"a\": 1} {", (JsonErrorKind::Trailing, 1, 10)),
        (b"1 2", (JsonErrorKind::Trailing, 1, 3)),
        (b"\"a\n\xff\"", (JsonErrorKind::NotUtf8, 2, 1)),
        (b"\xef\xbb\xbf{}", (JsonErrorKind::Syntax, 1, 1)),
        (b"'a'", (JsonErrorKind::Syntax, 1, 1)),
        (b"[1,]", (JsonErrorKind::Syntax, 1, 4)),
        (b"NaN", (JsonErrorKind::Syntax, 1, 1)),
        (b"1e999", (JsonErrorKind::Syntax, 1, 5)),
    ] {
        assert_eq!(fault(bytes), want, "{}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn half_surrogates_are_told_apart_wherever_they_are() {
    for text in [
        r#""\ud800""#,
        r#""\udc00""#,
        r#""\ud800x""#,
        r#""\ud800\n""#,
        r#""\ud800\u0041""#,
        r#"{"\ud83d": 1}"#,
        r#"[["\ud83d"]]"#,
    ] {
        assert_eq!(fault(text.as_bytes()).0, JsonErrorKind::Surrogate, "{text}");
    }
    assert!(parse(br#""\ud83d\ude00""#).is_ok());
    assert_eq!(fault(br#""\u12""#).0, JsonErrorKind::Syntax);
}

#[test]
fn the_depth_is_limited_exactly() {
    let nest = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(nest(MAX_DEPTH).as_bytes()).is_ok());
    assert_eq!(
        fault(nest(MAX_DEPTH + 1).as_bytes()).0,
        JsonErrorKind::TooDeep
    );
    assert_eq!(
        fault("[".repeat(1_000_000).as_bytes()).0,
        JsonErrorKind::TooDeep
    );
    assert_eq!(
        fault("{\"a\":".repeat(1_000_000).as_bytes()).0,
        JsonErrorKind::TooDeep
    );
    // A bare value has no depth of its own.
    assert!(parse(br#""text""#).is_ok());
}

#[test]
fn repeated_members_are_found_and_the_last_wins() {
    let text = br#"{"a": 1, "b": [{"x/y": 1, "x/y": {"~": 1, "~": 2}}], "a": 2, "a": 3}"#;
    let parsed = parse(text).unwrap();
    assert_eq!(parsed.value["a"], 3);
    assert_eq!(parsed.duplicates, ["/b/0/x~1y/~0", "/b/0/x~1y", "/a"]);
    assert_eq!(check(text, true), Ok(4));
    assert_eq!(check(text, false), Ok(0));
    let flood = format!("{{{}\"a\":0}}", "\"a\":0,\"b\":0,".repeat(10_000));
    assert_eq!(parse(flood.as_bytes()).unwrap().duplicates, ["/a", "/b"]);
}

proptest! {
    // The number of cases comes from PROPTEST_CASES; no file of failures is written to the tree.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_judged_alike(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let parsed = parse(&bytes).map(|parsed| parsed.value);
        prop_assert_eq!(parsed.clone().err(), check(&bytes, false).err());
        prop_assert_eq!(parsed.clone().err(), check(&bytes, true).err());
        let plain = serde_json::from_slice::<serde_json::Value>(&bytes);
        prop_assert_eq!(parsed.ok(), plain.ok());
    }

    #[test]
    fn text_that_is_nearly_json(text in r#"[\[\]{}",:0-9aeu\\dD8 tfrulsn-]{0,60}"#) {
        let parsed = parse(text.as_bytes()).map(|parsed| parsed.value);
        let plain = serde_json::from_str::<serde_json::Value>(&text);
        prop_assert_eq!(parsed.clone().ok(), plain.ok());
        prop_assert_eq!(parsed.err(), check(text.as_bytes(), true).err());
    }
}
