//! Phase 4: the request is sent once, and the answer read to its end.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use protocol::a2a::rpc::RpcError;
use protocol::a2a::translate::{MissingId, Params};
use protocol::a2a::{Version, method, rpc};
use registry::client::ClientError;
use registry::store::CallOutcome;

use super::shaped::Receiver;
use super::{CallFailure, Pending, Shaped, Spoken, departure, recorded};
use crate::a2a;
use crate::gate::Gate;
use crate::host::Visit;

/// What came back.
#[derive(Debug)]
pub struct Routed {
    pub(super) shaped: Shaped,
    pub(super) pending: Pending,
    pub(super) outcome: Outcome,
}

/// An answer, or why there is none.
#[derive(Debug)]
pub(super) enum Outcome {
    Answered {
        status: u16,
        headers: HeaderMap,
        body: Bytes,
    },
    Failed {
        outcome: CallOutcome,
        detail: String,
    },
    /// We did not call.
    NotSent(CallFailure),
}

pub(super) async fn send(gate: &Gate, shaped: Shaped, door: &'static str) -> Routed {
    let pending = Pending::begin(gate, recorded::begin(gate, &shaped, door));
    let outcome = match &shaped.to {
        Receiver::Hosted => hosted(gate, &shaped).await,
        Receiver::Remote(_) => remote(gate, &shaped).await,
    };
    Routed {
        shaped,
        pending,
        outcome,
    }
}

/// A tenant gets the same bytes as an agent elsewhere would.
async fn hosted(gate: &Gate, shaped: &Shaped) -> Outcome {
    let version = if shaped.spoken == Spoken::A2a03 {
        Version::V0_3
    } else {
        Version::V1_0
    };
    let visit = Visit {
        agent: shaped.verified.listed.agent.id.clone(),
        version,
        caller: shaped.verified.caller.clone(),
    };
    let mut headers = HeaderMap::new();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    );
    Outcome::Answered {
        status: 200,
        headers,
        body: in_process(gate, visit, &shaped.body).await.into(),
    }
}

/// The JSON-RPC answer of a tenant to a JSON-RPC request.
async fn in_process(gate: &Gate, visit: Visit, body: &[u8]) -> Vec<u8> {
    let request = match rpc::parse(body) {
        Ok(request) => request,
        Err(refused) => return rpc::error(&refused.id, &refused.error).to_string().into(),
    };
    let version = visit.version;
    let answered = async {
        let (_, operation) =
            method(&request.method).ok_or_else(|| RpcError::method_not_found(&request.method))?;
        let params = request.params.as_ref();
        let params = Params::read(operation, params, version, &MissingId::Refuse)
            .map_err(|error| a2a::invalid(&error))?;
        gate.host
            .answer(gate, &visit, params)
            .await
            .map(|reply| (operation, reply))
    };
    match answered.await {
        Ok((operation, reply)) => a2a::answered(&request.id, operation, reply, version),
        Err(refusal) => a2a::refused(&request.id, refusal, version),
    }
}

async fn remote(gate: &Gate, shaped: &Shaped) -> Outcome {
    let call = &gate.fixed.settings.call;
    let most = Duration::from_millis(call.max_timeout_ms);
    let total = shaped
        .timeout
        .unwrap_or_else(|| super::patience(gate, &shaped.verified.listed.agent.profile))
        .min(most);
    let request = match departure::outgoing(gate, shaped, total) {
        Ok(request) => request,
        Err(failure) => return Outcome::NotSent(failure),
    };
    let answered = async {
        let answer = gate.client.send(request).await?;
        let (status, headers) = (answer.status, answer.headers.clone());
        Ok((status, headers, answer.bytes().await?))
    };
    match answered.await {
        Ok((status, headers, body)) => Outcome::Answered {
            status,
            headers,
            body,
        },
        Err(error) => failed(&error),
    }
}

fn failed(error: &ClientError) -> Outcome {
    Outcome::Failed {
        outcome: class(error),
        detail: error.to_string(),
    }
}

/// What the failure of a request means for the call.
pub(super) fn class(error: &ClientError) -> CallOutcome {
    match error {
        ClientError::Refused { .. } => CallOutcome::Refused,
        ClientError::Timeout => CallOutcome::TimedOut,
        ClientError::TooLarge { .. } => CallOutcome::TooLarge,
        ClientError::Resolve
        | ClientError::Connect
        | ClientError::Tls
        | ClientError::Unusable(_) => CallOutcome::Unreachable,
        ClientError::Redirect | ClientError::Broken => CallOutcome::Broken,
    }
}
