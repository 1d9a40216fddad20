//! The two agents that the demo registers itself, and their keys, kept for the next time.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::StepError;
use crate::cli::client::Client;
use crate::cli::failure::Failure;

/// Where the keys are kept, in the data folder.
const FILE: &str = "demo-keys.json";
/// How many ids are tried when somebody has taken them.
const TRIES: usize = 20;

/// A registered agent of the demo.
#[derive(Debug, Clone)]
pub(super) struct Owned {
    /// Its id.
    pub(super) id: String,
    /// Its key.
    pub(super) key: String,
    /// Whether it was registered just now.
    pub(super) new: bool,
}

/// Updates the agent with the key of an earlier demo over the same data, else registers it
/// under the first free id made from `name`.
pub(super) async fn own(
    client: &Client,
    data: &Path,
    name: &str,
    declared: &Value,
) -> Result<Owned, StepError> {
    let mut keys = kept(data);
    if let Some(owned) = known(&keys, name) {
        let updated = client
            .clone()
            .with_key(Some(owned.key.clone()))?
            .post("/update", declared.to_string())
            .await;
        if updated.is_ok() {
            return Ok(owned);
        }
    }
    let ids = (1..=TRIES).map(|n| {
        if n == 1 {
            name.to_owned()
        } else {
            format!("{name}-{n}")
        }
    });
    for id in ids {
        let mut body = declared.clone();
        body["agent_id"] = json!(id);
        body["contact_email"] = json!("demo@guildhall-demo.net");
        match client.post("/register", body.to_string()).await {
            Ok(answer) => {
                let key = answer
                    .json
                    .get("api_key")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .to_owned();
                keys.insert(name.to_owned(), json!({"agent_id": id, "api_key": key}));
                keep(data, &Value::Object(keys))?;
                return Ok(Owned { id, key, new: true });
            }
            Err(Failure::Refused { status: 409, .. }) => {}
            Err(other) => return Err(other.into()),
        }
    }
    Err(StepError::Wrong(format!(
        "every id from {name} to {name}-{TRIES} is taken"
    )))
}

fn kept(data: &Path) -> Map<String, Value> {
    let text = std::fs::read_to_string(data.join(FILE)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

fn known(keys: &Map<String, Value>, name: &str) -> Option<Owned> {
    let text = |member: &str| keys.get(name)?.get(member)?.as_str().map(str::to_owned);
    Some(Owned {
        id: text("agent_id")?,
        key: text("api_key")?,
        new: false,
    })
}

fn keep(data: &Path, keys: &Value) -> Result<(), StepError> {
    use std::io::Write as _;
    let path = data.join(FILE);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options
        .open(&path)
        .and_then(|mut file| writeln!(file, "{keys:#}"));
    written.map_err(|source| StepError::File { path, source })
}
