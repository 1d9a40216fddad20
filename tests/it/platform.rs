//! The platform as an agent of its own.

use serde_json::{Value, json};
use tests::{Stack, registration};

use crate::a2a::{rpc, send};

#[tokio::test]
async fn the_platform_is_an_agent_that_finds_and_tells() {
    let stack = Stack::sqlite().await;
    let _ = stack
        .http
        .register(&registration(
            "zebra-shop",
            json!({ "description": "sells zebras" }),
        ))
        .await;
    stack.indexed().await;
    let card = stack
        .http
        .get("/.well-known/agent-card.json")
        .await
        .expect(200)
        .json;
    for interface in card["supportedInterfaces"].as_array().expect("interfaces") {
        let version = interface["protocolVersion"].as_str().expect("a version");
        assert_eq!(
            (&interface["protocolBinding"], &interface["url"]),
            (&json!("JSONRPC"), &json!(format!("{}/a2a", stack.http.url)))
        );
        let old = version == "0.3";
        let method = if old { "message/send" } else { "SendMessage" };
        let answer = rpc(&stack.http, "/a2a", Some(version), &send(json!(1), method))
            .await
            .expect(200);
        let message = if old {
            &answer.json["result"]
        } else {
            &answer.json["result"]["message"]
        };
        assert!(message["parts"].is_array(), "{}", answer.json);
    }
    let ask = |data: Value| {
        json!({ "jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": { "message": {
        "messageId": "m", "role": "ROLE_USER", "parts": [{ "data": data }] } } })
    };
    let found = rpc(
        &stack.http,
        "/a2a",
        Some("1.0"),
        &ask(json!({ "query": "zebras" })),
    )
    .await;
    assert_eq!(
        found.json["result"]["message"]["parts"][1]["data"]["items"][0]["agent_id"],
        "zebra-shop"
    );
    let status = rpc(
        &stack.http,
        "/a2a",
        Some("1.0"),
        &ask(json!({ "skill": "status" })),
    )
    .await;
    assert!(status.json["result"]["message"]["parts"][1]["data"]["findable"].as_u64() >= Some(1));
    let mut stream = ask(json!({ "query": "zebras" }));
    stream["method"] = json!("SendStreamingMessage");
    assert_eq!(
        rpc(&stack.http, "/a2a", Some("1.0"), &stream)
            .await
            .events()
            .len(),
        1
    );
    let registered = stack
        .http
        .get("/.well-known/agent-registration.json")
        .await
        .expect(200);
    assert_eq!(registered.json["services"][0]["name"], "A2A");
}
