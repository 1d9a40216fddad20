//! Table `agents`.

use sea_orm::entity::prelude::*;

/// A row.
#[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "agents")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    pub state: String,
    pub suspended_from: Option<String>,
    pub tenant: bool,
    pub import_source: Option<String>,
    pub profile: String,
    pub contact: String,
    pub revision: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// What an agent has.
#[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
pub enum Relation {
    /// At most one row of liveness.
    #[sea_orm(
        has_one = "super::liveness::Entity",
        from = "Column::Id",
        to = "super::liveness::Column::AgentId"
    )]
    Liveness,
}

impl Related<super::liveness::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Liveness.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}
