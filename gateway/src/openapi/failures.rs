//! Which codes each operation may fail with, and how they stand in the document.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{example_of, single};
use crate::problem::{Code, Problem};

/// What any door may answer.
const ANY: [Code; 8] = [
    Code::MalformedRequest,
    Code::PayloadTooLarge,
    Code::RequestTimeout,
    Code::RateLimited,
    Code::Internal,
    Code::StoreUnavailable,
    Code::Overloaded,
    Code::LoopDetected,
];
/// What a door with a JSON body may answer.
const BODY: [Code; 3] = [
    Code::MalformedJson,
    Code::InvalidRequest,
    Code::UnsupportedMediaType,
];
/// What a door that needs a key may answer.
const KEY: [Code; 3] = [Code::Unauthorized, Code::InvalidKey, Code::AgentSuspended];
/// What the owner's doors may answer.
const OWNER: [Code; 2] = [Code::NotOwner, Code::UnknownAgent];
/// What a card may be refused with.
const CARD: [Code; 6] = [
    Code::NotJson,
    Code::NotAnAgentCard,
    Code::CardTooLarge,
    Code::CardTooDeep,
    Code::TooManySkills,
    Code::CardUnreachable,
];
/// What a declaration may be refused with.
const DECLARED: [Code; 5] = [
    Code::InvalidPublicKey,
    Code::MissingContact,
    Code::PayloadSchema,
    Code::PriceNotAllowed,
    Code::InvalidTerms,
];
/// What calling an agent may end with.
const CALLED: [Code; 20] = [
    Code::UnknownAgent,
    Code::AgentPaused,
    Code::AgentSuspended,
    Code::AgentWithdrawn,
    Code::NoEndpoint,
    Code::UnsupportedBinding,
    Code::UpstreamUnreachable,
    Code::UpstreamBroken,
    Code::UpstreamTooLarge,
    Code::UpstreamRefused,
    Code::UpstreamTimeout,
    Code::CallerMismatch,
    Code::UnknownTask,
    Code::AgentBusy,
    Code::AgentFailing,
    Code::CallerBusy,
    Code::IdempotencyMismatch,
    Code::IdempotencyInProgress,
    Code::OutcomeUnknown,
    Code::SchemaMismatch,
];
/// What naming an agent in a path may end with.
const AGENT: [Code; 2] = [Code::UnknownAgent, Code::AgentWithdrawn];

/// The codes of an operation beyond [`ANY`].
fn codes(operation: &str) -> Vec<Code> {
    let parts: &[&[Code]] = match operation {
        "register_agent" => &[
            &BODY,
            &CARD,
            &DECLARED,
            &[Code::ReservedId, Code::AgentIdTaken, Code::AgentSuspended],
        ],
        "update_agent" => &[
            &BODY,
            &KEY,
            &OWNER,
            &DECLARED,
            &[Code::RevisionConflict, Code::AgentWithdrawn],
        ],
        "import_agent" => &[&BODY, &CARD, &[Code::AgentIdTaken, Code::AgentSuspended]],
        "list_agents" => &[&[Code::InvalidRequest, Code::InvalidCursor]],
        "get_agent" | "get_report" => &[&AGENT],
        "list_keys" => &[&KEY, &OWNER],
        "withdraw_agent" => &[&KEY, &OWNER, &[Code::AgentWithdrawn]],
        "create_key" => &[&BODY, &KEY, &OWNER, &[Code::AgentWithdrawn]],
        "revoke_key" => &[&KEY, &OWNER, &[Code::UnknownKey]],
        "match_agents" => &[
            &BODY,
            &[Code::NoFilter, Code::UnsupportedFilter, Code::InvalidCursor],
        ],
        "verify_agent" => &[&BODY, &AGENT],
        "check_terms" => &[&BODY, &AGENT, &[Code::InvalidTerms]],
        "call_agent" => &[&BODY, &KEY, &CALLED],
        "get_call" => &[&KEY, &[Code::UnknownCall]],
        "get_agent_card" | "get_agent_json" | "get_shaped_card" => {
            &[&AGENT, &[Code::NotFound, Code::InvalidRequest]]
        }
        "push_notification" => &[&[
            Code::MalformedJson,
            Code::InvalidRequest,
            Code::UnknownAgent,
            Code::NotFound,
        ]],
        "a2a_rpc" | "a2a_rpc_v1" | "a2a_rpc_stream" => &[&[
            Code::MalformedJson,
            Code::InvalidKey,
            Code::UnknownAgent,
            Code::AgentSuspended,
            Code::AgentWithdrawn,
            Code::MethodNotAllowed,
            Code::AgentBusy,
            Code::AgentFailing,
            Code::CallerBusy,
        ]],
        "suspend_agent" | "resume_agent" => &[&[
            Code::Unauthorized,
            Code::InvalidKey,
            Code::NotFound,
            Code::UnknownAgent,
            Code::AgentWithdrawn,
            Code::InvalidRequest,
        ]],
        "get_root_card" => &[&[
            Code::NotFound,
            Code::InvalidRequest,
            Code::UnknownAgent,
            Code::AgentWithdrawn,
        ]],
        "get_ready" => &[&[Code::NotReady]],
        _ => &[],
    };
    ANY.iter()
        .chain(parts.iter().copied().flatten())
        .copied()
        .collect()
}

/// The failed answers of an operation: status, description, and content by media type.
pub(super) fn of(operation: &str) -> Vec<(String, String, Map<String, Value>)> {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in codes(operation) {
        by_status.entry(code.entry().status).or_default().push(code);
    }
    by_status
        .into_iter()
        .map(|(status, codes)| {
            let names: Vec<_> = codes.iter().map(|code| code.entry().name).collect();
            let content = if operation.starts_with("a2a_rpc") {
                rpc(&codes)
            } else {
                problems(&codes)
            };
            (status.to_string(), names.join(", "), content)
        })
        .collect()
}

fn problems(codes: &[Code]) -> Map<String, Value> {
    let examples: Map<String, Value> = codes
        .iter()
        .map(|code| {
            let entry = code.entry();
            (
                entry.name.to_owned(),
                json!({ "value": example_of(&Problem::new(*code, entry.title)) }),
            )
        })
        .collect();
    let schema = json!({ "$ref": "#/components/schemas/Problem" });
    single(
        "application/problem+json",
        json!({ "schema": schema, "examples": examples }),
    )
}

/// On the JSON-RPC door a problem is one element of `error.data`.
fn rpc(codes: &[Code]) -> Map<String, Value> {
    let examples: Map<String, Value> = codes
        .iter()
        .map(|code| {
            let entry = code.entry();
            let mut data = example_of(&Problem::new(*code, entry.title));
            data["@type"] = json!("urn:guildhall:problem");
            let error = json!({ "code": entry.rpc, "message": entry.title, "data": [data] });
            (
                entry.name.to_owned(),
                json!({ "value": { "jsonrpc": "2.0", "id": null, "error": error } }),
            )
        })
        .collect();
    single(
        "application/json",
        json!({ "schema": {}, "examples": examples }),
    )
}
