//! Reading and changing agents.

use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, Condition, DatabaseTransaction, DbErr, EntityTrait,
    PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, SqlErr,
};

use super::entity::{agents, liveness};
use super::imports::refuse_suspended;
use super::keys::{self, IssuedKey};
use super::outbox::{What, announce};
use super::{Store, cards};
use crate::agent::{Agent, AgentId, Contact, Liveness, Profile, State};
use crate::clock::Millis;
use crate::error::{Error, Invalid};

/// What a new listing needs.
#[derive(Debug, Clone)]
pub struct NewAgent {
    /// The id it takes.
    pub id: AgentId,
    /// What it says of itself.
    pub profile: Profile,
    /// Its owner's contact.
    pub contact: Contact,
    /// The card's bytes, when it came from one.
    pub card: Option<Vec<u8>>,
}

/// One page of the list, oldest first.
#[derive(Debug, Clone)]
pub struct AgentPage {
    /// The agents.
    pub items: Vec<Agent>,
    /// Where the next page begins: after this time and id.
    pub next: Option<(Millis, AgentId)>,
}

impl Store {
    /// Lists an agent under its owner's first key.
    ///
    /// # Errors
    /// [`Error::Conflict`] when the id is taken, [`Error::Store`].
    pub async fn agent_register(&self, new: NewAgent) -> Result<(Agent, IssuedKey), Error> {
        let now = self.clock.now();
        let issued = keys::new_key(&new.id, None, now, &*self.random);
        let (row, key) = (
            fresh(new.id.clone(), State::Listed, false, &new, None, now)?,
            issued.clone(),
        );
        let agent = self
            .write("registered an agent", move |tx| {
                Box::pin(async move {
                    refuse_suspended(tx, &new.profile).await?;
                    insert(tx, row.clone(), new.card).await?;
                    keys::insert(tx, &key).await?;
                    announce(tx, &[&new.id], What::Agent, now).await?;
                    read_row(row, None)
                })
            })
            .await?;
        self.agent_changed(&agent.id);
        Ok((agent, issued))
    }

    /// Changes an agent: `change` sees the row as it is now, under a lock. When it leaves
    /// everything as it was, nothing is written and the revision stays.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Withdrawn`], [`Error::Invalid`] from `change`,
    /// [`Error::Conflict`] when `revision` is given and no longer the current one,
    /// [`Error::Store`].
    pub async fn agent_update<F>(
        &self,
        id: &AgentId,
        revision: Option<i64>,
        change: F,
    ) -> Result<Agent, Error>
    where
        F: FnOnce(&mut Agent) -> Result<(), Invalid> + Send + 'static,
    {
        let (id, now) = (id.clone(), self.clock.now());
        let agent = self
            .write("updated an agent", move |tx| {
                Box::pin(async move {
                    let (row, live) = locked(tx, &id).await?;
                    let before = read_row(row, live)?;
                    if before.state == State::Withdrawn {
                        return Err(Error::Withdrawn);
                    }
                    if revision.is_some_and(|expected| expected != before.revision) {
                        return Err(Error::Conflict {
                            what: "a newer revision",
                            pointer: "/revision",
                        });
                    }
                    let mut after = before.clone();
                    change(&mut after)?;
                    if after == before {
                        return Ok(before);
                    }
                    let moved = after.profile.endpoint_url != before.profile.endpoint_url
                        || after.profile.interfaces != before.profile.interfaces;
                    if moved {
                        refuse_suspended(tx, &after.profile).await?;
                    }
                    after.revision += 1;
                    after.updated_at = now;
                    store_change(tx, &after).await?;
                    if after.state == State::Withdrawn {
                        keys::revoke_all(tx, &after.id, now).await?;
                    }
                    announce(tx, &[&after.id], What::Agent, now).await?;
                    Ok(after)
                })
            })
            .await?;
        self.agent_changed(&agent.id);
        Ok(agent)
    }

    /// One agent, whatever its state.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn agent_by_id(&self, id: &AgentId) -> Result<Agent, Error> {
        let (row, live) = agents::Entity::find_by_id(id.as_str())
            .find_also_related(liveness::Entity)
            .one(&self.reader)
            .await
            .map_err(Error::store("read an agent"))?
            .ok_or(Error::NotFound("agent"))?;
        read_row(row, live)
    }

    /// The agents with those ids, in no particular order; unknown ids are left out.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn agents_by_ids(&self, ids: &[AgentId]) -> Result<Vec<Agent>, Error> {
        let wanted = agents::Column::Id.is_in(ids.iter().map(AgentId::as_str));
        self.agents_where(Condition::all().add(wanted), ids.len() as u64)
            .await
    }

    /// Agents of every state after `after`, in the order of their ids.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn agents_page(
        &self,
        after: Option<&AgentId>,
        limit: u64,
    ) -> Result<Vec<Agent>, Error> {
        let later = after.map(|id| agents::Column::Id.gt(id.as_str()));
        self.agents_where(Condition::all().add_option(later), limit)
            .await
    }

    async fn agents_where(&self, condition: Condition, limit: u64) -> Result<Vec<Agent>, Error> {
        let rows = agents::Entity::find()
            .find_also_related(liveness::Entity)
            .filter(condition)
            .order_by_asc(agents::Column::Id)
            .limit(limit)
            .all(&self.reader)
            .await
            .map_err(Error::store("read agents"))?;
        rows.into_iter()
            .map(|(row, live)| read_row(row, live))
            .collect()
    }

    /// Visible agents, oldest first, after a time and id; a walk repeats and skips none.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn agents_list(
        &self,
        after: Option<(Millis, AgentId)>,
        limit: u64,
    ) -> Result<AgentPage, Error> {
        let visible = [State::Unclaimed, State::Listed, State::Paused].map(State::as_str);
        let later = after.map(|(at, id)| {
            let same_time = Condition::all()
                .add(agents::Column::CreatedAt.eq(at))
                .add(agents::Column::Id.gt(id.as_str()));
            Condition::any()
                .add(agents::Column::CreatedAt.gt(at))
                .add(same_time)
        });
        let rows = agents::Entity::find()
            .find_also_related(liveness::Entity)
            .filter(agents::Column::State.is_in(visible))
            .filter(Condition::all().add_option(later))
            .order_by_asc(agents::Column::CreatedAt)
            .order_by_asc(agents::Column::Id)
            .limit(limit + 1)
            .all(&self.reader)
            .await
            .map_err(Error::store("listed agents"))?;
        let more = rows.len() as u64 > limit;
        let wanted = rows
            .into_iter()
            .take(usize::try_from(limit).unwrap_or(usize::MAX));
        let items: Vec<Agent> = wanted
            .map(|(row, live)| read_row(row, live))
            .collect::<Result<_, _>>()?;
        let next = items
            .last()
            .filter(|_| more)
            .map(|last| (last.created_at, last.id.clone()));
        Ok(AgentPage { items, next })
    }

    /// How many agents there are, of every state.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn agents_count(&self) -> Result<u64, Error> {
        agents::Entity::find()
            .count(&self.reader)
            .await
            .map_err(Error::store("counted agents"))
    }
}

