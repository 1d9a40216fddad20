//! The collector: the best hits after a bound, by score and then by id, exactly the same on every reading.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tantivy::columnar::{Column, StrColumn, TermOrdHit};
use tantivy::fastfield::AliveBitSet;
use tantivy::query::{
    BooleanQuery, BoostQuery, EnableScoring, Occur, Query as _, QueryClone as _, Scorer, TermQuery,
    Weight,
};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, Searcher, SegmentReader};

use super::plan::{Drive, Plan};
use super::query::Mode;
use super::schema::Property;
use super::score::{BY_WEIGHT, ONE, Parts, liveness, text_value};
use super::snapshot::{Columns, Snapshot};

/// A hit with its place in the order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scored {
    /// The match score in ten-thousandths.
    pub(super) units: u32,
    pub(super) id: String,
    pub(super) parts: Parts,
}

/// The `most` best hits after `after` (a score and an id), best first.
pub(super) fn collect(
    snapshot: &Snapshot,
    plan: &Plan,
    relaxed: u32,
    most: usize,
    after: Option<(u32, &str)>,
) -> tantivy::Result<Vec<Scored>> {
    let scoring = Scoring::new(plan, &snapshot.searcher)?;
    let mut best: Vec<Scored> = Vec::new();
    for (segment, columns) in snapshot
        .searcher
        .segment_readers()
        .iter()
        .zip(&snapshot.columns)
    {
        let floor = if best.len() == most {
            best.last().map_or(0, |hit| hit.units)
        } else {
            0
        };
        let Some(mut pass) = Pass::new(plan, &scoring, segment, columns, most, floor, after)?
        else {
            continue;
        };
        pass.run(&snapshot.searcher, segment)?;
        for (units, ord, parts) in pass.harvest() {
            let mut id = String::new();
            if pass.ids.ord_to_str(ord, &mut id)? {
                best.push(Scored {
                    units,
                    id,
                    parts: Parts { relaxed, ..parts },
                });
            }
        }
        best.sort_unstable_by(|a, b| b.units.cmp(&a.units).then_with(|| a.id.cmp(&b.id)));
        best.truncate(most);
    }
    Ok(best)
}

/// The words as tantivy reads them: together to find candidates, one by one to score them.
///
/// The sum that comes with a candidate depends on the order in which the terms were
/// read. So each candidate that may become a hit is scored again, term by term, in a
/// number wide enough to hold the sum exactly.
struct Scoring {
    together: Option<Box<dyn Weight>>,
    single: Vec<Box<dyn Weight>>,
}

impl Scoring {
    fn new(plan: &Plan, searcher: &Searcher) -> tantivy::Result<Self> {
        let queries: Vec<BoostQuery> = plan
            .clauses
            .iter()
            .flatten()
            .map(|clause| {
                let term = TermQuery::new(clause.term.clone(), IndexRecordOption::WithFreqs);
                BoostQuery::new(Box::new(term), clause.boost)
            })
            .collect();
        let scored = || EnableScoring::enabled_from_searcher(searcher);
        let single = queries
            .iter()
            .map(|query| query.weight(scored()))
            .collect::<tantivy::Result<_>>()?;
        let together = match plan.drive {
            Drive::Words => {
                let any = queries
                    .into_iter()
                    .map(|query| (Occur::Should, query.box_clone()))
                    .collect();
                Some(BooleanQuery::new(any).weight(scored())?)
            }
            Drive::Terms(..) | Drive::All => None,
        };
        Ok(Self { together, single })
    }
}

/// A capability as it stands in a segment's column.
struct Claim {
    ord: u64,
    group: usize,
    counts: u32,
}

/// One segment, read once.
struct Pass<'a> {
    plan: &'a Plan,
    scoring: &'a Scoring,
    columns: &'a Columns,
    ids: &'a StrColumn,
    alive: Option<&'a AliveBitSet>,
    tests: Vec<(&'a Column<u64>, Vec<u64>)>,
    claims: Vec<Claim>,
    excluded: Vec<u64>,
    scorers: Vec<Box<dyn Scorer>>,
    /// The score before, and the first id of that score that may be a hit.
    after: Option<(u32, u64)>,
    most: usize,
    floor: u32,
    heap: BinaryHeap<Reverse<Ranked>>,
}

