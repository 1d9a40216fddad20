//! There and back, what real peers send, and that no JSON makes a reader panic.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::a2a::message::{Message, Part, Role};
use crate::a2a::rpc::{ErrorCode, RpcError};
use crate::a2a::{Operation, Version};

const BOTH: [Version; 2] = [Version::V0_3, Version::V1_0];

fn small_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z.]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,5}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn bag() -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::btree_map("x[a-z.]{1,5}", small_json(), 1..3)
        .prop_map(|map| map.into_iter().collect())
}

fn part() -> impl Strategy<Value = Part> {
    let content = prop_oneof![
        "[ -~]{0,12}".prop_map(Part::text),
        small_json()
            .prop_filter("1.0 has no null data", |value| !value.is_null())
            .prop_map(Part::data),
    ];
    (
        content,
        prop::option::of(Just("text/x".to_owned())),
        prop::option::of(bag()),
    )
        .prop_map(|(mut part, media_type, metadata)| {
            part.media_type = media_type;
            part.metadata = metadata;
            part
        })
}

fn message_1_0() -> impl Strategy<Value = Value> {
    (
        any::<bool>(),
        "[a-z]{1,4}",
        prop::collection::vec(part(), 1..3),
        prop::option::of("[a-z]{1,4}"),
        prop::option::of(bag()),
    )
        .prop_map(|(user, id, parts, context, metadata)| {
            let role = if user { Role::User } else { Role::Agent };
            let mut message = Message::new(role, id, parts);
            message.context_id = context;
            message.metadata = metadata;
            message.to_v1_0()
        })
}

fn status_1_0() -> impl Strategy<Value = Value> {
    let states = [
        "SUBMITTED",
        "WORKING",
        "INPUT_REQUIRED",
        "COMPLETED",
        "CANCELED",
        "FAILED",
        "REJECTED",
        "AUTH_REQUIRED",
        "UNSPECIFIED",
    ];
    (
        prop::sample::select(states.to_vec()),
        prop::option::of(message_1_0()),
    )
        .prop_map(|(state, said)| {
            let mut status = json!({
                "state": format!("TASK_STATE_{state}"),
                "timestamp": "2026-01-02T03:04:05.678Z",
            });
            if let Some(said) = said {
                status["message"] = said;
            }
            status
        })
}

fn artifact_1_0() -> impl Strategy<Value = Value> {
    ("[a-c]", prop::collection::vec(part(), 1..3)).prop_map(|(id, parts)| {
        let parts: Vec<Value> = parts.iter().map(Part::to_v1_0).collect();
        json!({ "artifactId": id, "name": "n", "parts": parts })
    })
}

fn item_1_0() -> impl Strategy<Value = Value> {
    let task = (
        status_1_0(),
        prop::collection::vec(artifact_1_0(), 0..3),
        prop::collection::vec(message_1_0(), 0..3),
    )
        .prop_map(|(status, artifacts, history)| {
            json!({ "task": {
                "id": "t", "contextId": "c", "status": status, "artifacts": artifacts,
                "history": history, "metadata": { "a.b": 1 }, "generation": 7,
            }})
        });
    let status = status_1_0().prop_map(
        |status| json!({ "statusUpdate": { "taskId": "t", "contextId": "c", "status": status } }),
    );
    let artifact = (artifact_1_0(), any::<bool>()).prop_map(|(artifact, append)| {
        json!({ "artifactUpdate": {
            "taskId": "t", "contextId": "c", "artifact": artifact, "append": append, "lastChunk": true,
        }})
    });
    let message = message_1_0().prop_map(|message| json!({ "message": message }));
    prop_oneof![task, status, artifact, message]
}

/// JSON that looks like A2A until one looks closely.
fn odd() -> impl Strategy<Value = Value> {
    const NAMES: [&str; 24] = [
        "kind",
        "task",
        "message",
        "statusUpdate",
        "artifactUpdate",
        "id",
        "taskId",
        "contextId",
        "status",
        "state",
        "parts",
        "role",
        "artifact",
        "artifacts",
        "history",
        "configuration",
        "blocking",
        "historyLength",
        "pushNotificationConfig",
        "authentication",
        "schemes",
        "configs",
        "url",
        "messageId",
    ];
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        prop::sample::select(vec!["task", "message", "user", "working", "text", "x", ""])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(NAMES.to_vec()), inner), 0..6).prop_map(
                |pairs| Value::Object(
                    pairs
                        .into_iter()
                        .map(|(name, value)| (name.to_owned(), value))
                        .collect()
                )
            ),
        ]
    })
}

