//! What the demo agents do with words: small, honest, and the same every time.

/// English words and phrases with their German ones; phrases of two words come first.
const GERMAN: [(&str, &str); 52] = [
    ("good morning", "guten Morgen"),
    ("good evening", "guten Abend"),
    ("good night", "gute Nacht"),
    ("thank you", "danke"),
    ("my friend", "mein Freund"),
    ("i am", "ich bin"),
    ("we are", "wir sind"),
    ("the house", "das Haus"),
    ("the agent", "der Agent"),
    ("the bill", "die Rechnung"),
    ("hello", "hallo"),
    ("goodbye", "auf Wiedersehen"),
    ("please", "bitte"),
    ("yes", "ja"),
    ("no", "nein"),
    ("and", "und"),
    ("or", "oder"),
    ("not", "nicht"),
    ("is", "ist"),
    ("here", "hier"),
    ("there", "dort"),
    ("today", "heute"),
    ("tomorrow", "morgen"),
    ("yesterday", "gestern"),
    ("world", "Welt"),
    ("house", "Haus"),
    ("water", "Wasser"),
    ("bread", "Brot"),
    ("fire", "Feuer"),
    ("tree", "Baum"),
    ("dog", "Hund"),
    ("cat", "Katze"),
    ("bird", "Vogel"),
    ("book", "Buch"),
    ("city", "Stadt"),
    ("street", "Straße"),
    ("invoice", "Rechnung"),
    ("price", "Preis"),
    ("money", "Geld"),
    ("agent", "Agent"),
    ("one", "eins"),
    ("two", "zwei"),
    ("three", "drei"),
    ("four", "vier"),
    ("five", "fünf"),
    ("red", "rot"),
    ("green", "grün"),
    ("blue", "blau"),
    ("big", "groß"),
    ("small", "klein"),
    ("open", "offen"),
    ("free", "frei"),
];

fn german(english: &str) -> Option<&'static str> {
    GERMAN
        .iter()
        .find(|(word, _)| *word == english)
        .map(|(_, german)| *german)
}

/// Word by word into German; an unknown word stays.
pub(super) fn translate(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let bare = |word: &str| {
        word.trim_matches(|c: char| !c.is_alphanumeric())
            .to_lowercase()
    };
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let pair = words
            .get(at + 1)
            .map(|next| format!("{} {}", bare(word), bare(next)));
        let (used, said) = match pair.and_then(|pair| german(&pair)) {
            // Punctuation between the two would not have been skipped by a reader.
            Some(said) if word.ends_with(char::is_alphanumeric) => (2, Some(said)),
            _ => (1, german(&bare(word))),
        };
        let last = words.get(at + used - 1).unwrap_or(word);
        let tail = &last[last.trim_end_matches(|c: char| !c.is_alphanumeric()).len()..];
        out.push(said.map_or_else(|| (*word).to_owned(), |said| format!("{said}{tail}")));
        at += used;
    }
    capital(&out.join(" "))
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

/// Words, characters and lines.
pub(super) fn count(text: &str) -> String {
    let many =
        |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let (words, chars, lines) = (
        text.split_whitespace().count(),
        text.chars().count(),
        text.lines().count(),
    );
    [
        many(words, "word"),
        many(chars, "character"),
        many(lines, "line"),
    ]
    .join(", ")
}

/// The most frequent letters.
pub(super) fn letters(text: &str) -> String {
    let mut counts = std::collections::BTreeMap::<char, usize>::new();
    for letter in text
        .chars()
        .filter(|c| c.is_alphabetic())
        .flat_map(char::to_lowercase)
    {
        *counts.entry(letter).or_default() += 1;
    }
    let total: usize = counts.values().sum();
    let mut ranked: Vec<_> = counts.into_iter().collect();
    ranked.sort_by_key(|(letter, count)| (std::cmp::Reverse(*count), *letter));
    let top: Vec<String> = ranked
        .iter()
        .take(5)
        .map(|(letter, count)| format!("{letter} {count}"))
        .collect();
    format!("{total} letters; most frequent: {}", top.join(", "))
}

/// Upper case.
pub(super) fn shout(text: &str) -> String {
    text.to_uppercase()
}

/// From the end to the beginning.
pub(super) fn reverse(text: &str) -> String {
    text.chars().rev().collect()
}

/// Every letter moved by thirteen places; twice gives the text back.
pub(super) fn cipher(text: &str) -> String {
    let turn = |c: char, base: u8| char::from((c as u8 - base + 13) % 26 + base);
    let moved = |c: char| match c {
        'a'..='z' => turn(c, b'a'),
        'A'..='Z' => turn(c, b'A'),
        other => other,
    };
    text.chars().map(moved).collect()
}