/// The worst hit sorts lowest: by score, then from the last id to the first.
#[derive(PartialEq, Eq)]
struct Ranked {
    units: u32,
    ord: u64,
    parts: Parts,
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.units
            .cmp(&other.units)
            .then_with(|| other.ord.cmp(&self.ord))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<'a> Pass<'a> {
    /// `None` when the segment cannot hold a hit.
    fn new(
        plan: &'a Plan,
        scoring: &'a Scoring,
        segment: &'a SegmentReader,
        columns: &'a Columns,
        most: usize,
        floor: u32,
        after: Option<(u32, &str)>,
    ) -> tantivy::Result<Option<Self>> {
        let Some(ids) = &columns.id else {
            return Ok(None);
        };
        let mut tests = Vec::with_capacity(plan.tests.len());
        for test in &plan.tests {
            let Some(found) = lookup(columns, test.property, &test.values)? else {
                return Ok(None);
            };
            tests.push(found);
        }
        let Some(claims) = claims(columns, plan)? else {
            return Ok(None);
        };
        let mut excluded = Vec::new();
        for id in &plan.exclude {
            excluded.extend(ids.dictionary().term_ord(id)?);
        }
        excluded.sort_unstable();
        let after = match after {
            Some((units, id)) => Some((units, first_after(ids, id)?)),
            None => None,
        };
        let scorers = scoring
            .single
            .iter()
            .map(|weight| weight.scorer(segment, 1.0))
            .collect::<tantivy::Result<_>>()?;
        let alive = segment.alive_bitset();
        let heap = BinaryHeap::with_capacity(most + 1);
        Ok(Some(Self {
            plan,
            scoring,
            columns,
            ids,
            alive,
            tests,
            claims,
            excluded,
            scorers,
            after,
            most,
            floor,
            heap,
        }))
    }

    fn run(&mut self, searcher: &Searcher, segment: &SegmentReader) -> tantivy::Result<()> {
        match &self.plan.drive {
            Drive::Words => {
                let Some(together) = &self.scoring.together else {
                    return Ok(());
                };
                let least = self.least_text();
                together.for_each_pruning(least, segment, &mut |doc, score| {
                    self.consider(doc, Some(f64::from(score)));
                    self.least_text()
                })
            }
            Drive::Terms(field, values) => {
                let unscored = EnableScoring::disabled_from_searcher(searcher);
                let any = Drive::terms(*field, values).weight(unscored)?;
                any.for_each_no_score(segment, &mut |docs| {
                    docs.iter().for_each(|doc| self.consider(*doc, None))
                })
            }
            Drive::All => {
                (0..segment.max_doc()).for_each(|doc| self.consider(doc, None));
                Ok(())
            }
        }
    }

    /// The best hits of the segment, in no order.
    fn harvest(&mut self) -> Vec<(u32, u64, Parts)> {
        self.heap
            .drain()
            .map(|Reverse(hit)| (hit.units, hit.ord, hit.parts))
            .collect()
    }

    /// The score that a hit must at least have.
    fn bar(&self) -> u32 {
        match self.heap.peek() {
            Some(Reverse(worst)) if self.heap.len() == self.most => worst.units.max(self.floor),
            _ => self.floor,
        }
    }

    /// The text score below which nothing can become a hit.
    fn least_text(&self) -> f32 {
        let others = self.plan.weights.without_text(ONE, ONE);
        self.bar()
            .checked_sub(others)
            .map_or(f32::MIN, |points| self.plan.weights.least_text(points))
    }

    /// Candidates come in rising order; `rough` is their text score where it is known already.
    fn consider(&mut self, doc: DocId, rough: Option<f64>) {
        if !self.alive.is_none_or(|alive| alive.is_alive(doc)) || !self.passes(doc) {
            return;
        }
        let Some(capabilities) = self.capabilities(doc) else {
            return;
        };
        let columns = self.columns;
        let ok_at = columns.ok_at.first(doc).unwrap_or(0);
        if self.plan.ok_after.is_some_and(|after| ok_at < after) {
            return;
        }
        let liveness = liveness(
            ok_at,
            columns.failed_at.first(doc).unwrap_or(0),
            self.plan.now,
        );
        let without_text = self
            .plan
            .weights
            .without_text(capabilities.unwrap_or(0), liveness);
        let bar = self.bar();
        if rough
            .is_some_and(|score| without_text + self.plan.weights.text(text_value(score) + 2) < bar)
        {
            return;
        }
        let Some(text) = self.text(doc) else { return };
        let units = without_text + self.plan.weights.text(text.unwrap_or(0));
        if units < bar {
            return;
        }
        let Some(ord) = self.ids.ords().first(doc) else {
            return;
        };
        if self.excluded.binary_search(&ord).is_ok() || self.before_bound(units, ord) {
            return;
        }
        let parts = Parts {
            capabilities,
            text,
            liveness,
            relaxed: 0,
        };
        self.heap.push(Reverse(Ranked { units, ord, parts }));
        if self.heap.len() > self.most {
            self.heap.pop();
        }
    }

    fn before_bound(&self, units: u32, ord: u64) -> bool {
        self.after
            .is_some_and(|(last, first)| units > last || (units == last && ord < first))
    }

    fn passes(&self, doc: DocId) -> bool {
        self.tests
            .iter()
            .all(|(column, ords)| column.values_for_doc(doc).any(|ord| ords.contains(&ord)))
    }

    /// `None` when the capabilities do not suffice, `Some(None)` when none were asked for.
    fn capabilities(&self, doc: DocId) -> Option<Option<u32>> {
        let asked = self.plan.groups.len();
        if asked == 0 {
            return Some(None);
        }
        let column = self.columns.claim.as_ref()?.ords();
        let mut counts = [0_u32; 20];
        for ord in column.values_for_doc(doc) {
            for claim in self.claims.iter().filter(|claim| claim.ord == ord) {
                counts[claim.group] = counts[claim.group].max(claim.counts);
            }
        }
        let counts = &counts[..asked];
        let enough = match self.plan.mode {
            Mode::Any => counts.iter().any(|count| *count > 0),
            Mode::All => counts.iter().all(|count| *count > 0),
        };
        let asked = u32::try_from(asked).unwrap_or(u32::MAX);
        enough.then(|| Some((counts.iter().sum::<u32>() + asked / 2) / asked))
    }

    /// `None` when no word matches, `Some(None)` when none were asked for.
    fn text(&mut self, doc: DocId) -> Option<Option<u32>> {
        if self.plan.clauses.is_none() {
            return Some(None);
        }
        let mut sum = 0.0;
        let mut any = false;
        for scorer in &mut self.scorers {
            if scorer.doc() < doc {
                scorer.seek(doc);
            }
            if scorer.doc() == doc {
                any = true;
                sum += f64::from(scorer.score());
            }
        }
        any.then(|| Some(text_value(sum)))
    }
}

/// The column of a property with the numbers of those values that the segment knows; `None` when it knows none.
fn lookup<'a>(
    columns: &'a Columns,
    property: Property,
    values: &[String],
) -> tantivy::Result<Option<(&'a Column<u64>, Vec<u64>)>> {
    let Some(column) = columns.property(property) else {
        return Ok(None);
    };
    let mut ords = Vec::with_capacity(values.len());
    for value in values {
        ords.extend(column.dictionary().term_ord(value)?);
    }
    Ok((!ords.is_empty()).then(|| (column.ords(), ords)))
}

