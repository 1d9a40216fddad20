//! The cards of the demo: embedded, with the addresses of the agents filled in at start.

/// A card of our own making.
#[derive(Debug, Clone, Copy)]
pub(super) struct DemoCard {
    /// The agent's path at the demo agents, and its name in our narration.
    pub(super) path: &'static str,
    /// The card; `{{http}}`, `{{a2a-0.3}}` and `{{a2a-1.0}}` stand for addresses.
    pub(super) text: &'static str,
}

/// Every card: flat 0.3, 1.0, hybrids, and some as odd as those that are published.
pub(super) const ALL: [DemoCard; 23] = [
    DemoCard {
        path: "acronym-maker",
        text: include_str!("../../demo/cards/acronym-maker.json"),
    },
    DemoCard {
        path: "base-converter",
        text: include_str!("../../demo/cards/base-converter.json"),
    },
    DemoCard {
        path: "calculator",
        text: include_str!("../../demo/cards/calculator.json"),
    },
    DemoCard {
        path: "calendar",
        text: include_str!("../../demo/cards/calendar.json"),
    },
    DemoCard {
        path: "change-maker",
        text: include_str!("../../demo/cards/change-maker.json"),
    },
    DemoCard {
        path: "checksum",
        text: include_str!("../../demo/cards/checksum.json"),
    },
    DemoCard {
        path: "cipher",
        text: include_str!("../../demo/cards/cipher.json"),
    },
    DemoCard {
        path: "dice",
        text: include_str!("../../demo/cards/dice.json"),
    },
    DemoCard {
        path: "factoriser",
        text: include_str!("../../demo/cards/factoriser.json"),
    },
    DemoCard {
        path: "mood-reader",
        text: include_str!("../../demo/cards/mood-reader.json"),
    },
    DemoCard {
        path: "morse",
        text: include_str!("../../demo/cards/morse.json"),
    },
    DemoCard {
        path: "notary",
        text: include_str!("../../demo/cards/notary.json"),
    },
    DemoCard {
        path: "palindrome-checker",
        text: include_str!("../../demo/cards/palindrome-checker.json"),
    },
    DemoCard {
        path: "reverser",
        text: include_str!("../../demo/cards/reverser.json"),
    },
    DemoCard {
        path: "roman-numerals",
        text: include_str!("../../demo/cards/roman-numerals.json"),
    },
    DemoCard {
        path: "shouter",
        text: include_str!("../../demo/cards/shouter.json"),
    },
    DemoCard {
        path: "slug-maker",
        text: include_str!("../../demo/cards/slug-maker.json"),
    },
    DemoCard {
        path: "sorter",
        text: include_str!("../../demo/cards/sorter.json"),
    },
    DemoCard {
        path: "summariser",
        text: include_str!("../../demo/cards/summariser.json"),
    },
    DemoCard {
        path: "translator",
        text: include_str!("../../demo/cards/translator.json"),
    },
    DemoCard {
        path: "unit-converter",
        text: include_str!("../../demo/cards/unit-converter.json"),
    },
    DemoCard {
        path: "weather",
        text: include_str!("../../demo/cards/weather.json"),
    },
    DemoCard {
        path: "word-counter",
        text: include_str!("../../demo/cards/word-counter.json"),
    },
];

/// Where the demo agents are, as far as known; without a slash at the end.
#[derive(Debug, Clone, Default)]
pub(super) struct Addresses {
    /// The agents that speak plain HTTP.
    pub(super) http: Option<String>,
    /// The agents that speak A2A 0.3.
    pub(super) a2a_03: Option<String>,
    /// The agents that speak A2A 1.0.
    pub(super) a2a_1: Option<String>,
}

impl DemoCard {
    /// The card with its addresses; none when it needs one that is not known.
    pub(super) fn with(&self, addresses: &Addresses) -> Option<String> {
        let known = [
            ("{{http}}", &addresses.http),
            ("{{a2a-0.3}}", &addresses.a2a_03),
            ("{{a2a-1.0}}", &addresses.a2a_1),
        ];
        let filled = known.iter().fold(
            self.text.to_owned(),
            |text, (place, address)| match address {
                Some(address) => text.replace(place, address),
                None => text,
            },
        );
        (!filled.contains("{{")).then_some(filled)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use protocol::a2a::card::{ImportPolicy, import};

    fn addresses() -> Addresses {
        let at = |port: u16| Some(format!("http://127.0.0.1:{port}"));
        Addresses {
            http: at(8005),
            a2a_03: at(8006),
            a2a_1: at(8007),
        }
    }

    #[test]
    fn every_card_is_read_and_all_but_one_can_be_called() {
        let policy = ImportPolicy {
            private_targets: true,
        };
        let mut odd = BTreeSet::new();
        let mut dead = Vec::new();
        for card in ALL {
            let text = card.with(&addresses()).expect("all addresses are known");
            let read = import(text.as_bytes(), None, policy)
                .unwrap_or_else(|refused| panic!("{}: {refused:?}", card.path));
            let codes: BTreeSet<_> = read
                .warnings
                .iter()
                .map(|warning| warning.code.as_str())
                .collect();
            if codes.iter().any(|code| *code != "url_private") {
                odd.insert(card.path);
            }
            if !read.interfaces.iter().any(|interface| interface.callable) {
                dead.push(card.path);
            }
        }
        assert_eq!(
            odd,
            BTreeSet::from([
                "base-converter",
                "notary",
                "reverser",
                "slug-maker",
                "sorter"
            ])
        );
        assert_eq!(dead, ["notary"]);
    }

    #[test]
    fn a_card_is_held_back_until_its_addresses_are_known() {
        let only_old = Addresses {
            a2a_03: Some("http://h".to_owned()),
            ..Addresses::default()
        };
        let given: Vec<_> = ALL
            .iter()
            .filter(|card| card.with(&only_old).is_some())
            .map(|card| card.path)
            .collect();
        assert!(
            given.contains(&"translator")
                && !given.contains(&"calculator")
                && !given.contains(&"shouter"),
            "{given:?}"
        );
    }
}
