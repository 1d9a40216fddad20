//! A2A doors and cards are open to pages of any origin (the Fetch standard's CORS).

use poem::Response;
use poem::http::{HeaderMap, Method, StatusCode, header};

use crate::doors::frame::set_header;

/// Headers that a browser may read of an answer.
const EXPOSED: &str = "a2a-version, a2a-extensions, x-a2a-extensions, api-version, etag, last-modified, \
    location, idempotency-replayed, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-guildhall-transaction-id, x-request-id";
/// Headers that a browser may send, where it does not say which.
const ALLOWED: &str = "a2a-version, a2a-extensions, x-a2a-extensions, authorization, content-type, \
    idempotency-key";

/// Whether the path is an A2A door or a card.
pub(in crate::doors) fn is_open(path: &str) -> bool {
    if path == "/a2a" || path.starts_with("/.well-known/") || super::rest::below(path).is_some() {
        return true;
    }
    let Some(rest) = path.strip_prefix("/agents/") else {
        return false;
    };
    match rest.trim_end_matches('/').split_once('/') {
        None => true,
        Some((_, below)) => matches!(below, "v1" | "v1/stream") || below.contains(".well-known/"),
    }
}

/// Whether a browser asks first what it may send.
pub(in crate::doors) fn asks_first(method: &Method, headers: &HeaderMap) -> bool {
    *method == Method::OPTIONS && headers.contains_key(header::ORIGIN)
}

/// The answer to a browser that asks first.
pub(in crate::doors) fn preflight(headers: &HeaderMap) -> Response {
    let mut response = Response::builder().status(StatusCode::NO_CONTENT).finish();
    set_header(&mut response, "access-control-allow-origin", "*");
    set_header(
        &mut response,
        "access-control-allow-methods",
        "GET, POST, DELETE, OPTIONS",
    );
    let asked = headers
        .get(header::ACCESS_CONTROL_REQUEST_HEADERS)
        .and_then(|value| value.to_str().ok());
    set_header(
        &mut response,
        "access-control-allow-headers",
        asked.unwrap_or(ALLOWED),
    );
    set_header(&mut response, "access-control-max-age", "86400");
    response
}

/// Lets any page read the answer.
pub(in crate::doors) fn tell_origin(response: &mut Response) {
    set_header(response, "access-control-allow-origin", "*");
    set_header(response, "access-control-expose-headers", EXPOSED);
}
