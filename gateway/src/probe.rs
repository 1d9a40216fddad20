//! One real question at import: what an endpoint speaks, whatever its card says.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, Method, header};
use protocol::a2a::Version;
use protocol::a2a::card::Binding;
use protocol::a2a::rpc::ErrorCode;
use registry::agent::Profile;
use registry::client::{Outgoing, Purpose};
use serde_json::{Value, json};
use url::Url;

use crate::gate::Gate;

/// How long an endpoint may take; an import waits for it.
const PATIENCE: Duration = Duration::from_secs(3);

/// Asks the first JSON-RPC address in both dialects for a task that does not exist, which costs the
/// agent nothing, and corrects the address's dialect where only the other one is understood.
pub(crate) async fn observe(gate: &Gate, profile: &mut Profile) {
    let first = profile
        .interfaces
        .iter()
        .position(|i| i.callable && i.binding == Binding::JsonRpc);
    let Some(index) = first.filter(|_| gate.fixed.settings.call.probe) else {
        return;
    };
    let Ok(url) = Url::parse(&profile.interfaces[index].url) else {
        return;
    };
    let (old, new) = futures_util::future::join(
        speaks(gate, &url, Version::V0_3),
        speaks(gate, &url, Version::V1_0),
    )
    .await;
    let mut observed = Vec::new();
    observed.extend(new.then_some(Version::V1_0));
    observed.extend(old.then_some(Version::V0_3));
    let interface = &mut profile.interfaces[index];
    if let ([only], false) = (observed.as_slice(), observed.contains(&interface.version)) {
        interface.version = *only;
    }
    profile.observed_versions = observed;
}

async fn speaks(gate: &Gate, url: &Url, version: Version) -> bool {
    let method = match version {
        Version::V0_3 => "tasks/get",
        Version::V1_0 => "GetTask",
    };
    let params = json!({ "id": "guildhall-probe" });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let mut headers = HeaderMap::new();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    if version == Version::V1_0 {
        headers.insert("a2a-version", HeaderValue::from_static("1.0"));
    }
    let request = Outgoing {
        purpose: Purpose::Probe,
        method: Method::POST,
        url: url.clone(),
        headers,
        body: body.to_string().into(),
        total: Some(PATIENCE),
    };
    let answered = async {
        let answer = gate.client.send(request).await.ok()?;
        let bytes = answer.bytes().await.ok()?;
        serde_json::from_slice::<Value>(&bytes).ok()
    };
    answered.await.is_some_and(|answer| understood(&answer))
}

/// Any answer of JSON-RPC but "no such method", "no such version" and "no such request".
fn understood(answer: &Value) -> bool {
    let unknown = [
        ErrorCode::MethodNotFound,
        ErrorCode::VersionNotSupported,
        ErrorCode::InvalidRequest,
        ErrorCode::ParseError,
    ];
    match (answer.get("result"), answer.pointer("/error/code")) {
        (Some(_), _) => true,
        (None, Some(code)) => !unknown.iter().any(|known| *code == json!(known.number())),
        (None, None) => false,
    }
}
