//! Which URLs may be asked for at all; pure, before any name is resolved.

use url::{Host, Url};

use super::address::is_public;

/// A URL that passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target(Url);

/// A URL that did not, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// No URL with a host.
    #[error("it is no absolute http or https URL")]
    NotAUrl,
    /// Another scheme.
    #[error("only http and https are called")]
    Scheme,
    /// A user or password in the URL.
    #[error("a URL that is called holds no credentials")]
    Credentials,
    /// An address or name that is not public.
    #[error(
        "the address is not a public one, and this gateway allows no others (allow_private_targets)"
    )]
    Private,
    /// A port on which other protocols listen.
    #[error("the port belongs to another protocol")]
    Port,
}

/// Ports below 1024 other than the web's, and well-known ones above on which text that looks
/// like HTTP does harm: a stranger must not make us talk to a mail server or a database.
const OTHER_PROTOCOLS: [u16; 11] = [
    2_049, 2_375, 3_306, 5_432, 5_672, 6_000, 6_379, 6_667, 9_042, 11_211, 27_017,
];

impl Target {
    /// The URL in the form in which it is called.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.0
    }

    /// Gives up the URL.
    #[must_use]
    pub fn into_url(self) -> Url {
        self.0
    }
}

/// Checks a text.
///
/// # Errors
/// [`Refused`].
pub fn check(text: &str, allow_private: bool) -> Result<Target, Refused> {
    check_url(
        Url::parse(text).map_err(|_| Refused::NotAUrl)?,
        allow_private,
    )
}

/// Checks a URL; every spelling of an IP address was turned into that address by its parser.
///
/// # Errors
/// [`Refused`].
pub fn check_url(url: Url, allow_private: bool) -> Result<Target, Refused> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Refused::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Refused::Credentials);
    }
    let public = match url.host() {
        None => return Err(Refused::NotAUrl),
        Some(Host::Ipv4(address)) => is_public(address.into()),
        Some(Host::Ipv6(address)) => is_public(address.into()),
        Some(Host::Domain(name)) => is_public_name(name),
    };
    let port = url.port_or_known_default().unwrap_or(0);
    if allow_private {
        return Ok(Target(url));
    }
    if !public {
        return Err(Refused::Private);
    }
    if !matches!(port, 80 | 443) && (port < 1_024 || OTHER_PROTOCOLS.contains(&port)) {
        return Err(Refused::Port);
    }
    Ok(Target(url))
}

/// Names that only mean something inside a network.
fn is_public_name(name: &str) -> bool {
    const INSIDE: [&str; 6] = [
        "localhost",
        "local",
        "internal",
        "lan",
        "home.arpa",
        "onion",
    ];
    let name = name.trim_end_matches('.');
    let inside = INSIDE.iter().any(|suffix| {
        name == *suffix
            || name
                .strip_suffix(suffix)
                .is_some_and(|rest| rest.ends_with('.'))
    });
    !inside && name.contains('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_private_address_is_refused() {
        for text in [
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0x7f000001/",
            "http://0177.0.0.1/",
            "http://127.1/",
            "http://0/",
            "http://127.0.0.1./",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://localhost/",
            "http://LOCALHOST./",
            "http://a.localhost/",
            "http://１２７.0.0.1/",
            "http://%31%32%37.0.0.1/",
            "http:\\\\127.0.0.1\\",
            "http://1\t27.0.0.1/",
            "http://printer/",
            "http://db.internal/",
            "https://x.local/",
        ] {
            assert_eq!(check(text, false), Err(Refused::Private), "{text}");
        }
    }

    #[test]
    fn other_refusals_have_their_own_reason() {
        for (text, why) in [
            ("ftp://example.org/", Refused::Scheme),
            ("file:///etc/passwd", Refused::Scheme),
            ("http://user@agents.example.org/", Refused::Credentials),
            ("http://127.0.0.1@agents.example.org/", Refused::Credentials),
            ("https://agents.example.org:25/", Refused::Port),
            ("https://agents.example.org:6379/", Refused::Port),
            ("not a url", Refused::NotAUrl),
            ("http://[127.0.0.1]/", Refused::NotAUrl),
            ("http://a%00b/", Refused::NotAUrl),
        ] {
            assert_eq!(check(text, false), Err(why), "{text}");
        }
        assert!(check("https://agents.example.org:8443/a?b=c", false).is_ok());
        assert!(check("http://127.0.0.1:25/", true).is_ok());
    }
}
