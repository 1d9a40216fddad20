//! `Idempotency-Key`: the same key with the same body gives the first answer again, for a day. It
//! belongs to the caller, and holds across restarts and gateways of one store.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use poem::http::{HeaderName, HeaderValue, StatusCode};
use poem::{Request, Response};
use registry::digest::sha256_hex;
use registry::store::Attempt;
use serde::{Deserialize, Serialize};

use super::frame::BodyDigest;
use crate::caller::Visitor;
use crate::gate::Gate;
use crate::problem::{Code, Problem};

/// The header (IETF draft `Idempotency-Key`).
pub(super) const HEADER: &str = "idempotency-key";
/// Headers that are part of an answer.
const KEPT: [&str; 4] = [
    "content-type",
    "x-guildhall-transaction-id",
    "a2a-extensions",
    "x-a2a-extensions",
];
/// The most bytes of an answer that are kept; of a larger one only that it was given.
const MOST: usize = 16 * 1024 * 1024;

/// A request that holds a key: it is the first.
pub(super) struct First {
    key: String,
}

/// What is to be done with a request.
pub(super) enum Turn {
    /// It has no key.
    Free,
    /// It is the first with its key.
    First(First),
    /// Another one was; this was its answer.
    Again(Response),
}

#[derive(Serialize, Deserialize)]
struct Kept {
    status: u16,
    headers: Vec<(String, String)>,
    /// In base64; `None` where it was too large to keep.
    body: Option<String>,
}

/// Looks at the key of a request.
///
/// # Errors
/// 400 for a key that is none, 409 where the first request had another body or has no answer yet.
pub(super) async fn begin(
    gate: &Gate,
    request: &Request,
    visitor: &Visitor,
) -> Result<Turn, Problem> {
    match request.headers().get(HEADER) {
        Some(value) => Box::pin(taken(gate, request, visitor, value)).await,
        None => Ok(Turn::Free),
    }
}

/// A stream is not kept, so it cannot be given again: a key on one is refused instead of ignored.
///
/// # Errors
/// 422 where there is a key.
pub(super) fn none_for_streams(request: &Request) -> Result<(), Problem> {
    match request.headers().contains_key(HEADER) {
        false => Ok(()),
        true => Err(Problem::new(
            Code::InvalidRequest,
            "a stream cannot be given again; send without Idempotency-Key and attach to the task, or send without a stream",
        )
        .at("/idempotency-key")),
    }
}

async fn taken(
    gate: &Gate,
    request: &Request,
    visitor: &Visitor,
    value: &HeaderValue,
) -> Result<Turn, Problem> {
    let key = value.to_str().unwrap_or_default().trim();
    if key.is_empty() || key.len() > 255 || !key.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        let text = "Idempotency-Key is 1 to 255 visible characters of ASCII";
        return Err(Problem::new(Code::InvalidRequest, text).at("/idempotency-key"));
    }
    let whose = match visitor.caller() {
        Some(agent) => format!("agent {agent}"),
        None => format!("source {}", visitor.source),
    };
    let path = request.uri().path();
    let key = sha256_hex(format!("{whose}\n{path}\n{key}").as_bytes());
    let digest = request.extensions().get::<BodyDigest>();
    let digest = digest.map_or("", |digest| digest.0.as_str());
    match gate.store.attempt_begin(&key, digest).await? {
        Attempt::First => Ok(Turn::First(First { key })),
        Attempt::Answered(answer) => again(&answer).map(Turn::Again),
        Attempt::Other => Err(Problem::new(
            Code::IdempotencyMismatch,
            "the key came with another body before; a new request needs a new key",
        )),
        Attempt::Unanswered { since } => Err(unanswered(gate, since)),
    }
}

/// Within the longest time of a call the first may still be under way; after it, or after a restart
/// of the one process, its answer is lost and it must not be sent again.
fn unanswered(gate: &Gate, since: i64) -> Problem {
    let longest = i64::try_from(gate.fixed.settings.call.max_timeout_ms).unwrap_or(i64::MAX);
    let now = gate.store.clock().now();
    let alone = gate.store.kind() == registry::store::Kind::Sqlite;
    let before_us = alone && since < gate.fixed.started_at;
    if before_us || now - since > longest.saturating_add(60_000) {
        return Problem::new(
            Code::OutcomeUnknown,
            "the first request reached the agent or not; nobody knows, so it is not sent again",
        );
    }
    Problem::new(
        Code::IdempotencyInProgress,
        "the first request with this key is still being served",
    )
    .retry_after(1)
}

fn again(answer: &[u8]) -> Result<Response, Problem> {
    let unreadable = || Problem::new(Code::Internal, "the kept answer cannot be read");
    let kept: Kept = serde_json::from_slice(answer).map_err(|_| unreadable())?;
    let Some(body) = kept.body else {
        let text = "the first request was answered, with more bytes than are kept";
        return Err(Problem::new(Code::OutcomeUnknown, text));
    };
    let body = STANDARD.decode(body).map_err(|_| unreadable())?;
    let status = StatusCode::from_u16(kept.status).map_err(|_| unreadable())?;
    let mut response = Response::builder().status(status).body(body);
    for (name, value) in kept.headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    super::frame::set_header(&mut response, "idempotency-replayed", "true");
    Ok(response)
}

impl First {
    /// Does the work to its end: a client that leaves must find the answer when it comes again. The
    /// work gives the answer, and whether anything was done for it.
    ///
    /// # Errors
    /// 500 where the process went down before the end.
    pub(super) async fn answered(
        self,
        gate: &Gate,
        work: impl Future<Output = (Response, bool)> + Send + 'static,
    ) -> Result<Response, Problem> {
        let (kept_by, cut) = (gate.clone(), gate.fixed.cut.clone());
        let work = async move {
            let (response, done) = work.await;
            self.end(&kept_by, response, done).await
        };
        let work = gate
            .work
            .spawn(async move { cut.run_until_cancelled(work).await });
        match work.await {
            Ok(Some(response)) => Ok(response),
            _ => Err(Problem::new(Code::Internal, "the call was broken off")),
        }
    }

    /// Keeps the answer, or gives the key back where nothing was done under it.
    async fn end(self, gate: &Gate, response: Response, done: bool) -> Response {
        if !done {
            if let Err(error) = gate.store.attempt_dropped(&self.key).await {
                crate::problem::log_cause("a key was not given back", &error);
            }
            return response;
        }
        let (parts, body) = response.into_parts();
        let bytes = body.into_bytes().await.unwrap_or_default();
        let headers = KEPT.iter().filter_map(|name| {
            let value = parts.headers.get(*name)?.to_str().ok()?;
            Some(((*name).to_owned(), value.to_owned()))
        });
        let kept = Kept {
            status: parts.status.as_u16(),
            headers: headers.collect(),
            body: (bytes.len() <= MOST).then(|| STANDARD.encode(&bytes)),
        };
        let answer = serde_json::to_vec(&kept).unwrap_or_default();
        if let Err(error) = gate.store.attempt_answered(&self.key, answer).await {
            crate::problem::log_cause("an answer was not kept", &error);
        }
        Response::from_parts(parts, poem::Body::from(bytes))
    }
}
