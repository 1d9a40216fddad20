//! Why a client command failed, how that reads, and the exit code that a script sees.

use std::process::ExitCode;

use serde_json::Value;

use super::table::clean;

/// Why a command did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The words on the command line do not fit together, or name a file that cannot be used.
    #[error("{0}")]
    Usage(String),
    /// Nothing that speaks answers at the address.
    #[error("no gateway answers at {url}")]
    Unreachable {
        /// Where it was looked for.
        url: String,
        /// What went wrong on the way.
        #[source]
        source: reqwest::Error,
    },
    /// Something answers, but it is no gateway.
    #[error("{url} answered with status {status} and no JSON, which no gateway does")]
    NotAGateway {
        /// Where it was looked for.
        url: String,
        /// HTTP status of the answer.
        status: u16,
    },
    /// The gateway refused; the problem document says why (RFC 9457).
    #[error("the gateway refused with status {status}")]
    Refused {
        /// HTTP status of the answer.
        status: u16,
        /// The problem document as it came.
        text: String,
        /// The same, read.
        problem: Box<Value>,
    },
}

impl Failure {
    /// 1 refused, 2 wrong usage, 3 no gateway.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Refused { .. } => ExitCode::from(1),
            Self::Usage(_) => ExitCode::from(2),
            Self::Unreachable { .. } | Self::NotAGateway { .. } => ExitCode::from(3),
        }
    }

    /// What to write to standard error; with `json` a refusal stays the document that it is.
    #[must_use]
    pub fn text(&self, json: bool) -> String {
        match self {
            Self::Refused { text, .. } if json => text.clone(),
            Self::Refused {
                status, problem, ..
            } => refusal(*status, problem),
            Self::Unreachable { source, .. } => format!(
                "error: {self}\n  cause: {}\n  hint: start one with `guildhall serve`, or name another with --url",
                innermost(source)
            ),
            Self::NotAGateway { .. } => {
                format!("error: {self}\n  hint: name the gateway with --url or GUILDHALL_URL")
            }
            Self::Usage(_) => format!("error: {self}"),
        }
    }
}

/// The problem document for people, one member a line.
fn refusal(status: u16, problem: &Value) -> String {
    let member = |name: &str| problem.get(name).and_then(Value::as_str).map(clean);
    let title = member("title").unwrap_or_else(|| "The gateway refused".to_owned());
    let mut text = format!("error: {title}");
    for name in [
        "detail",
        "pointer",
        "hint",
        "code",
        "transaction_id",
        "request_id",
    ] {
        if let Some(value) = member(name) {
            let value = if name == "code" {
                format!("{value} (HTTP {status})")
            } else {
                value
            };
            text.push_str(&format!("\n  {}: {value}", name.replace('_', " ")));
        }
    }
    text
}

/// The last cause is the one that helps; the ones before it only repeat each other.
fn innermost(error: &(dyn std::error::Error + 'static)) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_refusal_reads_as_a_list() {
        let problem = json!({
            "title": "No such agent", "status": 404, "code": "unknown_agent", "detail": "no such agent",
            "hint": "POST /match\u{1b}[2J finds agents", "request_id": "req_1",
        });
        let failure = Failure::Refused {
            status: 404,
            text: problem.to_string(),
            problem: Box::new(problem),
        };
        assert_eq!(
            failure.text(false),
            "error: No such agent\n  detail: no such agent\n  hint: POST /match [2J finds agents\n  code: unknown_agent (HTTP 404)\n  request id: req_1"
        );
        assert!(failure.text(true).starts_with("{\"title\""));
    }
}
