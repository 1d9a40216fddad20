//! Reading settings: environment over file over defaults, each failure naming its key.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::Settings;

/// Why the program does not start.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file could not be read.
    #[error("settings file {path}: {source}")]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The file is no TOML.
    #[error("settings file {path}: {source}")]
    NotToml {
        /// Which file.
        path: PathBuf,
        /// Where and why.
        #[source]
        source: Box<toml::de::Error>,
    },
    /// A key that does not exist, or a value that it does not take.
    #[error("setting `{key}`: {reason}")]
    Bad {
        /// The key, with dots.
        key: String,
        /// Why.
        reason: String,
    },
}

/// Environment variables whose names do not follow from the key.
const NAMED: [(&str, &str); 1] = [("DATABASE_URL", "database_url")];

/// Reads the file named by `file`, else by `GUILDHALL_CONFIG`, else none, and the environment.
///
/// # Errors
/// [`SettingsError`] with the key that is wrong.
pub fn load(file: Option<&Path>) -> Result<Settings, SettingsError> {
    load_from(file, &std::env::vars().collect())
}

/// As [`load`], with the environment handed in.
///
/// # Errors
/// [`SettingsError`] with the key that is wrong.
pub fn load_from(
    file: Option<&Path>,
    environment: &BTreeMap<String, String>,
) -> Result<Settings, SettingsError> {
    let named = environment
        .get("GUILDHALL_CONFIG")
        .filter(|path| !path.is_empty())
        .map(PathBuf::from);
    let mut table = match file.map(Path::to_owned).or(named) {
        Some(path) => read_file(&path)?,
        None => Table::new(),
    };
    overlay(&mut table, environment)?;
    let settings = serde_path_to_error::deserialize(Value::Table(table)).map_err(|error| {
        SettingsError::Bad {
            key: error.path().to_string(),
            reason: error.inner().message().to_owned(),
        }
    })?;
    check(&settings)?;
    Ok(settings)
}

fn read_file(path: &Path) -> Result<Table, SettingsError> {
    let text = std::fs::read_to_string(path).map_err(|source| SettingsError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    text.parse().map_err(|source| SettingsError::NotToml {
        path: path.to_owned(),
        source: Box::new(source),
    })
}

/// Puts the variable of every known key over the table: `a.b_c` is `GUILDHALL_A_B_C`.
fn overlay(table: &mut Table, environment: &BTreeMap<String, String>) -> Result<(), SettingsError> {
    let defaults = default_table();
    for (key, default) in &defaults {
        match default {
            Value::Table(section) => {
                for (inner, default) in section {
                    let name = format!("GUILDHALL_{key}_{inner}").to_uppercase();
                    if let Some(text) = environment.get(&name) {
                        let value = parse(&format!("{key}.{inner}"), text, default)?;
                        section_of(table, key)?.insert(inner.clone(), value);
                    }
                }
            }
            default => {
                let usual = format!("GUILDHALL_{key}").to_uppercase();
                let name = NAMED
                    .iter()
                    .find(|(_, named)| named == key)
                    .map_or(usual.as_str(), |(name, _)| name);
                if let Some(text) = environment.get(name) {
                    table.insert(key.clone(), parse(key, text, default)?);
                }
            }
        }
    }
    shorthand(table, environment)
}

/// `GUILDHALL_LOG` is the filter, since that is what operators type.
fn shorthand(
    table: &mut Table,
    environment: &BTreeMap<String, String>,
) -> Result<(), SettingsError> {
    if let Some(filter) = environment.get("GUILDHALL_LOG") {
        section_of(table, "log")?.insert("filter".to_owned(), Value::String(filter.clone()));
    }
    Ok(())
}

pub(super) fn default_table() -> Table {
    // A struct of plain values always has a TOML form.
    Table::try_from(Settings::default()).unwrap_or_default()
}

fn section_of<'a>(table: &'a mut Table, key: &str) -> Result<&'a mut Table, SettingsError> {
    let section = table
        .entry(key.to_owned())
        .or_insert_with(|| Value::Table(Table::new()));
    section
        .as_table_mut()
        .ok_or_else(|| bad(key, "a section, not a value".to_owned()))
}

