//! Trace of one chain (coordinates against steps), reduced to the extremes of blocks of kept steps.
//!
//! Blocks have [`BLOCK`] kept steps on the first level and twice as many on each next level, aligned at the start of the
//! run. The cost of a new step does not depend on the length of the run, and the cost of a picture is that of its
//! columns. No extreme is lost.

use std::ops::Range;

use engine::session::History;

/// Kept steps in the smallest block.
const BLOCK: usize = 16;

/// The extremes of both coordinates; empty where a chain has diverged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Smallest x and y.
    pub min: [f64; 2],
    /// Largest x and y.
    pub max: [f64; 2],
}

impl Extent {
    /// The extent of no positions.
    pub const EMPTY: Self = Self { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };

    /// The extent of one position; empty if it is not finite.
    #[must_use]
    pub fn of(x: f64, y: f64) -> Self {
        if x.is_finite() && y.is_finite() { Self { min: [x, y], max: [x, y] } } else { Self::EMPTY }
    }

    /// The extent of both together.
    #[must_use]
    pub fn merged(self, other: Self) -> Self {
        Self {
            min: std::array::from_fn(|axis| self.min[axis].min(other.min[axis])),
            max: std::array::from_fn(|axis| self.max[axis].max(other.max[axis])),
        }
    }

    /// Whether it contains no position.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.min[0] > self.max[0]
    }
}

/// The reduced path of one chain; grows with its history.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    chain: usize,
    /// Generation of the history from which the blocks are made: a new history has another one.
    generation: u64,
    stride: u64,
    /// Kept steps added so far.
    rows: usize,
    levels: Vec<Vec<Extent>>,
}

/// A part of a trace, one extent per column.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    /// The middle of each column, in steps.
    pub steps: Vec<f64>,
    /// The extremes in each column.
    pub extents: Vec<Extent>,
    /// Kept steps per column; 1 means that nothing was reduced.
    pub width: usize,
}

impl Trace {
    /// The trace of `chain`, empty.
    #[must_use]
    pub fn new(chain: usize) -> Self {
        Self { chain, ..Self::default() }
    }

    /// The generation of the history that has been added.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Number of kept steps added so far.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of kept steps of `history` that have not been added yet.
    #[must_use]
    pub fn missing(&self, history: &History, generation: u64) -> usize {
        let total = history.rows();
        if self.is_of(history, generation) { total - self.rows } else { total }
    }

    /// Adds the new steps of `history`. Starts again if the generation has changed, or if the history has been thinned or
    /// shortened.
    pub fn update(&mut self, history: &History, generation: u64) {
        if !self.is_of(history, generation) {
            *self = Self { chain: self.chain, generation, stride: history.stride(), ..Self::default() };
        }
        let (from, until) = (self.rows, history.rows());
        let mut finest = self.levels.first_mut().map(std::mem::take).unwrap_or_default();
        for (offset, extent) in raw(history, self.chain, from..until).enumerate() {
            let block = (from + offset) / BLOCK;
            if block == finest.len() {
                finest.push(extent);
            } else {
                finest[block] = finest[block].merged(extent);
            }
        }
        self.rows = until;
        self.rebuild_levels(finest, from / BLOCK);
    }

    /// Whether the steps added so far are the start of `history`.
    fn is_of(&self, history: &History, generation: u64) -> bool {
        generation == self.generation && history.stride() == self.stride && history.rows() >= self.rows
    }

    /// Stores the finest level and computes the others again from the first changed block on.
    fn rebuild_levels(&mut self, finest: Vec<Extent>, mut changed: usize) {
        let mut below = finest;
        let mut levels = std::mem::take(&mut self.levels).into_iter().skip(1);
        while below.len() > 1 {
            changed /= 2;
            let mut level = levels.next().unwrap_or_default();
            level.truncate(changed);
            level.extend(
                below[2 * changed..].chunks(2).map(|pair| pair.iter().copied().fold(Extent::EMPTY, Extent::merged)),
            );
            self.levels.push(std::mem::replace(&mut below, level));
        }
        self.levels.push(below);
    }

    /// The kept steps in the range `steps`, in at most `2 · most` columns. Columns are aligned at the start of the run, so
    /// that they stay in place when the range moves.
    #[must_use]
    pub fn columns(&self, history: &History, steps: Range<f64>, most: usize) -> Columns {
        let rows = self.rows_in(history, &steps);
        let width = (rows.len() / most.max(1)).max(1).next_power_of_two();
        let first = rows.start / width;
        let extents: Vec<Extent> = if width < BLOCK {
            let values: Vec<Extent> = raw(history, self.chain, first * width..rows.end).collect();
            values.chunks(width).map(|part| part.iter().copied().fold(Extent::EMPTY, Extent::merged)).collect()
        } else {
            let level = self.levels.get((width / BLOCK).ilog2() as usize).map_or(&[][..], Vec::as_slice);
            level[first.min(level.len())..rows.end.div_ceil(width).min(level.len())].to_vec()
        };
        let start = first_step(history);
        let middle = |column: usize| {
            start + (as_f64((first + column) * width) + 0.5 * as_f64(width - 1)) * as_f64(self.stride_in_steps())
        };
        Columns { steps: (0..extents.len()).map(middle).collect(), extents, width }
    }

    fn stride_in_steps(&self) -> usize {
        usize::try_from(self.stride).unwrap_or(usize::MAX)
    }

