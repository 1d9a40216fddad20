//! EIP-3009: a transfer of tokens that the payer authorizes by a signature and anyone may submit.
//!
//! What is signed is typed data (EIP-712) in the domain of the token. All numbers are the token's own.

mod calldata;
mod signature;

#[cfg(test)]
mod tests;

pub use calldata::{transfer_with_bytes, transfer_with_vrs};
pub use signature::{Signature, SignatureError};

use alloy_primitives::{Address, B256, U256, b256, keccak256};

/// keccak-256 of `EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)`.
const DOMAIN_TYPE: B256 = b256!("8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f");

/// keccak-256 of `TransferWithAuthorization(address from,address to,uint256 value,uint256
/// validAfter,uint256 validBefore,bytes32 nonce)`.
const TRANSFER_TYPE: B256 =
    b256!("7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267");

/// The domain of a token (EIP-712, "Definition of domainSeparator").
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Domain {
    /// What the token calls itself there; not always its symbol.
    pub name: String,
    /// As text, mostly `2`.
    pub version: String,
    /// The EIP-155 number.
    pub chain: u64,
    /// The contract.
    pub token: Address,
}

/// What a payer authorizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Authorization {
    /// The payer.
    pub from: Address,
    /// The payee.
    pub to: Address,
    /// How much, in the token's smallest unit.
    pub value: U256,
    /// Not good at this second of the chain's time and before.
    pub valid_after: U256,
    /// Not good at this second of the chain's time and later.
    pub valid_before: U256,
    /// Chosen by chance; a payer's authorizations differ in it.
    pub nonce: B256,
}

impl Domain {
    /// The domain separator.
    #[must_use]
    pub fn separator(&self) -> B256 {
        hash_words([
            DOMAIN_TYPE,
            keccak256(&self.name),
            keccak256(&self.version),
            U256::from(self.chain).into(),
            self.token.into_word(),
        ])
    }
}

impl Authorization {
    /// What the payer signs, in the domain of that separator (EIP-712, "Specification").
    #[must_use]
    pub fn digest(&self, separator: B256) -> B256 {
        let [from, to, value, after, before, nonce] = self.words();
        let message = hash_words([TRANSFER_TYPE, from, to, value, after, before, nonce]);
        let mut bytes = [0; 66];
        bytes[..2].copy_from_slice(b"\x19\x01");
        bytes[2..34].copy_from_slice(separator.as_slice());
        bytes[34..].copy_from_slice(message.as_slice());
        keccak256(bytes)
    }

    /// The members in their order, as both the hash and the contract's interface have them.
    fn words(&self) -> [B256; 6] {
        [
            self.from.into_word(),
            self.to.into_word(),
            self.value.into(),
            self.valid_after.into(),
            self.valid_before.into(),
            self.nonce,
        ]
    }
}

/// Hashes members that take one word each (EIP-712, "Definition of encodeData").
fn hash_words<const COUNT: usize>(words: [B256; COUNT]) -> B256 {
    keccak256(words.map(|word| word.0).as_flattened())
}
