//! Header values: JSON in standard base64 with padding (x402 v2 and v1, HTTP transport).

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;
use serde_json::Value;

use super::{WireError, strict};
use crate::x402::Version;

/// The longest header value that is read, in letters.
pub const MAX_HEADER: usize = 16 * 1024;

/// The header of a 402 that holds the offer. Version 2 only; version 1 has it in the body.
pub const PAYMENT_REQUIRED: &str = "payment-required";

/// The header of a request that pays.
#[must_use]
pub const fn payment_header(version: Version) -> &'static str {
    match version {
        Version::V1 => "x-payment",
        Version::V2 => "payment-signature",
    }
}

/// The header of an answer that says how the settlement went.
#[must_use]
pub const fn response_header(version: Version) -> &'static str {
    match version {
        Version::V1 => "x-payment-response",
        Version::V2 => "payment-response",
    }
}

/// Writes a header value.
pub(super) fn encode(object: &impl Serialize) -> String {
    let text = serde_json::to_vec(object).expect("the keys are texts and nothing in it can fail");
    STANDARD.encode(text)
}

/// Reads a header value. White space around it is the transport's to remove.
pub(super) fn decode(text: &str) -> Result<Value, WireError> {
    if text.len() > MAX_HEADER {
        return Err(WireError::TooLong);
    }
    let bytes = STANDARD.decode(text).map_err(|_| WireError::Base64)?;
    strict(&bytes)
}
