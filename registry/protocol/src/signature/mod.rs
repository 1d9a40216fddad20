//! Signatures of cards and of HTTP requests: the keys, the forms and the judging, with everything handed in.
//!
//! Keys, times and nonces come from the caller; nothing here reads a clock or a random source, and
//! no bytes make a reader panic. What is refused is refused with a reason that has a name.
//!
//! | module | what it is for | standard |
//! |---|---|---|
//! | [`jcs`] | canonical bytes of JSON | RFC 8785 |
//! | [`jwk`] | Ed25519 and P-256 keys, their names and sets of them | RFC 7517, 7638, 8037 |
//! | [`jws`] | signatures that lie beside what they cover | RFC 7515, 7518, 8037 |
//! | [`card`] | signed agent cards | A2A 1.0, 8.4 |
//! | [`http_message`] | signed HTTP requests | RFC 9421, 9530 |

pub mod card;
pub mod http_message;
pub mod jcs;
pub mod jwk;
pub mod jws;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

/// Writes base64url without padding, as all of JOSE has it (RFC 7515, section 2).
pub(crate) fn to_base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Reads base64url strictly: no padding, no white space, no stray bits, so that one value has one
/// text and a changed letter never means the same.
pub(crate) fn from_base64url(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}
