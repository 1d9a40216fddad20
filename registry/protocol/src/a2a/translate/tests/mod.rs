//! What the tests of translation are fed with: sound values, and odd ones.

mod errors;
mod params;
mod properties;
mod reports;
mod results;
mod streams;
mod tasks;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::a2a::{Operation, Version};

const BOTH: [Version; 2] = [Version::V0_3, Version::V1_0];

fn small_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z.]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,5}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn bag() -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::btree_map("x[a-z.]{1,5}", small_json(), 1..3)
        .prop_map(|map| map.into_iter().collect())
}

/// What neither dialect knows.
fn unknown() -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::btree_map("y[a-z]{1,5}", small_json(), 0..2)
        .prop_map(|map| map.into_iter().collect())
}

/// The value with more members, where they are not there.
fn with(mut value: Value, more: impl IntoIterator<Item = (String, Value)>) -> Value {
    if let Some(members) = value.as_object_mut() {
        for (name, value) in more {
            members.entry(name).or_insert(value);
        }
    }
    value
}

fn named(name: &str, value: Option<impl Into<Value>>) -> Option<(String, Value)> {
    value.map(|value| (name.to_owned(), value.into()))
}

fn part_1_0() -> impl Strategy<Value = Value> {
    let data = small_json().prop_filter("1.0 has no null data", |value| !value.is_null());
    let said = prop_oneof![
        "[ -~]{0,12}".prop_map(|text| json!({ "text": text })),
        data.prop_map(|data| json!({ "data": data })),
    ];
    let file = prop_oneof![
        Just(json!({ "raw": "aGk=" })),
        Just(json!({ "raw": "" })),
        Just(json!({ "url": "https://quay.guildhall-demo.net/a" })),
    ];
    let file = (file, prop::option::of("[a-z]{1,5}"))
        .prop_map(|(file, name)| with(file, named("filename", name)));
    (
        prop_oneof![2 => said, 1 => file],
        prop::option::of("[a-z]{1,3}/[a-z]{1,3}"),
        prop::option::of(bag()),
        unknown(),
    )
        .prop_map(|(part, media, metadata, more)| {
            let more = more.into_iter().chain(named("mediaType", media));
            with(part, more.chain(named("metadata", metadata)))
        })
}

fn parts_1_0() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(part_1_0(), 1..3)
}

fn message_1_0() -> impl Strategy<Value = Value> {
    let id = || prop::option::of("[a-zA-Z0-9-]{1,12}");
    let list = || prop::option::of(prop::collection::vec("[a-z:]{1,8}", 1..3));
    (
        prop::sample::select(vec!["ROLE_USER", "ROLE_AGENT"]),
        "[a-z]{1,4}",
        parts_1_0(),
        (id(), id(), list(), list()),
        prop::option::of(bag()),
        unknown(),
    )
        .prop_map(
            |(role, id, parts, (context, task, uris, tasks), metadata, more)| {
                let message = json!({ "role": role, "messageId": id, "parts": parts });
                let more = more
                    .into_iter()
                    .chain(named("contextId", context))
                    .chain(named("taskId", task))
                    .chain(named("extensions", uris))
                    .chain(named("referenceTaskIds", tasks));
                with(message, more.chain(named("metadata", metadata)))
            },
        )
}

const STATES: [&str; 9] = [
    "SUBMITTED",
    "WORKING",
    "INPUT_REQUIRED",
    "COMPLETED",
    "CANCELED",
    "FAILED",
    "REJECTED",
    "AUTH_REQUIRED",
    "UNSPECIFIED",
];

fn status_of_states(states: &'static [&'static str]) -> impl Strategy<Value = Value> {
    (
        prop::sample::select(states),
        prop::option::of(message_1_0()),
        prop::option::of("2026-01-02T03:04:05(\\.[0-9]{3}|\\.[0-9]{6})?Z"),
        unknown(),
    )
        .prop_map(|(state, said, time, more)| {
            let more = more.into_iter().chain(named("message", said));
            let status = json!({ "state": format!("TASK_STATE_{state}") });
            with(status, more.chain(named("timestamp", time)))
        })
}

fn status_1_0() -> impl Strategy<Value = Value> {
    status_of_states(&STATES)
}

fn artifact_1_0() -> impl Strategy<Value = Value> {
    (
        "[a-c]",
        parts_1_0(),
        prop::option::of("[a-z]{1,5}"),
        prop::option::of(bag()),
        prop::option::of(prop::collection::vec("[a-z:]{1,8}", 0..3)),
        unknown(),
    )
        .prop_map(|(id, parts, name, metadata, uris, more)| {
            let more = more
                .into_iter()
                .chain(named("name", name.clone()))
                .chain(named("description", name))
                .chain(named("metadata", metadata));
            let artifact = json!({ "artifactId": id, "parts": parts });
            with(artifact, more.chain(named("extensions", uris)))
        })
}

fn task_1_0() -> impl Strategy<Value = Value> {
    (
        status_1_0(),
        prop::collection::vec(artifact_1_0(), 0..3),
        prop::collection::vec(message_1_0(), 0..3),
        unknown(),
    )
        .prop_map(|(status, artifacts, history, more)| {
            let task = json!({
                "id": "t", "contextId": "c", "status": status, "artifacts": artifacts,
                "history": history, "metadata": { "a.b": 1 }, "generation": 7,
            });
            with(task, more)
        })
}