/// The capabilities asked for that the segment knows; `None` when they cannot suffice.
fn claims(columns: &Columns, plan: &Plan) -> tantivy::Result<Option<Vec<Claim>>> {
    let mut claims = Vec::new();
    if plan.groups.is_empty() {
        return Ok(Some(claims));
    }
    let Some(column) = &columns.claim else {
        return Ok(None);
    };
    for (group, names) in plan.groups.iter().enumerate() {
        for name in names {
            // The weights of a name stand side by side, one digit after a zero byte.
            let range = column
                .dictionary()
                .range()
                .ge(format!("{name}\0"))
                .lt(format!("{name}\u{1}"));
            let mut stream = range.into_stream()?;
            while stream.advance() {
                let digit = stream
                    .key()
                    .last()
                    .map_or(0, |byte| usize::from(byte.saturating_sub(b'1')));
                let counts = BY_WEIGHT[digit.min(BY_WEIGHT.len() - 1)];
                claims.push(Claim {
                    ord: stream.term_ord(),
                    group,
                    counts,
                });
            }
        }
    }
    Ok((!claims.is_empty()).then_some(claims))
}

/// The number of the first id after `id`.
fn first_after(ids: &StrColumn, id: &str) -> tantivy::Result<u64> {
    Ok(match ids.dictionary().term_ord_or_next(id)? {
        TermOrdHit::Exact(ord) => ord + 1,
        TermOrdHit::Next(ord) => ord,
    })
}
