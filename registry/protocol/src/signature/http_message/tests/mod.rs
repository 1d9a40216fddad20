//! Signed requests: the vectors of RFC 9421 and 9530, what verifies, and what the other tests share.

mod refused;

use std::collections::BTreeSet;

use super::{base::base, *};
use crate::signature::{
    from_base64url,
    jwk::{PublicKey, SigningKey},
};

const NOW: u64 = 1_700_000_000;
const BODY: &[u8] = br#"{"hello": "world"}"#;

fn key() -> SigningKey {
    SigningKey::from_seed([7; 32])
}

fn target() -> Target {
    Target::new(
        "POST",
        Scheme::Https,
        "Agent.Example:443",
        "/a2a",
        Some("a=b&c=%20"),
    )
    .unwrap()
}

/// A signed request as a list of headers that a test may change.
#[derive(Clone)]
struct Case {
    target: Target,
    headers: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
}

impl Case {
    fn signed_by(signer: &Signer) -> Self {
        let headers = signer.sign(&target(), &ContentDigest::of(BODY), NOW, &[1; 16]);
        Self {
            target: target(),
            headers: headers
                .pairs()
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec()))
                .collect(),
            body: BODY.to_vec(),
        }
    }

    fn good() -> Self {
        Self::signed_by(&Signer::new(key(), Some("guildhall")).unwrap())
    }

    /// Signs anew with parameters as they stand, over the five components in the given order.
    fn with_input(mut self, components: &str, params: &str) -> Self {
        let inner = format!("({components}){params}");
        self.set("signature-input", &format!("sig1={inner}"));
        let mut text = String::new();
        for name in components.split(' ').map(|name| name.trim_matches('"')) {
            let value = match name {
                "content-digest" => self.get("content-digest"),
                name => self.target.component(name).unwrap_or("?").to_owned(),
            };
            text.push_str(&format!("\"{name}\": {value}\n"));
        }
        text.push_str(&format!("\"@signature-params\": {inner}"));
        let signature = key().sign(text.as_bytes());
        let encoded = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, signature);
        self.set("signature", &format!("sig1=:{encoded}:"));
        self
    }

    fn with_params(self, params: &str) -> Self {
        self.with_input(&all(), params)
    }

    fn get(&self, name: &str) -> String {
        let (_, value) = self
            .headers
            .iter()
            .find(|(other, _)| other == name)
            .unwrap();
        String::from_utf8(value.clone()).unwrap()
    }

    fn set(&mut self, name: &str, value: &str) {
        let place = self
            .headers
            .iter_mut()
            .find(|(other, _)| other == name)
            .unwrap();
        place.1 = value.into();
    }

    fn changed(&self, name: &str, from: &str, to: &str) -> Self {
        let mut case = self.clone();
        let value = self.get(name);
        assert!(value.contains(from), "{value}");
        case.set(name, &value.replace(from, to));
        case
    }

    fn without(&self, name: &str) -> Self {
        let mut case = self.clone();
        case.headers.retain(|(other, _)| other != name);
        case
    }

    fn and(&self, name: &str, value: &str) -> Self {
        let mut case = self.clone();
        case.headers.push((name.to_owned(), value.into()));
        case
    }

    fn verify_by(&self, key: Option<PublicKey>, rules: &Rules<'_>) -> Result<Verified, Refusal> {
        let headers: Vec<(&str, &[u8])> = self
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_slice()))
            .collect();
        let request = Received {
            target: &self.target,
            headers: &headers,
            body: &self.body,
        };
        verify(&request, |_| key, rules)
    }

    fn verify_at(&self, now: u64) -> Result<Verified, Refusal> {
        self.verify_by(Some(key().public().clone()), &Rules::at(now))
    }

    fn refusal(&self) -> Refusal {
        self.verify_at(NOW).unwrap_err()
    }
}

fn all() -> String {
    COMPONENTS.map(|name| format!("\"{name}\"")).join(" ")
}

fn params() -> String {
    format!(";created={NOW};nonce=\"n\";keyid=\"{}\"", key().kid())
}

/// RFC 9421, appendix B.2.6, with the key of appendix B.1.4.
#[test]
fn the_vector_of_the_standard() {
    let seed = from_base64url("n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU").unwrap();
    let key = SigningKey::from_seed(seed.try_into().unwrap());
    assert_eq!(
        key.public().to_jwk()["x"],
        "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"
    );
    let line = concat!(
        r#"sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length")"#,
        r#";created=1618884473;keyid="test-key-ed25519""#
    );
    let signature = concat!(
        "sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WP",
        "pBKRCw==:"
    );
    let headers: [(&str, &[u8]); 5] = [
        ("Date", b"Tue, 20 Apr 2021 02:07:55 GMT"),
        ("Content-Type", b"application/json"),
        ("Content-Length", b" 18 "),
        ("Signature-Input", line.as_bytes()),
        ("Signature", signature.as_bytes()),
    ];
    let target = Target::new(
        "POST",
        Scheme::Http,
        "example.com",
        "/foo",
        Some("param=Value&Pet=dog"),
    );
    let request = Received {
        target: &target.unwrap(),
        headers: &headers,
        body: BODY,
    };
    let written = base(&field::input(line).unwrap(), &request).unwrap();
    assert_eq!(
        written,
        concat!(
            "\"date\": Tue, 20 Apr 2021 02:07:55 GMT\n",
            "\"@method\": POST\n\"@path\": /foo\n\"@authority\": example.com\n",
            "\"content-type\": application/json\n\"content-length\": 18\n",
            "\"@signature-params\": (\"date\" \"@method\" \"@path\" \"@authority\" ",
            "\"content-type\" \"content-length\");created=1618884473;keyid=\"test-key-ed25519\""
        )
    );
    let (label, bytes) = field::signature(signature).unwrap();
    assert_eq!(label, "sig-b26");
    assert_eq!(key.sign(written.as_bytes()), bytes);
    assert!(key.public().verify(written.as_bytes(), &bytes));
    // The standard's own request covers too little for us.
    assert_eq!(
        verify(&request, |_| None, &Rules::at(1_618_884_473)),
        Err(Refusal::ComponentMissing("@query"))
    );
}

