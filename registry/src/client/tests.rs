//! The client against scripted servers on loopback and scripted names.

use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::BoxFuture;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

/// Answers every connection with the same bytes, and counts them.
async fn server(answer: impl Into<Vec<u8>>) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (answer, seen) = (answer.into(), Arc::new(AtomicUsize::new(0)));
    let counter = seen.clone();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            counter.fetch_add(1, Ordering::SeqCst);
            let answer = answer.clone();
            tokio::spawn(async move {
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).await;
                let _ = stream.write_all(&answer).await;
            });
        }
    });
    (address, seen)
}

fn client(allow_private: bool) -> Client {
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    Client::new(Options {
        allow_private,
        call_body: 64,
        ..Options::default()
    })
    .expect("a client")
}

fn get(address: SocketAddr, purpose: Purpose) -> Outgoing {
    Outgoing::get(
        purpose,
        format!("http://{address}/x").parse().expect("a URL"),
    )
}

async fn fetch(client: &Client, outgoing: Outgoing) -> Result<(u16, Bytes), ClientError> {
    let answer = client.send(outgoing).await?;
    Ok((answer.status, answer.bytes().await?))
}

#[tokio::test]
async fn loopback_sees_no_connection_unless_allowed() {
    let (address, seen) = server("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi").await;
    let refused = fetch(&client(false), get(address, Purpose::Call))
        .await
        .expect_err("refused");
    assert!(
        matches!(
            refused,
            ClientError::Refused {
                reason: Refused::Private
            }
        ) && refused.unsent()
    );
    assert_eq!(seen.load(Ordering::SeqCst), 0);
    let (status, body) = fetch(&client(true), get(address, Purpose::Call))
        .await
        .expect("allowed");
    assert_eq!((status, &body[..]), (200, &b"hi"[..]));
}

#[tokio::test]
async fn an_answer_over_the_cap_is_refused_with_and_without_a_length() {
    let body = "x".repeat(65);
    for answer in [
        format!("HTTP/1.1 200 OK\r\ncontent-length: 65\r\n\r\n{body}"),
        format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{body}"),
    ] {
        let (address, _) = server(answer).await;
        let error = fetch(&client(true), get(address, Purpose::Call))
            .await
            .expect_err("too large");
        assert!(
            matches!(error, ClientError::TooLarge { limit: 64 }),
            "{error:?}"
        );
    }
}

#[tokio::test]
async fn a_broken_answer_is_no_answer() {
    for answer in [
        "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhi",
        "what?",
        "",
    ] {
        let (address, _) = server(answer).await;
        let error = fetch(&client(true), get(address, Purpose::Call))
            .await
            .expect_err("broken");
        assert!(
            matches!(error, ClientError::Broken) && !error.unsent(),
            "{answer}: {error:?}"
        );
    }
}

#[tokio::test]
async fn a_slow_agent_runs_into_the_total_time() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let outgoing = Outgoing {
        total: Some(Duration::from_millis(30)),
        ..get(address, Purpose::Call)
    };
    let error = fetch(&client(true), outgoing).await.expect_err("slow");
    assert!(matches!(error, ClientError::Timeout), "{error:?}");
}

#[tokio::test]
async fn redirects_are_followed_for_cards_and_not_for_calls() {
    let (target, _) = server("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ncard").await;
    let (address, _) = server(format!(
        "HTTP/1.1 302 Found\r\nlocation: http://{target}/c\r\ncontent-length: 0\r\n\r\n"
    ))
    .await;
    let (status, body) = fetch(&client(true), get(address, Purpose::CardImport))
        .await
        .expect("followed");
    assert_eq!((status, &body[..]), (200, &b"card"[..]));
    let (status, _) = fetch(&client(true), get(address, Purpose::Call))
        .await
        .expect("not followed");
    assert_eq!(status, 302);
}

#[tokio::test]
async fn a_loop_of_redirects_ends() {
    let (address, seen) = server(
        "HTTP/1.1 302 Found\r\nlocation: /x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    )
    .await;
    let error = fetch(&client(true), get(address, Purpose::CardImport))
        .await
        .expect_err("a loop");
    assert!(matches!(error, ClientError::Redirect), "{error:?}");
    assert_eq!(seen.load(Ordering::SeqCst), 4);
}

/// Gives one answer after the other for every name.
struct Script(Mutex<Vec<Vec<SocketAddr>>>);

impl Resolve for Script {
    fn resolve<'a>(&'a self, _name: &'a str) -> BoxFuture<'a, std::io::Result<Vec<SocketAddr>>> {
        let next = self.0.lock().expect("a lock").remove(0);
        Box::pin(std::future::ready(Ok(next)))
    }
}

#[tokio::test]
async fn a_name_with_one_private_address_is_refused_whole() {
    let (address, seen) = server("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
    let public: SocketAddr = "[2606:4700::1111]:0".parse().expect("an address");
    for answer in [vec![address], vec![public, address], vec![]] {
        let empty = answer.is_empty();
        let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
        let resolver = Arc::new(Script(Mutex::new(vec![answer])));
        let client = Client::new(Options {
            resolver,
            ..Options::default()
        })
        .expect("a client");
        let url = format!("http://agents.example.org:{}/", address.port())
            .parse()
            .expect("a URL");
        let error = fetch(&client, Outgoing::get(Purpose::Call, url))
            .await
            .expect_err("refused");
        let expected = if empty { "dns" } else { "refused" };
        assert_eq!(error.class(), expected, "{error:?}");
    }
    assert_eq!(seen.load(Ordering::SeqCst), 0);
}
