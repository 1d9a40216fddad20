//! Canonical JSON (RFC 8785): one value, one sequence of bytes.
//!
//! Numbers are IEEE 754 doubles, as the standard wants it: an integer beyond 2^53 is written as the
//! double next to it.

use std::fmt::Write as _;

use serde_json::{Map, Number, Value};

/// The largest integer up to which every integer is a double of its own.
const EXACT: u64 = 1 << 53;

/// Writes the canonical form of a value, UTF-8 without white space.
///
/// Recurses as deep as the value is nested; [`json::parse`](crate::json::parse) reads at most 64
/// levels.
#[must_use]
pub fn canonical(value: &Value) -> Vec<u8> {
    let mut out = String::new();
    write_value(value, &mut out);
    out.into_bytes()
}

/// Like [`canonical`], for an object without one of its members.
pub(super) fn canonical_without(object: &Map<String, Value>, left_out: &str) -> Vec<u8> {
    let mut out = String::new();
    write_object(
        object.iter().filter(|(name, _)| *name != left_out),
        &mut out,
    );
    out.into_bytes()
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(number, out),
        Value::String(text) => write_text(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_value(item, out);
            }
            out.push(']');
        }
        Value::Object(members) => write_object(members.iter(), out),
    }
}

fn write_object<'a>(members: impl Iterator<Item = (&'a String, &'a Value)>, out: &mut String) {
    let mut members: Vec<_> = members.collect();
    // Section 3.2.3 sorts by UTF-16 units; bytes of UTF-8 order letters above U+FFFF differently.
    members.sort_by(|(one, _), (other, _)| one.encode_utf16().cmp(other.encode_utf16()));
    out.push('{');
    for (index, (name, value)) in members.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_text(name, out);
        out.push(':');
        write_value(value, out);
    }
    out.push('}');
}

/// Section 3.2.2.2: only what must be escaped is.
fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            control if control < ' ' => put(out, format_args!("\\u{:04x}", u32::from(control))),
            other => out.push(other),
        }
    }
    out.push('"');
}

fn write_number(number: &Number, out: &mut String) {
    match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(whole), _, _) if whole.unsigned_abs() <= EXACT => put(out, format_args!("{whole}")),
        (_, Some(whole), _) if whole <= EXACT => put(out, format_args!("{whole}")),
        (_, _, Some(double)) => write_double(double, out),
        // Only a build of serde_json with numbers of any size comes here; the text is all there is.
        _ => put(out, format_args!("{number}")),
    }
}

/// Section 3.2.2.3: a finite double as ECMAScript writes it.
fn write_double(double: f64, out: &mut String) {
    if double == 0.0 {
        // Minus zero as well.
        out.push('0');
        return;
    }
    if double < 0.0 {
        out.push('-');
    }
    let shortest = shortest(double.abs());
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let digits: String = mantissa.chars().filter(|digit| *digit != '.').collect();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    // How many digits stand before the point.
    let before = exponent + 1;
    if count <= before && before <= 21 {
        out.push_str(&digits);
        zeros(before - count, out);
    } else if 0 < before && before <= 21 {
        let (whole, part) = digits.split_at(usize::try_from(before).unwrap_or(0));
        put(out, format_args!("{whole}.{part}"));
    } else if -6 < before && before <= 0 {
        out.push_str("0.");
        zeros(-before, out);
        out.push_str(&digits);
    } else {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        put(out, format_args!("{first}{point}{rest}e{exponent:+}"));
    }
}

/// The fewest digits that read back, as d.ddde-n: of several the closest, of two as close the even one.
fn shortest(double: f64) -> String {
    let shortest = format!("{double:e}");
    let places = shortest.find('e').map_or(0, |end| end.saturating_sub(2));
    // Rust rounds up where two are as close, but writes to even when it is given the number of places.
    let even = format!("{double:.places$e}");
    // Beside a power of two the closest of so many digits may be another double's.
    if even.parse() == Ok(double) {
        even
    } else {
        shortest
    }
}

