//! A quote holds for its call and its terms, until its end.

use proptest::prelude::*;
use serde_json::json;

use super::*;

const CALL: Call<'_> = Call {
    callee: "translator",
    skill: "fr-en",
    body: &[7; 32],
};

const END: u64 = 1_790_000_300;

fn key() -> QuoteKey {
    QuoteKey::new(&[1; 32])
}

fn offer() -> PaymentRequirements {
    serde_json::from_value(json!({
        "scheme": "exact", "network": "eip155:84532", "amount": "10000",
        "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C", "maxTimeoutSeconds": 60,
        "extra": { "name": "USDC", "version": "2" },
    }))
    .expect("sound")
}

fn quoted() -> PaymentRequirements {
    key().quoted(offer(), CALL, END)
}

fn checked(accepted: &PaymentRequirements) -> Result<(), QuoteError> {
    key().check(accepted, CALL, END - 1)
}

fn with(pointer: &str, to: Value) -> PaymentRequirements {
    let mut value = serde_json::to_value(quoted()).expect("JSON");
    let (above, name) = pointer.rsplit_once('/').expect("a pointer");
    value.pointer_mut(above).expect("a place")[name] = to;
    serde_json::from_value(value).expect("an offer")
}

#[test]
fn a_quote_holds_for_its_call_until_its_end() {
    let accepted = quoted();
    assert_eq!(key().check(&accepted, CALL, 0), Ok(()));
    assert_eq!(key().check(&accepted, CALL, END - 1), Ok(()));
    assert_eq!(key().check(&accepted, CALL, END), Err(QuoteError::Expired));
    let mut bare = accepted.clone();
    bare.extra.as_mut().expect("there").remove(QUOTE);
    assert_eq!(bare, offer());
}

#[test]
fn a_quote_for_another_call_is_refused() {
    for call in [
        Call {
            callee: "other",
            ..CALL
        },
        Call { skill: "", ..CALL },
        Call {
            body: &[8; 32],
            ..CALL
        },
        // The same letters, divided otherwise.
        Call {
            callee: "translatorf",
            skill: "r-en",
            ..CALL
        },
    ] {
        assert_eq!(key().check(&quoted(), call, 0), Err(QuoteError::Seal));
    }
}

#[test]
fn a_quote_for_other_terms_or_by_somebody_else_is_refused() {
    let other = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";
    for (place, to) in [
        ("/scheme", json!("upto")),
        ("/network", json!("eip155:8453")),
        ("/amount", json!("1")),
        ("/asset", json!(other)),
        ("/payTo", json!(other)),
        ("/maxTimeoutSeconds", json!(61)),
        ("/extra/name", json!("USD Coin")),
        ("/extra/more", json!(1)),
        ("/more", json!(1)),
    ] {
        assert_eq!(checked(&with(place, to)), Err(QuoteError::Seal), "{place}");
    }
    let stranger = QuoteKey::new(&[2; 32]).quoted(offer(), CALL, END);
    assert_eq!(checked(&stranger), Err(QuoteError::Seal));
}

#[test]
fn the_end_of_a_quote_cannot_be_moved() {
    let text = quoted().extra.expect("there")[QUOTE]
        .as_str()
        .expect("a text")
        .to_owned();
    let (end, seal) = text.split_once('.').expect("two parts");
    assert_eq!(end, END.to_string());
    let later = with("/extra/quote", json!(format!("{}.{seal}", END + 1)));
    assert_eq!(checked(&later), Err(QuoteError::Seal));
    let odd = [
        json!(null),
        json!(1),
        json!(""),
        json!(seal),
        json!(format!(".{seal}")),
        json!(format!("+{text}")),
        json!(format!("{END}.")),
        json!(format!("{END}.%")),
        json!(format!("{text}=")),
    ];
    for text in odd {
        let refused = checked(&with("/extra/quote", text.clone()));
        let missing = text != json!(format!("{END}."));
        assert_eq!(
            refused,
            Err(if missing {
                QuoteError::Missing
            } else {
                QuoteError::Seal
            }),
            "{text}"
        );
    }
    let cut = with("/extra/quote", json!(format!("{END}.{}", &seal[..40])));
    assert_eq!(checked(&cut), Err(QuoteError::Seal));
    let mut bare = offer();
    assert_eq!(checked(&bare), Err(QuoteError::Missing));
    bare.extra = None;
    assert_eq!(checked(&bare), Err(QuoteError::Missing));
}

#[test]
fn the_case_of_addresses_and_the_order_of_members_say_nothing() {
    let accepted = quoted();
    for place in ["asset", "payTo"] {
        let value = serde_json::to_value(&accepted).expect("JSON");
        let lower = value[place].as_str().expect("a text").to_lowercase();
        assert_eq!(checked(&with(&format!("/{place}"), json!(lower))), Ok(()));
    }
    let quote = &accepted.extra.as_ref().expect("there")[QUOTE];
    let turned = json!({ "quote": quote, "version": "2", "name": "USDC" });
    assert_eq!(checked(&with("/extra", turned)), Ok(()));
    assert_eq!(key().quoted(accepted.clone(), CALL, END), accepted);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_quote_holds_for_nothing_else(
        callee in "[ab]{0,3}", skill in "[ab]{0,3}", body in prop::array::uniform32(0_u8..2), end: u64, now: u64,
        other_callee in "[ab]{0,3}", other_skill in "[ab]{0,3}",
    ) {
        let call = Call { callee: &callee, skill: &skill, body: &body };
        let accepted = key().quoted(offer(), call, end);
        let wanted = if now < end { Ok(()) } else { Err(QuoteError::Expired) };
        prop_assert_eq!(key().check(&accepted, call, now), wanted);
        let other = Call { callee: &other_callee, skill: &other_skill, body: &body };
        prop_assert_eq!(key().check(&accepted, other, now) == Err(QuoteError::Seal), call != other);
    }

    #[test]
    fn no_text_of_a_quote_panics(text in any::<String>(), near in "[0-9]{0,22}[.]{0,2}[A-Za-z0-9_-]{0,50}") {
        for text in [text, near] {
            prop_assert!(checked(&with("/extra/quote", json!(text))).is_err());
        }
    }
}
