//! The objects of version 1 that differ: what is asked, and a payment.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Resource, Stamp, Uint, WireError, header, strict, versioned};
use crate::x402::{Version, network};

/// The body of a 402.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentRequired {
    /// Always 1.
    #[serde(rename = "x402Version")]
    pub version: Stamp<1>,
    /// Why it was asked, in words, or the code of what was wrong with a payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The offers, the best first.
    pub accepts: Vec<PaymentRequirements>,
    /// Members that are not known.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// One offer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentRequirements {
    /// How it is paid, as `exact`.
    pub scheme: String,
    /// Where, by its short name, as `base`.
    pub network: String,
    /// How much, in the asset's smallest unit.
    pub max_amount_required: Uint,
    /// The address of what is sold.
    pub resource: String,
    /// For people; "" when nothing is told.
    #[serde(default)]
    pub description: String,
    /// Of the answer; "" when it is not told.
    #[serde(default)]
    pub mime_type: String,
    /// Of the answer, and of the request: free JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// To whom; on EVM an address.
    pub pay_to: String,
    /// How long the payment may take, in seconds.
    pub max_timeout_seconds: u64,
    /// In what; on EVM the token's address.
    pub asset: String,
    /// The scheme's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra: Option<Map<String, Value>>,
    /// Members that are not known.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// A payment. It holds no copy of the offer that it is for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentPayload {
    /// Always 1.
    #[serde(rename = "x402Version")]
    pub version: Stamp<1>,
    /// How it is paid.
    pub scheme: String,
    /// Where, by its short name.
    pub network: String,
    /// The scheme's own.
    pub payload: Map<String, Value>,
    /// Members that are not known.
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

impl PaymentRequired {
    /// Reads the body of a 402.
    ///
    /// # Errors
    /// A [`WireError`]. The length of the body is the reader's to limit.
    pub fn from_body(body: &[u8]) -> Result<Self, WireError> {
        versioned(strict(body)?, Version::V1)
    }

    /// The body as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).expect("the keys are texts and nothing in it can fail")
    }
}

impl PaymentRequirements {
    /// The offer as version 1 writes it; `None` when its network has no name there.
    #[must_use]
    pub fn of(offer: &super::PaymentRequirements, resource: &Resource) -> Option<Self> {
        Some(Self {
            scheme: offer.scheme.clone(),
            network: network::v1_name(&offer.network)?.to_owned(),
            max_amount_required: offer.amount.clone(),
            resource: resource.url.clone(),
            description: resource.description.clone().unwrap_or_default(),
            mime_type: resource.mime_type.clone().unwrap_or_default(),
            output_schema: None,
            pay_to: offer.pay_to.clone(),
            max_timeout_seconds: offer.max_timeout_seconds,
            asset: offer.asset.clone(),
            extra: offer.extra.clone(),
            unknown: offer.unknown.clone(),
        })
    }

    /// The offer as version 2 writes it, for whoever judges both alike; `None` when nobody knows the
    /// network's name.
    #[must_use]
    pub fn to_v2(&self) -> Option<super::PaymentRequirements> {
        Some(super::PaymentRequirements {
            scheme: self.scheme.clone(),
            network: network::by_v1_name(&self.network)?.to_owned(),
            amount: self.max_amount_required.clone(),
            asset: self.asset.clone(),
            pay_to: self.pay_to.clone(),
            max_timeout_seconds: self.max_timeout_seconds,
            extra: self.extra.clone(),
            unknown: self.unknown.clone(),
        })
    }
}

impl PaymentPayload {
    /// The value of the header `X-PAYMENT`.
    #[must_use]
    pub fn to_header(&self) -> String {
        header::encode(self)
    }
}