/// Text of the environment in the type of the default.
fn parse(key: &str, text: &str, default: &Value) -> Result<Value, SettingsError> {
    let list = |text: &str| {
        text.split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .map(Value::from)
            .collect()
    };
    match default {
        Value::Integer(_) => text
            .trim()
            .parse()
            .map(Value::Integer)
            .map_err(|_| bad(key, format!("{text:?} is no whole number"))),
        Value::Boolean(_) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Ok(Value::Boolean(true)),
            "false" | "0" | "no" | "off" | "" => Ok(Value::Boolean(false)),
            _ => Err(bad(key, format!("{text:?} is neither true nor false"))),
        },
        Value::Array(_) => Ok(Value::Array(list(text))),
        _ => Ok(Value::String(text.to_owned())),
    }
}

fn bad(key: &str, reason: String) -> SettingsError {
    SettingsError::Bad {
        key: key.to_owned(),
        reason,
    }
}

fn check(settings: &Settings) -> Result<(), SettingsError> {
    let url = &settings.public_url;
    if !url.is_empty() {
        let parsed = url::Url::parse(url).map_err(|error| bad("public_url", error.to_string()))?;
        let origin = matches!(parsed.scheme(), "http" | "https")
            && parsed.has_host()
            && parsed.query().is_none();
        if !origin {
            return Err(bad(
                "public_url",
                "an http or https origin such as https://agents.example.org".to_owned(),
            ));
        }
    }
    let database = &settings.database_url;
    if !database.is_empty()
        && !database.starts_with("postgres://")
        && !database.starts_with("postgresql://")
    {
        return Err(bad("database_url", "empty, or postgres://…".to_owned()));
    }
    if (1..32).contains(&settings.operator_key.len()) {
        return Err(bad(
            "operator_key",
            "at least 32 characters: it opens everything".to_owned(),
        ));
    }
    if !(1_024..=16 * 1024 * 1024).contains(&settings.limits.body_bytes) {
        return Err(bad("limits.body_bytes", "1024 to 16777216".to_owned()));
    }
    let call = &settings.call;
    if call.timeout_ms == 0
        || call.timeout_ms > call.max_timeout_ms
        || call.max_timeout_ms > 600_000
    {
        return Err(bad(
            "call.timeout_ms",
            "1 to call.max_timeout_ms, which is at most 600000".to_owned(),
        ));
    }
    for (key, zero) in [
        ("limits.in_flight", settings.limits.in_flight == 0),
        ("server.connections", settings.server.connections == 0),
        ("search.cached_agents", settings.search.cached_agents == 0),
        ("call.response_bytes", call.response_bytes == 0),
    ] {
        if zero {
            return Err(bad(key, "at least 1".to_owned()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &[(&str, &str)]) -> Result<Settings, String> {
        let environment = pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        load_from(None, &environment).map_err(|error| error.to_string())
    }

    #[test]
    fn the_sample_is_complete_and_holds_the_defaults() {
        let sample: Table = super::super::SAMPLE.parse().expect("TOML");
        assert_eq!(sample, default_table());
    }

    #[test]
    fn the_environment_wins_and_errors_name_the_key() {
        let settings = with(&[
            ("GUILDHALL_LIMITS_REGISTER_PER_MINUTE", "0"),
            ("GUILDHALL_LOG", "debug"),
        ])
        .expect("good");
        assert_eq!(
            (
                settings.limits.register_per_minute,
                settings.log.filter.as_str()
            ),
            (0, "debug")
        );
        for (name, value, key) in [
            ("GUILDHALL_LISTEN", "nowhere", "`listen`"),
            ("GUILDHALL_CALL_TIMEOUT_MS", "soon", "`call.timeout_ms`"),
            ("GUILDHALL_LOG_FORMAT", "xml", "`log.format`"),
            ("DATABASE_URL", "mysql://x", "`database_url`"),
            ("GUILDHALL_OPERATOR_KEY", "short", "`operator_key`"),
            (
                "GUILDHALL_TRUSTED_PROXIES",
                "10.0.0.1, somebody",
                "`trusted_proxies",
            ),
        ] {
            let error = with(&[(name, value)]).expect_err("bad");
            assert!(error.contains(key), "{error}");
        }
    }

    #[test]
    fn an_unknown_key_of_the_file_is_refused() {
        let folder =
            std::env::temp_dir().join(format!("guildhall-settings-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("a.toml");
        std::fs::write(&file, "[limits]\nreads = 5\n").expect("a file");
        let error = load_from(Some(&file), &BTreeMap::new())
            .expect_err("unknown")
            .to_string();
        assert!(
            error.contains("limits") && error.contains("reads"),
            "{error}"
        );
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
