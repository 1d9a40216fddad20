//! `/health`, `/ready` and `/metrics`: how the gateway is.

use poem_openapi::payload::PlainText;
use poem_openapi::{ApiResponse, Object, OpenApi};
use registry::clock::rfc3339;
use serde::Serialize;

use super::payload::Answer;
use crate::gate::Gate;
use crate::problem::{Code, Problem};

pub(crate) struct HealthDoor(pub(super) Gate);

#[OpenApi]
impl HealthDoor {
    /// How the gateway is
    ///
    /// The authority on the size and freshness of the index. 503 when the database does not answer.
    #[oai(path = "/health", method = "get", operation_id = "get_health")]
    async fn health(&self) -> HealthAnswer {
        let (view, answers) = look(&self.0).await;
        if answers {
            HealthAnswer::Well(Answer(view))
        } else {
            HealthAnswer::Ill(Answer(view))
        }
    }

    /// Whether requests are taken
    #[oai(path = "/ready", method = "get", operation_id = "get_ready")]
    async fn ready(&self) -> Result<Answer<ReadyView>, Problem> {
        if self.0.fixed.draining.is_cancelled() {
            return Err(Problem::new(Code::NotReady, "the gateway is stopping").retry_after(1));
        }
        if self.0.search.stats().position.is_none() {
            return Err(
                Problem::new(Code::NotReady, "the search index is being built").retry_after(1),
            );
        }
        self.0.store.ping().await?;
        Ok(Answer(ReadyView { ready: true }))
    }

    /// Numbers for Prometheus
    #[oai(path = "/metrics", method = "get", operation_id = "get_metrics")]
    async fn metrics(&self) -> PlainText<String> {
        let gate = &self.0;
        let stats = gate.search.stats();
        let metrics = &gate.fixed.metrics;
        metrics
            .index_documents
            .set(i64::try_from(stats.documents).unwrap_or(i64::MAX));
        if let (Ok(head), Some(position)) = (gate.store.outbox_head().await, stats.position) {
            metrics.index_behind.set((head - position).max(0));
        }
        PlainText(metrics.page(gate.fixed.started.elapsed().as_secs_f64()))
    }
}

async fn look(gate: &Gate) -> (HealthView, bool) {
    let stats = gate.search.stats();
    let head = gate.store.outbox_head().await.ok();
    let agents = gate.store.agents_count().await.ok();
    let answers = head.is_some() && agents.is_some();
    let view = HealthView {
        status: if answers { "ok" } else { "failing" }.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        database: DatabaseView {
            kind: gate.store.kind().as_str().to_owned(),
            answers,
        },
        index: IndexView {
            documents: stats.documents,
            position: stats.position,
            outbox_head: head,
            behind: head
                .zip(stats.position)
                .map(|(head, position)| (head - position).max(0)),
            bytes_on_disk: stats.bytes_on_disk,
            last_commit_at: stats.last_commit_at.map(rfc3339),
        },
        agents,
        uptime_ms: u64::try_from(gate.fixed.started.elapsed().as_millis()).unwrap_or(u64::MAX),
    };
    (view, answers)
}

#[derive(ApiResponse)]
enum HealthAnswer {
    /// All is well.
    #[oai(status = 200)]
    Well(Answer<HealthView>),
    /// The database does not answer.
    #[oai(status = 503)]
    Ill(Answer<HealthView>),
}

/// How the gateway is.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "Health")]
struct HealthView {
    /// `ok` or `failing`.
    status: String,
    /// Version of the program.
    version: String,
    /// The database.
    database: DatabaseView,
    /// The search index of this gateway.
    index: IndexView,
    /// Agents in the store, of every state; null when it does not answer.
    agents: Option<u64>,
    /// Time since the start.
    uptime_ms: u64,
}

/// The database.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "DatabaseHealth")]
struct DatabaseView {
    /// `sqlite` or `postgres`.
    kind: String,
    /// Whether it answers.
    answers: bool,
}

/// The search index.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "IndexHealth")]
struct IndexView {
    /// Agents that can be found.
    documents: u64,
    /// The change up to which the index has followed; null while it is being built.
    position: Option<i64>,
    /// The last change of the store.
    outbox_head: Option<i64>,
    /// How many changes lie between.
    behind: Option<i64>,
    /// Size of the folder.
    bytes_on_disk: u64,
    /// When the index was last written.
    last_commit_at: Option<String>,
}

/// Ready.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "Ready")]
struct ReadyView {
    /// Always true.
    ready: bool,
}
