//! `POST /a2a`: the platform as an agent. It finds agents and tells how the index stands, with
//! messages and without tasks; `/.well-known/agent-registration.json` says so to chains (ERC-8004).

use poem::{IntoResponse as _, Request};
use poem_openapi::OpenApi;
use protocol::a2a::card::serve::CardSource;
use protocol::a2a::card::{Provider, Skill};
use protocol::a2a::message::{Content, Message, Part, Role};
use protocol::a2a::rpc::{self, ErrorCode, RpcError};
use protocol::a2a::translate::{Item, Kind, MissingId, Params};
use protocol::a2a::{Operation, Version, choose};
use registry::ids;
use registry::search::Query;
use serde_json::{Value, json};

use super::a2a::{RpcAnswer, RpcBody, refusal, stream_of, version_of};
use super::frame::request_id;
use super::payload::Answer;
use crate::a2a::{self, Refusal, Reply};
use crate::gate::Gate;

/// How many agents an answer names.
const NAMED: usize = 10;

pub(crate) struct PlatformDoor(pub(super) Gate);

#[OpenApi]
impl PlatformDoor {
    /// Speak A2A with the platform
    ///
    /// JSON-RPC 2.0 in A2A 0.3 or 1.0, free of charge. Words are searched for; data may say
    /// `{"skill": "find", "query": "…"}` or `{"skill": "status"}`. It answers with messages.
    #[oai(path = "/a2a", method = "post", operation_id = "a2a_platform")]
    async fn speak(&self, request: &Request, body: RpcBody) -> RpcAnswer {
        let gate = &self.0;
        let parsed = match rpc::parse(&body.0) {
            Ok(parsed) => parsed,
            Err(refused) => {
                let problem = crate::problem::Problem::new(
                    crate::problem::Code::MalformedJson,
                    refused.error.message.clone(),
                );
                let parse = refused.error.code == ErrorCode::ParseError.number();
                return RpcAnswer(match parse {
                    true => refusal(&problem, Some(&refused.id), &request_id(request)),
                    false => rpc_answer(a2a::refused(
                        &refused.id,
                        refused.error.into(),
                        Version::V1_0,
                    )),
                });
            }
        };
        let asked = version_of(request);
        let both = [Version::V1_0, Version::V0_3];
        let (version, operation) = match choose(asked.as_deref(), &parsed.method, &both, false) {
            Ok(chosen) => chosen,
            Err(error) => {
                return RpcAnswer(rpc_answer(a2a::refused(
                    &parsed.id,
                    error.into(),
                    Version::V1_0,
                )));
            }
        };
        RpcAnswer(match answer(gate, &parsed, version, operation).await {
            Ok(item) if operation == Operation::SendStream => stream_of(&parsed.id, version, item),
            Ok(item) => rpc_answer(a2a::answered(
                &parsed.id,
                operation,
                Reply::Item(item),
                version,
            )),
            Err(Refusal::Problem(problem)) => {
                refusal(&problem, Some(&parsed.id), &request_id(request))
            }
            Err(other) => rpc_answer(a2a::refused(&parsed.id, other, version)),
        })
    }

    /// The registration document of the platform
    ///
    /// ERC-8004 registration-v1; `registrations` lists the chain identities of our agents.
    #[oai(
        path = "/.well-known/agent-registration.json",
        method = "get",
        operation_id = "get_registration"
    )]
    async fn registration(&self) -> Answer<Value> {
        let origin = &self.0.fixed.origin;
        let card = card();
        Answer(json!({
            "type": "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
            "name": card.name,
            "description": card.description,
            "services": [{
                "name": "A2A",
                "endpoint": format!("{origin}/.well-known/agent-card.json"),
                "version": "1.0",
            }],
            "x402Support": false,
            "active": true,
            "registrations": [],
            "supportedTrust": [],
        }))
    }
}

fn rpc_answer(body: Vec<u8>) -> poem::Response {
    poem::Response::builder()
        .content_type("application/json")
        .body(body)
        .into_response()
}

/// What the platform's own card says.
pub(super) fn card() -> CardSource {
    let skill = |id: &str, name: &str, description: &str, example: &str| Skill {
        id: id.to_owned(),
        name: name.to_owned(),
        description: description.to_owned(),
        tags: vec!["directory".to_owned(), id.to_owned()],
        examples: vec![example.to_owned()],
        ..Skill::default()
    };
    CardSource {
        name: "Guildhall".to_owned(),
        description: "A directory and a router for autonomous agents: find a counterpart here, and call it through one door."
            .to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        provider: None::<Provider>,
        default_input_modes: vec!["text/plain".to_owned(), "application/json".to_owned()],
        default_output_modes: vec!["text/plain".to_owned(), "application/json".to_owned()],
        skills: vec![
            skill("find", "Find agents", "Searches the directory by words.", "translate French"),
            skill("status", "Index status", "Tells how many agents are listed and how fresh the index is.", "{\"skill\": \"status\"}"),
        ],
        ..CardSource::default()
    }
}

