//! The stream of an agent elsewhere, item by item as it comes, and never longer than its client.

use std::collections::VecDeque;
use std::time::Duration;

use futures_util::stream::{self, StreamExt as _};
use protocol::a2a::rpc::{ErrorCode, RpcError};
use protocol::a2a::translate::{Item, Kind, StreamTranslation, apply};
use protocol::a2a::{Operation, Version, rest, sse};
use registry::agent::AgentId;
use registry::client::Incoming;
use registry::store::{CallOutcome, TaskRow};

use serde_json::Value;
use serde_json::value::RawValue;

use super::recorded::Pending;
use super::relay::{self, Envelope, Relay, Relayed, item_of, no_a2a, not_valid};
use super::shaped::Tongue;
use super::targets::Pass;
use super::{
    CallFailure, Shaped, Verified, code_of, departure, headers, hooks, patience, routed, shaped,
};
use crate::a2a::{Piece, Refusal, Reply};
use crate::gate::Gate;
use crate::problem::Code;

/// How long a stream may last in all.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// Opens the stream: an error before its first item is an ordinary one.
pub(super) async fn open(
    gate: &Gate,
    verified: Verified,
    mut asked: Relay,
) -> Result<Relayed, Refusal> {
    let hook = hooks::before_send(gate, &verified, &mut asked).await?;
    let left = verified.left;
    let patience = patience(gate, &verified.listed.agent.profile);
    let (shaped, upstream) = shaped::relayed(gate, verified, &asked)?;
    let sent = send(gate, &shaped, patience).await;
    let outcome = sent
        .as_ref()
        .map_or_else(|failure| failure.0, |_| CallOutcome::Answered);
    let now = gate.store.clock().now();
    shaped.verified.pass.ended(outcome, false, now);
    let known = known_task(gate, &shaped, &asked).await;
    let mut passage = Passage::new(gate, shaped, &asked, upstream, hook);
    if let Some(task) = known {
        passage.translation = StreamTranslation::of_task(asked.version, task);
    }
    let transaction_id = passage.pending.transaction_id().to_owned();
    let incoming = match sent {
        Ok(incoming) => incoming,
        Err(failure) => {
            passage.pending.outcome(failure.0);
            return Err(failure.1.into());
        }
    };
    passage.status = incoming.status;
    passage.pending.status(incoming.status);
    let passed = headers::returned(&incoming.headers);
    let events = incoming
        .headers
        .get(http::header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|media| media.to_ascii_lowercase().starts_with("text/event-stream"));
    let pieces = if events {
        let first = in_time(patience, passage.first(incoming)).await?;
        stream::unfold(first, |mut passage| async move {
            let piece = passage.next().await?;
            Some((piece, passage))
        })
        .boxed()
    } else {
        let items = in_time(patience, passage.whole(incoming)).await?;
        stream::iter(items.into_iter().map(Ok)).boxed()
    };
    Ok(Relayed {
        reply: Reply::Stream(pieces),
        left,
        transaction_id: Some(transaction_id),
        headers: passed,
        pending: None,
    })
}

/// The task that is attached to: an agent of 0.3 may begin with an update, and 1.0 begins with the task.
async fn known_task(gate: &Gate, shaped: &Shaped, asked: &Relay) -> Option<Value> {
    if asked.params.operation != Operation::Subscribe {
        return None;
    }
    let (agent, id) = (&shaped.verified.listed.agent.id, asked.params.task_id()?);
    let row = gate.store.task_by_id(agent, id).await.ok()?;
    Some(row.task)
}

/// What comes first comes within the usual time of an answer.
async fn in_time<T>(
    patience: Duration,
    work: impl Future<Output = Result<T, Refusal>>,
) -> Result<T, Refusal> {
    tokio::time::timeout(patience, work)
        .await
        .unwrap_or_else(|_| {
            let failure = CallFailure::new(Code::UpstreamTimeout, "no answer in time");
            Err(Refusal::from(failure).after_the_call())
        })
}

async fn send(
    gate: &Gate,
    shaped: &Shaped,
    patience: Duration,
) -> Result<Incoming, (CallOutcome, CallFailure)> {
    let request = departure::outgoing(gate, shaped, LONGEST)
        .map_err(|failure| (CallOutcome::Refused, failure))?;
    match tokio::time::timeout(patience, gate.client.send(request)).await {
        Ok(Ok(incoming)) => Ok(incoming),
        Ok(Err(error)) => {
            let outcome = routed::class(&error);
            Err((
                outcome,
                CallFailure::new(code_of(outcome), error.to_string()),
            ))
        }
        Err(_) => {
            let failure = CallFailure::new(Code::UpstreamTimeout, "no answer in time");
            Err((CallOutcome::TimedOut, failure))
        }
    }
}

