//! Around every door: request id, source address, limits, the body read whole, logs,
//! numbers, and the last word on how a failure looks.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use poem::http::{HeaderName, HeaderValue, StatusCode, Uri, Version, header};
use poem::web::RemoteAddr;
use poem::{Addr, Endpoint, IntoResponse, Request, Response};
use registry::digest::sha256_hex;
use registry::ids;
use tokio::sync::Semaphore;
use tracing::Instrument as _;

use super::a2a;
use super::allow::Allow;
use crate::caller::{Source, source_of};
use crate::gate::Gate;
use crate::limits::Left;
use crate::problem::{self, Code, Problem};

/// The version of this API, in every answer.
const API_VERSION: &str = "1";
/// How long a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(30);
/// Bytes of a body that may hold a card: 1 MiB and what stands around it.
const CARD_BODY: usize = 1024 * 1024 + 65_536;

/// The id of a request, in its answer and in the log.
#[derive(Debug, Clone)]
pub(super) struct RequestId(pub(super) Arc<str>);

/// The id of a request.
pub(super) fn request_id(request: &Request) -> Arc<str> {
    let id = request.extensions().get::<RequestId>();
    id.map_or_else(|| "".into(), |id| id.0.clone())
}

/// SHA-256 of the body of a request that may be repeated.
#[derive(Debug, Clone)]
pub(super) struct BodyDigest(pub(super) String);

/// What the frame needs besides the gate.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    gate: Gate,
    allow: Arc<Allow>,
    in_flight: Arc<Semaphore>,
}

impl Frame {
    pub(crate) fn new(gate: &Gate, document: &str) -> Self {
        Self {
            gate: gate.clone(),
            allow: Arc::new(Allow::of_document(document)),
            in_flight: Arc::new(Semaphore::new(gate.fixed.settings.limits.in_flight)),
        }
    }

    /// Serves one request; never fails, since every failure becomes an answer here.
    pub(crate) async fn serve<E: Endpoint>(&self, next: &E, mut request: Request) -> Response
    where
        E::Output: IntoResponse,
    {
        let begun = Instant::now();
        let now = self.gate.store.clock().now();
        let id: Arc<str> = ids::new_id("req", now, &**self.gate.store.random()).into();
        let uri = request.uri().clone();
        let door = door_of(uri.path());
        let rpc = a2a::is_rpc(request.method(), uri.path());
        let calls = door == "call" || rpc || a2a::rest::below(uri.path()).is_some();
        let source = self.source(&request);
        request.extensions_mut().insert(Source(source));
        let span =
            tracing::info_span!("request", request_id = &*id, door, method = %request.method());
        request.extensions_mut().insert(RequestId(id.clone()));
        let outcome = self
            .guarded(next, &mut request, door)
            .instrument(span.clone())
            .await;
        let mut response = outcome.unwrap_or_else(IntoResponse::into_response);
        if a2a::is_open(uri.path()) {
            a2a::tell_origin(&mut response);
        }
        if calls && is_strangers(&response) {
            // A call counts against its caller; one without a known key or agent has none.
            if let Err(exceeded) = self.gate.fixed.limits.check_read(source) {
                response = Problem::from(exceeded).into_response();
            }
        }
        if let Some(problem) = response.extensions_mut().remove::<Problem>() {
            let entry = problem.code().entry();
            span.in_scope(|| tracing::debug!(code = entry.name, status = entry.status, "refused"));
            response = if rpc {
                a2a::refusal(&problem, None, &id)
            } else {
                problem.respond(&id)
            };
        }
        if response.status() == StatusCode::METHOD_NOT_ALLOWED
            && let Some(methods) = self.allow.at(uri.path().trim_end_matches('/'))
        {
            set_header(&mut response, "allow", methods);
        }
        set_header(&mut response, "x-request-id", &id);
        set_header(&mut response, "api-version", API_VERSION);
        set_header(&mut response, "x-content-type-options", "nosniff");
        let seconds = begun.elapsed().as_secs_f64();
        self.gate
            .fixed
            .metrics
            .request(door, response.status().as_u16(), seconds);
        span.in_scope(|| tracing::debug!(status = response.status().as_u16(), seconds, "answered"));
        response
    }

