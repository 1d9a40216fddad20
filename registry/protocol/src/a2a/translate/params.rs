//! The parameters of every operation: read from either dialect into 1.0's form, written in one.

use serde_json::{Value, json};

use super::task::at;
use super::{
    Fault, Members, TaskState, extras, fault, flag, member, message, object, put, text, whole,
};
use crate::a2a::{Operation, Version};

/// What to do with a message that has no id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MissingId {
    /// It is an error.
    Refuse,
    /// It gets this one.
    Fill(String),
}

/// How a request came: some names mean different things in the two dialects.
pub type Dialect = Version;

/// The parameters of one request, in 1.0's form.
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// What is to be done.
    pub operation: Operation,
    /// In 1.0's form, with the members that no dialect knows.
    pub value: Value,
}

const LARGEST: i64 = 2_147_483_647;

impl Params {
    /// Reads and checks.
    ///
    /// # Errors
    /// The first place that cannot be understood.
    pub fn read(
        operation: Operation,
        params: Option<&Value>,
        from: Dialect,
        missing: &MissingId,
    ) -> Result<Self, Fault> {
        let empty = json!({});
        let params = params.unwrap_or(&empty);
        let object = object(params, "")?;
        let value = match operation {
            Operation::Send | Operation::SendStream => send(object, missing)?,
            Operation::GetTask => with_id(object, &["historyLength", "history_length"], from)?,
            Operation::CancelTask | Operation::Subscribe => with_id(object, &[], from)?,
            Operation::ListTasks => list_tasks(object)?,
            Operation::PushCreate => {
                let flat = super::push::read(params)?;
                if flat.get("taskId").is_none() {
                    return fault("/taskId", "It is missing.");
                }
                flat
            }
            Operation::PushGet | Operation::PushDelete => of_config(object, operation, from)?,
            Operation::PushList => list_configs(object, from)?,
            Operation::ExtendedCard => json!({}),
        };
        Ok(Self { operation, value })
    }

    /// Writes for a dialect; `tenant` is that of the chosen interface of 1.0.
    #[must_use]
    pub fn write(&self, to: Version, tenant: Option<&str>) -> Value {
        let mut out = match to {
            Version::V1_0 => self.value.clone(),
            Version::V0_3 => self.in_v0_3(),
        };
        if let Some(members) = out.as_object_mut() {
            members.shift_remove("tenant");
            if let (Version::V1_0, Some(tenant)) = (to, tenant) {
                put(members, "tenant", Some(tenant));
            }
        }
        out
    }

    /// The id of the task that is asked for or written to.
    #[must_use]
    pub fn task_id(&self) -> Option<&str> {
        let place = match self.operation {
            Operation::Send | Operation::SendStream => "/message/taskId",
            Operation::GetTask | Operation::CancelTask | Operation::Subscribe => "/id",
            Operation::PushCreate
            | Operation::PushGet
            | Operation::PushList
            | Operation::PushDelete => "/taskId",
            Operation::ListTasks | Operation::ExtendedCard => return None,
        };
        self.value.pointer(place).and_then(Value::as_str)
    }

    /// How much history is wanted; `None` for all.
    #[must_use]
    pub fn history_length(&self) -> Option<i64> {
        let place = match self.operation {
            Operation::Send | Operation::SendStream => "/configuration/historyLength",
            _ => "/historyLength",
        };
        self.value.pointer(place).and_then(Value::as_i64)
    }

