//! A set of public keys (RFC 7517, section 5).

use serde_json::{Value, json};

use super::{KeyError, PublicKey};

/// How many keys a set may hold.
pub const MAX_KEYS: usize = 64;

/// Public keys, found by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JwkSet {
    keys: Vec<PublicKey>,
}

impl JwkSet {
    /// A set of keys that are at hand.
    #[must_use]
    pub fn new(keys: Vec<PublicKey>) -> Self {
        Self { keys }
    }

    /// Reads a JWK set. Keys that cannot be used are passed over, as the standard asks: kinds that
    /// are not known, weak, private or meant for something else.
    ///
    /// # Errors
    /// [`KeyError::Set`] for anything but an object with a list `keys` of at most [`MAX_KEYS`].
    pub fn read(set: &Value) -> Result<Self, KeyError> {
        let keys = set
            .get("keys")
            .and_then(Value::as_array)
            .filter(|keys| keys.len() <= MAX_KEYS)
            .ok_or(KeyError::Set)?;
        Ok(Self {
            keys: keys
                .iter()
                .filter_map(|key| PublicKey::read(key).ok())
                .collect(),
        })
    }

    /// The set as JSON, to be served.
    #[must_use]
    pub fn to_value(&self) -> Value {
        json!({"keys": self.keys.iter().map(PublicKey::to_jwk).collect::<Vec<_>>()})
    }

    /// Every key of that name, to the letter; a name may stand for one key of each kind.
    pub fn find<'a>(&'a self, kid: &'a str) -> impl Iterator<Item = &'a PublicKey> {
        self.keys.iter().filter(move |key| key.kid() == kid)
    }

    /// All keys, in the order of the set.
    #[must_use]
    pub fn keys(&self) -> &[PublicKey] {
        &self.keys
    }
}
