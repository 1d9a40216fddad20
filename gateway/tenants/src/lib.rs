//! The first-party agents, and the small trait by which the gateway's host serves them.
//!
//! A tenant has no private door: it is listed, found, limited and called like anyone.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use protocol::a2a::card::serve::CardSource;
use protocol::a2a::message::{Message, Part};
use protocol::a2a::translate::TaskState;
use serde_json::{Map, Value};

mod echo;

pub use echo::Echo;

/// An agent served by this process.
pub trait Tenant: Send + Sync + 'static {
    /// Its name: the agent id is `guildhall-{name}`.
    fn name(&self) -> &'static str;

    /// What its card says; the host adds addresses, versions, capabilities and security.
    fn card(&self) -> CardSource;

    /// One line for search on what it does best.
    fn specialty(&self) -> &'static str;

    /// How many messages it works on at once; others wait.
    fn concurrency(&self) -> usize {
        64
    }

    /// Answers one message by sending updates; returns when the work on it is over.
    ///
    /// One [`Update::Message`] and nothing else is an answer without a task. Any other update
    /// makes a task, which ends as `completed` unless the tenant said what else it became.
    ///
    /// # Errors
    /// [`Failure`] when the message cannot be answered; nothing is charged then. A task that was
    /// begun ends as `failed`.
    fn answer<'a>(
        &'a self,
        context: &'a Context,
        message: Message,
        updates: &'a dyn Updates,
    ) -> BoxFuture<'a, Result<(), Failure>>;
}

/// What the host hands to a tenant.
#[derive(Clone)]
pub struct Context {
    /// The agent id of the caller; `None` for nobody.
    pub caller: Option<String>,
    /// The time of the question, in milliseconds since 1970.
    pub now: i64,
    /// The task that the message goes on with, in the JSON of A2A 1.0; `None` where it begins one.
    pub task: Option<Value>,
    /// True when the work on this message was broken off by the end of a process: what was sent
    /// until then is in `task`, and is not to be sent again.
    pub resumed: bool,
    /// The time, whenever it is asked.
    pub clock: Arc<dyn Fn() -> i64 + Send + Sync>,
    /// New ids with a prefix.
    pub ids: Arc<dyn Fn(&str) -> String + Send + Sync>,
    /// Other agents.
    pub hire: Arc<dyn Hire>,
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("caller", &self.caller)
            .field("now", &self.now)
            .field("resumed", &self.resumed)
            .finish_non_exhaustive()
    }
}

/// Calls of a tenant to other agents, through the doors that everyone uses. Free agents only.
pub trait Hire: Send + Sync + 'static {
    /// Asks an agent and waits for its answer.
    fn hire(&self, order: Order) -> BoxFuture<'_, Result<Hired, Failure>>;
}

/// What is asked of another agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// Whom to call.
    pub agent_id: String,
    /// Which skill is meant.
    pub skill: Option<String>,
    /// What is said, bare data.
    pub payload: Value,
}

/// Another agent's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Hired {
    /// Finds the record at `/calls/{id}`.
    pub transaction_id: String,
    /// The agent's own HTTP status.
    pub status: u16,
    /// What it said.
    pub body: Value,
}

/// One step of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Update {
    /// The whole answer, as a message without a task.
    Message(Vec<Part>),
    /// The task stands elsewhere now, and what is said about it.
    Status(TaskState, Vec<Part>),
    /// A result.
    Artifact(Artifact),
}

/// A result, or a piece of one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Artifact {
    /// Its id within the task; the same id again replaces or extends it.
    pub id: String,
    /// A name for people or files.
    pub name: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// What it holds.
    pub parts: Vec<Part>,
    /// Free members.
    pub metadata: Map<String, Value>,
    /// Whether the parts go behind those that the artifact has.
    pub append: bool,
    /// Whether the artifact is whole with this; `None` says nothing about it.
    pub last: Option<bool>,
}

/// Where updates go.
pub trait Updates: Send + Sync {
    /// Takes the next update; when it returns, the update outlives the process.
    ///
    /// # Errors
    /// [`Stopped`] when nobody wants the work any more.
    fn send(&self, update: Update) -> BoxFuture<'_, Result<(), Stopped>>;
}

/// The task was canceled, or cannot be kept: the work should end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// Why a message is not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Whose fault it is.
    pub fault: Fault,
    /// For the caller.
    pub reason: String,
}

/// Whose fault a failure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The message is one that the tenant cannot work with.
    Message,
    /// The tenant failed.
    Tenant,
}

impl From<Stopped> for Failure {
    fn from(_: Stopped) -> Self {
        Self {
            fault: Fault::Tenant,
            reason: "the work was stopped".to_owned(),
        }
    }
}

/// The tenants that every gateway serves.
#[must_use]
pub fn all() -> Vec<Box<dyn Tenant>> {
    vec![Box::new(Echo)]
}
