//! The first-party agents, and the small trait by which the gateway's host serves them.
//!
//! A tenant has no private door: it is listed, found, limited and called like anyone.

use futures_util::future::BoxFuture;
use protocol::a2a::card::serve::CardSource;
use protocol::a2a::message::{Message, Part};

mod echo;

pub use echo::Echo;

/// An agent served by this process.
pub trait Tenant: Send + Sync + 'static {
    /// Its name: the agent id is `guildhall-{name}`.
    fn name(&self) -> &'static str;

    /// What its card says; the host adds addresses, versions and security.
    fn card(&self) -> CardSource;

    /// One line for search on what it does best.
    fn specialty(&self) -> &'static str;

    /// Answers one message by sending updates; returns when the work is over.
    ///
    /// # Errors
    /// [`Failure`] when the message cannot be answered; nothing is charged then.
    fn answer<'a>(
        &'a self,
        context: &'a Context,
        message: Message,
        updates: &'a mut dyn Updates,
    ) -> BoxFuture<'a, Result<(), Failure>>;
}

/// What the host hands to a tenant.
#[derive(Debug, Clone)]
pub struct Context {
    /// The agent id of the caller; `None` for nobody.
    pub caller: Option<String>,
    /// The time of the question, in milliseconds since 1970.
    pub now: i64,
}

/// One step of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Update {
    /// The whole answer, as a message without a task.
    Message(Vec<Part>),
}

/// Where updates go.
pub trait Updates: Send {
    /// Takes the next update.
    fn send(&mut self, update: Update);
}

impl Updates for Vec<Update> {
    fn send(&mut self, update: Update) {
        self.push(update);
    }
}

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

/// The tenants that every gateway serves.
#[must_use]
pub fn all() -> Vec<Box<dyn Tenant>> {
    vec![Box::new(Echo)]
}
