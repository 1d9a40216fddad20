//! Names are resolved once, and only addresses that were checked are connected to.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use reqwest::dns::{Addrs, Name, Resolving};

use super::address::is_public;

/// Turns names into addresses; tests hand in their own.
pub trait Resolve: Send + Sync + 'static {
    /// All addresses of a name; ports are ignored.
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, std::io::Result<Vec<SocketAddr>>>;
}

/// The system's resolver.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, std::io::Result<Vec<SocketAddr>>> {
        Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.collect()) })
    }
}

/// Refuses a name when any of its addresses is not public: a mixed set is an attack, not a mistake.
pub(super) struct Checking {
    pub(super) inner: Arc<dyn Resolve>,
    pub(super) allow_private: bool,
}

/// A name with an address that is not public.
#[derive(Debug)]
pub(super) struct NotPublic;

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name has an address that is not public")
    }
}

impl std::error::Error for NotPublic {}

/// A name without an address.
#[derive(Debug)]
pub(super) struct Unresolved;

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name has no address")
    }
}

impl std::error::Error for Unresolved {}

impl reqwest::dns::Resolve for Checking {
    fn resolve(&self, name: Name) -> Resolving {
        let (inner, allow_private) = (self.inner.clone(), self.allow_private);
        Box::pin(async move {
            let found = inner.resolve(name.as_str()).await.unwrap_or_default();
            if found.is_empty() {
                return Err(Unresolved.into());
            }
            if !allow_private && !found.iter().all(|address| is_public(address.ip())) {
                return Err(NotPublic.into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}