    /// The rows of the kept steps in a range of steps, with one more on either side so that lines reach the edges.
    #[expect(clippy::cast_sign_loss, reason = "clamped to the number of rows")]
    fn rows_in(&self, history: &History, steps: &Range<f64>) -> Range<usize> {
        let row = |step: f64| (step - first_step(history)) / as_f64(self.stride_in_steps().max(1));
        let last = as_f64(self.rows);
        let from = (row(steps.start).floor() - 1.0).clamp(0.0, last) as usize;
        let until = (row(steps.end).ceil() + 2.0).clamp(0.0, last) as usize;
        from..until.max(from)
    }
}

/// The number of the first kept step.
fn first_step(history: &History) -> f64 {
    history.step(0) as f64
}

/// The positions of a chain in the given rows; empty extents where it has diverged.
fn raw(history: &History, chain: usize, rows: Range<usize>) -> impl Iterator<Item = Extent> + '_ {
    let rows = rows.start.min(history.rows())..rows.end.min(history.rows());
    rows.map(move |row| history.position(row, chain).map_or(Extent::EMPTY, |at| Extent::of(at.x, at.y)))
}

fn as_f64(number: usize) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(step: u64, chain: usize) -> f64 {
        let phase = f64::from(u32::try_from(step).unwrap_or(0));
        (phase * 0.37).sin() * (1.0 + (phase * 0.0011).cos()) + f64::from(u32::try_from(chain).unwrap_or(0))
    }

    fn grown(history: &mut History, steps: Range<u64>) {
        for step in steps {
            let x: Vec<f64> = (0..history.chains()).map(|chain| wave(step, chain)).collect();
            let y: Vec<f64> = x.iter().map(|value| -2.0 * value).collect();
            history.push(&x, &y);
        }
    }

    fn overall(columns: &Columns) -> Extent {
        columns.extents.iter().copied().fold(Extent::EMPTY, Extent::merged)
    }

    #[test]
    fn reduction_keeps_the_extremes_and_their_place() {
        let mut history = History::new(2, 2);
        grown(&mut history, 0..50_000);
        let mut trace = Trace::new(1);
        trace.update(&history, 1);
        let columns = trace.columns(&history, 0.0..50_000.0, 300);
        assert!((150..=600).contains(&columns.extents.len()), "{} columns", columns.extents.len());
        let values = (0..50_000).map(|step| wave(step, 1));
        let expected = values.fold(Extent::EMPTY, |extent, x| extent.merged(Extent::of(x, -2.0 * x)));
        assert_eq!(overall(&columns), expected);
        for (column, extent) in columns.extents.iter().enumerate() {
            let steps = (column * columns.width) as u64..((column + 1) * columns.width).min(50_000) as u64;
            let here = steps.map(|step| wave(step, 1)).fold(Extent::EMPTY, |e, x| e.merged(Extent::of(x, -2.0 * x)));
            assert_eq!(*extent, here, "column {column}");
        }
    }

    #[test]
    fn many_small_updates_give_the_same_as_one_update() {
        let mut history = History::new(1, 2);
        let mut trace = Trace::new(0);
        let mut step = 0;
        for amount in [1, 15, 1, 700, 31, 33, 4096, 5, 20_000] {
            grown(&mut history, step..step + amount);
            step += amount;
            assert!(trace.missing(&history, 1) > 0);
            trace.update(&history, 1);
            assert_eq!(trace.missing(&history, 1), 0);
        }
        let mut whole = Trace::new(0);
        whole.update(&history, 1);
        for (range, most) in [(0.0..25_000.0, 200), (3000.0..9000.0, 100), (777.0..800.0, 300), (100.0..1500.0, 300)] {
            assert_eq!(trace.columns(&history, range.clone(), most), whole.columns(&history, range, most));
        }
    }

    #[test]
    fn close_up_every_step_is_its_own_column() {
        let mut history = History::new(1, 2);
        grown(&mut history, 0..1000);
        let mut trace = Trace::new(0);
        trace.update(&history, 1);
        let columns = trace.columns(&history, 100.0..120.0, 500);
        assert_eq!(columns.width, 1);
        assert_eq!(columns.steps.first(), Some(&99.0));
        assert_eq!(columns.extents[0], Extent::of(wave(99, 0), -2.0 * wave(99, 0)));
    }

    #[test]
    fn another_generation_starts_again() {
        let mut history = History::new(1, 2);
        grown(&mut history, 0..500);
        let mut trace = Trace::new(0);
        trace.update(&history, 1);
        let mut other = History::new(1, 2);
        grown(&mut other, 0..40);
        trace.update(&other, 2);
        assert_eq!(trace.columns(&other, 0.0..500.0, 500).extents.len(), 40);
    }

    #[test]
    fn a_diverged_chain_leaves_a_gap() {
        let mut history = History::new(1, 2);
        grown(&mut history, 0..10);
        history.push(&[f64::NAN], &[f64::NAN]);
        let mut trace = Trace::new(0);
        trace.update(&history, 1);
        assert!(trace.columns(&history, 0.0..20.0, 100).extents[10].is_empty());
    }

    #[test]
    fn an_empty_history_has_no_columns() {
        let history = History::new(1, 2);
        let mut trace = Trace::new(0);
        trace.update(&history, 1);
        assert!(trace.columns(&history, 0.0..10.0, 10).extents.is_empty());
    }
}
