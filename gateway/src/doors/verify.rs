//! `POST /verify` and `GET /agents/{id}/report`: what the evidence says of an agent.

use poem_openapi::param::Path;
use poem_openapi::{Object, OpenApi};
use registry::agent::State;
use registry::report::report;
use serde::Deserialize;

use super::lookup;
use super::payload::{self, Answer, Body, ReadBody};
use crate::gate::Gate;
use crate::problem::{Code, Problem};
use crate::views::ReportView;

pub(crate) struct VerifyDoor(pub(super) Gate);

#[OpenApi]
impl VerifyDoor {
    /// Check an agent
    ///
    /// Evidence and caveats. An agent that nobody rated has a null score, which is not zero.
    #[oai(path = "/verify", method = "post", operation_id = "verify_agent")]
    async fn verify(&self, body: Body<VerifyBody>) -> Result<Answer<ReportView>, Problem> {
        self.report_on(&body.agent_id).await
    }

    /// The report of an agent
    #[oai(
        path = "/agents/:agent_id/report",
        method = "get",
        operation_id = "get_report"
    )]
    async fn report(
        &self,
        /// Id of the agent.
        agent_id: Path<String>,
    ) -> Result<Answer<ReportView>, Problem> {
        self.report_on(&agent_id.0).await
    }
}

impl VerifyDoor {
    async fn report_on(&self, id: &str) -> Result<Answer<ReportView>, Problem> {
        // Liveness moves with every call, so the report reads the store and not the memory.
        let agent = self.0.store.agent_by_id(&lookup(id)?).await?;
        if agent.state == State::Withdrawn {
            return Err(Problem::new(
                Code::AgentWithdrawn,
                "the owner withdrew this agent for good",
            ));
        }
        Ok(Answer(report(&agent).into()))
    }
}

/// Whom to check.
#[derive(Debug, Deserialize, Object)]
#[oai(rename = "VerifyRequest")]
struct VerifyBody {
    /// Id of the agent.
    #[oai(validator(max_length = 256))]
    agent_id: String,
}

impl ReadBody for VerifyBody {
    fn read(bytes: &[u8]) -> Result<Self, Problem> {
        payload::object(bytes)
    }
}