    async fn guarded<E: Endpoint>(
        &self,
        next: &E,
        request: &mut Request,
        door: &str,
    ) -> Result<Response, Problem>
    where
        E::Output: IntoResponse,
    {
        well_formed(request)?;
        let via = request.headers().get_all(header::VIA);
        if via.iter().any(|way| {
            way.to_str()
                .is_ok_and(|way| way.contains(&self.gate.fixed.pseudonym))
        }) {
            return Err(Problem::new(
                Code::LoopDetected,
                "an agent's address leads back to this gateway",
            ));
        }
        let operation = matches!(request.uri().path(), "/health" | "/ready" | "/metrics");
        drop_trailing_slash(request);
        let first = a2a::asks_first(request.method(), request.headers());
        if first && a2a::is_open(request.uri().path()) {
            return Ok(a2a::preflight(request.headers()));
        }
        // A body that does not arrive must not hold a place.
        self.read_body(request, door).await?;
        let _place = match self.in_flight.try_acquire() {
            Ok(place) => Some(place),
            // An operator must be able to look at a full house.
            Err(_) if operation => None,
            Err(_) => {
                return Err(Problem::new(
                    Code::Overloaded,
                    "the gateway is at its limit of requests",
                )
                .retry_after(1));
            }
        };
        self.gate.fixed.metrics.in_flight.inc();
        let _counted = Counted(&self.gate);
        let limited = !operation
            && door != "call"
            && !a2a::is_rpc(request.method(), request.uri().path())
            && a2a::rest::below(request.uri().path()).is_none();
        let left = if limited {
            self.gate.fixed.limits.check_read(source_of(request))?
        } else {
            None
        };
        let request = std::mem::take(request);
        match next.call(request).await {
            Ok(output) => {
                let mut response = output.into_response();
                tell_limit(&mut response, left);
                Ok(response)
            }
            // One of ours carries the problem within; all else is the framework's.
            Err(error) if error.is_from_response() => Ok(error.into_response()),
            Err(error) => Err(problem::from_framework(&error)),
        }
    }

    /// The peer, or behind a trusted proxy the last address that no trusted proxy added.
    fn source(&self, request: &Request) -> IpAddr {
        let peer = match &request.remote_addr() {
            RemoteAddr(Addr::SocketAddr(address)) => address.ip().to_canonical(),
            RemoteAddr(_) => IpAddr::from([0, 0, 0, 0]),
        };
        let proxies = &self.gate.fixed.settings.trusted_proxies;
        let trusted = |hop: IpAddr| proxies.iter().any(|proxy| proxy.to_canonical() == hop);
        if !trusted(peer) {
            return peer;
        }
        let hops = request
            .headers()
            .get_all("x-forwarded-for")
            .iter()
            .filter_map(|value| value.to_str().ok());
        let hops: Vec<&str> = hops.flat_map(|value| value.split(',')).collect();
        let mut nearest = peer;
        for hop in hops.into_iter().rev() {
            // What is no address was written by somebody whom nobody vouches for.
            let Some(hop) = address_of(hop.trim()) else {
                break;
            };
            nearest = hop;
            if !trusted(hop) {
                break;
            }
        }
        nearest
    }

    /// Reads the body whole, within its limits of size and time, before a door sees it.
    async fn read_body(&self, request: &mut Request, door: &str) -> Result<(), Problem> {
        let limit = match door {
            "import-agent" | "register" => CARD_BODY,
            // A task may hold more than a question does.
            _ if is_push(request.uri().path()) => CARD_BODY,
            _ => self.gate.fixed.settings.limits.body_bytes,
        };
        let too_large = || {
            Problem::new(
                Code::PayloadTooLarge,
                format!("the body is over {limit} bytes"),
            )
        };
        let declared = request
            .header(header::CONTENT_LENGTH)
            .and_then(|length| length.parse::<usize>().ok());
        if declared.is_some_and(|length| length > limit) {
            return Err(too_large());
        }
        if declared.is_none() && request.header(header::TRANSFER_ENCODING).is_none() {
            return Ok(());
        }
        let body = request.take_body().into_bytes_limit(limit);
        match tokio::time::timeout(BODY_TIME, body).await {
            Ok(Ok(bytes)) => {
                if request.headers().contains_key(super::idempotency::HEADER) {
                    let digest = sha256_hex(&bytes);
                    request.extensions_mut().insert(BodyDigest(digest));
                }
                request.set_body(bytes);
                Ok(())
            }
            Ok(Err(poem::error::ReadBodyError::PayloadTooLarge)) => Err(too_large()),
            Ok(Err(_)) => Err(Problem::new(Code::MalformedJson, "the body broke off")),
            Err(_) => Err(Problem::new(
                Code::RequestTimeout,
                "the body did not arrive within 30 s",
            )),
        }
    }
}

