//! Everything that is wrong besides the time.

use std::collections::HashSet;

use super::*;
use crate::x402::eip3009::SignatureError;

/// A payment of each version, good but for one member of the inner part.
fn with_inner(pointer: &str, to: &Value) -> [PaymentPayload; 2] {
    paying(&authorization())
        .map(|payment| changed(&payment, &format!("/payload{pointer}"), to.clone()))
}

fn assert_refused(payments: &[PaymentPayload], refusal: Refusal) {
    for payment in payments {
        assert_eq!(
            judged(payment),
            Err(refusal),
            "version {}",
            payment.version()
        );
    }
}

/// The payment against the offer with one member changed, which is accepted as it is.
fn against(pointer: &str, to: &Value) -> Result<Verified, Refusal> {
    let mut value = serde_json::to_value(offer()).expect("JSON");
    *value.pointer_mut(pointer).expect("a place") = to.clone();
    against_offer(&value)
}

fn against_offer(value: &Value) -> Result<Verified, Refusal> {
    let [_, payment] = paying(&authorization());
    let payment = changed(&payment, "/accepted", value.clone());
    let offer = serde_json::from_value(value.clone()).expect("an offer");
    verify(&offer, &payment, CLOCK, BUDGET)
}

#[test]
fn another_scheme_or_network_is_refused() {
    let [old, new] = paying(&authorization());
    assert_refused(
        &[
            changed(&old, "/scheme", json!("upto")),
            changed(&new, "/accepted/scheme", json!("upto")),
        ],
        Refusal::Scheme,
    );
    assert_refused(
        &[
            changed(&old, "/network", json!("base")),
            changed(&old, "/network", json!("eip155:84532")),
            changed(&old, "/network", json!("nowhere")),
            changed(&new, "/accepted/network", json!("eip155:8453")),
            changed(&new, "/accepted/network", json!("base-sepolia")),
        ],
        Refusal::Network,
    );
}

#[test]
fn what_was_accepted_must_be_the_offer() {
    let [_, payment] = paying(&authorization());
    let other = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";
    for (place, to) in [
        ("amount", json!("9999")),
        ("amount", json!("20000")),
        ("asset", json!(other)),
        ("payTo", json!(other)),
        ("maxTimeoutSeconds", json!(61)),
        ("extra", json!({ "name": "USDC", "version": "2" })),
        (
            "extra",
            json!({ "name": "USDC", "version": "2", "quote": "q-2" }),
        ),
        (
            "extra",
            json!({ "name": "USDC", "version": "2", "quote": "q-1", "more": true }),
        ),
        (
            "extra",
            json!({ "name": "USDC", "version": 2, "quote": "q-1" }),
        ),
        ("extra", json!(null)),
    ] {
        let payment = changed(&payment, &format!("/accepted/{place}"), to.clone());
        assert_eq!(judged(&payment), Err(Refusal::Accepted), "{place} {to}");
    }
    let mut more = payment.to_value();
    more["accepted"]["more"] = json!(1);
    let more = PaymentPayload::from_value(more).expect("sound");
    assert_eq!(judged(&more), Err(Refusal::Accepted));
    // The order of members says nothing.
    let turned = json!({ "quote": "q-1", "version": "2", "name": "USDC" });
    assert!(judged(&changed(&payment, "/accepted/extra", turned)).is_ok());
}

#[test]
fn another_resource_is_not_our_matter_here() {
    // Nothing signs it; the quote in the offer binds the call.
    let [_, payment] = paying(&authorization());
    let mut value = payment.to_value();
    value["resource"] = json!({ "url": "https://elsewhere.example.com" });
    let payment = PaymentPayload::from_value(value).expect("sound");
    assert!(judged(&payment).is_ok());
}

#[test]
fn an_offer_that_is_not_for_us_is_our_fault() {
    let without = |name: &str| {
        let mut value = serde_json::to_value(offer()).expect("JSON");
        value["extra"]
            .as_object_mut()
            .expect("an object")
            .remove(name);
        against_offer(&value)
    };
    let with = |name: &str, to: &Value| {
        let mut value = serde_json::to_value(offer()).expect("JSON");
        value["extra"][name] = to.clone();
        against_offer(&value)
    };
    let beyond = U256::MAX.to_string().replace("935", "936");
    for (found, wanted) in [
        (against("/scheme", &json!("upto")), Refusal::OfferScheme),
        (
            against(
                "/network",
                &json!("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"),
            ),
            Refusal::OfferScheme,
        ),
        (
            with("assetTransferMethod", &json!("permit2")),
            Refusal::TransferMethod,
        ),
        (
            with("assetTransferMethod", &json!(null)),
            Refusal::TransferMethod,
        ),
        (with("paymentFlow", &json!("escrow")), Refusal::PaymentFlow),
        (with("paymentFlow", &json!(1)), Refusal::PaymentFlow),
        (
            against("/asset", &json!("0x036CbD53842c5426634e7929541eC2318f3dCF")),
            Refusal::Offer,
        ),
        (
            against("/payTo", &json!("209693Bc6afc0C5328bA36FaF03C514EF312287C")),
            Refusal::Offer,
        ),
        (
            against(
                "/payTo",
                &json!("0x0x209693Bc6afc0C5328bA36FaF03C514EF312287C"),
            ),
            Refusal::Offer,
        ),
        (against("/amount", &json!(beyond)), Refusal::Offer),
        (without("name"), Refusal::Domain),
        (without("version"), Refusal::Domain),
        (with("version", &json!(2)), Refusal::Domain),
        (against("/extra", &json!(null)), Refusal::Domain),
    ] {
        assert_eq!(found, Err(wanted));
        assert!(wanted.is_ours());
    }
    assert!(with("assetTransferMethod", &json!("eip3009")).is_ok());
    assert!(with("paymentFlow", &json!("authorization")).is_ok());
    assert!(with("paymentFlow", &json!("upfront")).is_ok());
}

