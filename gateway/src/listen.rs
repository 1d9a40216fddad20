//! The accept loop: connections, their limits of headers and time, and the graceful end.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use poem::http::uri::Scheme;
use poem::web::{LocalAddr, RemoteAddr};
use poem::{Addr, Endpoint, Response};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long a request's headers may take to arrive; also closes connections that send nothing.
const HEADER_TIME: Duration = Duration::from_secs(10);
/// How long a client may leave an answer untaken: what it does not read is held in memory.
const WRITE_TIME: Duration = Duration::from_secs(30);
/// Bytes of a request's line and headers.
const HEADER_BYTES: usize = 16 * 1024;
/// Lines of a request's headers.
const HEADER_LINES: usize = 100;
/// How long to wait when the system has no socket left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How the loop behaves.
pub(crate) struct Listening {
    /// Open connections at once.
    pub(crate) connections: usize,
    /// How long requests may go on after `stop`.
    pub(crate) drain: Duration,
    /// Ends the loop.
    pub(crate) stop: CancellationToken,
}

/// Serves until stopped; requests under way are finished, at most for the time of draining.
/// When it returns no connection is left, so nothing holds the handles of the doors any more.
pub(crate) async fn serve<E>(
    listener: TcpListener,
    endpoint: E,
    listening: Listening,
) -> io::Result<()>
where
    E: Endpoint<Output = Response> + 'static,
{
    let endpoint = Arc::new(endpoint);
    let local = listener.local_addr()?;
    let places = Arc::new(Semaphore::new(listening.connections));
    let graceful = GracefulShutdown::new();
    let (connections, cut) = (TaskTracker::new(), CancellationToken::new());
    loop {
        let (place, stream, peer) = tokio::select! {
            () = listening.stop.cancelled() => break,
            accepted = accept(&listener, &places) => accepted,
        };
        let watcher = graceful.watcher();
        let served = serve_connection(
            stream,
            Ends { local, peer },
            endpoint.clone(),
            watcher,
            place,
        );
        let cut = cut.clone();
        connections.spawn(async move { cut.run_until_cancelled(served).await });
    }
    drop(listener);
    if tokio::time::timeout(listening.drain, graceful.shutdown())
        .await
        .is_err()
    {
        tracing::warn!("requests were cut off: draining took too long");
    }
    cut.cancel();
    connections.close();
    connections.wait().await;
    Ok(())
}

/// The next connection, once there is a place for it.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (Option<OwnedSemaphorePermit>, TcpStream, SocketAddr) {
    // The semaphore is never closed.
    let place = places.clone().acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (place, stream, peer),
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// The two addresses of a connection.
#[derive(Clone, Copy)]
struct Ends {
    local: SocketAddr,
    peer: SocketAddr,
}

async fn serve_connection<E>(
    stream: TcpStream,
    ends: Ends,
    endpoint: Arc<E>,
    watcher: Watcher,
    _place: Option<OwnedSemaphorePermit>,
) where
    E: Endpoint<Output = Response> + 'static,
{
    // Small answers must not wait for more data; a socket that refuses is still a socket.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let endpoint = endpoint.clone();
        async move {
            let local = LocalAddr(Addr::from(ends.local));
            let remote = RemoteAddr(Addr::from(ends.peer));
            let request = poem::Request::from((request, local, remote, Scheme::HTTP));
            // The frame answers every failure; this is the type's last door.
            let response = endpoint
                .call(request)
                .await
                .unwrap_or_else(|error| error.into_response());
            Ok::<_, Infallible>(hyper::Response::from(response))
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIME)
        .max_buf_size(HEADER_BYTES)
        .max_headers(HEADER_LINES);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(WRITE_TIME));
    let connection = http.serve_connection(TokioIo::new(Box::pin(stream)), service);
    if let Err(error) = watcher.watch(connection).await {
        tracing::debug!(%error, "a connection ended early");
    }
}
