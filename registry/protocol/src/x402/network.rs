//! Networks: CAIP-2 in version 2, short names in version 1. What has no short name is not sold there.

/// CAIP-2 and the name that version 1 has for it.
const NAMES: [(&str, &str); 17] = [
    ("eip155:137", "polygon"),
    ("eip155:8453", "base"),
    ("eip155:43114", "avalanche"),
    ("eip155:1329", "sei"),
    ("eip155:4689", "iotex"),
    ("eip155:84532", "base-sepolia"),
    ("eip155:80002", "polygon-amoy"),
    ("eip155:43113", "avalanche-fuji"),
    ("eip155:1328", "sei-testnet"),
    ("eip155:3338", "peaq"),
    ("eip155:1514", "story"),
    ("eip155:41923", "educhain"),
    ("eip155:2741", "abstract"),
    ("eip155:11124", "abstract-testnet"),
    ("eip155:324705682", "skale-base-sepolia"),
    ("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "solana"),
    ("solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", "solana-devnet"),
];

/// The name that version 1 has for a CAIP-2 network; `None` when it has none.
#[must_use]
pub fn v1_name(caip2: &str) -> Option<&'static str> {
    let found = NAMES.iter().find(|(known, _)| *known == caip2);
    found.map(|(_, name)| *name)
}

/// The CAIP-2 network of a name of version 1; `None` when it is not known.
#[must_use]
pub fn by_v1_name(name: &str) -> Option<&'static str> {
    let found = NAMES.iter().find(|(_, known)| *known == name);
    found.map(|(caip2, _)| *caip2)
}

/// The chain number of `eip155:{number}`; `None` for other networks and for other ways to write the
/// number, so that one chain has one text.
#[must_use]
pub fn eip155(caip2: &str) -> Option<u64> {
    let digits = caip2.strip_prefix("eip155:")?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    if plain { digits.parse().ok() } else { None }
}

/// The CAIP-2 text of an EIP-155 chain.
#[must_use]
pub fn of_eip155(chain: u64) -> String {
    format!("eip155:{chain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_to_its_network_and_back() {
        for (caip2, name) in NAMES {
            assert_eq!(v1_name(caip2), Some(name));
            assert_eq!(by_v1_name(name), Some(caip2));
            assert_eq!(
                eip155(caip2).map(of_eip155).as_deref(),
                caip2.starts_with("eip155:").then_some(caip2)
            );
        }
        assert_eq!(by_v1_name("base"), Some("eip155:8453"));
        assert_eq!(v1_name("eip155:84532"), Some("base-sepolia"));
    }

    #[test]
    fn what_version_1_does_not_know_has_no_name() {
        for caip2 in ["eip155:1", "eip155:31337", "base", "", "EIP155:8453"] {
            assert_eq!(v1_name(caip2), None);
        }
        for name in ["ethereum", "Base", "eip155:8453", ""] {
            assert_eq!(by_v1_name(name), None);
        }
    }

    #[test]
    fn a_chain_number_is_written_in_one_way() {
        assert_eq!(eip155("eip155:1"), Some(1));
        assert_eq!(eip155("eip155:18446744073709551615"), Some(u64::MAX));
        for text in [
            "eip155:",
            "eip155:0",
            "eip155:01",
            "eip155:+1",
            "eip155: 1",
            "eip155:1 ",
            "eip155:0x1",
            "eip155:18446744073709551616",
            "solana:1",
            "1",
        ] {
            assert_eq!(eip155(text), None, "{text}");
        }
    }
}