#[test]
fn a_payload_of_another_form_is_refused() {
    for place in ["from", "to", "value", "validAfter", "validBefore", "nonce"] {
        for to in [
            json!(null),
            json!(1),
            json!(""),
            json!("x"),
            json!([]),
            json!("-1"),
            json!("0x"),
        ] {
            let payments = with_inner(&format!("/authorization/{place}"), &to);
            assert_refused(&payments, Refusal::Payload);
        }
    }
    for to in ["010000", "0x2710", "1e4", "10000 ", "+10000"] {
        assert_refused(
            &with_inner("/authorization/value", &json!(to)),
            Refusal::Payload,
        );
    }
    let longer = "9".repeat(79);
    assert_refused(
        &with_inner("/authorization/value", &json!(longer)),
        Refusal::Payload,
    );
    let (short, long) = (
        format!("0x{}", "ab".repeat(31)),
        format!("0x{}", "ab".repeat(33)),
    );
    for to in [
        short,
        long,
        "ab".repeat(32),
        format!("0x{}", "g".repeat(64)),
    ] {
        assert_refused(
            &with_inner("/authorization/nonce", &json!(to)),
            Refusal::Payload,
        );
    }
    for to in [
        json!(null),
        json!(1),
        json!("zz"),
        json!("0xabc"),
        json!("0xzz"),
    ] {
        assert_refused(&with_inner("/signature", &to), Refusal::Payload);
    }
    assert_refused(&with_inner("/authorization", &json!([])), Refusal::Payload);
    assert_refused(&carrying(&json!({})), Refusal::Payload);
    assert_refused(
        &carrying(&json!({ "signature": "0x", "permit2Authorization": {} })),
        Refusal::Payload,
    );
}

#[test]
fn numbers_beyond_256_bits_are_refused_by_a_name_of_their_own() {
    let beyond = "115792089237316195423570985008687907853269984665640564039457584007913129639936";
    for place in ["value", "validAfter", "validBefore"] {
        for digits in [beyond, "9".repeat(78).as_str()] {
            let payments = with_inner(&format!("/authorization/{place}"), &json!(digits));
            assert_refused(&payments, Refusal::NumberTooLarge);
        }
        // The largest number that fits is read, and is not what was signed.
        let payments = with_inner(
            &format!("/authorization/{place}"),
            &json!(U256::MAX.to_string()),
        );
        assert_refused(&payments, Refusal::Signer);
    }
}

#[test]
fn a_signature_that_is_not_taken_is_refused() {
    let good = signed(&authorization(), &key()).to_bytes();
    let hex = |bytes: &[u8]| json!(alloy_primitives::hex::encode_prefixed(bytes));
    let form = |bytes: &[u8], error: SignatureError| {
        assert_refused(
            &with_inner("/signature", &hex(bytes)),
            Refusal::SignatureForm(error),
        );
    };
    form(&good[..64], SignatureError::Length);
    form(&[], SignatureError::Length);
    form(
        &[&good[..], &[0x64, 0x92].repeat(16)].concat(),
        SignatureError::Erc6492,
    );
    form(&[&good[..64], &[29]].concat(), SignatureError::Recovery);
    form(
        &[&good[..32], &[0xff; 32], &[27]].concat(),
        SignatureError::HighS,
    );
    form(
        &[&[0; 32], &good[32..]].concat(),
        SignatureError::Unrecoverable,
    );
    // 0 and 1 are other spellings of 27 and 28.
    let other = [&good[..64], &[good[64] - 27]].concat();
    for payment in with_inner("/signature", &hex(&other)) {
        assert_eq!(
            judged(&payment).map(|verified| verified.signature.to_bytes()),
            Ok(good)
        );
    }
}

