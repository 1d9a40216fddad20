//! Push notifications: where they go, and those that are still to be delivered.

use sea_orm::sea_query::{Expr, ExprTrait as _, LockBehavior, LockType, OnConflict};
use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter,
    QueryOrder, QuerySelect,
};
use serde_json::Value;

use super::Store;
use super::entity::{push_configs, push_deliveries};
use crate::agent::AgentId;
use crate::clock::Millis;
use crate::error::Error;
use crate::ids;

/// How many a task may have.
const MOST_CONFIGS: usize = 100;

/// Where the news of a task goes.
#[derive(Debug, Clone, PartialEq)]
pub struct PushConfig {
    /// Of which agent.
    pub agent_id: AgentId,
    /// Of which task.
    pub task_id: String,
    /// Its id among those of the task.
    pub config_id: String,
    /// The dialect it was registered in: `0.3` or `1.0`.
    pub version: String,
    /// Where to.
    pub url: String,
    /// Sent along, so that the receiver knows us.
    pub token: Option<String>,
    /// `{scheme, credentials?}`.
    pub authentication: Option<Value>,
    /// The secret part of our own address for news from an agent elsewhere.
    pub hook: String,
    /// Deliveries that were given up in a row.
    pub failures: i64,
}

/// A notification on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    /// Its id.
    pub id: String,
    /// Where it goes.
    pub config: PushConfig,
    /// The stream item in the JSON of A2A 1.0.
    pub item: Value,
    /// How often it was tried, this time included.
    pub attempts: i64,
}

impl Store {
    /// Keeps a config; one of the same id is replaced.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the task has too many, [`Error::Store`].
    pub async fn push_config_set(&self, config: PushConfig) -> Result<(), Error> {
        let now = self.clock.now();
        self.write("kept a push config", move |tx| {
            Box::pin(async move {
                let others = of_task(&config.agent_id, &config.task_id)
                    .filter(push_configs::Column::ConfigId.ne(&config.config_id))
                    .all(tx)
                    .await
                    .map_err(Error::store("read push configs"))?;
                if others.len() >= MOST_CONFIGS {
                    let reason = "a task has at most 100 push notification configs";
                    return Err(crate::error::Invalid::value("", reason).into());
                }
                let row = push_configs::Model {
                    agent_id: config.agent_id.to_string(),
                    task_id: config.task_id,
                    config_id: config.config_id,
                    version: config.version,
                    url: config.url,
                    token: config.token,
                    authentication: config.authentication.map(|value| value.to_string()),
                    hook: config.hook,
                    failures: 0,
                    created_at: now,
                };
                push_configs::Entity::insert(row.into_active_model().reset_all())
                    .on_conflict(
                        OnConflict::columns([
                            push_configs::Column::AgentId,
                            push_configs::Column::TaskId,
                            push_configs::Column::ConfigId,
                        ])
                        .update_columns([
                            push_configs::Column::Version,
                            push_configs::Column::Url,
                            push_configs::Column::Token,
                            push_configs::Column::Authentication,
                            push_configs::Column::Hook,
                            push_configs::Column::Failures,
                        ])
                        .to_owned(),
                    )
                    .exec_without_returning(tx)
                    .await
                    .map_err(Error::store("kept a push config"))?;
                Ok(())
            })
        })
        .await
    }

