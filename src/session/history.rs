//! History of the positions of every chain, in append-only shared pieces.
//!
//! Kept steps are consecutive multiples of a stride, from the start (step 0) on: row r is step (first + r) · stride.
//! The chains of a block have a track of their own, so that every core appends to its own memory; the tracks of a run
//! are cut into pieces at the same rows. A frame shares the pieces (`Arc`), it copies none of them. Above
//! [`CAPACITY`] positions the history thins evenly: it keeps every second row it had, and from then on every second
//! step it sees. Weights of draws are in the plan of the run; only those that a method gives to its draws by where they are
//! are kept here.

use std::ops::Range;
use std::sync::Arc;

use crate::math::{Point, Pool, Pooled};

/// Positions a history holds at most: 16 bytes each.
pub const CAPACITY: usize = 12_000_000;

/// Positions in a full piece of all tracks together.
const PIECE: usize = 65_536;

/// Rows in a piece, at least.
const FEWEST_ROWS: usize = 16;

/// The memory of dropped histories, at most that of a whole one.
pub(super) fn pool() -> Arc<Pool<f64>> {
    Arc::new(Pool::new(2 * CAPACITY))
}

/// Consecutive rows of one track.
#[derive(Clone, Debug)]
struct Piece {
    /// Rows written so far.
    rows: usize,
    /// First coordinates in θ, row by row, with room for a full piece; NaN for chains that have diverged.
    x: Pooled<f64>,
    /// Second coordinates, in the same layout.
    y: Pooled<f64>,
    /// The weights of the rows, as many as are written; empty if all are 1.
    weights: Vec<f64>,
}

impl Piece {
    /// Room for `length` positions.
    fn new(length: usize, pool: &Arc<Pool<f64>>) -> Self {
        Self { rows: 0, x: Pooled::new(length, pool), y: Pooled::new(length, pool), weights: Vec::new() }
    }

    /// Adds as many rows as have been written, with their weights; none if they are 1.
    fn add(&mut self, rows: usize, weights: &[f64]) {
        if !(weights.is_empty() && self.weights.is_empty()) {
            self.weights.resize(self.rows, 1.0);
            self.weights.extend(weights);
            self.weights.resize(self.rows + rows, 1.0);
        }
        self.rows += rows;
    }
}

/// The path of some chains of a run. Cloning shares the pieces.
#[derive(Clone, Debug)]
pub(super) struct Track {
    /// Number of chains.
    chains: usize,
    /// Rows in a full piece.
    piece_rows: usize,
    pieces: Vec<Arc<Piece>>,
    pool: Arc<Pool<f64>>,
}

impl Track {
    fn new(chains: usize, piece_rows: usize, pool: Arc<Pool<f64>>) -> Self {
        Self { chains, piece_rows, pieces: Vec::new(), pool }
    }

    fn rows(&self) -> usize {
        self.pieces.last().map_or(0, |last| (self.pieces.len() - 1) * self.piece_rows + last.rows)
    }

    /// Where chain `chain` of the track was in `row`; `None` once it has diverged.
    fn position(&self, row: usize, chain: usize) -> Option<Point> {
        let piece = &self.pieces[row / self.piece_rows];
        let index = row % self.piece_rows * self.chains + chain;
        let at = Point::new(piece.x[index], piece.y[index]);
        at.x.is_finite().then_some(at)
    }

    /// The weight of a row.
    fn weight(&self, row: usize) -> f64 {
        self.pieces[row / self.piece_rows].weights.get(row % self.piece_rows).copied().unwrap_or(1.0)
    }

    /// Consecutive rows as they lie in memory: which of them, counted from the first, their weights (none if they are 1) and their
    /// positions.
    pub(super) fn parts(&self, rows: Range<usize>) -> impl Iterator<Item = (Range<usize>, &[f64], [&[f64]; 2])> {
        let pieces =
            if rows.is_empty() { 0..0 } else { rows.start / self.piece_rows..(rows.end - 1) / self.piece_rows + 1 };
        pieces.map(move |number| {
            let (piece, first) = (&self.pieces[number], number * self.piece_rows);
            let (start, end) = (rows.start.max(first), rows.end.min(first + self.piece_rows));
            let places = (start - first) * self.chains..(end - first) * self.chains;
            let weights = if piece.weights.is_empty() { &[] } else { &piece.weights[start - first..end - first] };
            (start - rows.start..end - rows.start, weights, [&piece.x[places.clone()], &piece.y[places]])
        })
    }

    /// Appends rows of positions, one per chain (NaN: diverged), with the weights of the rows; none if they are 1.
    fn append(&mut self, (mut x, mut y): (&[f64], &[f64]), mut weights: &[f64]) {
        while !x.is_empty() {
            if self.pieces.last().is_none_or(|last| last.rows == self.piece_rows) {
                self.pieces.push(Arc::new(Piece::new(self.piece_rows * self.chains, &self.pool)));
            }
            let Some(last) = self.pieces.last_mut() else { return };
            let piece = Arc::make_mut(last);
            let (begin, room) = (piece.rows * self.chains, (self.piece_rows - piece.rows) * self.chains);
            let count = room.min(x.len());
            piece.x[begin..begin + count].copy_from_slice(&x[..count]);
            piece.y[begin..begin + count].copy_from_slice(&y[..count]);
            let (now, later) = weights.split_at(weights.len().min(count / self.chains));
            piece.add(count / self.chains, now);
            (x, y, weights) = (&x[count..], &y[count..], later);
        }
    }

