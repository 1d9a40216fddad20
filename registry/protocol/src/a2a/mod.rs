//! A2A in its two living dialects, 0.3 and 1.0.

pub mod card;
pub mod message;
pub mod rest;
pub mod rpc;
pub mod sse;
pub mod translate;
mod version;

pub use version::{
    Operation, Unsupported, Version, choose, method, method_name, parse_version_header,
};
