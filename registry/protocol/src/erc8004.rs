//! Names of agents in an ERC-8004 identity registry.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The largest token id, 2^256 - 1.
const MAX_ID: &str =
    "115792089237316195423570985008687907853269984665640564039457584007913129639935";

/// One on-chain agent: `eip155:{chain}:{registry}:{id}`.
///
/// The registry address is always in lower case, so equal agents have equal texts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AgentRef {
    chain: u64,
    registry: String,
    id: String,
}

/// Why a text names no on-chain agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AgentRefError {
    /// Not four parts with `eip155` in front (or two for the short form).
    #[error("an on-chain agent is written eip155:chain:registry:id")]
    Shape,
    /// The chain is no positive decimal number of 64 bits.
    #[error("the chain is no positive decimal number")]
    Chain,
    /// The registry is not `0x` and 40 hexadecimal digits.
    #[error("the registry is no address of 0x and 40 hexadecimal digits")]
    Registry,
    /// The id is no decimal number of at most 256 bits without leading zeros.
    #[error("the id is no decimal number of at most 256 bits")]
    Id,
}

impl AgentRef {
    /// Puts a name together; `registry` may be in any case.
    ///
    /// # Errors
    /// The first part that is wrong.
    pub fn new(chain: u64, registry: &str, id: &str) -> Result<Self, AgentRefError> {
        if chain == 0 {
            return Err(AgentRefError::Chain);
        }
        let digits = registry.strip_prefix("0x").ok_or(AgentRefError::Registry)?;
        if digits.len() != 40 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(AgentRefError::Registry);
        }
        check_id(id)?;
        Ok(Self {
            chain,
            registry: registry.to_ascii_lowercase(),
            id: id.to_owned(),
        })
    }

    /// The EIP-155 chain number.
    #[must_use]
    pub fn chain(&self) -> u64 {
        self.chain
    }

    /// The registry contract, `0x` and 40 digits in lower case.
    #[must_use]
    pub fn registry(&self) -> &str {
        &self.registry
    }

    /// The token id, a decimal number of at most 256 bits.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The short form `{chain}:{id}`, for chains with one known registry.
    #[must_use]
    pub fn alias(&self) -> String {
        format!("{}:{}", self.chain, self.id)
    }
}

/// Reads the short form `{chain}:{id}`.
///
/// # Errors
/// The first part that is wrong.
pub fn parse_alias(text: &str) -> Result<(u64, String), AgentRefError> {
    let (chain, id) = text.split_once(':').ok_or(AgentRefError::Shape)?;
    if id.contains(':') {
        return Err(AgentRefError::Shape);
    }
    check_id(id)?;
    Ok((parse_chain(chain)?, id.to_owned()))
}

fn is_plain_decimal(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
}

fn parse_chain(text: &str) -> Result<u64, AgentRefError> {
    if !is_plain_decimal(text) || text == "0" {
        return Err(AgentRefError::Chain);
    }
    text.parse().map_err(|_| AgentRefError::Chain)
}

fn check_id(text: &str) -> Result<(), AgentRefError> {
    // Equal lengths of plain decimals compare like the numbers do.
    let fits = text.len() < MAX_ID.len() || (text.len() == MAX_ID.len() && text <= MAX_ID);
    if is_plain_decimal(text) && fits {
        Ok(())
    } else {
        Err(AgentRefError::Id)
    }
}

impl FromStr for AgentRef {
    type Err = AgentRefError;

    fn from_str(text: &str) -> Result<Self, AgentRefError> {
        let mut parts = text.split(':');
        let (Some("eip155"), Some(chain), Some(registry), Some(id), None) = (
            parts.next(),
            parts.next(),
            parts.next(),
            parts.next(),
            parts.next(),
        ) else {
            return Err(AgentRefError::Shape);
        };
        Self::new(parse_chain(chain)?, registry, id)
    }
}

impl TryFrom<String> for AgentRef {
    type Error = AgentRefError;

    fn try_from(text: String) -> Result<Self, AgentRefError> {
        text.parse()
    }
}

impl From<AgentRef> for String {
    fn from(agent: AgentRef) -> Self {
        agent.to_string()
    }
}

impl fmt::Display for AgentRef {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "eip155:{}:{}:{}", self.chain, self.registry, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGISTRY: &str = "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432";

    #[test]
    fn reads_and_writes_both_forms() {
        let agent: AgentRef = format!("eip155:8453:{REGISTRY}:57008").parse().unwrap();
        assert_eq!(agent.registry(), REGISTRY.to_lowercase());
        assert_eq!(
            agent.to_string(),
            format!("eip155:8453:{}:57008", REGISTRY.to_lowercase())
        );
        assert_eq!(agent.alias(), "8453:57008");
        assert_eq!(parse_alias("8453:57008"), Ok((8453, "57008".into())));
        assert_eq!(agent.to_string().parse(), Ok(agent));
    }

    #[test]
    fn takes_ids_up_to_256_bits() {
        assert!(AgentRef::new(1, REGISTRY, MAX_ID).is_ok());
        let mut over = MAX_ID.to_owned();
        over.replace_range(over.len() - 1.., "6");
        assert_eq!(AgentRef::new(1, REGISTRY, &over), Err(AgentRefError::Id));
        assert_eq!(
            AgentRef::new(1, REGISTRY, &format!("{MAX_ID}0")),
            Err(AgentRefError::Id)
        );
        assert!(AgentRef::new(1, REGISTRY, "0").is_ok());
    }

    #[test]
    fn refuses_what_is_no_name() {
        for (text, error) in [
            ("", AgentRefError::Shape),
            ("8453:1", AgentRefError::Shape),
            ("eip155:1:0x00:1", AgentRefError::Registry),
            (&format!("eip155:0:{REGISTRY}:1"), AgentRefError::Chain),
            (&format!("eip155:01:{REGISTRY}:1"), AgentRefError::Chain),
            (
                &format!("eip155:99999999999999999999:{REGISTRY}:1"),
                AgentRefError::Chain,
            ),
            (&format!("eip155:1:{REGISTRY}:01"), AgentRefError::Id),
            (&format!("eip155:1:{REGISTRY}:-1"), AgentRefError::Id),
            (&format!("eip155:1:{REGISTRY}:"), AgentRefError::Id),
            (&format!("eip155:1:{REGISTRY}:1:2"), AgentRefError::Shape),
            (&format!("solana:1:{REGISTRY}:1"), AgentRefError::Shape),
        ] {
            assert_eq!(text.parse::<AgentRef>(), Err(error), "{text}");
        }
        assert_eq!(parse_alias("1:2:3"), Err(AgentRefError::Shape));
        assert_eq!(parse_alias("x:2"), Err(AgentRefError::Chain));
    }
}
