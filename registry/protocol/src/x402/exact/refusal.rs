//! Why a payment is refused: one reason for each rule, and what it is called on the wire.

use crate::x402::{Version, eip3009::SignatureError};

/// Why a payment does not pay for an offer, in the order in which it is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Paid in another way than is offered.
    #[error("paid by another scheme than is offered")]
    Scheme,
    /// Paid on another network than is offered.
    #[error("paid on another network than is offered")]
    Network,
    /// The offer is for another scheme than `exact`, or not for an EVM chain.
    #[error("the offer is not one of exact on an EVM chain")]
    OfferScheme,
    /// The offer wants another way of transfer than EIP-3009.
    #[error("the offer is not paid by EIP-3009")]
    TransferMethod,
    /// The offer names an order of work that `exact` does not have.
    #[error("the offer has a payment flow that is not known")]
    PaymentFlow,
    /// An address or the amount of the offer cannot be read.
    #[error("the offer has no sound address or amount")]
    Offer,
    /// The offer lacks the name or version of the token's domain.
    #[error("the offer lacks the name or the version of the token's domain")]
    Domain,
    /// `accepted` is no copy of the offer. Version 2 only.
    #[error("what was accepted is not what is offered")]
    Accepted,
    /// The payload lacks a member, or one is not written as EIP-3009 payments are.
    #[error("the payload is no authorization with a signature")]
    Payload,
    /// A number of the payload does not fit into 256 bits.
    #[error("a number does not fit into 256 bits")]
    NumberTooLarge,
    /// The signature is none that is taken.
    #[error("the signature is not taken: {0}")]
    SignatureForm(SignatureError),
    /// Signed by somebody else, or something else was signed.
    #[error("the signature is not the payer's over this authorization")]
    Signer,
    /// Paid to somebody else.
    #[error("paid to somebody else than is offered")]
    Recipient,
    /// Bit 47 is set in both times: some tokens read block numbers then.
    #[error("the validity is given in block numbers")]
    BlockNumbers,
    /// No longer valid by the chain's time.
    #[error("the authorization has expired")]
    Expired,
    /// Expires before the work can be done and settled.
    #[error("the authorization expires before the work can be done and settled")]
    ExpiresTooSoon,
    /// Valid for so long that it could be settled long after it was given up.
    #[error("the authorization is valid for longer than an hour")]
    ExpiresTooLate,
    /// Not valid yet.
    #[error("the authorization is not valid yet")]
    NotYetValid,
    /// Less or more than the price.
    #[error("the amount is not the price")]
    Value,
}

impl Refusal {
    /// Our own name of the reason, one for each, for logs and counts. Never renamed.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Scheme => "scheme",
            Self::Network => "network",
            Self::OfferScheme => "offer_scheme",
            Self::TransferMethod => "transfer_method",
            Self::PaymentFlow => "payment_flow",
            Self::Offer => "offer",
            Self::Domain => "domain",
            Self::Accepted => "accepted",
            Self::Payload => "payload",
            Self::NumberTooLarge => "number_too_large",
            Self::SignatureForm(_) => "signature_form",
            Self::Signer => "signer",
            Self::Recipient => "recipient",
            Self::BlockNumbers => "block_numbers",
            Self::Expired => "expired",
            Self::ExpiresTooSoon => "expires_too_soon",
            Self::ExpiresTooLate => "expires_too_late",
            Self::NotYetValid => "not_yet_valid",
            Self::Value => "value",
        }
    }

    /// The reason in the words of the protocol (x402 v2, error codes; those that the reference adds),
    /// which are fewer. For `invalidReason`, `errorReason` and the `error` of a 402.
    #[must_use]
    pub const fn reason(self, version: Version) -> &'static str {
        match self {
            Self::Scheme => "invalid_scheme",
            Self::Network => "invalid_network",
            Self::OfferScheme => "unsupported_scheme",
            Self::TransferMethod => "unsupported_asset_transfer_method",
            Self::PaymentFlow => "unsupported_payment_flow",
            Self::Offer | Self::Accepted => "invalid_payment_requirements",
            Self::Domain => "invalid_exact_evm_missing_eip712_domain",
            Self::Payload | Self::NumberTooLarge => "invalid_payload",
            Self::SignatureForm(_) | Self::Signer => "invalid_exact_evm_payload_signature",
            Self::Recipient => "invalid_exact_evm_payload_recipient_mismatch",
            Self::BlockNumbers | Self::Expired | Self::ExpiresTooSoon | Self::ExpiresTooLate => {
                "invalid_exact_evm_payload_authorization_valid_before"
            }
            Self::NotYetValid => "invalid_exact_evm_payload_authorization_valid_after",
            Self::Value => match version {
                Version::V1 => "invalid_exact_evm_payload_authorization_value",
                Version::V2 => "invalid_exact_evm_payload_authorization_value_mismatch",
            },
        }
    }

    /// Whether the payer can do nothing about it: our own offer is at fault.
    #[must_use]
    pub const fn is_ours(self) -> bool {
        matches!(
            self,
            Self::OfferScheme
                | Self::TransferMethod
                | Self::PaymentFlow
                | Self::Offer
                | Self::Domain
        )
    }
}
