//! The tables, step by step: each file is one step, none is ever changed after a release.

use sea_orm_migration::prelude::{MigrationTrait, MigratorTrait, async_trait};

mod m0001_directory;
mod m0002_suspended_from;
mod m0003_tasks;
mod m0004_operator_files;

/// All steps in order.
#[derive(Debug)]
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m0001_directory::Step),
            Box::new(m0002_suspended_from::Step),
            Box::new(m0003_tasks::Step),
            Box::new(m0004_operator_files::Step),
        ]
    }
}
