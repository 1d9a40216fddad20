//! Start and stop: bind, open, build, run, drain.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use registry::client::{self, Client};
use registry::clock::SystemClock;
use registry::error::Error;
use registry::ids::{self, SystemRandom};
use registry::search::{Follower, Search, SearchOptions, Synonyms};
use registry::store::{FolderLock, Recorder, Store, StoreOptions, lock_folder};
use tenants::Tenant;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::agree::Terms;
use crate::call::Targets;
use crate::gate::{Fixed, Gate};
use crate::host::Host;
use crate::limits::Limits;
use crate::listen::{self, Listening};
use crate::metrics::Metrics;
use crate::ring::KeyRing;
use crate::settings::Settings;

/// How often idle keys of the limits are forgotten.
const HOUSEKEEPING: Duration = Duration::from_secs(60);

/// Why the gateway did not start or had to end.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is not to be had.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The store, the index or the client could not be opened.
    #[error(transparent)]
    Registry(#[from] Error),
    /// The synonym file is not readable.
    #[error("setting `search.synonyms_file`: {0}")]
    Synonyms(String),
    /// The accept loop failed.
    #[error("serving failed")]
    Serve(#[source] std::io::Error),
}

/// A gateway that is bound and built, but not yet serving.
pub struct Gateway {
    /// Where it listens.
    pub address: SocketAddr,
    /// Its handles.
    pub gate: Gate,
    listener: TcpListener,
    tasks: TaskTracker,
    stop: CancellationToken,
    lock: Option<FolderLock>,
    /// Where the outbox stood before anything was remembered.
    position: i64,
}

/// What a gate is made of.
pub(crate) struct Parts {
    pub(crate) store: Store,
    pub(crate) search: Search,
    pub(crate) recorder: Recorder,
    pub(crate) host: Host,
    pub(crate) ring: KeyRing,
    pub(crate) address: SocketAddr,
    pub(crate) settings: Settings,
    pub(crate) origin: String,
    pub(crate) draining: CancellationToken,
}

/// How the store is opened by these settings.
#[must_use]
pub fn store_options(settings: &Settings) -> StoreOptions {
    StoreOptions {
        database_url: Some(settings.database_url.clone()).filter(|url| !url.is_empty()),
        data_dir: settings.data_dir.clone(),
        cache_agents: settings.search.cached_agents,
        clock: Arc::new(SystemClock),
        random: Arc::new(SystemRandom),
    }
}

/// How the index is opened by these settings.
///
/// # Errors
/// [`ServeError::Synonyms`] with the line that is wrong.
pub fn search_options(settings: &Settings) -> Result<SearchOptions, ServeError> {
    let mut options = SearchOptions::default();
    let file = &settings.search.synonyms_file;
    if *file != PathBuf::new() {
        let text = std::fs::read_to_string(file)
            .map_err(|error| ServeError::Synonyms(error.to_string()))?;
        options.synonyms =
            Synonyms::parse(&text).map_err(|error| ServeError::Synonyms(error.to_string()))?;
    }
    Ok(options)
}

pub(crate) fn gate_over(parts: Parts) -> Result<Gate, Error> {
    let client = Client::new(client::Options {
        allow_private: parts.settings.allow_private_targets,
        call_body: parts.settings.call.response_bytes,
        ..client::Options::default()
    });
    let client = client.map_err(|source| Error::Client { source })?;
    let (now, random) = (parts.store.clock().now(), parts.store.random().clone());
    let pseudonym = ids::new_id("guildhall", now, &*random);
    Ok(Gate {
        store: parts.store,
        search: parts.search,
        client,
        recorder: parts.recorder,
        host: parts.host,
        ring: parts.ring,
        work: TaskTracker::new(),
        fixed: Arc::new(Fixed {
            limits: Limits::new(&parts.settings.limits),
            terms: Terms::new(),
            targets: Targets::new(&parts.settings.call),
            listen: parts.address,
            pseudonym,
            settings: parts.settings,
            origin: parts.origin,
            metrics: Metrics::default(),
            started: Instant::now(),
            started_at: now,
            cut: CancellationToken::new(),
            draining: parts.draining,
        }),
    })
}

impl Gateway {
    /// Binds the address, opens store and index, lists the tenants.
    ///
    /// # Errors
    /// [`ServeError`].
    pub async fn build(
        settings: Settings,
        tenants: Vec<Box<dyn Tenant>>,
    ) -> Result<Self, ServeError> {
        Self::build_over(store_options(&settings), settings, tenants).await
    }

    /// As [`Gateway::build`], with the clock and the id source handed in.
    ///
    /// # Errors
    /// [`ServeError`].
    pub async fn build_over(
        options: StoreOptions,
        settings: Settings,
        tenants: Vec<Box<dyn Tenant>>,
    ) -> Result<Self, ServeError> {
        let failed = |source| ServeError::Listen {
            address: settings.listen,
            source,
        };
        let listener = TcpListener::bind(settings.listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        // The index folder has one writer, whatever the database.
        let lock = lock_folder(&settings.data_dir)?;
        let store = Store::open(options).await?;
        let position = store.outbox_head().await?;
        let search = Search::open(&settings.data_dir.join("index"), search_options(&settings)?)?;
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        let host = Host::new(tenants, &store);
        host.list_all(&store).await?;
        host.take_over(&store).await?;
        let origin = match settings.public_url.trim_end_matches('/') {
            "" => format!("http://{address}"),
            url => url.to_owned(),
        };
        let recorder = Recorder::start(store.clone(), &tasks);
        let ring = KeyRing::open(&store).await?;
        let gate = gate_over(Parts {
            store,
            search,
            recorder,
            host,
            ring,
            address,
            settings,
            origin,
            draining: CancellationToken::new(),
        })?;
        gate.fixed.terms.refresh(&gate.store).await?;
        Ok(Self {
            address,
            gate,
            listener,
            tasks,
            stop,
            lock: Some(lock),
            position,
        })
    }

    /// Serves until `signal` ends; then requests under way are finished and records stored.
    ///
    /// # Errors
    /// [`ServeError::Serve`].
    pub async fn run(self, signal: impl Future<Output = ()>) -> Result<(), ServeError> {
        let Self {
            gate,
            listener,
            tasks,
            stop,
            lock,
            position,
            ..
        } = self;
        start_tasks(&gate, &tasks, &stop, position);
        let server = &gate.fixed.settings.server;
        let accepting = CancellationToken::new();
        let listening = Listening {
            connections: server.connections,
            drain: Duration::from_millis(server.drain_ms),
            stop: accepting.clone(),
        };
        let served = listen::serve(listener, crate::endpoint(&gate), listening);
        let draining = gate.fixed.draining.clone();
        let linger = Duration::from_millis(server.linger_ms);
        let ended = async {
            signal.await;
            draining.cancel();
            tokio::time::sleep(linger).await;
            accepting.cancel();
        };
        let (served, ()) = tokio::join!(served, ended);
        gate.host.stop().await;
        gate.work.close();
        // What is left waits for agents; its keys stay taken, so that nothing is sent twice.
        let _ = tokio::time::timeout(Duration::from_secs(2), gate.work.wait()).await;
        gate.fixed.cut.cancel();
        gate.work.wait().await;
        gate.recorder.flush().await;
        stop.cancel();
        tasks.close();
        drop(gate);
        tasks.wait().await;
        drop(lock);
        served.map_err(ServeError::Serve)
    }
}

fn start_tasks(gate: &Gate, tasks: &TaskTracker, stop: &CancellationToken, position: i64) {
    tasks.spawn(gate.store.clone().keep_fresh(position, stop.clone()));
    let follower = Follower::new(gate.store.clone(), gate.search.clone());
    tasks.spawn(follower.run(stop.clone()));
    tasks.spawn(gate.host.clone().keep_working(gate.clone(), stop.clone()));
    tasks.spawn(crate::deliver::deliver(gate.clone(), stop.clone()));
    let (gate, stop) = (gate.clone(), stop.clone());
    tasks.spawn(async move {
        while stop
            .run_until_cancelled(tokio::time::sleep(HOUSEKEEPING))
            .await
            .is_some()
        {
            keep_house(&gate).await;
        }
    });
}

/// What another process changed is read, and what is over is dropped. A failure is logged and tried
/// again the next time.
async fn keep_house(gate: &Gate) {
    let (fixed, store) = (&gate.fixed, &gate.store);
    fixed.limits.forget_idle();
    let log = crate::problem::log_cause;
    if let Err(error) = fixed.terms.refresh(store).await {
        log("the rates were not read", &error);
    }
    if let Err(error) = gate.ring.refresh(store).await {
        log("the key ring was not read", &error);
    }
    if let Err(error) = store.attempts_forget().await {
        log("old answers were not forgotten", &error);
    }
    let days = fixed.settings.retention.call_days;
    if let Err(error) = store.calls_forget(days).await {
        log("old calls were not dropped", &error);
    }
    if let Err(error) = store.outbox_forget().await {
        log("old news were not dropped", &error);
    }
    if let Err(error) = store.push_configs_forget(crate::call::hooks::EARLY).await {
        log("push configs without a task were not dropped", &error);
    }
}
