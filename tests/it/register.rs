//! `POST /register` and `POST /update`: fields, limits, ids.

use serde_json::{Value, json};
use tests::{Stack, on_both, registration, settings};

#[tokio::test]
async fn a_registration_answers_with_its_key_once_and_is_shown_without_contact() {
    on_both(|stack| async move {
        let body = registration("translator", json!({
            "name": "Translator", "description": "Translates.", "capabilities": [{ "name": "translation", "weight": 3 }, "summary"],
            "settlement_rail": "manual", "tags": ["text"], "payload_schema": { "currency": "USD", "weight_unit": null },
        }));
        let answer = stack.http.post("/register", &body).await.expect(201);
        assert_eq!(answer.headers["location"], "/agents/translator");
        assert_eq!(answer.json["suggestions"], json!(["summarization"]), "said of `summary`");
        let key = answer.json["api_key"].as_str().expect("a key");
        assert!(key.starts_with("gh_sk_") && key.len() == 53, "{key}");
        let shown = stack.http.get("/agents/translator").await.expect(200);
        let text = String::from_utf8_lossy(&shown.bytes);
        assert!(!text.contains("owner@example.org") && !text.contains(key), "{text}");
        assert_eq!(shown.json["capabilities"], json!([{ "name": "translation", "weight": 3 }, { "name": "summary", "weight": 1 }]));
        assert_eq!(shown.json["settlement_rail"], json!(["manual"]));
        assert_eq!(shown.json["state"], "listed");
        assert_eq!(shown.json["org_verified"], false);
    })
    .await;
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one row a refusal")]
async fn what_is_outside_the_limits_is_refused_with_its_pointer() {
    let stack = Stack::sqlite().await;
    let cases: Vec<(Value, u16, &str, &str)> = vec![
        (
            json!({ "agent_id": "guildhall-x" }),
            422,
            "reserved_id",
            "/agent_id",
        ),
        (
            json!({ "agent_id": "eip155:1:0xab:1" }),
            422,
            "reserved_id",
            "/agent_id",
        ),
        (
            json!({ "agent_id": "Upper" }),
            422,
            "invalid_request",
            "/agent_id",
        ),
        (
            json!({ "agent_id": "a".repeat(129) }),
            422,
            "invalid_request",
            "/agent_id",
        ),
        (
            json!({ "contact_email": null }),
            422,
            "missing_contact",
            "/contact_email",
        ),
        (
            json!({ "contact_email": "nobody" }),
            422,
            "invalid_request",
            "/contact_email",
        ),
        (
            json!({ "public_key": "AAAA" }),
            400,
            "invalid_public_key",
            "/public_key",
        ),
        (
            json!({ "payload_schema": { "currency": "USD", "length_unit": "m" } }),
            422,
            "invalid_payload_schema",
            "/payload_schema/length_unit",
        ),
        (
            json!({ "price_schedule": [{ "task": "x", "price": "1" }] }),
            422,
            "price_not_allowed",
            "/price_schedule",
        ),
        (
            json!({ "capabilities": ["a", "b", "c", "d", "e", "f", "g"] }),
            422,
            "invalid_request",
            "/capabilities",
        ),
        (
            json!({ "capabilities": [{ "name": "a", "weight": 3 }, { "name": "b", "weight": 3 }] }),
            422,
            "invalid_request",
            "/capabilities",
        ),
        (
            json!({ "capabilities": [{ "name": "a", "weight": 4 }] }),
            422,
            "invalid_request",
            "/capabilities/0",
        ),
        (
            json!({ "http_methods": ["PATCH"] }),
            422,
            "invalid_request",
            "/http_methods",
        ),
        (
            json!({ "settlement_rail": ["gold"] }),
            422,
            "invalid_request",
            "/settlement_rail",
        ),
        (
            json!({ "message_protocol": "smtp" }),
            422,
            "invalid_request",
            "/message_protocol",
        ),
        (
            json!({ "auth_header_name": "Content-Length" }),
            422,
            "invalid_request",
            "/auth_header_name",
        ),
        (
            json!({ "endpoint_url": "ftp://x.example.org/" }),
            422,
            "invalid_request",
            "/endpoint_url",
        ),
        (
            json!({ "description": "d".repeat(4097) }),
            422,
            "invalid_request",
            "/description",
        ),
        (
            json!({ "name": "a\u{0}b" }),
            422,
            "invalid_request",
            "/name",
        ),
        (
            json!({ "skills": [{ "id": "a", "name": "A" }, { "id": "a", "name": "B" }] }),
            422,
            "invalid_request",
            "/skills/1",
        ),
        (json!({ "tags": "text" }), 422, "invalid_request", "/tags"),
    ];
    for (change, status, code, pointer) in cases {
        let answer = stack
            .http
            .post("/register", &registration("x", change.clone()))
            .await;
        answer.expect_problem(status, code);
        assert_eq!(answer.json["pointer"], pointer, "{change}");
    }
    stack
        .http
        .get("/agents/x")
        .await
        .expect_problem(404, "unknown_agent");
    stack
        .http
        .post("/register", &json!({ "contact_email": "a@example.org" }))
        .await
        .expect_problem(422, "invalid_request");
}

#[tokio::test]
async fn private_endpoints_are_refused_unless_allowed() {
    let closed = gateway::settings::Settings {
        allow_private_targets: false,
        ..settings()
    };
    let stack = Stack::on(tests::Database::sqlite().into(), closed, "a").await;
    for url in [
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://10.0.0.1/",
        "https://localhost/",
        "https://2130706433/",
        "http://agents.guildhall-demo.net/",
    ] {
        let answer = stack
            .http
            .post(
                "/register",
                &registration("x", json!({ "endpoint_url": url })),
            )
            .await;
        answer.expect_problem(422, "invalid_request");
        assert_eq!(answer.json["pointer"], "/endpoint_url", "{url}");
    }
    let open = registration(
        "x",
        json!({ "endpoint_url": "https://agents.guildhall-demo.net/x" }),
    );
    let _ = stack.http.post("/register", &open).await.expect(201);
}

#[tokio::test]
async fn of_a_hundred_registrations_of_one_id_one_wins() {
    on_both(|stack| async move {
        let body = registration("contested", json!({}));
        let attempts = (0..100).map(|_| {
            let (http, body) = (stack.http.clone(), body.clone());
            tokio::spawn(async move { http.post("/register", &body).await })
        });
        let mut won = 0;
        for attempt in attempts.collect::<Vec<_>>() {
            let answer = attempt.await.expect("ran");
            match answer.status {
                201 => won += 1,
                _ => answer.expect_problem(409, "agent_id_taken"),
            }
        }
        assert_eq!(won, 1);
    })
    .await;
}

#[tokio::test]
async fn an_update_changes_what_is_sent_and_refuses_a_lost_one() {
    on_both(|stack| async move {
        let owner = stack
            .http
            .register(&registration(
                "a",
                json!({ "name": "A", "tags": ["x"], "specialty": "s" }),
            ))
            .await;
        let other = stack.http.register(&registration("b", json!({}))).await;
        let answer = owner
            .post(
                "/update",
                &json!({ "description": "new", "tags": [], "specialty": "" }),
            )
            .await
            .expect(200);
        assert_eq!(answer.json["revision"], 2);
        assert_eq!(
            (&answer.json["name"], &answer.json["description"]),
            (&json!("A"), &json!("new"))
        );
        assert_eq!(
            (&answer.json["tags"], &answer.json["specialty"]),
            (&json!([]), &json!(""))
        );
        let same = owner
            .post("/update", &json!({ "description": "new" }))
            .await
            .expect(200);
        assert_eq!(same.json["revision"], 2, "a change that changed nothing");
        owner
            .post("/update", &json!({ "revision": 1, "name": "B" }))
            .await
            .expect_problem(409, "revision_conflict");
        let _ = owner
            .post("/update", &json!({ "revision": 2, "name": "B" }))
            .await
            .expect(200);
        other
            .post("/update", &json!({ "agent_id": "a", "name": "stolen" }))
            .await
            .expect_problem(403, "not_owner");
        stack
            .http
            .post("/update", &json!({ "name": "x" }))
            .await
            .expect_problem(401, "unauthorized");
        owner
            .post("/update", &json!({ "contact_email": "" }))
            .await
            .expect_problem(422, "missing_contact");
        assert_eq!(
            stack.http.get("/agents/a").await.expect(200).json["name"],
            "B"
        );
    })
    .await;
}

#[tokio::test]
async fn a_moved_agent_speaks_what_it_spoke() {
    let stack = Stack::sqlite().await;
    let body = json!({ "endpoint_url": "http://127.0.0.1:9/a", "a2a_compliant": true, "a2a_version": "1.0" });
    let owner = stack.http.register(&registration("a", body)).await;
    let moved = owner
        .post(
            "/update",
            &json!({ "endpoint_url": "http://127.0.0.1:9/b" }),
        )
        .await
        .expect(200);
    assert_eq!(moved.json["a2a_versions"], json!(["1.0"]));
    let old = owner
        .post("/update", &json!({ "a2a_version": "0.3" }))
        .await
        .expect(200);
    assert_eq!(old.json["a2a_versions"], json!(["0.3"]));
    let none = owner
        .post("/update", &json!({ "endpoint_url": "" }))
        .await
        .expect(200);
    assert_eq!(
        (&none.json["a2a_versions"], &none.json["callable"]),
        (&json!([]), &json!(false))
    );
}

#[tokio::test]
async fn registrations_are_limited_per_source() {
    let limits = gateway::settings::Limits {
        register_per_minute: 3,
        ..settings().limits
    };
    let limited = gateway::settings::Settings {
        limits,
        ..settings()
    };
    let stack = Stack::on(tests::Database::sqlite().into(), limited, "a").await;
    for id in ["a", "b", "c"] {
        let _ = stack
            .http
            .post("/register", &registration(id, json!({})))
            .await
            .expect(201);
    }
    let answer = stack
        .http
        .post("/register", &registration("d", json!({})))
        .await;
    answer.expect_problem(429, "rate_limited");
    let seconds: u64 = answer.headers["retry-after"]
        .to_str()
        .expect("text")
        .parse()
        .expect("seconds");
    assert!((1..=20).contains(&seconds), "{seconds}");
    let spoofed = stack
        .http
        .request(reqwest::Method::POST, "/register")
        .header("x-forwarded-for", "198.51.100.7");
    stack
        .http
        .send(spoofed.json(&registration("d", json!({}))))
        .await
        .expect_problem(429, "rate_limited");
}
