//! What the tests of the REST bindings draw from.

mod error;
mod given;
mod proto;
mod route;
mod wild;

use proptest::prelude::*;
use serde_json::{Value, json};
use wild::wild;

use crate::a2a::{Operation, Version};

const BOTH: [Version; 2] = [Version::V0_3, Version::V1_0];

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

/// An object of the members that are there.
fn object<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let present = members
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(present.collect())
}

fn small_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z./]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let name = prop_oneof![Just("data".to_owned()), "[a-z.]{1,5}"];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map(name, inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn bag() -> impl Strategy<Value = Value> {
    prop::collection::btree_map("x[a-z.]{1,5}", small_json(), 1..3)
        .prop_map(|map| Value::Object(map.into_iter().collect()))
}

/// An id of any characters that a path can hold.
fn id() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z0-9-]{1,8}",
        prop::sample::select(vec![
            "a:cancel",
            "tasks/1",
            "%2e%2e",
            "a?b#c",
            "\u{fc} +&=",
            "...",
            "x:subscribe",
            ":",
        ])
        .prop_map(str::to_owned),
        "\\PC{1,6}".prop_filter("no step", |id| id != "." && id != ".."),
    ]
}

fn part() -> impl Strategy<Value = Value> {
    let content = prop_oneof![
        "\\PC{0,12}".prop_map(|text| ("text", json!(text))),
        small_json().prop_map(|data| ("data", data)),
        prop::sample::select(vec!["", "AA==", "aGVsbG8="]).prop_map(|raw| ("raw", json!(raw))),
        "[a-z]{1,6}".prop_map(|name| ("url", json!(format!("https://f.example/{name}")))),
    ];
    (
        content,
        prop::option::of("[a-z]{1,4}\\.txt"),
        prop::option::of(Just("text/x")),
        prop::option::of(bag()),
    )
        .prop_map(|((kind, value), name, media_type, metadata)| {
            // 0.3 has no place for the name of what is no file.
            let file = matches!(kind, "raw" | "url");
            object([
                (kind, Some(value)),
                ("filename", name.filter(|_| file).map(Value::from)),
                ("mediaType", media_type.map(Value::from)),
                ("metadata", metadata),
            ])
        })
}

fn parts() -> impl Strategy<Value = Value> {
    prop::collection::vec(part(), 1..3).prop_map(Value::from)
}

fn message() -> impl Strategy<Value = Value> {
    (
        any::<bool>(),
        parts(),
        id(),
        prop::option::of(id()),
        prop::option::of(id()),
        prop::option::of(bag()),
        prop::collection::vec("urn:[a-z]{1,4}", 0..2),
        prop::collection::vec(id(), 0..2),
    )
        .prop_map(
            |(agent, parts, id, context, task, metadata, extensions, others)| {
                let some = |list: Vec<String>| Some(json!(list)).filter(|_| !list.is_empty());
                object([
                    (
                        "role",
                        Some(json!(if agent { "ROLE_AGENT" } else { "ROLE_USER" })),
                    ),
                    ("parts", Some(parts)),
                    ("messageId", Some(json!(id))),
                    ("contextId", context.map(Value::from)),
                    ("taskId", task.map(Value::from)),
                    ("metadata", metadata),
                    ("extensions", some(extensions)),
                    ("referenceTaskIds", some(others)),
                ])
            },
        )
}

