//! The member `x402Version`, a constant of each object's type: what is of one version can neither be
//! read from nor written as the other.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The number of a version. There is one value of it, `Stamp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stamp<const NUMBER: u64>;

impl<const NUMBER: u64> Serialize for Stamp<NUMBER> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_u64(NUMBER)
    }
}

impl<'de, const NUMBER: u64> Deserialize<'de> for Stamp<NUMBER> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        if u64::deserialize(source)? == NUMBER {
            Ok(Self)
        } else {
            Err(D::Error::custom(format!("x402Version is not {NUMBER}")))
        }
    }
}
