//! `POST /update`: the owner changes what it declared, or pauses the listing.

use poem_openapi::{Enum, Object, OpenApi};
use registry::agent::State;
use registry::declaration::Declaration;
use registry::error::Invalid;
use serde::Deserialize;

use super::declaration::DeclarationBody;
use super::payload::{self, Answer, Body, ReadBody};
use crate::caller::Key;
use crate::gate::Gate;
use crate::problem::Problem;
use crate::views::AgentView;

pub(crate) struct UpdateDoor(pub(super) Gate);

#[OpenApi]
impl UpdateDoor {
    /// Change an agent
    ///
    /// Only what is sent changes; lists are replaced. With `revision` a lost update is refused.
    #[oai(path = "/update", method = "post", operation_id = "update_agent")]
    async fn update(&self, key: Key, body: Body<UpdateBody>) -> Result<Answer<AgentView>, Problem> {
        let UpdateBody { what, declared } = body.0;
        let own = key.0.caller().map(ToString::to_string).unwrap_or_default();
        let id = key.owner_of(what.agent_id.as_deref().unwrap_or(&own))?;
        let allow_private = self.0.fixed.settings.allow_private_targets;
        let (declared, state) = (Declaration::from(declared), what.state);
        let agent = self
            .0
            .store
            .agent_update(&id, what.revision, move |agent| {
                declared.apply(&mut agent.profile, &mut agent.contact, allow_private)?;
                agent.state = next_state(agent.state, state)?;
                Ok(())
            })
            .await?;
        Ok(Answer(AgentView::of(&agent, &self.0.fixed.origin)))
    }
}

/// A change.
#[derive(Debug, Object)]
#[oai(rename = "Update")]
struct UpdateBody {
    #[oai(flatten)]
    what: What,
    #[oai(flatten)]
    declared: DeclarationBody,
}

/// What is changed, besides declared fields.
#[derive(Debug, Default, Deserialize, Object)]
#[serde(default)]
#[oai(default)]
struct What {
    /// The agent of the key, when given.
    agent_id: Option<String>,
    /// The revision that was read; another one is refused with 409.
    revision: Option<i64>,
    /// Take the agent out of search and calls for a while, or bring it back.
    state: Option<OwnState>,
}

impl ReadBody for UpdateBody {
    fn read(bytes: &[u8]) -> Result<Self, Problem> {
        Ok(Self {
            what: payload::object(bytes)?,
            declared: payload::typed(bytes)?,
        })
    }
}

#[derive(Debug, Clone, Copy, Deserialize, Enum)]
#[serde(rename_all = "lowercase")]
#[oai(rename_all = "lowercase")]
enum OwnState {
    Listed,
    Paused,
}

fn next_state(now: State, asked: Option<OwnState>) -> Result<State, Invalid> {
    match (now, asked) {
        (State::Listed | State::Paused, Some(OwnState::Listed)) => Ok(State::Listed),
        (State::Listed | State::Paused, Some(OwnState::Paused)) => Ok(State::Paused),
        (_, Some(_)) => Err(Invalid::value(
            "/state",
            format!("an agent that is {} stays so", now.as_str()),
        )),
        (_, None) => Ok(now),
    }
}
