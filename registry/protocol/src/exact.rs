//! Numbers that pass through unchanged: a literal that a parser would round or write otherwise is
//! carried as a marked text from reading to writing, and is a number again on the wire.

use std::borrow::Cow;

/// Begins a text that stands for a number; a private-use character, which is doubled where a text of
/// somebody's own begins with it.
const MARK: char = '\u{e000}';

/// Marks every number of a JSON text that would not come back as it was written: integers beyond 64
/// bits, decimals with trailing zeros or more digits than a float holds, exponents. A text that needs
/// nothing is given back as it is; what is no JSON stays what it is.
#[must_use]
pub fn shield(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let (mut out, mut copied, mut at) = (String::new(), 0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                let end = end_of_text(bytes, at);
                if text[at + 1..end].starts_with(MARK) {
                    out.push_str(&text[copied..=at]);
                    out.push(MARK);
                    copied = at + 1;
                }
                at = end + 1;
            }
            b'-' | b'0'..=b'9' => {
                let end = end_of_number(bytes, at);
                let number = &text[at..end];
                if !survives(number) {
                    out.push_str(&text[copied..at]);
                    out.push('"');
                    out.push(MARK);
                    out.push_str(number);
                    out.push('"');
                    copied = end;
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Turns marked texts of a JSON text into the numbers they stand for.
#[must_use]
pub fn unshield(text: &str) -> Cow<'_, str> {
    if !text.contains(MARK) {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut copied, mut at) = (0, 0);
    while at < bytes.len() {
        if bytes[at] != b'"' {
            at += 1;
            continue;
        }
        let end = end_of_text(bytes, at);
        if let Some(inner) = text[at + 1..end].strip_prefix(MARK) {
            let number = !inner.starts_with(MARK)
                && end_of_number(inner.as_bytes(), 0) == inner.len()
                && is_number(inner);
            if number {
                out.push_str(&text[copied..at]);
                out.push_str(inner);
                copied = (end + 1).min(text.len());
            } else {
                out.push_str(&text[copied..=at]);
                copied = at + 1 + MARK.len_utf8();
            }
        }
        at = end + 1;
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Whether a text stands for a number: it is none to whoever wants a text.
#[must_use]
pub fn is_number_in_disguise(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next() == Some(MARK) && chars.next().is_some_and(|c| c == '-' || c.is_ascii_digit())
}

/// The place of the closing quote, or the end of what is not closed.
fn end_of_text(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn end_of_number(bytes: &[u8], start: usize) -> usize {
    let inside = |byte: &u8| matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9');
    let rest = bytes.get(start..).unwrap_or_default();
    start + rest.iter().take_while(|byte| inside(byte)).count()
}

/// The grammar of RFC 8259, section 6.
fn is_number(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Whether parsing and writing give the same text.
fn survives(number: &str) -> bool {
    // Short integers are the usual case and always do.
    let digits = number.strip_prefix('-').unwrap_or(number);
    if digits.len() < 19 && digits.bytes().all(|byte| byte.is_ascii_digit()) && number != "-0" {
        return true;
    }
    match serde_json::from_str::<serde_json::Number>(number) {
        Ok(parsed) => parsed.to_string() == number,
        // What is no number is the parser's to refuse, and 1e999 is one to others.
        Err(_) => !is_number(number),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    /// From text to value and back, as everything between two wires does.
    fn passed(text: &str) -> String {
        let value: Value = serde_json::from_str(&shield(text)).expect("JSON");
        unshield(&value.to_string()).into_owned()
    }

    #[test]
    fn numbers_come_back_as_they_were_written() {
        for text in [
            "[12345678901234567890123,74.00,1e400,1E2,-0,0.1,100,1.10,9007199254740993,18446744073709551615]",
            r#"{"a":{"b":[74.00,"74.00","\"74.00"]},"c":"x\\"}"#,
            "3.14159265358979323846264338327950288",
            "true",
        ] {
            assert_eq!(passed(text), text);
        }
        assert!(matches!(shield("[1,2.5,\"a\"]"), Cow::Borrowed(_)));
    }

    #[test]
    fn texts_that_look_marked_stay_texts() {
        for text in [
            "[\"\u{e000}74.00\"]",
            "[\"\u{e000}\u{e000}1\"]",
            "[\"\u{e000}\",1.00]",
        ] {
            assert_eq!(passed(text), text);
        }
    }

    proptest! {
        #[test]
        fn any_json_passes(
            numbers in prop::collection::vec("-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?", 0..6),
            texts in prop::collection::vec("[\u{e000}0-9a\\.]{0,5}", 0..4),
        ) {
            let texts: Vec<String> = texts.iter().map(|text| Value::from(text.as_str()).to_string()).collect();
            let text = format!("[{}]", numbers.iter().chain(&texts).cloned().collect::<Vec<_>>().join(","));
            prop_assert_eq!(passed(&text), text);
        }

        #[test]
        fn no_text_makes_it_panic(text in "[\u{e000}\"\\\\0-9eE.\\[{,:a\u{fc}-]{0,40}") {
            let _ = unshield(&shield(&text));
        }
    }
}
