//! Which media type a REST answer has.

/// The media type of 0.3 and 1.0.0.
pub const JSON: &str = "application/json";

/// The media type that 1.0.1 recommends.
pub const A2A_JSON: &str = "application/a2a+json";

/// The media type of an answer, by the request's `Content-Type` and `Accept`: A2A's own only when
/// the request used it or named it as acceptable, since clients of 1.0.0 know the plain one only.
#[must_use]
pub fn media_type(content_type: Option<&str>, accept: Option<&str>) -> &'static str {
    let used = content_type.is_some_and(|value| essence(value).eq_ignore_ascii_case(A2A_JSON));
    let accepted = accept
        .into_iter()
        .flat_map(|value| value.split(','))
        .any(|range| essence(range).eq_ignore_ascii_case(A2A_JSON) && !refused(range));
    if used || accepted { A2A_JSON } else { JSON }
}

/// Whether a `Content-Type` names JSON: one of the two, or none at all.
#[must_use]
pub fn is_json(content_type: Option<&str>) -> bool {
    content_type.is_none_or(|value| {
        let essence = essence(value);
        [JSON, A2A_JSON]
            .iter()
            .any(|known| essence.eq_ignore_ascii_case(known))
    })
}

/// The type without its parameters.
fn essence(value: &str) -> &str {
    value.split(';').next().unwrap_or_default().trim()
}

/// Whether a range of `Accept` has the weight 0.
fn refused(range: &str) -> bool {
    range.split(';').skip(1).any(|parameter| {
        parameter.split_once('=').is_some_and(|(name, weight)| {
            let zero = weight
                .trim()
                .parse::<f32>()
                .is_ok_and(|weight| weight <= 0.0);
            name.trim().eq_ignore_ascii_case("q") && zero
        })
    })
}
