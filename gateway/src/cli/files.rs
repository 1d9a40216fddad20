//! Files of the commands: cards and messages that are read, keys that are kept.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::failure::Failure;

/// JSON of a file, or of standard input for `-`, byte for byte.
///
/// # Errors
/// [`Failure::Usage`] when it cannot be read or is not JSON.
pub(super) fn json(path: &str) -> Result<Box<RawValue>, Failure> {
    let unreadable = |error: std::io::Error| Failure::Usage(format!("{path}: {error}"));
    let text = if path == "-" {
        let mut text = String::new();
        std::io::stdin()
            .read_to_string(&mut text)
            .map_err(unreadable)?;
        text
    } else {
        std::fs::read_to_string(path).map_err(unreadable)?
    };
    // Within a request there is no place for a byte order mark.
    parse(path, text.trim_start_matches('\u{feff}'))
}

/// JSON of a text; `what` names it in the refusal.
///
/// # Errors
/// [`Failure::Usage`] when it is not JSON.
pub(super) fn parse(what: &str, text: &str) -> Result<Box<RawValue>, Failure> {
    serde_json::from_str(text.trim())
        .map_err(|error| Failure::Usage(format!("{what}: not JSON: {error}")))
}

/// The key of a file: what `register --key-file` wrote, or the bare key.
///
/// # Errors
/// [`Failure::Usage`] when there is none.
pub(super) fn key(path: &Path) -> Result<String, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
    let bare = || {
        Some(text.trim().to_owned())
            .filter(|key| !key.is_empty() && !key.contains(char::is_whitespace))
    };
    let kept = match serde_json::from_str::<Value>(&text) {
        Ok(kept) => kept
            .get("api_key")
            .and_then(Value::as_str)
            .map(str::to_owned),
        Err(_) => bare(),
    };
    kept.ok_or_else(|| Failure::Usage(format!("{}: no key in it", path.display())))
}

/// A key file that exists, is empty and is ours alone; made before the key, so that a key
/// that is shown once is not lost to a path that cannot be written.
pub(super) struct KeyFile {
    path: PathBuf,
    file: std::fs::File,
}

impl KeyFile {
    /// Makes the file, readable for its owner only.
    ///
    /// # Errors
    /// [`Failure::Usage`] when it exists or cannot be made.
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(path) {
            Ok(file) => Ok(Self {
                path: path.to_owned(),
                file,
            }),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(Failure::Usage(format!(
                    "--key-file {}: exists already, and is not overwritten",
                    path.display()
                )))
            }
            Err(error) => Err(Failure::Usage(format!(
                "--key-file {}: {error}",
                path.display()
            ))),
        }
    }

    /// Writes the key of an answer of `/register`.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn keep(mut self, gateway: &str, registered: &Value) -> std::io::Result<()> {
        let kept = json!({
            "url": gateway,
            "agent_id": registered.get("agent_id"),
            "key_id": registered.get("key_id"),
            "api_key": registered.get("api_key"),
        });
        writeln!(self.file, "{kept:#}")?;
        self.file.sync_all()
    }

    /// Takes the empty file away again.
    pub(super) fn discard(self) {
        // A file that stays behind is empty and says so to whoever looks.
        let _ = std::fs::remove_file(self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_file_is_private_and_never_overwritten() {
        let path = std::env::temp_dir().join(format!("guildhall-key-{}.json", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let file = KeyFile::create(&path).expect("made");
        file.keep(
            "http://x",
            &json!({"agent_id": "a", "key_id": "k", "api_key": "gh_sk_1"}),
        )
        .expect("kept");
        assert_eq!(key(&path).expect("a key"), "gh_sk_1");
        assert!(matches!(KeyFile::create(&path), Err(Failure::Usage(_))));
        assert_eq!(key(&path).expect("still there"), "gh_sk_1");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::metadata(&path)
                .expect("a file")
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        std::fs::remove_file(&path).expect("removed");
    }

    #[test]
    fn json_stays_as_it_was_written() {
        assert_eq!(
            parse("x", " {\"b\" : 1.10, \"a\":1} ").expect("JSON").get(),
            "{\"b\" : 1.10, \"a\":1}"
        );
        assert!(matches!(parse("x", "<html>"), Err(Failure::Usage(_))));
    }
}
