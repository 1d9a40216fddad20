//! Writing parameters for 0.3.

use serde_json::{Value, json};

use super::Params;
use crate::a2a::translate::{Members, message, push, put};
use crate::a2a::{Operation, Version};

pub(super) fn in_v0_3(params: &Params) -> Value {
    let mut out = params.value.as_object().cloned().unwrap_or_default();
    match params.operation {
        Operation::Send | Operation::SendStream => send(params, &mut out),
        Operation::PushCreate => {
            let inner = push::inner_v0_3(&params.value);
            out.retain(|name, _| name == "taskId");
            out.insert("pushNotificationConfig".to_owned(), inner);
        }
        Operation::PushGet | Operation::PushDelete | Operation::PushList => {
            let (task, config) = (out.shift_remove("taskId"), out.shift_remove("id"));
            // 0.3 lists all at once.
            out.retain(|name, _| !matches!(name.as_str(), "pageSize" | "pageToken"));
            put(&mut out, "id", task);
            put(&mut out, "pushNotificationConfigId", config);
        }
        Operation::GetTask => without_zero(&mut out),
        Operation::CancelTask
        | Operation::Subscribe
        | Operation::ListTasks
        | Operation::ExtendedCard => {}
    }
    Value::Object(out)
}

fn send(params: &Params, out: &mut Members) {
    if let Some(said) = out.get_mut("message") {
        // What was read is sound in either dialect.
        *said = message(said, Version::V0_3).unwrap_or_default();
    }
    let blocking = params.at_once().map(|at_once| !at_once);
    if let Some(Value::Object(configuration)) = out.get_mut("configuration") {
        configuration.shift_remove("returnImmediately");
        put(configuration, "blocking", blocking);
        without_zero(configuration);
        if let Some(config) = configuration.shift_remove("taskPushNotificationConfig") {
            let inner = push::inner_v0_3(&config);
            configuration.insert("pushNotificationConfig".to_owned(), inner);
        }
    } else if let (Some(blocking), Operation::Send) = (blocking, params.operation) {
        // What 1.0 means by saying nothing must be said in 0.3.
        out.insert("configuration".to_owned(), json!({ "blocking": blocking }));
    }
}

/// 0 means "no limit" to 0.3: the history is left out of the answer instead.
fn without_zero(members: &mut Members) {
    if members.get("historyLength") == Some(&json!(0)) {
        members.shift_remove("historyLength");
    }
}
