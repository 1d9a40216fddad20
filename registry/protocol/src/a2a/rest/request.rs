//! How an operation is asked of an agent that speaks REST: the reverse of routing.

use serde_json::{Value, json};

use super::{percent, proto, query};
use crate::a2a::message::MessageError;
use crate::a2a::{Operation, Version};

/// A request to an agent, to be put below the address of its interface.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// `GET`, `POST` or `DELETE`.
    pub method: &'static str,
    /// Encoded, with a slash in front and none at the end.
    pub path: String,
    /// Encoded, without the question mark; "" for none.
    pub query: String,
    /// JSON, where there is a body.
    pub body: Option<Value>,
}

/// Asks for an operation in a version. `params` are in 1.0's form; `tenant` is that of the chosen
/// interface, which only 1.0 knows.
///
/// # Errors
/// An id that is missing or that no path can hold (`.` and `..`, which are steps), and for 0.3
/// the first place of the parameters that cannot be understood.
pub fn request(
    operation: Operation,
    version: Version,
    params: &Value,
    tenant: Option<&str>,
) -> Result<Request, MessageError> {
    let tenant = tenant.filter(|tenant| !tenant.is_empty() && version == Version::V1_0);
    let base = match (version, tenant) {
        (Version::V0_3, _) => "/v1".to_owned(),
        (Version::V1_0, None) => String::new(),
        (Version::V1_0, Some(tenant)) => format!("/{}", segment(tenant, "/tenant")?),
    };
    let (method, path) = target(operation, version, params)?;
    Ok(Request {
        method,
        path: format!("{base}/{path}"),
        query: query::write(operation, version, params),
        body: body(operation, version, params, tenant)?,
    })
}

/// Method and path below `/v1` or the tenant.
fn target(
    operation: Operation,
    version: Version,
    params: &Value,
) -> Result<(&'static str, String), MessageError> {
    let id = |name: &str| {
        let place = format!("/{name}");
        segment(
            params.get(name).and_then(Value::as_str).unwrap_or_default(),
            &place,
        )
    };
    Ok(match operation {
        Operation::Send => ("POST", "message:send".to_owned()),
        Operation::SendStream => ("POST", "message:stream".to_owned()),
        Operation::ListTasks => ("GET", "tasks".to_owned()),
        Operation::GetTask => ("GET", format!("tasks/{}", id("id")?)),
        Operation::CancelTask => ("POST", format!("tasks/{}:cancel", id("id")?)),
        // Of 0.3's servers all take GET and some take nothing else; 1.0's prose says POST.
        Operation::Subscribe => {
            let method = match version {
                Version::V0_3 => "GET",
                Version::V1_0 => "POST",
            };
            (method, format!("tasks/{}:subscribe", id("id")?))
        }
        Operation::PushCreate | Operation::PushList => {
            let method = if operation == Operation::PushCreate {
                "POST"
            } else {
                "GET"
            };
            (
                method,
                format!("tasks/{}/pushNotificationConfigs", id("taskId")?),
            )
        }
        Operation::PushGet | Operation::PushDelete => {
            let method = if operation == Operation::PushGet {
                "GET"
            } else {
                "DELETE"
            };
            let (task, config) = (id("taskId")?, id("id")?);
            (
                method,
                format!("tasks/{task}/pushNotificationConfigs/{config}"),
            )
        }
        Operation::ExtendedCard => {
            let name = match version {
                Version::V0_3 => "card",
                Version::V1_0 => "extendedAgentCard",
            };
            ("GET", name.to_owned())
        }
    })
}

/// One segment of a path. `.` and `..` are steps however they are encoded (URL standard, 4.4).
fn segment(text: &str, pointer: &str) -> Result<String, MessageError> {
    let reason = match text {
        "" => "It is missing.",
        "." | ".." => "It is no id that a path can hold.",
        _ => return Ok(percent::encode(text)),
    };
    Err(MessageError {
        pointer: pointer.to_owned(),
        reason: reason.to_owned(),
    })
}

/// 1.0's servers find ids and tenant in the path; stock clients send them in the body as well,
/// and so do we, for servers that read only one of the two.
fn body(
    operation: Operation,
    version: Version,
    params: &Value,
    tenant: Option<&str>,
) -> Result<Option<Value>, MessageError> {
    let takes = matches!(
        operation,
        Operation::Send | Operation::SendStream | Operation::CancelTask | Operation::PushCreate
    );
    if !takes {
        return Ok(None);
    }
    if version == Version::V0_3 {
        return proto::body_from_v1_0(operation, params).map(Some);
    }
    let mut body = params.clone();
    if let Some(members) = body.as_object_mut() {
        members.shift_remove("tenant");
        if let Some(tenant) = tenant {
            members.insert("tenant".to_owned(), json!(tenant));
        }
    }
    Ok(Some(body))
}
