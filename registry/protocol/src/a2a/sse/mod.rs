//! Server-sent events (WHATWG HTML, 9.2): an incremental reader by the full grammar, and a writer.

mod reader;
mod write;

#[cfg(test)]
mod tests;

pub use reader::{Event, Reader, TooLong};
pub use write::{write, write_named};