async fn answer(
    gate: &Gate,
    parsed: &rpc::Request,
    version: Version,
    operation: Operation,
) -> Result<Item, Refusal> {
    match operation {
        Operation::Send | Operation::SendStream => {}
        Operation::GetTask | Operation::CancelTask | Operation::Subscribe => {
            return Err(a2a::unknown_task().into());
        }
        Operation::PushCreate
        | Operation::PushGet
        | Operation::PushList
        | Operation::PushDelete => {
            let text = "the platform makes no tasks, so it sends no notifications";
            return Err(RpcError::new(ErrorCode::PushNotificationNotSupported, text).into());
        }
        Operation::ListTasks | Operation::ExtendedCard => {
            let text = "the platform makes no tasks and has one card";
            return Err(RpcError::new(ErrorCode::UnsupportedOperation, text).into());
        }
    }
    let params = parsed.params.as_ref();
    let params = Params::read(operation, params, version, &MissingId::Refuse)
        .map_err(|error| a2a::invalid(&error))?;
    if params.task_id().is_some() {
        return Err(a2a::unknown_task().into());
    }
    let message = Message::parse(&params.value["message"]).map_err(RpcError::from)?;
    let parts = match said(&message) {
        Said::Status => status(gate).await?,
        Said::Find(words) => find(gate, words).await?,
    };
    let now = gate.store.clock().now();
    let id = ids::new_id("msg", now, &**gate.store.random());
    let mut reply = Message::new(Role::Agent, id, parts);
    reply.context_id = message.context_id;
    Ok(Item {
        kind: Kind::Message,
        value: reply.to_v1_0(),
        last: None,
    })
}

enum Said {
    Status,
    Find(String),
}

fn said(message: &Message) -> Said {
    let data = message.parts.iter().find_map(|part| match &part.content {
        Content::Data(data) => Some(data),
        _ => None,
    });
    let named = |name: &str| data.and_then(|data| data.get(name)).and_then(Value::as_str);
    let skill = message
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.get("skill"))
        .and_then(Value::as_str);
    if skill.or_else(|| named("skill")) == Some("status") {
        return Said::Status;
    }
    let words = named("query").map_or_else(|| message.joined_text(), str::to_owned);
    Said::Find(words)
}

async fn status(gate: &Gate) -> Result<Vec<Part>, Refusal> {
    let stats = gate.search.stats();
    let (agents, head) = (
        gate.store.agents_count().await?,
        gate.store.outbox_head().await?,
    );
    let behind = head - stats.position.unwrap_or(0);
    let text = format!(
        "{agents} agents are listed, {} can be found; the index is {behind} changes behind.",
        stats.documents
    );
    let data = json!({ "agents": agents, "findable": stats.documents, "behind": behind });
    Ok(vec![Part::text(text), Part::data(data)])
}

async fn find(gate: &Gate, words: String) -> Result<Vec<Part>, Refusal> {
    let query = Query {
        query: Some(words),
        limit: NAMED,
        ..Query::default()
    };
    if let Err(refused) = query.check() {
        return Err(RpcError::invalid_params("message.parts", &refused.reason).into());
    }
    let found = gate.search.find(&query, gate.store.clock().now())?;
    let ids: Vec<_> = found.hits.iter().map(|hit| hit.id.clone()).collect();
    let listed = gate.store.listed_many(&ids).await?;
    let mut lines = Vec::new();
    let mut agents = Vec::new();
    for hit in found.hits {
        let agent = listed.iter().find(|listed| listed.agent.id == hit.id);
        let Some(agent) = agent.map(|listed| &listed.agent) else {
            continue;
        };
        lines.push(format!("{}: {}", agent.id, agent.profile.name));
        agents.push(json!({
            "agent_id": agent.id.as_str(),
            "name": agent.profile.name,
            "match_score": hit.match_score,
            "url": gate.agent_url(&agent.id),
        }));
    }
    let text = match lines.is_empty() {
        true => "Nothing was found.".to_owned(),
        false => lines.join("\n"),
    };
    Ok(vec![
        Part::text(text),
        Part::data(json!({ "items": agents })),
    ])
}
