//! Records of calls, and what they show about liveness.

use std::collections::BTreeMap;
use std::sync::Arc;

use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, DatabaseTransaction, EntityTrait, IntoActiveModel,
    QueryFilter, QueryOrder, QuerySelect,
};

use super::Store;
use super::entity::{agent_keys, calls, liveness};
use super::outbox::{What, announce};
use crate::agent::{AgentId, Liveness};
use crate::clock::Millis;
use crate::error::Error;
use crate::ids::is_plausible;

/// How long the search index may go without the news that an agent still answers.
const ANNOUNCE_EVERY: Millis = 60_000;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallOutcome {
    /// The agent answered, whatever its status.
    Answered,
    /// No connection could be made.
    Unreachable,
    /// The time was up.
    TimedOut,
    /// The answer was over the cap.
    TooLarge,
    /// The answer was no HTTP, or broke off.
    Broken,
    /// The address is one that we do not call.
    Refused,
    /// The caller left before the answer came.
    Abandoned,
}

impl CallOutcome {
    /// The name on the wire and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Unreachable => "unreachable",
            Self::TimedOut => "timed_out",
            Self::TooLarge => "too_large",
            Self::Broken => "broken",
            Self::Refused => "refused",
            Self::Abandoned => "abandoned",
        }
    }
}

/// One call: digests, sizes, times and status; never a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallRecord {
    /// The transaction id.
    pub id: String,
    /// Who was called.
    pub agent_id: AgentId,
    /// Whose key it was, if any.
    pub caller: Option<AgentId>,
    /// The id of that key.
    pub key_id: Option<String>,
    /// `call` or `a2a`.
    pub door: &'static str,
    /// What the agent was spoken to in, e.g. `a2a-1.0`.
    pub spoken: &'static str,
    /// The skill that was named.
    pub skill: Option<String>,
    /// SHA-256 of the bytes sent to the agent, lower-case hex.
    pub request_digest: String,
    /// How many bytes were sent.
    pub request_bytes: i64,
    /// SHA-256 of the bytes that came back.
    pub response_digest: Option<String>,
    /// How many bytes came back.
    pub response_bytes: i64,
    /// The agent's HTTP status.
    pub status_code: Option<u16>,
    /// How it ended.
    pub outcome: CallOutcome,
    /// When it began.
    pub started_at: Millis,
    /// How long it took.
    pub duration_ms: i64,
}

/// A call as it is read back: texts as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCall {
    /// The transaction id.
    pub id: String,
    /// Who was called.
    pub agent_id: String,
    /// Who called.
    pub caller: Option<String>,
    /// What was spoken.
    pub spoken: String,
    /// The skill that was named.
    pub skill: Option<String>,
    /// SHA-256 of what was sent.
    pub request_digest: String,
    /// Its size.
    pub request_bytes: i64,
    /// SHA-256 of what came back.
    pub response_digest: Option<String>,
    /// Its size.
    pub response_bytes: i64,
    /// The agent's HTTP status.
    pub status_code: Option<i32>,
    /// How it ended.
    pub outcome: String,
    /// When it began.
    pub started_at: Millis,
    /// How long it took.
    pub duration_ms: i64,
}

impl Store {
    /// One call.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn call_by_id(&self, id: &str) -> Result<StoredCall, Error> {
        if !is_plausible(id) {
            return Err(Error::NotFound("call"));
        }
        let row = calls::Entity::find_by_id(id)
            .one(&self.reader)
            .await
            .map_err(Error::store("read a call"))?
            .ok_or(Error::NotFound("call"))?;
        Ok(StoredCall {
            id: row.id,
            agent_id: row.agent_id,
            caller: row.caller,
            spoken: row.spoken,
            skill: row.skill,
            request_digest: row.request_digest,
            request_bytes: row.request_bytes,
            response_digest: row.response_digest,
            response_bytes: row.response_bytes,
            status_code: row.status_code,
            outcome: row.outcome,
            started_at: row.started_at,
            duration_ms: row.duration_ms,
        })
    }

    /// Writes a batch of records with all that follows from them, in one transaction.
    pub(super) async fn calls_append(&self, records: Arc<[CallRecord]>) -> Result<(), Error> {
        let now = self.clock.now();
        let announced = self
            .write("recorded calls", move |tx| {
                Box::pin(async move {
                    append_rows(tx, &records).await?;
                    touch_keys(tx, &records).await?;
                    let announced = update_liveness(tx, &records, now).await?;
                    announce(
                        tx,
                        &announced.iter().collect::<Vec<_>>(),
                        What::Liveness,
                        now,
                    )
                    .await?;
                    Ok(announced)
                })
            })
            .await?;
        if !announced.is_empty() {
            self.forget(&announced);
            self.wake_followers();
        }
        Ok(())
    }
}

