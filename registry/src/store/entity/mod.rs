//! The rows as sea-orm sees them; private to the store.

pub(super) mod agent_cards;
pub(super) mod agent_keys;
pub(super) mod agents;
pub(super) mod calls;
pub(super) mod liveness;
pub(super) mod outbox;
