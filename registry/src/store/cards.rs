//! Cards as they came, byte for byte, by digest.

use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue, DatabaseTransaction, EntityTrait};

use super::Store;
use super::entity::agent_cards;
use crate::clock::Millis;
use crate::digest::sha256_hex;
use crate::error::Error;

/// Keeps a card; the same bytes are kept once.
pub(super) async fn keep(
    transaction: &DatabaseTransaction,
    bytes: Vec<u8>,
    at: Millis,
) -> Result<(), Error> {
    let row = agent_cards::ActiveModel {
        digest: ActiveValue::Set(sha256_hex(&bytes)),
        bytes: ActiveValue::Set(bytes),
        created_at: ActiveValue::Set(at),
    };
    agent_cards::Entity::insert(row)
        .on_conflict(
            OnConflict::column(agent_cards::Column::Digest)
                .do_nothing()
                .to_owned(),
        )
        .exec_without_returning(transaction)
        .await
        .map_err(Error::store("kept a card"))?;
    Ok(())
}

impl Store {
    /// The bytes with that digest.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn card_bytes(&self, digest: &str) -> Result<Vec<u8>, Error> {
        let row = agent_cards::Entity::find_by_id(digest)
            .one(&self.reader)
            .await
            .map_err(Error::store("read a card"))?
            .ok_or(Error::NotFound("card"))?;
        Ok(row.bytes)
    }
}
