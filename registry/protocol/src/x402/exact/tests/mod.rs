//! One payment that is good, and each single thing that may be wrong with it.

mod properties;
mod refused;
mod window;

use alloy_primitives::keccak256;
use k256::ecdsa::SigningKey;
use serde_json::{Value, json};

use super::*;
use crate::x402::wire::Uint;

const NOW: u64 = 1_790_000_000;

const CLOCK: Clock = Clock {
    wall: NOW,
    chain: NOW - 2,
};

const BUDGET: Budget = Budget {
    upstream: 30,
    settle: 15,
};

fn offer() -> PaymentRequirements {
    serde_json::from_value(json!({
        "scheme": "exact", "network": "eip155:84532", "amount": "10000",
        "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C", "maxTimeoutSeconds": 60,
        "extra": { "name": "USDC", "version": "2", "quote": "q-1" },
    }))
    .expect("sound")
}

fn key() -> SigningKey {
    SigningKey::from_slice(&[0x11; 32]).expect("a scalar")
}

/// What the reference client signs for the offer.
fn authorization() -> Authorization {
    let terms = Terms::read(&offer()).expect("sound");
    Authorization {
        from: Address::from_public_key(key().verifying_key()),
        to: terms.pay_to,
        value: terms.amount,
        valid_after: U256::ZERO,
        valid_before: U256::from(NOW + 60),
        nonce: keccak256("chance"),
    }
}

fn signed(authorization: &Authorization, key: &SigningKey) -> Signature {
    let terms = Terms::read(&offer()).expect("sound");
    let digest = authorization.digest(terms.domain.separator());
    let (signature, id) = key
        .sign_prehash_recoverable(digest.as_slice())
        .expect("32 bytes");
    let mut bytes = [0; 65];
    bytes[..64].copy_from_slice(&signature.to_bytes());
    bytes[64] = id.to_byte();
    Signature::read(&bytes).expect("low s")
}

/// Payments of both versions with that inner part.
fn carrying(inner: &Value) -> [PaymentPayload; 2] {
    let old =
        json!({ "x402Version": 1, "scheme": "exact", "network": "base-sepolia", "payload": inner });
    let new = json!({ "x402Version": 2, "accepted": offer(), "payload": inner });
    [old, new].map(|value| PaymentPayload::from_value(value).expect("sound"))
}

/// Payments of both versions with that authorization, signed by its payer.
fn paying(authorization: &Authorization) -> [PaymentPayload; 2] {
    carrying(&write(authorization, &signed(authorization, &key())).into())
}

/// The payment with one member changed; what is signed stays.
fn changed(payment: &PaymentPayload, pointer: &str, to: Value) -> PaymentPayload {
    let mut value = payment.to_value();
    *value.pointer_mut(pointer).expect("a place") = to;
    PaymentPayload::from_value(value).expect("sound")
}

fn judged(payment: &PaymentPayload) -> Result<Verified, Refusal> {
    verify(&offer(), payment, CLOCK, BUDGET)
}

#[test]
fn a_payment_of_either_version_pays_for_its_offer() {
    let authorization = authorization();
    for payment in paying(&authorization) {
        let verified = judged(&payment).expect("sound");
        assert_eq!(verified.authorization, authorization);
        assert_eq!(verified.signature, signed(&authorization, &key()));
        assert_eq!(verified.key.chain, 84532);
        assert_eq!(Some(verified.key.token), address(&offer().asset));
        assert_eq!(verified.key.payer, authorization.from);
        assert_eq!(verified.key.nonce, authorization.nonce);
        assert_eq!(claimed_payer(payment.inner()), Some(authorization.from));
    }
}

#[test]
fn addresses_are_compared_as_bytes() {
    let [_, payment] = paying(&authorization());
    for place in [
        "/accepted/asset",
        "/accepted/payTo",
        "/payload/authorization/to",
    ] {
        let value = payment.to_value();
        let text = value
            .pointer(place)
            .and_then(Value::as_str)
            .expect("a text");
        let lower = changed(&payment, place, json!(text.to_lowercase()));
        assert_ne!(lower, payment);
        assert!(judged(&lower).is_ok(), "{place}");
    }
}

#[test]
fn the_sample_of_the_specification_pays_in_its_time() {
    let mut offer = offer();
    offer.extra = Some(serde_json::Map::from_iter([
        ("name".to_owned(), json!("USDC")),
        ("version".to_owned(), json!("2")),
    ]));
    let payment = PaymentPayload::from_value(json!({
        "x402Version": 2, "resource": { "url": "https://api.example.com/premium-data" }, "accepted": offer,
        "payload": {
            "signature": "0x2d6a7588d6acca505cbf0d9a4a227e0c52c6c34008c8e8986a1283259764173608a2ce6496642e377d6da8dbbf5836e9bd15092f9ecab05ded3d6293af148b571c",
            "authorization": {
                "from": "0x857b06519E91e3A54538791bDbb0E22373e36b66",
                "to": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
                "value": "10000", "validAfter": "1740672089", "validBefore": "1740672154",
                "nonce": "0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480",
            },
        },
    }))
    .expect("sound");
    let at = |wall| verify(&offer, &payment, Clock { wall, chain: wall }, BUDGET);
    assert!(at(1_740_672_100).is_ok());
    assert_eq!(at(NOW), Err(Refusal::Expired));
}

#[test]
fn version_1_has_every_offer_of_its_network_and_version_2_the_one_it_took() {
    let mut dearer = offer();
    dearer.amount = Uint::from(20_000);
    let elsewhere = PaymentRequirements {
        network: "eip155:1".into(),
        ..offer()
    };
    let offers = [dearer, elsewhere, offer()];
    let [old, new] = paying(&authorization());
    assert_eq!(
        candidates(&offers, &old).collect::<Vec<_>>(),
        [&offers[0], &offers[2]]
    );
    assert_eq!(candidates(&offers, &new).collect::<Vec<_>>(), [&offers[2]]);
    let taken: Vec<_> = candidates(&offers, &old)
        .filter(|offer| verify(offer, &old, CLOCK, BUDGET).is_ok())
        .collect();
    assert_eq!(taken, [&offers[2]]);
}

#[test]
fn what_we_write_is_what_the_reference_client_writes() {
    let authorization = authorization();
    let inner = Value::Object(write(&authorization, &signed(&authorization, &key())));
    assert_eq!(
        inner["authorization"]["from"],
        "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"
    );
    assert_eq!(inner["authorization"]["value"], "10000");
    assert_eq!(inner["authorization"]["validAfter"], "0");
    let nonce = inner["authorization"]["nonce"].as_str().expect("a text");
    assert_eq!((nonce.len(), &nonce[..2]), (66, "0x"));
    let signature = inner["signature"].as_str().expect("a text");
    assert_eq!((signature.len(), &signature[..2]), (132, "0x"));
    assert!(signature.ends_with("1b") || signature.ends_with("1c"));
}
