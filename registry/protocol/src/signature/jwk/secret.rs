//! A secret Ed25519 key: made from its seed, signs, and shows nothing of itself.

use std::fmt;
use std::sync::Arc;

use aws_lc_rs::signature::Ed25519KeyPair as Secret;
use ed25519_dalek::SigningKey as Half;

use super::PublicKey;

/// A secret Ed25519 key with its public half. Its memory is wiped when it goes.
///
/// Every forwarded request is signed, so the signer is the one of the TLS library, which takes half
/// of the time; what others signed is checked by the stricter one.
#[derive(Clone)]
pub struct SigningKey {
    secret: Arc<Secret>,
    public: PublicKey,
}

impl SigningKey {
    /// The key of a seed of 32 random bytes (RFC 8032, section 5.1.5). Named by its thumbprint.
    #[must_use]
    pub fn from_seed(seed: [u8; 32]) -> Self {
        let public = PublicKey::of_secret(Half::from_bytes(&seed).verifying_key());
        let secret = Secret::from_seed_unchecked(&seed).expect("any 32 bytes are a seed");
        Self {
            secret: Arc::new(secret),
            public,
        }
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
        let signature = self.secret.sign(message);
        let bytes = signature.as_ref().try_into();
        bytes.expect("an Ed25519 signature has 64 bytes")
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "SigningKey({:?})", self.kid())
    }
}
