//! `guildhall demo-agent`: one process of small agents, one a path, in one dialect.

use std::convert::Infallible;
use std::io::Write as _;
use std::net::SocketAddr;
use std::process::ExitCode;

use clap::Args;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode, header};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::cards::{ALL, Addresses};
use super::dialect::{self, Kind};
use super::skills;

/// The most bytes of a request body.
const MOST: usize = 1024 * 1024;
/// Where a card is, below the path of its agent.
const CARD: &str = "/.well-known/agent-card.json";

/// How to run a process of demo agents.
#[derive(Debug, Clone, Args)]
pub struct AgentOptions {
    /// What it speaks
    #[arg(long, value_enum)]
    pub kind: Kind,
    /// Address to listen on
    #[arg(long, default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,
}

/// Serves until standard input ends: the demo holds its other end, so the agents go when the
/// demo goes, however that happens.
pub async fn agent(options: AgentOptions) -> ExitCode {
    let bound = async {
        let listener = TcpListener::bind(options.listen).await?;
        let address = listener.local_addr()?;
        Ok::<_, std::io::Error>((listener, address))
    };
    let (listener, address) = match bound.await {
        Ok(bound) => bound,
        Err(error) => {
            eprintln!("demo agent: cannot listen on {}: {error}", options.listen);
            return ExitCode::FAILURE;
        }
    };
    // Who started us may be gone already; standard input tells.
    let _ = writeln!(std::io::stdout(), "listening on http://{address}");
    let addresses = own(options.kind, &format!("http://{address}"));
    tokio::select! {
        () = serve(listener, options.kind, addresses) => {}
        () = end_of_input() => {}
    }
    ExitCode::SUCCESS
}

fn own(kind: Kind, address: &str) -> Addresses {
    let mut addresses = Addresses::default();
    let place = match kind {
        Kind::Http => &mut addresses.http,
        Kind::A2a03 => &mut addresses.a2a_03,
        Kind::A2a1 => &mut addresses.a2a_1,
    };
    *place = Some(address.to_owned());
    addresses
}

/// Reads on a thread of its own, which a runtime that ends need not wait for.
async fn end_of_input() {
    let (ended, end) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        // An input that cannot be read has ended as well.
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        let _ = ended.send(());
    });
    let _ = end.await;
}

async fn serve(listener: TcpListener, kind: Kind, addresses: Addresses) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            continue;
        };
        let addresses = addresses.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let addresses = addresses.clone();
                async move { Ok::<_, Infallible>(respond(kind, &addresses, request).await) }
            });
            // A client that breaks off is the client's business.
            let _ = http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

type Answer = Response<Full<Bytes>>;

async fn respond(kind: Kind, addresses: &Addresses, request: Request<Incoming>) -> Answer {
    let path = request.uri().path().to_owned();
    if let Some(agent) = path.strip_suffix(CARD) {
        return card(agent.trim_matches('/'), addresses);
    }
    let agent = path.trim_matches('/').to_owned();
    if skills::answer(&agent, "").is_none() {
        return text(StatusCode::NOT_FOUND, "no agent has this path");
    }
    let (parts, body) = request.into_parts();
    if parts.method != Method::POST && !(kind == Kind::Http && parts.method == Method::GET) {
        return text(StatusCode::METHOD_NOT_ALLOWED, "send a POST request");
    }
    let Ok(body) = Limited::new(body, MOST).collect().await else {
        return text(StatusCode::PAYLOAD_TOO_LARGE, "at most 1 MiB");
    };
    let body = body.to_bytes();
    let header = |name: &str| {
        parts
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    if kind == Kind::Http {
        let query = (parts.method == Method::GET).then(|| parts.uri.query().unwrap_or_default());
        return plain(
            &agent,
            query,
            header("content-type").unwrap_or_default(),
            &body,
        );
    }
    let skill = |text: &str| skills::answer(&agent, text).unwrap_or_default();
    json_answer(&dialect::answer(kind, header("a2a-version"), &body, skill))
}

fn card(agent: &str, addresses: &Addresses) -> Answer {
    match ALL
        .iter()
        .find(|card| card.path == agent)
        .and_then(|card| card.with(addresses))
    {
        Some(card) => with_type("application/json", card),
        None => text(StatusCode::NOT_FOUND, "no agent has this path"),
    }
}

/// Plain HTTP: text is answered with text, JSON with JSON, a query (member `text`) with text.
fn plain(agent: &str, query: Option<&str>, content_type: &str, body: &Bytes) -> Answer {
    if let Some(query) = query {
        let asked = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "text");
        let asked = asked
            .map(|(_, value)| value.into_owned())
            .unwrap_or_default();
        return text(
            StatusCode::OK,
            &skills::answer(agent, &asked).unwrap_or_default(),
        );
    }
    if !content_type.contains("json") {
        return text(
            StatusCode::OK,
            &skills::answer(agent, &String::from_utf8_lossy(body)).unwrap_or_default(),
        );
    }
    match serde_json::from_slice::<Value>(body) {
        Ok(data) => {
            let asked = dialect::words_of(&data);
            json_answer(&json!({"asked": asked, "answer": skills::answer(agent, &asked)}))
        }
        Err(error) => text(StatusCode::BAD_REQUEST, &format!("not JSON: {error}")),
    }
}

fn json_answer(value: &Value) -> Answer {
    with_type("application/json", value.to_string())
}

fn with_type(media_type: &'static str, body: String) -> Answer {
    let mut answer = Response::new(Full::from(body));
    answer.headers_mut().insert(
        header::CONTENT_TYPE,
        header::HeaderValue::from_static(media_type),
    );
    answer
}

fn text(status: StatusCode, body: &str) -> Answer {
    let mut answer = with_type("text/plain; charset=utf-8", body.to_owned());
    *answer.status_mut() = status;
    answer
}
