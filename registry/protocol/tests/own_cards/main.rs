//! Odd cards of our own making: one table says what each must give, and the table covers every code.

mod table;

use std::{collections::BTreeSet, fs, path::Path};

use protocol::a2a::card::{
    Card, ImportPolicy, LegacyAuth, MAX_BYTES, MAX_SKILLS, Refusal, RefusalCode, WarningCode,
    import,
};
use table::{REFUSED, TAKEN, TWIN};
use url::Url;

fn bytes(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cards/{name}.json"));
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read(name: &str) -> Card {
    import(&bytes(name), None, ImportPolicy::default()).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn reads_as(card: &Card) -> String {
    let one = |i: &protocol::a2a::card::Interface| {
        format!(
            "{} {}{}",
            i.version,
            i.binding,
            if i.callable { "" } else { "!" }
        )
    };
    card.interfaces
        .iter()
        .map(one)
        .collect::<Vec<_>>()
        .join(", ")
}

fn codes(card: &Card) -> Vec<&'static str> {
    let set: BTreeSet<_> = card.warnings.iter().map(|one| one.code.as_str()).collect();
    set.into_iter().collect()
}

#[test]
fn each_card_gives_what_the_table_says() {
    for (name, interfaces, warnings) in TAKEN.into_iter().chain([TWIN]) {
        let card = read(name);
        assert_eq!(reads_as(&card), interfaces, "{name}");
        assert_eq!(
            codes(&card),
            warnings.split_whitespace().collect::<Vec<_>>(),
            "{name}"
        );
        assert!(
            card.warnings.iter().all(|one| !one.detail.is_empty()),
            "{name}"
        );
    }
}

#[test]
fn each_other_file_is_refused_as_the_table_says() {
    for (name, code, kind, hint, position) in REFUSED {
        let refusal = import(&bytes(name), None, ImportPolicy::default()).expect_err(name);
        let found = (
            refusal.code,
            refusal.kind,
            refusal.hint.as_deref(),
            refusal.position,
        );
        assert_eq!(found, (code, kind, hint, position), "{name}: {refusal}");
    }
}

#[test]
fn limits_on_size_and_skills() {
    let refuse = |bytes: &[u8]| import(bytes, None, ImportPolicy::default()).map_err(|r| r.code);
    let mut large = bytes("lighthouse");
    large.resize(MAX_BYTES, b' ');
    assert!(refuse(&large).is_ok());
    large.push(b' ');
    assert_eq!(refuse(&large), Err(RefusalCode::TooLarge));
    let many = |count| {
        let list = vec![r#""a skill""#; count].join(",");
        format!(r#"{{"name": "Many", "skills": [{list}]}}"#)
    };
    assert_eq!(
        refuse(many(MAX_SKILLS).as_bytes()).map(|card| card.skills.len()),
        Ok(MAX_SKILLS)
    );
    assert_eq!(
        refuse(many(MAX_SKILLS + 1).as_bytes()),
        Err(RefusalCode::TooManySkills)
    );
}

#[test]
fn together_the_cards_show_every_code() {
    let shown: BTreeSet<&str> = TAKEN
        .iter()
        .chain([&TWIN])
        .flat_map(|(_, _, codes)| codes.split_whitespace())
        .collect();
    let all: BTreeSet<&str> = WarningCode::all().map(WarningCode::as_str).collect();
    assert_eq!(shown, all);
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cards");
    let files = fs::read_dir(files).expect("the folder of cards").count();
    assert_eq!(
        files,
        TAKEN.len() + 1 + REFUSED.len(),
        "a card is missing in the tables"
    );
}

#[test]
fn what_is_read_out_of_the_odd_ones() {
    let card = read("lighthouse");
    assert_eq!(card.interfaces[0].tenant.as_deref(), Some("north coast/7"));
    assert!(card.capabilities.extended_card && card.capabilities.push_notifications);
    let card = read("chandler-words");
    assert_eq!(card.tags, ["candles", "rope", "5"]);
    assert_eq!(
        (card.version.as_str(), card.skills[0].id.as_str()),
        ("2", "12")
    );
    assert_eq!(card.skills[0].tags, ["ships"]);
    let card = read("joiner-odd-skills");
    let ids: Vec<&str> = card.skills.iter().map(|skill| skill.id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "make-a-door",
            "make-a-window",
            "table",
            "chair",
            "chair-5",
            "shelf",
            "skill-7"
        ]
    );
    assert_eq!(card.skills[5].examples, ["An oak shelf", r#"{"width":80}"#]);
    let card = read("saddler-spelling");
    assert_eq!(
        card.provider.map(|one| one.organization).as_deref(),
        Some("Quay Works")
    );
    assert_eq!(card.icon_url, None, "a script is no picture");
    assert!(card.documentation_url.is_some() && card.capabilities.extended_card);
    let card = read("twin-bom-duplicates");
    assert_eq!(
        (card.name.as_str(), card.skills[0].id.as_str()),
        ("Twin the Second", "mirror")
    );
    let pointers: Vec<_> = card
        .warnings
        .iter()
        .filter_map(|one| one.pointer.as_deref())
        .collect();
    assert_eq!(pointers, ["/name", "/skills/0/id"]);
    let card = read("tally");
    assert_eq!(card.capabilities.extensions.len(), 1);
    let claims = read("envoy-onchain").identity_claims.expect("claims");
    assert_eq!(claims.registrations.len(), 1);
    assert_eq!(claims.registrations[0].alias(), "8453:42");
    assert_eq!(claims.trust_models, ["reputation"]);
}

#[test]
fn credentials_of_a_card_are_never_surfaced() {
    let mut card = read("clockmaker");
    assert_eq!(
        card.legacy_auth,
        [
            LegacyAuth::Bearer,
            LegacyAuth::ApiKey,
            LegacyAuth::X402,
            LegacyAuth::Other("wax seal".into())
        ]
    );
    card.original = serde_json::Value::Null;
    assert!(!format!("{card:?}").contains("might be a secret"));
    let card = read("smith-not-callable");
    assert!(!card.warnings.iter().any(|one| one.detail.contains("word@")));
}

#[test]
fn relative_addresses_follow_the_place_of_the_card() {
    let from = Url::parse("https://mill.guildhall-demo.net/.well-known/agent-card.json").unwrap();
    let card = import(
        &bytes("miller-relative"),
        Some(&from),
        ImportPolicy::default(),
    )
    .unwrap();
    let urls: Vec<&str> = card.interfaces.iter().map(|one| one.url.as_str()).collect();
    assert_eq!(
        urls,
        [
            "https://mill.guildhall-demo.net/a2a/mill",
            "https://mill.guildhall-demo.net/.well-known/rest",
            "https://mill.guildhall-demo.net/a2a/mill"
        ]
    );
    assert!(card.interfaces.iter().all(|one| one.callable));
    let text = String::from_utf8(bytes("miller-relative")).unwrap();
    let twice = text.replace("./rest", "https://mill.guildhall-demo.net/a2a/mill");
    let twice = twice.replace("HTTP+JSON", "JSONRPC");
    let card = import(twice.as_bytes(), Some(&from), ImportPolicy::default()).unwrap();
    assert_eq!(
        card.interfaces.len(),
        2,
        "one address in two spellings is one"
    );
    let Refusal { hint, .. } =
        import(&bytes("signpost"), Some(&from), ImportPolicy::default()).unwrap_err();
    assert_eq!(
        hint.as_deref(),
        Some("https://mill.guildhall-demo.net/a2a/card.json")
    );
}

#[test]
fn private_targets_are_callable_where_they_are_allowed() {
    let policy = ImportPolicy {
        private_targets: true,
    };
    let card = import(&bytes("baker-private"), None, policy).unwrap();
    assert!(card.interfaces.iter().all(|one| one.callable));
    assert_eq!(codes(&card), ["url_private"], "it is still said");
    let card = import(&bytes("tanner-placeholder"), None, policy).unwrap();
    assert!(card.interfaces.iter().all(|one| !one.callable));
}

#[test]
fn long_texts_are_cut_between_characters() {
    let name = "é".repeat(1000);
    let text = format!(r#"{{"name": "{name}", "description": "{name}", "skills": []}}"#);
    let card = import(text.as_bytes(), None, ImportPolicy::default()).unwrap();
    assert_eq!(card.name.chars().count(), 256);
    assert_eq!(card.original["name"], name);
}