proptest! {
    #[test]
    fn an_item_of_1_0_comes_back_the_same_through_0_3(value in item_1_0()) {
        let item = Item::read(&value).expect("sound");
        prop_assert_eq!(&item.write(Version::V1_0, false), &value);
        let old = item.write(Version::V0_3, item.closes());
        let back = Item::read(&old).expect("sound");
        prop_assert_eq!(back.kind, item.kind);
        prop_assert_eq!(back.write(Version::V1_0, false), value);
        if item.kind == Kind::Status {
            prop_assert_eq!(&old["final"], &json!(item.closes()));
        }
    }

    #[test]
    fn parameters_of_a_send_come_back_the_same(
        said in message_1_0(),
        at_once in any::<bool>(),
        length in prop::option::of(1_i64..9),
        metadata in bag(),
    ) {
        let mut value = json!({ "message": said, "configuration": {
            "acceptedOutputModes": ["text/plain"], "returnImmediately": at_once,
            "taskPushNotificationConfig": { "id": "p", "url": "https://hooks.guildhall-demo.net/x",
                "token": "t", "authentication": { "scheme": "Bearer", "credentials": "c" } },
        }, "metadata": metadata });
        if let Some(length) = length {
            value["configuration"]["historyLength"] = json!(length);
        }
        let read = |value: &Value, from| {
            Params::read(Operation::Send, Some(value), from, &MissingId::Refuse).expect("sound")
        };
        let params = read(&value, Version::V1_0);
        prop_assert_eq!(&params.write(Version::V1_0, None), &value);
        let old = params.write(Version::V0_3, Some("ours"));
        prop_assert_eq!(&old["configuration"]["blocking"], &json!(!at_once));
        prop_assert!(old.get("tenant").is_none());
        prop_assert_eq!(read(&old, Version::V0_3), params);
    }

    #[test]
    fn no_json_makes_a_reader_panic_and_what_is_read_can_be_read_again(value in odd()) {
        if let Ok(item) = Item::read(&value) {
            for version in BOTH {
                let written = item.write(version, false);
                let again = Item::read(&written).expect("what we write can be read");
                prop_assert_eq!(again.kind, item.kind);
                prop_assert_eq!(again.write(version, false), written);
            }
        }
        for operation in [
            Operation::Send, Operation::GetTask, Operation::ListTasks, Operation::CancelTask,
            Operation::PushCreate, Operation::PushGet, Operation::PushList, Operation::PushDelete,
        ] {
            for version in BOTH {
                let read = Params::read(operation, Some(&value), version, &MissingId::Fill("m".into()));
                if let Ok(params) = read {
                    let written = params.write(version, None);
                    let again = Params::read(operation, Some(&written), version, &MissingId::Refuse);
                    prop_assert_eq!(again.expect("what we write can be read").write(version, None), written);
                }
                let _ = push_result(operation, &value, version);
            }
        }
        let _ = read_error(&value).map(|error| BOTH.map(|version| in_dialect(error.clone(), version)));
    }

    #[test]
    fn a_stream_adds_up_to_its_task_in_either_dialect(items in prop::collection::vec(item_1_0(), 1..8)) {
        let blank = json!({ "id": "t", "contextId": "c", "status": { "state": "TASK_STATE_SUBMITTED" } });
        let (mut whole, mut there_and_back) = (blank.clone(), blank);
        let mut stream = StreamTranslation::new(Version::V0_3);
        for value in &items {
            apply(&mut whole, &Item::read(value).expect("sound"));
            for old in stream.push(value).expect("sound") {
                apply(&mut there_and_back, &Item::read(&old).expect("sound"));
            }
        }
        prop_assert_eq!(whole, there_and_back);
    }
}

#[test]
fn a_stream_of_0_3_that_begins_with_an_update_begins_with_a_task_in_1_0() {
    let mut stream = StreamTranslation::new(Version::V1_0);
    let update = json!({ "kind": "status-update", "taskId": "t", "contextId": "c", "final": false,
        "status": { "state": "working" } });
    let out = stream.push(&update).expect("sound");
    assert_eq!(out[0]["task"]["id"], "t");
    assert_eq!(
        out[1]["statusUpdate"]["status"]["state"],
        "TASK_STATE_WORKING"
    );
    assert!(out[1]["statusUpdate"].get("final").is_none() && !stream.ended());
    assert_eq!(stream.push(&update).expect("sound").len(), 1);
}

#[test]
fn a_stream_that_waits_for_its_caller_is_final_in_0_3() {
    let mut stream = StreamTranslation::new(Version::V0_3);
    let update = |state: &str| json!({ "statusUpdate": { "taskId": "t", "contextId": "c", "status": { "state": state } } });
    assert_eq!(
        stream.push(&update("TASK_STATE_WORKING")).expect("sound")[0]["final"],
        false
    );
    assert_eq!(
        stream
            .push(&update("TASK_STATE_INPUT_REQUIRED"))
            .expect("sound")[0]["final"],
        true
    );
    assert!(stream.ended());
}

