//! Anchored ensembles: every member is pulled to a prior draw of its own instead of the mean of the prior, and sees targets with
//! noise of its own.
//!
//! Member m maximises −Σᵢ (yᵢ + σεᵢₘ − f(xᵢ; θ))²/2σ² − ½ Σⱼ ((θⱼ − θ⁰ₘⱼ)/sⱼ)², where θ⁰ₘ is a draw from the prior N(0, s²) and
//! εᵢₘ ~ N(0, 1). It starts at θ⁰ₘ and takes the steps of Adam ([`super::adam_ascent`]).
//!
//! Pearce, Leibfried, Brintrup, Zaki and Neely (2020), "Uncertainty in neural networks: approximately Bayesian ensembling",
//! AISTATS, arXiv:1810.05546. Their targets have no noise εᵢₘ, for which they give reasons in section 3.2; with it the method is
//! randomise-then-optimise (Bardsley, Solonen, Haario and Laine 2014, SIAM J. Sci. Comput. 36:A1895) without its Metropolis
//! correction. Where f is linear in θ the maxima are exact and independent draws from the posterior; elsewhere they are only
//! close to it.
//!
//! At a temperature T noise and anchors are √T times as large, as far as T divides their terms, so that the same holds for the
//! tempered posterior. An event that changes the target keeps θ⁰ and ε of each member.

use std::sync::Arc;

use super::adam_ascent;
use crate::methods::kit::parameters;
use crate::methods::kit::stepwise::Step;
use crate::methods::sources;
use crate::methods::{
    Chunk, Gradient, Method, MethodEntry, MethodGroup, Needs, OnDensities, Population, Problem, Scratch, StepSpec,
};
use base::math::{Coords, Decay};
use base::params::{KindSpec, ParamError, ParamSpec, Settings};
use models::targets::{Disturbance, Model, Space};

const PARAMS: [ParamSpec; 6] = [
    parameters::MEMBERS,
    parameters::ASCENT_STEPS,
    parameters::LEARNING_RATE,
    parameters::BETA_1,
    parameters::BETA_2,
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "anchored-ensemble",
        label: "Anchored ensemble",
        help: "An ensemble whose members have prior draws as their anchors and noise of their own in the data (Pearce et al. \
               2020). On a linear regression the members are exact draws from the posterior.",
        params: &PARAMS,
    },
    group: MethodGroup::Optimisers,
    build,
    step: Some(StepSpec { noise: Some("in anchors and data, drawn once for each member."), ..adam_ascent::STEP }),
    algorithm: include_str!("anchored_ensemble.py"),
    sources: &[sources::PEARCE],
    usual: None,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnchoredEnsemble {
    /// β₁ and β₂ of Adam.
    pub decay: Decay,
}

/// Where the anchors are among the auxiliary state; the noise of the data follows.
const ANCHORS: usize = adam_ascent::CARRIES.len();

/// The error of a target that is no regression with Gaussian noise.
fn unsuited() -> ParamError {
    let problem = "an anchored ensemble needs data with Gaussian noise and a Gaussian prior";
    ParamError::new("method", problem, "on this target: deep-ensemble, or a sampler")
}

impl Method for AnchoredEnsemble {
    fn needs(&self, _gradient: &Gradient) -> Needs {
        Needs::default()
    }

    fn on(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError> {
        let itself = self.on_densities(space)?;
        match space {
            Space::Vectors(vectors) if vectors.model.disturbances().is_some() => Ok(itself),
            _ => Err(unsuited()),
        }
    }

    fn carries(&self) -> &'static [&'static str] {
        &["mean gradient", "mean square", "decay", "anchor", "noise of the data"]
    }

    fn auxiliary_normals(&self, model: &dyn Model) -> usize {
        model.disturbances().unwrap_or_default()
    }

    fn starts_from_prior(&self) -> bool {
        true
    }

    fn init(&self, starts: Coords, _alpha: f64, normals: Coords) -> Population {
        let mut carried = adam_ascent::begin(&starts);
        carried.extend([starts.clone(), normals]);
        Population { carried, ..Population::at(starts) }
    }

    fn stable_below(&self, _curvature: f64) -> Option<f64> {
        None
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let fill = |problem: &Problem<'_>, _: &Step<'_>, chains: &Population, scratch: &mut Scratch, _| {
            let Some((model, [anchors, noise])) = problem.model.zip(chains.carried.get(ANCHORS..ANCHORS + 2)) else {
                return;
            };
            let (gradient, full) = (&mut scratch.gradient, &mut scratch.full);
            gradient.resize(chains.positions.dimension(), chains.len());
            let disturbance = Disturbance { anchors, noise };
            model.disturbed_gradients(problem.simd, &chains.positions, disturbance, &mut scratch.memory, gradient);
            full.clone_from(gradient);
        };
        adam_ascent::advance(self.decay, chains, chunk, fill, |_, _| ());
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    adam_ascent::check_convention(settings)?;
    Ok(Arc::new(AnchoredEnsemble { decay: parameters::decay(settings) }))
}
