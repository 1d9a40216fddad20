//! What each operation of A2A does with a tenant.

use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream;
use protocol::a2a::rpc::{ErrorCode, RpcError};
use protocol::a2a::translate::{Item, Params, TaskState, status_of, trim_history};
use protocol::a2a::{Operation, Version};
use registry::clock::rfc3339;
use registry::store::TaskRow;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::live::{self, Event, Events, Live};
use super::resume::LEASE;
use super::run::{Ears, First, Job, Run};
use super::{Host, Hosted, Visit, watch};
use crate::a2a::{Piece, Refusal, Reply, foreign_context, listing, push};
use crate::gate::Gate;

/// What a send has to show first, and what follows.
enum Begun {
    Message(Item),
    Task(Value, Arc<Live>, Events),
}

impl Host {
    /// Answers one operation.
    ///
    /// # Errors
    /// A2A's own errors, or a problem of the store.
    pub async fn answer(
        &self,
        gate: &Gate,
        visit: &Visit,
        params: Params,
    ) -> Result<Reply, Refusal> {
        let hosted = self.0.tenants.get(&visit.agent).ok_or_else(|| {
            crate::problem::Problem::new(
                crate::problem::Code::UnknownAgent,
                "the agent is no longer served here",
            )
        })?;
        let caller = visit.caller.as_ref();
        match params.operation {
            Operation::Send => self.send(gate, hosted, visit, params).await,
            Operation::SendStream => self.stream(gate, hosted, visit, params).await,
            Operation::ListTasks => {
                listing::list_tasks(&gate.store, &visit.agent, caller, &params).await
            }
            Operation::ExtendedCard => Err(no_extended_card(visit.version).into()),
            operation => {
                let row = push::task_of(gate, &visit.agent, caller, params.task_id()).await?;
                match operation {
                    Operation::GetTask => {
                        let mut task = row.task;
                        trim_history(&mut task, params.history_length());
                        Ok(Reply::Item(Item::task(task)))
                    }
                    Operation::CancelTask => self.cancel(gate, row).await,
                    Operation::Subscribe => self.subscribe(gate, &row, visit.version),
                    _ => push::answer(gate, &row, &params, visit.version).await,
                }
            }
        }
    }

    async fn send(
        &self,
        gate: &Gate,
        hosted: &Arc<Hosted>,
        visit: &Visit,
        params: Params,
    ) -> Result<Reply, Refusal> {
        let length = params.history_length();
        // 0.3 leaves it to the server; both its SDKs wait unless told otherwise, as 1.0 does.
        let at_once =
            params.value.pointer("/configuration/returnImmediately") == Some(&json!(true));
        let ours = params
            .value
            .pointer("/message/messageId")
            .and_then(Value::as_str)
            .map(str::to_owned);
        let (task, live, mut events) = match self.begin(gate, hosted, visit, params).await? {
            Begun::Message(item) => return Ok(Reply::Item(item)),
            Begun::Task(task, live, events) => (task, live, events),
        };
        let mut task = task;
        if !at_once {
            while let Some(event) = events.recv().await {
                // Another message of the task may be worked on before this one.
                let over = match event {
                    Event::Item(_) => status_of(&live.task()).terminal(),
                    Event::Idle(message) => message.is_none() || message == ours,
                };
                if over {
                    break;
                }
            }
            task = live.task();
        }
        trim_history(&mut task, length);
        Ok(Reply::Item(Item::task(task)))
    }

    async fn stream(
        &self,
        gate: &Gate,
        hosted: &Arc<Hosted>,
        visit: &Visit,
        params: Params,
    ) -> Result<Reply, Refusal> {
        let length = params.history_length();
        Ok(match self.begin(gate, hosted, visit, params).await? {
            Begun::Message(item) => Reply::Stream(stream::iter([Ok(Piece::Item(item))]).boxed()),
            Begun::Task(mut task, _, events) => {
                trim_history(&mut task, length);
                pieces(task, events, Item::closes)
            }
        })
    }

    /// Hands the message to the tenant, in a new run or behind the one under way.
    async fn begin(
        &self,
        gate: &Gate,
        hosted: &Arc<Hosted>,
        visit: &Visit,
        params: Params,
    ) -> Result<Begun, Refusal> {
        accepts(hosted, &params.value)?;
        let push = params
            .value
            .pointer("/configuration/taskPushNotificationConfig")
            .cloned();
        if let Some(config) = &push {
            push::check_address(gate, config)?;
        }
        if let Some(task_id) = params.task_id() {
            let caller = visit.caller.as_ref();
            let row = push::task_of(gate, &visit.agent, caller, Some(task_id)).await?;
            return self
                .follow_up(gate, hosted, visit, params, (row, push))
                .await;
        }
        let message = params.value.get("message").cloned().unwrap_or_default();
        if let Some(context) = message.get("contextId").and_then(Value::as_str) {
            let caller = visit.caller.as_ref();
            let open = gate
                .store
                .context_claim(&visit.agent, context, caller)
                .await?;
            if !open {
                return Err(foreign_context().into());
            }
        }
        let (first, begun) = oneshot::channel();
        let (listener, events) = live::listener();
        let job = Job {
            visit: visit.clone(),
            message,
            row: None,
            resumed: false,
            push,
        };
        let ears = Ears {
            first,
            events: listener,
        };
        self.start(gate, hosted, Run::new(gate, hosted, &job, Some(ears)), None);
        match begun.await {
            Ok(First::Message(item)) => Ok(Begun::Message(item)),
            Ok(First::Task(live)) => Ok(Begun::Task(live.task(), live, events)),
            Ok(First::Failed(error)) => Err(error.into()),
            Err(_) => Err(RpcError::new(ErrorCode::Internal, "the gateway is stopping").into()),
        }
    }

