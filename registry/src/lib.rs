//! The registry: the truth about agents, and the only code that touches the store,
//! the search index and the outside world (through the guarded client).

pub mod agent;
pub mod client;
pub mod clock;
pub mod declaration;
pub mod digest;
pub mod error;
pub mod ids;
pub mod listing;
pub mod report;
pub mod search;
pub mod store;
pub mod terms;
