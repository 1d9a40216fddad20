//! The HTTP+JSON bindings of A2A below `/agents/{id}`: 1.0's at the agent itself, 0.3's below `/v1`.
//!
//! Their paths hold colons, which the router reads as parameters, so they have a dispatch of their own.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use poem::http::{StatusCode, header};
use poem::{Body, Request, Response};
use protocol::a2a::rest::{
    self, ErrorAnswer, Patch, RouteError, Routed, proto, write_error, write_error_as,
};
use protocol::a2a::rpc::{ErrorCode, RpcError};
use protocol::a2a::translate::{Item, MissingId, Params};
use protocol::a2a::{Operation, Version, parse_version_header, sse};
use protocol::exact;
use registry::ids;
use serde_json::Value;

use super::{extensions, headers_of, version_of};
use crate::a2a::{self, Piece, Pieces, Refusal, Reply};
use crate::call::{self, Relay, Relayed};
use crate::caller::Visitor;
use crate::doors::frame::{self, request_id};
use crate::doors::idempotency::{self, Turn};
use crate::gate::Gate;
use crate::problem::{Code, Problem};

/// The agent and the path below it, for what one of the bindings may answer.
pub(crate) fn below(path: &str) -> Option<(&str, &str)> {
    let (id, rest) = path.strip_prefix("/agents/")?.split_once('/')?;
    let own = rest.strip_prefix("v1/").unwrap_or(rest);
    let ours = own.starts_with("message:")
        || own == "tasks"
        || own.starts_with("tasks/")
        || own == "extendedAgentCard"
        || rest == "v1/card";
    (ours && !id.is_empty()).then(|| (id, &path[path.len() - rest.len() - 1..]))
}

/// Answers one request of a REST binding.
pub(crate) async fn serve(gate: &Gate, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let Some((id, below)) = below(&path) else {
        return Response::builder().status(StatusCode::NOT_FOUND).finish();
    };
    let version = match below.starts_with("/v1/") {
        true => Version::V0_3,
        false => Version::V1_0,
    };
    let tone = Tone::of(&request, version);
    let answered = match routed(&request, below) {
        Ok(routed) => respond(gate, request, id, routed, &tone).await,
        Err(refusal) => Err(refusal),
    };
    answered.unwrap_or_else(|refusal| failed(refusal, &tone))
}

/// The form of an answer.
#[derive(Debug, Clone)]
struct Tone {
    version: Version,
    media: &'static str,
    request_id: Arc<str>,
}

impl Tone {
    fn of(request: &Request, version: Version) -> Self {
        let content_type = request.header(header::CONTENT_TYPE);
        let accept = request.header(header::ACCEPT);
        Self {
            version,
            media: rest::media_type(content_type, accept),
            request_id: request_id(request),
        }
    }
}

fn routed(request: &Request, below: &str) -> Result<Routed, Refusal> {
    let query = request.uri().query().unwrap_or_default();
    let routed = rest::route(request.method().as_str(), below, query).map_err(|error| {
        Refusal::Problem(match error {
            RouteError::NotFound => Problem::new(Code::NotFound, "the binding has no such path"),
            RouteError::MethodNotAllowed(allowed) => {
                let text = format!("the path takes {}", allowed.join(", "));
                Problem::new(Code::MethodNotAllowed, text)
            }
        })
    })?;
    if let Some(Err(unsupported)) = version_of(request).as_deref().map(parse_version_header) {
        let spoken = [Version::V1_0, Version::V0_3];
        return Err(RpcError::version_not_supported(&unsupported.asked, &spoken).into());
    }
    Ok(routed)
}

