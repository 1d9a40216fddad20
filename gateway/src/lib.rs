//! The gateway: public doors, the call, and the hosting of tenants; the program `guildhall`.

use std::sync::Arc;

use poem::{Endpoint as _, EndpointExt as _, Route};
use registry::clock::{Clock as _, SystemClock};
use registry::ids::{self, SystemRandom};
use registry::search::{Search, SearchOptions};
use registry::store::{Recorder, Store};

pub mod a2a;
pub mod agree;
pub mod call;
pub mod caller;
pub mod cli;
mod deliver;
pub mod demo;
mod doors;
pub mod gate;
pub mod host;
mod import;
pub mod limits;
mod listen;
pub mod logs;
pub mod metrics;
pub mod openapi;
pub mod problem;
pub mod program;
pub mod ring;
pub mod serve;
pub mod settings;
pub mod views;

use gate::Gate;

/// Everything that answers requests: the doors within their frame.
fn endpoint(gate: &Gate) -> impl poem::Endpoint<Output = poem::Response> + 'static {
    let service = doors::service(gate);
    let generated = service.spec();
    let document = openapi::finish(&generated);
    // The page carries the document within; it must be the finished one.
    let page = service.swagger_ui_html().replace(&generated, &document);
    let page = page.replace("</body>", &format!("{}</body>", doors::docs::codes()));
    let frame = doors::frame::Frame::new(gate, &document);
    let routes = Route::new()
        .at("/openapi.json", doors::docs::document())
        .at("/docs", doors::docs::page())
        .nest("/", service)
        .data(gate.clone())
        .data(doors::docs::Document(document.into()))
        .data(doors::docs::Page(page.into()));
    let (routes, gate) = (Arc::new(routes), gate.clone());
    // Paths with colons are not the router's to read.
    let routes = Arc::new(poem::endpoint::make(move |request: poem::Request| {
        let (routes, gate) = (routes.clone(), gate.clone());
        async move {
            if doors::a2a::rest::below(request.uri().path()).is_some() {
                return Ok(doors::a2a::rest::serve(&gate, request).await);
            }
            routes
                .call(request)
                .await
                .map(poem::IntoResponse::into_response)
        }
    }));
    poem::endpoint::make(move |request| {
        let (frame, routes) = (frame.clone(), routes.clone());
        async move { Ok::<_, poem::Error>(frame.serve(&routes, request).await) }
    })
}

/// The OpenAPI document, as checked in at `openapi/gateway.json`. Needs no database.
///
/// # Errors
/// When a folder for an empty index cannot be made.
pub fn document() -> Result<String, registry::error::Error> {
    let folder =
        std::env::temp_dir().join(ids::new_id("guildhall", SystemClock.now(), &SystemRandom));
    let document = document_over(&folder);
    // The folder is the system's to clear away where this fails.
    let _ = std::fs::remove_dir_all(&folder);
    document
}

fn document_over(folder: &std::path::Path) -> Result<String, registry::error::Error> {
    let store = Store::unconnected(Arc::new(SystemClock), Arc::new(SystemRandom));
    let gate = serve::gate_over(serve::Parts {
        search: Search::open(folder, SearchOptions::default())?,
        recorder: Recorder::stopped(),
        store,
        host: host::Host::default(),
        ring: ring::KeyRing::empty(Arc::new(SystemRandom)),
        settings: settings::Settings::default(),
        origin: "http://127.0.0.1:8004".to_owned(),
        draining: tokio_util::sync::CancellationToken::new(),
        address: settings::Settings::default().listen,
    })?;
    Ok(openapi::finish(&doors::service(&gate).spec()))
}