/// Morse code of the letters and digits.
pub(super) fn morse(text: &str) -> String {
    const CODES: [&str; 36] = [
        ".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--",
        "-.", "---", ".--.", "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--",
        "--..", "-----", ".----", "..---", "...--", "....-", ".....", "-....", "--...", "---..",
        "----.",
    ];
    let code = |c: char| match c.to_ascii_lowercase() {
        letter @ 'a'..='z' => CODES.get(usize::from(letter as u8 - b'a')).copied(),
        digit @ '0'..='9' => CODES.get(usize::from(digit as u8 - b'0') + 26).copied(),
        _ => None,
    };
    let words = text
        .split_whitespace()
        .map(|word| word.chars().filter_map(code).collect::<Vec<_>>().join(" "));
    words.collect::<Vec<_>>().join(" / ")
}

/// First letters, in capitals.
pub(super) fn acronym(text: &str) -> String {
    text.split_whitespace()
        .filter_map(|word| word.chars().find(|c| c.is_alphanumeric()))
        .flat_map(char::to_uppercase)
        .collect()
}

/// Whether a text reads the same backwards.
pub(super) fn palindrome(text: &str) -> String {
    let kept: Vec<char> = text
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    let same = kept.iter().eq(kept.iter().rev()) && !kept.is_empty();
    if same {
        "Yes, it reads the same backwards."
    } else {
        "No, it reads differently backwards."
    }
    .to_owned()
}

/// Lines in order, or words when there is one line.
pub(super) fn sort(text: &str) -> String {
    let lines = text.lines().count() > 1;
    let mut items: Vec<&str> = if lines {
        text.lines().collect()
    } else {
        text.split_whitespace().collect()
    };
    items.sort_by_key(|item| item.to_lowercase());
    items.join(if lines { "\n" } else { " " })
}

/// A text as part of an address.
pub(super) fn slug(text: &str) -> String {
    let spaced: String = text
        .to_lowercase()
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    spaced.split_whitespace().collect::<Vec<_>>().join("-")
}

/// The first sentence, and the words that come back most often.
pub(super) fn summary(text: &str) -> String {
    let first = text
        .split_inclusive(['.', '!', '?'])
        .next()
        .unwrap_or_default()
        .trim();
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for word in text
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() > 4)
    {
        *counts.entry(word.to_owned()).or_default() += 1;
    }
    let mut ranked: Vec<_> = counts.into_iter().collect();
    ranked.sort_by_key(|(word, count)| (std::cmp::Reverse(*count), word.clone()));
    let top: Vec<&str> = ranked
        .iter()
        .take(3)
        .map(|(word, _)| word.as_str())
        .collect();
    format!("{first} (about: {})", top.join(", "))
}

/// Whether a text is glad or sad, by counting words.
pub(super) fn mood(text: &str) -> String {
    const GLAD: [&str; 10] = [
        "good",
        "great",
        "love",
        "happy",
        "excellent",
        "fast",
        "nice",
        "thanks",
        "helpful",
        "best",
    ];
    const SAD: [&str; 10] = [
        "bad", "slow", "hate", "sad", "broken", "terrible", "late", "wrong", "worst", "poor",
    ];
    let lower = text.to_lowercase();
    let among = |list: &[&str]| {
        lower
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| list.contains(word))
            .count()
    };
    let (glad, sad) = (among(&GLAD), among(&SAD));
    let verdict = match glad.cmp(&sad) {
        std::cmp::Ordering::Greater => "positive",
        std::cmp::Ordering::Less => "negative",
        std::cmp::Ordering::Equal => "neutral",
    };
    format!("{verdict} ({glad} glad words, {sad} sad ones)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_worked_on() {
        for (of, text, answer) in [
            (
                translate as fn(&str) -> String,
                "good morning, my friend!",
                "Guten Morgen, mein Freund!",
            ),
            (translate, "Hello Rosalind", "Hallo Rosalind"),
            (translate, "good. morning", "Good. morning"),
            (translate, "", ""),
            (count, "one two\nthree", "3 words, 13 characters, 2 lines"),
            (letters, "Banana", "6 letters; most frequent: a 3, n 2, b 1"),
            (cipher, "Guild 7", "Thvyq 7"),
            (morse, "SOS 1", "... --- ... / .----"),
            (acronym, "agent to agent", "ATA"),
            (
                palindrome,
                "Never odd or even",
                "Yes, it reads the same backwards.",
            ),
            (palindrome, "guild", "No, it reads differently backwards."),
            (sort, "pear Apple fig", "Apple fig pear"),
            (slug, "Grüße & more: 2", "grüße-more-2"),
            (
                summary,
                "Agents call agents. Agents answer.",
                "Agents call agents. (about: agents, answer)",
            ),
            (
                mood,
                "great but slow and late",
                "negative (1 glad words, 2 sad ones)",
            ),
        ] {
            assert_eq!(of(text), answer, "{text}");
        }
    }
}