/// A message with an `Idempotency-Key` is sent once, whatever becomes of its client.
async fn respond(
    gate: &Gate,
    request: Request,
    id: &str,
    routed: Routed,
    tone: &Tone,
) -> Result<Response, Refusal> {
    let visitor = Visitor::of(&request, gate).await?;
    let turn = match routed.operation {
        Operation::Send => idempotency::begin(gate, &request, &visitor).await?,
        Operation::SendStream => {
            idempotency::none_for_streams(&request)?;
            Turn::Free
        }
        _ => Turn::Free,
    };
    match turn {
        Turn::Free => Ok(answered(gate, request, visitor, id, routed, tone).await.0),
        Turn::First(first) => {
            let (gate_of_work, id, tone) = (gate.clone(), id.to_owned(), tone.clone());
            let work =
                async move { answered(&gate_of_work, request, visitor, &id, routed, &tone).await };
            Ok(Box::pin(first.answered(gate, work)).await?)
        }
        Turn::Again(response) => Ok(response),
    }
}

/// The answer, and whether the agent was reached for it.
async fn answered(
    gate: &Gate,
    mut request: Request,
    visitor: Visitor,
    id: &str,
    routed: Routed,
    tone: &Tone,
) -> (Response, bool) {
    let relayed = relayed(gate, &mut request, &visitor, id, &routed).await;
    let done = relayed.as_ref().map_or_else(Refusal::reached, |_| true);
    let response = match relayed {
        Ok(relayed) => good(&request, &routed, relayed, tone.media),
        Err(refusal) => failed(refusal, tone),
    };
    (response, done)
}

async fn relayed(
    gate: &Gate,
    request: &mut Request,
    visitor: &Visitor,
    id: &str,
    routed: &Routed,
) -> Result<Relayed, Refusal> {
    let matched = call::find(gate, id).await?;
    if super::spoken(matched.agent()).is_empty() {
        let text = "the agent speaks no A2A; POST /call reaches it";
        return Err(Problem::new(Code::UnsupportedBinding, text).into());
    }
    let came = request.take_body().into_bytes().await.unwrap_or_default();
    let body = read_body(request, &came)?;
    let body = match (routed.version, body) {
        (Version::V0_3, Some(body)) => Some(
            proto::body_to_v1_0(routed.operation, body).map_err(|error| a2a::invalid(&error))?,
        ),
        (_, body) => body,
    };
    let value = routed
        .with_body(body)
        .map_err(|error| a2a::invalid(&error))?;
    let missing = match routed.version {
        Version::V1_0 => MissingId::Refuse,
        Version::V0_3 => {
            let now = gate.store.clock().now();
            MissingId::Fill(ids::new_id("msg", now, &**gate.store.random()))
        }
    };
    let params = Params::read(routed.operation, Some(&value), Version::V1_0, &missing)
        .map_err(|error| a2a::invalid(&error))?;
    let hosted = matched.agent().tenant;
    let relay = Relay {
        version: routed.version,
        params,
        raw: None,
        came,
        headers: headers_of(request),
        rest: true,
    };
    match hosted {
        true => call::hosted(gate, visitor, matched, relay).await,
        false => call::relay(gate, visitor, matched, relay).await,
    }
}

/// A body of JSON, with numbers as they were written; none is none.
fn read_body(request: &Request, bytes: &[u8]) -> Result<Option<Value>, Refusal> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|_| Problem::new(Code::MalformedJson, "the body is no UTF-8"))?;
    let parsed = protocol::json::parse(exact::shield(text).as_bytes());
    if parsed.is_err() && !rest::is_json(request.header(header::CONTENT_TYPE)) {
        let text = "send the body as application/json";
        return Err(RpcError::new(ErrorCode::ContentTypeNotSupported, text).into());
    }
    let parsed = parsed.map_err(|error| Problem::new(Code::MalformedJson, error.to_string()))?;
    match parsed.duplicates.first() {
        None => Ok(Some(parsed.value)),
        Some(place) => {
            let text = "A member stands twice in one object.";
            Err(RpcError::invalid_params(place.trim_start_matches('/'), text).into())
        }
    }
}

fn good(request: &Request, routed: &Routed, relayed: Relayed, media: &'static str) -> Response {
    let Relayed {
        reply,
        left,
        transaction_id,
        headers,
        mut pending,
    } = relayed;
    let mut response = match reply {
        Reply::Stream(pieces) => streamed(routed.version, pieces, pending),
        reply => match result(routed, reply) {
            Ok(value) => {
                let body = a2a::written(&value);
                if let Some(pending) = &mut pending {
                    pending.add(&body);
                }
                Response::builder().content_type(media).body(body)
            }
            Err(error) => {
                error_response(write_error(&error, routed.version, Patch::default()), media)
            }
        },
    };
    if let Some(id) = transaction_id {
        frame::set_header(&mut response, "x-guildhall-transaction-id", &id);
    }
    extensions::echo(request.headers(), &headers, routed.version, &mut response);
    frame::tell_limit(&mut response, left);
    response
}

