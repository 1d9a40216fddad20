//! Which process works on which hosted task: a lease that its holder renews, and others take over.

use sea_orm::sea_query::{Expr, LockBehavior, LockType};
use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, Condition, EntityTrait, IntoActiveModel,
    QueryFilter, QueryOrder, QuerySelect,
};

use super::Store;
use super::entity::tasks;
use super::tasks::{TaskRow, read};
use crate::clock::Millis;
use crate::error::Error;

/// What an inbox without messages looks like in the store.
const EMPTY: &str = "[]";

impl Store {
    /// Takes hosted tasks that have work and nobody who does it, at most `limit`.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn tasks_take(
        &self,
        runner: &str,
        until: Millis,
        limit: u64,
    ) -> Result<Vec<TaskRow>, Error> {
        let (runner, now) = (runner.to_owned(), self.clock.now());
        let waiting = Condition::all()
            .add(tasks::Column::Hosted.eq(true))
            .add(tasks::Column::LeaseUntil.lt(now))
            .add(tasks::Column::Inbox.ne(EMPTY));
        let any = tasks::Entity::find()
            .select_only()
            .column(tasks::Column::TaskId)
            .filter(waiting.clone())
            .limit(1)
            .into_tuple::<String>()
            .one(&self.reader)
            .await
            .map_err(Error::store("looked for waiting tasks"))?;
        if any.is_none() {
            return Ok(Vec::new());
        }
        self.write("took tasks", move |tx| {
            Box::pin(async move {
                let rows = tasks::Entity::find()
                    .filter(waiting)
                    .order_by_asc(tasks::Column::CreatedAt)
                    .limit(limit)
                    .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked)
                    .all(tx)
                    .await
                    .map_err(Error::store("read waiting tasks"))?;
                let mut taken = Vec::with_capacity(rows.len());
                for row in rows {
                    let mut change = row.clone().into_active_model();
                    change.runner = ActiveValue::Set(Some(runner.clone()));
                    change.lease_until = ActiveValue::Set(until);
                    change
                        .update(tx)
                        .await
                        .map_err(Error::store("took a task"))?;
                    taken.push(read(tasks::Model {
                        runner: Some(runner.clone()),
                        lease_until: until,
                        ..row
                    })?);
                }
                Ok(taken)
            })
        })
        .await
    }

    /// Renews every lease of a process; gives the ids of its tasks that are to be ended.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn tasks_renew(
        &self,
        runner: &str,
        until: Millis,
    ) -> Result<Vec<(String, String)>, Error> {
        let runner_owned = runner.to_owned();
        self.write("renewed leases", move |tx| {
            Box::pin(async move {
                tasks::Entity::update_many()
                    .col_expr(tasks::Column::LeaseUntil, Expr::value(until))
                    .filter(tasks::Column::Runner.eq(&runner_owned))
                    .exec(tx)
                    .await
                    .map_err(Error::store("renewed leases"))?;
                tasks::Entity::find()
                    .select_only()
                    .columns([tasks::Column::AgentId, tasks::Column::TaskId])
                    .filter(tasks::Column::Runner.eq(runner_owned))
                    .filter(tasks::Column::CancelRequested.eq(true))
                    .into_tuple()
                    .all(tx)
                    .await
                    .map_err(Error::store("read leases"))
            })
        })
        .await
    }

    /// Gives up every lease, whoever holds it: for the one process of a SQLite store, which has
    /// just started and so knows that no other is at work.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn tasks_release_all(&self) -> Result<(), Error> {
        self.write("released leases", |tx| {
            Box::pin(async move {
                tasks::Entity::update_many()
                    .col_expr(tasks::Column::LeaseUntil, Expr::value(0_i64))
                    .col_expr(tasks::Column::Runner, Expr::value(None::<String>))
                    .filter(tasks::Column::Runner.is_not_null())
                    .exec(tx)
                    .await
                    .map_err(Error::store("released leases"))?;
                Ok(())
            })
        })
        .await
    }
}
