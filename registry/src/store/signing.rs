//! The gateway's own signing keys: one in use, older ones still published until they are removed.

use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
};

use super::Store;
use super::entity::signing_keys;
use crate::clock::Millis;
use crate::error::Error;

/// A key with its secret seed; the debug form does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSeed {
    /// The id under which it is published.
    pub kid: String,
    /// 32 secret bytes.
    pub seed: Vec<u8>,
    /// When it was made.
    pub created_at: Millis,
    /// Since when it signs nothing new.
    pub retired_at: Option<Millis>,
}

impl std::fmt::Debug for SigningSeed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SigningSeed")
            .field("kid", &self.kid)
            .field("retired_at", &self.retired_at)
            .finish_non_exhaustive()
    }
}

impl Store {
    /// All keys, newest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn signing_keys(&self) -> Result<Vec<SigningSeed>, Error> {
        let rows = signing_keys::Entity::find()
            .order_by_desc(signing_keys::Column::CreatedAt)
            .order_by_desc(signing_keys::Column::Kid)
            .all(&self.reader)
            .await
            .map_err(Error::store("read the key ring"))?;
        Ok(rows
            .into_iter()
            .map(|row| SigningSeed {
                kid: row.kid,
                seed: row.seed,
                created_at: row.created_at,
                retired_at: row.retired_at,
            })
            .collect())
    }

    /// Adds a key, which signs from now on; the others are retired with the same commit.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn signing_key_add(&self, kid: String, seed: Vec<u8>) -> Result<(), Error> {
        let now = self.clock.now();
        self.write("added a signing key", move |tx| {
            Box::pin(async move {
                signing_keys::Entity::update_many()
                    .col_expr(signing_keys::Column::RetiredAt, Expr::value(now))
                    .filter(signing_keys::Column::RetiredAt.is_null())
                    .exec(tx)
                    .await
                    .map_err(Error::store("retired signing keys"))?;
                let row = signing_keys::Model {
                    kid,
                    seed,
                    created_at: now,
                    retired_at: None,
                };
                signing_keys::Entity::insert(row.into_active_model().reset_all())
                    .exec_without_returning(tx)
                    .await
                    .map_err(Error::store("added a signing key"))?;
                Ok(())
            })
        })
        .await
    }

    /// Removes a retired key; what it signed can no longer be checked.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no retired key of that id, [`Error::Store`].
    pub async fn signing_key_remove(&self, kid: &str) -> Result<(), Error> {
        let kid = kid.to_owned();
        self.write("removed a signing key", move |tx| {
            Box::pin(async move {
                let removed = signing_keys::Entity::delete_many()
                    .filter(signing_keys::Column::Kid.eq(kid))
                    .filter(signing_keys::Column::RetiredAt.is_not_null())
                    .exec(tx)
                    .await
                    .map_err(Error::store("removed a signing key"))?;
                match removed.rows_affected {
                    0 => Err(Error::NotFound("retired signing key")),
                    _ => Ok(()),
                }
            })
        })
        .await
    }
}
