//! Who is asking: a key that was checked, or nobody. Having a [`Key`] proves the check.

use std::net::IpAddr;
use std::net::Ipv4Addr;

use poem::Request;
use poem::http::header;
use poem_openapi::SecurityScheme;
use poem_openapi::auth::Bearer;
use registry::agent::{AgentId, State};
use registry::digest::sha256_hex;

use crate::gate::Gate;
use crate::problem::{Code, Problem};

/// Whoever sent a request.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// The address it came from.
    pub source: IpAddr,
    /// Through whom the request came (RFC 9110, 7.6.3).
    pub via: Option<String>,
    who: Who,
}

/// The kinds of caller. Signatures, sessions and payers will stand here beside the key.
#[derive(Debug, Clone)]
enum Who {
    Nobody,
    Key { agent: AgentId, key_id: String },
    Tenant { agent: AgentId },
}

impl Visitor {
    /// A tenant of this process, which needs no key to be itself.
    #[must_use]
    pub fn tenant(agent: &AgentId) -> Self {
        Self {
            source: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            via: None,
            who: Who::Tenant {
                agent: agent.clone(),
            },
        }
    }

    /// The agent that calls.
    #[must_use]
    pub fn caller(&self) -> Option<&AgentId> {
        match &self.who {
            Who::Nobody => None,
            Who::Key { agent, .. } | Who::Tenant { agent } => Some(agent),
        }
    }

    /// The id of the key.
    #[must_use]
    pub fn key_id(&self) -> Option<&str> {
        match &self.who {
            Who::Nobody | Who::Tenant { .. } => None,
            Who::Key { key_id, .. } => Some(key_id),
        }
    }

    /// Reads a request of a door that is open to nobody as well; a key that is sent must be good.
    ///
    /// # Errors
    /// 401 for a wrong key, 503 when the store cannot say.
    pub async fn of(request: &Request, gate: &Gate) -> Result<Self, Problem> {
        match request.header(header::AUTHORIZATION).and_then(bearer) {
            None => Ok(Self {
                source: source_of(request),
                via: via_of(request),
                who: Who::Nobody,
            }),
            Some(token) => checked(request, gate, token).await,
        }
    }
}

/// A caller with a key.
#[derive(Debug, SecurityScheme)]
#[oai(
    ty = "bearer",
    rename = "key",
    bearer_format = "gh_sk_…",
    checker = "check"
)]
pub struct Key(pub Visitor);

impl Key {
    /// The agent whose key it is, if that is the one named.
    ///
    /// # Errors
    /// 403 for the key of another agent.
    pub fn owner_of(&self, id: &str) -> Result<AgentId, Problem> {
        match self.0.caller() {
            Some(agent) if agent.as_str() == id => Ok(agent.clone()),
            Some(agent) => Err(Problem::new(
                Code::NotOwner,
                format!("the key belongs to {agent}"),
            )),
            None => Err(Problem::new(Code::Unauthorized, "a key is needed")),
        }
    }
}

/// The operator, by the key of the settings.
#[derive(Debug, SecurityScheme)]
#[oai(ty = "bearer", rename = "operator", checker = "check_operator")]
pub struct Operator(());

/// Without an operator key there are no operator's doors.
async fn check_operator(request: &Request, token: Bearer) -> poem::Result<()> {
    let expected = request
        .data::<Gate>()
        .map(|gate| gate.fixed.settings.operator_key.as_str())
        .unwrap_or_default();
    if expected.is_empty() {
        return Err(Problem::new(Code::NotFound, "no operator key is set").into());
    }
    // Digests are compared, so the time tells nothing about the key.
    if sha256_hex(token.token.as_bytes()) != sha256_hex(expected.as_bytes()) {
        return Err(Problem::new(Code::InvalidKey, "that is not the operator key").into());
    }
    Ok(())
}

async fn check(request: &Request, token: Bearer) -> poem::Result<Visitor> {
    let Some(gate) = request.data::<Gate>() else {
        return Err(Problem::new(Code::Internal, "the door is not connected").into());
    };
    Ok(checked(request, gate, &token.token).await?)
}

async fn checked(request: &Request, gate: &Gate, token: &str) -> Result<Visitor, Problem> {
    match gate.store.key_check(token).await? {
        Some((listed, _)) if listed.agent.state == State::Suspended => Err(Problem::new(
            Code::AgentSuspended,
            "the operator suspended the agent of this key",
        )),
        Some((listed, key_id)) => {
            let who = Who::Key {
                agent: listed.agent.id.clone(),
                key_id,
            };
            Ok(Visitor {
                source: source_of(request),
                via: via_of(request),
                who,
            })
        }
        None => Err(
            Problem::new(Code::InvalidKey, "the key is unknown or was revoked").hint(
                "POST /register gives a key; a live one makes more at POST /agents/{id}/keys",
            ),
        ),
    }
}

fn via_of(request: &Request) -> Option<String> {
    let lines = request.headers().get_all(header::VIA);
    let texts: Vec<&str> = lines.iter().filter_map(|line| line.to_str().ok()).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then_some(token.trim())
}

/// The address found by the frame; behind a trusted proxy the one that it names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source(pub(crate) IpAddr);

/// The address a request came from.
#[must_use]
pub fn source_of(request: &Request) -> IpAddr {
    request
        .extensions()
        .get::<Source>()
        .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |source| source.0)
}
