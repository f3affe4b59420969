//! Weight space of a network seen in planes: which draws are shown, how far apart they are, and from which sides they are looked at.
//!
//! Weights are whitened: each is in units of the standard deviation of its prior, in which distances say something.

mod components;
mod loss;
mod plane;

use crate::words::word::Word;
use base::math::{Coords, Simd};
use base::params::ParamSpec;
use engine::diagnostics::predictive_formulas::{ClassPrediction, Weights};
use engine::scenario::view::options;
use engine::session::probes;
use models::targets::Target;
use models::targets::network::Network;

pub use components::{Components, principal_components};
pub use loss::{Loss, Scale, test_data};
pub use plane::{Plane, spread, whitened};

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
    /// A line through one draw, in a random direction.
    Direction,
}

impl Word for WeightPicture {
    const SPEC: &'static ParamSpec = &options::PICTURE;
    const ALL: &'static [Self] = &[Self::Weights, Self::Functions, Self::Plane, Self::Path, Self::Direction];
}

/// The network whose weights the draws from a target are; `None` for a target of another kind.
#[must_use]
pub fn network_of(target: &Target) -> Option<&Network> {
    target.in_vectors()?.model.network()
}

/// Vectors whose distances are those of the functions of the draws: the root mean square of differences of f over 16 inputs of a
/// regression, of probabilities of classes over 5 × 5 points otherwise.
#[must_use]
pub fn function_vectors(target: &Target, network: &Network, draws: &[Vec<f64>]) -> Vec<Vec<f64>> {
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

/// The distance of functions below which draws are neighbours in a cluster, unless a person chooses another: twice the noise of a
/// regression, 0.1 for probabilities.
#[must_use]
pub fn apart(target: &Target) -> f64 {
    target.regression().map_or(0.1, |regression| 2.0 * regression.noise_sd())
}

#[cfg(test)]
mod tests;