/// The answer's body: 1.0's form, or that of 0.3's proto made of it.
fn result(routed: &Routed, reply: Reply) -> Result<Value, RpcError> {
    let unwritable = |_| RpcError::new(ErrorCode::Internal, "the answer has no form here");
    let value = a2a::result_of(routed.operation, reply, Version::V1_0)?;
    match routed.version {
        Version::V1_0 => Ok(value),
        Version::V0_3 => proto::answer_from_v1_0(routed.operation, &value).map_err(unwritable),
    }
}

fn item_value(version: Version, item: &Item) -> Value {
    match version {
        Version::V1_0 => item.write(version, item.closes()),
        Version::V0_3 => proto::write_item(item, item.closes()),
    }
}

/// One bare item a data line.
fn streamed(version: Version, pieces: Pieces, pending: Option<call::Pending>) -> Response {
    let events = stream::unfold(
        (Some(pieces), pending),
        move |(pieces, mut pending)| async move {
            let mut pieces = pieces?;
            let (value, rest) = match pieces.next().await? {
                Ok(Piece::Item(item)) => (item_value(version, &item), Some(pieces)),
                Ok(Piece::Raw(raw)) => {
                    let value = serde_json::from_str(&exact::shield(raw.get())).unwrap_or_default();
                    (value, Some(pieces))
                }
                Err(error) => (write_error(&error, version, Patch::default()).body, None),
            };
            let mut event = Vec::new();
            sse::write(&mut event, &String::from_utf8_lossy(&a2a::written(&value)));
            if let Some(pending) = &mut pending {
                pending.add(&event);
            }
            Some((Ok::<_, Infallible>(Bytes::from(event)), (rest, pending)))
        },
    );
    let events = events.map(|event| event.map_err(|never| -> std::io::Error { match never {} }));
    Response::builder()
        .content_type("text/event-stream")
        .header(header::CACHE_CONTROL, "no-cache")
        .header("x-accel-buffering", "no")
        .body(Body::from_bytes_stream(events))
}

fn failed(refusal: Refusal, tone: &Tone) -> Response {
    let Tone {
        version,
        media,
        request_id,
    } = tone;
    let (version, media) = (*version, *media);
    match refusal {
        Refusal::Rpc(error) | Refusal::Agent(error) => {
            error_response(write_error(&error, version, Patch::default()), media)
        }
        Refusal::Raw(raw) => {
            let value = serde_json::from_str(raw.get()).unwrap_or_default();
            let error = protocol::a2a::translate::read_error(&value)
                .unwrap_or_else(|| RpcError::new(ErrorCode::Internal, "the agent failed"));
            error_response(write_error(&error, version, Patch::default()), media)
        }
        Refusal::Problem(problem) => {
            let entry = problem.code().entry();
            // Whole, with the members whose numbers must stay exact.
            let text = problem.text(request_id);
            let mut detail: Value = serde_json::from_str(&exact::shield(&text)).unwrap_or_default();
            let message = detail["detail"].as_str().unwrap_or(entry.title).to_owned();
            detail["@type"] = Value::from("urn:guildhall:problem");
            let error = RpcError {
                code: entry.rpc.into(),
                message,
                data: vec![detail],
            };
            let answer = write_error_as(&error, version, entry.status);
            // Its headers say when to come back, what is left, and how to prove who one is.
            let mut response = problem.respond(request_id).set_content_type(media);
            response.set_body(a2a::written(&answer.body));
            response
        }
    }
}

fn error_response(answer: ErrorAnswer, media: &'static str) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    Response::builder()
        .status(status)
        .content_type(media)
        .body(a2a::written(&answer.body))
}
