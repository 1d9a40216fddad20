//! The extension's own codes of failure, which are few.

use crate::x402::{Version, exact::Refusal};

/// A code of the extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Failure {
    /// The payer has too little.
    InsufficientFunds,
    /// The signature is not the payer's.
    InvalidSignature,
    /// Too late, or there is too little time left.
    ExpiredPayment,
    /// The nonce was used before.
    DuplicateNonce,
    /// Paid on another network.
    NetworkMismatch,
    /// Not the price.
    InvalidAmount,
    /// The payment was good and did not settle.
    SettlementFailed,
}

impl Failure {
    /// The text on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InsufficientFunds => "INSUFFICIENT_FUNDS",
            Self::InvalidSignature => "INVALID_SIGNATURE",
            Self::ExpiredPayment => "EXPIRED_PAYMENT",
            Self::DuplicateNonce => "DUPLICATE_NONCE",
            Self::NetworkMismatch => "NETWORK_MISMATCH",
            Self::InvalidAmount => "INVALID_AMOUNT",
            Self::SettlementFailed => "SETTLEMENT_FAILED",
        }
    }

    /// The code of a refusal; `None` when the extension has none for it.
    #[must_use]
    pub const fn of(refusal: Refusal) -> Option<Self> {
        match refusal {
            Refusal::SignatureForm(_) | Refusal::Signer => Some(Self::InvalidSignature),
            Refusal::Expired | Refusal::ExpiresTooSoon => Some(Self::ExpiredPayment),
            Refusal::Network => Some(Self::NetworkMismatch),
            Refusal::Value => Some(Self::InvalidAmount),
            _ => None,
        }
    }
}

/// What is written as the error for a refusal: the extension's code, else the reason of x402.
#[must_use]
pub fn error_of(refusal: Refusal, version: Version) -> &'static str {
    Failure::of(refusal).map_or(refusal.reason(version), Failure::as_str)
}
