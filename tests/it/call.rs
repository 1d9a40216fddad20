//! `POST /call`: every kind of receiver, whose word the answer is, limits, records.

use std::time::Duration;

use serde_json::{Value, json};
use tests::{Fake, Http, Reply, Stack, card_v0_3, card_v1_0, on_both, registration};

async fn caller(stack: &Stack) -> Http {
    stack
        .http
        .register(&registration("caller", json!({})))
        .await
}

async fn import(stack: &Stack, card: Value) -> String {
    let answer = stack
        .http
        .post("/import-agent", &json!({ "card": card, "register": true }))
        .await
        .expect(201);
    answer.json["agent"]["agent_id"]
        .as_str()
        .expect("an id")
        .to_owned()
}

#[tokio::test]
async fn the_echo_tenant_is_called_like_anyone() {
    on_both(|stack| async move {
        let caller = caller(&stack).await;
        let answer = caller.post("/call", &json!({ "agent_id": "guildhall-echo", "payload": { "a": [1, 2.50] }, "skill": "echo" })).await.expect(200);
        assert_eq!((&answer.json["status_code"], &answer.json["spoken"]), (&json!(200), &json!("a2a-1.0")));
        assert_eq!(answer.json["body"]["result"]["message"]["parts"], json!([{ "data": { "a": [1, 2.5] } }]));
        let id = answer.json["transaction_id"].as_str().expect("an id");
        assert_eq!(answer.headers["x-guildhall-transaction-id"], id);
        let record = caller.get(&format!("/calls/{id}")).await.expect(200);
        assert_eq!((&record.json["state"], &record.json["status_code"], &record.json["skill"]), (&json!("answered"), &json!(200), &json!("echo")));
        assert_eq!(record.json["caller_agent_id"], "caller");
        let other = stack.http.register(&registration("other", json!({}))).await;
        other.get(&format!("/calls/{id}")).await.expect_problem(404, "unknown_call");
        stack.http.get(&format!("/calls/{id}")).await.expect_problem(401, "unauthorized");
    })
    .await;
}

#[tokio::test]
async fn agents_are_spoken_to_in_their_own_dialect() {
    on_both(|stack| async move {
        let caller = caller(&stack).await;
        let old = Fake::start(Reply::A2a03("from 0.3".into())).await;
        let new = Fake::start(Reply::A2a1("from 1.0".into())).await;
        let old_id = import(&stack, card_v0_3("Old", &old.url)).await;
        let new_id = import(&stack, card_v1_0("New", &new.url)).await;
        let message = json!({ "role": "user", "parts": [{ "kind": "text", "text": "hi" }] });
        let answer = caller
            .post("/call", &json!({ "agent_id": old_id, "message": message }))
            .await
            .expect(200);
        assert_eq!(
            answer.json["body"]["result"]["parts"][0]["text"],
            "from 0.3"
        );
        let sent = old.seen()[0].json();
        assert_eq!(
            (&sent["method"], &sent["params"]["message"]["kind"]),
            (&json!("message/send"), &json!("message"))
        );
        assert!(sent["params"]["message"]["messageId"].is_string() && sent["id"].is_string());
        assert!(!old.seen()[0].headers.contains_key("a2a-version"));
        let answer = caller
            .post("/call", &json!({ "agent_id": new_id, "message": "hi" }))
            .await
            .expect(200);
        assert_eq!(
            answer.json["body"]["result"]["message"]["parts"][0]["text"],
            "from 1.0"
        );
        let seen = &new.seen()[0];
        assert_eq!(seen.headers["a2a-version"], "1.0");
        assert_eq!(seen.json()["method"], "SendMessage");
        assert_eq!(
            seen.json()["params"]["message"]["parts"],
            json!([{ "text": "hi" }])
        );
    })
    .await;
}

#[tokio::test]
async fn a_whole_envelope_is_made_conformant() {
    let stack = Stack::sqlite().await;
    let caller = caller(&stack).await;
    let fake = Fake::start(Reply::A2a03("ok".into())).await;
    let id = import(&stack, card_v0_3("Old", &fake.url)).await;
    let envelope = json!({ "jsonrpc": "2.0", "method": "message/send", "params": { "message": {
        "role": "user", "parts": [{ "kind": "data", "data": { "content": "x", "content_type": "text/plain" } }] } } });
    let _ = caller
        .post("/call", &json!({ "agent_id": id, "message": envelope }))
        .await
        .expect(200);
    let sent = fake.seen()[0].json();
    assert!(sent["id"].is_string() && sent["params"]["message"]["messageId"].is_string());
    assert_eq!(
        sent["params"]["message"]["parts"][0]["data"]["content"],
        "x"
    );
}

