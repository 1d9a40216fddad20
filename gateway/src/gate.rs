//! The handles that every door works with.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use registry::client::Client;
use registry::search::Search;
use registry::store::{Recorder, Store};
use tokio_util::task::TaskTracker;

use crate::agree::Terms;
use crate::call::Targets;
use crate::host::Host;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::ring::KeyRing;

use crate::settings::Settings;

/// Everything a door needs; cheap to clone.
#[derive(Clone)]
pub struct Gate {
    /// The truth.
    pub store: Store,
    /// The index.
    pub search: Search,
    /// The one way out.
    pub client: Client,
    /// Where call records go.
    pub recorder: Recorder,
    /// The tenants.
    pub host: Host,
    /// Our own keys.
    pub ring: KeyRing,
    /// Work that goes on when its client leaves.
    pub work: TaskTracker,
    /// What does not change while the program runs.
    pub fixed: Arc<Fixed>,
}

/// What does not change while the program runs.
pub struct Fixed {
    /// The settings.
    pub settings: Settings,
    /// Our origin, without a slash at its end.
    pub origin: String,
    /// Where we listen.
    pub listen: SocketAddr,
    /// Our name among those through whom a request came.
    pub pseudonym: String,
    /// Limits on requests.
    pub limits: Limits,
    /// Terms of agents, and rates.
    pub terms: Terms,
    /// Shares of agents and callers.
    pub targets: Targets,
    /// Numbers for operators.
    pub metrics: Metrics,
    /// When the program started.
    pub started: Instant,
    /// The same by the store's clock.
    pub started_at: registry::clock::Millis,
    /// Ends work that goes on without its client, at the very end.
    pub cut: tokio_util::sync::CancellationToken,
    /// True from the signal to stop on.
    pub draining: tokio_util::sync::CancellationToken,
}

impl Gate {
    /// Our A2A door of an agent.
    #[must_use]
    pub fn agent_url(&self, id: &registry::agent::AgentId) -> String {
        format!("{}/agents/{id}", self.fixed.origin)
    }
}

impl std::fmt::Debug for Gate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gate")
            .field("origin", &self.fixed.origin)
            .finish_non_exhaustive()
    }
}
