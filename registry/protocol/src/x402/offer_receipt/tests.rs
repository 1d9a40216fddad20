//! A statement holds as it was signed, and no other.

use alloy_primitives::{address, b256};
use proptest::prelude::*;

use super::*;
use crate::{
    signature::{
        jwk::{JwkSet, SigningKey},
        jws::JwsError,
    },
    x402::eip3009::SignatureError,
};

/// Of the typed data below, by eth-account 0.13.
const OFFER_SIGNATURE: &str = "0xe0f01da7508627ce4de94300f4bdd292962c6584c8575b9fa15d682b7bfbef5540bac1a83a2668e6e83f8dc9a5270925d88b741ba073d0019e1e5d89bb630abe1c";
const RECEIPT_SIGNATURE: &str = "0xfbf22c5f172504b2e6ff42cbb0120f535a4b4731fc4d84c8c753b7c58835abca3556c59cce9b631b63161f9e8b697816dd2ddcd2106f0664ece6f37a6676d6671b";

fn asked() -> PaymentRequirements {
    serde_json::from_value(json!({
        "scheme": "exact", "network": "eip155:8453", "amount": "10000",
        "asset": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
        "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C", "maxTimeoutSeconds": 60,
    }))
    .expect("sound")
}

fn offer() -> Offer {
    Offer::new(&asked(), "https://agents.example.com/ä", 1_790_000_000)
}

fn receipt_of_sale() -> Receipt {
    let payer = "0x857b06519E91e3A54538791bDbb0E22373e36b66";
    Receipt::new(
        "eip155:8453",
        "https://agents.example.com/ä",
        payer,
        1_790_000_000,
        "",
    )
}

fn key() -> SigningKey {
    SigningKey::from_seed([5; 32])
}

fn keys() -> JwkSet {
    JwkSet::new(vec![key().public().clone()])
}

fn signed(statement: &impl Statement) -> Value {
    sign(
        statement,
        &key(),
        Some("https://agents.example.com/.well-known/jwks.json"),
    )
    .into()
}

#[test]
fn a_statement_that_we_sign_is_read_with_our_published_key() {
    let (offer, receipt) = (offer(), receipt_of_sale());
    assert_eq!(by_jws(&signed(&offer), &keys()), Ok(offer.clone()));
    assert_eq!(by_jws(&signed(&receipt), &keys()), Ok(receipt.clone()));
    assert_eq!(signed(&offer)["format"], "jws");
    // One is not taken for the other.
    let other: Result<Receipt, _> = by_jws(&signed(&offer), &keys());
    assert_eq!(other, Err(SignedError::Statement));
    let stranger = JwkSet::new(vec![SigningKey::from_seed([6; 32]).public().clone()]);
    let refused: Result<Offer, _> = by_jws(&signed(&offer), &stranger);
    assert_eq!(refused, Err(SignedError::Jws(JwsError::UnknownKey)));
}

#[test]
fn a_statement_that_was_changed_is_refused() {
    let read = |value: Value| by_jws::<Offer>(&value, &keys());
    let good = signed(&offer());
    let compact = good["signature"].as_str().expect("a text").to_owned();
    let parts: Vec<&str> = compact.split('.').collect();
    let mut dearer = offer();
    dearer.amount = "10001".into();
    let theirs = signed(&dearer);
    let payload = theirs["signature"]
        .as_str()
        .and_then(|text| text.split('.').nth(1))
        .expect("there");
    let mixed =
        json!({ "format": "jws", "signature": format!("{}.{payload}.{}", parts[0], parts[2]) });
    assert_eq!(read(mixed), Err(SignedError::Jws(JwsError::Signature)));
    for text in [
        "",
        "a",
        "a.b",
        "..",
        &format!("{compact}.a"),
        &format!("{}..{}", parts[0], parts[2]),
    ] {
        assert!(
            read(json!({ "format": "jws", "signature": text })).is_err(),
            "{text}"
        );
    }
    for odd in [
        json!({}),
        json!({ "format": "eip712", "signature": compact }),
        json!({ "signature": compact }),
    ] {
        assert_eq!(read(odd), Err(SignedError::Form));
    }
}

