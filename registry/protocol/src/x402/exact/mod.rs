//! The scheme `exact` on EVM chains by EIP-3009: whether a payment pays for an offer, as far as that can
//! be told without asking the chain.
//!
//! The rest is the chain's to say: that the payer has the money, that the nonce is unused, that there
//! is no code at the payer's address, and that the transfer passes a simulation.

mod payload;
mod refusal;
mod terms;

#[cfg(test)]
mod tests;

pub use payload::{claimed_payer, write};
pub use refusal::Refusal;
pub use terms::Terms;

use alloy_primitives::{Address, B256, U256};

use super::{
    Version,
    eip3009::{Authorization, Signature},
    network,
    wire::{PaymentPayload, PaymentRequirements},
};
use payload::address;

/// The shortest time that an authorization must still be valid, in seconds, however fast the work is.
pub const SHORTEST: u64 = 6;

/// The longest time that an authorization may still be valid, in seconds: a payment that was given up
/// must not be settled days later.
pub const LONGEST: u64 = 3600;

/// Set in both times of an authorization, some tokens read them as block numbers.
const BLOCK_NUMBER_BIT: usize = 47;

/// What time it is, in seconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// By our own clock, in which the work is measured.
    pub wall: u64,
    /// Of the newest block that is known, by which an authorization expires.
    pub chain: u64,
}

/// How long the work may take, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Until the upstream has answered.
    pub upstream: u64,
    /// Until the settlement is on the chain.
    pub settle: u64,
}

/// What a payment is known by: the token takes each of these once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PaymentKey {
    /// The EIP-155 number.
    pub chain: u64,
    /// The contract.
    pub token: Address,
    /// Who pays.
    pub payer: Address,
    /// Of the authorization.
    pub nonce: B256,
}

/// A payment that pays for its offer, as far as the chain is not needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// What it is known by.
    pub key: PaymentKey,
    /// What the payer signed.
    pub authorization: Authorization,
    /// The payer's signature, in the form that tokens take.
    pub signature: Signature,
}

impl Budget {
    /// How long an authorization must still be valid when it comes.
    #[must_use]
    pub fn least(self) -> u64 {
        self.upstream.saturating_add(self.settle).max(SHORTEST)
    }

    /// `maxTimeoutSeconds` of an offer: the budget, and a margin for the way and for clocks that
    /// differ. `None` when clients that make use of it, with a clock as much ahead, would be refused.
    #[must_use]
    pub fn max_timeout_seconds(self, margin: u64) -> Option<u64> {
        let seconds = self.least().checked_add(margin)?;
        (seconds.checked_add(margin)? <= LONGEST).then_some(seconds)
    }
}

/// Judges a payment of either version against one offer, which is from our own record and in the form
/// of version 2. Nothing of the terms is taken from the payment.
///
/// # Errors
/// The first [`Refusal`] in their order.
pub fn verify(
    offer: &PaymentRequirements,
    payment: &PaymentPayload,
    clock: Clock,
    budget: Budget,
) -> Result<Verified, Refusal> {
    check_route(offer, payment)?;
    let terms = Terms::read(offer)?;
    if let PaymentPayload::V2(payment) = payment
        && !terms::is_copy(&payment.accepted, offer)
    {
        return Err(Refusal::Accepted);
    }
    let (authorization, signature) = payload::read(payment.inner())?;
    let signature = check_signature(&terms, &authorization, &signature)?;
    if authorization.to != terms.pay_to {
        return Err(Refusal::Recipient);
    }
    check_window(&authorization, clock, budget)?;
    // Version 1 says "at least". More than the price is a mistake that nobody could give back.
    if authorization.value != terms.amount {
        return Err(Refusal::Value);
    }
    let key = PaymentKey {
        chain: terms.domain.chain,
        token: terms.domain.token,
        payer: authorization.from,
        nonce: authorization.nonce,
    };
    Ok(Verified {
        key,
        authorization,
        signature,
    })
}

/// The offers that a payment may be for: one in version 2, where it says which; in version 1, which
/// does not, all of its scheme and network.
pub fn candidates<'o>(
    offers: &'o [PaymentRequirements],
    payment: &PaymentPayload,
) -> impl Iterator<Item = &'o PaymentRequirements> {
    offers.iter().filter(move |offer| {
        let meant = match payment {
            PaymentPayload::V1(_) => true,
            PaymentPayload::V2(payment) => terms::is_copy(&payment.accepted, offer),
        };
        meant && check_route(offer, payment).is_ok()
    })
}

fn check_route(offer: &PaymentRequirements, payment: &PaymentPayload) -> Result<(), Refusal> {
    if payment.scheme() != offer.scheme {
        return Err(Refusal::Scheme);
    }
    let network = match payment.version() {
        Version::V1 => network::by_v1_name(payment.network()),
        Version::V2 => Some(payment.network()),
    };
    if network == Some(offer.network.as_str()) {
        Ok(())
    } else {
        Err(Refusal::Network)
    }
}

fn check_signature(
    terms: &Terms,
    authorization: &Authorization,
    bytes: &[u8],
) -> Result<Signature, Refusal> {
    let signature = Signature::read(bytes).map_err(Refusal::SignatureForm)?;
    let digest = authorization.digest(terms.domain.separator());
    let signer = signature.signer(digest).map_err(Refusal::SignatureForm)?;
    if signer == authorization.from {
        Ok(signature)
    } else {
        Err(Refusal::Signer)
    }
}

fn check_window(
    authorization: &Authorization,
    clock: Clock,
    budget: Budget,
) -> Result<(), Refusal> {
    let (after, before) = (authorization.valid_after, authorization.valid_before);
    if after.bit(BLOCK_NUMBER_BIT) && before.bit(BLOCK_NUMBER_BIT) {
        return Err(Refusal::BlockNumbers);
    }
    // Tokens compare strictly: at validBefore itself it is too late.
    if before <= U256::from(clock.chain) {
        return Err(Refusal::Expired);
    }
    if before < U256::from(clock.wall.saturating_add(budget.least())) {
        return Err(Refusal::ExpiresTooSoon);
    }
    if before > U256::from(clock.wall.saturating_add(LONGEST)) {
        return Err(Refusal::ExpiresTooLate);
    }
    if after > U256::from(clock.wall) {
        return Err(Refusal::NotYetValid);
    }
    Ok(())
}
