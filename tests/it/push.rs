//! Push notifications: in the client's dialect, wherever the agent is.

use std::sync::Arc;

use serde_json::json;
use tests::{Fake, Reply, Stack, card_v1_0, until};
use tokio::sync::Notify;

use crate::way::Both;

#[tokio::test]
async fn news_of_a_task_goes_to_the_clients_address_in_its_dialect() {
    let both = Both::start().await;
    for way in both.ways().await {
        let hook = Fake::start(Reply::Raw(200, "text/plain".into(), Vec::new())).await;
        let mut send = way.send("tck-stream-001-1");
        let (name, config) = match way.old() {
            true => (
                "pushNotificationConfig",
                json!({ "url": hook.url, "token": "t", "authentication": { "schemes": ["Bearer"], "credentials": "c" } }),
            ),
            false => (
                "taskPushNotificationConfig",
                json!({ "url": hook.url, "token": "t", "authentication": { "scheme": "Bearer", "credentials": "c" } }),
            ),
        };
        send["configuration"][name] = config;
        let method = way.name("message/send", "SendMessage");
        let _ = way.result(method, send).await;
        let completed = |seen: &tests::Seen| {
            let body = seen.json();
            let state = match way.old() {
                true => body["status"]["state"].clone(),
                false => body["statusUpdate"]["status"]["state"].clone(),
            };
            state == way.state("completed")
        };
        until("the end was told", async || {
            hook.seen().iter().any(completed)
        })
        .await;
        let seen = hook.seen();
        let told = seen.iter().find(|seen| completed(seen)).expect("told");
        assert_eq!(told.headers["authorization"], "Bearer c");
        assert_eq!(told.headers["x-a2a-notification-token"], "t");
        let media = if way.old() {
            "application/json"
        } else {
            "application/a2a+json"
        };
        assert_eq!(told.headers["content-type"], media);
        assert_eq!(told.json()["kind"] == "task", way.old());
    }
}

#[tokio::test]
async fn an_agent_may_tell_of_a_task_before_it_answers() {
    let stack = Stack::sqlite().await;
    let release = Arc::new(Notify::new());
    let agent = Fake::start(Reply::Held(release.clone(), "done".into())).await;
    let hook = Fake::start(Reply::Raw(200, "text/plain".into(), Vec::new())).await;
    let mut card = card_v1_0("Early", &agent.url);
    card["capabilities"] = json!({ "pushNotifications": true });
    let _ = stack
        .http
        .post("/import-agent", &json!({ "card": card, "register": true }))
        .await
        .expect(201);
    let send = json!({
        "jsonrpc": "2.0", "id": 1, "method": "SendMessage",
        "params": {
            "message": { "messageId": "m", "role": "ROLE_USER", "parts": [{ "text": "hi" }] },
            "configuration": { "taskPushNotificationConfig": { "url": hook.url } },
        },
    });
    let request = stack.http.request(reqwest::Method::POST, "/agents/early");
    let sent = tokio::spawn(request.header("a2a-version", "1.0").json(&send).send());
    until("the agent was asked", async || agent.seen().len() == 1).await;
    let place = &agent.seen()[0].json()["params"]["configuration"]["taskPushNotificationConfig"];
    let address = place["url"].as_str().expect("an address");
    let path = address.strip_prefix(&stack.http.url).expect("ours");
    let number = "1.2000000000000000000000001";
    let large = "x".repeat(200_000);
    let update = format!(
        r#"{{"artifactUpdate":{{"taskId":"t","contextId":"c","artifact":{{"artifactId":"a","parts":[{{"data":{{"n":{number},"l":"{large}"}}}}]}}}}}}"#
    );
    let _ = stack.http.post_bytes(path, update).await.expect(202);
    until("the client was told", async || !hook.seen().is_empty()).await;
    let told = String::from_utf8_lossy(&hook.seen()[0].body).into_owned();
    assert!(told.contains(number), "numbers stay as they are written");
    release.notify_one();
    assert_eq!(sent.await.expect("sent").expect("answered").status(), 200);
}

#[tokio::test]
async fn configs_are_kept_shown_and_dropped() {
    let both = Both::start().await;
    for way in both.ways().await {
        let task = way.task("tck-input-required-1").await;
        let url = "https://hooks.guildhall-demo.net/x";
        let id = &task["id"];
        let (set, one, listed) = match way.old() {
            true => (
                json!({ "taskId": id, "pushNotificationConfig": { "id": "p", "url": url } }),
                json!({ "id": id, "pushNotificationConfigId": "p" }),
                json!({ "id": id }),
            ),
            false => (
                json!({ "taskId": id, "id": "p", "url": url }),
                json!({ "taskId": id, "id": "p" }),
                json!({ "taskId": id }),
            ),
        };
        let of = |old: &'static str, new: &'static str| way.name(old, new);
        let made = way
            .result(
                of(
                    "tasks/pushNotificationConfig/set",
                    "CreateTaskPushNotificationConfig",
                ),
                set.clone(),
            )
            .await;
        assert_eq!(made, set, "{} {}", way.path, way.version);
        let get = of(
            "tasks/pushNotificationConfig/get",
            "GetTaskPushNotificationConfig",
        );
        assert_eq!(way.result(get, one.clone()).await, set);
        let list = of(
            "tasks/pushNotificationConfig/list",
            "ListTaskPushNotificationConfigs",
        );
        let all = way.result(list, listed.clone()).await;
        assert_eq!(
            if way.old() {
                &all[0]
            } else {
                &all["configs"][0]
            },
            &set
        );
        let delete = of(
            "tasks/pushNotificationConfig/delete",
            "DeleteTaskPushNotificationConfig",
        );
        let dropped = way.rpc(delete, one.clone()).await;
        assert!(
            dropped
                .json
                .as_object()
                .expect("an object")
                .contains_key("result")
        );
        assert_eq!(way.error(get, one).await, -32001);
        let mut bad = set.clone();
        let place = if way.old() {
            &mut bad["pushNotificationConfig"]["url"]
        } else {
            &mut bad["url"]
        };
        *place = json!("ftp://x");
        let create = of(
            "tasks/pushNotificationConfig/set",
            "CreateTaskPushNotificationConfig",
        );
        assert_eq!(way.error(create, bad).await, -32602);
    }
}
