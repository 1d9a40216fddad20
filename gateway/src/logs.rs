//! Log lines on standard error: text for people or one JSON object a line.

use std::io::IsTerminal as _;

use tracing_subscriber::EnvFilter;

use crate::settings::{Log, LogFormat};

/// Starts logging; call once.
///
/// # Errors
/// The reason why the filter cannot be read, or that logging runs already.
pub fn start(log: &Log) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let filter = EnvFilter::try_new(&log.filter)?;
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr);
    match log.format {
        LogFormat::Text => lines.with_ansi(std::io::stderr().is_terminal()).try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    }
}
