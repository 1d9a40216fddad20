//! The payer's signature: 65 bytes, of which there is one form for one signature.

use alloy_primitives::{Address, B256, U256};

/// Half of the order of secp256k1; a larger s is the second form of a signature (EIP-2).
pub(super) const HALF_ORDER: U256 = U256::from_limbs([
    0xdfe9_2f46_681b_20a0,
    0x5d57_6e73_57a4_501d,
    0xffff_ffff_ffff_ffff,
    0x7fff_ffff_ffff_ffff,
]);

/// The last word of a signature by a contract that may not exist yet (ERC-6492).
const ERC_6492: [u8; 32] = [
    0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92,
    0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92, 0x64, 0x92,
];

/// An ECDSA signature over secp256k1 with the hint that lets its signer be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Signature {
    /// The x of the random point.
    pub r: B256,
    /// The proof, never more than half of the order.
    pub s: B256,
    /// Whether the y of the random point is odd.
    pub odd_y: bool,
}

/// Why bytes are no signature that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// Wrapped for a contract that is still to be deployed (ERC-6492). To check it means to run a
    /// factory of the sender's choice.
    #[error("signatures of contracts not yet deployed (ERC-6492) are not taken")]
    Erc6492,
    /// Not 65 bytes.
    #[error("not 65 bytes")]
    Length,
    /// The last byte is none of 27, 28, 0 and 1.
    #[error("the last byte is none of 27, 28, 0 and 1")]
    Recovery,
    /// s is more than half of the order: the second form of another signature, which tokens refuse.
    #[error("s is more than half of the order")]
    HighS,
    /// No key can have made it.
    #[error("no key can have made it")]
    Unrecoverable,
}

impl Signature {
    /// Reads r, s and v side by side. v is 27 or 28, or 0 or 1 as some wallets have it.
    ///
    /// # Errors
    /// A [`SignatureError`] other than [`SignatureError::Unrecoverable`].
    pub fn read(bytes: &[u8]) -> Result<Self, SignatureError> {
        if bytes.ends_with(&ERC_6492) {
            return Err(SignatureError::Erc6492);
        }
        let bytes: &[u8; 65] = bytes.try_into().map_err(|_| SignatureError::Length)?;
        let odd_y = match bytes[64] {
            0 | 27 => false,
            1 | 28 => true,
            _ => return Err(SignatureError::Recovery),
        };
        let (r, s) = (
            B256::from_slice(&bytes[..32]),
            B256::from_slice(&bytes[32..64]),
        );
        if U256::from_be_bytes(s.0) > HALF_ORDER {
            return Err(SignatureError::HighS);
        }
        Ok(Self { r, s, odd_y })
    }

    /// Who signed the digest.
    ///
    /// # Errors
    /// [`SignatureError::Unrecoverable`].
    pub fn signer(&self, digest: B256) -> Result<Address, SignatureError> {
        let (r, s) = (self.r.into(), self.s.into());
        let signature = alloy_primitives::Signature::new(r, s, self.odd_y);
        let signer = signature.recover_address_from_prehash(&digest);
        signer.map_err(|_| SignatureError::Unrecoverable)
    }

    /// 27 or 28, the only ones that contracts take.
    #[must_use]
    pub fn v(&self) -> u8 {
        27 + u8::from(self.odd_y)
    }

    /// r, s and v side by side, with v as contracts take it.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 65] {
        let mut bytes = [0; 65];
        bytes[..32].copy_from_slice(self.r.as_slice());
        bytes[32..64].copy_from_slice(self.s.as_slice());
        bytes[64] = self.v();
        bytes
    }
}
