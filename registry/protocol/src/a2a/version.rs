//! Which dialect a request speaks: the version header and the names of methods.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::rpc::{ErrorCode, RpcError};

/// A dialect of A2A. Versions 0.1 and 0.2 are read as 0.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Version {
    /// 0.3: `kind` members, method names with a slash.
    #[serde(rename = "0.3")]
    V0_3,
    /// 1.0: wrappers, method names in Pascal case.
    #[serde(rename = "1.0")]
    V1_0,
}

impl Version {
    /// Major.Minor, as it is written in headers and interface lists.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V0_3 => "0.3",
            Self::V1_0 => "1.0",
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// A version nobody here speaks (-32009).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("A2A version {asked:?} is not supported; 0.3 and 1.0 are")]
pub struct Unsupported {
    /// What was asked for, cut at 64 characters.
    pub asked: String,
}

/// Reads the value of `A2A-Version`, from the header or the query parameter of that name.
///
/// An empty value means 0.3, as an absent one does. Accepted are `0.3`, `0.3.x`, `1`, `1.x` and
/// `1.x.y` with numbers for x and y, white space around and a `v` in front.
///
/// # Errors
/// [`Unsupported`] for everything else.
pub fn parse_version_header(value: &str) -> Result<Version, Unsupported> {
    let text = value.trim();
    if text.is_empty() {
        return Ok(Version::V0_3);
    }
    let numbers = text.strip_prefix(['v', 'V']).unwrap_or(text);
    let parts: Vec<&str> = numbers.split('.').take(4).collect();
    let plain = parts.iter().all(|part| {
        (1..=9).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    });
    match parts.as_slice() {
        ["0", "3"] | ["0", "3", _] if plain => Ok(Version::V0_3),
        ["1"] | ["1", _] | ["1", _, _] if plain => Ok(Version::V1_0),
        _ => Err(Unsupported {
            asked: text.chars().take(64).collect(),
        }),
    }
}

/// What a client wants done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// Send a message and get one answer.
    Send,
    /// Send a message and get a stream.
    SendStream,
    /// Read a task.
    GetTask,
    /// List the caller's tasks; 1.0 only.
    ListTasks,
    /// Cancel a task.
    CancelTask,
    /// Attach to the stream of a running task.
    Subscribe,
    /// Register a push notification address.
    PushCreate,
    /// Read one push notification config.
    PushGet,
    /// List the push notification configs of a task.
    PushList,
    /// Delete a push notification config.
    PushDelete,
    /// Read the card for authenticated callers.
    ExtendedCard,
}

/// JSON-RPC method names: operation, in 0.3 (if it has one), in 1.0.
const METHODS: [(Operation, Option<&str>, &str); 11] = [
    (Operation::Send, Some("message/send"), "SendMessage"),
    (
        Operation::SendStream,
        Some("message/stream"),
        "SendStreamingMessage",
    ),
    (Operation::GetTask, Some("tasks/get"), "GetTask"),
    (Operation::ListTasks, None, "ListTasks"),
    (Operation::CancelTask, Some("tasks/cancel"), "CancelTask"),
    (
        Operation::Subscribe,
        Some("tasks/resubscribe"),
        "SubscribeToTask",
    ),
    (
        Operation::PushCreate,
        Some("tasks/pushNotificationConfig/set"),
        "CreateTaskPushNotificationConfig",
    ),
    (
        Operation::PushGet,
        Some("tasks/pushNotificationConfig/get"),
        "GetTaskPushNotificationConfig",
    ),
    (
        Operation::PushList,
        Some("tasks/pushNotificationConfig/list"),
        "ListTaskPushNotificationConfigs",
    ),
    (
        Operation::PushDelete,
        Some("tasks/pushNotificationConfig/delete"),
        "DeleteTaskPushNotificationConfig",
    ),
    (
        Operation::ExtendedCard,
        Some("agent/getAuthenticatedExtendedCard"),
        "GetExtendedAgentCard",
    ),
];

/// The dialect and the operation of a JSON-RPC method name, or `None` when neither dialect has it.
#[must_use]
pub fn method(name: &str) -> Option<(Version, Operation)> {
    METHODS.iter().find_map(|(operation, old, new)| {
        if *new == name {
            Some((Version::V1_0, *operation))
        } else if *old == Some(name) {
            Some((Version::V0_3, *operation))
        } else {
            None
        }
    })
}

/// The JSON-RPC method name of an operation; `None` where 0.3 has none.
#[must_use]
pub fn method_name(version: Version, operation: Operation) -> Option<&'static str> {
    let (_, old, new) = METHODS.iter().find(|(known, _, _)| *known == operation)?;
    match version {
        Version::V0_3 => *old,
        Version::V1_0 => Some(new),
    }
}

