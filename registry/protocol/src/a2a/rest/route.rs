//! What a request to a REST door asks for: method, path and query to an operation and its parameters.

use serde_json::{Map, Value};

use super::{percent, proto, query};
use crate::a2a::message::MessageError;
use crate::a2a::{Operation, Version};

/// What a request asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Routed {
    /// What is to be done.
    pub operation: Operation,
    /// 0.3 below `/v1`, else 1.0. What the version header says is not looked at.
    pub version: Version,
    /// What path and query say, an object in 1.0's form. Not checked: a number that is none
    /// stays a text, which [`crate::a2a::translate::Params::read`] refuses.
    pub params: Value,
}

/// Why a request is none of the binding.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RouteError {
    /// No such path.
    #[error("there is no such path")]
    NotFound,
    /// The path exists, for other methods.
    #[error("the method is not allowed here; these are: {}", .0.join(", "))]
    MethodNotAllowed(Vec<&'static str>),
}

/// What a path names.
enum Place {
    Send,
    Stream,
    Tasks,
    Task(String),
    Cancel(String),
    Subscribe(String),
    Configs(String),
    Config(String, String),
    Card,
}

/// Reads method, path below the agent (as it came, not decoded) and query (without the question
/// mark). A slash at either end of the path changes nothing.
///
/// # Errors
/// [`RouteError`].
pub fn route(method: &str, path: &str, query: &str) -> Result<Routed, RouteError> {
    let path = path.strip_prefix('/').unwrap_or(path);
    let path = path.strip_suffix('/').unwrap_or(path);
    // One more than the longest path has, so that a long one is not split to its end.
    let segments: Vec<&str> = path.splitn(6, '/').collect();
    let (version, below) = match segments.split_first() {
        Some((&"v1", below)) => (Version::V0_3, below),
        _ => (Version::V1_0, &segments[..]),
    };
    let place = place(version, below).ok_or(RouteError::NotFound)?;
    let allowed = operations(&place);
    let found = allowed.iter().find(|(allowed, _)| *allowed == method);
    let Some((_, operation)) = found else {
        let names = allowed.iter().map(|(name, _)| *name).collect();
        return Err(RouteError::MethodNotAllowed(names));
    };
    let mut params = Map::new();
    query::read(*operation, version, query, &mut params);
    for (name, value) in place.ids() {
        params.insert(name.to_owned(), value.into());
    }
    Ok(Routed {
        operation: *operation,
        version,
        params: Value::Object(params),
    })
}

fn place(version: Version, segments: &[&str]) -> Option<Place> {
    let id = |raw: &str| percent::decode(raw).filter(|id| !id.is_empty());
    match segments {
        [one] => match (percent::decode(one)?.as_str(), version) {
            ("message:send", _) => Some(Place::Send),
            ("message:stream", _) => Some(Place::Stream),
            ("tasks", _) => Some(Place::Tasks),
            ("card", Version::V0_3) | ("extendedAgentCard", Version::V1_0) => Some(Place::Card),
            _ => None,
        },
        // A colon that belongs to an id comes encoded, or is followed by no verb of ours.
        ["tasks", task] => match task.rsplit_once(':') {
            Some((task, "cancel")) => id(task).map(Place::Cancel),
            Some((task, "subscribe")) => id(task).map(Place::Subscribe),
            _ => id(task).map(Place::Task),
        },
        ["tasks", task, "pushNotificationConfigs"] => id(task).map(Place::Configs),
        ["tasks", task, "pushNotificationConfigs", config] => {
            Some(Place::Config(id(task)?, id(config)?))
        }
        _ => None,
    }
}

fn operations(place: &Place) -> &'static [(&'static str, Operation)] {
    match place {
        Place::Send => &[("POST", Operation::Send)],
        Place::Stream => &[("POST", Operation::SendStream)],
        Place::Tasks => &[("GET", Operation::ListTasks)],
        Place::Task(_) => &[("GET", Operation::GetTask)],
        Place::Cancel(_) => &[("POST", Operation::CancelTask)],
        // The prose of both versions says POST, their protos say GET.
        Place::Subscribe(_) => &[
            ("GET", Operation::Subscribe),
            ("POST", Operation::Subscribe),
        ],
        Place::Configs(_) => &[
            ("GET", Operation::PushList),
            ("POST", Operation::PushCreate),
        ],
        Place::Config(..) => &[
            ("GET", Operation::PushGet),
            ("DELETE", Operation::PushDelete),
        ],
        Place::Card => &[("GET", Operation::ExtendedCard)],
    }
}

impl Place {
    fn ids(self) -> Vec<(&'static str, String)> {
        match self {
            Self::Task(id) | Self::Cancel(id) | Self::Subscribe(id) => vec![("id", id)],
            Self::Configs(task) => vec![("taskId", task)],
            Self::Config(task, config) => vec![("taskId", task), ("id", config)],
            Self::Send | Self::Stream | Self::Tasks | Self::Card => Vec::new(),
        }
    }
}

impl Routed {
    /// The parameters together with the request's body, in 1.0's form. `None` is a body that is
    /// empty. What path and query say wins. Operations that take no body pass it over.
    ///
    /// # Errors
    /// A body that is no object, or, of 0.3, the first place that cannot be understood.
    pub fn with_body(&self, body: Option<Value>) -> Result<Value, MessageError> {
        let takes = matches!(
            self.operation,
            Operation::Send | Operation::SendStream | Operation::CancelTask | Operation::PushCreate
        );
        let body = match body {
            Some(body) if takes && !body.is_null() => body,
            _ => return Ok(self.params.clone()),
        };
        if !body.is_object() {
            return Err(MessageError {
                pointer: String::new(),
                reason: "The body must be an object.".to_owned(),
            });
        }
        let mut merged = match self.version {
            Version::V1_0 => body,
            Version::V0_3 => proto::body_to_v1_0(self.operation, body)?,
        };
        if let (Some(members), Some(said)) = (merged.as_object_mut(), self.params.as_object()) {
            if said.contains_key("taskId") {
                members.shift_remove("task_id");
            }
            members.extend(said.clone());
        }
        Ok(merged)
    }
}
