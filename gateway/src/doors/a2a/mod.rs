//! `POST /agents/{id}`, `/agents/{id}/v1` and `/agents/{id}/v1/stream`: the A2A JSON-RPC doors of an
//! agent, hosted here or elsewhere.
//!
//! One URL for both dialects, chosen for each request by its version header and method; an agent
//! elsewhere that speaks the other one is translated for.

use bytes::Bytes;
use poem::http::{HeaderMap, Method, header};
use poem::{IntoResponse, Request, Response};
use poem_openapi::OpenApi;
use poem_openapi::param::Path;
use protocol::a2a::rpc::{self, ErrorCode, RpcError};
use protocol::a2a::translate::{MissingId, Params};
use protocol::a2a::{Operation, Version, choose, method};
use registry::agent::Agent;
use registry::ids;

use super::frame::{RequestId, request_id};
use super::idempotency::{self, Turn};
use crate::a2a::{self, Refusal};
use crate::call::{self, Relay, Relayed};
use crate::caller::Visitor;
use crate::gate::Gate;
use crate::problem::{Code, Problem};
pub(super) use body::{RpcAnswer, RpcBody};

mod answer;
mod body;
mod extensions;
mod open;
mod push;
pub(crate) mod rest;

pub(super) use answer::{refusal, stream_of};
pub(super) use open::{asks_first, is_open, preflight, tell_origin};
pub(crate) use push::PushDoor;

pub(crate) struct A2aDoor(pub(super) Gate);

#[OpenApi]
impl A2aDoor {
    /// Speak A2A with an agent
    ///
    /// JSON-RPC 2.0 in A2A 0.3 or 1.0; streams are server-sent events. Errors are JSON-RPC errors on
    /// HTTP 200, except 400 for a body that is no JSON, and 401, 403, 404, 405, 410, 413, 429 and
    /// 503. Free agents answer nobody as well; a key that is sent must be good.
    #[oai(path = "/agents/:agent_id", method = "post", operation_id = "a2a_rpc")]
    async fn rpc(
        &self,
        request: &Request,
        /// Id of the agent.
        agent_id: Path<String>,
        body: RpcBody,
    ) -> RpcAnswer {
        self.respond(request, &agent_id.0, body.0, Door::Strict)
            .await
    }

    /// Speak A2A with an agent, in short
    ///
    /// As the door of the agent itself; a message without an id gets one.
    #[oai(
        path = "/agents/:agent_id/v1",
        method = "post",
        operation_id = "a2a_rpc_v1"
    )]
    async fn v1(
        &self,
        request: &Request,
        /// Id of the agent.
        agent_id: Path<String>,
        body: RpcBody,
    ) -> RpcAnswer {
        self.respond(request, &agent_id.0, body.0, Door::Lenient)
            .await
    }

    /// Stream from an agent
    ///
    /// As the short door; a plain send is answered with its stream as well.
    #[oai(
        path = "/agents/:agent_id/v1/stream",
        method = "post",
        operation_id = "a2a_rpc_stream"
    )]
    async fn stream(
        &self,
        request: &Request,
        /// Id of the agent.
        agent_id: Path<String>,
        body: RpcBody,
    ) -> RpcAnswer {
        self.respond(request, &agent_id.0, body.0, Door::Stream)
            .await
    }
}

/// Which of the three doors it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Door {
    /// A message has an id.
    Strict,
    /// A missing id is filled in.
    Lenient,
    /// As lenient, and a send is answered with a stream.
    Stream,
}

/// What a request turned out to be.
struct Asked {
    id: rpc::Id,
    version: Version,
    operation: Operation,
}

impl A2aDoor {
    async fn respond(
        &self,
        request: &Request,
        agent_id: &str,
        body: Bytes,
        door: Door,
    ) -> RpcAnswer {
        let request_id = request_id(request);
        let parsed = match rpc::parse(&body) {
            Ok(parsed) => parsed,
            Err(refused) => {
                let refusal = unreadable(request, refused.error);
                return RpcAnswer(answer::failed(&refused.id, refusal, None, &request_id));
            }
        };
        let visitor = match Visitor::of(request, &self.0).await {
            Ok(visitor) => visitor,
            Err(problem) => return RpcAnswer(refusal(&problem, Some(&parsed.id), &request_id)),
        };
        let turn = match method(&parsed.method) {
            Some((_, Operation::Send)) if door != Door::Stream => {
                idempotency::begin(&self.0, request, &visitor).await
            }
            Some((_, Operation::Send | Operation::SendStream)) => {
                idempotency::none_for_streams(request).map(|()| Turn::Free)
            }
            _ => Ok(Turn::Free),
        };
        let id = parsed.id.clone();
        let what = (parsed, body, door);
        let answered = match turn {
            Ok(Turn::Free) => Ok(self.answered(request, &visitor, agent_id, what).await.0),
            Ok(Turn::First(first)) => {
                let (door, head) = (Self(self.0.clone()), head_of(request));
                let agent_id = agent_id.to_owned();
                let work = async move { door.answered(&head, &visitor, &agent_id, what).await };
                Box::pin(first.answered(&self.0, work)).await
            }
            Ok(Turn::Again(response)) => Ok(response),
            Err(problem) => Err(problem),
        };
        RpcAnswer(answered.unwrap_or_else(|problem| refusal(&problem, Some(&id), &request_id)))
    }

