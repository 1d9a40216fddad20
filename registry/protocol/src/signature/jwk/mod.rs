//! Keys as JSON Web Keys (RFC 7517): Ed25519 (RFC 8037) and P-256 (RFC 7518, section 6.2).

mod public;
mod secret;
mod set;
#[cfg(test)]
mod tests;

pub use public::PublicKey;
pub use secret::SigningKey;
pub use set::{JwkSet, MAX_KEYS};

/// How a key signs. Each key has exactly one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Ed25519 (RFC 8032), in JOSE `EdDSA` (RFC 8037) or `Ed25519` (RFC 9864), in HTTP `ed25519`.
    Ed25519,
    /// ECDSA over P-256 with SHA-256, in JOSE `ES256` (RFC 7518, section 3.4).
    Es256,
}

impl Algorithm {
    /// Reads a name of JOSE; `None` for every other one, `none` and the symmetric ones included.
    #[must_use]
    pub fn from_jose(name: &str) -> Option<Self> {
        match name {
            "EdDSA" | "Ed25519" => Some(Self::Ed25519),
            "ES256" => Some(Self::Es256),
            _ => None,
        }
    }

    /// The name in JOSE.
    #[must_use]
    pub fn jose(self) -> &'static str {
        match self {
            Self::Ed25519 => "EdDSA",
            Self::Es256 => "ES256",
        }
    }
}

/// Why something is no public key that may verify a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Not a JSON object.
    #[error("a key is a JSON object")]
    Shape,
    /// Another kind of key or another curve than Ed25519 and P-256.
    #[error("only Ed25519 and P-256 keys are taken")]
    Unsupported,
    /// The member is missing, or no base64url text of the right length.
    #[error("the member {0} is missing or no base64url text of 32 bytes")]
    Member(&'static str),
    /// The coordinates are no point of the curve, or a point written in a second way.
    #[error("the coordinates are no point of the curve")]
    Point,
    /// An Ed25519 point of small order: signatures by it say nothing.
    #[error("the point has small order")]
    SmallOrder,
    /// A private key where a public one is wanted; whoever published it has lost it.
    #[error("a private key was published")]
    Private,
    /// `use`, `key_ops` or `alg` say that the key is for something else.
    #[error("the key is meant for something else than verifying")]
    Purpose,
    /// A set that is no object with a list `keys`, or a list longer than [`MAX_KEYS`].
    #[error("a key set is an object with a list of at most {MAX_KEYS} keys")]
    Set,
}
