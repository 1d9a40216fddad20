//! How much of this gateway one agent or one caller may hold, and agents that have stopped
//! answering: a hung agent costs its own callers, nobody else's.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicUsize, Ordering};

use quick_cache::sync::Cache;
use registry::agent::AgentId;
use registry::clock::Millis;
use registry::store::CallOutcome;

use crate::settings;

/// After so many calls in a row without an answer an agent is left alone.
const FAILURES: u32 = 5;
/// For so long; then one call tries it.
const LEFT_ALONE: Millis = 10_000;
/// How many agents and callers are remembered.
const REMEMBERED: usize = 100_000;

/// The agents and callers with calls under way.
pub struct Targets {
    agents: Cache<AgentId, Arc<Target>>,
    callers: Cache<Caller, Arc<Target>>,
    per_agent: usize,
    per_caller: usize,
}

/// Who calls, as far as shares go.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Caller {
    /// By its key.
    Agent(AgentId),
    /// Nobody, from there.
    Source(IpAddr),
}

#[derive(Debug, Default)]
struct Target {
    under_way: AtomicUsize,
    failures: AtomicU32,
    left_alone_until: AtomicI64,
    tried: AtomicBool,
}

/// Why a call is not made now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Busy {
    /// As many calls to the agent are under way as one may have.
    Agent,
    /// As many calls of the caller are.
    Caller,
    /// The agent has stopped answering; again after so many seconds.
    Failing(u64),
}

/// A call under way; dropping it gives the places back.
#[derive(Debug)]
pub(super) struct Pass {
    agent: Place,
    _caller: Place,
    trying: bool,
}

#[derive(Debug)]
struct Place(Arc<Target>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Targets {
    /// The shares of the settings; 0 lifts one.
    #[must_use]
    pub fn new(call: &settings::Call) -> Self {
        let share = |most: usize| if most == 0 { usize::MAX } else { most };
        Self {
            agents: Cache::new(REMEMBERED),
            callers: Cache::new(REMEMBERED),
            per_agent: share(call.agent_in_flight),
            per_caller: share(call.caller_in_flight),
        }
    }

    /// Takes a place for a call.
    pub(super) fn enter(
        &self,
        agent: &AgentId,
        caller: &Caller,
        now: Millis,
    ) -> Result<Pass, Busy> {
        let target = of(&self.agents, agent);
        let place = taken(of(&self.callers, caller), self.per_caller).ok_or(Busy::Caller)?;
        let until = target.left_alone_until.load(Ordering::Relaxed);
        let mut trying = false;
        if until > 0 {
            let wait = until - now;
            if wait > 0 {
                return Err(Busy::Failing(u64::try_from(wait / 1_000 + 1).unwrap_or(1)));
            }
            // One call finds out how it is; the others wait for what it finds.
            if target.tried.swap(true, Ordering::AcqRel) {
                return Err(Busy::Failing(1));
            }
            trying = true;
        }
        match taken(target.clone(), self.per_agent) {
            Some(agent) => Ok(Pass {
                agent,
                _caller: place,
                trying,
            }),
            None => {
                if trying {
                    target.tried.store(false, Ordering::Release);
                }
                Err(Busy::Agent)
            }
        }
    }
}

fn of<K: Clone + Eq + std::hash::Hash>(all: &Cache<K, Arc<Target>>, key: &K) -> Arc<Target> {
    match all.get(key) {
        Some(target) => target,
        None => {
            let made =
                all.get_or_insert_with(key, || Ok::<_, std::convert::Infallible>(Arc::default()));
            made.unwrap_or_else(|never| match never {})
        }
    }
}

fn taken(target: Arc<Target>, most: usize) -> Option<Place> {
    if target.under_way.fetch_add(1, Ordering::Relaxed) < most {
        return Some(Place(target));
    }
    target.under_way.fetch_sub(1, Ordering::Relaxed);
    None
}

impl Pass {
    /// What became of the call. A time-out counts only where the agent had its usual time: a
    /// hurried caller must not take an agent from the others.
    pub(super) fn ended(&self, outcome: CallOutcome, hurried: bool, now: Millis) {
        let target = &self.agent.0;
        let failed = match outcome {
            CallOutcome::Unreachable | CallOutcome::Broken => true,
            CallOutcome::TimedOut => !hurried,
            CallOutcome::Answered
            | CallOutcome::TooLarge
            | CallOutcome::Refused
            | CallOutcome::Abandoned => false,
        };
        if failed {
            let failures = target.failures.fetch_add(1, Ordering::Relaxed) + 1;
            if failures >= FAILURES || self.trying {
                target
                    .left_alone_until
                    .store(now + LEFT_ALONE, Ordering::Relaxed);
            }
        } else if outcome == CallOutcome::Answered || outcome == CallOutcome::TooLarge {
            target.failures.store(0, Ordering::Relaxed);
            target.left_alone_until.store(0, Ordering::Relaxed);
        }
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        if self.trying {
            self.agent.0.tried.store(false, Ordering::Release);
        }
    }
}

impl std::fmt::Debug for Targets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Targets")
            .field("per_agent", &self.per_agent)
            .field("per_caller", &self.per_caller)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn targets() -> (Targets, AgentId, Caller) {
        let call = settings::Call {
            agent_in_flight: 2,
            caller_in_flight: 3,
            ..settings::Call::default()
        };
        let agent = |id| AgentId::claim(id).expect("an id");
        (Targets::new(&call), agent("a"), Caller::Agent(agent("c")))
    }

    #[test]
    fn shares_are_held_and_given_back() {
        let (targets, agent, caller) = targets();
        let first = targets.enter(&agent, &caller, 0).expect("a place");
        let _second = targets.enter(&agent, &caller, 0).expect("a place");
        assert_eq!(targets.enter(&agent, &caller, 0).err(), Some(Busy::Agent));
        let other = AgentId::claim("b").expect("an id");
        let _third = targets.enter(&other, &caller, 0).expect("a place");
        assert_eq!(targets.enter(&other, &caller, 0).err(), Some(Busy::Caller));
        drop(first);
        assert!(targets.enter(&agent, &caller, 0).is_ok());
    }

    #[test]
    fn an_agent_that_stopped_answering_is_left_alone_then_tried_once() {
        let (targets, agent, caller) = targets();
        let call = |outcome, hurried, now| {
            let pass = targets.enter(&agent, &caller, now)?;
            pass.ended(outcome, hurried, now);
            Ok::<_, Busy>(())
        };
        for _ in 0..20 {
            call(CallOutcome::TimedOut, true, 0).expect("a hurried caller does no harm");
        }
        for _ in 0..FAILURES {
            call(CallOutcome::Unreachable, false, 0).expect("not yet");
        }
        assert_eq!(
            call(CallOutcome::Answered, false, 1),
            Err(Busy::Failing(10))
        );
        let later = LEFT_ALONE + 1;
        let trying = targets.enter(&agent, &caller, later).expect("one tries");
        assert_eq!(
            call(CallOutcome::Answered, false, later),
            Err(Busy::Failing(1))
        );
        trying.ended(CallOutcome::Answered, false, later);
        drop(trying);
        call(CallOutcome::Answered, false, later).expect("well again");
    }
}
