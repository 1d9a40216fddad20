//! Tasks of agents hosted here and elsewhere: whose they are, and what is last known of them.

use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, DatabaseTransaction, DbErr, EntityTrait,
    IntoActiveModel, QueryFilter, QueryOrder, QuerySelect, SqlErr,
};
use serde_json::Value;

use protocol::a2a::translate::TaskState;

use super::Store;
use super::entity::{contexts, tasks};
use crate::agent::AgentId;
use crate::clock::Millis;
use crate::error::Error;

/// One task with all that the store knows of it.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskRow {
    /// Whose task it is to do.
    pub agent_id: AgentId,
    /// Its id, made by the agent.
    pub task_id: String,
    /// Its conversation.
    pub context_id: String,
    /// Who made it; `None` for nobody.
    pub caller: Option<AgentId>,
    /// Whether the agent is served by this gateway.
    pub hosted: bool,
    /// The state as A2A 0.3 spells it, such as `input-required`.
    pub state: String,
    /// The task in the JSON of A2A 1.0.
    pub task: Value,
    /// Messages that the tenant has not finished with, oldest first, in the JSON of A2A 1.0.
    pub inbox: Vec<Value>,
    /// Whether its caller asked to end it.
    pub cancel_requested: bool,
    /// Which process works on it.
    pub runner: Option<String>,
    /// Until when nobody else may.
    pub lease_until: Millis,
    /// Counts changes, from 1.
    pub revision: i64,
    /// When its status changed last.
    pub status_at: Millis,
    /// When it was made.
    pub created_at: Millis,
    /// When it changed last.
    pub updated_at: Millis,
}

/// Which tasks are listed; what is `None` filters nothing.
#[derive(Debug, Clone)]
pub struct TaskFilter {
    /// Of this agent.
    pub agent_id: AgentId,
    /// Of this caller; `None` is nobody, whose tasks are listed by their context alone.
    pub caller: Option<AgentId>,
    /// In this conversation.
    pub context_id: Option<String>,
    /// In this state.
    pub state: Option<String>,
    /// Whose status changed at this time or later.
    pub status_since: Option<Millis>,
    /// After this time and id.
    pub after: Option<(Millis, String)>,
    /// At most so many.
    pub limit: u64,
}

impl TaskRow {
    /// Whether this caller may see the task: who made it, and anyone where nobody made it.
    #[must_use]
    pub fn open_to(&self, caller: Option<&AgentId>) -> bool {
        self.caller.is_none() || self.caller.as_ref() == caller
    }
}

impl Store {
    /// Keeps a new task. Its conversation becomes the caller's where it is new.
    ///
    /// # Errors
    /// [`Error::Conflict`] for an id that the agent has used, or a conversation that is another
    /// caller's; [`Error::Store`].
    pub async fn task_create(&self, row: TaskRow) -> Result<TaskRow, Error> {
        self.write("made a task", move |tx| {
            Box::pin(async move {
                claim(
                    tx,
                    &row.agent_id,
                    &row.context_id,
                    row.caller.as_ref(),
                    row.created_at,
                )
                .await?;
                match tasks::Entity::insert(model(&row)?.into_active_model().reset_all())
                    .exec_without_returning(tx)
                    .await
                {
                    Ok(_) => Ok(row),
                    Err(error)
                        if matches!(
                            error.sql_err(),
                            Some(SqlErr::UniqueConstraintViolation(_))
                        ) =>
                    {
                        Err(Error::Conflict {
                            what: "the task id",
                            pointer: "/id",
                        })
                    }
                    Err(error) => Err(Error::store("made a task")(error)),
                }
            })
        })
        .await
    }

