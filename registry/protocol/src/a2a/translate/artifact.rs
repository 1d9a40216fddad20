//! Artifacts.

use serde_json::Value;

use super::{Fault, Members, extras, fault, member, metadata, needed, object, put, text, texts};
use crate::a2a::Version;
use crate::a2a::message::Part;

const KNOWN: [&str; 7] = [
    "artifactId",
    "artifact_id",
    "name",
    "description",
    "parts",
    "metadata",
    "extensions",
];

/// An artifact of either dialect, written in one. Its parts may be none.
///
/// # Errors
/// The first place that cannot be understood.
pub fn artifact(value: &Value, to: Version) -> Result<Value, Fault> {
    let from = object(value, "")?;
    let mut out = Members::new();
    put(
        &mut out,
        "artifactId",
        Some(needed(from, &["artifactId", "artifact_id"], "")?),
    );
    put(&mut out, "name", text(from, &["name"], "")?);
    put(&mut out, "description", text(from, &["description"], "")?);
    let list = match member(from, &["parts"]) {
        None => &[][..],
        Some(Value::Array(list)) => list,
        Some(_) => return fault("/parts", "It must be a list."),
    };
    let mut parts = Vec::with_capacity(list.len());
    for (index, value) in list.iter().enumerate() {
        let part = Part::parse(value).map_err(|error| Fault {
            pointer: format!("/parts/{index}{}", error.pointer),
            ..error
        })?;
        parts.push(match to {
            Version::V0_3 => part.to_v0_3(),
            Version::V1_0 => part.to_v1_0(),
        });
    }
    out.insert("parts".to_owned(), parts.into());
    super::message::keep_of_parts(member(from, &["parts"]), out.get_mut("parts"));
    metadata(from, "", &mut out)?;
    put(&mut out, "extensions", texts(from, &["extensions"], "")?);
    extras(from, &KNOWN, &mut out);
    Ok(Value::Object(out))
}
