//! `/agents`: the list and its cursor, one agent, and the tombstone.

use serde_json::json;
use tests::{on_both, registration};

#[tokio::test]
async fn a_walk_sees_each_agent_once_whatever_happens_meanwhile() {
    on_both(|stack| async move {
        for n in 0..25 {
            let _ = stack
                .http
                .register(&registration(&format!("a{n:02}"), json!({})))
                .await;
        }
        let gone = stack.http.register(&registration("gone", json!({}))).await;
        let (mut seen, mut cursor, mut pages) = (Vec::new(), String::new(), 0);
        loop {
            let page = stack
                .http
                .get(&format!("/agents?limit=7{cursor}"))
                .await
                .expect(200);
            seen.extend(page.ids());
            pages += 1;
            if pages == 1 {
                let _ = stack.http.register(&registration("late", json!({}))).await;
                let _ = gone.delete("/agents/gone").await.expect(200);
            }
            match page.json["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        let mut wanted: Vec<_> = (0..25).map(|n| format!("a{n:02}")).collect();
        wanted.insert(0, "guildhall-echo".into());
        wanted.push("late".into());
        assert_eq!(seen, wanted);
    })
    .await;
}

#[tokio::test]
async fn bad_pages_are_refused() {
    let stack = tests::Stack::sqlite().await;
    stack
        .http
        .get("/agents?cursor=AAAA")
        .await
        .expect_problem(422, "invalid_cursor");
    for limit in ["0", "101", "x", "-1"] {
        stack
            .http
            .get(&format!("/agents?limit={limit}"))
            .await
            .expect_problem(422, "invalid_request");
    }
    stack
        .http
        .get("/agents/no%2Fsuch")
        .await
        .expect_problem(404, "unknown_agent");
}

#[tokio::test]
async fn a_withdrawn_agent_is_gone_for_good() {
    on_both(|stack| async move {
        let owner = stack
            .http
            .register(&registration("a", json!({ "description": "zebra" })))
            .await;
        let caller = stack
            .http
            .register(&registration("caller", json!({})))
            .await;
        stack
            .http
            .delete("/agents/a")
            .await
            .expect_problem(401, "unauthorized");
        caller
            .delete("/agents/a")
            .await
            .expect_problem(403, "not_owner");
        stack.indexed().await;
        let asked = json!({ "query": "zebra" });
        assert_eq!(
            stack.http.post("/match", &asked).await.expect(200).ids(),
            ["a"]
        );
        let answer = owner.delete("/agents/a").await.expect(200);
        assert_eq!(
            answer.json,
            json!({ "agent_id": "a", "state": "withdrawn" })
        );
        for path in [
            "/agents/a",
            "/agents/a/report",
            "/agents/a/.well-known/agent-card.json",
        ] {
            stack
                .http
                .get(path)
                .await
                .expect_problem(410, "agent_withdrawn");
        }
        caller
            .post("/call", &json!({ "agent_id": "a", "message": "x" }))
            .await
            .expect_problem(410, "agent_withdrawn");
        owner
            .post("/update", &json!({ "name": "x" }))
            .await
            .expect_problem(401, "invalid_key");
        stack
            .http
            .post("/register", &registration("a", json!({})))
            .await
            .expect_problem(409, "agent_id_taken");
        stack.indexed().await;
        assert!(
            stack
                .http
                .post("/match", &asked)
                .await
                .expect(200)
                .ids()
                .is_empty()
        );
    })
    .await;
}

#[tokio::test]
async fn a_paused_agent_is_neither_found_nor_called_until_it_is_back() {
    on_both(|stack| async move {
        let owner = stack
            .http
            .register(&registration(
                "a",
                json!({ "description": "zebra", "endpoint_url": "http://127.0.0.1:9/" }),
            ))
            .await;
        let _ = owner
            .post("/update", &json!({ "state": "paused" }))
            .await
            .expect(200);
        stack.indexed().await;
        assert!(
            stack
                .http
                .post("/match", &json!({ "query": "zebra" }))
                .await
                .ids()
                .is_empty()
        );
        owner
            .post("/call", &json!({ "agent_id": "a", "message": "x" }))
            .await
            .expect_problem(409, "agent_paused");
        let _ = owner
            .post("/update", &json!({ "state": "listed" }))
            .await
            .expect(200);
        stack.indexed().await;
        assert_eq!(
            stack
                .http
                .post("/match", &json!({ "query": "zebra" }))
                .await
                .ids(),
            ["a"]
        );
    })
    .await;
}
