//! Signed cards: the forms, the verdicts, and what is never believed.

use serde_json::{Value, json};

use super::*;
use crate::signature::{jcs, to_base64url};

fn key() -> SigningKey {
    SigningKey::from_seed([7; 32])
}

fn set(key: &SigningKey) -> JwkSet {
    JwkSet::new(vec![key.public().clone()])
}

fn plain_card() -> Value {
    json!({
        "name": "Clockmaker", "description": "Mends clocks.", "version": "1",
        "supportedInterfaces": [{
            "url": "https://clock.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0",
        }],
        "capabilities": {"streaming": false},
        "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
        "skills": [{"id": "mend", "name": "Mend", "description": "Mends.", "tags": ["clock"]}],
    })
}

fn hybrid_card() -> Value {
    let mut card = plain_card();
    card["url"] = json!("https://clock.example/a2a");
    card["securityRequirements"] = json!([{"schemes": {"key": {"list": []}}}]);
    card["description"] = json!("Mends clocks – all of them 🕰.");
    card
}

/// The card with one signature over the bytes.
fn signed_over(card: &Value, bytes: &[u8], key: &SigningKey) -> Value {
    let mut card = card.clone();
    card["signatures"] = json!([jws::sign(bytes, key, None).to_value()]);
    card
}

fn payload(card: &Value, form: Form) -> Vec<u8> {
    payloads(card.as_object().unwrap())
        .into_iter()
        .rfind(|payload| payload.form == form)
        .unwrap()
        .bytes
}

/// The example of A2A 1.0, section 8.4.1.
#[test]
fn presence_as_the_specification_shows_it() {
    let card = json!({
        "name": "Example Agent", "description": "",
        "capabilities": {"streaming": false, "pushNotifications": false, "extensions": []},
        "skills": [],
    });
    let expected = concat!(
        r#"{"capabilities":{"pushNotifications":false,"streaming":false},"#,
        r#""description":"","name":"Example Agent","skills":[]}"#
    );
    assert_eq!(payload(&card, Form::Present), expected.as_bytes());
}

#[test]
fn what_is_unset_goes_at_every_depth() {
    let card = json!({
        "name": "A", "documentationUrl": "", "provider": null, "securitySchemes": {"k": {
            "apiKeySecurityScheme": {"description": "", "location": "", "name": "x"},
            "httpAuthSecurityScheme": {}, "type": "apiKey",
        }},
        "capabilities": {"extensions": [{
            "uri": "urn:x", "required": false, "description": "", "params": {"kept": "", "n": null},
        }]},
        "skills": [{"id": "", "tags": [], "examples": [], "securityRequirements": [
            {"schemes": {"k": {"list": []}}},
        ]}],
        "supportedInterfaces": [{"url": "u", "tenant": ""}, "odd"],
        "securityRequirements": [], "preferredTransport": "",
    });
    let expected = json!({
        "name": "A", "documentationUrl": "", "securitySchemes": {"k": {
            "apiKeySecurityScheme": {"location": "", "name": "x"},
            "httpAuthSecurityScheme": {}, "type": "apiKey",
        }},
        "capabilities": {"extensions": [{"uri": "urn:x", "params": {"kept": "", "n": null}}]},
        "skills": [{"id": "", "tags": [], "securityRequirements": [{"schemes": {"k": {}}}]}],
        "supportedInterfaces": [{"url": "u"}, "odd"], "preferredTransport": "",
    });
    assert_eq!(payload(&card, Form::Present), jcs::canonical(&expected));
    let known = payload(&card, Form::Known);
    let known: Value = serde_json::from_slice(&known).unwrap();
    assert!(known.get("preferredTransport").is_none());
    assert!(known["securitySchemes"]["k"].get("type").is_none());
    let filled: Value = serde_json::from_slice(&payload(&card, Form::Filled)).unwrap();
    assert_eq!(
        filled,
        json!({
            "name": "A", "securitySchemes": {"k": {"apiKeySecurityScheme": {"name": "x"}}},
            "capabilities": {"extensions": [{"uri": "urn:x"}]},
            "supportedInterfaces": [{"url": "u"}, "odd"],
        })
    );
}

