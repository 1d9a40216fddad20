//! What a request is sent to: the derived components of RFC 9421, section 2.2, checked once.

use std::fmt::Write as _;

use url::{Position, Url};

/// Method, authority, path and query of a request, ready to be signed again and again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    method: String,
    authority: String,
    path: String,
    /// With the leading `?`.
    query: String,
    /// The lines of the signature base in the order of [`COMPONENTS`](super::COMPONENTS).
    lines: String,
}

/// The scheme of a request, which decides about the port that is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Default port 80.
    Http,
    /// Default port 443.
    Https,
}

/// Why something is no target of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// No token of RFC 9110.
    #[error("the method is no token")]
    Method,
    /// Empty, not ASCII, or with letters that no host and port have.
    #[error("the authority is no host with an optional port")]
    Authority,
    /// Does not begin with `/`, or has letters that no path has.
    #[error("the path is no absolute path of visible ASCII")]
    Path,
    /// Letters that no query has.
    #[error("the query is no visible ASCII")]
    Query,
}

impl Target {
    /// Puts the parts together: the authority as in `Host` (in any case, a default port is taken off),
    /// the path as sent (empty is `/`), the query without its `?`.
    ///
    /// # Errors
    /// The first part that cannot stand in a request line. That keeps line ends out of the base.
    pub fn new(
        method: &str,
        scheme: Scheme,
        authority: &str,
        path: &str,
        query: Option<&str>,
    ) -> Result<Self, TargetError> {
        if method.is_empty() || !method.bytes().all(is_token) {
            return Err(TargetError::Method);
        }
        let port = match scheme {
            Scheme::Http => ":80",
            Scheme::Https => ":443",
        };
        let authority = authority.strip_suffix(port).unwrap_or(authority);
        if authority.is_empty() || !authority.bytes().all(is_host) {
            return Err(TargetError::Authority);
        }
        let path = if path.is_empty() { "/" } else { path };
        let visible = |text: &str, not: &[u8]| {
            text.bytes()
                .all(|byte| byte.is_ascii_graphic() && !not.contains(&byte))
        };
        if !path.starts_with('/') || !visible(path, b"?#") {
            return Err(TargetError::Path);
        }
        let query = query.unwrap_or_default();
        if !visible(query, b"#") {
            return Err(TargetError::Query);
        }
        let mut target = Self {
            method: method.to_owned(),
            authority: authority.to_ascii_lowercase(),
            path: path.to_owned(),
            // Section 2.2.7: a lone question mark when there is no query.
            query: format!("?{query}"),
            lines: String::new(),
        };
        target.lines = target.written();
        Ok(target)
    }

    /// The target of a request to a URL.
    ///
    /// # Errors
    /// As [`new`](Self::new); a URL that is not http or https has no authority here.
    pub fn of_url(method: &str, url: &Url) -> Result<Self, TargetError> {
        let scheme = match url.scheme() {
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            _ => return Err(TargetError::Authority),
        };
        let authority = &url[Position::BeforeHost..Position::AfterPort];
        Self::new(method, scheme, authority, url.path(), url.query())
    }

    /// The value of a derived component, when it is one of those four.
    pub(super) fn component(&self, name: &str) -> Option<&str> {
        match name {
            "@method" => Some(&self.method),
            "@authority" => Some(&self.authority),
            "@path" => Some(&self.path),
            "@query" => Some(&self.query),
            _ => None,
        }
    }

    /// The four lines of the signature base, each with its end.
    pub(super) fn lines(&self) -> &str {
        &self.lines
    }

    fn written(&self) -> String {
        let mut lines = String::new();
        for name in super::COMPONENTS {
            if let Some(value) = self.component(name) {
                // Writing into a String cannot fail.
                let _ = writeln!(lines, "\"{name}\": {value}");
            }
        }
        lines
    }
}

/// RFC 9110, section 5.6.2.
pub(super) fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Letters of a host with a port (RFC 3986, section 3.2.2), addresses in brackets included; no `@`.
fn is_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=:[]".contains(&byte)
}
