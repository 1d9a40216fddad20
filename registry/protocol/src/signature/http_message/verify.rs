//! Judging a signed request: first what it claims, then, with the key at hand, whether it is true.

use super::{
    ALGORITHM, COMPONENTS, ContentDigest, Refusal, Target, WINDOW,
    base::{base, lines, text},
    field::{self, DIGEST, INPUT, Input, SIGNATURE},
};
use crate::signature::jwk::{Algorithm, PublicKey};

/// The longest nonce that is taken, in letters.
pub const MAX_NONCE: usize = 128;

/// The longest key id that is taken, in letters.
const MAX_KEY_ID: usize = 256;

/// A request as it came in.
#[derive(Debug, Clone, Copy)]
pub struct Received<'a> {
    /// Where it was sent to.
    pub target: &'a Target,
    /// **All** header lines in order, names in any case. A line that is left out here is not judged.
    pub headers: &'a [(&'a str, &'a [u8])],
    /// The whole body.
    pub body: &'a [u8],
}

/// Which letters a key id may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyIds {
    /// Any; two ids that differ in case are two ids.
    Any,
    /// No upper case, where ids are names that a store may compare without case.
    Lower,
}

/// What is asked of a signature.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// The time, in Unix seconds.
    pub now: u64,
    /// How old a signature may be, in seconds.
    pub window: u64,
    /// How far in the future a signature may seem to lie, in seconds, for clocks that go ahead.
    pub skew: u64,
    /// The `tag` it must have; `None` takes any and none.
    pub tag: Option<&'a str>,
    /// Which key ids are taken.
    pub key_ids: KeyIds,
}

/// A request whose signature holds. The nonce is still to be looked up: it may have been used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The id of the key.
    pub keyid: String,
    /// The nonce; with the key id it may be used once.
    pub nonce: String,
    /// When it was signed, in Unix seconds.
    pub created: u64,
    /// The first Unix second at which the same signature is refused as old, and the nonce may be
    /// forgotten.
    pub until: u64,
    /// What the signature is for, where it says so.
    pub tag: Option<String>,
}

/// What a signature claims. Read without a key, so that the key can be looked up meanwhile.
#[derive(Debug, Clone)]
pub struct Claim<'a> {
    request: Received<'a>,
    input: Input<'a>,
    keyid: &'a str,
    nonce: &'a str,
    created: u64,
    signature: [u8; 64],
    digest: [u8; 32],
}

/// Judges a request with a key that can be had at once.
///
/// # Errors
/// The first reason against the signature.
pub fn verify(
    request: &Received<'_>,
    key: impl FnOnce(&str) -> Option<PublicKey>,
    rules: &Rules<'_>,
) -> Result<Verified, Refusal> {
    let claim = Claim::read(*request, rules)?;
    let key = key(claim.keyid()).ok_or(Refusal::UnknownKey)?;
    claim.verify(&key, rules)
}

impl Rules<'_> {
    /// The usual rules at a time: 300 seconds back, 60 ahead, any tag, any key id.
    #[must_use]
    pub fn at(now: u64) -> Self {
        Rules {
            now,
            window: WINDOW,
            skew: 60,
            tag: None,
            key_ids: KeyIds::Any,
        }
    }
}

impl<'a> Claim<'a> {
    /// Reads the headers of a signed request and judges all that needs no key.
    ///
    /// # Errors
    /// [`Refusal::NotSigned`] for a request without a signature; else the first reason against it.
    pub fn read(request: Received<'a>, rules: &Rules<'_>) -> Result<Self, Refusal> {
        let line = |name| one_line(request.headers, name);
        let (input, signature) = match (line(INPUT)?, line(SIGNATURE)?) {
            (None, None) => return Err(Refusal::NotSigned),
            (None, _) => return Err(Refusal::HeaderMissing(INPUT)),
            (_, None) => return Err(Refusal::HeaderMissing(SIGNATURE)),
            (Some(input), Some(signature)) => (input, signature),
        };
        let input = field::input(input)?;
        let (label, signature) = field::signature(signature)?;
        if label != input.label {
            return Err(Refusal::LabelMismatch);
        }
        for name in COMPONENTS {
            if !input.components.contains(&name) {
                return Err(Refusal::ComponentMissing(name));
            }
        }
        let digest = line(DIGEST)?.ok_or(Refusal::HeaderMissing(DIGEST))?;
        let claim = Self {
            keyid: named(input.keyid, "keyid", MAX_KEY_ID)?,
            nonce: named(input.nonce, "nonce", MAX_NONCE)?,
            created: input.created.ok_or(Refusal::ParameterMissing("created"))?,
            digest: field::sha256(digest)?,
            signature,
            input,
            request,
        };
        claim.obeys(rules)?;
        Ok(claim)
    }

