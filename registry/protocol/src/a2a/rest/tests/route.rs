//! Paths and queries in, requests out, and both after each other.

use proptest::prelude::*;

use super::*;
use crate::a2a::rest::{RouteError, percent, request, route};
use crate::a2a::translate::{MissingId, Params};

fn told(method: &str, path: &str, query: &str) -> (Version, Operation, Value) {
    let routed = route(method, path, query).expect(path);
    (routed.version, routed.operation, routed.params)
}

#[test]
fn every_path_of_both_versions() {
    use Operation::{
        CancelTask, ExtendedCard, GetTask, ListTasks, PushCreate, PushDelete, PushGet, PushList,
        Send, SendStream, Subscribe,
    };
    let task = json!({ "id": "t" });
    let of = json!({ "taskId": "t" });
    let both = json!({ "taskId": "t", "id": "c" });
    for (version, base) in [(Version::V1_0, ""), (Version::V0_3, "v1/")] {
        let card = match version {
            Version::V0_3 => "card",
            Version::V1_0 => "extendedAgentCard",
        };
        for (method, path, operation, params) in [
            ("POST", "message:send", Send, &json!({})),
            ("POST", "message%3Asend", Send, &json!({})),
            ("POST", "message:stream", SendStream, &json!({})),
            ("GET", "tasks", ListTasks, &json!({})),
            ("GET", "tasks/t", GetTask, &task),
            ("POST", "tasks/t:cancel", CancelTask, &task),
            ("GET", "tasks/t:subscribe", Subscribe, &task),
            ("POST", "tasks/t:subscribe", Subscribe, &task),
            ("POST", "tasks/t/pushNotificationConfigs", PushCreate, &of),
            ("GET", "tasks/t/pushNotificationConfigs", PushList, &of),
            ("GET", "tasks/t/pushNotificationConfigs/c", PushGet, &both),
            (
                "DELETE",
                "tasks/t/pushNotificationConfigs/c",
                PushDelete,
                &both,
            ),
            ("GET", card, ExtendedCard, &json!({})),
        ] {
            for path in [format!("/{base}{path}"), format!("{base}{path}/")] {
                let want = (version, operation, params.clone());
                assert_eq!(told(method, &path, "unknown=1"), want, "{method} {path}");
            }
        }
    }
}

#[test]
fn other_paths_and_methods() {
    for path in [
        "",
        "/",
        "v1",
        "/v1/",
        "v1/stream",
        "v1/extendedAgentCard",
        "card",
        "v2/tasks",
        "v1/v1/tasks",
        "tasks//",
        "tasks/:cancel",
        "tasks/%",
        "tasks/%ff",
        "tasks/a/b",
        "message:",
        "message:other",
        "tasks/a/pushNotificationConfigs/b/c",
        "tasks/a/pushNotificationConfigs//",
        "v1/tasks/a/pushNotificationConfigs/b/c",
        "v1/tasks/a/pushNotificationConfigs/b/c/d/e",
        "tenant/tasks/a",
        "//tasks",
    ] {
        assert_eq!(route("GET", path, ""), Err(RouteError::NotFound), "{path}");
    }
    for (method, path, allowed) in [
        ("GET", "message:send", vec!["POST"]),
        ("get", "tasks", vec!["GET"]),
        ("POST", "tasks/a", vec!["GET"]),
        ("GET", "tasks/a:cancel", vec!["POST"]),
        ("PUT", "tasks/a:subscribe", vec!["GET", "POST"]),
        (
            "DELETE",
            "v1/tasks/a/pushNotificationConfigs",
            vec!["GET", "POST"],
        ),
        (
            "POST",
            "v1/tasks/a/pushNotificationConfigs/b",
            vec!["GET", "DELETE"],
        ),
    ] {
        let want = Err(RouteError::MethodNotAllowed(allowed));
        assert_eq!(route(method, path, ""), want, "{method} {path}");
    }
}

#[test]
fn ids_are_decoded_once() {
    for (path, id) in [
        ("tasks/a%2Fb", "a/b"),
        ("tasks/a%3Acancel", "a:cancel"),
        ("tasks/a:b", "a:b"),
        ("tasks/a+b", "a+b"),
        ("tasks/%252e", "%2e"),
        ("tasks/\u{fc}%C3%BC", "\u{fc}\u{fc}"),
    ] {
        assert_eq!(told("GET", path, "").2, json!({ "id": id }), "{path}");
    }
    assert_eq!(
        told("POST", "tasks/a:b:cancel", "").2,
        json!({ "id": "a:b" })
    );
}

