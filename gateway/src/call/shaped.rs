//! Phase 3: the content in the form that the receiver takes. Nothing has left yet.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, header};
use protocol::a2a::card::{Binding, Interface};
use protocol::a2a::translate::Params;
use protocol::a2a::{Operation, Version, method_name};
use registry::agent::{MessageProtocol, Profile};
use registry::ids;
use serde_json::{Value, json};
use url::Url;

use super::{Ask, CallFailure, Content, Relay, Spoken, Verified, content, headers, plain};
use crate::gate::Gate;
use crate::problem::Code;

/// A request that is ready to be sent.
#[derive(Debug)]
pub struct Shaped {
    pub(super) verified: Verified,
    pub(super) skill: Option<String>,
    pub(super) spoken: Spoken,
    pub(super) to: Receiver,
    pub(super) method: Method,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    pub(super) timeout: Option<Duration>,
    pub(super) dropped_headers: Vec<String>,
}

/// Where it goes.
#[derive(Debug)]
pub(super) enum Receiver {
    /// A tenant of this process.
    Hosted,
    /// Somewhere else.
    Remote(Url),
}

pub(super) fn for_receiver(
    gate: &Gate,
    verified: Verified,
    ask: Ask,
) -> Result<Shaped, CallFailure> {
    let listed = verified.listed.clone();
    let (agent, profile) = (&listed.agent, &listed.agent.profile);
    let (passed, dropped_headers) =
        headers::forwarded(&ask.forwarded_headers, profile.auth_header_name.as_deref());
    let base = |spoken, to, method, headers, body: Vec<u8>| Shaped {
        verified,
        skill: ask.skill.clone(),
        spoken,
        to,
        method,
        headers,
        body: body.into(),
        timeout: ask.timeout,
        dropped_headers,
    };
    if agent.tenant {
        let body = envelope(gate, &ask, Version::V1_0, None)?;
        return Ok(base(
            Spoken::A2a1,
            Receiver::Hosted,
            Method::POST,
            json_headers(passed, Version::V1_0),
            body,
        ));
    }
    let Some(endpoint) = profile.endpoint_url.as_deref() else {
        return Err(CallFailure::new(
            Code::NoEndpoint,
            "the agent has no address that can be called",
        ));
    };
    match (profile.message_protocol, profile.a2a_compliant) {
        (MessageProtocol::A2a, true) => {
            let interface = json_rpc(agent.interface())?;
            let body = envelope(gate, &ask, interface.version, interface.tenant.as_deref())?;
            let headers = json_headers(passed, interface.version);
            Ok(base(
                spoken(interface.version),
                Receiver::Remote(address(&interface.url)?),
                Method::POST,
                headers,
                body,
            ))
        }
        (MessageProtocol::Mcp, _) => {
            let raw = match &ask.content {
                Content::Message(raw) | Content::Payload(raw) => raw.get().as_bytes().to_vec(),
            };
            let mut headers = passed;
            headers.insert(
                header::CONTENT_TYPE,
                HeaderValue::from_static("application/json"),
            );
            headers
                .entry(header::ACCEPT)
                .or_insert(HeaderValue::from_static(
                    "application/json, text/event-stream",
                ));
            Ok(base(
                Spoken::Mcp,
                Receiver::Remote(address(endpoint)?),
                Method::POST,
                headers,
                raw,
            ))
        }
        (MessageProtocol::A2a | MessageProtocol::Raw, _) => {
            let message = content::message(&ask.content)?;
            let request =
                plain::request(profile, endpoint, &message, ask.method.as_deref(), passed)?;
            Ok(base(
                Spoken::Http,
                Receiver::Remote(request.url),
                request.method,
                request.headers,
                request.body,
            ))
        }
    }
}

