//! What holds for any payload and any terms.

use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;
use proptest::sample::select;

use super::super::decimal::{round, to_decimal};
use super::super::{
    Compiled, Decimal, Dimension, MAX_DEPTH, Outcome, Rounding, Source, Tree, check, convert_reply,
    units,
};
use super::{NOON, rates};

const NAMES: [&str; 16] = [
    "amount",
    "price",
    "total",
    "currency",
    "weight",
    "weight_unit",
    "unit",
    "quantity",
    "quantity_unit",
    "due_date",
    "sent_at",
    "items",
    "note",
    "wieght",
    "amuont",
    "a/b~",
];
const TEXTS: [&str; 22] = [
    "USD",
    "SGD",
    "usd",
    "JPY",
    "EUR",
    "kg",
    "lb",
    "Pounds",
    "celsius",
    "each",
    "dozen",
    "pallet",
    "boxes",
    "2026-09-01",
    "03/04/2026",
    "20260901",
    "2026-09-01T10:00:00+02:00",
    "50",
    "-1.50",
    "1e5",
    "FAST",
    "é\"\\\n",
];
const NUMBERS: [&str; 12] = [
    "0",
    "-0.0",
    "1",
    "100",
    "22.5",
    "1e3",
    "1E-400",
    "1e999999999999999999999",
    "36",
    "1767225600",
    "0.00000000000000000000000000000000000001",
    "123456789012345678901234567890123456789",
];
const SCHEMAS: [&str; 5] = [
    r#"{"type":"object","additionalProperties":false,"required":["weight"],"properties":{"weight":{"type":"number"},"amount":{"type":"number","minimum":1},"note":{"enum":["fast","slow"]},"due_date":{"type":"string","format":"date"},"items":{"default":[]}}}"#,
    r##"{"properties":{"items":{"items":{"$ref":"#"}},"total":{"type":["integer","null"],"multipleOf":5},"currency":{"const":"USD"}},"required":["currency"]}"##,
    r#"{"anyOf":[{"required":["price"]},{"type":"array","uniqueItems":true}]}"#,
    r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":["object","array"],"propertyNames":{"maxLength":8}}"#,
    "true",
];

fn payload() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        select(&NUMBERS[..]).prop_map(str::to_owned),
        select(&TEXTS[..]).prop_map(|text| Tree::text(text).to_json()),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5)
                .prop_map(|items| format!("[{}]", items.join(" , "))),
            prop::collection::btree_map(select(&NAMES[..]), inner, 0..7).prop_map(|members| {
                let parts: Vec<_> = members
                    .into_iter()
                    .map(|(name, value)| format!("{}: {value}", Tree::text(name).to_json()))
                    .collect();
                format!("{{{}}}", parts.join(","))
            }),
        ]
    })
}