/// A stream on its way. Dropping it closes the agent's connection, which records the call, and
/// keeps what is known of the task.
struct Passage {
    gate: Gate,
    agent_id: AgentId,
    caller: Option<AgentId>,
    version: Version,
    operation: Operation,
    upstream: Tongue,
    same: bool,
    hook: Option<hooks::Early>,
    incoming: Option<Incoming>,
    reader: sse::Reader,
    events: Vec<sse::Event>,
    ready: VecDeque<Result<Piece, RpcError>>,
    translation: StreamTranslation,
    /// Bytes of its items so far.
    told: usize,
    /// The task as the items so far add up.
    task: Option<TaskRow>,
    over: bool,
    pending: Pending,
    status: u16,
    /// Its places are held as long as it lasts.
    _pass: Pass,
}

impl Passage {
    fn new(
        gate: &Gate,
        shaped: Shaped,
        asked: &Relay,
        upstream: Tongue,
        hook: Option<hooks::Early>,
    ) -> Self {
        Self {
            gate: gate.clone(),
            agent_id: shaped.verified.listed.agent.id.clone(),
            caller: shaped.verified.caller.clone(),
            version: asked.version,
            operation: asked.params.operation,
            upstream,
            same: upstream.version == asked.version && !upstream.rest && !asked.rest,
            hook,
            incoming: None,
            reader: sse::Reader::new(gate.fixed.settings.call.event_bytes),
            events: Vec::new(),
            ready: VecDeque::new(),
            translation: StreamTranslation::new(asked.version),
            told: 0,
            task: None,
            over: false,
            pending: Pending::begin(gate, super::recorded::begin(gate, &shaped, "a2a")),
            status: 0,
            _pass: shaped.verified.pass,
        }
    }

    /// Reads up to the first item, so that an early error can be an ordinary answer.
    async fn first(mut self, incoming: Incoming) -> Result<Self, Refusal> {
        self.incoming = Some(incoming);
        match self.next().await {
            Some(Ok(piece)) => {
                self.ready.push_front(Ok(piece));
                Ok(self)
            }
            Some(Err(error)) => Err(error.into()),
            None => Err(no_a2a(self.status, "its stream holds no item").into()),
        }
    }

    /// An answer that is no stream: an error, or the one item.
    async fn whole(mut self, incoming: Incoming) -> Result<Vec<Piece>, Refusal> {
        let status = incoming.status;
        let bytes = match incoming.bytes().await {
            Ok(bytes) => bytes,
            Err(error) => {
                let outcome = routed::class(&error);
                self.pending.outcome(outcome);
                return Err(CallFailure::new(code_of(outcome), error.to_string()).into());
            }
        };
        self.pending.add(&bytes);
        if self.upstream.rest {
            let text = String::from_utf8_lossy(&bytes);
            let item = relay::over_rest(&text, self.operation, status, self.upstream.version)
                .map_err(Refusal::Agent)?;
            self.noted(&item).await?;
            let items = self.translation.items(item);
            return Ok(items.into_iter().map(Piece::Item).collect());
        }
        let envelope: Envelope<'_> = serde_json::from_slice(&bytes)
            .map_err(|_| no_a2a(status, "it is neither a stream nor a JSON-RPC answer"))?;
        match (envelope.result, envelope.error) {
            (_, Some(error)) => Err(relay::refused(error, self.version, self.same, status)),
            (Some(result), None) => {
                let item = item_of(result).map_err(|error| not_valid(status, &error))?;
                self.noted(&item).await?;
                let items = self.translation.items(item);
                Ok(items.into_iter().map(Piece::Item).collect())
            }
            (None, None) => Err(no_a2a(status, "it has neither result nor error").into()),
        }
    }

