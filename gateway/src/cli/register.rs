//! `guildhall register`: an agent of one's own, from its fields or from its card.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};

use super::client::Client;
use super::failure::Failure;
use super::files::{self, KeyFile};
use super::table::{facts, list_at, text_at, words_at};
use super::{ClientOptions, Report};

pub(super) const EXAMPLES: &str = "\
Examples:
  guildhall register --id my-agent --email me@example.org \\
      --endpoint https://agents.example.org/translate --speaks a2a-1.0 \\
      --capability translation:3 --capability proofreading --key-file my-agent.key.json
  guildhall register --card-url https://agents.example.org/.well-known/agent-card.json --email me@example.org
  guildhall register --card card.json --id my-agent --email me@example.org
  guildhall register --id only-calls --email me@example.org

The key is shown once. With --key-file it goes into that file instead (mode 0600, never overwritten).";

/// An agent to list.
#[derive(Debug, Args)]
pub struct RegisterArgs {
    /// Id: lower-case letters, digits, `.`, `_` and `-`; made from the card when there is one
    #[arg(long, value_name = "ID", required_unless_present_any = ["card", "card_url", "domain"])]
    id: Option<String>,
    /// Where the owner is reached; never shown
    #[arg(long, value_name = "ADDRESS", required_unless_present = "public_key")]
    email: Option<String>,
    /// Ed25519 public key of the owner, in base64url
    #[arg(long, value_name = "KEY")]
    public_key: Option<String>,
    /// The agent's card: a file, or `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["card_url", "domain"])]
    card: Option<String>,
    /// Where the agent's card is
    #[arg(long, value_name = "URL", conflicts_with = "domain")]
    card_url: Option<String>,
    /// The domain that serves the card at its well-known path
    #[arg(long, value_name = "DOMAIN")]
    domain: Option<String>,
    /// Address that calls go to; agents that only call have none
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,
    /// What the endpoint speaks; a plain body over HTTP when not said
    #[arg(long, value_name = "DIALECT", requires = "endpoint")]
    speaks: Option<Speaks>,
    /// A capability, with its weight: 3 the speciality (once), 2 secondary (twice), 1 generic
    #[arg(long = "capability", value_name = "NAME[:WEIGHT]", value_parser = capability)]
    capabilities: Vec<Capability>,
    /// Display name
    #[arg(long)]
    name: Option<String>,
    /// What the agent does
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// What it does best, in a line
    #[arg(long, value_name = "TEXT")]
    specialty: Option<String>,
    /// Organisation; a claim until proven
    #[arg(long, value_name = "NAME")]
    org_name: Option<String>,
    /// Domain of the organisation; a claim until proven
    #[arg(long, value_name = "DOMAIN")]
    org_domain: Option<String>,
    /// A word for search
    #[arg(long = "tag", value_name = "WORD")]
    tags: Vec<String>,
    /// A media type that the endpoint takes, for plain HTTP
    #[arg(long = "accepts", value_name = "TYPE")]
    accepts: Vec<String>,
    /// GET or POST, for plain HTTP
    #[arg(long = "method", value_name = "METHOD", value_parser = method)]
    methods: Vec<String>,
    /// Documentation page
    #[arg(long, value_name = "URL")]
    docs: Option<String>,
    /// Write the key into this new file instead of showing it
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    #[command(flatten)]
    pub(super) options: ClientOptions,
}

/// What an endpoint speaks; the words of `/call`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Speaks {
    /// A2A 1.0 over JSON-RPC
    #[value(name = "a2a-1.0")]
    A2a1,
    /// A2A 0.3 over JSON-RPC
    #[value(name = "a2a-0.3")]
    A2a03,
    /// A plain body over HTTP
    #[value(name = "http")]
    Http,
    /// MCP
    #[value(name = "mcp")]
    Mcp,
}

/// A capability with its weight.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Capability {
    name: String,
    weight: u8,
}

/// `name` or `name:weight`; a colon that no number follows belongs to the name.
fn capability(text: &str) -> Result<Capability, String> {
    let (name, weight) = match text.rsplit_once(':') {
        Some((name, digits))
            if !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()) =>
        {
            let weight = digits
                .parse()
                .ok()
                .filter(|weight| (1..=3).contains(weight));
            (
                name,
                weight.ok_or("a weight is 3 (speciality), 2 (secondary) or 1 (generic)")?,
            )
        }
        _ => (text, 1),
    };
    match name.trim() {
        "" => Err("a capability has a name".to_owned()),
        name => Ok(Capability {
            name: name.to_owned(),
            weight,
        }),
    }
}

fn method(text: &str) -> Result<String, String> {
    match text.to_ascii_uppercase() {
        upper if upper == "GET" || upper == "POST" => Ok(upper),
        _ => Err("GET or POST".to_owned()),
    }
}

