//! The gateway's own keys: one signs cards, receipts and forwarded requests; the public halves of all
//! are at `/.well-known/jwks.json`.

use std::sync::{Arc, PoisonError, RwLock};

use http::{HeaderMap, HeaderName, HeaderValue};
use protocol::signature::http_message::{ContentDigest, Signer, Target};
use protocol::signature::jwk::{JwkSet, SigningKey};
use registry::clock::Millis;
use registry::error::Error;
use registry::ids::Random;
use registry::store::{SigningSeed, Store};
use serde_json::Value;
use url::Url;

/// Tells our signatures from others' on one request (RFC 9421, 2.3).
const TAG: &str = "guildhall";

/// The keys; cheap to clone.
#[derive(Clone)]
pub struct KeyRing(Arc<Shared>);

struct Shared {
    random: Arc<dyn Random>,
    now: RwLock<Arc<Keys>>,
}

/// The keys as they were read.
struct Keys {
    signer: Option<Signer>,
    published: JwkSet,
}

impl KeyRing {
    /// A ring without keys, which signs nothing.
    #[must_use]
    pub fn empty(random: Arc<dyn Random>) -> Self {
        let keys = Keys {
            signer: None,
            published: JwkSet::new(Vec::new()),
        };
        Self(Arc::new(Shared {
            random,
            now: RwLock::new(Arc::new(keys)),
        }))
    }

    /// The keys of the store; the first one is made here.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn open(store: &Store) -> Result<Self, Error> {
        let ring = Self::empty(store.random().clone());
        if store.signing_keys().await?.is_empty() {
            add_key(store).await?;
        }
        ring.refresh(store).await?;
        Ok(ring)
    }

    /// Reads the keys again: another process may have rotated them.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn refresh(&self, store: &Store) -> Result<(), Error> {
        let keys = read(&store.signing_keys().await?);
        *self.0.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keys);
        Ok(())
    }

    /// The public keys (RFC 7517).
    #[must_use]
    pub fn published(&self) -> Value {
        self.keys().published.to_value()
    }

    /// The key that signs now.
    #[must_use]
    pub fn current(&self) -> Option<SigningKey> {
        let keys = self.keys();
        keys.signer.as_ref().map(|signer| signer.key().clone())
    }

    /// Signs a request that leaves: method, address and body digest (RFC 9421).
    pub fn sign(&self, method: &str, url: &Url, body: &[u8], now: Millis, headers: &mut HeaderMap) {
        let keys = self.keys();
        let (Some(signer), Ok(target)) = (&keys.signer, Target::of_url(method, url)) else {
            return;
        };
        let mut nonce = [0; 16];
        self.0.random.fill(&mut nonce);
        let seconds = u64::try_from(now / 1_000).unwrap_or_default();
        let signed = signer.sign(&target, &ContentDigest::of(body), seconds, &nonce);
        for (name, value) in signed.pairs() {
            if let (Ok(name), Ok(value)) =
                (HeaderName::try_from(name), HeaderValue::try_from(value))
            {
                headers.insert(name, value);
            }
        }
    }

    fn keys(&self) -> Arc<Keys> {
        let now = self.0.now.read().unwrap_or_else(PoisonError::into_inner);
        now.clone()
    }
}

/// Makes a key, which signs from now on; gives its id.
///
/// # Errors
/// [`Error::Store`].
pub async fn add_key(store: &Store) -> Result<String, Error> {
    let mut seed = [0; 32];
    store.random().fill(&mut seed);
    let kid = SigningKey::from_seed(seed).kid().to_owned();
    store.signing_key_add(kid.clone(), seed.to_vec()).await?;
    Ok(kid)
}

fn read(seeds: &[SigningSeed]) -> Keys {
    let key = |seed: &SigningSeed| {
        let bytes = <[u8; 32]>::try_from(seed.seed.as_slice()).ok()?;
        Some(SigningKey::from_seed(bytes))
    };
    let current = seeds.iter().find(|seed| seed.retired_at.is_none());
    let signer = current
        .and_then(key)
        .and_then(|key| Signer::new(key, Some(TAG)).ok());
    let public = seeds.iter().filter_map(key).map(|key| key.public().clone());
    Keys {
        signer,
        published: JwkSet::new(public.collect()),
    }
}

impl std::fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let keys = self.keys();
        f.debug_struct("KeyRing")
            .field(
                "current",
                &keys
                    .signer
                    .as_ref()
                    .map(|signer| signer.key().kid().to_owned()),
            )
            .finish_non_exhaustive()
    }
}
