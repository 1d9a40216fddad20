//! What every door has in common: the framework's own failures, ids, operation.

use serde_json::json;
use tests::{Database, Stack, on_both, registration, settings};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

#[tokio::test]
async fn the_frameworks_failures_have_our_shape() {
    let stack = Stack::sqlite().await;
    stack
        .http
        .get("/nowhere")
        .await
        .expect_problem(404, "not_found");
    let refused = stack.http.get("/register").await;
    refused.expect_problem(405, "method_not_allowed");
    assert_eq!(refused.headers["allow"], "POST");
    stack
        .http
        .post_bytes("/verify", "{")
        .await
        .expect_problem(400, "malformed_json");
    stack
        .http
        .post_bytes("/verify", "")
        .await
        .expect_problem(400, "malformed_json");
    stack
        .http
        .post_bytes("/verify", "\u{feff}{}")
        .await
        .expect_problem(400, "malformed_json");
    stack
        .http
        .post_bytes("/verify", r#"{"agent_id":"\ud800"}"#)
        .await
        .expect_problem(400, "malformed_json");
    stack
        .http
        .post_bytes("/verify", "[]")
        .await
        .expect_problem(422, "invalid_request");
    let text = stack
        .http
        .request(reqwest::Method::POST, "/verify")
        .header("content-type", "text/plain")
        .body("{}");
    stack
        .http
        .send(text)
        .await
        .expect_problem(415, "unsupported_media_type");
    stack
        .http
        .send(stack.http.request(reqwest::Method::POST, "/verify"))
        .await
        .expect_problem(415, "unsupported_media_type");
}

#[tokio::test]
async fn health_knows_the_index_and_the_database() {
    on_both(|stack| async move {
        let _ = stack.http.register(&registration("a", json!({}))).await;
        stack.indexed().await;
        let health = stack.http.get("/health").await.expect(200);
        let kind = if stack.database.is_postgres() {
            "postgres"
        } else {
            "sqlite"
        };
        assert_eq!(
            health.json["database"],
            json!({ "kind": kind, "answers": true })
        );
        assert_eq!(
            (
                &health.json["index"]["documents"],
                &health.json["index"]["behind"]
            ),
            (&json!(2), &json!(0))
        );
        assert_eq!(health.json["agents"], 2);
        let _ = stack.http.get("/ready").await.expect(200);
        let metrics =
            String::from_utf8(stack.http.get("/metrics").await.expect(200).bytes).expect("text");
        for line in [
            "guildhall_requests_total{door=\"register\",status=\"201\"} 1",
            "guildhall_index_documents 2",
            "guildhall_requests_in_flight 1",
        ] {
            assert!(metrics.contains(line), "{line}\n{metrics}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_documentation_is_served_and_whole() {
    let stack = Stack::sqlite().await;
    let document = stack.http.get("/openapi.json").await.expect(200);
    assert_eq!(document.json["openapi"], "3.1.0");
    let page = String::from_utf8(stack.http.get("/docs").await.expect(200).bytes).expect("text");
    for outside in ["src=\"http", "href=\"http", "@import url(http"] {
        assert!(!page.contains(outside), "the page fetches {outside}");
    }
}

#[tokio::test]
async fn a_forwarded_address_counts_only_from_a_trusted_proxy() {
    let limits = gateway::settings::Limits {
        read_per_minute: 2,
        ..tests::settings().limits
    };
    let trusted = vec!["127.0.0.1".parse().expect("an address")];
    let limited = gateway::settings::Settings {
        limits,
        trusted_proxies: trusted,
        ..tests::settings()
    };
    let stack = Stack::on(tests::Database::sqlite().into(), limited, "a").await;
    let from = async |chain: &str| {
        let request = stack
            .http
            .request(reqwest::Method::GET, "/agents")
            .header("x-forwarded-for", chain);
        stack.http.send(request).await.status
    };
    assert_eq!(
        (
            from("198.51.100.1").await,
            from("198.51.100.1").await,
            from("198.51.100.1").await
        ),
        (200, 200, 429)
    );
    assert_eq!(from("198.51.100.2").await, 200);
    assert_eq!(
        from("198.51.100.9, 198.51.100.1").await,
        429,
        "what a client claims in front counts for nothing"
    );
}

#[tokio::test]
async fn headers_without_end_are_refused_and_the_house_goes_on() {
    let stack = Stack::sqlite().await;
    let address = stack.http.url.trim_start_matches("http://").to_owned();
    for request in [
        format!(
            "GET /health HTTP/1.1\r\nhost: x\r\nx: {}\r\n\r\n",
            "y".repeat(20_000)
        ),
        format!(
            "GET /health HTTP/1.1\r\nhost: x\r\n{}\r\n",
            "a: b\r\n".repeat(150)
        ),
        "POST /call HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx"
            .to_owned(),
        "POST /call HTTP/1.1\r\nhost: x\r\ntransfer-encoding: xchunked\r\n\r\n".to_owned(),
        "GET /health HTTP/1.1\r\nhost : x\r\n\r\n".to_owned(),
        "GET /health HTTP/1.1\r\nconnection: close\r\n\r\n".to_owned(),
    ] {
        let mut stream = tokio::net::TcpStream::connect(&address)
            .await
            .expect("connected");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer).await;
        let status = String::from_utf8_lossy(&answer)
            .split(' ')
            .nth(1)
            .map(str::to_owned)
            .unwrap_or_default();
        assert!(
            ["400", "431"].contains(&status.as_str()),
            "{status}: {}",
            &request[..40]
        );
    }
    let _ = stack.http.get("/health").await.expect(200);
}

#[tokio::test]
async fn texts_that_a_database_refuses_are_refused_before_it() {
    on_both(|stack| async move {
        let owner = stack.http.register(&registration("a", json!({}))).await;
        owner.get("/calls/call_%00").await.expect_problem(404, "unknown_call");
        owner.delete("/agents/a/keys/key_%00").await.expect_problem(404, "unknown_key");
        stack.http.get("/agents/a%00").await.expect_problem(404, "unknown_agent");
        owner.post("/agents/a/keys", &json!({ "label": "a\u{0}" })).await.expect_problem(422, "invalid_request");
        let call = |skill: &str| json!({ "agent_id": "guildhall-echo", "message": "a\u{0}b", "skill": skill });
        owner.post("/call", &call("a\u{0}")).await.expect_problem(422, "invalid_request");
        let answer = owner.post("/call", &call("a")).await.expect(200);
        let id = answer.json["transaction_id"].as_str().expect("an id");
        let _ = owner.get(&format!("/calls/{id}")).await.expect(200);
        let card = json!({ "name": "N\u{0}ul", "description": "\u{0}", "url": "https://a.guildhall-demo.net/", "skills": [{ "id": "\u{0}", "name": "x" }],
            "capabilities": { "extensions": [{ "uri": "x", "params": { "\u{0}": "\u{0}" } }] } });
        let _ = stack.http.post("/import-agent", &json!({ "card": card, "register": true })).await.expect(201);
        for body in [json!({ "query": "\u{0}" }), json!({ "tags": ["\u{0}"] })] {
            let _ = stack.http.post("/match", &body).await.expect(200);
        }
    })
    .await;
}

#[tokio::test]
async fn a_refusal_by_a_limit_says_what_the_limit_is() {
    let settings = gateway::settings::Settings {
        limits: gateway::settings::Limits {
            register_per_minute: 1,
            ..settings().limits
        },
        ..settings()
    };
    let stack = Stack::on(Database::sqlite().into(), settings, "a").await;
    let _ = stack
        .http
        .post("/register", &registration("a", json!({})))
        .await
        .expect(201);
    let refused = stack
        .http
        .post("/register", &registration("b", json!({})))
        .await;
    refused.expect_problem(429, "rate_limited");
    assert_eq!(refused.headers["ratelimit-policy"], "\"register\";q=1;w=60");
    assert_eq!(refused.headers["ratelimit"], "\"register\";r=0");
    assert!(refused.headers.contains_key("retry-after"));
}

#[tokio::test]
async fn the_type_of_a_problem_is_a_place_on_the_page() {
    let stack = Stack::sqlite().await;
    let problem = stack.http.get("/agents/nobody").await;
    let link = problem.json["type"].as_str().expect("a link").to_owned();
    let (path, fragment) = link.split_once('#').expect("a fragment");
    let page = stack.http.get(path).await.expect(200);
    let page = String::from_utf8(page.bytes).expect("text");
    assert!(page.contains(&format!("id=\"{fragment}\"")));
    let refused = stack
        .http
        .post("/openapi.json", &json!({}))
        .await
        .expect(405);
    assert_eq!(refused.headers["allow"], "GET");
}