#[test]
fn queries_are_typed() {
    let query = "context_id=c%20d&status=working&pageSize=5&pageToken=&page_size=7\
        &historyLength=0&statusTimestampAfter=2026-11-30T10:00:00+01:00&includeArtifacts=true\
        &A2A-Version=1.0&tenant=x";
    let want = json!({
        "contextId": "c d",
        "status": "TASK_STATE_WORKING",
        "pageSize": 7,
        "historyLength": 0,
        "statusTimestampAfter": "2026-11-30T10:00:00+01:00",
        "includeArtifacts": true,
    });
    assert_eq!(told("GET", "tasks", query).2, want);
    // 0 means something else to 0.3.
    let old = told("GET", "v1/tasks/t", "history_length=0").2;
    assert_eq!(old, json!({ "id": "t" }));
    // What is not of its type is refused with its place.
    for (query, place) in [
        ("pageSize=many", "/pageSize"),
        ("pageSize=0", "/pageSize"),
        ("historyLength=-1", "/historyLength"),
        ("includeArtifacts=maybe", "/includeArtifacts"),
        ("status=done", "/status"),
    ] {
        let routed = route("GET", "tasks", query).expect(query);
        let read = Params::read(
            routed.operation,
            Some(&routed.params),
            Version::V1_0,
            &MissingId::Refuse,
        );
        assert_eq!(read.expect_err(query).pointer, place);
    }
}

#[test]
fn the_path_wins_over_the_body() {
    let routed = route("POST", "tasks/t/pushNotificationConfigs", "").expect("a path");
    let body = json!({ "task_id": "other", "id": "c", "url": "https://c.example" });
    let want = json!({ "id": "c", "url": "https://c.example", "taskId": "t" });
    assert_eq!(routed.with_body(Some(body)), Ok(want));
    let cancel = route("POST", "v1/tasks/t:cancel", "").expect("a path");
    let body = json!({ "name": "tasks/other" });
    assert_eq!(cancel.with_body(Some(body)), Ok(json!({ "id": "t" })));
    assert_eq!(cancel.with_body(None), Ok(json!({ "id": "t" })));
    assert!(cancel.with_body(Some(json!([]))).is_err());
    let get = route("GET", "tasks/t", "").expect("a path");
    assert_eq!(get.with_body(Some(json!("x"))), Ok(json!({ "id": "t" })));
}

#[test]
fn a_tenant_stands_in_front_and_steps_are_refused() {
    let ask = |id: &str, tenant: Option<&str>, version| {
        request(Operation::GetTask, version, &json!({ "id": id }), tenant).map(|one| one.path)
    };
    assert_eq!(
        ask("t", Some("a/b"), Version::V1_0).as_deref(),
        Ok("/a%2Fb/tasks/t")
    );
    assert_eq!(ask("t", Some(""), Version::V1_0).as_deref(), Ok("/tasks/t"));
    assert_eq!(
        ask("t", Some("a"), Version::V0_3).as_deref(),
        Ok("/v1/tasks/t")
    );
    assert_eq!(
        ask("%2e%2e", None, Version::V1_0).as_deref(),
        Ok("/tasks/%252e%252e")
    );
    for id in ["", ".", ".."] {
        assert_eq!(
            ask(id, None, Version::V1_0).expect_err("a step").pointer,
            "/id"
        );
    }
    assert!(ask("t", Some(".."), Version::V1_0).is_err());
    for (tenant, want) in [
        (Some("ours"), json!({ "id": "t", "tenant": "ours" })),
        (None, json!({ "id": "t" })),
    ] {
        let params = json!({ "id": "t", "tenant": "of the client" });
        let sent = request(Operation::CancelTask, Version::V1_0, &params, tenant);
        assert_eq!(sent.expect("an id").body, Some(want));
    }
}

proptest! {
    #[test]
    fn what_is_requested_is_routed((operation, params) in params()) {
        for version in BOTH {
            let sent = request(operation, version, &params, None).expect("sound");
            let routed = route(sent.method, &sent.path, &sent.query).expect("a path of ours");
            prop_assert_eq!(routed.operation, operation);
            prop_assert_eq!(routed.version, version);
            let has_body = sent.body.is_some();
            prop_assert_eq!(has_body, sent.method == "POST" && operation != Operation::Subscribe);
            let got = routed.with_body(sent.body).expect("sound");
            // The order of members does not matter, and a URL parser must not change the path.
            prop_assert_eq!(&got, &params);
            let url = url::Url::parse(&format!("http://a.example/base{}", sent.path)).expect("a URL");
            prop_assert_eq!(url.path(), format!("/base{}", sent.path));
        }
    }

    #[test]
    fn no_request_makes_routing_panic(
        method in "[A-Z]{0,6}|GET|POST",
        path in "(/|v1|tasks|message|:|send|cancel|%|%2|%41|\\PC){0,12}",
        query in "(historyLength|pageSize|=|&|%|[0-9]|\\PC){0,12}",
        body in wild(),
    ) {
        if let Ok(routed) = route(&method, &path, &query) {
            let _ = routed.with_body(Some(body));
        }
    }

    #[test]
    fn no_json_makes_requesting_panic(params in wild(), tenant in prop::option::of("\\PC{0,4}")) {
        for operation in ALL {
            for version in BOTH {
                let _ = request(operation, version, &params, tenant.as_deref());
            }
        }
    }

    #[test]
    fn percent_there_and_back(text in any::<String>()) {
        let encoded = percent::encode(&text);
        prop_assert!(encoded.is_ascii() && !encoded.contains(['/', ':', '?', '#', ' ', '+', '&']));
        prop_assert_eq!(percent::decode(&encoded), Some(text));
    }
}
