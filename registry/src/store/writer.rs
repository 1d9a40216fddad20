//! How writes are committed: on SQLite by one task that groups them, on
//! PostgreSQL each in its own transaction (the server groups commits itself).

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use sea_orm::{DatabaseConnection, DatabaseTransaction, TransactionTrait};
use tokio::sync::{mpsc, oneshot};

use crate::error::Error;

/// How many writes may share one commit.
const GROUP: usize = 256;

/// What a write does inside its transaction.
pub(super) type Work =
    Box<dyn for<'c> FnOnce(&'c DatabaseTransaction) -> BoxFuture<'c, Finish> + Send>;

/// The end of a write: whether its rows stay, and who waits for the outcome of the commit.
pub(super) struct Finish {
    keep: bool,
    answer: Box<dyn FnOnce(Result<(), Error>) + Send>,
}

/// The one way to write.
#[derive(Clone)]
pub(super) enum Writer {
    /// SQLite: one task, one connection, many writes a commit.
    Grouped(mpsc::Sender<Work>),
    /// PostgreSQL: a transaction for each write.
    Direct(DatabaseConnection),
}

impl Writer {
    /// Starts the task that owns `connection`; it ends when every handle is gone.
    pub(super) fn grouped(connection: DatabaseConnection) -> Self {
        let (jobs, inbox) = mpsc::channel(GROUP * 4);
        tokio::spawn(group_commits(connection, inbox));
        Self::Grouped(jobs)
    }

    /// Runs `work` in a transaction and answers after the commit.
    pub(super) async fn write<T, F>(&self, doing: &'static str, work: F) -> Result<T, Error>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c DatabaseTransaction) -> BoxFuture<'c, Result<T, Error>>
            + Send
            + 'static,
    {
        match self {
            Self::Grouped(jobs) => write_grouped(jobs, doing, work).await,
            Self::Direct(connection) => {
                let transaction = connection.begin().await.map_err(Error::store(doing))?;
                let value = work(&transaction).await?;
                transaction.commit().await.map_err(Error::store(doing))?;
                Ok(value)
            }
        }
    }
}

async fn write_grouped<T, F>(
    jobs: &mpsc::Sender<Work>,
    doing: &'static str,
    work: F,
) -> Result<T, Error>
where
    T: Send + 'static,
    F: for<'c> FnOnce(&'c DatabaseTransaction) -> BoxFuture<'c, Result<T, Error>> + Send + 'static,
{
    let (reply, outcome) = oneshot::channel();
    let job: Work = Box::new(move |transaction| {
        Box::pin(async move {
            let value = work(transaction).await;
            Finish {
                keep: value.is_ok(),
                // The caller may be gone; its write stands all the same.
                answer: Box::new(move |committed| {
                    drop(reply.send(value.and_then(|value| committed.map(|()| value))))
                }),
            }
        })
    });
    let stopped = || sea_orm::DbErr::Custom("the writer has stopped".to_owned());
    if jobs.send(job).await.is_err() {
        return Err(Error::store(doing)(stopped()));
    }
    outcome
        .await
        .unwrap_or_else(|_| Err(Error::store(doing)(stopped())))
}

async fn group_commits(connection: DatabaseConnection, mut inbox: mpsc::Receiver<Work>) {
    let mut group = Vec::with_capacity(GROUP);
    while inbox.recv_many(&mut group, GROUP).await > 0 {
        let (answers, committed) = commit_together(&connection, group.drain(..)).await;
        let failure = committed.err().map(|error| error.to_string());
        for answer in answers {
            answer(match &failure {
                None => Ok(()),
                Some(text) => Err(Error::store("committed")(sea_orm::DbErr::Custom(
                    text.clone(),
                ))),
            });
        }
    }
}

type Answers = Vec<Box<dyn FnOnce(Result<(), Error>) + Send>>;

/// Each write has a savepoint, so that one that fails takes nobody else's rows with it.
async fn commit_together(
    connection: &DatabaseConnection,
    group: impl Iterator<Item = Work>,
) -> (Answers, Result<(), sea_orm::DbErr>) {
    let mut answers = Answers::new();
    let outer = match connection.begin().await {
        Ok(outer) => outer,
        Err(error) => return (answers, Err(error)),
    };
    for work in group {
        let savepoint = match outer.begin().await {
            Ok(savepoint) => savepoint,
            Err(error) => return (answers, Err(error)),
        };
        // One write that fails badly must not take the writer with it.
        let finished = AssertUnwindSafe(work(&savepoint)).catch_unwind().await;
        let keep = finished.as_ref().is_ok_and(|finish| finish.keep);
        if let Ok(finish) = finished {
            answers.push(finish.answer);
        }
        let closed = if keep {
            savepoint.commit().await
        } else {
            savepoint.rollback().await
        };
        if let Err(error) = closed {
            return (answers, Err(error));
        }
    }
    let committed = outer.commit().await;
    (answers, committed)
}
