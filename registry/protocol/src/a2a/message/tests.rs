//! Messages there and back, and the odd input of real peers.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn message(value: Value) -> Message {
    Message::parse(&value).unwrap_or_else(|error| panic!("{error} in {value}"))
}

fn refused(value: Value) -> String {
    Message::parse(&value)
        .expect_err(&value.to_string())
        .pointer
}

#[test]
fn reads_both_dialects_as_the_same_message() {
    let old = json!({"kind": "message", "role": "user", "messageId": "m", "contextId": "c",
        "taskId": "t", "referenceTaskIds": ["r"], "extensions": ["urn:x"],
        "metadata": {"a.b": 1},
        "parts": [{"kind": "text", "text": "Hello"},
            {"kind": "file", "file": {"bytes": "aGk=", "name": "a.txt", "mimeType": "text/plain"}},
            {"kind": "file", "file": {"uri": "https://quay.guildhall-demo.net/a"}},
            {"kind": "data", "data": {"n": 1}, "metadata": {"k": true}}]});
    let new = json!({"role": "ROLE_USER", "messageId": "m", "contextId": "c",
        "taskId": "t", "referenceTaskIds": ["r"], "extensions": ["urn:x"],
        "metadata": {"a.b": 1},
        "parts": [{"text": "Hello"},
            {"raw": "aGk=", "filename": "a.txt", "mediaType": "text/plain"},
            {"url": "https://quay.guildhall-demo.net/a"},
            {"data": {"n": 1}, "metadata": {"k": true}}]});
    let read = message(old.clone());
    assert_eq!(read, message(new.clone()));
    assert_eq!(read.to_v0_3(), old);
    assert_eq!(read.to_v1_0(), new);
    assert_eq!(read.parts[1].content, Content::Bytes(b"hi".to_vec()));
    assert_eq!(read.joined_text(), "Hello");
}

#[test]
fn takes_what_real_peers_send() {
    let plain = message(json!({"role": "user", "messageId": "m", "parts": [{"text": "x"}]}));
    for odd in [
        json!({"role": "ROLE_USER", "message_id": "m", "parts": [{"type": "text", "text": "x"}]}),
        json!({"role": "user", "messageId": "m", "contextId": null, "taskId": "", "metadata": null,
            "extensions": null, "parts": [{"kind": "text", "text": "x", "metadata": {}}], "y": 1}),
        json!({"kind": "message", "role": "user", "messageId": "m", "content": [{"text": "x"}]}),
    ] {
        assert_eq!(message(odd), plain);
    }
    let file = |part: Value| {
        message(json!({"role": "user", "parts": [part]}))
            .parts
            .remove(0)
    };
    let want = file(json!({"raw": "-_8", "mediaType": "a/b"}));
    assert_eq!(want.content, Content::Bytes(vec![0xfb, 0xff]));
    assert_eq!(file(json!({"raw": "+/8=", "media_type": "a/b"})), want);
    assert_eq!(
        file(json!({"file": {"fileWithBytes": "+/8", "mimeType": "a/b"}})),
        want
    );
    assert_eq!(
        file(json!({"file": {"file_with_uri": "u"}})).content,
        Content::Uri("u".into())
    );
    assert_eq!(file(json!({"raw": ""})).content, Content::Bytes(Vec::new()));
    assert_eq!(
        file(json!({"data": [1, "a"]})).content,
        Content::Data(json!([1, "a"]))
    );
    assert_eq!(
        file(json!({"text": ""})).content,
        Content::Text(String::new())
    );
    assert_eq!(
        message(json!({"role": "agent", "parts": [{"text": "x"}]})).message_id,
        None
    );
}

