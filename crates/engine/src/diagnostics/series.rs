//! Series of the collected draws of a run in their order, from which the measures of chains are computed.
//!
//! Measures of chains need the draws themselves, one after the other, not only their counts. Above [`MOST`] draws the
//! series keeps every second row, then every fourth, and so on. Which rows these are depends on the rows it is given
//! alone, not on when. Means of batches of as many rows are kept beside them, so that the error of a mean is that of all
//! draws.

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
    batches: BatchMeans,
    /// Rows given so far, and the step of the last of them.
    given: u64,
    last: u64,
    every: u64,
}

impl Series {
    /// No draws of so many chains.
    #[must_use]
    pub fn new(chains: usize) -> Self {
        let empty = vec![Vec::new(); chains];
        Self {
            x: empty.clone(),
            y: empty,
            weights: Vec::new(),
            steps: Vec::new(),
            cycles: Vec::new(),
            batches: BatchMeans::default(),
            given: 0,
            last: 0,
            every: 1,
        }
    }

    /// Adds the draws of a step: `draw(chain)` gives both coordinates, NaN for a chain that has diverged. Steps must
    /// ascend. `cycle` is the cycle that the step belongs to; either all rows have one or none has.
    pub fn push(&mut self, step: u64, cycle: Option<u64>, weight: f64, draw: impl Fn(usize) -> [f64; 2]) {
        let number = self.given;
        self.given += 1;
        self.last = step;
        if self.every > 1 {
            self.batches.add(weight, &draw);
            self.batches.close_if(self.every);
        }
        if !number.is_multiple_of(self.every) {
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

    /// Keeps every second row, beginning with the first.
    fn thin(&mut self) {
        if self.every == 1 {
            self.batches = BatchMeans::of_rows(&self.x, &self.y, &self.weights);
        }
        self.batches.join_pairs(self.every);
        self.every *= 2;
        for list in self.x.iter_mut().chain(&mut self.y).chain([&mut self.weights]) {
            halve(list);
        }
        halve(&mut self.steps);
        halve(&mut self.cycles);
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

    /// Means of batches of [`every`](Self::every) rows, weighted, a list for every chain: the draws themselves until the
    /// series has thinned. Rows of the last batch that is not complete are left out.
    #[must_use]
    pub fn batch_means(&self, coordinate: usize) -> Vec<&[f64]> {
        if self.every == 1 {
            return self.coordinate(coordinate);
        }
        self.batches.means[coordinate].iter().map(Vec::as_slice).collect()
    }

    /// The mean weight of the rows of every batch.
    #[must_use]
    pub fn batch_weights(&self) -> &[f64] {
        if self.every == 1 { &self.weights } else { &self.batches.weights }
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

    /// The step of the last row that was given, kept or not; 0 before the first.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.last
    }

    /// Of so many rows one is kept; 1 until there are more than [`MOST`] draws.
    #[must_use]
    pub fn every(&self) -> u64 {
        self.every
    }
}

/// Means of consecutive rows of a series.
#[derive(Clone, Debug, Default, PartialEq)]
struct BatchMeans {
    /// By coordinate and chain.
    means: [Vec<Vec<f64>>; 2],
    /// Mean weights.
    weights: Vec<f64>,
    /// The batch that is not complete: its rows, their total weight, and weighted sums by coordinate and chain.
    rows: u64,
    weight: f64,
    sums: [Vec<f64>; 2],
}

impl BatchMeans {
    /// BatchMeans of one row each.
    fn of_rows(x: &[Vec<f64>], y: &[Vec<f64>], weights: &[f64]) -> Self {
        let none = vec![0.0; x.len()];
        let means = [x.to_vec(), y.to_vec()];
        Self { means, weights: weights.to_vec(), rows: 0, weight: 0.0, sums: [none.clone(), none] }
    }

    /// Adds a row to the batch that is not complete.
    fn add(&mut self, weight: f64, draw: impl Fn(usize) -> [f64; 2]) {
        let [x, y] = &mut self.sums;
        for (chain, (x, y)) in x.iter_mut().zip(y).enumerate() {
            let at = draw(chain);
            *x += weight * at[0];
            *y += weight * at[1];
        }
        self.rows += 1;
        self.weight += weight;
    }

    /// Ends the batch that is not complete if it has so many rows.
    fn close_if(&mut self, rows: u64) {
        if self.rows < rows {
            return;
        }
        for (means, sums) in self.means.iter_mut().zip(&mut self.sums) {
            for (means, sum) in means.iter_mut().zip(sums) {
                means.push(*sum / self.weight);
                *sum = 0.0;
            }
        }
        self.weights.push(self.weight / rows as f64);
        (self.rows, self.weight) = (0, 0.0);
    }

    /// Joins batches of `rows` rows in pairs; one that is left over begins the next.
    fn join_pairs(&mut self, rows: u64) {
        let whole = self.weights.len() / 2 * 2;
        let weights = self.weights.clone();
        for (means, sums) in self.means.iter_mut().zip(&mut self.sums) {
            for (means, sum) in means.iter_mut().zip(sums) {
                *sum += means
                    .drain(whole..)
                    .zip(&weights[whole..])
                    .map(|(mean, weight)| mean * weight * rows as f64)
                    .sum::<f64>();
                let pairs = means.chunks_exact(2).zip(weights.chunks_exact(2));
                let joined = |(mean, weight): (&[f64], &[f64])| {
                    (mean[0] * weight[0] + mean[1] * weight[1]) / (weight[0] + weight[1])
                };
                *means = pairs.map(joined).collect();
            }
        }
        if let Some(weight) = weights.get(whole) {
            self.rows += rows;
            self.weight += weight * rows as f64;
        }
        self.weights = weights.chunks_exact(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
    }
}

/// Keeps every second entry, beginning with the first.
fn halve<T>(list: &mut Vec<T>) {
    let mut number = 0;
    list.retain(|_| {
        number += 1;
        number % 2 == 1
    });
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

    /// Whatever their steps: here they are all odd, as with a burn-in of one and every second draw collected.
    #[test]
    fn a_long_series_keeps_every_second_row_and_never_more_than_it_may() {
        let chains = 1 << 10;
        let mut series = Series::new(chains);
        let last = 3000;
        for row in 0..last {
            series.push(2 * row + 1, Some(row / 100), 1.0, |chain| [row as f64, chain as f64]);
            assert!(series.rows() * chains <= MOST);
        }
        assert_eq!((series.every(), series.last()), (4, 2 * last - 1));
        assert!(series.steps().iter().copied().eq((0..last).step_by(4).map(|row| 2 * row + 1)));
        let same = |(x, step): (&f64, &u64)| (2.0 * x + 1.0 - *step as f64).abs() < 0.5;
        assert!(series.coordinate(0)[5].iter().zip(series.steps()).all(same));
        assert_eq!(series.cycles().len(), series.rows());
        assert_eq!(series.cycles().last(), Some(&29));
    }

    /// Means of rows 0 to 3, 4 to 7 …, whatever the weights; the last rows are not a batch yet.
    #[test]
    fn batches_are_means_of_all_rows_that_were_given() {
        let chains = 1 << 10;
        for weighted in [false, true] {
            let weight = |row: u64| if weighted { 1.0 + (row % 3) as f64 } else { 1.0 };
            let value = |row: u64, chain: usize| (row * row % 101) as f64 + chain as f64;
            let mut series = Series::new(chains);
            for row in 0..3003 {
                series.push(row + 1, None, weight(row), |chain| [value(row, chain), -1.0]);
            }
            assert_eq!(series.every(), 4);
            let (means, weights) = (series.batch_means(0), series.batch_weights());
            assert_eq!((means[7].len(), weights.len(), series.batch_means(1)[0].len()), (750, 750, 750));
            for (batch, first) in (0..3000).step_by(4).enumerate() {
                let rows = first..first + 4;
                let total: f64 = rows.clone().map(weight).sum();
                let mean = rows.map(|row| weight(row) * value(row, 7)).sum::<f64>() / total;
                assert!(
                    (means[7][batch] - mean).abs() < 1e-9 && (weights[batch] - total / 4.0).abs() < 1e-12,
                    "{batch}"
                );
            }
        }
    }

    #[test]
    fn until_it_has_thinned_a_batch_is_a_draw() {
        let mut series = Series::new(2);
        series.push(1, None, 0.5, |chain| [chain as f64, 2.0]);
        assert_eq!((series.batch_means(0), series.batch_weights()), (series.coordinate(0), series.weights()));
    }

    #[test]
    fn a_single_row_of_very_many_chains_stays() {
        let mut series = Series::new(MOST + 1);
        series.push(1, None, 1.0, |_| [0.0, 0.0]);
        assert_eq!(series.rows(), 1);
    }
}
