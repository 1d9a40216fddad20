//! Search: an index of the findable agents, kept by following the store's outbox, and the questions to it.
//!
//! The store is the truth and the index a cache: delete its folder and it is built again.

use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tantivy::IndexReader;
use tokio::sync::watch;

use crate::agent::{Agent, AgentId};
use crate::clock::{Clock, Millis, SystemClock};
use crate::error::Error;
use cursor::Cursor;
use index::{Folder, Writer};
use plan::Plan;
use schema::Fields;
use snapshot::{Snapshot, Snapshots};
use text::Analysers;

mod collect;
mod cursor;
mod explain;
mod follower;
mod index;
mod plan;
mod query;
mod schema;
mod score;
mod snapshot;
mod synonyms;
mod text;
mod words;

#[cfg(test)]
mod follower_tests;
#[cfg(test)]
mod tests;

pub use explain::{Explainer, How, Matched, MatchedTerm, Why};
pub use follower::{Follower, Progress};
pub use query::{DEFAULT_LIMIT, MAX_LIMIT, Mode, Query};
pub use score::{Contribution, POLICY_VERSION, Parts, policy};
pub use synonyms::{SynonymError, Synonyms};

/// How the index is kept.
#[derive(Clone)]
pub struct SearchOptions {
    /// Names that mean the same.
    pub synonyms: Synonyms,
    /// Memory for a rebuild, in bytes; what changes one by one takes 15 MB at most.
    pub rebuild_memory: usize,
    /// The source of commit times.
    pub clock: Arc<dyn Clock>,
}

impl Default for SearchOptions {
    /// The table of the program, 100 MB, the clock of the machine.
    fn default() -> Self {
        Self {
            synonyms: Synonyms::default(),
            rebuild_memory: 100_000_000,
            clock: Arc::new(SystemClock),
        }
    }
}

/// The index of findable agents; cheap to clone.
#[derive(Clone)]
pub struct Search {
    inner: Arc<Inner>,
}

struct Inner {
    analysers: Analysers,
    synonyms: Synonyms,
    fields: Fields,
    clock: Arc<dyn Clock>,
    reader: IndexReader,
    snapshots: Snapshots,
    writer: Mutex<Writer>,
    position: watch::Sender<Option<i64>>,
    last_commit_at: AtomicI64,
}

/// A page of hits.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Best first, equally good ones by id.
    pub hits: Vec<Hit>,
    /// For the next page; absent on the last.
    pub next_cursor: Option<String>,
    /// The outbox position that the answer has taken in.
    pub position: i64,
}

/// An agent that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its id.
    pub id: AgentId,
    /// From 0 to 100, with four decimals.
    pub match_score: f64,
    /// What the score is made of, for [`Explainer::explain`].
    pub parts: Parts,
}

/// The state of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchStats {
    /// How many agents can be found.
    pub documents: u64,
    /// The outbox position taken in; absent before the first complete build.
    pub position: Option<i64>,
    /// The size of the folder.
    pub bytes_on_disk: u64,
    /// When this process committed last.
    pub last_commit_at: Option<Millis>,
}

