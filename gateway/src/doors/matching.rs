//! `POST /match` and `GET /match/policy`: find a counterpart, and why it was found.

use std::collections::BTreeMap;

use poem_openapi::{Enum, Object, OpenApi};
use registry::agent::{Agent, AgentId};
use registry::error::{Invalid, InvalidKind};
use registry::search::{MAX_LIMIT, Mode, Query, Why, policy};
use registry::terms::{Tree, fits};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::declaration::{OneOrMore, ProtocolInput};
use super::payload::{self, Answer, Body, ReadBody};
use super::verbatim::Verbatim;
use crate::gate::Gate;
use crate::problem::{Code, Problem};
use crate::views::{AgentView, brief_view};

pub(crate) struct MatchDoor(pub(super) Gate);

#[OpenApi]
impl MatchDoor {
    /// Find agents
    ///
    /// Best first, ties by id; each hit says why. At least one filter is needed. No evidence is
    /// not a bad score: unrated agents are ranked by text and liveness alone.
    #[oai(path = "/match", method = "post", operation_id = "match_agents")]
    async fn find(&self, body: Body<MatchBody>) -> Result<Answer<Matches>, Problem> {
        let gate = &self.0;
        body.refuse_unsupported()?;
        let rated_only = body.min_trust.is_some() || body.min_raters.unwrap_or(0) > 0;
        let ranking = Ranking::of(&body)?;
        let mut query = body.0.into_query()?;
        let wanted = query.limit;
        if ranking.is_some() {
            query.limit = MAX_LIMIT;
        }
        if rated_only {
            // Nobody has been rated yet, so nobody passes a filter on ratings.
            return Ok(Answer(Matches {
                items: Vec::new(),
                next_cursor: None,
                index_position: gate.search.position().borrow().unwrap_or(0),
            }));
        }
        let found = gate.search.find(&query, gate.store.clock().now())?;
        let ids: Vec<AgentId> = found.hits.iter().map(|hit| hit.id.clone()).collect();
        let mut explainer = gate.search.explainer(&query);
        let listed = gate.store.listed_many(&ids).await?;
        // An agent that went away since it was indexed is not shown.
        let findable = listed.iter().filter(|listed| listed.agent.state.findable());
        let agents: BTreeMap<&AgentId, _> =
            findable.map(|listed| (&listed.agent.id, listed)).collect();
        let hit = |hit: registry::search::Hit| {
            let listed = agents.get(&hit.id)?;
            let why = explainer.explain(&listed.agent, &hit.parts);
            let agent = brief_view(&listed.agent, &gate.fixed.origin);
            Some(HitView {
                agent,
                match_score: hit.match_score,
                why: why.into(),
            })
        };
        let mut hits = found.hits;
        let mut next_cursor = found.next_cursor;
        if let Some(ranking) = &ranking {
            // Stable: among equals the order of the search stays.
            hits.sort_by_key(|hit| {
                agents
                    .get(&hit.id)
                    .map(|listed| ranking.rank(gate, &listed.agent))
            });
            hits.truncate(wanted);
            next_cursor = None;
        }
        let items = hits.into_iter().filter_map(hit).collect();
        Ok(Answer(Matches {
            items,
            next_cursor,
            index_position: found.position,
        }))
    }

    /// How matches are ranked
    #[oai(
        path = "/match/policy",
        method = "get",
        operation_id = "get_match_policy"
    )]
    async fn policy(&self) -> Answer<Value> {
        Answer(policy())
    }
}

