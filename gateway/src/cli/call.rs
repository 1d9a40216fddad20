//! `guildhall call`: one message to one agent, and its answer.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::client::Client;
use super::failure::Failure;
use super::table::{clean, clean_lines, list_at, text_at};
use super::{ClientOptions, Report, files};

pub(super) const EXAMPLES: &str = "\
Examples:
  guildhall call guildhall-echo --text hello --key-file my-agent.key.json
  guildhall call unit-converter --data '{\"value\": 12, \"from\": \"km\", \"to\": \"mi\"}' --key gh_sk_...
  GUILDHALL_KEY=gh_sk_... guildhall call translator --message message.json --timeout 10

A key comes with `guildhall register`. The exit code is 1 when the agent answered with a failure.";

/// A message to send.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("content").required(true).args(["text", "data", "message"])))]
pub struct CallArgs {
    /// Id of the agent
    id: String,
    /// A text to send
    #[arg(long)]
    text: Option<String>,
    /// JSON data to send
    #[arg(long, value_name = "JSON")]
    data: Option<String>,
    /// An A2A message of either dialect: a file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    message: Option<String>,
    /// The skill that is meant
    #[arg(long, value_name = "ID")]
    skill: Option<String>,
    /// How long the agent may take, in seconds, at most 600
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// GET or POST, for agents that speak plain HTTP
    #[arg(long, ignore_case = true, value_parser = ["GET", "POST"])]
    method: Option<String>,
    /// A header for the agent, as `name: value`; may be given several times
    #[arg(long = "header", value_name = "NAME: VALUE", value_parser = header)]
    headers: Vec<(String, String)>,
    /// Your key
    #[arg(long, env = "GUILDHALL_KEY", hide_env_values = true)]
    key: Option<String>,
    /// The file that your key is in; stronger than GUILDHALL_KEY
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    #[command(flatten)]
    pub(super) options: ClientOptions,
}

/// The request; content stays as it was written.
#[derive(Serialize)]
struct Request<'a> {
    agent_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skill: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    forwarded_headers: BTreeMap<&'a str, &'a str>,
}

fn header(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("a name, a colon and a value".to_owned()),
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = "seconds above 0, at most 600";
    let seconds = text.parse::<f64>().map_err(|_| wrong)?;
    let duration = Duration::try_from_secs_f64(seconds).map_err(|_| wrong)?;
    // Less than a millisecond would be no time at all on the wire.
    if (1..=600_000).contains(&duration.as_millis()) {
        Ok(duration)
    } else {
        Err(wrong.to_owned())
    }
}

impl CallArgs {
    fn body(&self) -> Result<String, Failure> {
        let unwritable = |error: serde_json::Error| Failure::Usage(error.to_string());
        let text = self
            .text
            .as_deref()
            .map(to_raw_value)
            .transpose()
            .map_err(unwritable)?;
        let file = self.message.as_deref().map(files::json).transpose()?;
        let request = Request {
            agent_id: &self.id,
            message: text.or(file),
            payload: self
                .data
                .as_deref()
                .map(|data| files::parse("--data", data))
                .transpose()?,
            skill: self.skill.as_deref(),
            timeout_ms: self
                .timeout
                .map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            method: self.method.as_deref(),
            forwarded_headers: self
                .headers
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str()))
                .collect(),
        };
        serde_json::to_string(&request).map_err(unwritable)
    }

    fn key(&self) -> Result<Option<String>, Failure> {
        match &self.key_file {
            Some(path) => files::key(path).map(Some),
            None => Ok(self.key.clone().filter(|key| !key.is_empty())),
        }
    }
}

pub(super) async fn run(args: &CallArgs, client: Client) -> Result<Report, Failure> {
    let client = client.with_key(args.key()?)?;
    let answer = client.post("/call", args.body()?).await?;
    let number = |member: &str| {
        answer
            .json
            .get(member)
            .and_then(Value::as_u64)
            .unwrap_or_default()
    };
    let status = number("status_code");
    // In plain HTTP an `error` is the agent's data; in JSON-RPC it is a failure.
    let rpc = text_at(&answer.json, "/spoken") != "http";
    let body = answer.json.get("body").unwrap_or(&Value::Null);
    let refused = || body.get("error").is_some_and(Value::is_object) || task_failed(body);
    let failed = status >= 400 || rpc && refused();
    let summary = format!(
        "{} answered over {} with status {status} in {} ms; call {}",
        text_at(&answer.json, "/agent_id"),
        text_at(&answer.json, "/spoken"),
        number("duration_ms"),
        text_at(&answer.json, "/transaction_id"),
    );
    let mut report = Report::new(answer.text, words(body));
    report.good = !failed;
    report.notes.push(clean(&if failed {
        format!("error: the agent failed; {summary}")
    } else {
        summary
    }));
    Ok(report)
}

