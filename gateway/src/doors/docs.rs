//! `/openapi.json` and `/docs`: the document, and a page for it that works offline.

use bytes::Bytes;
use poem::web::Data;
use poem::{Response, get, handler};

/// The document as it is served.
#[derive(Debug, Clone)]
pub(crate) struct Document(pub(crate) Bytes);

/// The page as it is served.
#[derive(Debug, Clone)]
pub(crate) struct Page(pub(crate) Bytes);

/// `/openapi.json`.
pub(crate) fn document() -> poem::RouteMethod {
    get(serve_document)
}

/// `/docs`.
pub(crate) fn page() -> poem::RouteMethod {
    get(serve_page)
}

#[handler]
fn serve_document(document: Data<&Document>) -> Response {
    Response::builder()
        .content_type("application/json")
        .body(document.0.0.clone())
}

#[handler]
fn serve_page(page: Data<&Page>) -> Response {
    Response::builder()
        .content_type("text/html; charset=utf-8")
        .body(page.0.0.clone())
}
