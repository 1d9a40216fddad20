//! Detached signatures: the vector of the standard, round trips, and every sort of refusal.

use p256::ecdsa::{Signature as EcSignature, SigningKey as EcKey, signature::Signer as _};
use serde_json::{Value, json};

use super::*;

fn key() -> SigningKey {
    SigningKey::from_seed([7; 32])
}

fn keys() -> JwkSet {
    JwkSet::new(vec![key().public().clone(), ec_public()])
}

fn ec_secret() -> EcKey {
    EcKey::from_slice(&[5; 32]).unwrap()
}

fn ec_public() -> PublicKey {
    let point = ec_secret().verifying_key().to_encoded_point(false);
    let half = |bytes: Option<&p256::FieldBytes>| (*bytes.unwrap()).into();
    PublicKey::p256(&half(point.x()), &half(point.y()))
        .unwrap()
        .with_kid("ec")
}

/// A JWS with the header as it stands, signed by the Ed25519 key.
fn under(header: &str) -> Detached {
    let protected = to_base64url(header.as_bytes());
    let signature = to_base64url(&key().sign(&signing_input(&protected, b"p")));
    Detached {
        protected,
        signature,
    }
}

fn refused(header: &Value) -> JwsError {
    verify(&under(&header.to_string()), b"p", &keys()).unwrap_err()
}

