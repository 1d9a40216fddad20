//! Reading single members: other spellings, kinds that nearly fit, limits, and the notes taken.

use serde_json::{Map, Value};

use super::{Warning, WarningCode};
use crate::json::pointer_step;

/// How many remarks of one code are written down in full.
const MAX_PER_CODE: usize = 8;

/// The remarks about one card.
#[derive(Default)]
pub(super) struct Notes {
    list: Vec<Warning>,
    unlisted: Vec<(WarningCode, usize)>,
}

impl Notes {
    /// Takes a remark; a flood of one code is counted, not listed.
    pub(super) fn add(&mut self, code: WarningCode, pointer: &str, detail: impl Into<String>) {
        if self
            .list
            .iter()
            .filter(|warning| warning.code == code)
            .count()
            < MAX_PER_CODE
        {
            let pointer = (!pointer.is_empty()).then(|| cut(pointer, 256));
            self.list.push(Warning {
                code,
                pointer,
                detail: detail.into(),
            });
        } else if let Some((_, count)) = self.unlisted.iter_mut().find(|(known, _)| *known == code)
        {
            *count += 1;
        } else {
            self.unlisted.push((code, 1));
        }
    }

    /// The list, with the number of those left out added to the last of each code.
    pub(super) fn finish(mut self) -> Vec<Warning> {
        for (code, count) in self.unlisted {
            if let Some(last) = self
                .list
                .iter_mut()
                .rev()
                .find(|warning| warning.code == code)
            {
                last.detail.push_str(&format!(" ({count} more places)"));
            }
        }
        self.list
    }
}

/// A text without control characters (line feed and tab stay), cut at `limit` characters.
pub(super) fn cut(text: &str, limit: usize) -> String {
    text.chars()
        .filter(|one| !one.is_control() || matches!(one, '\n' | '\t'))
        .take(limit)
        .collect::<String>()
        .trim()
        .to_owned()
}

/// A text, or a number as its text; `None` for other kinds and for nothing but space.
pub(super) fn text(value: &Value, limit: usize) -> Option<String> {
    let text = match value {
        Value::String(text) => cut(text, limit),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// The texts of a list; a single text counts as a list of one.
pub(super) fn texts(value: &Value, items: usize, limit: usize) -> Vec<String> {
    match value {
        Value::Array(list) => list
            .iter()
            .filter_map(|one| text(one, limit))
            .take(items)
            .collect(),
        one => text(one, limit).into_iter().collect(),
    }
}

/// A link for people: http or https, without a password in it.
pub(super) fn link(value: &Value) -> Option<String> {
    let text = value.as_str()?.trim();
    let url = url::Url::parse(text).ok()?;
    let plain = matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none()
        && text.len() <= 2048;
    plain.then(|| cut(text, 2048))
}

/// A member that is present and not null.
pub(super) fn member<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    object.get(name).filter(|value| !value.is_null())
}

/// A member by its right name, or by its snake case or a known wrong spelling with a remark.
///
/// Gives the value and the name it was found under.
pub(super) fn known<'a>(
    object: &'a Map<String, Value>,
    base: &str,
    name: &'static str,
    variants: &[&'static str],
    notes: &mut Notes,
) -> Option<(&'a Value, String)> {
    if let Some(value) = member(object, name) {
        return Some((value, name.to_owned()));
    }
    let snake = snake_case(name);
    let other = variants
        .iter()
        .copied()
        .chain(std::iter::once(snake.as_str()));
    for variant in other.filter(|variant| *variant != name) {
        if let Some(value) = member(object, variant) {
            let pointer = format!("{base}{}", pointer_step(variant));
            notes.add(
                WarningCode::NameVariant,
                &pointer,
                format!("{variant} is read as {name}."),
            );
            return Some((value, variant.to_owned()));
        }
    }
    None
}

fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for one in name.chars() {
        if one.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(one.to_ascii_lowercase());
    }
    out
}

/// A plain identifier of letters, digits and hyphens, made of any text.
pub(super) fn slug(text: &str, limit: usize) -> String {
    let mut out = String::new();
    for one in text.chars().flat_map(char::to_lowercase) {
        if one.is_alphanumeric() {
            out.push(one);
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    cut(out.trim_end_matches('-'), limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_between_characters() {
        assert_eq!(cut("äöü€", 3), "äöü");
        assert_eq!(cut(" a\u{0}b\u{1b}\n", 9), "ab");
        assert_eq!(slug("  Größe & Maß! ", 64), "größe-maß");
        assert_eq!(snake_case("defaultInputModes"), "default_input_modes");
    }

    #[test]
    fn a_flood_of_one_code_is_counted() {
        let mut notes = Notes::default();
        for _ in 0..20 {
            notes.add(WarningCode::SkillTagsMissing, "/skills/0", "No tags.");
        }
        let list = notes.finish();
        assert_eq!(list.len(), MAX_PER_CODE);
        assert!(list[7].detail.ends_with("(12 more places)"));
    }

    #[test]
    fn links_are_http_without_a_password() {
        for (text, good) in [
            ("https://a.guildhall-demo.net/x", true),
            ("javascript:alert(1)", false),
            ("https://me:secret@a.guildhall-demo.net/", false),
            ("/docs", false),
        ] {
            assert_eq!(link(&Value::from(text)).is_some(), good, "{text}");
        }
    }
}
