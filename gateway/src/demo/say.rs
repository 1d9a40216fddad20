//! The voice of the demo: headings, indented text, and curl lines that can be pasted.

use std::io::Write as _;

use serde_json::Value;

/// Prints a line; a reader that went away is no failure of the demo.
pub(super) fn line(text: &str) {
    let mut out = std::io::stdout();
    let _ = writeln!(out, "{text}");
    let _ = out.flush();
}

/// Opens a step.
pub(super) fn step(number: usize, title: &str) {
    line(&format!("\n{number}. {title}"));
}

/// Parts the items of a list: an empty line before every one but the first.
pub(super) fn gap(index: usize) {
    if index > 0 {
        line("");
    }
}

/// Prints text indented by three.
pub(super) fn block(text: &str) {
    for one in text.trim_end().lines() {
        line(format!("   {one}").trim_end());
    }
}

/// The curl line of a POST request; the key, if any, goes into its header.
pub(super) fn curl(gateway: &str, path: &str, key: Option<&str>, body: &Value) -> String {
    let key = key
        .map(|key| format!(" -H 'authorization: Bearer {key}'"))
        .unwrap_or_default();
    format!(
        "curl -sS {gateway}{path}{key} -H 'content-type: application/json' -d {}",
        quoted(&body.to_string())
    )
}

/// A word of a shell, whatever is in it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn curl_lines_survive_quotes() {
        let line = curl("http://h", "/match", Some("k"), &json!({"query": "it's"}));
        assert_eq!(
            line,
            r#"curl -sS http://h/match -H 'authorization: Bearer k' -H 'content-type: application/json' -d '{"query":"it'\''s"}'"#
        );
    }
}