#[test]
fn what_was_not_signed_is_refused() {
    let other = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";
    for (place, to) in [
        ("from", json!(other)),
        ("to", json!(other)),
        ("value", json!("9999")),
        ("validAfter", json!("1")),
        ("validBefore", json!((NOW + 61).to_string())),
        ("nonce", json!(format!("0x{}", "ab".repeat(32)))),
    ] {
        assert_refused(
            &with_inner(&format!("/authorization/{place}"), &to),
            Refusal::Signer,
        );
    }
    let stranger = SigningKey::from_slice(&[0x22; 32]).expect("a scalar");
    let forged = write(&authorization(), &signed(&authorization(), &stranger));
    assert_refused(&carrying(&forged.into()), Refusal::Signer);
}

#[test]
fn a_signature_for_another_token_or_chain_or_domain_is_refused() {
    for (place, to) in [
        (
            "/asset",
            json!("0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238"),
        ),
        ("/network", json!("eip155:8453")),
        ("/extra/name", json!("USD Coin")),
        ("/extra/version", json!("1")),
    ] {
        assert_eq!(against(place, &to), Err(Refusal::Signer), "{place}");
    }
}

#[test]
fn another_recipient_is_refused_though_it_is_signed() {
    let stranger = Authorization {
        to: Address::repeat_byte(9),
        ..authorization()
    };
    assert_refused(&paying(&stranger), Refusal::Recipient);
}

#[test]
fn more_than_the_price_is_refused_as_less_is() {
    for value in [0, 9_999, 10_001, 20_000] {
        let other = Authorization {
            value: U256::from(value),
            ..authorization()
        };
        assert_refused(&paying(&other), Refusal::Value);
    }
}

#[test]
fn the_first_rule_that_is_broken_is_named() {
    // Broken from the last rule to the first, one more at a time.
    let stranger = SigningKey::from_slice(&[0x22; 32]).expect("a scalar");
    let mut worse = Authorization {
        value: U256::ZERO,
        ..authorization()
    };
    assert_refused(&paying(&worse), Refusal::Value);
    worse.valid_after = U256::from(NOW + 1);
    assert_refused(&paying(&worse), Refusal::NotYetValid);
    worse.valid_before = U256::from(NOW);
    assert_refused(&paying(&worse), Refusal::ExpiresTooSoon);
    worse.valid_before = U256::from(NOW - 2);
    assert_refused(&paying(&worse), Refusal::Expired);
    worse.to = Address::ZERO;
    assert_refused(&paying(&worse), Refusal::Recipient);
    let mut inner = Value::from(write(&worse, &signed(&worse, &stranger)));
    assert_refused(&carrying(&inner), Refusal::Signer);
    inner["signature"] = json!("0x");
    assert_refused(
        &carrying(&inner),
        Refusal::SignatureForm(SignatureError::Length),
    );
    inner["authorization"]["value"] = json!("9".repeat(78));
    assert_refused(&carrying(&inner), Refusal::NumberTooLarge);
    inner["authorization"]["nonce"] = json!("");
    let [old, new] = carrying(&inner);
    assert_refused(&[old, new.clone()], Refusal::Payload);
    let new = changed(&new, "/accepted/amount", json!("1"));
    assert_eq!(judged(&new), Err(Refusal::Accepted));
    let new = changed(&new, "/accepted/network", json!("eip155:1"));
    assert_eq!(judged(&new), Err(Refusal::Network));
    let new = changed(&new, "/accepted/scheme", json!("upto"));
    assert_eq!(judged(&new), Err(Refusal::Scheme));
}

#[test]
fn each_refusal_has_a_code_of_its_own_and_a_reason_that_is_known() {
    let all = [
        Refusal::Scheme,
        Refusal::Network,
        Refusal::OfferScheme,
        Refusal::TransferMethod,
        Refusal::PaymentFlow,
        Refusal::Offer,
        Refusal::Domain,
        Refusal::Accepted,
        Refusal::Payload,
        Refusal::NumberTooLarge,
        Refusal::SignatureForm(SignatureError::Length),
        Refusal::Signer,
        Refusal::Recipient,
        Refusal::BlockNumbers,
        Refusal::Expired,
        Refusal::ExpiresTooSoon,
        Refusal::ExpiresTooLate,
        Refusal::NotYetValid,
        Refusal::Value,
    ];
    let codes: HashSet<_> = all.iter().map(|refusal| refusal.code()).collect();
    assert_eq!(codes.len(), all.len());
    let differ: Vec<_> = all
        .into_iter()
        .filter(|refusal| refusal.reason(Version::V1) != refusal.reason(Version::V2))
        .collect();
    assert_eq!(differ, [Refusal::Value]);
    let prefix = "invalid_exact_evm_payload_authorization_";
    assert_eq!(Refusal::Value.reason(Version::V1), format!("{prefix}value"));
    assert_eq!(
        Refusal::Value.reason(Version::V2),
        format!("{prefix}value_mismatch")
    );
    assert_eq!(
        Refusal::ExpiresTooLate.reason(Version::V2),
        format!("{prefix}valid_before")
    );
    assert_eq!(
        Refusal::NotYetValid.reason(Version::V1),
        format!("{prefix}valid_after")
    );
    assert_eq!(
        Refusal::Signer.reason(Version::V2),
        "invalid_exact_evm_payload_signature"
    );
}