#[test]
fn canceled_is_read_with_one_l_and_two() {
    let task = |state: &str| json!({ "kind": "task", "id": "t", "status": { "state": state } });
    for state in [
        "canceled",
        "cancelled",
        "TASK_STATE_CANCELED",
        "TASK_STATE_CANCELLED",
    ] {
        let item = Item::read(&task(state)).expect("sound");
        assert_eq!(
            item.write(Version::V0_3, false)["status"]["state"],
            "canceled"
        );
        let new = item.write(Version::V1_0, false);
        assert_eq!(new["task"]["status"]["state"], "TASK_STATE_CANCELED");
        assert!(new["task"].get("kind").is_none());
    }
}

#[test]
fn the_ids_of_configs_stand_where_each_dialect_has_them() {
    let read = |operation, value: Value, from| {
        Params::read(operation, Some(&value), from, &MissingId::Refuse).map(|params| {
            (
                params.write(Version::V0_3, None),
                params.write(Version::V1_0, None),
            )
        })
    };
    let both = (
        json!({ "id": "t", "pushNotificationConfigId": "p" }),
        json!({ "taskId": "t", "id": "p" }),
    );
    for operation in [Operation::PushGet, Operation::PushDelete] {
        assert_eq!(
            read(operation, both.0.clone(), Version::V0_3),
            Ok(both.clone())
        );
        assert_eq!(
            read(operation, both.1.clone(), Version::V1_0),
            Ok(both.clone())
        );
        assert!(read(operation, json!({ "id": "p" }), Version::V1_0).is_err());
    }
    assert_eq!(
        push_result(Operation::PushDelete, &json!({}), Version::V0_3),
        Ok(Value::Null)
    );
    let flat = json!({ "taskId": "t", "id": "p", "url": "https://hooks.guildhall-demo.net/x",
        "authentication": { "scheme": "Bearer" } });
    let nested = push_config(&flat, Version::V0_3).expect("sound");
    assert_eq!(
        nested["pushNotificationConfig"]["authentication"]["schemes"],
        json!(["Bearer"])
    );
    assert_eq!(push_config(&nested, Version::V1_0), Ok(flat.clone()));
    let list = json!({ "configs": [flat], "nextPageToken": "" });
    assert_eq!(
        push_result(Operation::PushList, &json!([nested]), Version::V1_0),
        Ok(list)
    );
}

#[test]
fn errors_keep_their_number_or_say_it_elsewhere() {
    let unsupported = RpcError::new(ErrorCode::VersionNotSupported, "no");
    let old = in_dialect(unsupported, Version::V0_3);
    assert_eq!(old.code, -32603);
    assert!(old.data.iter().any(|one| one["value"]["code"] == -32009));
    let bare = read_error(&json!({ "code": -32001, "message": "gone" })).expect("an error");
    let new = in_dialect(bare, Version::V1_0);
    assert_eq!(
        (new.code, &new.data[0]["reason"]),
        (-32001, &json!("TASK_NOT_FOUND"))
    );
    let odd =
        read_error(&json!({ "code": -40000, "message": "x", "data": "why" })).expect("an error");
    assert_eq!(in_dialect(odd.clone(), Version::V1_0), odd);
    assert_eq!(odd.data[0]["value"], "why");
}

#[test]
fn history_is_trimmed_from_its_old_end() {
    let whole = json!({ "id": "t", "history": [1, 2, 3] });
    for (length, left) in [
        (None, json!([1, 2, 3])),
        (Some(2), json!([2, 3])),
        (Some(9), json!([1, 2, 3])),
    ] {
        let mut task = whole.clone();
        trim_history(&mut task, length);
        assert_eq!(task["history"], left);
    }
    let mut task = whole.clone();
    trim_history(&mut task, Some(0));
    assert!(task.get("history").is_none());
}

#[test]
fn times_are_utc_in_1_0() {
    let with = |time: &str| {
        let value = json!({ "state": "working", "timestamp": time });
        status(&value, Version::V1_0).expect("sound")["timestamp"].clone()
    };
    assert_eq!(with("2026-01-02T03:04:05+02:00"), "2026-01-02T01:04:05Z");
    assert_eq!(
        with("2026-01-02T03:04:05.123456Z"),
        "2026-01-02T03:04:05.123456Z"
    );
    assert_eq!(with("2026-01-02T03:04:05"), "2026-01-02T03:04:05Z");
    assert_eq!(with("soon"), "soon");
}
