//! The HTTP+JSON bindings, and what browsers need of every A2A door.

use serde_json::json;
use tests::Stack;

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