fn zeros(count: i32, out: &mut String) {
    out.extend((0..count).map(|_| '0'));
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing into a String cannot fail.
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn text(value: &Value) -> String {
        String::from_utf8(canonical(value)).unwrap()
    }

    fn double(bits: u64) -> String {
        let mut out = String::new();
        write_double(f64::from_bits(bits), &mut out);
        out
    }

    /// RFC 8785, appendix B.
    #[test]
    fn numbers_of_the_standard() {
        for (bits, expected) in [
            (0x0000_0000_0000_0000, "0"),
            (0x8000_0000_0000_0000, "0"),
            (0x0000_0000_0000_0001, "5e-324"),
            (0x8000_0000_0000_0001, "-5e-324"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
            (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
            (0x4340_0000_0000_0000, "9007199254740992"),
            (0xc340_0000_0000_0000, "-9007199254740992"),
            (0x4430_0000_0000_0000, "295147905179352830000"),
            (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
            (0x44b5_2d02_c7e1_4af6, "1e+23"),
            (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
            (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
            (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
            (0x444b_1ae4_d6e2_ef50, "1e+21"),
            (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
            (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
            (0x41b3_de43_5555_5553, "333333333.3333332"),
            (0x41b3_de43_5555_5554, "333333333.33333325"),
            (0x41b3_de43_5555_5555, "333333333.3333333"),
            (0x41b3_de43_5555_5556, "333333333.3333334"),
            (0x41b3_de43_5555_5557, "333333333.33333343"),
            (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
            (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
        ] {
            assert_eq!(double(bits), expected, "{bits:016x}");
        }
    }

    /// RFC 8785, section 3.2.2 and 3.2.4.
    #[test]
    fn the_example_of_the_standard() {
        let source = r#"{
            "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
            "literals": [null, true, false]
        }"#;
        assert_eq!(
            text(&serde_json::from_str(source).unwrap()),
            concat!(
                r#"{"literals":[null,true,false],"#,
                r#""numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#,
                r#""string":"€$\u000f\nA'B\"\\\\\"/"}"#
            )
        );
    }

    /// RFC 8785, section 3.2.3: the order is that of UTF-16.
    #[test]
    fn members_are_sorted_by_utf_16() {
        let value = json!({
            "\u{20ac}": "Euro Sign", "\r": "Carriage Return",
            "\u{fb33}": "Hebrew Letter Dalet With Dagesh", "1": "One",
            "\u{1f600}": "Emoji: Grinning Face", "\u{80}": "Control", "ö": "O With Diaeresis",
        });
        let written = text(&value);
        let places: Vec<_> = [
            "Carriage",
            "One",
            "Control",
            "Diaeresis",
            "Euro",
            "Emoji",
            "Hebrew",
        ]
        .iter()
        .map(|word| written.find(word).unwrap())
        .collect();
        assert!(places.is_sorted(), "{written}");
    }

    #[test]
    fn integers_are_doubles() {
        assert_eq!(text(&json!(9_007_199_254_740_992_u64)), "9007199254740992");
        assert_eq!(text(&json!(9_007_199_254_740_993_u64)), "9007199254740992");
        assert_eq!(
            text(&json!(-9_007_199_254_740_993_i64)),
            "-9007199254740992"
        );
        assert_eq!(text(&json!(u64::MAX)), "18446744073709552000");
        assert_eq!(text(&json!(10.0)), "10");
    }

    #[test]
    fn controls_are_escaped_and_nothing_else() {
        assert_eq!(
            text(&json!("\u{0}\u{8}\t\n\u{b}\u{c}\r\u{1f}\u{7f}/\u{2028}é")),
            "\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\u{7f}/\u{2028}é\""
        );
    }

    #[test]
    fn one_member_is_left_out_at_the_top_only() {
        let value = json!({"b": {"a": 1}, "a": 2});
        assert_eq!(
            canonical_without(value.as_object().unwrap(), "a"),
            br#"{"b":{"a":1}}"#
        );
    }

    proptest! {
        #[test]
        fn every_double_reads_back(bits: u64) {
            let number = f64::from_bits(bits);
            prop_assume!(number.is_finite());
            prop_assert_eq!(double(bits).parse::<f64>().unwrap(), number);
        }
    }
}
