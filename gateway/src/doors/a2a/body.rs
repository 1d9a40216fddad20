//! How the JSON-RPC doors stand in the document: any JSON in, any JSON or a stream out.

use bytes::Bytes;
use poem::{Request, RequestBody, Response};
use poem_openapi::registry::{
    MetaMediaType, MetaRequest, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry,
};
use poem_openapi::{ApiExtractor, ApiExtractorType, ApiResponse, ExtractParamOptions};

/// The raw body: its media type is judged by A2A's rules.
pub(in crate::doors) struct RpcBody(pub(in crate::doors) Bytes);

impl<'a> ApiExtractor<'a> for RpcBody {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn request_meta() -> Option<MetaRequest> {
        Some(MetaRequest {
            description: Some("A JSON-RPC 2.0 request of A2A"),
            content: vec![media("application/json")],
            required: true,
        })
    }

    async fn from_request(
        _request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self(body.take()?.into_bytes().await?))
    }
}

/// A JSON-RPC answer.
pub(in crate::doors) struct RpcAnswer(pub(in crate::doors) Response);

impl ApiResponse for RpcAnswer {
    fn meta() -> MetaResponses {
        let answer = MetaResponse {
            description: "A JSON-RPC result or error, or a stream of them",
            status: Some(200),
            status_range: None,
            content: vec![media("application/json"), media("text/event-stream")],
            headers: vec![],
        };
        MetaResponses {
            responses: vec![answer],
        }
    }

    fn register(_registry: &mut Registry) {}
}

fn media(content_type: &'static str) -> MetaMediaType {
    MetaMediaType {
        content_type,
        schema: MetaSchemaRef::Inline(Box::new(MetaSchema::ANY)),
    }
}
