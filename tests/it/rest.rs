//! The HTTP+JSON bindings, and what browsers need of every A2A door.

use serde_json::json;
use tests::{Stack, registration};

const ECHO: &str = "/agents/guildhall-echo";

#[tokio::test]
async fn a_page_of_any_origin_may_speak_with_an_agent() {
    let stack = Stack::sqlite().await;
    for path in [
        ECHO,
        "/agents/guildhall-echo/v1",
        "/a2a",
        "/agents/guildhall-echo/.well-known/agent-card.json",
        "/agents/guildhall-echo/message:send",
    ] {
        let asks = stack
            .http
            .request(reqwest::Method::OPTIONS, path)
            .header("origin", "https://page.guildhall-demo.net")
            .header("access-control-request-method", "POST")
            .header(
                "access-control-request-headers",
                "a2a-version, a2a-extensions, authorization, content-type",
            );
        let answer = stack.http.send(asks).await.expect(204);
        assert_eq!(answer.headers["access-control-allow-origin"], "*");
        assert!(
            answer.headers["access-control-allow-headers"]
                .to_str()
                .is_ok_and(|names| names.contains("a2a-version"))
        );
    }
    let card = stack
        .http
        .get("/agents/guildhall-echo/.well-known/agent-card.json")
        .await
        .expect(200);
    assert_eq!(card.headers["access-control-allow-origin"], "*");
    assert!(
        !stack
            .http
            .get("/agents/guildhall-echo/report")
            .await
            .headers
            .contains_key("access-control-allow-origin")
    );
}

#[tokio::test]
async fn the_rest_bindings_answer_as_the_json_rpc_door_does() {
    let stack = Stack::sqlite().await;
    let new = json!({ "message": { "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "hi" }, { "data": { "n": 1.10 } }] } });
    let answer = stack
        .http
        .post("/agents/guildhall-echo/message:send", &new)
        .await
        .expect(200);
    assert_eq!(
        answer.json["message"]["parts"][0]["text"], "hi",
        "{}",
        answer.json
    );
    let old = json!({ "message": { "role": "ROLE_USER", "content": [{ "text": "hi" }] } });
    let answer = stack
        .http
        .post("/agents/guildhall-echo/v1/message:send", &old)
        .await
        .expect(200);
    assert_eq!(
        answer.json["message"]["content"][0]["text"], "hi",
        "{}",
        answer.json
    );
    let stream = stack
        .http
        .post("/agents/guildhall-echo/message:stream", &new)
        .await
        .expect(200);
    assert_eq!(stream.events()[0]["message"]["parts"][0]["text"], "hi");
    let gone = stack
        .http
        .get("/agents/guildhall-echo/tasks/none")
        .await
        .expect(404);
    assert_eq!(
        gone.json["error"]["details"][0]["reason"], "TASK_NOT_FOUND",
        "{}",
        gone.json
    );
    let unknown = stack
        .http
        .post("/agents/nobody/message:send", &new)
        .await
        .expect(404);
    assert!(unknown.json["error"].is_object());
    let exact = r#"{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"data":{"n":12345678901234567890123,"m":74.00}}]}}"#;
    let answer = stack
        .http
        .post_bytes("/agents/guildhall-echo/message:send", exact)
        .await
        .expect(200);
    let text = String::from_utf8(answer.bytes).expect("text");
    assert!(
        text.contains("12345678901234567890123") && text.contains("74.00"),
        "{text}"
    );
}

#[tokio::test]
async fn what_the_json_rpc_door_says_of_a_misfit_the_rest_doors_say_as_well() {
    let stack = Stack::sqlite().await;
    let terms = json!({ "weight_unit": "kg" });
    let address = json!({ "endpoint_url": "http://127.0.0.1:9/", "a2a_compliant": true, "a2a_version": "1.0", "payload_schema": terms });
    let _ = stack.http.register(&registration("freight", address)).await;
    let data = r#"{"weight":50.00,"weight_unit":"lb"}"#;
    let new = format!(
        r#"{{"message":{{"messageId":"m","role":"ROLE_USER","parts":[{{"data":{data}}}]}}}}"#
    );
    let old = format!(
        r#"{{"message":{{"messageId":"m","role":"ROLE_USER","content":[{{"data":{{"data":{data}}}}}]}}}}"#
    );
    for (path, body) in [
        ("/agents/freight/message:send", new),
        ("/agents/freight/v1/message:send", old),
    ] {
        let answer = stack.http.post_bytes(path, body).await.expect(409);
        let text = String::from_utf8_lossy(&answer.bytes);
        for member in ["suggested_payload", "terms_digest", "mismatches", "22.67"] {
            assert!(text.contains(member), "{path} {member}: {text}");
        }
    }
}

#[tokio::test]
async fn a_stream_with_a_key_is_refused_since_it_cannot_be_given_again() {
    let stack = Stack::sqlite().await;
    let rest = json!({ "message": { "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "hi" }] } });
    let rpc = |method: &str| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": rest });
    for (path, body) in [
        ("/agents/guildhall-echo", rpc("SendStreamingMessage")),
        ("/agents/guildhall-echo/v1/stream", rpc("SendMessage")),
        ("/agents/guildhall-echo/message:stream", rest.clone()),
    ] {
        let request = stack
            .http
            .request(reqwest::Method::POST, path)
            .header("idempotency-key", "k")
            .header("a2a-version", "1.0")
            .json(&body);
        let answer = stack.http.send(request).await;
        let text = String::from_utf8_lossy(&answer.bytes);
        assert!(text.contains("/idempotency-key"), "{path}: {text}");
    }
}
