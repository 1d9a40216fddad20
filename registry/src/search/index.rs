//! The index folder: opened, made anew when it cannot be used, and written by one writer.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tantivy::directory::error::LockError;
use tantivy::directory::{Directory, DirectoryLock, INDEX_WRITER_LOCK, MmapDirectory};
use tantivy::indexer::{IndexWriterOptions, LogMergePolicy};
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, TantivyError, Term};

use super::schema::{Fields, schema};
use super::text::Analysers;
use crate::agent::{Agent, AgentId};
use crate::error::Error;

/// Goes up with every change of the schema or of how text becomes words.
const FORMAT: u32 = 1;

/// The least that tantivy works with; enough for changes that come one by one.
const STEADY_MEMORY: usize = 15_000_000;

/// What is written with each commit, so that index and position cannot part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    format: u32,
    /// Absent while a rebuild is under way.
    position: Option<i64>,
}

/// An opened index folder.
pub(super) struct Folder {
    path: PathBuf,
    index: Index,
    pub(super) fields: Fields,
}

impl Folder {
    /// Opens the folder. One that is missing, damaged or of another format is made anew, empty.
    ///
    /// # Errors
    /// [`Error::Locked`] when another process writes to it, [`Error::File`] and
    /// [`Error::Search`] when it cannot be made.
    pub(super) fn open(path: &Path, analysers: &Analysers) -> Result<(Self, IndexReader), Error> {
        fs::create_dir_all(path).map_err(file(path, "the folder could not be made"))?;
        let lock = lock(path)?;
        let opened = reopen(path, analysers).unwrap_or_else(|source| {
            tracing::warn!(error = %source, path = %path.display(), "the search index cannot be used and is made anew");
            None
        });
        let (index, reader) = match opened {
            Some(opened) => opened,
            None => create(path, analysers)?,
        };
        drop(lock);
        Ok((
            Self {
                path: path.to_owned(),
                index,
                fields: schema().1,
            },
            reader,
        ))
    }

    /// The outbox position of the last commit; `None` before the first complete one.
    pub(super) fn position(&self) -> Result<Option<i64>, Error> {
        let metas = self
            .index
            .load_metas()
            .map_err(Error::search("read its position"))?;
        Ok(read_mark(metas.payload.as_deref()).and_then(|mark| mark.position))
    }

    /// The size of its files, in bytes.
    pub(super) fn bytes_on_disk(&self) -> u64 {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        entries
            .filter_map(|entry| entry.metadata().ok())
            .map(|meta| meta.len())
            .sum()
    }

    fn writer(&self, memory: usize, threads: usize) -> Result<IndexWriter, Error> {
        let options = IndexWriterOptions::builder()
            .memory_budget_per_thread((memory / threads).max(STEADY_MEMORY))
            .num_worker_threads(threads)
            .num_merge_threads(1)
            .build();
        let writer: IndexWriter =
            self.index
                .writer_with_options(options)
                .map_err(|source| match source {
                    TantivyError::LockFailure(LockError::LockBusy, _) => {
                        Error::Locked(self.path.display().to_string())
                    }
                    source => Error::Search {
                        doing: "opened for writing",
                        source,
                    },
                })?;
        let mut policy = LogMergePolicy::default();
        // Fewer segments answer faster; changes are few beside questions.
        policy.set_min_num_segments(4);
        policy.set_del_docs_ratio_before_merge(0.3);
        writer.set_merge_policy(Box::new(policy));
        Ok(writer)
    }
}

fn lock(path: &Path) -> Result<DirectoryLock, Error> {
    let directory = MmapDirectory::open(path).map_err(Error::search("opened its folder"))?;
    directory
        .acquire_lock(&INDEX_WRITER_LOCK)
        .map_err(|source| match source {
            LockError::LockBusy => Error::Locked(path.display().to_string()),
            LockError::IoError(source) => Error::File {
                path: path.display().to_string(),
                doing: "the folder could not be locked",
                source: std::io::Error::new(source.kind(), source),
            },
        })
}

/// `None` when the folder holds no index, or one of another format.
fn reopen(path: &Path, analysers: &Analysers) -> tantivy::Result<Option<(Index, IndexReader)>> {
    let directory = MmapDirectory::open(path)?;
    if !Index::exists(&directory)? {
        return Ok(None);
    }
    let index = Index::open(directory)?;
    let payload = index.load_metas()?.payload;
    // Before the first commit there is no mark; then there are no documents either.
    let known = payload.is_none()
        || read_mark(payload.as_deref()).is_some_and(|mark| mark.format == FORMAT);
    if !known || index.schema() != schema().0 {
        return Ok(None);
    }
    analysers.register(index.tokenizers());
    let reader = reader(&index)?;
    Ok(Some((index, reader)))
}

