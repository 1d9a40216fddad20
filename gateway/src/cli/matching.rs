//! `guildhall match`: agents for a task, best first, and why each was found.

use clap::Args;
use serde_json::{Map, Value, json};

use super::client::Client;
use super::failure::Failure;
use super::table::{list_at, table, text_at, width};
use super::{ClientOptions, Report};

pub(super) const EXAMPLES: &str = "\
Examples:
  guildhall match translate invoices to german
  guildhall match --capability translation --capability proofreading --all
  guildhall match weather --tag forecast --protocol a2a --limit 5
  guildhall match weather --json";

/// A search; words, or at least one filter.
#[derive(Debug, Args)]
#[command(override_usage = "guildhall match [OPTIONS] [WORDS]...", group(clap::ArgGroup::new("wanted").required(true).multiple(true)
    .args(["words", "capabilities", "tags", "skills", "org_name", "protocol", "rails", "alive_within"])))]
pub struct MatchArgs {
    /// What the agent should do
    words: Vec<String>,
    /// A capability; synonyms count
    #[arg(long = "capability", value_name = "NAME")]
    capabilities: Vec<String>,
    /// Want every capability, not any
    #[arg(long, requires = "capabilities")]
    all: bool,
    /// A tag; every one is needed
    #[arg(long = "tag", value_name = "WORD")]
    tags: Vec<String>,
    /// A skill id; every one is needed
    #[arg(long = "skill", value_name = "ID")]
    skills: Vec<String>,
    /// Organisation
    #[arg(long, value_name = "NAME")]
    org_name: Option<String>,
    /// How a message reaches the agent
    #[arg(long, value_parser = ["a2a", "mcp", "raw"])]
    protocol: Option<String>,
    /// Settlement rail; any of them will do
    #[arg(long = "rail", value_name = "RAIL")]
    rails: Vec<String>,
    /// Answered a call within this many seconds
    #[arg(long, value_name = "SECONDS")]
    alive_within: Option<u32>,
    /// An agent to leave out
    #[arg(long = "exclude", value_name = "ID")]
    exclude: Vec<String>,
    /// How many, 1 to 100
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    limit: Option<u32>,
    /// The next page, as the page before says
    #[arg(long)]
    cursor: Option<String>,
    #[command(flatten)]
    pub(super) options: ClientOptions,
}

impl MatchArgs {
    fn body(&self) -> String {
        let mut body = Map::new();
        if !self.words.is_empty() {
            body.insert("query".to_owned(), json!(self.words.join(" ")));
        }
        let lists = [
            ("required_capabilities", &self.capabilities),
            ("tags", &self.tags),
            ("skills", &self.skills),
            ("settlement_rail", &self.rails),
            ("exclude", &self.exclude),
        ];
        for (member, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            body.insert(member.to_owned(), json!(list));
        }
        let singles = [
            ("mode", self.all.then(|| json!("all"))),
            ("org_name", self.org_name.as_ref().map(|name| json!(name))),
            (
                "message_protocol",
                self.protocol.as_ref().map(|name| json!(name)),
            ),
            (
                "alive_within",
                self.alive_within.map(|seconds| json!(seconds)),
            ),
            ("limit", self.limit.map(|limit| json!(limit))),
            ("cursor", self.cursor.as_ref().map(|cursor| json!(cursor))),
        ];
        for (member, value) in singles {
            body.extend(value.map(|value| (member.to_owned(), value)));
        }
        Value::Object(body).to_string()
    }
}

pub(super) async fn run(args: &MatchArgs, client: &Client) -> Result<Report, Failure> {
    let answer = client.post("/match", args.body()).await?;
    let text = hits(&answer.json, width());
    Ok(Report::new(answer.text, text))
}

fn hits(answer: &Value, width: u16) -> String {
    let items = list_at(answer, "/items");
    if items.is_empty() {
        return "nothing found\n".to_owned();
    }
    let mut text = table(
        &["score", "id", "name", "why"],
        &items.iter().map(row).collect::<Vec<_>>(),
        width,
    );
    let cursor = text_at(answer, "/next_cursor");
    if !cursor.is_empty() {
        text.push_str(&format!("\nmore: the same with --cursor {cursor}\n"));
    }
    text
}

fn row(hit: &Value) -> Vec<String> {
    let score = hit
        .get("match_score")
        .and_then(Value::as_f64)
        .unwrap_or_default();
    vec![
        format!("{score:.1}"),
        text_at(hit, "/agent/agent_id"),
        text_at(hit, "/agent/name"),
        why(hit),
    ]
}

/// The fields in which words were found; a word found as another is shown as `asked→found`.
pub(crate) fn why(hit: &Value) -> String {
    let field = |matched: &Value| {
        let terms = list_at(matched, "/terms").iter().map(term);
        format!(
            "{}: {}",
            text_at(matched, "/field").replace('_', " "),
            terms.collect::<Vec<_>>().join(" ")
        )
    };
    let mut parts: Vec<String> = list_at(hit, "/why/matched").iter().map(field).collect();
    // That the words were found is said above.
    let filters = list_at(hit, "/why/filters")
        .iter()
        .filter_map(Value::as_str)
        .filter(|name| *name != "query");
    let filters: Vec<&str> = filters.collect();
    if !filters.is_empty() {
        parts.push(format!("passes {}", filters.join(", ")));
    }
    parts.join("; ")
}

fn term(term: &Value) -> String {
    let (asked, found) = (text_at(term, "/asked"), text_at(term, "/found"));
    if asked == found {
        found
    } else {
        format!("{asked}→{found}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_a_table_with_reasons() {
        let answer = json!({
            "items": [{
                "agent": {"agent_id": "translator", "name": "Pocket Translator"}, "match_score": 61.5,
                "why": {"matched": [{"field": "org_name", "terms": [{"asked": "gild", "found": "guild", "how": "typo"}]}],
                        "contributions": [], "filters": ["query", "tags"]},
            }],
            "next_cursor": "abc",
        });
        let text = hits(&answer, 100);
        for part in [
            "61.5",
            "translator",
            "Pocket Translator",
            "org name: gild→guild; passes tags",
            "--cursor abc",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(hits(&json!({"items": []}), 100), "nothing found\n");
    }
}
