//! What is written can be read and says the same; what is doubtful is refused.

mod properties;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::json;

use super::*;
use crate::json::JsonErrorKind;

fn offer() -> Value {
    json!({
        "scheme": "exact", "network": "eip155:84532", "amount": "10000",
        "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
        "maxTimeoutSeconds": 60, "extra": { "name": "USDC", "version": "2" },
    })
}

fn required() -> Value {
    json!({
        "x402Version": 2, "error": "PAYMENT-SIGNATURE header is required",
        "resource": { "url": "https://api.example.com/a", "description": "A", "mimeType": "application/json", "tags": ["x"] },
        "accepts": [offer()], "extensions": { "bazaar": { "info": {}, "schema": {} } }, "later": [1],
    })
}

fn payment_v2() -> Value {
    json!({ "x402Version": 2, "accepted": offer(), "payload": { "signature": "0x", "authorization": {} } })
}

fn payment_v1() -> Value {
    json!({ "x402Version": 1, "scheme": "exact", "network": "base-sepolia", "payload": { "signature": "0x" } })
}

fn in_base64(text: &str) -> String {
    STANDARD.encode(text)
}

fn changed(mut value: Value, pointer: &str, to: Value) -> Value {
    *value.pointer_mut(pointer).expect("a place") = to;
    value
}

#[test]
fn a_402_of_version_2_comes_back_with_all_that_is_not_known() {
    let read = PaymentRequired::from_value(required()).expect("sound");
    assert_eq!(read.accepts[0].amount.as_str(), "10000");
    assert_eq!(read.unknown["later"], json!([1]));
    assert_eq!(read.resource.unknown["tags"], json!(["x"]));
    assert_eq!(serde_json::to_value(&read).expect("JSON"), required());
    assert_eq!(PaymentRequired::from_header(&read.to_header()), Ok(read));
}

#[test]
fn the_same_402_speaks_version_1() {
    let read = PaymentRequired::from_value(required()).expect("sound");
    assert_eq!(
        read.to_v1().to_value(),
        json!({
            "x402Version": 1, "error": "PAYMENT-SIGNATURE header is required",
            "accepts": [{
                "scheme": "exact", "network": "base-sepolia", "maxAmountRequired": "10000",
                "resource": "https://api.example.com/a", "description": "A", "mimeType": "application/json",
                "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C", "maxTimeoutSeconds": 60,
                "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e", "extra": { "name": "USDC", "version": "2" },
            }],
        })
    );
}

#[test]
fn offers_without_a_name_in_version_1_are_left_out_there() {
    let mut both = required();
    let nameless = changed(offer(), "/network", json!("eip155:1"));
    both["accepts"] = json!([nameless, offer()]);
    let mut read = PaymentRequired::from_value(both).expect("sound");
    let old = read.to_v1();
    assert_eq!(old.accepts.len(), 1);
    assert_eq!(old.accepts[0].network, "base-sepolia");
    assert_eq!(old.accepts[0].to_v2(), Some(read.accepts[1].clone()));
    read.accepts.truncate(1);
    assert_eq!(read.to_v1().to_value()["accepts"], json!([]));
}

#[test]
fn a_402_of_version_1_is_read_as_clients_get_it() {
    let read = PaymentRequired::from_value(required()).expect("sound");
    let mut body = read.to_v1().to_value();
    body["accepts"][0]["outputSchema"] = json!({ "input": { "type": "http" } });
    let old = v1::PaymentRequired::from_body(body.to_string().as_bytes()).expect("sound");
    assert_eq!(old.to_value(), body);
    for lean in ["description", "mimeType", "extra"] {
        body["accepts"][0]
            .as_object_mut()
            .expect("an object")
            .remove(lean);
    }
    assert!(v1::PaymentRequired::from_body(body.to_string().as_bytes()).is_ok());
    let other = v1::PaymentRequired::from_body(required().to_string().as_bytes());
    assert_eq!(other, Err(WireError::Version));
    assert_eq!(PaymentRequired::from_value(body), Err(WireError::Version));
}

