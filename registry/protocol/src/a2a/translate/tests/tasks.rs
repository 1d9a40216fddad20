//! Tasks: states, times, history, artifacts, and what is no task.

use super::*;

#[test]
fn a_task_is_not_guessed() {
    let task = json!({ "id": "t", "status": { "state": "working" } });
    let message = json!({ "role": "agent", "messageId": "m", "parts": [{ "text": "x" }] });
    for (value, pointer) in [
        (json!(null), ""),
        (json!("done"), ""),
        (json!([task]), ""),
        (json!({}), ""),
        (json!({ "id": "t" }), ""),
        (json!({ "status": { "state": "working" } }), ""),
        (json!({ "task": "t" }), ""),
        (json!({ "task": task, "message": message }), ""),
        (json!({ "kind": "answer", "task": task }), "/kind"),
        (json!({ "kind": 1, "id": "t", "status": {} }), "/kind"),
        (
            json!({ "kind": "task", "status": { "state": "working" } }),
            "/id",
        ),
        (json!({ "kind": "task", "id": "t" }), "/status"),
        (
            json!({ "task": { "id": "t", "status": "working" } }),
            "/status",
        ),
        (
            json!({ "task": { "id": "t", "status": { "state": "napping" } } }),
            "/status/state",
        ),
        (
            json!({ "task": { "id": "t", "status": { "state": 2 } } }),
            "/status/state",
        ),
        (
            json!({ "task": { "id": "t", "status": { "message": {} } } }),
            "/status/message/role",
        ),
        (
            json!({ "id": "t", "status": {}, "artifacts": {} }),
            "/artifacts",
        ),
        (
            json!({ "id": "t", "status": {}, "artifacts": [{ "parts": [] }] }),
            "/artifacts/0/artifactId",
        ),
        (
            json!({ "id": "t", "status": {}, "artifacts": [{ "artifactId": "a", "extensions": [1] }] }),
            "/artifacts/0/extensions/0",
        ),
        (
            json!({ "id": "t", "status": {}, "history": [{ "role": "user" }] }),
            "/history/0/parts",
        ),
    ] {
        let error = Item::read(&value).expect_err(&value.to_string());
        assert_eq!(error.pointer, pointer, "{value}");
    }
    // The name of a bare one counts more than members that look like wrappers.
    let bare = json!({ "kind": "task", "id": "t", "status": { "state": "working" },
        "task": "x", "message": { "y": 1 } });
    let item = Item::read(&bare).expect("a task with members of its own");
    assert_eq!((item.kind, &item.value["task"]), (Kind::Task, &json!("x")));
    // The name beside the wrapper, and members of a bare one that look like a wrapper.
    let both = json!({ "kind": "task", "task": task });
    assert_eq!(Item::read(&both), Item::read(&task));
    let more = json!({ "id": "t", "status": { "state": "working" }, "message": { "y": 1 } });
    let item = Item::read(&more).expect("a task with a member of its own");
    assert_eq!(
        (item.kind, &item.value["message"]),
        (Kind::Task, &json!({ "y": 1 }))
    );
}

#[test]
fn a_task_of_0_3_has_a_conversation() {
    let task = json!({ "task": { "id": "t", "status": { "state": "TASK_STATE_WORKING" } } });
    let old = Item::read(&task)
        .expect("sound")
        .write(Version::V0_3, false);
    assert_eq!(
        (&old["kind"], &old["contextId"]),
        (&json!("task"), &json!("t"))
    );
}

#[test]
fn what_a_file_says_beside_its_content_is_kept() {
    let old = json!({ "kind": "message", "role": "agent", "messageId": "m", "parts": [{ "kind": "file",
        "file": { "uri": "u", "name": "a", "size": 7, "text": "no content" }, "y": 1 }] });
    let new = message(&old, Version::V1_0).expect("sound");
    assert_eq!(
        new["parts"][0],
        json!({ "url": "u", "filename": "a", "y": 1, "size": 7 })
    );
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
        let old = status(&value, Version::V0_3).expect("sound");
        assert_eq!(old["timestamp"], time, "0.3 takes any");
        status(&value, Version::V1_0).expect("sound")["timestamp"].clone()
    };
    for (time, want) in [
        ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
        ("2026-01-02T03:04:05.120Z", "2026-01-02T03:04:05.120Z"),
        ("2026-01-02T03:04:05.123456Z", "2026-01-02T03:04:05.123456Z"),
        ("2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05Z"),
        ("2026-01-02T03:04:05.5-0130", "2026-01-02T04:34:05.5Z"),
        ("2026-01-02T03:04:05+02", "2026-01-02T01:04:05Z"),
        ("2026-01-02T03:04:05", "2026-01-02T03:04:05Z"),
        ("2026-01-02 03:04:05.123456", "2026-01-02T03:04:05.123456Z"),
        ("2026-01-02t03:04:05z", "2026-01-02T03:04:05Z"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999999999Z"),
    ] {
        assert_eq!(with(time), want, "{time}");
    }
    for time in [
        "soon",
        "2026-01-02",
        "1767323045",
        "9999-12-31T23:59:59-01:00",
        "2026-13-02T03:04:05Z",
    ] {
        assert_eq!(with(time), json!(null), "{time}");
    }
}

#[test]
fn updates_may_come_before_their_task() {
    let piece = |text: &str, append: bool| {
        Item::read(
            &json!({ "kind": "artifact-update", "taskId": "t", "contextId": "c", "append": append,
            "artifact": { "artifactId": "a", "parts": [{ "kind": "text", "text": text }] } }),
        )
        .expect("sound")
    };
    let mut task = Value::Null;
    apply(&mut task, &piece("one", true));
    apply(&mut task, &piece("two", true));
    assert_eq!(
        task,
        json!({ "id": "t", "contextId": "c", "status": { "state": "TASK_STATE_SUBMITTED" },
            "artifacts": [{ "artifactId": "a", "parts": [{ "text": "one" }, { "text": "two" }] }] })
    );
    apply(&mut task, &piece("new", false));
    assert_eq!(task["artifacts"][0]["parts"], json!([{ "text": "new" }]));
    let whole =
        json!({ "id": "t", "contextId": "c", "status": { "state": "TASK_STATE_COMPLETED" } });
    apply(&mut task, &Item::task(whole.clone()));
    assert_eq!(task, whole);
    let said = json!({ "role": "agent", "messageId": "m", "parts": [{ "text": "x" }] });
    let said = Item::read(&said).expect("sound");
    apply(&mut task, &said);
    assert_eq!((task, blank(&said)), (whole, None));
}
