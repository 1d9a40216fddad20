//! Parameters: what means other things in the two dialects, and what is refused where.

use super::*;

const TEXT: &str = r#"{"role": "user", "messageId": "m", "parts": [{"text": "x"}]}"#;

fn said() -> Value {
    serde_json::from_str(TEXT).expect("JSON")
}

fn send(configuration: Value) -> Value {
    json!({ "message": said(), "configuration": configuration })
}

fn both(operation: Operation, value: &Value, from: Version) -> (Value, Value) {
    let params = read(operation, value, from).unwrap_or_else(|error| panic!("{error} in {value}"));
    (
        params.write(Version::V0_3, None),
        params.write(Version::V1_0, None),
    )
}

#[test]
fn the_ids_of_configs_stand_where_each_dialect_has_them() {
    let pair = (
        json!({ "id": "t", "pushNotificationConfigId": "p", "y": 1 }),
        json!({ "taskId": "t", "id": "p", "y": 1 }),
    );
    for operation in [Operation::PushGet, Operation::PushDelete] {
        assert_eq!(both(operation, &pair.0, Version::V0_3), pair);
        assert_eq!(both(operation, &pair.1, Version::V1_0), pair);
        let error = read(operation, &json!({ "id": "p" }), Version::V1_0);
        assert_eq!(error.expect_err("no task").pointer, "/taskId");
        let error = read(operation, &json!({ "taskId": "t" }), Version::V1_0);
        assert_eq!(error.expect_err("no config").pointer, "/id");
    }
    let error = read(Operation::PushDelete, &json!({ "id": "t" }), Version::V0_3);
    let error = error.expect_err("no config");
    assert_eq!(error.pointer, "/pushNotificationConfigId");
    // 0.3 may ask for "the" config, and then names none.
    let (old, new) = both(Operation::PushGet, &json!({ "id": "t" }), Version::V0_3);
    assert_eq!((old, new), (json!({ "id": "t" }), json!({ "taskId": "t" })));
    let paged = json!({ "taskId": "t", "pageSize": 5, "pageToken": "n" });
    let (old, new) = both(Operation::PushList, &paged, Version::V1_0);
    assert_eq!((old, new), (json!({ "id": "t" }), paged));
}

#[test]
fn silence_about_waiting_means_what_its_dialect_says() {
    let (stream, unary) = (Operation::SendStream, Operation::Send);
    let silent = json!({ "message": said() });
    let old =
        |operation, value: &Value, from| both(operation, value, from).0["configuration"].clone();
    assert_eq!(
        old(unary, &silent, Version::V1_0),
        json!({ "blocking": true })
    );
    assert_eq!(old(stream, &silent, Version::V1_0), json!(null));
    // 0.3 leaves it to the agent, and goes on doing so.
    assert_eq!(old(unary, &silent, Version::V0_3), json!(null));
    assert_eq!(old(unary, &send(json!({})), Version::V0_3), json!({}));
    assert_eq!(
        old(unary, &send(json!({})), Version::V1_0),
        json!({ "blocking": true })
    );
    for blocking in [true, false] {
        let asked = send(json!({ "blocking": blocking }));
        let (old, new) = both(unary, &asked, Version::V0_3);
        assert_eq!(old["configuration"], json!({ "blocking": blocking }));
        assert_eq!(
            new["configuration"],
            json!({ "returnImmediately": !blocking })
        );
    }
    let at_once = |value: &Value, from| read(unary, value, from).expect("sound").at_once();
    assert_eq!(at_once(&silent, Version::V0_3), None);
    assert_eq!(at_once(&silent, Version::V1_0), Some(false));
    assert_eq!(
        at_once(&send(json!({ "blocking": false })), Version::V0_3),
        Some(true)
    );
}

#[test]
fn no_history_is_all_of_it_to_0_3() {
    let get = json!({ "id": "t", "historyLength": 0 });
    assert_eq!(
        both(Operation::GetTask, &get, Version::V0_3).1,
        json!({ "id": "t" })
    );
    assert_eq!(both(Operation::GetTask, &get, Version::V1_0).1, get);
    assert_eq!(
        both(Operation::GetTask, &get, Version::V1_0).0,
        json!({ "id": "t" })
    );
    let asked = send(json!({ "historyLength": 0 }));
    let read = |from| read(Operation::Send, &asked, from).expect("sound");
    // A send asks for it as a get does.
    assert_eq!(read(Version::V0_3).history_length(), None);
    assert_eq!(
        read(Version::V0_3).write(Version::V1_0, None)["configuration"],
        json!({})
    );
    assert_eq!(read(Version::V1_0).history_length(), Some(0));
    let old = read(Version::V1_0).write(Version::V0_3, None);
    assert!(old["configuration"].get("historyLength").is_none());
}