#[test]
fn a_payment_is_told_by_its_version() {
    for (value, version, network) in [
        (payment_v2(), Version::V2, "eip155:84532"),
        (payment_v1(), Version::V1, "base-sepolia"),
    ] {
        let payment = PaymentPayload::from_header(&in_base64(&value.to_string())).expect("sound");
        assert_eq!(payment.version(), version);
        assert_eq!((payment.scheme(), payment.network()), ("exact", network));
        assert_eq!(payment.inner()["signature"], "0x");
        assert_eq!(payment.to_value(), value);
        assert_eq!(
            PaymentPayload::from_header(&payment.to_header()),
            Ok(payment)
        );
    }
}

#[test]
fn a_payment_of_no_or_another_version_is_refused() {
    for version in [
        json!(0),
        json!(3),
        json!("2"),
        json!(2.0),
        json!(null),
        json!(-1),
    ] {
        let value = changed(payment_v2(), "/x402Version", version.clone());
        assert_eq!(
            PaymentPayload::from_value(value),
            Err(WireError::Version),
            "{version}"
        );
    }
    for value in [json!({}), json!([]), json!("x"), json!(null)] {
        assert_eq!(PaymentPayload::from_value(value), Err(WireError::Version));
    }
    // The one's members under the other's number.
    for (value, number) in [(payment_v2(), 1), (payment_v1(), 2)] {
        let value = changed(value, "/x402Version", json!(number));
        assert!(matches!(
            PaymentPayload::from_value(value),
            Err(WireError::Shape(_))
        ));
    }
}

#[test]
fn base64_has_one_form() {
    let good = in_base64(&payment_v1().to_string());
    assert!(PaymentPayload::from_header(&good).is_ok());
    let padded = good.trim_end_matches('=').to_owned();
    assert_ne!(padded, good, "the sample must need padding");
    for text in [
        padded.clone(),
        format!("{padded}=="),
        format!(" {good}"),
        format!("{good}\n"),
        good.replacen(&good[4..5], "-", 1),
        format!("{}\n{}", &good[..8], &good[8..]),
        payment_v1().to_string(),
    ] {
        if text != good {
            assert_eq!(
                PaymentPayload::from_header(&text),
                Err(WireError::Base64),
                "{text}"
            );
        }
    }
    // "e30=" is {}; the next letter has the same bits but for those that are cut off.
    assert_eq!(PaymentPayload::from_header("e30="), Err(WireError::Version));
    assert_eq!(PaymentPayload::from_header("e31="), Err(WireError::Base64));
}

#[test]
fn long_headers_are_not_looked_at() {
    let empty = "e30=".len();
    let spaces = |letters: usize| in_base64(&format!("{{}}{}", " ".repeat(letters / 4 * 3 - 2)));
    assert_eq!(spaces(MAX_HEADER).len(), MAX_HEADER);
    assert!(empty < MAX_HEADER);
    assert_eq!(
        PaymentPayload::from_header(&spaces(MAX_HEADER)),
        Err(WireError::Version)
    );
    let longer = spaces(MAX_HEADER + 4);
    assert_eq!(
        PaymentPayload::from_header(&longer),
        Err(WireError::TooLong)
    );
}

