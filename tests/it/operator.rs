//! `/operator/*` and the card at the root.

use serde_json::json;
use tests::{Database, Stack, on_both, registration, settings};

const KEY: &str = "an-operator-key-of-some-length-0123456789";

#[tokio::test]
async fn a_suspended_agent_is_out_until_it_is_resumed() {
    on_both(|stack| async move {
        let database = stack.stop().await;
        let settings = gateway::settings::Settings {
            operator_key: KEY.into(),
            ..settings()
        };
        let stack = Stack::on(database, settings, "a").await;
        let operator = stack.http.with_key(KEY);
        let owner = stack
            .http
            .register(&registration("a", json!({ "description": "zebra" })))
            .await;
        let caller = stack.http.register(&registration("b", json!({}))).await;
        owner
            .post("/operator/agents/a/suspend", &json!({}))
            .await
            .expect_problem(401, "invalid_key");
        let answer = operator
            .post("/operator/agents/a/suspend", &json!({}))
            .await
            .expect(200);
        assert_eq!(
            answer.json,
            json!({ "agent_id": "a", "state": "suspended" })
        );
        stack.indexed().await;
        assert!(
            stack
                .http
                .post("/match", &json!({ "query": "zebra" }))
                .await
                .ids()
                .is_empty()
        );
        caller
            .post("/call", &json!({ "agent_id": "a", "message": "x" }))
            .await
            .expect_problem(403, "agent_suspended");
        owner
            .get("/agents/a/keys")
            .await
            .expect_problem(403, "agent_suspended");
        let answer = operator
            .post("/operator/agents/a/resume", &json!({}))
            .await
            .expect(200);
        assert_eq!(answer.json["state"], "listed");
        let _ = owner.get("/agents/a/keys").await.expect(200);
        operator
            .post("/operator/agents/a/resume", &json!({}))
            .await
            .expect_problem(422, "invalid_request");
        operator
            .post("/operator/agents/nobody/suspend", &json!({}))
            .await
            .expect_problem(404, "unknown_agent");
    })
    .await;
}

#[tokio::test]
async fn without_an_operator_key_there_is_no_operator() {
    let stack = Stack::sqlite().await;
    let anyone = stack.http.with_key(KEY);
    anyone
        .post("/operator/agents/guildhall-echo/suspend", &json!({}))
        .await
        .expect_problem(404, "not_found");
}

#[tokio::test]
async fn the_root_shows_the_card_that_the_operator_put_there() {
    let stack = Stack::sqlite().await;
    let platform = stack
        .http
        .get("/.well-known/agent-card.json")
        .await
        .expect(200);
    assert_eq!(platform.json["name"], "Guildhall");
    let settings = gateway::settings::Settings {
        root_agent: "guildhall-echo".into(),
        ..settings()
    };
    let stack = Stack::on(Database::sqlite().into(), settings, "a").await;
    let root = stack
        .http
        .get("/.well-known/agent-card.json")
        .await
        .expect(200);
    let own = stack
        .http
        .get("/agents/guildhall-echo/.well-known/agent-card.json")
        .await
        .expect(200);
    assert_eq!(root.bytes, own.bytes);
}

#[tokio::test]
async fn resuming_gives_back_what_the_agent_was() {
    let (stack, operator) = operated().await;
    let owner = stack.http.register(&registration("a", json!({}))).await;
    let _ = owner
        .post("/update", &json!({ "state": "paused" }))
        .await
        .expect(200);
    let _ = operator
        .post("/operator/agents/a/suspend", &json!({}))
        .await;
    // Twice is as once.
    let _ = operator
        .post("/operator/agents/a/suspend", &json!({}))
        .await
        .expect(200);
    let answer = operator.post("/operator/agents/a/resume", &json!({})).await;
    assert_eq!(answer.expect(200).json["state"], "paused");
}

#[tokio::test]
async fn a_suspended_agent_does_not_come_back_under_another_card_or_id() {
    let (stack, operator) = operated().await;
    let card = |name: &str| json!({ "name": name, "url": "http://127.0.0.1:9/a2a", "skills": [] });
    let import = |card| json!({ "card": card, "register": true });
    let listed = stack
        .http
        .post("/import-agent", &import(card("Rogue")))
        .await
        .expect(201);
    let id = listed.json["agent"]["agent_id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let _ = operator
        .post(&format!("/operator/agents/{id}/suspend"), &json!({}))
        .await
        .expect(200);
    for name in ["Rogue", "Rogue ", "Somebody Else"] {
        let again = stack.http.post("/import-agent", &import(card(name))).await;
        again.expect_problem(403, "agent_suspended");
    }
    let registered = json!({ "endpoint_url": "http://127.0.0.1:9/a2a" });
    let again = stack
        .http
        .post("/register", &registration("b", registered))
        .await;
    again.expect_problem(403, "agent_suspended");
    let _ = stack
        .http
        .post(
            "/register",
            &registration("b", json!({ "endpoint_url": "http://127.0.0.1:9/b" })),
        )
        .await
        .expect(201);
}

async fn operated() -> (Stack, tests::Http) {
    let settings = gateway::settings::Settings {
        operator_key: KEY.into(),
        ..settings()
    };
    let stack = Stack::on(Database::sqlite().into(), settings, "a").await;
    let operator = stack.http.with_key(KEY);
    (stack, operator)
}
