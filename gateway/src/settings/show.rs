//! The effective settings for people, with secrets hidden.

use toml::{Table, Value};

use super::Settings;

/// Stands where a secret is set.
const HIDDEN: &str = "(hidden)";

/// The settings as TOML; secrets, and the password of the database URL, are hidden.
#[must_use]
pub fn effective(settings: &Settings) -> String {
    let mut table = Table::try_from(settings).unwrap_or_default();
    if !settings.operator_key.is_empty() {
        table.insert("operator_key".to_owned(), Value::from(HIDDEN));
    }
    if !settings.database_url.is_empty() {
        table.insert(
            "database_url".to_owned(),
            Value::from(without_password(&settings.database_url)),
        );
    }
    table.to_string()
}

fn without_password(database_url: &str) -> String {
    match url::Url::parse(database_url) {
        // Query parameters may hold a password as well.
        Ok(mut url) => {
            if url.password().is_some() {
                // Only URLs without a host refuse; those have no password.
                let _ = url.set_password(Some("hidden"));
            }
            if url.query().is_some() {
                url.set_query(Some("hidden"));
            }
            url.to_string()
        }
        Err(_) => HIDDEN.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden() {
        let settings = Settings {
            operator_key: "k".repeat(40),
            database_url: "postgres://me:swordfish@db/x?password=swordfish".to_owned(),
            ..Settings::default()
        };
        let text = effective(&settings);
        assert!(
            !text.contains("swordfish") && !text.contains("kkkk"),
            "{text}"
        );
        assert!(text.contains("postgres://me:hidden@db/x"), "{text}");
    }
}
