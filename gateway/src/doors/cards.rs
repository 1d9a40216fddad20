//! `/agents/{id}/.well-known/agent-card.json`: the agent's card as served here.

use poem::http::{StatusCode, header};
use poem::{IntoResponse, Request, Response};
use poem_openapi::param::{Path, Query};
use poem_openapi::registry::{MetaResponse, MetaResponses, Registry};
use poem_openapi::{ApiResponse, OpenApi};
use protocol::a2a::card::Provider;
use protocol::a2a::card::serve::{CardSource, OwnExtension, Security, ServeOptions, Shape, served};
use protocol::a2a::{Version, parse_version_header};
use protocol::signature::card::sign_card;
use registry::agent::{Agent, State};
use registry::digest::sha256_hex;
use registry::report::report;
use serde_json::{Value, json};

use super::payload::Answer;
use super::{a2a, lookup, platform};
use crate::gate::Gate;
use crate::problem::{Code, Problem};

/// Names our extension of a card.
const EXTENSION: &str = "urn:guildhall:directory:v1";

pub(crate) struct CardsDoor(pub(super) Gate);

#[OpenApi]
impl CardsDoor {
    /// The card of an agent
    ///
    /// Every call address in it is ours. Without `A2A-Version` it is the card that both dialects
    /// can read; with the header it is the pure one. `original=true` gives the imported bytes.
    #[oai(
        path = "/agents/:agent_id/.well-known/agent-card.json",
        method = "get",
        operation_id = "get_agent_card"
    )]
    async fn card(
        &self,
        request: &Request,
        /// Id of the agent.
        agent_id: Path<String>,
        /// Give the card as it was imported, byte for byte.
        original: Query<Option<bool>>,
    ) -> Result<CardAnswer, Problem> {
        self.serve(request, &agent_id.0, Wanted::of(request, original.0)?)
            .await
    }

    /// The public keys of this gateway
    ///
    /// A JSON Web Key Set (RFC 7517): they check the signatures of served cards, and of requests that
    /// reach agents through `/call` and the A2A doors (RFC 9421).
    #[oai(
        path = "/.well-known/jwks.json",
        method = "get",
        operation_id = "get_jwks"
    )]
    async fn keys(&self) -> Answer<Value> {
        Answer(self.0.ring.published())
    }

    /// The card of an agent in one shape
    ///
    /// A base of its own for clients that send no version: `shape` is `1.0` or `0.3`.
    #[oai(
        path = "/agents/:agent_id/:shape/.well-known/agent-card.json",
        method = "get",
        operation_id = "get_shaped_card"
    )]
    async fn shaped(
        &self,
        request: &Request,
        /// Id of the agent.
        agent_id: Path<String>,
        /// `1.0` or `0.3`.
        shape: Path<String>,
    ) -> Result<CardAnswer, Problem> {
        let shape = match shape.0.as_str() {
            "1.0" => Shape::V1_0,
            "0.3" => Shape::V0_3,
            _ => {
                return Err(Problem::new(
                    Code::NotFound,
                    "a card has the shapes 1.0 and 0.3",
                ));
            }
        };
        self.serve(request, &agent_id.0, Wanted::Shape(shape)).await
    }

    /// The card at the root
    ///
    /// That of the platform, unless the operator put an agent's there.
    #[oai(
        path = "/.well-known/agent-card.json",
        method = "get",
        operation_id = "get_root_card"
    )]
    async fn root(&self, request: &Request) -> Result<CardAnswer, Problem> {
        match self.0.fixed.settings.root_agent.as_str() {
            "" => {
                let shape = match Wanted::of(request, None)? {
                    Wanted::Shape(shape) => shape,
                    Wanted::Original | Wanted::Usual => Shape::Hybrid,
                };
                let card = self.platform_card(shape);
                let started = self.0.fixed.started_at;
                Ok(self.answer(request, card, started))
            }
            id => self.serve(request, id, Wanted::of(request, None)?).await,
        }
    }

    /// The card of an agent, at its older path
    #[oai(
        path = "/agents/:agent_id/.well-known/agent.json",
        method = "get",
        operation_id = "get_agent_json"
    )]
    async fn older(
        &self,
        request: &Request,
        /// Id of the agent.
        agent_id: Path<String>,
        /// Give the card as it was imported, byte for byte.
        original: Query<Option<bool>>,
    ) -> Result<CardAnswer, Problem> {
        self.serve(request, &agent_id.0, Wanted::of(request, original.0)?)
            .await
    }
}

impl CardsDoor {
    async fn serve(
        &self,
        request: &Request,
        id: &str,
        wanted: Wanted,
    ) -> Result<CardAnswer, Problem> {
        let listed = self.0.store.listed(&lookup(id)?).await?;
        let agent = &listed.agent;
        if agent.state == State::Withdrawn {
            return Err(Problem::new(
                Code::AgentWithdrawn,
                "the owner withdrew this agent for good",
            ));
        }
        let shape = match wanted {
            Wanted::Original => return self.original(agent).await,
            Wanted::Shape(shape) => shape,
            Wanted::Usual => agent.profile.card_shape,
        };
        let card = self.card_of(agent, shape)?;
        Ok(self.answer(request, card, agent.updated_at))
    }

