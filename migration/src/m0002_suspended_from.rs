//! Step 2: what an agent was before the operator suspended it, so that resuming gives just that back.

use sea_orm_migration::prelude::{
    ColumnDef, DbErr, Index, MigrationTrait, SchemaManager, Table, async_trait, sea_orm,
};

#[derive(sea_orm_migration::prelude::DeriveMigrationName)]
pub(crate) struct Step;

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::alter()
            .table(Agents::Table)
            .add_column(ColumnDef::new(Agents::SuspendedFrom).text())
            .take();
        manager.alter_table(table).await?;
        // New listings are compared with the suspended ones.
        let index = Index::create()
            .name("agents_by_state")
            .table(Agents::Table)
            .col(Agents::State)
            .take();
        manager.create_index(index).await
    }
}

#[derive(sea_orm::DeriveIden)]
enum Agents {
    Table,
    State,
    SuspendedFrom,
}
