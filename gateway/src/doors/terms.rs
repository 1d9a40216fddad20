//! `POST /terms/check` and `GET /terms/units`: whether a payload fits, without sending anything.

use poem::Response;
use poem_openapi::registry::{MetaResponses, Registry};
use poem_openapi::{ApiResponse, Object, OpenApi};
use registry::agent::State;
use registry::terms::{Json, Tree, publish};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::lookup;
use super::payload::{self, Answer, Body, ReadBody};
use super::verbatim::Verbatim;
use crate::agree::Agreed;
use crate::gate::Gate;
use crate::problem::{Code, Problem};

pub(crate) struct TermsDoor(pub(super) Gate);

#[OpenApi]
impl TermsDoor {
    /// Check a payload against an agent's terms
    ///
    /// Nothing is sent. The answer is always 200, and the same bytes for the same input, terms and
    /// rates: `fits`, or every difference and, where all can be corrected, the payload that fits.
    #[oai(path = "/terms/check", method = "post", operation_id = "check_terms")]
    async fn check(&self, body: Body<CheckBody>) -> Result<CheckAnswer, Problem> {
        let gate = &self.0;
        let body = body.0;
        let listed = gate.store.listed(&lookup(&body.agent_id)?).await?;
        let agent = &listed.agent;
        if agent.state == State::Withdrawn {
            let text = "the owner withdrew this agent for good";
            return Err(Problem::new(Code::AgentWithdrawn, text));
        }
        let terms = gate.fixed.terms.of(agent, body.skill.as_deref());
        let own = body.caller_terms.map(compiled).transpose()?;
        let tree = Tree::parse(body.payload.text())
            .map_err(|error| Problem::new(Code::MalformedJson, error.to_string()).at("/payload"))?;
        if terms.is_empty() {
            return Ok(CheckAnswer(
                "{\"fits\":true,\"state\":\"not_declared\"}".to_owned(),
            ));
        }
        let now = gate.store.clock().now();
        let agreed = gate
            .fixed
            .terms
            .agree(&terms, own.as_ref(), &tree, None, now);
        Ok(CheckAnswer(match agreed {
            Agreed::Refused(refusal) => {
                let told = refusal.to_json();
                let members = told.trim_start_matches('{');
                format!("{{\"fits\":false,\"state\":\"mismatch\",{members}")
            }
            Agreed::AsItIs | Agreed::Instead(_) => "{\"fits\":true,\"state\":\"fits\"}".to_owned(),
        }))
    }

    /// The units, currencies and formats that terms may name
    #[oai(path = "/terms/units", method = "get", operation_id = "get_units")]
    async fn units(&self) -> Answer<Value> {
        Answer(serde_json::from_str(&publish().to_json()).unwrap_or_default())
    }
}

/// The caller's own conventions, which tell the units that its payload leaves out.
fn compiled(terms: CallerTerms) -> Result<registry::terms::Compiled, Problem> {
    let terms = registry::terms::Terms {
        payload_schema: terms.payload_schema,
        terms: terms.terms.map(json).transpose()?,
        ..registry::terms::Terms::default()
    };
    terms.compile(None).map_err(|error| {
        Problem::new(Code::InvalidTerms, error.reason).at(format!("/caller_terms{}", error.pointer))
    })
}

/// JSON of a request as the terms engine keeps it.
pub(super) fn json(raw: Verbatim) -> Result<Json, Problem> {
    let tree = Tree::parse(raw.text())
        .map_err(|error| Problem::new(Code::InvalidTerms, error.to_string()))?;
    Ok(Json::from(&tree))
}

/// What is to be checked against whose terms.
#[derive(Debug, Deserialize, Object)]
#[oai(rename = "TermsCheck")]
struct CheckBody {
    /// Whose terms.
    agent_id: String,
    /// Which skill is meant.
    #[serde(default)]
    skill: Option<String>,
    /// The payload, any JSON.
    payload: Verbatim,
    /// The caller's own conventions.
    #[serde(default)]
    caller_terms: Option<CallerTerms>,
}

/// A caller's conventions.
#[derive(Debug, Default, Deserialize, Object)]
#[serde(default)]
#[oai(default)]
struct CallerTerms {
    /// The four short keys.
    payload_schema: Option<std::collections::BTreeMap<String, Option<String>>>,
    /// Entries by pointer.
    terms: Option<Verbatim>,
}

impl ReadBody for CheckBody {
    fn read(bytes: &[u8]) -> Result<Self, Problem> {
        payload::object(bytes)
    }
}

/// The result, written by the terms engine so that no number changes.
struct CheckAnswer(String);

impl poem::IntoResponse for CheckAnswer {
    fn into_response(self) -> Response {
        Response::builder()
            .content_type("application/json")
            .body(self.0)
    }
}

impl ApiResponse for CheckAnswer {
    fn meta() -> MetaResponses {
        Answer::<CheckView>::meta()
    }

    fn register(registry: &mut Registry) {
        Answer::<CheckView>::register(registry);
    }
}

/// What a check found.
#[derive(Debug, Serialize, Object)]
#[oai(rename = "TermsResult")]
struct CheckView {
    /// Whether the payload may be forwarded as it is.
    fits: bool,
    /// `fits`, `mismatch` or `not_declared`.
    state: String,
    /// `schema_mismatch`, where it does not fit.
    error: Option<String>,
    /// One sentence.
    message: Option<String>,
    /// Every correction in words.
    explanation: Option<String>,
    /// Each difference.
    mismatches: Option<Vec<Value>>,
    /// How many differences are not listed.
    omitted: Option<u64>,
    /// The whole corrected payload; null where not every difference can be corrected.
    suggested_payload: Option<Value>,
    /// What a caller accepts by sending it as `accept_terms`.
    terms_digest: Option<String>,
    /// Digest of the table of rates, where one was used.
    rates_digest: Option<String>,
}
