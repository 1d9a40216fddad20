//! Table `calls`: digests, sizes, times and status; never a body.

use sea_orm::entity::prelude::*;

/// A row.
#[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "calls")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub agent_id: String,
    pub caller: Option<String>,
    pub door: String,
    pub spoken: String,
    pub skill: Option<String>,
    pub request_digest: String,
    pub request_bytes: i64,
    pub response_digest: Option<String>,
    pub response_bytes: i64,
    pub status_code: Option<i32>,
    pub outcome: String,
    pub started_at: i64,
    pub duration_ms: i64,
}

/// No relations: the store joins by id.
#[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
