//! The public doors: one file a first path word, each a head sentence, its handlers, its bodies.

use poem_openapi::OpenApiService;
use registry::agent::AgentId;

use crate::gate::Gate;
use crate::problem::{Code, Problem};

pub(crate) mod a2a;
mod agents;
mod allow;
mod call;
mod calls;
mod cards;
mod declaration;
pub(crate) mod docs;
pub(crate) mod frame;
mod health;
mod idempotency;
mod import_agent;
mod keys;
mod matching;
mod operator;
mod payload;
mod register;
mod terms;
mod update;
mod verbatim;
mod verify;

/// All documented doors as one type.
pub(crate) type Doors = (
    register::RegisterDoor,
    update::UpdateDoor,
    import_agent::ImportDoor,
    agents::AgentsDoor,
    keys::KeysDoor,
    matching::MatchDoor,
    verify::VerifyDoor,
    call::CallDoor,
    calls::CallsDoor,
    cards::CardsDoor,
    terms::TermsDoor,
    a2a::A2aDoor,
    a2a::PushDoor,
    health::HealthDoor,
    operator::OperatorDoor,
);

/// The service that routes and documents them.
pub(crate) fn service(gate: &Gate) -> OpenApiService<Doors, ()> {
    let doors = (
        register::RegisterDoor(gate.clone()),
        update::UpdateDoor(gate.clone()),
        import_agent::ImportDoor(gate.clone()),
        agents::AgentsDoor(gate.clone()),
        keys::KeysDoor(gate.clone()),
        matching::MatchDoor(gate.clone()),
        verify::VerifyDoor(gate.clone()),
        call::CallDoor(gate.clone()),
        calls::CallsDoor(gate.clone()),
        cards::CardsDoor(gate.clone()),
        terms::TermsDoor(gate.clone()),
        a2a::A2aDoor(gate.clone()),
        a2a::PushDoor(gate.clone()),
        health::HealthDoor(gate.clone()),
        operator::OperatorDoor(gate.clone()),
    );
    OpenApiService::new(doors, "Guildhall", env!("CARGO_PKG_VERSION"))
        .description(
            "A directory and router for autonomous agents: find, check, agree, call and pay.",
        )
        .license("Apache-2.0")
}

/// An id of a path or body, for look-up.
fn lookup(id: &str) -> Result<AgentId, Problem> {
    AgentId::lookup(id).ok_or_else(|| Problem::new(Code::UnknownAgent, "no agent has this id"))
}

/// How many items a page has: 1 to 100, 20 when not said.
fn page_size(limit: Option<u32>) -> Result<u64, Problem> {
    match limit.unwrap_or(20) {
        limit @ 1..=100 => Ok(u64::from(limit)),
        _ => Err(Problem::new(Code::InvalidRequest, "limit is 1 to 100").at("/limit")),
    }
}
