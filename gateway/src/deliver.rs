//! Push notifications on their way: taken from the store, sent in the client's dialect, tried again
//! until they arrive or are given up. A delivery outlives the process.

use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream;
use http::{HeaderMap, HeaderValue, Method, header};
use protocol::a2a::Version;
use protocol::a2a::translate::Item;
use registry::client::{Outgoing, Purpose};
use registry::clock::Millis;
use registry::store::Delivery;
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use url::Url;

use crate::gate::Gate;

/// How often the store is asked for what is due.
const EVERY: Duration = Duration::from_millis(200);
/// How many are sent at once.
const AT_ONCE: usize = 32;
/// How long after each attempt the next one comes; as long as the list are the attempts.
const PAUSES: [Millis; 5] = [5_000, 30_000, 120_000, 600_000, 600_000];
/// After so many deliveries given up in a row nothing more is sent to an address.
const GIVEN_UP: i64 = 10;

/// Sends what is due until it is stopped.
pub(crate) async fn deliver(gate: Gate, stop: CancellationToken) {
    loop {
        let due = gate.store.push_take(AT_ONCE as u64, retry_at).await;
        let due = due.unwrap_or_else(|error| {
            crate::problem::log_cause("notifications could not be read", &error);
            Vec::new()
        });
        let idle = due.is_empty();
        stream::iter(due)
            .for_each_concurrent(AT_ONCE, |delivery| send(&gate, delivery))
            .await;
        let pause = if idle { EVERY } else { Duration::ZERO };
        if stop
            .run_until_cancelled(tokio::time::sleep(pause))
            .await
            .is_none()
        {
            return;
        }
    }
}

fn retry_at(now: Millis, attempts: i64) -> Millis {
    let last = PAUSES.len() - 1;
    let index = usize::try_from(attempts - 1).map_or(last, |index| index.min(last));
    now + PAUSES[index]
}

async fn send(gate: &Gate, delivery: Delivery) {
    let arrived = match request(gate, &delivery).await {
        Some(request) => match gate.client.send(request).await {
            Ok(answer) => (200..300).contains(&answer.status),
            Err(error) => {
                tracing::debug!(class = error.class(), "a notification did not arrive");
                false
            }
        },
        None => false,
    };
    let config = &delivery.config;
    let over = delivery.attempts >= PAUSES.len() as i64 || config.failures >= GIVEN_UP;
    if !arrived && !over {
        return;
    }
    if !arrived {
        tracing::warn!(task = config.task_id, "a notification was given up");
    }
    if let Err(error) = gate.store.push_done(&delivery, arrived).await {
        crate::problem::log_cause("a notification could not be ended", &error);
    }
}

/// The request in the dialect of the config: 1.0 tells the item, 0.3 the whole task.
async fn request(gate: &Gate, delivery: &Delivery) -> Option<Outgoing> {
    let config = &delivery.config;
    let old = config.version == Version::V0_3.as_str();
    let (media, body) = if old {
        let row = gate
            .store
            .task_by_id(&config.agent_id, &config.task_id)
            .await
            .ok()?;
        let task = Item::task(row.task).write(Version::V0_3, false);
        ("application/json", task)
    } else {
        ("application/a2a+json", delivery.item.clone())
    };
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media));
    let mut secret = |name: &'static str, text: String| {
        if let Ok(mut value) = HeaderValue::try_from(text) {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
    };
    if let Some(token) = &config.token {
        secret("x-a2a-notification-token", token.clone());
    }
    let said = |name: &str| {
        let authentication = config.authentication.as_ref()?;
        authentication.get(name).and_then(Value::as_str)
    };
    if let (Some(scheme), Some(credentials)) = (said("scheme"), said("credentials")) {
        secret("authorization", format!("{scheme} {credentials}"));
    }
    Some(Outgoing {
        purpose: Purpose::Webhook,
        method: Method::POST,
        url: Url::parse(&config.url).ok()?,
        headers,
        body: crate::a2a::written(&body).into(),
        total: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end() {
        let pauses: Vec<_> = (1..=7).map(|attempts| retry_at(0, attempts)).collect();
        assert_eq!(
            pauses,
            [5_000, 30_000, 120_000, 600_000, 600_000, 600_000, 600_000]
        );
    }
}
