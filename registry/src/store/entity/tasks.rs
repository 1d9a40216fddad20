//! Table `tasks`.

use sea_orm::entity::prelude::*;

/// A row.
#[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "tasks")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub agent_id: String,
    #[sea_orm(primary_key, auto_increment = false)]
    pub task_id: String,
    pub context_id: String,
    pub caller: Option<String>,
    pub hosted: bool,
    pub state: String,
    pub task: String,
    pub inbox: String,
    pub cancel_requested: bool,
    pub runner: Option<String>,
    pub lease_until: i64,
    pub revision: i64,
    pub status_at: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Rows stand alone.
#[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
