//! Any request and any card that is signed verifies, any change is refused, and no bytes make a reader panic.

use proptest::{collection::vec, option, prelude::*, sample::Index};
use protocol::{
    json,
    signature::{
        card::{self, Verdict},
        http_message::{
            Claim, ContentDigest, Headers, Received, Refusal, Rules, Scheme, Signer, Target, verify,
        },
        jcs,
        jwk::{JwkSet, PublicKey, SigningKey},
        jws::{self, Detached},
    },
};
use serde_json::{Map, Value};

const NOW: u64 = 1_700_000_000;

fn key() -> SigningKey {
    SigningKey::from_seed([7; 32])
}

fn keys() -> JwkSet {
    JwkSet::new(vec![key().public().clone()])
}

/// A request in its parts.
#[derive(Debug, Clone)]
struct Parts {
    method: String,
    authority: String,
    path: String,
    query: Option<String>,
    body: Vec<u8>,
    headers: Vec<String>,
}

impl Parts {
    fn target(&self) -> Option<Target> {
        Target::new(
            &self.method,
            Scheme::Https,
            &self.authority,
            &self.path,
            self.query.as_deref(),
        )
        .ok()
    }

    fn sign(&mut self, nonce: [u8; 16]) {
        let signer = Signer::new(key(), Some("guildhall")).unwrap();
        let target = self.target().unwrap();
        let Headers {
            content_digest,
            signature_input,
            signature,
        } = signer.sign(&target, &ContentDigest::of(&self.body), NOW, &nonce);
        self.headers = vec![content_digest, signature_input, signature];
    }

    fn verify(&self) -> Result<(), Option<Refusal>> {
        let target = self.target().ok_or(None)?;
        let names = ["Content-Digest", "Signature-Input", "Signature"];
        let headers: Vec<_> = names
            .into_iter()
            .zip(self.headers.iter().map(String::as_bytes))
            .collect();
        let request = Received {
            target: &target,
            headers: &headers,
            body: &self.body,
        };
        let public = |kid: &str| (kid == key().kid()).then(|| key().public().clone());
        verify(&request, public, &Rules::at(NOW))
            .map(|_| ())
            .map_err(Some)
    }
}

fn parts() -> impl Strategy<Value = Parts> {
    (
        "[A-Za-z!#$%&'*+.^_`|~-]{1,10}",
        "[a-z0-9.-]{1,20}(:[0-9]{4})?",
        "(/[!-\"$->@-~]{0,20})?",
        option::of("[!-\"$-~]{0,20}"),
        vec(any::<u8>(), 0..200),
    )
        .prop_map(|(method, authority, path, query, body)| Parts {
            method,
            authority,
            path,
            query,
            body,
            headers: Vec::new(),
        })
}

/// Puts another visible letter, different even without case, at some place.
fn change(text: &str, at: &Index, by: u8) -> Option<String> {
    let at = at.index(text.len().checked_sub(1)? + 1);
    let letter = char::from(b'!' + by % 94);
    let old = text[at..].chars().next()?;
    if letter.eq_ignore_ascii_case(&old) {
        return None;
    }
    let mut text = text.to_owned();
    text.replace_range(at..at + old.len_utf8(), letter.encode_utf8(&mut [0; 4]));
    Some(text)
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "name",
            "url",
            "provider",
            "capabilities",
            "extensions",
            "params",
            "skills",
            "tags",
            "securitySchemes",
            "schemes",
            "list",
            "signatures",
            "protected",
            "signature",
            "header",
            "kty",
            "crv",
            "x",
            "y",
            "kid",
            "keys",
            "apiKeySecurityScheme",
        ])
        .prop_map(str::to_owned),
        ".{0,6}",
    ]
}

