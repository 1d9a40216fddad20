//! Signed HTTP requests (RFC 9421 with Ed25519) over method, authority, path, query and content digest.
//!
//! ```
//! use protocol::signature::{
//!     http_message::{ContentDigest, Received, Rules, Scheme, Signer, Target, verify},
//!     jwk::SigningKey,
//! };
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let key = SigningKey::from_seed([7; 32]);
//! let signer = Signer::new(key.clone(), Some("guildhall"))?;
//! let target = Target::new("POST", Scheme::Https, "agent.example", "/a2a", None)?;
//! let headers = signer.sign(&target, &ContentDigest::of(b"{}"), 1_700_000_000, &[1; 16]);
//!
//! let pairs = headers.pairs().map(|(name, value)| (name, value.as_bytes()));
//! let received = Received { target: &target, headers: &pairs, body: b"{}" };
//! let verified = verify(&received, |_| Some(key.public().clone()), &Rules::at(1_700_000_005))?;
//! assert_eq!(verified.keyid, key.kid());
//! # Ok(())
//! # }
//! ```

mod base;
mod digest;
mod field;
mod refusal;
mod sign;
mod target;
#[cfg(test)]
mod tests;
mod verify;

pub use digest::ContentDigest;
pub use refusal::Refusal;
pub use sign::{Headers, Signer, TextError};
pub use target::{Scheme, Target, TargetError};
pub use verify::{Claim, KeyIds, MAX_NONCE, Received, Rules, Verified, verify};

/// The components that every signature must cover (RFC 9421, section 2), in the order in which we
/// write them.
pub const COMPONENTS: [&str; 5] = ["@method", "@authority", "@path", "@query", "content-digest"];

/// How long a signature is good, in seconds, unless it says less itself.
pub const WINDOW: u64 = 300;

/// The name that stands for Ed25519 (RFC 9421, section 6.2.2).
const ALGORITHM: &str = "ed25519";