async fn append_rows(tx: &DatabaseTransaction, records: &[CallRecord]) -> Result<(), Error> {
    let rows = records.iter().map(|record| calls::ActiveModel {
        id: ActiveValue::Set(record.id.clone()),
        agent_id: ActiveValue::Set(record.agent_id.to_string()),
        caller: ActiveValue::Set(record.caller.as_ref().map(ToString::to_string)),
        door: ActiveValue::Set(record.door.to_owned()),
        spoken: ActiveValue::Set(record.spoken.to_owned()),
        skill: ActiveValue::Set(record.skill.clone()),
        request_digest: ActiveValue::Set(record.request_digest.clone()),
        request_bytes: ActiveValue::Set(record.request_bytes),
        response_digest: ActiveValue::Set(record.response_digest.clone()),
        response_bytes: ActiveValue::Set(record.response_bytes),
        status_code: ActiveValue::Set(record.status_code.map(i32::from)),
        outcome: ActiveValue::Set(record.outcome.as_str().to_owned()),
        started_at: ActiveValue::Set(record.started_at),
        duration_ms: ActiveValue::Set(record.duration_ms),
    });
    // A batch whose commit was lost on the way back is written again.
    calls::Entity::insert_many(rows)
        .on_conflict_do_nothing()
        .exec_without_returning(tx)
        .await
        .map_err(Error::store("recorded calls"))?;
    Ok(())
}

async fn touch_keys(tx: &DatabaseTransaction, records: &[CallRecord]) -> Result<(), Error> {
    let mut last = BTreeMap::new();
    for record in records {
        if let Some(key) = &record.key_id {
            last.insert(key, record.started_at);
        }
    }
    for (key, at) in last {
        agent_keys::Entity::update_many()
            .col_expr(agent_keys::Column::LastUsedAt, Expr::value(at))
            .filter(agent_keys::Column::Id.eq(key))
            .exec(tx)
            .await
            .map_err(Error::store("dated a key"))?;
    }
    Ok(())
}

/// Adds the batch to each agent's liveness; gives the agents whose news the index should hear.
async fn update_liveness(
    tx: &DatabaseTransaction,
    records: &[CallRecord],
    now: Millis,
) -> Result<Vec<AgentId>, Error> {
    let mut by_agent: BTreeMap<&AgentId, Vec<&CallRecord>> = BTreeMap::new();
    for record in records {
        by_agent.entry(&record.agent_id).or_default().push(record);
    }
    // Other gateways count the same agents: the rows exist and are locked, in one order, before
    // they are read.
    liveness::Entity::insert_many(
        by_agent
            .keys()
            .map(|id| blank(id).into_active_model().reset_all()),
    )
    .on_conflict_do_nothing()
    .exec_without_returning(tx)
    .await
    .map_err(Error::store("made liveness rows"))?;
    let ids = by_agent.keys().map(|id| id.as_str());
    let rows = liveness::Entity::find()
        .filter(liveness::Column::AgentId.is_in(ids))
        .order_by_asc(liveness::Column::AgentId)
        .lock_exclusive()
        .all(tx)
        .await
        .map_err(Error::store("read liveness"))?;
    let mut before: BTreeMap<String, liveness::Model> = rows
        .into_iter()
        .map(|row| (row.agent_id.clone(), row))
        .collect();
    let (mut after, mut announced) = (Vec::new(), Vec::new());
    for (id, records) in by_agent {
        let old = before.remove(id.as_str());
        let mut row = old.clone().unwrap_or_else(|| blank(id));
        for record in records {
            count(&mut row, record);
        }
        let flipped = old.as_ref().map(answering) != Some(answering(&row));
        if flipped || now - row.announced_at >= ANNOUNCE_EVERY {
            row.announced_at = now;
            announced.push(id.clone());
        }
        after.push(liveness::ActiveModel::from(row));
    }
    store_liveness(tx, after).await?;
    Ok(announced)
}

fn blank(id: &AgentId) -> liveness::Model {
    liveness::Model {
        agent_id: id.to_string(),
        last_ok_at: None,
        last_failure_at: None,
        answered: 0,
        failed: 0,
        last_latency_ms: None,
        announced_at: 0,
    }
}

fn count(row: &mut liveness::Model, record: &CallRecord) {
    match record.outcome {
        CallOutcome::Answered if record.status_code.is_none_or(|status| status < 500) => {
            row.last_ok_at = Some(record.started_at + record.duration_ms);
            row.last_latency_ms = Some(record.duration_ms);
            row.answered += 1;
        }
        // Our own refusal, or a caller that left, says nothing about the agent.
        CallOutcome::Refused | CallOutcome::Abandoned => {}
        _ => {
            row.last_failure_at = Some(record.started_at + record.duration_ms);
            row.failed += 1;
        }
    }
}

fn answering(row: &liveness::Model) -> bool {
    row.last_ok_at > row.last_failure_at
}

async fn store_liveness(
    tx: &DatabaseTransaction,
    rows: Vec<liveness::ActiveModel>,
) -> Result<(), Error> {
    let columns = [
        liveness::Column::LastOkAt,
        liveness::Column::LastFailureAt,
        liveness::Column::Answered,
        liveness::Column::Failed,
        liveness::Column::LastLatencyMs,
        liveness::Column::AnnouncedAt,
    ];
    liveness::Entity::insert_many(rows.into_iter().map(liveness::ActiveModel::reset_all))
        .on_conflict(
            OnConflict::column(liveness::Column::AgentId)
                .update_columns(columns)
                .to_owned(),
        )
        .exec_without_returning(tx)
        .await
        .map_err(Error::store("stored liveness"))?;
    Ok(())
}

impl Liveness {
    /// True when the last call was answered, false when it was not, `None` before any call.
    #[must_use]
    pub fn answers(&self) -> Option<bool> {
        match (self.last_ok_at, self.last_failure_at) {
            (None, None) => None,
            (ok, failure) => Some(ok > failure),
        }
    }
}
