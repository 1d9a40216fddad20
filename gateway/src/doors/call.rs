//! `POST /call`: one question to one agent, whatever it speaks.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use poem::{IntoResponse as _, Request, Response};
use poem_openapi::param::Header;
use poem_openapi::registry::MetaResponses;
use poem_openapi::registry::Registry;
use poem_openapi::{ApiResponse, Object, OpenApi};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::frame;
use super::idempotency::{self, Turn};
use super::payload::{self, Answer, Body, ReadBody};
use super::verbatim::Verbatim;
use crate::call::{self, Answered, Ask, Content};
use crate::caller::{Key, Visitor};
use crate::gate::Gate;
use crate::problem::{Code, Problem};

pub(crate) struct CallDoor(pub(super) Gate);

#[OpenApi]
impl CallDoor {
    /// Call an agent
    ///
    /// When the agent answered this is 200 whatever the agent's own status, which stands in
    /// `status_code`; every other status is ours.
    #[oai(path = "/call", method = "post", operation_id = "call_agent")]
    async fn call(
        &self,
        request: &Request,
        key: Key,
        /// The same key and body give the first answer again, for a day.
        #[oai(name = "Idempotency-Key")]
        idempotency_key: Header<Option<String>>,
        body: Body<CallBody>,
    ) -> Result<CallAnswer, Problem> {
        // Read off the request, where the digest of the body is as well.
        let Header(_) = idempotency_key;
        let gate = &self.0;
        let ask = body.0.into_ask()?;
        match idempotency::begin(gate, request, &key.0).await? {
            Turn::Free => Ok(CallAnswer(response(call::call(gate, &key.0, ask).await?))),
            Turn::First(first) => {
                let work = kept(gate.clone(), key.0, ask, frame::request_id(request));
                Ok(CallAnswer(Box::pin(first.answered(gate, work)).await?))
            }
            Turn::Again(response) => Ok(CallAnswer(response)),
        }
    }
}

/// The answer to a question with a key, and whether the agent was reached for it.
async fn kept(gate: Gate, visitor: Visitor, ask: Ask, request_id: Arc<str>) -> (Response, bool) {
    let outcome = call::call(&gate, &visitor, ask).await;
    match outcome.map_err(Problem::from) {
        Ok(answered) => (response(answered), true),
        Err(problem) => {
            let done = problem.has_reached();
            (problem.respond(&request_id), done)
        }
    }
}

/// A question.
#[derive(Debug, Deserialize, Object)]
#[oai(rename = "CallRequest")]
struct CallBody {
    /// Whom to call.
    agent_id: String,
    /// Who calls; must be the agent of the key.
    #[serde(default)]
    caller_agent_id: Option<String>,
    /// Which skill is meant.
    #[serde(default)]
    skill: Option<String>,
    /// An A2A message of either dialect, a whole JSON-RPC envelope, or a text.
    #[serde(default)]
    message: Option<Verbatim>,
    /// Bare data instead of a message.
    #[serde(default)]
    payload: Option<Verbatim>,
    /// How long the agent may take, in milliseconds.
    #[serde(default)]
    timeout_ms: Option<u64>,
    /// Headers for the agent; credentials pass only in the header that it declared.
    #[serde(default)]
    forwarded_headers: Option<BTreeMap<String, String>>,
    /// GET or POST, for agents that speak plain HTTP.
    #[serde(default)]
    method: Option<String>,
    /// The `terms_digest` of a 409: its suggestion goes instead.
    #[serde(default)]
    accept_terms: Option<String>,
    /// Give the reply in the caller's own declared conventions as well.
    #[serde(default)]
    #[oai(default)]
    convert_reply: bool,
}

impl ReadBody for CallBody {
    fn read(bytes: &[u8]) -> Result<Self, Problem> {
        payload::object(bytes)
    }
}