#[test]
fn a_member_that_occurs_twice_is_refused_at_any_depth() {
    let text = payment_v2().to_string();
    let twice = text.replace(
        "\"amount\":\"10000\"",
        "\"amount\":\"1\",\"amount\":\"10000\"",
    );
    assert_ne!(twice, text);
    assert_eq!(
        PaymentPayload::from_header(&in_base64(&twice)),
        Err(WireError::Duplicate("/accepted/amount".into()))
    );
    let escaped = text.replace("\"payload\":", "\"payloa\\u0064\":{},\"payload\":");
    assert_eq!(
        PaymentPayload::from_header(&in_base64(&escaped)),
        Err(WireError::Duplicate("/payload".into()))
    );
    for body in [
        r#"{"success":false,"success":true}"#,
        r#"{"isValid":false,"isValid":true}"#,
    ] {
        assert!(matches!(
            SettleResponse::from_body(body.as_bytes()),
            Err(WireError::Duplicate(_))
        ));
        assert!(matches!(
            VerifyResponse::from_body(body.as_bytes()),
            Err(WireError::Duplicate(_))
        ));
        assert!(matches!(
            VerifyRequest::from_body(body.as_bytes()),
            Err(WireError::Duplicate(_))
        ));
        assert!(matches!(
            v1::PaymentRequired::from_body(body.as_bytes()),
            Err(WireError::Duplicate(_))
        ));
    }
}

#[test]
fn what_is_no_json_is_refused_with_its_kind() {
    let kind = |bytes: &[u8]| match PaymentPayload::from_header(&STANDARD.encode(bytes)) {
        Err(WireError::Json(error)) => Some(error.kind),
        _ => None,
    };
    assert_eq!(kind(b""), Some(JsonErrorKind::Empty));
    assert_eq!(kind(b"{\xff}"), Some(JsonErrorKind::NotUtf8));
    assert_eq!(kind(b"{}{}"), Some(JsonErrorKind::Trailing));
    assert_eq!(
        kind("[".repeat(70).as_bytes()),
        Some(JsonErrorKind::TooDeep)
    );
}

#[test]
fn amounts_are_plain_decimal_text() {
    let most = "9".repeat(MAX_DIGITS);
    for good in ["0", "1", "10000", most.as_str()] {
        let value = changed(required(), "/accepts/0/amount", json!(good));
        assert!(PaymentRequired::from_value(value).is_ok(), "{good}");
    }
    let longer = "9".repeat(MAX_DIGITS + 1);
    for bad in [
        "",
        "01",
        "00",
        "+1",
        "-1",
        "1.0",
        "1e3",
        "0x10",
        " 1",
        "1 ",
        "١",
        longer.as_str(),
    ] {
        let value = changed(required(), "/accepts/0/amount", json!(bad));
        assert!(
            matches!(PaymentRequired::from_value(value), Err(WireError::Shape(_))),
            "{bad:?}"
        );
    }
    let value = changed(required(), "/accepts/0/amount", json!(10000));
    assert!(PaymentRequired::from_value(value).is_err());
}

#[test]
fn numbers_of_78_digits_may_be_beyond_256_bits() {
    let value = |text: &str| text.parse::<Uint>().expect("digits").value();
    let largest = alloy_primitives::U256::MAX;
    assert_eq!(value(&largest.to_string()), Some(largest));
    assert_eq!(largest.to_string().len(), MAX_DIGITS);
    let beyond = "115792089237316195423570985008687907853269984665640564039457584007913129639936";
    assert_eq!(value(beyond), None);
    assert_eq!(value(&"9".repeat(MAX_DIGITS)), None);
}

#[test]
fn a_settlement_tells_its_network_and_payer_also_when_it_failed() {
    let answer = json!({
        "success": false, "errorReason": "insufficient_funds", "transaction": "",
        "network": "eip155:84532", "payer": "0x857b06519E91e3A54538791bDbb0E22373e36b66", "extra": { "a": 1 },
    });
    let read = SettleResponse::from_body(answer.to_string().as_bytes()).expect("sound");
    assert_eq!(
        SettleResponse::from_header(&read.to_header()),
        Ok(read.clone())
    );
    assert_eq!(serde_json::to_value(&read).expect("JSON"), answer);
    for missing in ["success", "network", "transaction"] {
        let mut less = answer.clone();
        less.as_object_mut().expect("an object").remove(missing);
        assert!(
            SettleResponse::from_body(less.to_string().as_bytes()).is_err(),
            "{missing}"
        );
    }
    // "true" is no truth.
    let text = changed(answer, "/success", json!("true")).to_string();
    assert!(SettleResponse::from_body(text.as_bytes()).is_err());
}

