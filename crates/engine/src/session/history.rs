//! History of the positions of every chain, in append-only shared buffers.
//!
//! Kept steps are consecutive multiples of a stride, from the start (step 0) on: row r is step (first + r) · stride.
//! The chains of a block have a track of their own, so that every core appends to its own memory; the tracks of a run
//! are cut into buffers at the same rows. A frame shares the buffers (`Arc`), it copies none of them. Above
//! [`CAPACITY`] positions the history thins evenly: it keeps every second row it had, and from then on every second
//! step it sees. Weights of draws are in the plan of the run; only what a method itself reports of its draws is kept here: weights by
//! where they are, and transitions.

use std::ops::Range;
use std::sync::Arc;

use base::math::{Point, Pool, Pooled};
use samplers::methods::{Course, Transition};

/// Positions a history holds at most: 16 bytes each.
pub const CAPACITY: usize = 12_000_000;

/// Positions in the full buffers of all tracks together.
const BUFFER_POSITIONS: usize = 65_536;

/// Rows in a buffer, at least.
const FEWEST_ROWS: usize = 16;

/// The memory of dropped histories, at most that of a whole one.
pub(super) fn pool() -> Arc<Pool<f64>> {
    Arc::new(Pool::new(2 * CAPACITY))
}

/// What a method reports of the draws of consecutive rows besides their positions; lists are empty where it reports nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DrawDetails<'a> {
    /// The weights of the rows; 1 if there are none.
    pub weights: &'a [f64],
    /// The transitions that led to them, row by row, one per chain.
    pub transitions: &'a [Transition],
}

impl<'a> DrawDetails<'a> {
    /// The details of the first `rows` rows, and those of the rows after them.
    fn split_at(self, rows: usize, chains: usize) -> (Self, Self) {
        let (weights, later) = self.weights.split_at(rows.min(self.weights.len()));
        let (transitions, rest) = self.transitions.split_at((rows * chains).min(self.transitions.len()));
        (Self { weights, transitions }, Self { weights: later, transitions: rest })
    }
}

/// Consecutive rows as they lie in memory.
#[derive(Clone, Debug)]
pub(super) struct RowSlice<'a> {
    /// Which of the rows that were asked for, counted from the first.
    pub rows: Range<usize>,
    /// Weights and transitions of these rows, if the method reports any.
    pub details: DrawDetails<'a>,
    /// Their positions, one per chain.
    pub at: [&'a [f64]; 2],
}

/// Consecutive rows of one track.
#[derive(Clone, Debug)]
struct RowBuffer {
    /// Rows written so far.
    rows: usize,
    /// First coordinates in θ, row by row, with memory for a full buffer; NaN for chains that have diverged.
    x: Pooled<f64>,
    /// Second coordinates, in the same layout.
    y: Pooled<f64>,
    /// The weights of the rows, as many as are written; empty if all are 1.
    weights: Vec<f64>,
    /// The transitions that led to them, in the layout of positions; empty if no method has reported any.
    transitions: Vec<Transition>,
}

impl RowBuffer {
    /// With memory for `length` positions.
    fn new(length: usize, pool: &Arc<Pool<f64>>) -> Self {
        let [x, y] = [0; 2].map(|_| Pooled::new(length, pool));
        Self { rows: 0, x, y, weights: Vec::new(), transitions: Vec::new() }
    }

    /// Adds as many rows as have been written, with their details.
    fn add(&mut self, rows: usize, chains: usize, details: DrawDetails<'_>) {
        put(&mut self.weights, 1.0, details.weights, [self.rows, rows]);
        put(&mut self.transitions, Transition::NOWHERE, details.transitions, [self.rows * chains, rows * chains]);
        self.rows += rows;
    }
}

/// Appends `new` entries to the `old` ones of a list that stays empty as long as there are no details; entries without details are
/// `blank`.
fn put<T: Copy>(list: &mut Vec<T>, blank: T, details: &[T], [old, new]: [usize; 2]) {
    if !(details.is_empty() && list.is_empty()) {
        list.resize(old, blank);
        list.extend(details);
        list.resize(old + new, blank);
    }
}

/// The path of some chains of a run. Cloning shares the buffers.
#[derive(Clone, Debug)]
pub(super) struct Track {
    /// Number of chains.
    chains: usize,
    /// Rows in a full buffer.
    buffer_rows: usize,
    buffers: Vec<Arc<RowBuffer>>,
    pool: Arc<Pool<f64>>,
}

impl Track {
    fn new(chains: usize, buffer_rows: usize, pool: Arc<Pool<f64>>) -> Self {
        Self { chains, buffer_rows, buffers: Vec::new(), pool }
    }

