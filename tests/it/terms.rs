//! Terms: what does not fit is answered with the payload that does, and nothing is sent.

use serde_json::{Value, json};
use tests::{Database, Fake, Http, Reply, Stack, card_v1_0, on_both, registration, settings};

const RATES: &str = r#"{"source": "the desk", "as_of": "2020-01-01T00:00:00Z", "max_age": 999999999,
    "rates": [{"base": "SGD", "quote": "USD", "rate": "0.74"}]}"#;
const OLD_RATES: &str = r#"{"source": "the desk", "as_of": "2020-01-01T00:00:00Z", "max_age": 1,
    "rates": [{"base": "SGD", "quote": "USD", "rate": "0.74"}]}"#;

async fn with_rates(stack: &Stack, rates: &str) {
    stack
        .gate
        .store
        .rates_load(rates.to_owned())
        .await
        .expect("kept");
    stack
        .gate
        .fixed
        .terms
        .refresh(&stack.gate.store)
        .await
        .expect("read");
}

async fn receiver(stack: &Stack, id: &str, url: &str, terms: Value) -> Http {
    let mut body = registration(
        id,
        json!({ "endpoint_url": url, "message_protocol": "raw" }),
    );
    for (name, value) in terms.as_object().expect("an object") {
        body[name] = value.clone();
    }
    stack.http.register(&body).await
}

async fn check(stack: &Stack, id: &str, payload: Value) -> Value {
    let body = json!({ "agent_id": id, "payload": payload });
    stack
        .http
        .post("/terms/check", &body)
        .await
        .expect(200)
        .json
}

