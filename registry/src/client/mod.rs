//! The guarded client: every request that leaves the program goes through it.
//!
//! It resolves once, refuses addresses that are not public, connects to the checked one,
//! checks every redirect like the first address, and holds the limits of the purpose.

use std::error::Error as StdError;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use tokio::time::{Instant, timeout_at};
use url::Url;

pub mod address;
mod limits;
mod resolve;
pub mod target;

pub use limits::{Limits, Purpose};
pub use resolve::{Resolve, SystemResolver};

use resolve::{Checking, NotPublic, Unresolved};
use target::Refused;

/// How the client is made.
#[derive(Clone)]
pub struct Options {
    /// Whether loopback and private networks may be reached.
    pub allow_private: bool,
    /// Bytes of a called agent's answer.
    pub call_body: usize,
    /// Names to addresses.
    pub resolver: Arc<dyn Resolve>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            allow_private: false,
            call_body: Purpose::Call.limits().body,
            resolver: Arc::new(SystemResolver),
        }
    }
}

/// The client; cheap to clone, connections are kept and shared.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    allow_private: bool,
    call_body: usize,
}

/// A request on its way out.
#[derive(Debug, Clone)]
pub struct Outgoing {
    /// Why it is made; decides its limits.
    pub purpose: Purpose,
    /// The method.
    pub method: Method,
    /// Where it goes.
    pub url: Url,
    /// Its headers; `host` and lengths are set by the client.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Bytes,
    /// How long it may take in all, where that is not the purpose's.
    pub total: Option<Duration>,
}

impl Outgoing {
    /// A GET without headers of its own.
    #[must_use]
    pub fn get(purpose: Purpose, url: Url) -> Self {
        Self {
            purpose,
            method: Method::GET,
            url,
            headers: HeaderMap::new(),
            body: Bytes::new(),
            total: None,
        }
    }
}

/// An answer whose body is still on its way.
#[derive(Debug)]
pub struct Incoming {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Where it came from, after redirects.
    pub final_url: Url,
    response: reqwest::Response,
    deadline: Instant,
    idle: Duration,
    body: usize,
}

/// Why there is no answer. Texts hold no body and no query of a URL.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The address is one that is not called.
    #[error("not called: {reason}")]
    Refused {
        /// Why.
        reason: Refused,
    },
    /// The name has no address.
    #[error("the host has no address")]
    Resolve,
    /// No connection.
    #[error("no connection could be made")]
    Connect,
    /// No trusted connection.
    #[error("no trusted TLS connection could be made")]
    Tls,
    /// The time was up.
    #[error("no answer in time")]
    Timeout,
    /// The answer is over the cap.
    #[error("the answer is over {limit} bytes")]
    TooLarge {
        /// The cap.
        limit: usize,
    },
    /// A redirect that is not followed.
    #[error("a redirect that is not followed")]
    Redirect,
    /// The answer broke off or is no HTTP.
    #[error("the connection broke, or the answer is no HTTP")]
    Broken,
    /// The client itself could not be made.
    #[error("the client could not be made")]
    Unusable(#[source] reqwest::Error),
}

impl ClientError {
    /// The class in answers to callers.
    #[must_use]
    pub const fn class(&self) -> &'static str {
        match self {
            Self::Refused { .. } => "refused",
            Self::Resolve => "dns",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Timeout => "timeout",
            Self::TooLarge { .. } => "too_large",
            Self::Redirect => "redirect",
            Self::Broken => "broken",
            Self::Unusable(_) => "unusable",
        }
    }

    /// Whether the request surely never reached the other side.
    #[must_use]
    pub const fn unsent(&self) -> bool {
        matches!(
            self,
            Self::Refused { .. } | Self::Resolve | Self::Connect | Self::Tls | Self::Unusable(_)
        )
    }
}

