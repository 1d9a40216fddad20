//! 0.3's proto form: there and back, held to the proto's own members.

use proptest::prelude::*;

use super::*;
use crate::a2a::rest::proto::{
    answer_from_v1_0, answer_to_v1_0, body_from_v1_0, body_to_v1_0, read_item, write_item,
};

/// Names and types of the proto (package a2a.v1 of 0.3.0, with the part's metadata and the file's
/// name that its later builds have). `*` is a list, `?` free JSON.
const PROTO: [(&str, &[(&str, &str)]); 18] = [
    (
        "SendMessageRequest",
        &[
            ("message", "Message"),
            ("configuration", "Configuration"),
            ("metadata", "?"),
        ],
    ),
    (
        "Configuration",
        &[
            ("acceptedOutputModes", "*string"),
            ("pushNotification", "Push"),
            ("historyLength", "number"),
            ("blocking", "bool"),
        ],
    ),
    (
        "Task",
        &[
            ("id", "string"),
            ("contextId", "string"),
            ("status", "Status"),
            ("artifacts", "*Artifact"),
            ("history", "*Message"),
            ("metadata", "?"),
        ],
    ),
    (
        "Status",
        &[
            ("state", "state"),
            ("message", "Message"),
            ("timestamp", "string"),
        ],
    ),
    (
        "Part",
        &[
            ("text", "string"),
            ("file", "File"),
            ("data", "Data"),
            ("metadata", "?"),
        ],
    ),
    (
        "File",
        &[
            ("fileWithUri", "string"),
            ("fileWithBytes", "string"),
            ("mimeType", "string"),
            ("name", "string"),
        ],
    ),
    ("Data", &[("data", "?")]),
    (
        "Message",
        &[
            ("messageId", "string"),
            ("contextId", "string"),
            ("taskId", "string"),
            ("role", "role"),
            ("content", "*Part"),
            ("metadata", "?"),
            ("extensions", "*string"),
        ],
    ),
    (
        "Artifact",
        &[
            ("artifactId", "string"),
            ("name", "string"),
            ("description", "string"),
            ("parts", "*Part"),
            ("metadata", "?"),
            ("extensions", "*string"),
        ],
    ),
    (
        "StatusUpdate",
        &[
            ("taskId", "string"),
            ("contextId", "string"),
            ("status", "Status"),
            ("final", "bool"),
            ("metadata", "?"),
        ],
    ),
    (
        "ArtifactUpdate",
        &[
            ("taskId", "string"),
            ("contextId", "string"),
            ("artifact", "Artifact"),
            ("append", "bool"),
            ("lastChunk", "bool"),
            ("metadata", "?"),
        ],
    ),
    (
        "Item",
        &[
            ("task", "Task"),
            ("message", "Message"),
            ("statusUpdate", "StatusUpdate"),
            ("artifactUpdate", "ArtifactUpdate"),
        ],
    ),
    (
        "Push",
        &[
            ("id", "string"),
            ("url", "string"),
            ("token", "string"),
            ("authentication", "Authentication"),
        ],
    ),
    (
        "Authentication",
        &[("schemes", "*string"), ("credentials", "string")],
    ),
    (
        "Config",
        &[("name", "string"), ("pushNotificationConfig", "Push")],
    ),
    (
        "CreateConfig",
        &[
            ("parent", "string"),
            ("configId", "string"),
            ("config", "Config"),
        ],
    ),
    (
        "Configs",
        &[("configs", "*Config"), ("nextPageToken", "string")],
    ),
    ("Cancel", &[("name", "string")]),
];

/// A name in the proto holds both ids, with slashes between.
fn without_slash(mut config: Value) -> Value {
    for name in ["id", "taskId"] {
        let id = config[name].as_str().unwrap_or_default().replace('/', "_");
        config[name] = Value::from(id);
    }
    config
}

