//! A state of the index with its columns opened, and the recent states that pages are still read from.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use tantivy::columnar::StrColumn;
use tantivy::index::SegmentId;
use tantivy::{Searcher, SegmentReader};

use super::schema::{CLAIM, FAILED_AT, ID, OK_AT, Property};
use crate::clock::Millis;
use crate::error::Error;

/// The most states kept for paging.
const KEPT: usize = 32;
/// How long a state is kept after it was last paged.
const KEPT_FOR: Millis = 2 * 60 * 1000;

/// The columns of one segment; `None` where no agent of it has such a value.
pub(super) struct Columns {
    pub(super) id: Option<StrColumn>,
    pub(super) claim: Option<StrColumn>,
    properties: [Option<StrColumn>; Property::ALL.len()],
    pub(super) ok_at: tantivy::columnar::Column<i64>,
    pub(super) failed_at: tantivy::columnar::Column<i64>,
}

impl Columns {
    fn open(segment: &SegmentReader) -> tantivy::Result<Self> {
        let columns = segment.fast_fields();
        let mut properties = [const { None }; Property::ALL.len()];
        for property in Property::ALL {
            properties[property as usize] = columns.str(property.name())?;
        }
        Ok(Self {
            id: columns.str(ID)?,
            claim: columns.str(CLAIM)?,
            properties,
            ok_at: columns.i64(OK_AT)?,
            failed_at: columns.i64(FAILED_AT)?,
        })
    }

    pub(super) fn property(&self, property: Property) -> Option<&StrColumn> {
        self.properties[property as usize].as_ref()
    }
}

/// One state of the index: it never changes, whatever is committed meanwhile.
pub(super) struct Snapshot {
    pub(super) searcher: Searcher,
    /// By segment, in the searcher's order.
    pub(super) columns: Vec<Arc<Columns>>,
    /// The outbox position that this state has taken in.
    pub(super) position: Option<i64>,
}

impl Snapshot {
    /// Opens the columns, taking over those of segments that `before` had too.
    pub(super) fn new(
        searcher: Searcher,
        position: Option<i64>,
        before: Option<&Self>,
    ) -> Result<Self, Error> {
        let known: HashMap<SegmentId, &Arc<Columns>> =
            before.map_or_else(HashMap::new, |snapshot| {
                let segments = snapshot
                    .searcher
                    .segment_readers()
                    .iter()
                    .map(SegmentReader::segment_id);
                segments.zip(&snapshot.columns).collect()
            });
        let open = |segment: &SegmentReader| match known.get(&segment.segment_id()) {
            Some(columns) => Ok(Arc::clone(columns)),
            None => Columns::open(segment).map(Arc::new),
        };
        let columns = searcher
            .segment_readers()
            .iter()
            .map(open)
            .collect::<tantivy::Result<_>>();
        let columns = columns.map_err(Error::search("opened the columns"))?;
        Ok(Self {
            searcher,
            columns,
            position,
        })
    }

    pub(super) fn generation(&self) -> u64 {
        self.searcher.generation().generation_id()
    }
}

/// The newest state, and those that somebody pages through.
pub(super) struct Snapshots {
    newest: RwLock<Arc<Snapshot>>,
    paged: Mutex<VecDeque<(Arc<Snapshot>, Millis)>>,
}

impl Snapshots {
    pub(super) fn new(first: Snapshot) -> Self {
        Self {
            newest: RwLock::new(Arc::new(first)),
            paged: Mutex::default(),
        }
    }

    pub(super) fn newest(&self) -> Arc<Snapshot> {
        Arc::clone(&self.newest.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn publish(&self, snapshot: Snapshot) {
        *self.newest.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(snapshot);
    }

    /// The state of that generation, or the newest when it is gone.
    pub(super) fn of(&self, generation: u64) -> Arc<Snapshot> {
        let paged = self.paged.lock().unwrap_or_else(PoisonError::into_inner);
        let found = paged
            .iter()
            .find(|(snapshot, _)| snapshot.generation() == generation);
        found.map_or_else(|| self.newest(), |(snapshot, _)| Arc::clone(snapshot))
    }

    /// Keeps a state for the next page, and lets go of those that nobody asked for lately.
    pub(super) fn keep(&self, snapshot: &Arc<Snapshot>, now: Millis) {
        let mut paged = self.paged.lock().unwrap_or_else(PoisonError::into_inner);
        paged.retain(|(kept, used)| {
            kept.generation() != snapshot.generation() && now - used < KEPT_FOR
        });
        paged.push_back((Arc::clone(snapshot), now));
        if paged.len() > KEPT {
            paged.pop_front();
        }
    }

    /// Lets go of the states that nobody asked for lately.
    pub(super) fn forget(&self, now: Millis) {
        let mut paged = self.paged.lock().unwrap_or_else(PoisonError::into_inner);
        paged.retain(|(_, used)| now - used < KEPT_FOR);
    }
}