    /// Keeps the first `rows` rows.
    fn truncate(&mut self, rows: usize) {
        self.pieces.truncate(rows.div_ceil(self.piece_rows));
        let before = self.pieces.len().saturating_sub(1) * self.piece_rows;
        if let Some(last) = self.pieces.last_mut()
            && last.rows > rows - before
        {
            let last = Arc::make_mut(last);
            last.rows = rows - before;
            last.weights.truncate(last.rows);
        }
    }

    /// Keeps every second row, beginning with number `first`.
    fn thin(&mut self, first: usize) {
        let old = std::mem::replace(self, Self::new(self.chains, self.piece_rows, self.pool.clone()));
        for row in (first..old.rows()).step_by(2) {
            let piece = &old.pieces[row / old.piece_rows];
            let begin = row % old.piece_rows * old.chains;
            let place = begin..begin + old.chains;
            let weight = piece.weights.get(row % old.piece_rows);
            self.append((&piece.x[place.clone()], &piece.y[place]), weight.map_or(&[], std::slice::from_ref));
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

    /// The same with memory from a pool.
    pub(super) fn from_pool(chains: usize, block: usize, pool: Arc<Pool<f64>>) -> Self {
        let piece_rows = (PIECE / chains.max(1)).max(FEWEST_ROWS);
        let track = |first| Track::new(block.min(chains - first), piece_rows, pool.clone());
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

    /// Where a chain was in a row, in θ; `None` once it has diverged.
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
    #[must_use]
    pub fn weight(&self, row: usize) -> f64 {
        self.tracks.first().map_or(1.0, |track| track.weight(row))
    }

    /// The tracks, block by block.
    pub(super) fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// The tracks, to be appended to side by side; every one of them must receive the same rows.
    pub(super) fn tracks_mut(&mut self) -> &mut [Track] {
        &mut self.tracks
    }

    /// Whether the steps from `next` to `last` do not fit.
    pub(super) fn is_full(&self, next: u64, last: u64) -> bool {
        let rows = last / self.stride - (next - 1) / self.stride;
        self.len() as u64 + rows * self.chains as u64 > CAPACITY as u64 && self.rows() > 1
    }

    /// Makes room for the steps from `next` to `last`: thins until all will fit.
    pub(super) fn make_room(&mut self, next: u64, last: u64) {
        while self.is_full(next, last) {
            let first_odd = usize::from(!self.first.is_multiple_of(2));
            self.tracks.iter_mut().for_each(|track| track.thin(first_odd));
            self.first = self.first.div_ceil(2);
            self.stride *= 2;
        }
    }

    /// Appends positions of consecutive steps to a track, those of `first_step` first, in rows of its chains; only
    /// the multiples of `stride` are kept. `weights` are those of the steps, none if they are 1.
    pub(super) fn append(track: &mut Track, stride: u64, first_step: u64, (x, y): (&[f64], &[f64]), weights: &[f64]) {
        if stride == 1 {
            return track.append((x, y), weights);
        }
        let chains = track.chains;
        let places = x.chunks_exact(chains).zip(y.chunks_exact(chains));
        for ((number, step), place) in (first_step..).enumerate().zip(places) {
            if step.is_multiple_of(stride) {
                track.append(place, weights.get(number).map_or(&[], std::slice::from_ref));
            }
        }
    }

    /// Appends the next row: one position per chain (NaN: diverged).
    pub(crate) fn push(&mut self, x: &[f64], y: &[f64]) {
        let block = self.block;
        for (track, (x, y)) in self.tracks.iter_mut().zip(x.chunks(block).zip(y.chunks(block))) {
            track.append((x, y), &[]);
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
        history.make_room(first.max(1), last);
        let (stride, block, chains) = (history.stride(), history.block, history.chains());
        for (number, track) in history.tracks_mut().iter_mut().enumerate() {
            let (x, y) = rows(first..=last, number * block..((number + 1) * block).min(chains));
            let weights: Vec<f64> = if weighted { (first..=last).map(weight).collect() } else { Vec::new() };
            History::append(track, stride, first, (&x, &y), &weights);
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
        let pieces = history.tracks[0].pieces.len();
        drop(history);
        assert_eq!(pool.len(), 2 * pieces);
        extend(&mut History::from_pool(2, 8, pool.clone()), 0, 100);
        assert_eq!(pool.len(), 2 * pieces);
    }

    #[test]
    fn a_diverged_chain_is_nowhere() {
        let mut history = History::new(2, 8);
        history.push(&[1.0, f64::NAN], &[2.0, f64::NAN]);
        assert_eq!((history.position(0, 0), history.position(0, 1)), (Some(Point::new(1.0, 2.0)), None));
    }
}
