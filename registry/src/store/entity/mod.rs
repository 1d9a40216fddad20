//! The rows as sea-orm sees them; private to the store.

pub(super) mod agent_cards;
pub(super) mod agent_keys;
pub(super) mod agents;
pub(super) mod calls;
pub(super) mod contexts;
pub(super) mod idempotency;
pub(super) mod liveness;
pub(super) mod operator_files;
pub(super) mod outbox;
pub(super) mod push_configs;
pub(super) mod push_deliveries;
pub(super) mod signing_keys;
pub(super) mod tasks;
