//! Terms in the gateway: declarations compiled once and kept, the operator's rates, and the check of
//! what a caller says before anything is forwarded.

use std::sync::{Arc, PoisonError, RwLock};

use quick_cache::sync::Cache;
use registry::agent::{Agent, AgentId};
use registry::clock::Millis;
use registry::error::Error;
use registry::store::Store;
use registry::terms::{Compiled, Outcome, RateTable, Refusal, Tree, check_tree, parse_rates};

/// How many compiled declarations are kept.
const KEPT: usize = 4_096;

/// The terms of agents, ready to check, and the rates in force.
pub struct Terms {
    compiled: Cache<Key, Arc<Compiled>>,
    rates: RwLock<Arc<RateTable>>,
}

/// A declaration: an agent at a revision, and a skill.
type Key = (AgentId, i64, Option<String>);

/// What a payload came to.
pub enum Agreed {
    /// It goes as it came.
    AsItIs,
    /// The caller accepted this one in its place, as JSON.
    Instead(String),
    /// It does not go.
    Refused(Box<Refusal>),
}

impl Terms {
    /// No declarations yet, and no rates.
    #[must_use]
    pub fn new() -> Self {
        Self {
            compiled: Cache::new(KEPT),
            rates: RwLock::new(Arc::new(RateTable::default())),
        }
    }

    /// What holds for a skill of an agent.
    #[must_use]
    pub fn of(&self, agent: &Agent, skill: Option<&str>) -> Arc<Compiled> {
        let skill = skill.filter(|id| agent.profile.skill_terms.contains_key(*id));
        let key = (agent.id.clone(), agent.revision, skill.map(str::to_owned));
        if let Some(compiled) = self.compiled.get(&key) {
            return compiled;
        }
        // What was declared was compiled before it was kept; only an older program's rows may not be.
        let compiled = agent.profile.terms().compile(skill).unwrap_or_else(|error| {
            tracing::warn!(agent = %agent.id, %error, "terms that do not compile are not checked");
            Compiled::default()
        });
        let compiled = Arc::new(compiled);
        self.compiled.insert(key, compiled.clone());
        compiled
    }

    /// The rates in force.
    #[must_use]
    pub fn rates(&self) -> Arc<RateTable> {
        let rates = self.rates.read().unwrap_or_else(PoisonError::into_inner);
        rates.clone()
    }

    /// Reads the rates again: another process may have loaded others.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn refresh(&self, store: &Store) -> Result<(), Error> {
        let Some(text) = store.rates_text().await? else {
            return Ok(());
        };
        match parse_rates(&text) {
            Ok(rates) => {
                *self.rates.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(rates);
            }
            Err(error) => tracing::error!(%error, "the loaded rates cannot be read"),
        }
        Ok(())
    }

    /// Checks one payload; `accepts` is the digest of a refusal whose suggestion the caller takes.
    #[must_use]
    pub fn agree(
        &self,
        terms: &Compiled,
        caller: Option<&Compiled>,
        payload: &Tree<'_>,
        accepts: Option<&str>,
        now: Millis,
    ) -> Agreed {
        match check_tree(terms, payload, caller, &self.rates(), now) {
            Outcome::Fits => Agreed::AsItIs,
            Outcome::Mismatch(refusal) => {
                let accepted = accepts.and_then(|digest| refusal.accepted(digest));
                match accepted.map(str::to_owned) {
                    Some(payload) => Agreed::Instead(payload),
                    None => Agreed::Refused(refusal),
                }
            }
        }
    }
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Terms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terms")
            .field("rates", &self.rates().digest().to_owned())
            .finish_non_exhaustive()
    }
}
