//! The three spellings of the header that names A2A extensions, read as one.

use poem::Response;
use poem::http::HeaderMap;
use protocol::a2a::Version;

use crate::doors::frame;

/// 1.0's own, that of 0.3's SDKs and x402, and a misspelling that occurs.
pub(super) const NAMES: [&str; 3] = ["a2a-extensions", "x-a2a-extensions", "x-a2a-extension"];

/// The URIs that a client wants, from all spellings and lines, each once.
pub(super) fn wanted(headers: &HeaderMap) -> Vec<String> {
    let mut uris: Vec<String> = Vec::new();
    let lines = NAMES.iter().flat_map(|name| headers.get_all(*name));
    let texts = lines.filter_map(|value| value.to_str().ok());
    for uri in texts.flat_map(|line| line.split(',')).map(str::trim) {
        if !uri.is_empty() && !uris.iter().any(|known| known == uri) {
            uris.push(uri.to_owned());
        }
    }
    uris
}

/// Gives the agent's echo in the spelling of the client's dialect, and in each that it used.
pub(super) fn echo(
    asked: &HeaderMap,
    answered: &[(String, String)],
    version: Version,
    response: &mut Response,
) {
    let activated: Vec<&str> = answered
        .iter()
        .filter(|(name, _)| NAMES.contains(&name.as_str()))
        .map(|(_, value)| value.as_str())
        .collect();
    if activated.is_empty() {
        return;
    }
    let value = activated.join(", ");
    let of_dialect = match version {
        Version::V1_0 => NAMES[0],
        Version::V0_3 => NAMES[1],
    };
    for name in [NAMES[0], NAMES[1]] {
        if name == of_dialect || super::names(asked).any(|used| used == name) {
            frame::set_header(response, name, &value);
        }
    }
}
