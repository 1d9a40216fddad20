//! A payment of either version, told apart by its `x402Version`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{PaymentRequirements, Resource, Stamp, WireError, header, typed, v1, version_of};
use crate::x402::Version;

/// A payment.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum PaymentPayload {
    /// Of version 1.
    V1(v1::PaymentPayload),
    /// Of version 2.
    V2(Box<PaymentPayloadV2>),
}

/// A payment of version 2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentPayloadV2 {
    /// Always 2.
    #[serde(rename = "x402Version")]
    pub version: Stamp<2>,
    /// What the client believes to buy. Nothing signs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<Resource>,
    /// The copy of the offer that was chosen. A claim: the terms come from the seller's record.
    pub accepted: PaymentRequirements,
    /// The scheme's own.
    pub payload: Map<String, Value>,
    /// What was declared, echoed; the client may add to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Map<String, Value>>,
    /// Members that are not known.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl PaymentPayload {
    /// Reads the value of `PAYMENT-SIGNATURE` or `X-PAYMENT`. Which of both it stood in does not
    /// matter; the payload names its version.
    ///
    /// # Errors
    /// A [`WireError`].
    pub fn from_header(text: &str) -> Result<Self, WireError> {
        Self::from_value(header::decode(text)?)
    }

    /// Reads the JSON of it, as in-band payments carry it.
    ///
    /// # Errors
    /// [`WireError::Version`], [`WireError::Shape`].
    pub fn from_value(value: Value) -> Result<Self, WireError> {
        match version_of(&value)? {
            Version::V1 => typed(value).map(Self::V1),
            Version::V2 => typed(value).map(Self::V2),
        }
    }

    /// The value of the header [`payment_header`](super::payment_header).
    #[must_use]
    pub fn to_header(&self) -> String {
        header::encode(self)
    }

    /// The JSON of it.
    #[must_use]
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).expect("the keys are texts and nothing in it can fail")
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> Version {
        match self {
            Self::V1(_) => Version::V1,
            Self::V2(_) => Version::V2,
        }
    }

    /// How it says to pay.
    #[must_use]
    pub fn scheme(&self) -> &str {
        match self {
            Self::V1(payment) => &payment.scheme,
            Self::V2(payment) => &payment.accepted.scheme,
        }
    }

    /// Where it says to pay, in the spelling of its version.
    #[must_use]
    pub fn network(&self) -> &str {
        match self {
            Self::V1(payment) => &payment.network,
            Self::V2(payment) => &payment.accepted.network,
        }
    }

    /// The scheme's own part.
    #[must_use]
    pub fn inner(&self) -> &Map<String, Value> {
        match self {
            Self::V1(payment) => &payment.payload,
            Self::V2(payment) => &payment.payload,
        }
    }
}
