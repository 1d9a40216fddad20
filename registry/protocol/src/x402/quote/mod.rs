//! Quotes: an offer that is bound to one call, so that nobody's payment for another call passes.
//!
//! EIP-3009 signs no address of what is bought. So the offer's `extra` holds a seal over the call, the
//! terms and the end of the quote; the payer echoes it in `accepted`. Nothing has to be kept: what was
//! accepted is our own record as long as its seal holds. Version 1 echoes nothing.

#[cfg(test)]
mod tests;

use aws_lc_rs::hmac;
use serde_json::{Map, Value, json};

use super::wire::PaymentRequirements;
use crate::signature::{from_base64url, jcs, to_base64url};

/// The member of `extra` that holds the quote: `{end in seconds since 1970}.{seal, base64url}`.
pub const QUOTE: &str = "quote";

/// What is bought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call<'a> {
    /// The agent, by its id here.
    pub callee: &'a str,
    /// The skill, or "" where the agent has one price.
    pub skill: &'a str,
    /// SHA-256 of the body.
    pub body: &'a [u8; 32],
}

/// The secret that seals quotes.
#[derive(Debug, Clone)]
pub struct QuoteKey(hmac::Key);

/// Why an offer that was accepted is none of ours for this call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum QuoteError {
    /// It holds no quote, or one of another form.
    #[error("the offer that was accepted holds no quote")]
    Missing,
    /// The seal is for another call or for other terms, or is not ours.
    #[error("the quote is for another call or for other terms")]
    Seal,
    /// It was ours, and its time is over.
    #[error("the quote has expired")]
    Expired,
}

impl QuoteKey {
    /// The key of 32 secret bytes.
    #[must_use]
    pub fn new(secret: &[u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, secret))
    }

    /// Binds an offer to a call until `end`, in seconds since 1970. A quote in it is replaced.
    #[must_use]
    pub fn quoted(
        &self,
        mut offer: PaymentRequirements,
        call: Call<'_>,
        end: u64,
    ) -> PaymentRequirements {
        let seal = hmac::sign(&self.0, &sealed(&offer, call, end));
        let quote = format!("{end}.{}", to_base64url(seal.as_ref()));
        let extra = offer.extra.get_or_insert_with(Map::new);
        extra.insert(QUOTE.to_owned(), quote.into());
        offer
    }

    /// Whether what was accepted is an offer of ours for this call, whatever we ask for by now.
    ///
    /// # Errors
    /// A [`QuoteError`].
    pub fn check(
        &self,
        accepted: &PaymentRequirements,
        call: Call<'_>,
        now: u64,
    ) -> Result<(), QuoteError> {
        let extra = accepted.extra.as_ref();
        let text = extra.and_then(|extra| extra.get(QUOTE)?.as_str());
        let (end, seal) = text.and_then(parts).ok_or(QuoteError::Missing)?;
        hmac::verify(&self.0, &sealed(accepted, call, end), &seal).map_err(|_| QuoteError::Seal)?;
        if now < end {
            Ok(())
        } else {
            Err(QuoteError::Expired)
        }
    }
}

fn parts(text: &str) -> Option<(u64, Vec<u8>)> {
    let (end, seal) = text.split_once('.')?;
    let plain = end.bytes().all(|byte| byte.is_ascii_digit());
    let end = end.parse().ok().filter(|_| plain)?;
    Some((end, from_base64url(seal)?))
}

/// What the seal covers: canonical JSON (RFC 8785), so that the order of members says nothing.
fn sealed(offer: &PaymentRequirements, call: Call<'_>, end: u64) -> Vec<u8> {
    let mut offer = offer.clone();
    if let Some(extra) = &mut offer.extra {
        extra.remove(QUOTE);
    }
    // Addresses are compared as bytes everywhere, so in one case here.
    for address in [&mut offer.asset, &mut offer.pay_to] {
        if address.starts_with("0x") {
            address.make_ascii_lowercase();
        }
    }
    let offer: Value = json!(offer);
    let body = to_base64url(call.body);
    // As text: numbers of JSON are exact up to 2^53 only.
    let end = end.to_string();
    jcs::canonical(&json!([
        "x402 quote 1",
        call.callee,
        call.skill,
        body,
        end,
        offer
    ]))
}
