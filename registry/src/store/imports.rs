//! Listings that no owner made: imports of public cards, and the tenants of this process.

use protocol::a2a::card::Interface;
use sea_orm::{
    ColumnTrait, DatabaseTransaction, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect,
};

use super::agents::{NewAgent, Row, fresh, insert, locked, read_row, store_change};
use super::entity::{agents, liveness};
use super::outbox::{What, announce};
use super::{Store, cards};
use crate::agent::{Agent, AgentId, Profile, State};
use crate::clock::Millis;
use crate::error::Error;

/// How often an import that lost a race with another gateway is tried again.
const IMPORT_TRIES: u32 = 4;

/// What an import by a stranger led to.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The listing.
    pub agent: Agent,
    /// False where the same card was listed before.
    pub created: bool,
}

impl Store {
    /// Lists somebody's public card without an owner; the same `source` again refreshes
    /// the listing while it is still unclaimed. `ids` are tried in order.
    ///
    /// # Errors
    /// [`Error::Conflict`] when every id is taken, [`Error::Store`].
    pub async fn agent_import(
        &self,
        ids: Vec<AgentId>,
        new: NewAgent,
        source: String,
    ) -> Result<Imported, Error> {
        let mut tried = 0;
        let imported = loop {
            match self
                .import_once(ids.clone(), new.clone(), source.clone())
                .await
            {
                // Another gateway took the id or listed the source between our look and our insert.
                Err(Error::Conflict { .. }) if tried < IMPORT_TRIES => tried += 1,
                outcome => break outcome?,
            }
        };
        self.agent_changed(&imported.agent.id);
        Ok(imported)
    }

    async fn import_once(
        &self,
        ids: Vec<AgentId>,
        new: NewAgent,
        source: String,
    ) -> Result<Imported, Error> {
        let now = self.clock.now();
        self.write("imported an agent", move |tx| {
            Box::pin(async move {
                if let Some((row, live)) = by_source(tx, &source).await? {
                    return refresh(tx, row, live, new, now).await;
                }
                refuse_suspended(tx, &new.profile).await?;
                let id = first_free(tx, ids).await?;
                let row = fresh(id.clone(), State::Unclaimed, false, &new, Some(source), now)?;
                insert(tx, row.clone(), new.card).await?;
                announce(tx, &[&id], What::Agent, now).await?;
                Ok(Imported {
                    agent: read_row(row, None)?,
                    created: true,
                })
            })
        })
        .await
    }

    /// Lists an agent that this process serves, or brings its listing up to date.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn agent_host(&self, new: NewAgent) -> Result<Agent, Error> {
        let now = self.clock.now();
        let agent = self
            .write("listed a tenant", move |tx| {
                Box::pin(async move {
                    match locked(tx, &new.id).await {
                        Ok((row, live)) => {
                            return Ok(refresh(tx, row, live, new, now).await?.agent);
                        }
                        Err(Error::NotFound(_)) => {}
                        Err(error) => return Err(error),
                    }
                    let row = fresh(new.id.clone(), State::Listed, true, &new, None, now)?;
                    insert(tx, row.clone(), new.card).await?;
                    announce(tx, &[&new.id], What::Agent, now).await?;
                    read_row(row, None)
                })
            })
            .await?;
        self.agent_changed(&agent.id);
        Ok(agent)
    }
}

/// The new content of a listing that nobody owns, or that this process serves.
async fn refresh(
    tx: &DatabaseTransaction,
    row: agents::Model,
    live: Option<liveness::Model>,
    new: NewAgent,
    now: Millis,
) -> Result<Imported, Error> {
    let before = read_row(row, live)?;
    if before.state == State::Suspended && !before.tenant {
        return Err(Error::Suspended(before.id));
    }
    let refreshable = before.tenant || before.state == State::Unclaimed;
    if !refreshable || before.profile == new.profile {
        return Ok(Imported {
            agent: before,
            created: false,
        });
    }
    if let Some(bytes) = new.card {
        cards::keep(tx, bytes, now).await?;
    }
    let after = Agent {
        profile: new.profile,
        revision: before.revision + 1,
        updated_at: now,
        ..before
    };
    store_change(tx, &after).await?;
    announce(tx, &[&after.id], What::Agent, now).await?;
    Ok(Imported {
        agent: after,
        created: false,
    })
}

async fn by_source(tx: &DatabaseTransaction, source: &str) -> Result<Option<Row>, Error> {
    let id: Option<String> = agents::Entity::find()
        .select_only()
        .column(agents::Column::Id)
        .filter(agents::Column::ImportSource.eq(source))
        .into_tuple()
        .one(tx)
        .await
        .map_err(Error::store("looked for an import"))?;
    match id.as_deref().and_then(AgentId::lookup) {
        Some(id) => locked(tx, &id).await.map(Some),
        None => Ok(None),
    }
}

/// An agent that the operator took out does not come back under another id, or by a card that
/// differs by a space: whoever answers at the same address is the same agent.
pub(super) async fn refuse_suspended(
    tx: &DatabaseTransaction,
    profile: &Profile,
) -> Result<(), Error> {
    let suspended = agents::Entity::find()
        .filter(agents::Column::State.eq(State::Suspended.as_str()))
        .all(tx)
        .await
        .map_err(Error::store("read suspended agents"))?;
    for row in suspended {
        let agent = read_row(row, None)?;
        let shared = |mine: &Interface| {
            let theirs = agent.profile.interfaces.iter();
            theirs
                .map(|interface| &interface.url)
                .any(|url| *url == mine.url)
        };
        let endpoint =
            profile.endpoint_url.is_some() && profile.endpoint_url == agent.profile.endpoint_url;
        let called = profile.interfaces.iter().filter(|mine| mine.callable);
        if endpoint || called.clone().any(shared) {
            return Err(Error::Suspended(agent.id));
        }
    }
    Ok(())
}

async fn first_free(tx: &DatabaseTransaction, ids: Vec<AgentId>) -> Result<AgentId, Error> {
    for id in ids {
        let taken = agents::Entity::find_by_id(id.as_str())
            .count(tx)
            .await
            .map_err(Error::store("read an agent"))?;
        if taken == 0 {
            return Ok(id);
        }
    }
    Err(Error::Conflict {
        what: "every id made from the card",
        pointer: "/agent_id",
    })
}
