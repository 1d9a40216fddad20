//! Judging a call address: is it one, is it public, does it look like an endpoint.

use std::net::{Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use super::{
    Binding, ImportPolicy, WarningCode,
    fields::{Notes, cut},
};

/// What an address text is, before anything is decided.
pub(super) enum Shape {
    /// http or https with a host, or `host:port` for gRPC.
    Absolute(Url),
    /// Starts with `/`, `./` or `../`.
    Relative,
    /// Made to be replaced, or nothing that could be an address.
    Placeholder,
    /// An address that cannot be called, with the reason.
    Foreign(&'static str),
}

/// Sorts an address text.
pub(super) fn shape(text: &str, binding: Binding) -> Shape {
    if text.contains(['<', '>', '{', '}']) {
        return Shape::Placeholder;
    }
    if text.starts_with('/') || text.starts_with("./") || text.starts_with("../") {
        return Shape::Relative;
    }
    let bare_host = binding == Binding::Grpc && !text.contains("://");
    let parsed = if bare_host {
        Url::parse(&format!("http://{text}"))
    } else {
        Url::parse(text)
    };
    let Ok(url) = parsed else {
        let foreign = text.split_once("://").is_some_and(|(scheme, _)| {
            !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https")
        });
        return if foreign {
            Shape::Foreign("an unknown scheme")
        } else {
            Shape::Placeholder
        };
    };
    if !matches!(url.scheme(), "http" | "https") {
        // `host:8080` reads as a scheme named like the host.
        let after = text.split_once(':').map_or("", |(_, after)| after);
        let host_and_port = after.starts_with(|one: char| one.is_ascii_digit())
            || (url.scheme().contains('.') && !after.starts_with("//"));
        return if host_and_port {
            Shape::Placeholder
        } else {
            Shape::Foreign("a scheme other than http and https")
        };
    }
    if url.host().is_none() {
        return Shape::Placeholder;
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Shape::Foreign("credentials inside the address");
    }
    Shape::Absolute(url)
}

/// Decides whether an address may be called, with remarks. Gives the address to use and the answer;
/// `None` for a foreign one, which the caller has sorted out before.
pub(super) fn judge(
    text: &str,
    binding: Binding,
    from: Option<&Url>,
    policy: ImportPolicy,
    pointer: &str,
    notes: &mut Notes,
) -> Option<(String, bool)> {
    let bare_host = binding == Binding::Grpc && !text.contains("://");
    let (url, shown) = match shape(text, binding) {
        Shape::Foreign(_) => return None,
        Shape::Placeholder => {
            notes.add(
                WarningCode::UrlPlaceholder,
                pointer,
                "The address is made to be replaced.",
            );
            return Some((cut(text, 2048), false));
        }
        Shape::Relative => {
            let resolved = from.and_then(|base| base.join(text).ok());
            let resolved =
                resolved.filter(|url| matches!(shape(url.as_str(), binding), Shape::Absolute(_)));
            let Some(url) = resolved else {
                let detail = "The address is relative, and where the card lies is not known.";
                notes.add(WarningCode::UrlRelative, pointer, detail);
                return Some((cut(text, 2048), false));
            };
            let detail = format!("The address is relative; read as {url}.");
            notes.add(WarningCode::UrlRelative, pointer, detail);
            let shown = url.to_string();
            (url, shown)
        }
        // The parser forgives control characters and spaces; what is shown has none.
        Shape::Absolute(url) if text.contains(|c: char| c.is_control() || c.is_whitespace()) => {
            let shown = url.to_string();
            (url, shown)
        }
        Shape::Absolute(url) => (url, text.to_owned()),
    };
    if is_placeholder_host(&url) {
        notes.add(
            WarningCode::UrlPlaceholder,
            pointer,
            "The host is a placeholder.",
        );
        return Some((shown, false));
    }
    if !is_public_host(&url) {
        notes.add(
            WarningCode::UrlPrivate,
            pointer,
            "The host is not on the public network.",
        );
        return Some((shown, policy.private_targets));
    }
    // A bare `host:port` has no scheme of its own, so it says nothing about encryption.
    if url.scheme() == "http" && !bare_host {
        notes.add(
            WarningCode::UrlInsecure,
            pointer,
            "Calls to this address are not encrypted.",
        );
    }
    if is_page(&url) {
        let detail = "The address looks like a page; unverified until something answers there.";
        notes.add(WarningCode::UrlNotEndpoint, pointer, detail);
    }
    Some((shown, true))
}

fn host_text(url: &Url) -> Option<String> {
    match url.host()? {
        Host::Domain(name) => Some(name.trim_end_matches('.').to_ascii_lowercase()),
        _ => None,
    }
}

fn is_under(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain)
        .is_some_and(|front| front.is_empty() || front.ends_with('.'))
}

/// Hosts that stand for "put yours here", and the names reserved for documentation (RFC 2606).
fn is_placeholder_host(url: &Url) -> bool {
    let Some(host) = host_text(url) else {
        return false;
    };
    let reserved = [
        "example.com",
        "example.net",
        "example.org",
        "example",
        "invalid",
        "test",
    ];
    let words = ["your", "replace", "changeme", "todo"];
    reserved.iter().any(|domain| is_under(&host, domain))
        || host
            .split(['.', '-', '_'])
            .any(|word| words.contains(&word))
}

/// Whether a host may be on the public network, as far as its text tells.
fn is_public_host(url: &Url) -> bool {
    match url.host() {
        None => false,
        Some(Host::Ipv4(address)) => is_public_v4(address),
        Some(Host::Ipv6(address)) => is_public_v6(address),
        Some(Host::Domain(_)) => {
            let host = host_text(url).unwrap_or_default();
            let inner = [
                "localhost",
                "local",
                "internal",
                "lan",
                "home.arpa",
                "localdomain",
            ];
            // A name without a dot is known in its own network only.
            host.contains('.') && !inner.iter().any(|domain| is_under(&host, domain))
        }
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let shared = a == 100 && (64..128).contains(&b);
    let protocol = a == 192 && b == 0 && c == 0;
    let benchmark = a == 198 && (18..20).contains(&b);
    !(a == 0
        || a >= 224
        || shared
        || protocol
        || benchmark
        || address.is_loopback()
        || address.is_private()
        || address.is_link_local()
        || address.is_documentation())
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(inner) = address.to_ipv4_mapped() {
        return is_public_v4(inner);
    }
    let parts = address.segments();
    // Global unicast is 2000::/3, which leaves out NAT64 (64:ff9b::/96) as well; 2001:db8::/32 is
    // for documentation, 2001::/32 and 2002::/16 hide an IPv4 address.
    (parts[0] & 0xe000) == 0x2000
        && !(parts[0] == 0x2001 && matches!(parts[1], 0 | 0x0db8))
        && parts[0] != 0x2002
}

fn is_page(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    let endings = [".html", ".htm", ".txt", ".md", ".json", ".pdf"];
    let host = host_text(url).unwrap_or_default();
    endings.iter().any(|ending| path.ends_with(ending))
        || matches!(host.as_str(), "github.com" | "gitlab.com")
        || is_under(&host, "github.io")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(text: &str) -> Url {
        Url::parse(&format!("https://{text}/a2a")).expect(text)
    }

    #[test]
    fn hosts_that_are_not_on_the_public_network() {
        for text in [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.0.1",
            "169.254.169.254",
            "100.64.0.1",
            "100.127.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.9",
            "224.0.0.1",
            "255.255.255.255",
            "[::]",
            "[::1]",
            "[::ffff:10.0.0.1]",
            "[::7f00:1]",
            "[fe80::1]",
            "[fd00::1]",
            "[ff02::1]",
            "[64:ff9b::a00:1]",
            "[64:ff9b::808:808]",
            "[2001:db8::1]",
            "[2002:7f00:1::]",
            "[2001:0:1::1]",
            "localhost",
            "LOCALHOST.",
            "a.localhost",
            "printer.local",
            "db.internal",
            "nas.lan",
            "hub.home.arpa",
            "oven",
        ] {
            assert!(!is_public_host(&host(text)), "{text}");
        }
        for text in [
            "8.8.8.8",
            "100.63.0.1",
            "100.128.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.20.0.1",
            "[::ffff:8.8.8.8]",
            "[2606:4700::1]",
            "agents.guildhall-demo.net",
            "local.guildhall-demo.net",
            "mylocal.net",
            "xn--bcher-kva.net",
        ] {
            assert!(is_public_host(&host(text)), "{text}");
        }
    }

    #[test]
    fn hosts_that_stand_for_another() {
        for text in [
            "your-host.dev",
            "replace.me.io",
            "changeme.net",
            "todo.app",
            "a.example.com",
            "example.org",
            "x.test",
            "x.invalid",
            "x.example",
            "api_your.net",
            "EXAMPLE.NET.",
        ] {
            assert!(is_placeholder_host(&host(text)), "{text}");
        }
        for text in [
            "yourself.net",
            "todoist.net",
            "myexample.com",
            "example.com.net",
            "contest.net",
        ] {
            assert!(!is_placeholder_host(&host(text)), "{text}");
        }
    }

    #[test]
    fn pages_are_told_from_endpoints() {
        for (text, page) in [
            ("https://a.net/x.html", true),
            ("https://a.net/X.MD", true),
            ("https://a.net/agent.json?x=1", true),
            ("https://github.com/a/b", true),
            ("https://a.github.io/", true),
            ("https://notgithub.com/a", false),
            ("https://a.net/html", false),
            ("https://a.net/?f=x.html", false),
        ] {
            assert_eq!(is_page(&Url::parse(text).unwrap()), page, "{text}");
        }
    }
}