pub(super) fn fresh(
    id: AgentId,
    state: State,
    tenant: bool,
    new: &NewAgent,
    import_source: Option<String>,
    now: Millis,
) -> Result<agents::Model, Error> {
    Ok(agents::Model {
        id: id.to_string(),
        state: state.as_str().to_owned(),
        suspended_from: None,
        tenant,
        import_source,
        profile: to_json(&new.profile)?,
        contact: to_json(&new.contact)?,
        revision: 1,
        created_at: now,
        updated_at: now,
    })
}

pub(super) async fn insert(
    tx: &DatabaseTransaction,
    row: agents::Model,
    card: Option<Vec<u8>>,
) -> Result<(), Error> {
    let now = row.created_at;
    if let Some(bytes) = card {
        cards::keep(tx, bytes, now).await?;
    }
    let row: agents::ActiveModel = row.into();
    match agents::Entity::insert(row.reset_all())
        .exec_without_returning(tx)
        .await
    {
        Ok(_) => Ok(()),
        Err(error) if matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_))) => {
            Err(Error::Conflict {
                what: "the agent id",
                pointer: "/agent_id",
            })
        }
        Err(error) => Err(Error::store("inserted an agent")(error)),
    }
}

/// The row of an agent, and what calls have shown.
pub(super) type Row = (agents::Model, Option<liveness::Model>);

pub(super) async fn locked(tx: &DatabaseTransaction, id: &AgentId) -> Result<Row, Error> {
    let read = Error::store("read an agent");
    let row = agents::Entity::find_by_id(id.as_str())
        .lock_exclusive()
        .one(tx)
        .await
        .map_err(read)?
        .ok_or(Error::NotFound("agent"))?;
    let live = liveness::Entity::find_by_id(id.as_str())
        .one(tx)
        .await
        .map_err(Error::store("read liveness"))?;
    Ok((row, live))
}

pub(super) async fn store_change(tx: &DatabaseTransaction, agent: &Agent) -> Result<(), Error> {
    let mut row = agents::ActiveModel {
        id: ActiveValue::Unchanged(agent.id.to_string()),
        state: ActiveValue::Set(agent.state.as_str().to_owned()),
        suspended_from: ActiveValue::Set(
            agent.suspended_from.map(|state| state.as_str().to_owned()),
        ),
        profile: ActiveValue::Set(to_json(&agent.profile)?),
        contact: ActiveValue::Set(to_json(&agent.contact)?),
        revision: ActiveValue::Set(agent.revision),
        updated_at: ActiveValue::Set(agent.updated_at),
        ..Default::default()
    };
    if agent.state == State::Withdrawn {
        // The card may be listed again by somebody else; this id stays taken.
        row.import_source = ActiveValue::Set(None);
    }
    row.update(tx)
        .await
        .map_err(Error::store("updated an agent"))?;
    Ok(())
}

/// A row that this program cannot read is a fault of the store, not of the caller.
pub(super) fn read_row(row: agents::Model, live: Option<liveness::Model>) -> Result<Agent, Error> {
    let unreadable =
        |what: &str| Error::store("read an agent")(DbErr::Custom(format!("unreadable {what}")));
    Ok(Agent {
        id: AgentId::lookup(&row.id).ok_or_else(|| unreadable("id"))?,
        state: State::parse(&row.state).ok_or_else(|| unreadable("state"))?,
        suspended_from: row.suspended_from.as_deref().and_then(State::parse),
        tenant: row.tenant,
        profile: serde_json::from_str(&row.profile).map_err(|_| unreadable("profile"))?,
        contact: serde_json::from_str(&row.contact).map_err(|_| unreadable("contact"))?,
        liveness: live.map(read_liveness).unwrap_or_default(),
        revision: row.revision,
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}

fn read_liveness(row: liveness::Model) -> Liveness {
    Liveness {
        last_ok_at: row.last_ok_at,
        last_failure_at: row.last_failure_at,
        answered: row.answered,
        failed: row.failed,
        last_latency_ms: row.last_latency_ms,
    }
}

fn to_json<T: serde::Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value)
        .map_err(|e| Error::store("wrote an agent")(DbErr::Custom(e.to_string())))
}