#[test]
fn a_facilitator_is_asked_in_the_version_of_the_payment() {
    let required = PaymentRequired::from_value(required()).expect("sound");
    let (offer, resource) = (&required.accepts[0], &required.resource);
    for (value, amount) in [
        (payment_v2(), "amount"),
        (payment_v1(), "maxAmountRequired"),
    ] {
        let payment = PaymentPayload::from_value(value.clone()).expect("sound");
        let request = VerifyRequest::new(&payment, offer, resource).expect("both have the network");
        let body = serde_json::to_value(&request).expect("JSON");
        assert_eq!(body["x402Version"], value["x402Version"]);
        assert_eq!(body["paymentPayload"], value);
        assert_eq!(body["paymentRequirements"][amount], "10000");
        let again = VerifyRequest::from_body(body.to_string().as_bytes()).expect("sound");
        assert_eq!(again.parts(), Some((payment, offer.clone())));
        assert_eq!(again, request);
        // The payment's version must be the body's.
        let number = 3 - value["x402Version"].as_u64().expect("a number");
        let mixed = changed(body, "/paymentPayload/x402Version", json!(number));
        assert!(VerifyRequest::from_body(mixed.to_string().as_bytes()).is_err());
    }
    let nameless = PaymentRequirements {
        network: "eip155:1".into(),
        ..offer.clone()
    };
    let payment = PaymentPayload::from_value(payment_v1()).expect("sound");
    assert_eq!(VerifyRequest::new(&payment, &nameless, resource), None);
}

#[test]
fn a_verdict_is_read_as_it_was_written() {
    for verdict in [
        VerifyResponse::valid("0x857b06519E91e3A54538791bDbb0E22373e36b66"),
        VerifyResponse::invalid("insufficient_funds", "too poor".into(), None),
    ] {
        let body = serde_json::to_vec(&verdict).expect("JSON");
        assert_eq!(VerifyResponse::from_body(&body), Ok(verdict));
    }
}

#[test]
fn reasons_do_not_carry_the_senders_text_without_end() {
    let value = changed(payment_v1(), "/scheme", json!(null));
    assert!(PaymentPayload::from_value(value).is_err());
    let value = changed(payment_v1(), "/payload", json!("x".repeat(5000)));
    let Err(WireError::Shape(reason)) = PaymentPayload::from_value(value) else {
        panic!("a text is no payload");
    };
    assert!(reason.chars().count() <= MAX_REASON);
}

#[test]
fn the_402_of_somebody_else_is_its_header_and_without_one_the_body() {
    let required = PaymentRequired::from_value(required()).expect("sound");
    let body = required.to_v1().to_value().to_string();
    let asked = |header: Option<&str>, body: &str| Asked::from_answer(header, body.as_bytes());
    let new = Asked::V2(Box::new(required.clone()));
    assert_eq!(asked(Some(&required.to_header()), &body), Ok(new.clone()));
    let old = asked(None, &body).expect("sound");
    assert_eq!(
        (old.version(), old.offers()),
        (Version::V1, required.accepts.clone())
    );
    // A bad header is not made up for by the body, nor a body of version 2 by no header.
    assert_eq!(asked(Some("?"), &body), Err(WireError::Base64));
    let text = serde_json::to_string(&required).expect("JSON");
    assert_eq!(asked(None, &text), Err(WireError::Version));
    for asked in [old, new] {
        let text = serde_json::to_vec(&asked).expect("JSON");
        assert_eq!(Asked::from_text(&text), Ok(asked));
    }
    let twice = br#"{"x402Version":1,"accepts":[],"accepts":[]}"#;
    assert_eq!(
        Asked::from_text(twice),
        Err(WireError::Duplicate("/accepts".into()))
    );
}
