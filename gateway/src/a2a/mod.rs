//! A2A between the doors and whoever answers: what a request is, and one form of reply for agents
//! hosted here and elsewhere.

use futures_util::stream::BoxStream;
use protocol::a2a::message::MessageError;
use protocol::a2a::rpc::{ErrorCode, RpcError};
use protocol::a2a::translate::Item;
use registry::error::Error;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::problem::Problem;

pub mod listing;
pub mod push;
mod write;

pub use write::{answered, problem_error, refused, result_of};
pub(crate) use write::{with_raw, written};

/// What an operation gives.
pub enum Reply {
    /// A task or a message, to be written in the client's dialect.
    Item(Item),
    /// The result of another operation in 1.0's form, to be written in the client's dialect.
    Value(Value),
    /// A result in the client's dialect already, byte for byte.
    Raw(Box<RawValue>),
    /// Items until the stream ends.
    Stream(Pieces),
}

/// The items of a stream; an error ends it.
pub type Pieces = BoxStream<'static, Result<Piece, RpcError>>;

/// One item of a stream.
#[derive(Debug)]
pub enum Piece {
    /// To be written in the client's dialect.
    Item(Item),
    /// In the client's dialect already, byte for byte.
    Raw(Box<RawValue>),
}

/// Why an operation gives nothing.
#[derive(Debug)]
pub enum Refusal {
    /// In A2A's own words.
    Rpc(RpcError),
    /// The agent's own error, to be written in the client's dialect.
    Agent(RpcError),
    /// An error object of the agent in the client's dialect, byte for byte.
    Raw(Box<RawValue>),
    /// In ours.
    Problem(Problem),
}

impl Refusal {
    /// The same, where the agent was reached before it came to this.
    #[must_use]
    pub fn after_the_call(self) -> Self {
        match self {
            Self::Problem(problem) => Self::Problem(problem.reached()),
            Self::Rpc(error) => Self::Agent(error),
            other => other,
        }
    }

    /// Whether the agent was, or may have been, reached.
    #[must_use]
    pub fn reached(&self) -> bool {
        match self {
            Self::Agent(_) | Self::Raw(_) => true,
            Self::Rpc(error) => error.code == ErrorCode::InvalidAgentResponse.number(),
            Self::Problem(problem) => problem.has_reached(),
        }
    }
}

impl From<RpcError> for Refusal {
    fn from(error: RpcError) -> Self {
        Self::Rpc(error)
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<crate::call::CallFailure> for Refusal {
    fn from(failure: crate::call::CallFailure) -> Self {
        Self::Problem(failure.into())
    }
}

impl From<Error> for Refusal {
    /// A task that does not exist is A2A's to say; so is a conversation of somebody else's.
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound("task") => Self::Rpc(unknown_task()),
            Error::Conflict {
                pointer: "/message/contextId",
                ..
            } => Self::Rpc(foreign_context()),
            other => Self::Problem(other.into()),
        }
    }
}

/// -32001: no such task, or none that the caller may see.
#[must_use]
pub fn unknown_task() -> RpcError {
    RpcError::new(
        ErrorCode::TaskNotFound,
        "task not found: there is none of this id, or it is not yours",
    )
}

/// -32602: the conversation belongs to another caller.
#[must_use]
pub fn foreign_context() -> RpcError {
    RpcError::invalid_params(
        "message.contextId",
        "The conversation is not yours; leave contextId out to begin a new one.",
    )
}

/// -32602 about the place that could not be understood.
#[must_use]
pub fn invalid(error: &MessageError) -> RpcError {
    let field = error.pointer.trim_start_matches('/').replace('/', ".");
    RpcError::invalid_params(&field, &error.reason)
}
