//! `POST /import-agent`: inline, by URL, by domain; refusals; what a stranger's import may do.

use serde_json::{Value, json};
use tests::{Fake, Reply, Stack, card_v0_3, card_v1_0, on_both, registration};

#[tokio::test]
async fn a_preview_writes_nothing_and_an_import_is_unclaimed() {
    on_both(|stack| async move {
        let card = card_v1_0("Weather Desk", "http://127.0.0.1:9/a2a");
        let preview = stack
            .http
            .post("/import-agent", &json!({ "card": card }))
            .await
            .expect(200);
        assert_eq!(
            preview.json["reads_as"],
            json!([{ "version": "1.0", "binding": "JSONRPC", "callable": true }])
        );
        assert_eq!(
            (&preview.json["registered"], &preview.json["agent"]),
            (&json!(false), &Value::Null)
        );
        stack
            .http
            .get("/agents/weather-desk")
            .await
            .expect_problem(404, "unknown_agent");
        let listed = stack
            .http
            .post("/import-agent", &json!({ "card": card, "register": true }))
            .await
            .expect(201);
        assert_eq!(listed.json["agent"]["agent_id"], "weather-desk");
        assert_eq!(listed.json["agent"]["state"], "unclaimed");
        assert!(listed.json.get("api_key").is_none());
        let again = stack
            .http
            .post("/import-agent", &json!({ "card": card, "register": true }))
            .await
            .expect(200);
        assert_eq!(
            (&again.json["created"], &again.json["agent"]["agent_id"]),
            (&json!(false), &json!("weather-desk"))
        );
        let mut other = card.clone();
        other["description"] = json!("another agent of the same name");
        let second = stack
            .http
            .post("/import-agent", &json!({ "card": other, "register": true }))
            .await
            .expect(201);
        assert_ne!(second.json["agent"]["agent_id"], "weather-desk");
    })
    .await;
}

#[tokio::test]
async fn a_card_url_is_fetched_refreshed_and_its_bytes_kept() {
    on_both(|stack| async move {
        let bytes = b"{ \"name\" : \"Spaced  Out\",\n \"url\": \"http://127.0.0.1:9/\", \"skills\":[], \"x-odd\": 1.0e2 }\n".to_vec();
        let fake = Fake::start(Reply::Files(vec![("/card.json".into(), bytes.clone())])).await;
        let body = json!({ "card_url": format!("{}/card.json", fake.url), "register": true });
        let listed = stack.http.post("/import-agent", &body).await.expect(201);
        let id = listed.json["agent"]["agent_id"].as_str().expect("an id").to_owned();
        let codes: Vec<_> = listed.json["warnings"].as_array().expect("a list").iter().map(|w| w["code"].as_str().unwrap_or_default().to_owned()).collect();
        assert!(codes.contains(&"version_missing".to_owned()) && codes.contains(&"skills_missing".to_owned()), "{codes:?}");
        let original = stack.http.get(&format!("/agents/{id}/.well-known/agent-card.json?original=true")).await.expect(200);
        assert_eq!(original.bytes, bytes);
        let again = stack.http.post("/import-agent", &body).await.expect(200);
        assert_eq!((&again.json["agent"]["agent_id"], &again.json["agent"]["revision"]), (&json!(id), &json!(1)));
    })
    .await;
}

#[tokio::test]
async fn a_domain_is_tried_at_its_well_known_paths() {
    let stack = tests::Stack::sqlite().await;
    let card = card_v0_3("Old Path", "http://127.0.0.1:9/")
        .to_string()
        .into_bytes();
    let fake = Fake::start(Reply::Files(vec![("/.well-known/agent.json".into(), card)])).await;
    let answer = stack
        .http
        .post(
            "/import-agent",
            &json!({ "domain_url": format!("{}/team/x", fake.url) }),
        )
        .await
        .expect(200);
    assert_eq!(answer.json["preview"]["name"], "Old Path");
    let tried: Vec<_> = fake.seen().into_iter().map(|seen| seen.target).collect();
    let below = [
        "/team/x/.well-known/agent-card.json",
        "/team/x/.well-known/agent.json",
        "/.well-known/agent-card.json",
    ];
    assert_eq!(tried, [&below[..], &["/.well-known/agent.json"]].concat());
}

#[tokio::test]
async fn a_pointer_is_followed_once() {
    let stack = tests::Stack::sqlite().await;
    let pointer = br#"{"a2a_agent_card":"/real.json"}"#.to_vec();
    let card = card_v0_3("Real", "http://127.0.0.1:9/")
        .to_string()
        .into_bytes();
    let fake = Fake::start(Reply::Files(vec![
        ("/p.json".into(), pointer),
        ("/real.json".into(), card),
    ]))
    .await;
    let answer = stack
        .http
        .post(
            "/import-agent",
            &json!({ "card_url": format!("{}/p.json", fake.url) }),
        )
        .await
        .expect(200);
    assert_eq!(answer.json["source_url"], format!("{}/real.json", fake.url));
}