#[tokio::test]
async fn plain_http_gets_the_content_with_its_type_or_as_a_query() {
    on_both(|stack| async move {
        let caller = caller(&stack).await;
        let fake = Fake::start(Reply::Raw(200, "text/plain; charset=utf-8".into(), b"done".to_vec())).await;
        let post = json!({ "message_protocol": "raw", "endpoint_url": format!("{}/in", fake.url), "http_methods": ["POST", "GET"] });
        let _ = stack.http.register(&registration("plain", post)).await;
        let answer = caller.post("/call", &json!({ "agent_id": "plain", "payload": { "b": 1, "a": [true] } })).await.expect(200);
        assert_eq!((&answer.json["body"], &answer.json["spoken"]), (&json!("done"), &json!("http")));
        let _ = caller.post("/call", &json!({ "agent_id": "plain", "message": "hello" })).await.expect(200);
        let _ = caller.post("/call", &json!({ "agent_id": "plain", "payload": { "q": "a b", "n": { "m": 2 } }, "method": "get" })).await.expect(200);
        let seen = fake.seen();
        assert_eq!((seen[0].headers["content-type"].as_bytes(), &seen[0].body[..]), (&b"application/json"[..], &br#"{"b":1,"a":[true]}"#[..]));
        assert_eq!((seen[1].headers["content-type"].as_bytes(), &seen[1].body[..]), (&b"text/plain"[..], &b"hello"[..]));
        assert_eq!((seen[2].method.as_str(), seen[2].target.as_str()), ("GET", "/in?q=a+b&n.m=2"));
        caller.post("/call", &json!({ "agent_id": "plain", "payload": 1, "method": "PUT" })).await.expect_problem(422, "invalid_request");
    })
    .await;
}

#[tokio::test]
async fn the_agents_word_is_never_ours() {
    let stack = Stack::sqlite().await;
    let caller = caller(&stack).await;
    for (status, media, body, seen) in [
        (
            404,
            "application/json",
            &br#"{"error":"no"}"#[..],
            json!({ "error": "no" }),
        ),
        (500, "text/html", b"<h1>oops</h1>", json!("<h1>oops</h1>")),
        (302, "text/plain", b"", Value::Null),
        (200, "application/json", b"{cut", json!("{cut")),
        (200, "application/octet-stream", b"\xff\xfe", json!("//4=")),
    ] {
        let fake = Fake::start(Reply::Raw(status, media.into(), body.to_vec())).await;
        let id = format!("s{status}-{}", fake.url.rsplit(':').next().expect("a port"));
        let _ = stack
            .http
            .register(&registration(
                &id,
                json!({ "message_protocol": "raw", "endpoint_url": fake.url }),
            ))
            .await;
        let answer = caller
            .post("/call", &json!({ "agent_id": id, "payload": {} }))
            .await
            .expect(200);
        assert_eq!(
            (&answer.json["status_code"], &answer.json["body"]),
            (&json!(status), &seen)
        );
        assert!(answer.json.get("code").is_none(), "{}", answer.json);
        let headers = answer.json["response_headers"].to_string();
        assert!(
            headers.contains("x-agent")
                && !headers.contains("cookie")
                && !headers.contains("server"),
            "{headers}"
        );
    }
    caller
        .post("/call", &json!({ "agent_id": "nobody", "message": "x" }))
        .await
        .expect_problem(404, "unknown_agent");
    let _ = stack
        .http
        .register(&registration("silent-human", json!({})))
        .await;
    caller
        .post(
            "/call",
            &json!({ "agent_id": "silent-human", "message": "x" }),
        )
        .await
        .expect_problem(422, "no_endpoint");
}

#[tokio::test]
async fn a_failed_call_says_whose_fault_it_was_and_is_recorded() {
    on_both(|stack| async move {
        let caller = caller(&stack).await;
        let silent = Fake::start(Reply::Silence).await;
        let raw = |url: &str| json!({ "message_protocol": "raw", "endpoint_url": url });
        let _ = stack
            .http
            .register(&registration("silent", raw(&silent.url)))
            .await;
        let _ = stack
            .http
            .register(&registration("absent", raw("http://127.0.0.1:1/")))
            .await;
        let answer = caller
            .post(
                "/call",
                &json!({ "agent_id": "silent", "payload": "x", "timeout_ms": 50 }),
            )
            .await;
        answer.expect_problem(504, "upstream_timeout");
        assert_eq!(
            answer.json["retryable"], false,
            "the agent may have done the work"
        );
        let id = answer.json["transaction_id"]
            .as_str()
            .expect("an id")
            .to_owned();
        assert_eq!(
            caller.get(&format!("/calls/{id}")).await.expect(200).json["state"],
            "timed_out"
        );
        let answer = caller
            .post("/call", &json!({ "agent_id": "absent", "payload": "x" }))
            .await;
        answer.expect_problem(502, "upstream_unreachable");
        assert_eq!(answer.json["retryable"], true, "nothing was sent");
    })
    .await;
}

#[tokio::test]
async fn credentials_stay_with_whom_they_belong_to() {
    let stack = Stack::sqlite().await;
    let fake = Fake::start(Reply::Raw(200, "text/plain".into(), b"ok".to_vec())).await;
    let raw = |auth: Option<&str>| json!({ "message_protocol": "raw", "endpoint_url": fake.url, "auth_header_name": auth });
    let caller = caller(&stack).await;
    let _ = stack.http.register(&registration("plain", raw(None))).await;
    let _ = stack
        .http
        .register(&registration("guarded", raw(Some("X-Agent-Token"))))
        .await;
    let headers = json!({ "Authorization": "Bearer mine", "Cookie": "a=b", "X-Agent-Token": "t0ken", "X-Payment": "p", "Accept-Language": "de" });
    let answer = caller
        .post(
            "/call",
            &json!({ "agent_id": "guarded", "payload": "x", "forwarded_headers": headers }),
        )
        .await
        .expect(200);
    assert_eq!(
        answer.json["dropped_headers"],
        json!(["Authorization", "Cookie", "X-Payment"])
    );
    let seen = &fake.seen()[0].headers;
    assert_eq!(seen["x-agent-token"], "t0ken");
    assert_eq!(seen["accept-language"], "de");
    let _ = caller
        .post("/call", &json!({ "agent_id": "plain", "payload": "x" }))
        .await
        .expect(200);
    for seen in fake.seen() {
        for absent in ["authorization", "cookie", "x-payment"] {
            assert!(!seen.headers.contains_key(absent), "{absent}");
        }
        assert!(!format!("{:?}", seen.headers).contains("gh_sk_"));
    }
}

#[tokio::test]
async fn callers_are_who_they_say() {
    let stack = Stack::sqlite().await;
    let caller = caller(&stack).await;
    let ask = json!({ "agent_id": "guildhall-echo", "message": "x" });
    stack
        .http
        .post("/call", &ask)
        .await
        .expect_problem(401, "unauthorized");
    stack
        .http
        .with_key("gh_sk_x")
        .post("/call", &ask)
        .await
        .expect_problem(401, "invalid_key");
    let said =
        |id: &str| json!({ "agent_id": "guildhall-echo", "message": "x", "caller_agent_id": id });
    let _ = caller.post("/call", &said("caller")).await.expect(200);
    caller
        .post("/call", &said("other"))
        .await
        .expect_problem(403, "caller_mismatch");
}

#[tokio::test]
async fn a_question_has_one_content_and_a_size() {
    let stack = Stack::sqlite().await;
    let caller = caller(&stack).await;
    for body in [
        json!({ "agent_id": "guildhall-echo" }),
        json!({ "agent_id": "guildhall-echo", "message": "x", "payload": 1 }),
        json!({ "agent_id": "guildhall-echo", "message": { "text": "no parts" } }),
        json!({ "agent_id": "guildhall-echo", "message": { "role": "user", "parts": [] } }),
        json!({ "agent_id": "guildhall-echo", "message": "x", "timeout_ms": 0 }),
        json!({ "agent_id": "guildhall-echo", "message": "x", "timeout_ms": -1 }),
    ] {
        caller
            .post("/call", &body)
            .await
            .expect_problem(422, "invalid_request");
    }
    let fits = json!({ "agent_id": "guildhall-echo", "payload": "x".repeat(65_000) });
    let _ = caller.post("/call", &fits).await.expect(200);
    let large = json!({ "agent_id": "guildhall-echo", "payload": "x".repeat(65_536) });
    caller
        .post("/call", &large)
        .await
        .expect_problem(413, "payload_too_large");
    let stream =
        futures_util::stream::iter((0..70).map(|_| Ok::<_, std::io::Error>(vec![b' '; 1024])));
    let chunked = caller
        .request(reqwest::Method::POST, "/call")
        .header("content-type", "application/json");
    caller
        .send(chunked.body(reqwest::Body::wrap_stream(stream)))
        .await
        .expect_problem(413, "payload_too_large");
    caller
        .post_bytes(
            "/call",
            r#"{"agent_id":"guildhall-echo","payload":{"a":1,"a":2}}"#,
        )
        .await
        .expect_problem(400, "malformed_json");
    let deep = format!(
        r#"{{"agent_id":"guildhall-echo","payload":{}1{}}}"#,
        "[".repeat(100),
        "]".repeat(100)
    );
    caller
        .post_bytes("/call", deep)
        .await
        .expect_problem(400, "malformed_json");
}

#[tokio::test]
async fn an_answer_over_the_cap_is_refused() {
    let call = gateway::settings::Call {
        response_bytes: 1_000,
        ..gateway::settings::Call::default()
    };
    let capped = gateway::settings::Settings {
        call,
        ..tests::settings()
    };
    let stack = Stack::on(tests::Database::sqlite().into(), capped, "a").await;
    let fake = Fake::start(Reply::Raw(200, "text/plain".into(), vec![b'x'; 1_001])).await;
    let caller = stack
        .http
        .register(&registration(
            "a",
            json!({ "message_protocol": "raw", "endpoint_url": fake.url }),
        ))
        .await;
    caller
        .post("/call", &json!({ "agent_id": "a", "payload": "x" }))
        .await
        .expect_problem(502, "upstream_too_large");
}

#[tokio::test]
async fn calls_are_limited_per_caller_and_say_what_is_left() {
    let limits = gateway::settings::Limits {
        call_per_minute: 2,
        ..tests::settings().limits
    };
    let limited = gateway::settings::Settings {
        limits,
        ..tests::settings()
    };
    let stack = Stack::on(tests::Database::sqlite().into(), limited, "a").await;
    let (one, two) = (
        caller(&stack).await,
        stack.http.register(&registration("two", json!({}))).await,
    );
    let ask = json!({ "agent_id": "guildhall-echo", "message": "x" });
    let first = one.post("/call", &ask).await.expect(200);
    assert_eq!(first.headers["ratelimit-policy"], "\"call\";q=2;w=60");
    assert_eq!(first.headers["ratelimit"], "\"call\";r=1");
    let _ = one.post("/call", &ask).await.expect(200);
    one.post("/call", &ask)
        .await
        .expect_problem(429, "rate_limited");
    let _ = two.post("/call", &ask).await.expect(200);
}

#[tokio::test]
async fn a_hung_agent_holds_up_nobody_else() {
    let stack = Stack::sqlite().await;
    let silent = Fake::start(Reply::Silence).await;
    let caller = caller(&stack).await;
    let _ = stack
        .http
        .register(&registration(
            "silent",
            json!({ "message_protocol": "raw", "endpoint_url": silent.url }),
        ))
        .await;
    let hung: Vec<_> = (0..50)
        .map(|_| {
            let caller = caller.clone();
            tokio::spawn(async move {
                caller
                    .post(
                        "/call",
                        &json!({ "agent_id": "silent", "payload": "x", "timeout_ms": 3_000 }),
                    )
                    .await
            })
        })
        .collect();
    tests::until("all hang", async || silent.seen().len() == 50).await;
    let echo = json!({ "agent_id": "guildhall-echo", "message": "x" });
    let answer = tokio::time::timeout(Duration::from_secs(2), caller.post("/call", &echo))
        .await
        .expect("in time");
    let _ = answer.expect(200);
    for call in hung {
        call.await
            .expect("ran")
            .expect_problem(504, "upstream_timeout");
    }
}

#[tokio::test]
async fn an_agent_has_the_time_that_its_owner_declared() {
    let stack = Stack::sqlite().await;
    let fake = Fake::start(Reply::Silence).await;
    let more = json!({ "endpoint_url": fake.url, "a2a_compliant": true, "a2a_version": "1.0", "timeout_ms": 300 });
    let owner = stack.http.register(&registration("slow", more)).await;
    let message = json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "x" }] });
    let rpc = |method: &str| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": { "message": message } });
    for (path, body) in [
        ("/call", json!({ "agent_id": "slow", "message": "hi" })),
        ("/agents/slow", rpc("SendMessage")),
        ("/agents/slow", rpc("SendStreamingMessage")),
    ] {
        // Less than the gateway's own thirty seconds.
        let answer = tokio::time::timeout(Duration::from_secs(15), owner.post(path, &body));
        let answer = answer
            .await
            .expect("given up when the owner's time was over");
        let text = String::from_utf8_lossy(&answer.bytes);
        assert!(text.contains("upstream_timeout"), "{body}: {text}");
    }
    let shown = owner.get("/agents/slow").await.expect(200);
    assert_eq!(shown.json["timeout_ms"], 300);
    let back = owner.post("/update", &json!({ "timeout_ms": 0 })).await;
    assert!(back.expect(200).json["timeout_ms"].is_null());
    let answer = owner
        .post("/update", &json!({ "timeout_ms": 600_001 }))
        .await;
    answer.expect_problem(422, "invalid_request");
}
