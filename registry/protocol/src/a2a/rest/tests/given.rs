//! Bodies of 0.3 as real peers write them, and what becomes of them.

use super::*;
use crate::a2a::rest::proto::{
    answer_from_v1_0, answer_to_v1_0, body_from_v1_0, body_to_v1_0, read_item,
};
use crate::a2a::translate::Item;

#[test]
fn a_task_of_the_proto() {
    let old = json!({ "task": {
        "id": "t",
        "contextId": "c",
        "status": {
            "state": "TASK_STATE_CANCELLED",
            "update": { "messageId": "m", "role": "ROLE_AGENT", "content": [{ "text": "bye" }] },
            "timestamp": "2026-11-30T12:00:00+02:00",
        },
        "artifacts": [{ "artifactId": "a", "parts": [
            { "file": { "fileWithBytes": "aGk=", "mimeType": "text/plain", "name": "a.txt" } },
            { "file": { "fileWithUri": "https://f.example/b" } },
            { "data": { "data": { "data": { "n": 1 } } } },
            { "data": { "data": { "value": 5 } }, "metadata": { "data_part_compat": true } },
        ] }],
        "history": [
            { "messageId": "h", "role": "ROLE_USER", "content": [{ "text": "" }] },
            { "role": "ROLE_AGENT" },
        ],
    } });
    let new = json!({ "task": {
        "id": "t",
        "contextId": "c",
        "status": {
            "state": "TASK_STATE_CANCELED",
            "message": { "role": "ROLE_AGENT", "parts": [{ "text": "bye" }], "messageId": "m" },
            "timestamp": "2026-11-30T10:00:00Z",
        },
        "artifacts": [{ "artifactId": "a", "parts": [
            { "raw": "aGk=", "filename": "a.txt", "mediaType": "text/plain" },
            { "url": "https://f.example/b" },
            { "data": { "data": { "n": 1 } } },
            { "data": 5 },
        ] }],
        "history": [{ "role": "ROLE_USER", "parts": [{ "text": "" }], "messageId": "h" }],
    } });
    assert_eq!(answer_to_v1_0(Operation::Send, old).as_ref(), Ok(&new));
    let written = answer_from_v1_0(Operation::GetTask, &new["task"]).expect("sound");
    assert_eq!(written["status"]["state"], "TASK_STATE_CANCELLED");
    assert_eq!(written["status"]["message"]["content"][0]["text"], "bye");
    assert!(written["status"]["message"].get("parts").is_none());
    let parts = &written["artifacts"][0]["parts"];
    assert_eq!(parts[0]["file"]["fileWithBytes"], "aGk=");
    assert_eq!(parts[3]["data"]["data"], json!({ "value": 5 }));
}

#[test]
fn items_by_every_name() {
    let message = json!({ "message_id": "m", "role": "ROLE_AGENT", "content": [{ "text": "a" }] });
    let new = json!({ "message": { "role": "ROLE_AGENT", "parts": [{ "text": "a" }], "messageId": "m" } });
    for old in [
        json!({ "msg": message.clone() }),
        json!({ "message": message.clone() }),
        message,
    ] {
        assert_eq!(answer_to_v1_0(Operation::Send, old), Ok(new.clone()));
    }
    let last = json!({ "status_update": { "task_id": "t", "contextId": "c", "final": true,
        "status": { "state": "TASK_STATE_INPUT_REQUIRED", "message": {} } } });
    let item = read_item(last).expect("an update");
    assert_eq!((item.last, item.closes()), (Some(true), true));
    assert_eq!(
        item.value["status"],
        json!({ "state": "TASK_STATE_INPUT_REQUIRED" })
    );
    assert!(read_item(json!({ "error": {} })).is_err());
}

#[test]
fn a_send_without_blocking_is_not_blocking() {
    let message = json!({ "messageId": "m", "role": "ROLE_USER", "content": [{ "text": "a" }] });
    let read = |body| body_to_v1_0(Operation::Send, body).expect("sound");
    let asked = |configuration: Value| {
        let body = json!({ "request": message, "configuration": configuration });
        read(body)["configuration"].clone()
    };
    assert_eq!(asked(json!({})), json!({ "returnImmediately": true }));
    assert_eq!(
        asked(json!({ "blocking": true })),
        json!({ "returnImmediately": false })
    );
    assert_eq!(
        asked(
            json!({ "blocking": true, "history_length": 0, "push_notification":
            { "url": "https://c.example", "authentication": { "schemes": ["Bearer"] } } })
        ),
        json!({ "returnImmediately": false, "taskPushNotificationConfig":
            { "url": "https://c.example", "authentication": { "scheme": "Bearer" } } })
    );
    assert_eq!(
        read(json!({ "message": message })).get("configuration"),
        None
    );
    // To an agent it is always said, since its silence would mean the opposite of ours.
    let params = read(json!({ "message": message }));
    let sent = body_from_v1_0(Operation::Send, &params).expect("sound");
    assert_eq!(sent["configuration"], json!({ "blocking": true }));
}

