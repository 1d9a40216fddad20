//! Agents and keys in memory: filled on first use, kept right by this process's own
//! commits and, through the outbox, by those of others.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use protocol::a2a::card::Skill;
use quick_cache::Weighter;
use quick_cache::sync::Cache as Bounded;

use super::Store;
use super::keys::hash_of;
use crate::agent::{Agent, AgentId};
use crate::error::Error;

/// An agent with the hashes of its live keys.
#[derive(Debug)]
pub struct Listed {
    /// The agent.
    pub agent: Agent,
    keys: Vec<(String, String)>,
    /// About how many bytes it takes.
    weight: u64,
}

/// Room for an agent of the usual size; cards may be a hundred times as large.
const USUAL_BYTES: u64 = 8 * 1024;

/// A cache is bounded by what it takes, not by how many it holds.
#[derive(Debug, Clone, Copy)]
struct ByBytes;

impl Weighter<AgentId, Arc<Listed>> for ByBytes {
    fn weight(&self, _: &AgentId, listed: &Arc<Listed>) -> u64 {
        listed.weight
    }
}

fn weight_of(agent: &Agent) -> u64 {
    let profile = &agent.profile;
    let skill = |skill: &Skill| {
        let examples: usize = skill.examples.iter().map(String::len).sum();
        let tags: usize = skill.tags.iter().map(String::len).sum();
        512 + skill.description.len() + examples + tags
    };
    let skills: usize = profile.skills.iter().map(skill).sum();
    let tags: usize = profile.tags.iter().map(|tag| tag.len() + 24).sum();
    let extensions = profile.extensions.len() * 1_024;
    let bytes = 2_048 + profile.description.len() + skills + tags + extensions;
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

/// The two maps.
pub(super) struct Cache {
    agents: Bounded<AgentId, Arc<Listed>, ByBytes>,
    /// Which agent a key belongs to never changes, so this map is never wrong.
    owners: Bounded<String, AgentId>,
    /// Grows with every change: what was read before a change is not kept after it.
    epoch: AtomicU64,
}

impl Cache {
    pub(super) fn new(agents: usize) -> Self {
        Self {
            agents: Bounded::with_weighter(agents, agents as u64 * USUAL_BYTES, ByBytes),
            owners: Bounded::new(agents),
            epoch: AtomicU64::new(0),
        }
    }
}

impl Store {
    /// One agent from memory or the database.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn listed(&self, id: &AgentId) -> Result<Arc<Listed>, Error> {
        if let Some(listed) = self.cache.agents.get(id) {
            return Ok(listed);
        }
        // A call asks thrice and nearly always finds it above: the question to the database, whose
        // future is large, is kept out of the future of the call.
        Box::pin(self.read_listed(id)).await
    }

    async fn read_listed(&self, id: &AgentId) -> Result<Arc<Listed>, Error> {
        let epoch = self.cache.epoch.load(Ordering::SeqCst);
        let agent = self.agent_by_id(id).await?;
        let keys = self
            .key_hashes(std::slice::from_ref(id))
            .await?
            .remove(id)
            .unwrap_or_default();
        let weight = weight_of(&agent);
        Ok(self.remember(
            Listed {
                agent,
                keys,
                weight,
            },
            epoch,
        ))
    }

    /// Several agents at once: those in memory, and the others with two questions to the database.
    /// Unknown ids are left out.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn listed_many(&self, ids: &[AgentId]) -> Result<Vec<Arc<Listed>>, Error> {
        let (mut found, mut missing) = (Vec::with_capacity(ids.len()), Vec::new());
        for id in ids {
            match self.cache.agents.get(id) {
                Some(listed) => found.push(listed),
                None => missing.push(id.clone()),
            }
        }
        if missing.is_empty() {
            return Ok(found);
        }
        let epoch = self.cache.epoch.load(Ordering::SeqCst);
        let agents = self.agents_by_ids(&missing).await?;
        let mut keys = self.key_hashes(&missing).await?;
        for agent in agents {
            let keys = keys.remove(&agent.id).unwrap_or_default();
            let weight = weight_of(&agent);
            let listed = Listed {
                agent,
                keys,
                weight,
            };
            found.push(self.remember(listed, epoch));
        }
        Ok(found)
    }

    /// Keeps what was read, unless something changed while it was being read.
    fn remember(&self, listed: Listed, epoch: u64) -> Arc<Listed> {
        let (id, listed) = (listed.agent.id.clone(), Arc::new(listed));
        self.cache.agents.insert(id.clone(), listed.clone());
        if self.cache.epoch.load(Ordering::SeqCst) != epoch {
            self.cache.agents.remove(&id);
        }
        listed
    }

    /// Whose live key `text` is, and the id of the key.
    ///
    /// # Errors
    /// [`Error::Store`] when the database could not say: that is no "unknown key".
    pub async fn key_check(&self, text: &str) -> Result<Option<(Arc<Listed>, String)>, Error> {
        let Some(hash) = hash_of(text) else {
            return Ok(None);
        };
        let owner = match self.cache.owners.get(&hash) {
            Some(owner) => owner,
            None => {
                let Some(owner) = Box::pin(self.key_owner(&hash)).await? else {
                    return Ok(None);
                };
                self.cache.owners.insert(hash.clone(), owner.clone());
                owner
            }
        };
        let listed = self.listed(&owner).await?;
        let key = listed
            .keys
            .iter()
            .find(|(live, _)| *live == hash)
            .map(|(_, id)| id.clone());
        Ok(key.map(|id| (listed, id)))
    }

    /// Forgets what is remembered of these agents; called for every change seen in the outbox.
    pub fn forget(&self, ids: &[AgentId]) {
        self.cache.epoch.fetch_add(1, Ordering::SeqCst);
        for id in ids {
            self.cache.agents.remove(id);
        }
    }

    /// Forgets every agent.
    pub(super) fn forget_everyone(&self) {
        self.cache.epoch.fetch_add(1, Ordering::SeqCst);
        self.cache.agents.clear();
    }

    /// After a commit of this process.
    pub(super) fn agent_changed(&self, id: &AgentId) {
        self.forget(std::slice::from_ref(id));
        self.wake_followers();
    }
}
