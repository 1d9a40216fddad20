//! Keys against the vectors of the standards, and keys that are refused.

use serde_json::{Value, json};

use super::{public::thumbprint, *};
use crate::signature::from_base64url;

/// RFC 8037, appendix A.1 and A.2; the same key as RFC 8032, test 1.
const X: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
const D: &str = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";

/// RFC 7515, appendix A.3.
const EC_X: &str = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
const EC_Y: &str = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";

fn hex(text: &str) -> Vec<u8> {
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap())
        .collect()
}

fn bytes(text: &str) -> [u8; 32] {
    from_base64url(text).unwrap().try_into().unwrap()
}

fn ed(x: &str) -> Value {
    json!({"kty": "OKP", "crv": "Ed25519", "x": x})
}

fn ec() -> Value {
    json!({"kty": "EC", "crv": "P-256", "x": EC_X, "y": EC_Y})
}

fn with(mut jwk: Value, name: &str, value: Value) -> Value {
    jwk[name] = value;
    jwk
}

/// RFC 8032, section 7.1, tests 1 to 3: seed, public key, message, signature.
#[test]
fn ed25519_of_the_standard() {
    for (seed, public, message, signature) in [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            concat!(
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155",
                "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
            ),
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            concat!(
                "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da",
                "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
            ),
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            concat!(
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac",
                "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
            ),
        ),
    ] {
        let key = SigningKey::from_seed(hex(seed).try_into().unwrap());
        let message = hex(message);
        assert_eq!(key.sign(&message).as_slice(), hex(signature));
        let known = PublicKey::ed25519(&hex(public).try_into().unwrap()).unwrap();
        assert_eq!(key.public(), &known);
        assert!(known.verify(&message, &hex(signature)));
        let mut other = message.clone();
        other.push(0);
        assert!(!known.verify(&other, &hex(signature)));
    }
}

/// RFC 8037, appendix A.3; RFC 7638, section 3.1.
#[test]
fn thumbprints_of_the_standards() {
    let key = PublicKey::read(&ed(X)).unwrap();
    assert_eq!(
        key.thumbprint(),
        "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
    );
    assert_eq!(key.kid(), key.thumbprint());
    assert_eq!(SigningKey::from_seed(bytes(D)).kid(), key.kid());
    let rsa = json!({"e": "AQAB", "kty": "RSA", "n": concat!(
        "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECP",
        "ebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY",
        "368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0f",
        "M4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
    )});
    assert_eq!(
        thumbprint(&rsa),
        "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"
    );
}

/// RFC 7515, appendix A.3: header, payload and signature.
#[test]
fn es256_of_the_standard() {
    let key = PublicKey::read(&ec()).unwrap();
    let message = concat!(
        "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt",
        "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
    );
    let signature = from_base64url(
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
    )
    .unwrap();
    assert!(key.verify(message.as_bytes(), &signature));
    assert!(!key.verify(b"something else", &signature));
    assert!(!key.verify(message.as_bytes(), &signature[..63]));
    assert!(!key.verify(message.as_bytes(), &[0; 64]));
}

#[test]
fn keys_are_written_as_they_are_read() {
    for jwk in [ed(X), ec(), with(ec(), "kid", json!("quay-1"))] {
        let key = PublicKey::read(&jwk).unwrap();
        let written = key.to_jwk();
        assert_eq!(PublicKey::read(&written).unwrap(), key);
        assert_eq!(written["x"], jwk["x"]);
        assert_eq!(written["kid"], key.kid());
        assert!(written.get("d").is_none());
    }
    assert_eq!(
        PublicKey::read(&with(ed(X), "kid", json!("a")))
            .unwrap()
            .kid(),
        "a"
    );
}

