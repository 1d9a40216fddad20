//! The HTTP+JSON bindings of A2A 0.3 and 1.0 as pure functions, for our doors and for upstreams.
//!
//! | part | what it is for |
//! |---|---|
//! | [`route`] | what a request to one of our doors asks for; [`Routed::with_body`] adds its body |
//! | [`request`] | how an operation is asked of an agent |
//! | [`proto`] | the JSON form of 0.3's proto, which that version's bodies have, from and to 1.0's form |
//! | [`write_error`], [`read_error`] | errors as the bindings tell them |
//! | [`media_type`] | which media type an answer has |
//!
//! The bodies of 1.0 are 1.0's JSON form itself, so nothing is done to them.

mod error;
mod media;
mod percent;
pub mod proto;
mod query;
mod request;
mod route;
mod status;

#[cfg(test)]
mod tests;

pub use error::{ErrorAnswer, read_error, stream_error, write_error, write_error_as};
pub use media::{A2A_JSON, JSON, is_json, media_type};
pub use request::{Request, request};
pub use route::{RouteError, Routed, route};
pub use status::Patch;
