//! The served card in each shape, against what the dialects require.

use super::*;
use crate::a2a::card::{ImportPolicy, import};

const DOOR: &str = "https://gate.guildhall-demo.net/agents/pilot";

fn source() -> CardSource {
    let card = json!({
        "name": "Pilot", "description": "Plans.", "version": "2", "protocolVersion": "0.3.0",
        "url": "https://upstream.guildhall-demo.net/a2a",
        "additionalInterfaces":
            [{"url": "https://upstream.guildhall-demo.net/rest", "transport": "HTTP+JSON"}],
        "provider": {"organization": "Quay", "url": "https://quay.guildhall-demo.net"},
        "capabilities": {"streaming": true, "extensions": [
            {"uri": "urn:theirs", "required": true, "params": {"a": 1}, "stray": 1},
            {"uri": "urn:ours", "params": {"forged": true}}]},
        "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"],
        "skills": [{"id": "s", "name": "S", "description": "Plans.", "tags": ["t"], "stray": 1}],
        "securitySchemes": {"theirs": {"type": "http", "scheme": "basic"}},
        "signatures": [{"protected": "e30", "signature": "AA"}], "stray": 1,
        "authentication": {"credentials": "prose"}
    });
    let card = import(card.to_string().as_bytes(), None, ImportPolicy::default()).unwrap();
    CardSource::from(&card)
}

fn options(shape: Shape) -> ServeOptions {
    ServeOptions {
        rest: false,
        url: DOOR.into(),
        versions: vec![Version::V1_0, Version::V0_3],
        shape,
        own: vec![OwnExtension {
            uri: "urn:ours".into(),
            description: "Ours.".into(),
            params: json!({"price": 1}),
        }],
        streaming: true,
        push: false,
        extended_card: true,
        security: Security::Bearer,
    }
}

/// Members of the card the dialects know: required first, then the rest.
const COMMON: [&str; 7] = [
    "name",
    "description",
    "version",
    "capabilities",
    "defaultInputModes",
    "defaultOutputModes",
    "skills",
];
const OPTIONAL: [&str; 4] = ["provider", "documentationUrl", "iconUrl", "securitySchemes"];
const NEW: [&str; 2] = ["supportedInterfaces", "securityRequirements"];
const OLD: [&str; 6] = [
    "url",
    "protocolVersion",
    "preferredTransport",
    "additionalInterfaces",
    "security",
    "supportsAuthenticatedExtendedCard",
];

fn assert_members(card: &Value, lists: &[&[&str]]) {
    let members = card.as_object().unwrap();
    for name in lists.concat() {
        assert!(members.contains_key(name), "{name} is missing");
    }
    for name in members.keys().map(String::as_str) {
        assert!(
            OPTIONAL.contains(&name) || lists.concat().contains(&name),
            "{name} is too much"
        );
    }
}

#[test]
fn each_shape_has_the_members_of_its_dialect_and_no_others() {
    assert_members(&served(&source(), &options(Shape::V1_0)), &[&COMMON, &NEW]);
    assert_members(&served(&source(), &options(Shape::V0_3)), &[&COMMON, &OLD]);
    assert_members(
        &served(&source(), &options(Shape::Hybrid)),
        &[&COMMON, &NEW, &OLD],
    );
}

#[test]
fn every_address_is_ours_and_nothing_foreign_is_left() {
    for shape in [Shape::V1_0, Shape::V0_3, Shape::Hybrid] {
        let card = served(&source(), &options(shape));
        let text = card.to_string();
        for foreign in [
            "upstream",
            "signatures",
            "stray",
            "prose",
            "theirs\":",
            "forged",
            "basic",
        ] {
            assert!(!text.contains(foreign), "{foreign} in {text}");
        }
        let extensions = &card["capabilities"]["extensions"];
        assert_eq!(
            extensions[0],
            json!({"uri": "urn:theirs", "required": true, "params": {"a": 1}})
        );
        assert_eq!(extensions[1]["params"], json!({"price": 1}));
        assert!(extensions.get(2).is_none());
        let again = import(text.as_bytes(), None, ImportPolicy::default()).unwrap();
        assert_eq!(again.warnings, [], "our own card has no faults");
        assert!(again.interfaces.iter().all(|one| one.url == DOOR));
    }
}

#[test]
fn a_hybrid_lists_both_dialects_and_merges_the_schemes() {
    let card = served(&source(), &options(Shape::Hybrid));
    assert_eq!(
        card["supportedInterfaces"],
        json!([{"url": DOOR, "protocolBinding": "JSONRPC", "protocolVersion": "1.0"},
            {"url": DOOR, "protocolBinding": "JSONRPC", "protocolVersion": "0.3"}])
    );
    let scheme = &card["securitySchemes"]["bearer"];
    assert_eq!(scheme["type"], "http");
    assert_eq!(scheme["scheme"], "bearer");
    assert_eq!(scheme["httpAuthSecurityScheme"]["scheme"], "Bearer");
    assert_eq!(card["security"], json!([{"bearer": []}]));
    assert_eq!(
        card["securityRequirements"],
        json!([{"schemes": {"bearer": {"list": []}}}])
    );
    assert_eq!(card["capabilities"]["extendedAgentCard"], true);
}

#[test]
fn a_pure_card_has_one_form_of_everything() {
    let new = served(&source(), &options(Shape::V1_0));
    assert!(new["securitySchemes"]["bearer"].get("type").is_none());
    assert_eq!(new["supportedInterfaces"].as_array().unwrap().len(), 1);
    let old = served(&source(), &options(Shape::V0_3));
    assert!(
        old["securitySchemes"]["bearer"]
            .get("httpAuthSecurityScheme")
            .is_none()
    );
    assert!(old["capabilities"].get("extendedAgentCard").is_none());
    assert_eq!(old["protocolVersion"], "0.3.0");
}

#[test]
fn an_agent_of_one_dialect_gets_no_hybrid() {
    let one = |version| {
        served(
            &source(),
            &ServeOptions {
                versions: vec![version],
                ..options(Shape::Hybrid)
            },
        )
    };
    assert_members(&one(Version::V1_0), &[&COMMON, &NEW]);
    assert_members(&one(Version::V0_3), &[&COMMON, &OLD]);
}

#[test]
fn an_empty_source_still_gives_a_whole_card() {
    let empty = CardSource {
        name: "Empty".into(),
        ..CardSource::default()
    };
    let card = served(&empty, &options(Shape::Hybrid));
    assert_members(&card, &[&COMMON, &NEW, &OLD]);
    assert_eq!(card["defaultInputModes"], json!(["text/plain"]));
    assert_eq!(card["defaultOutputModes"], json!(["text/plain"]));
    assert_eq!(card["version"], "0");
    assert!(card.get("provider").is_none());
    let open = ServeOptions {
        security: Security::None,
        ..options(Shape::Hybrid)
    };
    assert!(served(&empty, &open).get("securitySchemes").is_none());
}