#[test]
fn what_real_clients_send_is_taken() {
    let want = send(
        json!({ "acceptedOutputModes": ["a/b"], "returnImmediately": true, "historyLength": 5,
        "taskPushNotificationConfig": { "url": "https://hooks.guildhall-demo.net/x" } }),
    );
    let want = both(Operation::Send, &want, Version::V1_0);
    let push = json!({ "url": "https://hooks.guildhall-demo.net/x", "token": null, "id": "",
        "authentication": { "schemes": [] } });
    let message = json!({ "role": "ROLE_USER", "message_id": "m", "task_id": null,
        "parts": [{ "type": "text", "text": "x" }] });
    for odd in [
        json!({ "message": message, "metadata": null, "kind": "x", "configuration": {
            "accepted_output_modes": ["a/b"], "return_immediately": true, "history_length": 5,
            "task_push_notification_config": push } }),
        json!({ "request": message, "configuration": { "acceptedOutputModes": ["a/b"],
            "blocking": false, "historyLength": 5.0, "pushNotificationConfig": push } }),
        json!({ "message": message, "configuration": { "acceptedOutputModes": ["a/b"],
            "blocking": false, "historyLength": "5", "push_notification_config": push } }),
    ] {
        assert_eq!(both(Operation::Send, &odd, Version::V1_0), want, "{odd}");
    }
}

#[test]
fn a_number_that_is_carried_as_it_was_written_is_one() {
    for (literal, want) in [
        ("5", Some(5)),
        ("5.0", Some(5)),
        ("50e-1", Some(5)),
        ("\"5\"", Some(5)),
        ("5.10", None),
        ("1e300", None),
        ("99999999999999999999", None),
        ("\"5.0\"", None),
    ] {
        let text = format!("{{\"id\": \"t\", \"historyLength\": {literal}}}");
        let value = serde_json::from_str(&crate::exact::shield(&text)).expect("JSON");
        let found = read(Operation::GetTask, &value, Version::V1_0);
        assert_eq!(
            found.ok().and_then(|params| params.history_length()),
            want,
            "{literal}"
        );
    }
}

#[test]
fn what_a_send_is_refused_for_is_named() {
    let with = |name: &str, value: Value| send(json!({ name: value }));
    let message =
        |part: Value| json!({ "message": { "role": "user", "messageId": "m", "parts": [part] } });
    for (value, pointer) in [
        (json!([]), ""),
        (json!({}), "/message"),
        (json!({ "message": "x" }), "/message"),
        (
            json!({ "message": { "role": "user", "parts": [{ "text": "x" }] } }),
            "/message/messageId",
        ),
        (
            json!({ "message": { "messageId": "m", "parts": [{ "text": "x" }] } }),
            "/message/role",
        ),
        (
            json!({ "message": { "role": 1, "messageId": "m", "parts": [{ "text": "x" }] } }),
            "/message/role",
        ),
        (
            json!({ "message": { "role": "user", "messageId": "m", "parts": [] } }),
            "/message/parts",
        ),
        (
            message(json!({ "kind": "poem", "text": "x" })),
            "/message/parts/0/kind",
        ),
        (
            message(json!({ "text": "x", "data": 1 })),
            "/message/parts/0",
        ),
        (message(json!({})), "/message/parts/0"),
        (message(json!({ "raw": "%" })), "/message/parts/0/raw"),
        (json!({ "message": said(), "metadata": 1 }), "/metadata"),
        (json!({ "message": said(), "tenant": 1 }), "/tenant"),
        (send(json!([])), "/configuration"),
        (
            with("acceptedOutputModes", json!("a/b")),
            "/configuration/acceptedOutputModes",
        ),
        (
            with("accepted_output_modes", json!(["a", 1])),
            "/configuration/accepted_output_modes/1",
        ),
        (with("blocking", json!("no")), "/configuration/blocking"),
        (
            with("historyLength", json!(-1)),
            "/configuration/historyLength",
        ),
        (
            with("historyLength", json!(1.5)),
            "/configuration/historyLength",
        ),
        (
            with("historyLength", json!(2_147_483_648_i64)),
            "/configuration/historyLength",
        ),
        (
            with("historyLength", json!(1e300)),
            "/configuration/historyLength",
        ),
        (
            with("historyLength", json!("many")),
            "/configuration/historyLength",
        ),
        (
            with("pushNotificationConfig", json!({})),
            "/configuration/pushNotificationConfig/url",
        ),
        (
            with("taskPushNotificationConfig", json!("u")),
            "/configuration/taskPushNotificationConfig",
        ),
    ] {
        let error = read(Operation::Send, &value, Version::V1_0).expect_err(&value.to_string());
        assert_eq!(error.pointer, pointer, "{value}");
    }
}

