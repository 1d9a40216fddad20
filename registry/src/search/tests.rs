//! The index as a whole: what is found, in which order, page by page, and after a restart.

use std::path::Path;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::agent::{Capability, Contact, Liveness, MessageProtocol, Profile, State};
use crate::clock::ManualClock;
use crate::error::InvalidKind;

const NOW: Millis = 1_800_000_000_000;

mod paging;

fn id(text: &str) -> AgentId {
    AgentId::lookup(text).unwrap()
}

/// A listed agent; `capabilities` are separated by commas, `name*` has weight 3.
pub(super) fn agent(name: &str, description: &str, capabilities: &str) -> Agent {
    let capability = |text: &str| Capability {
        name: text.trim_end_matches('*').to_owned(),
        weight: if text.ends_with('*') { 3 } else { 1 },
    };
    Agent {
        id: AgentId::lookup(&text::key(name)).unwrap_or_else(|| id("unnamed")),
        state: State::Listed,
        suspended_from: None,
        tenant: false,
        profile: Profile {
            name: name.to_owned(),
            description: description.to_owned(),
            capabilities: capabilities
                .split(',')
                .filter(|c| !c.is_empty())
                .map(capability)
                .collect(),
            ..Profile::default()
        },
        contact: Contact::default(),
        liveness: Liveness::default(),
        revision: 1,
        created_at: NOW,
        updated_at: NOW,
    }
}

fn open(folder: &Path) -> Search {
    let clock = Arc::new(ManualClock::at(NOW));
    Search::open(
        folder,
        SearchOptions {
            clock,
            ..SearchOptions::default()
        },
    )
    .unwrap()
}

fn index(agents: &[Agent]) -> (TempDir, Search) {
    let folder = TempDir::new().unwrap();
    let search = open(folder.path());
    search.apply(agents, &[], 1).unwrap();
    (folder, search)
}

fn ask(text: &str) -> Query {
    Query {
        query: Some(text.to_owned()),
        ..Query::default()
    }
}

fn able(names: &[&str]) -> Query {
    Query {
        required_capabilities: names.iter().map(ToString::to_string).collect(),
        ..Query::default()
    }
}

fn found(search: &Search, query: &Query) -> Vec<String> {
    search
        .find(query, NOW)
        .unwrap()
        .hits
        .into_iter()
        .map(|hit| hit.id.to_string())
        .collect()
}

fn how(search: &Search, query: &Query, agent: &Agent) -> Vec<(&'static str, String, &'static str)> {
    let hits = search.find(query, NOW).unwrap().hits;
    let hit = hits.iter().find(|hit| hit.id == agent.id).unwrap();
    let why = search.explainer(query).explain(agent, &hit.parts);
    assert_eq!(why.filters, query.filters());
    let points: f64 = why.contributions.iter().map(|c| c.points).sum();
    assert!((points - hit.match_score).abs() < 1e-9, "{why:?}");
    let terms = |m: Matched| {
        m.terms
            .into_iter()
            .map(move |t| (m.field, t.found, t.how.as_str()))
    };
    why.matched.into_iter().flat_map(terms).collect()
}

#[test]
fn names_count_more_than_prose_and_whole_names_most() {
    let agents = [
        agent("Rain", "Tells tomorrow's weather.", ""),
        agent("Weather Oracle of the North", "Forecasts.", ""),
        agent("Weather", "Anything.", ""),
        agent("Ledger", "Keeps books.", ""),
    ];
    let (_folder, search) = index(&agents);
    assert_eq!(
        found(&search, &ask("weather")),
        ["weather", "weather-oracle-of-the-north", "rain"]
    );
    let why = how(&search, &ask("weather"), &agents[0]);
    assert_eq!(why, [("description", "weather".to_owned(), "exact")]);
}

