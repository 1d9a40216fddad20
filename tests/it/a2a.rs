//! `POST /agents/{id}`: the JSON-RPC door in both dialects, hosted and passed on.

use serde_json::{Value, json};
use tests::{
    Answer, Database, Fake, Http, Reply, Stack, card_v0_3, card_v1_0, on_both, registration,
    settings,
};

const ECHO: &str = "/agents/guildhall-echo";

pub(crate) fn send(id: Value, method: &str) -> Value {
    let message = match method {
        "message/send" => {
            json!({ "kind": "message", "messageId": "m1", "role": "user", "parts": [{ "kind": "text", "text": "hi" }], "contextId": "c9" })
        }
        _ => {
            json!({ "messageId": "m1", "role": "ROLE_USER", "parts": [{ "text": "hi" }], "contextId": "c9" })
        }
    };
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": { "message": message } })
}

pub(crate) async fn rpc(http: &Http, path: &str, version: Option<&str>, body: &Value) -> Answer {
    let request = http.request(reqwest::Method::POST, path).json(body);
    http.send(match version {
        Some(version) => request.header("a2a-version", version),
        None => request,
    })
    .await
}

#[tokio::test]
async fn the_hosted_echo_speaks_both_dialects_on_one_url() {
    on_both(|stack| async move {
        for path in [ECHO, "/agents/guildhall-echo/"] {
            let old = rpc(&stack.http, path, None, &send(json!(7), "message/send"))
                .await
                .expect(200);
            assert_eq!(
                (&old.json["id"], &old.json["result"]["kind"]),
                (&json!(7), &json!("message"))
            );
            assert_eq!(
                old.json["result"]["parts"],
                json!([{ "kind": "text", "text": "hi" }])
            );
            assert_eq!(
                (
                    &old.json["result"]["role"],
                    &old.json["result"]["contextId"]
                ),
                (&json!("agent"), &json!("c9"))
            );
            let new = rpc(
                &stack.http,
                path,
                Some("1.0"),
                &send(json!("x"), "SendMessage"),
            )
            .await
            .expect(200);
            assert_eq!(new.json["id"], "x");
            assert_eq!(
                new.json["result"]["message"]["parts"],
                json!([{ "text": "hi" }])
            );
            assert_eq!(new.json["result"]["message"]["role"], "ROLE_AGENT");
        }
    })
    .await;
}

