//! The cases that the directory surface names.

use super::super::{Compiled, Outcome, Source, check, parse_rates};
use super::{NOON, RATES, entries, fits, keys, outcome, rates, reasons, refused, suggested};

#[test]
fn d6_a_fifth_key_is_refused_with_its_pointer() {
    let schema = [("length_unit".to_owned(), Some("m".to_owned()))].into();
    let error = Compiled::new(&Source {
        payload_schema: Some(&schema),
        ..Source::default()
    })
    .expect_err("a fifth key");
    assert_eq!(error.pointer, "/payload_schema/length_unit");
    assert_eq!(error.code.as_str(), "unknown_member");
}

#[test]
fn d10_money_is_converted_at_the_loaded_rate() {
    let terms = keys(&[("currency", "USD")]);
    let refusal = refused(&terms, r#"{"amount": 100, "currency": "SGD"}"#);
    let suggestion = refusal.suggested_payload.as_deref();
    assert_eq!(suggestion, Some(r#"{"amount":74.00,"currency":"USD"}"#));
    assert_eq!(
        refusal.mismatches_json(),
        r#"[{"code":"currency_mismatch","pointer":"/amount","field":"currency","dimension":"money","caller_value":"SGD","receiver_expects":"USD","from":{"value":"100","unit":"SGD"},"to":{"value":"74.00","unit":"USD"},"factor":"0.74","rounding":{"scale":2,"rule":"half_even"},"rate":{"rate":"0.74","source":"ECB","as_of":"2026-09-01T12:00:00Z"},"lossless":true,"correction":"/amount: 100 SGD is 74.00 USD at 0.74 (ECB, 2026-09-01T12:00:00Z); send 74.00, and set /currency to \"USD\"."}]"#
    );
    assert_eq!(refusal.rates_digest.as_deref(), Some(rates().digest()));
    let text = suggested(&terms, r#"{"amount": "100", "currency": "SGD"}"#);
    assert_eq!(text, r#"{"amount":"74.00","currency":"USD"}"#);
}

#[test]
fn d11_pounds_become_kilograms_exactly_or_by_the_declared_scale() {
    let payload = r#"{"weight":50,"weight_unit":"lb"}"#;
    let exact = suggested(&keys(&[("weight_unit", "kg")]), payload);
    assert_eq!(exact, r#"{"weight":22.6796185,"weight_unit":"kg"}"#);
    let terms = entries(
        r#"[{"pointer":"/weight","dimension":"mass","unit":"kg","unit_pointer":"/weight_unit","scale":2}]"#,
    );
    assert_eq!(
        suggested(&terms, payload),
        r#"{"weight":22.68,"weight_unit":"kg"}"#
    );
    assert_eq!(refused(&terms, payload).mismatches[0].lossless, Some(false));
}

#[test]
fn d12_a_rate_one_second_too_old_is_stale() {
    let terms = keys(&[("currency", "USD")]);
    let payload = r#"{"amount":100,"currency":"SGD"}"#;
    let at = |now| check(&terms, payload, None, &rates(), now).expect("JSON");
    let last = NOON + 86_400_000;
    let reason = |outcome| match outcome {
        Outcome::Fits => panic!("fits"),
        Outcome::Mismatch(refusal) => (
            refusal.mismatches[0]
                .cannot_convert
                .map(super::super::Reason::as_str),
            refusal.suggested_payload.is_some(),
        ),
    };
    assert_eq!(reason(at(last)), (None, true));
    assert_eq!(reason(at(last + 1_000)), (Some("rate_stale"), false));
}

#[test]
fn d13_another_dimension_and_an_unknown_unit_are_told_apart() {
    let terms = keys(&[("weight_unit", "kg")]);
    let with = |unit: &str| format!(r#"{{"weight":5,"weight_unit":"{unit}"}}"#);
    assert_eq!(reasons(&terms, &with("celsius")), ["dimension_mismatch"]);
    assert_eq!(reasons(&terms, &with("USD")), ["dimension_mismatch"]);
    assert_eq!(reasons(&terms, &with("snarks")), ["unknown_unit"]);
    assert_eq!(reasons(&terms, &with("KG")), ["unknown_unit"]);
    let words = refused(&terms, &with("KG")).explanation;
    assert!(words.contains("do you mean kg"), "{words}");
}

#[test]
fn d14_thirty_pieces_are_no_whole_dozens() {
    let terms = keys(&[("quantity_unit", "dozen")]);
    let with = |count: u32| format!(r#"{{"quantity":{count},"quantity_unit":"each"}}"#);
    assert_eq!(reasons(&terms, &with(30)), ["lossy_quantity"]);
    assert_eq!(
        suggested(&terms, &with(36)),
        r#"{"quantity":3,"quantity_unit":"dozen"}"#
    );
}

#[test]
fn d16_the_same_check_twice_is_the_same_to_the_byte() {
    let terms = keys(&[("currency", "USD"), ("weight_unit", "kg")]);
    let payload = r#"{"items":[{"weight":1,"price":3},{"weight":2,"price":"4"}],"currency":"SGD","unit":"lb"}"#;
    let again = parse_rates(RATES).expect("good");
    let one = refused(&terms, payload).to_json();
    let other = match check(&terms, payload, None, &again, NOON) {
        Ok(Outcome::Mismatch(refusal)) => refusal.to_json(),
        other => panic!("{other:?}"),
    };
    assert_eq!(one, other);
}

#[test]
fn every_reason_of_the_list_occurs() {
    let money = keys(&[("currency", "USD")]);
    let weight = keys(&[("weight_unit", "kg")]);
    let amount = |value: &str, unit: &str| format!(r#"{{"amount":{value},"currency":"{unit}"}}"#);
    assert_eq!(reasons(&money, &amount("1", "CHF")), ["rate_unavailable"]);
    assert_eq!(
        reasons(&money, &amount("\"much\"", "SGD")),
        ["non_numeric_value"]
    );
    assert_eq!(
        reasons(&money, &amount("true", "SGD")),
        ["non_numeric_value"]
    );
    assert_eq!(reasons(&money, r#"{"amount":1}"#), ["missing_unit"]);
    assert_eq!(
        reasons(&money, r#"{"currency":"SGD"}"#),
        ["unsupported_field"]
    );
    assert_eq!(
        reasons(&money, r#"{"amount":1,"currency":7}"#),
        ["unsupported_field"]
    );
    let digits = "1".repeat(39);
    assert_eq!(
        reasons(&money, &amount(&digits, "USD")),
        ["precision_exceeded"]
    );
    let date = keys(&[("date_format", "ISO8601")]);
    assert_eq!(
        reasons(&date, r#"{"due_date":"03/04/2026"}"#),
        ["ambiguous_date"]
    );
    let pallet = keys(&[("quantity_unit", "each")]);
    assert_eq!(
        reasons(&pallet, r#"{"quantity":1,"quantity_unit":"pallet"}"#),
        ["unknown_unit"]
    );
    // A pound is no finite number of kilograms' tenths the other way round.
    let pound = keys(&[("weight_unit", "lb")]);
    assert_eq!(
        reasons(&pound, r#"{"weight":1,"unit":"kg"}"#),
        ["precision_exceeded"]
    );
    assert!(fits(&weight, r#"{"weight":1,"unit":"kg"}"#));
}

#[test]
fn one_unsolved_difference_takes_the_suggestion_away_and_all_are_listed() {
    let terms = keys(&[("currency", "USD"), ("weight_unit", "kg")]);
    let refusal = refused(
        &terms,
        r#"{"amount":100,"currency":"SGD","weight":3,"weight_unit":"snark"}"#,
    );
    assert_eq!(refusal.mismatches.len(), 2);
    assert_eq!(refusal.suggested_payload, None);
    assert!(refusal.to_json().contains(r#""suggested_payload":null"#));
    assert!(refusal.explanation.contains("74.00"));
    assert!(refusal.explanation.contains("snark"));
}

#[test]
fn a_digest_is_accepted_for_its_own_suggestion_alone() {
    let terms = keys(&[("currency", "USD")]);
    let refusal = refused(&terms, r#"{"amount":100,"currency":"SGD"}"#);
    let other = refused(&terms, r#"{"amount":101,"currency":"SGD"}"#);
    assert!(refusal.accepted(&refusal.terms_digest).is_some());
    assert_eq!(refusal.accepted(&other.terms_digest), None);
}

#[test]
fn nothing_declared_means_everything_fits() {
    let terms = keys(&[]);
    assert!(terms.is_empty());
    assert!(outcome(&terms, r#"{"amount":1}"#).fits());
}
