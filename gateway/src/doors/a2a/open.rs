//! A2A doors and cards are open to pages of any origin (the Fetch standard's CORS).

use poem::Response;
use poem::http::{HeaderMap, StatusCode, header};

use crate::doors::frame::set_header;

/// Headers that a browser may read of an answer.
const EXPOSED: &str = "a2a-version, a2a-extensions, x-a2a-extensions, api-version, etag, location, \
    ratelimit, ratelimit-policy, retry-after, www-authenticate, x-guildhall-transaction-id, x-request-id";
/// Headers that a browser may send, where it does not say which.
const ALLOWED: &str = "a2a-version, a2a-extensions, x-a2a-extensions, authorization, content-type";

/// Whether the path is an A2A door or a card.
pub(in crate::doors) fn is_open(path: &str) -> bool {
    path == "/a2a" || path.starts_with("/agents/") || path.starts_with("/.well-known/")
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
