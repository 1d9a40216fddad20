//! Signed requests: the vectors of RFC 9421 and 9530, and one test for each reason to refuse.

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
fn times() {
    let case = Case::good();
    assert!(case.verify_at(NOW + 300).is_ok());
    assert_eq!(case.verify_at(NOW + 301), Err(Refusal::TooOld));
    assert!(case.verify_at(NOW - 60).is_ok());
    assert_eq!(case.verify_at(NOW - 61), Err(Refusal::TooEarly));
    let short = Signer::new(key(), None).unwrap().with_lifetime(10);
    let case = Case::signed_by(&short);
    let verified = case.verify_at(NOW + 9).unwrap();
    assert_eq!((verified.until, verified.tag), (NOW + 10, None));
    assert_eq!(case.verify_at(NOW + 10), Err(Refusal::Expired));
    let backwards = Case::good().with_params(&format!("{};expires={}", params(), NOW - 1));
    assert_eq!(backwards.verify_at(NOW - 30), Err(Refusal::Expired));
    let far = Case::good().with_params(&params().replace(&NOW.to_string(), "999999999999999"));
    assert_eq!(far.refusal(), Refusal::TooEarly);
}

#[test]
fn headers_that_are_missing_or_too_many() {
    let good = Case::good();
    let bare = good.without("signature").without("signature-input");
    assert_eq!(bare.refusal(), Refusal::NotSigned);
    for name in ["signature", "signature-input", "content-digest"] {
        assert_eq!(good.without(name).refusal(), Refusal::HeaderMissing(name));
    }
    for name in ["signature", "signature-input"] {
        let twice = good.and(name, &good.get(name));
        assert_eq!(twice.refusal(), Refusal::SeveralSignatures);
        let mut joined = good.clone();
        joined.set(name, &format!("{}, sig2=:AA==:", good.get(name)));
        assert_eq!(joined.refusal(), Refusal::SeveralSignatures);
    }
    let twice = good.and("Content-Digest", &good.get("content-digest"));
    assert_eq!(twice.refusal(), Refusal::Malformed("content-digest"));
}

#[test]
fn components_that_are_missing_or_wrong() {
    for name in COMPONENTS {
        let fewer: Vec<_> = COMPONENTS
            .iter()
            .filter(|other| **other != name)
            .map(|name| format!("\"{name}\""))
            .collect();
        let case = Case::good().with_input(&fewer.join(" "), &params());
        assert_eq!(case.refusal(), Refusal::ComponentMissing(name));
    }
    for (more, refusal) in [
        ("\"@method\"", Refusal::ComponentRepeated),
        ("\"@target-uri\"", Refusal::ComponentUnknown),
        ("\"@method\";req", Refusal::Malformed("signature-input")),
        ("\"x-absent\"", Refusal::ComponentUnknown),
        ("\"Content-Digest\"", Refusal::ComponentUnknown),
    ] {
        let case = Case::good().with_input(&format!("{} {more}", all()), &params());
        assert_eq!(case.refusal(), refusal, "{more}");
    }
}

#[test]
fn parameters_that_are_missing_or_wrong() {
    for (name, from) in [
        ("created", format!(";created={NOW}")),
        ("nonce", ";nonce=\"n\"".to_owned()),
        ("keyid", format!(";keyid=\"{}\"", key().kid())),
    ] {
        let case = Case::good().with_params(&params().replace(&from, ""));
        assert_eq!(case.refusal(), Refusal::ParameterMissing(name));
    }
    let long = format!("nonce=\"{}\"", "n".repeat(MAX_NONCE + 1));
    let case = Case::good().with_params(&params().replace("nonce=\"n\"", &long));
    assert_eq!(case.refusal(), Refusal::Malformed("signature-input"));
    for (more, refusal) in [
        (";nonce=\"m\"", Refusal::ParameterUnknown),
        (";new=1", Refusal::Malformed("signature-input")),
        (";new", Refusal::ParameterUnknown),
        (";alg=\"hmac-sha256\"", Refusal::Algorithm),
        (";alg=\"Ed25519\"", Refusal::Algorithm),
        (";alg=ed25519", Refusal::Malformed("signature-input")),
        (";expires=\"1\"", Refusal::Malformed("signature-input")),
        (";expires=-1", Refusal::Malformed("signature-input")),
        (";expires=01", Refusal::Malformed("signature-input")),
        ("; tag=\"x\"", Refusal::Malformed("signature-input")),
        (";tag=\"a\\\"b\"", Refusal::Malformed("signature-input")),
        (";tag=\"é\"", Refusal::Malformed("signature-input")),
    ] {
        let case = Case::good().with_params(&format!("{}{more}", params()));
        let refused = case.refusal();
        assert!(
            refused == refusal || (more == ";new=1" && refused == Refusal::ParameterUnknown),
            "{more}: {refused:?}"
        );
    }
    assert!(Case::good().with_params(&params()).verify_at(NOW).is_ok());
}

