//! Plain HTTP receivers: the content part with its content type, as a body or as a query.

use http::{HeaderMap, HeaderValue, Method, header};
use protocol::a2a::message::{Content as PartContent, Message};
use registry::agent::Profile;
use serde_json::Value;
use url::Url;

use super::CallFailure;
use crate::problem::Code;

/// What is sent.
pub(super) struct PlainRequest {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

pub(super) fn request(
    profile: &Profile,
    url: &str,
    message: &Message,
    method: Option<&str>,
    headers: HeaderMap,
) -> Result<PlainRequest, CallFailure> {
    let url = Url::parse(url)
        .map_err(|_| CallFailure::new(Code::NoEndpoint, "the agent's address is no URL"))?;
    let (media_type, body) = content(message)?;
    match chosen(profile, method)? {
        Method::GET => Ok(PlainRequest {
            method: Method::GET,
            url: with_query(url, &media_type, &body),
            headers,
            body: Vec::new(),
        }),
        method => {
            accepts(profile, &media_type)?;
            let mut headers = headers;
            let value = HeaderValue::try_from(&media_type).map_err(|_| {
                CallFailure::new(Code::InvalidRequest, "the media type is no header value")
                    .at("/message/parts/0")
            })?;
            headers.insert(header::CONTENT_TYPE, value);
            Ok(PlainRequest {
                method,
                url,
                headers,
                body,
            })
        }
    }
}

/// The first part is what a plain receiver gets.
fn content(message: &Message) -> Result<(String, Vec<u8>), CallFailure> {
    let bad = |detail: &str| CallFailure::new(Code::InvalidRequest, detail).at("/message/parts");
    let [part] = message.parts.as_slice() else {
        return Err(bad(
            "an agent that speaks plain HTTP takes exactly one part",
        ));
    };
    let media = |fallback: &str| {
        part.media_type
            .clone()
            .unwrap_or_else(|| fallback.to_owned())
    };
    match &part.content {
        PartContent::Text(text) => Ok((media("text/plain"), text.clone().into_bytes())),
        PartContent::Data(data) => Ok((media("application/json"), crate::a2a::written(data))),
        PartContent::Bytes(bytes) => Ok((media("application/octet-stream"), bytes.clone())),
        PartContent::Uri(_) => Err(bad(
            "an agent that speaks plain HTTP takes no part by reference",
        )),
    }
}

fn chosen(profile: &Profile, asked: Option<&str>) -> Result<Method, CallFailure> {
    let allowed = |name: &str| match profile.http_methods.as_slice() {
        [] => name == "POST",
        list => list.iter().any(|method| method == name),
    };
    let name = asked.map_or_else(
        || if allowed("POST") { "POST" } else { "GET" }.to_owned(),
        str::to_ascii_uppercase,
    );
    match name.as_str() {
        "GET" if allowed("GET") => Ok(Method::GET),
        "POST" if allowed("POST") => Ok(Method::POST),
        "GET" | "POST" => Err(CallFailure::new(
            Code::InvalidRequest,
            format!("the agent does not take {name}"),
        )
        .at("/method")),
        _ => Err(CallFailure::new(Code::InvalidRequest, "a method is GET or POST").at("/method")),
    }
}

fn accepts(profile: &Profile, media_type: &str) -> Result<(), CallFailure> {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    let accepted = &profile.accepted_content_types;
    let fits = |declared: &String| declared == "*/*" || declared.eq_ignore_ascii_case(essence);
    if accepted.is_empty() || accepted.iter().any(fits) {
        return Ok(());
    }
    let detail = format!("the agent takes {}, not {essence}", accepted.join(", "));
    Err(CallFailure::new(Code::InvalidRequest, detail).at("/message/parts/0"))
}

/// GET: an object becomes one parameter a member, nested names joined by dots.
fn with_query(mut url: Url, media_type: &str, body: &[u8]) -> Url {
    let text = String::from_utf8_lossy(body);
    let mut pairs = Vec::new();
    match serde_json::from_str(&text) {
        Ok(value @ Value::Object(_)) if media_type.contains("json") => {
            flatten(String::new(), &value, &mut pairs)
        }
        _ => pairs.push(("text".to_owned(), text.into_owned())),
    }
    url.query_pairs_mut().extend_pairs(pairs);
    url
}

fn flatten(name: String, value: &Value, pairs: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            for (member, value) in members {
                let name = if name.is_empty() {
                    member.clone()
                } else {
                    format!("{name}.{member}")
                };
                flatten(name, value, pairs);
            }
        }
        Value::String(text) => pairs.push((name, text.clone())),
        Value::Null => pairs.push((name, String::new())),
        other => pairs.push((name, other.to_string())),
    }
}
