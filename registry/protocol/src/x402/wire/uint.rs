//! Whole numbers as x402 writes them: plain decimal text.

use std::{fmt, str::FromStr};

use alloy_primitives::U256;
use serde::{Deserialize, Serialize};

/// The most digits that are read: as many as 2^256 - 1 has. Not every number of 78 digits is smaller.
pub const MAX_DIGITS: usize = 78;

/// A whole number from 0 on: digits without sign or leading zeros, so that equal numbers have equal
/// texts. Amounts are in the token's smallest unit, times in seconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Uint(String);

/// Why a text is no such number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a whole number as decimal text of at most {MAX_DIGITS} digits without leading zeros")]
pub struct UintError;

impl Uint {
    /// The number; `None` when it does not fit into 256 bits.
    #[must_use]
    pub fn value(&self) -> Option<U256> {
        U256::from_str_radix(&self.0, 10).ok()
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<u64> for Uint {
    fn from(number: u64) -> Self {
        Self(number.to_string())
    }
}

impl From<U256> for Uint {
    fn from(number: U256) -> Self {
        Self(number.to_string())
    }
}

impl FromStr for Uint {
    type Err = UintError;

    fn from_str(text: &str) -> Result<Self, UintError> {
        Self::try_from(text.to_owned())
    }
}

impl TryFrom<String> for Uint {
    type Error = UintError;

    fn try_from(text: String) -> Result<Self, UintError> {
        let plain = (1..=MAX_DIGITS).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_digit())
            && (text == "0" || !text.starts_with('0'));
        if plain {
            Ok(Self(text))
        } else {
            Err(UintError)
        }
    }
}

impl From<Uint> for String {
    fn from(number: Uint) -> Self {
        number.0
    }
}

impl fmt::Display for Uint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}
