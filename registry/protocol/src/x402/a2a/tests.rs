//! What is asked and paid in the band comes through, and what is doubtful is refused.

use std::collections::HashSet;

use serde_json::json;

use super::*;
use crate::x402::{eip3009::SignatureError, exact::Refusal};

fn seller() -> PaymentRequired {
    PaymentRequired::from_value(json!({
        "x402Version": 2, "resource": { "url": "https://agents.example.com/a" },
        "accepts": [{
            "scheme": "exact", "network": "eip155:8453", "amount": "5",
            "asset": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
            "payTo": "0x209693Bc6afc0C5328bA36FaF03C514EF312287C", "maxTimeoutSeconds": 60,
            "extra": { "name": "USD Coin", "version": "2" },
        }],
    }))
    .expect("sound")
}

fn payment(version: Version) -> PaymentPayload {
    let offer = serde_json::to_value(&seller().accepts[0]).expect("JSON");
    PaymentPayload::from_value(match version {
        Version::V1 => {
            json!({ "x402Version": 1, "scheme": "exact", "network": "base", "payload": {} })
        }
        Version::V2 => json!({ "x402Version": 2, "accepted": offer, "payload": {} }),
    })
    .expect("sound")
}

fn settlement(success: bool) -> SettleResponse {
    let value = json!({ "success": success, "transaction": "0xab", "network": "eip155:8453", "payer": "0x1" });
    serde_json::from_value(value).expect("sound")
}

