//! Detached JSON Web Signatures (RFC 7515, appendix F), compact and flattened.
//!
//! Taken are `EdDSA` and `ES256` with a `kid`, and nothing that needs `crit`. A key in the header
//! (`jwk`, `x5c`) is never looked at: whoever forges the payload can write that as well.

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use super::{
    from_base64url, jcs,
    jwk::{Algorithm, JwkSet, PublicKey, SigningKey},
    to_base64url,
};
use crate::json;

/// Longest protected header or signature that is looked at, in letters of base64url.
const MAX_LENGTH: usize = 8192;

/// A signature without the payload that it covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detached {
    /// The protected header, base64url.
    pub protected: String,
    /// The signature, base64url.
    pub signature: String,
}

/// What a protected header says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// How it was signed.
    pub algorithm: Algorithm,
    /// The name of the key.
    pub kid: String,
    /// Where the signer says that its key set lies. A claim; whether to follow it is the caller's
    /// matter.
    pub jku: Option<String>,
}

/// Why a signature does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum JwsError {
    /// Not the members or parts of a detached JWS, or not strict base64url.
    #[error("not the form of a detached JWS")]
    Form,
    /// The header is no JSON object with members of the right kind, each at most once.
    #[error("the header is no JSON object as RFC 7515 has it")]
    Header,
    /// `alg` is missing, `none`, symmetric or not known.
    #[error("the algorithm is not taken")]
    Algorithm,
    /// `crit` or `b64` ask for something that is not done here.
    #[error("the header asks for an extension that is not known")]
    Critical,
    /// No `kid`.
    #[error("the header names no key")]
    KeyIdMissing,
    /// No key of that name is at hand.
    #[error("no key of that name is at hand")]
    UnknownKey,
    /// The key of that name signs in another way than the header says.
    #[error("the algorithm does not fit the key")]
    AlgorithmMismatch,
    /// The signature is not the key's over this payload.
    #[error("the signature does not fit the payload")]
    Signature,
}

/// Signs a payload. `jku` says where the key set lies.
#[must_use]
pub fn sign(payload: &[u8], key: &SigningKey, jku: Option<&str>) -> Detached {
    let mut header = json!({"alg": Algorithm::Ed25519.jose(), "kid": key.kid(), "typ": "JOSE"});
    if let Some(jku) = jku {
        header["jku"] = json!(jku);
    }
    let protected = to_base64url(&jcs::canonical(&header));
    let signature = to_base64url(&key.sign(&signing_input(&protected, payload)));
    Detached {
        protected,
        signature,
    }
}

/// Checks a signature over a payload with the key that its header names.
///
/// # Errors
/// The first reason against it, as [`JwsError`] has them.
pub fn verify(jws: &Detached, payload: &[u8], keys: &JwkSet) -> Result<Header, JwsError> {
    let header = jws.header()?;
    let key = jws.key(&header, keys)?;
    jws.holds(payload, key)?;
    Ok(header)
}

impl Detached {
    /// Reads `protected..signature`.
    ///
    /// # Errors
    /// [`JwsError::Form`].
    pub fn from_compact(text: &str) -> Result<Self, JwsError> {
        let (protected, signature) = text.split_once("..").ok_or(JwsError::Form)?;
        Self::checked(protected, signature)
    }

    /// Writes `protected..signature`.
    #[must_use]
    pub fn to_compact(&self) -> String {
        format!("{}..{}", self.protected, self.signature)
    }

    /// Reads `{protected, signature, header?}`, a flattened JWS without `payload`.
    ///
    /// # Errors
    /// [`JwsError::Form`]; [`JwsError::Header`] and [`JwsError::Critical`] when the header that is not
    /// protected says what only a protected one may say.
    pub fn from_value(value: &Value) -> Result<Self, JwsError> {
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        if value.get("payload").is_some() {
            return Err(JwsError::Form);
        }
        let jws = Self::checked(
            text("protected").ok_or(JwsError::Form)?,
            text("signature").ok_or(JwsError::Form)?,
        )?;
        match value.get("header") {
            None | Some(Value::Null) => Ok(jws),
            Some(Value::Object(open)) => jws.beside(open),
            Some(_) => Err(JwsError::Header),
        }
    }

