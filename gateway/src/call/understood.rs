//! An answer of A2A on `/call`: its task becomes the caller's, and it is given in the caller's dialect.

use protocol::a2a::translate::{Item, in_dialect, read_error};
use protocol::a2a::{Operation, Version};
use registry::agent::AgentId;
use registry::store::CallOutcome;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Answered, Body, CallFailure, Spoken, relay};
use crate::gate::Gate;
use crate::problem::{Code, log_cause};

/// What the agent said stays its own word: an answer that is no A2A passes as it came.
pub(super) async fn finish(
    gate: &Gate,
    answered: &mut Answered,
    caller: Option<&AgentId>,
    dialect: Option<Version>,
) -> Result<(), CallFailure> {
    let spoken = match answered.spoken {
        Spoken::A2a03 => Version::V0_3,
        Spoken::A2a1 => Version::V1_0,
        Spoken::Rest03 => return over_rest(gate, answered, caller, Version::V0_3).await,
        Spoken::Rest1 => return over_rest(gate, answered, caller, Version::V1_0).await,
        Spoken::Http | Spoken::Mcp => return Ok(()),
    };
    let elsewhere = !gate.host.serves(&answered.agent_id);
    if !elsewhere && dialect.is_none_or(|dialect| dialect == spoken) {
        return Ok(());
    }
    let Some((id, outcome)) = read(&answered.body) else {
        answered.pending.outcome(CallOutcome::Broken);
        return Ok(());
    };
    if let (Ok(item), true) = (&outcome, elsewhere) {
        keep(gate, &answered.agent_id, caller, item).await?;
    }
    let Some(dialect) = dialect.filter(|dialect| *dialect != spoken) else {
        return Ok(());
    };
    let body = match outcome {
        Ok(item) => {
            let result = item.write(dialect, item.closes());
            json!({ "jsonrpc": "2.0", "id": id, "result": result })
        }
        Err(error) => {
            let error = read_error(&error).map(|error| in_dialect(error, dialect).to_value());
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    };
    let text = protocol::exact::unshield(&body.to_string()).into_owned();
    if let Ok(raw) = RawValue::from_string(text) {
        answered.body = Body::Json(raw);
    }
    Ok(())
}

/// The REST bindings have no envelope to translate: the words stay the agent's, the task is the
/// caller's all the same.
async fn over_rest(
    gate: &Gate,
    answered: &mut Answered,
    caller: Option<&AgentId>,
    version: Version,
) -> Result<(), CallFailure> {
    let Body::Json(raw) = &answered.body else {
        answered.pending.outcome(CallOutcome::Broken);
        return Ok(());
    };
    match relay::over_rest(raw.get(), Operation::Send, answered.status_code, version) {
        Ok(item) => keep(gate, &answered.agent_id, caller, &item).await,
        Err(_) => Ok(()),
    }
}

/// The id, and the item or the error of a JSON-RPC answer.
fn read(body: &Body) -> Option<(Value, Result<Item, Value>)> {
    let Body::Json(raw) = body else {
        return None;
    };
    let exact = protocol::exact::shield(raw.get());
    let mut answer: Value = serde_json::from_str(&exact).ok()?;
    let id = answer.get("id").cloned().unwrap_or_default();
    if let Some(error) = answer.get_mut("error").filter(|error| error.is_object()) {
        return Some((id, Err(error.take())));
    }
    let item = Item::read(answer.get("result")?).ok()?;
    Some((id, Ok(item)))
}

async fn keep(
    gate: &Gate,
    agent_id: &AgentId,
    caller: Option<&AgentId>,
    item: &Item,
) -> Result<(), CallFailure> {
    match relay::keep(gate, agent_id, caller, item).await {
        Ok(()) => Ok(()),
        Err(crate::a2a::Refusal::Rpc(error)) => {
            Err(CallFailure::new(Code::UpstreamBroken, error.message))
        }
        Err(_) => {
            let text = "the agent answered, but whose task it is could not be kept";
            log_cause(text, &std::io::Error::other("the store failed"));
            Err(CallFailure::new(Code::StoreUnavailable, text))
        }
    }
}
