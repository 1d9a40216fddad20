//! The agent standards as plain types: reading, judging and writing them, without any I/O.
//!
//! Nothing here touches a network, a file, a clock or chance; the same input always gives the same
//! output, and no bytes make it panic. What is read keeps the original JSON beside it.
//!
//! | module | what it is for |
//! |---|---|
//! | [`json`] | strict JSON with a depth limit, positions in errors and a note of repeated members |
//! | [`a2a`] | A2A 0.3 and 1.0: versions and methods, messages, JSON-RPC, cards in and out |
//! | [`erc8004`] | names of on-chain agents |
//! | [`signature`] | keys, signed cards and signed HTTP requests |
//! | [`x402`] | payment: what is asked, what is paid, and whether it pays for it |

pub mod a2a;
pub mod erc8004;
pub mod exact;
pub mod json;
pub mod signature;
pub mod x402;
