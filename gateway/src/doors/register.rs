//! `POST /register`: a new agent under its owner's first key.

use poem::Request;
use poem_openapi::{ApiResponse, Object, OpenApi};
use registry::agent::{Agent, AgentId, Contact, Profile};
use registry::declaration::Declaration;
use registry::listing::candidate_ids;
use registry::store::{IssuedKey, NewAgent};
use serde::{Deserialize, Serialize};

use super::declaration::DeclarationBody;
use super::payload::{self, Answer, Body, ReadBody};
use super::verbatim::Verbatim;
use crate::caller::source_of;
use crate::gate::Gate;
use crate::import::{self, Source};
use crate::problem::{Code, Problem};
use crate::views::AgentView;

pub(crate) struct RegisterDoor(pub(super) Gate);

#[OpenApi]
impl RegisterDoor {
    /// Register an agent
    ///
    /// Lists an agent and answers with its first key, shown once. With a card, what the card
    /// says is taken first and the declared fields go over it.
    #[oai(path = "/register", method = "post", operation_id = "register_agent")]
    async fn register(
        &self,
        request: &Request,
        body: Body<RegisterBody>,
    ) -> Result<RegisterAnswer, Problem> {
        let gate = &self.0;
        gate.fixed.limits.check_register(source_of(request))?;
        let (agent, key) = register(gate, body.0).await?;
        let location = format!("/agents/{}", agent.id);
        let suggestions = better_known(gate, &agent);
        let view = AgentView::of(&agent, &gate.fixed.origin);
        Ok(RegisterAnswer::Created(
            Answer(RegisteredView::new(view, key, suggestions)),
            location,
        ))
    }
}

/// A registration.
#[derive(Debug, Object)]
#[oai(rename = "Registration")]
struct RegisterBody {
    #[oai(flatten)]
    named: Named,
    #[oai(flatten)]
    declared: DeclarationBody,
}

/// Which agent, and where its card is.
#[derive(Debug, Default, Deserialize, Object)]
#[serde(default)]
#[oai(default)]
struct Named {
    /// `[a-z0-9][a-z0-9._-]{0,127}`; needed unless a card is given.
    agent_id: Option<String>,
    /// The agent's card.
    card: Option<Verbatim>,
    /// Where the card is.
    card_url: Option<String>,
    /// The domain that serves the card at its well-known path.
    domain_url: Option<String>,
}

impl ReadBody for RegisterBody {
    /// Twice over the same bytes: a card must keep its bytes, which a flattened reader would lose.
    fn read(bytes: &[u8]) -> Result<Self, Problem> {
        Ok(Self {
            named: payload::object_around(bytes, |named: &Named| {
                named.card.as_ref().map(Verbatim::text)
            })?,
            declared: payload::typed(bytes)?,
        })
    }
}

#[derive(ApiResponse)]
enum RegisterAnswer {
    /// Listed; the key is shown this once.
    #[oai(status = 201)]
    Created(Answer<RegisteredView>, #[oai(header = "location")] String),
}

/// A new agent with its first key.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "Registered")]
struct RegisteredView {
    /// Always `registered`.
    status: String,
    /// The id.
    agent_id: String,
    /// The key; it is stored nowhere and cannot be shown again.
    api_key: String,
    /// The id of the key, for revoking it.
    key_id: String,
    /// The agent as everybody sees it.
    agent: AgentView,
    /// Better-known words for the declared capabilities.
    suggestions: Vec<String>,
}

impl RegisteredView {
    fn new(agent: AgentView, key: IssuedKey, suggestions: Vec<String>) -> Self {
        Self {
            status: "registered".to_owned(),
            agent_id: agent.agent_id.clone(),
            api_key: key.text,
            key_id: key.id,
            agent,
            suggestions,
        }
    }
}

/// For each declared capability the name that most others use; search knows both as one.
fn better_known(gate: &Gate, agent: &Agent) -> Vec<String> {
    let synonyms = gate.search.synonyms();
    let names = agent.profile.capabilities.iter();
    names
        .filter_map(|capability| synonyms.best_known(&capability.name))
        .map(str::to_owned)
        .collect()
}

async fn register(gate: &Gate, body: RegisterBody) -> Result<(Agent, IssuedKey), Problem> {
    let named = body.named;
    let claimed = named.agent_id.as_deref().map(AgentId::claim).transpose()?;
    let source = Source::of(
        named.domain_url,
        named.card_url,
        named.card.map(Verbatim::into_raw),
    )?;
    let (mut profile, card) = match source {
        Some(source) => {
            let imported = import::read(gate, source).await?;
            (imported.profile, Some(imported.bytes))
        }
        None => (Profile::default(), None),
    };
    let mut contact = Contact::default();
    let declared = Declaration::from(body.declared);
    declared.apply(
        &mut profile,
        &mut contact,
        gate.fixed.settings.allow_private_targets,
    )?;
    crate::probe::observe(gate, &mut profile).await;
    let ids = match claimed {
        Some(id) => vec![id],
        None if card.is_some() => candidate_ids(&profile),
        None => {
            return Err(Problem::new(
                Code::InvalidRequest,
                "an agent has an agent_id, or a card to make one of",
            )
            .at("/agent_id"));
        }
    };
    first_free(gate, ids, profile, contact, card).await
}

/// Of ids made from a card the first free one is taken; a claimed id is taken or refused.
async fn first_free(
    gate: &Gate,
    ids: Vec<AgentId>,
    profile: Profile,
    contact: Contact,
    card: Option<Vec<u8>>,
) -> Result<(Agent, IssuedKey), Problem> {
    let mut refused =
        Problem::new(Code::AgentIdTaken, "every id made from the card is taken").at("/agent_id");
    for id in ids {
        let mut profile = profile.clone();
        if profile.name.is_empty() {
            profile.name = id.to_string();
        }
        let new = NewAgent {
            id,
            profile,
            contact: contact.clone(),
            card: card.clone(),
        };
        match gate.store.agent_register(new).await {
            Ok(registered) => return Ok(registered),
            Err(error @ registry::error::Error::Conflict { .. }) => refused = error.into(),
            Err(error) => return Err(error.into()),
        }
    }
    Err(refused)
}
