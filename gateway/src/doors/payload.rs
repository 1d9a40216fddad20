//! JSON in and out: bodies are read strictly and failures point at the field.

use std::ops::Deref;

use poem::{IntoResponse, Request, RequestBody, Response};
use poem_openapi::payload::{ParsePayload, Payload};
use poem_openapi::registry::{
    MetaMediaType, MetaRequest, MetaResponse, MetaResponses, MetaSchemaRef, Registry,
};
use poem_openapi::types::Type;
use poem_openapi::{ApiExtractor, ApiExtractorType, ApiResponse, ExtractParamOptions};
use protocol::json::JsonErrorKind;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::problem::{Code, Problem};

/// A JSON request body.
#[derive(Debug)]
pub(super) struct Body<T>(pub(super) T);

/// How a body is read; nearly always by [`object`].
pub(super) trait ReadBody: Sized {
    /// Reads the bytes of a request body.
    fn read(bytes: &[u8]) -> Result<Self, Problem>;
}

/// A JSON answer.
#[derive(Debug)]
pub(super) struct Answer<T>(pub(super) T);

impl<T> Deref for Body<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Type> Payload for Body<T> {
    const CONTENT_TYPE: &'static str = "application/json";

    fn check_content_type(content_type: &str) -> bool {
        let essence = content_type.split(';').next().unwrap_or_default().trim();
        essence.eq_ignore_ascii_case("application/json")
            || essence.to_ascii_lowercase().ends_with("+json")
    }

    fn schema_ref() -> MetaSchemaRef {
        T::schema_ref()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

impl<T: Type + ReadBody> ParsePayload for Body<T> {
    const IS_REQUIRED: bool = true;

    async fn from_request(request: &Request, body: &mut RequestBody) -> poem::Result<Self> {
        let bytes = <Vec<u8> as poem::FromRequest>::from_request(request, body).await?;
        Ok(Self(T::read(&bytes)?))
    }
}

impl<'a, T: Type + ReadBody> ApiExtractor<'a> for Body<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        <Self as Payload>::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let content = MetaMediaType {
            content_type: Self::CONTENT_TYPE,
            schema: T::schema_ref(),
        };
        Some(MetaRequest {
            description: None,
            content: vec![content],
            required: true,
        })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        if !request.content_type().is_some_and(Self::check_content_type) {
            return Err(Problem::new(
                Code::UnsupportedMediaType,
                "send the body as application/json",
            )
            .into());
        }
        <Self as ParsePayload>::from_request(request, body).await
    }
}

/// Well-formed, without repeated members, at most 64 levels deep, and of the right types.
pub(super) fn object<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    match repeated(bytes)? {
        0 => typed(bytes),
        _ => Err(twice()),
    }
}

/// As [`object`], around a part that is somebody's document and may repeat members: the reader of
/// that document repairs it and says so.
pub(super) fn object_around<T: DeserializeOwned>(
    bytes: &[u8],
    part: impl Fn(&T) -> Option<&str>,
) -> Result<T, Problem> {
    let all = repeated(bytes)?;
    let body: T = typed(bytes)?;
    let within = match part(&body) {
        Some(text) if all > 0 => repeated(text.as_bytes())?,
        _ => 0,
    };
    if all == within {
        Ok(body)
    } else {
        Err(twice())
    }
}

fn twice() -> Problem {
    Problem::new(Code::MalformedJson, "a member stands twice in one object")
}

/// How many members are repeated in a well-formed document.
fn repeated(bytes: &[u8]) -> Result<usize, Problem> {
    protocol::json::check(bytes, true).map_err(|error| match error.kind {
        JsonErrorKind::Empty => Problem::new(
            Code::MalformedJson,
            "the body is empty; a JSON object is expected",
        ),
        _ => Problem::new(Code::MalformedJson, error.to_string()),
    })
}

/// Of the right types; a mistake points at its place.
pub(super) fn typed<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    // The reader would take a list as an object's members in order.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(Problem::new(Code::InvalidRequest, "a JSON object is expected").at(""));
    }
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let pointer = pointer(error.path());
        // The position within the line is of no use to a caller who has the pointer.
        let text = error.inner().to_string();
        let reason = text
            .rsplit_once(" at line ")
            .map_or(text.as_str(), |(reason, _)| reason);
        Problem::new(Code::InvalidRequest, reason).at(pointer)
    })
}

fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    path.iter().fold(String::new(), |mut pointer, segment| {
        match segment {
            Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
            Segment::Map { key } => pointer.push_str(&protocol::json::pointer_step(key)),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
        pointer
    })
}

impl<T: Serialize + Send + Sync> IntoResponse for Answer<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(body) => Response::builder()
                .content_type("application/json")
                .body(body),
            Err(error) => {
                crate::problem::log_cause("an answer could not be written", &error);
                Problem::new(Code::Internal, "the answer could not be written").into_response()
            }
        }
    }
}

impl<T: Type> Payload for Answer<T> {
    const CONTENT_TYPE: &'static str = "application/json";

    fn schema_ref() -> MetaSchemaRef {
        T::schema_ref()
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

impl<T: Type + Serialize> ApiResponse for Answer<T> {
    fn meta() -> MetaResponses {
        let content = MetaMediaType {
            content_type: Self::CONTENT_TYPE,
            schema: T::schema_ref(),
        };
        let done = MetaResponse {
            description: "Done",
            status: Some(200),
            status_range: None,
            content: vec![content],
            headers: vec![],
        };
        MetaResponses {
            responses: vec![done],
        }
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}
