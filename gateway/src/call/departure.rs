//! A request on its way out: not to ourselves, signed with our key, and marked with the way it came.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, header};
use registry::client::{Outgoing, Purpose};
use url::Url;

use super::shaped::Receiver;
use super::{CallFailure, Shaped};
use crate::gate::Gate;
use crate::problem::Code;

/// The finished request.
pub(super) fn outgoing(
    gate: &Gate,
    shaped: &Shaped,
    total: Duration,
) -> Result<Outgoing, CallFailure> {
    let Receiver::Remote(url) = &shaped.to else {
        return Err(CallFailure::new(
            Code::NoEndpoint,
            "the agent has no address",
        ));
    };
    if is_ours(gate, url) {
        let text = "the agent's address is this gateway's own";
        return Err(CallFailure::new(Code::UpstreamRefused, text));
    }
    let mut headers = shaped.headers.clone();
    mark(gate, shaped.verified.via.as_deref(), &mut headers);
    let now = gate.store.clock().now();
    gate.ring
        .sign(shaped.method.as_str(), url, &shaped.body, now, &mut headers);
    Ok(Outgoing {
        purpose: Purpose::Call,
        method: shaped.method.clone(),
        url: url.clone(),
        headers,
        body: shaped.body.clone(),
        total: Some(total),
    })
}

/// Our doors are for callers; a listing that names them would call itself for ever.
fn is_ours(gate: &Gate, url: &Url) -> bool {
    let listen = gate.fixed.listen;
    let host = url.host_str().unwrap_or_default();
    let port = url.port_or_known_default();
    let local = host
        .trim_matches(['[', ']'])
        .parse::<std::net::IpAddr>()
        .is_ok_and(|ip| ip == listen.ip() || listen.ip().is_unspecified() && ip.is_loopback())
        || host == "localhost" && listen.ip().is_loopback();
    url.origin().ascii_serialization() == gate.fixed.origin || local && port == Some(listen.port())
}

/// Adds us to the way that the request came (RFC 9110, 7.6.3).
fn mark(gate: &Gate, way: Option<&str>, headers: &mut HeaderMap) {
    let own = format!("1.1 {}", gate.fixed.pseudonym);
    let way = match way {
        Some(way) => format!("{way}, {own}"),
        None => own,
    };
    if let Ok(way) = HeaderValue::try_from(way) {
        headers.insert(header::VIA, way);
    }
}
