//! The 402 of somebody else, of either version.

use serde::Serialize;
use serde_json::Value;

use super::{PaymentRequired, PaymentRequirements, WireError, strict, typed, v1, version_of};
use crate::x402::Version;

/// What a seller asks for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Asked {
    /// In version 1.
    V1(v1::PaymentRequired),
    /// In version 2.
    V2(Box<PaymentRequired>),
}

impl Asked {
    /// Reads a 402 as the reference client does: the header
    /// [`PAYMENT_REQUIRED`](super::PAYMENT_REQUIRED) when there is one, else the body, which is read
    /// only as version 1.
    ///
    /// # Errors
    /// A [`WireError`]. A header that cannot be read is not made up for by the body.
    pub fn from_answer(header: Option<&str>, body: &[u8]) -> Result<Self, WireError> {
        match header {
            Some(text) => {
                let asked = PaymentRequired::from_header(text)?;
                Ok(Self::V2(Box::new(asked)))
            }
            None => v1::PaymentRequired::from_body(body).map(Self::V1),
        }
    }

    /// Reads JSON of either version, as in-band 402s have it.
    ///
    /// # Errors
    /// A [`WireError`].
    pub fn from_value(value: Value) -> Result<Self, WireError> {
        match version_of(&value)? {
            Version::V1 => typed(value).map(Self::V1),
            Version::V2 => typed(value).map(Self::V2),
        }
    }

    /// Reads JSON text of either version.
    ///
    /// # Errors
    /// A [`WireError`].
    pub fn from_text(text: &[u8]) -> Result<Self, WireError> {
        Self::from_value(strict(text)?)
    }

    /// Its version, which the payment must have too.
    #[must_use]
    pub fn version(&self) -> Version {
        match self {
            Self::V1(_) => Version::V1,
            Self::V2(_) => Version::V2,
        }
    }

    /// The offers in the form of version 2; those on a network that nobody knows are left out.
    #[must_use]
    pub fn offers(&self) -> Vec<PaymentRequirements> {
        match self {
            Self::V1(asked) => {
                let offers = asked.accepts.iter();
                offers.filter_map(v1::PaymentRequirements::to_v2).collect()
            }
            Self::V2(asked) => asked.accepts.clone(),
        }
    }
}
