//! Table `agent_cards`: cards as they came, by digest.

use sea_orm::entity::prelude::*;

/// A row.
#[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "agent_cards")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: String,
    pub bytes: Vec<u8>,
    pub created_at: i64,
}

/// No relations: the store joins by id.
#[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