fn entry() -> impl Strategy<Value = String> {
    let units = select(vec![
        ("mass", "kg"),
        ("mass", "lb"),
        ("money", "USD"),
        ("money", "JPY"),
        ("count", "dozen"),
        ("count", "widget"),
        ("date", "ISO8601"),
        ("date", "DD/MM/YYYY"),
        ("temperature", "K"),
        ("volume", "L"),
    ]);
    let pointer = select(vec![
        "",
        "/amount",
        "/items/*/weight",
        "/items/*/items/*/price",
        "/weight",
        "/items/0",
        "/a~1b~0",
    ]);
    let unit_at = select(vec![
        None,
        Some("/unit"),
        Some("/currency"),
        Some("/weight_unit"),
    ]);
    let scale = prop::option::of(0_u8..4);
    (units, pointer, unit_at, scale, select(&Rounding::ALL[..])).prop_map(
        |((dimension, unit), pointer, unit_at, scale, rounding)| {
            let mut text = format!(r#"{{"pointer":"{pointer}","dimension":"{dimension}","unit":"{unit}","rounding":"{}""#, rounding.as_str());
            if let Some(at) = unit_at.filter(|_| dimension != "date") {
                text.push_str(&format!(r#","unit_pointer":"{at}""#));
            }
            if let Some(scale) = scale.filter(|_| !matches!(dimension, "date" | "count")) {
                text.push_str(&format!(r#","scale":{scale}"#));
            }
            text + "}"
        },
    )
}

/// Terms of any make; lists that do not compile are left out.
fn terms() -> impl Strategy<Value = Compiled> {
    let key = |values: &'static [&'static str]| prop::option::of(select(values));
    (
        key(&["USD", "JPY", "KWD", "XAU"]),
        key(&["kg", "lb", "t"]),
        key(&["each", "dozen", "kg", "widget"]),
        key(&["ISO8601", "MM/DD/YYYY", "unix_seconds", "RFC3339"]),
        prop::collection::vec(entry(), 0..3),
        prop::option::of(select(&SCHEMAS[..])),
    )
        .prop_map(|(currency, weight, quantity, date, entries, schema)| {
            let keys = [
                ("currency", currency),
                ("weight_unit", weight),
                ("quantity_unit", quantity),
                ("date_format", date),
            ]
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value.map(str::to_owned)))
            .collect();
            let list = format!("[{}]", entries.join(","));
            let source = |list| Source {
                payload_schema: Some(&keys),
                terms: list,
                input_schema: schema,
                ..Source::default()
            };
            Compiled::new(&source(Some(&list)))
                .or_else(|_| Compiled::new(&source(None)))
                .expect("the keys and the schema are good")
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn a_suggestion_passes_and_the_same_input_gives_the_same_bytes(
        terms in terms(), caller in prop::option::of(terms()), payload in payload(),
    ) {
        let rates = rates();
        let run = |payload: &str, caller| check(&terms, payload, caller, &rates, NOON).expect("JSON");
        let outcome = run(&payload, caller.as_ref());
        prop_assert_eq!(&outcome, &run(&payload, caller.as_ref()));
        if let Outcome::Mismatch(refusal) = outcome {
            let json = refusal.to_json();
            prop_assert!(serde_json::from_str::<serde::de::IgnoredAny>(&json).is_ok());
            prop_assert!(!refusal.mismatches.is_empty());
            let unsolved = refusal.mismatches.iter().any(|one| one.cannot_convert.is_some());
            if let Some(suggestion) = &refusal.suggested_payload {
                prop_assert!(!unsolved);
                prop_assert_eq!(run(suggestion, None), Outcome::Fits);
            }
        }
        let _ = convert_reply(&payload, &terms, caller.as_ref().unwrap_or(&terms), &rates, NOON).expect("JSON");
    }

    #[test]
    fn any_text_is_read_as_serde_reads_it(text in "[\\[\\]{}\",:0-9eE.+\\\\untrlfas -]{0,40}") {
        let ours = Tree::parse(&text);
        let theirs = serde_json::from_str::<Box<serde_json::value::RawValue>>(&text);
        if let Ok(tree) = &ours {
            prop_assert!(theirs.is_ok());
            let compact = tree.to_json();
            prop_assert_eq!(&Tree::parse(&compact), &ours);
        }
        if theirs.is_ok() && ours.is_err() {
            let reason = ours.expect_err("an error").reason;
            prop_assert!(["a member is named twice", "half a surrogate pair"].contains(&reason), "{}: {}", text, reason);
        }
    }

    #[test]
    fn documents_come_out_as_they_went_in(payload in payload()) {
        let compact = Tree::parse(&payload).expect("JSON").to_json();
        let again = Tree::parse(&compact).expect("JSON").to_json();
        prop_assert_eq!(&again, &compact);
        let quiet: String = payload.replace(" , ", ",").replace("\": ", "\":");
        prop_assert_eq!(compact, quiet);
    }

    #[test]
    fn there_and_back_is_exact(index in 0..units().len(), other in 0..units().len(), mantissa in any::<i64>(), scale in 0_u32..12) {
        let (from, to) = (&units()[index], &units()[other]);
        if from.dimension == to.dimension && from.factor.is_some() && to.factor.is_some() {
            let value = BigRational::new(BigInt::from(mantissa), BigInt::from(10).pow(scale));
            let there = super::super::units::convert(&value, from, to).expect("a factor");
            let back = super::super::units::convert(&there, to, from).expect("a factor");
            prop_assert_eq!(back, value);
        }
    }

    #[test]
    fn decimals_agree_with_whole_numbers(digits in "-?(0|[1-9][0-9]{0,18})", fraction in "[0-9]{0,19}", scale in 0_u8..12) {
        let text = if fraction.is_empty() { digits.clone() } else { format!("{digits}.{fraction}") };
        let decimal = Decimal::parse(&text).expect("at most 38 digits");
        let whole: BigInt = format!("{digits}{fraction}").parse().expect("digits");
        let model = BigRational::new(whole.clone(), BigInt::from(10).pow(fraction.len() as u32));
        prop_assert_eq!(decimal.exact(), model.clone());
        let negative_zero = text.starts_with('-') && whole == BigInt::ZERO;
        let shown = decimal.to_string();
        prop_assert_eq!(shown.as_str(), if negative_zero { &text[1..] } else { &text });
        prop_assert_eq!(to_decimal(&model).map(|found| found.exact()), Some(model.clone()));
        // Half even, from the definition: the nearest, and of two equally near the even one.
        let power = BigRational::from_integer(BigInt::from(10).pow(u32::from(scale)));
        let floor = (&model * &power).floor();
        let rest = &model * &power - &floor;
        let half = BigRational::new(BigInt::from(1), BigInt::from(2));
        let odd = floor.to_integer().bit(0);
        let up = rest > half || (rest == half && odd);
        let expected = floor + BigRational::from_integer(BigInt::from(i32::from(up)));
        let (rounded, lossless) = round(&model, scale, Rounding::HalfEven).expect("few digits");
        prop_assert_eq!(rounded.exact() * &power, expected);
        prop_assert_eq!(lossless, rounded.exact() == model);
    }

    #[test]
    fn every_rounding_is_one_of_the_two_neighbours(mantissa in -100_000_i64..100_000, rule in select(&Rounding::ALL[..])) {
        let value = BigRational::new(BigInt::from(mantissa), BigInt::from(1_000));
        let (rounded, _) = round(&value, 1, rule).expect("few digits");
        let tenth = BigRational::new(BigInt::from(1), BigInt::from(10));
        let gap = rounded.exact() - &value;
        prop_assert!(gap < tenth && -gap.clone() < tenth);
        let zero = BigRational::from_integer(BigInt::ZERO);
        match rule {
            Rounding::Floor => prop_assert!(gap <= zero),
            Rounding::Ceiling => prop_assert!(gap >= zero),
            Rounding::Down => prop_assert!(gap == zero || (gap < zero) == (value > zero)),
            Rounding::Up => prop_assert!(gap == zero || (gap > zero) == (value > zero)),
            _ => prop_assert!(&gap + &gap <= tenth && -(&gap + &gap) <= tenth),
        }
    }
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(Tree::parse(&nested(MAX_DEPTH)).is_ok());
    assert!(Tree::parse(&nested(MAX_DEPTH + 1)).is_err());
    assert!(Tree::parse(&"[".repeat(100_000)).is_err());
}

#[test]
fn all_dimensions_have_names_of_their_own() {
    for dimension in Dimension::ALL {
        assert_eq!(Dimension::parse(dimension.as_str()), Some(dimension));
    }
}
