//! Payment in the band of A2A: the extension a2a-x402, versions 0.1 and 0.2.
//!
//! Everything stands in the metadata of messages. The seller's stands in the message of a task's
//! status, the payer's in a message that goes on with that task; the task is what binds both.

mod failure;

#[cfg(test)]
mod tests;

pub use failure::{Failure, error_of};

use serde_json::{Map, Value};

use super::{
    Version,
    wire::{Asked, PaymentPayload, PaymentRequired, SettleResponse, WireError},
};

/// The extension's name in its version 0.1.
pub const EXTENSION_V0_1: &str = "https://github.com/google-a2a/a2a-x402/v0.1";

/// The extension's name in its version 0.2.
pub const EXTENSION_V0_2: &str =
    "https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2";

/// Both names, the newer one first. On cards they are declared as required.
pub const EXTENSIONS: [&str; 2] = [EXTENSION_V0_2, EXTENSION_V0_1];

/// Key of the [`Status`].
pub const STATUS: &str = "x402.payment.status";

/// Key of the 402.
pub const REQUIRED: &str = "x402.payment.required";

/// Key of the payment.
pub const PAYLOAD: &str = "x402.payment.payload";

/// Key of the list of settlements, those that failed too.
pub const RECEIPTS: &str = "x402.payment.receipts";

/// Key of the code of what went wrong.
pub const ERROR: &str = "x402.payment.error";

/// How far the payment of a task is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The seller asks; the task is `input-required`.
    Required,
    /// The payer does not want to; the task has failed or waits for another word.
    Rejected,
    /// The payer has paid; the task is `working`.
    Submitted,
    /// The payment is good; the task is `working`.
    Verified,
    /// The money has moved; the task is `completed`.
    Completed,
    /// It has not; the task is `failed`.
    Failed,
}

/// What a payer says in a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Turn {
    /// This is the payment.
    Submitted(PaymentPayload),
    /// There will be none.
    Rejected,
}

/// Why the metadata of a payer's message says nothing that can be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// The status is missing, unknown, or one that only a seller has.
    #[error("{STATUS} is neither payment-submitted nor payment-rejected")]
    Status,
    /// The payment is submitted but is not there. The embedded flow of 0.2, where it stands in a part
    /// of the message, is not read.
    #[error("{PAYLOAD} is missing")]
    Missing,
    /// The payment is none.
    #[error("{PAYLOAD}: {0}")]
    Payload(WireError),
}

const STATUSES: [(Status, &str); 6] = [
    (Status::Required, "payment-required"),
    (Status::Rejected, "payment-rejected"),
    (Status::Submitted, "payment-submitted"),
    (Status::Verified, "payment-verified"),
    (Status::Completed, "payment-completed"),
    (Status::Failed, "payment-failed"),
];

impl Status {
    /// The text on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        let found = STATUSES.iter().find(|(status, _)| *status == self);
        found.map_or("", |(_, text)| text)
    }

    /// The status of that text.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let found = STATUSES.iter().find(|(_, known)| *known == text);
        found.map(|(status, _)| *status)
    }

    /// What the metadata says; `None` also for a text that is not known.
    #[must_use]
    pub fn of(metadata: &Map<String, Value>) -> Option<Self> {
        metadata.get(STATUS)?.as_str().and_then(Self::from_text)
    }
}

/// The metadata of the message with which a task waits for its payment (`input-required`), in the
/// payer's version of x402; version 2 when it is not known. `None` when nothing that is offered can be
/// said in that version.
#[must_use]
pub fn payment_required(asked: &PaymentRequired, version: Version) -> Option<Map<String, Value>> {
    let asked = match version {
        Version::V1 => Asked::V1(asked.to_v1()),
        Version::V2 => Asked::V2(Box::new(asked.clone())),
    };
    if asked.offers().is_empty() {
        return None;
    }
    let required = (REQUIRED.to_owned(), to_value(&asked));
    Some(with_status(Status::Required, [required]))
}

/// The metadata while the task works for a payment that is good.
#[must_use]
pub fn payment_verified() -> Map<String, Value> {
    with_status(Status::Verified, [])
}

/// The metadata of a task that is done and paid: every attempt to settle, the one that did it last.
#[must_use]
pub fn payment_completed(attempts: &[SettleResponse]) -> Map<String, Value> {
    let receipts = (RECEIPTS.to_owned(), to_value(&attempts));
    with_status(Status::Completed, [receipts])
}

/// The metadata of a task that failed for its payment: why ([`error_of`], [`Failure::as_str`]), and
/// every attempt to settle.
#[must_use]
pub fn payment_failed(error: &str, attempts: &[SettleResponse]) -> Map<String, Value> {
    let receipts = (RECEIPTS.to_owned(), to_value(&attempts));
    with_status(Status::Failed, [(ERROR.to_owned(), error.into()), receipts])
}

/// The metadata of the message with which a payer pays.
#[must_use]
pub fn payment_submitted(payment: &PaymentPayload) -> Map<String, Value> {
    let payload = (PAYLOAD.to_owned(), payment.to_value());
    with_status(Status::Submitted, [payload])
}

/// Reads the metadata of a payer's message; `None` when it is not about payment at all.
///
/// Members that occur twice are the reader's of the whole message to refuse; here they are gone.
///
/// # Errors
/// A [`TurnError`].
pub fn turn(metadata: &Map<String, Value>) -> Result<Option<Turn>, TurnError> {
    if !metadata.contains_key(STATUS) && !metadata.contains_key(PAYLOAD) {
        return Ok(None);
    }
    match Status::of(metadata) {
        Some(Status::Submitted) => {
            let payload = metadata.get(PAYLOAD).cloned().ok_or(TurnError::Missing)?;
            let payment = PaymentPayload::from_value(payload).map_err(TurnError::Payload)?;
            Ok(Some(Turn::Submitted(payment)))
        }
        Some(Status::Rejected) => Ok(Some(Turn::Rejected)),
        _ => Err(TurnError::Status),
    }
}

/// What a seller asks for in the metadata of a status; `None` when it asks for nothing.
///
/// # Errors
/// A [`WireError`]; [`WireError::Version`] also when the 402 is missing.
pub fn asked(metadata: &Map<String, Value>) -> Result<Option<Asked>, WireError> {
    if Status::of(metadata) != Some(Status::Required) {
        return Ok(None);
    }
    let asked = metadata.get(REQUIRED).cloned().unwrap_or_default();
    Asked::from_value(asked).map(Some)
}

/// The settlements that a seller reports, those that failed too; what is none is left out.
#[must_use]
pub fn receipts(metadata: &Map<String, Value>) -> Vec<SettleResponse> {
    let list = metadata.get(RECEIPTS).and_then(Value::as_array);
    let each = list.into_iter().flatten();
    each.filter_map(|one| serde_json::from_value(one.clone()).ok())
        .collect()
}

fn with_status<const COUNT: usize>(
    status: Status,
    more: [(String, Value); COUNT],
) -> Map<String, Value> {
    let mut metadata = Map::from_iter([(STATUS.to_owned(), status.as_str().into())]);
    metadata.extend(more);
    metadata
}

fn to_value(object: &impl serde::Serialize) -> Value {
    serde_json::to_value(object).expect("the keys are texts and nothing in it can fail")
}
