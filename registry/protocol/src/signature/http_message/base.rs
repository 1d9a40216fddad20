//! The signature base (RFC 9421, section 2.5) of a request that came in.

use std::borrow::Cow;

use super::{Received, Refusal, field::Input, target::is_token};

/// Most bytes of a header that are looked at, all its lines together.
const MAX_HEADER: usize = 8192;

/// Writes the base that the input describes.
///
/// # Errors
/// [`Refusal::ComponentUnknown`] and [`Refusal::ComponentRepeated`].
pub(super) fn base(input: &Input<'_>, request: &Received<'_>) -> Result<String, Refusal> {
    let mut base = String::with_capacity(512);
    for (index, name) in input.components.iter().enumerate() {
        if input.components[..index].contains(name) {
            return Err(Refusal::ComponentRepeated);
        }
        let value = match request.target.component(name) {
            Some(value) => Cow::Borrowed(value),
            None => header(request.headers, name).ok_or(Refusal::ComponentUnknown)?,
        };
        for part in ["\"", name, "\": ", &value, "\n"] {
            base.push_str(part);
        }
    }
    for part in ["\"@signature-params\": ", input.params] {
        base.push_str(part);
    }
    Ok(base)
}

/// The value of a header as section 2.1 combines it: lines trimmed, joined by comma and space.
///
/// `None` when it is not there, its name is not written in lower case, or it holds other letters
/// than those of ASCII.
fn header<'a>(headers: &[(&str, &'a [u8])], name: &str) -> Option<Cow<'a, str>> {
    if name
        .bytes()
        .any(|byte| byte.is_ascii_uppercase() || !is_token(byte))
    {
        return None;
    }
    let mut found: Option<Cow<'a, str>> = None;
    for line in lines(headers, name) {
        let line = text(line)?;
        found = Some(match found {
            None => Cow::Borrowed(line),
            Some(before) if before.len() + line.len() <= MAX_HEADER => {
                Cow::Owned(format!("{before}, {line}"))
            }
            Some(_) => return None,
        });
    }
    found
}

/// Every line of a header, in order.
pub(super) fn lines<'a>(
    headers: &[(&str, &'a [u8])],
    name: &str,
) -> impl Iterator<Item = &'a [u8]> {
    headers
        .iter()
        .filter(move |(other, _)| other.eq_ignore_ascii_case(name))
        .map(|(_, value)| *value)
}

/// A header value without the white space around it, when it is ASCII without controls. A line end in
/// a value would make two lines of the base of one.
pub(super) fn text(value: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(value).ok()?;
    let text = text.trim_matches([' ', '\t']);
    let fine = |byte| (b' '..=b'~').contains(&byte) || byte == b'\t';
    (text.len() <= MAX_HEADER && text.bytes().all(fine)).then_some(text)
}
