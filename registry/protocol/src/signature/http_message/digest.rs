//! The digest of a body (RFC 9530), SHA-256.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha2::{Digest as _, Sha256};

/// The value of a `Content-Digest` header. It can be made once for a body that is sent several times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentDigest(String);

impl ContentDigest {
    /// The digest of a body; no body is an empty one.
    #[must_use]
    pub fn of(body: &[u8]) -> Self {
        Self(format!(
            "sha-256=:{}:",
            STANDARD.encode(Sha256::digest(body))
        ))
    }

    /// `sha-256=:…:`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the digest that a header gave is that of the body.
    pub(super) fn fits(given: &[u8; 32], body: &[u8]) -> bool {
        Sha256::digest(body)[..] == given[..]
    }
}