    /// A message to a task that is open: into its history and its inbox in one commit.
    async fn follow_up(
        &self,
        gate: &Gate,
        hosted: &Arc<Hosted>,
        visit: &Visit,
        params: Params,
        (row, push): (TaskRow, Option<Value>),
    ) -> Result<Begun, Refusal> {
        let mut message = params.value.get("message").cloned().unwrap_or_default();
        let context = message.get("contextId").and_then(Value::as_str);
        if context.is_some_and(|context| context != row.context_id) {
            let text = "The task belongs to another conversation.";
            return Err(RpcError::invalid_params("message.contextId", text).into());
        }
        message["contextId"] = json!(row.context_id);
        let (runner, now) = (self.0.runner.clone(), gate.store.clock().now());
        let queued = message.clone();
        let (ours, row) = gate
            .store
            .task_change(&visit.agent, &row.task_id, move |row| {
                if TaskState::parse(&row.state).is_some_and(TaskState::terminal) {
                    return None;
                }
                add_to_history(&mut row.task, &queued);
                let idle = row.inbox.is_empty() || row.lease_until < now;
                row.inbox.push(queued);
                if idle {
                    row.runner = Some(runner);
                    row.lease_until = now + LEASE;
                }
                Some(idle)
            })
            .await?;
        let Some(ours) = ours else {
            let text = "the task is over; begin a new one";
            return Err(RpcError::new(ErrorCode::UnsupportedOperation, text).into());
        };
        if let Some(config) = &push {
            push::keep(gate, &visit.agent, &row.task_id, config, visit.version).await?;
        }
        let (listener, events) = live::listener();
        let live = self.watched(gate, &row);
        let task = live.attach(listener);
        if ours {
            let job = Job {
                visit: visit.clone(),
                message,
                row: Some(row),
                resumed: false,
                push: None,
            };
            self.take_up(gate, hosted, job, live.clone());
        }
        Ok(Begun::Task(task, live, events))
    }

    /// Ends a task for good, whoever works on it.
    async fn cancel(&self, gate: &Gate, row: TaskRow) -> Result<Reply, Refusal> {
        let now = gate.store.clock().now();
        let (canceled, row) = gate
            .store
            .task_change(&row.agent_id, &row.task_id, move |row| {
                if TaskState::parse(&row.state).is_some_and(TaskState::terminal) {
                    return None;
                }
                let update = json!({
                    "taskId": row.task_id,
                    "contextId": row.context_id,
                    "status": {
                        "state": TaskState::Canceled.as_str(Version::V1_0),
                        "timestamp": rfc3339(now),
                    },
                });
                let item = Item {
                    kind: protocol::a2a::translate::Kind::Status,
                    value: update,
                    last: None,
                };
                protocol::a2a::translate::apply(&mut row.task, &item);
                row.state = TaskState::Canceled.as_str(Version::V0_3).to_owned();
                row.cancel_requested = true;
                row.status_at = now;
                row.inbox.clear();
                (row.runner, row.lease_until) = (None, 0);
                Some(item)
            })
            .await?;
        let Some(item) = canceled else {
            let error = RpcError::new(ErrorCode::TaskNotCancelable, "the task is over");
            return Err(error.into());
        };
        let configs = gate.store.push_configs(&row.agent_id, &row.task_id).await?;
        gate.store
            .push_queue(&configs, &item.write(Version::V1_0, false))
            .await?;
        if let Some(live) = self.live(&(row.agent_id.clone(), row.task_id.clone())) {
            live.publish(row.task.clone(), &Event::Item(item));
            live.cancel.cancel();
        }
        Ok(Reply::Item(Item::task(row.task)))
    }

    fn subscribe(&self, gate: &Gate, row: &TaskRow, version: Version) -> Result<Reply, Refusal> {
        if status_of(&row.task).terminal() {
            let text = "the task is over; GetTask reads it";
            return Err(RpcError::new(ErrorCode::UnsupportedOperation, text).into());
        }
        let (listener, events) = live::listener();
        let live = self.watched(gate, row);
        let task = live.attach(listener);
        // Who attaches in 1.0 hears of the task to its end, however often it waits meanwhile.
        Ok(pieces(
            task,
            events,
            match version {
                Version::V0_3 => Item::closes,
                Version::V1_0 => |item| item.state().is_some_and(TaskState::terminal),
            },
        ))
    }

