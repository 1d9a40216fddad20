//! One run: a tenant works on one message, and what it sends becomes the answer or the task.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use futures_util::future::BoxFuture;
use protocol::a2a::Version;
use protocol::a2a::message::{Message, Part, Role};
use protocol::a2a::rpc::{ErrorCode, RpcError};
use protocol::a2a::translate::{Item, Kind, TaskState, apply, status_of};
use registry::agent::AgentId;
use registry::clock::{Millis, rfc3339};
use registry::error::Error;
use registry::ids;
use registry::store::TaskRow;
use serde_json::{Value, json};
use tenants::{Artifact, Context, Failure, Fault, Stopped, Update, Updates};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::live::{Event, Live};
use super::resume::LEASE;
use super::{Hosted, Visit, hire};
use crate::a2a::{foreign_context, push};
use crate::gate::Gate;

/// What a send hears first.
pub(super) enum First {
    /// The whole answer.
    Message(Item),
    /// There is a task.
    Task(Arc<Live>),
    /// There is no answer.
    Failed(RpcError),
}

/// A message and what it belongs to.
pub(super) struct Job {
    pub(super) visit: Visit,
    /// In 1.0's form.
    pub(super) message: Value,
    /// The task that it goes on with, or whose run was broken off.
    pub(super) row: Option<TaskRow>,
    pub(super) resumed: bool,
    /// To be kept with a task that is made.
    pub(super) push: Option<Value>,
}

/// Where a run reports; the first listener of a task that it makes.
pub(super) struct Ears {
    pub(super) first: oneshot::Sender<First>,
    pub(super) events: mpsc::Sender<Event>,
}

/// A run and what it has made so far.
pub(super) struct Run {
    gate: Gate,
    hosted: Arc<Hosted>,
    visit: Visit,
    message: Value,
    push: Option<Value>,
    ears: Mutex<Option<Ears>>,
    task: OnceLock<(String, Arc<Live>)>,
    cancel: CancellationToken,
}

impl Run {
    pub(super) fn new(gate: &Gate, hosted: &Arc<Hosted>, job: &Job, ears: Option<Ears>) -> Self {
        Self {
            gate: gate.clone(),
            hosted: hosted.clone(),
            visit: job.visit.clone(),
            message: job.message.clone(),
            push: job.push.clone(),
            ears: Mutex::new(ears),
            task: OnceLock::new(),
            cancel: CancellationToken::new(),
        }
    }

    /// Goes on with a task that is in the store.
    pub(super) fn with_task(mut self, task_id: &str, live: Arc<Live>) -> Self {
        self.cancel = live.cancel.clone();
        // It was empty.
        let _ = self.task.set((task_id.to_owned(), live));
        self
    }

    /// Works to the end; gives the next message of the task, when one came meanwhile.
    pub(super) async fn work(self, row: Option<&TaskRow>, resumed: bool) -> Option<TaskRow> {
        // The semaphore is never closed.
        let place = self.hosted.places.acquire().await.ok();
        let done = match Message::parse(&self.message) {
            Ok(message) => {
                let context = self.context(row, resumed);
                let work = self.hosted.tenant.answer(&context, message, &self);
                self.cancel
                    .run_until_cancelled(work)
                    .await
                    .unwrap_or(Ok(()))
            }
            Err(error) => Err(Failure {
                fault: Fault::Message,
                reason: error.to_string(),
            }),
        };
        drop(place);
        self.finish(done).await
    }

    fn context(&self, row: Option<&TaskRow>, resumed: bool) -> Context {
        let (clock, random) = (
            self.gate.store.clock().clone(),
            self.gate.store.random().clone(),
        );
        let now = clock.now();
        Context {
            caller: self.visit.caller.as_ref().map(ToString::to_string),
            now,
            task: row.map(|row| row.task.clone()),
            resumed,
            clock: Arc::new({
                let clock = clock.clone();
                move || clock.now()
            }),
            ids: Arc::new(move |prefix| ids::new_id(prefix, clock.now(), &*random)),
            hire: Arc::new(hire::Hiring::new(&self.gate, &self.visit.agent)),
        }
    }

    fn tell(&self, first: First) -> Option<mpsc::Sender<Event>> {
        let ears = self
            .ears
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()?;
        // Who asked may be gone; the work goes on.
        let _ = ears.first.send(first);
        Some(ears.events)
    }

