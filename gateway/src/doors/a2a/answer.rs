//! Answers of the JSON-RPC doors: one JSON, or a stream of events.

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::stream;
use poem::http::{HeaderValue, StatusCode, header};
use poem::{Body, Request, Response};
use protocol::a2a::rpc::{ErrorCode, Id, RpcError};
use protocol::a2a::translate::in_dialect;
use protocol::a2a::{Operation, Version, sse};
use serde_json::Value;

use super::extensions;
use crate::a2a::{self, Piece, Pieces, Refusal, Reply};
use crate::call::{Pending, Relayed};
use crate::doors::frame;
use crate::problem::Problem;

/// What the agent said, in the client's dialect under the client's id.
pub(super) fn good(
    request: &Request,
    id: &Id,
    operation: Operation,
    version: Version,
    relayed: Relayed,
) -> Response {
    let Relayed {
        reply,
        left,
        transaction_id,
        headers,
        mut pending,
    } = relayed;
    let mut response = match reply {
        Reply::Stream(pieces) => streamed(id.clone(), version, pieces, pending),
        reply => {
            let body = a2a::answered(id, operation, reply, version);
            if let Some(pending) = &mut pending {
                pending.add(&body);
            }
            json(StatusCode::OK, body)
        }
    };
    if let Some(id) = transaction_id {
        frame::set_header(&mut response, "x-guildhall-transaction-id", &id);
    }
    extensions::echo(request.headers(), &headers, version, &mut response);
    frame::tell_limit(&mut response, left);
    response
}

/// A refusal. 0.3 expects that of a stream as the stream's one event.
pub(super) fn failed(
    id: &Id,
    refused: Refusal,
    dialect: Option<(Version, bool)>,
    request_id: &str,
) -> Response {
    let version = dialect.map_or(Version::V1_0, |(version, _)| version);
    match refused {
        Refusal::Problem(problem) => refusal(&problem, Some(id), request_id),
        other => {
            let unparseable = matches!(
                &other,
                Refusal::Rpc(error) if error.code == ErrorCode::ParseError.number()
            );
            let body = a2a::refused(id, other, version);
            if dialect == Some((Version::V0_3, true)) {
                let mut event = Vec::with_capacity(body.len() + 16);
                sse::write(&mut event, &String::from_utf8_lossy(&body));
                return events(Body::from_vec(event));
            }
            let status = if unparseable {
                StatusCode::BAD_REQUEST
            } else {
                StatusCode::OK
            };
            json(status, body)
        }
    }
}

/// A problem of ours as a JSON-RPC error.
pub(in crate::doors) fn refusal(problem: &Problem, id: Option<&Id>, request_id: &str) -> Response {
    let status = match problem.code().entry().status {
        status @ (400 | 401 | 402 | 403 | 404 | 405 | 410 | 413 | 429 | 503) => status,
        _ => 200,
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let error = a2a::problem_error(problem, request_id);
    // Its headers say when to come back, what is left, and how to prove who one is.
    let mut response = problem.respond(request_id);
    let body = a2a::with_raw(id.unwrap_or(&Id::Null), "error", &error);
    response.set_status(status);
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    response.set_body(body);
    response
}

fn json(status: StatusCode, body: Vec<u8>) -> Response {
    Response::builder()
        .status(status)
        .content_type("application/json")
        .body(body)
}

fn events(body: Body) -> Response {
    Response::builder()
        .content_type("text/event-stream")
        .header(header::CACHE_CONTROL, "no-cache")
        .header("x-accel-buffering", "no")
        .body(body)
}

/// One event for each piece, written when it comes; what is not taken is not read.
fn streamed(id: Id, version: Version, pieces: Pieces, pending: Option<Pending>) -> Response {
    struct Written {
        id: String,
        version: Version,
        pieces: Option<Pieces>,
        pending: Option<Pending>,
    }
    let state = Written {
        id: Value::from(&id).to_string(),
        version,
        pieces: Some(pieces),
        pending,
    };
    let events_of = stream::unfold(state, |mut state| async move {
        use futures_util::StreamExt as _;
        let piece = state.pieces.as_mut()?.next().await?;
        let (member, value) = match piece {
            Ok(Piece::Raw(raw)) => ("result", raw.get().to_owned()),
            Ok(Piece::Item(item)) => {
                let value = item.write(state.version, item.closes());
                (
                    "result",
                    String::from_utf8_lossy(&a2a::written(&value)).into_owned(),
                )
            }
            Err(error) => {
                state.pieces = None;
                ("error", written(error, state.version))
            }
        };
        let data = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"{member}\":{value}}}",
            state.id
        );
        let mut event = Vec::with_capacity(data.len() + 16);
        sse::write(&mut event, &data);
        if let Some(pending) = &mut state.pending {
            pending.add(&event);
        }
        Some((Ok::<_, Infallible>(Bytes::from(event)), state))
    });
    events(Body::from_bytes_stream(stream_io(events_of)))
}

/// The body's stream wants an error type of input and output.
fn stream_io<S>(
    events: S,
) -> impl futures_util::Stream<Item = std::io::Result<Bytes>> + Send + 'static
where
    S: futures_util::Stream<Item = Result<Bytes, Infallible>> + Send + 'static,
{
    use futures_util::StreamExt as _;
    events.map(|event| event.map_err(|never| match never {}))
}

fn written(error: RpcError, version: Version) -> String {
    in_dialect(error, version).to_value().to_string()
}