/// A request of the A2A door in the agent's dialect, which is given beside it. What needs no
/// change passes as it came.
pub(super) fn relayed(
    gate: &Gate,
    verified: Verified,
    asked: &Relay,
) -> Result<(Shaped, Version), CallFailure> {
    let listed = verified.listed.clone();
    let profile = &listed.agent.profile;
    let interface = json_rpc(interface_for(profile, asked.version))?;
    let (passed, dropped_headers) =
        headers::forwarded(&asked.headers, profile.auth_header_name.as_deref());
    let version = interface.version;
    let untouched = version == asked.version && interface.tenant.is_none();
    let body = match &asked.raw {
        Some(raw) if untouched => raw.clone(),
        _ => rpc_body(gate, &asked.params, version, interface.tenant.as_deref())?,
    };
    let skill = asked.params.value.pointer("/message/metadata/skill");
    let mut headers = json_headers(passed, version);
    let streams = matches!(
        asked.params.operation,
        Operation::SendStream | Operation::Subscribe
    );
    if streams {
        headers.insert(
            header::ACCEPT,
            HeaderValue::from_static("text/event-stream"),
        );
    }
    let shaped = Shaped {
        spoken: spoken(version),
        to: Receiver::Remote(address(&interface.url)?),
        method: Method::POST,
        headers,
        body,
        timeout: None,
        skill: skill.and_then(Value::as_str).map(named),
        dropped_headers,
        verified,
    };
    Ok((shaped, version))
}

/// The agent's address for a dialect, or where it has none for the other one.
fn interface_for(profile: &Profile, version: Version) -> Option<&Interface> {
    let callable = |i: &&Interface| i.callable && i.binding == Binding::JsonRpc;
    let mut all = profile.interfaces.iter().filter(callable);
    let first = all.clone().next();
    all.find(|interface| interface.version == version).or(first)
}

fn rpc_body(
    gate: &Gate,
    params: &Params,
    version: Version,
    tenant: Option<&str>,
) -> Result<Bytes, CallFailure> {
    let Some(method) = method_name(version, params.operation) else {
        return Err(CallFailure::new(
            Code::UnsupportedBinding,
            "the agent's dialect has no such method",
        ));
    };
    let id = ids::new_id("rpc", gate.store.clock().now(), &**gate.store.random());
    let params = params.write(version, tenant);
    let body = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    Ok(body.to_string().into())
}

/// A skill as it is recorded; what the agent gets is untouched.
pub(super) fn named(skill: &str) -> String {
    skill
        .chars()
        .filter(|c| !c.is_control())
        .take(128)
        .collect()
}

fn json_rpc(interface: Option<&Interface>) -> Result<&Interface, CallFailure> {
    interface.ok_or_else(|| {
        CallFailure::new(
            Code::UnsupportedBinding,
            "the agent's card names no JSON-RPC address that can be called",
        )
    })
}

fn address(text: &str) -> Result<Url, CallFailure> {
    Url::parse(text)
        .map_err(|_| CallFailure::new(Code::NoEndpoint, "the agent's address is no URL"))
}

pub(super) fn spoken(version: Version) -> Spoken {
    match version {
        Version::V0_3 => Spoken::A2a03,
        Version::V1_0 => Spoken::A2a1,
    }
}

fn json_headers(mut headers: HeaderMap, version: Version) -> HeaderMap {
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    if version == Version::V1_0 {
        headers.insert("a2a-version", HeaderValue::from_static("1.0"));
    }
    headers
}

/// The content as a JSON-RPC request in the receiver's dialect.
fn envelope(
    gate: &Gate,
    ask: &Ask,
    version: Version,
    tenant: Option<&str>,
) -> Result<Vec<u8>, CallFailure> {
    let mut message = content::message(&ask.content)?;
    let now = gate.store.clock().now();
    let random = &**gate.store.random();
    message
        .message_id
        .get_or_insert_with(|| ids::new_id("msg", now, random));
    if let Some(skill) = &ask.skill {
        message
            .metadata
            .get_or_insert_default()
            .insert("skill".to_owned(), json!(skill));
    }
    let id = ids::new_id("rpc", now, random);
    let (method, mut params) = match version {
        Version::V0_3 => ("message/send", json!({ "message": message.to_v0_3() })),
        Version::V1_0 => ("SendMessage", json!({ "message": message.to_v1_0() })),
    };
    if let Some(tenant) = tenant {
        params["tenant"] = Value::from(tenant);
    }
    Ok(
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
            .to_string()
            .into_bytes(),
    )
}
