//! The bytes of a card that a signature may cover: the card as it is, and its typed forms.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::presence::{Others, without_absent, without_empty};
use crate::signature::jcs;

/// In which form a card was signed. None has the member `signatures`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// The JSON as it was served.
    Raw,
    /// Members that are unset by the presence rules of 1.0 removed, members unknown to 1.0 kept.
    Present,
    /// Members that are unset by the presence rules of 1.0 removed, members unknown to 1.0 as well.
    Known,
    /// Only members of 1.0, and of those nothing empty, required or not: no empty text, list or
    /// object, as the Python SDK signs. Older versions of it write all letters above ASCII as escapes;
    /// those bytes go by the same name.
    Filled,
}

/// One sequence of bytes that may have been signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload {
    /// The form.
    pub form: Form,
    /// Whether everything that the card says is in it.
    pub whole: bool,
    /// The canonical bytes.
    pub bytes: Vec<u8>,
}

/// Every payload of a card, each sequence of bytes once, from the one that leaves nothing out on.
#[must_use]
pub fn payloads(card: &Map<String, Value>) -> Vec<Payload> {
    let mut found: Vec<Payload> = Vec::with_capacity(5);
    let mut add = |form, whole, bytes: Vec<u8>| {
        if found.iter().all(|payload| payload.bytes != bytes) {
            found.push(Payload { form, whole, bytes });
        }
    };
    add(Form::Raw, true, jcs::canonical_without(card, "signatures"));
    let mut unsigned = card.clone();
    unsigned.shift_remove("signatures");
    let present = jcs::canonical(&without_absent(&unsigned, Others::Kept));
    let known_value = without_absent(&unsigned, Others::Dropped);
    let known = jcs::canonical(&known_value);
    // Empty things apart, the typed forms say all when there was nothing foreign to leave out.
    let whole = known == present;
    add(Form::Present, true, present);
    add(Form::Known, whole, known);
    if let Some(filled) = without_empty(&known_value) {
        let bytes = jcs::canonical(&filled);
        let ascii = in_ascii(&bytes);
        add(Form::Filled, whole, bytes);
        add(Form::Filled, whole, ascii);
    }
    found
}

/// Writes every letter above ASCII as `\u` escapes of UTF-16.
fn in_ascii(canonical: &[u8]) -> Vec<u8> {
    let mut out = String::with_capacity(canonical.len());
    for letter in String::from_utf8_lossy(canonical).chars() {
        if letter.is_ascii() {
            out.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // Writing into a String cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out.into_bytes()
}
