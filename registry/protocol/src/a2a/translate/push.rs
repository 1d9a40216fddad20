//! Push notification configs, which the dialects nest differently.

use serde_json::{Value, json};

use super::task::at;
use super::{Fault, Members, extras, fault, found, member, needed, object, put, text, texts};
use crate::a2a::{Operation, Version};

const NESTED: [&str; 2] = ["pushNotificationConfig", "push_notification_config"];
const KNOWN: [&str; 10] = [
    "taskId",
    "task_id",
    "id",
    "url",
    "token",
    "authentication",
    NESTED[0],
    NESTED[1],
    "tenant",
    "kind",
];

/// A config in 1.0's flat form, read from either dialect's: flat, or 0.3's `{taskId, pushNotificationConfig}`,
/// or 0.3's inner object alone as a message's configuration has it.
///
/// # Errors
/// The first place that cannot be understood.
pub(super) fn read_members(outer: &Members) -> Result<Members, Fault> {
    let (inner, base) = match found(outer, &NESTED) {
        Some((name, inner)) => {
            let base = format!("/{name}");
            (object(inner, &base)?, base)
        }
        None => (outer, String::new()),
    };
    let mut out = Members::new();
    put(&mut out, "taskId", text(outer, &["taskId", "task_id"], "")?);
    put(&mut out, "id", text(inner, &["id"], &base)?);
    put(&mut out, "url", Some(needed(inner, &["url"], &base)?));
    put(&mut out, "token", text(inner, &["token"], &base)?);
    if let Some(value) = member(inner, &["authentication"]) {
        let auth = authentication(value, &format!("{base}/authentication"))?;
        put(&mut out, "authentication", auth);
    }
    extras(inner, &KNOWN, &mut out);
    extras(outer, &KNOWN, &mut out);
    Ok(out)
}

/// How the receiver is told who calls: of several schemes of 0.3 the first. `None` when nothing is
/// said.
fn authentication(value: &Value, place: &str) -> Result<Option<Members>, Fault> {
    let from = object(value, place)?;
    let schemes = texts(from, &["schemes"], place)?;
    let first = schemes.as_ref().and_then(|schemes| schemes.get(0));
    let scheme = match text(from, &["scheme"], place)? {
        Some(scheme) => Some(scheme),
        None => first.and_then(Value::as_str).map(str::to_owned),
    };
    let mut auth = Members::new();
    let silent = scheme.as_deref().is_none_or(str::is_empty);
    put(&mut auth, "scheme", scheme.filter(|_| !silent));
    put(
        &mut auth,
        "credentials",
        text(from, &["credentials"], place)?,
    );
    extras(from, &["schemes", "scheme", "credentials"], &mut auth);
    match (silent, auth.is_empty()) {
        (true, true) => Ok(None),
        (true, false) => fault(format!("{place}/scheme"), "It is missing."),
        (false, _) => Ok(Some(auth)),
    }
}

/// The inner object of 0.3 from a flat config.
pub(super) fn inner_v0_3(flat: &Value) -> Value {
    let mut inner = flat.as_object().cloned().unwrap_or_default();
    inner.shift_remove("taskId");
    inner.shift_remove("tenant");
    if let Some(Value::Object(auth)) = inner.get_mut("authentication") {
        let scheme = auth.shift_remove("scheme");
        auth.insert("schemes".to_owned(), scheme.into_iter().collect::<Value>());
    }
    Value::Object(inner)
}

/// One config of either dialect, written in one, as config methods answer it. Without the id of
/// its task, which a path may name, it has no form in 0.3.
///
/// # Errors
/// The first place that cannot be understood.
pub fn push_config(value: &Value, to: Version) -> Result<Value, Fault> {
    let flat = read_members(object(value, "")?)?;
    let task_id = flat.get("taskId").cloned();
    let flat = Value::Object(flat);
    match (to, task_id) {
        (Version::V1_0, _) => Ok(flat),
        (Version::V0_3, None) => fault("/taskId", "It is missing."),
        (Version::V0_3, Some(task_id)) => Ok(json!({
            "taskId": task_id,
            "pushNotificationConfig": inner_v0_3(&flat),
        })),
    }
}

/// The result of a config method, in either dialect, written in one.
///
/// # Errors
/// The first place that cannot be understood.
pub fn push_result(operation: Operation, value: &Value, to: Version) -> Result<Value, Fault> {
    match operation {
        Operation::PushDelete => Ok(match to {
            Version::V0_3 => Value::Null,
            Version::V1_0 => json!({}),
        }),
        Operation::PushList => {
            let (list, base, more) = match value {
                Value::Array(list) => (list.as_slice(), "", None),
                Value::Object(members) => {
                    let more = text(members, &["nextPageToken", "next_page_token"], "")?;
                    match member(members, &["configs"]) {
                        Some(Value::Array(list)) => (list.as_slice(), "/configs", more),
                        None => (&[][..], "", more),
                        Some(_) => return fault("/configs", "It must be a list."),
                    }
                }
                Value::Null => (&[][..], "", None),
                _ => return fault("", "It must be a list of configs."),
            };
            let mut configs = Vec::with_capacity(list.len());
            for (index, config) in list.iter().enumerate() {
                configs.push(push_config(config, to).map_err(at(&format!("{base}/{index}")))?);
            }
            Ok(match to {
                Version::V0_3 => configs.into(),
                Version::V1_0 => json!({
                    "configs": configs,
                    "nextPageToken": more.unwrap_or_default(),
                }),
            })
        }
        _ => push_config(value, to),
    }
}
