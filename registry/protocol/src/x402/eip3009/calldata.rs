//! The call that submits an authorization, in the two forms that tokens have (EIP-3009; contract ABI,
//! "Formal Specification of the Encoding").

use alloy_primitives::{B256, U256};

use super::{Authorization, Signature};

/// `transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)`,
/// which every token with EIP-3009 has.
const WITH_VRS: [u8; 4] = [0xe3, 0xee, 0x16, 0x0e];

/// `transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)`, for payers that
/// are contracts; old tokens lack it.
const WITH_BYTES: [u8; 4] = [0xcf, 0x09, 0x29, 0x95];

/// The call with the signature in three parts.
#[must_use]
pub fn transfer_with_vrs(authorization: &Authorization, signature: &Signature) -> Vec<u8> {
    let v = B256::with_last_byte(signature.v());
    let mut call = head(WITH_VRS, authorization);
    extend(&mut call, [v, signature.r, signature.s]);
    call
}

/// The call with the signature in one piece, of any length.
#[must_use]
pub fn transfer_with_bytes(authorization: &Authorization, signature: &[u8]) -> Vec<u8> {
    // The bytes stand behind seven words: six members and this place.
    let place = U256::from(7 * 32);
    let length = U256::from(signature.len());
    let mut call = head(WITH_BYTES, authorization);
    extend(&mut call, [place.into(), length.into()]);
    call.extend_from_slice(signature);
    let padding = signature.len().next_multiple_of(32) - signature.len();
    call.extend(std::iter::repeat_n(0, padding));
    call
}

fn head(selector: [u8; 4], authorization: &Authorization) -> Vec<u8> {
    let mut call = selector.to_vec();
    extend(&mut call, authorization.words());
    call
}

fn extend<const COUNT: usize>(call: &mut Vec<u8>, words: [B256; COUNT]) {
    call.extend(words.iter().flat_map(|word| word.0));
}