fn create(path: &Path, analysers: &Analysers) -> Result<(Index, IndexReader), Error> {
    let lock_file = &INDEX_WRITER_LOCK.filepath;
    let entries = fs::read_dir(path).map_err(file(path, "the folder could not be read"))?;
    for entry in entries.flatten() {
        if Path::new(&entry.file_name()) != lock_file {
            fs::remove_file(entry.path())
                .map_err(file(&entry.path(), "the old file could not be removed"))?;
        }
    }
    let make = || {
        let index = Index::create_in_dir(path, schema().0)?;
        analysers.register(index.tokenizers());
        let reader = reader(&index)?;
        Ok::<_, TantivyError>((index, reader))
    };
    make().map_err(Error::search("was made anew"))
}

fn reader(index: &Index) -> tantivy::Result<IndexReader> {
    index
        .reader_builder()
        .reload_policy(ReloadPolicy::Manual)
        .try_into()
}

fn read_mark(payload: Option<&str>) -> Option<Mark> {
    payload.and_then(|text| serde_json::from_str(text).ok())
}

fn file(path: &Path, doing: &'static str) -> impl FnOnce(std::io::Error) -> Error {
    let path = path.display().to_string();
    move |source| Error::File {
        path,
        doing,
        source,
    }
}

/// The writer. After a failure nothing of the unfinished commit remains, and the
/// next use begins from the last one.
pub(super) struct Writer {
    folder: Folder,
    rebuild_memory: usize,
    open: Option<IndexWriter>,
    rebuilding: bool,
}

impl Writer {
    pub(super) fn new(folder: Folder, rebuild_memory: usize) -> Self {
        Self {
            folder,
            rebuild_memory,
            open: None,
            rebuilding: false,
        }
    }

    pub(super) fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Puts agents in, in place of what stood under their ids, and takes ids out; seen after the commit.
    pub(super) fn apply(&mut self, put: &[Agent], gone: &[AgentId]) -> Result<(), Error> {
        let id = self.folder.fields.id;
        // A rebuild began empty and reads every agent once: there is nothing to replace.
        let replace = !self.rebuilding;
        let documents: Vec<_> = put
            .iter()
            .map(|agent| {
                (
                    &agent.id,
                    agent
                        .state
                        .findable()
                        .then(|| self.folder.fields.document(agent)),
                )
            })
            .chain(gone.iter().map(|id| (id, None)))
            .collect();
        self.attempt("took in changes", |writer| {
            for (agent_id, document) in documents {
                if replace {
                    writer.delete_term(Term::from_field_text(id, agent_id.as_str()));
                }
                if let Some(document) = document {
                    writer.add_document(document)?;
                }
            }
            Ok(())
        })
    }

    /// Begins anew: takes everything out, with more memory until [`Writer::finish_rebuild`].
    pub(super) fn begin_rebuild(&mut self) -> Result<(), Error> {
        self.open = None;
        self.rebuilding = true;
        self.attempt("began anew", |writer| {
            writer.delete_all_documents().map(drop)
        })
    }

    /// Commits a rebuild, waits for its merges, and gives the memory back.
    pub(super) fn finish_rebuild(&mut self, position: i64) -> Result<(), Error> {
        self.commit(Some(position))?;
        self.rebuilding = false;
        if let Some(writer) = self.open.take() {
            writer
                .wait_merging_threads()
                .map_err(Error::search("merged its segments"))?;
        }
        Ok(())
    }

    /// Makes everything up to `position` visible and durable, in one step with the position itself.
    pub(super) fn commit(&mut self, position: Option<i64>) -> Result<(), Error> {
        let mark = serde_json::json!(Mark {
            format: FORMAT,
            position
        })
        .to_string();
        self.attempt("committed", |writer| {
            let mut commit = writer.prepare_commit()?;
            commit.set_payload(&mark);
            commit.commit().map(drop)
        })
    }

    fn attempt(
        &mut self,
        doing: &'static str,
        work: impl FnOnce(&mut IndexWriter) -> tantivy::Result<()>,
    ) -> Result<(), Error> {
        let mut writer = match self.open.take() {
            Some(writer) => writer,
            None if self.rebuilding => self.folder.writer(self.rebuild_memory, 2)?,
            None => self.folder.writer(STEADY_MEMORY, 1)?,
        };
        work(&mut writer).map_err(Error::search(doing))?;
        self.open = Some(writer);
        Ok(())
    }
}