    fn rows(&self) -> usize {
        self.buffers.last().map_or(0, |last| (self.buffers.len() - 1) * self.buffer_rows + last.rows)
    }

    /// The position of chain `chain` of the track in `row`; `None` once it has diverged.
    fn position(&self, row: usize, chain: usize) -> Option<Point> {
        let buffer = &self.buffers[row / self.buffer_rows];
        let index = row % self.buffer_rows * self.chains + chain;
        let at = Point::new(buffer.x[index], buffer.y[index]);
        at.x.is_finite().then_some(at)
    }

    /// The weight of a row.
    fn weight(&self, row: usize) -> f64 {
        self.buffers[row / self.buffer_rows].weights.get(row % self.buffer_rows).copied().unwrap_or(1.0)
    }

    /// The transition of a chain of the track to its draw in `row`; `None` if the method has reported none.
    fn transition(&self, row: usize, chain: usize) -> Option<Transition> {
        let buffer = &self.buffers[row / self.buffer_rows];
        buffer.transitions.get(row % self.buffer_rows * self.chains + chain).copied()
    }

    /// Consecutive rows as they lie in memory.
    pub(super) fn slices(&self, rows: Range<usize>) -> impl Iterator<Item = RowSlice<'_>> {
        let buffers =
            if rows.is_empty() { 0..0 } else { rows.start / self.buffer_rows..(rows.end - 1) / self.buffer_rows + 1 };
        buffers.map(move |number| {
            let (buffer, first) = (&self.buffers[number], number * self.buffer_rows);
            let (start, end) = (rows.start.max(first), rows.end.min(first + self.buffer_rows));
            let indices = (start - first) * self.chains..(end - first) * self.chains;
            let weights = if buffer.weights.is_empty() { &[] } else { &buffer.weights[start - first..end - first] };
            let transitions = if buffer.transitions.is_empty() { &[] } else { &buffer.transitions[indices.clone()] };
            RowSlice {
                rows: start - rows.start..end - rows.start,
                details: DrawDetails { weights, transitions },
                at: [&buffer.x[indices.clone()], &buffer.y[indices]],
            }
        })
    }

    /// Appends rows of positions, one per chain (NaN: diverged), with what the method reports of them.
    fn append(&mut self, (mut x, mut y): (&[f64], &[f64]), mut details: DrawDetails<'_>) {
        while !x.is_empty() {
            if self.buffers.last().is_none_or(|last| last.rows == self.buffer_rows) {
                self.buffers.push(Arc::new(RowBuffer::new(self.buffer_rows * self.chains, &self.pool)));
            }
            let Some(last) = self.buffers.last_mut() else { return };
            let buffer = Arc::make_mut(last);
            let (begin, free) = (buffer.rows * self.chains, (self.buffer_rows - buffer.rows) * self.chains);
            let count = free.min(x.len());
            buffer.x[begin..begin + count].copy_from_slice(&x[..count]);
            buffer.y[begin..begin + count].copy_from_slice(&y[..count]);
            let rows = count / self.chains;
            let (now, later) = details.split_at(rows, self.chains);
            buffer.add(rows, self.chains, now);
            (x, y, details) = (&x[count..], &y[count..], later);
        }
    }

    /// Keeps the first `rows` rows.
    fn truncate(&mut self, rows: usize) {
        self.buffers.truncate(rows.div_ceil(self.buffer_rows));
        let before = self.buffers.len().saturating_sub(1) * self.buffer_rows;
        if let Some(last) = self.buffers.last_mut()
            && last.rows > rows - before
        {
            let last = Arc::make_mut(last);
            last.rows = rows - before;
            last.weights.truncate(last.rows);
            last.transitions.truncate(last.rows * self.chains);
        }
    }

    /// Keeps every second row, beginning with number `first`.
    fn thin(&mut self, first: usize) {
        let old = std::mem::replace(self, Self::new(self.chains, self.buffer_rows, self.pool.clone()));
        for row in (first..old.rows()).step_by(2) {
            let buffer = &old.buffers[row / old.buffer_rows];
            let begin = row % old.buffer_rows * old.chains;
            let indices = begin..begin + old.chains;
            let details = DrawDetails {
                weights: buffer.weights.get(row % old.buffer_rows).map_or(&[], std::slice::from_ref),
                transitions: buffer.transitions.get(indices.clone()).unwrap_or_default(),
            };
            self.append((&buffer.x[indices.clone()], &buffer.y[indices]), details);
        }
    }
}

