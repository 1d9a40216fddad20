//! Chance, handed in: ids and secrets come from a [`Random`] source.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::RngCore as _;

use crate::clock::Millis;

/// A source of unpredictable bytes.
pub trait Random: Send + Sync + 'static {
    /// Fills `bytes`.
    fn fill(&self, bytes: &mut [u8]);
}

/// A generator of cryptographic strength for each thread, seeded by the operating system again and
/// again: a call takes five times of it, and each would be a system call.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        rand::rng().fill_bytes(bytes);
    }
}

/// A new id: `{prefix}_` and 26 characters that sort by time (48 bits of
/// milliseconds, 80 random bits, Crockford's base 32 in lower case).
#[must_use]
pub fn new_id(prefix: &str, now: Millis, random: &dyn Random) -> String {
    let mut tail = [0_u8; 10];
    random.fill(&mut tail);
    id_of(prefix, now, tail)
}

/// The least id that [`new_id`] may give from `now` on.
#[must_use]
pub fn first_id(prefix: &str, now: Millis) -> String {
    id_of(prefix, now, [0; 10])
}

fn id_of(prefix: &str, now: Millis, tail: [u8; 10]) -> String {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let time = u128::from(now.unsigned_abs() & 0xffff_ffff_ffff);
    let value = tail
        .iter()
        .fold(time, |value, byte| value << 8 | u128::from(*byte));
    let digit = |shift: u32| char::from(ALPHABET[(value >> (5 * shift) & 31) as usize]);
    let mut id = String::with_capacity(prefix.len() + 27);
    id.push_str(prefix);
    id.push('_');
    id.extend((0..26).rev().map(digit));
    id
}

/// Whether a text can be an id of ours: PostgreSQL refuses some texts even in a question.
#[must_use]
pub fn is_plausible(id: &str) -> bool {
    id.len() <= 64 && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// 256 random bits in base64url without padding (43 characters).
#[must_use]
pub fn secret(random: &dyn Random) -> String {
    let mut bytes = [0_u8; 32];
    random.fill(&mut bytes);
    URL_SAFE_NO_PAD.encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_time_and_differ() {
        let a = new_id("call", 1, &SystemRandom);
        let b = new_id("call", 2, &SystemRandom);
        assert!(a < b && a.len() == 31, "{a} {b}");
        assert_ne!(new_id("call", 2, &SystemRandom), b);
        let first = first_id("call", 2);
        assert!(a < first && first < b, "{a} {first} {b}");
    }
}