    /// The task in memory; one that another process works on is watched through the store.
    fn watched(&self, gate: &Gate, row: &TaskRow) -> Arc<Live> {
        let key = (row.agent_id.clone(), row.task_id.clone());
        let mut all = self.lock();
        if let Some(live) = all.get(&key) {
            return live.clone();
        }
        let live = Arc::new(Live::new(row.task.clone(), CancellationToken::new()));
        all.insert(key, live.clone());
        drop(all);
        if row.runner.as_ref() != Some(&self.0.runner) {
            watch::start(gate, row, live.clone());
        }
        live
    }

    /// Runs in the background until the work is over, message after message.
    pub(super) fn take_up(&self, gate: &Gate, hosted: &Arc<Hosted>, job: Job, live: Arc<Live>) {
        let task_id = job.row.as_ref().map(|row| row.task_id.clone());
        let run = Run::new(gate, hosted, &job, None);
        let run = run.with_task(&task_id.unwrap_or_default(), live);
        self.start(gate, hosted, run, job.row.map(|row| (row, job.resumed)));
    }

    fn start(&self, gate: &Gate, hosted: &Arc<Hosted>, run: Run, row: Option<(TaskRow, bool)>) {
        let (gate, hosted, host) = (gate.clone(), hosted.clone(), self.clone());
        let stop = self.0.stop.clone();
        self.0.runs.spawn(async move {
            let work = async {
                let (row, resumed) =
                    row.map_or((None, false), |(row, resumed)| (Some(row), resumed));
                let mut next = run.work(row.as_ref(), resumed).await;
                while let Some(row) = next {
                    next = host.next(&gate, &hosted, &row).await;
                }
            };
            // A run that is broken off here is taken up by the next process.
            let _ = stop.run_until_cancelled(work).await;
        });
    }

    async fn next(&self, gate: &Gate, hosted: &Arc<Hosted>, row: &TaskRow) -> Option<TaskRow> {
        let live = self.watched(gate, row);
        let job = Job {
            visit: super::run::visit_of(row),
            message: row.inbox.first().cloned().unwrap_or_default(),
            row: None,
            resumed: false,
            push: None,
        };
        let run = Run::new(gate, hosted, &job, None).with_task(&row.task_id, live);
        Box::pin(run.work(Some(row), false)).await
    }
}

/// The task, then what happens to it until an item that ends the stream.
fn pieces(task: Value, events: Events, ends: fn(&Item) -> bool) -> Reply {
    let first = Item::task(task);
    let over = first.state().is_some_and(TaskState::terminal);
    let first = stream::iter([Ok(Piece::Item(first))]);
    if over {
        return Reply::Stream(first.boxed());
    }
    let rest = stream::unfold(Some(events), move |events| async move {
        let mut events = events?;
        loop {
            match events.recv().await? {
                Event::Item(item) => {
                    let ended = ends(&item);
                    return Some((Ok(Piece::Item(item)), (!ended).then_some(events)));
                }
                // The work on the messages so far is over; whoever waits for the end waits on.
                Event::Idle(_) => {}
            }
        }
    });
    Reply::Stream(first.chain(rest).boxed())
}

fn add_to_history(task: &mut Value, message: &Value) {
    let Some(members) = task.as_object_mut() else {
        return;
    };
    let history = members.entry("history").or_insert_with(|| json!([]));
    if let Some(list) = history.as_array_mut() {
        list.push(message.clone());
    }
}

/// A media type that the card does not name is refused with -32005.
fn accepts(hosted: &Hosted, params: &Value) -> Result<(), RpcError> {
    let modes = &hosted.modes;
    if modes.iter().any(|mode| mode == "*/*" || mode == "*") {
        return Ok(());
    }
    let parts = params.pointer("/message/parts").and_then(Value::as_array);
    for part in parts.into_iter().flatten() {
        let file = part.get("raw").is_some() || part.get("url").is_some();
        let Some(media_type) = part.get("mediaType").and_then(Value::as_str) else {
            continue;
        };
        if file && !modes.iter().any(|mode| mode == media_type) {
            return Err(RpcError::new(
                ErrorCode::ContentTypeNotSupported,
                format!("the agent does not take {media_type}"),
            ));
        }
    }
    Ok(())
}

fn no_extended_card(version: Version) -> RpcError {
    match version {
        Version::V0_3 => RpcError::new(
            ErrorCode::ExtendedAgentCardNotConfigured,
            "this agent has no extended card",
        ),
        Version::V1_0 => RpcError::new(
            ErrorCode::UnsupportedOperation,
            "this agent has no extended card",
        ),
    }
}
