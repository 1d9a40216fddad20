//! The trust report: evidence about an agent, caveats, and no number where there is no ground for one.
//!
//! One builder for every door. In this version the evidence is what the directory knows
//! itself: the state of the listing, the card, and the calls that went through this gateway.

use serde::Serialize;
use serde_json::{Value, json};

use crate::agent::{Agent, Capability, State};
use crate::clock::{Millis, rfc3339};
use crate::digest::sha256_hex;

/// The rules by which the report was made.
pub const POLICY_VERSION: &str = "evidence-1";

/// One fact with its source and time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// What it is about.
    pub kind: &'static str,
    /// The fact.
    pub value: Value,
    /// Who says so: `owner`, `card` or `gateway`.
    pub source: &'static str,
    /// When it was so, RFC 3339.
    pub at: String,
}

/// A coded warning.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Caveat {
    /// From the closed list [`CAVEATS`].
    pub code: &'static str,
    /// Numbers and names that the text mentions.
    pub params: Value,
    /// For people.
    pub text: String,
}

/// Every caveat this version can give.
pub const CAVEATS: [&str; 8] = [
    "no-score",
    "unclaimed",
    "unproven-domain",
    "card-warnings",
    "signature-unverified",
    "not-callable",
    "never-called",
    "not-answering",
];

/// Caveats of the published list that this version has no data for.
pub const NOT_COMPUTED: [&str; 10] = [
    "single-rater",
    "few-raters",
    "top-client-share",
    "campaign-per-rater",
    "self-rated",
    "burn-address",
    "thin-chain",
    "facilitator-authored",
    "brigading-suspected",
    "concentration-degraded",
];

/// The report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Whom it is about.
    pub agent_id: String,
    /// The state of the listing.
    pub state: State,
    /// 0 to 100; null below three independent clusters of raters.
    pub score: Option<f64>,
    /// 5 % lower bound of the score.
    pub lower_bound: Option<f64>,
    /// `none`, `low`, `medium` or `high`.
    pub confidence: &'static str,
    /// Distinct raters.
    pub raters: u64,
    /// Independent clusters of raters.
    pub clusters: u64,
    /// Scores by subject.
    pub facets: Vec<Value>,
    /// Every fact the report rests on.
    pub evidence: Vec<Evidence>,
    /// What to be careful about.
    pub caveats: Vec<Caveat>,
    /// Codes that were not looked at: an absent caveat of this list means nothing.
    pub caveats_not_computed: Vec<&'static str>,
    /// How old the facts are.
    pub freshness: Freshness,
    /// The rules.
    pub policy_version: &'static str,
    /// SHA-256 over the inputs and the rules: same digest, same report.
    pub input_digest: String,
    /// Whether the organisation was proven.
    pub verified: bool,
    /// The same as `score`, under its public name.
    pub trust_score: Option<f64>,
    /// Calls through this gateway.
    pub transaction_count: i64,
    /// Per cent of them that were answered; null without calls.
    pub success_rate: Option<f64>,
    /// Public flags; `unclaimed` and `repeated_failures` so far.
    pub flags: Vec<&'static str>,
    /// As declared.
    pub capabilities: Vec<Capability>,
    /// How to reach it; null when it takes no calls.
    pub routing: Option<Routing>,
}

/// How old the facts of a report are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Freshness {
    /// The newest change of the listing.
    pub listing_at: String,
    /// The newest call.
    pub last_call_at: Option<String>,
}

/// How an agent is reached and paid, as declared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Routing {
    /// `a2a`, `mcp` or `raw`.
    pub protocol: &'static str,
    /// Declared settlement rails.
    pub settlement_rail: Vec<String>,
    /// JSON or XML.
    pub accepted_terms_format: Option<String>,
}

/// The report about an agent as it is now.
#[must_use]
pub fn report(agent: &Agent) -> Report {
    let live = agent.liveness;
    let calls = live.answered + live.failed;
    #[expect(
        clippy::cast_precision_loss,
        reason = "call counts stay far below 2^52"
    )]
    let success_rate =
        (calls > 0).then(|| (live.answered as f64 * 10_000.0 / calls as f64).round() / 100.0);
    let evidence = evidence(agent);
    Report {
        agent_id: agent.id.to_string(),
        state: agent.state,
        score: None,
        lower_bound: None,
        confidence: "none",
        raters: 0,
        clusters: 0,
        facets: Vec::new(),
        input_digest: digest(agent, &evidence),
        evidence,
        caveats: caveats(agent),
        caveats_not_computed: NOT_COMPUTED.to_vec(),
        freshness: Freshness {
            listing_at: rfc3339(agent.updated_at),
            last_call_at: last_call(agent).map(rfc3339),
        },
        policy_version: POLICY_VERSION,
        verified: false,
        trust_score: None,
        transaction_count: calls,
        success_rate,
        flags: flags(agent),
        capabilities: agent.profile.capabilities.clone(),
        routing: agent.profile.endpoint_url.as_ref().map(|_| Routing {
            protocol: agent.profile.message_protocol.as_str(),
            settlement_rail: agent.profile.settlement_rail.clone(),
            accepted_terms_format: agent.profile.accepted_terms_format.clone(),
        }),
    }
}

