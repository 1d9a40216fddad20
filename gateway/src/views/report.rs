//! The trust report on the wire; the same for every door.

use poem_openapi::Object;
use registry::report::Report;
use serde::Serialize;
use serde_json::Value;

use super::CapabilityView;

/// A trust report: evidence, caveats, and a score only where there is ground for one.
#[derive(Debug, Clone, Serialize, Object)]
#[oai(rename = "Report")]
pub struct ReportView {
    /// Whom it is about.
    pub agent_id: String,
    /// The state of the listing.
    pub state: String,
    /// 0 to 100; null below three independent clusters of raters. Null is not zero.
    pub score: Option<f64>,
    /// 5 % lower bound of the score.
    pub lower_bound: Option<f64>,
    /// `none`, `low`, `medium` or `high`.
    pub confidence: String,
    /// Distinct raters.
    pub raters: u64,
    /// Independent clusters of raters.
    pub clusters: u64,
    /// Scores by subject.
    pub facets: Vec<Value>,
    /// Facts, each with source and time.
    pub evidence: Vec<EvidenceView>,
    /// Coded warnings.
    pub caveats: Vec<CaveatView>,
    /// Codes that were not looked at: their absence above means nothing.
    pub caveats_not_computed: Vec<String>,
    /// How old the facts are.
    pub freshness: FreshnessView,
    /// The rules by which it was made.
    pub policy_version: String,
    /// SHA-256 over inputs and rules, lower-case hex.
    pub input_digest: String,
    /// Whether the organisation was proven.
    pub verified: bool,
    /// `score` under its public name.
    pub trust_score: Option<f64>,
    /// Calls through this gateway.
    pub transaction_count: i64,
    /// Per cent of them that were answered.
    pub success_rate: Option<f64>,
    /// Public flags.
    pub flags: Vec<String>,
    /// As declared.
    pub capabilities: Vec<CapabilityView>,
    /// How it is reached; null when it takes no calls.
    pub routing: Option<RoutingView>,
}

/// One fact.
#[derive(Debug, Clone, Serialize, Object)]
#[oai(rename = "Evidence")]
pub struct EvidenceView {
    /// What it is about.
    pub kind: String,
    /// The fact.
    pub value: Value,
    /// `owner`, `card` or `gateway`.
    pub source: String,
    /// When it was so.
    pub at: String,
}

/// A coded warning.
#[derive(Debug, Clone, Serialize, Object)]
#[oai(rename = "Caveat")]
pub struct CaveatView {
    /// From a closed list.
    pub code: String,
    /// What the text mentions.
    pub params: Value,
    /// For people.
    pub text: String,
}

/// How old the facts are.
#[derive(Debug, Clone, Serialize, Object)]
#[oai(rename = "Freshness")]
pub struct FreshnessView {
    /// The newest change of the listing.
    pub listing_at: String,
    /// The newest call.
    pub last_call_at: Option<String>,
}

/// How an agent is reached and paid.
#[derive(Debug, Clone, Serialize, Object)]
#[oai(rename = "Routing")]
pub struct RoutingView {
    /// `a2a`, `mcp` or `raw`.
    pub protocol: String,
    /// Declared settlement rails.
    pub settlement_rail: Vec<String>,
    /// JSON or XML.
    pub accepted_terms_format: Option<String>,
}

fn owned(words: Vec<&'static str>) -> Vec<String> {
    words.into_iter().map(str::to_owned).collect()
}

impl From<Report> for ReportView {
    fn from(report: Report) -> Self {
        let evidence = report.evidence.into_iter().map(|fact| EvidenceView {
            kind: fact.kind.to_owned(),
            value: fact.value,
            source: fact.source.to_owned(),
            at: fact.at,
        });
        let caveats = report.caveats.into_iter().map(|caveat| CaveatView {
            code: caveat.code.to_owned(),
            params: caveat.params,
            text: caveat.text,
        });
        Self {
            agent_id: report.agent_id,
            state: report.state.as_str().to_owned(),
            score: report.score,
            lower_bound: report.lower_bound,
            confidence: report.confidence.to_owned(),
            raters: report.raters,
            clusters: report.clusters,
            facets: report.facets,
            evidence: evidence.collect(),
            caveats: caveats.collect(),
            caveats_not_computed: owned(report.caveats_not_computed),
            freshness: FreshnessView {
                listing_at: report.freshness.listing_at,
                last_call_at: report.freshness.last_call_at,
            },
            policy_version: report.policy_version.to_owned(),
            input_digest: report.input_digest,
            verified: report.verified,
            trust_score: report.trust_score,
            transaction_count: report.transaction_count,
            success_rate: report.success_rate,
            flags: owned(report.flags),
            capabilities: report.capabilities.into_iter().map(Into::into).collect(),
            routing: report.routing.map(|routing| RoutingView {
                protocol: routing.protocol.to_owned(),
                settlement_rail: routing.settlement_rail,
                accepted_terms_format: routing.accepted_terms_format,
            }),
        }
    }
}