/// RFC 8037, appendix A.4 and A.5.
#[test]
fn the_vector_of_the_standard() {
    let key = PublicKey::read(&json!({
        "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    }))
    .unwrap();
    let jws = Detached::from_compact(concat!(
        "eyJhbGciOiJFZERTQSJ9..hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsP",
        "t9g7sVvpAr_MuM0KAg"
    ))
    .unwrap();
    assert_eq!(jws.holds(b"Example of Ed25519 signing", &key), Ok(()));
    assert_eq!(
        jws.holds(b"Example of Ed25519 signinG", &key),
        Err(JwsError::Signature)
    );
    assert_eq!(jws.header(), Err(JwsError::KeyIdMissing));
}

#[test]
fn what_is_signed_verifies_in_both_forms() {
    let jws = sign(b"payload", &key(), Some("https://a.example/jwks"));
    let header = verify(&jws, b"payload", &keys()).unwrap();
    assert_eq!(header.kid, key().kid());
    assert_eq!(header.algorithm, Algorithm::Ed25519);
    assert_eq!(header.jku.as_deref(), Some("https://a.example/jwks"));
    assert_eq!(Detached::from_compact(&jws.to_compact()), Ok(jws.clone()));
    assert_eq!(Detached::from_value(&jws.to_value()), Ok(jws.clone()));
    let members: Value = serde_json::from_slice(&from_base64url(&jws.protected).unwrap()).unwrap();
    assert_eq!(members["alg"], "EdDSA");
    assert_eq!(members["typ"], "JOSE");
    assert_eq!(sign(b"payload", &key(), None).header().unwrap().jku, None);
}

#[test]
fn es256_verifies_and_does_not_stand_in_for_another() {
    let protected = to_base64url(br#"{"alg":"ES256","kid":"ec"}"#);
    let made: EcSignature = ec_secret().sign(&signing_input(&protected, b"p"));
    let jws = Detached {
        protected,
        signature: to_base64url(&made.to_bytes()),
    };
    assert_eq!(
        verify(&jws, b"p", &keys()).unwrap().algorithm,
        Algorithm::Es256
    );
    assert_eq!(verify(&jws, b"q", &keys()), Err(JwsError::Signature));
    let der = Detached {
        signature: to_base64url(&[0x30; 70]),
        ..jws
    };
    assert_eq!(verify(&der, b"p", &keys()), Err(JwsError::Signature));
}

#[test]
fn headers_that_are_refused() {
    let kid = key().kid().to_owned();
    for alg in [
        "none", "None", "", "HS256", "HS512", "RS256", "ES384", "eddsa",
    ] {
        assert_eq!(
            refused(&json!({"alg": alg, "kid": kid})),
            JwsError::Algorithm,
            "{alg}"
        );
    }
    for (header, error) in [
        (json!({"kid": kid}), JwsError::Algorithm),
        (json!({"alg": 1, "kid": kid}), JwsError::Header),
        (json!({"alg": "EdDSA"}), JwsError::KeyIdMissing),
        (json!({"alg": "EdDSA", "kid": ""}), JwsError::KeyIdMissing),
        (json!({"alg": "EdDSA", "kid": 7}), JwsError::Header),
        (
            json!({"alg": "EdDSA", "kid": kid, "jku": {}}),
            JwsError::Header,
        ),
        (
            json!({"alg": "EdDSA", "kid": kid.to_lowercase()}),
            JwsError::UnknownKey,
        ),
        (
            json!({"alg": "EdDSA", "kid": "ec"}),
            JwsError::AlgorithmMismatch,
        ),
        (
            json!({"alg": "ES256", "kid": kid}),
            JwsError::AlgorithmMismatch,
        ),
        (
            json!({"alg": "EdDSA", "kid": kid, "crit": ["exp"]}),
            JwsError::Critical,
        ),
        (
            json!({"alg": "EdDSA", "kid": kid, "crit": []}),
            JwsError::Critical,
        ),
        (
            json!({"alg": "EdDSA", "kid": kid, "crit": ["b64"], "b64": false}),
            JwsError::Critical,
        ),
        (
            json!({"alg": "EdDSA", "kid": kid, "b64": false}),
            JwsError::Critical,
        ),
        (json!([1]), JwsError::Header),
    ] {
        assert_eq!(refused(&header), error, "{header}");
    }
    let twice = format!(r#"{{"alg":"EdDSA","kid":"x","kid":"{kid}"}}"#);
    assert_eq!(verify(&under(&twice), b"p", &keys()), Err(JwsError::Header));
    assert_eq!(verify(&under("{"), b"p", &keys()), Err(JwsError::Header));
    // The other name of the same algorithm, and members that decide nothing.
    let fine =
        json!({"alg": "Ed25519", "kid": kid, "typ": "JWT", "jku": null, "b64": true, "jwk": {}});
    assert!(verify(&under(&fine.to_string()), b"p", &keys()).is_ok());
}

#[test]
fn forms_that_are_refused() {
    let good = sign(b"p", &key(), None);
    for text in [
        "",
        "..",
        "a..",
        "..a",
        "eyJ9.x.y",
        "eyJ9..a b",
        "eyJ9..AA==",
        "a..b..c",
    ] {
        assert_eq!(Detached::from_compact(text), Err(JwsError::Form), "{text}");
    }
    let long = format!("{}..AAAA", "A".repeat(MAX_LENGTH + 4));
    assert_eq!(Detached::from_compact(&long), Err(JwsError::Form));
    let beside = |header: Value| {
        let mut value = good.to_value();
        value["header"] = header;
        Detached::from_value(&value)
    };
    assert_eq!(beside(json!({"note": 1})), Ok(good.clone()));
    assert_eq!(beside(json!(null)), Ok(good.clone()));
    assert_eq!(beside(json!("x")), Err(JwsError::Header));
    assert_eq!(beside(json!({"kid": "other"})), Err(JwsError::Header));
    assert_eq!(beside(json!({"alg": "none"})), Err(JwsError::Header));
    assert_eq!(beside(json!({"crit": ["x"]})), Err(JwsError::Critical));
    let mut payload = good.to_value();
    payload["payload"] = json!("cA");
    assert_eq!(Detached::from_value(&payload), Err(JwsError::Form));
    assert_eq!(Detached::from_value(&json!(1)), Err(JwsError::Form));
}

#[test]
fn every_letter_of_a_signature_counts() {
    let good = sign(b"p", &key(), None);
    for part in 0..2 {
        for at in 0..[&good.protected, &good.signature][part].len() {
            for letter in ["A", "B", "_", "9"] {
                let mut jws = good.clone();
                let text = [&mut jws.protected, &mut jws.signature];
                text.into_iter()
                    .nth(part)
                    .unwrap()
                    .replace_range(at..=at, letter);
                assert!(
                    jws == good || verify(&jws, b"p", &keys()).is_err(),
                    "{part} {at} {letter}"
                );
            }
        }
    }
}
