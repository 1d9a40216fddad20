//! Limits of single fields; each refusal carries the pointer of its field.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use protocol::a2a::card::Skill;

use super::CONVENTIONS;
use crate::agent::Capability;
use crate::client::target;
use crate::error::{Invalid, InvalidKind};

/// Length in characters, and no control characters.
pub(super) fn at_most(pointer: &str, text: &str, most: usize) -> Result<(), Invalid> {
    if text.chars().count() > most {
        return Err(Invalid::value(
            pointer,
            format!("at most {most} characters"),
        ));
    }
    // Control characters have no place in a name and are a way to forge log lines.
    if text
        .chars()
        .any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
    {
        return Err(Invalid::value(pointer, "control characters are not taken"));
    }
    Ok(())
}

/// A name that people read: one line, and nothing that changes how other text is shown.
pub(super) fn one_line(pointer: &str, text: &str) -> Result<(), Invalid> {
    let odd = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    if text.chars().any(odd) {
        let reason = "one line, without characters that cannot be seen or turn text around";
        return Err(Invalid::value(pointer, reason));
    }
    Ok(())
}

/// A list: its length, and each text not empty and not too long.
pub(super) fn texts(
    pointer: &str,
    list: Option<&[String]>,
    most: usize,
    longest: usize,
) -> Result<(), Invalid> {
    let list = list.unwrap_or_default();
    if list.len() > most {
        return Err(Invalid::value(pointer, format!("at most {most} items")));
    }
    for (index, text) in list.iter().enumerate() {
        let item = format!("{pointer}/{index}");
        if text.trim().is_empty() {
            return Err(Invalid::value(item, "an empty text"));
        }
        at_most(&item, text, longest)?;
    }
    Ok(())
}

/// Words of a closed list.
pub(super) fn one_of<'a>(
    pointer: &str,
    given: impl Into<Option<&'a [String]>>,
    allowed: &[&str],
) -> Result<(), Invalid> {
    match given
        .into()
        .unwrap_or_default()
        .iter()
        .find(|text| !allowed.contains(&text.as_str()))
    {
        None => Ok(()),
        Some(_) => {
            let known: Vec<_> = allowed
                .iter()
                .filter(|word| !word.is_empty())
                .copied()
                .collect();
            Err(Invalid::value(
                pointer,
                format!("one of {}", known.join(", ")),
            ))
        }
    }
}

/// At most six, one speciality (3), two secondary (2).
pub(super) fn check_capabilities(list: &[Capability]) -> Result<(), Invalid> {
    if list.len() > 6 {
        return Err(Invalid::value("/capabilities", "at most 6 capabilities"));
    }
    for (index, capability) in list.iter().enumerate() {
        let pointer = format!("/capabilities/{index}");
        if capability.name.trim().is_empty() {
            return Err(Invalid::value(pointer, "a capability has a name"));
        }
        at_most(&pointer, &capability.name, 50)?;
        if !(1..=3).contains(&capability.weight) {
            return Err(Invalid::value(
                pointer,
                "a weight is 3 (speciality), 2 (secondary) or 1 (generic)",
            ));
        }
        if list[..index]
            .iter()
            .any(|other| other.name.eq_ignore_ascii_case(&capability.name))
        {
            return Err(Invalid::value(pointer, "a capability is named twice"));
        }
    }
    let count = |weight| {
        list.iter()
            .filter(|capability| capability.weight == weight)
            .count()
    };
    if count(3) > 1 || count(2) > 2 {
        return Err(Invalid::value(
            "/capabilities",
            "at most one capability of weight 3 and two of weight 2",
        ));
    }
    Ok(())
}