/// Every member of every scheme, at its default: what is required stays.
#[test]
fn schemes_keep_what_they_need() {
    let flow = json!({
        "authorizationUrl": "", "tokenUrl": "", "refreshUrl": "", "scopes": {},
        "pkceRequired": false, "deviceAuthorizationUrl": "",
    });
    let card = json!({"securitySchemes": {
        "a": {"httpAuthSecurityScheme": {"description": "", "scheme": "", "bearerFormat": ""}},
        "b": {"openIdConnectSecurityScheme": {"description": "", "openIdConnectUrl": ""}},
        "c": {"mtlsSecurityScheme": {"description": ""}},
        "d": {"oauth2SecurityScheme": {"description": "", "oauth2MetadataUrl": "", "flows": {
            "authorizationCode": flow, "clientCredentials": flow, "implicit": flow,
            "password": flow, "deviceCode": flow,
        }}},
    }});
    let expected = json!({"securitySchemes": {
        "a": {"httpAuthSecurityScheme": {"scheme": ""}},
        "b": {"openIdConnectSecurityScheme": {"openIdConnectUrl": ""}},
        "c": {"mtlsSecurityScheme": {}},
        "d": {"oauth2SecurityScheme": {"flows": {
            "authorizationCode": {"authorizationUrl": "", "tokenUrl": "", "scopes": {}},
            "clientCredentials": {"tokenUrl": "", "scopes": {}},
            "implicit": {}, "password": {},
            "deviceCode": {"deviceAuthorizationUrl": "", "tokenUrl": "", "scopes": {}},
        }}},
    }});
    assert_eq!(payload(&card, Form::Known), jcs::canonical(&expected));
}

#[test]
fn a_plain_card_has_one_signature_and_it_holds() {
    let signed = sign_card(&plain_card(), &key(), Some("https://clock.example/jwks"));
    let [signature] = signed["signatures"].as_array().unwrap().as_slice() else {
        panic!("one signature");
    };
    let header = Detached::from_value(signature).unwrap().header().unwrap();
    assert_eq!(header.jku.as_deref(), Some("https://clock.example/jwks"));
    assert_eq!(headers(&signed), [header]);
    assert_eq!(
        verify_card(&signed, &set(&key()), false),
        Verdict::Verified {
            form: Form::Raw,
            kid: key().kid().to_owned()
        }
    );
    let again = sign_card(&signed, &key(), None);
    assert_eq!(again["signatures"].as_array().unwrap().len(), 1);
}

#[test]
fn a_card_of_both_dialects_holds_for_every_sort_of_reader() {
    let card = hybrid_card();
    let signed = sign_card(&card, &key(), None);
    let signatures = signed["signatures"].as_array().unwrap();
    let all = payloads(card.as_object().unwrap());
    assert_eq!(signatures.len(), all.len());
    for payload in &all {
        let held = signatures.iter().any(|signature| {
            jws::verify(
                &Detached::from_value(signature).unwrap(),
                &payload.bytes,
                &set(&key()),
            )
            .is_ok()
        });
        assert!(held, "{payload:?}");
    }
    assert!(matches!(
        verify_card(&signed, &set(&key()), false),
        Verdict::Verified {
            form: Form::Raw,
            ..
        }
    ));
}

#[test]
fn each_form_is_recognised_and_what_it_leaves_out_is_said() {
    let foreign = hybrid_card();
    let mut typed = hybrid_card();
    typed.as_object_mut().unwrap().remove("url");
    for (card, form, whole) in [
        (&foreign, Form::Raw, true),
        (&foreign, Form::Present, true),
        (&foreign, Form::Known, false),
        (&foreign, Form::Filled, false),
        (&typed, Form::Present, true),
        (&typed, Form::Filled, true),
    ] {
        for payload in payloads(card.as_object().unwrap()) {
            if payload.form != form {
                continue;
            }
            let kid = key().kid().to_owned();
            let expected = if whole {
                Verdict::Verified { form, kid }
            } else {
                Verdict::Partial { form, kid }
            };
            let signed = signed_over(card, &payload.bytes, &key());
            assert_eq!(verify_card(&signed, &set(&key()), false), expected);
        }
    }
}

