//! The proxy is safe: what reaches an agent, what one agent or caller may cost the others, and whose
//! fault a failure was.

use std::sync::Arc;

use protocol::signature::http_message::{Received, Rules, Scheme, Target, verify};
use protocol::signature::jwk::JwkSet;
use serde_json::{Value, json};
use tests::{
    Database, Fake, Reply, Stack, card_v0_3, card_v1_0, on_both, registration, settings, until,
};
use tokio::sync::Notify;

async fn raw(stack: &Stack, id: &str, url: &str) -> tests::Http {
    let body = registration(
        id,
        json!({ "endpoint_url": url, "message_protocol": "raw" }),
    );
    stack.http.register(&body).await
}

#[tokio::test]
async fn a_forwarded_request_is_signed_so_that_the_agent_can_tell() {
    let stack = Stack::sqlite().await;
    let fake = Fake::start(Reply::A2a03("ok".into())).await;
    let import = json!({ "card": card_v0_3("Signed", &fake.url), "register": true });
    let _ = stack.http.post("/import-agent", &import).await.expect(201);
    let caller = stack
        .http
        .register(&registration("caller", json!({})))
        .await;
    let body = json!({ "agent_id": "signed", "message": "x" });
    let _ = caller.post("/call", &body).await.expect(200);
    let keys = stack.http.get("/.well-known/jwks.json").await.json;
    let keys = JwkSet::read(&keys).expect("a key set");
    let seen = fake.seen().remove(0);
    let authority = fake.url.trim_start_matches("http://");
    let target =
        Target::new("POST", Scheme::Http, authority, &seen.target, None).expect("a target");
    let headers: Vec<(&str, &[u8])> = seen
        .headers
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_bytes()))
        .collect();
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("after 1970")
        .as_secs();
    let check = |body: &[u8]| {
        let received = Received {
            target: &target,
            headers: &headers,
            body,
        };
        verify(
            &received,
            |kid| keys.find(kid).next().cloned(),
            &Rules::at(now),
        )
        .map(|_| ())
    };
    assert_eq!(check(&seen.body), Ok(()));
    assert!(check(b"another body").is_err());
}

#[tokio::test]
async fn an_agent_that_leads_back_here_is_not_called() {
    let stack = Stack::sqlite().await;
    let caller = raw(&stack, "self", &format!("{}/register", stack.http.url)).await;
    let call = json!({ "agent_id": "self", "message": "x" });
    caller
        .post("/call", &call)
        .await
        .expect_problem(502, "upstream_refused");
    // Through another gateway it is a loop, which the mark on the request tells.
    let other = Stack::on(Database::sqlite().into(), settings(), "b").await;
    let card = |url: &str| json!({ "card": card_v0_3("Loop", url), "register": true });
    let there = format!("{}/agents/loop", other.http.url);
    let _ = stack
        .http
        .post("/import-agent", &card(&there))
        .await
        .expect(201);
    let here = format!("{}/agents/loop", stack.http.url);
    let _ = other
        .http
        .post("/import-agent", &card(&here))
        .await
        .expect(201);
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "message/send", "params": { "message": {
        "messageId": "m", "role": "user", "parts": [{ "kind": "text", "text": "x" }] } } });
    let answer = stack.http.post("/agents/loop", &body).await;
    assert!(answer.json["error"].is_object(), "{}", answer.json);
    assert!(
        answer.json.to_string().contains("loop_detected"),
        "{}",
        answer.json
    );
}

