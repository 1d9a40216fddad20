//! Hosting: tenants answer A2A in process, and their tasks outlive it.
//!
//! A message begins a run; the first update that is no plain message makes a task, which is in the
//! store before anyone hears of it. Each update is committed, then told to who listens. A run that
//! the end of a process broke off is taken up again from the store.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use protocol::a2a::card::serve::CardSource;
use registry::agent::{AgentId, Capability, Contact, MessageProtocol, Profile};
use registry::error::Error;
use registry::ids;
use registry::store::{NewAgent, Store};
use tenants::Tenant;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use live::Live;

mod answer;
mod hire;
mod live;
mod resume;
mod run;
mod watch;

/// The tenants of this process by agent id; cheap to clone.
#[derive(Clone, Default)]
pub struct Host(Arc<Inner>);

#[derive(Default)]
struct Inner {
    tenants: BTreeMap<AgentId, Arc<Hosted>>,
    /// Tasks with work or listeners in this process.
    live: Mutex<HashMap<TaskKey, Arc<Live>>>,
    /// The name under which this process holds leases.
    runner: String,
    runs: TaskTracker,
    stop: CancellationToken,
}

/// Agent and task.
type TaskKey = (AgentId, String);

/// A tenant with its share of the machine.
struct Hosted {
    tenant: Box<dyn Tenant>,
    /// Media types that it takes, off its card.
    modes: Vec<String>,
    places: Semaphore,
}

/// Who asks a tenant, and in which dialect.
#[derive(Debug, Clone)]
pub struct Visit {
    /// Which tenant.
    pub agent: AgentId,
    /// Whose key was checked, if any.
    pub caller: Option<AgentId>,
    /// The dialect that the request was found to speak.
    pub version: protocol::a2a::Version,
}

impl Host {
    /// Serves these tenants.
    #[must_use]
    pub fn new(tenants: Vec<Box<dyn Tenant>>, store: &Store) -> Self {
        let by_id = tenants.into_iter().filter_map(|tenant| {
            let hosted = Hosted {
                places: Semaphore::new(tenant.concurrency().max(1)),
                modes: tenant.card().default_input_modes,
                tenant,
            };
            Some((AgentId::tenant(hosted.tenant.name())?, Arc::new(hosted)))
        });
        Self(Arc::new(Inner {
            tenants: by_id.collect(),
            runner: ids::new_id("host", store.clock().now(), &**store.random()),
            ..Inner::default()
        }))
    }

    /// Brings the listings of the tenants up to date.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list_all(&self, store: &Store) -> Result<(), Error> {
        for (id, hosted) in &self.0.tenants {
            let new = NewAgent {
                id: id.clone(),
                profile: profile(hosted.tenant.as_ref()),
                contact: Contact::default(),
                card: None,
            };
            store.agent_host(new).await?;
        }
        Ok(())
    }

    /// Whether the agent is served here.
    #[must_use]
    pub fn serves(&self, id: &AgentId) -> bool {
        self.0.tenants.contains_key(id)
    }

    /// What the card of a tenant says.
    #[must_use]
    pub fn card(&self, id: &AgentId) -> Option<CardSource> {
        self.0.tenants.get(id).map(|hosted| hosted.tenant.card())
    }

    /// Ends all work; what is not done is taken up by the next process.
    pub async fn stop(&self) {
        self.0.stop.cancel();
        self.0.runs.close();
        self.0.runs.wait().await;
    }

    fn live(&self, key: &TaskKey) -> Option<Arc<Live>> {
        self.lock().get(key).cloned()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<TaskKey, Arc<Live>>> {
        self.0.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn profile(tenant: &dyn Tenant) -> Profile {
    let card = tenant.card();
    Profile {
        capabilities: card
            .skills
            .iter()
            .take(6)
            .map(|skill| Capability {
                name: skill.id.clone(),
                weight: 1,
            })
            .collect(),
        name: card.name,
        description: card.description,
        specialty: tenant.specialty().to_owned(),
        version: card.version,
        message_protocol: MessageProtocol::A2a,
        a2a_compliant: true,
        skills: card.skills,
        input_modes: card.default_input_modes,
        output_modes: card.default_output_modes,
        ..Profile::default()
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.tenants.keys()).finish()
    }
}
