//! Agents elsewhere, scripted: each request is kept, each answer is as told.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

/// What an agent answers.
#[derive(Debug, Clone)]
pub enum Reply {
    /// JSON-RPC in A2A 0.3: a message with the text.
    A2a03(String),
    /// JSON-RPC in A2A 1.0: a message with the text.
    A2a1(String),
    /// JSON-RPC in A2A 0.3; methods of 1.0 are unknown.
    Only03,
    /// Status, media type and body.
    Raw(u16, String, Vec<u8>),
    /// A document by path, else 404.
    Files(Vec<(String, Vec<u8>)>),
    /// As `A2a1`, once it is released.
    Held(Arc<Notify>, String),
    /// Nothing, ever.
    Silence,
}

/// A request as the agent saw it.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: Bytes,
}

/// A scripted agent on loopback.
#[derive(Debug, Clone)]
pub struct Fake {
    /// Its origin.
    pub url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Fake {
    /// Starts one that always answers the same.
    ///
    /// # Panics
    /// When no port is free.
    pub async fn start(reply: Reply) -> Self {
        let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0)))
            .await
            .expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let fake = Self {
            url,
            seen: Arc::default(),
        };
        let seen = fake.seen.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (reply, seen) = (reply.clone(), seen.clone());
                tokio::spawn(async move {
                    let service =
                        service_fn(move |request| answer(request, reply.clone(), seen.clone()));
                    // A client that goes away is no fault of the agent.
                    let _ = hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), service)
                        .await;
                });
            }
        });
        fake
    }

    /// All requests so far.
    ///
    /// # Panics
    /// When another thread panicked meanwhile.
    #[must_use]
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().expect("a lock").clone()
    }
}

impl Seen {
    /// The body as JSON.
    ///
    /// # Panics
    /// When it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }
}

async fn answer(
    request: Request<Incoming>,
    reply: Reply,
    seen: Arc<Mutex<Vec<Seen>>>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (parts, body) = request.into_parts();
    let body = body
        .collect()
        .await
        .map(http_body_util::Collected::to_bytes)
        .unwrap_or_default();
    let target = parts
        .uri
        .path_and_query()
        .map(ToString::to_string)
        .unwrap_or_default();
    let record = Seen {
        method: parts.method.to_string(),
        target: target.clone(),
        headers: parts.headers,
        body: body.clone(),
    };
    seen.lock().expect("a lock").push(record);
    let id = serde_json::from_slice::<Value>(&body)
        .map(|request| request["id"].clone())
        .unwrap_or_default();
    Ok(match reply {
        Reply::Only03 if !body.windows(7).any(|part| part == b"message") => {
            unknown_or_gone(&id, &body)
        }
        Reply::Only03 => json_rpc(
            &id,
            json!({
                "kind": "message", "messageId": "m-1", "role": "agent", "parts": [{ "kind": "text", "text": "old" }],
            }),
        ),
        Reply::A2a03(text) => json_rpc(
            &id,
            json!({
                "kind": "message", "messageId": "m-1", "role": "agent", "parts": [{ "kind": "text", "text": text }],
            }),
        ),
        Reply::A2a1(text) => in_v1_0(&id, &text),
        Reply::Held(release, text) => {
            release.notified().await;
            in_v1_0(&id, &text)
        }
        Reply::Raw(status, media, body) => respond(status, &media, body),
        Reply::Files(files) => match files.into_iter().find(|(path, _)| *path == target) {
            Some((_, body)) => respond(200, "application/json", body),
            None => respond(404, "text/plain", b"not here".to_vec()),
        },
        Reply::Silence => std::future::pending().await,
    })
}

fn unknown_or_gone(id: &Value, body: &[u8]) -> Response<Full<Bytes>> {
    let old = body.windows(9).any(|part| part == b"tasks/get");
    let code = if old { -32001 } else { -32601 };
    let body = json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": "no" } });
    respond(200, "application/json", body.to_string().into_bytes())
}

fn in_v1_0(id: &Value, text: &str) -> Response<Full<Bytes>> {
    let message = json!({ "messageId": "m-1", "role": "ROLE_AGENT", "parts": [{ "text": text }] });
    json_rpc(id, json!({ "message": message }))
}

fn json_rpc(id: &Value, result: Value) -> Response<Full<Bytes>> {
    let body = json!({ "jsonrpc": "2.0", "id": id, "result": result });
    respond(200, "application/json", body.to_string().into_bytes())
}

fn respond(status: u16, media: &str, body: Vec<u8>) -> Response<Full<Bytes>> {
    Response::builder()
        .status(status)
        .header("content-type", media)
        .header("set-cookie", "session=upstream")
        .header("server", "fake")
        .header("x-agent", "fake")
        .body(Full::new(body.into()))
        .expect("a response")
}
