//! The objects of x402 as they stand on the wire. Members that are not known are kept.
//!
//! Reading is strict where money depends on it: one way to write base64, no member twice, whole
//! numbers as plain decimal text, a limit of length. A payload says itself which version it has.

mod asked;
mod header;
mod outcome;
mod payload;
mod requirement;
mod stamp;
mod uint;
pub mod v1;

#[cfg(test)]
mod tests;

pub use asked::Asked;
pub use header::{MAX_HEADER, PAYMENT_REQUIRED, payment_header, response_header};
pub use outcome::{Pair, SettleResponse, VerifyRequest, VerifyResponse};
pub use payload::{PaymentPayload, PaymentPayloadV2};
pub use requirement::{PaymentRequired, PaymentRequirements, Resource};
pub use stamp::Stamp;
pub use uint::{MAX_DIGITS, Uint, UintError};

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Version;
use crate::json::{self, JsonError};

/// Letters of a reader's words that are passed on; they may quote the sender.
const MAX_REASON: usize = 200;

/// Why something is no object of x402.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// A header of more than [`MAX_HEADER`] letters.
    #[error("longer than {MAX_HEADER} letters")]
    TooLong,
    /// Not standard base64 with padding (RFC 4648, section 4), or a second way to write it.
    #[error("not standard base64 with padding")]
    Base64,
    /// Not one JSON document.
    #[error("no JSON: {0}")]
    Json(#[from] JsonError),
    /// A member that occurs more than once, as a JSON pointer.
    #[error("the member {0} occurs more than once")]
    Duplicate(String),
    /// `x402Version` is missing, no number, or another version than is read here.
    #[error("x402Version is missing or not a version that is read here")]
    Version,
    /// A member is missing or of the wrong kind.
    #[error("{0}")]
    Shape(String),
}

/// Reads JSON text in which no member may occur twice.
///
/// # Errors
/// [`WireError::Json`], [`WireError::Duplicate`].
pub fn strict(bytes: &[u8]) -> Result<Value, WireError> {
    let parsed = json::parse(bytes)?;
    match parsed.duplicates.into_iter().next() {
        Some(pointer) => Err(WireError::Duplicate(pointer)),
        None => Ok(parsed.value),
    }
}

/// What a value says about its version.
///
/// # Errors
/// [`WireError::Version`] when it says nothing, or names another than 1 and 2.
pub fn version_of(value: &Value) -> Result<Version, WireError> {
    let number = value.get("x402Version").and_then(Value::as_u64);
    number
        .and_then(Version::from_number)
        .ok_or(WireError::Version)
}

/// Reads an object that is of one version, or has the same form in both.
fn typed<T: DeserializeOwned>(value: Value) -> Result<T, WireError> {
    serde_json::from_value(value).map_err(|error| {
        let words = error.to_string();
        WireError::Shape(words.chars().take(MAX_REASON).collect())
    })
}

/// Reads an object of one version.
fn versioned<T: DeserializeOwned>(value: Value, version: Version) -> Result<T, WireError> {
    if version_of(&value)? == version {
        typed(value)
    } else {
        Err(WireError::Version)
    }
}
