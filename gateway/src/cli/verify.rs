//! `guildhall verify`: the evidence about an agent, and what to be careful about.

use clap::Args;
use serde_json::{Value, json};

use super::client::Client;
use super::failure::Failure;
use super::table::{cut, facts, list_at, table, text_at, width, words_at};
use super::{ClientOptions, Report};

pub(super) const EXAMPLES: &str = "\
Examples:
  guildhall verify guildhall-echo
  guildhall verify my-agent --json

No score is not a bad score: it says that nobody has rated the agent.";

/// An agent to check.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Id of the agent
    id: String,
    #[command(flatten)]
    pub(super) options: ClientOptions,
}

pub(super) async fn run(args: &VerifyArgs, client: &Client) -> Result<Report, Failure> {
    let answer = client
        .post("/verify", json!({"agent_id": args.id}).to_string())
        .await?;
    let text = report(&answer.json, width());
    Ok(Report::new(answer.text, text))
}

fn report(answer: &Value, width: u16) -> String {
    let number = |member: &str| answer.get(member).and_then(Value::as_f64);
    let count = |member: &str| {
        answer
            .get(member)
            .and_then(Value::as_u64)
            .unwrap_or_default()
    };
    let score = match (number("score"), number("lower_bound")) {
        (Some(score), Some(bound)) => format!("{score:.1} (at least {bound:.1})"),
        (Some(score), None) => format!("{score:.1}"),
        (None, _) => "none yet".to_owned(),
    };
    let rate = number("success_rate")
        .map(|rate| format!(", {rate}% answered"))
        .unwrap_or_default();
    let capabilities = list_at(answer, "/capabilities")
        .iter()
        .map(|one| text_at(one, "/name"));
    let mut text = facts(&[
        ("agent", text_at(answer, "/agent_id")),
        ("state", text_at(answer, "/state")),
        (
            "score",
            format!("{score}; confidence {}", text_at(answer, "/confidence")),
        ),
        (
            "raters",
            format!("{} in {} clusters", count("raters"), count("clusters")),
        ),
        ("calls", format!("{}{rate}", count("transaction_count"))),
        ("flags", words_at(answer, "/flags")),
        ("capabilities", capabilities.collect::<Vec<_>>().join(", ")),
        ("reached by", text_at(answer, "/routing/protocol")),
        ("policy", text_at(answer, "/policy_version")),
    ]);
    let evidence: Vec<_> = list_at(answer, "/evidence").iter().map(fact).collect();
    if !evidence.is_empty() {
        text.push('\n');
        text.push_str(&table(
            &["evidence", "value", "source", "at"],
            &evidence,
            width,
        ));
    }
    let caveats = list_at(answer, "/caveats")
        .iter()
        .map(|one| vec![text_at(one, "/code"), text_at(one, "/text")]);
    let caveats: Vec<_> = caveats.collect();
    if !caveats.is_empty() {
        text.push('\n');
        text.push_str(&table(&["caveat", "meaning"], &caveats, width));
    }
    let unknown = words_at(answer, "/caveats_not_computed");
    if !unknown.is_empty() {
        text.push_str(&format!("\nnot looked at: {unknown}\n"));
    }
    text
}

fn fact(fact: &Value) -> Vec<String> {
    let value = match fact.get("value") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Object(members)) => members
            .iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect::<Vec<_>>()
            .join(", "),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    vec![
        text_at(fact, "/kind"),
        cut(&value, 80),
        text_at(fact, "/source"),
        text_at(fact, "/at"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unrated_agent_has_no_score_and_says_so() {
        let answer = json!({
            "agent_id": "a", "state": "unclaimed", "score": null, "lower_bound": null, "confidence": "none",
            "raters": 0, "clusters": 0, "transaction_count": 4, "success_rate": 75.0, "flags": ["unclaimed"],
            "capabilities": [{"name": "sort", "weight": 1}], "policy_version": "p-1", "routing": null,
            "evidence": [{"kind": "answers", "value": {"answered": 3}, "source": "gateway", "at": "2026-01-01T00:00:00Z"}],
            "caveats": [{"code": "no-score", "params": {}, "text": "Nobody rated it."}],
            "caveats_not_computed": ["thin-chain"],
        });
        let text = report(&answer, 100);
        for part in [
            "none yet; confidence none",
            "4, 75% answered",
            "answered 3",
            "Nobody rated it.",
            "not looked at: thin-chain",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("reached by"), "{text}");
    }
}