/// RFC 9530, appendix B.1 and D.
#[test]
fn digests_of_the_standard() {
    for (body, digest) in [
        (
            &b"{\"hello\": \"world\"}\n"[..],
            "RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=",
        ),
        (b"", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
    ] {
        assert_eq!(
            ContentDigest::of(body).as_str(),
            format!("sha-256=:{digest}:")
        );
    }
}

#[test]
fn what_is_signed_verifies() {
    let verified = Case::good().verify_at(NOW).unwrap();
    assert_eq!(verified.keyid, key().kid());
    assert_eq!(verified.created, NOW);
    assert_eq!(verified.until, NOW + 301);
    assert_eq!(verified.tag.as_deref(), Some("guildhall"));
    assert_eq!(verified.nonce, "AQEBAQEBAQEBAQEBAQEBAQ");
    assert_eq!(
        Case::good().get("signature-input"),
        format!(
            concat!(
                r#"sig1=("@method" "@authority" "@path" "@query" "content-digest");created={};"#,
                r#"nonce="AQEBAQEBAQEBAQEBAQEBAQ";keyid="{}";alg="ed25519";tag="guildhall""#
            ),
            NOW,
            key().kid()
        )
    );
}

#[test]
fn any_order_and_further_headers_may_be_covered() {
    let reversed: Vec<_> = COMPONENTS
        .iter()
        .rev()
        .map(|name| format!("\"{name}\""))
        .collect();
    let case = Case::good().with_input(&reversed.join(" "), &params());
    assert!(case.verify_at(NOW).is_ok());
    let mut headers = Case::good().and("X-Word", " one ").and("x-word", "two");
    let inner = format!("({} \"x-word\"){}", all(), params());
    let text = format!(
        "{}\"content-digest\": {}\n\"x-word\": one, two\n\"@signature-params\": {inner}",
        headers.target.lines(),
        headers.get("content-digest"),
    );
    let signature = key().sign(text.as_bytes());
    let encoded = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, signature);
    headers.set("signature-input", &format!("sig1={inner}"));
    headers.set("signature", &format!("sig1=:{encoded}:"));
    assert!(headers.verify_at(NOW).is_ok());
    assert_eq!(headers.without("x-word").refusal(), Refusal::BadSignature);
    assert_eq!(
        headers.without("x-word").without("X-Word").refusal(),
        Refusal::ComponentUnknown
    );
}

#[test]
fn targets() {
    let of = |url: &str| Target::of_url("GET", &url::Url::parse(url).unwrap());
    let new = |authority, path, query| Target::new("GET", Scheme::Https, authority, path, query);
    assert_eq!(
        of("https://A.example/x?y#z"),
        new("a.example", "/x", Some("y"))
    );
    assert_eq!(
        of("https://user:pw@a.example:8443"),
        new("a.example:8443", "/", None)
    );
    assert_eq!(of("https://[::1]/"), new("[::1]:443", "", Some("")));
    assert_eq!(new("A.Example:443", "/", None), new("a.example", "/", None));
    assert_eq!(of("ftp://a.example/"), Err(TargetError::Authority));
    assert_eq!(
        new("a", "/", None).unwrap().lines(),
        "\"@method\": GET\n\"@authority\": a\n\"@path\": /\n\"@query\": ?\n"
    );
    for authority in ["", ":443", "a b", "u@a", "a/b", "a\nb", "ä"] {
        assert_eq!(new(authority, "/", None), Err(TargetError::Authority));
    }
    for path in ["a", "*", "/a b", "/a?b", "/\n\"@query\": ?x", "/ä"] {
        assert_eq!(new("a", path, None), Err(TargetError::Path));
    }
    for query in ["a b", "#", "\r", "ä"] {
        assert_eq!(new("a", "/", Some(query)), Err(TargetError::Query));
    }
    for method in ["", "GE T", "GET\n"] {
        let target = Target::new(method, Scheme::Https, "a", "/", None);
        assert_eq!(target, Err(TargetError::Method));
    }
}

#[test]
fn every_refusal_has_its_own_name() {
    let refusals = [
        Refusal::NotSigned,
        Refusal::HeaderMissing(""),
        Refusal::SeveralSignatures,
        Refusal::Malformed(""),
        Refusal::LabelMismatch,
        Refusal::ComponentMissing(""),
        Refusal::ComponentUnknown,
        Refusal::ComponentRepeated,
        Refusal::ParameterMissing(""),
        Refusal::ParameterUnknown,
        Refusal::Algorithm,
        Refusal::Tag,
        Refusal::KeyIdCase,
        Refusal::UnknownKey,
        Refusal::TooOld,
        Refusal::TooEarly,
        Refusal::Expired,
        Refusal::DigestMissing,
        Refusal::DigestMismatch,
        Refusal::BadSignature,
    ];
    let codes: BTreeSet<_> = refusals.iter().map(|refusal| refusal.code()).collect();
    assert_eq!(codes.len(), refusals.len());
}