/// What is wrong with a value by the proto, as a strict reader would say.
fn fault(kind: &str, value: &Value) -> Option<String> {
    if let Some(one) = kind.strip_prefix('*') {
        let Some(list) = value.as_array() else {
            return Some(format!("{value} is no list"));
        };
        return list.iter().find_map(|value| fault(one, value));
    }
    let states = [
        "UNSPECIFIED",
        "SUBMITTED",
        "WORKING",
        "COMPLETED",
        "FAILED",
        "CANCELLED",
        "INPUT_REQUIRED",
        "REJECTED",
        "AUTH_REQUIRED",
    ];
    let good = match kind {
        "string" => value.is_string(),
        "number" => value.is_i64(),
        "bool" => value.is_boolean(),
        "role" => value == "ROLE_USER" || value == "ROLE_AGENT",
        "state" => states
            .iter()
            .any(|one| *value == json!(format!("TASK_STATE_{one}"))),
        "?" => value.is_object(),
        _ => {
            let (_, known) = PROTO.iter().find(|(name, _)| *name == kind).expect(kind);
            let Some(members) = value.as_object() else {
                return Some(format!("{value} is no {kind}"));
            };
            return members.iter().find_map(|(name, one)| {
                match known.iter().find(|(known, _)| known == name) {
                    Some((_, kind)) => fault(kind, one),
                    None => Some(format!("{kind} has no member {name}")),
                }
            });
        }
    };
    (!good).then(|| format!("{value} is no {kind}"))
}

proptest! {
    #[test]
    fn items_there_and_back(item in item(), last in any::<bool>()) {
        let read = crate::a2a::translate::Item::read(&item).expect("sound");
        let old = write_item(&read, last);
        prop_assert_eq!(fault("Item", &old), None);
        let back = read_item(old.clone()).expect("sound");
        prop_assert_eq!(back.write(Version::V1_0, false), item.clone());
        let is_status = item.get("statusUpdate").is_some();
        prop_assert_eq!(back.last, is_status.then_some(last));
        for operation in [Operation::Send, Operation::SendStream, Operation::Subscribe] {
            let old = answer_from_v1_0(operation, &item).expect("sound");
            prop_assert_eq!(fault("Item", &old), None);
            prop_assert_eq!(&answer_to_v1_0(operation, old).expect("sound"), &item);
        }
    }

    #[test]
    fn tasks_and_lists_there_and_back(tasks in prop::collection::vec(task(), 0..3)) {
        for task in &tasks {
            let old = answer_from_v1_0(Operation::GetTask, task).expect("sound");
            prop_assert_eq!(fault("Task", &old), None);
            let back = answer_to_v1_0(Operation::CancelTask, old).expect("sound");
            prop_assert_eq!(&back, task);
        }
        let list = json!({ "tasks": tasks, "nextPageToken": "", "pageSize": 50, "totalSize": 3 });
        let old = answer_from_v1_0(Operation::ListTasks, &list).expect("sound");
        prop_assert_eq!(fault("*Task", &old["tasks"]), None);
        prop_assert_eq!(answer_to_v1_0(Operation::ListTasks, old).expect("sound"), list);
    }

    #[test]
    fn configs_there_and_back(configs in prop::collection::vec(push().prop_map(without_slash), 0..3)) {
        for config in &configs {
            let old = answer_from_v1_0(Operation::PushGet, config).expect("sound");
            prop_assert_eq!(fault("Config", &old), None);
            let back = answer_to_v1_0(Operation::PushCreate, old).expect("sound");
            prop_assert_eq!(&back, config);
        }
        let list = json!({ "configs": configs, "nextPageToken": "n" });
        let old = answer_from_v1_0(Operation::PushList, &list).expect("sound");
        prop_assert_eq!(fault("Configs", &old), None);
        prop_assert_eq!(answer_to_v1_0(Operation::PushList, old).expect("sound"), list);
    }

    #[test]
    fn bodies_are_the_protos((operation, params) in params()) {
        let body = body_from_v1_0(operation, &params).expect("sound");
        let kind = match operation {
            Operation::Send | Operation::SendStream => "SendMessageRequest",
            Operation::PushCreate => "CreateConfig",
            Operation::CancelTask => "Cancel",
            _ => {
                prop_assert_eq!(body, Value::Null);
                return Ok(());
            }
        };
        prop_assert_eq!(fault(kind, &body), None);
    }

    #[test]
    fn no_json_makes_it_panic_and_what_passes_is_the_protos(value in wild()) {
        for operation in ALL {
            let _ = answer_to_v1_0(operation, value.clone());
            let _ = body_to_v1_0(operation, value.clone());
            let _ = answer_from_v1_0(operation, &value);
            let _ = body_from_v1_0(operation, &value);
        }
        if let Ok(item) = read_item(value) {
            let _ = write_item(&item, true);
        }
    }
}
