//! The index as a whole: what is found, in which order, page by page, and after a restart.

use std::path::Path;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::agent::{Capability, Contact, Liveness, MessageProtocol, Profile, State};
use crate::clock::ManualClock;
use crate::error::InvalidKind;

const NOW: Millis = 1_800_000_000_000;

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

#[test]
fn a_cursor_of_another_question_is_refused() {
    let (_folder, search) = index(&["a", "b"].map(|name| agent(name, "weather", "")));
    let first = Query {
        limit: 1,
        ..ask("weather")
    };
    let cursor = search.find(&first, NOW).unwrap().next_cursor;
    assert!(cursor.is_some());
    let other = Query {
        cursor,
        ..ask("rain")
    };
    assert!(
        matches!(search.find(&other, NOW), Err(Error::Invalid(e)) if e.kind == InvalidKind::Cursor)
    );
}

/// All ids, page by page; `between` runs after every page.
fn pages(search: &Search, query: &Query, mut between: impl FnMut()) -> Vec<(u32, String)> {
    let mut all = Vec::new();
    let mut cursor = None;
    loop {
        let page = search
            .find(
                &Query {
                    cursor,
                    ..query.clone()
                },
                NOW + all.len() as i64,
            )
            .unwrap();
        all.extend(
            page.hits
                .iter()
                .map(|hit| (hit.parts.units(), hit.id.to_string())),
        );
        cursor = page.next_cursor;
        between();
        if cursor.is_none() {
            return all;
        }
    }
}

#[test]
fn pages_hold_still_while_agents_come_and_go() {
    let agents: Vec<_> = (0..25)
        .map(|n| agent(&format!("n{n:02}"), "weather", ""))
        .collect();
    let (_folder, search) = index(&agents);
    let mut turn = 0;
    let all = pages(
        &search,
        &Query {
            limit: 4,
            ..ask("weather")
        },
        || {
            turn += 1;
            search
                .apply(
                    &[agent(&format!("n{turn:02}x"), "weather weather", "")],
                    &[id("n24")],
                    turn,
                )
                .unwrap();
        },
    );
    let ids: Vec<_> = all.into_iter().map(|(_, id)| id).collect();
    assert_eq!(
        ids,
        agents
            .iter()
            .map(|agent| agent.id.to_string())
            .collect::<Vec<_>>()
    );
}

const VOCABULARY: [&str; 8] = [
    "weather",
    "wether",
    "weathers",
    "translation",
    "translate",
    "review",
    "payment",
    "oracle",
];

/// Agents of few different words, so that many are equally good.
fn corpus() -> impl Strategy<Value = Vec<Agent>> {
    let some = |most| proptest::collection::vec(proptest::sample::select(&VOCABULARY[..]), 0..most);
    let one = (some(3), some(6), some(4), 0..3_i64, any::<bool>());
    proptest::collection::vec(one, 1..60).prop_map(|all| {
        let made = all
            .into_iter()
            .enumerate()
            .map(|(n, (name, prose, able, seen, raw))| {
                let mut made = agent(&name.join(" "), &prose.join(" "), &able.join(","));
                // Ids in another order than the documents.
                made.id = id(&format!("n{:02}", n * 37 % 61));
                made.liveness.last_ok_at = (seen == 1).then_some(NOW - 1_000);
                made.liveness.last_failure_at = (seen == 2).then_some(NOW - 500);
                made.profile.message_protocol = if raw {
                    MessageProtocol::Raw
                } else {
                    MessageProtocol::A2a
                };
                made
            });
        made.collect()
    })
}

fn question() -> impl Strategy<Value = Query> {
    let some = |most| proptest::collection::vec(proptest::sample::select(&VOCABULARY[..]), 0..most);
    (
        some(4),
        some(3),
        any::<bool>(),
        proptest::option::of(any::<bool>()),
    )
        .prop_map(|(text, able, all, raw)| Query {
            query: Some(text.join(" ")),
            required_capabilities: able.into_iter().map(str::to_owned).collect(),
            mode: if all { Mode::All } else { Mode::Any },
            message_protocol: raw.map(|raw| {
                if raw {
                    MessageProtocol::Raw
                } else {
                    MessageProtocol::A2a
                }
            }),
            limit: 100,
            ..Query::default()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn pages_are_the_whole_order_cut_in_pieces(agents in corpus(), query in question(), limit in 1..9_usize, parts in 1..5_usize) {
        prop_assume!(!query.filters().is_empty());
        let (_folder, search) = index(&[]);
        for (n, part) in agents.chunks(agents.len().div_ceil(parts)).enumerate() {
            search.apply(part, &[], n as i64).unwrap();
        }
        // Every second agent is written once more: pages must not see the old ones.
        let again: Vec<_> = agents.iter().step_by(2).cloned().collect();
        search.apply(&again, &[], 9).unwrap();

        let in_pages = pages(&search, &Query { limit, ..query.clone() }, || {});
        let mut sorted = in_pages.clone();
        sorted.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        sorted.dedup_by(|a, b| a.1 == b.1);
        prop_assert_eq!(&in_pages, &sorted);

        // With words, the first page's limit decides on relaxing; without, a big page is the same list.
        let whole = pages(&search, &query, || {});
        if query.words().is_none() {
            prop_assert_eq!(&in_pages, &whole);
        }
        let ids = |list: &[(u32, String)]| list.iter().map(|(_, id)| id.clone()).collect::<std::collections::HashSet<_>>();
        prop_assert!(ids(&in_pages).is_subset(&ids(&whole)));
        for agent in &agents {
            let expected = expected(&query, agent);
            if ids(&whole).contains(agent.id.as_str()) != expected {
                return Err(TestCaseError::fail(format!("{agent:?} expected: {expected}")));
            }
        }
    }
}

/// Whether an agent is a hit when all words are relaxed, worked out without any index.
fn expected(query: &Query, agent: &Agent) -> bool {
    let mut analysers = Analysers::new();
    let synonyms = Synonyms::default();
    let has = schema::capabilities(&agent.profile);
    let able = query
        .required_capabilities
        .iter()
        .map(|name| synonyms.of(name).iter().any(|name| has.contains_key(name)));
    let able: Vec<bool> = able.collect();
    let able = able.is_empty()
        || if query.mode == Mode::All {
            able.iter().all(|a| *a)
        } else {
            able.contains(&true)
        };
    let protocol = query
        .message_protocol
        .is_none_or(|protocol| protocol == agent.profile.message_protocol);
    let asked = query
        .words()
        .map(|text| words::words(text, &mut analysers, &synonyms));
    let parts = Parts {
        capabilities: None,
        text: None,
        liveness: 0,
        relaxed: u32::MAX,
    };
    let why = Explainer::new(query, analysers, &synonyms).explain(agent, &parts);
    let said = asked.is_none()
        || why
            .matched
            .iter()
            .any(|m| m.field != "required_capabilities");
    able && protocol && said
}
