//! What a tenant asks of other agents goes through the same call as everyone's.

use futures_util::future::BoxFuture;
use registry::agent::AgentId;
use serde_json::Value;
use serde_json::value::to_raw_value;
use tenants::{Failure, Fault, Hire, Hired, Order};

use crate::call::{self, Ask, Body, Content};
use crate::caller::Visitor;
use crate::gate::Gate;

/// The way out of one tenant.
pub(super) struct Hiring {
    gate: Gate,
    tenant: AgentId,
}

impl Hiring {
    pub(super) fn new(gate: &Gate, tenant: &AgentId) -> Self {
        Self {
            gate: gate.clone(),
            tenant: tenant.clone(),
        }
    }

    async fn call(&self, order: Order) -> Result<Hired, Failure> {
        let failed = |reason: String| Failure {
            fault: Fault::Tenant,
            reason,
        };
        let payload = to_raw_value(&order.payload).map_err(|error| failed(error.to_string()))?;
        let ask = Ask {
            agent_id: order.agent_id,
            caller_agent_id: None,
            skill: order.skill,
            content: Content::Payload(payload),
            timeout: None,
            forwarded_headers: Vec::new(),
            method: None,
            accept_terms: None,
            convert_reply: false,
        };
        let visitor = Visitor::tenant(&self.tenant);
        let answered = call::call(&self.gate, &visitor, ask)
            .await
            .map_err(|failure| failed(failure.detail))?;
        Ok(Hired {
            transaction_id: answered.transaction_id,
            status: answered.status_code,
            body: match answered.body {
                Body::Json(raw) => serde_json::from_str(raw.get()).unwrap_or_default(),
                Body::Text(text) | Body::Base64(text) => Value::String(text),
                Body::Empty => Value::Null,
            },
        })
    }
}

impl Hire for Hiring {
    fn hire(&self, order: Order) -> BoxFuture<'_, Result<Hired, Failure>> {
        Box::pin(self.call(order))
    }
}
