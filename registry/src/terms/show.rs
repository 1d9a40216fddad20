//! Values in sentences and answers: never longer than a reader wants them.

use super::tree::Tree;

/// A number or string without quotes; words for the others, nothing for containers.
pub(super) fn scalar_text<'t>(value: &'t Tree<'_>) -> Option<&'t str> {
    match value {
        Tree::Number(text) => Some(text),
        Tree::String(text) => Some(text.as_str()),
        Tree::Bool(true) => Some("true"),
        Tree::Bool(false) => Some("false"),
        _ => None,
    }
}

/// A value as it is shown; a large one only by its size.
pub(super) fn short(value: &Tree<'_>) -> Tree<'static> {
    if is_short(value) {
        return value.clone().into_owned();
    }
    match value {
        Tree::Array(items) => Tree::text(&format!("an array of {} items", items.len())),
        Tree::Object(members) => Tree::text(&format!("an object of {} members", members.len())),
        scalar => Tree::text(&cut(scalar_text(scalar).unwrap_or_default())),
    }
}

/// The JSON of a value for a sentence, cut short; large containers only by their size.
pub(super) fn brief(value: &Tree<'_>) -> String {
    cut(&short(value).to_json())
}

/// Whether a value has at most about 256 bytes; looks no further than that.
fn is_short(value: &Tree<'_>) -> bool {
    fn within(value: &Tree<'_>, left: &mut usize) -> bool {
        let own = match value {
            Tree::Null | Tree::Bool(_) => 4,
            Tree::Number(text) => text.len(),
            Tree::String(text) => text.as_str().len() + 2,
            Tree::Array(_) | Tree::Object(_) => 2,
        };
        *left = left.saturating_sub(own);
        *left > 0
            && match value {
                Tree::Array(items) => items.iter().all(|item| within(item, left)),
                Tree::Object(members) => members.iter().all(|(name, value)| {
                    *left = left.saturating_sub(name.as_str().len() + 3);
                    within(value, left)
                }),
                _ => true,
            }
    }
    within(value, &mut 256)
}

/// A text that is not longer than a line or two.
pub(super) fn cut(text: &str) -> String {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// A pointer in a sentence.
pub(super) fn shown(pointer: &str) -> &str {
    if pointer.is_empty() {
        "the payload"
    } else {
        pointer
    }
}
