//! Step 4: what an operator loads and every gateway of the store reads, such as the table of rates.

use sea_orm_migration::prelude::{
    ColumnDef, DbErr, MigrationTrait, SchemaManager, Table, async_trait, sea_orm,
};

#[derive(sea_orm_migration::prelude::DeriveMigrationName)]
pub(crate) struct Step;

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table(OperatorFiles::Table)
            .col(
                ColumnDef::new(OperatorFiles::Name)
                    .text()
                    .not_null()
                    .primary_key(),
            )
            .col(ColumnDef::new(OperatorFiles::Content).text().not_null())
            .col(
                ColumnDef::new(OperatorFiles::LoadedAt)
                    .big_integer()
                    .not_null(),
            )
            .take();
        manager.create_table(table).await
    }
}

#[derive(sea_orm::DeriveIden)]
enum OperatorFiles {
    Table,
    Name,
    Content,
    LoadedAt,
}
