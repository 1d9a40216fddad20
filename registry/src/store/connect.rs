//! Opening the database: pragmas, migrations, and the refusal of what this program does not know.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use migration::Migrator;
use sea_orm::{ConnectOptions, Database, DatabaseConnection};
use sea_orm_migration::MigratorTrait;
use tokio::sync::watch;

use super::cache::Cache;
use super::writer::Writer;
use super::{Kind, Store, listen};
use crate::clock::Clock;
use crate::error::Error;
use crate::ids::Random;

/// How many connections may read at once.
const READERS: u32 = 4;
/// How many connections PostgreSQL gets from one process.
const POSTGRES_CONNECTIONS: u32 = 16;

/// How long a request waits for a connection: a server that is down should be told soon.
const PATIENCE: Duration = Duration::from_secs(3);

/// Where the database is and what the store is handed.
#[derive(Clone)]
pub struct StoreOptions {
    /// `postgres://…`, or `None` for SQLite in the data folder.
    pub database_url: Option<String>,
    /// The data folder; created when absent.
    pub data_dir: PathBuf,
    /// How many agents stay in memory.
    pub cache_agents: usize,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Chance.
    pub random: Arc<dyn Random>,
}

/// Held while this process serves the data folder.
#[derive(Debug)]
pub struct FolderLock(
    #[expect(dead_code, reason = "the lock lives as long as the file is open")] File,
);

impl Store {
    /// Opens the database. SQLite is migrated at once; PostgreSQL is refused when a step is missing.
    ///
    /// # Errors
    /// [`Error::Future`] for a database of a newer program, [`Error::Store`] when it
    /// cannot be reached or lacks a step, [`Error::File`] when the folder cannot be made.
    pub async fn open(options: StoreOptions) -> Result<Self, Error> {
        let kind = kind_of(&options);
        let (reader, writer) = connect(&options).await?;
        refuse_future(&writer).await?;
        match kind {
            Kind::Sqlite => Migrator::up(&writer, None)
                .await
                .map_err(Error::store("migrated"))?,
            Kind::Postgres => refuse_unmigrated(&writer).await?,
        }
        let store = Self {
            reader,
            writer: match kind {
                Kind::Sqlite => Writer::grouped(writer),
                Kind::Postgres => Writer::Direct(writer),
            },
            cache: Arc::new(Cache::new(options.cache_agents)),
            changed: watch::Sender::new(0),
            clock: options.clock,
            random: options.random,
            kind,
        };
        if kind == Kind::Postgres {
            listen::forward_notifications(&store);
        }
        Ok(store)
    }

    /// A store without a database, for building documents: every call on it fails.
    #[must_use]
    pub fn unconnected(clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        Self {
            reader: DatabaseConnection::default(),
            writer: Writer::Direct(DatabaseConnection::default()),
            cache: Arc::new(Cache::new(1)),
            changed: watch::Sender::new(0),
            clock,
            random,
            kind: Kind::Sqlite,
        }
    }
}

/// Takes the data folder for this process alone.
///
/// # Errors
/// [`Error::Locked`] when another process has it.
pub fn lock_folder(data_dir: &Path) -> Result<FolderLock, Error> {
    let path = data_dir.join("guildhall.lock");
    let failed = |doing| {
        let path = path.display().to_string();
        move |source| Error::File {
            path,
            doing,
            source,
        }
    };
    make_private(data_dir).map_err(failed("cannot make the data folder"))?;
    let file = File::create(&path).map_err(failed("cannot make the lock file"))?;
    match file.try_lock() {
        Ok(()) => Ok(FolderLock(file)),
        Err(TryLockError::WouldBlock) => Err(Error::Locked(data_dir.display().to_string())),
        Err(TryLockError::Error(source)) => Err(failed("cannot lock")(source)),
    }
}

/// The folder holds contacts and keys: what we make of it is nobody else's to read.
fn make_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
}

