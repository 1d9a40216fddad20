//! PostgreSQL only: wakes this process when another one committed.

use std::time::Duration;

use sea_orm::sqlx::postgres::PgListener;

use super::{Store, outbox};

/// How long to wait before the connection is tried again; followers poll meanwhile.
const RETRY: Duration = Duration::from_secs(1);

/// Starts the task that turns notifications into wakings; it ends with the pool.
pub(super) fn forward_notifications(store: &Store) {
    let pool = store.reader.get_postgres_connection_pool().clone();
    let changed = store.changed.clone();
    tokio::spawn(async move {
        while !pool.is_closed() {
            if let Ok(mut listener) = PgListener::connect_with(&pool).await
                && listener.listen(outbox::CHANNEL).await.is_ok()
            {
                while listener.recv().await.is_ok() {
                    changed.send_modify(|count| *count += 1);
                }
            }
            tokio::time::sleep(RETRY).await;
        }
    });
}