    async fn update(&self, update: Update) -> Result<(), Stopped> {
        let known = self.task.get().is_some();
        match update {
            Update::Message(parts) if !known => {
                self.tell(First::Message(self.message_item(parts)));
                Ok(())
            }
            // A task has its own way to answer.
            Update::Message(parts) => self.status(TaskState::Completed, parts).await,
            Update::Status(state, parts) => {
                self.begin().await?;
                self.status(state, parts).await
            }
            Update::Artifact(artifact) => {
                self.begin().await?;
                self.artifact(artifact).await
            }
        }
    }

    fn message_item(&self, parts: Vec<Part>) -> Item {
        let mut answer = Message::new(Role::Agent, self.new_id("msg"), parts);
        answer.context_id = text(&self.message, "contextId");
        Item {
            kind: Kind::Message,
            value: answer.to_v1_0(),
            last: None,
        }
    }

    /// Makes the task, unless there is one.
    async fn begin(&self) -> Result<(), Stopped> {
        if self.task.get().is_some() {
            return Ok(());
        }
        let now = self.now();
        let task_id = self.new_id("task");
        let context_id = text(&self.message, "contextId").unwrap_or_else(|| self.new_id("ctx"));
        let mut message = self.message.clone();
        message["taskId"] = json!(task_id);
        message["contextId"] = json!(context_id);
        let task = json!({
            "id": task_id,
            "contextId": context_id,
            "status": { "state": TaskState::Submitted.as_str(Version::V1_0), "timestamp": rfc3339(now) },
            "history": [message],
        });
        let row = TaskRow {
            agent_id: self.visit.agent.clone(),
            task_id: task_id.clone(),
            context_id,
            caller: self.visit.caller.clone(),
            hosted: true,
            state: TaskState::Submitted.as_str(Version::V0_3).to_owned(),
            task: task.clone(),
            inbox: vec![message],
            cancel_requested: false,
            runner: Some(self.gate.host.0.runner.clone()),
            lease_until: now + LEASE,
            revision: 1,
            status_at: now,
            created_at: now,
            updated_at: now,
        };
        if let Err(error) = self.gate.store.task_create(row).await {
            self.tell(First::Failed(not_kept(error)));
            return Err(Stopped);
        }
        if let Some(config) = &self.push {
            let kept = push::keep(
                &self.gate,
                &self.visit.agent,
                &task_id,
                config,
                self.visit.version,
            );
            if kept.await.is_err() {
                tracing::warn!(task = task_id, "a push config was not kept");
            }
        }
        let live = Arc::new(Live::new(task, self.cancel.clone()));
        if let Some(events) = self.tell(First::Task(live.clone())) {
            let _ = live.attach(events);
        }
        self.gate
            .host
            .lock()
            .insert((self.visit.agent.clone(), task_id.clone()), live.clone());
        let _ = self.task.set((task_id, live));
        Ok(())
    }

    async fn status(&self, state: TaskState, parts: Vec<Part>) -> Result<(), Stopped> {
        let mut status = json!({
            "state": state.as_str(Version::V1_0),
            "timestamp": rfc3339(self.now()),
        });
        if !parts.is_empty() {
            let mut said = Message::new(Role::Agent, self.new_id("msg"), parts);
            (said.task_id, said.context_id) = (self.task_id(), self.context_id());
            status["message"] = said.to_v1_0();
        }
        self.keep(Kind::Status, json!({ "status": status })).await
    }

    async fn artifact(&self, artifact: Artifact) -> Result<(), Stopped> {
        let parts: Vec<Value> = artifact.parts.iter().map(Part::to_v1_0).collect();
        let mut value = json!({ "artifactId": artifact.id, "parts": parts });
        for (name, text) in [
            ("name", artifact.name),
            ("description", artifact.description),
        ] {
            if let Some(text) = text {
                value[name] = json!(text);
            }
        }
        if !artifact.metadata.is_empty() {
            value["metadata"] = Value::Object(artifact.metadata);
        }
        let mut update = json!({ "artifact": value });
        if artifact.append {
            update["append"] = json!(true);
        }
        if let Some(last) = artifact.last {
            update["lastChunk"] = json!(last);
        }
        self.keep(Kind::Artifact, update).await
    }