#[tokio::test]
async fn refusals_say_what_it_is_instead() {
    let stack = tests::Stack::sqlite().await;
    let html = Fake::start(Reply::Raw(
        200,
        "text/html".into(),
        b"<!doctype html><p>secret marker".to_vec(),
    ))
    .await;
    let answer = stack
        .http
        .post("/import-agent", &json!({ "card_url": html.url }))
        .await;
    answer.expect_problem(422, "not_json");
    assert!(!String::from_utf8_lossy(&answer.bytes).contains("secret marker"));
    let missing = Fake::start(Reply::Files(vec![])).await;
    let answer = stack
        .http
        .post("/import-agent", &json!({ "card_url": missing.url }))
        .await;
    answer.expect_problem(422, "card_unreachable");
    assert_eq!(
        (&answer.json["class"], &answer.json["upstream_status"]),
        (&json!("status"), &json!(404))
    );
    let large = Fake::start(Reply::Raw(
        200,
        "application/json".into(),
        vec![b' '; 1024 * 1024 + 1],
    ))
    .await;
    stack
        .http
        .post("/import-agent", &json!({ "card_url": large.url }))
        .await
        .expect_problem(422, "card_unreachable");
    let answer = stack
        .http
        .post(
            "/import-agent",
            &json!({ "card": { "schema_version": "v1", "name_for_model": "x", "api": {} } }),
        )
        .await;
    answer.expect_problem(422, "not_an_agent_card");
    assert_eq!(answer.json["kind"], "other_manifest");
    for body in [
        json!({}),
        json!({ "card": {}, "card_url": "https://a.example.org/" }),
        json!({ "card_url": "nothing" }),
    ] {
        stack
            .http
            .post("/import-agent", &body)
            .await
            .expect_problem(422, "invalid_request");
    }
}

#[tokio::test]
async fn a_private_address_sees_no_connection() {
    let closed = gateway::settings::Settings {
        allow_private_targets: false,
        ..tests::settings()
    };
    let stack = tests::Stack::on(tests::Database::sqlite().into(), closed, "a").await;
    let fake = Fake::start(Reply::Files(vec![])).await;
    let answer = stack
        .http
        .post("/import-agent", &json!({ "card_url": fake.url }))
        .await;
    answer.expect_problem(422, "card_unreachable");
    assert_eq!(answer.json["class"], "refused");
    assert!(fake.seen().is_empty());
}

#[tokio::test]
async fn an_owner_registers_by_card() {
    let stack = tests::Stack::sqlite().await;
    let card = card_v1_0("My Agent", "http://127.0.0.1:9/rpc");
    let body = json!({ "contact_email": "me@example.org", "card": card, "specialty": "mine" });
    let answer = stack.http.post("/register", &body).await.expect(201);
    assert_eq!(
        (&answer.json["agent_id"], &answer.json["agent"]["state"]),
        (&json!("my-agent"), &json!("listed"))
    );
    assert_eq!(
        (
            &answer.json["agent"]["specialty"],
            &answer.json["agent"]["a2a_versions"]
        ),
        (&json!("mine"), &json!(["1.0"]))
    );
    let taken = stack
        .http
        .post("/register", &registration("my-agent", json!({})))
        .await;
    taken.expect_problem(409, "agent_id_taken");
}

#[tokio::test]
async fn a_card_that_repeats_a_member_is_repaired_as_if_it_had_been_fetched() {
    let stack = Stack::sqlite().await;
    let body = r#"{"register": true, "card": {"name": "A", "name": "B", "url": "http://127.0.0.1:9/", "skills": []}}"#;
    let answer = stack
        .http
        .post_bytes("/import-agent", body)
        .await
        .expect(201);
    let warnings = answer.json["warnings"].as_array().expect("a list");
    assert!(
        warnings
            .iter()
            .any(|warning| warning["code"] == "duplicate_member")
    );
    assert_eq!(answer.json["agent"]["name"], "B");
    let body = r#"{"register": true, "register": false, "card": {"name": "A", "name": "B"}}"#;
    let answer = stack.http.post_bytes("/import-agent", body).await;
    assert!(matches!(answer.status, 400 | 422), "{}", answer.status);
}

#[tokio::test]
async fn an_import_again_still_knows_what_calls_have_shown() {
    let fake = Fake::start(Reply::A2a03("hello".into())).await;
    let stack = Stack::sqlite().await;
    let card =
        json!({ "card": { "name": "Known", "url": fake.url, "skills": [] }, "register": true });
    let _ = stack.http.post("/import-agent", &card).await.expect(201);
    let caller = stack
        .http
        .register(&registration("caller", json!({})))
        .await;
    let _ = caller
        .post("/call", &json!({ "agent_id": "known", "message": "x" }))
        .await
        .expect(200);
    tests::until("the call is counted", async || {
        stack.http.get("/agents/known").await.json["liveness"]["answered"] == 1
    })
    .await;
    let again = stack.http.post("/import-agent", &card).await.expect(200);
    assert_eq!(again.json["agent"]["liveness"]["answered"], 1);
}