/// The bytes that `json.dumps(..., sort_keys=True)` of Python makes.
#[test]
fn the_form_of_python_is_ascii() {
    let card = json!({"name": "Zoë 🕰", "description": "", "url": "u"});
    assert_eq!(
        payload(&card, Form::Filled),
        br#"{"name":"Zo\u00eb \ud83d\udd70"}"#
    );
}

#[test]
fn a_change_is_seen_and_a_failed_signature_outweighs_a_partial_one() {
    let mut signed = sign_card(&hybrid_card(), &key(), None);
    signed["url"] = json!("https://thief.example/a2a");
    assert_eq!(verify_card(&signed, &set(&key()), false), Verdict::Invalid);
    let mut signed = sign_card(&plain_card(), &key(), None);
    signed["name"] = json!("Clockmakes");
    assert_eq!(verify_card(&signed, &set(&key()), false), Verdict::Invalid);
    let mut signed = sign_card(&plain_card(), &key(), None);
    signed["more"] = json!(1);
    assert_eq!(
        verify_card(&signed, &set(&key()), false),
        Verdict::Partial {
            form: Form::Known,
            kid: key().kid().to_owned()
        },
        "a member that a typed reader would not see"
    );
}

#[test]
fn verdicts_without_proof() {
    let other = SigningKey::from_seed([8; 32]);
    let signed = sign_card(&plain_card(), &key(), None);
    assert_eq!(
        verify_card(&signed, &set(&other), false),
        Verdict::UnknownKey
    );
    assert_eq!(verify_card(&signed, &set(&key()), true), Verdict::Ambiguous);
    assert_eq!(
        verify_card(&plain_card(), &set(&key()), true),
        Verdict::None
    );
    for nothing in [json!([]), json!(null)] {
        let mut card = plain_card();
        card["signatures"] = nothing;
        assert_eq!(verify_card(&card, &set(&key()), false), Verdict::None);
    }
    for junk in [
        json!("x"),
        json!([{}]),
        json!([1, {"protected": "?", "signature": "?"}]),
    ] {
        let mut card = plain_card();
        card["signatures"] = junk;
        assert_eq!(verify_card(&card, &set(&key()), false), Verdict::Invalid);
    }
    assert_eq!(verify_card(&json!([1]), &set(&key()), false), Verdict::None);
    assert_eq!(sign_card(&json!("x"), &key(), None), json!("x"));
}

#[test]
fn one_good_signature_among_others_is_enough() {
    let mut signed = sign_card(&plain_card(), &key(), None);
    let good = signed["signatures"][0].clone();
    let foreign = sign_card(&plain_card(), &SigningKey::from_seed([8; 32]), None);
    let foreign = foreign["signatures"][0].clone();
    let mut bad = good.clone();
    bad["signature"] = json!(to_base64url(&[1; 64]));
    signed["signatures"] = json!([{}, bad, foreign, good]);
    assert!(matches!(
        verify_card(&signed, &set(&key()), false),
        Verdict::Verified { .. }
    ));
    signed["signatures"] = json!([{}, foreign]);
    assert_eq!(
        verify_card(&signed, &set(&key()), false),
        Verdict::UnknownKey
    );
    signed["signatures"] = json!([foreign, bad]);
    assert_eq!(verify_card(&signed, &set(&key()), false), Verdict::Invalid);
    let mut many = vec![foreign; MAX_SIGNATURES];
    many.push(good);
    signed["signatures"] = json!(many);
    assert_eq!(
        verify_card(&signed, &set(&key()), false),
        Verdict::UnknownKey
    );
}

#[test]
fn a_key_in_the_card_proves_integrity_only() {
    let mut card = plain_card();
    card["capabilities"]["extensions"] =
        json!([{"uri": "urn:keys", "params": {"deep": [key().public().to_jwk()]}}]);
    let signed = sign_card(&card, &key(), None);
    assert_eq!(integrity(&signed, false), Some(Form::Raw));
    assert_eq!(integrity(&signed, true), None);
    assert_eq!(
        verify_card(&signed, &JwkSet::default(), false),
        Verdict::UnknownKey
    );
    let mut changed = signed;
    changed["name"] = json!("x");
    assert_eq!(integrity(&changed, false), None);
    assert_eq!(
        integrity(&sign_card(&plain_card(), &key(), None), false),
        None
    );
}