#[tokio::test]
async fn a_payload_that_does_not_fit_is_answered_with_the_one_that_does() {
    on_both(|stack| async move {
        with_rates(&stack, RATES).await;
        let fake = Fake::start(Reply::Raw(200, "application/json".into(), b"{}".to_vec())).await;
        let terms = json!({ "payload_schema": { "currency": "USD", "weight_unit": "kg", "quantity_unit": null, "date_format": "ISO8601" } });
        let caller = receiver(&stack, "shop", &fake.url, terms).await;
        let payload = json!({ "currency": "SGD", "amount": 100, "weight": 50, "weight_unit": "lb" });
        let body = json!({ "agent_id": "shop", "payload": payload });
        let refused = caller.post("/call", &body).await;
        refused.expect_problem(409, "schema_mismatch");
        let told = &refused.json;
        assert_eq!(told["error"], "schema_mismatch");
        assert!(fake.seen().is_empty(), "nothing was sent");
        let suggested = &told["suggested_payload"];
        let text = String::from_utf8(refused.bytes.clone()).expect("text");
        assert!(text.contains("74.00") && text.contains("22.6796185"), "{text}");
        let detail = told["detail"].as_str().expect("a detail");
        assert!(detail.contains("74.00") && detail.contains("kg"), "{detail}");
        let money = told["mismatches"].as_array().expect("a list").iter().find(|m| m["dimension"] == "money");
        let money = money.expect("money");
        assert_eq!(money["rate"]["source"], "the desk");
        assert!(money["rate"]["as_of"].is_string() && money["lossless"].is_boolean());
        // What was suggested passes; so does accepting it by its digest.
        let again = json!({ "agent_id": "shop", "payload": suggested });
        let _ = caller.post("/call", &again).await.expect(200);
        let mut accepted = body.clone();
        accepted["accept_terms"] = told["terms_digest"].clone();
        let _ = caller.post("/call", &accepted).await.expect(200);
        let seen = fake.seen();
        let sent: Vec<Value> = seen.iter().map(tests::Seen::json).collect();
        assert_eq!(sent[0], sent[1]);
        assert!(String::from_utf8_lossy(&seen[1].body).contains("74.00"), "no number was changed on the way");
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_converted_is_said_with_its_reason() {
    let stack = Stack::sqlite().await;
    with_rates(&stack, OLD_RATES).await;
    let _ = receiver(
        &stack,
        "shop",
        "http://127.0.0.1:9/",
        json!({ "payload_schema": { "currency": "USD" } }),
    )
    .await;
    let _ = receiver(
        &stack,
        "scale",
        "http://127.0.0.1:9/",
        json!({ "payload_schema": { "weight_unit": "kg" } }),
    )
    .await;
    let _ = receiver(
        &stack,
        "eggs",
        "http://127.0.0.1:9/",
        json!({ "payload_schema": { "quantity_unit": "dozen" } }),
    )
    .await;
    for (id, payload, reason) in [
        (
            "shop",
            json!({ "currency": "SGD", "amount": 100 }),
            "rate_stale",
        ),
        (
            "shop",
            json!({ "currency": "EUR", "amount": 100 }),
            "rate_unavailable",
        ),
        (
            "scale",
            json!({ "weight": 5, "unit": "celsius" }),
            "dimension_mismatch",
        ),
        (
            "scale",
            json!({ "weight": 5, "weight_unit": "blorp" }),
            "unknown_unit",
        ),
        ("scale", json!({ "weight": 5 }), "missing_unit"),
        (
            "eggs",
            json!({ "quantity": 30, "quantity_unit": "each" }),
            "lossy_quantity",
        ),
    ] {
        let told = check(&stack, id, payload).await;
        assert_eq!(told["mismatches"][0]["cannot_convert"], reason, "{told}");
        assert_eq!(
            (&told["fits"], &told["suggested_payload"]),
            (&json!(false), &Value::Null)
        );
    }
}

#[tokio::test]
async fn a_dry_run_sends_nothing_and_says_the_same_twice() {
    let stack = Stack::sqlite().await;
    with_rates(&stack, RATES).await;
    let fake = Fake::start(Reply::Raw(200, "application/json".into(), b"{}".to_vec())).await;
    let _ = receiver(
        &stack,
        "shop",
        &fake.url,
        json!({ "payload_schema": { "currency": "USD" } }),
    )
    .await;
    let body = json!({ "agent_id": "shop", "payload": { "currency": "SGD", "amount": "12.50" } });
    let (one, two) = (
        stack.http.post("/terms/check", &body).await,
        stack.http.post("/terms/check", &body).await,
    );
    assert_eq!(one.bytes, two.bytes);
    assert_eq!(one.json["suggested_payload"]["amount"], "9.25");
    assert!(fake.seen().is_empty());
    assert_eq!(
        check(&stack, "guildhall-echo", json!({})).await["state"],
        "not_declared"
    );
    let unknown = json!({ "agent_id": "nobody", "payload": {} });
    stack
        .http
        .post("/terms/check", &unknown)
        .await
        .expect_problem(404, "unknown_agent");
    let units = stack.http.get("/terms/units").await.expect(200);
    assert!(units.json.to_string().contains("kg"));
}

#[tokio::test]
async fn schemas_of_skills_are_held_and_repaired_on_the_a2a_door() {
    let stack = Stack::sqlite().await;
    let fake = Fake::start(Reply::A2a1("ok".into())).await;
    let schema = json!({ "type": "object", "required": ["count"], "properties": {
        "count": { "type": "integer" }, "size": { "enum": ["small", "large"] } }, "additionalProperties": false });
    let body = json!({ "card": card_v1_0("Boxes", &fake.url), "contact_email": "owner@guildhall-demo.net",
        "agent_id": "boxes", "skill_terms": { "pack": { "input_schema": schema } } });
    let _ = stack.http.post("/register", &body).await.expect(201);
    let send = |data: Value, accepts: Option<&Value>| {
        let mut message = json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "pack" }, { "data": data }],
            "metadata": { "skill": "pack" } });
        if let Some(digest) = accepts {
            message["metadata"]["guildhall.accept_terms"] = digest.clone();
        }
        json!({ "jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": { "message": message } })
    };
    let bad = json!({ "count": "3", "size": "Large" });
    let refused = stack
        .http
        .post("/agents/boxes", &send(bad.clone(), None))
        .await
        .expect(200);
    let told = &refused.json["error"]["data"][0];
    assert_eq!(
        (&told["code"], &told["error"]),
        (&json!("schema_mismatch"), &json!("schema_mismatch"))
    );
    assert_eq!(
        told["suggested_payload"],
        json!({ "count": 3, "size": "large" }),
        "{}",
        refused.json
    );
    assert!(fake.seen().is_empty());
    let accepted = stack
        .http
        .post("/agents/boxes", &send(bad, Some(&told["terms_digest"])))
        .await
        .expect(200);
    assert!(accepted.json["error"].is_null(), "{}", accepted.json);
    let sent = fake.seen().remove(0).json();
    assert_eq!(
        sent["params"]["message"]["parts"][1]["data"],
        json!({ "count": 3, "size": "large" })
    );
    let good = send(json!({ "count": 3 }), None);
    assert!(stack.http.post("/agents/boxes", &good).await.json["error"].is_null());
    let other = json!({ "jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": { "message": {
        "messageId": "m", "role": "ROLE_USER", "parts": [{ "data": { "count": "x" } }] } } });
    assert!(
        stack.http.post("/agents/boxes", &other).await.json["error"].is_null(),
        "another skill, no schema"
    );
}

