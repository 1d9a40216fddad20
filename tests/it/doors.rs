//! Every door of the document as nobody and with a wrong key: the list cannot be incomplete.

use serde_json::{Value, json};
use tests::Stack;

use super::openapi::operations;

/// Doors that need no key. Every other one answers 401 without a good one.
const OPEN: [&str; 22] = [
    "register_agent",
    "import_agent",
    "list_agents",
    "get_agent",
    "get_report",
    "match_agents",
    "get_match_policy",
    "verify_agent",
    "get_agent_card",
    "get_agent_json",
    "a2a_rpc",
    "a2a_rpc_v1",
    "a2a_rpc_stream",
    "push_notification",
    "get_shaped_card",
    "get_jwks",
    "check_terms",
    "get_units",
    "get_health",
    "get_ready",
    "get_metrics",
    "get_root_card",
];

#[tokio::test]
async fn no_door_opens_without_its_key() {
    let settings = gateway::settings::Settings {
        operator_key: "k".repeat(32),
        ..tests::settings()
    };
    let stack = Stack::on(tests::Database::sqlite().into(), settings, "a").await;
    let document: Value = stack.http.get("/openapi.json").await.expect(200).json;
    let mut closed = 0;
    for (path, method, operation) in operations(&document) {
        let id = operation["operationId"].as_str().expect("an id");
        let target = path
            .replace("{agent_id}", "guildhall-echo")
            .replace("{key_id}", "k")
            .replace("{transaction_id}", "t")
            .replace("{hook}", "h")
            .replace("{shape}", "1.0");
        let body = operation
            .pointer("/requestBody/content/application~1json/example")
            .cloned();
        let security = operation["security"]
            .as_array()
            .is_some_and(|list| !list.is_empty());
        assert_eq!(
            security,
            !OPEN.contains(&id),
            "{id}: the document and this list disagree"
        );
        for (key, code) in [
            (None, "unauthorized"),
            (Some("gh_sk_wrong"), "invalid_key"),
            (Some("Basic"), "invalid_key"),
        ] {
            let http = key.map_or_else(|| stack.http.clone(), |key| stack.http.with_key(key));
            let request = http.request(method.to_uppercase().parse().expect("a method"), &target);
            let answer = http.send(match &body {
                Some(body) => request.json(body),
                None => request,
            });
            let answer = answer.await;
            if OPEN.contains(&id) {
                assert!(answer.status < 500, "{id}: {}", answer.status);
                let refused = answer.status == 401;
                assert_eq!(
                    refused,
                    id.starts_with("a2a_rpc") && key.is_some(),
                    "{id} {key:?}"
                );
            } else {
                answer.expect_problem(401, code);
                assert!(
                    answer.headers["www-authenticate"]
                        .to_str()
                        .is_ok_and(|value| value.starts_with("Bearer"))
                );
                closed += 1;
            }
        }
    }
    assert!(closed >= 3 * 6, "{closed}");
}

#[tokio::test]
async fn every_door_survives_bodies_of_the_wrong_shape() {
    let stack = Stack::sqlite().await;
    let owner = stack
        .http
        .register(&tests::registration("a", json!({})))
        .await;
    let document: Value = stack.http.get("/openapi.json").await.expect(200).json;
    for (path, method, operation) in operations(&document) {
        if operation["requestBody"].is_null() {
            continue;
        }
        let target = path.replace("{agent_id}", "a").replace("{key_id}", "k");
        for body in [
            "null",
            "[]",
            "1",
            "\"x\"",
            "{\"a\":1e400}",
            "{\"agent_id\":9007199254740993}",
            "\u{0}",
            "{\"agent_id\":\"\\ud83d\"}",
        ] {
            let request = owner.request(method.to_uppercase().parse().expect("a method"), &target);
            let answer = owner
                .send(
                    request
                        .header("content-type", "application/json")
                        .body(body),
                )
                .await;
            assert!(
                answer.status < 500,
                "{method} {path} {body}: {}",
                answer.status
            );
        }
    }
}
