//! `/openapi.json` and `/docs`: the document, and a page for it that works offline.

use bytes::Bytes;
use poem::web::Data;
use poem::{Response, get, handler};

use crate::problem::catalogue;

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

/// The catalogue of failures below the page; a problem's `type` is a link to its row.
pub(crate) fn codes() -> String {
    let rows = catalogue::CATALOGUE.iter().map(|entry| {
        format!(
            "<tr id=\"{0}\"><td><code>{0}</code></td><td>{1}</td><td>{2}</td><td>{3}</td><td>{4}</td></tr>",
            entry.name,
            entry.status,
            entry.rpc,
            if entry.retryable { "yes" } else { "no" },
            entry.title,
        )
    });
    format!(
        "<section style=\"max-width:1460px;margin:2em auto;padding:0 20px;font-family:sans-serif\">\
         <h2>Failure codes</h2><table cellpadding=\"6\"><tr><th>code</th><th>HTTP</th>\
         <th>JSON-RPC</th><th>retryable</th><th>meaning</th></tr>{}</table></section>",
        rows.collect::<String>()
    )
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
