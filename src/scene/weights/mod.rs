//! Weight space of a network seen in planes: which draws are shown, how far apart they are, and from which sides they are looked at.
//!
//! Weights are whitened: each is in units of the standard deviation of its prior, in which distances say something.

mod components;
mod plane;

use std::sync::Arc;

use crate::diagnostics::predictive::{ClassPrediction, Weights};
use crate::math::{Coords, Simd};
use crate::session::{Frame, probes};
use crate::targets::Target;
use crate::targets::network::Network;

use super::maps::is_drawable;
use super::vectors::{KeptVector, thinned_vectors};

pub use components::{Components, principal_components};
pub use plane::{Plane, spread};

/// From which side the draws are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum WeightPicture {
    /// The first two principal components of the weights.
    #[default]
    Weights,
    /// Two coordinates of the draws whose distances are those of their functions.
    Functions,
    /// The plane through three draws, with the log density on it.
    Plane,
    /// The line between two draws.
    Path,
}

impl WeightPicture {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Weights, Self::Functions, Self::Plane, Self::Path];

    /// Its name in a file.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Weights => "weights",
            Self::Functions => "functions",
            Self::Plane => "plane",
            Self::Path => "path",
        }
    }

    /// Its name in the window.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Weights => "by weights (PCA)",
            Self::Functions => "by functions (MDS)",
            Self::Plane => "plane of three draws",
            Self::Path => "path of two draws",
        }
    }

    /// The picture with this name.
    #[must_use]
    pub fn named(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|picture| picture.key() == key)
    }

    /// What it shows, in a sentence.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Weights => {
                "The two directions in which the weights of the draws spread most. Near draws have similar weights."
            }
            Self::Functions => {
                "Draws at distances that are those of their functions, as far as two dimensions can. Near draws predict alike."
            }
            Self::Plane => {
                "The log posterior on the plane through three draws; other draws are fainter the further they are from it."
            }
            Self::Path => {
                "The loss on the straight line between two draws, as they are and with their hidden units matched."
            }
        }
    }
}

/// The network whose weights the draws from a target are; `None` for a target of another kind.
#[must_use]
pub fn network_of(target: &dyn Target) -> Option<&Network> {
    target.model()?.model.network()
}

/// Which draw of a frame: its run, its chain (of a fit, the number of the draw), and the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DrawName {
    /// Number of the run.
    pub run: usize,
    /// Number of the chain, or of the draw from a fit.
    pub chain: usize,
    /// The step.
    pub step: u64,
    /// Whether it is a draw from a fitted distribution.
    pub fitted: bool,
}

/// A draw, whose weights are looked up when they are needed.
#[derive(Clone, Debug)]
pub struct NamedDraw {
    /// Which one it is.
    pub name: DrawName,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Chain(KeptVector),
    Fit(Arc<Vec<Vec<f64>>>),
}

impl NamedDraw {
    /// Its weights; `None` of a chain that has diverged.
    #[must_use]
    pub fn weights(&self) -> Option<Vec<f64>> {
        let weights = match &self.source {
            Source::Chain(kept) => kept.weights(),
            Source::Fit(vectors) => vectors.get(self.name.chain)?.clone(),
        };
        is_drawable(weights.iter().copied()).then_some(weights)
    }
}

/// At most about `most` draws of the given runs together, each run with its share.
#[must_use]
pub fn named_draws(frame: &Frame, runs: &[usize], most: usize) -> Vec<NamedDraw> {
    let share = most / runs.len().max(1);
    let mut draws = Vec::new();
    for &index in runs {
        let Some(run) = frame.runs.get(index) else { continue };
        let name = |chain, step, fitted| DrawName { run: index, chain, step, fitted };
        match &run.fits {
            Some(fits) => {
                let fit = |number| NamedDraw {
                    name: name(number, run.step, true),
                    source: Source::Fit(fits.vectors.clone()),
                };
                draws.extend((0..fits.vectors.len().min(share)).map(fit));
            }
            None => {
                let kept = thinned_vectors(run, share).into_iter();
                draws.extend(kept.map(|kept| NamedDraw {
                    name: name(kept.chain, kept.at.step, false),
                    source: Source::Chain(kept),
                }));
            }
        }
    }
    draws
}

/// Weights in units of the prior sds.
#[must_use]
pub fn whitened(network: &Network, weights: &[f64]) -> Vec<f64> {
    weights.iter().zip(network.prior_sds()).map(|(weight, sd)| weight / sd).collect()
}

/// Vectors whose distances are those of the functions of the draws: the root mean square of differences of f over 16 inputs of a
/// regression, of probabilities of classes over 5 × 5 places otherwise.
#[must_use]
pub fn function_vectors(target: &dyn Target, network: &Network, draws: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let inputs = probes(target);
    let (count, outputs) = (draws.len(), network.layout().outputs());
    let at = Coords::of(network.prior_sds().len(), draws.iter().map(Vec::as_slice));
    let mut f = vec![0.0; inputs.len() / network.layout().inputs() * outputs * count];
    network.outputs(Simd::widest(), &at, &inputs, &mut Vec::new(), &mut f);
    let values = |draw: usize| -> Vec<f64> { f.iter().skip(draw).step_by(count).copied().collect() };
    let compared = |draw: usize| -> Vec<f64> {
        let values = values(draw);
        let probabilities = |f: &[f64]| ClassPrediction::of_outputs(f, outputs, Weights::Equal).probabilities;
        let compared: Vec<f64> = match (target.regression(), outputs) {
            (Some(_), _) => values,
            (None, 1) => values.chunks_exact(1).map(|logit| probabilities(logit)[1]).collect(),
            (None, _) => values.chunks_exact(outputs).flat_map(probabilities).collect(),
        };
        let unit = (compared.len().max(1) as f64).sqrt();
        compared.into_iter().map(|value| value / unit).collect()
    };
    (0..count).map(compared).collect()
}

#[cfg(test)]
mod tests;
