//! Push notifications: in the client's dialect, wherever the agent is.

use serde_json::json;
use tests::{Fake, Reply, until};

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
