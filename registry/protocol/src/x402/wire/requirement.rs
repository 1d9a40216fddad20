//! What is asked, in version 2: the offers of one 402 (x402 v2, PaymentRequired and PaymentRequirements).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Stamp, Uint, WireError, header, v1, versioned};
use crate::x402::Version;

/// A 402: what it is for and the ways to pay, any one of which will do.
///
/// This is the one value that a 402 is made of. Version 2 has it as the header
/// [`PAYMENT_REQUIRED`](super::PAYMENT_REQUIRED), version 1 as the body.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentRequired {
    /// Always 2.
    #[serde(rename = "x402Version")]
    pub version: Stamp<2>,
    /// Why it was asked, in words, or the code of what was wrong with a payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What is sold.
    pub resource: Resource,
    /// The offers, the best first.
    pub accepts: Vec<PaymentRequirements>,
    /// By name: `{info, schema}`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extensions: Option<Map<String, Value>>,
    /// Members that are not known.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// What is sold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// Its address, from the configured origin and never from the request.
    pub url: String,
    /// For people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Of the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// `serviceName`, `tags`, `iconUrl` and what is not known.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// One offer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentRequirements {
    /// How it is paid, as `exact`.
    pub scheme: String,
    /// Where, CAIP-2, as `eip155:8453`.
    pub network: String,
    /// How much, in the asset's smallest unit.
    pub amount: Uint,
    /// In what; on EVM the token's address.
    pub asset: String,
    /// To whom; on EVM an address.
    pub pay_to: String,
    /// How long the payment may take, in seconds; clients make their authorization valid as long.
    pub max_timeout_seconds: u64,
    /// The scheme's own; for `exact` on EVM `name` and `version` of the token's EIP-712 domain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<Map<String, Value>>,
    /// Members that are not known.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl PaymentRequired {
    /// A 402 without words and extensions.
    #[must_use]
    pub fn new(resource: Resource, accepts: Vec<PaymentRequirements>) -> Self {
        Self {
            version: Stamp,
            error: None,
            resource,
            accepts,
            extensions: None,
            unknown: Map::new(),
        }
    }

    /// The value of the header [`PAYMENT_REQUIRED`](super::PAYMENT_REQUIRED).
    #[must_use]
    pub fn to_header(&self) -> String {
        header::encode(self)
    }

    /// Reads the value of the header [`PAYMENT_REQUIRED`](super::PAYMENT_REQUIRED).
    ///
    /// # Errors
    /// A [`WireError`].
    pub fn from_header(text: &str) -> Result<Self, WireError> {
        Self::from_value(header::decode(text)?)
    }

    /// Reads the JSON of it.
    ///
    /// # Errors
    /// [`WireError::Version`], [`WireError::Shape`].
    pub fn from_value(value: Value) -> Result<Self, WireError> {
        versioned(value, Version::V2)
    }

    /// The same for version 1, whose offers hold the resource each. Offers on a network without a name
    /// there are left out; none may be left.
    #[must_use]
    pub fn to_v1(&self) -> v1::PaymentRequired {
        let offers = self.accepts.iter();
        v1::PaymentRequired {
            version: Stamp,
            error: self.error.clone(),
            accepts: offers
                .filter_map(|offer| v1::PaymentRequirements::of(offer, &self.resource))
                .collect(),
            unknown: Map::new(),
        }
    }
}

impl Resource {
    /// A resource of which only the address is told.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            description: None,
            mime_type: None,
            unknown: Map::new(),
        }
    }
}