    /// The id of the key that is said to have signed.
    #[must_use]
    pub fn keyid(&self) -> &'a str {
        self.keyid
    }

    /// Checks the claim against the request. The name of the key must be the key id to the letter, so
    /// that a store which compares without case gives no key away.
    ///
    /// # Errors
    /// The first reason against the signature.
    pub fn verify(&self, key: &PublicKey, rules: &Rules<'_>) -> Result<Verified, Refusal> {
        self.obeys(rules)?;
        if key.kid() != self.keyid {
            return Err(Refusal::UnknownKey);
        }
        if key.algorithm() != Algorithm::Ed25519 {
            return Err(Refusal::Algorithm);
        }
        let base = base(&self.input, &self.request)?;
        if !ContentDigest::fits(&self.digest, self.request.body) {
            return Err(Refusal::DigestMismatch);
        }
        if !key.verify(base.as_bytes(), &self.signature) {
            return Err(Refusal::BadSignature);
        }
        Ok(Verified {
            keyid: self.keyid.to_owned(),
            nonce: self.nonce.to_owned(),
            created: self.created,
            until: self.until(rules),
            tag: self.input.tag.map(str::to_owned),
        })
    }

    fn until(&self, rules: &Rules<'_>) -> u64 {
        let old = self.created.saturating_add(rules.window).saturating_add(1);
        self.input.expires.map_or(old, |expires| expires.min(old))
    }

    fn obeys(&self, rules: &Rules<'_>) -> Result<(), Refusal> {
        if self.input.alg.is_some_and(|alg| alg != ALGORITHM) {
            return Err(Refusal::Algorithm);
        }
        if rules.tag.is_some() && rules.tag != self.input.tag {
            return Err(Refusal::Tag);
        }
        if rules.key_ids == KeyIds::Lower
            && self.keyid.bytes().any(|byte| byte.is_ascii_uppercase())
        {
            return Err(Refusal::KeyIdCase);
        }
        if self.created > rules.now.saturating_add(rules.skew) {
            return Err(Refusal::TooEarly);
        }
        if self.created.saturating_add(rules.window) < rules.now {
            return Err(Refusal::TooOld);
        }
        match self.input.expires {
            Some(expires) if expires <= rules.now || expires < self.created => {
                Err(Refusal::Expired)
            }
            _ => Ok(()),
        }
    }
}

/// The only line of a header. A dictionary in several lines would have several members.
fn one_line<'a>(
    headers: &[(&str, &'a [u8])],
    name: &'static str,
) -> Result<Option<&'a str>, Refusal> {
    let mut found = lines(headers, name);
    let Some(line) = found.next() else {
        return Ok(None);
    };
    match (found.next(), name) {
        (None, _) => text(line).ok_or(Refusal::Malformed(name)).map(Some),
        (Some(_), DIGEST) => Err(Refusal::Malformed(name)),
        (Some(_), _) => Err(Refusal::SeveralSignatures),
    }
}

fn named<'a>(
    value: Option<&'a str>,
    name: &'static str,
    longest: usize,
) -> Result<&'a str, Refusal> {
    match value {
        None | Some("") => Err(Refusal::ParameterMissing(name)),
        Some(value) if value.len() > longest => Err(Refusal::Malformed(INPUT)),
        Some(value) => Ok(value),
    }
}
