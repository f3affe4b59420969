//! Stochastic variational inference (SVI), with smoothed steps.
//!
//! From a batch of B documents: Ŝ = (D/B) Σ s_d(λ), and λ ← (1 − ρ)λ + ρ(η + Ŝ). M. D. Hoffman, D. M. Blei, C. Wang and
//! J. Paisley (2013), JMLR 14. What replaces Ŝ (S. Mandt and D. M. Blei 2014, *Smoothed gradients for stochastic variational
//! inference*, arXiv:1406.3650):
//!
//! - `Statistics`: the mean of the last L estimates, of fewer in the first steps. L = 1 is plain SVI.
//! - `Gradients`: the step is ρ times the mean of the last L natural gradients η + Ŝ − λ, each at its own λ. It can leave
//!   λ > 0, and is then halved.
//! - `Sag`: the newest s_d of every document (M. Schmidt, N. Le Roux and F. Bach 2017, arXiv:1309.2388), scaled up from the
//!   documents seen. With ρ = 1 it is incremental variational inference.

mod table;
mod window;

use self::table::Table;
use self::window::{GradientWindow, StatisticsWindow};
use super::statistics::{Estimator, Sparse};
use super::{Documents, Local, Model, Stop, Tolerance, Topics};
use base::math::Simd;

/// Smallest λ after a step along averaged gradients, as a share of η.
const SMALLEST_SHARE: f64 = 1e-3;

/// Largest number of halvings of a step: a weight of 2⁻⁶⁴ is lost in rounding.
const MOST_HALVINGS: u32 = 64;

/// What is averaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Smoothing {
    /// The statistics of the last L batches.
    Statistics {
        /// Window length L, at least 1.
        window: usize,
    },
    /// The natural gradients of the last L batches.
    Gradients {
        /// Window length L, at least 1.
        window: usize,
    },
    /// The newest statistics of every document.
    Sag,
}

/// State of an average.
#[derive(Clone, Debug)]
enum Memory {
    Statistics(StatisticsWindow),
    Gradients(GradientWindow),
    Sag(Table),
}

/// What a step was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SviRecord {
    /// Documents seen in the step.
    pub documents: usize,
    /// Iterations of their local steps.
    pub local_steps: u64,
    /// Whether the step had to be halved or left out to keep λ positive.
    pub guarded: bool,
}

/// Stochastic variational inference on a set of documents.
#[derive(Clone, Debug)]
pub struct Svi {
    model: Model,
    local: Local,
    estimator: Estimator,
    memory: Memory,
    lambda: Topics,
    newest: Sparse,
}

impl Svi {
    /// Inference from λ on documents that will be the same in all steps.
    #[must_use]
    pub fn new(
        simd: Simd,
        model: Model,
        tolerance: Tolerance,
        smoothing: Smoothing,
        lambda: Topics,
        documents: &Documents,
    ) -> Self {
        let memory = match smoothing {
            Smoothing::Statistics { window } => Memory::Statistics(StatisticsWindow::new(&model, window)),
            Smoothing::Gradients { window } => Memory::Gradients(GradientWindow::new(&model, window)),
            Smoothing::Sag => Memory::Sag(Table::new(&model, documents)),
        };
        let (local, estimator) = (Local::new(simd, &model, tolerance), Estimator::new(model.topics, model.words));
        Self { model, local, estimator, memory, lambda, newest: Sparse::default() }
    }

    /// Parameters λ of q(β).
    #[must_use]
    pub fn lambda(&self) -> &Topics {
        &self.lambda
    }

    /// The estimate Ŝ of the newest step, on the words that occur in its batch.
    #[must_use]
    pub fn newest(&self) -> &Sparse {
        &self.newest
    }

    /// An entry of the intermediate estimate λ̂ = η + Ŝ of the newest step, before it is averaged.
    #[must_use]
    pub fn estimate(&self, topic: usize, word: usize) -> f64 {
        self.model.eta + self.newest.get(self.model.topics, topic, word)
    }

    /// Whether a step uses the estimate of its own batch alone.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        matches!(&self.memory, Memory::Statistics(window) if window.length() == 1)
    }

    /// Takes a step of weight `rho` in (0, 1] with a batch of documents, in which a document may be more than once.
    pub fn step(&mut self, documents: &Documents, batch: &[u32], rho: f64) -> SviRecord {
        self.step_unless(&Stop::default(), documents, batch, rho).unwrap_or_default()
    }

    /// The same, unless it is stopped: then the state is somewhere within the step.
    pub fn step_unless(&mut self, stop: &Stop, documents: &Documents, batch: &[u32], rho: f64) -> Option<SviRecord> {
        let factor = documents.len() as f64 / batch.len().max(1) as f64;
        let mut record = SviRecord { documents: batch.len(), ..SviRecord::default() };
        self.estimator.renew(&self.lambda);
        let simd = self.local.simd();
        for &document in batch {
            if stop.is_set() {
                return None;
            }
            let bag = documents.bag(document as usize);
            let steps = self.estimator.fit(simd, &self.lambda, bag, &mut self.local);
            record.local_steps += u64::from(steps);
            self.estimator.add(bag, self.local.expected(), factor);
            if let Memory::Sag(table) = &mut self.memory {
                table.replace(documents, document as usize, self.local.expected());
            }
        }
        self.estimator.finish(&mut self.newest);
        record.guarded = self.apply(documents, rho);
        Some(record)
    }

    /// Moves λ by the averaged estimate; returns whether the step had to be changed.
    fn apply(&mut self, documents: &Documents, rho: f64) -> bool {
        match &mut self.memory {
            Memory::Statistics(window) => {
                let (sum, count) = window.push(&self.newest);
                blend(&mut self.lambda, sum, 1.0 / count, self.model.eta, rho);
                false
            }
            Memory::Sag(table) => {
                let factor = table.factor(documents);
                blend(&mut self.lambda, table.sum(), factor, self.model.eta, rho);
                false
            }
            Memory::Gradients(window) => {
                let gradient = window.push(&self.newest, &self.lambda, self.model.eta);
                guarded(&mut self.lambda, gradient, rho, SMALLEST_SHARE * self.model.eta)
            }
        }
    }
}

/// λ ← (1 − ρ)λ + ρ(η + factor · sum).
fn blend(lambda: &mut Topics, sum: &Topics, factor: f64, eta: f64, rho: f64) {
    for (lambda, sum) in lambda.values_mut().iter_mut().zip(sum.values()) {
        *lambda = (1.0 - rho) * *lambda + rho * (eta + factor * sum);
    }
}

/// λ ← λ + ρ · gradient, with ρ halved until every λ is at least `smallest`. The step is left out if that does not help.
/// Returns whether ρ was changed.
fn guarded(lambda: &mut Topics, gradient: &Topics, rho: f64, smallest: f64) -> bool {
    let mut share = rho;
    for halvings in 0..=MOST_HALVINGS {
        let mut pairs = lambda.values().iter().zip(gradient.values());
        if pairs.all(|(lambda, gradient)| lambda + share * gradient >= smallest) {
            for (lambda, gradient) in lambda.values_mut().iter_mut().zip(gradient.values()) {
                *lambda += share * gradient;
            }
            return halvings > 0;
        }
        share *= 0.5;
    }
    true
}