    fn in_v0_3(&self) -> Value {
        let value = &self.value;
        let get = |name: &str| value.get(name).cloned().unwrap_or_default();
        match self.operation {
            Operation::Send => {
                let mut out = send_v0_3(value);
                // What 1.0 means by saying nothing must be said in 0.3.
                if out.get("configuration").is_none() {
                    out["configuration"] = json!({ "blocking": true });
                }
                out
            }
            Operation::SendStream => send_v0_3(value),
            Operation::PushCreate => json!({
                "taskId": get("taskId"),
                "pushNotificationConfig": super::push::inner_v0_3(value),
            }),
            Operation::PushGet | Operation::PushDelete => json!({
                "id": get("taskId"),
                "pushNotificationConfigId": get("id"),
            }),
            Operation::PushList => json!({ "id": get("taskId") }),
            Operation::GetTask => {
                let mut out = value.clone();
                // 0 means "no limit" to 0.3.
                if self.history_length() == Some(0)
                    && let Some(members) = out.as_object_mut()
                {
                    members.shift_remove("historyLength");
                }
                out
            }
            _ => value.clone(),
        }
    }
}

fn send(from: &Members, missing: &MissingId) -> Result<Value, Fault> {
    let mut out = Members::new();
    put(&mut out, "tenant", text(from, &["tenant"], "")?);
    // 0.3's proto form calls it `request`.
    let Some(said) = member(from, &["message", "request"]) else {
        return fault("/message", "It is missing.");
    };
    let mut said = message(said, Version::V1_0).map_err(at("/message"))?;
    if said.get("messageId").is_none() {
        match missing {
            MissingId::Refuse => return fault("/message/messageId", "It is missing."),
            MissingId::Fill(id) => said["messageId"] = json!(id),
        }
    }
    out.insert("message".to_owned(), said);
    if let Some(value) = member(from, &["configuration"]) {
        out.insert("configuration".to_owned(), configuration(value)?);
    }
    super::metadata(from, "", &mut out)?;
    extras(
        from,
        &[
            "tenant",
            "message",
            "request",
            "configuration",
            "metadata",
            "kind",
        ],
        &mut out,
    );
    Ok(Value::Object(out))
}

fn configuration(value: &Value) -> Result<Value, Fault> {
    const PLACE: &str = "/configuration";
    let from = object(value, PLACE)?;
    let mut out = Members::new();
    if let Some(modes) = member(from, &["acceptedOutputModes", "accepted_output_modes"]) {
        let texts = modes
            .as_array()
            .is_some_and(|list| list.iter().all(Value::is_string));
        if !texts {
            return fault(
                format!("{PLACE}/acceptedOutputModes"),
                "It must be a list of texts.",
            );
        }
        out.insert("acceptedOutputModes".to_owned(), modes.clone());
    }
    let at_once = match flag(from, &["returnImmediately", "return_immediately"], PLACE)? {
        Some(at_once) => Some(at_once),
        None => flag(from, &["blocking"], PLACE)?.map(|blocking| !blocking),
    };
    put(&mut out, "returnImmediately", at_once);
    let history = ["historyLength", "history_length"];
    put(
        &mut out,
        "historyLength",
        whole(from, &history, PLACE, 0..=LARGEST)?,
    );
    let push = [
        "taskPushNotificationConfig",
        "task_push_notification_config",
        "pushNotificationConfig",
        "push_notification_config",
        "pushNotification",
    ];
    if let Some(value) = member(from, &push) {
        let config = super::push::read(value);
        let place = format!("{PLACE}/pushNotificationConfig");
        out.insert(
            "taskPushNotificationConfig".to_owned(),
            config.map_err(at(&place))?,
        );
    }
    let known = [
        "acceptedOutputModes",
        "accepted_output_modes",
        "returnImmediately",
        "return_immediately",
        "blocking",
        "historyLength",
        "history_length",
        push[0],
        push[1],
        push[2],
        push[3],
        push[4],
    ];
    extras(from, &known, &mut out);
    Ok(Value::Object(out))
}

fn send_v0_3(value: &Value) -> Value {
    let mut out = value.as_object().cloned().unwrap_or_default();
    if let Some(said) = value.get("message") {
        // What was read is sound in either dialect.
        out.insert(
            "message".to_owned(),
            message(said, Version::V0_3).unwrap_or_default(),
        );
    }
    if let Some(Value::Object(configuration)) = out.get_mut("configuration") {
        let at_once = configuration.shift_remove("returnImmediately");
        let at_once = at_once.and_then(|value| value.as_bool());
        put(configuration, "blocking", Some(!at_once.unwrap_or(false)));
        if configuration.get("historyLength") == Some(&json!(0)) {
            configuration.shift_remove("historyLength");
        }
        if let Some(push) = configuration.shift_remove("taskPushNotificationConfig") {
            configuration.insert(
                "pushNotificationConfig".to_owned(),
                super::push::inner_v0_3(&push),
            );
        }
    }
    Value::Object(out)
}

