//! The extension offer-receipt: offers and receipts that a seller has signed, so that the payer can show
//! what was asked and that it was paid.
//!
//! We sign as JWS with the key that we publish; what others signed as typed data (EIP-712) is read too.
//! Whether a key is the seller's is for the reader to know.

mod signed;

#[cfg(test)]
mod tests;

pub use signed::{SignedError, by_jws, by_typed_data, sign};

use alloy_primitives::{B256, U256, keccak256};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

use super::wire::PaymentRequirements;

/// The extension's name in `extensions`.
pub const EXTENSION: &str = "offer-receipt";

/// The version of both objects that is read and written.
const VERSION: u64 = 1;

/// What is asked, in the members that are signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    /// Always 1.
    pub version: u64,
    /// What is sold.
    pub resource_url: String,
    /// How it is paid.
    pub scheme: String,
    /// Where, CAIP-2, also for a payment of version 1.
    pub network: String,
    /// In what.
    pub asset: String,
    /// To whom.
    pub pay_to: String,
    /// How much, decimal, in the asset's smallest unit.
    pub amount: String,
    /// In seconds since 1970; 0 when it does not end.
    #[serde(default)]
    pub valid_until: u64,
}

/// What was paid for, in the members that are signed. They name no amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// Always 1.
    pub version: u64,
    /// Where it was paid, CAIP-2.
    pub network: String,
    /// What was sold.
    pub resource_url: String,
    /// Who paid.
    pub payer: String,
    /// In seconds since 1970.
    pub issued_at: u64,
    /// The hash; "" when it is not told.
    #[serde(default)]
    pub transaction: String,
}

/// What can be signed in this extension.
pub trait Statement: Serialize + DeserializeOwned {
    /// The version that the statement gives itself.
    fn version(&self) -> u64;

    /// What is signed as typed data (EIP-712). The domain has no contract, and chain 1 on all chains.
    fn digest(&self) -> B256;
}

impl Offer {
    /// The members of an offer that are signed.
    #[must_use]
    pub fn new(offer: &PaymentRequirements, resource_url: &str, valid_until: u64) -> Self {
        Self {
            version: VERSION,
            resource_url: resource_url.to_owned(),
            scheme: offer.scheme.clone(),
            network: offer.network.clone(),
            asset: offer.asset.clone(),
            pay_to: offer.pay_to.clone(),
            amount: offer.amount.to_string(),
            valid_until,
        }
    }
}

impl Receipt {
    /// A receipt of the present version.
    #[must_use]
    pub fn new(network: &str, resource_url: &str, payer: &str, issued_at: u64, hash: &str) -> Self {
        Self {
            version: VERSION,
            network: network.to_owned(),
            resource_url: resource_url.to_owned(),
            payer: payer.to_owned(),
            issued_at,
            transaction: hash.to_owned(),
        }
    }
}

impl Statement for Offer {
    fn version(&self) -> u64 {
        self.version
    }

    fn digest(&self) -> B256 {
        let words = [
            keccak256(
                "Offer(uint256 version,string resourceUrl,string scheme,string network,string asset,\
                 string payTo,string amount,uint256 validUntil)",
            ),
            number(self.version),
            keccak256(&self.resource_url),
            keccak256(&self.scheme),
            keccak256(&self.network),
            keccak256(&self.asset),
            keccak256(&self.pay_to),
            keccak256(&self.amount),
            number(self.valid_until),
        ];
        digest("x402 offer", &words)
    }
}

impl Statement for Receipt {
    fn version(&self) -> u64 {
        self.version
    }

    fn digest(&self) -> B256 {
        let words = [
            keccak256(
                "Receipt(uint256 version,string network,string resourceUrl,string payer,uint256 issuedAt,\
                 string transaction)",
            ),
            number(self.version),
            keccak256(&self.network),
            keccak256(&self.resource_url),
            keccak256(&self.payer),
            number(self.issued_at),
            keccak256(&self.transaction),
        ];
        digest("x402 receipt", &words)
    }
}

/// The extension of a 402 with an offer signed for each of `accepts`, in their order.
#[must_use]
pub fn offers(signed: Vec<Map<String, Value>>) -> Value {
    let hinted = signed.into_iter().enumerate().map(|(index, mut one)| {
        one.insert("acceptIndex".to_owned(), index.into());
        Value::Object(one)
    });
    json!({ "info": { "offers": hinted.collect::<Vec<_>>() } })
}

/// The extension of a settlement with its receipt.
#[must_use]
pub fn receipt(signed: Map<String, Value>) -> Value {
    json!({ "info": { "receipt": signed } })
}

fn number(number: u64) -> B256 {
    U256::from(number).into()
}

fn digest(domain: &str, members: &[B256]) -> B256 {
    let separator = hash_words(&[
        keccak256("EIP712Domain(string name,string version,uint256 chainId)"),
        keccak256(domain),
        keccak256("1"),
        number(1),
    ]);
    let message = hash_words(members);
    keccak256([b"\x19\x01", separator.as_slice(), message.as_slice()].concat())
}

fn hash_words(words: &[B256]) -> B256 {
    keccak256(words.iter().flat_map(|word| word.0).collect::<Vec<u8>>())
}
