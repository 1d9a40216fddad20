//! How text becomes words: the analysers of the index, and the keys that names are compared by.

use std::borrow::Cow;

use tantivy::tokenizer::{
    AsciiFoldingFilter, Language, LowerCaser, RemoveLongFilter, SimpleTokenizer, Stemmer,
    StopWordFilter, TextAnalyzer, TokenizerManager,
};

/// Analyser of short texts: every word, stemmed.
pub(super) const STEMMED: &str = "guildhall-stemmed";
/// Analyser of long texts: without the commonest words, stemmed.
pub(super) const PROSE: &str = "guildhall-prose";
/// Analyser for prefixes and typos: without the commonest words, as written.
pub(super) const PLAIN: &str = "guildhall-plain";

/// Longer words are no words but data; in bytes.
const LONGEST_WORD: usize = 40;
/// A longer name is cut before it is compared; in characters.
const LONGEST_KEY: usize = 256;

/// The three analysers; a clone is cheap, and reading text needs a clone of one's own.
#[derive(Clone)]
pub(super) struct Analysers {
    stemmed: TextAnalyzer,
    prose: TextAnalyzer,
    plain: TextAnalyzer,
    bare: TextAnalyzer,
}

impl Analysers {
    pub(super) fn new() -> Self {
        let folded = || {
            TextAnalyzer::builder(SimpleTokenizer::default())
                .filter(RemoveLongFilter::limit(LONGEST_WORD))
                .filter(LowerCaser)
                .filter(AsciiFoldingFilter)
        };
        // The list of English is compiled in; an empty one would only make the index bigger.
        let common =
            || StopWordFilter::new(Language::English).unwrap_or_else(|| StopWordFilter::remove([]));
        Self {
            stemmed: folded().filter(Stemmer::new(Language::English)).build(),
            prose: folded()
                .filter(common())
                .filter(Stemmer::new(Language::English))
                .build(),
            plain: folded().filter(common()).build(),
            bare: folded().build(),
        }
    }

    pub(super) fn register(&self, manager: &TokenizerManager) {
        manager.register(STEMMED, self.stemmed.clone());
        manager.register(PROSE, self.prose.clone());
        manager.register(PLAIN, self.plain.clone());
    }

    /// The words of a text as written, lower-cased and without accents.
    pub(super) fn bare(&mut self, text: &str) -> Vec<String> {
        words(&mut self.bare, text)
    }

    /// The stem of one bare word.
    pub(super) fn stem(&mut self, word: &str) -> String {
        words(&mut self.stemmed, word)
            .pop()
            .unwrap_or_else(|| word.to_owned())
    }

    /// Whether a bare word is among the commonest of English.
    pub(super) fn common(&mut self, word: &str) -> bool {
        words(&mut self.plain, word).is_empty()
    }
}

fn words(analyser: &mut TextAnalyzer, text: &str) -> Vec<String> {
    let spread = spread(text);
    let mut stream = analyser.token_stream(&spread);
    let mut found = Vec::new();
    while let Some(token) = stream.next() {
        found.push(token.text.clone());
    }
    found
}

/// What names are compared by: lower case, with one `-` for each run of spaces, `_` and `-`.
pub(super) fn key(text: &str) -> String {
    let mut key = String::with_capacity(text.len());
    let parts = text.split(|c: char| c.is_whitespace() || matches!(c, '-' | '_'));
    for part in parts.filter(|part| !part.is_empty()) {
        if !key.is_empty() {
            key.push('-');
        }
        key.extend(part.chars().flat_map(char::to_lowercase));
    }
    cut(key)
}

/// What organisations are compared by: lower case, with single spaces.
pub(super) fn org_key(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().map(str::to_lowercase).collect();
    cut(words.join(" "))
}

/// What media types are compared by: lower case, without parameters.
pub(super) fn media_key(text: &str) -> String {
    cut(text
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_lowercase())
}

fn cut(mut key: String) -> String {
    if let Some((end, _)) = key.char_indices().nth(LONGEST_KEY) {
        key.truncate(end);
    }
    key
}

/// Ideographs and kana are written without spaces: each becomes a word.
pub(super) fn spread(text: &str) -> Cow<'_, str> {
    if !text.chars().any(stands_alone) {
        return Cow::Borrowed(text);
    }
    let mut spread = String::with_capacity(text.len() * 2);
    for c in text.chars() {
        if stands_alone(c) {
            spread.extend([' ', c, ' ']);
        } else {
            spread.push(c);
        }
    }
    Cow::Owned(spread)
}

fn stands_alone(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The parts of a name like `translateText`, or nothing when it has only one.
pub(super) fn humps(name: &str) -> Option<String> {
    let mut parts = String::with_capacity(name.len() + 4);
    let mut before = ' ';
    for c in name.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            parts.push(' ');
        }
        parts.push(c);
        before = c;
    }
    (parts.len() > name.len()).then_some(parts)
}

/// Whether one edit (a letter more, less, other, or two neighbours swapped) makes `a` into `b`.
pub(super) fn one_edit(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a == b || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let start = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[start..], &b[start..]);
    match a.len().cmp(&b.len()) {
        std::cmp::Ordering::Less => a == &b[1..],
        std::cmp::Ordering::Greater => &a[1..] == b,
        std::cmp::Ordering::Equal => {
            a[1..] == b[1..] || (a.len() > 1 && a[0] == b[1] && a[1] == b[0] && a[2..] == b[2..])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_case_and_separators() {
        for same in ["Code Review", "code_review", " code - review "] {
            assert_eq!(key(same), "code-review");
        }
        assert_eq!(media_key("Text/Plain; charset=utf-8"), "text/plain");
        assert_eq!(key(&"x".repeat(999)).len(), LONGEST_KEY);
    }

    #[test]
    fn one_edit_is_one() {
        for (a, b) in [
            ("forcast", "forecast"),
            ("weather", "wether"),
            ("weahter", "weather"),
            ("abc", "abd"),
        ] {
            assert!(one_edit(a, b) && one_edit(b, a), "{a} {b}");
        }
        for (a, b) in [
            ("same", "same"),
            ("abcd", "badc"),
            ("ab", "abcd"),
            ("kitten", "sitting"),
        ] {
            assert!(!one_edit(a, b), "{a} {b}");
        }
    }

    #[test]
    fn words_are_folded_stemmed_and_spread() {
        let mut analysers = Analysers::new();
        assert_eq!(
            analysers.bare("Café-Übersetzer 翻译!"),
            ["cafe", "ubersetzer", "翻", "译"]
        );
        assert_eq!(analysers.stem("translations"), analysers.stem("translate"));
        assert!(analysers.common("the") && !analysers.common("weather"));
        assert_eq!(humps("translateText").as_deref(), Some("translate Text"));
        assert_eq!(humps("translate"), None);
    }
}