fn status() -> impl Strategy<Value = Value> {
    let states = [
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
    (
        prop::sample::select(states.to_vec()),
        prop::option::of(message()),
        prop::option::of(Just("2026-11-30T10:00:00.125Z")),
    )
        .prop_map(|(state, said, time)| {
            object([
                ("state", Some(json!(format!("TASK_STATE_{state}")))),
                ("message", said),
                ("timestamp", time.map(Value::from)),
            ])
        })
}

fn artifact() -> impl Strategy<Value = Value> {
    (
        id(),
        prop::option::of("[a-z]{1,4}"),
        parts(),
        prop::option::of(bag()),
    )
        .prop_map(|(id, name, parts, metadata)| {
            object([
                ("artifactId", Some(json!(id))),
                ("name", name.map(Value::from)),
                ("parts", Some(parts)),
                ("metadata", metadata),
            ])
        })
}

fn task() -> impl Strategy<Value = Value> {
    (
        id(),
        id(),
        status(),
        prop::collection::vec(artifact(), 0..2),
        prop::collection::vec(message(), 0..2),
        prop::option::of(bag()),
    )
        .prop_map(|(id, context, status, artifacts, history, metadata)| {
            let some = |list: Vec<Value>| Some(json!(list)).filter(|_| !list.is_empty());
            object([
                ("id", Some(json!(id))),
                ("contextId", Some(json!(context))),
                ("status", Some(status)),
                ("artifacts", some(artifacts)),
                ("history", some(history)),
                ("metadata", metadata),
            ])
        })
}

/// Any of the four items, in its wrapper.
fn item() -> impl Strategy<Value = Value> {
    let about = || (id(), id(), prop::option::of(bag()));
    let flags = (
        prop::option::of(any::<bool>()),
        prop::option::of(any::<bool>()),
    );
    prop_oneof![
        task().prop_map(|task| json!({ "task": task })),
        message().prop_map(|message| json!({ "message": message })),
        (about(), status()).prop_map(|((task, context, metadata), status)| {
            json!({ "statusUpdate": object([
                ("taskId", Some(json!(task))),
                ("contextId", Some(json!(context))),
                ("status", Some(status)),
                ("metadata", metadata),
            ]) })
        }),
        (about(), artifact(), flags).prop_map(|((task, context, metadata), new, (more, last))| {
            json!({ "artifactUpdate": object([
                ("taskId", Some(json!(task))),
                ("contextId", Some(json!(context))),
                ("artifact", Some(new)),
                ("append", more.map(Value::from)),
                ("lastChunk", last.map(Value::from)),
                ("metadata", metadata),
            ]) })
        }),
    ]
}

fn push() -> impl Strategy<Value = Value> {
    let auth = (Just("Bearer"), prop::option::of("[a-z]{1,4}"));
    (
        id(),
        id(),
        prop::option::of("[a-z]{1,4}"),
        prop::option::of(auth),
    )
        .prop_map(|(task, id, token, auth)| {
            let auth = auth.map(|(scheme, credentials)| {
                object([
                    ("scheme", Some(json!(scheme))),
                    ("credentials", credentials.map(Value::from)),
                ])
            });
            object([
                ("taskId", Some(json!(task))),
                ("id", Some(json!(id))),
                ("url", Some(json!("https://c.example/hook"))),
                ("token", token.map(Value::from)),
                ("authentication", auth),
            ])
        })
}

/// Parameters of an operation in 1.0's form, with all that both versions can say.
fn params() -> impl Strategy<Value = (Operation, Value)> {
    let send = (
        message(),
        any::<bool>(),
        1..9_i64,
        prop::option::of(push()),
        prop::option::of(bag()),
    )
        .prop_map(|(message, at_once, history, push, metadata)| {
            let push = push.map(|mut push| {
                push.as_object_mut()
                    .map(|members| members.shift_remove("taskId"));
                push
            });
            let configuration = object([
                ("acceptedOutputModes", Some(json!(["text/plain"]))),
                ("returnImmediately", Some(json!(at_once))),
                ("historyLength", Some(json!(history))),
                ("taskPushNotificationConfig", push),
            ]);
            object([
                ("message", Some(message)),
                ("configuration", Some(configuration)),
                ("metadata", metadata),
            ])
        });
    let list =
        (prop::option::of(id()), 1..100_i64, any::<bool>()).prop_map(|(context, size, all)| {
            object([
                ("contextId", context.map(Value::from)),
                ("status", Some(json!("TASK_STATE_CANCELED"))),
                ("pageSize", Some(json!(size))),
                ("pageToken", Some(json!("a+b/=&"))),
                (
                    "statusTimestampAfter",
                    Some(json!("2026-11-30T10:00:00+01:00")),
                ),
                ("includeArtifacts", Some(json!(all))),
            ])
        });
    let one = (id(), id(), 1..9_i64);
    (0..ALL.len(), send, list, one, push()).prop_map(
        |(which, send, list, (id, config, n), push)| {
            let operation = ALL[which];
            let value = match operation {
                Operation::Send | Operation::SendStream => send,
                Operation::ListTasks => list,
                Operation::GetTask => json!({ "id": id, "historyLength": n }),
                Operation::CancelTask | Operation::Subscribe => json!({ "id": id }),
                Operation::PushCreate => push,
                Operation::PushGet | Operation::PushDelete => json!({ "taskId": id, "id": config }),
                Operation::PushList => json!({ "taskId": id, "pageSize": n, "pageToken": config }),
                Operation::ExtendedCard => json!({}),
            };
            (operation, value)
        },
    )
}