/// A search; at least one filter.
#[derive(Debug, Default, Deserialize, Object)]
#[serde(default, deny_unknown_fields)]
#[oai(rename = "MatchRequest", default, deny_unknown_fields)]
struct MatchBody {
    /// Words, at most 1,000 characters.
    query: Option<String>,
    /// Capabilities; synonyms count.
    required_capabilities: Option<Vec<String>>,
    /// Whether any of them will do (ranked by how many), or all are needed.
    mode: Option<ModeInput>,
    /// Skill ids; every one is needed.
    skills: Option<Vec<String>>,
    /// Tags; every one is needed.
    tags: Option<Vec<String>>,
    /// Organisation, without case.
    org_name: Option<String>,
    /// How a message reaches the agent.
    message_protocol: Option<ProtocolInput>,
    /// x402, stripe or manual, or a list of which any will do.
    settlement_rail: Option<OneOrMore>,
    /// Media types, of which any one will do.
    input_modes: Option<Vec<String>>,
    /// Media types, of which any one will do.
    output_modes: Option<Vec<String>>,
    /// Answered a call within this many seconds.
    alive_within: Option<u32>,
    /// Least score; unrated agents do not pass.
    min_trust: Option<f64>,
    /// Least number of raters.
    min_raters: Option<u32>,
    /// Ids to leave out; no filter by itself.
    exclude: Option<Vec<String>>,
    /// 1 to 100, 20 when not said.
    limit: Option<u32>,
    /// From the page before, with the same search.
    cursor: Option<String>,
    /// Refused: no agent has a price in this version.
    max_price: Option<Value>,
    /// Refused: no agent has a price in this version.
    networks: Option<Value>,
    /// Refused: no chain is read in this version.
    chains: Option<Value>,
    /// Data to be sent: of the best hundred, agents whose terms it fits come first. No filter by itself.
    payload: Option<Verbatim>,
    /// The caller's conventions, as `payload_schema` has them: agents with the same come first. No
    /// filter by itself.
    terms: Option<BTreeMap<String, Option<String>>>,
}

#[derive(Debug, Clone, Copy, Deserialize, Enum)]
#[serde(rename_all = "lowercase")]
#[oai(rename = "MatchMode", rename_all = "lowercase")]
enum ModeInput {
    Any,
    All,
}

impl MatchBody {
    /// A filter that is not looked at must not pass silently.
    fn refuse_unsupported(&self) -> Result<(), Invalid> {
        let filters = [
            ("/max_price", &self.max_price),
            ("/networks", &self.networks),
            ("/chains", &self.chains),
        ];
        match filters.into_iter().find(|(_, given)| given.is_some()) {
            None => Ok(()),
            Some((pointer, _)) => {
                let reason = "this filter has no data behind it in this version; leave it out";
                Err(Invalid::of(InvalidKind::UnsupportedFilter, pointer, reason))
            }
        }
    }

    fn into_query(self) -> Result<Query, Invalid> {
        let rated = self.min_trust.is_some() || self.min_raters.unwrap_or(0) > 0;
        let exclude = self
            .exclude
            .unwrap_or_default()
            .iter()
            .filter_map(|id| AgentId::lookup(id))
            .collect();
        let query = Query {
            query: self.query,
            required_capabilities: self.required_capabilities.unwrap_or_default(),
            mode: match self.mode {
                Some(ModeInput::All) => Mode::All,
                Some(ModeInput::Any) | None => Mode::Any,
            },
            skills: self.skills.unwrap_or_default(),
            tags: self.tags.unwrap_or_default(),
            org_name: self.org_name,
            message_protocol: self.message_protocol.map(Into::into),
            settlement_rail: self
                .settlement_rail
                .map(OneOrMore::into_list)
                .unwrap_or_default(),
            input_modes: self.input_modes.unwrap_or_default(),
            output_modes: self.output_modes.unwrap_or_default(),
            alive_within_ms: self.alive_within.map(|seconds| i64::from(seconds) * 1_000),
            exclude,
            limit: self.limit.unwrap_or(20) as usize,
            cursor: self.cursor,
        };
        match query.check() {
            Err(refused) if rated && refused.kind == InvalidKind::NoFilter => Ok(query),
            Err(refused) => Err(refused),
            Ok(()) => Ok(query),
        }
    }
}

/// What agents whose terms fit come first by.
enum Ranking {
    Payload(Box<RawValue>),
    Conventions(BTreeMap<String, Option<String>>),
}

