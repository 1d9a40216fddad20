//! The facilitator's question and its two answers; the answer to a settlement is the payer's receipt too.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    PaymentPayload, PaymentPayloadV2, PaymentRequirements, Resource, Stamp, WireError, header,
    strict, typed, v1, version_of,
};
use crate::x402::Version;

/// The body of `/verify` and of `/settle`: a payment and the offer that it is for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum VerifyRequest {
    /// Of version 1.
    V1(Box<Pair<1, v1::PaymentPayload, v1::PaymentRequirements>>),
    /// Of version 2.
    V2(Box<Pair<2, PaymentPayloadV2, PaymentRequirements>>),
}

/// A payment and its offer, of one version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pair<const VERSION: u64, P, R> {
    /// The number of the version.
    #[serde(rename = "x402Version")]
    pub version: Stamp<VERSION>,
    /// The payment.
    pub payment_payload: P,
    /// The offer, from the seller's record.
    pub payment_requirements: R,
    /// Members that are not known.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// What a facilitator found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VerifyResponse {
    /// Whether the payment may be settled.
    pub is_valid: bool,
    /// A code when it may not. An open list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid_reason: Option<String>,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid_message: Option<String>,
    /// Who pays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payer: Option<String>,
    /// `extra`, `extensions` and what is not known.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// How a settlement went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SettleResponse {
    /// Whether the money has moved.
    pub success: bool,
    /// A code when it has not, or not yet. An open list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_reason: Option<String>,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    /// The hash; "" when there is none.
    pub transaction: String,
    /// Where, in the spelling of the payment's version; on failure too.
    pub network: String,
    /// Who paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payer: Option<String>,
    /// What was charged, where the scheme leaves that open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<String>,
    /// `extra`, `extensions` and what is not known.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl VerifyRequest {
    /// Reads a body.
    ///
    /// # Errors
    /// A [`WireError`]; [`WireError::Shape`] also when the payment is of another version than the body.
    pub fn from_body(body: &[u8]) -> Result<Self, WireError> {
        let value = strict(body)?;
        match version_of(&value)? {
            Version::V1 => typed(value).map(Self::V1),
            Version::V2 => typed(value).map(Self::V2),
        }
    }

    /// Writes a body for a payment of either version; `None` when the offer has no form in the
    /// version of the payment.
    #[must_use]
    pub fn new(
        payment: &PaymentPayload,
        offer: &PaymentRequirements,
        resource: &Resource,
    ) -> Option<Self> {
        Some(match payment {
            PaymentPayload::V1(payment) => Self::V1(Box::new(Pair {
                version: Stamp,
                payment_payload: payment.clone(),
                payment_requirements: v1::PaymentRequirements::of(offer, resource)?,
                unknown: Map::new(),
            })),
            PaymentPayload::V2(payment) => Self::V2(Box::new(Pair {
                version: Stamp,
                payment_payload: PaymentPayloadV2::clone(payment),
                payment_requirements: offer.clone(),
                unknown: Map::new(),
            })),
        })
    }

    /// The payment and its offer, the offer in the form of version 2; `None` when a network of
    /// version 1 has no name that is known.
    #[must_use]
    pub fn parts(&self) -> Option<(PaymentPayload, PaymentRequirements)> {
        match self {
            Self::V1(pair) => Some((
                PaymentPayload::V1(pair.payment_payload.clone()),
                pair.payment_requirements.to_v2()?,
            )),
            Self::V2(pair) => Some((
                PaymentPayload::V2(Box::new(pair.payment_payload.clone())),
                pair.payment_requirements.clone(),
            )),
        }
    }
}

impl VerifyResponse {
    /// The payment may be settled.
    #[must_use]
    pub fn valid(payer: impl Into<String>) -> Self {
        Self {
            is_valid: true,
            invalid_reason: None,
            invalid_message: None,
            payer: Some(payer.into()),
            unknown: Map::new(),
        }
    }

    /// The payment may not be settled, by a code and in words.
    #[must_use]
    pub fn invalid(reason: &str, message: String, payer: Option<String>) -> Self {
        Self {
            is_valid: false,
            invalid_reason: Some(reason.to_owned()),
            invalid_message: Some(message),
            payer,
            unknown: Map::new(),
        }
    }

    /// Reads an answer.
    ///
    /// # Errors
    /// A [`WireError`].
    pub fn from_body(body: &[u8]) -> Result<Self, WireError> {
        typed(strict(body)?)
    }
}

impl SettleResponse {
    /// Reads an answer.
    ///
    /// # Errors
    /// A [`WireError`].
    pub fn from_body(body: &[u8]) -> Result<Self, WireError> {
        typed(strict(body)?)
    }

    /// Reads the value of the header [`response_header`](super::response_header).
    ///
    /// # Errors
    /// A [`WireError`].
    pub fn from_header(text: &str) -> Result<Self, WireError> {
        typed(header::decode(text)?)
    }

    /// The value of the header [`response_header`](super::response_header).
    #[must_use]
    pub fn to_header(&self) -> String {
        header::encode(self)
    }
}
