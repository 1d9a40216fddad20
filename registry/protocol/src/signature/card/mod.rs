//! Signed agent cards (A2A 1.0, section 8.4): the bytes that are signed, signing and judging.

mod payload;
mod presence;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};

pub use payload::{Form, Payload, payloads};

use super::{
    jwk::{JwkSet, PublicKey, SigningKey},
    jws::{self, Detached, JwsError},
};

/// How many signatures of a card are looked at.
pub const MAX_SIGNATURES: usize = 16;

/// How deep [`integrity`] looks for keys inside a card.
const MAX_DEPTH: usize = 64;

/// What the signatures of a card prove, with the keys that were at hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// A signature by one of the keys covers the card.
    Verified {
        /// The form of the card that was signed.
        form: Form,
        /// The name of the key.
        kid: String,
    },
    /// A signature by one of the keys covers the members of A2A 1.0, and the card has others that
    /// nobody signed. Typed signers make such cards when they add the members of 0.3 afterwards.
    Partial {
        /// The form of the card that was signed.
        form: Form,
        /// The name of the key.
        kid: String,
    },
    /// A signature in the name of a key at hand does not hold, or none can be read at all.
    Invalid,
    /// There are signatures, and their keys are not at hand.
    UnknownKey,
    /// Members of the card are repeated: readers differ in what it says, so no signature counts.
    Ambiguous,
    /// The card is not signed.
    None,
}

/// Signs a card with one signature for each form in which a reader may canonicalise it.
///
/// The forms of a card without defaults and foreign members are all the same, and there is one
/// signature. Signatures that were there are dropped: they covered another card or are covered
/// anew. What is no object is given back as it is.
#[must_use]
pub fn sign_card(card: &Value, key: &SigningKey, jku: Option<&str>) -> Value {
    let mut signed = card.clone();
    let Some(members) = signed.as_object_mut() else {
        return signed;
    };
    let signatures: Vec<Value> = payloads(members)
        .iter()
        .map(|payload| jws::sign(&payload.bytes, key, jku).to_value())
        .collect();
    members.insert("signatures".to_owned(), json!(signatures));
    signed
}

/// Judges the signatures of a card. Of several, one that covers the card is enough.
///
/// `repeated` says that the card's text had members twice
/// ([`Parsed::duplicates`](crate::json::Parsed::duplicates)). The keys are those that count for the
/// card's origin; a key that lies in the card itself is none, see [`integrity`].
#[must_use]
pub fn verify_card(card: &Value, keys: &JwkSet, repeated: bool) -> Verdict {
    let Some(signatures) = signatures(card) else {
        return Verdict::None;
    };
    if repeated {
        return Verdict::Ambiguous;
    }
    let payloads = card.as_object().map(payloads).unwrap_or_default();
    let mut best = Finding::Malformed;
    for signature in signatures.iter().take(MAX_SIGNATURES) {
        let finding = judge(signature, &payloads, keys);
        if finding.weight() > best.weight() {
            best = finding;
        }
        if matches!(best, Finding::Verified(..)) {
            break;
        }
    }
    best.verdict()
}

/// Whether the card is whole by a key that lies inside it, and in which form.
///
/// That proves that nobody damaged the card, and nothing about who wrote it.
#[must_use]
pub fn integrity(card: &Value, repeated: bool) -> Option<Form> {
    let mut keys = Vec::new();
    let body = card.as_object()?;
    for (name, value) in body {
        if name != "signatures" {
            collect_keys(value, MAX_DEPTH, &mut keys);
        }
    }
    match verify_card(card, &JwkSet::new(keys), repeated) {
        Verdict::Verified { form, .. } => Some(form),
        _ => None,
    }
}

/// The well-formed signatures of a card, to learn the keys and addresses that they name.
#[must_use]
pub fn headers(card: &Value) -> Vec<jws::Header> {
    signatures(card)
        .unwrap_or_default()
        .iter()
        .take(MAX_SIGNATURES)
        .filter_map(|signature| Detached::from_value(signature).ok()?.header().ok())
        .collect()
}

/// What one signature proves.
enum Finding {
    Verified(Form, String),
    Failed,
    Partial(Form, String),
    UnknownKey,
    Malformed,
}

impl Finding {
    /// Which finding of several counts. A failed signature outweighs a partial one beside it, which may
    /// be what is left after somebody changed what it does not cover.
    fn weight(&self) -> u8 {
        match self {
            Self::Verified(..) => 4,
            Self::Failed => 3,
            Self::Partial(..) => 2,
            Self::UnknownKey => 1,
            Self::Malformed => 0,
        }
    }

    fn verdict(self) -> Verdict {
        match self {
            Self::Verified(form, kid) => Verdict::Verified { form, kid },
            Self::Partial(form, kid) => Verdict::Partial { form, kid },
            Self::UnknownKey => Verdict::UnknownKey,
            Self::Failed | Self::Malformed => Verdict::Invalid,
        }
    }
}

fn judge(signature: &Value, payloads: &[Payload], keys: &JwkSet) -> Finding {
    let read = Detached::from_value(signature).and_then(|jws| Ok((jws.header()?, jws)));
    let (header, jws) = match read {
        Ok(read) => read,
        // Allowed by RFC 7515, though not by A2A: somebody's key, and nobody can say whose.
        Err(JwsError::KeyIdMissing) => return Finding::UnknownKey,
        Err(_) => return Finding::Malformed,
    };
    let key = match jws.key(&header, keys) {
        Ok(key) => key,
        Err(JwsError::UnknownKey) => return Finding::UnknownKey,
        Err(_) => return Finding::Failed,
    };
    match payloads
        .iter()
        .find(|payload| jws.holds(&payload.bytes, key).is_ok())
    {
        Some(payload) if payload.whole => Finding::Verified(payload.form, header.kid),
        Some(payload) => Finding::Partial(payload.form, header.kid),
        None => Finding::Failed,
    }
}

/// The entries of `signatures`; `None` when there are none. What is no list is one bad entry.
fn signatures(card: &Value) -> Option<&[Value]> {
    match card.get("signatures")? {
        Value::Null => None,
        Value::Array(entries) if entries.is_empty() => None,
        Value::Array(entries) => Some(entries),
        other => Some(std::slice::from_ref(other)),
    }
}

/// Gathers what is a key anywhere in a value.
fn collect_keys(value: &Value, depth: usize, keys: &mut Vec<PublicKey>) {
    if depth == 0 || keys.len() >= super::jwk::MAX_KEYS {
        return;
    }
    match value {
        Value::Array(items) => items
            .iter()
            .for_each(|item| collect_keys(item, depth - 1, keys)),
        Value::Object(members) => {
            if members.contains_key("kty") {
                keys.extend(PublicKey::read(value));
            }
            members
                .values()
                .for_each(|member| collect_keys(member, depth - 1, keys));
        }
        _ => {}
    }
}
