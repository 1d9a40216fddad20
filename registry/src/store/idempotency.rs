//! Answers that are remembered by the caller's own key, so that a retry has one effect.

use sea_orm::sea_query::Expr;
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter};

use super::Store;
use super::entity::idempotency;
use crate::clock::Millis;
use crate::error::Error;

/// How long an answer is kept.
pub const KEPT: Millis = 24 * 3_600_000;

/// What is known of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// Nobody has used it: this request is the first, and now holds it.
    First,
    /// The first request was answered with this.
    Answered(Vec<u8>),
    /// The first request has not been answered, or its answer was lost with the process.
    Unanswered {
        /// When it began.
        since: Millis,
    },
    /// The first request had another body.
    Other,
}

impl Store {
    /// Takes a key for a request with this digest, or says what became of the one before.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn attempt_begin(&self, key: &str, digest: &str) -> Result<Attempt, Error> {
        let now = self.clock.now();
        let (key, digest) = (key.to_owned(), digest.to_owned());
        self.write("took an idempotency key", move |tx| {
            Box::pin(async move {
                idempotency::Entity::delete_many()
                    .filter(idempotency::Column::Key.eq(&key))
                    .filter(idempotency::Column::CreatedAt.lt(now - KEPT))
                    .exec(tx)
                    .await
                    .map_err(Error::store("dropped an old idempotency key"))?;
                let row = idempotency::Model {
                    key: key.clone(),
                    digest: digest.clone(),
                    answer: None,
                    created_at: now,
                };
                let inserted = idempotency::Entity::insert(row.into_active_model().reset_all())
                    .on_conflict_do_nothing()
                    .exec_without_returning(tx)
                    .await
                    .map_err(Error::store("took an idempotency key"))?;
                if matches!(inserted, sea_orm::TryInsertResult::Inserted(1)) {
                    return Ok(Attempt::First);
                }
                let row = idempotency::Entity::find_by_id(key)
                    .one(tx)
                    .await
                    .map_err(Error::store("read an idempotency key"))?;
                Ok(match row {
                    None => Attempt::First,
                    Some(row) if row.digest != digest => Attempt::Other,
                    Some(row) => match row.answer {
                        Some(answer) => Attempt::Answered(answer),
                        None => Attempt::Unanswered {
                            since: row.created_at,
                        },
                    },
                })
            })
        })
        .await
    }

    /// Keeps the answer of the first request.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn attempt_answered(&self, key: &str, answer: Vec<u8>) -> Result<(), Error> {
        let key = key.to_owned();
        self.write("kept an answer", move |tx| {
            Box::pin(async move {
                idempotency::Entity::update_many()
                    .col_expr(idempotency::Column::Answer, Expr::value(answer))
                    .filter(idempotency::Column::Key.eq(key))
                    .exec(tx)
                    .await
                    .map_err(Error::store("kept an answer"))?;
                Ok(())
            })
        })
        .await
    }

    /// Gives the key back: nothing was done under it.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn attempt_dropped(&self, key: &str) -> Result<(), Error> {
        let key = key.to_owned();
        self.write("gave a key back", move |tx| {
            Box::pin(async move {
                idempotency::Entity::delete_by_id(key)
                    .exec(tx)
                    .await
                    .map_err(Error::store("gave a key back"))?;
                Ok(())
            })
        })
        .await
    }

    /// Drops what is older than a day.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn attempts_forget(&self) -> Result<(), Error> {
        let now = self.clock.now();
        self.write("forgot old answers", move |tx| {
            Box::pin(async move {
                idempotency::Entity::delete_many()
                    .filter(idempotency::Column::CreatedAt.lt(now - KEPT))
                    .exec(tx)
                    .await
                    .map_err(Error::store("forgot old answers"))?;
                Ok(())
            })
        })
        .await
    }
}
