//! A secret Ed25519 key: made from its seed, signs, and shows nothing of itself.

use std::fmt;

use ed25519_dalek::{Signer as _, SigningKey as Secret};

use super::PublicKey;

/// A secret Ed25519 key with its public half. Its memory is wiped when it goes.
#[derive(Clone)]
pub struct SigningKey {
    secret: Secret,
    public: PublicKey,
}

impl SigningKey {
    /// The key of a seed of 32 random bytes (RFC 8032, section 5.1.5). Named by its thumbprint.
    #[must_use]
    pub fn from_seed(seed: [u8; 32]) -> Self {
        let secret = Secret::from_bytes(&seed);
        let public = PublicKey::of_secret(secret.verifying_key());
        Self { secret, public }
    }

    /// The public half.
    #[must_use]
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// The name of the key, its thumbprint.
    #[must_use]
    pub fn kid(&self) -> &str {
        self.public.kid()
    }

    /// Signs a message; the same message always gets the same 64 bytes.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.secret.sign(message).to_bytes()
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "SigningKey({:?})", self.kid())
    }
}