#[tokio::test]
async fn a_hung_agent_costs_its_own_callers_alone() {
    let settings = gateway::settings::Settings {
        call: gateway::settings::Call {
            agent_in_flight: 2,
            caller_in_flight: 3,
            ..settings().call
        },
        ..settings()
    };
    let stack = Stack::on(Database::sqlite().into(), settings, "a").await;
    let silent = Fake::start(Reply::Silence).await;
    let well = Fake::start(Reply::Raw(200, "text/plain".into(), b"ok".to_vec())).await;
    let _ = raw(&stack, "well", &well.url).await;
    let caller = raw(&stack, "silent", &silent.url).await;
    let hung: Vec<_> = (0..2)
        .map(|_| {
            let caller = caller.clone();
            tokio::spawn(async move {
                let body = json!({ "agent_id": "silent", "message": "x", "timeout_ms": 600_000 });
                caller.post("/call", &body).await
            })
        })
        .collect();
    until("both are waiting", async || silent.seen().len() == 2).await;
    let third = caller
        .post("/call", &json!({ "agent_id": "silent", "message": "x" }))
        .await;
    third.expect_problem(503, "agent_busy");
    let other = caller
        .post("/call", &json!({ "agent_id": "well", "message": "x" }))
        .await;
    assert_eq!(other.expect(200).json["body"], "ok");
    for call in hung {
        call.abort();
    }
    until("the places are free again", async || {
        let body = json!({ "agent_id": "silent", "message": "x", "timeout_ms": 50 });
        caller.post("/call", &body).await.status == 504
    })
    .await;
}

#[tokio::test]
async fn an_agent_that_is_gone_is_left_alone_for_a_while() {
    let stack = Stack::sqlite().await;
    let caller = raw(&stack, "gone", "http://127.0.0.1:1/").await;
    let body = json!({ "agent_id": "gone", "message": "x" });
    for _ in 0..5 {
        caller
            .post("/call", &body)
            .await
            .expect_problem(502, "upstream_unreachable");
    }
    let refused = caller.post("/call", &body).await;
    refused.expect_problem(503, "agent_failing");
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(refused.json["retryable"], true);
}

#[tokio::test]
async fn a_call_whose_caller_left_is_recorded() {
    let stack = Stack::sqlite().await;
    let silent = Fake::start(Reply::Silence).await;
    let caller = raw(&stack, "silent", &silent.url).await;
    let leaving = caller.clone();
    let call = tokio::spawn(async move {
        leaving
            .post("/call", &json!({ "agent_id": "silent", "message": "x" }))
            .await
    });
    until("the agent was asked", async || silent.seen().len() == 1).await;
    call.abort();
    until("the call is recorded", async || {
        let metrics = stack.http.get("/metrics").await;
        String::from_utf8_lossy(&metrics.bytes).contains("abandoned")
    })
    .await;
}

#[tokio::test]
async fn a_list_is_no_object_and_a_card_of_a_megabyte_makes_no_page_of_a_hundred() {
    let stack = Stack::sqlite().await;
    let list = stack.http.post("/register", &json!(["a", "b"])).await;
    list.expect_problem(422, "invalid_request");
    let skills: Vec<Value> = (0..900)
        .map(|n| json!({ "id": format!("s{n}"), "name": "s", "description": "x".repeat(900), "tags": [] }))
        .collect();
    let mut card = card_v0_3("Large", "http://127.0.0.1:9/");
    card["skills"] = json!(skills);
    let import = json!({ "card": card, "register": true });
    let _ = stack.http.post("/import-agent", &import).await.expect(201);
    let page = stack.http.get("/agents").await.expect(200);
    assert!(page.bytes.len() < 20_000, "{}", page.bytes.len());
    let whole = stack.http.get("/agents/large").await.expect(200);
    assert_eq!(whole.json["skills"].as_array().map(Vec::len), Some(900));
}