    /// Changes a task under its lock; `change` sees it as it is now. The revision grows when it
    /// leaves anything changed.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn task_change<T, F>(
        &self,
        agent_id: &AgentId,
        task_id: &str,
        change: F,
    ) -> Result<(T, TaskRow), Error>
    where
        T: Send + 'static,
        F: FnOnce(&mut TaskRow) -> T + Send + 'static,
    {
        let (agent_id, task_id, now) = (agent_id.clone(), plausible(task_id)?, self.clock.now());
        self.write("changed a task", move |tx| {
            Box::pin(async move {
                let row = tasks::Entity::find_by_id((agent_id.to_string(), task_id))
                    .lock_exclusive()
                    .one(tx)
                    .await
                    .map_err(Error::store("read a task"))?
                    .ok_or(Error::NotFound("task"))?;
                let before = read(row)?;
                let mut after = before.clone();
                let value = change(&mut after);
                if after == before {
                    return Ok((value, after));
                }
                after.revision += 1;
                after.updated_at = now;
                model(&after)?
                    .into_active_model()
                    .reset_all()
                    .update(tx)
                    .await
                    .map_err(Error::store("changed a task"))?;
                Ok((value, after))
            })
        })
        .await
    }

    /// Keeps what passed through: a task of an agent elsewhere, seen for the first time or again.
    /// The one who made it stays its owner.
    ///
    /// # Errors
    /// [`Error::NotFound`] where it is another caller's, [`Error::Store`].
    pub async fn task_seen(&self, row: TaskRow) -> Result<(), Error> {
        self.write("kept a task", move |tx| {
            Box::pin(async move {
                // A conversation of somebody else's cannot be taken over by an agent naming it.
                let _ = claim(
                    tx,
                    &row.agent_id,
                    &row.context_id,
                    row.caller.as_ref(),
                    row.created_at,
                )
                .await;
                let known =
                    tasks::Entity::find_by_id((row.agent_id.to_string(), row.task_id.clone()))
                        .lock_exclusive()
                        .one(tx)
                        .await
                        .map_err(Error::store("read a task"))?;
                let Some(known) = known else {
                    tasks::Entity::insert(model(&row)?.into_active_model().reset_all())
                        .on_conflict_do_nothing()
                        .exec_without_returning(tx)
                        .await
                        .map_err(Error::store("kept a task"))?;
                    return Ok(());
                };
                let known = read(known)?;
                if !known.open_to(row.caller.as_ref()) {
                    return Err(Error::NotFound("task"));
                }
                // What is over stays over: an older sight of it may come later.
                let over = |state: &str| TaskState::parse(state).is_some_and(TaskState::terminal);
                if over(&known.state) && !over(&row.state) {
                    return Ok(());
                }
                let after = TaskRow {
                    state: row.state,
                    task: row.task,
                    status_at: row.status_at,
                    updated_at: row.updated_at,
                    revision: known.revision + 1,
                    ..known
                };
                model(&after)?
                    .into_active_model()
                    .reset_all()
                    .update(tx)
                    .await
                    .map_err(Error::store("kept a task"))?;
                Ok(())
            })
        })
        .await
    }

    /// One task.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn task_by_id(&self, agent_id: &AgentId, task_id: &str) -> Result<TaskRow, Error> {
        let row = tasks::Entity::find_by_id((agent_id.to_string(), plausible(task_id)?))
            .one(&self.reader)
            .await
            .map_err(Error::store("read a task"))?
            .ok_or(Error::NotFound("task"))?;
        read(row)
    }

    /// Tasks by the time of their status, newest first, and how many there are in all.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn tasks_list(&self, filter: &TaskFilter) -> Result<(Vec<TaskRow>, u64), Error> {
        use sea_orm::PaginatorTrait as _;
        let caller = match &filter.caller {
            Some(caller) => tasks::Column::Caller.eq(caller.as_str()),
            None => tasks::Column::Caller.is_null(),
        };
        let all = tasks::Entity::find()
            .filter(tasks::Column::AgentId.eq(filter.agent_id.as_str()))
            .filter(caller)
            .filter(
                Condition::all()
                    .add_option(
                        filter
                            .context_id
                            .as_ref()
                            .map(|id| tasks::Column::ContextId.eq(id)),
                    )
                    .add_option(
                        filter
                            .state
                            .as_ref()
                            .map(|state| tasks::Column::State.eq(state)),
                    )
                    .add_option(
                        filter
                            .status_since
                            .map(|since| tasks::Column::StatusAt.gte(since)),
                    ),
            );
        let total = all
            .clone()
            .count(&self.reader)
            .await
            .map_err(Error::store("counted tasks"))?;
        let later = filter.after.as_ref().map(|(at, id)| {
            let same_time = Condition::all()
                .add(tasks::Column::StatusAt.eq(*at))
                .add(tasks::Column::TaskId.gt(id));
            Condition::any()
                .add(tasks::Column::StatusAt.lt(*at))
                .add(same_time)
        });
        let rows = all
            .filter(Condition::all().add_option(later))
            .order_by_desc(tasks::Column::StatusAt)
            .order_by_asc(tasks::Column::TaskId)
            .limit(filter.limit)
            .all(&self.reader)
            .await
            .map_err(Error::store("listed tasks"))?;
        let rows = rows.into_iter().map(read).collect::<Result<_, _>>()?;
        Ok((rows, total))
    }

    /// Whether the caller may use the conversation; a new one becomes the caller's.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn context_claim(
        &self,
        agent_id: &AgentId,
        context_id: &str,
        caller: Option<&AgentId>,
    ) -> Result<bool, Error> {
        let known = contexts::Entity::find_by_id((agent_id.to_string(), context_id.to_owned()))
            .one(&self.reader)
            .await
            .map_err(Error::store("read a conversation"))?;
        if let Some(row) = known {
            return Ok(open(&row, caller));
        }
        let (agent_id, context_id, caller) =
            (agent_id.clone(), context_id.to_owned(), caller.cloned());
        let now = self.clock.now();
        let claimed = self
            .write("claimed a conversation", move |tx| {
                Box::pin(
                    async move { claim(tx, &agent_id, &context_id, caller.as_ref(), now).await },
                )
            })
            .await;
        match claimed {
            Ok(()) => Ok(true),
            Err(Error::Conflict { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Makes the conversation the caller's, unless it has an owner.
async fn claim(
    tx: &DatabaseTransaction,
    agent_id: &AgentId,
    context_id: &str,
    caller: Option<&AgentId>,
    now: Millis,
) -> Result<(), Error> {
    let row = contexts::Model {
        agent_id: agent_id.to_string(),
        context_id: context_id.to_owned(),
        caller: caller.map(ToString::to_string),
        created_at: now,
    };
    contexts::Entity::insert(row.into_active_model().reset_all())
        .on_conflict_do_nothing()
        .exec_without_returning(tx)
        .await
        .map_err(Error::store("claimed a conversation"))?;
    let row = contexts::Entity::find_by_id((agent_id.to_string(), context_id.to_owned()))
        .one(tx)
        .await
        .map_err(Error::store("read a conversation"))?;
    match row {
        Some(row) if !open(&row, caller) => Err(Error::Conflict {
            what: "the conversation",
            pointer: "/message/contextId",
        }),
        _ => Ok(()),
    }
}

fn open(row: &contexts::Model, caller: Option<&AgentId>) -> bool {
    row.caller.is_none() || row.caller.as_deref() == caller.map(AgentId::as_str)
}

/// Ids come from agents: what PostgreSQL refuses in a question cannot be one that was kept.
fn plausible(task_id: &str) -> Result<String, Error> {
    if task_id.is_empty() || task_id.len() > 512 || task_id.contains('\0') {
        return Err(Error::NotFound("task"));
    }
    Ok(task_id.to_owned())
}

fn unreadable(what: &str) -> Error {
    Error::store("read a task")(DbErr::Custom(format!("unreadable {what}")))
}

pub(super) fn read(row: tasks::Model) -> Result<TaskRow, Error> {
    Ok(TaskRow {
        agent_id: AgentId::lookup(&row.agent_id).ok_or_else(|| unreadable("agent id"))?,
        task_id: row.task_id,
        context_id: row.context_id,
        caller: row.caller.as_deref().and_then(AgentId::lookup),
        hosted: row.hosted,
        state: row.state,
        task: serde_json::from_str(&row.task).map_err(|_| unreadable("task"))?,
        inbox: serde_json::from_str(&row.inbox).map_err(|_| unreadable("inbox"))?,
        cancel_requested: row.cancel_requested,
        runner: row.runner,
        lease_until: row.lease_until,
        revision: row.revision,
        status_at: row.status_at,
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}

fn model(row: &TaskRow) -> Result<tasks::Model, Error> {
    let unwritable =
        |error: serde_json::Error| Error::store("wrote a task")(DbErr::Custom(error.to_string()));
    Ok(tasks::Model {
        agent_id: row.agent_id.to_string(),
        task_id: row.task_id.clone(),
        context_id: row.context_id.clone(),
        caller: row.caller.as_ref().map(ToString::to_string),
        hosted: row.hosted,
        state: row.state.clone(),
        // A value that was read as JSON can be written as JSON; U+0000 is none for PostgreSQL.
        task: row.task.to_string(),
        inbox: serde_json::to_string(&row.inbox).map_err(unwritable)?,
        cancel_requested: row.cancel_requested,
        runner: row.runner.clone(),
        lease_until: row.lease_until,
        revision: row.revision,
        status_at: row.status_at,
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}
