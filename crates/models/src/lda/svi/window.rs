//! Windows of the last L estimates, with running sums.
//!
//! An estimate has few of the words of a large vocabulary, so only those are stored. A running sum collects rounding errors
//! of what was taken from it: every L steps it is added up again.

use std::collections::VecDeque;

use crate::lda::statistics::Sparse;
use crate::lda::{Model, Topics};

/// The last L estimates Ŝ and their sum.
#[derive(Clone, Debug)]
pub(super) struct StatisticsWindow {
    length: usize,
    estimates: VecDeque<Sparse>,
    sum: Topics,
    /// Estimates taken out since the sum was last added up.
    taken: usize,
}

impl StatisticsWindow {
    pub fn new(model: &Model, length: usize) -> Self {
        let sum = Topics::filled(model.topics, model.words, 0.0);
        Self { length: length.max(1), estimates: VecDeque::new(), sum, taken: 0 }
    }

    /// L.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Adds an estimate and drops the oldest one of a full window. Returns the sum, and how many estimates it has.
    pub fn push(&mut self, estimate: &Sparse) -> (&Topics, f64) {
        let mut entry = Sparse::default();
        if self.estimates.len() == self.length
            && let Some(oldest) = self.estimates.pop_front()
        {
            oldest.take_from(&mut self.sum);
            self.taken += 1;
            entry = oldest;
        }
        entry.clone_from(estimate);
        estimate.add_to(&mut self.sum, 1.0);
        self.estimates.push_back(entry);
        if self.taken >= self.length {
            self.taken = 0;
            self.sum.values_mut().fill(0.0);
            for estimate in &self.estimates {
                estimate.add_to(&mut self.sum, 1.0);
            }
        }
        (&self.sum, self.estimates.len() as f64)
    }
}

/// The last L natural gradients η + Ŝ − λ and their mean: estimates, and the λ at which they were made, which are dense.
#[derive(Clone, Debug)]
pub(super) struct GradientWindow {
    estimates: StatisticsWindow,
    lambdas: VecDeque<Topics>,
    sum: Topics,
    taken: usize,
    mean: Topics,
}

impl GradientWindow {
    pub fn new(model: &Model, length: usize) -> Self {
        let zeros = Topics::filled(model.topics, model.words, 0.0);
        let estimates = StatisticsWindow::new(model, length);
        Self { estimates, lambdas: VecDeque::new(), sum: zeros.clone(), taken: 0, mean: zeros }
    }

    /// Adds the gradient of an estimate made at λ, drops the oldest one of a full window, and returns the mean.
    pub fn push(&mut self, estimate: &Sparse, lambda: &Topics, eta: f64) -> &Topics {
        let mut entry = Topics::default();
        if self.lambdas.len() == self.estimates.length
            && let Some(oldest) = self.lambdas.pop_front()
        {
            accumulate(&mut self.sum, &oldest, -1.0);
            self.taken += 1;
            entry = oldest;
        }
        entry.clone_from(lambda);
        accumulate(&mut self.sum, lambda, 1.0);
        self.lambdas.push_back(entry);
        if self.taken >= self.estimates.length {
            self.taken = 0;
            self.sum.values_mut().fill(0.0);
            for lambda in &self.lambdas {
                accumulate(&mut self.sum, lambda, 1.0);
            }
        }
        let (estimates, count) = self.estimates.push(estimate);
        let sums = estimates.values().iter().zip(self.sum.values());
        for (mean, (estimate, lambda)) in self.mean.values_mut().iter_mut().zip(sums) {
            *mean = eta + (estimate - lambda) / count;
        }
        &self.mean
    }
}

fn accumulate(sum: &mut Topics, values: &Topics, sign: f64) {
    for (sum, value) in sum.values_mut().iter_mut().zip(values.values()) {
        *sum += sign * value;
    }
}
