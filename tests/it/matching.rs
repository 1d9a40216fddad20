//! `POST /match`: words, filters, reasons, pages.

use std::time::Instant;

use serde_json::json;
use tests::{Fake, Reply, Stack, on_both, registration};

#[tokio::test]
async fn a_new_agent_is_found_within_a_second_of_its_registration() {
    on_both(|stack| async move {
        let _ = stack
            .http
            .register(&registration(
                "quokka-watch",
                json!({ "description": "Counts quokkas on Rottnest" }),
            ))
            .await;
        let begun = Instant::now();
        tests::until("found", async || {
            stack
                .http
                .post("/match", &json!({ "query": "quokkas" }))
                .await
                .ids()
                == ["quokka-watch"]
        })
        .await;
        assert!(begun.elapsed().as_millis() < 1_000, "{:?}", begun.elapsed());
    })
    .await;
}

#[tokio::test]
async fn a_search_needs_a_filter_it_can_look_at() {
    let stack = Stack::sqlite().await;
    for body in [
        json!({}),
        json!({ "limit": 5 }),
        json!({ "exclude": ["a"] }),
        json!({ "query": "  " }),
        json!({ "tags": [] }),
    ] {
        stack
            .http
            .post("/match", &body)
            .await
            .expect_problem(422, "no_filter");
    }
    for filter in ["max_price", "networks", "chains"] {
        let answer = stack
            .http
            .post("/match", &json!({ "query": "x", filter: ["x"] }))
            .await;
        answer.expect_problem(422, "unsupported_filter");
        assert_eq!(answer.json["pointer"], format!("/{filter}"));
    }
    for (body, pointer) in [
        (json!({ "query": "x", "limit": 0 }), "/limit"),
        (json!({ "query": "x", "limit": 101 }), "/limit"),
        (json!({ "query": "x".repeat(10_000) }), "/query"),
        (json!({ "query": 5 }), "/query"),
        (json!({ "query": "x", "mode": "some" }), "/mode"),
    ] {
        let answer = stack.http.post("/match", &body).await;
        answer.expect_problem(422, "invalid_request");
        assert_eq!(answer.json["pointer"], pointer);
    }
    stack
        .http
        .post("/match", &json!({ "query": "x", "cursor": "AAAA" }))
        .await
        .expect_problem(422, "invalid_cursor");
    assert!(
        stack
            .http
            .post("/match", &json!({ "min_trust": 50 }))
            .await
            .expect(200)
            .ids()
            .is_empty()
    );
}

