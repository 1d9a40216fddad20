//! The published tables, and that no float is anywhere near a number.

use std::collections::HashSet;

use num_bigint::BigInt;
use num_rational::BigRational;

use super::super::{Dimension, currencies, publish, units};

#[test]
fn the_units_are_many_exact_and_named_once() {
    assert!(units().len() >= 60);
    let mut names = HashSet::new();
    for unit in units() {
        assert!(names.insert(unit.symbol), "{} twice", unit.symbol);
        for name in unit.names {
            assert!(names.insert(name), "{name} twice");
        }
        let found = super::super::units::find(unit.symbol).map(|found| found.symbol);
        assert_eq!(found, Some(unit.symbol));
        for name in unit.names {
            let plural = format!("{}s", name.to_uppercase());
            for text in [(*name).to_owned(), plural] {
                // Letters that stand for a unit keep their case.
                if name.len() > 1 && !text.contains('³') && !text.contains('²') {
                    let found = super::super::units::find(&text).map(|found| found.symbol);
                    assert_eq!(found, Some(unit.symbol), "{text}");
                }
            }
        }
        match unit.factor {
            Some(_) => assert!(unit.exact_factor().is_some(), "{}", unit.symbol),
            None => assert_eq!(unit.dimension, Dimension::Count),
        }
    }
}

#[test]
fn well_known_factors_are_right() {
    let factor = |from: &str, to: &str| {
        let find = |name| super::super::units::find(name).expect("a unit");
        super::super::units::factor(find(from), find(to)).expect("a factor")
    };
    let ratio = |over: i64, under: i64| BigRational::new(BigInt::from(over), BigInt::from(under));
    assert_eq!(factor("lb", "oz"), ratio(16, 1));
    assert_eq!(factor("st", "lb"), ratio(14, 1));
    assert_eq!(factor("lb", "gr"), ratio(7_000, 1));
    assert_eq!(factor("lbt", "ozt"), ratio(12, 1));
    assert_eq!(factor("ozt", "dwt"), ratio(20, 1));
    assert_eq!(factor("short_ton", "lb"), ratio(2_000, 1));
    assert_eq!(factor("long_ton", "lb"), ratio(2_240, 1));
    assert_eq!(factor("cwt_uk", "lb"), ratio(112, 1));
    assert_eq!(factor("oz", "dr"), ratio(16, 1));
    assert_eq!(factor("mi", "ft"), ratio(5_280, 1));
    assert_eq!(factor("mi", "fur"), ratio(8, 1));
    assert_eq!(factor("fur", "ch"), ratio(10, 1));
    assert_eq!(factor("ac", "ft2"), ratio(43_560, 1));
    assert_eq!(factor("mi2", "ac"), ratio(640, 1));
    assert_eq!(factor("gal_us", "in3"), ratio(231, 1));
    assert_eq!(factor("gal_us", "floz_us"), ratio(128, 1));
    assert_eq!(factor("gal_us", "cup_us"), ratio(16, 1));
    assert_eq!(factor("cup_us", "tbsp_us"), ratio(16, 1));
    assert_eq!(factor("tbsp_us", "tsp_us"), ratio(3, 1));
    assert_eq!(factor("gal_uk", "floz_uk"), ratio(160, 1));
    assert_eq!(factor("gal_uk", "pt_uk"), ratio(8, 1));
    assert_eq!(factor("bbl", "gal_us"), ratio(42, 1));
    assert_eq!(factor("yd3", "ft3"), ratio(27, 1));
    assert_eq!(factor("bu_us", "in3"), ratio(215_042, 100));
    assert_eq!(factor("fortnight", "d"), ratio(14, 1));
}

#[test]
fn the_currencies_are_the_active_list() {
    let all: Vec<_> = currencies().collect();
    assert_eq!(all.len(), 178);
    let distinct: HashSet<_> = all.iter().map(|currency| currency.code).collect();
    assert_eq!(distinct.len(), all.len());
    let minor = |code| super::super::currency::find(code).map(|found| found.minor);
    assert_eq!(minor("jpy"), Some(Some(0)));
    assert_eq!(minor("KWD"), Some(Some(3)));
    assert_eq!(minor("XAU"), Some(None));
    assert_eq!(minor("DEM"), None);
}

#[test]
fn the_tables_are_published_whole() {
    let json = publish().to_json();
    for part in [
        r#""symbol":"lb""#,
        r#""factor":"0.45359237""#,
        r#""code":"USD""#,
        r#""reasons":["unknown_unit""#,
    ] {
        assert!(json.contains(part), "{part}");
    }
}

/// The validator's trait asks for a function that would give a float; ours never does.
const THE_EXCEPTION: &str = "fn as_f64(&self) -> Option<f64> {\n        None\n    }";

#[test]
fn no_float_is_anywhere_near_a_number() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/terms");
    let mut files = 0;
    for inner in [folder.clone(), folder.join("schema")] {
        for entry in std::fs::read_dir(inner).expect("the folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|ending| ending == "rs") {
                files += 1;
                let text = std::fs::read_to_string(&path).expect("a file");
                let text = text.replace(THE_EXCEPTION, "");
                for float in ["f32", "f64", "to_float", "from_float"] {
                    assert!(!text.contains(float), "{float} in {}", path.display());
                }
            }
        }
    }
    assert!(files > 25, "{files}");
}
