//! What an offer asks for, read as numbers and addresses.

use alloy_primitives::{Address, U256};
use serde_json::{Map, Value};

use super::{Refusal, address};
use crate::x402::{eip3009::Domain, network, wire::PaymentRequirements};

/// An offer of `exact` by EIP-3009, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// The token and its domain.
    pub domain: Domain,
    /// Who is paid.
    pub pay_to: Address,
    /// The price, in the token's smallest unit.
    pub amount: U256,
}

impl Terms {
    /// Reads an offer. Every offer should pass this before it is made.
    ///
    /// # Errors
    /// A [`Refusal`] that is ours ([`Refusal::is_ours`]).
    pub fn read(offer: &PaymentRequirements) -> Result<Self, Refusal> {
        let chain = network::eip155(&offer.network).filter(|_| offer.scheme == "exact");
        let chain = chain.ok_or(Refusal::OfferScheme)?;
        let extra = Extra(offer.extra.as_ref());
        match extra.get("assetTransferMethod") {
            None => {}
            Some(method) if method == "eip3009" => {}
            Some(_) => return Err(Refusal::TransferMethod),
        }
        match extra.get("paymentFlow") {
            None => {}
            Some(flow) if flow == "authorization" || flow == "upfront" => {}
            Some(_) => return Err(Refusal::PaymentFlow),
        }
        let token = address(&offer.asset).ok_or(Refusal::Offer)?;
        let pay_to = address(&offer.pay_to).ok_or(Refusal::Offer)?;
        let amount = offer.amount.value().ok_or(Refusal::Offer)?;
        let (Some(name), Some(version)) = (extra.text("name"), extra.text("version")) else {
            return Err(Refusal::Domain);
        };
        let domain = Domain {
            name: name.to_owned(),
            version: version.to_owned(),
            chain,
            token,
        };
        Ok(Self {
            domain,
            pay_to,
            amount,
        })
    }
}

/// Whether `accepted` is a copy of the offer. Addresses are compared as bytes, all else as it stands:
/// a member more or less makes another offer.
pub(super) fn is_copy(accepted: &PaymentRequirements, offer: &PaymentRequirements) -> bool {
    let same = |one: &str, other: &str| one == other || is_same_address(one, other);
    accepted.scheme == offer.scheme
        && accepted.network == offer.network
        && accepted.amount == offer.amount
        && same(&accepted.asset, &offer.asset)
        && same(&accepted.pay_to, &offer.pay_to)
        && accepted.max_timeout_seconds == offer.max_timeout_seconds
        && accepted.extra == offer.extra
        && accepted.unknown == offer.unknown
}

fn is_same_address(one: &str, other: &str) -> bool {
    address(one).is_some_and(|one| address(other) == Some(one))
}

struct Extra<'a>(Option<&'a Map<String, Value>>);

impl<'a> Extra<'a> {
    fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.and_then(|extra| extra.get(name))
    }

    fn text(&self, name: &str) -> Option<&'a str> {
        self.get(name).and_then(Value::as_str)
    }
}
