//! Translation between A2A 0.3 and 1.0, from JSON to JSON.
//!
//! Everything is read leniently in either dialect and written strictly in one. Members that no
//! dialect knows stay where they were. What is no A2A at all is an error with its place, so that
//! no wrong shape is ever passed on.

use serde_json::{Map, Value};

use super::message::MessageError;
use crate::exact;

mod artifact;
mod error;
mod item;
mod message;
mod moment;
mod params;
mod push;
mod result;
mod state;
mod stream;
mod task;

#[cfg(test)]
mod tests;

pub use artifact::artifact;
pub use error::{in_dialect, read_error};
pub use item::{Item, Kind};
pub use message::message;
pub use params::{Dialect, MissingId, Params};
pub use push::{push_config, push_result};
pub use result::{InvalidAgentResponse, answer, result};
pub use state::TaskState;
pub use stream::{Ending, StreamTranslation};
pub use task::{apply, blank, status, status_of, task, trim_history};

type Members = Map<String, Value>;

/// A value that is not what it should be, and where.
type Fault = MessageError;

fn fault<T>(pointer: impl Into<String>, reason: impl Into<String>) -> Result<T, Fault> {
    Err(Fault {
        pointer: pointer.into(),
        reason: reason.into(),
    })
}

/// The first of several spellings that is present and not null.
fn member<'a>(object: &'a Members, names: &[&str]) -> Option<&'a Value> {
    found(object, names).map(|(_, value)| value)
}

/// As [`member`], with the spelling.
fn found<'a, 'n>(object: &'a Members, names: &[&'n str]) -> Option<(&'n str, &'a Value)> {
    names.iter().find_map(|name| {
        let value = object.get(*name).filter(|value| !value.is_null())?;
        Some((*name, value))
    })
}

fn object<'a>(value: &'a Value, pointer: &str) -> Result<&'a Members, Fault> {
    match value.as_object() {
        Some(members) => Ok(members),
        None => fault(pointer, "It must be an object."),
    }
}

/// A text; an empty one counts as absent, as in the proto form of 1.0.
fn text(object: &Members, names: &[&str], pointer: &str) -> Result<Option<String>, Fault> {
    match found(object, names) {
        None => Ok(None),
        Some((_, Value::String(text))) if text.is_empty() => Ok(None),
        Some((_, Value::String(text))) => Ok(Some(text.clone())),
        Some((name, _)) => fault(format!("{pointer}/{name}"), "It must be a text."),
    }
}

/// A list of texts.
fn texts(object: &Members, names: &[&str], pointer: &str) -> Result<Option<Value>, Fault> {
    let Some((name, value)) = found(object, names) else {
        return Ok(None);
    };
    let Some(list) = value.as_array() else {
        return fault(format!("{pointer}/{name}"), "It must be a list of texts.");
    };
    match list.iter().position(|one| !one.is_string()) {
        None => Ok(Some(value.clone())),
        Some(index) => fault(format!("{pointer}/{name}/{index}"), "It must be a text."),
    }
}

fn needed(object: &Members, names: &[&str], pointer: &str) -> Result<String, Fault> {
    match text(object, names, pointer)? {
        Some(text) => Ok(text),
        None => fault(format!("{pointer}/{}", names[0]), "It is missing."),
    }
}

/// A whole number within bounds, as 1.0's proto form has it (also written as `5.0` or `"5"`).
fn whole(
    object: &Members,
    names: &[&str],
    pointer: &str,
    bounds: std::ops::RangeInclusive<i64>,
) -> Result<Option<i64>, Fault> {
    let Some((name, value)) = found(object, names) else {
        return Ok(None);
    };
    match number(value) {
        Some(number) if bounds.contains(&number) => Ok(Some(number)),
        _ => fault(
            format!("{pointer}/{name}"),
            format!(
                "It must be a whole number from {} to {}.",
                bounds.start(),
                bounds.end()
            ),
        ),
    }
}

fn number(value: &Value) -> Option<i64> {
    let literal = match value {
        Value::Number(number) => number.clone(),
        Value::String(text) => {
            if let Ok(number) = text.parse() {
                return Some(number);
            }
            // A literal that is carried as it was written.
            let literal = exact::unshield(&format!("\"{text}\"")).into_owned();
            serde_json::from_str(&literal).ok()?
        }
        _ => return None,
    };
    literal.as_i64().or_else(|| {
        // Exact within the bounds that are asked for here.
        let float = literal.as_f64().filter(|float| float.fract() == 0.0)?;
        format!("{float:.0}").parse().ok()
    })
}

fn flag(object: &Members, names: &[&str], pointer: &str) -> Result<Option<bool>, Fault> {
    match found(object, names) {
        None => Ok(None),
        Some((_, Value::Bool(flag))) => Ok(Some(*flag)),
        Some((name, _)) => fault(format!("{pointer}/{name}"), "It must be true or false."),
    }
}

fn metadata(object: &Members, pointer: &str, out: &mut Members) -> Result<(), Fault> {
    match member(object, &["metadata"]) {
        None => Ok(()),
        Some(value @ Value::Object(_)) => {
            out.insert("metadata".to_owned(), value.clone());
            Ok(())
        }
        Some(_) => fault(format!("{pointer}/metadata"), "It must be an object."),
    }
}

/// Copies what no dialect knows.
fn extras(from: &Members, known: &[&str], out: &mut Members) {
    for (name, value) in from {
        if !known.contains(&name.as_str()) && !out.contains_key(name) {
            out.insert(name.clone(), value.clone());
        }
    }
}

fn put(out: &mut Members, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        out.insert(name.to_owned(), value.into());
    }
}
