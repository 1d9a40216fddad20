//! A whole gateway in this process, on a free port, on either store.

use std::time::{Duration, Instant};

use gateway::gate::Gate;
use gateway::serve::Gateway;
use gateway::settings::{Limits, Settings};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{Database, Http};

/// A running gateway.
pub struct Stack {
    /// A client of it.
    pub http: Http,
    /// Its handles, for what no door shows.
    pub gate: Gate,
    /// Its database, which others may share.
    pub database: std::sync::Arc<Database>,
    stop: CancellationToken,
    served: Option<JoinHandle<()>>,
}

/// Settings of tests: a free port, private targets allowed, limits lifted.
#[must_use]
pub fn settings() -> Settings {
    let lifted = Limits {
        register_per_minute: 0,
        read_per_minute: 0,
        call_per_minute: 0,
        agent_per_minute: 0,
        ..Limits::default()
    };
    let listen = std::net::SocketAddr::from(([127, 0, 0, 1], 0));
    Settings {
        listen,
        allow_private_targets: true,
        limits: lifted,
        // Agents of tests count their requests.
        call: gateway::settings::Call {
            probe: false,
            ..gateway::settings::Call::default()
        },
        ..Settings::default()
    }
}

impl Stack {
    /// A gateway on an embedded store with the settings of tests.
    pub async fn sqlite() -> Self {
        Self::on(Database::sqlite().into(), settings(), "a").await
    }

    /// A gateway on a database that may be shared; `name` tells gateways apart.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn on(database: std::sync::Arc<Database>, settings: Settings, name: &str) -> Self {
        Self::with(database, settings, name, tenants::all()).await
    }

    /// As [`Stack::on`], also serving the agent of the test kits.
    pub async fn kit(database: std::sync::Arc<Database>, name: &str) -> Self {
        let mut tenants = tenants::all();
        tenants.push(Box::new(crate::Kit));
        Self::with(database, settings(), name, tenants).await
    }

    /// As [`Stack::on`], with these tenants.
    ///
    /// # Panics
    /// When it does not start.
    pub async fn with(
        database: std::sync::Arc<Database>,
        settings: Settings,
        name: &str,
        tenants: Vec<Box<dyn tenants::Tenant>>,
    ) -> Self {
        // Another test of this process may have chosen it already.
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let settings = database.apply(settings, name);
        let gateway = Gateway::build(settings, tenants).await.expect("a gateway");
        let (address, gate, stop) = (
            gateway.address,
            gateway.gate.clone(),
            CancellationToken::new(),
        );
        let signal = stop.clone().cancelled_owned();
        let served = tokio::spawn(async move { gateway.run(signal).await.expect("served") });
        let stack = Self {
            http: Http::new(format!("http://{address}")),
            gate,
            database,
            stop,
            served: Some(served),
        };
        until("the gateway is ready", async || {
            stack.http.get("/ready").await.status == 200
        })
        .await;
        stack
    }

    /// Stops it as SIGTERM does; gives back the database.
    ///
    /// # Panics
    /// When it did not end well.
    pub async fn stop(mut self) -> std::sync::Arc<Database> {
        self.stop.cancel();
        let served = self.served.take().expect("running");
        let database = self.database.clone();
        // The gateway waits for its last handle.
        drop(self);
        served.await.expect("ended well");
        database
    }

    /// Tells it to stop, as SIGTERM does, and does not wait.
    pub fn signal(&self) {
        self.stop.cancel();
    }

    /// Waits until everything written so far can be found.
    pub async fn indexed(&self) {
        let head = self.gate.store.outbox_head().await.expect("a head");
        let mut position = self.gate.search.position();
        let reached =
            position.wait_for(|position| position.is_some_and(|position| position >= head));
        tokio::time::timeout(Duration::from_secs(10), reached)
            .await
            .expect("indexed in time")
            .expect("followed");
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Runs a test on SQLite and, where a server is named, on PostgreSQL.
pub async fn on_both<F>(test: impl Fn(Stack) -> F)
where
    F: Future<Output = ()>,
{
    test(Stack::sqlite().await).await;
    match Database::postgres().await {
        Some(database) => test(Stack::on(database.into(), settings(), "a").await).await,
        None => eprintln!("SKIPPED on PostgreSQL: GUILDHALL_TEST_POSTGRES is not set"),
    }
}

/// Asks again until the answer is yes, for at most ten seconds.
///
/// # Panics
/// When the time is up.
pub async fn until(what: &str, mut yes: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !yes().await {
        assert!(
            begun.elapsed() < Duration::from_secs(10),
            "not in time: {what}"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