impl Ranking {
    fn of(body: &MatchBody) -> Result<Option<Self>, Problem> {
        if let Some(payload) = &body.payload {
            let raw = RawValue::from_string(payload.text().to_owned());
            let raw = raw.ok().filter(|raw| Tree::parse(raw.get()).is_ok());
            let raw = raw.ok_or_else(|| {
                Problem::new(Code::InvalidRequest, "it cannot be read as JSON").at("/payload")
            })?;
            return Ok(Some(Self::Payload(raw)));
        }
        Ok(body.terms.clone().map(Self::Conventions))
    }

    /// 0 fits what was declared, 1 nothing was declared, 2 does not fit.
    fn rank(&self, gate: &Gate, agent: &Agent) -> u8 {
        match self {
            Self::Payload(raw) => {
                let terms = gate.fixed.terms.of(agent, None);
                match Tree::parse(raw.get()) {
                    _ if terms.is_empty() => 1,
                    Ok(tree) if fits(&terms, &tree) => 0,
                    _ => 2,
                }
            }
            Self::Conventions(wanted) => match &agent.profile.payload_schema {
                None => 1,
                Some(declared) => {
                    let differs = |(key, value): (&String, &Option<String>)| {
                        let theirs = declared.get(key).and_then(Option::as_deref);
                        let ours = value.as_deref();
                        theirs
                            .zip(ours)
                            .is_some_and(|(theirs, ours)| !theirs.eq_ignore_ascii_case(ours))
                    };
                    if wanted.iter().any(differs) { 2 } else { 0 }
                }
            },
        }
    }
}

/// A page of hits.
#[derive(Debug, Serialize, Object)]
struct Matches {
    /// Best first.
    items: Vec<HitView>,
    /// For the next page; null on the last.
    next_cursor: Option<String>,
    /// How far the index had followed the store.
    index_position: i64,
}

/// A found agent.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "Hit")]
struct HitView {
    /// The agent.
    agent: AgentView,
    /// 0 to 100 by the published formula.
    match_score: f64,
    /// Why it was found.
    why: WhyView,
}

/// Why an agent was found.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "Why")]
struct WhyView {
    /// Fields in which words were found.
    matched: Vec<MatchedView>,
    /// Parts that add up to the score.
    contributions: Vec<ContributionView>,
    /// Filters that it passed.
    filters: Vec<String>,
}

/// Words found in a field.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "Matched")]
struct MatchedView {
    /// The field.
    field: String,
    /// The words.
    terms: Vec<TermView>,
}

/// A word that was asked for, and what it was found as.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "MatchedTerm")]
struct TermView {
    /// As asked.
    asked: String,
    /// As found.
    found: String,
    /// How the two go together, e.g. exactly, as a prefix or with one typo.
    how: String,
}

/// A part of the score.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "Contribution")]
struct ContributionView {
    /// Which part.
    part: String,
    /// 0 to 1.
    value: f64,
    /// Its weight among the parts that were asked.
    weight: u32,
    /// What it adds to the score.
    points: f64,
}

impl From<Why> for WhyView {
    fn from(why: Why) -> Self {
        let matched = why.matched.into_iter().map(|matched| MatchedView {
            field: matched.field.to_owned(),
            terms: matched
                .terms
                .into_iter()
                .map(|term| TermView {
                    asked: term.asked,
                    found: term.found,
                    how: term.how.as_str().to_owned(),
                })
                .collect(),
        });
        let contributions = why.contributions.into_iter().map(|part| ContributionView {
            part: part.part.to_owned(),
            value: part.value,
            weight: part.weight,
            points: part.points,
        });
        Self {
            matched: matched.collect(),
            contributions: contributions.collect(),
            filters: why.filters.into_iter().map(str::to_owned).collect(),
        }
    }
}

impl ReadBody for MatchBody {
    fn read(bytes: &[u8]) -> Result<Self, Problem> {
        payload::object(bytes)
    }
}
