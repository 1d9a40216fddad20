//! `GET /agents`, `GET` and `DELETE /agents/{id}`: the list, one agent, and the tombstone.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use poem_openapi::param::{Path, Query};
use poem_openapi::{Object, OpenApi};
use registry::agent::{AgentId, Contact, State};
use serde::Serialize;

use super::payload::Answer;
use super::{lookup, page_size};
use crate::caller::Key;
use crate::gate::Gate;
use crate::problem::{Code, Problem};
use crate::views::{AgentView, brief_view};

pub(crate) struct AgentsDoor(pub(super) Gate);

#[OpenApi]
impl AgentsDoor {
    /// List agents
    ///
    /// Oldest first. A walk along `next_cursor` repeats and skips none, whatever is added meanwhile.
    #[oai(path = "/agents", method = "get", operation_id = "list_agents")]
    async fn list(
        &self,
        /// 1 to 100, 20 when not said.
        limit: Query<Option<u32>>,
        /// From the page before.
        cursor: Query<Option<String>>,
    ) -> Result<Answer<AgentList>, Problem> {
        let after = cursor.0.as_deref().map(read_cursor).transpose()?;
        let page = self.0.store.agents_list(after, page_size(limit.0)?).await?;
        let items = page
            .items
            .iter()
            .map(|agent| brief_view(agent, &self.0.fixed.origin))
            .collect();
        Ok(Answer(AgentList {
            items,
            next_cursor: page.next.map(write_cursor),
        }))
    }

    /// One agent
    #[oai(path = "/agents/:agent_id", method = "get", operation_id = "get_agent")]
    async fn get(
        &self,
        /// Id of the agent.
        agent_id: Path<String>,
    ) -> Result<Answer<AgentView>, Problem> {
        let listed = self.0.store.listed(&lookup(&agent_id.0)?).await?;
        if listed.agent.state == State::Withdrawn {
            return Err(Problem::new(
                Code::AgentWithdrawn,
                "the owner withdrew this agent for good",
            ));
        }
        Ok(Answer(AgentView::of(&listed.agent, &self.0.fixed.origin)))
    }

    /// Withdraw an agent
    ///
    /// For good: it is no longer found, calls answer 410, its keys end, and the id stays taken.
    #[oai(
        path = "/agents/:agent_id",
        method = "delete",
        operation_id = "withdraw_agent"
    )]
    async fn withdraw(
        &self,
        key: Key,
        /// Id of the agent.
        agent_id: Path<String>,
    ) -> Result<Answer<Withdrawn>, Problem> {
        let id = key.owner_of(&agent_id.0)?;
        let agent = self
            .0
            .store
            .agent_update(&id, None, |agent| {
                agent.state = State::Withdrawn;
                agent.contact = Contact::default();
                Ok(())
            })
            .await?;
        Ok(Answer(Withdrawn {
            agent_id: agent.id.to_string(),
            state: agent.state.as_str().to_owned(),
        }))
    }
}

/// A page of agents.
#[derive(Debug, Serialize, Object)]
struct AgentList {
    /// The agents.
    items: Vec<AgentView>,
    /// For the next page; null on the last.
    next_cursor: Option<String>,
}

/// A withdrawn agent.
#[derive(Debug, Serialize, Object)]
struct Withdrawn {
    /// Its id.
    agent_id: String,
    /// Always `withdrawn`.
    state: String,
}

fn write_cursor((at, id): (i64, AgentId)) -> String {
    URL_SAFE_NO_PAD.encode(format!("{at}/{id}"))
}

fn read_cursor(text: &str) -> Result<(i64, AgentId), Problem> {
    let decoded = URL_SAFE_NO_PAD
        .decode(text)
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok());
    decoded
        .as_deref()
        .and_then(|text| text.split_once('/'))
        .and_then(|(at, id)| Some((at.parse().ok()?, AgentId::lookup(id)?)))
        .ok_or_else(|| {
            Problem::new(Code::InvalidCursor, "the cursor was not given by this list").at("/cursor")
        })
}