fn item_1_0() -> impl Strategy<Value = Value> {
    let status = (status_1_0(), prop::option::of(bag()), unknown()).prop_map(
        |(status, metadata, more)| {
            let update = json!({ "taskId": "t", "contextId": "c", "status": status });
            json!({ "statusUpdate": with(update, more.into_iter().chain(named("metadata", metadata))) })
        },
    );
    let flag = || prop::option::of(any::<bool>());
    let artifact =
        (artifact_1_0(), flag(), flag(), unknown()).prop_map(|(artifact, append, last, more)| {
            let update = json!({ "taskId": "t", "contextId": "c", "artifact": artifact });
            let more = more.into_iter().chain(named("append", append));
            json!({ "artifactUpdate": with(update, more.chain(named("lastChunk", last))) })
        });
    let message = message_1_0().prop_map(|message| json!({ "message": message }));
    let task = task_1_0().prop_map(|task| json!({ "task": task }));
    prop_oneof![task, status, artifact, message]
}

fn push_1_0() -> impl Strategy<Value = Value> {
    (
        prop::option::of("[a-z]{1,4}"),
        prop::option::of("[a-z]{1,4}"),
        prop::option::of(prop::option::of("[a-z]{1,4}")),
        unknown(),
    )
        .prop_map(|(id, token, auth, more)| {
            let config = json!({ "url": "https://hooks.guildhall-demo.net/x" });
            let auth = auth
                .map(|secret| with(json!({ "scheme": "Bearer" }), named("credentials", secret)));
            let more = more.into_iter().chain(named("id", id));
            with(
                config,
                more.chain(named("token", token))
                    .chain(named("authentication", auth)),
            )
        })
}

fn send_1_0() -> impl Strategy<Value = Value> {
    let configuration = (
        prop::option::of(prop::collection::vec("[a-z/]{1,6}", 0..3)),
        any::<bool>(),
        prop::option::of(1_i64..9),
        prop::option::of(push_1_0()),
        unknown(),
    )
        .prop_map(|(modes, at_once, length, push, more)| {
            let more = more.into_iter().chain(named("acceptedOutputModes", modes));
            let more = more.chain(named("historyLength", length));
            let more = more.chain(named("taskPushNotificationConfig", push));
            with(json!({ "returnImmediately": at_once }), more)
        });
    (
        message_1_0(),
        configuration,
        prop::option::of(bag()),
        unknown(),
    )
        .prop_map(|(message, configuration, metadata, more)| {
            let params = json!({ "message": message, "configuration": configuration });
            with(params, more.into_iter().chain(named("metadata", metadata)))
        })
}

const ALL: [Operation; 11] = [
    Operation::Send,
    Operation::SendStream,
    Operation::GetTask,
    Operation::ListTasks,
    Operation::CancelTask,
    Operation::Subscribe,
    Operation::PushCreate,
    Operation::PushGet,
    Operation::PushList,
    Operation::PushDelete,
    Operation::ExtendedCard,
];

/// An operation with parameters that both dialects can say, in 1.0's form.
fn params_1_0() -> impl Strategy<Value = (Operation, Value)> {
    let bodies = (
        send_1_0(),
        push_1_0(),
        prop::option::of(1_i64..9),
        prop::option::of(bag()),
        unknown(),
    );
    (prop::sample::select(ALL.to_vec()), bodies).prop_map(
        |(operation, (send, push, length, metadata, more))| {
            let plain = with(json!({ "id": "t" }), named("metadata", metadata));
            let value = match operation {
                Operation::Send | Operation::SendStream => send,
                Operation::GetTask => with(plain, named("historyLength", length)),
                Operation::CancelTask | Operation::Subscribe => plain,
                Operation::ListTasks => with(
                    json!({ "contextId": "c", "status": "TASK_STATE_WORKING", "pageSize": 7 }),
                    named("historyLength", length),
                ),
                Operation::PushCreate => with(push, named("taskId", Some("t"))),
                Operation::PushGet | Operation::PushDelete => json!({ "taskId": "t", "id": "p" }),
                Operation::PushList => json!({ "taskId": "t" }),
                Operation::ExtendedCard => json!({}),
            };
            (operation, with(value, more))
        },
    )
}

fn read(operation: Operation, value: &Value, from: Version) -> Result<Params, Fault> {
    Params::read(operation, Some(value), from, &MissingId::Refuse)
}

/// JSON that looks like A2A until one looks closely.
fn odd() -> impl Strategy<Value = Value> {
    const NAMES: [&str; 24] = [
        "kind",
        "task",
        "message",
        "statusUpdate",
        "artifactUpdate",
        "id",
        "taskId",
        "contextId",
        "status",
        "state",
        "parts",
        "role",
        "artifact",
        "artifacts",
        "history",
        "configuration",
        "blocking",
        "historyLength",
        "pushNotificationConfig",
        "authentication",
        "schemes",
        "configs",
        "url",
        "messageId",
    ];
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        prop::sample::select(vec!["task", "message", "user", "working", "text", "x", ""])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(NAMES.to_vec()), inner), 0..6).prop_map(
                |pairs| Value::Object(
                    pairs
                        .into_iter()
                        .map(|(name, value)| (name.to_owned(), value))
                        .collect()
                )
            ),
        ]
    })
}
