//! Mistakes that others made in public, as far as they are mistakes of translation.

use super::*;

const STATUS: &str = "TASK_STATE_INPUT_REQUIRED";

/// No member of this name, however deep.
fn lacks(value: &Value, name: &str) -> bool {
    match value {
        Value::Object(members) => members
            .iter()
            .all(|(key, value)| key != name && lacks(value, name)),
        Value::Array(list) => list.iter().all(|value| lacks(value, name)),
        _ => true,
    }
}

/// The card says 1.0 and the wire speaks 0.3.
#[test]
fn a_client_of_1_0_sees_nothing_of_a_wire_of_0_3() {
    let asked = json!({ "message": { "role": "ROLE_USER", "messageId": "m", "parts": [{ "text": "x" },
        { "raw": "aGk=", "filename": "a.txt", "mediaType": "text/plain" }] } });
    let params = read(Operation::Send, &asked, Version::V1_0).expect("sound");
    let old = params.write(Version::V0_3, Some("inner"));
    assert_eq!(
        old,
        json!({ "configuration": { "blocking": true }, "message": { "kind": "message", "role": "user", "messageId": "m",
            "parts": [{ "kind": "text", "text": "x" },
                { "kind": "file", "file": { "bytes": "aGk=", "name": "a.txt", "mimeType": "text/plain" } }] } })
    );
    let task = json!({ "kind": "task", "id": "t", "contextId": "c",
        "status": { "state": "completed", "timestamp": "2026-01-02T03:04:05.123456+00:00",
            "message": { "kind": "message", "role": "agent", "messageId": "n", "parts": [{ "kind": "text", "text": "y" }] } },
        "artifacts": [{ "artifactId": "a", "parts": [{ "kind": "data", "data": { "k": 1 } }] }],
        "history": [{ "kind": "message", "role": "user", "messageId": "m", "parts": [{ "kind": "text", "text": "x" }] }] });
    let new = result(&params, &task, Version::V1_0).expect("sound");
    assert_eq!(
        new,
        json!({ "task": { "id": "t", "contextId": "c",
            "status": { "state": "TASK_STATE_COMPLETED", "timestamp": "2026-01-02T03:04:05.123456Z",
                "message": { "role": "ROLE_AGENT", "messageId": "n", "parts": [{ "text": "y" }] } },
            "artifacts": [{ "artifactId": "a", "parts": [{ "data": { "k": 1 } }] }],
            "history": [{ "role": "ROLE_USER", "messageId": "m", "parts": [{ "text": "x" }] }] } })
    );
    assert!(lacks(&new, "kind") && !lacks(&task, "kind"));
}

/// The spellings of a task that was canceled.
#[test]
fn canceled_is_read_with_one_l_and_two() {
    let params = read(Operation::CancelTask, &json!({ "id": "t" }), Version::V1_0).expect("sound");
    for state in [
        "canceled",
        "cancelled",
        "TASK_STATE_CANCELED",
        "TASK_STATE_CANCELLED",
    ] {
        let bare = json!({ "id": "t", "status": { "state": state } });
        let kind = json!({ "kind": "task", "id": "t", "status": { "state": state } });
        for value in [&bare, &kind, &json!({ "task": bare })] {
            let old = result(&params, value, Version::V0_3).expect("sound");
            assert_eq!(
                (&old["status"]["state"], &old["kind"]),
                (&json!("canceled"), &json!("task"))
            );
            let new = result(&params, value, Version::V1_0).expect("sound");
            assert_eq!(new["status"]["state"], "TASK_STATE_CANCELED");
            assert!(lacks(&new, "kind"));
        }
    }
}

/// A stream that stays open after its agent waits for the caller.
#[test]
fn a_stream_that_waits_for_its_caller_is_final_in_0_3() {
    for state in [
        STATUS,
        "TASK_STATE_AUTH_REQUIRED",
        "input-required",
        "auth-required",
    ] {
        let mut stream = StreamTranslation::new(Version::V0_3);
        let update = |state: &str| json!({ "statusUpdate": { "taskId": "t", "contextId": "c", "status": { "state": state } } });
        let working = stream.push(&update("TASK_STATE_WORKING")).expect("sound");
        assert_eq!(
            (&working[0]["final"], stream.ended()),
            (&json!(false), false)
        );
        let waits = stream.push(&update(state)).expect("sound");
        assert_eq!((&waits[0]["final"], stream.ended()), (&json!(true), true));
        assert_eq!(stream.end(), Ending::Whole);
    }
}

/// An error whose data is not the typed array.
#[test]
fn an_unknown_task_is_an_error_with_its_typed_array_in_1_0() {
    for data in [
        json!(null),
        json!("gone"),
        json!({ "id": "t" }),
        json!([]),
        json!(["gone", 1]),
    ] {
        let said = json!({ "code": -32001, "message": "Task not found", "data": data });
        let error = in_dialect(read_error(&said).expect("an error"), Version::V1_0).to_value();
        let list = error["data"].as_array().expect("an array");
        assert_eq!(
            list[0],
            json!({ "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "TASK_NOT_FOUND",
                "domain": "a2a-protocol.org" })
        );
        assert!(list.iter().all(|one| one["@type"].is_string()), "{error}");
        let names: Vec<_> = error.as_object().expect("an object").keys().collect();
        assert_eq!(names, ["code", "message", "data"]);
    }
}
