//! What each of the cards must give.

use protocol::a2a::card::{ForeignKind, RefusalCode};

/// Taken: file, what it reads as (`!` behind an address that is not to be called), codes.
pub const TAKEN: [(&str, &str, &str); 28] = [
    ("cooper-hybrid", "0.3 JSONRPC", ""),
    ("waymark", "0.3 JSONRPC", ""),
    (
        "consul-address-only",
        "0.3 JSONRPC",
        "capabilities_missing erc8004_claims modes_missing skills_missing version_missing",
    ),
    ("harbour-pilot", "0.3 JSONRPC, 0.3 HTTP+JSON", ""),
    ("lighthouse", "1.0 JSONRPC, 1.0 GRPC", ""),
    (
        "ferry-hybrid",
        "1.0 JSONRPC, 0.3 JSONRPC, 0.3 HTTP+JSON",
        "",
    ),
    ("ferry-mirror", "1.0 HTTP+JSON", ""),
    ("clockmaker", "0.3 JSONRPC", "auth_legacy version_old"),
    ("tally", "0.3 JSONRPC", "url_insecure version_missing"),
    (
        "mason-v1-flat",
        "0.3 JSONRPC",
        "name_variant version_shape_mismatch",
    ),
    (
        "cooper-old-list",
        "1.0 JSONRPC",
        "interface_dropped version_shape_mismatch",
    ),
    (
        "weaver-no-interface-version",
        "1.0 JSONRPC",
        "interface_version_missing transport_normalised version_shape_mismatch",
    ),
    ("smith-not-callable", "", "interface_dropped"),
    (
        "scribe-no-address",
        "",
        "capabilities_missing skill_not_object url_missing",
    ),
    ("glazier-alias", "0.3 JSONRPC", "url_alias"),
    (
        "miller-relative",
        "0.3 GRPC!, 0.3 HTTP+JSON!, 0.3 JSONRPC!",
        "transport_normalised url_relative",
    ),
    (
        "tanner-placeholder",
        "1.0 JSONRPC!, 1.0 JSONRPC!, 1.0 JSONRPC!, 1.0 JSONRPC!, 1.0 JSONRPC!",
        "url_placeholder",
    ),
    (
        "baker-private",
        "1.0 JSONRPC!, 1.0 JSONRPC!, 1.0 JSONRPC!, 1.0 JSONRPC!, 1.0 HTTP+JSON!, \
         1.0 HTTP+JSON!, 1.0 GRPC!",
        "url_private",
    ),
    ("potter-page", "0.3 JSONRPC", "url_not_endpoint"),
    (
        "chandler-words",
        "0.3 HTTP+JSON",
        "capabilities_not_object transport_normalised",
    ),
    (
        "fletcher-bare",
        "0.3 JSONRPC",
        "agent_version_missing capabilities_missing description_missing modes_missing \
         skills_missing url_alias version_missing",
    ),
    (
        "joiner-odd-skills",
        "0.3 JSONRPC",
        "name_variant skill_example_not_text skill_id_missing skill_not_object \
         skill_tags_missing skill_text_missing",
    ),
    (
        "saddler-spelling",
        "0.3 JSONRPC",
        "name_variant provider_incomplete",
    ),
    ("locksmith-wrapped", "0.3 JSONRPC", "security_shape_mixed"),
    (
        "locksmith-flat-in-list",
        "1.0 JSONRPC",
        "security_shape_mixed",
    ),
    ("notary-signed", "0.3 JSONRPC", "signature_unverified"),
    ("forger-bad-signature", "0.3 JSONRPC", "signature_invalid"),
    (
        "envoy-onchain",
        "0.3 JSONRPC",
        "erc8004_claims extensions_misplaced provider_incomplete",
    ),
];

/// Taken as well; apart, since its bytes are what is odd.
pub const TWIN: (&str, &str, &str) = ("twin-bom-duplicates", "0.3 JSONRPC", "bom duplicate_member");

/// Refused: file, code, kind, hint, position.
pub type Refused = (
    &'static str,
    RefusalCode,
    Option<ForeignKind>,
    Option<&'static str>,
    Option<(usize, usize)>,
);

/// The refused ones.
pub const REFUSED: [Refused; 14] = [
    ("page", RefusalCode::NotJson, None, None, Some((1, 1))),
    ("blank", RefusalCode::NotJson, None, None, Some((3, 1))),
    (
        "two-documents",
        RefusalCode::NotJson,
        None,
        None,
        Some((2, 1)),
    ),
    ("cut-off", RefusalCode::NotJson, None, None, Some((3, 31))),
    (
        "half-surrogate",
        RefusalCode::NotJson,
        None,
        None,
        Some((1, 22)),
    ),
    ("latin-1", RefusalCode::NotJson, None, None, Some((1, 17))),
    ("commented", RefusalCode::NotJson, None, None, Some((2, 3))),
    (
        "registration",
        RefusalCode::NotAnAgentCard,
        Some(ForeignKind::Erc8004Registration),
        Some("https://envoy.guildhall-demo.net/.well-known/agent-card.json"),
        None,
    ),
    (
        "guild-index",
        RefusalCode::NotAnAgentCard,
        Some(ForeignKind::AgentIndex),
        None,
        None,
    ),
    (
        "guild-list",
        RefusalCode::NotAnAgentCard,
        Some(ForeignKind::AgentIndex),
        None,
        None,
    ),
    (
        "signpost",
        RefusalCode::NotAnAgentCard,
        Some(ForeignKind::Pointer),
        Some("/a2a/card.json"),
        None,
    ),
    (
        "toolbox",
        RefusalCode::NotAnAgentCard,
        Some(ForeignKind::OtherManifest),
        None,
        None,
    ),
    (
        "nested",
        RefusalCode::NotAnAgentCard,
        Some(ForeignKind::OtherManifest),
        None,
        None,
    ),
    (
        "well-too-deep",
        RefusalCode::TooDeep,
        None,
        None,
        Some((1, 103)),
    ),
];
