//! The path of every chain, in append-only shared chunks.
//!
//! A chunk holds whole steps: for each step the positions of all chains, and whether the step's draws
//! are collected. A frame shares the chunks (`Arc`), it copies none of them. Above [`CAPACITY`]
//! positions the history thins evenly: it keeps every second step it had, and from then on every
//! second step it sees; [`History::stride`] says how far it has gone.

use std::sync::Arc;

use crate::math::Point;

/// Positions a history holds at most: 16 bytes each.
pub const CAPACITY: usize = 12_000_000;

/// Positions in a full chunk.
const CHUNK: usize = 65_536;

/// Consecutive kept steps of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chunk {
    /// Number of chains.
    pub chains: usize,
    /// The number of each kept step.
    pub steps: Vec<u32>,
    /// The weight of each step's draws: 0 if they are not collected, 1 or the step size if they are.
    pub weights: Vec<f32>,
    /// First coordinates in θ, step by step; chain `c` of the `s`-th kept step at `s · chains + c`.
    /// NaN marks a chain that has diverged: the accessors below never hand it out.
    pub x: Vec<f64>,
    /// Second coordinates, in the same layout.
    pub y: Vec<f64>,
}

/// One position of one chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draw {
    /// Number of the chain.
    pub chain: usize,
    /// Number of the step, from 1; 0 is the start.
    pub step: u64,
    /// Where the chain was, in θ.
    pub at: Point,
    /// Its weight: 0 if it was not collected.
    pub weight: f64,
}

impl Chunk {
    /// Positions of the `index`-th kept step, diverged chains left out.
    pub fn row(&self, index: usize) -> impl Iterator<Item = Draw> + '_ {
        let base = index * self.chains;
        (0..self.chains).filter_map(move |chain| self.draw(index, chain, base))
    }

    fn draw(&self, index: usize, chain: usize, base: usize) -> Option<Draw> {
        let at = Point::new(self.x[base + chain], self.y[base + chain]);
        let weight = f64::from(self.weights[index]);
        at.x.is_finite().then_some(Draw { chain, step: u64::from(self.steps[index]), at, weight })
    }

    /// All positions, step by step.
    pub fn iter(&self) -> impl Iterator<Item = Draw> + '_ {
        (0..self.steps.len()).flat_map(|index| self.row(index))
    }

    /// The positions of one chain, step by step.
    pub fn chain(&self, chain: usize) -> impl Iterator<Item = Draw> + '_ {
        (0..self.steps.len()).filter_map(move |index| self.draw(index, chain, index * self.chains))
    }
}

/// The path of all chains of a run. Cloning shares the chunks.
#[derive(Clone, Debug, Default)]
pub struct History {
    chunks: Vec<Arc<Chunk>>,
    chains: usize,
    stride: u64,
    positions: usize,
}

impl History {
    /// An empty history of `chains` chains.
    #[must_use]
    pub fn new(chains: usize) -> Self {
        Self { chunks: Vec::new(), chains, stride: 1, positions: 0 }
    }

    /// The chunks, oldest first.
    #[must_use]
    pub fn chunks(&self) -> &[Arc<Chunk>] {
        &self.chunks
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

    /// Number of positions kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions
    }

    /// Whether nothing is kept yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions == 0
    }

    /// All kept positions, step by step.
    pub fn iter(&self) -> impl Iterator<Item = Draw> + '_ {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// Appends a step: its number, the weight of its draws and one position per chain (NaN: diverged).
    pub(crate) fn push(&mut self, step: u64, weight: f64, x: &[f64], y: &[f64]) {
        debug_assert_eq!(x.len(), self.chains);
        if !step.is_multiple_of(self.stride) {
            return;
        }
        if self.positions + self.chains > CAPACITY {
            self.thin();
            return self.push(step, weight, x, y);
        }
        if self.chunks.last().is_none_or(|chunk| chunk.x.len() + self.chains > CHUNK.max(self.chains)) {
            self.chunks.push(Arc::new(Chunk { chains: self.chains, ..Chunk::default() }));
        }
        let Some(last) = self.chunks.last_mut() else { return };
        let chunk = Arc::make_mut(last);
        chunk.steps.push(u32::try_from(step).unwrap_or(u32::MAX));
        chunk.weights.push(narrowed(weight));
        chunk.x.extend_from_slice(x);
        chunk.y.extend_from_slice(y);
        self.positions += self.chains;
    }

    /// Keeps every second step.
    fn thin(&mut self) {
        let old = std::mem::replace(self, Self { stride: self.stride * 2, ..Self::new(self.chains) });
        for chunk in old.chunks {
            for (index, &step) in chunk.steps.iter().enumerate() {
                let row = index * chunk.chains..(index + 1) * chunk.chains;
                self.push(u64::from(step), f64::from(chunk.weights[index]), &chunk.x[row.clone()], &chunk.y[row]);
            }
        }
    }

    /// Hands over everything kept so far and goes on empty.
    pub(crate) fn drain(&mut self) -> Self {
        std::mem::replace(self, Self { stride: self.stride, ..Self::new(self.chains) })
    }

    /// Drops all steps after `step`.
    pub(crate) fn truncate(&mut self, step: u64) {
        while let Some(last) = self.chunks.last_mut() {
            let keep = last.steps.partition_point(|&kept| u64::from(kept) <= step);
            if keep == last.steps.len() {
                break;
            }
            if keep == 0 {
                self.chunks.pop();
                continue;
            }
            let chunk = Arc::make_mut(last);
            chunk.steps.truncate(keep);
            chunk.weights.truncate(keep);
            chunk.x.truncate(keep * chunk.chains);
            chunk.y.truncate(keep * chunk.chains);
            break;
        }
        self.positions = self.chunks.iter().map(|chunk| chunk.x.len()).sum();
    }
}

/// A weight is stored to single precision: enough for weighted averages, a third of the room.
#[expect(clippy::cast_possible_truncation, reason = "weights need no more than seven digits")]
fn narrowed(weight: f64) -> f32 {
    weight as f32
}