#[test]
fn refuses_with_the_place() {
    let with =
        |part: Value| json!({"role": "user", "messageId": "m", "parts": [{"text": "x"}, part]});
    for (value, pointer) in [
        (json!("x"), ""),
        (json!({"messageId": "m", "parts": [{"text": "x"}]}), "/role"),
        (json!({"role": 1, "parts": [{"text": "x"}]}), "/role"),
        (
            json!({"role": "ROLE_UNSPECIFIED", "parts": [{"text": "x"}]}),
            "/role",
        ),
        (json!({"role": "user"}), "/parts"),
        (json!({"role": "user", "parts": []}), "/parts"),
        (json!({"role": "user", "parts": {}}), "/parts"),
        (
            json!({"kind": "task", "role": "user", "parts": [{"text": "x"}]}),
            "/kind",
        ),
        (
            json!({"role": "user", "messageId": 1, "parts": [{"text": "x"}]}),
            "/messageId",
        ),
        (
            json!({"role": "user", "metadata": [], "parts": [{"text": "x"}]}),
            "/metadata",
        ),
        (
            json!({"role": "user", "extensions": ["a", 1], "parts": [{"text": "x"}]}),
            "/extensions/1",
        ),
        (with(json!(1)), "/parts/1"),
        (with(json!({})), "/parts/1"),
        (with(json!({"kind": "text"})), "/parts/1"),
        (with(json!({"kind": "poem", "text": "x"})), "/parts/1/kind"),
        (with(json!({"type": 1, "text": "x"})), "/parts/1/type"),
        (with(json!({"text": "x", "url": "y"})), "/parts/1"),
        (with(json!({"kind": "data", "text": "x"})), "/parts/1"),
        (with(json!({"text": 1})), "/parts/1/text"),
        (with(json!({"data": null})), "/parts/1"),
        (with(json!({"raw": "a b!"})), "/parts/1/raw"),
        (with(json!({"raw": "+_8="})), "/parts/1/raw"),
        (with(json!({"file": {}})), "/parts/1/file"),
        (
            with(json!({"file": {"bytes": "", "uri": ""}})),
            "/parts/1/file",
        ),
        (with(json!({"file": {"bytes": "%"}})), "/parts/1/file/bytes"),
        (with(json!({"file": []})), "/parts/1/file"),
        (
            with(json!({"text": "x", "metadata": 1})),
            "/parts/1/metadata",
        ),
    ] {
        assert_eq!(refused(value.clone()), pointer, "{value}");
    }
    let error = Message::parse(&with(json!({}))).unwrap_err();
    assert_eq!(error.field(), "message.parts.1");
}

#[test]
fn what_0_3_has_no_place_for_travels_in_the_metadata() {
    let part = Part {
        media_type: Some("application/x".into()),
        ..Part::data(json!([1]))
    };
    let old = part.to_v0_3();
    assert_eq!(
        old,
        json!({"kind": "data", "data": {"value": [1]},
            "metadata": {"data_part_compat": true, "mediaType": "application/x"}})
    );
    assert_eq!(Part::parse(&old), Ok(part));
    // An object that only looks wrapped stays as it is.
    let more = json!({"kind": "data", "data": {"value": 1, "x": 2},
        "metadata": {"data_part_compat": true}});
    assert_eq!(Part::parse(&more).map(|part| part.to_v0_3()), Ok(more));
    let plain = Part::data(json!({"value": 1}));
    assert_eq!(Part::parse(&plain.to_v0_3()), Ok(plain));
}

fn some_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn some_metadata() -> impl Strategy<Value = Option<Map<String, Value>>> {
    prop::option::of(
        prop::collection::vec(("[a-z.]{1,8}", some_value()), 1..3)
            .prop_map(|members| members.into_iter().collect()),
    )
}

fn some_part() -> impl Strategy<Value = Part> {
    let content = prop_oneof![
        any::<String>().prop_map(Content::Text),
        some_value().prop_map(Content::Data),
        prop::collection::vec(any::<u8>(), 0..20).prop_map(Content::Bytes),
        any::<String>().prop_map(Content::Uri),
    ];
    (
        content,
        prop::option::of("[a-z]{1,5}/[a-z]{1,5}"),
        prop::option::of("[a-z]{1,9}"),
        some_metadata(),
    )
        .prop_map(|(content, media_type, name, metadata)| Part {
            content,
            media_type,
            name,
            metadata,
        })
}

fn some_message() -> impl Strategy<Value = Message> {
    let id = || prop::option::of("[a-zA-Z0-9-]{1,12}");
    let list = || prop::collection::vec("[a-z:]{0,8}", 0..3);
    let parts = prop::collection::vec(some_part(), 1..4);
    (
        any::<bool>(),
        id(),
        id(),
        id(),
        parts,
        some_metadata(),
        list(),
        list(),
    )
        .prop_map(
            |(agent, message_id, context_id, task_id, parts, metadata, extensions, tasks)| {
                Message {
                    role: if agent { Role::Agent } else { Role::User },
                    message_id,
                    context_id,
                    task_id,
                    parts,
                    metadata,
                    extensions,
                    reference_task_ids: tasks,
                }
            },
        )
}

proptest! {
    // The number of cases comes from PROPTEST_CASES; no file of failures is written to the tree.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn there_and_back_in_1_0(message in some_message()) {
        prop_assert_eq!(Message::parse(&message.to_v1_0()), Ok(message));
    }

    #[test]
    fn there_and_back_in_0_3(mut message in some_message()) {
        // 0.3 knows names of files only.
        for part in &mut message.parts {
            if matches!(part.content, Content::Text(_) | Content::Data(_)) {
                part.name = None;
            }
        }
        prop_assert_eq!(Message::parse(&message.to_v0_3()), Ok(message));
    }
}
