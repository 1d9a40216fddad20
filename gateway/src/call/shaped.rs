//! Phase 3: the content in the form that the receiver takes. Nothing has left yet.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, header};
use protocol::a2a::card::{Binding, Interface};
use protocol::a2a::rpc::ErrorCode;
use protocol::a2a::translate::Params;
use protocol::a2a::{Operation, Version, method_name, rest};
use registry::agent::{Agent, AgentId, MessageProtocol, Profile};
use registry::ids;
use serde_json::{Value, json};
use url::Url;

use super::{Ask, CallFailure, Content, Relay, Spoken, Verified, content, headers, plain, relay};
use crate::a2a::Refusal;
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
    /// The caller's dialect, where the answer is to be given in it.
    pub(super) dialect: Option<Version>,
}

/// Where it goes.
#[derive(Debug)]
pub(super) enum Receiver {
    /// A tenant of this process.
    Hosted,
    /// Somewhere else.
    Remote(Url),
}

/// A request in the form of one kind of receiver.
struct Form {
    spoken: Spoken,
    to: Receiver,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
    dialect: Option<Version>,
}

pub(super) async fn for_receiver(
    gate: &Gate,
    verified: Verified,
    ask: Ask,
) -> Result<Shaped, CallFailure> {
    let listed = verified.listed.clone();
    let (agent, profile) = (&listed.agent, &listed.agent.profile);
    let (passed, dropped_headers) =
        headers::forwarded(&ask.forwarded_headers, profile.auth_header_name.as_deref());
    let form = match (profile.message_protocol, profile.a2a_compliant) {
        _ if agent.tenant => for_tenant(gate, &ask, passed)?,
        _ if profile.endpoint_url.is_none() => {
            return Err(CallFailure::new(
                Code::NoEndpoint,
                "the agent has no address that can be called",
            ));
        }
        (MessageProtocol::A2a, true) => {
            for_a2a(gate, agent, verified.caller.as_ref(), &ask, passed).await?
        }
        (MessageProtocol::Mcp, _) => for_mcp(profile, &ask, passed)?,
        (MessageProtocol::A2a | MessageProtocol::Raw, _) => for_plain(profile, &ask, passed)?,
    };
    Ok(Shaped {
        verified,
        skill: ask.skill,
        spoken: form.spoken,
        to: form.to,
        method: form.method,
        headers: form.headers,
        body: form.body,
        timeout: ask.timeout,
        dropped_headers,
        dialect: form.dialect,
    })
}

fn for_tenant(gate: &Gate, ask: &Ask, passed: HeaderMap) -> Result<Form, CallFailure> {
    let question = asked(gate, ask)?;
    Ok(Form {
        spoken: Spoken::A2a1,
        to: Receiver::Hosted,
        method: Method::POST,
        headers: json_headers(passed, Version::V1_0),
        body: rpc_body(gate, &question.params, Version::V1_0, None)?,
        dialect: question.dialect,
    })
}

async fn for_a2a(
    gate: &Gate,
    agent: &Agent,
    caller: Option<&AgentId>,
    ask: &Ask,
    passed: HeaderMap,
) -> Result<Form, CallFailure> {
    let first = agent
        .interface()
        .map_or(Version::V1_0, |first| first.version);
    let interface = callable(interface_for(&agent.profile, first))?;
    let question = asked(gate, ask)?;
    relay::owned(gate, &agent.id, caller, &question.params)
        .await
        .map_err(not_theirs)?;
    let request = Relay {
        version: interface.version,
        params: question.params,
        raw: None,
        came: Bytes::new(),
        headers: Vec::new(),
        rest: false,
    };
    let (method, url, body) = sent(gate, interface, &request)?;
    Ok(Form {
        spoken: spoken_in(tongue(interface)),
        to: Receiver::Remote(url),
        method,
        headers: json_headers(passed, interface.version),
        body,
        dialect: question.dialect,
    })
}

fn for_mcp(profile: &Profile, ask: &Ask, passed: HeaderMap) -> Result<Form, CallFailure> {
    let (Content::Message(raw) | Content::Payload(raw)) = &ask.content;
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
    Ok(Form {
        spoken: Spoken::Mcp,
        to: Receiver::Remote(address(
            profile.endpoint_url.as_deref().unwrap_or_default(),
        )?),
        method: Method::POST,
        headers,
        body: raw.get().as_bytes().to_vec().into(),
        dialect: None,
    })
}

fn for_plain(profile: &Profile, ask: &Ask, passed: HeaderMap) -> Result<Form, CallFailure> {
    let message = content::message(&ask.content)?;
    let endpoint = profile.endpoint_url.as_deref().unwrap_or_default();
    let request = plain::request(profile, endpoint, &message, ask.method.as_deref(), passed)?;
    Ok(Form {
        spoken: Spoken::Http,
        to: Receiver::Remote(request.url),
        method: request.method,
        headers: request.headers,
        body: request.body.into(),
        dialect: None,
    })
}

/// The content as a request of A2A, with the skill that is meant in its metadata.
fn asked(gate: &Gate, ask: &Ask) -> Result<content::Question, CallFailure> {
    let now = gate.store.clock().now();
    let id = ids::new_id("msg", now, &**gate.store.random());
    let mut question = content::question(&ask.content, id)?;
    let sends = question.params.operation == Operation::Send;
    if let (Some(skill), true) = (&ask.skill, sends) {
        let message = &mut question.params.value["message"];
        if message.get("metadata").is_none() {
            message["metadata"] = json!({});
        }
        message["metadata"]["skill"] = json!(skill);
    }
    Ok(question)
}

