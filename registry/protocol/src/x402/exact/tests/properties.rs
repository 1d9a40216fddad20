//! Only the price, to the payee, in time, signed by the payer: for any numbers.

use proptest::prelude::*;
use serde_json::Map;

use super::*;

fn near(number: u64) -> impl Strategy<Value = u64> {
    prop_oneof![4 => (0_u64..130).prop_map(move |by| number + by - 65), 1 => Just(number), 1 => any::<u64>()]
}

fn small_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "0x[0-9a-f]{0,130}".prop_map(Value::from),
        "[0-9]{0,80}".prop_map(Value::from),
    ];
    let names = prop_oneof![
        Just("signature"),
        Just("authorization"),
        Just("from"),
        Just("to"),
        Just("value"),
        Just("validAfter"),
        Just("validBefore"),
        Just("nonce"),
    ];
    leaf.prop_recursive(3, 24, 8, move |inner| {
        prop::collection::btree_map(names.clone().prop_map(str::to_owned), inner, 0..8)
            .prop_map(|map| Value::Object(map.into_iter().collect()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_taken_keeps_every_rule(
        value in near(10_000), after in near(NOW), before in near(NOW + 60), chain in near(NOW),
        right in any::<bool>(), own in any::<bool>(),
    ) {
        let authorization = Authorization {
            to: if right { authorization().to } else { Address::repeat_byte(7) },
            value: U256::from(value), valid_after: U256::from(after), valid_before: U256::from(before),
            ..authorization()
        };
        let key = if own { key() } else { SigningKey::from_slice(&[3; 32]).expect("a scalar") };
        let inner = write(&authorization, &signed(&authorization, &key));
        let clock = Clock { wall: NOW, chain };
        let good = own && right && value == 10_000 && after <= NOW && before > chain
            && (NOW + 45..=NOW + 3600).contains(&before);
        for payment in carrying(&inner.into()) {
            let judged = verify(&offer(), &payment, clock, BUDGET);
            prop_assert_eq!(judged.is_ok(), good, "{:?}", judged);
        }
    }

    #[test]
    fn what_a_payer_writes_is_read_the_same(
        parties: [[u8; 20]; 2], numbers: [[u8; 32]; 3], nonce: [u8; 32], signature: [u8; 64], odd: bool,
    ) {
        let [value, valid_after, valid_before] = numbers.map(U256::from_be_bytes);
        let authorization = Authorization {
            from: parties[0].into(), to: parties[1].into(), value, valid_after, valid_before, nonce: nonce.into(),
        };
        let signature = Signature {
            r: B256::from_slice(&signature[..32]), s: B256::from_slice(&signature[32..]), odd_y: odd,
        };
        let inner = write(&authorization, &signature);
        prop_assert_eq!(payload::read(&inner), Ok((authorization, signature.to_bytes().to_vec())));
    }

    #[test]
    fn no_inner_part_makes_it_panic(value in small_json(), extra in small_json()) {
        let inner = value.as_object().cloned().unwrap_or_default();
        let _ = claimed_payer(&inner);
        for payment in carrying(&Value::Object(inner)) {
            prop_assert!(judged(&payment).is_err());
        }
        let extra: Option<Map<_, _>> = extra.as_object().cloned();
        let _ = Terms::read(&PaymentRequirements { extra, ..offer() });
    }
}
