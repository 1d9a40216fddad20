//! Which headers pass between a caller and an agent: an allow-list in both directions.

use http::{HeaderMap, HeaderName, HeaderValue};

/// Named headers that a caller may have forwarded.
const FORWARDED: [&str; 7] = [
    "accept",
    "accept-language",
    "traceparent",
    "tracestate",
    "a2a-extensions",
    "x-a2a-extensions",
    "user-agent",
];
/// `x-` headers that are ours, a proxy's or a payment's.
const KEPT_BACK: [&str; 5] = [
    "x-forwarded-",
    "x-real-ip",
    "x-payment",
    "x-guildhall-",
    "x-api-key",
];
/// Named headers of the agent that reach the caller.
const RETURNED: [&str; 9] = [
    "content-type",
    "content-language",
    "etag",
    "last-modified",
    "retry-after",
    "cache-control",
    "a2a-version",
    "a2a-extensions",
    "payment-required",
];

/// The caller's headers that the agent gets, and the names of those that it does not.
/// The agent's declared `auth_header_name` passes byte for byte.
pub(super) fn forwarded(
    asked: &[(String, String)],
    auth_header: Option<&str>,
) -> (HeaderMap, Vec<String>) {
    let (mut passed, mut dropped) = (HeaderMap::new(), Vec::new());
    for (name, value) in asked {
        let lower = name.to_ascii_lowercase();
        let declared = auth_header.is_some_and(|declared| declared.eq_ignore_ascii_case(name));
        let extra =
            lower.starts_with("x-") && !KEPT_BACK.iter().any(|prefix| lower.starts_with(prefix));
        let parsed = (HeaderName::try_from(&lower), HeaderValue::try_from(value));
        match parsed {
            (Ok(header), Ok(mut value))
                if declared || extra || FORWARDED.contains(&lower.as_str()) =>
            {
                value.set_sensitive(declared);
                passed.insert(header, value);
            }
            _ => dropped.push(name.clone()),
        }
    }
    (passed, dropped)
}

/// The agent's headers that the caller sees; never cookies, hop-by-hop or server banners.
pub(super) fn returned(headers: &HeaderMap) -> Vec<(String, String)> {
    let wanted = |name: &HeaderName| {
        let name = name.as_str();
        RETURNED.contains(&name) || (name.starts_with("x-") && !name.starts_with("x-guildhall-"))
    };
    headers
        .iter()
        .filter(|(name, _)| wanted(name))
        .filter_map(|(name, value)| {
            Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_pass_only_where_the_agent_declared_them() {
        let asked = [
            ("Authorization", "Bearer t"),
            ("Cookie", "a=b"),
            ("Host", "evil"),
            ("Content-Length", "3"),
            ("X-Payment", "p"),
            ("X-Trace", "1"),
            ("Accept", "text/plain"),
            ("bad name", "x"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let (passed, dropped) = forwarded(&asked, None);
        let names: Vec<_> = passed.keys().map(HeaderName::as_str).collect();
        assert_eq!(names, ["x-trace", "accept"]);
        assert_eq!(dropped.len(), 6);
        let (passed, _) = forwarded(&asked, Some("authorization"));
        assert_eq!(passed["authorization"], "Bearer t");
        assert!(passed["authorization"].is_sensitive());
    }
}