#[tokio::test]
async fn a_retry_with_the_same_key_has_one_effect_and_the_same_answer() {
    on_both(|stack| async move {
        let fake = Fake::start(Reply::A2a1("ok".into())).await;
        let import = json!({ "card": card_v1_0("Once", &fake.url), "register": true });
        let _ = stack.http.post("/import-agent", &import).await.expect(201);
        let caller = stack.http.register(&registration("caller", json!({}))).await;
        let other = stack.http.register(&registration("other", json!({}))).await;
        let call = |http: &tests::Http, key: &str, said: &str| {
            let body = json!({ "agent_id": "once", "message": said });
            let request = http.request(reqwest::Method::POST, "/call").json(&body);
            request.header("idempotency-key", key)
        };
        let first = caller.send(call(&caller, "k", "x")).await.expect(200);
        let again = caller.send(call(&caller, "k", "x")).await.expect(200);
        assert_eq!(first.bytes, again.bytes);
        assert_eq!(again.headers["idempotency-replayed"], "true");
        assert_eq!(fake.seen().len(), 1);
        let clash = caller.send(call(&caller, "k", "y")).await;
        clash.expect_problem(409, "idempotency_mismatch");
        let _ = other.send(call(&other, "k", "x")).await.expect(200);
        assert_eq!(fake.seen().len(), 2, "the key is the caller's own");
        let bad = caller.send(call(&caller, &"k".repeat(256), "x")).await;
        bad.expect_problem(422, "invalid_request");
        // What was refused before anything was done does not burn the key.
        let refused = json!({ "agent_id": "nobody", "message": "x" });
        let request = caller.request(reqwest::Method::POST, "/call").json(&refused);
        let answer = caller.send(request.header("idempotency-key", "free")).await;
        answer.expect_problem(404, "unknown_agent");
        let _ = caller.send(call(&caller, "free", "x")).await.expect(200);
        let at_once: Vec<_> = (0..10)
            .map(|_| {
                let caller = caller.clone();
                let request = call(&caller, "race", "x");
                tokio::spawn(async move { caller.send(request).await.status })
            })
            .collect();
        for status in at_once {
            assert!(matches!(status.await.expect("ran"), 200 | 409));
        }
        assert_eq!(fake.seen().len(), 4);
        // The A2A door keeps the same promise.
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": { "message": {
            "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "x" }] } } });
        for _ in 0..2 {
            let request = caller.request(reqwest::Method::POST, "/agents/once").json(&body);
            let answer = caller.send(request.header("idempotency-key", "door")).await.expect(200);
            assert_eq!(answer.json["result"]["message"]["parts"][0]["text"], "ok");
        }
        assert_eq!(fake.seen().len(), 5);
    })
    .await;
}

#[tokio::test]
async fn a_client_that_leaves_finds_its_answer_on_every_door() {
    let stack = Stack::sqlite().await;
    let release = Arc::new(Notify::new());
    let fake = Fake::start(Reply::Held(release.clone(), "late".into())).await;
    let late = json!({ "endpoint_url": fake.url, "a2a_compliant": true, "a2a_version": "1.0" });
    let _ = stack.http.register(&registration("late", late)).await;
    let caller = stack
        .http
        .register(&registration("caller", json!({})))
        .await;
    let message = json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "x" }] });
    let rest = json!({ "message": message });
    let rpc = json!({ "jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": rest });
    let call = json!({ "agent_id": "late", "message": message });
    let old = json!({ "message": { "messageId": "m", "role": "ROLE_USER", "content": [{ "text": "x" }] } });
    for (path, body) in [
        ("/call", call),
        ("/agents/late", rpc),
        ("/agents/late/message:send", rest),
        ("/agents/late/v1/message:send", old),
    ] {
        let before = fake.seen().len();
        let ask = || {
            let request = caller.request(reqwest::Method::POST, path).json(&body);
            request.header("idempotency-key", "k")
        };
        let leaving = tokio::spawn(ask().send());
        until("the agent was asked", async || {
            fake.seen().len() == before + 1
        })
        .await;
        leaving.abort();
        release.notify_one();
        until("the answer was kept", async || {
            caller.send(ask()).await.status == 200
        })
        .await;
        let answer = caller.send(ask()).await;
        assert_eq!(answer.headers["idempotency-replayed"], "true", "{path}");
        let text = String::from_utf8_lossy(&answer.bytes);
        assert!(text.contains("late"), "{path}: {text}");
        assert_eq!(fake.seen().len(), before + 1, "{path}");
    }
}

