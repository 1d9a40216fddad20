//! Table `outbox`: which agent changed, in commit order.

use sea_orm::entity::prelude::*;

/// A row.
#[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "outbox")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub seq: i64,
    pub agent_id: String,
    pub kind: String,
    pub at: i64,
}

/// No relations: the store joins by id.
#[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
