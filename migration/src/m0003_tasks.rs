//! Step 3: tasks with their owners, conversations, push notifications, remembered answers, and the key ring.

use sea_orm_migration::prelude::{
    ColumnDef, DbErr, Iden, Index, IndexCreateStatement, MigrationTrait, SchemaManager, Table,
    TableCreateStatement, async_trait, sea_orm,
};

#[derive(sea_orm_migration::prelude::DeriveMigrationName)]
pub(crate) struct Step;

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [
            tasks(),
            contexts(),
            push_configs(),
            push_deliveries(),
            idempotency(),
            signing_keys(),
        ] {
            manager.create_table(table).await?;
        }
        for index in indexes() {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn text(name: impl Iden + 'static) -> ColumnDef {
    ColumnDef::new(name).text().not_null().take()
}

fn whole(name: impl Iden + 'static) -> ColumnDef {
    ColumnDef::new(name).big_integer().not_null().take()
}

/// One row a task, made here or seen passing through.
fn tasks() -> TableCreateStatement {
    Table::create()
        .table(Tasks::Table)
        .col(text(Tasks::AgentId))
        .col(text(Tasks::TaskId))
        .col(text(Tasks::ContextId))
        // Null: made by nobody.
        .col(ColumnDef::new(Tasks::Caller).text())
        .col(ColumnDef::new(Tasks::Hosted).boolean().not_null())
        .col(text(Tasks::State))
        // The task in the JSON of A2A 1.0, as it was last known.
        .col(text(Tasks::Task))
        // Messages that the tenant has not finished with, oldest first, a JSON list.
        .col(text(Tasks::Inbox))
        .col(ColumnDef::new(Tasks::CancelRequested).boolean().not_null())
        // Which process works on it, and until when nobody else may.
        .col(ColumnDef::new(Tasks::Runner).text())
        .col(whole(Tasks::LeaseUntil))
        .col(whole(Tasks::Revision))
        .col(whole(Tasks::StatusAt))
        .col(whole(Tasks::CreatedAt))
        .col(whole(Tasks::UpdatedAt))
        .primary_key(Index::create().col(Tasks::AgentId).col(Tasks::TaskId))
        .take()
}

/// Whose conversation it is; without a row nobody has used the id.
fn contexts() -> TableCreateStatement {
    Table::create()
        .table(Contexts::Table)
        .col(text(Contexts::AgentId))
        .col(text(Contexts::ContextId))
        .col(ColumnDef::new(Contexts::Caller).text())
        .col(whole(Contexts::CreatedAt))
        .primary_key(
            Index::create()
                .col(Contexts::AgentId)
                .col(Contexts::ContextId),
        )
        .take()
}

fn push_configs() -> TableCreateStatement {
    Table::create()
        .table(PushConfigs::Table)
        .col(text(PushConfigs::AgentId))
        .col(text(PushConfigs::TaskId))
        .col(text(PushConfigs::ConfigId))
        // The dialect it was registered in, and so that of deliveries.
        .col(text(PushConfigs::Version))
        .col(text(PushConfigs::Url))
        .col(ColumnDef::new(PushConfigs::Token).text())
        // `{scheme, credentials?}` as JSON.
        .col(ColumnDef::new(PushConfigs::Authentication).text())
        // The agent's way to us: a part of the address that only it was told.
        .col(
            ColumnDef::new(PushConfigs::Hook)
                .text()
                .not_null()
                .unique_key(),
        )
        .col(whole(PushConfigs::Failures))
        .col(whole(PushConfigs::CreatedAt))
        .primary_key(
            Index::create()
                .col(PushConfigs::AgentId)
                .col(PushConfigs::TaskId)
                .col(PushConfigs::ConfigId),
        )
        .take()
}

fn push_deliveries() -> TableCreateStatement {
    Table::create()
        .table(PushDeliveries::Table)
        .col(text(PushDeliveries::Id).primary_key().take())
        .col(text(PushDeliveries::Hook))
        .col(text(PushDeliveries::Body))
        .col(whole(PushDeliveries::Attempts))
        .col(whole(PushDeliveries::NextAt))
        .col(whole(PushDeliveries::CreatedAt))
        .take()
}

fn idempotency() -> TableCreateStatement {
    Table::create()
        .table(Idempotency::Table)
        // The caller and its key, joined: two callers may use one key.
        .col(text(Idempotency::Key).primary_key().take())
        .col(text(Idempotency::Digest))
        .col(ColumnDef::new(Idempotency::Answer).binary())
        .col(whole(Idempotency::CreatedAt))
        .take()
}

fn signing_keys() -> TableCreateStatement {
    Table::create()
        .table(SigningKeys::Table)
        .col(text(SigningKeys::Kid).primary_key().take())
        .col(ColumnDef::new(SigningKeys::Seed).binary().not_null())
        .col(whole(SigningKeys::CreatedAt))
        .col(ColumnDef::new(SigningKeys::RetiredAt).big_integer())
        .take()
}

fn indexes() -> Vec<IndexCreateStatement> {
    vec![
        Index::create()
            .name("tasks_by_caller")
            .table(Tasks::Table)
            .col(Tasks::AgentId)
            .col(Tasks::Caller)
            .col(Tasks::StatusAt)
            .take(),
        Index::create()
            .name("tasks_by_context")
            .table(Tasks::Table)
            .col(Tasks::AgentId)
            .col(Tasks::ContextId)
            .col(Tasks::StatusAt)
            .take(),
        Index::create()
            .name("tasks_by_lease")
            .table(Tasks::Table)
            .col(Tasks::Hosted)
            .col(Tasks::LeaseUntil)
            .take(),
        Index::create()
            .name("push_deliveries_by_time")
            .table(PushDeliveries::Table)
            .col(PushDeliveries::NextAt)
            .take(),
        Index::create()
            .name("idempotency_by_age")
            .table(Idempotency::Table)
            .col(Idempotency::CreatedAt)
            .take(),
    ]
}

#[derive(sea_orm::DeriveIden)]
enum Tasks {
    Table,
    AgentId,
    TaskId,
    ContextId,
    Caller,
    Hosted,
    State,
    Task,
    Inbox,
    CancelRequested,
    Runner,
    LeaseUntil,
    Revision,
    StatusAt,
    CreatedAt,
    UpdatedAt,
}

#[derive(sea_orm::DeriveIden)]
enum Contexts {
    Table,
    AgentId,
    ContextId,
    Caller,
    CreatedAt,
}

#[derive(sea_orm::DeriveIden)]
enum PushConfigs {
    Table,
    AgentId,
    TaskId,
    ConfigId,
    Version,
    Url,
    Token,
    Authentication,
    Hook,
    Failures,
    CreatedAt,
}

#[derive(sea_orm::DeriveIden)]
enum PushDeliveries {
    Table,
    Id,
    Hook,
    Body,
    Attempts,
    NextAt,
    CreatedAt,
}

#[derive(sea_orm::DeriveIden)]
enum Idempotency {
    Table,
    Key,
    Digest,
    Answer,
    CreatedAt,
}

#[derive(sea_orm::DeriveIden)]
enum SigningKeys {
    Table,
    Kid,
    Seed,
    CreatedAt,
    RetiredAt,
}