    /// Gives a config that was kept under another name to its task; one of the same id is replaced,
    /// and what was queued for it still goes. A config without an id of its own gets the task's.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn push_config_name(&self, config: &PushConfig, task_id: &str) -> Result<(), Error> {
        let own = config.config_id != config.task_id;
        let config_id = if own { &config.config_id } else { task_id }.to_owned();
        let (hook, task_id) = (config.hook.clone(), task_id.to_owned());
        let key = (
            config.agent_id.to_string(),
            task_id.clone(),
            config_id.clone(),
        );
        self.write("gave a push config to its task", move |tx| {
            Box::pin(async move {
                let failed = |error| Error::store("gave a push config to its task")(error);
                push_configs::Entity::delete_by_id(key)
                    .exec(tx)
                    .await
                    .map_err(failed)?;
                push_configs::Entity::update_many()
                    .col_expr(push_configs::Column::TaskId, Expr::value(task_id))
                    .col_expr(push_configs::Column::ConfigId, Expr::value(config_id))
                    .filter(push_configs::Column::Hook.eq(hook))
                    .exec(tx)
                    .await
                    .map_err(failed)?;
                Ok(())
            })
        })
        .await
    }

    /// The configs of a task, oldest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn push_configs(
        &self,
        agent_id: &AgentId,
        task_id: &str,
    ) -> Result<Vec<PushConfig>, Error> {
        let rows = of_task(agent_id, task_id)
            .all(&self.reader)
            .await
            .map_err(Error::store("read push configs"))?;
        Ok(rows.into_iter().filter_map(read).collect())
    }

    /// The config that an agent elsewhere delivers to.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn push_config_by_hook(&self, hook: &str) -> Result<PushConfig, Error> {
        push_configs::Entity::find()
            .filter(push_configs::Column::Hook.eq(hook))
            .one(&self.reader)
            .await
            .map_err(Error::store("read a push config"))?
            .and_then(read)
            .ok_or(Error::NotFound("push config"))
    }

    /// Drops a config and what was still to go there; repeating it changes nothing.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn push_config_delete(
        &self,
        agent_id: &AgentId,
        task_id: &str,
        config_id: &str,
    ) -> Result<(), Error> {
        let key = (
            agent_id.to_string(),
            task_id.to_owned(),
            config_id.to_owned(),
        );
        self.write("dropped a push config", move |tx| {
            Box::pin(async move {
                let dropped = Error::store("dropped a push config");
                push_configs::Entity::delete_by_id(key)
                    .exec(tx)
                    .await
                    .map_err(dropped)?;
                Ok(())
            })
        })
        .await
    }

    /// Queues one item for every config of its task.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn push_queue(&self, configs: &[PushConfig], item: &Value) -> Result<(), Error> {
        let now = self.clock.now();
        let rows: Vec<_> = configs
            .iter()
            .map(|config| push_deliveries::Model {
                id: ids::new_id("push", now, &*self.random),
                hook: config.hook.clone(),
                body: item.to_string(),
                attempts: 0,
                next_at: now,
                created_at: now,
            })
            .map(|row| row.into_active_model().reset_all())
            .collect();
        if rows.is_empty() {
            return Ok(());
        }
        self.write("queued notifications", move |tx| {
            Box::pin(async move {
                push_deliveries::Entity::insert_many(rows)
                    .exec_without_returning(tx)
                    .await
                    .map_err(Error::store("queued notifications"))?;
                Ok(())
            })
        })
        .await
    }

    /// Takes deliveries that are due; each is due again at `retry_at` of its attempts, unless it
    /// is done by then.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn push_take(
        &self,
        limit: u64,
        retry_at: fn(now: Millis, attempts: i64) -> Millis,
    ) -> Result<Vec<Delivery>, Error> {
        let now = self.clock.now();
        let due = push_deliveries::Column::NextAt.lte(now);
        let any = push_deliveries::Entity::find()
            .filter(due.clone())
            .limit(1)
            .one(&self.reader)
            .await
            .map_err(Error::store("looked for notifications"))?;
        if any.is_none() {
            return Ok(Vec::new());
        }
        self.write("took notifications", move |tx| {
            Box::pin(async move {
                let rows = push_deliveries::Entity::find()
                    .filter(due)
                    .order_by_asc(push_deliveries::Column::Id)
                    .limit(limit)
                    .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked)
                    .all(tx)
                    .await
                    .map_err(Error::store("read notifications"))?;
                let mut taken = Vec::with_capacity(rows.len());
                for row in rows {
                    let config = push_configs::Entity::find()
                        .filter(push_configs::Column::Hook.eq(&row.hook))
                        .one(tx)
                        .await
                        .map_err(Error::store("read a push config"))?
                        .and_then(read);
                    let (attempts, id) = (row.attempts + 1, row.id.clone());
                    let item = serde_json::from_str(&row.body).unwrap_or_default();
                    let Some(config) = config else {
                        // Its config was dropped meanwhile.
                        push_deliveries::Entity::delete_by_id(id)
                            .exec(tx)
                            .await
                            .map_err(Error::store("dropped a notification"))?;
                        continue;
                    };
                    let mut change = row.into_active_model();
                    change.attempts = ActiveValue::Set(attempts);
                    change.next_at = ActiveValue::Set(retry_at(now, attempts));
                    change
                        .update(tx)
                        .await
                        .map_err(Error::store("took a notification"))?;
                    taken.push(Delivery {
                        id,
                        config,
                        item,
                        attempts,
                    });
                }
                Ok(taken)
            })
        })
        .await
    }

    /// Ends a delivery: it arrived, or it was given up.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn push_done(&self, delivery: &Delivery, arrived: bool) -> Result<(), Error> {
        let (id, hook) = (delivery.id.clone(), delivery.config.hook.clone());
        self.write("ended a notification", move |tx| {
            Box::pin(async move {
                push_deliveries::Entity::delete_by_id(id)
                    .exec(tx)
                    .await
                    .map_err(Error::store("ended a notification"))?;
                let failures = if arrived {
                    Expr::value(0_i64)
                } else {
                    Expr::col(push_configs::Column::Failures).add(1_i64)
                };
                push_configs::Entity::update_many()
                    .col_expr(push_configs::Column::Failures, failures)
                    .filter(push_configs::Column::Hook.eq(hook))
                    .exec(tx)
                    .await
                    .map_err(Error::store("counted a notification"))?;
                Ok(())
            })
        })
        .await
    }
}

fn of_task(agent_id: &AgentId, task_id: &str) -> sea_orm::Select<push_configs::Entity> {
    push_configs::Entity::find()
        .filter(push_configs::Column::AgentId.eq(agent_id.as_str()))
        .filter(push_configs::Column::TaskId.eq(task_id))
        .order_by_asc(push_configs::Column::CreatedAt)
        .order_by_asc(push_configs::Column::ConfigId)
}

fn read(row: push_configs::Model) -> Option<PushConfig> {
    Some(PushConfig {
        agent_id: AgentId::lookup(&row.agent_id)?,
        task_id: row.task_id,
        config_id: row.config_id,
        version: row.version,
        url: row.url,
        token: row.token,
        authentication: row
            .authentication
            .and_then(|text| serde_json::from_str(&text).ok()),
        hook: row.hook,
        failures: row.failures,
    })
}
