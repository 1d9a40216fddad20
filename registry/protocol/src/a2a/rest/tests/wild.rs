//! JSON of any shape, made of the words that mean something to the bindings.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

const WORDS: &str = "message request msg task statusUpdate artifactUpdate status update artifact artifacts \
    history content parts data file text raw fileWithBytes fileWithUri metadata id taskId \
    contextId role state configuration blocking historyLength pushNotification config \
    configId pushNotificationConfig name parent url authentication schemes tasks configs \
    error code details @type reason referenceTaskIds kind timestamp type detail";

/// Any JSON of the words that mean something here.
pub(super) fn wild() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        prop::sample::select(vec![
            json!(0),
            json!(-32001),
            json!(404),
            json!(1.5),
            json!(u64::MAX)
        ]),
        prop::sample::select(vec![
            "",
            "ROLE_USER",
            "TASK_STATE_CANCELLED",
            "AA",
            "tasks/a/pushNotificationConfigs/b",
            "tasks",
            "/",
            "TASK_NOT_FOUND",
            "text",
            "a",
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let word = prop::sample::select(WORDS.split_whitespace().collect::<Vec<_>>());
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((word, inner), 0..5).prop_map(|members| {
                let members = members.into_iter();
                Value::Object(
                    members
                        .map(|(name, one)| (name.to_owned(), one))
                        .collect::<Map<_, _>>(),
                )
            }),
        ]
    })
}