    async fn next(&mut self) -> Option<Result<Piece, RpcError>> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Some(piece);
            }
            if self.over {
                return None;
            }
            if let Err(error) = self.read_on().await {
                self.over = true;
                return Some(Err(error));
            }
        }
    }

    async fn read_on(&mut self) -> Result<(), RpcError> {
        let Some(incoming) = &mut self.incoming else {
            self.over = true;
            return Ok(());
        };
        let piece = match incoming.piece().await {
            Ok(Some(piece)) => piece,
            Ok(None) => {
                self.over = true;
                return if self.translation.rests() {
                    Ok(())
                } else {
                    Err(broken())
                };
            }
            Err(error) => {
                self.pending.outcome(routed::class(&error));
                return Err(broken());
            }
        };
        self.pending.add(&piece);
        let mut events = std::mem::take(&mut self.events);
        let read = self.reader.push(&piece, &mut events);
        for event in events.drain(..) {
            if !self.over {
                self.take(&event.data).await?;
            }
        }
        self.events = events;
        read.map_err(|error| {
            self.pending.outcome(CallOutcome::TooLarge);
            no_a2a(self.status, &error.to_string())
        })
    }

    /// One event: a JSON-RPC answer whose id is not trusted, or an error whatever its type.
    async fn take(&mut self, data: &str) -> Result<(), RpcError> {
        let status = self.status;
        self.told = self.told.saturating_add(data.len());
        if protocol::json::check(data.as_bytes(), false).is_err() {
            return Err(no_a2a(status, "an event is no JSON"));
        }
        if self.upstream.rest {
            let item = rest_event(data, status, self.upstream.version)?;
            return self.given(item, None).await;
        }
        let envelope: Envelope<'_> = serde_json::from_str(data)
            .map_err(|_| no_a2a(status, "an event is no JSON-RPC answer"))?;
        if let Some(error) = envelope.error {
            return Err(match relay::refused(error, self.version, false, status) {
                Refusal::Rpc(error) | Refusal::Agent(error) => error,
                _ => no_a2a(status, "its error has no code"),
            });
        }
        let Some(result) = envelope.result else {
            return Err(no_a2a(status, "an event has neither result nor error"));
        };
        let item = item_of(result).map_err(|error| not_valid(status, &error))?;
        self.given(item, Some(result.to_owned())).await
    }

    /// An item of the stream, with its bytes where they may pass.
    async fn given(&mut self, item: Item, raw: Option<Box<RawValue>>) -> Result<(), RpcError> {
        let before = self.translation.ended();
        let items = match self.same {
            // What passes as it came is not held to an end of ours.
            true => self.translation.items(item.clone()),
            false => self
                .translation
                .take(item.clone())
                .map_err(|error| not_valid(self.status, &error))?,
        };
        if self.noted(&item).await.is_err() {
            return Err(crate::a2a::unknown_task());
        }
        if let (true, Some(raw)) = (self.same, raw) {
            self.ready.push_back(Ok(Piece::Raw(raw)));
        } else if !before {
            self.ready
                .extend(items.into_iter().map(|item| Ok(Piece::Item(item))));
            self.over = self.translation.ended();
        }
        Ok(())
    }

    /// The first item that names the task makes it the caller's, before the caller hears of it;
    /// later ones are added up and kept when the stream is over.
    async fn noted(&mut self, item: &Item) -> Result<(), Refusal> {
        match &mut self.task {
            // An event about another task is not this one's, and whose it is nobody has asked.
            Some(row) if item.task_id().is_some_and(|id| id != row.task_id) => {
                return Err(crate::a2a::unknown_task().into());
            }
            Some(row) => {
                // A stream may be longer than memory: of one that is, only the states are kept.
                let most = self.gate.fixed.settings.call.response_bytes;
                if self.told > most {
                    if item.kind == Kind::Artifact {
                        return Ok(());
                    }
                    // What was said with the state before would go into the history.
                    let status = row.task.get_mut("status").and_then(Value::as_object_mut);
                    status.and_then(|status| status.shift_remove("message"));
                }
                apply(&mut row.task, item);
                let state = protocol::a2a::translate::status_of(&row.task);
                row.state = state.as_str(Version::V0_3).to_owned();
            }
            None => {
                relay::keep(&self.gate, &self.agent_id, self.caller.as_ref(), item).await?;
                let hook = self.hook.take();
                hooks::after_send(&self.gate, hook, item).await?;
                if let Some(id) = item.task_id() {
                    self.task = Some(self.gate.store.task_by_id(&self.agent_id, id).await?);
                }
            }
        }
        Ok(())
    }
}

/// An event of the HTTP+JSON binding: a bare item, or an error.
fn rest_event(data: &str, status: u16, version: Version) -> Result<Item, RpcError> {
    let value: Value = serde_json::from_str(&protocol::exact::shield(data))
        .map_err(|_| no_a2a(status, "an event is no JSON"))?;
    if let Some(error) = rest::stream_error(&value) {
        return Err(error);
    }
    let item = match version {
        Version::V1_0 => Item::read(&value),
        Version::V0_3 => rest::proto::read_item(value),
    };
    item.map_err(|error| not_valid(status, &error))
}

fn broken() -> RpcError {
    RpcError::new(
        ErrorCode::InvalidAgentResponse,
        "the agent's stream broke off; reading the task tells how it stands",
    )
}

impl Drop for Passage {
    fn drop(&mut self) {
        let Some(mut row) = self.task.take() else {
            return;
        };
        row.updated_at = self.gate.store.clock().now();
        row.status_at = row.updated_at;
        let store = self.gate.store.clone();
        tokio::spawn(async move {
            if let Err(error) = store.task_seen(row).await {
                crate::problem::log_cause("a task was not kept", &error);
            }
        });
    }
}