#[tokio::test]
async fn words_meet_agents_exactly_by_prefix_and_with_a_typo_and_say_how() {
    on_both(|stack| async move {
        let _ = stack
            .http
            .register(&registration(
                "a",
                json!({ "name": "Harbour Pilot", "description": "Steers ships into port" }),
            ))
            .await;
        let _ = stack
            .http
            .register(&registration(
                "b",
                json!({ "name": "Tide Table", "tags": ["harbour"] }),
            ))
            .await;
        stack.indexed().await;
        for (query, how) in [
            ("harbour", "exact"),
            ("harb", "prefix"),
            ("harbuor pilot", "typo"),
            ("harbouur", "typo"),
        ] {
            let answer = stack
                .http
                .post("/match", &json!({ "query": query }))
                .await
                .expect(200);
            assert!(
                answer.ids().contains(&"a".to_owned()),
                "{query}: {:?}",
                answer.ids()
            );
            let text = answer.json["items"][0]["why"]["matched"].to_string();
            // Two letters swapped are two edits: the other word of that query has to do.
            assert!(
                text.contains(how) || query == "harbuor pilot",
                "{query}: {text}"
            );
        }
        let answer = stack
            .http
            .post("/match", &json!({ "query": "harbour" }))
            .await
            .expect(200);
        assert_eq!(answer.ids(), ["a", "b"], "a name counts more than a tag");
        for item in answer.json["items"].as_array().expect("a list") {
            let parts = item["why"]["contributions"].as_array().expect("a list");
            let sum: f64 = parts
                .iter()
                .map(|part| part["points"].as_f64().expect("a number"))
                .sum();
            assert!(
                (sum - item["match_score"].as_f64().expect("a number")).abs() < 1e-9,
                "{item}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn filters_hold() {
    on_both(|stack| async move {
        let raw = json!({ "message_protocol": "raw", "tags": ["eu", "fast"], "org_name": "Acme", "settlement_rail": ["x402", "manual"],
            "input_modes": ["text/plain"], "skills": [{ "id": "sum", "name": "Sum" }], "capabilities": ["translation", "summary"] });
        let _ = stack.http.register(&registration("raw", raw)).await;
        let a2a = json!({ "tags": ["eu"], "capabilities": ["translation"], "settlement_rail": "stripe" });
        let _ = stack.http.register(&registration("a2a", a2a)).await;
        stack.indexed().await;
        for (body, ids) in [
            (json!({ "message_protocol": "raw" }), vec!["raw"]),
            (json!({ "tags": ["eu"] }), vec!["a2a", "raw"]),
            (json!({ "tags": ["eu", "fast"] }), vec!["raw"]),
            (json!({ "org_name": "ACME" }), vec!["raw"]),
            (json!({ "settlement_rail": "x402" }), vec!["raw"]),
            (json!({ "settlement_rail": ["stripe", "manual"] }), vec!["a2a", "raw"]),
            (json!({ "input_modes": ["text/plain"], "tags": ["eu"] }), vec!["raw"]),
            (json!({ "skills": ["sum"] }), vec!["raw"]),
            (json!({ "required_capabilities": ["translation", "summary"] }), vec!["raw", "a2a"]),
            (json!({ "required_capabilities": ["translation", "summary"], "mode": "all" }), vec!["raw"]),
            (json!({ "tags": ["eu"], "exclude": ["a2a"] }), vec!["raw"]),
            (json!({ "tags": ["nowhere"] }), vec![]),
        ] {
            assert_eq!(stack.http.post("/match", &body).await.expect(200).ids(), ids, "{body}");
        }
    })
    .await;
}

#[tokio::test]
async fn who_answered_lately_can_be_asked_for() {
    on_both(|stack| async move {
        let fake = Fake::start(Reply::Raw(200, "text/plain".into(), b"ok".to_vec())).await;
        let alive = json!({ "message_protocol": "raw", "endpoint_url": fake.url, "tags": ["t"] });
        let caller = stack.http.register(&registration("alive", alive)).await;
        let dead = json!({ "message_protocol": "raw", "endpoint_url": "http://127.0.0.1:1/", "tags": ["t"] });
        let _ = stack.http.register(&registration("dead", dead)).await;
        let _ = caller.post("/call", &json!({ "agent_id": "alive", "payload": "x" })).await.expect(200);
        caller.post("/call", &json!({ "agent_id": "dead", "payload": "x" })).await.expect_problem(502, "upstream_unreachable");
        stack.gate.recorder.flush().await;
        stack.indexed().await;
        assert_eq!(stack.http.post("/match", &json!({ "tags": ["t"] })).await.ids(), ["alive", "dead"]);
        assert_eq!(stack.http.post("/match", &json!({ "tags": ["t"], "alive_within": 60 })).await.ids(), ["alive"]);
    })
    .await;
}

#[tokio::test]
async fn pages_neither_repeat_nor_skip_while_agents_come() {
    on_both(|stack| async move {
        for n in 0..30 {
            let _ = stack
                .http
                .register(&registration(
                    &format!("p{n:02}"),
                    json!({ "tags": ["page"] }),
                ))
                .await;
        }
        stack.indexed().await;
        let (mut seen, mut cursor) = (Vec::new(), None);
        loop {
            let body = json!({ "tags": ["page"], "limit": 7, "cursor": cursor });
            let page = stack.http.post("/match", &body).await.expect(200);
            seen.extend(page.ids());
            let _ = stack
                .http
                .register(&registration(
                    &format!("new-{}", seen.len()),
                    json!({ "tags": ["page"] }),
                ))
                .await;
            stack.indexed().await;
            match page.json["next_cursor"].as_str() {
                Some(next) => cursor = Some(next.to_owned()),
                None => break,
            }
        }
        assert_eq!(
            seen,
            (0..30).map(|n| format!("p{n:02}")).collect::<Vec<_>>()
        );
    })
    .await;
}

#[tokio::test]
async fn a_filter_with_a_typo_is_refused() {
    let stack = Stack::sqlite().await;
    let body = json!({ "query": "x", "min_raterz": 3 });
    stack
        .http
        .post("/match", &body)
        .await
        .expect_problem(422, "invalid_request");
}