fn last_call(agent: &Agent) -> Option<Millis> {
    agent
        .liveness
        .last_ok_at
        .max(agent.liveness.last_failure_at)
}

fn evidence(agent: &Agent) -> Vec<Evidence> {
    let (profile, live) = (&agent.profile, agent.liveness);
    let listed = rfc3339(agent.created_at);
    let changed = rfc3339(agent.updated_at);
    let mut facts = vec![Evidence {
        kind: "listed_since",
        value: json!(listed),
        source: "gateway",
        at: listed,
    }];
    let mut claim = |kind, value: Option<Value>, source| {
        facts.extend(value.map(|value| Evidence {
            kind,
            value,
            source,
            at: changed.clone(),
        }));
    };
    claim(
        "org_name_claimed",
        profile.org_name.as_ref().map(|name| json!(name)),
        "owner",
    );
    claim(
        "org_domain_claimed",
        profile.org_domain.as_ref().map(|domain| json!(domain)),
        "owner",
    );
    claim(
        "card_digest",
        profile.card_digest.as_ref().map(|digest| json!(digest)),
        "card",
    );
    claim(
        "card_url",
        profile.card_url.as_ref().map(|url| json!(url)),
        "card",
    );
    claim("hosted_here", agent.tenant.then(|| json!(true)), "gateway");
    if let Some(at) = live.last_ok_at {
        let value = json!({ "answered": live.answered, "latency_ms": live.last_latency_ms });
        facts.push(Evidence {
            kind: "answers",
            value,
            source: "gateway",
            at: rfc3339(at),
        });
    }
    if let Some(at) = live.last_failure_at {
        let value = json!({ "failed": live.failed });
        facts.push(Evidence {
            kind: "failures",
            value,
            source: "gateway",
            at: rfc3339(at),
        });
    }
    facts
}

fn caveats(agent: &Agent) -> Vec<Caveat> {
    let profile = &agent.profile;
    let caveat = |code, params, text: &str| Caveat {
        code,
        params,
        text: text.to_owned(),
    };
    let mut list = vec![caveat(
        "no-score",
        json!({ "raters": 0 }),
        "Nobody has rated this agent yet: there is no score, which is not a score of zero.",
    )];
    if agent.state == State::Unclaimed {
        list.push(caveat(
            "unclaimed",
            json!({}),
            "Listed from its public card by somebody else; no owner has shown up.",
        ));
    }
    if profile.org_domain.is_some() && !agent.tenant {
        let params = json!({ "org_domain": profile.org_domain });
        list.push(caveat(
            "unproven-domain",
            params,
            "The organisation and its domain are claims; no proof was made.",
        ));
    }
    if !profile.warnings.is_empty() {
        let codes: Vec<_> = profile
            .warnings
            .iter()
            .map(|warning| warning.code.as_str())
            .collect();
        list.push(caveat(
            "card-warnings",
            json!({ "codes": codes }),
            "The agent's card was repaired while it was read.",
        ));
    }
    if profile
        .warnings
        .iter()
        .any(|warning| warning.code.as_str() == "signature_unverified")
    {
        list.push(caveat(
            "signature-unverified",
            json!({}),
            "The card carries a signature that was not checked.",
        ));
    }
    if !agent.tenant && profile.endpoint_url.is_none() {
        list.push(caveat(
            "not-callable",
            json!({}),
            "The agent has no address that can be called.",
        ));
    }
    match agent.liveness.answers() {
        None => list.push(caveat(
            "never-called",
            json!({}),
            "No call went through this gateway yet, so nothing is known about its answers.",
        )),
        Some(false) => {
            let params = json!({ "last_failure_at": agent.liveness.last_failure_at.map(rfc3339) });
            list.push(caveat(
                "not-answering",
                params,
                "The last call through this gateway got no answer.",
            ));
        }
        Some(true) => {}
    }
    list
}

fn flags(agent: &Agent) -> Vec<&'static str> {
    let mut flags = Vec::new();
    if agent.state == State::Unclaimed {
        flags.push("unclaimed");
    }
    if agent.liveness.answers() == Some(false) && agent.liveness.failed >= 3 {
        flags.push("repeated_failures");
    }
    flags
}

fn digest(agent: &Agent, evidence: &[Evidence]) -> String {
    let inputs = json!({
        "policy": POLICY_VERSION,
        "agent": agent.id.as_str(),
        "state": agent.state.as_str(),
        "revision": agent.revision,
        "evidence": evidence,
    });
    sha256_hex(inputs.to_string().as_bytes())
}