/// At most a hundred, each with an id of its own.
pub(super) fn check_skills(list: &[Skill]) -> Result<(), Invalid> {
    if list.len() > 100 {
        return Err(Invalid::value("/skills", "at most 100 skills"));
    }
    for (index, skill) in list.iter().enumerate() {
        let pointer = format!("/skills/{index}");
        if skill.id.trim().is_empty() || skill.name.trim().is_empty() {
            return Err(Invalid::value(pointer, "a skill has an id and a name"));
        }
        at_most(&pointer, &skill.id, 128)?;
        at_most(&pointer, &skill.name, 256)?;
        at_most(&pointer, &skill.description, 4_096)?;
        texts(&format!("{pointer}/tags"), Some(&skill.tags), 64, 64)?;
        texts(
            &format!("{pointer}/examples"),
            Some(&skill.examples),
            32,
            1_024,
        )?;
        texts(
            &format!("{pointer}/input_modes"),
            Some(&skill.input_modes),
            64,
            128,
        )?;
        texts(
            &format!("{pointer}/output_modes"),
            Some(&skill.output_modes),
            64,
            128,
        )?;
        if list[..index].iter().any(|other| other.id == skill.id) {
            return Err(Invalid::value(pointer, "a skill id is given twice"));
        }
    }
    Ok(())
}

/// The four conventions and no other.
pub(super) fn check_conventions(
    schema: Option<&BTreeMap<String, Option<String>>>,
) -> Result<(), Invalid> {
    for (key, value) in schema.into_iter().flatten() {
        let pointer = format!("/payload_schema{}", protocol::json::pointer_step(key));
        if !CONVENTIONS.contains(&key.as_str()) {
            let reason =
                "payload_schema has only currency, date_format, quantity_unit and weight_unit";
            return Err(Invalid::of(InvalidKind::PayloadSchema, pointer, reason));
        }
        at_most(&pointer, value.as_deref().unwrap_or_default(), 64)?;
    }
    Ok(())
}

/// 32 raw bytes in base64url, with or without padding.
pub(super) fn check_public_key(text: &str) -> Result<(), Invalid> {
    let bytes = URL_SAFE_NO_PAD
        .decode(text.trim_end_matches('='))
        .unwrap_or_default();
    if bytes.len() == 32 {
        return Ok(());
    }
    let reason = "a public key is 32 raw bytes in base64url";
    Err(Invalid::of(InvalidKind::PublicKey, "/public_key", reason))
}

/// A header that carries the agent's own credential must not be one that HTTP or we need.
pub(super) fn check_auth_header(name: &str) -> Result<(), Invalid> {
    const TAKEN: [&str; 9] = [
        "host",
        "connection",
        "te",
        "trailer",
        "upgrade",
        "transfer-encoding",
        "keep-alive",
        "cookie",
        "expect",
    ];
    let lower = name.to_ascii_lowercase();
    let token = name
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b));
    if token
        && !TAKEN.contains(&lower.as_str())
        && !lower.starts_with("content-")
        && ![
            "proxy-",
            "x-forwarded",
            "forwarded",
            "x-real-ip",
            "x-payment",
            "payment-",
            "signature",
            "via",
            "a2a-",
        ]
        .iter()
        .any(|prefix| lower.starts_with(prefix))
    {
        return Ok(());
    }
    Err(Invalid::value(
        "/auth_header_name",
        "no header that may carry a credential",
    ))
}

/// A page that people may be sent to.
pub(super) fn web_page(pointer: &str, text: &str) -> Result<(), Invalid> {
    match url::Url::parse(text) {
        Ok(page) if matches!(page.scheme(), "http" | "https") && page.has_host() => Ok(()),
        _ => Err(Invalid::value(pointer, "an http or https URL")),
    }
}

/// An address that may be called; https unless private targets are allowed.
pub(super) fn check_endpoint(text: &str, allow_private: bool) -> Result<String, Invalid> {
    let refused = |reason: String| Invalid::value("/endpoint_url", reason);
    at_most("/endpoint_url", text, 2_048)?;
    let target =
        target::check(text, allow_private).map_err(|refused_by| refused(refused_by.to_string()))?;
    let url = target.url();
    if url.scheme() == "https" || allow_private {
        return Ok(url.to_string());
    }
    Err(refused("an endpoint is an https URL".to_owned()))
}
