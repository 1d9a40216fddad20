//! The follower between a real store and a real index.

use std::time::Duration;

use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::tests::agent;
use super::{Follower, Query, Search, SearchOptions};
use crate::agent::{AgentId, Contact, State};
use crate::clock::{Clock, SystemClock};
use crate::ids::SystemRandom;
use crate::store::{NewAgent, Store, StoreOptions};

struct House {
    data: TempDir,
    store: Store,
}

impl House {
    async fn new() -> Self {
        let data = TempDir::new().unwrap();
        let options = StoreOptions {
            database_url: None,
            data_dir: data.path().to_owned(),
            cache_agents: 100,
            clock: std::sync::Arc::new(SystemClock),
            random: std::sync::Arc::new(SystemRandom),
        };
        Self {
            store: Store::open(options).await.unwrap(),
            data,
        }
    }

    fn search(&self) -> Search {
        Search::open(&self.data.path().join("index"), SearchOptions::default()).unwrap()
    }

    async fn register(&self, name: &str) -> AgentId {
        let profile = agent(name, "weather", "").profile;
        let id = AgentId::lookup(name).unwrap();
        let new = NewAgent {
            id: id.clone(),
            profile,
            contact: Contact::default(),
            card: None,
        };
        self.store.agent_register(new).await.unwrap();
        id
    }

    async fn set(&self, id: &AgentId, state: State) {
        let change = move |agent: &mut crate::agent::Agent| {
            agent.state = state;
            Ok(())
        };
        self.store.agent_update(id, None, change).await.unwrap();
    }
}

fn found(search: &Search) -> Vec<String> {
    let query = Query {
        query: Some("weather".into()),
        ..Query::default()
    };
    let hits = search.find(&query, SystemClock.now()).unwrap().hits;
    hits.into_iter().map(|hit| hit.id.to_string()).collect()
}

async fn catch_up(follower: &Follower) {
    while follower.step().await.unwrap() != (super::Progress::CaughtUp { moved: false }) {}
}

#[tokio::test]
async fn the_index_is_built_followed_and_taken_up_again() {
    let house = House::new().await;
    house.register("before").await;
    let search = house.search();
    let follower = Follower::new(house.store.clone(), search.clone());
    catch_up(&follower).await;
    assert_eq!(found(&search), ["before"]);

    let after = house.register("after").await;
    catch_up(&follower).await;
    assert_eq!(found(&search), ["after", "before"]);
    house.set(&after, State::Paused).await;
    catch_up(&follower).await;
    assert_eq!(found(&search), ["before"]);
    let position = search.stats().position;
    assert_eq!(position, Some(house.store.outbox_head().await.unwrap()));

    drop((follower, search));
    house.set(&after, State::Listed).await;
    let search = house.search();
    assert_eq!(search.stats().position, position);
    catch_up(&Follower::new(house.store.clone(), search.clone())).await;
    assert_eq!(found(&search), ["after", "before"]);
}

#[tokio::test]
async fn a_deleted_folder_is_built_again() {
    let house = House::new().await;
    let gone = house.register("gone").await;
    house.register("here").await;
    house.set(&gone, State::Withdrawn).await;
    catch_up(&Follower::new(house.store.clone(), house.search())).await;
    std::fs::remove_dir_all(house.data.path().join("index")).unwrap();
    let search = house.search();
    assert!(found(&search).is_empty());
    catch_up(&Follower::new(house.store.clone(), search.clone())).await;
    assert_eq!(found(&search), ["here"]);
}

#[tokio::test]
async fn an_index_of_another_store_is_built_again() {
    let house = House::new().await;
    house.register("here").await;
    let search = house.search();
    search
        .apply(&[agent("stranger", "weather", "")], &[], 1_000)
        .unwrap();
    catch_up(&Follower::new(house.store.clone(), search.clone())).await;
    assert_eq!(found(&search), ["here"]);
}

#[tokio::test]
async fn a_rebuild_keeps_answering_and_forgets_what_is_gone() {
    let house = House::new().await;
    house.register("here").await;
    let search = house.search();
    let follower = Follower::new(house.store.clone(), search.clone());
    catch_up(&follower).await;
    let position = search.stats().position.unwrap();
    search
        .apply(&[agent("ghost", "weather", "")], &[], position)
        .unwrap();
    assert_eq!(found(&search), ["ghost", "here"]);
    follower.rebuild().await.unwrap();
    assert_eq!(found(&search), ["here"]);
}

#[tokio::test]
async fn a_running_follower_wakes_and_stops() {
    let house = House::new().await;
    let search = house.search();
    let follower = Follower::new(house.store.clone(), search.clone());
    let stop = CancellationToken::new();
    let running = tokio::spawn(follower.run(stop.clone()));
    let mut position = search.position();
    // The limit only ends a test that would hang.
    let limit = Duration::from_secs(60);
    tokio::time::timeout(limit, position.wait_for(Option::is_some))
        .await
        .unwrap()
        .unwrap();
    let _ = house.register("new").await;
    let head = house.store.outbox_head().await.unwrap();
    tokio::time::timeout(limit, position.wait_for(|position| *position >= Some(head)))
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found(&search), ["new"]);
    stop.cancel();
    tokio::time::timeout(limit, running).await.unwrap().unwrap();
}
