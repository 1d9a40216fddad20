//! Chain logs and registration files become rows. No chain is read in this version: here is
//! the table of chains with ERC-8004 registries, which everything else will start from.

/// Whether the tokens of a chain have a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// They have.
    Mainnet,
    /// They have not.
    Testnet,
}

/// A chain on which the ERC-8004 registries stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chain {
    /// EIP-155 chain id.
    pub id: u64,
    /// Its name for people.
    pub name: &'static str,
    /// Decides the addresses of the registries.
    pub class: Class,
}

impl Class {
    /// Address of the identity registry, the same on every chain of the class.
    #[must_use]
    pub const fn identity_registry(self) -> &'static str {
        match self {
            Self::Mainnet => "0x8004a169fb4a3325136eb29fa0ceb6d2e539a432",
            Self::Testnet => "0x8004a818bfb912233c491871b3d84c89a494bd9e",
        }
    }

    /// Address of the reputation registry, the same on every chain of the class.
    #[must_use]
    pub const fn reputation_registry(self) -> &'static str {
        match self {
            Self::Mainnet => "0x8004baa17c55a88189ae136b182e5fda19de9b63",
            Self::Testnet => "0x8004b663056a597dffe9eccc1965a193b7388713",
        }
    }
}

const fn main(id: u64, name: &'static str) -> Chain {
    Chain {
        id,
        name,
        class: Class::Mainnet,
    }
}

const fn test(id: u64, name: &'static str) -> Chain {
    Chain {
        id,
        name,
        class: Class::Testnet,
    }
}

/// The known chains, by id.
pub const CHAINS: [Chain; 24] = [
    main(1, "Ethereum"),
    main(10, "Optimism"),
    main(56, "BSC"),
    test(97, "BSC testnet"),
    main(100, "Gnosis"),
    main(137, "Polygon"),
    main(143, "Monad"),
    main(196, "X Layer"),
    main(1868, "Soneium"),
    main(4326, "MegaETH"),
    main(5000, "Mantle"),
    main(8453, "Base"),
    test(10_143, "Monad testnet"),
    main(42_161, "Arbitrum"),
    main(42_220, "Celo"),
    main(43_114, "Avalanche"),
    main(59_144, "Linea"),
    test(80_002, "Amoy"),
    test(84_532, "Base Sepolia"),
    main(167_000, "Taiko"),
    test(421_614, "Arbitrum Sepolia"),
    main(534_352, "Scroll"),
    test(11_155_111, "Sepolia"),
    test(11_155_420, "OP Sepolia"),
];

/// The chain with that id.
#[must_use]
pub fn chain(id: u64) -> Option<&'static Chain> {
    CHAINS
        .binary_search_by_key(&id, |chain| chain.id)
        .ok()
        .map(|index| &CHAINS[index])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_every_chain_is_found() {
        assert!(CHAINS.is_sorted_by(|a, b| a.id < b.id));
        assert!(CHAINS.iter().all(|known| chain(known.id) == Some(known)));
        assert_eq!(chain(2), None);
    }

    #[test]
    fn addresses_are_twenty_bytes_in_lower_case() {
        for class in [Class::Mainnet, Class::Testnet] {
            for address in [class.identity_registry(), class.reputation_registry()] {
                let hex = address
                    .strip_prefix("0x8004")
                    .expect("the prefix of the registries");
                assert!(
                    hex.len() == 36
                        && hex
                            .bytes()
                            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)),
                    "{address}"
                );
            }
        }
    }
}
