//! Signed requests: one test for each reason to refuse.

use super::*;

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
        (";new=1", Refusal::ParameterUnknown),
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
        assert_eq!(case.refusal(), refusal, "{more}");
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
        let refused = good.changed(name, from, to).refusal();
        assert_eq!(refused, Refusal::Malformed(name), "{from} {to}");
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
