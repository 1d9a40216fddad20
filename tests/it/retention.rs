//! What is dropped when its time is over, and what does not depend on it.

use std::sync::Arc;

use registry::agent::AgentId;
use registry::clock::{Clock as _, ManualClock, SystemClock};
use registry::store::{PushConfig, Store, StoreOptions};
use serde_json::json;
use tests::{Stack, on_both, registration, until};

const DAY: i64 = 24 * 60 * 60 * 1_000;

#[tokio::test]
async fn a_call_is_kept_for_the_days_of_the_operator() {
    on_both(|stack| async move {
        let caller = stack
            .http
            .register(&registration("caller", json!({})))
            .await;
        let ask = json!({ "agent_id": "guildhall-echo", "message": "hi" });
        let answer = caller.post("/call", &ask).await.expect(200);
        let id = answer.json["transaction_id"].as_str().expect("an id");
        let record = format!("/calls/{id}");
        let _ = caller.get(&record).await.expect(200);

        let (store, clock) = later(&stack).await;
        assert_eq!(store.calls_forget(30).await.expect("forgot"), 0);
        clock.advance(30 * DAY);
        assert_eq!(store.calls_forget(0).await.expect("forgot"), 0);
        assert_eq!(store.calls_forget(60).await.expect("forgot"), 0);
        let _ = caller.get(&record).await.expect(200);
        assert_eq!(store.calls_forget(30).await.expect("forgot"), 1);
        caller
            .get(&record)
            .await
            .expect_problem(404, "unknown_call");
    })
    .await;
}

#[tokio::test]
async fn an_index_that_slept_through_dropped_news_is_built_again() {
    on_both(|stack| async move {
        for id in ["first", "second"] {
            let _ = stack.http.register(&registration(id, json!({}))).await;
        }
        stack.indexed().await;
        let (store, clock) = later(&stack).await;
        let settings = stack.gate.fixed.settings.clone();
        let database = stack.stop().await;
        for id in ["first", "second"] {
            let change = |agent: &mut registry::agent::Agent| {
                agent.profile.description = "xylophone".into();
                Ok(())
            };
            let id = AgentId::lookup(id).expect("an id");
            let _ = store
                .agent_update(&id, None, change)
                .await
                .expect("changed");
        }
        clock.advance(8 * DAY);
        assert!(store.outbox_forget().await.expect("forgot") >= 3);
        assert_eq!(store.outbox_forget().await.expect("forgot"), 0);
        drop(store);

        let stack = Stack::on(database, settings, "a").await;
        let find = json!({ "query": "xylophone" });
        until("both are found", async || {
            let mut found = stack.http.post("/match", &find).await.ids();
            found.sort_unstable();
            found == ["first", "second"]
        })
        .await;
    })
    .await;
}

/// The stack's store with a clock of its own, which stands a minute after now.
async fn later(stack: &Stack) -> (Store, ManualClock) {
    let clock = ManualClock::at(SystemClock.now() + 60_000);
    let options = StoreOptions {
        clock: Arc::new(clock.clone()),
        ..gateway::serve::store_options(&stack.gate.fixed.settings)
    };
    (Store::open(options).await.expect("opened"), clock)
}

#[tokio::test]
async fn push_configs_whose_task_was_never_named_are_dropped_after_a_day() {
    on_both(|stack| async move {
        let agent = AgentId::lookup("guildhall-echo").expect("an id");
        let config = |task_id: &str| PushConfig {
            agent_id: agent.clone(),
            task_id: task_id.to_owned(),
            config_id: "c".to_owned(),
            version: "1.0".to_owned(),
            url: "https://hooks.guildhall-demo.net/x".to_owned(),
            token: None,
            authentication: None,
            hook: format!("hook of {task_id}"),
            failures: 0,
        };
        let unnamed = "unnamed:1";
        for task_id in [unnamed, "task-1"] {
            let kept = stack.gate.store.push_config_set(config(task_id)).await;
            kept.expect("kept");
        }
        let (store, clock) = later(&stack).await;
        let forget = async || store.push_configs_forget("unnamed:").await.expect("forgot");
        assert_eq!(forget().await, 0);
        clock.advance(DAY);
        assert_eq!(forget().await, 1);
        for (task_id, left) in [(unnamed, 0), ("task-1", 1)] {
            let configs = store.push_configs(&agent, task_id).await.expect("read");
            assert_eq!(configs.len(), left, "{task_id}");
        }
    })
    .await;
}
