//! The parameters of every operation: read from either dialect into 1.0's form, written in one.

use serde_json::{Map, Value, json};

use super::{Fault, object, put};
use crate::a2a::{Operation, Version};

mod read;
mod write;

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
    /// Silence means different things in the two dialects.
    from: Dialect,
}

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
        let members = object(params.unwrap_or(&empty), "")?;
        let mut value = read::value(operation, members, from, missing)?;
        // A routing text of 1.0; 0.3 has none and knows nothing of such a member.
        if let Some(out) = value.as_object_mut() {
            out.shift_remove("tenant");
            if from == Version::V1_0 {
                put(out, "tenant", super::text(members, &["tenant"], "")?);
            }
        }
        Ok(Self {
            operation,
            value,
            from,
        })
    }

    /// Writes for a dialect; `tenant` is that of the chosen interface of 1.0.
    #[must_use]
    pub fn write(&self, to: Version, tenant: Option<&str>) -> Value {
        let mut out = match to {
            Version::V1_0 => self.value.clone(),
            Version::V0_3 => write::in_v0_3(self),
        };
        if let Some(members) = out.as_object_mut() {
            set_tenant(members, tenant.filter(|_| to == Version::V1_0));
        }
        out
    }

    /// The parameters as they came, for a receiver of the same dialect: only the tenant and a
    /// message id that was filled in are written into them. What was changed in
    /// [`Params::value`] since it was read is not in it; that takes [`Params::write`].
    #[must_use]
    pub fn forwarded(&self, original: Option<&Value>, tenant: Option<&str>) -> Value {
        let mut out = original.cloned().unwrap_or_else(|| json!({}));
        if let Some(members) = out.as_object_mut() {
            if self.from == Version::V1_0 {
                set_tenant(members, tenant);
            }
            if matches!(self.operation, Operation::Send | Operation::SendStream) {
                fill_id(members, self.value.pointer("/message/messageId"));
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

    /// Whether the answer is wanted before the task is done or waits; `None` leaves it to the
    /// agent, which only 0.3 can say. 1.0 means by silence that it is not.
    #[must_use]
    pub fn at_once(&self) -> Option<bool> {
        let said = self.value.pointer("/configuration/returnImmediately");
        match (said.and_then(Value::as_bool), self.from) {
            (None, Version::V1_0) => Some(false),
            (said, _) => said,
        }
    }
}

fn set_tenant(members: &mut Map<String, Value>, tenant: Option<&str>) {
    members.shift_remove("tenant");
    put(members, "tenant", tenant);
}

fn fill_id(params: &mut Map<String, Value>, id: Option<&Value>) {
    const NAMES: [&str; 2] = ["messageId", "message_id"];
    let place = ["message", "request"]
        .into_iter()
        .find(|name| params.get(*name).is_some_and(Value::is_object));
    let message = place.and_then(|name| params.get_mut(name)?.as_object_mut());
    let (Some(message), Some(id)) = (message, id) else {
        return;
    };
    let has = |name: &str| message.get(name).is_some_and(|said| said == id);
    if !NAMES.into_iter().any(has) {
        for name in NAMES {
            message.shift_remove(name);
        }
        message.insert(NAMES[0].to_owned(), id.clone());
    }
}