    /// Commits an update, then tells it.
    async fn keep(&self, kind: Kind, mut update: Value) -> Result<(), Stopped> {
        let Some((task_id, live)) = self.task.get() else {
            return Err(Stopped);
        };
        update["taskId"] = json!(task_id);
        update["contextId"] = json!(self.context_id());
        let item = Item {
            kind,
            value: update,
            last: None,
        };
        let (kept, now) = (item.clone(), self.now());
        let runner = self.gate.host.0.runner.clone();
        let changed = self
            .gate
            .store
            .task_change(&self.visit.agent, task_id, move |row| {
                let over = TaskState::parse(&row.state).is_some_and(TaskState::terminal);
                // Whoever took the work over has its own say.
                let ours = row.runner.as_ref() == Some(&runner);
                if over || row.cancel_requested || !ours {
                    return false;
                }
                apply(&mut row.task, &kept);
                row.state = status_of(&row.task).as_str(Version::V0_3).to_owned();
                if kept.kind == Kind::Status {
                    row.status_at = now;
                }
                true
            })
            .await;
        match changed {
            Ok((true, row)) => {
                self.notify(&row, &item).await;
                live.publish(row.task, &Event::Item(item));
                Ok(())
            }
            Ok((false, _)) => Err(Stopped),
            Err(error) => {
                crate::problem::log_cause("an update of a task was not kept", &error);
                Err(Stopped)
            }
        }
    }

    async fn notify(&self, row: &TaskRow, item: &Item) {
        let configs = self.gate.store.push_configs(&row.agent_id, &row.task_id);
        let queued = async {
            let configs = configs.await?;
            if configs.is_empty() {
                return Ok(());
            }
            self.gate
                .store
                .push_queue(&configs, &item.write(Version::V1_0, false))
                .await
        };
        if let Err(error) = queued.await {
            crate::problem::log_cause("a notification was not queued", &error);
        }
    }

    /// What the end of the work means for the task; gives the row when another message waits.
    async fn finish(&self, done: Result<(), Failure>) -> Option<TaskRow> {
        let Some((task_id, live)) = self.task.get() else {
            let error = match done {
                Ok(()) => RpcError::new(ErrorCode::Internal, "the agent gave no answer"),
                Err(failure) => refused(&failure),
            };
            // After a message there is nobody left to tell.
            self.tell(First::Failed(error));
            return None;
        };
        match done {
            Ok(()) => {
                let state = status_of(&live.task());
                if !state.terminal() && !state.interrupted() {
                    let _ = self.status(TaskState::Completed, Vec::new()).await;
                }
            }
            Err(failure) => {
                let _ = self
                    .status(TaskState::Failed, vec![Part::text(failure.reason)])
                    .await;
            }
        }
        let runner = self.gate.host.0.runner.clone();
        let changed = self
            .gate
            .store
            .task_change(&self.visit.agent, task_id, move |row| {
                if row.runner.as_ref() != Some(&runner) {
                    return false;
                }
                if !row.inbox.is_empty() {
                    row.inbox.remove(0);
                }
                let over = TaskState::parse(&row.state).is_some_and(TaskState::terminal);
                if row.inbox.is_empty() || over {
                    row.inbox.clear();
                    row.runner = None;
                    row.lease_until = 0;
                }
                !row.inbox.is_empty()
            })
            .await;
        let idle = Event::Idle(text(&self.message, "messageId"));
        match changed {
            Ok((more, row)) => {
                live.publish(row.task.clone(), &idle);
                more.then_some(row)
            }
            Err(error) => {
                crate::problem::log_cause("a finished task was not kept", &error);
                live.publish(live.task(), &idle);
                None
            }
        }
    }

    fn task_id(&self) -> Option<String> {
        self.task.get().map(|(id, _)| id.clone())
    }

    fn context_id(&self) -> Option<String> {
        let (_, live) = self.task.get()?;
        text(&live.task(), "contextId")
    }

    fn now(&self) -> Millis {
        self.gate.store.clock().now()
    }

    fn new_id(&self, prefix: &str) -> String {
        ids::new_id(prefix, self.now(), &**self.gate.store.random())
    }
}

impl Updates for Run {
    fn send(&self, update: Update) -> BoxFuture<'_, Result<(), Stopped>> {
        Box::pin(self.update(update))
    }
}

fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn not_kept(error: Error) -> RpcError {
    match error {
        Error::Conflict { .. } => foreign_context(),
        error => {
            crate::problem::log_cause("a task was not kept", &error);
            RpcError::new(ErrorCode::Internal, "the task could not be kept")
        }
    }
}

fn refused(failure: &Failure) -> RpcError {
    match failure.fault {
        Fault::Message => RpcError::invalid_params("message", &failure.reason),
        Fault::Tenant => RpcError::new(ErrorCode::Internal, failure.reason.clone()),
    }
}

/// The agent of a row as a visitor that nobody sees: for work that a process takes up again.
pub(super) fn visit_of(row: &TaskRow) -> Visit {
    Visit {
        agent: AgentId::clone(&row.agent_id),
        caller: row.caller.clone(),
        version: Version::V1_0,
    }
}