    /// The card with its tag, or the word that the client has it.
    fn answer(&self, request: &Request, card: Value, changed_at: i64) -> CardAnswer {
        // Over the card without its signatures: those may differ each time.
        let etag = format!("W/\"{}\"", &sha256_hex(card.to_string().as_bytes())[..32]);
        let known = request
            .header(header::IF_NONE_MATCH)
            .is_some_and(|tags| tags.split(',').any(|tag| tag.trim() == etag));
        let response = if known {
            Response::builder()
                .status(StatusCode::NOT_MODIFIED)
                .finish()
        } else {
            Response::builder()
                .content_type("application/json")
                .body(self.signed(card))
        };
        CardAnswer(
            response
                .with_header(header::ETAG, etag)
                .with_header(header::CACHE_CONTROL, "public, max-age=60")
                .with_header(header::VARY, "A2A-Version")
                .with_header(header::LAST_MODIFIED, http_date(changed_at))
                .into_response(),
        )
    }

    /// Cards may hold what was meant to stay secret; the bytes are shown to whoever could fetch
    /// them where they came from, and signatures only verify over exactly them.
    async fn original(&self, agent: &Agent) -> Result<CardAnswer, Problem> {
        let Some(digest) = agent.profile.card_digest.as_deref() else {
            return Err(Problem::new(
                Code::NotFound,
                "the agent was not listed from a card",
            ));
        };
        let bytes = self.0.store.card_bytes(digest).await?;
        Ok(CardAnswer(
            Response::builder()
                .content_type("application/json")
                .body(bytes),
        ))
    }

    fn signed(&self, card: Value) -> String {
        let Some(key) = self.0.ring.current() else {
            return card.to_string();
        };
        let keys = format!("{}/.well-known/jwks.json", self.0.fixed.origin);
        sign_card(&card, &key, Some(&keys)).to_string()
    }

    fn platform_card(&self, shape: Shape) -> Value {
        let options = ServeOptions {
            url: format!("{}/a2a", self.0.fixed.origin),
            rest: false,
            versions: vec![Version::V1_0, Version::V0_3],
            shape,
            own: Vec::new(),
            streaming: true,
            push: false,
            extended_card: false,
            security: Security::None,
        };
        served(&platform::card(), &options)
    }

    fn card_of(&self, agent: &Agent, shape: Shape) -> Result<Value, Problem> {
        let versions = a2a::spoken(agent);
        if versions.is_empty() {
            return Err(
                Problem::new(Code::NotFound, "the agent speaks no A2A, so it has no card")
                    .hint("POST /call reaches it"),
            );
        }
        let source = self
            .0
            .host
            .card(&agent.id)
            .unwrap_or_else(|| source_of(agent));
        let report = report(agent);
        let codes: Vec<&str> = report.caveats.iter().map(|caveat| caveat.code).collect();
        let evidence = OwnExtension {
            uri: EXTENSION.to_owned(),
            description: "What this directory knows about the agent".to_owned(),
            params: json!({
                "agent_id": agent.id.as_str(),
                "state": agent.state.as_str(),
                "score": report.score,
                "caveats": codes,
                "report": format!("{}/report", self.0.agent_url(&agent.id)),
            }),
        };
        let options = ServeOptions {
            url: self.0.agent_url(&agent.id),
            rest: true,
            versions,
            shape,
            own: vec![evidence],
            streaming: agent.tenant || agent.profile.streaming,
            push: agent.tenant || agent.profile.push_notifications,
            extended_card: false,
            security: Security::BearerOptional,
        };
        Ok(served(&source, &options))
    }
}

/// A time as HTTP writes it (RFC 9110, 5.6.7).
fn http_date(millis: i64) -> String {
    let seconds = u64::try_from(millis / 1_000).unwrap_or_default();
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    httpdate::fmt_http_date(time)
}

/// Which of an agent's cards.
enum Wanted {
    /// The bytes as imported.
    Original,
    /// Ours, in this layout.
    Shape(Shape),
    /// Ours, in the layout that the owner chose.
    Usual,
}

impl Wanted {
    fn of(request: &Request, original: Option<bool>) -> Result<Self, Problem> {
        if original == Some(true) {
            return Ok(Self::Original);
        }
        match request.header("a2a-version").map(parse_version_header) {
            None => Ok(Self::Usual),
            Some(Ok(Version::V1_0)) => Ok(Self::Shape(Shape::V1_0)),
            Some(Ok(Version::V0_3)) => Ok(Self::Shape(Shape::V0_3)),
            Some(Err(unsupported)) => {
                Err(Problem::new(Code::InvalidRequest, unsupported.to_string()).at("/a2a-version"))
            }
        }
    }
}

fn source_of(agent: &Agent) -> CardSource {
    let profile = agent.profile.clone();
    let provider = profile.org_name.map(|organization| Provider {
        organization,
        url: profile.org_url,
    });
    CardSource {
        name: profile.name,
        description: profile.description,
        version: profile.version,
        provider,
        documentation_url: profile.documentation_url,
        icon_url: profile.icon_url,
        default_input_modes: profile.input_modes,
        default_output_modes: profile.output_modes,
        skills: profile.skills,
        extensions: profile.extensions,
    }
}

/// A card, or 304.
struct CardAnswer(Response);

impl IntoResponse for CardAnswer {
    fn into_response(self) -> Response {
        self.0
    }
}

impl ApiResponse for CardAnswer {
    fn meta() -> MetaResponses {
        let mut meta = Answer::<Value>::meta();
        meta.responses.push(MetaResponse {
            description: "The card that the client has",
            status: Some(304),
            status_range: None,
            content: vec![],
            headers: vec![],
        });
        meta
    }

    fn register(registry: &mut Registry) {
        Answer::<Value>::register(registry);
    }
}
