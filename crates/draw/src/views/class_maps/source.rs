//! What maps are made from: the draws of runs, and those of the HMC reference.

use std::collections::VecDeque;
use std::sync::Arc;

use super::input::MapsInput;
use crate::geometry::is_drawable;
use crate::kit::background::SameTarget;
use crate::kit::epoch::Epoch;
use base::math::Coords;
use engine::diagnostics::hmc_reference::Reference;
use engine::session::{FitFrame, FunctionDraws, stride};
use samplers::methods::Predictive;

/// Draws behind a map at most, and at least half as many of a long run. The standard error of a probability is at most 0.03.
pub(super) const MOST: usize = 512;

/// Draws that are added at a time: some hundredths of a second of work.
pub(super) const BATCH: usize = 32;

/// What a map is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Source {
    /// The draws of a run, by number.
    Run(usize),
    /// The HMC reference.
    Reference,
}

impl Source {
    /// The runs shown, and the reference once it has draws.
    pub(super) fn all(input: &MapsInput<'_>) -> Vec<Self> {
        let reference = input.frame.reference.iter().filter(|reference| reference.draws > 0);
        input.runs.iter().map(|run| Self::Run(*run)).chain(reference.map(|_| Self::Reference)).collect()
    }
}

/// Which draws belong together.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Origin {
    /// Of a run.
    Run(Epoch),
    /// Of the reference of a target.
    Reference(SameTarget),
}

/// Draws that all change together.
#[derive(Clone, Debug)]
pub(super) enum Whole {
    /// Those of a fit.
    Fit(Box<FitFrame>),
    /// Those of a reference.
    Reference(Arc<Reference>),
}

impl Whole {
    /// Whether both are the same draws.
    pub(super) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fit(one), Self::Fit(other)) => {
                Arc::ptr_eq(&one.vectors, &other.vectors) && one.fitting.predictive == other.fitting.predictive
            }
            (Self::Reference(one), Self::Reference(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// Whether these are linearised functions.
    pub(super) fn is_linearised(&self) -> bool {
        matches!(self, Self::Fit(fits) if fits.fitting.predictive == Predictive::Linearised)
    }

    /// Its draws in the portions in which they are added. Linearised functions need no draws and are added at once.
    pub(super) fn portions(&self, dimension: usize) -> VecDeque<FunctionDraws> {
        let vectors: Vec<Vec<f64>> = match self {
            Self::Fit(fits) if self.is_linearised() => {
                let whole = FunctionDraws::of_fit(fits, dimension, MOST);
                return if whole.is_empty() { VecDeque::new() } else { [whole].into() };
            }
            Self::Fit(fits) => fits.vectors.iter().take(MOST).cloned().collect(),
            Self::Reference(reference) => {
                let count = reference.vectors.len() * reference.chains;
                let one =
                    |draw: usize| reference.vectors[draw / reference.chains].vector(draw % reference.chains).collect();
                (0..count).step_by(stride(count, MOST)).map(one).collect()
            }
        };
        let drawable: Vec<&[f64]> =
            vectors.iter().filter(|vector| is_drawable(vector.iter().copied())).map(Vec::as_slice).collect();
        drawable.chunks(BATCH).map(|some| portion(dimension, some, vec![1.0; some.len()])).collect()
    }
}

/// Weighted draws that are added together.
pub(super) fn portion(dimension: usize, vectors: &[&[f64]], weights: Vec<f64>) -> FunctionDraws {
    FunctionDraws::of_vectors(Coords::of(dimension, vectors.iter().copied()), weights)
}