#[test]
fn typos_and_prefixes_help_where_exact_words_do_not() {
    let agents = [
        agent("Alpha", "Gives a weather forecast", ""),
        agent("Beta", "Forensic accounting", ""),
    ];
    let (_folder, search) = index(&agents);
    assert_eq!(found(&search, &ask("forcast please")), ["alpha"]);
    assert_eq!(
        how(&search, &ask("forcast please"), &agents[0])[0].2,
        "typo"
    );
    assert_eq!(
        how(&search, &ask("forens"), &agents[1]),
        [("description", "forensic".to_owned(), "prefix")]
    );
    // A finished word is no prefix, and short words are not corrected.
    assert!(found(&search, &ask("forens ")).is_empty());
    assert!(found(&search, &ask("foren accounting.")).contains(&"beta".to_owned()));
    assert!(found(&search, &ask("gvs")).is_empty());
}

#[test]
fn enough_exact_hits_leave_no_room_for_typos() {
    let agents = [
        agent("One", "weather", ""),
        agent("Two", "weather", ""),
        agent("Three", "wether", ""),
    ];
    let (_folder, search) = index(&agents);
    let few = Query {
        limit: 2,
        ..ask("weather")
    };
    let mut all = Vec::new();
    let mut cursor = None;
    loop {
        let page = search
            .find(
                &Query {
                    cursor,
                    ..few.clone()
                },
                NOW,
            )
            .unwrap();
        all.extend(page.hits.into_iter().map(|hit| hit.id.to_string()));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(all, ["one", "two"]);
    assert_eq!(found(&search, &ask("weather")), ["one", "two", "three"]);
}

#[test]
fn capabilities_rank_by_number_then_weight_and_know_synonyms() {
    let agents = [
        agent("both", "", "translation,code review"),
        agent("expert", "", "translate*"),
        agent("generic", "", "Translator"),
        agent("other", "", "weather"),
    ];
    let (_folder, search) = index(&agents);
    let both = able(&["translation", "Code_Review"]);
    assert_eq!(found(&search, &both), ["both", "expert", "generic"]);
    assert_eq!(
        found(
            &search,
            &Query {
                mode: Mode::All,
                ..both.clone()
            }
        ),
        ["both"]
    );
    let why = how(&search, &both, &agents[2]);
    assert_eq!(
        why,
        [("required_capabilities", "translator".to_owned(), "synonym")]
    );
    assert!(found(&search, &able(&["no such thing"])).is_empty());
}

#[test]
fn words_know_synonyms_too() {
    let agents = [agent("a", "", "summarization"), agent("b", "", "weather")];
    let (_folder, search) = index(&agents);
    assert_eq!(how(&search, &ask("tldr"), &agents[0])[0].2, "synonym");
    assert_eq!(found(&search, &ask("tldr")), ["a"]);
}

#[test]
fn imported_agents_are_able_by_their_skills_and_tags() {
    let mut imported = agent("card", "", "");
    imported.profile.tags = vec!["Translation".into()];
    let (_folder, search) = index(&[imported]);
    assert_eq!(found(&search, &able(&["translate"])), ["card"]);
}

#[test]
fn filters_hold_and_do_not_score() {
    let mut plain = agent("plain", "weather", "");
    plain.profile.message_protocol = MessageProtocol::Raw;
    plain.profile.org_name = Some("Acme  Corp".into());
    plain.profile.settlement_rail = vec!["x402".into()];
    plain.profile.tags = vec!["Fast Lane".into(), "two".into()];
    plain.profile.input_modes = vec!["text/plain".into()];
    plain.liveness.last_ok_at = Some(NOW - 5_000);
    let (_folder, search) = index(&[plain.clone(), agent("other", "weather", "")]);
    let score = search.find(&ask("weather"), NOW).unwrap().hits[0].match_score;
    let filters = Query {
        tags: vec!["fast-lane".into(), "TWO".into()],
        org_name: Some("acme corp".into()),
        message_protocol: Some(MessageProtocol::Raw),
        settlement_rail: vec!["stripe".into(), "X402".into()],
        input_modes: vec!["Text/Plain; charset=utf-8".into()],
        alive_within_ms: Some(6_000),
        ..Query::default()
    };
    assert_eq!(found(&search, &filters), ["plain"]);
    let worded = Query {
        query: Some("weather".into()),
        ..filters.clone()
    };
    let hits = search.find(&worded, NOW).unwrap().hits;
    assert_eq!((hits.len(), hits[0].match_score), (1, score));
    for wrong in [
        Query {
            tags: vec!["two".into(), "three".into()],
            ..filters.clone()
        },
        Query {
            alive_within_ms: Some(4_000),
            ..filters.clone()
        },
        Query {
            exclude: vec![id("plain")],
            ..filters.clone()
        },
        Query {
            output_modes: vec!["text/plain".into()],
            ..filters.clone()
        },
        Query {
            settlement_rail: vec!["stripe".into()],
            ..filters.clone()
        },
    ] {
        assert!(found(&search, &wrong).is_empty(), "{wrong:?}");
    }
    assert_eq!(
        found(
            &search,
            &Query {
                settlement_rail: vec!["Any".into()],
                ..filters
            }
        ),
        ["plain"]
    );
}

#[test]
fn equals_stand_by_id_and_the_living_first() {
    let mut agents: Vec<_> = ["c", "a", "b"].map(|name| agent(name, "", "search")).into();
    agents[0].liveness.last_failure_at = Some(NOW - 1);
    let (_folder, search) = index(&agents);
    assert_eq!(found(&search, &able(&["search"])), ["a", "b", "c"]);
    agents[0].liveness.last_ok_at = Some(NOW - 1);
    search.apply(&agents, &[], 2).unwrap();
    assert_eq!(found(&search, &able(&["search"])), ["c", "a", "b"]);
}

#[test]
fn what_left_the_directory_is_not_found() {
    let mut agents: Vec<_> = ["a", "b", "c"]
        .map(|name| agent(name, "weather", ""))
        .into();
    let (_folder, search) = index(&agents);
    agents[0].state = State::Withdrawn;
    agents[1].state = State::Unclaimed;
    search.apply(&agents[..2], &[id("c")], 2).unwrap();
    assert_eq!(found(&search, &ask("weather")), ["b"]);
    assert_eq!(search.stats().documents, 1);
}

#[test]
fn index_and_position_are_one() {
    let folder = TempDir::new().unwrap();
    let search = open(folder.path());
    assert_eq!(search.stats().position, None);
    search.apply(&[agent("a", "weather", "")], &[], 41).unwrap();
    // Taken in but never committed, as by a process that was killed.
    search
        .write(|writer| writer.apply(&[agent("b", "weather", "")], &[]))
        .unwrap();
    drop(search);
    let search = open(folder.path());
    assert_eq!(search.stats().position, Some(41));
    assert_eq!(*search.position().borrow(), Some(41));
    assert_eq!(found(&search, &ask("weather")), ["a"]);
}

#[test]
fn a_damaged_or_foreign_folder_is_made_anew() {
    let (folder, search) = index(&[agent("a", "weather", "")]);
    drop(search);
    let meta = folder.path().join("meta.json");
    let text = std::fs::read_to_string(&meta).unwrap();
    for broken in ["{", &text.replace("\\\"format\\\":1", "\\\"format\\\":0")] {
        assert_ne!(broken, text);
        std::fs::write(&meta, broken).unwrap();
        let search = open(folder.path());
        assert_eq!(
            (search.stats().position, search.stats().documents),
            (None, 0)
        );
        search.apply(&[agent("b", "weather", "")], &[], 7).unwrap();
        assert_eq!(found(&search, &ask("weather")), ["b"]);
    }
}

#[test]
fn one_process_writes() {
    let (folder, _search) = index(&[]);
    assert!(matches!(
        Search::open(folder.path(), SearchOptions::default()),
        Err(Error::Locked(_))
    ));
}
