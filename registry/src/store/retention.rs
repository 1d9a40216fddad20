//! What is not kept for ever: records of calls, as the operator says, and news that everyone has read.

use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::Store;
use super::entity::{calls, outbox, push_configs};
use crate::clock::Millis;
use crate::error::Error;
use crate::ids;

const DAY: Millis = 24 * 60 * 60 * 1_000;
/// How long news are kept; an index that slept longer is built again.
const NEWS: Millis = 7 * DAY;
/// How many rows are dropped in one transaction, so that no other write waits long.
const BATCH: u64 = 2_000;

impl Store {
    /// Drops records of calls that began more than `days` ago, and gives how many; 0 days keep all.
    ///
    /// # Errors
    /// [`Error::Store`]; what was dropped before stays dropped.
    pub async fn calls_forget(&self, days: u32) -> Result<u64, Error> {
        if days == 0 {
            return Ok(0);
        }
        let oldest = self.clock.now() - Millis::from(days) * DAY;
        // Ids sort by time, and have an index.
        let oldest = ids::first_id("call", oldest);
        let mut dropped = 0;
        loop {
            let old: Vec<String> = calls::Entity::find()
                .select_only()
                .column(calls::Column::Id)
                .filter(calls::Column::Id.lt(&oldest))
                .order_by_asc(calls::Column::Id)
                .limit(BATCH)
                .into_tuple()
                .all(&self.reader)
                .await
                .map_err(Error::store("looked for old calls"))?;
            let Some(last) = old.into_iter().next_back() else {
                return Ok(dropped);
            };
            dropped += self
                .write("dropped old calls", move |tx| {
                    Box::pin(async move {
                        calls::Entity::delete_many()
                            .filter(calls::Column::Id.lte(last))
                            .exec(tx)
                            .await
                            .map(|done| done.rows_affected)
                            .map_err(Error::store("dropped old calls"))
                    })
                })
                .await?;
        }
    }

    /// Drops push configs older than a day whose task's name begins so: the agent never named it.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn push_configs_forget(&self, name: &'static str) -> Result<u64, Error> {
        let oldest = self.clock.now() - DAY;
        self.write("dropped push configs without a task", move |tx| {
            Box::pin(async move {
                push_configs::Entity::delete_many()
                    .filter(push_configs::Column::TaskId.starts_with(name))
                    .filter(push_configs::Column::CreatedAt.lt(oldest))
                    .exec(tx)
                    .await
                    .map(|done| done.rows_affected)
                    .map_err(Error::store("dropped push configs without a task"))
            })
        })
        .await
    }

    /// Drops news older than a week, and gives how many. The last one stays: it says how far the
    /// numbers have come.
    ///
    /// # Errors
    /// [`Error::Store`]; what was dropped before stays dropped.
    pub async fn outbox_forget(&self) -> Result<u64, Error> {
        let oldest = self.clock.now() - NEWS;
        let head = self.outbox_head().await?;
        let mut dropped = 0;
        loop {
            let news: Vec<(i64, Millis)> = outbox::Entity::find()
                .select_only()
                .columns([outbox::Column::Seq, outbox::Column::At])
                .filter(outbox::Column::Seq.lt(head))
                .order_by_asc(outbox::Column::Seq)
                .limit(BATCH)
                .into_tuple()
                .all(&self.reader)
                .await
                .map_err(Error::store("looked for old news"))?;
            let old = news.iter().take_while(|(_, at)| *at < oldest);
            let Some(&(last, _)) = old.last() else {
                return Ok(dropped);
            };
            dropped += self
                .write("dropped old news", move |tx| {
                    Box::pin(async move {
                        outbox::Entity::delete_many()
                            .filter(outbox::Column::Seq.lte(last))
                            .exec(tx)
                            .await
                            .map(|done| done.rows_affected)
                            .map_err(Error::store("dropped old news"))
                    })
                })
                .await?;
        }
    }
}