/// Every point whose order divides 8, and what only looks like another one.
#[test]
fn points_that_prove_nothing_are_refused() {
    for point in [
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    ] {
        let point: [u8; 32] = hex(point).try_into().unwrap();
        assert_eq!(PublicKey::ed25519(&point), Err(KeyError::SmallOrder));
    }
    for last in 0xed..=0xff {
        for high in [0x7f, 0xff] {
            let mut point = [0xff; 32];
            (point[0], point[31]) = (last, high);
            assert_eq!(PublicKey::ed25519(&point), Err(KeyError::Point));
        }
    }
    let mut flat = bytes(EC_Y);
    flat[31] ^= 1;
    assert_eq!(PublicKey::p256(&bytes(EC_X), &flat), Err(KeyError::Point));
    assert_eq!(PublicKey::p256(&[0; 32], &[0; 32]), Err(KeyError::Point));
}

#[test]
fn keys_for_something_else_are_refused() {
    for (jwk, error) in [
        (json!("x"), KeyError::Shape),
        (json!({}), KeyError::Unsupported),
        (json!({"kty": "oct", "k": "AA"}), KeyError::Unsupported),
        (
            json!({"kty": "OKP", "crv": "X25519", "x": X}),
            KeyError::Unsupported,
        ),
        (
            json!({"kty": "EC", "crv": "Ed25519", "x": X}),
            KeyError::Unsupported,
        ),
        (
            json!({"kty": "OKP", "crv": "Ed25519"}),
            KeyError::Member("x"),
        ),
        (ed(&X[1..]), KeyError::Member("x")),
        (ed(&format!("{X}=")), KeyError::Member("x")),
        // The last letter holds two bits that say nothing; they must be zero.
        (ed(&X.replace("URo", "URp")), KeyError::Member("x")),
        (with(ec(), "y", json!(1)), KeyError::Member("y")),
        (with(ed(X), "d", json!(D)), KeyError::Private),
        (with(ed(X), "use", json!("enc")), KeyError::Purpose),
        (with(ed(X), "key_ops", json!(["sign"])), KeyError::Purpose),
        (with(ed(X), "alg", json!("ES256")), KeyError::Purpose),
        (with(ec(), "alg", json!("EdDSA")), KeyError::Purpose),
    ] {
        assert_eq!(PublicKey::read(&jwk), Err(error), "{jwk}");
    }
    let good = with(
        with(ed(X), "use", json!("sig")),
        "key_ops",
        json!(["verify"]),
    );
    assert!(PublicKey::read(&good).is_ok());
}

#[test]
fn s_must_be_reduced() {
    let key = SigningKey::from_seed([1; 32]);
    let mut signature = key.sign(b"m");
    assert!(key.public().verify(b"m", &signature));
    // S plus the order of the group is the same scalar in a second text.
    let order = hex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    let mut carry = 0;
    for (byte, add) in signature[32..].iter_mut().zip(order) {
        let sum = u16::from(*byte) + u16::from(add) + carry;
        (*byte, carry) = (sum.to_le_bytes()[0], sum >> 8);
    }
    assert!(!key.public().verify(b"m", &signature));
}

#[test]
fn sets_pass_over_what_they_do_not_know() {
    let set = JwkSet::read(&json!({"keys": [
        {"kty": "RSA", "n": "AQ", "e": "AQAB"}, 5, with(ed(X), "kid", json!("a")), ed("AA"),
        with(ec(), "kid", json!("a")), with(ed(X), "d", json!(D)), ed(X),
    ]}))
    .unwrap();
    assert_eq!(set.keys().len(), 3);
    assert_eq!(set.find("a").count(), 2);
    assert_eq!(set.find("A").count(), 0);
    assert_eq!(JwkSet::read(&set.to_value()).unwrap(), set);
    for junk in [json!([]), json!({}), json!({"keys": {}})] {
        assert_eq!(JwkSet::read(&junk), Err(KeyError::Set));
    }
    let many = json!({"keys": vec![json!({}); MAX_KEYS + 1]});
    assert_eq!(JwkSet::read(&many), Err(KeyError::Set));
}

#[test]
fn debug_shows_no_secret() {
    let key = SigningKey::from_seed([9; 32]);
    let shown = format!("{key:?} {:#?}", key.public());
    assert!(shown.contains(key.kid()));
    for secret in ["9, 9", "9,\n", "0909", &"CQ".repeat(4), &"CQk".repeat(4)] {
        assert!(!shown.contains(secret), "{shown}");
    }
    assert!(shown.len() < 200, "{shown}");
}
