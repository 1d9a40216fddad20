//! `POST /verify` and the report: evidence, caveats, and no number without ground.

use serde_json::{Value, json};
use tests::{Fake, Reply, card_v0_3, on_both, registration};

fn codes(report: &Value) -> Vec<&str> {
    report["caveats"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|caveat| caveat["code"].as_str().expect("a code"))
        .collect()
}

#[tokio::test]
async fn an_unrated_agent_has_no_score_and_says_why() {
    on_both(|stack| async move {
        stack
            .http
            .post("/verify", &json!({ "agent_id": "nobody" }))
            .await
            .expect_problem(404, "unknown_agent");
        stack
            .http
            .post("/verify", &json!({}))
            .await
            .expect_problem(422, "invalid_request");
        let card = card_v0_3("Stray", "http://127.0.0.1:9/");
        let _ = stack
            .http
            .post("/import-agent", &json!({ "card": card, "register": true }))
            .await
            .expect(201);
        let report = stack
            .http
            .post("/verify", &json!({ "agent_id": "stray" }))
            .await
            .expect(200);
        for member in ["score", "trust_score", "lower_bound", "success_rate"] {
            assert_eq!(report.json[member], Value::Null, "{member}");
        }
        assert_eq!(
            codes(&report.json),
            ["no-score", "unclaimed", "card-warnings", "never-called"]
        );
        assert_eq!(report.json["flags"], json!(["unclaimed"]));
        let again = stack.http.get("/agents/stray/report").await.expect(200);
        assert_eq!(
            again.bytes, report.bytes,
            "the same inputs give the same bytes on every door"
        );
    })
    .await;
}

#[tokio::test]
async fn calls_become_evidence() {
    on_both(|stack| async move {
        let fake = Fake::start(Reply::Raw(200, "text/plain".into(), b"ok".to_vec())).await;
        let body = json!({ "message_protocol": "raw", "endpoint_url": fake.url });
        let caller = stack.http.register(&registration("worker", body)).await;
        let before = stack.http.get("/agents/worker/report").await.expect(200);
        let _ = caller
            .post("/call", &json!({ "agent_id": "worker", "payload": "x" }))
            .await
            .expect(200);
        stack.gate.recorder.flush().await;
        let after = stack.http.get("/agents/worker/report").await.expect(200);
        assert_eq!(
            (
                &after.json["transaction_count"],
                &after.json["success_rate"]
            ),
            (&json!(1), &json!(100.0))
        );
        assert!(
            codes(&before.json).contains(&"never-called")
                && !codes(&after.json).contains(&"never-called")
        );
        assert_ne!(before.json["input_digest"], after.json["input_digest"]);
    })
    .await;
}