impl Client {
    /// Makes the client.
    ///
    /// # Errors
    /// [`ClientError::Unusable`] when TLS cannot be set up.
    pub fn new(options: Options) -> Result<Self, ClientError> {
        let resolver = Checking {
            inner: options.resolver,
            allow_private: options.allow_private,
        };
        let http = reqwest::Client::builder()
            .dns_resolver(Arc::new(resolver))
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .connect_timeout(limits::CONNECT)
            .pool_max_idle_per_host(256)
            // Less than the 5 s after which common servers close: a request that meets the close
            // would look like a fault of the agent.
            .pool_idle_timeout(Duration::from_secs(4))
            .tcp_nodelay(true)
            .user_agent(concat!("guildhall/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(ClientError::Unusable)?;
        Ok(Self {
            http,
            allow_private: options.allow_private,
            call_body: options.call_body,
        })
    }

    /// Sends a request once; redirects of a GET are followed as far as the purpose allows.
    ///
    /// # Errors
    /// [`ClientError`]; an answer of any status is none.
    pub async fn send(&self, outgoing: Outgoing) -> Result<Incoming, ClientError> {
        let Outgoing {
            purpose,
            method,
            url,
            headers,
            body,
            total,
        } = outgoing;
        let limits = purpose.limits();
        let deadline = Instant::now() + total.unwrap_or(limits.total);
        let mut url = self.check(url)?;
        // Where a request was redirected to gets none of what was meant for the first host.
        let mut meant = Some((headers, body));
        let mut hops = 0;
        loop {
            let (headers, body) = meant.take().unwrap_or_default();
            let response = self
                .once(&method, url.clone(), headers, body, deadline)
                .await?;
            let next = if limits.redirects == 0 {
                None
            } else {
                redirect(&response, &method)?
            };
            match next {
                Some(_) if hops >= limits.redirects => return Err(ClientError::Redirect),
                Some(next) if url.scheme() == "https" && next.scheme() != "https" => {
                    return Err(ClientError::Redirect);
                }
                Some(next) => url = self.check(next)?,
                None => return Ok(self.incoming(response, url, (purpose, limits), deadline)),
            }
            hops += 1;
        }
    }

    fn check(&self, url: Url) -> Result<Url, ClientError> {
        match target::check_url(url, self.allow_private) {
            Ok(target) => Ok(target.into_url()),
            Err(reason) => Err(ClientError::Refused { reason }),
        }
    }

    async fn once(
        &self,
        method: &Method,
        url: Url,
        mut headers: HeaderMap,
        body: Bytes,
        deadline: Instant,
    ) -> Result<reqwest::Response, ClientError> {
        headers.insert(
            header::ACCEPT_ENCODING,
            HeaderValue::from_static("identity"),
        );
        let mut request = self.http.request(method.clone(), url).headers(headers);
        if *method != Method::GET {
            request = request.body(body);
        }
        match timeout_at(deadline, request.send()).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => Err(class_of(&error)),
            Err(_) => Err(ClientError::Timeout),
        }
    }

    fn incoming(
        &self,
        mut response: reqwest::Response,
        final_url: Url,
        (purpose, limits): (Purpose, Limits),
        deadline: Instant,
    ) -> Incoming {
        Incoming {
            status: response.status().as_u16(),
            headers: std::mem::take(response.headers_mut()),
            final_url,
            response,
            deadline,
            idle: limits.idle,
            body: if purpose == Purpose::Call {
                self.call_body
            } else {
                limits.body
            },
        }
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("allow_private", &self.allow_private)
            .finish_non_exhaustive()
    }
}

impl Incoming {
    /// The next piece of a body that may last long: within the idle time of the purpose, without a
    /// cap on the whole.
    ///
    /// # Errors
    /// [`ClientError`] when it is too slow or breaks off.
    pub async fn piece(&mut self) -> Result<Option<Bytes>, ClientError> {
        let until = self.deadline.min(Instant::now() + self.idle);
        match timeout_at(until, self.response.chunk()).await {
            Ok(Ok(piece)) => Ok(piece),
            Ok(Err(error)) => Err(class_of(&error)),
            Err(_) => Err(ClientError::Timeout),
        }
    }

    /// The whole body.
    ///
    /// # Errors
    /// [`ClientError`] when it is over the cap, too slow, or breaks off.
    pub async fn bytes(mut self) -> Result<Bytes, ClientError> {
        let limit = self.body;
        if self
            .response
            .content_length()
            .is_some_and(|length| length > limit as u64)
        {
            return Err(ClientError::TooLarge { limit });
        }
        let mut whole = BytesMut::new();
        while let Some(piece) = self.piece().await? {
            if whole.len() + piece.len() > limit {
                return Err(ClientError::TooLarge { limit });
            }
            whole.extend_from_slice(&piece);
        }
        Ok(whole.freeze())
    }
}

/// Where a GET is sent on to.
fn redirect(response: &reqwest::Response, method: &Method) -> Result<Option<Url>, ClientError> {
    let redirected = matches!(
        response.status(),
        StatusCode::MOVED_PERMANENTLY
            | StatusCode::FOUND
            | StatusCode::SEE_OTHER
            | StatusCode::TEMPORARY_REDIRECT
            | StatusCode::PERMANENT_REDIRECT
    );
    if !redirected || *method != Method::GET {
        return Ok(None);
    }
    let location = response
        .headers()
        .get(header::LOCATION)
        .and_then(|value| value.to_str().ok());
    let next = location.and_then(|location| response.url().join(location).ok());
    next.map(Some).ok_or(ClientError::Redirect)
}

/// The library's error by what lies at its root.
fn class_of(error: &reqwest::Error) -> ClientError {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    let mut text = String::new();
    while let Some(inner) = cause {
        if inner.is::<NotPublic>() {
            return ClientError::Refused {
                reason: Refused::Private,
            };
        }
        if inner.is::<Unresolved>() {
            return ClientError::Resolve;
        }
        text = inner.to_string().to_ascii_lowercase();
        cause = inner.source();
    }
    if error.is_timeout() && !error.is_connect() {
        return ClientError::Timeout;
    }
    if error.is_connect() {
        let tls = ["certificate", "tls", "handshake"]
            .iter()
            .any(|word| text.contains(word));
        return if tls {
            ClientError::Tls
        } else {
            ClientError::Connect
        };
    }
    ClientError::Broken
}

#[cfg(test)]
mod tests;
