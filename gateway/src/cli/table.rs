//! Plain text for terminals: tables, lists of facts, and words made safe to print.

use comfy_table::{ContentArrangement, Table, presets};
use serde_json::Value;

/// Columns to write when the terminal does not say how wide it is.
const USUAL_WIDTH: u16 = 100;

/// Columns of the terminal by `COLUMNS`, else 100.
#[must_use]
pub fn width() -> u16 {
    let said = std::env::var("COLUMNS")
        .ok()
        .and_then(|text| text.parse().ok());
    said.filter(|columns| *columns >= 40).unwrap_or(USUAL_WIDTH)
}

/// A table of at most `width` columns with a line below its header; cells are made safe.
#[must_use]
pub fn table(header: &[&str], rows: &[Vec<String>], width: u16) -> String {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width)
        .set_header(header.iter().map(|name| name.to_uppercase()));
    for row in rows {
        table.add_row(row.iter().map(|cell| clean(cell)));
    }
    // Neither a gap before the first column nor a rule between them: two spaces will do.
    table.column_iter_mut().for_each(|column| {
        column.set_padding((0, 2));
    });
    table
        .lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect()
}

/// One fact a line, names padded to the same width; empty values are left out.
#[must_use]
pub fn facts(facts: &[(&str, String)]) -> String {
    let shown: Vec<_> = facts
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .collect();
    let widest = shown
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    shown
        .iter()
        .map(|(name, value)| format!("{name:widest$}  {}\n", clean(value)))
        .collect()
}

/// A text without characters that steer a terminal or turn the reading direction: cards and
/// answers are written by strangers. Line ends become spaces.
#[must_use]
pub fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if steers(c) { ' ' } else { c })
        .collect()
}

/// As [`clean`], but lines and tabs stay.
#[must_use]
pub fn clean_lines(text: &str) -> String {
    text.chars()
        .map(|c| {
            if steers(c) && !matches!(c, '\n' | '\t') {
                ' '
            } else {
                c
            }
        })
        .collect()
}

fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text of at most `most` characters.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars()
        .take(most.saturating_sub(1))
        .chain(['…'])
        .collect()
}

/// The text at a JSON pointer; empty when there is none.
#[must_use]
pub fn text_at(value: &Value, pointer: &str) -> String {
    value
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// The list at a JSON pointer; empty when there is none.
#[must_use]
pub fn list_at<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value
        .pointer(pointer)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default()
}

/// The texts of the list at a JSON pointer, joined by commas.
#[must_use]
pub fn words_at(value: &Value, pointer: &str) -> String {
    let words: Vec<&str> = list_at(value, pointer)
        .iter()
        .filter_map(Value::as_str)
        .collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_aligned_and_fits() {
        let rows = [
            vec![
                "98.1".to_owned(),
                "translator".to_owned(),
                "translate: one two three four five six".to_owned(),
            ],
            vec![
                "7".to_owned(),
                "x".to_owned(),
                "evil \u{1b}[31m\u{202e}name\nline".to_owned(),
            ],
        ];
        let text = table(&["score", "id", "why"], &rows, 44);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0].split_whitespace().collect::<Vec<_>>(),
            ["SCORE", "ID", "WHY"]
        );
        assert!(
            lines.iter().all(|line| line.chars().count() <= 44),
            "{text}"
        );
        assert!(lines.len() > 3, "the long cell is wrapped: {text}");
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
        let column = lines[0].find("WHY");
        assert_eq!(lines[1].find("translate:"), column, "{text}");
    }

    #[test]
    fn facts_are_padded_and_empty_ones_left_out() {
        assert_eq!(
            facts(&[
                ("id", "a".into()),
                ("tags", String::new()),
                ("name", "b".into())
            ]),
            "id    a\nname  b\n"
        );
    }

    #[test]
    fn long_texts_are_cut_by_characters() {
        assert_eq!(
            (cut("äöü", 3), cut("äöüß", 3)),
            ("äöü".to_owned(), "äö…".to_owned())
        );
    }
}
