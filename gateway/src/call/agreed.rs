//! Phase: what the caller says fits the receiver's terms. Only data is checked; texts are not.

use protocol::a2a::Operation;
use protocol::a2a::translate::Params;
use protocol::exact;
use registry::agent::{Agent, AgentId};
use registry::terms::{Compiled, Tree};
use serde_json::Value;
use serde_json::value::RawValue;

use super::{CallFailure, Content, Relay};
use crate::agree::Agreed;
use crate::gate::Gate;
use crate::problem::Code;

/// Names, in a message's metadata, the digest of a refusal whose suggestion is to go instead.
const ACCEPTS: &str = "guildhall.accept_terms";

/// The question about terms: whose, which skill, and what the caller accepts.
pub(super) struct Terms<'a> {
    pub(super) agent: &'a Agent,
    pub(super) caller: Option<&'a AgentId>,
    pub(super) skill: Option<&'a str>,
    pub(super) accepts: Option<&'a str>,
}

/// Checks the bare payload of `/call`, or the data parts of its message; gives the content to go on
/// with, which is another only where the caller accepted it.
pub(super) async fn content(
    gate: &Gate,
    terms: Terms<'_>,
    content: Content,
) -> Result<Content, CallFailure> {
    let compiled = gate.fixed.terms.of(terms.agent, terms.skill);
    if compiled.is_empty() {
        return Ok(content);
    }
    let own = own_terms(gate, terms.caller).await;
    let changed = |text: String| RawValue::from_string(text).map_err(|_| unreadable("/payload"));
    match content {
        Content::Payload(raw) => {
            let tree = Tree::parse(raw.get()).map_err(|_| unreadable("/payload"))?;
            match agree(gate, &terms, &compiled, own.as_deref(), &tree)? {
                Some(instead) => Ok(Content::Payload(changed(instead)?)),
                None => Ok(Content::Payload(raw)),
            }
        }
        Content::Message(raw) => {
            let tree = Tree::parse(raw.get()).map_err(|_| unreadable("/message"))?;
            let message = ["params", "message"]
                .iter()
                .try_fold(&tree, |tree, name| tree.get(name))
                .unwrap_or(&tree);
            let mut replaced = Vec::new();
            for (index, data) in data_parts(message) {
                let instead = agree(gate, &terms, &compiled, own.as_deref(), data)?;
                replaced.extend(instead.map(|data| (index, data)));
            }
            if replaced.is_empty() {
                return Ok(Content::Message(raw));
            }
            let mut value: Value = serde_json::from_str(&exact::shield(raw.get()))
                .map_err(|_| unreadable("/message"))?;
            let place = if value.get("params").is_some() {
                "/params/message"
            } else {
                ""
            };
            for (index, data) in replaced {
                put(value.pointer_mut(place), index, &data);
            }
            let text = exact::unshield(&value.to_string()).into_owned();
            Ok(Content::Message(changed(text)?))
        }
    }
}

/// A request of an A2A door that sends something, once it fits; it passes untouched unless the
/// caller accepted another payload.
pub(super) async fn relayed(
    gate: &Gate,
    agent: &Agent,
    caller: Option<&AgentId>,
    mut asked: Relay,
) -> Result<Relay, CallFailure> {
    if !matches!(
        asked.params.operation,
        Operation::Send | Operation::SendStream
    ) {
        return Ok(asked);
    }
    let metadata = |name: &str| {
        let place = asked.params.value.pointer("/message/metadata")?.get(name)?;
        place.as_str().map(str::to_owned)
    };
    let (skill, accepts) = (metadata("skill"), metadata(ACCEPTS));
    let terms = Terms {
        agent,
        caller,
        skill: skill.as_deref(),
        accepts: accepts.as_deref(),
    };
    if message(gate, terms, &asked.came, &mut asked.params).await? {
        asked.raw = None;
    }
    Ok(asked)
}

/// Checks the data parts of a message on an A2A door. `raw` is the request as it came, so that no
/// number was changed on the way.
async fn message(
    gate: &Gate,
    terms: Terms<'_>,
    raw: &[u8],
    params: &mut Params,
) -> Result<bool, CallFailure> {
    let compiled = gate.fixed.terms.of(terms.agent, terms.skill);
    if compiled.is_empty() {
        return Ok(false);
    }
    let own = own_terms(gate, terms.caller).await;
    let text = std::str::from_utf8(raw).map_err(|_| unreadable("/params"))?;
    let tree = Tree::parse(text).map_err(|_| unreadable("/params"))?;
    let message = ["params", "message"]
        .iter()
        .try_fold(&tree, |tree, name| tree.get(name))
        .or_else(|| tree.get("message"))
        .unwrap_or(&Tree::Null);
    let mut changed = false;
    for (index, data) in data_parts(message) {
        if let Some(instead) = agree(gate, &terms, &compiled, own.as_deref(), data)? {
            put(params.value.get_mut("message"), index, &instead);
            changed = true;
        }
    }
    Ok(changed)
}

/// A caller's own declared conventions tell the units that its words leave out.
async fn own_terms(gate: &Gate, caller: Option<&AgentId>) -> Option<std::sync::Arc<Compiled>> {
    let listed = gate.store.listed(caller?).await.ok()?;
    let own = gate.fixed.terms.of(&listed.agent, None);
    (!own.is_empty()).then_some(own)
}

/// The data parts of a message of either dialect, with their places.
fn data_parts<'t, 'a>(message: &'t Tree<'a>) -> Vec<(usize, &'t Tree<'a>)> {
    match message.get("parts").or_else(|| message.get("content")) {
        Some(Tree::Array(parts)) => parts
            .iter()
            .enumerate()
            .filter_map(|(index, part)| Some((index, part.get("data")?)))
            .collect(),
        _ => Vec::new(),
    }
}

fn put(message: Option<&mut Value>, index: usize, data: &str) {
    let part = message.and_then(|message| message.get_mut("parts")?.get_mut(index));
    if let (Some(part), Ok(data)) = (part, serde_json::from_str(&exact::shield(data))) {
        part["data"] = data;
    }
}

fn agree(
    gate: &Gate,
    terms: &Terms<'_>,
    compiled: &Compiled,
    own: Option<&Compiled>,
    payload: &Tree<'_>,
) -> Result<Option<String>, CallFailure> {
    let now = gate.store.clock().now();
    match gate
        .fixed
        .terms
        .agree(compiled, own, payload, terms.accepts, now)
    {
        Agreed::AsItIs => Ok(None),
        Agreed::Instead(payload) => Ok(Some(payload)),
        Agreed::Refused(refusal) => Err(CallFailure {
            terms: Some(refusal.clone()),
            ..CallFailure::new(Code::SchemaMismatch, refusal.explanation.clone())
        }),
    }
}

fn unreadable(pointer: &str) -> CallFailure {
    CallFailure::new(Code::InvalidRequest, "it cannot be read as JSON").at(pointer)
}
