//! The scheme's own part of a payment: `{signature, authorization}` (x402, exact on EVM, EIP-3009).

use alloy_primitives::{Address, B256, U256, hex};
use serde_json::{Map, Value, json};

use super::Refusal;
use crate::x402::{
    eip3009::{Authorization, Signature},
    wire::Uint,
};

/// Reads both members. Members that are not known say nothing: they are not signed.
pub(super) fn read(inner: &Map<String, Value>) -> Result<(Authorization, Vec<u8>), Refusal> {
    let members = inner.get("authorization").and_then(Value::as_object);
    let members = members.ok_or(Refusal::Payload)?;
    let text = |name: &str| members.get(name).and_then(Value::as_str);
    let party = |name: &str| text(name).and_then(address).ok_or(Refusal::Payload);
    let number = |name: &str| -> Result<Uint, Refusal> {
        let digits = text(name).ok_or(Refusal::Payload)?;
        digits.parse().map_err(|_| Refusal::Payload)
    };
    let (from, to) = (party("from")?, party("to")?);
    let (value, after, before) = (
        number("value")?,
        number("validAfter")?,
        number("validBefore")?,
    );
    let nonce = text("nonce").and_then(word).ok_or(Refusal::Payload)?;
    let signature = inner.get("signature").and_then(Value::as_str);
    let signature = signature.and_then(bytes).ok_or(Refusal::Payload)?;
    let fits = |number: &Uint| number.value().ok_or(Refusal::NumberTooLarge);
    let authorization = Authorization {
        from,
        to,
        value: fits(&value)?,
        valid_after: fits(&after)?,
        valid_before: fits(&before)?,
        nonce,
    };
    Ok((authorization, signature))
}

/// Writes both members, as a payer does.
#[must_use]
pub fn write(authorization: &Authorization, signature: &Signature) -> Map<String, Value> {
    let number = |number: U256| number.to_string();
    let members = json!({
        "from": authorization.from.to_checksum(None),
        "to": authorization.to.to_checksum(None),
        "value": number(authorization.value),
        "validAfter": number(authorization.valid_after),
        "validBefore": number(authorization.valid_before),
        "nonce": hex::encode_prefixed(authorization.nonce),
    });
    let signature = hex::encode_prefixed(signature.to_bytes());
    Map::from_iter([
        ("signature".to_owned(), signature.into()),
        ("authorization".to_owned(), members),
    ])
}

/// Who a payment says that it is from. A claim, for reports on payments that were refused.
#[must_use]
pub fn claimed_payer(inner: &Map<String, Value>) -> Option<Address> {
    let from = inner.get("authorization")?.get("from")?.as_str()?;
    address(from)
}

/// `0x` and 40 digits of any case: as bytes they compare alike.
pub(super) fn address(text: &str) -> Option<Address> {
    bytes(text).and_then(|bytes| Address::try_from(bytes.as_slice()).ok())
}

fn word(text: &str) -> Option<B256> {
    bytes(text).and_then(|bytes| B256::try_from(bytes.as_slice()).ok())
}

/// `0x` and pairs of digits. The reader below would also take a text without the prefix.
fn bytes(text: &str) -> Option<Vec<u8>> {
    hex::decode(
        text.strip_prefix("0x")
            .filter(|rest| !rest.starts_with("0x"))?,
    )
    .ok()
}
