//! No bytes, no JSON and no damaged card make a reader panic, hang or disagree with itself.

use std::{fs, path::Path, sync::LazyLock};

use proptest::prelude::*;
use protocol::a2a::{
    card::{
        Card, ImportPolicy, Refusal, WarningCode, import,
        serve::{CardSource, Security, ServeOptions, Shape, served},
    },
    message::{Message, Part},
    parse_version_header, rpc,
};
use serde_json::{Map, Value};
use url::Url;

/// Our own cards, read once.
static CARDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cards");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder")
        .map(|file| file.expect("a file").path())
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| fs::read(file).expect("a card"))
        .collect()
});

/// Member names that steer the importer, besides any other text.
const NAMES: [&str; 34] = [
    "name",
    "description",
    "version",
    "url",
    "protocolVersion",
    "preferredTransport",
    "transport",
    "additionalInterfaces",
    "supportedInterfaces",
    "protocolBinding",
    "capabilities",
    "extensions",
    "authentication",
    "schemes",
    "credentials",
    "provider",
    "organization",
    "skills",
    "id",
    "tags",
    "examples",
    "defaultInputModes",
    "default_output_modes",
    "security",
    "securitySchemes",
    "securityRequirements",
    "signatures",
    "protected",
    "type",
    "registrations",
    "services",
    "a2a_agent_card",
    "endpoint",
    "agents",
];

/// Texts that steer the importer, besides any other text.
const TEXTS: [&str; 16] = [
    "JSONRPC",
    "rest",
    "gRPC",
    "0.3.0",
    "1.0",
    "0.1",
    "99",
    "https://agents.guildhall-demo.net/a",
    "http://10.0.0.1",
    "/a2a",
    "{URL}",
    "localhost:1",
    "mcp://x",
    "bearer",
    "text/plain",
    "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
];

fn some_text() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(&TEXTS[..]).prop_map(str::to_owned),
        any::<String>()
    ]
}

fn some_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        // Eighths are exact; the reader of numbers may round the last bit of other fractions.
        any::<i32>().prop_map(|eighths| Value::from(f64::from(eighths) / 8.0)),
        some_text().prop_map(Value::from),
    ];
    let name = prop_oneof![4 => prop::sample::select(&NAMES[..]).prop_map(str::to_owned), 1 => any::<String>()];
    leaf.prop_recursive(5, 64, 12, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((name.clone(), inner), 0..12)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn policy(private_targets: bool) -> ImportPolicy {
    ImportPolicy { private_targets }
}

/// Everything that must hold for any outcome.
fn hold(bytes: &[u8], private: bool) -> Result<Card, Refusal> {
    let from = Url::parse("https://agents.guildhall-demo.net/.well-known/agent-card.json").ok();
    let result = import(bytes, from.as_ref(), policy(private));
    assert_eq!(
        result,
        import(bytes, from.as_ref(), policy(private)),
        "the same, each time"
    );
    let Ok(card) = &result else { return result };
    assert!(card.name.chars().count() <= 256 && card.description.chars().count() <= 4096);
    assert!(card.warnings.len() <= 8 * WarningCode::all().count());
    assert!(card.interfaces.len() <= 64);
    for one in card.interfaces.iter().filter(|one| one.callable) {
        let real = Url::parse(&one.url).is_ok_and(|url| url.host().is_some())
            || Url::parse(&format!("http://{}", one.url)).is_ok_and(|url| url.host().is_some());
        assert!(real, "callable, and no address: {}", one.url);
    }
    serve_all(card);
    // The original read again says the same, but for what only its bytes showed.
    let again = import(
        card.original.to_string().as_bytes(),
        from.as_ref(),
        policy(private),
    )
    .expect("a card that was taken is taken again");
    let lasting = |card: &Card| {
        let bytes_only = [WarningCode::Bom, WarningCode::DuplicateMember];
        let kept = card
            .warnings
            .iter()
            .filter(|one| !bytes_only.contains(&one.code));
        kept.cloned().collect::<Vec<_>>()
    };
    assert_eq!(lasting(card), lasting(&again));
    let blank = |card: &Card| Card {
        warnings: Vec::new(),
        ..card.clone()
    };
    assert_eq!(blank(card), blank(&again));
    result
}

/// What is served of any card is taken by our own importer and names no address but ours.
fn serve_all(card: &Card) {
    for shape in [Shape::Hybrid, Shape::V1_0, Shape::V0_3] {
        let options = ServeOptions {
            rest: true,
            url: "https://gate.guildhall-demo.net/agents/one".into(),
            versions: Vec::new(),
            shape,
            own: Vec::new(),
            streaming: true,
            push: false,
            extended_card: false,
            security: Security::BearerOptional,
        };
        let out = served(&CardSource::from(card), &options);
        let again = import(out.to_string().as_bytes(), None, policy(false)).expect("our own card");
        assert!(!again.interfaces.is_empty());
        assert!(
            again
                .interfaces
                .iter()
                .all(|one| one.url == options.url && one.callable)
        );
    }
}

proptest! {
    // The number of cases comes from PROPTEST_CASES; no file of failures is written to the tree.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..512), private in any::<bool>()) {
        let _ = hold(&bytes, private);
        let _ = rpc::parse(&bytes);
    }

    #[test]
    fn any_json(mut value in some_json(), named in any::<bool>(), private in any::<bool>()) {
        if let (true, Value::Object(members)) = (named, &mut value) {
            members.insert("name".into(), "Any".into());
            members.entry("skills").or_insert_with(|| Value::Array(Vec::new()));
        }
        let _ = hold(value.to_string().as_bytes(), private);
        let _ = rpc::from_value(value.clone());
        let _ = Part::parse(&value);
        if let Ok(message) = Message::parse(&value) {
            let _ = (message.to_v0_3(), message.to_v1_0());
        }
    }

    #[test]
    fn flipped_bytes(
        card in any::<prop::sample::Index>(),
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        private in any::<bool>(),
    ) {
        let mut bytes = card.get(&CARDS).clone();
        for (place, byte) in flips {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let _ = hold(&bytes, private);
    }

    #[test]
    fn cut_and_joined(
        first in any::<prop::sample::Index>(),
        second in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let (first, second) = (first.get(&CARDS), second.get(&CARDS));
        let place = cut.index(first.len());
        let _ = hold(&first[..place], false);
        let _ = hold(&[&first[..place], &second[place.min(second.len())..]].concat(), false);
    }

    #[test]
    fn members_replaced_doubled_and_wrapped(
        card in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        value in some_json(),
        depth in 0usize..80,
        double in any::<bool>(),
    ) {
        let bytes = card.get(&CARDS);
        let Ok(Value::Object(mut members)) = serde_json::from_slice(bytes) else { return Ok(()) };
        let name = at.get(&NAMES).to_string();
        members.insert(name.clone(), value.clone());
        let mut text = Value::Object(members).to_string();
        if double {
            text.pop();
            text.push_str(&format!(",{}:{value}}}", Value::from(name)));
        }
        let _ = hold(text.as_bytes(), false);
        let _ = hold(format!("{}{text}{}", "[".repeat(depth), "]".repeat(depth)).as_bytes(), false);
    }

    #[test]
    fn version_headers(text in any::<String>()) {
        let _ = parse_version_header(&text);
    }
}