/// Brings the database to this program's tables; gives the names of the steps taken.
///
/// # Errors
/// As [`Store::open`].
pub async fn migrate(options: &StoreOptions) -> Result<Vec<String>, Error> {
    let (_, writer) = connect(options).await?;
    refuse_future(&writer).await?;
    let pending = pending(&writer).await?;
    Migrator::up(&writer, None)
        .await
        .map_err(Error::store("migrated"))?;
    Ok(pending)
}

/// Every step with whether it was taken.
///
/// # Errors
/// As [`Store::open`].
pub async fn migration_status(options: &StoreOptions) -> Result<Vec<(String, bool)>, Error> {
    let (_, writer) = connect(options).await?;
    refuse_future(&writer).await?;
    let pending = pending(&writer).await?;
    Ok(known()
        .into_iter()
        .map(|name| (name.clone(), !pending.contains(&name)))
        .collect())
}

fn kind_of(options: &StoreOptions) -> Kind {
    if options.database_url.is_some() {
        Kind::Postgres
    } else {
        Kind::Sqlite
    }
}

async fn connect(
    options: &StoreOptions,
) -> Result<(DatabaseConnection, DatabaseConnection), Error> {
    let opened = Error::store("opened the database");
    match &options.database_url {
        Some(url) => {
            let mut connect = ConnectOptions::new(url.clone());
            connect
                .max_connections(POSTGRES_CONNECTIONS)
                .acquire_timeout(PATIENCE)
                .sqlx_logging(false);
            let pool = Database::connect(connect).await.map_err(opened)?;
            Ok((pool.clone(), pool))
        }
        None => {
            make_private(&options.data_dir).map_err(|source| Error::File {
                path: options.data_dir.display().to_string(),
                doing: "cannot make the data folder",
                source,
            })?;
            let file = options.data_dir.join("guildhall.db");
            let writer = Database::connect(sqlite(&file, 1)).await.map_err(opened)?;
            let reader = Database::connect(sqlite(&file, READERS))
                .await
                .map_err(Error::store("opened the database"))?;
            Ok((reader, writer))
        }
    }
}

fn sqlite(file: &Path, connections: u32) -> ConnectOptions {
    let mut connect = ConnectOptions::new(format!("sqlite://{}?mode=rwc", file.display()));
    connect
        .max_connections(connections)
        .sqlx_logging(false)
        .map_sqlx_sqlite_opts(|sqlite| {
            sqlite
                .pragma("journal_mode", "WAL")
                // A commit that was answered survives a power cut, not only a crash.
                .pragma("synchronous", "FULL")
                .pragma("foreign_keys", "ON")
                .pragma("busy_timeout", "5000")
                .pragma("temp_store", "MEMORY")
        });
    connect
}

fn known() -> Vec<String> {
    Migrator::migrations()
        .iter()
        .map(|step| step.name().to_owned())
        .collect()
}

async fn applied(connection: &DatabaseConnection) -> Result<Vec<String>, Error> {
    Migrator::install(connection)
        .await
        .map_err(Error::store("prepared migrations"))?;
    let models = Migrator::get_migration_models(connection)
        .await
        .map_err(Error::store("read migrations"))?;
    Ok(models.into_iter().map(|model| model.version).collect())
}

async fn pending(connection: &DatabaseConnection) -> Result<Vec<String>, Error> {
    let applied = applied(connection).await?;
    Ok(known()
        .into_iter()
        .filter(|name| !applied.contains(name))
        .collect())
}

async fn refuse_future(connection: &DatabaseConnection) -> Result<(), Error> {
    let known = known();
    match applied(connection)
        .await?
        .into_iter()
        .find(|name| !known.contains(name))
    {
        Some(unknown) => Err(Error::Future(unknown)),
        None => Ok(()),
    }
}

async fn refuse_unmigrated(connection: &DatabaseConnection) -> Result<(), Error> {
    match pending(connection).await?.first() {
        Some(step) => Err(Error::Unmigrated(step.clone())),
        None => Ok(()),
    }
}
