//! `/openapi.json` and `/docs`: the document, and a page for it that works offline.

use poem::web::Html;
use poem::{Response, get, handler};

/// The document as it is served.
#[derive(Debug, Clone)]
pub(crate) struct Document(pub(crate) std::sync::Arc<str>);

/// The page as it is served.
#[derive(Debug, Clone)]
pub(crate) struct Page(pub(crate) std::sync::Arc<str>);

/// `/openapi.json`.
pub(crate) fn document() -> poem::RouteMethod {
    get(serve_document)
}

/// `/docs`.
pub(crate) fn page() -> poem::RouteMethod {
    get(serve_page)
}

#[handler]
fn serve_document(document: poem::web::Data<&Document>) -> Response {
    Response::builder().content_type("application/json").body(document.0.0.to_string())
}

#[handler]
fn serve_page(page: poem::web::Data<&Page>) -> Html<String> {
    Html(page.0.0.to_string())
}
