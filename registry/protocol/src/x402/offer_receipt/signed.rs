//! The two ways in which a statement is signed: `{format, signature, payload?}`.

use alloy_primitives::{Address, hex};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Statement, VERSION};
use crate::{
    json,
    signature::{
        from_base64url, jcs,
        jwk::{JwkSet, SigningKey},
        jws::{self, Detached, JwsError},
        to_base64url,
    },
    x402::eip3009::{Signature, SignatureError},
};

/// Why a signed statement says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignedError {
    /// Not of the format that was asked for, or without its members.
    #[error("not a signed statement of that format")]
    Form,
    /// What was signed is not the statement of version 1.
    #[error("what was signed is no statement of version 1")]
    Statement,
    /// The JWS does not hold.
    #[error(transparent)]
    Jws(#[from] JwsError),
    /// The signature over typed data is none.
    #[error(transparent)]
    TypedData(#[from] SignatureError),
}

/// Signs a statement as a compact JWS over its canonical JSON. `jku` says where the key set lies.
#[must_use]
pub fn sign(statement: &impl Statement, key: &SigningKey, jku: Option<&str>) -> Map<String, Value> {
    let value = serde_json::to_value(statement);
    let payload = jcs::canonical(&value.expect("the keys are texts and nothing in it can fail"));
    let jws = jws::sign(&payload, key, jku);
    let compact = format!(
        "{}.{}.{}",
        jws.protected,
        to_base64url(&payload),
        jws.signature
    );
    Map::from_iter([
        ("format".to_owned(), "jws".into()),
        ("signature".to_owned(), compact.into()),
    ])
}

/// Reads a statement that was signed as JWS by one of the keys.
///
/// # Errors
/// A [`SignedError`].
pub fn by_jws<T: Statement>(signed: &Value, keys: &JwkSet) -> Result<T, SignedError> {
    let compact = text_of(signed, "jws")?;
    let mut parts = compact.splitn(3, '.');
    let (Some(protected), Some(payload), Some(signature)) =
        (parts.next(), parts.next(), parts.next())
    else {
        return Err(SignedError::Form);
    };
    let payload = from_base64url(payload).ok_or(SignedError::Form)?;
    let jws = Detached::from_compact(&format!("{protected}..{signature}"))?;
    jws::verify(&jws, &payload, keys)?;
    let parsed = json::parse(&payload).map_err(|_| SignedError::Statement)?;
    if !parsed.duplicates.is_empty() {
        return Err(SignedError::Statement);
    }
    statement(parsed.value)
}

/// Reads a statement that was signed as typed data, and who signed it.
///
/// # Errors
/// A [`SignedError`]. Any sound signature has some signer; whether it is the seller is not judged.
pub fn by_typed_data<T: Statement>(signed: &Value) -> Result<(T, Address), SignedError> {
    let digits = text_of(signed, "eip712")?.strip_prefix("0x");
    let bytes = hex::decode(digits.ok_or(SignedError::Form)?).map_err(|_| SignedError::Form)?;
    let payload = signed.get("payload").cloned().ok_or(SignedError::Form)?;
    let statement: T = statement(payload)?;
    let signer = Signature::read(&bytes)?.signer(statement.digest())?;
    Ok((statement, signer))
}

fn text_of<'a>(signed: &'a Value, format: &str) -> Result<&'a str, SignedError> {
    let given = signed.get("format").is_some_and(|given| given == format);
    let text = signed.get("signature").and_then(Value::as_str);
    text.filter(|_| given).ok_or(SignedError::Form)
}

fn statement<T: Statement + DeserializeOwned>(value: Value) -> Result<T, SignedError> {
    let statement: T = serde_json::from_value(value).map_err(|_| SignedError::Statement)?;
    if statement.version() == VERSION {
        Ok(statement)
    } else {
        Err(SignedError::Statement)
    }
}
