//! An example of each operation's request and answers, as they were seen.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// The examples of one operation.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Example {
    /// A request body.
    pub(super) request: Option<Value>,
    /// Answers by status.
    pub(super) answers: BTreeMap<String, Value>,
}

/// All examples by operation id.
const EXAMPLES: &str = include_str!("examples.json");

pub(super) fn of(operation: &str) -> Example {
    // The file is part of the program and read by a test.
    let mut all: BTreeMap<String, Example> = serde_json::from_str(EXAMPLES).unwrap_or_default();
    all.remove(operation).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_examples_reads() {
        let all: BTreeMap<String, Example> = serde_json::from_str(EXAMPLES).expect("JSON");
        assert!(all.values().all(|example| !example.answers.is_empty()));
    }
}