#[test]
fn keys_that_do_not_count() {
    let good = Case::good();
    let rules = Rules::at(NOW);
    assert_eq!(good.verify_by(None, &rules), Err(Refusal::UnknownKey));
    let public = key().public().clone();
    // What a store that compares without case might hand over.
    let other_case = public.clone().with_kid(&public.kid().to_lowercase());
    assert_eq!(
        good.verify_by(Some(other_case), &rules),
        Err(Refusal::UnknownKey)
    );
    let other = SigningKey::from_seed([8; 32])
        .public()
        .clone()
        .with_kid(public.kid());
    assert_eq!(
        good.verify_by(Some(other), &rules),
        Err(Refusal::BadSignature)
    );
    let lower = Rules {
        key_ids: KeyIds::Lower,
        ..rules
    };
    assert_eq!(
        good.verify_by(Some(public.clone()), &lower),
        Err(Refusal::KeyIdCase)
    );
    let named = Case::good().with_params(&params().replace(public.kid(), "agent-1"));
    assert!(
        named
            .verify_by(Some(public.clone().with_kid("agent-1")), &lower)
            .is_ok()
    );
    let ec = PublicKey::read(&serde_json::json!({
        "kty": "EC", "crv": "P-256", "kid": public.kid(),
        "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    }));
    assert_eq!(good.verify_by(ec.ok(), &rules), Err(Refusal::Algorithm));
}

#[test]
fn a_tag_is_asked_for() {
    let public = || Some(key().public().clone());
    let asked = Rules {
        tag: Some("guildhall"),
        ..Rules::at(NOW)
    };
    assert!(Case::good().verify_by(public(), &asked).is_ok());
    let untagged = Case::signed_by(&Signer::new(key(), None).unwrap());
    assert_eq!(untagged.verify_by(public(), &asked), Err(Refusal::Tag));
    let other = Case::signed_by(&Signer::new(key(), Some("web-bot-auth")).unwrap());
    assert_eq!(other.verify_by(public(), &asked), Err(Refusal::Tag));
    assert_eq!(Signer::new(key(), Some("a\"b")).unwrap_err(), TextError);
    assert_eq!(Signer::new(key(), Some("a\nb")).unwrap_err(), TextError);
}

#[test]
fn what_was_changed_on_the_way() {
    let good = Case::good();
    let mut body = good.clone();
    body.body.push(b' ');
    assert_eq!(body.refusal(), Refusal::DigestMismatch);
    let mut both = body.clone();
    both.set("content-digest", ContentDigest::of(&body.body).as_str());
    assert_eq!(both.refusal(), Refusal::BadSignature);
    for target in [
        Target::new(
            "PUT",
            Scheme::Https,
            "agent.example",
            "/a2a",
            Some("a=b&c=%20"),
        ),
        Target::new(
            "POST",
            Scheme::Https,
            "agent.example",
            "/a2b",
            Some("a=b&c=%20"),
        ),
        Target::new(
            "POST",
            Scheme::Https,
            "agent.example",
            "/a2a",
            Some("a=b&c=%21"),
        ),
        Target::new("POST", Scheme::Https, "agent.example", "/a2a", None),
        Target::new(
            "POST",
            Scheme::Https,
            "agent.example:8443",
            "/a2a",
            Some("a=b&c=%20"),
        ),
        Target::new(
            "POST",
            Scheme::Http,
            "agent.example:443",
            "/a2a",
            Some("a=b&c=%20"),
        ),
    ] {
        let mut case = good.clone();
        case.target = target.unwrap();
        assert_eq!(case.refusal(), Refusal::BadSignature);
    }
    assert_eq!(
        good.changed("signature", "sig1", "sig2").refusal(),
        Refusal::LabelMismatch
    );
    let digest = good.changed("content-digest", "sha-256", "sha-512");
    assert_eq!(digest.refusal(), Refusal::DigestMissing);
    for (name, from, to) in [
        ("signature", "==:", "=:"),
        ("signature", "sig1", "Sig1"),
        ("signature-input", "sig1=", "sig1"),
        ("signature-input", "(", "( "),
        ("signature-input", "\" \"", "\"  \""),
        ("signature-input", "guildhall", "guild\u{7f}hall"),
        ("signature-input", "guildhall", "guild\nhall"),
        ("content-digest", ":", ""),
        ("content-digest", "sha-256", "sha-256;a"),
    ] {
        let (Refusal::Malformed(header), _) = (good.changed(name, from, to).refusal(), ()) else {
            panic!(
                "{name} {from} {to}: {:?}",
                good.changed(name, from, to).refusal()
            );
        };
        assert_eq!(header, name);
    }
}

#[test]
fn a_second_digest_may_stand_beside() {
    let mut case = Case::good();
    let digest = format!("sha-512=:AAAA:, {}", case.get("content-digest"));
    case.set("content-digest", &digest);
    assert!(case.clone().with_params(&params()).verify_at(NOW).is_ok());
    let twice = format!("{digest},{}", ContentDigest::of(b"x").as_str());
    case.set("content-digest", &twice);
    let case = case.with_params(&params());
    assert_eq!(case.refusal(), Refusal::Malformed("content-digest"));
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
