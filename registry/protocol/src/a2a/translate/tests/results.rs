//! Results: an answer must be one to what was asked.

use super::*;
use crate::a2a::rpc::RpcError;

fn asked(operation: Operation) -> Params {
    let value = match operation {
        Operation::Send => {
            json!({ "message": { "role": "user", "messageId": "m", "parts": [{ "text": "x" }] } })
        }
        Operation::GetTask | Operation::CancelTask => json!({ "id": "t" }),
        Operation::PushList => json!({ "taskId": "t" }),
        Operation::PushCreate => json!({ "taskId": "t", "url": "u" }),
        Operation::PushGet | Operation::PushDelete => json!({ "taskId": "t", "id": "p" }),
        _ => json!({}),
    };
    read(operation, &value, Version::V1_0).expect("sound")
}

#[test]
fn an_answer_fits_its_question() {
    let task = json!({ "id": "t", "contextId": "c", "status": { "state": "TASK_STATE_WORKING" } });
    let message = json!({ "role": "ROLE_AGENT", "messageId": "m", "parts": [{ "text": "x" }] });
    let update =
        json!({ "taskId": "t", "contextId": "c", "status": { "state": "TASK_STATE_WORKING" } });
    let other = json!({ "id": "u", "status": { "state": "TASK_STATE_WORKING" } });
    let (send, get, cancel) = (Operation::Send, Operation::GetTask, Operation::CancelTask);
    for (operation, value, good) in [
        (send, &task, true),
        (send, &message, true),
        (send, &other, true),
        (send, &update, false),
        (get, &task, true),
        (get, &message, false),
        (get, &update, false),
        (get, &other, false),
        (cancel, &task, true),
        (cancel, &other, false),
    ] {
        let found = result(&asked(operation), value, Version::V0_3);
        assert_eq!(found.is_ok(), good, "{operation:?} {value}");
    }
    let wrapped = json!({ "task": task });
    for value in [&task, &wrapped] {
        assert_eq!(result(&asked(get), value, Version::V1_0), Ok(task.clone()));
        assert_eq!(
            result(&asked(send), value, Version::V1_0),
            Ok(wrapped.clone())
        );
    }
    let old = result(&asked(send), &json!({ "message": message }), Version::V0_3).expect("sound");
    assert_eq!(
        (&old["kind"], &old["role"]),
        (&json!("message"), &json!("agent"))
    );
}

#[test]
fn an_answer_that_is_no_a2a_is_32006() {
    let error = result(
        &asked(Operation::Send),
        &json!({ "task": { "id": "t" } }),
        Version::V0_3,
    );
    let error = error.expect_err("no status");
    assert_eq!(error.pointer, "/status");
    let error = RpcError::from(error);
    assert_eq!(error.code, -32006);
    assert_eq!(error.data[0]["reason"], "INVALID_AGENT_RESPONSE");
    assert_eq!(error.data[0]["metadata"]["place"], "result/status");
}

#[test]
fn configs_have_the_form_of_their_dialect() {
    let flat = json!({ "taskId": "t", "id": "p", "url": "https://hooks.guildhall-demo.net/x",
        "authentication": { "scheme": "Bearer" } });
    let nested = json!({ "taskId": "t", "pushNotificationConfig": { "id": "p",
        "url": "https://hooks.guildhall-demo.net/x", "authentication": { "schemes": ["Bearer"] } } });
    for operation in [Operation::PushCreate, Operation::PushGet] {
        for value in [&flat, &nested] {
            let params = asked(operation);
            assert_eq!(result(&params, value, Version::V1_0), Ok(flat.clone()));
            assert_eq!(result(&params, value, Version::V0_3), Ok(nested.clone()));
        }
        // A bare inner object is about the task that was asked for.
        let inner = &nested["pushNotificationConfig"];
        for inner in [
            inner.clone(),
            with(inner.clone(), named("taskId", Some(""))),
        ] {
            let found = result(&asked(operation), &inner, Version::V1_0);
            assert_eq!(found, Ok(flat.clone()));
        }
    }
    assert_eq!(
        push_config(&nested["pushNotificationConfig"], Version::V0_3)
            .expect_err("no task")
            .pointer,
        "/taskId"
    );
    let list = asked(Operation::PushList);
    let page = json!({ "configs": [flat], "nextPageToken": "" });
    for value in [&page, &json!([nested])] {
        assert_eq!(result(&list, value, Version::V1_0), Ok(page.clone()));
        assert_eq!(result(&list, value, Version::V0_3), Ok(json!([nested])));
    }
    let short = json!({ "id": "p", "url": "u" });
    let named_task = with(short.clone(), named("taskId", Some("t")));
    let want = json!({ "configs": [named_task], "nextPageToken": "" });
    for value in [
        json!([short]),
        json!({ "configs": [short] }),
        json!([{ "pushNotificationConfig": short }]),
    ] {
        assert_eq!(
            result(&list, &value, Version::V1_0),
            Ok(want.clone()),
            "{value}"
        );
    }
    let error = result(&list, &json!([flat, {}]), Version::V1_0).expect_err("no address");
    assert_eq!(error.pointer, "/1/url");
    for value in [json!(null), json!({}), json!(true)] {
        let delete = asked(Operation::PushDelete);
        assert_eq!(result(&delete, &value, Version::V0_3), Ok(json!(null)));
        assert_eq!(result(&delete, &value, Version::V1_0), Ok(json!({})));
    }
    // Several schemes: the first counts.
    let many = json!({ "taskId": "t", "pushNotificationConfig": { "url": "u",
        "authentication": { "schemes": ["Bearer", "Basic"], "credentials": "c" } } });
    let new = push_config(&many, Version::V1_0).expect("sound");
    assert_eq!(
        new["authentication"],
        json!({ "scheme": "Bearer", "credentials": "c" })
    );
}

#[test]
fn a_page_of_tasks_always_has_its_token() {
    let list = asked(Operation::ListTasks);
    let page = json!({ "tasks": [{ "kind": "task", "id": "t", "contextId": "c", "status": { "state": "working" } }],
        "page_size": 5, "totalSize": 1, "y": 1 });
    let want = json!({ "tasks": [{ "id": "t", "contextId": "c", "status": { "state": "TASK_STATE_WORKING" } }],
        "nextPageToken": "", "pageSize": 5, "totalSize": 1, "y": 1 });
    assert_eq!(result(&list, &page, Version::V1_0), Ok(want));
    let error = result(&list, &json!({ "tasks": [{}] }), Version::V1_0).expect_err("no task");
    assert_eq!(error.pointer, "/tasks/0/id");
}