#[tokio::test]
async fn terms_that_cannot_be_checked_are_refused_where_they_are_declared() {
    let stack = Stack::sqlite().await;
    for (declared, code, pointer) in [
        (
            json!({ "payload_schema": { "currency": "USD", "colour": "red" } }),
            "invalid_payload_schema",
            "/payload_schema/colour",
        ),
        (
            json!({ "payload_schema": { "weight_unit": "blorp" } }),
            "invalid_payload_schema",
            "/payload_schema/weight_unit",
        ),
        (
            json!({ "terms": [{ "pointer": "/x", "dimension": "mass", "unit": "metre" }] }),
            "invalid_terms",
            "/terms/0/unit",
        ),
        (
            json!({ "skill_terms": { "a": { "input_schema": { "$ref": "https://schemas.guildhall-demo.net/x" } } } }),
            "invalid_terms",
            "/skill_terms/a/input_schema/$ref",
        ),
    ] {
        let refused = stack
            .http
            .post("/register", &registration("a", declared))
            .await;
        refused.expect_problem(422, code);
        assert_eq!(refused.json["pointer"], pointer, "{}", refused.json);
    }
}

#[tokio::test]
async fn a_reply_is_converted_beside_the_one_that_stays() {
    let stack = Stack::on(Database::sqlite().into(), settings(), "a").await;
    let fake = Fake::start(Reply::Raw(
        200,
        "application/json".into(),
        br#"{"weight": 10, "weight_unit": "kg"}"#.to_vec(),
    ))
    .await;
    let _ = receiver(&stack, "scale", &fake.url, json!({})).await;
    let terms = json!({ "payload_schema": { "weight_unit": "g" } });
    let caller = receiver(&stack, "caller", "http://127.0.0.1:9/", terms).await;
    let body = json!({ "agent_id": "scale", "payload": {}, "convert_reply": true });
    let answer = caller.post("/call", &body).await.expect(200);
    assert_eq!(
        answer.json["body"],
        json!({ "weight": 10, "weight_unit": "kg" })
    );
    assert_eq!(
        answer.json["converted_reply"]["state"], "converted",
        "{}",
        answer.json
    );
    assert_eq!(
        answer.json["converted_reply"]["reply"],
        json!({ "weight": 10000, "weight_unit": "g" })
    );
}

#[tokio::test]
async fn agents_whose_terms_fit_are_found_first() {
    let stack = Stack::sqlite().await;
    for (id, terms) in [
        (
            "a",
            json!({ "payload_schema": { "currency": "EUR" }, "tags": ["shop"] }),
        ),
        ("b", json!({ "tags": ["shop"] })),
        (
            "c",
            json!({ "payload_schema": { "currency": "USD" }, "tags": ["shop"] }),
        ),
    ] {
        let _ = receiver(&stack, id, "http://127.0.0.1:9/", terms).await;
    }
    stack.indexed().await;
    let payload = json!({ "tags": ["shop"], "payload": { "currency": "USD", "amount": 5 } });
    assert_eq!(
        stack.http.post("/match", &payload).await.expect(200).ids(),
        ["c", "b", "a"]
    );
    let terms = json!({ "tags": ["shop"], "terms": { "currency": "EUR" } });
    assert_eq!(
        stack.http.post("/match", &terms).await.expect(200).ids(),
        ["a", "b", "c"]
    );
}