impl RegisterArgs {
    /// The request, without members that were not said.
    pub(super) fn body(&self) -> Result<String, Failure> {
        let mut body = Map::new();
        let texts = [
            ("agent_id", &self.id),
            ("contact_email", &self.email),
            ("public_key", &self.public_key),
            ("card_url", &self.card_url),
            ("domain_url", &self.domain),
            ("endpoint_url", &self.endpoint),
            ("name", &self.name),
            ("description", &self.description),
            ("specialty", &self.specialty),
            ("org_name", &self.org_name),
            ("org_domain", &self.org_domain),
            ("documentation_url", &self.docs),
        ];
        for (member, text) in texts {
            body.extend(text.as_ref().map(|text| (member.to_owned(), json!(text))));
        }
        let lists = [
            ("tags", &self.tags),
            ("accepted_content_types", &self.accepts),
            ("http_methods", &self.methods),
        ];
        for (member, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            body.insert(member.to_owned(), json!(list));
        }
        let weighted = |c: &Capability| json!({"name": c.name, "weight": c.weight});
        if !self.capabilities.is_empty() {
            body.insert(
                "capabilities".to_owned(),
                self.capabilities.iter().map(weighted).collect(),
            );
        }
        body.extend(self.speaks.map_or_else(Map::new, Speaks::members));
        let body = Value::Object(body).to_string();
        match &self.card {
            None => Ok(body),
            // The card goes in as it is written: its digest is of these bytes.
            Some(path) => {
                let rest = body.strip_prefix('{').unwrap_or_default();
                let comma = if rest == "}" { "" } else { "," };
                Ok(format!(
                    "{{\"card\":{}{comma}{rest}",
                    files::json(path)?.get()
                ))
            }
        }
    }
}

impl Speaks {
    fn members(self) -> Map<String, Value> {
        let members = match self {
            Self::A2a1 => {
                json!({"message_protocol": "a2a", "a2a_compliant": true, "a2a_version": "1.0"})
            }
            Self::A2a03 => {
                json!({"message_protocol": "a2a", "a2a_compliant": true, "a2a_version": "0.3"})
            }
            Self::Http => json!({"message_protocol": "raw", "a2a_compliant": false}),
            Self::Mcp => json!({"message_protocol": "mcp"}),
        };
        members.as_object().cloned().unwrap_or_default()
    }
}

pub(super) async fn run(args: RegisterArgs, client: &Client) -> Result<Report, Failure> {
    let body = args.body()?;
    let file = args.key_file.as_deref().map(KeyFile::create).transpose()?;
    let answer = match client.post("/register", body).await {
        Ok(answer) => answer,
        Err(failure) => {
            if let Some(file) = file {
                file.discard();
            }
            return Err(failure);
        }
    };
    let id = text_at(&answer.json, "/agent_id");
    let key = text_at(&answer.json, "/api_key");
    let mut report = Report::new(answer.text, String::new());
    let shown = match (file, args.key_file) {
        (Some(file), Some(path)) => match file.keep(client.base(), &answer.json) {
            Ok(()) => {
                // What goes into the file goes nowhere else, such as the log of a script.
                report.json = without_key(&answer.json);
                format!("written to {}", path.display())
            }
            Err(error) => {
                // The agent is listed: its key must not be lost with the file.
                report.good = false;
                report.notes.push(format!(
                    "error: {}: {error}; keep the key shown here",
                    path.display()
                ));
                key
            }
        },
        _ => format!("{key}   (shown this once)"),
    };
    report.text = registered(&id, &shown, &answer.json);
    Ok(report)
}

/// The answer as JSON, less the key.
fn without_key(answer: &Value) -> String {
    let mut shown = answer.clone();
    if let Some(members) = shown.as_object_mut() {
        members.remove("api_key");
    }
    shown.to_string()
}

fn registered(id: &str, key: &str, answer: &Value) -> String {
    let callable = answer
        .pointer("/agent/callable")
        .and_then(Value::as_bool)
        .unwrap_or_default();
    let capabilities = list_at(answer, "/agent/capabilities")
        .iter()
        .map(|one| text_at(one, "/name"));
    facts(&[
        ("registered", id.to_owned()),
        ("key", key.to_owned()),
        ("key id", text_at(answer, "/key_id")),
        ("state", text_at(answer, "/agent/state")),
        (
            "takes calls",
            if callable { "yes" } else { "no" }.to_owned(),
        ),
        ("speaks", words_at(answer, "/agent/a2a_versions")),
        ("capabilities", capabilities.collect::<Vec<_>>().join(", ")),
        ("A2A door", text_at(answer, "/agent/a2a_url")),
        ("next", format!("guildhall verify {id}")),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capabilities_carry_weights() {
        let good = |name: &str, weight| {
            Ok(Capability {
                name: name.to_owned(),
                weight,
            })
        };
        assert_eq!(capability("translation:3"), good("translation", 3));
        assert_eq!(capability("a:b"), good("a:b", 1));
        assert_eq!(capability("ns:x:2"), good("ns:x", 2));
        for bad in ["x:0", "x:4", "x:300", ":3", " "] {
            assert!(capability(bad).is_err(), "{bad}");
        }
    }
}
