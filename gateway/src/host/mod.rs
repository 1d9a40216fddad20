//! Hosting: tenants answer A2A requests in process, in both dialects.

use std::collections::BTreeMap;
use std::sync::Arc;

use protocol::a2a::message::{Message, Role};
use protocol::a2a::rpc::{self, ErrorCode, RpcError};
use protocol::a2a::{Operation, Version, method};
use registry::agent::{AgentId, Capability, Contact, MessageProtocol, Profile};
use registry::error::Error;
use registry::ids;
use registry::store::{NewAgent, Store};
use serde_json::{Value, json};
use tenants::{Context, Fault, Tenant, Update};

/// The tenants of this process by agent id; cheap to clone.
#[derive(Clone, Default)]
pub struct Host(Arc<BTreeMap<AgentId, Box<dyn Tenant>>>);

/// One request to a tenant.
pub struct Visit<'a> {
    /// Which tenant.
    pub agent: &'a AgentId,
    /// The dialect that the request was found to speak.
    pub version: Version,
    /// Whose key was checked, if any.
    pub caller: Option<&'a AgentId>,
}

impl Host {
    /// Serves these tenants.
    #[must_use]
    pub fn new(tenants: Vec<Box<dyn Tenant>>) -> Self {
        let by_id = tenants
            .into_iter()
            .filter_map(|tenant| Some((AgentId::tenant(tenant.name())?, tenant)));
        Self(Arc::new(by_id.collect()))
    }

    /// Brings the listings of the tenants up to date.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list_all(&self, store: &Store) -> Result<(), Error> {
        for (id, tenant) in self.0.iter() {
            let new = NewAgent {
                id: id.clone(),
                profile: profile(tenant.as_ref()),
                contact: Contact::default(),
                card: None,
            };
            store.agent_host(new).await?;
        }
        Ok(())
    }

    /// Whether the agent is served here.
    #[must_use]
    pub fn serves(&self, id: &AgentId) -> bool {
        self.0.contains_key(id)
    }

    /// Answers a JSON-RPC request that was parsed already; `None` when the agent is not served here.
    pub async fn answer(
        &self,
        visit: Visit<'_>,
        request: &rpc::Request,
        store: &Store,
    ) -> Option<Value> {
        let tenant = self.0.get(visit.agent)?;
        Some(
            match self.send(tenant.as_ref(), &visit, request, store).await {
                Ok(result) => rpc::response(&request.id, result),
                Err(error) => rpc::error(&request.id, &error),
            },
        )
    }

    async fn send(
        &self,
        tenant: &dyn Tenant,
        visit: &Visit<'_>,
        request: &rpc::Request,
        store: &Store,
    ) -> Result<Value, RpcError> {
        match method(&request.method) {
            Some((_, Operation::Send)) => {}
            Some((_, Operation::GetTask | Operation::CancelTask)) => {
                return Err(RpcError::new(
                    ErrorCode::TaskNotFound,
                    "this agent answers with messages and makes no tasks",
                ));
            }
            Some((_, operation)) => return Err(unsupported(operation)),
            None => return Err(RpcError::method_not_found(&request.method)),
        }
        let message = request.object()?.get("message").unwrap_or(&Value::Null);
        let message = Message::parse(message)
            .map_err(|error| RpcError::invalid_params(&error.field(), &error.reason))?;
        if message.message_id.is_none() {
            return Err(RpcError::invalid_params(
                "message.messageId",
                "a message has an id",
            ));
        }
        if message.task_id.is_some() {
            return Err(RpcError::new(
                ErrorCode::TaskNotFound,
                "this agent makes no tasks",
            ));
        }
        let context = Context {
            caller: visit.caller.map(ToString::to_string),
            now: store.clock().now(),
        };
        let context_id = message.context_id.clone();
        let mut updates = Vec::new();
        tenant
            .answer(&context, message, &mut updates)
            .await
            .map_err(failed)?;
        let Some(Update::Message(parts)) = updates.pop() else {
            return Err(RpcError::new(
                ErrorCode::Internal,
                "the agent gave no answer",
            ));
        };
        let id = ids::new_id("msg", context.now, &**store.random());
        let mut answer = Message::new(Role::Agent, id, parts);
        answer.context_id = context_id;
        Ok(match visit.version {
            Version::V0_3 => answer.to_v0_3(),
            Version::V1_0 => json!({ "message": answer.to_v1_0() }),
        })
    }

    /// What the card of a tenant says.
    #[must_use]
    pub fn card(&self, id: &AgentId) -> Option<protocol::a2a::card::serve::CardSource> {
        self.0.get(id).map(|tenant| tenant.card())
    }
}

fn unsupported(operation: Operation) -> RpcError {
    let push = matches!(
        operation,
        Operation::PushCreate | Operation::PushGet | Operation::PushList | Operation::PushDelete
    );
    if push {
        return RpcError::new(
            ErrorCode::PushNotificationNotSupported,
            "this agent sends no push notifications",
        );
    }
    RpcError::new(
        ErrorCode::UnsupportedOperation,
        "the card of this agent does not offer that operation",
    )
}

fn failed(failure: tenants::Failure) -> RpcError {
    match failure.fault {
        Fault::Message => RpcError::invalid_params("message", &failure.reason),
        Fault::Tenant => RpcError::new(ErrorCode::Internal, failure.reason),
    }
}

fn profile(tenant: &dyn Tenant) -> Profile {
    let card = tenant.card();
    Profile {
        capabilities: card
            .skills
            .iter()
            .take(6)
            .map(|skill| Capability {
                name: skill.id.clone(),
                weight: 1,
            })
            .collect(),
        name: card.name,
        description: card.description,
        specialty: tenant.specialty().to_owned(),
        version: card.version,
        message_protocol: MessageProtocol::A2a,
        a2a_compliant: true,
        skills: card.skills,
        input_modes: card.default_input_modes,
        output_modes: card.default_output_modes,
        ..Profile::default()
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}
