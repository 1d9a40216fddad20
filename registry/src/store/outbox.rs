//! The outbox: which agent changed, numbered in commit order, written with the change.

use sea_orm::{
    ActiveValue, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbBackend, EntityTrait,
    QueryFilter, QueryOrder, QuerySelect, Statement,
};

use super::Store;
use super::entity::outbox;
use crate::agent::AgentId;
use crate::clock::Millis;
use crate::error::Error;

/// The channel on which PostgreSQL tells other processes of a commit.
pub(super) const CHANNEL: &str = "guildhall_outbox";

/// One row: read the agent to see what it is like now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its number; grows with each commit, may have gaps.
    pub seq: i64,
    /// Which agent changed.
    pub agent_id: AgentId,
}

/// What changed, for people who read the table.
#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    Agent,
    Keys,
    Liveness,
}

impl What {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Keys => "keys",
            Self::Liveness => "liveness",
        }
    }
}

/// Announces a change; call it last in the transaction.
///
/// On PostgreSQL a number could be drawn early and committed late, and a follower that
/// saw the later number first would never see it. A lock that lasts to the end of the
/// transaction lets only one writer between drawing and committing.
pub(super) async fn announce(
    transaction: &DatabaseTransaction,
    ids: &[&AgentId],
    what: What,
    at: Millis,
) -> Result<(), Error> {
    if ids.is_empty() {
        return Ok(());
    }
    if transaction.get_database_backend() == DbBackend::Postgres {
        for sql in [
            "SELECT pg_advisory_xact_lock(8004)",
            "SELECT pg_notify('guildhall_outbox', '')",
        ] {
            transaction
                .execute_raw(Statement::from_string(DbBackend::Postgres, sql))
                .await
                .map_err(Error::store("ordered the outbox"))?;
        }
    }
    let rows = ids.iter().map(|id| outbox::ActiveModel {
        seq: ActiveValue::NotSet,
        agent_id: ActiveValue::Set(id.to_string()),
        kind: ActiveValue::Set(what.as_str().to_owned()),
        at: ActiveValue::Set(at),
    });
    outbox::Entity::insert_many(rows)
        .exec_without_returning(transaction)
        .await
        .map_err(Error::store("announced"))?;
    Ok(())
}

impl Store {
    /// The number of the last change, 0 when there was none.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn outbox_head(&self) -> Result<i64, Error> {
        let head: Option<Option<i64>> = outbox::Entity::find()
            .select_only()
            .column_as(outbox::Column::Seq.max(), "head")
            .into_tuple()
            .one(&self.reader)
            .await
            .map_err(Error::store("read the outbox"))?;
        Ok(head.flatten().unwrap_or(0))
    }

    /// Changes after `seq`, oldest first, at most `limit`; `None` where some of them were dropped,
    /// so that everything has to be read anew.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn outbox_after(&self, seq: i64, limit: u64) -> Result<Option<Vec<Change>>, Error> {
        let rows: Vec<(i64, String)> = outbox::Entity::find()
            .select_only()
            .columns([outbox::Column::Seq, outbox::Column::AgentId])
            .filter(outbox::Column::Seq.gt(seq))
            .order_by_asc(outbox::Column::Seq)
            .limit(limit)
            .into_tuple()
            .all(&self.reader)
            .await
            .map_err(Error::store("read the outbox"))?;
        let gap = rows.first().is_some_and(|(first, _)| *first > seq + 1);
        if gap && !self.outbox_reaches(seq).await? {
            return Ok(None);
        }
        let changes = rows
            .into_iter()
            .filter_map(|(seq, id)| AgentId::lookup(&id).map(|agent_id| Change { seq, agent_id }));
        Ok(Some(changes.collect()))
    }

    /// Whether what follows `seq` is still there: numbers may have gaps of their own, but what is
    /// dropped are the oldest.
    async fn outbox_reaches(&self, seq: i64) -> Result<bool, Error> {
        let older: Option<i64> = outbox::Entity::find()
            .select_only()
            .column(outbox::Column::Seq)
            .filter(outbox::Column::Seq.lte(seq))
            .limit(1)
            .into_tuple()
            .one(&self.reader)
            .await
            .map_err(Error::store("read the outbox"))?;
        Ok(older.is_some())
    }
}
