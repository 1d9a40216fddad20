//! A public key: read from a JWK, named, written, and asked whether a signature is its own.

use std::{fmt, sync::Arc};

use ed25519_dalek::{Signature as EdSignature, VerifyingKey as EdKey};
use p256::{
    EncodedPoint,
    ecdsa::{Signature as EcSignature, VerifyingKey as EcKey, signature::Verifier as _},
};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::{Algorithm, KeyError};
use crate::signature::{from_base64url, jcs, to_base64url};

/// A public key and the name that its owner gave it. Cheap to clone.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey {
    point: Point,
    kid: Arc<str>,
}

#[derive(Clone, PartialEq, Eq)]
enum Point {
    Ed25519(EdKey),
    P256(Arc<EcKey>),
}

impl PublicKey {
    /// An Ed25519 key by the 32 bytes of its point (RFC 8032, section 5.1.2), named by its thumbprint.
    ///
    /// # Errors
    /// [`KeyError::Point`] for bytes that are no point or a second way to write one,
    /// [`KeyError::SmallOrder`].
    pub fn ed25519(bytes: &[u8; 32]) -> Result<Self, KeyError> {
        // The reader takes y modulo p. One key shall have one text and one name.
        if !is_reduced(bytes) {
            return Err(KeyError::Point);
        }
        let key = EdKey::from_bytes(bytes).map_err(|_| KeyError::Point)?;
        if key.is_weak() {
            return Err(KeyError::SmallOrder);
        }
        Ok(Self::named_by_thumbprint(Point::Ed25519(key)))
    }

    /// A P-256 key by its affine coordinates, big-endian, named by its thumbprint.
    ///
    /// # Errors
    /// [`KeyError::Point`] when they do not lie on the curve.
    pub fn p256(x: &[u8; 32], y: &[u8; 32]) -> Result<Self, KeyError> {
        let point = EncodedPoint::from_affine_coordinates(x.into(), y.into(), false);
        let key = EcKey::from_encoded_point(&point).map_err(|_| KeyError::Point)?;
        Ok(Self::named_by_thumbprint(Point::P256(Arc::new(key))))
    }

    /// Reads a JWK. Its `kid` is the name of the key; without one the thumbprint is.
    ///
    /// # Errors
    /// A [`KeyError`]; keys that are private or meant for something else are refused as well.
    pub fn read(jwk: &Value) -> Result<Self, KeyError> {
        let members = jwk.as_object().ok_or(KeyError::Shape)?;
        let text = |name: &str| members.get(name).and_then(Value::as_str);
        let key = match (text("kty"), text("crv")) {
            (Some("OKP"), Some("Ed25519")) => Self::ed25519(&coordinate(members, "x")?)?,
            (Some("EC"), Some("P-256")) => {
                Self::p256(&coordinate(members, "x")?, &coordinate(members, "y")?)?
            }
            _ => return Err(KeyError::Unsupported),
        };
        if members.contains_key("d") {
            return Err(KeyError::Private);
        }
        if !may_verify(members, key.algorithm()) {
            return Err(KeyError::Purpose);
        }
        Ok(match text("kid") {
            Some(kid) if !kid.is_empty() => key.with_kid(kid),
            _ => key,
        })
    }

    /// The same key under another name.
    #[must_use]
    pub fn with_kid(mut self, kid: &str) -> Self {
        self.kid = kid.into();
        self
    }

    /// The name of the key: what its owner said, else the thumbprint.
    #[must_use]
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// How the key signs.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        match self.point {
            Point::Ed25519(_) => Algorithm::Ed25519,
            Point::P256(_) => Algorithm::Es256,
        }
    }

    /// The SHA-256 thumbprint (RFC 7638, for Ed25519 RFC 8037, section 2), base64url.
    #[must_use]
    pub fn thumbprint(&self) -> String {
        self.point.thumbprint()
    }

    /// The public JWK with `kid`, `alg` and `use`.
    #[must_use]
    pub fn to_jwk(&self) -> Value {
        let mut jwk = self.point.members();
        jwk["kid"] = json!(&*self.kid);
        jwk["alg"] = json!(self.algorithm().jose());
        jwk["use"] = json!("sig");
        jwk
    }

    /// Whether the 64 bytes are this key's signature over the message.
    ///
    /// Ed25519 is checked strictly: S must be reduced, and no point may have small order. ECDSA
    /// signatures are r and s side by side (RFC 7518, section 3.4).
    #[must_use]
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        match &self.point {
            Point::Ed25519(key) => EdSignature::from_slice(signature)
                .is_ok_and(|signature| key.verify_strict(message, &signature).is_ok()),
            Point::P256(key) => EcSignature::from_slice(signature)
                .is_ok_and(|signature| key.verify(message, &signature).is_ok()),
        }
    }

    /// The public half of a secret key. It needs no check: a clamped scalar (RFC 8032, section 5.1.5)
    /// is never a multiple of the order, so the point is never one of the small ones.
    pub(super) fn of_secret(key: EdKey) -> Self {
        Self::named_by_thumbprint(Point::Ed25519(key))
    }

    fn named_by_thumbprint(point: Point) -> Self {
        let kid = point.thumbprint().into();
        Self { point, kid }
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "PublicKey({:?}, {:?})", self.algorithm(), self.kid)
    }
}

impl Point {
    /// The members that make the key, and only those.
    fn members(&self) -> Value {
        match self {
            Self::Ed25519(key) => {
                json!({"kty": "OKP", "crv": "Ed25519", "x": to_base64url(key.as_bytes())})
            }
            Self::P256(key) => {
                let point = key.to_encoded_point(false);
                let part =
                    |bytes: Option<_>| bytes.map(|bytes: &p256::FieldBytes| to_base64url(bytes));
                json!({"kty": "EC", "crv": "P-256", "x": part(point.x()), "y": part(point.y())})
            }
        }
    }

    fn thumbprint(&self) -> String {
        thumbprint(&self.members())
    }
}

/// RFC 7638, section 3: the required members in order, without white space.
pub(super) fn thumbprint(members: &Value) -> String {
    to_base64url(&Sha256::digest(jcs::canonical(members)))
}

/// Whether y, without the sign bit, is smaller than p = 2^255 - 19.
fn is_reduced(bytes: &[u8; 32]) -> bool {
    bytes[31] & 0x7f != 0x7f || bytes[1..31].iter().any(|byte| *byte != 0xff) || bytes[0] < 0xed
}

fn coordinate(members: &Map<String, Value>, name: &'static str) -> Result<[u8; 32], KeyError> {
    members
        .get(name)
        .and_then(Value::as_str)
        .and_then(from_base64url)
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or(KeyError::Member(name))
}

/// RFC 7517, sections 4.2 to 4.4: what a key says about its purpose, where it says something.
fn may_verify(members: &Map<String, Value>, algorithm: Algorithm) -> bool {
    let fits = |name: &str, wanted: &dyn Fn(&Value) -> bool| members.get(name).is_none_or(wanted);
    fits("use", &|purpose| purpose == "sig")
        && fits("key_ops", &|uses| {
            uses.as_array()
                .is_some_and(|uses| uses.iter().any(|one| one == "verify"))
        })
        && fits("alg", &|name| {
            name.as_str().and_then(Algorithm::from_jose) == Some(algorithm)
        })
}
