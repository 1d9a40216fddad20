//! The states of a task, as both dialects spell them.

use crate::a2a::Version;

/// Where a task stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaskState {
    /// Taken, not begun.
    Submitted,
    /// Under way.
    Working,
    /// Waits for a message.
    InputRequired,
    /// Done.
    Completed,
    /// Ended by its caller.
    Canceled,
    /// Ended without success.
    Failed,
    /// Not taken on.
    Rejected,
    /// Waits for credentials.
    AuthRequired,
    /// Not known.
    Unknown,
}

/// State, in 0.3, in 1.0.
const STATES: [(TaskState, &str, &str); 9] = [
    (TaskState::Submitted, "submitted", "TASK_STATE_SUBMITTED"),
    (TaskState::Working, "working", "TASK_STATE_WORKING"),
    (
        TaskState::InputRequired,
        "input-required",
        "TASK_STATE_INPUT_REQUIRED",
    ),
    (TaskState::Completed, "completed", "TASK_STATE_COMPLETED"),
    (TaskState::Canceled, "canceled", "TASK_STATE_CANCELED"),
    (TaskState::Failed, "failed", "TASK_STATE_FAILED"),
    (TaskState::Rejected, "rejected", "TASK_STATE_REJECTED"),
    (
        TaskState::AuthRequired,
        "auth-required",
        "TASK_STATE_AUTH_REQUIRED",
    ),
    (TaskState::Unknown, "unknown", "TASK_STATE_UNSPECIFIED"),
];

impl TaskState {
    /// Reads a state of either dialect, and the spelling with two L of 0.3's proto form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "cancelled" | "TASK_STATE_CANCELLED" => Some(Self::Canceled),
            _ => STATES
                .iter()
                .find(|(_, old, new)| *old == text || *new == text)
                .map(|(state, ..)| *state),
        }
    }

    /// The spelling of a dialect.
    #[must_use]
    pub fn as_str(self, version: Version) -> &'static str {
        let row = STATES.iter().find(|(state, ..)| *state == self);
        row.map_or("unknown", |(_, old, new)| match version {
            Version::V0_3 => old,
            Version::V1_0 => new,
        })
    }

    /// Whether nothing more happens.
    #[must_use]
    pub const fn terminal(self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Canceled | Self::Failed | Self::Rejected
        )
    }

    /// Whether the agent waits for its caller.
    #[must_use]
    pub const fn interrupted(self) -> bool {
        matches!(self, Self::InputRequired | Self::AuthRequired)
    }
}