/// Chooses the dialect of one request by version and method name together, since real clients mix
/// them. `asked` is the version header or query parameter, `None` when absent; `spoken` are the
/// dialects the served card lists; `strict` refuses every mixture.
///
/// # Errors
/// -32009 for a version that is not spoken, -32601 for a method that does not exist or does not
/// belong to the version asked for.
pub fn choose(
    asked: Option<&str>,
    name: &str,
    spoken: &[Version],
    strict: bool,
) -> Result<(Version, Operation), RpcError> {
    let asked = asked.map(str::trim).filter(|text| !text.is_empty());
    let refuse = || {
        Err(RpcError::version_not_supported(
            asked.unwrap_or("0.3"),
            spoken,
        ))
    };
    let version = match asked.map(parse_version_header) {
        None => None,
        Some(Ok(version)) => Some(version),
        Some(Err(_)) => return refuse(),
    };
    let found = method(name);
    if !spoken.contains(&version.unwrap_or(Version::V0_3)) {
        return refuse();
    }
    let Some((dialect, operation)) = found else {
        return Err(RpcError::method_not_found(name));
    };
    let mixed = dialect != version.unwrap_or(Version::V0_3);
    if mixed && (strict || !spoken.contains(&dialect)) {
        // Without a header the fault lies in the version that was left out, not in the name.
        return match version {
            None => refuse(),
            Some(_) => Err(RpcError::new(
                ErrorCode::MethodNotFound,
                format!(
                    "{name} is a method of A2A {dialect}, the request asks for another version"
                ),
            )),
        };
    }
    Ok((dialect, operation))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_follows_its_table() {
        let (old, new, unknown) = ("message/send", "SendMessage", "tasks/send");
        let both = &[Version::V1_0, Version::V0_3][..];
        let (only_new, only_old) = (&both[..1], &both[1..]);
        let (v03, v10, no_version, no_method) = (Ok("0.3"), Ok("1.0"), Err(-32009), Err(-32601));
        // asked, spoken, strict: outcome for an old, a new and an unknown name
        for (asked, spoken, strict, outcomes) in [
            (None, both, false, [v03, v10, no_method]),
            (Some(" "), both, false, [v03, v10, no_method]),
            (None, both, true, [v03, no_version, no_method]),
            (None, only_new, false, [no_version, no_version, no_version]),
            (None, only_old, false, [v03, no_version, no_method]),
            (Some("0.3.0"), both, false, [v03, v10, no_method]),
            (Some("0.3"), both, true, [v03, no_method, no_method]),
            (
                Some("0.3"),
                only_new,
                false,
                [no_version, no_version, no_version],
            ),
            (Some("1.0"), both, false, [v03, v10, no_method]),
            (Some("1.0.1"), both, true, [no_method, v10, no_method]),
            (Some("1.0"), only_new, false, [no_method, v10, no_method]),
            (
                Some("1.0"),
                only_old,
                false,
                [no_version, no_version, no_version],
            ),
            (
                Some("99.0"),
                both,
                false,
                [no_version, no_version, no_version],
            ),
        ] {
            for (name, want) in [old, new, unknown].into_iter().zip(outcomes) {
                let got = choose(asked, name, spoken, strict)
                    .map(|(version, _)| version.as_str())
                    .map_err(|error| error.code);
                assert_eq!(got, want, "{asked:?} {name} {spoken:?} strict {strict}");
            }
        }
    }

    #[test]
    fn version_values() {
        for (value, want) in [
            ("", Some(Version::V0_3)),
            (" 0.3 ", Some(Version::V0_3)),
            ("0.3.0", Some(Version::V0_3)),
            ("v0.3", Some(Version::V0_3)),
            ("1", Some(Version::V1_0)),
            ("1.0", Some(Version::V1_0)),
            ("1.1", Some(Version::V1_0)),
            ("1.0.1", Some(Version::V1_0)),
            ("v1.0", Some(Version::V1_0)),
            ("0.2", None),
            ("0.30", None),
            ("2.0", None),
            ("99.0", None),
            ("1.0.0.0", None),
            ("1.", None),
            ("1.x", None),
            ("1,0", None),
            ("1.0, 0.3", None),
            ("v", None),
            ("vv1", None),
            ("latest", None),
        ] {
            assert_eq!(parse_version_header(value).ok(), want, "{value:?}");
        }
    }

    #[test]
    fn methods_there_and_back() {
        for (operation, old, new) in METHODS {
            assert_eq!(method(new), Some((Version::V1_0, operation)));
            assert_eq!(method_name(Version::V1_0, operation), Some(new));
            assert_eq!(method_name(Version::V0_3, operation), old);
            if let Some(old) = old {
                assert_eq!(method(old), Some((Version::V0_3, operation)));
                assert!(old.contains('/') && !new.contains('/'));
            }
        }
        assert_eq!(method("tasks/list"), None);
        assert_eq!(method("tasks/send"), None);
        assert_eq!(method(""), None);
    }
}