/// Whether an agent elsewhere tells about a task there.
fn is_push(path: &str) -> bool {
    let below = path.strip_prefix("/agents/");
    below.is_some_and(|below| below.split('/').nth(1) == Some("push"))
}

/// Whether the answer is for a key or an agent that nobody knows.
fn is_strangers(response: &Response) -> bool {
    let status = match response.extensions().get::<Problem>() {
        Some(problem) => problem.code().entry().status,
        None => response.status().as_u16(),
    };
    matches!(status, 401 | 404)
}

/// What RFC 9112 demands of a request and the server below does not look at.
fn well_formed(request: &Request) -> Result<(), Problem> {
    let malformed = |text: &str| Err(Problem::new(Code::MalformedRequest, text));
    let mut hosts = request.headers().get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) if request.version() == Version::HTTP_11 => {
            return malformed("a request of HTTP/1.1 has a Host header");
        }
        (Some(_), Some(_)) => return malformed("a request has one Host header"),
        (Some(host), None)
            if host.to_str().map_or(true, |host| {
                host.is_empty() || host.parse::<poem::http::uri::Authority>().is_err()
            }) =>
        {
            return malformed("the Host header names no host");
        }
        _ => {}
    }
    let coding = request.headers().get_all(header::TRANSFER_ENCODING);
    if coding
        .iter()
        .any(|value| !value.as_bytes().eq_ignore_ascii_case(b"chunked"))
    {
        return malformed("the only transfer coding that is taken is chunked");
    }
    let expects = request.headers().get(header::EXPECT);
    if expects.is_some_and(|value| !value.as_bytes().eq_ignore_ascii_case(b"100-continue")) {
        return malformed("the only expectation that is met is 100-continue");
    }
    Ok(())
}

/// An address as proxies write it: alone, with a port, or in brackets.
fn address_of(hop: &str) -> Option<IpAddr> {
    let address = hop
        .parse::<IpAddr>()
        .or_else(|_| {
            hop.parse::<std::net::SocketAddr>()
                .map(|with_port| with_port.ip())
        })
        .or_else(|_| hop.trim_start_matches('[').trim_end_matches(']').parse());
    address.ok().map(|address| address.to_canonical())
}

/// Counts a request in flight until it is dropped.
struct Counted<'a>(&'a Gate);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fixed.metrics.in_flight.dec();
    }
}

/// `/agents/x/` is `/agents/x`, without a redirect that clients would not follow on a POST.
fn drop_trailing_slash(request: &mut Request) {
    let path = request.uri().path();
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() || trimmed.len() == path.len() {
        return;
    }
    let target = match request.uri().query() {
        Some(query) => format!("{trimmed}?{query}"),
        None => trimmed.to_owned(),
    };
    if let Ok(uri) = target.parse::<Uri>() {
        *request.uri_mut() = uri;
    }
}

/// The first path word, if it is one of ours: a label of metrics must not be the caller's to choose.
fn door_of(path: &str) -> &'static str {
    const DOORS: [&str; 17] = [
        "register",
        "update",
        "import-agent",
        "agents",
        "match",
        "verify",
        "call",
        "calls",
        "health",
        "ready",
        "metrics",
        "openapi.json",
        "docs",
        "operator",
        ".well-known",
        "terms",
        "a2a",
    ];
    let first = path
        .trim_start_matches('/')
        .split('/')
        .next()
        .unwrap_or_default();
    DOORS
        .into_iter()
        .find(|door| *door == first)
        .unwrap_or("other")
}

/// Sets a header whose value is known to be plain.
pub(super) fn set_header(response: &mut Response, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response
            .headers_mut()
            .insert(HeaderName::from_static(name), value);
    }
}

/// Tells what is left of a limit.
pub(super) fn tell_limit(response: &mut Response, left: Option<Left>) {
    for (name, value) in left.map(Left::headers).into_iter().flatten() {
        set_header(response, name, &value);
    }
}

#[cfg(test)]
mod tests {
    use poem::http::Method;

    use super::*;

    #[test]
    fn labels_are_ours() {
        assert_eq!(door_of("/agents/x/keys"), "agents");
        assert_eq!(door_of("/etc/passwd"), "other");
    }

    #[test]
    fn a_trailing_slash_changes_nothing() {
        let mut request = Request::builder()
            .method(Method::POST)
            .uri(Uri::from_static("/agents/x/?a=b"))
            .finish();
        drop_trailing_slash(&mut request);
        assert_eq!(request.uri().to_string(), "/agents/x?a=b");
    }
}
