//! The table of what the demo agents can do: a path, and the function that answers there.

use super::{chance, numbers, words};

/// Answers a text.
type Skill = fn(&str) -> String;

const SKILLS: [(&str, Skill); 23] = [
    ("acronym-maker", words::acronym),
    ("base-converter", numbers::bases),
    ("calculator", numbers::calculate),
    ("calendar", numbers::weekday),
    ("change-maker", numbers::coins),
    ("checksum", chance::checksum),
    ("cipher", words::cipher),
    ("dice", chance::dice),
    ("factoriser", numbers::factors),
    ("letter-counter", words::letters),
    ("mood-reader", words::mood),
    ("morse", words::morse),
    ("palindrome-checker", words::palindrome),
    ("reverser", words::reverse),
    ("roman-numerals", numbers::roman),
    ("shouter", words::shout),
    ("slug-maker", words::slug),
    ("sorter", words::sort),
    ("summariser", words::summary),
    ("translator", words::translate),
    ("unit-converter", numbers::convert),
    ("weather", chance::weather),
    ("word-counter", words::count),
];

/// The answer of the agent at `path`, without slashes; none when there is no such agent.
pub(super) fn answer(path: &str, text: &str) -> Option<String> {
    SKILLS
        .iter()
        .find(|(name, _)| *name == path)
        .map(|(_, skill)| skill(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_has_its_agent() {
        for card in super::super::cards::ALL
            .iter()
            .filter(|card| card.text.contains("{{"))
        {
            assert!(answer(card.path, "1").is_some(), "{}", card.path);
        }
        assert_eq!(answer("nobody", "1"), None);
    }
}
