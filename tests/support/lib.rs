//! What the tests stand on: a whole gateway on either store, fake agents, and a client that expects.

mod agents;
mod database;
mod fake;
mod http;
mod kit;
mod program;
mod stack;

pub use agents::{card_v0_3, card_v1_0, registration};
pub use database::Database;
pub use fake::{Fake, Reply, Seen};
pub use http::{Answer, Http};
pub use kit::Kit;
pub use program::Program;
pub use stack::{Stack, on_both, settings, until};
