//! The cards served here: shapes, caching, and no claim that the door does not keep.

use serde_json::{Value, json};
use tests::{Fake, Reply, Stack, card_v0_3, card_v1_0, on_both, registration};

const CARD: &str = "/agents/guildhall-echo/.well-known/agent-card.json";

#[tokio::test]
async fn the_shape_follows_the_version_asked_for() {
    on_both(|stack| async move {
        let hybrid = stack.http.get(CARD).await.expect(200);
        assert!(hybrid.json["supportedInterfaces"].is_array() && hybrid.json["url"].is_string());
        assert_eq!(hybrid.headers["vary"], "A2A-Version");
        assert_eq!(hybrid.headers["content-type"], "application/json");
        let older = stack
            .http
            .get("/agents/guildhall-echo/.well-known/agent.json")
            .await
            .expect(200);
        assert_eq!(older.bytes, hybrid.bytes);
        let with = async |version: &str| {
            let request = stack
                .http
                .request(reqwest::Method::GET, CARD)
                .header("a2a-version", version);
            stack.http.send(request).await
        };
        let pure = with("1.0").await.expect(200);
        assert!(
            pure.json["url"].is_null() && pure.json["protocolVersion"].is_null(),
            "{}",
            pure.json
        );
        let old = with("0.3").await.expect(200);
        assert!(
            old.json["supportedInterfaces"].is_null() && old.json["protocolVersion"] == "0.3.0",
            "{}",
            old.json
        );
        with("9.9").await.expect_problem(422, "invalid_request");
        let tag = hybrid.headers["etag"].clone();
        assert_ne!(tag, pure.headers["etag"]);
        let known = stack
            .http
            .request(reqwest::Method::GET, CARD)
            .header("if-none-match", tag);
        let unchanged = stack.http.send(known).await.expect(304);
        assert!(unchanged.bytes.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_served_card_names_no_address_but_ours_and_claims_what_the_door_does() {
    let stack = Stack::sqlite().await;
    let fake = Fake::start(Reply::A2a1("ok".into())).await;
    let mut card = card_v1_0("Streamer", &fake.url);
    card["capabilities"] = json!({ "streaming": true, "pushNotifications": true });
    card["signatures"] = json!([{ "protected": "e30", "signature": "AAAA" }]);
    for card in [card, card_v0_3("Flat", &fake.url)] {
        let _ = stack
            .http
            .post("/import-agent", &json!({ "card": card, "register": true }))
            .await
            .expect(201);
    }
    for id in ["streamer", "flat", "guildhall-echo"] {
        let served = stack
            .http
            .get(&format!("/agents/{id}/.well-known/agent-card.json"))
            .await
            .expect(200);
        let text = String::from_utf8_lossy(&served.bytes);
        assert!(
            !text.contains(&fake.url) && !text.contains("\"AAAA\""),
            "{text}"
        );
        let own = id != "flat";
        assert_eq!(served.json["capabilities"]["streaming"], own, "{id}");
        let interfaces = served.json["supportedInterfaces"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        let versions: Vec<Value> = if interfaces.is_empty() {
            vec![json!("0.3")]
        } else {
            interfaces
                .iter()
                .map(|i| i["protocolVersion"].clone())
                .collect()
        };
        for version in versions {
            let old = version == "0.3";
            let message = if old {
                json!({ "kind": "message", "messageId": "m", "role": "user", "parts": [{ "kind": "text", "text": "x" }] })
            } else {
                json!({ "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "x" }] })
            };
            let method = if old { "message/send" } else { "SendMessage" };
            let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": { "message": message } });
            let request = stack
                .http
                .request(reqwest::Method::POST, &format!("/agents/{id}"));
            let answer = stack
                .http
                .send(
                    request
                        .header("a2a-version", version.as_str().expect("text"))
                        .json(&body),
                )
                .await
                .expect(200);
            assert!(
                answer.json["result"].is_object(),
                "{id} {version}: {}",
                answer.json
            );
        }
    }
}

#[tokio::test]
async fn an_owner_chooses_the_shape_for_clients_that_name_no_version() {
    on_both(|stack| async move {
        let address =
            json!({ "endpoint_url": "http://127.0.0.1:9/", "a2a_compliant": true, "card_shape": "1.0" });
        let owner = stack.http.register(&registration("pure", address)).await;
        let path = "/agents/pure/.well-known/agent-card.json";
        let card = stack.http.get(path).await.expect(200);
        assert!(card.json["url"].is_null() && card.json["supportedInterfaces"].is_array());
        let tag = card.headers["etag"].clone();
        let asked = stack
            .http
            .request(reqwest::Method::GET, path)
            .header("a2a-version", "0.3");
        let asked = stack.http.send(asked).await.expect(200);
        assert!(asked.json["url"].is_string() && asked.json["supportedInterfaces"].is_null());

        let change = json!({ "card_shape": "0.3" });
        let _ = owner.post("/update", &change).await.expect(200);
        let card = stack.http.get(path).await.expect(200);
        assert!(card.json["url"].is_string() && card.json["supportedInterfaces"].is_null());
        assert_ne!(card.headers["etag"], tag);
        let shown = stack.http.get("/agents/pure").await.expect(200);
        assert_eq!(shown.json["card_shape"], "0.3", "{}", shown.json);

        let change = json!({ "card_shape": "2.0" });
        let refused = owner.post("/update", &change).await;
        assert!(matches!(refused.status, 400 | 422), "{}", refused.status);
    })
    .await;
}

#[tokio::test]
async fn an_agent_without_a2a_has_no_card() {
    let stack = Stack::sqlite().await;
    let _ = stack
        .http
        .register(&registration(
            "plain",
            json!({ "message_protocol": "raw", "endpoint_url": "http://127.0.0.1:9/" }),
        ))
        .await;
    stack
        .http
        .get("/agents/plain/.well-known/agent-card.json")
        .await
        .expect_problem(404, "not_found");
    stack
        .http
        .get("/agents/plain/.well-known/agent-card.json?original=true")
        .await
        .expect_problem(404, "not_found");
}

#[tokio::test]
async fn a_served_card_is_signed_with_a_key_that_is_published() {
    use protocol::signature::card::{Verdict, verify_card};
    use protocol::signature::jwk::JwkSet;
    let stack = Stack::sqlite().await;
    let keys = stack.http.get("/.well-known/jwks.json").await.expect(200);
    let keys = JwkSet::read(&keys.json).expect("a key set");
    for path in [
        CARD,
        "/agents/guildhall-echo/1.0/.well-known/agent-card.json",
        "/agents/guildhall-echo/0.3/.well-known/agent-card.json",
    ] {
        let mut card = stack.http.get(path).await.expect(200).json;
        assert!(
            matches!(verify_card(&card, &keys, false), Verdict::Verified { .. }),
            "{path}"
        );
        card["name"] = json!("Somebody else");
        assert_eq!(verify_card(&card, &keys, false), Verdict::Invalid);
    }
}