/// What A2A says of a task or a conversation of somebody else, as a problem of `/call`.
fn not_theirs(refusal: Refusal) -> CallFailure {
    match refusal {
        Refusal::Rpc(error) if error.code == ErrorCode::TaskNotFound.number() => {
            CallFailure::new(Code::UnknownTask, error.message)
        }
        Refusal::Rpc(error) => {
            CallFailure::new(Code::InvalidRequest, error.message).at("/message/contextId")
        }
        Refusal::Problem(_) | Refusal::Raw(_) | Refusal::Agent(_) => CallFailure::new(
            Code::StoreUnavailable,
            "the store does not answer; the agent was not called",
        ),
    }
}

/// How an agent is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tongue {
    pub(super) version: Version,
    pub(super) rest: bool,
}

/// A request of the A2A door as the agent takes it, and how that is. What needs no change passes
/// as it came.
pub(super) fn relayed(
    gate: &Gate,
    verified: Verified,
    asked: &Relay,
) -> Result<(Shaped, Tongue), CallFailure> {
    let listed = verified.listed.clone();
    let profile = &listed.agent.profile;
    let (passed, dropped_headers) =
        headers::forwarded(&asked.headers, profile.auth_header_name.as_deref());
    let interface = callable(interface_for(profile, asked.version))?;
    let tongue = tongue(interface);
    let (method, url, body) = sent(gate, interface, asked)?;
    let skill = asked.params.value.pointer("/message/metadata/skill");
    let mut headers = json_headers(passed, tongue.version);
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
        spoken: spoken_in(tongue),
        to: Receiver::Remote(url),
        method,
        headers,
        body,
        timeout: None,
        skill: skill.and_then(Value::as_str).map(named),
        dropped_headers,
        dialect: None,
        verified,
    };
    Ok((shaped, tongue))
}

fn tongue(interface: &Interface) -> Tongue {
    Tongue {
        version: interface.version,
        rest: interface.binding == Binding::HttpJson,
    }
}

/// Method, address and body in the agent's binding.
fn sent(
    gate: &Gate,
    interface: &Interface,
    asked: &Relay,
) -> Result<(Method, Url, Bytes), CallFailure> {
    let (version, tenant) = (interface.version, interface.tenant.as_deref());
    if interface.binding == Binding::HttpJson {
        return rest_request(interface, &asked.params);
    }
    // A tenant that only the client named is not the agent's: it stays here.
    let tenants = tenant.is_some() || asked.params.value.get("tenant").is_some();
    let untouched = version == asked.version && !tenants && !asked.rest;
    let body = match &asked.raw {
        Some(raw) if untouched => raw.clone(),
        _ => rpc_body(gate, &asked.params, version, tenant)?,
    };
    Ok((Method::POST, address(&interface.url)?, body))
}

/// The request of the HTTP+JSON binding.
fn rest_request(
    interface: &Interface,
    params: &Params,
) -> Result<(Method, Url, Bytes), CallFailure> {
    let tenant = interface.tenant.as_deref();
    let request = rest::request(params.operation, interface.version, &params.value, tenant)
        .map_err(|error| CallFailure::new(Code::UnsupportedBinding, error.reason))?;
    let base = interface.url.trim_end_matches('/');
    let mut url = address(&format!("{base}{}", request.path))?;
    if !request.query.is_empty() {
        url.set_query(Some(&request.query));
    }
    let method = Method::from_bytes(request.method.as_bytes()).unwrap_or(Method::POST);
    let body = request.body.map(|body| crate::a2a::written(&body).into());
    Ok((method, url, body.unwrap_or_default()))
}

/// The agent's address for a dialect: JSON-RPC before HTTP+JSON, the dialect itself before the other.
fn interface_for(profile: &Profile, version: Version) -> Option<&Interface> {
    let spoken =
        |i: &&Interface| i.callable && matches!(i.binding, Binding::JsonRpc | Binding::HttpJson);
    let rank = |i: &&Interface| (i.binding != Binding::JsonRpc, i.version != version);
    profile.interfaces.iter().filter(spoken).min_by_key(rank)
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
    Ok(crate::a2a::written(&body).into())
}

/// A skill as it is recorded; what the agent gets is untouched.
pub(super) fn named(skill: &str) -> String {
    skill
        .chars()
        .filter(|c| !c.is_control())
        .take(128)
        .collect()
}

fn callable(interface: Option<&Interface>) -> Result<&Interface, CallFailure> {
    interface.ok_or_else(|| {
        CallFailure::new(
            Code::UnsupportedBinding,
            "the agent's card names no address that speaks A2A and can be called",
        )
    })
}

fn address(text: &str) -> Result<Url, CallFailure> {
    Url::parse(text)
        .map_err(|_| CallFailure::new(Code::NoEndpoint, "the agent's address is no URL"))
}

/// What a tongue is called in records.
pub(super) fn spoken_in(tongue: Tongue) -> Spoken {
    match (tongue.version, tongue.rest) {
        (version, false) => spoken(version),
        (Version::V0_3, true) => Spoken::Rest03,
        (Version::V1_0, true) => Spoken::Rest1,
    }
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
