//! A task that another process works on, followed through the store.

use std::sync::Arc;
use std::time::Duration;

use protocol::a2a::translate::{Item, Kind, status_of};
use registry::store::TaskRow;
use serde_json::{Value, json};

use super::live::{Event, Live};
use crate::gate::Gate;

/// How often the store is asked while somebody listens.
const EVERY: Duration = Duration::from_millis(250);

/// Follows until the task is over, its work is, or nobody listens any more.
pub(super) fn start(gate: &Gate, row: &TaskRow, live: Arc<Live>) {
    let (gate, mut known) = (gate.clone(), row.clone());
    let stop = gate.host.0.stop.clone();
    let host = gate.host.clone();
    host.0.runs.spawn(async move {
        loop {
            if stop
                .run_until_cancelled(tokio::time::sleep(EVERY))
                .await
                .is_none()
            {
                return;
            }
            let now = gate.store.task_by_id(&known.agent_id, &known.task_id).await;
            let Ok(row) = now else { break };
            if row.revision != known.revision {
                for item in changes(&known.task, &row.task) {
                    live.publish(row.task.clone(), &Event::Item(item));
                }
            }
            let idle = row.inbox.is_empty() || status_of(&row.task).terminal();
            // Work that has come to this process is told by the run itself.
            let taken = row.runner.as_ref() == Some(&gate.host.0.runner);
            if idle || taken || !live.heard() {
                if idle {
                    live.publish(row.task.clone(), &Event::Idle(None));
                }
                if !taken {
                    let key = (row.agent_id.clone(), row.task_id.clone());
                    gate.host.lock().remove(&key);
                }
                return;
            }
            known = row;
        }
    });
}

/// What differs between two looks, as updates.
fn changes(before: &Value, after: &Value) -> Vec<Item> {
    let about = |name: &str, value: &Value| {
        let mut update = json!({ "taskId": after["id"], "contextId": after["contextId"] });
        update[name] = value.clone();
        update
    };
    let list = |task: &Value| task["artifacts"].as_array().cloned().unwrap_or_default();
    let old = list(before);
    let mut items: Vec<Item> = list(after)
        .iter()
        .filter(|artifact| !old.contains(artifact))
        .map(|artifact| Item {
            kind: Kind::Artifact,
            value: about("artifact", artifact),
            last: None,
        })
        .collect();
    if before["status"] != after["status"] {
        items.push(Item {
            kind: Kind::Status,
            value: about("status", &after["status"]),
            last: None,
        });
    }
    items
}
