//! Chain logs and registration files become rows. No chain is read in this version.
//!
//! Here is the table of chains that have ERC-8004 registries, which everything else will start from.

/// Whether the tokens of a chain have a price. An id does not tell it, so the table does.
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
    /// Address of the ERC-8004 identity registry, the same on every chain of the class:
    /// `0x` and 40 digits in lower case, as in the ids of agents.
    #[must_use]
    pub const fn identity_registry(self) -> &'static str {
        match self {
            Self::Mainnet => "0x8004a169fb4a3325136eb29fa0ceb6d2e539a432",
            Self::Testnet => "0x8004a818bfb912233c491871b3d84c89a494bd9e",
        }
    }

    /// Address of the ERC-8004 reputation registry, in the same form.
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
///
/// Left out are chains whose id has to be read from a node (Robinhood and its testnet). Whether
/// the contracts behind an address are the finished ones is for the chain to say, not for this table.
pub const CHAINS: [Chain; 48] = [
    main(1, "Ethereum"),
    main(10, "Optimism"),
    main(56, "BSC"),
    test(97, "BSC testnet"),
    main(100, "Gnosis"),
    main(137, "Polygon"),
    main(143, "Monad"),
    main(196, "X Layer"),
    test(296, "Hedera testnet"),
    main(1088, "Metis"),
    test(1439, "Injective testnet"),
    main(1776, "Injective"),
    main(1868, "Soneium"),
    test(1946, "Soneium Minato"),
    test(1952, "X Layer testnet"),
    main(2345, "GOAT"),
    main(2741, "Abstract"),
    main(4326, "MegaETH"),
    main(5000, "Mantle"),
    test(5003, "Mantle Sepolia"),
    test(6343, "MegaETH testnet"),
    test(6913, "Billions testnet"),
    main(8453, "Base"),
    test(10_143, "Monad testnet"),
    test(11_124, "Abstract testnet"),
    test(16_602, "0G Galileo"),
    main(16_661, "0G"),
    main(42_161, "Arbitrum"),
    main(42_220, "Celo"),
    test(43_113, "Fuji"),
    main(43_114, "Avalanche"),
    main(45_056, "Billions"),
    test(59_141, "Linea Sepolia"),
    main(59_144, "Linea"),
    test(59_902, "Metis Sepolia"),
    test(80_002, "Amoy"),
    test(84_532, "Base Sepolia"),
    main(167_000, "Taiko"),
    test(167_013, "Taiko Hoodi"),
    test(421_614, "Arbitrum Sepolia"),
    test(534_351, "Scroll Sepolia"),
    main(534_352, "Scroll"),
    test(5_042_002, "Arc testnet"),
    test(11_142_220, "Celo Sepolia"),
    test(11_155_111, "Sepolia"),
    test(11_155_420, "OP Sepolia"),
    test(324_705_682, "SKALE Base Sepolia"),
    main(1_187_947_933, "SKALE Base"),
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
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_table_is_in_order_and_every_chain_is_found() {
        assert!(CHAINS.is_sorted_by(|a, b| a.id < b.id));
        assert!(CHAINS.iter().all(|known| chain(known.id) == Some(known)));
        assert_eq!(chain(2), None);
    }

    #[test]
    fn no_name_stands_twice() {
        let names: BTreeSet<_> = CHAINS.iter().map(|known| known.name).collect();
        assert_eq!(names.len(), CHAINS.len());
    }

    #[test]
    fn the_class_is_that_of_the_chain() {
        let class = |id| chain(id).map(|known| known.class);
        assert_eq!(class(8453), Some(Class::Mainnet));
        assert_eq!(class(84_532), Some(Class::Testnet));
        for known in &CHAINS {
            // Names of testnets say so; these are the ones that have a name of their own.
            let own = [
                "Amoy",
                "Fuji",
                "Taiko Hoodi",
                "Soneium Minato",
                "0G Galileo",
            ];
            let says_so = known.name.contains("epolia") || known.name.contains("testnet");
            let test = says_so || own.contains(&known.name);
            assert_eq!(known.class == Class::Testnet, test, "{}", known.name);
        }
    }

    #[test]
    fn addresses_are_forty_digits_in_lower_case_and_none_is_another() {
        let mut seen = BTreeSet::new();
        for class in [Class::Mainnet, Class::Testnet] {
            for address in [class.identity_registry(), class.reputation_registry()] {
                let digits = address.strip_prefix("0x").unwrap_or_default();
                let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
                assert!(digits.len() == 40 && digits.bytes().all(hex), "{address}");
                assert!(
                    digits.starts_with("8004"),
                    "{address}: all registries begin so"
                );
                assert!(seen.insert(address), "{address} stands twice");
            }
        }
    }
}