/// The path of all chains of a run. Cloning shares the positions.
#[derive(Clone, Debug, Default)]
pub struct History {
    tracks: Vec<Track>,
    chains: usize,
    /// Chains of every track but the last, which may have fewer.
    block: usize,
    stride: u64,
    /// The number of the first row, in strides.
    first: u64,
    pool: Arc<Pool<f64>>,
}

impl History {
    /// An empty history of `chains` ≥ 1 chains, in tracks of `block` ≥ 1 chains.
    #[must_use]
    pub fn new(chains: usize, block: usize) -> Self {
        Self::from_pool(chains, block, pool())
    }

    /// An empty history with memory from a pool.
    pub(super) fn from_pool(chains: usize, block: usize, pool: Arc<Pool<f64>>) -> Self {
        let buffer_rows = (BUFFER_POSITIONS / chains.max(1)).max(FEWEST_ROWS);
        let track = |first| Track::new(block.min(chains - first), buffer_rows, pool.clone());
        let tracks = (0..chains).step_by(block).map(track).collect();
        Self { tracks, chains, block, stride: 1, first: 0, pool }
    }

    /// Number of chains.
    #[must_use]
    pub fn chains(&self) -> usize {
        self.chains
    }

    /// Every how many steps a position is kept: 1 until the history has thinned.
    #[must_use]
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// Number of rows: of steps whose positions are kept.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> usize {
        self.tracks.first().map_or(0, Track::rows)
    }

    /// Number of positions kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows() * self.chains
    }

    /// Whether nothing is kept yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows() == 0
    }

    /// The step of a row, from 1; 0 is the start.
    #[must_use]
    pub fn step(&self, row: usize) -> u64 {
        (self.first + row as u64) * self.stride
    }

    /// The first row at or after a step, at most [`History::rows`].
    #[must_use]
    pub fn row_from(&self, step: u64) -> usize {
        let row = step.div_ceil(self.stride.max(1)).saturating_sub(self.first);
        usize::try_from(row).unwrap_or(usize::MAX).min(self.rows())
    }

    /// The position of a chain in a row, in θ; `None` once it has diverged.
    ///
    /// # Panics
    /// If there is no such row or chain.
    #[must_use]
    #[inline]
    pub fn position(&self, row: usize, chain: usize) -> Option<Point> {
        self.tracks[chain / self.block].position(row, chain % self.block)
    }

    /// The weight that the method has given to the draws of a row, which multiplies that of its step; 1 of most methods.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    #[must_use]
    pub fn weight(&self, row: usize) -> f64 {
        self.tracks.first().map_or(1.0, |track| track.weight(row))
    }

    /// The transition of a chain to its draw in a row; `None` if its method reports none, or if the chain was nowhere.
    ///
    /// # Panics
    /// If there is no such row or chain.
    #[must_use]
    pub fn transition(&self, row: usize, chain: usize) -> Option<Transition> {
        let transition = self.tracks[chain / self.block].transition(row, chain % self.block);
        transition.filter(|transition| transition.course != Course::Nowhere)
    }

    /// The step sizes of all chains in the last row, `None` of a chain that was nowhere; `None` if there is no row, or if the method
    /// reports no transitions.
    #[must_use]
    pub fn step_sizes(&self) -> Option<Vec<Option<f64>>> {
        let last = self.rows().checked_sub(1)?;
        let sizes: Vec<Option<f64>> =
            (0..self.chains).map(|chain| self.transition(last, chain).map(|of| of.step_size)).collect();
        sizes.iter().any(Option::is_some).then_some(sizes)
    }

    /// The tracks, block by block.
    pub(super) fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// The tracks, to be appended to in parallel; every one of them must receive the same rows.
    pub(super) fn tracks_mut(&mut self) -> &mut [Track] {
        &mut self.tracks
    }

    /// Whether the steps from `next` to `last` do not fit.
    pub(super) fn is_full(&self, next: u64, last: u64) -> bool {
        let rows = last / self.stride - (next - 1) / self.stride;
        self.len() as u64 + rows * self.chains as u64 > CAPACITY as u64 && self.rows() > 1
    }

    /// Thins until the steps from `next` to `last` fit.
    pub(super) fn thin_to_fit(&mut self, next: u64, last: u64) {
        while self.is_full(next, last) {
            let first_odd = usize::from(!self.first.is_multiple_of(2));
            self.tracks.iter_mut().for_each(|track| track.thin(first_odd));
            self.first = self.first.div_ceil(2);
            self.stride *= 2;
        }
    }

    /// Appends positions of consecutive steps to a track, those of `first_step` first, in rows of its chains; only
    /// the multiples of `stride` are kept. `details` are of all the steps.
    pub(super) fn append(
        track: &mut Track,
        stride: u64,
        first_step: u64,
        (x, y): (&[f64], &[f64]),
        mut details: DrawDetails<'_>,
    ) {
        if stride == 1 {
            return track.append((x, y), details);
        }
        let chains = track.chains;
        let rows = x.chunks_exact(chains).zip(y.chunks_exact(chains));
        for (step, row) in (first_step..).zip(rows) {
            let (now, later) = details.split_at(1, chains);
            if step.is_multiple_of(stride) {
                track.append(row, now);
            }
            details = later;
        }
    }

    /// Appends the next row: one position per chain (NaN: diverged).
    pub fn push(&mut self, x: &[f64], y: &[f64]) {
        let block = self.block;
        for (track, (x, y)) in self.tracks.iter_mut().zip(x.chunks(block).zip(y.chunks(block))) {
            track.append((x, y), DrawDetails::default());
        }
    }

    /// Hands over everything kept so far and goes on empty.
    pub(crate) fn take(&mut self) -> Self {
        let first = self.first + self.rows() as u64;
        let fresh = Self { stride: self.stride, first, ..Self::from_pool(self.chains, self.block, self.pool.clone()) };
        std::mem::replace(self, fresh)
    }

    /// Drops all steps after `step`, and goes on from there, also if that is before its first row.
    pub(crate) fn truncate(&mut self, step: u64) {
        let rows = self.row_from(step + 1);
        self.tracks.iter_mut().for_each(|track| track.truncate(rows));
        self.first = self.first.min(step / self.stride.max(1) + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The position of a chain at a step, as tests write it.
    fn at(step: u64, chain: usize) -> Point {
        Point::new(step as f64, chain as f64)
    }

    /// The steps from `first` to `last` of `chains` chains, by rows.
    fn rows(steps: std::ops::RangeInclusive<u64>, chains: std::ops::Range<usize>) -> (Vec<f64>, Vec<f64>) {
        steps.flat_map(|step| chains.clone().map(move |chain| at(step, chain))).map(|at| (at.x, at.y)).unzip()
    }

    /// The weight of a step, as tests write it.
    fn weight(step: u64) -> f64 {
        1.0 / (step + 1) as f64
    }

    fn extend(history: &mut History, first: u64, last: u64) {
        extend_with(history, first, last, false);
    }

    fn extend_with(history: &mut History, first: u64, last: u64, weighted: bool) {
        history.thin_to_fit(first.max(1), last);
        let (stride, block, chains) = (history.stride(), history.block, history.chains());
        for (number, track) in history.tracks_mut().iter_mut().enumerate() {
            let (x, y) = rows(first..=last, number * block..((number + 1) * block).min(chains));
            let weights: Vec<f64> = if weighted { (first..=last).map(weight).collect() } else { Vec::new() };
            History::append(
                track,
                stride,
                first,
                (&x, &y),
                DrawDetails { weights: &weights, ..DrawDetails::default() },
            );
        }
    }

    fn check(history: &History, last: u64) {
        let expected: Vec<u64> = (0..=last).filter(|step| step.is_multiple_of(history.stride())).collect();
        assert_eq!((0..history.rows()).map(|row| history.step(row)).collect::<Vec<_>>(), expected);
        for row in (0..history.rows()).step_by(37).chain([history.rows() - 1]) {
            for chain in 0..history.chains() {
                assert_eq!(history.position(row, chain), Some(at(history.step(row), chain)));
            }
        }
    }

    #[test]
    fn steps_are_found_where_they_were_put() {
        for (chains, block) in [(1, 8), (5, 2), (300, 128), (4096, 128)] {
            let mut history = History::new(chains, block);
            extend(&mut history, 0, 0);
            for last in [1, 2, 40, 41, 333] {
                let next = history.rows() as u64;
                extend(&mut history, next, last);
                check(&history, last);
            }
            assert_eq!((history.row_from(40), history.row_from(10_000)), (40, 334));
            let shared = history.clone();
            history.truncate(41);
            check(&history, 41);
            extend(&mut history, 42, 50);
            check(&history, 50);
            check(&shared, 333);
        }
    }

    /// Weights are found with their rows, also where some steps have none, after thinning and after a step back.
    #[test]
    fn weights_stay_with_their_rows() {
        for (chains, last) in [(1, 300_000), (4096, 13_000)] {
            let mut history = History::new(chains, 128);
            extend(&mut history, 0, 99);
            for (first, to) in [(100, 5000), (5001, last)] {
                extend_with(&mut history, first, to, true);
            }
            extend(&mut history, last + 1, last + 500);
            let check = |history: &History| {
                for row in 0..history.rows() {
                    let step = history.step(row);
                    let expected = if (100..=last).contains(&step) { weight(step) } else { 1.0 };
                    assert_eq!(history.weight(row).to_bits(), expected.to_bits(), "step {step}");
                }
            };
            check(&history);
            history.truncate(6000);
            extend_with(&mut history, 6001, 7000, true);
            check(&history);
        }
    }

    /// Transitions are found with their draws, also after thinning, after a step back, and where a method tells of none.
    #[test]
    fn transitions_stay_with_their_draws() {
        let of = |step: u64, chain: usize| Transition {
            energy: step as f64 + 0.001 * chain as f64,
            course: Course::Sound,
            ..Transition::NOWHERE
        };
        let mut history = History::new(300, 128);
        let put = |history: &mut History, first: u64, last: u64, detailed: bool| {
            history.thin_to_fit(first.max(1), last);
            let (stride, block, chains) = (history.stride(), history.block, history.chains());
            for (number, track) in history.tracks_mut().iter_mut().enumerate() {
                let own = number * block..((number + 1) * block).min(chains);
                let (x, y) = rows(first..=last, own.clone());
                let each = |step| own.clone().map(move |chain| of(step, chain));
                let transitions: Vec<Transition> =
                    if detailed { (first..=last).flat_map(each).collect() } else { Vec::new() };
                let details = DrawDetails { transitions: &transitions, ..DrawDetails::default() };
                History::append(track, stride, first, (&x, &y), details);
            }
        };
        let check = |history: &History, detailed: Range<u64>| {
            for row in (0..history.rows()).step_by(7) {
                let step = history.step(row);
                for chain in [0, 127, 128, 299] {
                    let expected = detailed.contains(&step).then(|| of(step, chain).energy);
                    assert_eq!(history.transition(row, chain).map(|found| found.energy), expected, "{step} {chain}");
                }
            }
        };
        put(&mut history, 0, 99, false);
        put(&mut history, 100, 45_000, true);
        check(&history, 100..45_001);
        assert_eq!(history.stride(), 2);
        let sizes = history.step_sizes().unwrap();
        assert!(sizes.len() == 300 && sizes.iter().all(Option::is_some));
        put(&mut history, 45_001, 46_000, false);
        check(&history, 100..45_001);
        history.truncate(6000);
        put(&mut history, 6001, 7000, true);
        check(&history, 100..7001);
        assert_eq!(history.take().rows(), 3501);
        assert_eq!(history.step_sizes(), None);
    }

    #[test]
    fn above_its_capacity_a_history_thins_evenly() {
        let mut history = History::new(4096, 128);
        extend(&mut history, 0, 0);
        let mut last = 0;
        while last < 13_000 {
            extend(&mut history, last + 1, last + 97);
            last += 97;
            assert!(history.len() <= CAPACITY);
        }
        assert_eq!(history.stride(), 8);
        check(&history, last);
        history.truncate(6000);
        check(&history, 6000);
    }

    #[test]
    fn what_is_handed_over_goes_on_where_it_was() {
        let mut history = History::new(3, 8);
        extend(&mut history, 0, 9);
        check(&history.take(), 9);
        assert!(history.is_empty());
        extend(&mut history, 10, 12);
        assert_eq!((0..3).map(|row| history.step(row)).collect::<Vec<_>>(), [10, 11, 12]);
        assert_eq!(history.position(1, 2), Some(at(11, 2)));
        history.truncate(4);
        extend(&mut history, 5, 6);
        assert_eq!((0..2).map(|row| history.step(row)).collect::<Vec<_>>(), [5, 6]);
    }

    #[test]
    fn memory_is_used_again() {
        let pool = super::pool();
        let mut history = History::from_pool(2, 8, pool.clone());
        extend(&mut history, 0, 100_000);
        let buffers = history.tracks[0].buffers.len();
        drop(history);
        assert_eq!(pool.len(), 2 * buffers);
        extend(&mut History::from_pool(2, 8, pool.clone()), 0, 100);
        assert_eq!(pool.len(), 2 * buffers);
    }

    #[test]
    fn a_diverged_chain_is_nowhere() {
        let mut history = History::new(2, 8);
        history.push(&[1.0, f64::NAN], &[2.0, f64::NAN]);
        assert_eq!((history.position(0, 0), history.position(0, 1)), (Some(Point::new(1.0, 2.0)), None));
    }
}
