//! What an operator loads: one text for each name.

use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveModelTrait, EntityTrait, IntoActiveModel};

use super::Store;
use super::entity::operator_files;
use crate::error::Error;

/// The table of exchange rates.
const RATES: &str = "rates";

impl Store {
    /// Keeps a table of rates in the place of the one before. It is the caller's to have read it.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn rates_load(&self, text: String) -> Result<(), Error> {
        let row = operator_files::Model {
            name: RATES.to_owned(),
            content: text,
            loaded_at: self.clock.now(),
        };
        self.write("loaded rates", move |tx| {
            Box::pin(async move {
                operator_files::Entity::insert(row.into_active_model().reset_all())
                    .on_conflict(
                        OnConflict::column(operator_files::Column::Name)
                            .update_columns([
                                operator_files::Column::Content,
                                operator_files::Column::LoadedAt,
                            ])
                            .to_owned(),
                    )
                    .exec_without_returning(tx)
                    .await
                    .map_err(Error::store("loaded rates"))?;
                Ok(())
            })
        })
        .await
    }

    /// The table of rates as it was loaded, if one was.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn rates_text(&self) -> Result<Option<String>, Error> {
        let row = operator_files::Entity::find_by_id(RATES)
            .one(&self.reader)
            .await
            .map_err(Error::store("read rates"))?;
        Ok(row.map(|row| row.content))
    }
}
