//! JSON-RPC 2.0 as A2A uses it: requests, answers, and the codes of errors.

mod error;

#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use crate::exact;
use crate::json::{self, JsonErrorKind};

pub(super) use error::{DOMAIN, ERROR_INFO};
pub use error::{ErrorCode, RpcError};

/// The id of a request; an absent one is answered like null.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Id {
    /// Null or absent.
    #[default]
    Null,
    /// A whole number.
    Number(i64),
    /// A text.
    String(String),
}

impl From<&Id> for Value {
    fn from(id: &Id) -> Self {
        match id {
            Id::Null => Self::Null,
            Id::Number(number) => Self::from(*number),
            Id::String(text) => Self::from(text.as_str()),
        }
    }
}

/// A request with a sound envelope; whether the method exists is not looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// To be given back.
    pub id: Id,
    /// The method; see [`crate::a2a::method`].
    pub method: String,
    /// An object, or absent. See [`Request::object`].
    pub params: Option<Value>,
}

/// A request that was refused, with its id as far as it could be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct Refused {
    /// To be given back; null when it was not readable.
    pub id: Id,
    /// Why.
    pub error: RpcError,
}

impl Request {
    /// The parameters, which every method of A2A but the extended card needs.
    ///
    /// # Errors
    /// -32602 when they are missing.
    pub fn object(&self) -> Result<&Value, RpcError> {
        self.params
            .as_ref()
            .ok_or_else(|| RpcError::invalid_params("params", "The parameters are missing."))
    }
}

/// Reads one request.
///
/// # Errors
/// -32700 for what is not JSON, -32602 for JSON over the depth limit, half a surrogate pair, a
/// repeated member, or parameters that are no object, -32600 for a batch and any other fault of the envelope.
pub fn parse(bytes: &[u8]) -> Result<Request, Refused> {
    // Numbers that a parser would change are carried as they were written.
    let exact = std::str::from_utf8(bytes).map(exact::shield);
    let bytes = exact.as_deref().map_or(bytes, str::as_bytes);
    let value = json::parse(bytes).map_err(|error| {
        let refused = match error.kind {
            JsonErrorKind::TooDeep | JsonErrorKind::Surrogate => {
                RpcError::invalid_params("", &format!("The request is {error}."))
            }
            _ => RpcError::new(ErrorCode::ParseError, format!("Not JSON: {error}.")),
        };
        Refused {
            id: Id::Null,
            error: refused,
        }
    })?;
    let request = from_value(value.value)?;
    // Two readers may take two different ones of a repeated member.
    match value.duplicates.first() {
        None => Ok(request),
        Some(place) => Err(Refused {
            id: request.id,
            error: RpcError::invalid_params(
                place.trim_start_matches('/'),
                "A member stands twice in one object.",
            ),
        }),
    }
}

/// Reads one request that is JSON already. Errors as [`parse`].
///
/// # Errors
/// -32602 for parameters that are no object, -32600 for any other fault of the envelope.
pub fn from_value(value: Value) -> Result<Request, Refused> {
    let invalid = |id, text: &str| {
        Err(Refused {
            id,
            error: RpcError::new(ErrorCode::InvalidRequest, text),
        })
    };
    let mut members = match value {
        Value::Object(members) => members,
        Value::Array(_) => return invalid(Id::Null, "Batches are not taken."),
        _ => return invalid(Id::Null, "A request is a JSON object."),
    };
    let id = match members.get("id") {
        None | Some(Value::Null) => Id::Null,
        Some(Value::String(text)) => Id::String(text.clone()),
        Some(other) => match other.as_i64() {
            Some(number) => Id::Number(number),
            None => return invalid(Id::Null, "The id is a text, a whole number or null."),
        },
    };
    if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return invalid(id, "The member jsonrpc must be \"2.0\".");
    }
    let method = match members.get("method") {
        Some(Value::String(method)) if !method.is_empty() => method.clone(),
        _ => return invalid(id, "The method is missing or no text."),
    };
    let params = match members.get_mut("params").map(Value::take) {
        None | Some(Value::Null) => None,
        Some(params @ Value::Object(_)) => Some(params),
        Some(_) => {
            let error = RpcError::invalid_params("params", "The parameters must be an object.");
            return Err(Refused { id, error });
        }
    };
    Ok(Request { id, method, params })
}

/// A successful answer.
#[must_use]
pub fn response(id: &Id, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": Value::from(id), "result": result})
}

/// A failed answer.
#[must_use]
pub fn error(id: &Id, error: &RpcError) -> Value {
    json!({"jsonrpc": "2.0", "id": Value::from(id), "error": error.to_value()})
}
