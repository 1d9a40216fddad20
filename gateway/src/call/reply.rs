//! A reply in the caller's own conventions: a converted copy beside the one that stays untouched.

use registry::agent::AgentId;
use registry::terms::{ReplyOutcome, Tree, convert_reply};
use serde_json::value::RawValue;

use super::{Answered, Body, Spoken};
use crate::gate::Gate;

/// What came of the wish for a converted reply.
#[derive(Debug)]
pub struct Converted {
    /// `unchanged`, `converted`, `not_converted` or `not_checked`.
    pub state: &'static str,
    /// The copy.
    pub reply: Option<Box<RawValue>>,
    /// What was converted, or what could not be.
    pub mismatches: Option<Box<RawValue>>,
}

/// Converts the data of an answer from its agent's conventions to its caller's.
pub(super) async fn converted(
    gate: &Gate,
    caller: &AgentId,
    skill: Option<&str>,
    answered: &Answered,
) -> Converted {
    let not_checked = Converted {
        state: "not_checked",
        reply: None,
        mismatches: None,
    };
    let own = gate.store.listed(caller).await;
    let theirs = gate.store.listed(&answered.agent_id).await;
    let (Ok(own), Ok(theirs), Body::Json(raw)) = (own, theirs, &answered.body) else {
        return not_checked;
    };
    let Some(data) = data_of(raw.get(), answered.spoken) else {
        return not_checked;
    };
    let wanted = gate.fixed.terms.of(&own.agent, None);
    let given = gate.fixed.terms.of(&theirs.agent, skill);
    let now = gate.store.clock().now();
    let exact = |text: String| RawValue::from_string(text).ok();
    match convert_reply(&data, &given, &wanted, &gate.fixed.terms.rates(), now) {
        Ok(ReplyOutcome::Unchanged) => Converted {
            state: "unchanged",
            ..not_checked
        },
        Ok(ReplyOutcome::Converted { reply, changes }) => Converted {
            state: "converted",
            reply: exact(reply),
            mismatches: exact(changes.mismatches_json()),
        },
        Ok(ReplyOutcome::NotConverted(refusal)) => Converted {
            state: "not_converted",
            reply: None,
            mismatches: exact(refusal.mismatches_json()),
        },
        Err(_) => not_checked,
    }
}

/// The data of an answer: the whole of plain HTTP, the first data part of A2A.
fn data_of(body: &str, spoken: Spoken) -> Option<String> {
    if matches!(spoken, Spoken::Http | Spoken::Mcp) {
        return Some(body.to_owned());
    }
    let tree = Tree::parse(body).ok()?;
    let result = tree.get("result")?;
    let task = result.get("task").unwrap_or(result);
    let message = result.get("message").unwrap_or(result);
    let mut holders = vec![message];
    if let Some(Tree::Array(artifacts)) = task.get("artifacts") {
        holders.extend(artifacts);
    }
    let parts = holders.into_iter().filter_map(|holder| holder.get("parts"));
    for parts in parts {
        if let Tree::Array(parts) = parts
            && let Some(data) = parts.iter().find_map(|part| part.get("data"))
        {
            return Some(data.to_json());
        }
    }
    None
}
