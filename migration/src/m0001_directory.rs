//! Step 1: agents, their cards and keys, what calls have shown, calls, and the outbox.

use sea_orm_migration::prelude::{
    ColumnDef, DbErr, Index, IndexCreateStatement, MigrationTrait, SchemaManager, Table,
    TableCreateStatement, async_trait, sea_orm,
};

#[derive(sea_orm_migration::prelude::DeriveMigrationName)]
pub(crate) struct Step;

#[async_trait::async_trait]
impl MigrationTrait for Step {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [
            agents(),
            agent_cards(),
            agent_keys(),
            liveness(),
            calls(),
            outbox(),
        ] {
            manager.create_table(table).await?;
        }
        for index in indexes() {
            manager.create_index(index).await?;
        }
        Ok(())
    }
}

fn agents() -> TableCreateStatement {
    Table::create()
        .table(Agents::Table)
        .col(ColumnDef::new(Agents::Id).text().not_null().primary_key())
        .col(ColumnDef::new(Agents::State).text().not_null())
        .col(ColumnDef::new(Agents::Tenant).boolean().not_null())
        // Where an unclaimed listing came from; unique, so that one card is listed once.
        .col(ColumnDef::new(Agents::ImportSource).text().unique_key())
        .col(ColumnDef::new(Agents::Profile).text().not_null())
        .col(ColumnDef::new(Agents::Contact).text().not_null())
        .col(ColumnDef::new(Agents::Revision).big_integer().not_null())
        .col(ColumnDef::new(Agents::CreatedAt).big_integer().not_null())
        .col(ColumnDef::new(Agents::UpdatedAt).big_integer().not_null())
        .take()
}

fn agent_cards() -> TableCreateStatement {
    Table::create()
        .table(AgentCards::Table)
        .col(
            ColumnDef::new(AgentCards::Digest)
                .text()
                .not_null()
                .primary_key(),
        )
        .col(ColumnDef::new(AgentCards::Bytes).binary().not_null())
        .col(
            ColumnDef::new(AgentCards::CreatedAt)
                .big_integer()
                .not_null(),
        )
        .take()
}

fn agent_keys() -> TableCreateStatement {
    Table::create()
        .table(AgentKeys::Table)
        .col(
            ColumnDef::new(AgentKeys::Id)
                .text()
                .not_null()
                .primary_key(),
        )
        .col(ColumnDef::new(AgentKeys::AgentId).text().not_null())
        .col(ColumnDef::new(AgentKeys::Prefix).text().not_null())
        .col(
            ColumnDef::new(AgentKeys::Hash)
                .text()
                .not_null()
                .unique_key(),
        )
        .col(ColumnDef::new(AgentKeys::Label).text())
        .col(
            ColumnDef::new(AgentKeys::CreatedAt)
                .big_integer()
                .not_null(),
        )
        .col(ColumnDef::new(AgentKeys::LastUsedAt).big_integer())
        .col(ColumnDef::new(AgentKeys::RevokedAt).big_integer())
        .take()
}

fn liveness() -> TableCreateStatement {
    Table::create()
        .table(Liveness::Table)
        .col(
            ColumnDef::new(Liveness::AgentId)
                .text()
                .not_null()
                .primary_key(),
        )
        .col(ColumnDef::new(Liveness::LastOkAt).big_integer())
        .col(ColumnDef::new(Liveness::LastFailureAt).big_integer())
        .col(ColumnDef::new(Liveness::Answered).big_integer().not_null())
        .col(ColumnDef::new(Liveness::Failed).big_integer().not_null())
        .col(ColumnDef::new(Liveness::LastLatencyMs).big_integer())
        // When the search index was last told.
        .col(
            ColumnDef::new(Liveness::AnnouncedAt)
                .big_integer()
                .not_null(),
        )
        .take()
}

fn calls() -> TableCreateStatement {
    Table::create()
        .table(Calls::Table)
        .col(ColumnDef::new(Calls::Id).text().not_null().primary_key())
        .col(ColumnDef::new(Calls::AgentId).text().not_null())
        .col(ColumnDef::new(Calls::Caller).text())
        .col(ColumnDef::new(Calls::Door).text().not_null())
        .col(ColumnDef::new(Calls::Spoken).text().not_null())
        .col(ColumnDef::new(Calls::Skill).text())
        .col(ColumnDef::new(Calls::RequestDigest).text().not_null())
        .col(ColumnDef::new(Calls::RequestBytes).big_integer().not_null())
        .col(ColumnDef::new(Calls::ResponseDigest).text())
        .col(
            ColumnDef::new(Calls::ResponseBytes)
                .big_integer()
                .not_null(),
        )
        .col(ColumnDef::new(Calls::StatusCode).integer())
        .col(ColumnDef::new(Calls::Outcome).text().not_null())
        .col(ColumnDef::new(Calls::StartedAt).big_integer().not_null())
        .col(ColumnDef::new(Calls::DurationMs).big_integer().not_null())
        .take()
}

fn outbox() -> TableCreateStatement {
    Table::create()
        .table(Outbox::Table)
        .col(
            ColumnDef::new(Outbox::Seq)
                .big_integer()
                .not_null()
                .auto_increment()
                .primary_key(),
        )
        .col(ColumnDef::new(Outbox::AgentId).text().not_null())
        .col(ColumnDef::new(Outbox::Kind).text().not_null())
        .col(ColumnDef::new(Outbox::At).big_integer().not_null())
        .take()
}

fn indexes() -> Vec<IndexCreateStatement> {
    vec![
        Index::create()
            .name("agents_by_age")
            .table(Agents::Table)
            .col(Agents::CreatedAt)
            .col(Agents::Id)
            .take(),
        Index::create()
            .name("agent_keys_by_agent")
            .table(AgentKeys::Table)
            .col(AgentKeys::AgentId)
            .take(),
        Index::create()
            .name("calls_by_agent")
            .table(Calls::Table)
            .col(Calls::AgentId)
            .col(Calls::StartedAt)
            .take(),
    ]
}

#[derive(sea_orm::DeriveIden)]
enum Agents {
    Table,
    Id,
    State,
    Tenant,
    ImportSource,
    Profile,
    Contact,
    Revision,
    CreatedAt,
    UpdatedAt,
}

#[derive(sea_orm::DeriveIden)]
enum AgentCards {
    Table,
    Digest,
    Bytes,
    CreatedAt,
}

#[derive(sea_orm::DeriveIden)]
enum AgentKeys {
    Table,
    Id,
    AgentId,
    Prefix,
    Hash,
    Label,
    CreatedAt,
    LastUsedAt,
    RevokedAt,
}

#[derive(sea_orm::DeriveIden)]
enum Liveness {
    Table,
    AgentId,
    LastOkAt,
    LastFailureAt,
    Answered,
    Failed,
    LastLatencyMs,
    AnnouncedAt,
}

#[derive(sea_orm::DeriveIden)]
enum Calls {
    Table,
    Id,
    AgentId,
    Caller,
    Door,
    Spoken,
    Skill,
    RequestDigest,
    RequestBytes,
    ResponseDigest,
    ResponseBytes,
    StatusCode,
    Outcome,
    StartedAt,
    DurationMs,
}

#[derive(sea_orm::DeriveIden)]
enum Outbox {
    Table,
    Seq,
    AgentId,
    Kind,
    At,
}