    /// Writes `{protected, signature}`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        json!({"protected": self.protected, "signature": self.signature})
    }

    /// Reads the protected header. Nothing in it is proven yet.
    ///
    /// # Errors
    /// As [`verify`], up to [`JwsError::KeyIdMissing`].
    pub fn header(&self) -> Result<Header, JwsError> {
        let members = self.members()?;
        let text = |name: &str| match members.get(name) {
            // The Python SDK of A2A writes `null` where it has no address.
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(JwsError::Header),
        };
        // None of our extensions is critical, so any `crit` asks for one that is not known; `b64`
        // (RFC 7797) changes what is signed and is refused even where `crit` does not name it.
        if members.contains_key("crit") || members.get("b64").is_some_and(|b64| b64 != true) {
            return Err(JwsError::Critical);
        }
        let algorithm = text("alg")?
            .and_then(|name| Algorithm::from_jose(&name))
            .ok_or(JwsError::Algorithm)?;
        let kid = text("kid")?
            .filter(|kid| !kid.is_empty())
            .ok_or(JwsError::KeyIdMissing)?;
        Ok(Header {
            algorithm,
            kid,
            jku: text("jku")?,
        })
    }

    /// The key that a header names.
    pub(super) fn key<'k>(
        &self,
        header: &'k Header,
        keys: &'k JwkSet,
    ) -> Result<&'k PublicKey, JwsError> {
        let mut missing = JwsError::UnknownKey;
        for key in keys.find(&header.kid) {
            if key.algorithm() == header.algorithm {
                return Ok(key);
            }
            missing = JwsError::AlgorithmMismatch;
        }
        Err(missing)
    }

    /// Whether the key made this signature over the payload.
    pub(super) fn holds(&self, payload: &[u8], key: &PublicKey) -> Result<(), JwsError> {
        let signature = from_base64url(&self.signature).ok_or(JwsError::Form)?;
        if key.verify(&signing_input(&self.protected, payload), &signature) {
            Ok(())
        } else {
            Err(JwsError::Signature)
        }
    }

    fn checked(protected: &str, signature: &str) -> Result<Self, JwsError> {
        for text in [protected, signature] {
            if text.is_empty() || text.len() > MAX_LENGTH || from_base64url(text).is_none() {
                return Err(JwsError::Form);
            }
        }
        Ok(Self {
            protected: protected.to_owned(),
            signature: signature.to_owned(),
        })
    }

    fn members(&self) -> Result<Map<String, Value>, JwsError> {
        let bytes = from_base64url(&self.protected).ok_or(JwsError::Form)?;
        let parsed = json::parse(&bytes).map_err(|_| JwsError::Header)?;
        match parsed.value {
            Value::Object(members) if parsed.duplicates.is_empty() => Ok(members),
            _ => Err(JwsError::Header),
        }
    }

    /// Judges the header that is not protected (RFC 7515, section 7.2.1): no name of the protected
    /// one, nothing that decides how to verify.
    fn beside(self, open: &Map<String, Value>) -> Result<Self, JwsError> {
        if ["crit", "b64"].iter().any(|name| open.contains_key(*name)) {
            return Err(JwsError::Critical);
        }
        let protected = self.members()?;
        if open.contains_key("alg") || open.keys().any(|name| protected.contains_key(name)) {
            return Err(JwsError::Header);
        }
        Ok(self)
    }
}

fn signing_input(protected: &str, payload: &[u8]) -> Vec<u8> {
    format!("{protected}.{}", to_base64url(payload)).into_bytes()
}