fn tree() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            vec((name(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn object() -> impl Strategy<Value = Map<String, Value>> {
    vec((name(), tree()), 0..6).prop_map(|members| members.into_iter().collect())
}

proptest! {
    // Curves are slow in a build that is not optimised.
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_request_signs_and_verifies(mut parts in parts(), nonce: [u8; 16]) {
        parts.sign(nonce);
        prop_assert_eq!(parts.verify(), Ok(()));
    }

    #[test]
    fn any_change_of_a_request_is_refused(
        mut parts in parts(), part in 0..8_usize, at: Index, by: u8, nonce: [u8; 16],
    ) {
        parts.sign(nonce);
        let mut changed = parts.clone();
        let query = changed.query.take();
        let text = |text: &str| change(text, &at, by);
        let done = match part {
            0 => text(&parts.method).map(|new| changed.method = new),
            1 => text(&parts.authority).map(|new| changed.authority = new),
            2 => text(&parts.path).map(|new| changed.path = new),
            3 => query.as_deref().and_then(text).map(|new| changed.query = Some(new)),
            4 if !parts.body.is_empty() => {
                *at.get_mut(&mut changed.body) ^= by.max(1);
                Some(())
            }
            4 => None,
            _ => text(&parts.headers[part - 5]).map(|new| changed.headers[part - 5] = new),
        };
        prop_assume!(done.is_some());
        if part != 3 {
            changed.query = query;
        }
        prop_assert!(changed.verify().is_err(), "{:?}", changed);
    }

    #[test]
    fn any_headers_are_read_without_panic(
        lines in vec((0..4_usize, vec(any::<u8>(), 0..80)), 0..5),
        texts in vec((0..3_usize, "[a-z0-9=:;,()\" @-]{0,60}"), 0..4),
    ) {
        let names = ["signature-input", "Signature", "content-digest", "date"];
        let headers: Vec<(&str, &[u8])> = lines
            .iter()
            .map(|(name, value)| (names[*name], value.as_slice()))
            .chain(texts.iter().map(|(name, value)| (names[*name], value.as_bytes())))
            .collect();
        let target = Target::new("GET", Scheme::Http, "a", "/", None).unwrap();
        let request = Received { target: &target, headers: &headers, body: b"" };
        prop_assert!(Claim::read(request, &Rules::at(NOW)).is_err());
    }

    #[test]
    fn damaged_headers_are_read_without_panic(
        mut parts in parts(), which in 0..3_usize, from: Index, to: Index, put in ".{0,3}",
    ) {
        parts.sign([0; 16]);
        let line = &mut parts.headers[which];
        let (one, other) = (from.index(line.len()), to.index(line.len()));
        line.replace_range(one.min(other)..one.max(other), &put);
        let _ = parts.verify();
    }

    #[test]
    fn canonical_bytes_are_stable(value in tree()) {
        let bytes = jcs::canonical(&value);
        let again: Value = serde_json::from_slice(&bytes).unwrap();
        prop_assert_eq!(jcs::canonical(&again), bytes);
    }

    #[test]
    fn any_card_signs_and_verifies(card in object()) {
        let card = Value::Object(card);
        let signed = card::sign_card(&card, &key(), None);
        let verdict = card::verify_card(&signed, &keys(), false);
        let whole = matches!(verdict, Verdict::Verified { form: card::Form::Raw, .. });
        prop_assert!(whole, "{:?}", verdict);
        // The text of the card may be written in another way.
        let text = jcs::canonical(&signed);
        let again = json::parse(&text).unwrap();
        prop_assert_eq!(card::verify_card(&again.value, &keys(), false), verdict);
    }

    #[test]
    fn any_change_of_a_card_is_seen(
        card in object(), member in name(), old in ".{1,10}", at: Index, by: u8,
    ) {
        prop_assume!(member != "signatures");
        let mut card = card;
        card.insert(member.clone(), old.clone().into());
        let boundary: Vec<_> = old.char_indices().map(|(at, _)| at).collect();
        let at = *at.get(&boundary);
        let letter = char::from(b'!' + by % 94);
        let mut new = old.clone();
        let end = at + old[at..].chars().next().unwrap().len_utf8();
        new.replace_range(at..end, letter.encode_utf8(&mut [0; 4]));
        prop_assume!(new != old);
        let mut signed = card::sign_card(&Value::Object(card), &key(), None);
        signed[&member] = new.into();
        let verdict = card::verify_card(&signed, &keys(), false);
        // What nobody but a raw reader sees may leave the signature for typed readers standing.
        let believed = matches!(verdict, Verdict::Verified { .. });
        prop_assert!(!believed, "{:?}", verdict);
    }

    #[test]
    fn any_json_is_judged_without_panic(value in tree(), repeated: bool) {
        let _ = card::verify_card(&value, &keys(), repeated);
        let _ = card::integrity(&value, repeated);
        let _ = card::headers(&value);
        let _ = PublicKey::read(&value);
        let _ = JwkSet::read(&value);
        if let Ok(jws) = Detached::from_value(&value) {
            let _ = jws::verify(&jws, b"", &keys());
        }
        let jwk = serde_json::json!({"kty": "OKP", "crv": "Ed25519", "x": value});
        let _ = PublicKey::read(&jwk);
    }

    #[test]
    fn any_text_is_read_as_a_signature_without_panic(text in ".{0,60}", header in tree()) {
        let _ = Detached::from_compact(&text);
        let _ = Detached::from_value(&serde_json::json!({
            "protected": "e30", "signature": text, "header": header,
        }));
    }

    #[test]
    fn any_point_is_taken_or_refused_without_panic(x: [u8; 32], y: [u8; 32]) {
        let _ = PublicKey::p256(&x, &y);
        if let Ok(key) = PublicKey::ed25519(&x) {
            prop_assert_eq!(PublicKey::read(&key.to_jwk()), Ok(key.clone()));
            prop_assert!(!key.verify(b"m", &[0; 64]));
        }
    }
}