impl Search {
    /// Opens the index in `folder`, which is made (anew) when it is missing, damaged or of another version.
    ///
    /// # Errors
    /// [`Error::File`] and [`Error::Search`] when the folder cannot be used,
    /// [`Error::Locked`] when another process writes to it.
    pub fn open(folder: &Path, options: SearchOptions) -> Result<Self, Error> {
        let analysers = Analysers::new();
        let (folder, reader) = Folder::open(folder, &analysers)?;
        let position = folder.position()?;
        let fields = folder.fields.clone();
        let first = Snapshot::new(reader.searcher(), position, None)?;
        let inner = Inner {
            analysers,
            synonyms: options.synonyms,
            fields,
            clock: options.clock,
            reader,
            snapshots: Snapshots::new(first),
            writer: Mutex::new(Writer::new(folder, options.rebuild_memory)),
            position: watch::Sender::new(position),
            last_commit_at: AtomicI64::new(0),
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// Answers a question as of `now`. Reads mapped files for up to some milliseconds
    /// and never waits for a commit: fit to be called from a task.
    ///
    /// # Errors
    /// [`Error::Invalid`] as [`Query::check`] says, of kind `Cursor` for a cursor that is
    /// not of this question; [`Error::Search`] when the index cannot be read.
    pub fn find(&self, query: &Query, now: Millis) -> Result<Found, Error> {
        query.check()?;
        let question = query.digest();
        let cursor = query
            .cursor
            .as_deref()
            .map(|text| Cursor::read(text, &question))
            .transpose()?;
        let snapshots = &self.inner.snapshots;
        let snapshot = cursor.as_ref().map_or_else(
            || snapshots.newest(),
            |cursor| snapshots.of(cursor.generation),
        );
        let page = Page {
            inner: &self.inner,
            query,
            question,
            snapshot,
        };
        match cursor {
            Some(cursor) => page.next(cursor),
            None => page.first(now),
        }
        .map_err(Error::search("answered"))
        .inspect(|found| {
            if found.next_cursor.is_some() {
                snapshots.keep(&page.snapshot, self.inner.clock.now());
            }
        })
    }

    /// For the `why` of the hits of `query`.
    #[must_use]
    pub fn explainer(&self, query: &Query) -> Explainer {
        Explainer::new(query, self.inner.analysers.clone(), &self.inner.synonyms)
    }

    /// The table of synonyms in use.
    #[must_use]
    pub fn synonyms(&self) -> &Synonyms {
        &self.inner.synonyms
    }

    /// The state of the index; reads the folder for the sizes.
    #[must_use]
    pub fn stats(&self) -> SearchStats {
        let snapshot = self.inner.snapshots.newest();
        let last_commit_at = self.inner.last_commit_at.load(Ordering::Relaxed);
        SearchStats {
            documents: snapshot.searcher.num_docs(),
            position: snapshot.position,
            bytes_on_disk: self.inner.bytes_on_disk(),
            last_commit_at: (last_commit_at > 0).then_some(last_commit_at),
        }
    }

    /// The outbox position that questions are answered from, as it moves on.
    #[must_use]
    pub fn position(&self) -> watch::Receiver<Option<i64>> {
        self.inner.position.subscribe()
    }

    /// Puts agents in and takes ids out, and commits; blocks for the time of a disk write.
    pub(crate) fn apply(
        &self,
        put: &[Agent],
        gone: &[AgentId],
        position: i64,
    ) -> Result<(), Error> {
        self.write(|writer| {
            writer.apply(put, gone)?;
            writer.commit(Some(position))
        })?;
        self.publish(Some(position))
    }

    /// Runs one step of a change; nothing is seen before [`Search::publish`].
    fn write<T>(&self, work: impl FnOnce(&mut Writer) -> Result<T, Error>) -> Result<T, Error> {
        work(
            &mut self
                .inner
                .writer
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }

    /// Lets questions see the last commit.
    fn publish(&self, position: Option<i64>) -> Result<(), Error> {
        let inner = &self.inner;
        inner
            .reader
            .reload()
            .map_err(Error::search("showed a commit"))?;
        let before = inner.snapshots.newest();
        inner.snapshots.publish(Snapshot::new(
            inner.reader.searcher(),
            position,
            Some(&before),
        )?);
        let now = inner.clock.now();
        inner.snapshots.forget(now);
        inner.last_commit_at.store(now, Ordering::Relaxed);
        inner.position.send_replace(position);
        Ok(())
    }
}

impl Inner {
    fn bytes_on_disk(&self) -> u64 {
        self.writer
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .folder()
            .bytes_on_disk()
    }
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("position", &*self.inner.position.borrow())
            .finish_non_exhaustive()
    }
}

/// One question to one state of the index.
struct Page<'a> {
    inner: &'a Inner,
    query: &'a Query,
    question: String,
    snapshot: Arc<Snapshot>,
}

impl Page<'_> {
    /// The first page: words that few agents have are relaxed, and all words when too little is found.
    fn first(&self, now: Millis) -> tantivy::Result<Found> {
        let words = self.words();
        let every = words
            .iter()
            .enumerate()
            .filter(|(_, word)| word.relaxable())
            .fold(0, |mask, (bit, _)| mask | 1 << bit);
        let mut relaxed = 0;
        for (bit, word) in words.iter().enumerate() {
            let clauses = word.exact(&self.inner.fields, &self.snapshot.searcher)?;
            let agents = clauses
                .iter()
                .map(|clause| clause.agents)
                .max()
                .unwrap_or(0);
            if agents < self.query.limit as u64 {
                relaxed |= every & 1 << bit;
            }
        }
        let found = self.read(&words, relaxed, now, None)?;
        if found.hits.len() < self.query.limit && relaxed != every {
            return self.read(&words, every, now, None);
        }
        Ok(found)
    }

    /// A later page: by the time and with the relaxed words of the first.
    fn next(&self, cursor: Cursor) -> tantivy::Result<Found> {
        let after = (cursor.units, cursor.id.as_str());
        self.read(&self.words(), cursor.relaxed, cursor.now, Some(after))
    }

    fn words(&self) -> Vec<words::Word> {
        let mut analysers = self.inner.analysers.clone();
        self.query.words().map_or_else(Vec::new, |text| {
            words::words(text, &mut analysers, &self.inner.synonyms)
        })
    }

    fn read(
        &self,
        words: &[words::Word],
        relaxed: u32,
        now: Millis,
        after: Option<(u32, &str)>,
    ) -> tantivy::Result<Found> {
        let Inner {
            synonyms, fields, ..
        } = self.inner;
        let plan = Plan::new(
            self.query,
            words,
            relaxed,
            synonyms,
            fields,
            &self.snapshot.searcher,
            now,
        )?;
        let limit = self.query.limit;
        let mut scored = collect::collect(&self.snapshot, &plan, relaxed, limit + 1, after)?;
        let more = scored.len() > limit;
        scored.truncate(limit);
        let hits: Vec<Hit> = scored
            .iter()
            .filter_map(|hit| {
                let id = AgentId::lookup(&hit.id)?;
                Some(Hit {
                    id,
                    match_score: score::decimal(hit.units),
                    parts: hit.parts,
                })
            })
            .collect();
        let last = scored.last().zip(hits.last()).filter(|_| more);
        let next_cursor = last.map(|(scored, hit)| {
            Cursor {
                question: self.question.clone(),
                units: scored.units,
                id: hit.id.clone(),
                generation: self.snapshot.generation(),
                relaxed,
                now,
            }
            .write()
        });
        Ok(Found {
            hits,
            next_cursor,
            position: self.snapshot.position.unwrap_or(0),
        })
    }
}
