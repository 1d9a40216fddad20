//! Named limits on requests (governor): each refusal says which limit and when to come back.

use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr};
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

/// What counts as one source: an IPv6 subscriber has a whole /64 to itself.
#[must_use]
pub fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = u128::from(address) & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from(network))
        }
        v4 => v4,
    }
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

impl Left {
    /// What is left, as the IETF draft on `RateLimit` header fields writes it.
    #[must_use]
    pub fn headers(self) -> [(&'static str, String); 2] {
        let Self {
            name,
            per_minute,
            remaining,
        } = self;
        [
            (
                "ratelimit-policy",
                format!("\"{name}\";q={per_minute};w=60"),
            ),
            ("ratelimit", format!("\"{name}\";r={remaining}")),
        ]
    }
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
        self.register.check(&network_of(source))
    }

    /// A read or search from `source`.
    ///
    /// # Errors
    /// [`Exceeded`].
    pub fn check_read(&self, source: IpAddr) -> Result<Option<Left>, Exceeded> {
        self.read.check(&network_of(source))
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
            None => self.nobody.check(&network_of(source))?,
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

    #[test]
    fn a_network_of_ipv6_is_one_source() {
        let limits = Limits::new(&settings::Limits {
            register_per_minute: 1,
            ..settings::Limits::default()
        });
        let [a, b, c] = ["2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1"]
            .map(|text| text.parse::<IpAddr>().expect("an address"));
        assert!(limits.check_register(a).is_ok());
        assert!(limits.check_register(b).is_err());
        assert!(limits.check_register(c).is_ok());
    }
}