#[test]
fn typed_data_of_another_library_is_read_with_its_signer() {
    let signer = address!("19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A");
    let digest = b256!("efc7980fd1148916f5fc4f50211fa84eee374e5aa468e9990f1c4a47064b8a2a");
    assert_eq!(offer().digest(), digest);
    let theirs = json!({ "format": "eip712", "payload": offer(), "signature": OFFER_SIGNATURE, "acceptIndex": 0 });
    assert_eq!(by_typed_data(&theirs), Ok((offer(), signer)));
    let digest = b256!("39ff11620d91073665bf4349770f77b6993a13a0aa2deb28129026d3acbef18b");
    assert_eq!(receipt_of_sale().digest(), digest);
    let theirs =
        json!({ "format": "eip712", "payload": receipt_of_sale(), "signature": RECEIPT_SIGNATURE });
    assert_eq!(by_typed_data(&theirs), Ok((receipt_of_sale(), signer)));
}

#[test]
fn typed_data_that_is_none_is_refused() {
    let read = |payload: Value, signature: &str| {
        by_typed_data::<Offer>(
            &json!({ "format": "eip712", "payload": payload, "signature": signature }),
        )
    };
    let payload = serde_json::to_value(offer()).expect("JSON");
    assert_eq!(
        read(payload.clone(), &OFFER_SIGNATURE[2..]),
        Err(SignedError::Form)
    );
    assert_eq!(read(payload.clone(), "0xzz"), Err(SignedError::Form));
    let short = Err(SignedError::TypedData(SignatureError::Length));
    assert_eq!(read(payload.clone(), "0x"), short);
    assert_eq!(
        read(json!(null), OFFER_SIGNATURE),
        Err(SignedError::Statement)
    );
    let mut newer = payload.clone();
    newer["version"] = json!(2);
    assert_eq!(read(newer, OFFER_SIGNATURE), Err(SignedError::Statement));
    let bare = json!({ "format": "eip712", "signature": OFFER_SIGNATURE });
    assert_eq!(by_typed_data::<Offer>(&bare), Err(SignedError::Form));
    let jws = json!({ "format": "jws", "payload": payload, "signature": OFFER_SIGNATURE });
    assert_eq!(by_typed_data::<Offer>(&jws), Err(SignedError::Form));
}

#[test]
fn what_is_not_told_is_0_or_empty() {
    let mut value = serde_json::to_value(receipt_of_sale()).expect("JSON");
    assert_eq!(value["transaction"], "");
    value
        .as_object_mut()
        .expect("an object")
        .remove("transaction");
    let theirs = json!({ "format": "eip712", "payload": value, "signature": RECEIPT_SIGNATURE });
    assert_eq!(
        by_typed_data(&theirs).map(|(receipt, _)| receipt),
        Ok(receipt_of_sale())
    );
    assert_eq!(
        serde_json::to_value(Offer::new(&asked(), "", 0)).expect("JSON")["validUntil"],
        0
    );
}

#[test]
fn the_extension_lists_offers_by_their_place_and_one_receipt() {
    let list = offers(vec![
        sign(&offer(), &key(), None),
        sign(&offer(), &key(), None),
    ]);
    assert_eq!(list["info"]["offers"][1]["acceptIndex"], 1);
    assert_eq!(by_jws(&list["info"]["offers"][0], &keys()), Ok(offer()));
    let one = receipt(sign(&receipt_of_sale(), &key(), None));
    assert_eq!(
        by_jws(&one["info"]["receipt"], &keys()),
        Ok(receipt_of_sale())
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_member_of_a_statement_counts(
        one in prop::array::uniform4("[a-b]{0,2}"), other in prop::array::uniform4("[a-b]{0,2}"),
        times in prop::array::uniform2(0_u64..1 << 53),
    ) {
        let make = |[network, url, payer, hash]: &[String; 4], at| Receipt::new(network, url, payer, at, hash);
        let (first, second) = (make(&one, times[0]), make(&other, times[1]));
        prop_assert_eq!(first.digest() == second.digest(), first == second);
        let [a, b] = [&one, &other].map(|[network, url, asset, pay_to]| Offer {
            network: network.clone(), asset: asset.clone(), pay_to: pay_to.clone(), ..Offer::new(&asked(), url, 0)
        });
        prop_assert_eq!(a.digest() == b.digest(), a == b);
        prop_assert_eq!(by_jws(&signed(&first), &keys()), Ok(first));
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in any::<String>(), near in "[A-Za-z0-9_-]{0,8}[.]{0,3}[A-Za-z0-9_.-]{0,20}") {
        for text in [text, near] {
            for format in ["jws", "eip712"] {
                let value = json!({ "format": format, "signature": text, "payload": offer() });
                prop_assert!(by_jws::<Offer>(&value, &keys()).is_err());
                prop_assert!(by_typed_data::<Offer>(&value).is_err());
            }
        }
    }
}