#[test]
fn a_message_without_an_id_is_for_the_door_to_judge() {
    let body = json!({ "message": { "role": "ROLE_USER", "content": [{ "text": "a" }] } });
    let want = json!({ "message": { "role": "ROLE_USER", "parts": [{ "text": "a" }] } });
    assert_eq!(body_to_v1_0(Operation::Send, body), Ok(want));
}

#[test]
fn what_the_proto_does_not_know_stays_here() {
    let message = json!({ "role": "ROLE_USER", "parts": [{ "text": "a", "x": 1 }], "messageId": "m",
        "referenceTaskIds": ["r"], "y": 2 });
    let sent = body_from_v1_0(Operation::Send, &json!({ "message": message, "z": 3 }));
    let want = json!({
        "message": {
            "messageId": "m",
            "role": "ROLE_USER",
            "content": [{ "text": "a" }],
            "metadata": { "referenceTaskIds": ["r"] },
        },
        "configuration": { "blocking": true },
    });
    assert_eq!(sent, Ok(want));
    let time = |text: &str| {
        let status = json!({ "state": "TASK_STATE_WORKING", "timestamp": text });
        let task = json!({ "id": "t", "status": status });
        let old = answer_from_v1_0(Operation::GetTask, &task).expect("sound");
        old["status"]["timestamp"].clone()
    };
    assert_eq!(time("2026-11-30T10:00:00"), "2026-11-30T10:00:00Z");
    assert_eq!(
        time("2026-11-30T10:00:00.5+01:00"),
        "2026-11-30T10:00:00.5+01:00"
    );
    assert_eq!(time("yesterday"), Value::Null);
}

#[test]
fn kind_json_is_taken_as_well() {
    let body = json!({ "message": { "kind": "message", "messageId": "m", "role": "user",
        "parts": [{ "kind": "data", "data": { "data": {} } }] } });
    let want = json!({ "message": { "role": "ROLE_USER", "parts": [{ "data": { "data": {} } }],
        "messageId": "m" } });
    assert_eq!(body_to_v1_0(Operation::Send, body), Ok(want));
}

#[test]
fn configs_in_every_wrapping() {
    let inner = json!({ "url": "https://c.example" });
    let flat = json!({ "id": "c", "url": "https://c.example" });
    for body in [
        json!({ "parent": "tasks/t", "configId": "c",
            "config": { "name": "tasks/t/pushNotificationConfigs/None", "pushNotificationConfig": inner } }),
        json!({ "config_id": "c", "config": { "push_notification_config": inner } }),
        json!({ "name": "tasks/t/pushNotificationConfigs/x",
            "pushNotificationConfig": { "id": "c", "url": "https://c.example" } }),
        json!({ "id": "c", "url": "https://c.example" }),
    ] {
        assert_eq!(
            body_to_v1_0(Operation::PushCreate, body.clone()),
            Ok(flat.clone()),
            "{body}"
        );
    }
    let answer =
        json!({ "name": "tasks/t/pushNotificationConfigs/c", "pushNotificationConfig": inner });
    let want = json!({ "taskId": "t", "id": "c", "url": "https://c.example" });
    assert_eq!(answer_to_v1_0(Operation::PushGet, answer), Ok(want.clone()));
    assert_eq!(
        body_from_v1_0(Operation::PushCreate, &want),
        Ok(json!({
            "parent": "tasks/t",
            "configId": "c",
            "config": {
                "name": "tasks/t/pushNotificationConfigs/c",
                "pushNotificationConfig": { "id": "c", "url": "https://c.example" },
            },
        }))
    );
    assert_eq!(
        answer_to_v1_0(Operation::PushList, json!({})),
        Ok(json!({ "configs": [], "nextPageToken": "" }))
    );
    assert_eq!(
        answer_to_v1_0(Operation::PushDelete, Value::Null),
        Ok(json!({}))
    );
}

#[test]
fn faults_name_their_place() {
    let list = json!({ "tasks": [{ "id": "t", "status": { "state": "gone" } }] });
    let fault = answer_to_v1_0(Operation::ListTasks, list).expect_err("no state");
    assert_eq!(fault.pointer, "/tasks/0/status/state");
    let fault = answer_to_v1_0(Operation::PushList, json!({ "configs": 1 })).expect_err("no list");
    assert_eq!(fault.pointer, "/configs");
}

#[test]
fn a_large_item_passes() {
    let text = "x".repeat(200 * 1024);
    let old = json!({ "artifactUpdate": { "taskId": "t", "contextId": "c",
        "artifact": { "artifactId": "a", "parts": [{ "text": text }] } } });
    let item: Item = read_item(old).expect("an item");
    assert_eq!(item.value["artifact"]["parts"][0]["text"], json!(text));
}