#[tokio::test]
async fn an_answer_is_kept_across_a_restart_and_a_lost_one_is_not_asked_for_again() {
    let stack = Stack::sqlite().await;
    let silent = Fake::start(Reply::Silence).await;
    let well = Fake::start(Reply::Raw(200, "text/plain".into(), b"ok".to_vec())).await;
    let _ = raw(&stack, "well", &well.url).await;
    let caller = raw(&stack, "silent", &silent.url).await;
    let call = |http: &tests::Http, id: &str| {
        let body = json!({ "agent_id": id, "message": "x" });
        let request = http.request(reqwest::Method::POST, "/call").json(&body);
        request.header("idempotency-key", id)
    };
    let first = caller.send(call(&caller, "well")).await.expect(200);
    let cut = tokio::spawn({
        let (caller, request) = (caller.clone(), call(&caller, "silent"));
        async move {
            caller
                .request(reqwest::Method::GET, "/health")
                .send()
                .await
                .map(|_| ())
                .and(request.send().await.map(|_| ()))
        }
    });
    until("the agent was asked", async || silent.seen().len() == 1).await;
    cut.abort();
    let database = stack.stop().await;
    let stack = Stack::on(database, settings(), "a").await;
    let caller = stack.http.with_key(caller.key().expect("a key"));
    let again = caller.send(call(&caller, "well")).await.expect(200);
    assert_eq!(first.bytes, again.bytes);
    let lost = caller.send(call(&caller, "silent")).await;
    lost.expect_problem(409, "outcome_unknown");
    assert_eq!((well.seen().len(), silent.seen().len()), (1, 1));
}

#[tokio::test]
async fn a_call_is_answered_in_the_dialect_of_its_words_and_its_task_is_the_callers() {
    let host = Stack::kit(Database::sqlite().into(), "host").await;
    let front = Stack::on(Database::sqlite().into(), settings(), "front").await;
    for shape in ["1.0", "0.3"] {
        let card = format!(
            "{}/agents/guildhall-kit/{shape}/.well-known/agent-card.json",
            host.http.url
        );
        let _ = front
            .http
            .post(
                "/import-agent",
                &json!({ "card_url": card, "register": true }),
            )
            .await;
    }
    let ids = front.http.get("/agents").await.ids();
    let caller = front
        .http
        .register(&registration("caller", json!({})))
        .await;
    let other = front.http.register(&registration("other", json!({}))).await;
    for id in ids.iter().filter(|id| id.starts_with("kit")) {
        let old = json!({ "kind": "message", "messageId": "tck-artifact-text-1", "role": "user", "parts": [{ "kind": "text", "text": "x" }] });
        let answer = caller
            .post("/call", &json!({ "agent_id": id, "message": old }))
            .await
            .expect(200);
        assert_eq!(
            answer.json["body"]["result"]["kind"], "task",
            "{id}: {}",
            answer.json
        );
        let new = json!({ "messageId": "tck-artifact-text-1", "role": "ROLE_USER", "parts": [{ "text": "x" }] });
        let answer = caller
            .post("/call", &json!({ "agent_id": id, "message": new }))
            .await
            .expect(200);
        let task = &answer.json["body"]["result"]["task"];
        assert_eq!(
            task["status"]["state"], "TASK_STATE_COMPLETED",
            "{id}: {}",
            answer.json
        );
        let get = json!({ "jsonrpc": "2.0", "id": 7, "method": "tasks/get", "params": { "id": task["id"] } });
        let read = caller
            .post("/call", &json!({ "agent_id": id, "message": get }))
            .await
            .expect(200);
        assert_eq!(
            read.json["body"]["result"]["status"]["state"], "completed",
            "{}",
            read.json
        );
        let foreign = other
            .post("/call", &json!({ "agent_id": id, "message": get }))
            .await;
        foreign.expect_problem(404, "unknown_task");
    }
}
