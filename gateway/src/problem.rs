//! The one file that turns failures into HTTP answers (RFC 9457, `application/problem+json`).
//!
//! The framework's own failures leave through [`from_framework`] in the same shape. The
//! cause of a failure goes to the log, once, here; `detail` is written for the caller.

use std::error::Error as StdError;

use poem::error::{MethodNotAllowedError, NotFoundError};
use poem::http::{HeaderValue, StatusCode, header};
use poem::{IntoResponse, Response};
use poem_openapi::error::{AuthorizationError, ContentTypeError, ParseParamError, ParsePathError};
use poem_openapi::registry::{MetaResponse, MetaResponses, Registry};
use poem_openapi::{ApiResponse, Object};
use protocol::a2a::card::{Refusal, RefusalCode};
use registry::error::{Error, Invalid, InvalidKind};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::call::CallFailure;
use crate::limits::{Exceeded, Left};

pub mod catalogue;

pub use catalogue::Code;

/// A failed answer on its way out.
#[derive(Debug, Clone)]
pub struct Problem(Box<Inner>);

#[derive(Debug, Clone)]
struct Inner {
    code: Code,
    detail: String,
    hint: Option<String>,
    pointer: Option<String>,
    retry_after: Option<u64>,
    limit: Option<Left>,
    reached: bool,
    more: Map<String, Value>,
    /// Members whose JSON must not be touched, since numbers would change.
    exact: Vec<(&'static str, String)>,
}

/// What a failed answer looks like.
#[derive(Debug, Clone, Serialize, Object)]
#[oai(rename = "Problem")]
pub struct ProblemView {
    /// A URI reference that names the code.
    #[serde(rename = "type")]
    #[oai(rename = "type")]
    pub kind: String,
    /// One sentence, the same for every occurrence of the code.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// From the closed catalogue.
    pub code: String,
    /// What happened this time; enough to act on.
    pub detail: String,
    /// Whether the same request may succeed later and is safe to repeat.
    pub retryable: bool,
    /// What would help.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub hint: Option<String>,
    /// JSON Pointer (RFC 6901) to the field that was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[oai(skip_serializing_if_is_none)]
    pub pointer: Option<String>,
    /// Stands in the log as well.
    pub request_id: String,
}

impl Problem {
    /// A failure with what happened this time.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            code,
            detail: detail.into(),
            hint: None,
            pointer: None,
            retry_after: None,
            limit: None,
            reached: false,
            more: Map::new(),
            exact: Vec::new(),
        }))
    }

    /// Adds what would help.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Adds where the refused field stands.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.0.pointer = Some(pointer.into());
        self
    }

    /// Adds when to come back, in seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.0.retry_after = Some(seconds);
        self
    }

    /// The same, where an agent was, or may have been, reached before it came to this.
    #[must_use]
    pub fn reached(mut self) -> Self {
        self.0.reached = true;
        self
    }

    /// Whether an agent was, or may have been, reached.
    #[must_use]
    pub fn has_reached(&self) -> bool {
        self.0.reached
    }

    /// Adds a member of this code's own.
    #[must_use]
    pub fn with(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.0.more.insert(member.to_owned(), value.into());
        self
    }

    /// The code.
    #[must_use]
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The JSON body.
    #[must_use]
    pub fn body(&self, request_id: &str) -> Value {
        let entry = self.0.code.entry();
        let view = ProblemView {
            kind: format!("/docs#{}", entry.name),
            title: entry.title.to_owned(),
            status: entry.status,
            code: entry.name.to_owned(),
            detail: self.0.detail.clone(),
            retryable: entry.retryable,
            hint: self.0.hint.clone(),
            pointer: self.0.pointer.clone(),
            request_id: request_id.to_owned(),
        };
        let mut body = serde_json::to_value(view).unwrap_or_default();
        if let Some(members) = body.as_object_mut() {
            members.extend(self.0.more.clone());
        }
        body
    }

    /// The JSON body as it is written: with the members whose numbers must stay exact.
    #[must_use]
    pub fn text(&self, request_id: &str) -> String {
        let mut text = self.body(request_id).to_string();
        for (name, json) in &self.0.exact {
            text.pop();
            text.push_str(&format!(",\"{name}\":{json}}}"));
        }
        text
    }

    /// The finished answer.
    #[must_use]
    pub fn respond(&self, request_id: &str) -> Response {
        let entry = self.0.code.entry();
        let status =
            StatusCode::from_u16(entry.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = Response::builder()
            .status(status)
            .content_type("application/problem+json")
            .body(self.text(request_id));
        if status == StatusCode::UNAUTHORIZED {
            let challenge = HeaderValue::from_static("Bearer realm=\"guildhall\"");
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, challenge);
        }
        let limit = self.0.limit.map(Left::headers);
        for (name, value) in limit.into_iter().flatten() {
            if let Ok(value) = HeaderValue::try_from(value) {
                response.headers_mut().insert(name, value);
            }
        }
        if let Some(seconds) = self.0.retry_after {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl IntoResponse for Problem {
    /// The body is written at the very end, where the request id is known.
    fn into_response(self) -> Response {
        let mut response = Response::builder()
            .status(StatusCode::INTERNAL_SERVER_ERROR)
            .finish();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Problem> for poem::Error {
    fn from(problem: Problem) -> Self {
        let mut error = Self::from_response(Response::default());
        // What rides on the error itself is what its response keeps.
        error.set_data(problem);
        error
    }
}

impl ApiResponse for Problem {
    /// One default answer: the document's post-processing puts each operation's own codes in its place.
    fn meta() -> MetaResponses {
        let content = poem_openapi::registry::MetaMediaType {
            content_type: "application/problem+json",
            schema: <ProblemView as poem_openapi::types::Type>::schema_ref(),
        };
        let failed = MetaResponse {
            description: "Failed",
            status: None,
            status_range: None,
            content: vec![content],
            headers: vec![],
        };
        MetaResponses {
            responses: vec![failed],
        }
    }

    fn register(registry: &mut Registry) {
        <ProblemView as poem_openapi::types::Type>::register(registry);
    }
}

/// Logs a cause with all that stands behind it.
pub fn log_cause(what: &str, error: &dyn StdError) {
    let mut chain = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        chain.push_str(": ");
        chain.push_str(&cause.to_string());
        source = cause.source();
    }
    tracing::error!(error = chain, "{what}");
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound("key") => {
                Self::new(Code::UnknownKey, "this agent has no such live key")
            }
            Error::NotFound("live key") => {
                Self::new(Code::InvalidKey, "the key was revoked meanwhile")
            }
            Error::NotFound("call") => Self::new(Code::UnknownCall, "no call of yours has this id"),
            Error::NotFound(what) => Self::new(Code::UnknownAgent, format!("no such {what}")),
            Error::Conflict {
                pointer: "/revision",
                ..
            } => Self::new(
                Code::RevisionConflict,
                "the agent changed since the revision you read",
            )
            .hint("read the agent again and repeat the change on it")
            .at("/revision"),
            Error::Conflict { what, pointer } => {
                Self::new(Code::AgentIdTaken, format!("{what} is taken"))
                    .hint(
                        "choose another id, or change your agent with its key through POST /update",
                    )
                    .at(pointer)
            }
            Error::Withdrawn => Self::new(
                Code::AgentWithdrawn,
                "the owner withdrew this agent for good",
            ),
            Error::Suspended(_) => Self::new(
                Code::AgentSuspended,
                "the operator suspended a listing of the same agent",
            ),
            Error::Invalid(invalid) => invalid.into(),
            Error::Store { .. } => {
                log_cause("the store failed", &error);
                Self::new(
                    Code::StoreUnavailable,
                    "the store does not answer; nothing was changed",
                )
                .retry_after(1)
            }
            other => {
                log_cause("the registry failed", &other);
                Self::new(
                    Code::Internal,
                    "the gateway failed; the request id finds the cause in its log",
                )
            }
        }
    }
}

impl From<Invalid> for Problem {
    fn from(invalid: Invalid) -> Self {
        let code = match invalid.kind {
            InvalidKind::Value => Code::InvalidRequest,
            InvalidKind::PublicKey => Code::InvalidPublicKey,
            InvalidKind::ReservedId => Code::ReservedId,
            InvalidKind::MissingContact => Code::MissingContact,
            InvalidKind::PayloadSchema => Code::PayloadSchema,
            InvalidKind::NoFilter => Code::NoFilter,
            InvalidKind::UnsupportedFilter => Code::UnsupportedFilter,
            InvalidKind::Cursor => Code::InvalidCursor,
            InvalidKind::Price => Code::PriceNotAllowed,
            InvalidKind::Terms => Code::InvalidTerms,
        };
        Self::new(code, invalid.reason).at(invalid.pointer)
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let code = match refusal.code {
            RefusalCode::NotJson => Code::NotJson,
            RefusalCode::NotAnAgentCard => Code::NotAnAgentCard,
            RefusalCode::TooLarge => Code::CardTooLarge,
            RefusalCode::TooDeep => Code::CardTooDeep,
            RefusalCode::TooManySkills => Code::TooManySkills,
        };
        let mut problem = Self::new(code, refusal.detail);
        if let Some(kind) = refusal.kind {
            problem = problem.with("kind", kind.as_str());
        }
        if let Some((line, column)) = refusal.position {
            problem = problem.with("line", line).with("column", column);
        }
        match refusal.hint {
            Some(target) => problem.hint(target),
            None => problem,
        }
    }
}

impl From<Exceeded> for Problem {
    fn from(exceeded: Exceeded) -> Self {
        let Exceeded {
            name,
            per_minute,
            retry_after,
        } = exceeded;
        let mut problem = Self::new(
            Code::RateLimited,
            format!("limit `{name}`: {per_minute} a minute; try again in {retry_after} s"),
        );
        problem.0.limit = Some(Left {
            name,
            per_minute,
            remaining: 0,
        });
        problem.retry_after(retry_after).with("limit", name)
    }
}

impl From<CallFailure> for Problem {
    fn from(failure: CallFailure) -> Self {
        let problem = Self::new(failure.code, failure.detail);
        let problem = match failure.transaction_id {
            Some(id) => problem.with("transaction_id", id),
            None => problem,
        };
        let mut problem = problem;
        problem.0.reached = failure.reached;
        for (name, tree) in failure.terms.iter().flat_map(|terms| terms.members()) {
            problem.0.exact.push((name, tree.to_json()));
        }
        let problem = match failure.retry_after {
            Some(seconds) => problem.retry_after(seconds),
            None => problem,
        };
        match failure.pointer {
            Some(pointer) => problem.at(pointer),
            None => problem,
        }
    }
}

/// Gives the framework's own failures the same shape.
#[must_use]
pub fn from_framework(error: &poem::Error) -> Problem {
    if error.is::<NotFoundError>() {
        return Problem::new(Code::NotFound, "no door has this path")
            .hint("GET /docs shows every door; /openapi.json is the same for programs");
    }
    if error.is::<MethodNotAllowedError>() {
        return Problem::new(Code::MethodNotAllowed, "the door does not take this method");
    }
    if error.is::<AuthorizationError>() {
        return Problem::new(
            Code::Unauthorized,
            "send a key as `Authorization: Bearer gh_sk_…`",
        )
        .hint("POST /register gives a key");
    }
    if error.is::<ContentTypeError>() {
        return Problem::new(
            Code::UnsupportedMediaType,
            "send the body as application/json",
        );
    }
    // The framework's text would name a parameter `param1`; only the reason is useful.
    if let Some(bad) = error.downcast_ref::<ParsePathError>() {
        return Problem::new(Code::InvalidRequest, format!("path: {}", bad.reason));
    }
    if let Some(bad) = error.downcast_ref::<ParseParamError>() {
        return Problem::new(
            Code::InvalidRequest,
            format!("query parameter {}: {}", bad.name, bad.reason),
        )
        .at(format!("/{}", bad.name));
    }
    match error.status().as_u16() {
        400 => Problem::new(Code::InvalidRequest, error.to_string()),
        404 => Problem::new(Code::NotFound, "no such thing"),
        405 => Problem::new(Code::MethodNotAllowed, "the door does not take this method"),
        413 => Problem::new(Code::PayloadTooLarge, "the body is too large"),
        415 => Problem::new(
            Code::UnsupportedMediaType,
            "send the body as application/json",
        ),
        _ => {
            tracing::error!(error = %error, "the framework failed");
            Problem::new(
                Code::Internal,
                "the gateway failed; the request id finds the cause in its log",
            )
        }
    }
}
