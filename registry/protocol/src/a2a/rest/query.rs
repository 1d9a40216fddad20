//! Query parameters as typed members and back (A2A 1.0, 11.5).

use serde_json::{Map, Value};
use url::form_urlencoded;

use super::percent;
use crate::a2a::translate::TaskState;
use crate::a2a::{Operation, Version};

/// What the text of a parameter means.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Whole,
    Flag,
    State,
    Time,
}

/// Member, its other spelling, meaning.
type Parameter = (&'static str, &'static str, Kind);

const HISTORY: Parameter = ("historyLength", "history_length", Kind::Whole);
const SIZE: Parameter = ("pageSize", "page_size", Kind::Whole);
const TOKEN: Parameter = ("pageToken", "page_token", Kind::Text);

const OF_TASK: [Parameter; 1] = [HISTORY];
const OF_CONFIGS: [Parameter; 2] = [SIZE, TOKEN];
const OF_TASKS: [Parameter; 7] = [
    ("contextId", "context_id", Kind::Text),
    ("status", "status", Kind::State),
    SIZE,
    TOKEN,
    HISTORY,
    ("statusTimestampAfter", "status_timestamp_after", Kind::Time),
    ("includeArtifacts", "include_artifacts", Kind::Flag),
];

fn parameters(operation: Operation) -> &'static [Parameter] {
    match operation {
        Operation::GetTask => &OF_TASK,
        Operation::ListTasks => &OF_TASKS,
        Operation::PushList => &OF_CONFIGS,
        _ => &[],
    }
}

/// Adds the parameters of an operation. Others are passed over, empty ones count as absent, of a
/// repeated one the last counts. A text that is not of its type stays a text, which the reading
/// of the parameters refuses with its place.
pub(super) fn read(
    operation: Operation,
    version: Version,
    query: &str,
    out: &mut Map<String, Value>,
) {
    let known = parameters(operation);
    if known.is_empty() {
        return;
    }
    for (name, text) in form_urlencoded::parse(query.as_bytes()) {
        let found = known
            .iter()
            .find(|(camel, snake, _)| name == *camel || name == *snake);
        if let Some((camel, _, kind)) = found
            && !text.is_empty()
        {
            out.insert((*camel).to_owned(), typed(*kind, &text));
        }
    }
    // 0 means "no limit" to 0.3, and "none" to 1.0.
    if version == Version::V0_3 && out.get(HISTORY.0).and_then(Value::as_i64) == Some(0) {
        out.shift_remove(HISTORY.0);
    }
}

fn typed(kind: Kind, text: &str) -> Value {
    match kind {
        Kind::Text => text.into(),
        Kind::Whole => text
            .parse::<i64>()
            .map_or_else(|_| text.into(), Value::from),
        Kind::Flag => text
            .parse::<bool>()
            .map_or_else(|_| text.into(), Value::from),
        Kind::State => TaskState::parse(text)
            .map_or_else(|| text.into(), |state| state.as_str(Version::V1_0).into()),
        // The plus of an offset that came unencoded was read as a space.
        Kind::Time => text.replace(' ', "+").into(),
    }
}

/// The query of an operation, without the question mark; "" for none.
pub(super) fn write(operation: Operation, version: Version, params: &Value) -> String {
    let mut pairs = Vec::new();
    for (name, _, kind) in parameters(operation) {
        let text = match params.get(*name) {
            Some(Value::String(text)) if text.is_empty() => continue,
            Some(Value::String(text)) => match (kind, version) {
                (Kind::State, Version::V0_3) => super::proto::state(text),
                _ => text.clone(),
            },
            Some(Value::Number(number)) => {
                if version == Version::V0_3 && *name == HISTORY.0 && number.as_i64() == Some(0) {
                    continue;
                }
                number.to_string()
            }
            Some(Value::Bool(flag)) => flag.to_string(),
            _ => continue,
        };
        pairs.push(format!("{name}={}", percent::encode(&text)));
    }
    pairs.join("&")
}
