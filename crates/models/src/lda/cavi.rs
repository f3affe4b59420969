//! Coordinate ascent (CAVI): every sweep fits all documents at the present λ, then λ ← η + S(λ).
//!
//! D. M. Blei, A. Y. Ng and M. I. Jordan (2003), section 5. Local steps begin afresh in every sweep (`fresh`), or at the γ of
//! the sweep before (`kept`). With `kept` the bound with these γ never falls ([`Cavi::bound`]), with `fresh` it can: the local problem
//! has several optima. The bound of [`Elbo::at`], which begins afresh, can fall with both.
//! That makes `kept` monotone, and not better.

use super::statistics::add;
use super::{Documents, Elbo, Local, Model, Stop, Tolerance, Topics, Weights};
use base::math::Simd;

/// Where local steps begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LocalStart {
    /// At γ = α + N_d/K.
    #[default]
    Fresh,
    /// At the γ of the sweep before.
    Kept,
}

/// Coordinate ascent on a set of documents.
#[derive(Clone, Debug)]
pub struct Cavi {
    model: Model,
    start: LocalStart,
    local: Local,
    weights: Weights,
    lambda: Topics,
    /// S of the documents of the present sweep so far.
    statistics: Topics,
    /// γ of every document, of `kept` only.
    gammas: Vec<f64>,
    /// The document that comes next.
    next: usize,
    sweeps: u64,
    local_steps: u64,
}

impl Cavi {
    /// Coordinate ascent from λ.
    #[must_use]
    pub fn new(simd: Simd, model: Model, tolerance: Tolerance, start: LocalStart, lambda: Topics) -> Self {
        Self {
            model,
            start,
            local: Local::new(simd, &model, tolerance),
            weights: Weights::of(simd, &lambda),
            statistics: Topics::filled(model.topics, model.words, 0.0),
            lambda,
            gammas: Vec::new(),
            next: 0,
            sweeps: 0,
            local_steps: 0,
        }
    }

    /// Parameters λ of q(β).
    #[must_use]
    pub fn lambda(&self) -> &Topics {
        &self.lambda
    }

    /// Whole sweeps so far. A sweep costs D documents.
    #[must_use]
    pub fn sweeps(&self) -> u64 {
        self.sweeps
    }

    /// Iterations of local steps so far.
    #[must_use]
    pub fn local_steps(&self) -> u64 {
        self.local_steps
    }

    /// The bound at λ, with local steps that begin as those of a sweep: with `kept` it never falls from sweep to sweep.
    #[must_use]
    pub fn bound(&self, documents: &Documents) -> Elbo {
        Elbo::from(&self.lambda, &self.model, documents, &mut self.local.clone(), &self.gammas)
    }

    /// Goes on for a number of documents, which must be those of the calls before, and changes λ at the end of each sweep.
    pub fn advance(&mut self, documents: &Documents, count: usize) {
        for _ in 0..count {
            if self.next < documents.len() {
                self.fit_next(documents);
            }
            if self.next == documents.len() {
                self.finish();
            }
        }
    }

    /// Makes a sweep.
    pub fn sweep(&mut self, documents: &Documents) {
        self.advance(documents, documents.len());
    }

    /// Makes a sweep, unless it is stopped. Returns whether it was made; if not, the state is somewhere within it.
    pub fn sweep_unless(&mut self, stop: &Stop, documents: &Documents) -> bool {
        (0..documents.len()).all(|_| {
            self.advance(documents, 1);
            !stop.is_set()
        })
    }

    fn fit_next(&mut self, documents: &Documents) {
        let (topics, bag) = (self.model.topics, documents.bag(self.next));
        let kept = self.next * topics..(self.next + 1) * topics;
        let steps = match self.gammas.get(kept) {
            Some(gamma) => self.local.fit_from(bag, &self.weights, gamma),
            None => self.local.fit(bag, &self.weights),
        };
        self.local_steps += u64::from(steps);
        if self.start == LocalStart::Kept {
            self.gammas.resize(self.gammas.len().max((self.next + 1) * topics), 0.0);
            self.gammas[self.next * topics..][..topics].copy_from_slice(self.local.share_parameters());
        }
        add(&mut self.statistics, bag, self.local.expected(), 1.0);
        self.next += 1;
    }

    fn finish(&mut self) {
        for (lambda, statistic) in self.lambda.values_mut().iter_mut().zip(self.statistics.values_mut()) {
            *lambda = self.model.eta + *statistic;
            *statistic = 0.0;
        }
        self.weights = Weights::of(self.local.simd(), &self.lambda);
        (self.next, self.sweeps) = (0, self.sweeps + 1);
    }
}