#[test]
fn what_other_operations_are_refused_for_is_named() {
    use Operation::{CancelTask, GetTask, ListTasks, PushCreate, PushGet, PushList, Subscribe};
    let push = |auth: Value| json!({ "taskId": "t", "url": "u", "authentication": auth });
    for (operation, value, pointer) in [
        (GetTask, json!({}), "/id"),
        (GetTask, json!({ "id": "" }), "/id"),
        (GetTask, json!({ "id": 7 }), "/id"),
        (
            GetTask,
            json!({ "id": "t", "historyLength": -1 }),
            "/historyLength",
        ),
        (CancelTask, json!({ "id": null }), "/id"),
        (Subscribe, json!({ "taskId": "t" }), "/id"),
        (ListTasks, json!({ "pageSize": 0 }), "/pageSize"),
        (ListTasks, json!({ "page_size": 101 }), "/page_size"),
        (
            ListTasks,
            json!({ "status": "TASK_STATE_NAPPING" }),
            "/status",
        ),
        (
            ListTasks,
            json!({ "includeArtifacts": 1 }),
            "/includeArtifacts",
        ),
        (PushCreate, json!({ "url": "u" }), "/taskId"),
        (PushCreate, json!({ "taskId": "t" }), "/url"),
        (
            PushCreate,
            json!({ "taskId": "t", "pushNotificationConfig": {} }),
            "/pushNotificationConfig/url",
        ),
        (PushCreate, push(json!("Bearer")), "/authentication"),
        (
            PushCreate,
            push(json!({ "schemes": "Bearer" })),
            "/authentication/schemes",
        ),
        (
            PushCreate,
            push(json!({ "schemes": [1] })),
            "/authentication/schemes/0",
        ),
        (
            PushCreate,
            push(json!({ "credentials": "c" })),
            "/authentication/scheme",
        ),
        (PushGet, json!({ "id": "p" }), "/taskId"),
        (
            PushList,
            json!({ "taskId": "t", "pageSize": 0 }),
            "/pageSize",
        ),
    ] {
        let error = read(operation, &value, Version::V1_0).expect_err(&value.to_string());
        assert_eq!(error.pointer, pointer, "{value}");
    }
    for length in [0, 1, 2_147_483_647] {
        let get = json!({ "id": "t", "historyLength": length });
        assert!(read(GetTask, &get, Version::V1_0).is_ok());
    }
    let missing = Params::read(GetTask, None, Version::V1_0, &MissingId::Refuse);
    assert_eq!(missing.expect_err("no parameters").pointer, "/id");
}

#[test]
fn an_equal_dialect_sees_what_came_but_for_tenant_and_id() {
    let fill = MissingId::Fill("ours".into());
    let odd = json!({ "tenant": "theirs", "kind": "x", "y": [1],
        "message": { "role": "user", "message_id": "", "parts": [{ "type": "text", "text": "x" }] } });
    let params = Params::read(Operation::Send, Some(&odd), Version::V1_0, &fill).expect("sound");
    let mut want = odd.clone();
    want["tenant"] = json!("inner");
    want["message"]["messageId"] = json!("ours");
    want["message"]
        .as_object_mut()
        .expect("an object")
        .remove("message_id");
    assert_eq!(params.forwarded(Some(&odd), Some("inner")), want);
    assert_eq!(params.value["y"], json!([1]));
    want.as_object_mut().expect("an object").remove("tenant");
    assert_eq!(params.forwarded(Some(&odd), None), want);
    // An id that was there stays under the name that it had.
    let named =
        json!({ "message": { "role": "user", "message_id": "m", "parts": [{ "text": "x" }] } });
    for version in BOTH {
        let params = Params::read(Operation::Send, Some(&named), version, &fill).expect("sound");
        assert_eq!(params.forwarded(Some(&named), None), named);
    }
    let card = Params::read(Operation::ExtendedCard, None, Version::V1_0, &fill).expect("sound");
    assert_eq!(
        card.forwarded(None, Some("inner")),
        json!({ "tenant": "inner" })
    );
}