#[tokio::test]
async fn odd_requests_get_the_errors_of_the_standard() {
    let stack = Stack::sqlite().await;
    let good = send(json!(1), "message/send");
    let mut no_parts = good.clone();
    no_parts["params"]["message"]["parts"] = json!([]);
    let mut no_id = good.clone();
    no_id["params"]["message"]
        .as_object_mut()
        .expect("an object")
        .remove("messageId");
    let mut no_params = good.clone();
    no_params
        .as_object_mut()
        .expect("an object")
        .remove("params");
    let mut task = good.clone();
    task["params"]["message"]["taskId"] = json!("t1");
    let cases = [
        (json!([good]), None, -32600),
        (
            json!({ "jsonrpc": "1.0", "id": 1, "method": "message/send" }),
            None,
            -32600,
        ),
        (
            json!({ "jsonrpc": "2.0", "id": {}, "method": "message/send" }),
            None,
            -32600,
        ),
        (
            json!({ "jsonrpc": "2.0", "id": 1, "method": "no/such" }),
            None,
            -32601,
        ),
        (no_parts, None, -32602),
        (no_id, None, -32602),
        (no_params, None, -32602),
        (task, None, -32001),
        (
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tasks/get", "params": { "id": "t" } }),
            None,
            -32001,
        ),
        (
            json!({ "jsonrpc": "2.0", "id": 1, "method": "message/stream", "params": {} }),
            None,
            -32602,
        ),
        (
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tasks/pushNotificationConfig/set", "params": {} }),
            None,
            -32602,
        ),
        (good.clone(), Some("99.0"), -32009),
    ];
    for (body, version, code) in cases {
        let answer = rpc(&stack.http, ECHO, version, &body).await.expect(200);
        // 0.3 tells the error of a stream as the stream's one event.
        let json = match body["method"] == "message/stream" {
            true => answer.events().remove(0),
            false => answer.json,
        };
        assert_eq!(json["error"]["code"], code, "{body}: {json}");
        assert_eq!(json["jsonrpc"], "2.0");
    }
    let cut = stack
        .http
        .post_bytes(ECHO, r#"{"jsonrpc": "#)
        .await
        .expect(400);
    assert_eq!(
        (&cut.json["error"]["code"], &cut.json["id"]),
        (&json!(-32700), &Value::Null)
    );
    let text = stack
        .http
        .request(reqwest::Method::POST, ECHO)
        .header("content-type", "text/plain")
        .body("hello");
    assert_eq!(stack.http.send(text).await.json["error"]["code"], -32005);
}

#[tokio::test]
async fn our_own_refusals_are_typed_inside_the_error() {
    let stack = Stack::sqlite().await;
    let unknown = rpc(
        &stack.http,
        "/agents/nobody",
        None,
        &send(json!(3), "message/send"),
    )
    .await
    .expect(404);
    assert_eq!(
        (
            &unknown.json["id"],
            &unknown.json["error"]["data"][0]["code"]
        ),
        (&json!(3), &json!("unknown_agent"))
    );
    assert_eq!(
        unknown.json["error"]["data"][0]["@type"],
        "urn:guildhall:problem"
    );
    let wrong = rpc(
        &stack.http.with_key("gh_sk_wrong"),
        ECHO,
        None,
        &send(json!(3), "message/send"),
    )
    .await
    .expect(401);
    assert_eq!(wrong.json["error"]["data"][0]["code"], "invalid_key");
    let large = stack
        .http
        .post_bytes(ECHO, vec![b' '; 65_537])
        .await
        .expect(413);
    assert_eq!(
        (
            &large.json["error"]["code"],
            &large.json["error"]["data"][0]["code"]
        ),
        (&json!(-32600), &json!("payload_too_large"))
    );
    let owner = stack.http.register(&registration("gone", json!({}))).await;
    let _ = owner.delete("/agents/gone").await.expect(200);
    let gone = rpc(
        &stack.http,
        "/agents/gone",
        None,
        &send(json!(3), "message/send"),
    )
    .await
    .expect(410);
    assert_eq!(gone.json["error"]["data"][0]["code"], "agent_withdrawn");
}

#[tokio::test]
async fn a_message_to_an_agent_elsewhere_passes_in_its_dialect() {
    on_both(|stack| async move {
        let old = Fake::start(Reply::A2a03("old".into())).await;
        let new = Fake::start(Reply::A2a1("new".into())).await;
        for card in [card_v0_3("Old", &old.url), card_v1_0("New", &new.url)] {
            let _ = stack
                .http
                .post("/import-agent", &json!({ "card": card, "register": true }))
                .await
                .expect(201);
        }
        let answer = rpc(
            &stack.http,
            "/agents/old",
            None,
            &send(json!(5), "message/send"),
        )
        .await
        .expect(200);
        assert_eq!(
            (
                &answer.json["id"],
                &answer.json["result"]["parts"][0]["text"]
            ),
            (&json!(5), &json!("old"))
        );
        assert!(answer.headers.contains_key("x-guildhall-transaction-id"));
        let answer = rpc(
            &stack.http,
            "/agents/new",
            Some("1.0"),
            &send(json!("q"), "SendMessage"),
        )
        .await
        .expect(200);
        assert_eq!(answer.json["result"]["message"]["parts"][0]["text"], "new");
        assert_eq!(new.seen()[0].headers["a2a-version"], "1.0");
        let mut tenanted = send(json!("q"), "SendMessage");
        tenanted["params"]["tenant"] = json!("of the client");
        let _ = rpc(&stack.http, "/agents/new", Some("1.0"), &tenanted)
            .await
            .expect(200);
        let sent = new.seen()[1].json();
        assert_eq!(sent["params"].get("tenant"), None, "no tenant of the agent");
        let answer = rpc(
            &stack.http,
            "/agents/old",
            Some("1.0"),
            &send(json!(5), "SendMessage"),
        )
        .await
        .expect(200);
        assert_eq!(
            answer.json["result"]["message"]["parts"],
            json!([{ "text": "old" }]),
            "translated: {}",
            answer.json
        );
        assert_eq!(old.seen()[1].json()["method"], "message/send");
        assert!(!old.seen()[1].headers.contains_key("a2a-version"));
        let task =
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tasks/get", "params": { "id": "t" } });
        assert_eq!(
            rpc(&stack.http, "/agents/old", None, &task).await.json["error"]["code"],
            -32001
        );
        assert_eq!(
            (old.seen().len(), new.seen().len()),
            (2, 2),
            "what was refused was not sent"
        );
    })
    .await;
}

#[tokio::test]
async fn an_upstream_that_is_no_a2a_is_said_to_be_so() {
    let stack = Stack::sqlite().await;
    let html = Fake::start(Reply::Raw(502, "text/html".into(), b"<p>bad".to_vec())).await;
    let _ = stack
        .http
        .post(
            "/import-agent",
            &json!({ "card": card_v0_3("Html", &html.url), "register": true }),
        )
        .await
        .expect(201);
    let answer = rpc(
        &stack.http,
        "/agents/html",
        None,
        &send(json!(5), "message/send"),
    )
    .await
    .expect(200);
    assert_eq!(answer.json["error"]["code"], -32006);
    let _ = stack
        .http
        .post(
            "/import-agent",
            &json!({ "card": card_v0_3("Absent", "http://127.0.0.1:1/"), "register": true }),
        )
        .await
        .expect(201);
    let answer = rpc(
        &stack.http,
        "/agents/absent",
        None,
        &send(json!(5), "message/send"),
    )
    .await
    .expect(200);
    assert_eq!(
        (
            &answer.json["error"]["code"],
            &answer.json["error"]["data"][0]["code"]
        ),
        (&json!(-32603), &json!("upstream_unreachable"))
    );
}

#[tokio::test]
async fn an_endpoint_is_asked_at_import_what_it_speaks() {
    let settings = gateway::settings::Settings {
        call: gateway::settings::Call {
            probe: true,
            ..tests::settings().call
        },
        ..tests::settings()
    };
    let stack = Stack::on(tests::Database::sqlite().into(), settings, "a").await;
    let host = Stack::kit(tests::Database::sqlite().into(), "host").await;
    let url = format!("{}/agents/guildhall-kit", host.http.url);
    let import = json!({ "card": card_v0_3("Both", &url), "register": true });
    let listed = stack.http.post("/import-agent", &import).await.expect(201);
    assert_eq!(
        listed.json["agent"]["a2a_versions_observed"],
        json!(["1.0", "0.3"])
    );
    // It only says that it is no 1.0; 0.3 is what it then is spoken to in.
    let fake = Fake::start(Reply::Only03).await;
    let import = json!({ "card": card_v1_0("Liar", &fake.url), "register": true });
    let listed = stack.http.post("/import-agent", &import).await.expect(201);
    assert_eq!(listed.json["agent"]["a2a_versions"], json!(["0.3"]));
    let answer = rpc(
        &stack.http,
        "/agents/liar",
        Some("1.0"),
        &send(json!(1), "SendMessage"),
    )
    .await;
    assert_eq!(
        answer.json["result"]["message"]["parts"],
        json!([{ "text": "old" }]),
        "{}",
        answer.json
    );
}

#[tokio::test]
async fn a_client_that_attaches_begins_with_the_task_as_it_is_known() {
    let stack = Stack::sqlite().await;
    let event = |result: Value| {
        let answer = json!({ "jsonrpc": "2.0", "id": 1, "result": result });
        format!("data: {answer}\n\n")
    };
    let stream = [
        event(
            json!({ "kind": "status-update", "taskId": "t", "contextId": "c", "final": false, "status": { "state": "working" } }),
        ),
        event(
            json!({ "kind": "artifact-update", "taskId": "t", "contextId": "c", "artifact": { "artifactId": "a", "parts": [{ "kind": "text", "text": "half" }] } }),
        ),
        event(
            json!({ "kind": "status-update", "taskId": "t", "contextId": "c", "final": true, "status": { "state": "input-required" } }),
        ),
    ];
    let body = stream.concat().into_bytes();
    let fake = Fake::start(Reply::Raw(200, "text/event-stream".into(), body)).await;
    let mut card = card_v0_3("Updates", &fake.url);
    card["capabilities"] = json!({ "streaming": true });
    let _ = stack
        .http
        .post("/import-agent", &json!({ "card": card, "register": true }))
        .await
        .expect(201);
    let path = "/agents/updates";
    let agent = registry::agent::AgentId::lookup("updates").expect("an id");
    let begun = rpc(
        &stack.http,
        path,
        Some("1.0"),
        &send(json!(1), "SendStreamingMessage"),
    )
    .await
    .expect(200);
    let id = begun.headers["x-guildhall-transaction-id"].to_str();
    assert!(id.expect("text").starts_with("call_"));
    tests::until("the task is kept", async || {
        let row = stack.gate.store.task_by_id(&agent, "t").await;
        row.is_ok_and(|row| row.task["artifacts"].is_array())
    })
    .await;
    let attach =
        json!({ "jsonrpc": "2.0", "id": 3, "method": "SubscribeToTask", "params": { "id": "t" } });
    let attached = rpc(&stack.http, path, Some("1.0"), &attach)
        .await
        .expect(200);
    let first = &attached.events()[0]["result"]["task"];
    assert_eq!(first["status"]["state"], "TASK_STATE_INPUT_REQUIRED");
    assert_eq!(first["artifacts"][0]["parts"][0]["text"], "half");
}

#[tokio::test]
async fn a_stream_longer_than_memory_passes_and_leaves_its_state() {
    let mut small = settings();
    small.call.response_bytes = 100_000;
    let stack = Stack::on(Database::sqlite().into(), small, "a").await;
    let event = |result: Value| {
        let answer = json!({ "jsonrpc": "2.0", "id": 1, "result": result });
        format!("data: {answer}\n\n")
    };
    let part = "x".repeat(50_000);
    let mut stream = event(
        json!({ "task": { "id": "t", "contextId": "c", "status": { "state": "TASK_STATE_WORKING" } } }),
    );
    for n in 0..20 {
        let artifact = json!({ "artifactId": format!("a{n}"), "parts": [{ "text": part }] });
        let update = json!({ "taskId": "t", "contextId": "c", "artifact": artifact });
        stream += &event(json!({ "artifactUpdate": update }));
        let said = json!({ "messageId": format!("m{n}"), "role": "ROLE_AGENT", "parts": [{ "text": part }] });
        let status = json!({ "state": "TASK_STATE_WORKING", "message": said });
        let update = json!({ "taskId": "t", "contextId": "c", "status": status });
        stream += &event(json!({ "statusUpdate": update }));
    }
    stream += &event(
        json!({ "statusUpdate": { "taskId": "t", "contextId": "c", "status": { "state": "TASK_STATE_COMPLETED" } } }),
    );
    let reply = Reply::Raw(200, "text/event-stream".into(), stream.into_bytes());
    let fake = Fake::start(reply).await;
    let mut card = card_v1_0("Long", &fake.url);
    card["capabilities"] = json!({ "streaming": true });
    let _ = stack
        .http
        .post("/import-agent", &json!({ "card": card, "register": true }))
        .await
        .expect(201);
    let ask = send(json!(1), "SendStreamingMessage");
    let answer = rpc(&stack.http, "/agents/long", Some("1.0"), &ask).await;
    assert_eq!(answer.events().len(), 42);
    let agent = registry::agent::AgentId::lookup("long").expect("an id");
    tests::until("the end is kept", async || {
        let row = stack.gate.store.task_by_id(&agent, "t").await;
        row.is_ok_and(|row| row.state == "completed")
    })
    .await;
    let row = stack
        .gate
        .store
        .task_by_id(&agent, "t")
        .await
        .expect("kept");
    let kept = row.task.to_string().len();
    assert!((50_000..200_000).contains(&kept), "{kept}");
}
