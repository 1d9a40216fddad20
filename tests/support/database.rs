//! A fresh database for each test: a SQLite folder, or a copy of a migrated PostgreSQL template.

use std::sync::atomic::{AtomicU32, Ordering};

use gateway::settings::Settings;
use sea_orm::{ConnectionTrait, Database as Driver};
use tempfile::TempDir;
use tokio::sync::OnceCell;

/// Names the server in the environment; the user must be allowed to make databases.
const SERVER: &str = "GUILDHALL_TEST_POSTGRES";

/// The template is made once a run.
static TEMPLATE: OnceCell<String> = OnceCell::const_new();
static COUNT: AtomicU32 = AtomicU32::new(0);

/// A database that is gone at the end of the test.
#[derive(Debug)]
pub struct Database {
    folder: TempDir,
    url: String,
}

impl Database {
    /// An embedded one.
    ///
    /// # Panics
    /// When no folder can be made.
    #[must_use]
    pub fn sqlite() -> Self {
        Self {
            folder: TempDir::new().expect("a folder"),
            url: String::new(),
        }
    }

    /// One on the server of the environment; `None` without a server.
    ///
    /// # Panics
    /// When the server does not do as asked.
    pub async fn postgres() -> Option<Self> {
        let server = std::env::var(SERVER).ok()?;
        let template = TEMPLATE.get_or_init(|| make_template(server.clone())).await;
        let name = format!(
            "guildhall_{}_{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::SeqCst)
        );
        run(
            &server,
            &format!("CREATE DATABASE {name} TEMPLATE {template}"),
        )
        .await;
        Some(Self {
            folder: TempDir::new().expect("a folder"),
            url: named(&server, &name),
        })
    }

    /// Settings for a gateway on this database; folders of their own where several gateways share it.
    #[must_use]
    pub fn apply(&self, settings: Settings, gateway: &str) -> Settings {
        let data_dir = self.folder.path().join(gateway);
        Settings {
            data_dir,
            database_url: self.url.clone(),
            ..settings
        }
    }

    /// Whether it is PostgreSQL.
    #[must_use]
    pub fn is_postgres(&self) -> bool {
        !self.url.is_empty()
    }
}

async fn make_template(server: String) -> String {
    let name = format!("guildhall_template_{}", std::process::id());
    run(&server, &format!("CREATE DATABASE {name}")).await;
    let settings = Settings {
        database_url: named(&server, &name),
        ..Settings::default()
    };
    registry::store::migrate(&gateway::serve::store_options(&settings))
        .await
        .expect("migrated");
    name
}

async fn run(server: &str, sql: &str) {
    let connection = Driver::connect(server)
        .await
        .expect("the PostgreSQL server of the tests");
    // A template that is still being disconnected from is busy for a moment.
    for _ in 0..50 {
        match connection.execute_unprepared(sql).await {
            Ok(_) => return connection.close().await.expect("closed"),
            Err(error) if error.to_string().contains("being accessed by other users") => {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
            Err(error) => panic!("{sql}: {error}"),
        }
    }
    panic!("{sql}: the template stays busy");
}

fn named(server: &str, database: &str) -> String {
    let mut url: url::Url = server.parse().expect("a URL");
    url.set_path(database);
    url.to_string()
}
