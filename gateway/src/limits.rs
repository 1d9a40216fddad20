//! Named limits on requests (governor): each refusal says which limit and when to come back.

use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;

use governor::clock::{Clock as _, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};
use registry::agent::AgentId;

use crate::settings;

type Keyed<K> = RateLimiter<K, DefaultKeyedStateStore<K>, DefaultClock, StateInformationMiddleware>;

/// Every limit by its name.
#[derive(Debug)]
pub struct Limits {
    register: Limit<IpAddr>,
    read: Limit<IpAddr>,
    nobody: Limit<IpAddr>,
    caller: Limit<AgentId>,
    agent: Limit<AgentId>,
}

/// One limit; without a limiter it is lifted.
#[derive(Debug)]
struct Limit<K: Clone + Hash + Eq> {
    name: &'static str,
    per_minute: u32,
    limiter: Option<Keyed<K>>,
}

/// What is left of a limit after a request was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Name of the limit.
    pub name: &'static str,
    /// Requests a minute.
    pub per_minute: u32,
    /// How many may follow at once.
    pub remaining: u32,
}

/// A request over a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exceeded {
    /// Name of the limit.
    pub name: &'static str,
    /// Requests a minute.
    pub per_minute: u32,
    /// Seconds until one is taken again, at least 1.
    pub retry_after: u64,
}

impl Limits {
    /// The limits of the settings; 0 lifts one.
    #[must_use]
    pub fn new(limits: &settings::Limits) -> Self {
        Self {
            register: Limit::new("register", limits.register_per_minute),
            read: Limit::new("read", limits.read_per_minute),
            nobody: Limit::new("call", limits.call_per_minute),
            caller: Limit::new("call", limits.call_per_minute),
            agent: Limit::new("agent", limits.agent_per_minute),
        }
    }

    /// A registration or import from `source`.
    ///
    /// # Errors
    /// [`Exceeded`]; so for all methods here.
    pub fn check_register(&self, source: IpAddr) -> Result<Option<Left>, Exceeded> {
        self.register.check(&source)
    }

    /// A read or search from `source`.
    ///
    /// # Errors
    /// [`Exceeded`].
    pub fn check_read(&self, source: IpAddr) -> Result<Option<Left>, Exceeded> {
        self.read.check(&source)
    }

    /// A call by `caller`, or by nobody from `source`, to `agent`.
    ///
    /// # Errors
    /// [`Exceeded`].
    pub fn check_call(
        &self,
        caller: Option<&AgentId>,
        source: IpAddr,
        agent: &AgentId,
    ) -> Result<Option<Left>, Exceeded> {
        let left = match caller {
            Some(caller) => self.caller.check(caller)?,
            None => self.nobody.check(&source)?,
        };
        self.agent.check(agent)?;
        Ok(left)
    }

    /// Forgets keys that are back at their full allowance; called now and then.
    pub fn forget_idle(&self) {
        self.register.forget_idle();
        self.read.forget_idle();
        self.nobody.forget_idle();
        self.caller.forget_idle();
        self.agent.forget_idle();
    }
}

impl<K: Clone + Hash + Eq> Limit<K> {
    fn new(name: &'static str, per_minute: u32) -> Self {
        let quota = NonZeroU32::new(per_minute).map(Quota::per_minute);
        let limiter = quota.map(|quota| RateLimiter::keyed(quota).with_middleware());
        Self {
            name,
            per_minute,
            limiter,
        }
    }

    fn check(&self, key: &K) -> Result<Option<Left>, Exceeded> {
        let Some(limiter) = &self.limiter else {
            return Ok(None);
        };
        match limiter.check_key(key) {
            Ok(state) => {
                let remaining = state.remaining_burst_capacity();
                Ok(Some(Left {
                    name: self.name,
                    per_minute: self.per_minute,
                    remaining,
                }))
            }
            Err(not_until) => {
                let wait = not_until.wait_time_from(limiter.clock().now());
                let retry_after = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
                Err(Exceeded {
                    name: self.name,
                    per_minute: self.per_minute,
                    retry_after: retry_after.max(1),
                })
            }
        }
    }

    fn forget_idle(&self) {
        if let Some(limiter) = &self.limiter {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn a_limit_holds_per_key_and_zero_lifts_it() {
        let limits = Limits::new(&settings::Limits {
            register_per_minute: 2,
            read_per_minute: 0,
            ..settings::Limits::default()
        });
        let [a, b] = [1, 2].map(|last| IpAddr::from(Ipv4Addr::new(192, 0, 2, last)));
        assert_eq!(
            limits
                .check_register(a)
                .map(|left| left.map(|left| left.remaining)),
            Ok(Some(1))
        );
        assert!(limits.check_register(a).is_ok());
        let exceeded = limits.check_register(a).expect_err("the third");
        assert!(
            exceeded.name == "register" && (1..=30).contains(&exceeded.retry_after),
            "{exceeded:?}"
        );
        assert!(limits.check_register(b).is_ok());
        assert!((0..1_000).all(|_| limits.check_read(a).is_ok()));
    }
}