impl CallBody {
    fn into_ask(self) -> Result<Ask, Problem> {
        let invalid =
            |detail: &str, pointer: &str| Problem::new(Code::InvalidRequest, detail).at(pointer);
        let content = match (self.message, self.payload) {
            (Some(message), None) => Content::Message(message.0),
            (None, Some(payload)) => Content::Payload(payload.0),
            _ => return Err(invalid("give one of message and payload", "/message")),
        };
        if self.timeout_ms == Some(0) {
            return Err(invalid("at least 1", "/timeout_ms"));
        }
        let odd =
            |skill: &String| skill.chars().count() > 128 || skill.chars().any(char::is_control);
        if self.skill.as_ref().is_some_and(odd) {
            return Err(invalid(
                "at most 128 characters, none of them control characters",
                "/skill",
            ));
        }
        Ok(Ask {
            agent_id: self.agent_id,
            caller_agent_id: self.caller_agent_id,
            skill: self.skill,
            content,
            timeout: self.timeout_ms.map(Duration::from_millis),
            forwarded_headers: self
                .forwarded_headers
                .unwrap_or_default()
                .into_iter()
                .collect(),
            method: self.method,
            accept_terms: self.accept_terms,
            convert_reply: self.convert_reply,
        })
    }
}

/// An agent's answer.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "CallAnswer")]
struct CallView {
    /// Finds the record at `/calls/{id}`; also in the header `x-guildhall-transaction-id`.
    transaction_id: String,
    /// Who answered.
    agent_id: String,
    /// The agent's HTTP status.
    status_code: u16,
    /// The agent's own word: JSON as it came, else a text; null when empty.
    body: Option<Verbatim>,
    /// `base64` where the body is neither JSON nor text.
    body_encoding: Option<String>,
    /// The agent's headers, without credentials and cookies.
    response_headers: BTreeMap<String, String>,
    /// Names of forwarded headers that did not pass.
    dropped_headers: Vec<String>,
    /// `a2a-1.0`, `a2a-0.3`, `http` or `mcp`.
    spoken: String,
    /// How long the agent took, in milliseconds.
    duration_ms: i64,
    /// The reply in the caller's own conventions, where it was wished for; `body` stays untouched.
    converted_reply: Option<ConvertedView>,
}

/// A reply in the caller's own conventions.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "ConvertedReply")]
struct ConvertedView {
    /// `unchanged`, `converted`, `not_converted` or `not_checked`.
    state: String,
    /// The copy; of A2A the first data part.
    reply: Option<Verbatim>,
    /// What was converted, or what could not be.
    mismatches: Option<Verbatim>,
}

/// The answer with its headers.
struct CallAnswer(Response);

impl poem::IntoResponse for CallAnswer {
    fn into_response(self) -> Response {
        self.0
    }
}

fn response(answered: Answered) -> Response {
    let left = answered.left;
    let view = CallView::from(answered);
    let id = view.transaction_id.clone();
    let mut response = Answer(view).into_response();
    frame::set_header(&mut response, "x-guildhall-transaction-id", &id);
    frame::tell_limit(&mut response, left);
    response
}

impl ApiResponse for CallAnswer {
    fn meta() -> MetaResponses {
        Answer::<CallView>::meta()
    }

    fn register(registry: &mut Registry) {
        Answer::<CallView>::register(registry);
    }
}

impl From<Answered> for CallView {
    fn from(answered: Answered) -> Self {
        use crate::call::Body as AgentBody;
        let text = |text: String| serde_json::value::to_raw_value(&text).ok();
        let (body, encoding): (Option<Box<RawValue>>, _) = match answered.body {
            AgentBody::Json(raw) => (Some(raw), None),
            AgentBody::Text(plain) => (text(plain), None),
            AgentBody::Base64(encoded) => (text(encoded), Some("base64".to_owned())),
            AgentBody::Empty => (None, None),
        };
        Self {
            transaction_id: answered.transaction_id,
            agent_id: answered.agent_id.to_string(),
            status_code: answered.status_code,
            body: body.map(Verbatim),
            body_encoding: encoding,
            response_headers: answered.response_headers.into_iter().collect(),
            dropped_headers: answered.dropped_headers,
            spoken: answered.spoken.as_str().to_owned(),
            duration_ms: answered.duration_ms,
            converted_reply: answered.converted.map(|copy| ConvertedView {
                state: copy.state.to_owned(),
                reply: copy.reply.map(Verbatim),
                mismatches: copy.mismatches.map(Verbatim),
            }),
        }
    }
}
