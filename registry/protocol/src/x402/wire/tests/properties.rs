//! There and back gives the same; no text makes a reader panic.

use proptest::prelude::*;
use serde_json::Map;

use super::*;

fn small_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            bag(inner).prop_map(Value::Object),
        ]
    })
}

fn bag(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::btree_map("[a-z]{1,5}", inner, 0..3).prop_map(|map| map.into_iter().collect())
}

/// Names that no object of either version has.
fn unknown() -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::btree_map("y[A-Z]{1,4}", small_json(), 0..3)
        .prop_map(|map| map.into_iter().collect())
}

fn uint() -> impl Strategy<Value = Uint> {
    "(0|[1-9][0-9]{0,77})".prop_map(|text| text.parse().expect("digits"))
}

fn network() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("eip155:8453".to_owned()),
        Just("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp".to_owned()),
        any::<u64>().prop_map(|chain| format!("eip155:{chain}")),
        any::<String>(),
    ]
}

prop_compose! {
    fn offers()(
        (scheme, network, amount) in (any::<String>(), network(), uint()),
        (asset, pay_to, max_timeout_seconds) in any::<(String, String, u64)>(),
        extra in prop::option::of(bag(small_json())),
        unknown in unknown(),
    ) -> PaymentRequirements {
        PaymentRequirements { scheme, network, amount, asset, pay_to, max_timeout_seconds, extra, unknown }
    }
}

prop_compose! {
    fn resources()(
        (url, description, mime_type) in any::<(String, Option<String>, Option<String>)>(),
        unknown in unknown(),
    ) -> Resource {
        Resource { url, description, mime_type, unknown }
    }
}

prop_compose! {
    fn requireds()(
        error in any::<Option<String>>(), resource in resources(),
        accepts in prop::collection::vec(offers(), 0..3),
        extensions in prop::option::of(bag(small_json())), unknown in unknown(),
    ) -> PaymentRequired {
        PaymentRequired { version: Stamp, error, resource, accepts, extensions, unknown }
    }
}

fn payments() -> impl Strategy<Value = PaymentPayload> {
    let old = (any::<String>(), network(), bag(small_json()), unknown()).prop_map(
        |(scheme, network, payload, unknown)| {
            PaymentPayload::V1(v1::PaymentPayload {
                version: Stamp,
                scheme,
                network,
                payload,
                unknown,
            })
        },
    );
    let new = (
        prop::option::of(resources()),
        offers(),
        bag(small_json()),
        prop::option::of(bag(small_json())),
        unknown(),
    )
        .prop_map(|(resource, accepted, payload, extensions, unknown)| {
            PaymentPayload::V2(Box::new(PaymentPayloadV2 {
                version: Stamp,
                resource,
                accepted,
                payload,
                extensions,
                unknown,
            }))
        });
    prop_oneof![old, new]
}

prop_compose! {
    fn settlements()(
        (success, error_reason, error_message) in any::<(bool, Option<String>, Option<String>)>(),
        (transaction, network, payer, amount) in any::<(String, String, Option<String>, Option<String>)>(),
        unknown in unknown(),
    ) -> SettleResponse {
        SettleResponse { success, error_reason, error_message, transaction, network, payer, amount, unknown }
    }
}

/// A header shorter than what is read at all.
fn fits(header: &str) -> bool {
    header.len() <= MAX_HEADER
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_402_comes_back_from_both_of_its_forms(required in requireds()) {
        let header = required.to_header();
        prop_assume!(fits(&header));
        prop_assert_eq!(PaymentRequired::from_header(&header), Ok(required.clone()));
        let old = required.to_v1();
        let body = old.to_value().to_string();
        prop_assert_eq!(v1::PaymentRequired::from_body(body.as_bytes()), Ok(old.clone()));
        // What version 1 can say of an offer leads back to it, and nothing is left out that it can say.
        let back: Vec<_> = old.accepts.iter().filter_map(v1::PaymentRequirements::to_v2).collect();
        let named: Vec<_> = required.accepts.into_iter()
            .filter(|offer| crate::x402::network::v1_name(&offer.network).is_some()).collect();
        prop_assert_eq!(back, named);
    }

    #[test]
    fn a_payment_comes_back_from_its_header(payment in payments()) {
        let header = payment.to_header();
        prop_assume!(fits(&header));
        prop_assert_eq!(PaymentPayload::from_header(&header), Ok(payment.clone()));
        prop_assert_eq!(PaymentPayload::from_value(payment.to_value()), Ok(payment));
    }

    #[test]
    fn a_question_to_a_facilitator_comes_back(payment in payments(), offer in offers(), resource in resources()) {
        if let Some(request) = VerifyRequest::new(&payment, &offer, &resource) {
            let body = serde_json::to_vec(&request).expect("JSON");
            prop_assert_eq!(VerifyRequest::from_body(&body), Ok(request.clone()));
            prop_assert_eq!(request.parts(), Some((payment, offer)));
        }
    }

    #[test]
    fn a_settlement_comes_back_from_its_header(settlement in settlements()) {
        prop_assert_eq!(SettleResponse::from_header(&settlement.to_header()), Ok(settlement));
    }

    #[test]
    fn no_text_makes_a_reader_panic(
        text in any::<String>(), bytes in prop::collection::vec(any::<u8>(), 0..60), value in small_json(),
        version in prop_oneof![Just(json!(1)), Just(json!(2)), small_json()],
    ) {
        for header in [text, STANDARD.encode(&bytes)] {
            let _ = (PaymentPayload::from_header(&header), PaymentRequired::from_header(&header));
            let _ = SettleResponse::from_header(&header);
        }
        let mut value = value;
        if let Some(members) = value.as_object_mut() {
            members.insert("x402Version".into(), version);
        }
        let body = value.to_string();
        let _ = (VerifyRequest::from_body(body.as_bytes()), VerifyResponse::from_body(&bytes));
        if let Ok(payment) = PaymentPayload::from_value(value) {
            prop_assert_eq!(PaymentPayload::from_value(payment.to_value()), Ok(payment));
        }
    }
}
