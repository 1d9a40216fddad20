//! Payment by x402, versions 2 and 1: what is asked, what is paid, and whether the one pays for the other.
//!
//! The time is handed in; what a chain knows (balances, used nonces, code) is for others to ask.
//!
//! | module | what it is for | standard |
//! |---|---|---|
//! | [`wire`] | the objects and headers of both versions | x402 v2 and v1 |
//! | [`a2a`] | payment inside of tasks | a2a-x402 0.1 and 0.2 |
//! | [`eip3009`] | authorized transfers of tokens: digest, signer, call | EIP-3009, EIP-712 |
//! | [`exact`] | whether a payment pays for an offer, without asking the chain | x402, exact on EVM |
//! | [`network`] | CAIP-2 and the names of version 1 | CAIP-2 |
//! | [`quote`] | an offer bound to one call | |
//! | [`offer_receipt`] | offers and receipts that are signed | extension offer-receipt |

pub mod a2a;
pub mod eip3009;
pub mod exact;
pub mod network;
pub mod offer_receipt;
pub mod quote;
pub mod wire;

use std::fmt;

/// A version of the protocol, `x402Version` on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Version {
    /// 1: the offer is the body of the 402, networks have short names.
    V1,
    /// 2: the offer is a header of the 402, networks are CAIP-2.
    V2,
}

impl Version {
    /// The value of `x402Version`.
    #[must_use]
    pub const fn number(self) -> u64 {
        match self {
            Self::V1 => 1,
            Self::V2 => 2,
        }
    }

    /// The version of that number.
    #[must_use]
    pub const fn from_number(number: u64) -> Option<Self> {
        match number {
            1 => Some(Self::V1),
            2 => Some(Self::V2),
            _ => None,
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.number())
    }
}