fn with_id(from: &Members, history: &[&str], dialect: Dialect) -> Result<Value, Fault> {
    let mut out = Members::new();
    put(&mut out, "id", Some(super::needed(from, &["id"], "")?));
    if let Some(name) = history.first() {
        let length = whole(from, history, "", 0..=LARGEST)?;
        // 0 means "no limit" to 0.3.
        let length = length.filter(|length| dialect == Version::V1_0 || *length > 0);
        put(&mut out, name, length);
    }
    super::metadata(from, "", &mut out)?;
    extras(
        from,
        &["id", "historyLength", "history_length", "metadata", "kind"],
        &mut out,
    );
    Ok(Value::Object(out))
}

fn list_tasks(from: &Members) -> Result<Value, Fault> {
    let mut out = Members::new();
    put(
        &mut out,
        "contextId",
        text(from, &["contextId", "context_id"], "")?,
    );
    if let Some(state) = text(from, &["status"], "")? {
        match TaskState::parse(&state) {
            Some(TaskState::Unknown) => {}
            Some(state) => put(&mut out, "status", Some(state.as_str(Version::V1_0))),
            None => return fault("/status", "It is no state of a task."),
        }
    }
    put(
        &mut out,
        "pageSize",
        whole(from, &["pageSize", "page_size"], "", 1..=100)?,
    );
    put(
        &mut out,
        "pageToken",
        text(from, &["pageToken", "page_token"], "")?,
    );
    let history = ["historyLength", "history_length"];
    put(
        &mut out,
        "historyLength",
        whole(from, &history, "", 0..=LARGEST)?,
    );
    let since = ["statusTimestampAfter", "status_timestamp_after"];
    put(&mut out, "statusTimestampAfter", text(from, &since, "")?);
    let artifacts = ["includeArtifacts", "include_artifacts"];
    put(&mut out, "includeArtifacts", flag(from, &artifacts, "")?);
    Ok(Value::Object(out))
}

fn of_config(from: &Members, operation: Operation, dialect: Dialect) -> Result<Value, Fault> {
    let (task, config) = match dialect {
        Version::V1_0 => (
            super::needed(from, &["taskId", "task_id"], "")?,
            text(from, &["id"], "")?,
        ),
        Version::V0_3 => {
            let config = ["pushNotificationConfigId", "push_notification_config_id"];
            (super::needed(from, &["id"], "")?, text(from, &config, "")?)
        }
    };
    // 0.3 may ask for "the" config of a task.
    let optional = dialect == Version::V0_3 && operation == Operation::PushGet;
    if config.is_none() && !optional {
        let place = if dialect == Version::V1_0 {
            "/id"
        } else {
            "/pushNotificationConfigId"
        };
        return fault(place, "It is missing.");
    }
    let mut out = Members::new();
    put(&mut out, "taskId", Some(task));
    put(&mut out, "id", config);
    Ok(Value::Object(out))
}

fn list_configs(from: &Members, dialect: Dialect) -> Result<Value, Fault> {
    let names: &[&str] = match dialect {
        Version::V1_0 => &["taskId", "task_id"],
        Version::V0_3 => &["id"],
    };
    let mut out = Members::new();
    put(&mut out, "taskId", Some(super::needed(from, names, "")?));
    put(
        &mut out,
        "pageSize",
        whole(from, &["pageSize", "page_size"], "", 1..=100)?,
    );
    put(
        &mut out,
        "pageToken",
        text(from, &["pageToken", "page_token"], "")?,
    );
    Ok(Value::Object(out))
}