fn bag(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

#[test]
fn a_task_asks_for_its_payment_in_either_version() {
    for (version, network, amount) in [
        (Version::V2, "eip155:8453", "amount"),
        (Version::V1, "base", "maxAmountRequired"),
    ] {
        let metadata = payment_required(&seller(), version).expect("base has both names");
        assert_eq!(metadata["x402.payment.status"], "payment-required");
        let required = &metadata["x402.payment.required"];
        assert_eq!(required["x402Version"], version.number());
        assert_eq!(required["accepts"][0]["network"], network);
        assert_eq!(required["accepts"][0][amount], "5");
        assert_eq!(metadata.len(), 2);
        let read = asked(&metadata).expect("sound").expect("it asks");
        assert_eq!(read.version(), version);
        assert_eq!(read.offers(), seller().accepts);
        // A payer's reader does not take it for a payment.
        assert_eq!(turn(&metadata), Err(TurnError::Status));
    }
}

#[test]
fn nothing_is_asked_where_nothing_can_be_said() {
    let mut nameless = seller();
    nameless.accepts[0].network = "eip155:1".into();
    assert_eq!(payment_required(&nameless, Version::V1), None);
    assert!(payment_required(&nameless, Version::V2).is_some());
    nameless.accepts.clear();
    assert_eq!(payment_required(&nameless, Version::V2), None);
}

#[test]
fn a_payment_in_a_message_is_read_in_its_own_version() {
    for version in [Version::V1, Version::V2] {
        let payment = payment(version);
        let mut metadata = payment_submitted(&payment);
        assert_eq!(metadata["x402.payment.status"], "payment-submitted");
        metadata.insert("skill".into(), json!("s"));
        assert_eq!(turn(&metadata), Ok(Some(Turn::Submitted(payment))));
    }
}

#[test]
fn a_message_that_is_not_about_payment_is_none_of_ours() {
    assert_eq!(turn(&Map::new()), Ok(None));
    assert_eq!(
        turn(&bag(json!({ "skill": "s", "x402.payment": 1 }))),
        Ok(None)
    );
}

#[test]
fn a_payer_may_say_no() {
    let metadata = bag(json!({ "x402.payment.status": "payment-rejected" }));
    assert_eq!(turn(&metadata), Ok(Some(Turn::Rejected)));
}

#[test]
fn a_payment_without_its_status_or_a_status_without_its_payment_is_refused() {
    let submitted = payment_submitted(&payment(Version::V2));
    let mut bare = submitted.clone();
    bare.remove(STATUS);
    assert_eq!(turn(&bare), Err(TurnError::Status));
    for status in [
        "payment-required",
        "payment-verified",
        "payment-completed",
        "payment-failed",
        "paid",
        "",
    ] {
        let mut other = submitted.clone();
        other.insert(STATUS.into(), json!(status));
        assert_eq!(turn(&other), Err(TurnError::Status), "{status}");
    }
    for status in [json!(null), json!(1), json!(["payment-submitted"])] {
        let mut other = submitted.clone();
        other.insert(STATUS.into(), status);
        assert_eq!(turn(&other), Err(TurnError::Status));
    }
    let mut empty = submitted.clone();
    empty.remove(PAYLOAD);
    assert_eq!(turn(&empty), Err(TurnError::Missing));
    for payload in [
        json!(null),
        json!("e30="),
        json!({}),
        json!({ "x402Version": 3 }),
    ] {
        let mut other = submitted.clone();
        other.insert(PAYLOAD.into(), payload);
        assert_eq!(turn(&other), Err(TurnError::Payload(WireError::Version)));
    }
    let mut other = submitted;
    other.insert(PAYLOAD.into(), json!({ "x402Version": 2 }));
    assert!(matches!(
        turn(&other),
        Err(TurnError::Payload(WireError::Shape(_)))
    ));
}

#[test]
fn the_end_tells_every_attempt() {
    let attempts = [settlement(false), settlement(true)];
    let done = payment_completed(&attempts);
    assert_eq!(Status::of(&done), Some(Status::Completed));
    assert_eq!(receipts(&done), attempts);
    assert!(!done.contains_key(ERROR));
    let failed = payment_failed(Failure::SettlementFailed.as_str(), &attempts[..1]);
    assert_eq!(Status::of(&failed), Some(Status::Failed));
    assert_eq!(failed["x402.payment.error"], "SETTLEMENT_FAILED");
    assert_eq!(receipts(&failed), attempts[..1]);
    assert_eq!(Status::of(&payment_verified()), Some(Status::Verified));
}

#[test]
fn receipts_of_others_are_read_as_far_as_they_are_some() {
    let good = serde_json::to_value(settlement(true)).expect("JSON");
    let metadata = bag(json!({ "x402.payment.receipts": [1, good, { "success": true }] }));
    assert_eq!(receipts(&metadata), [settlement(true)]);
    for odd in [
        json!({}),
        json!({ "x402.payment.receipts": {} }),
        json!({ "x402.payment.receipts": null }),
    ] {
        assert_eq!(receipts(&bag(odd)), []);
    }
}

#[test]
fn a_seller_that_asks_without_an_offer_is_not_followed() {
    assert_eq!(asked(&Map::new()), Ok(None));
    let metadata = bag(json!({ "x402.payment.status": "payment-required" }));
    assert_eq!(asked(&metadata), Err(WireError::Version));
    let other =
        bag(json!({ "x402.payment.status": "payment-completed", "x402.payment.required": {} }));
    assert_eq!(asked(&other), Ok(None));
}

#[test]
fn every_status_has_one_text() {
    for (status, text) in STATUSES {
        assert_eq!(Status::from_text(text), Some(status));
        assert_eq!(status.as_str(), text);
        assert!(text.starts_with("payment-"));
    }
    let texts: HashSet<_> = STATUSES.iter().map(|(_, text)| text).collect();
    assert_eq!(texts.len(), STATUSES.len());
}

#[test]
fn errors_are_the_extensions_codes_where_it_has_one() {
    for (refusal, error) in [
        (Refusal::Value, "INVALID_AMOUNT"),
        (Refusal::Signer, "INVALID_SIGNATURE"),
        (
            Refusal::SignatureForm(SignatureError::HighS),
            "INVALID_SIGNATURE",
        ),
        (Refusal::Expired, "EXPIRED_PAYMENT"),
        (Refusal::ExpiresTooSoon, "EXPIRED_PAYMENT"),
        (Refusal::Network, "NETWORK_MISMATCH"),
        (Refusal::Payload, "invalid_payload"),
        (
            Refusal::ExpiresTooLate,
            "invalid_exact_evm_payload_authorization_valid_before",
        ),
    ] {
        assert_eq!(error_of(refusal, Version::V2), error);
    }
}