/// Whether the answer is a task, in either dialect, that ended without what was asked.
fn task_failed(body: &Value) -> bool {
    let state = ["/result/task/status/state", "/result/status/state"]
        .into_iter()
        .find_map(|place| body.pointer(place).and_then(Value::as_str));
    let ended = ["failed", "rejected", "canceled"];
    state.is_some_and(|state| {
        let word = state.trim_start_matches("TASK_STATE_").to_ascii_lowercase();
        ended.contains(&word.as_str())
    })
}

/// The words of an agent's answer: the parts of an A2A message or task, a text as it is, and
/// JSON of any other shape indented.
pub(crate) fn words(body: &Value) -> String {
    let said = match body {
        Value::String(text) => text.clone(),
        Value::Null => "(an empty answer)".to_owned(),
        other => match parts(other) {
            parts if parts.is_empty() => format!("{other:#}"),
            parts => parts
                .iter()
                .map(|part| word(part))
                .collect::<Vec<_>>()
                .join("\n"),
        },
    };
    clean_lines(&said)
}

/// Parts of both dialects: of a message, else of a task's artifacts and status.
fn parts(body: &Value) -> Vec<&Value> {
    let Some(result) = body.get("result") else {
        return Vec::new();
    };
    let task = result.get("task").unwrap_or(result);
    let message = result.get("message").unwrap_or(result);
    let mut found: Vec<&Value> = list_at(message, "/parts").iter().collect();
    found.extend(
        list_at(task, "/artifacts")
            .iter()
            .flat_map(|artifact| list_at(artifact, "/parts")),
    );
    if found.is_empty() {
        found.extend(list_at(task, "/status/message/parts"));
    }
    found
}

fn word(part: &Value) -> String {
    match (part.get("text"), part.get("data")) {
        (Some(Value::String(text)), _) => text.clone(),
        (_, Some(data)) => format!("{data:#}"),
        _ => part.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_words_of_every_dialect_are_found() {
        for (body, said) in [
            (
                json!({"jsonrpc": "2.0", "id": 1, "result": {"kind": "message", "parts": [{"kind": "text", "text": "a"}]}}),
                "a",
            ),
            (
                json!({"result": {"message": {"role": "ROLE_AGENT", "parts": [{"text": "b"}, {"text": "c"}]}}}),
                "b\nc",
            ),
            (
                json!({"result": {"task": {"artifacts": [{"parts": [{"data": 7}]}]}}}),
                "7",
            ),
            (
                json!({"result": {"kind": "task", "status": {"message": {"parts": [{"text": "d"}]}}}}),
                "d",
            ),
            (json!("plain\u{1b}[1m"), "plain [1m"),
            (json!(null), "(an empty answer)"),
        ] {
            assert_eq!(words(&body), said);
        }
        assert!(words(&json!({"error": {"code": -32601}})).contains("-32601"));
    }

    #[test]
    fn a_task_that_did_not_succeed_is_a_failure() {
        for (state, failed) in [
            ("TASK_STATE_FAILED", true),
            ("rejected", true),
            ("TASK_STATE_COMPLETED", false),
            ("input-required", false),
        ] {
            let bare = json!({"result": {"kind": "task", "status": {"state": state}}});
            let wrapped = json!({"result": {"task": {"status": {"state": state}}}});
            assert_eq!(
                (task_failed(&bare), task_failed(&wrapped)),
                (failed, failed),
                "{state}"
            );
        }
    }

    #[test]
    fn headers_have_a_name_and_a_value() {
        assert_eq!(
            header("X-Api-Key: a:b"),
            Ok(("X-Api-Key".to_owned(), "a:b".to_owned()))
        );
        assert!(header("nothing").is_err() && header(": x").is_err());
    }

    #[test]
    fn times_are_seconds() {
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1_500)));
        for bad in ["0", "-1", "NaN", "601", "0.0001", "soon"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
