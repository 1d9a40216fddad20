//! Pages: cursors, stillness while agents come and go, and the whole order in pieces.

use super::*;

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
