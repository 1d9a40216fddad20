//! `POST /agents/{id}`: the A2A JSON-RPC door of an agent, hosted here or elsewhere.
//!
//! One URL for both dialects, chosen for each request by its version header and method. What an
//! agent elsewhere does not speak is refused with A2A's own error; nothing is translated yet.

use bytes::Bytes;
use poem::http::{Method, StatusCode, header};
use poem::{IntoResponse, Request, RequestBody, Response};
use poem_openapi::param::Path;
use poem_openapi::registry::{
    MetaMediaType, MetaRequest, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry,
};
use poem_openapi::{ApiExtractor, ApiExtractorType, ApiResponse, ExtractParamOptions, OpenApi};
use protocol::a2a::rpc::{self, ErrorCode, Id, RpcError};
use protocol::a2a::{Operation, Version, choose};
use registry::agent::Agent;
use serde_json::{Value, json};

use super::frame::{self, RequestId};
use crate::call::{self, Body as AgentBody, Envelope, Matched};
use crate::caller::Visitor;
use crate::gate::Gate;
use crate::host::Visit;
use crate::problem::{Code, Problem};

pub(crate) struct A2aDoor(pub(super) Gate);

#[OpenApi]
impl A2aDoor {
    /// Speak A2A with an agent
    ///
    /// JSON-RPC 2.0 in A2A 0.3 or 1.0. Errors are JSON-RPC errors on HTTP 200, except 400 for a
    /// body that is no JSON, and 401, 403, 404, 405, 410, 413, 429 and 503. Free agents answer
    /// nobody as well; a key that is sent must be good.
    #[oai(path = "/agents/:agent_id", method = "post", operation_id = "a2a_rpc")]
    async fn rpc(
        &self,
        request: &Request,
        /// Id of the agent.
        agent_id: Path<String>,
        body: RpcBody,
    ) -> RpcAnswer {
        let request_id = request.extensions().get::<RequestId>().cloned();
        let request_id = request_id.map_or_else(|| "".into(), |id| id.0);
        let (id, answer) = match rpc::parse(&body.0) {
            Ok(parsed) => (
                parsed.id.clone(),
                self.answer(request, &agent_id.0, parsed, body.0).await,
            ),
            Err(refused) => (refused.id, Err(unreadable(request, refused.error))),
        };
        RpcAnswer(match answer {
            Ok(response) => response,
            Err(Refusal::Rpc(error)) => respond(&id, &error),
            Err(Refusal::Problem(problem)) => refusal(&problem, Some(&id), &request_id),
        })
    }
}

/// Why a request is not answered by the agent.
enum Refusal {
    Rpc(RpcError),
    Problem(Problem),
}

impl From<RpcError> for Refusal {
    fn from(error: RpcError) -> Self {
        Self::Rpc(error)
    }
}

impl<P: Into<Problem>> From<P> for Refusal {
    fn from(problem: P) -> Self {
        Self::Problem(problem.into())
    }
}

impl A2aDoor {
    async fn answer(
        &self,
        request: &Request,
        agent_id: &str,
        parsed: rpc::Request,
        body: Bytes,
    ) -> Result<Response, Refusal> {
        let gate = &self.0;
        let visitor = Visitor::of(request, gate).await?;
        let matched = call::find(gate, agent_id).await?;
        let spoken = spoken(matched.agent());
        if spoken.is_empty() {
            let problem = Problem::new(
                Code::UnsupportedBinding,
                "the agent speaks no A2A; POST /call reaches it",
            );
            return Err(problem.into());
        }
        let asked = version_of(request);
        let (version, operation) = choose(asked.as_deref(), &parsed.method, &spoken, false)?;
        if matched.agent().tenant {
            return self
                .hosted(&visitor, matched.agent(), version, &parsed)
                .await;
        }
        let asked = Asked {
            request,
            visitor,
            matched,
            version,
            operation,
            parsed,
            body,
        };
        self.proxied(asked).await
    }

    /// A tenant answers in whatever dialect was chosen.
    async fn hosted(
        &self,
        visitor: &Visitor,
        agent: &Agent,
        version: Version,
        parsed: &rpc::Request,
    ) -> Result<Response, Refusal> {
        let (gate, id) = (&self.0, &agent.id);
        let left = gate
            .fixed
            .limits
            .check_call(visitor.caller(), visitor.source, id)
            .map_err(Problem::from)?;
        let visit = Visit {
            agent: id,
            version,
            caller: visitor.caller(),
        };
        match gate.host.answer(visit, parsed, &gate.store).await {
            Some(answer) => {
                let mut response = json_response(StatusCode::OK, &answer);
                frame::tell_limit(&mut response, left);
                Ok(response)
            }
            None => {
                Err(Problem::new(Code::UnknownAgent, "the agent is no longer served here").into())
            }
        }
    }

