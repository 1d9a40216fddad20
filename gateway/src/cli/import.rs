//! `guildhall import`: what a card says, what is odd about it, what is missing, and listing it.

use clap::Args;
use serde_json::{Value, json};

use super::client::Client;
use super::failure::Failure;
use super::table::{cut, facts, list_at, table, text_at, width, words_at};
use super::{ClientOptions, Report, files};

pub(super) const EXAMPLES: &str = "\
Examples:
  guildhall import agents.example.org
  guildhall import https://agents.example.org/.well-known/agent-card.json --register
  guildhall import card.json
  curl -s https://agents.example.org/card | guildhall import - --register

Without --register nothing is written. A URL with a path is fetched as it is; a bare domain,
or any URL with --domain, is asked at the well-known paths.";

/// A card to read.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// URL of the card, a domain, a file, or `-` for standard input
    source: String,
    /// List the agent as unclaimed, or refresh its listing
    #[arg(long)]
    register: bool,
    /// Ask the well-known paths below this URL
    #[arg(long)]
    domain: bool,
    #[command(flatten)]
    pub(super) options: ClientOptions,
}

/// The three ways in which the gateway takes a card.
#[derive(Debug, PartialEq, Eq)]
enum Place<'a> {
    Domain(&'a str),
    Card(&'a str),
    File(&'a str),
}

/// A URL is fetched as it is, unless it has nothing but a host; what is neither a URL nor a
/// file here, but could be a host, is a domain.
fn place(source: &str, domain: bool, is_file: bool) -> Place<'_> {
    let host_only = |url: url::Url| url.path() == "/" && url.query().is_none();
    match url::Url::parse(source) {
        _ if domain => Place::Domain(source),
        Ok(url) if matches!(url.scheme(), "http" | "https") => {
            if host_only(url) {
                Place::Domain(source)
            } else {
                Place::Card(source)
            }
        }
        _ if is_file || source == "-" => Place::File(source),
        _ if source.contains('.') && !source.contains('/') && !source.ends_with(".json") => {
            Place::Domain(source)
        }
        _ => Place::File(source),
    }
}

pub(super) async fn run(args: &ImportArgs, client: &Client) -> Result<Report, Failure> {
    let is_file = std::path::Path::new(&args.source).is_file();
    let body = match place(&args.source, args.domain, is_file) {
        Place::Domain(domain) => {
            json!({"domain_url": domain, "register": args.register}).to_string()
        }
        Place::Card(url) => json!({"card_url": url, "register": args.register}).to_string(),
        // As it is written: the digest is of these bytes.
        Place::File(path) => format!(
            "{{\"register\":{},\"card\":{}}}",
            args.register,
            files::json(path)?.get()
        ),
    };
    let answer = client.post("/import-agent", body).await?;
    let text = imported(&answer.json, width());
    Ok(Report::new(answer.text, text))
}

fn imported(answer: &Value, width: u16) -> String {
    let outcome = match (truth(answer, "/registered"), truth(answer, "/created")) {
        (true, true) => "listed, unclaimed",
        (true, false) => "listed before; refreshed",
        (false, _) => "read only; --register lists it",
    };
    let skills = list_at(answer, "/preview/skills")
        .iter()
        .map(|skill| text_at(skill, "/id"));
    let mut text = facts(&[
        ("agent", text_at(answer, "/agent/agent_id")),
        ("name", text_at(answer, "/preview/name")),
        (
            "description",
            cut(&text_at(answer, "/preview/description"), 200),
        ),
        ("organisation", text_at(answer, "/preview/org_name")),
        ("source", text_at(answer, "/source_url")),
        ("digest", text_at(answer, "/card_digest")),
        ("reads as", reads_as(answer)),
        (
            "takes calls",
            if truth(answer, "/preview/callable") {
                "yes"
            } else {
                "no"
            }
            .to_owned(),
        ),
        ("skills", cut(&skills.collect::<Vec<_>>().join(", "), 200)),
        ("missing", words_at(answer, "/missing_fields")),
        ("outcome", outcome.to_owned()),
    ]);
    let warnings = list_at(answer, "/warnings");
    if !warnings.is_empty() {
        let row = |warning: &Value| {
            ["/code", "/pointer", "/detail"]
                .map(|member| text_at(warning, member))
                .to_vec()
        };
        text.push('\n');
        text.push_str(&table(
            &["warning", "at", "detail"],
            &warnings.iter().map(row).collect::<Vec<_>>(),
            width,
        ));
    }
    text
}

fn reads_as(answer: &Value) -> String {
    let one = |interface: &Value| {
        let aside = if truth(interface, "/callable") {
            ""
        } else {
            " (not callable)"
        };
        format!(
            "{} {}{aside}",
            text_at(interface, "/version"),
            text_at(interface, "/binding")
        )
    };
    match list_at(answer, "/reads_as") {
        [] => "no call address".to_owned(),
        list => list.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}

fn truth(value: &Value, pointer: &str) -> bool {
    value
        .pointer(pointer)
        .and_then(Value::as_bool)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_recognised() {
        let at = |source: &'static str| place(source, false, false);
        assert_eq!(
            at("https://a.example.org"),
            Place::Domain("https://a.example.org")
        );
        assert_eq!(
            at("https://a.example.org/card"),
            Place::Card("https://a.example.org/card")
        );
        assert_eq!(
            at("agents.example.org"),
            Place::Domain("agents.example.org")
        );
        assert_eq!(at("-"), Place::File("-"));
        assert_eq!(at("./cards/a.json"), Place::File("./cards/a.json"));
        assert_eq!(at("missing.json"), Place::File("missing.json"));
        assert_eq!(
            place("agents.example.org", false, true),
            Place::File("agents.example.org")
        );
        assert_eq!(
            place("https://a.example.org/x", true, false),
            Place::Domain("https://a.example.org/x")
        );
    }

    #[test]
    fn a_card_is_shown_with_its_warnings() {
        let answer = json!({
            "source_url": null, "card_digest": "ab", "registered": true, "created": true,
            "reads_as": [{"version": "0.3", "binding": "JSONRPC", "callable": true},
                         {"version": "0.3", "binding": "GRPC", "callable": false}],
            "preview": {"name": "Sorter", "callable": true, "skills": [{"id": "sort"}]},
            "agent": {"agent_id": "sorter"}, "missing_fields": ["org_name"],
            "warnings": [{"code": "modes_missing", "pointer": null, "detail": "No modes."}],
        });
        let text = imported(&answer, 100);
        for part in [
            "0.3 JSONRPC, 0.3 GRPC (not callable)",
            "listed, unclaimed",
            "missing      org_name",
            "modes_missing",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(
            !text.contains("source"),
            "an absent fact has no line: {text}"
        );
    }
}
