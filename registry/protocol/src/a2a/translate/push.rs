//! Push notification configs, which the dialects nest differently.

use serde_json::{Value, json};

use super::{Fault, Members, extras, fault, member, needed, object, put, text};
use crate::a2a::{Operation, Version};

/// A config in 1.0's flat form, read from either dialect's: flat, or 0.3's `{taskId, pushNotificationConfig}`,
/// or 0.3's inner object alone as a message's configuration has it.
///
/// # Errors
/// The first place that cannot be understood.
pub(super) fn read(value: &Value) -> Result<Value, Fault> {
    let outer = object(value, "")?;
    let nested = ["pushNotificationConfig", "push_notification_config"];
    let (inner, base) = match member(outer, &nested) {
        Some(inner) => (
            object(inner, "/pushNotificationConfig")?,
            "/pushNotificationConfig",
        ),
        None => (outer, ""),
    };
    let mut out = Members::new();
    put(&mut out, "taskId", text(outer, &["taskId", "task_id"], "")?);
    put(&mut out, "id", text(inner, &["id"], base)?);
    put(&mut out, "url", Some(needed(inner, &["url"], base)?));
    put(&mut out, "token", text(inner, &["token"], base)?);
    if let Some(value) = member(inner, &["authentication"]) {
        let place = format!("{base}/authentication");
        let from = object(value, &place)?;
        let mut auth = Members::new();
        let first = match member(from, &["schemes"]) {
            None => None,
            Some(Value::Array(schemes)) => schemes.first().and_then(Value::as_str),
            Some(_) => return fault(format!("{place}/schemes"), "It must be a list of texts."),
        };
        let scheme = match text(from, &["scheme"], &place)? {
            Some(scheme) => Some(scheme),
            None => first.map(str::to_owned),
        };
        put(&mut auth, "scheme", scheme);
        put(
            &mut auth,
            "credentials",
            text(from, &["credentials"], &place)?,
        );
        extras(from, &["schemes", "scheme", "credentials"], &mut auth);
        out.insert("authentication".to_owned(), auth.into());
    }
    let known = [
        "taskId",
        "task_id",
        "id",
        "url",
        "token",
        "authentication",
        nested[0],
        nested[1],
        "tenant",
        "kind",
    ];
    extras(inner, &known, &mut out);
    Ok(Value::Object(out))
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

/// One config of either dialect, written in one, as config methods answer it.
///
/// # Errors
/// The first place that cannot be understood.
pub fn push_config(value: &Value, to: Version) -> Result<Value, Fault> {
    let flat = read(value)?;
    Ok(match to {
        Version::V1_0 => flat,
        Version::V0_3 => json!({
            "taskId": flat.get("taskId").cloned().unwrap_or_default(),
            "pushNotificationConfig": inner_v0_3(&flat),
        }),
    })
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
            let (list, more) = match value {
                Value::Array(list) => (list.as_slice(), None),
                Value::Object(members) => match member(members, &["configs"]) {
                    Some(Value::Array(list)) => {
                        (list.as_slice(), member(members, &["nextPageToken"]))
                    }
                    None => (&[][..], None),
                    Some(_) => return fault("/configs", "It must be a list."),
                },
                Value::Null => (&[][..], None),
                _ => return fault("", "It must be a list of configs."),
            };
            let configs = list
                .iter()
                .map(|config| push_config(config, to))
                .collect::<Result<Vec<_>, _>>()?;
            Ok(match to {
                Version::V0_3 => configs.into(),
                Version::V1_0 => json!({
                    "configs": configs,
                    "nextPageToken": more.cloned().unwrap_or_else(|| json!("")),
                }),
            })
        }
        _ => push_config(value, to),
    }
}