    /// The answer, and whether the agent was reached for it.
    async fn answered(
        &self,
        request: &Request,
        visitor: &Visitor,
        agent_id: &str,
        what: (rpc::Request, Bytes, Door),
    ) -> (Response, bool) {
        let mut asked = Asked {
            id: what.0.id.clone(),
            // Until the request has shown its own: the errors of the choice are 1.0's.
            version: Version::V1_0,
            operation: Operation::Send,
        };
        let relayed = self
            .answer(request, visitor, agent_id, what, &mut asked)
            .await;
        let done = relayed.as_ref().map_or_else(Refusal::reached, |_| true);
        let response = match relayed {
            Ok(relayed) => {
                answer::good(request, &asked.id, asked.operation, asked.version, relayed)
            }
            Err(refusal) => {
                let streams = matches!(
                    asked.operation,
                    Operation::SendStream | Operation::Subscribe
                );
                let dialect = Some((asked.version, streams));
                answer::failed(&asked.id, refusal, dialect, &request_id(request))
            }
        };
        (response, done)
    }

    async fn answer(
        &self,
        request: &Request,
        visitor: &Visitor,
        agent_id: &str,
        (parsed, body, door): (rpc::Request, Bytes, Door),
        asked: &mut Asked,
    ) -> Result<Relayed, Refusal> {
        let gate = &self.0;
        let matched = call::find(gate, agent_id).await?;
        let spoken = spoken(matched.agent());
        if spoken.is_empty() {
            let text = "the agent speaks no A2A; POST /call reaches it";
            return Err(Problem::new(Code::UnsupportedBinding, text).into());
        }
        let header = version_of(request);
        let (version, mut operation) = choose(header.as_deref(), &parsed.method, &spoken, false)?;
        let mut untouched = true;
        if door == Door::Stream && operation == Operation::Send {
            (operation, untouched) = (Operation::SendStream, false);
        }
        (asked.version, asked.operation) = (version, operation);
        let missing = match door {
            Door::Strict => MissingId::Refuse,
            Door::Lenient | Door::Stream => {
                let named = parsed
                    .params
                    .as_ref()
                    .is_some_and(|params| params.pointer("/message/messageId").is_some());
                untouched &= named;
                let now = gate.store.clock().now();
                MissingId::Fill(ids::new_id("msg", now, &**gate.store.random()))
            }
        };
        let params = Params::read(operation, parsed.params.as_ref(), version, &missing)
            .map_err(|error| a2a::invalid(&error))?;
        let hosted = matched.agent().tenant;
        let relay = Relay {
            version,
            params,
            raw: (untouched || hosted).then(|| body.clone()),
            came: body,
            headers: headers_of(request),
            rest: false,
        };
        if hosted {
            return call::hosted(gate, visitor, matched, relay).await;
        }
        call::relay(gate, visitor, matched, relay).await
    }
}

/// The dialects of an agent's door, preferred first: both, wherever one of them leads on.
pub(super) fn spoken(agent: &Agent) -> Vec<Version> {
    use protocol::a2a::card::Binding;
    let callable = |i: &protocol::a2a::card::Interface| {
        i.callable && matches!(i.binding, Binding::JsonRpc | Binding::HttpJson)
    };
    let leads_on = agent.tenant || agent.profile.interfaces.iter().any(callable);
    if leads_on {
        vec![Version::V1_0, Version::V0_3]
    } else {
        Vec::new()
    }
}

/// `A2A-Version` of the header, else of the query.
pub(super) fn version_of(request: &Request) -> Option<String> {
    let query = request.uri().query().unwrap_or_default();
    let from_query = || {
        url::form_urlencoded::parse(query.as_bytes())
            .find(|(name, _)| name.eq_ignore_ascii_case("a2a-version"))
    };
    let header = request.header("a2a-version").map(str::to_owned);
    header.or_else(|| from_query().map(|(_, value)| value.into_owned()))
}

/// A request without its body, for an answer that may outlive the connection.
fn head_of(request: &Request) -> Request {
    let mut head = Request::builder().uri(request.uri().clone()).finish();
    head.headers_mut().clone_from(request.headers());
    head.extensions_mut().insert(RequestId(request_id(request)));
    head
}

/// Headers that a client may have passed to the agent; the allow-list of calls decides. The names
/// of the extensions that it wants stand in three headers, several times.
fn headers_of(request: &Request) -> Vec<(String, String)> {
    let readable = request.headers().iter().filter(|(name, _)| {
        *name != header::AUTHORIZATION
            && *name != header::ACCEPT
            && !extensions::NAMES.contains(&name.as_str())
    });
    let mut passed: Vec<(String, String)> = readable
        .filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())))
        .collect();
    let wanted = extensions::wanted(request.headers());
    if !wanted.is_empty() {
        passed.push((extensions::NAMES[0].to_owned(), wanted.join(", ")));
    }
    passed
}

/// A body that cannot be read as JSON-RPC; of another media type it is -32005.
fn unreadable(request: &Request, error: RpcError) -> Refusal {
    let json = request
        .content_type()
        .is_none_or(|media| media.to_ascii_lowercase().contains("json"));
    if !json && error.code == ErrorCode::ParseError.number() {
        return Refusal::Rpc(RpcError::new(
            ErrorCode::ContentTypeNotSupported,
            "send the body as application/json",
        ));
    }
    Refusal::Rpc(error)
}

/// Whether a request goes to a JSON-RPC door, whose failures are JSON-RPC errors.
pub(super) fn is_rpc(method: &Method, path: &str) -> bool {
    let Some(rest) = path.strip_prefix("/agents/") else {
        return false;
    };
    let Some((id, below)) = rest.trim_end_matches('/').split_once('/') else {
        return *method == Method::POST && !rest.trim_end_matches('/').is_empty();
    };
    *method == Method::POST && !id.is_empty() && matches!(below, "v1" | "v1/stream")
}

/// The headers of a request, for those that look at it without its body.
fn names(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    headers.keys().map(header::HeaderName::as_str)
}

impl IntoResponse for RpcAnswer {
    fn into_response(self) -> Response {
        self.0
    }
}
