//! The collected draws of a run in the order in which they were made: what the measures of chains are made of.
//!
//! Measures of chains need the draws themselves, one after the other, not only their counts. Above [`MOST`] draws the
//! series keeps every second row, then every fourth, and so on: those whose step is a multiple of
//! [`every`](Series::every). Which rows these are depends on the run alone, not on how it was watched.

/// Draws that a series holds at most, of all chains together: sorting and transforming them takes about a second.
pub const MOST: usize = 1 << 20;

/// Collected draws in order. A row is a step of which draws were collected: one draw of every chain.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// First coordinates in θ: a list for every chain with an entry for every row; NaN once the chain has diverged.
    x: Vec<Vec<f64>>,
    /// Second coordinates, in the same layout; 0 on the line.
    y: Vec<Vec<f64>>,
    weights: Vec<f64>,
    steps: Vec<u64>,
    cycles: Vec<u64>,
    every: u64,
}

impl Series {
    /// No draws of so many chains.
    #[must_use]
    pub fn new(chains: usize) -> Self {
        let empty = vec![Vec::new(); chains];
        Self { x: empty.clone(), y: empty, weights: Vec::new(), steps: Vec::new(), cycles: Vec::new(), every: 1 }
    }

    /// Adds the draws of a step: `draw(chain)` gives both coordinates, NaN for a chain that has diverged. Steps must
    /// ascend. `cycle` is the cycle that the step belongs to; either all rows have one or none has.
    pub fn push(&mut self, step: u64, cycle: Option<u64>, weight: f64, draw: impl Fn(usize) -> [f64; 2]) {
        if !step.is_multiple_of(self.every) {
            return;
        }
        for (chain, (x, y)) in self.x.iter_mut().zip(&mut self.y).enumerate() {
            let at = draw(chain);
            x.push(at[0]);
            y.push(at[1]);
        }
        self.weights.push(weight);
        self.steps.push(step);
        self.cycles.extend(cycle);
        while self.rows() > 1 && self.rows() * self.chains() > MOST {
            self.thin();
        }
    }

    /// Keeps the rows whose step is a multiple of twice as much.
    fn thin(&mut self) {
        self.every *= 2;
        let kept: Vec<bool> = self.steps.iter().map(|step| step.is_multiple_of(self.every)).collect();
        for list in self.x.iter_mut().chain(&mut self.y).chain([&mut self.weights]) {
            retain(list, &kept);
        }
        retain(&mut self.steps, &kept);
        if !self.cycles.is_empty() {
            retain(&mut self.cycles, &kept);
        }
    }

    /// Number of chains.
    #[must_use]
    pub fn chains(&self) -> usize {
        self.x.len()
    }

    /// Number of rows: draws of each chain.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.steps.len()
    }

    /// Coordinate 0 (x) or 1 (y) of the draws, a list for every chain.
    #[must_use]
    pub fn coordinate(&self, coordinate: usize) -> Vec<&[f64]> {
        let lists = if coordinate == 0 { &self.x } else { &self.y };
        lists.iter().map(Vec::as_slice).collect()
    }

    /// The weight of every row.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The step of every row, ascending.
    #[must_use]
    pub fn steps(&self) -> &[u64] {
        &self.steps
    }

    /// The cycle of every row, from 0; empty if the schedule has no cycles.
    #[must_use]
    pub fn cycles(&self) -> &[u64] {
        &self.cycles
    }

    /// Only rows whose step is a multiple of this are kept; 1 until there are more than [`MOST`] draws.
    #[must_use]
    pub fn every(&self) -> u64 {
        self.every
    }
}

/// Keeps the entries that are marked.
fn retain<T>(list: &mut Vec<T>, kept: &[bool]) {
    let mut marks = kept.iter();
    list.retain(|_| marks.next().copied().unwrap_or(false));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_their_draws_weights_and_cycles() {
        let mut series = Series::new(2);
        series.push(3, Some(0), 1.0, |chain| [if chain == 0 { 0.5 } else { 1.5 }, 0.0]);
        series.push(4, Some(1), 2.0, |chain| [if chain == 0 { f64::NAN } else { 2.5 }, 7.0]);
        assert_eq!((series.chains(), series.rows(), series.every()), (2, 2, 1));
        assert_eq!(series.coordinate(0)[1], [1.5, 2.5]);
        assert!(series.coordinate(0)[0][1].is_nan());
        assert_eq!(series.coordinate(1)[1], [0.0, 7.0]);
        assert_eq!((series.weights(), series.steps(), series.cycles()), (&[1.0, 2.0][..], &[3, 4][..], &[0, 1][..]));
    }

    #[test]
    fn a_long_series_keeps_every_second_row_and_never_more_than_it_may() {
        let chains = 1 << 10;
        let mut series = Series::new(chains);
        let last = 3000;
        for step in 1..=last {
            series.push(step, None, 1.0, |chain| [step as f64, chain as f64]);
            assert!(series.rows() * chains <= MOST);
        }
        assert_eq!(series.every(), 4);
        assert!(series.steps().iter().copied().eq((4..=last).step_by(4)));
        assert!(
            series.coordinate(0)[5].iter().zip(series.steps()).all(|(x, step)| x.to_bits() == (*step as f64).to_bits())
        );
        assert!(series.cycles().is_empty());
    }

    #[test]
    fn a_single_row_of_very_many_chains_stays() {
        let mut series = Series::new(MOST + 1);
        series.push(1, None, 1.0, |_| [0.0, 0.0]);
        assert_eq!(series.rows(), 1);
    }
}