    /// A message to an agent elsewhere passes in its own dialect; tasks have no owner here yet.
    async fn proxied(&self, asked: Asked<'_>) -> Result<Response, Refusal> {
        match asked.operation {
            Operation::Send => {}
            Operation::PushCreate
            | Operation::PushGet
            | Operation::PushList
            | Operation::PushDelete => {
                let text = "push notifications do not pass this door yet";
                return Err(RpcError::new(ErrorCode::PushNotificationNotSupported, text).into());
            }
            _ => {
                let text = "this door passes single messages; tasks and streams do not pass yet";
                return Err(RpcError::new(ErrorCode::UnsupportedOperation, text).into());
            }
        }
        let skill = asked
            .parsed
            .params
            .as_ref()
            .and_then(|params| params.pointer("/message/metadata/skill"));
        let envelope = Envelope {
            body: asked.body,
            version: asked.version,
            skill: skill.and_then(Value::as_str).map(named),
            headers: headers_of(asked.request),
        };
        let answered = call::pass(&self.0, &asked.visitor, asked.matched, envelope).await?;
        let mut response = match answered.body {
            AgentBody::Json(raw) => passed_back(&asked.parsed.id, raw.get())?,
            _ => return Err(no_a2a(answered.status_code)),
        };
        frame::set_header(
            &mut response,
            "x-guildhall-transaction-id",
            &answered.transaction_id,
        );
        frame::tell_limit(&mut response, answered.left);
        Ok(response)
    }
}

/// A request whose agent and dialect are known.
struct Asked<'a> {
    request: &'a Request,
    visitor: Visitor,
    matched: Matched,
    version: Version,
    operation: Operation,
    parsed: rpc::Request,
    body: Bytes,
}

/// The agent's answer under the client's own id; the id that came back is never trusted.
fn passed_back(id: &Id, answer: &str) -> Result<Response, Refusal> {
    let mut value: Value = serde_json::from_str(answer).map_err(|_| no_a2a(200))?;
    match value.as_object_mut() {
        Some(members) if members.contains_key("result") || members.contains_key("error") => {
            members.insert("id".to_owned(), id_value(id));
            Ok(json_response(StatusCode::OK, &value))
        }
        _ => Err(no_a2a(200)),
    }
}

fn id_value(id: &Id) -> Value {
    match id {
        Id::Null => Value::Null,
        Id::Number(number) => json!(number),
        Id::String(text) => json!(text),
    }
}

fn no_a2a(status: u16) -> Refusal {
    let status = status.to_string();
    let error = RpcError::new(
        ErrorCode::InvalidAgentResponse,
        "the agent's answer is no JSON-RPC answer",
    );
    Refusal::Rpc(error.and(json!({
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": "INVALID_AGENT_RESPONSE",
        "domain": "a2a-protocol.org",
        "metadata": { "upstream_status": status },
    })))
}

/// A skill as it is recorded; what the agent gets is untouched.
fn named(skill: &str) -> String {
    skill
        .chars()
        .filter(|c| !c.is_control())
        .take(128)
        .collect()
}

/// The dialects of an agent's door, preferred first.
pub(super) fn spoken(agent: &Agent) -> Vec<Version> {
    if agent.tenant {
        return vec![Version::V1_0, Version::V0_3];
    }
    let mut versions = Vec::new();
    let callable = |i: &&protocol::a2a::card::Interface| {
        i.callable && i.binding == protocol::a2a::card::Binding::JsonRpc
    };
    for interface in agent.profile.interfaces.iter().filter(callable) {
        if !versions.contains(&interface.version) {
            versions.push(interface.version);
        }
    }
    versions
}

/// `A2A-Version` of the header, else of the query.
fn version_of(request: &Request) -> Option<String> {
    let query = request.uri().query().unwrap_or_default();
    let from_query = || {
        url::form_urlencoded::parse(query.as_bytes())
            .find(|(name, _)| name.eq_ignore_ascii_case("a2a-version"))
    };
    let header = request.header("a2a-version").map(str::to_owned);
    header.or_else(|| from_query().map(|(_, value)| value.into_owned()))
}

/// Headers that a client may have passed to the agent; the allow-list of calls decides.
fn headers_of(request: &Request) -> Vec<(String, String)> {
    let readable = request
        .headers()
        .iter()
        .filter(|(name, _)| *name != header::AUTHORIZATION && *name != header::ACCEPT);
    readable
        .filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())))
        .collect()
}

/// A body that cannot be read as JSON-RPC; of another media type it is -32005.
fn unreadable(request: &Request, error: RpcError) -> Refusal {
    let json = request
        .content_type()
        .is_none_or(|media| media.to_ascii_lowercase().contains("json"));
    if !json && error.code == ErrorCode::ParseError.number() {
        return Refusal::Rpc(RpcError::new(
            ErrorCode::ContentTypeNotSupported,
            "send the body as application/json",
        ));
    }
    Refusal::Rpc(error)
}

/// Whether a request goes to a JSON-RPC door, whose failures are JSON-RPC errors.
pub(super) fn is_rpc(method: &Method, path: &str) -> bool {
    let Some(rest) = path.strip_prefix("/agents/") else {
        return false;
    };
    let id = rest.trim_end_matches('/');
    *method == Method::POST && !id.is_empty() && !id.contains('/')
}

fn respond(id: &Id, error: &RpcError) -> Response {
    let status = if error.code == ErrorCode::ParseError.number() {
        StatusCode::BAD_REQUEST
    } else {
        StatusCode::OK
    };
    json_response(status, &rpc::error(id, error))
}

/// A problem of ours as a JSON-RPC error: one typed element of its data holds the problem.
pub(super) fn refusal(problem: &Problem, id: Option<&Id>, request_id: &str) -> Response {
    let entry = problem.code().entry();
    let mut detail = problem.body(request_id);
    let message = detail
        .get("detail")
        .and_then(Value::as_str)
        .unwrap_or(entry.title)
        .to_owned();
    if let Some(members) = detail.as_object_mut() {
        members.insert("@type".to_owned(), json!("urn:guildhall:problem"));
    }
    let error = RpcError {
        code: entry.rpc.into(),
        message,
        data: vec![detail],
    };
    let status = match entry.status {
        status @ (400 | 401 | 402 | 403 | 404 | 405 | 410 | 413 | 429 | 503) => status,
        _ => 200,
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let mut response = problem.respond(request_id);
    let body = json_response(status, &rpc::error(id.unwrap_or(&Id::Null), &error));
    response.set_status(status);
    response.headers_mut().insert(
        header::CONTENT_TYPE,
        header::HeaderValue::from_static("application/json"),
    );
    response.set_body(body.into_body());
    response
}

fn json_response(status: StatusCode, value: &Value) -> Response {
    Response::builder()
        .status(status)
        .content_type("application/json")
        .body(value.to_string())
}

/// The raw body: its media type is judged by A2A's rules.
struct RpcBody(Bytes);

impl<'a> ApiExtractor<'a> for RpcBody {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];

    type ParamType = ();
    type ParamRawType = ();

    fn request_meta() -> Option<MetaRequest> {
        let content = MetaMediaType {
            content_type: "application/json",
            schema: any(),
        };
        Some(MetaRequest {
            description: Some("A JSON-RPC 2.0 request of A2A"),
            content: vec![content],
            required: true,
        })
    }

    async fn from_request(
        request: &'a Request,
        body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> poem::Result<Self> {
        Ok(Self(
            <Vec<u8> as poem::FromRequest>::from_request(request, body)
                .await?
                .into(),
        ))
    }
}

/// A JSON-RPC answer.
struct RpcAnswer(Response);

impl IntoResponse for RpcAnswer {
    fn into_response(self) -> Response {
        self.0
    }
}

impl ApiResponse for RpcAnswer {
    fn meta() -> MetaResponses {
        let content = MetaMediaType {
            content_type: "application/json",
            schema: any(),
        };
        let answer = MetaResponse {
            description: "A JSON-RPC result or error",
            status: Some(200),
            status_range: None,
            content: vec![content],
            headers: vec![],
        };
        MetaResponses {
            responses: vec![answer],
        }
    }

    fn register(_registry: &mut Registry) {}
}

fn any() -> MetaSchemaRef {
    MetaSchemaRef::Inline(Box::new(MetaSchema::ANY))
}
