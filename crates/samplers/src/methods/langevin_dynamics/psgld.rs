//! Preconditioned SGLD: Langevin dynamics whose steps are scaled per coordinate, as in RMSprop.
//!
//! v ← ρ v + (1 − ρ) ĝ², G = 1/(δ + √v), θ ← θ + α (G ĝ + Γ) + √(2αG) ξ, ξ ~ N(0, I).
//!
//! Li, Chen, Carlson and Carin (2016), "Preconditioned stochastic gradient Langevin dynamics for deep neural networks",
//! AAAI, arXiv:1512.07666, algorithm 1, with their ε = 2α, α = ρ and λ = δ. They square the mean gradient of a
//! minibatch, without prior. Here ĝ is an estimate of ∇ log p as in all methods, N times as large with N data, and so
//! is √v, with which δ is to be compared. v starts at 0, so that the first steps are about 1/√(1 − ρ) times as long.
//!
//! With `scale = "mean"` v is the average of (ĝ/N)², as in the literature apart from the prior, and starts at 1, so that the
//! first steps are short. From the same v the steps are those of `"sum"` with Nα in the place of α and Nδ in that of δ.
//!
//! Since, from v = 0,
//! |ĝ|/√v ≤ 1/√(1 − ρ), the drift of a step is never longer than α/√(1 − ρ): the method is stable at every step size, but
//! long steps jump across a mode and back.
//!
//! Γᵢ = Σⱼ ∂Gᵢⱼ/∂θⱼ = ∂Gᵢ/∂θᵢ is the correction with which a diffusion that depends on the position keeps the density
//! stationary. With v as above and its past held fixed (as in the paper), ∂vᵢ/∂θᵢ = 2(1 − ρ) ĝᵢ Hᵢᵢ, H = ∇² log p, hence
//!
//! Γᵢ = −Gᵢ² (1 − ρ) ĝᵢ Hᵢᵢ/√vᵢ.
//!
//! The paper omits it, because it is small for ρ near 1, and so does this file unless `gamma` is on. It is not small
//! where v is small, e.g. in the first steps near a mode: unless δ limits G, chains jump far away. H is that of the
//! full density also where ĝ is an estimate; it costs one evaluation. For ρ = 0 the step depends on θ alone, and in one
//! dimension small steps sample p/G without Γ and p with Γ. At the usual ρ = 0.99 and δ = 10⁻⁵ the draws are too wide
//! without Γ: on N(0, 1) at α = 0.01 their variance is 1.33.

use std::sync::Arc;

use crate::methods::kit::parameters;
use crate::methods::kit::stepwise::{self, Normals, Step};
use crate::methods::sources;
use crate::methods::{
    Chunk, Gradient, Method, MethodEntry, MethodGroup, Needs, OnDensities, Population, Problem, Scratch, StepRecord,
    StepScale, StepSpec, Terms,
};
use crate::schedules::{POLYNOMIAL, Stage};
use base::math::Coords;
use base::math::elementary::Kernel;
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};
use models::targets::Space;

const PARAMS: [ParamSpec; 10] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    parameters::PLAIN_GRADIENT,
    parameters::step_size(POLYNOMIAL),
    ParamSpec::number(
        "decay",
        "decay rate ρ",
        0.99,
        Interval { min: 0.0, max: 1.0, open_min: false, open_max: true },
        (0.5, 0.999),
        "The share of the moving average of squared gradients that is kept per step: it covers about 1/(1 − ρ) steps.",
    ).folded(),
    ParamSpec::number(
        "floor",
        "floor δ",
        1e-5,
        Interval::POSITIVE,
        (1e-6, 10.0),
        "Added to the root of that average, which limits the scale of a step. With a large value the method is SGLD with \
         step size α/δ.",
    ).folded()
    .log(),
    ParamSpec::of(
        "scale",
        "gradients squared",
        ParamType::Choice(&[
            Choice { name: "sum", label: "sum", help: "The gradient of log p, a sum over all data. The average starts at 0." },
            Choice {
                name: "mean",
                label: "mean",
                help: "That gradient divided by the number of data N, as in the literature. The average starts at 1.",
            },
        ]),
        DefaultValue::Word("sum"),
        "Which gradients are squared and averaged. Step sizes and floors of the literature are those of the mean.",
    )
    .folded()
    .fixed(),
    ParamSpec::of(
        "gamma",
        "Γ term",
        ParamType::Flag,
        DefaultValue::Flag(false),
        "Adds the correction for a scale that depends on the position. The paper omits it; it needs second derivatives, and \
         a floor δ that is not too small.",
    ).folded(),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "psgld",
        label: "pSGLD",
        help: "Preconditioned SGLD (Li et al. 2016): every coordinate has its own step size, from a moving average of \
               squared gradients as in RMSprop.",
        params: &PARAMS,
    },
    group: MethodGroup::StochasticGradients,
    build,
    step: Some(StepSpec {
        formula: "θ ← θ + α (G ĝ + Γ) + noise, G = 1/(δ + √v), v the average of ĝ², or of (ĝ/N)² with scale = \"mean\".",
        noise: Some("√(2αG) ξ with ξ ~ N(0, I), variance 2αG."),
        scale: StepScale::Langevin,
    }),
    algorithm: include_str!("psgld.py"),
    sources: &[sources::LI],
    usual: None,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Psgld {
    /// ρ, in [0, 1).
    pub decay: f64,
    /// δ, above 0.
    pub floor: f64,
    /// Whether Γ is added.
    pub gamma: bool,
    /// Whether gradients are divided by N before they are squared, and v starts at 1.
    pub mean: bool,
}

impl Psgld {
    /// By how much gradients are multiplied before they are squared.
    fn unit(&self, problem: &Problem<'_>) -> f64 {
        if self.mean { 1.0 / problem.data_count().max(1) as f64 } else { 1.0 }
    }

    /// v ← ρ v + (1 − ρ) ĝ² for all chains.
    fn update_means(&self, problem: &Problem<'_>, chains: &mut Population, scratch: &Scratch) {
        let unit = self.unit(problem);
        let Some(means) = chains.carried.first_mut() else { return };
        let moving = problem.free * means.len();
        for (v, g) in means.values_mut().iter_mut().zip(scratch.gradient.values()).take(moving) {
            let g = unit * g;
            *v = self.decay * *v + (1.0 - self.decay) * (g * g);
        }
    }

    /// Γ of all chains, where it is wanted; else the zeros in its place stay.
    fn fill_gamma(&self, problem: &Problem<'_>, chains: &Population, scratch: &mut Scratch) {
        let Some(means) = chains.carried.first().filter(|_| self.gamma) else { return };
        let unit = self.unit(problem);
        scratch.spread_evenly(&chains.positions, 0.0);
        let Scratch { gradient, spread, vector, memory, .. } = scratch;
        vector.resize(chains.positions.dimension(), 0.0);
        for chain in 0..chains.len() {
            if !problem.model.is_some_and(|model| model.hessian_diagonal(&chains.positions, chain, memory, vector)) {
                return;
            }
            for (axis, curvature) in vector.iter().enumerate().take(problem.free) {
                let root = means.get(chain, axis).sqrt();
                // v is 0 only if all gradients so far were 0; then no correction is needed.
                if root > 0.0 {
                    let scale = 1.0 / (self.floor + root);
                    let g = (unit * unit) * gradient.get(chain, axis);
                    spread.axis_mut(axis)[chain] = -(scale * scale) * (1.0 - self.decay) * g * curvature / root;
                }
            }
        }
    }

    /// Moves the chains, and folds them back into the support.
    fn go(&self, problem: &Problem<'_>, step: &Step<'_>, chains: &mut Population, scratch: &Scratch) {
        let sd = if step.noise { (2.0 * step.alpha).sqrt() } else { 0.0 };
        let normals = step.normals(problem.gradient.vectors());
        let Population { positions, carried, .. } = &mut *chains;
        let Some(means) = carried.first() else { return };
        let Scratch { gradient, spread, .. } = scratch;
        let (floor, alpha, free) = (self.floor, step.alpha, problem.free);
        problem.simd.dispatch(PsgldMove { floor, alpha, sd, free, means, gradient, gamma: spread, normals, positions });
        problem.fold(positions);
    }

    /// Records the parts of the step before it is taken. Γ counts as drift.
    fn begin_records(
        &self,
        problem: &Problem<'_>,
        step: &Step<'_>,
        chains: &Population,
        scratch: &mut Scratch,
        records: &mut [StepRecord],
    ) {
        if records.is_empty() {
            return;
        }
        scratch.fill_full(problem, chains, records.len());
        let sd = if step.noise { (2.0 * step.alpha).sqrt() } else { 0.0 };
        let normals = step.normals(problem.gradient.vectors());
        let Some(means) = chains.carried.first() else { return };
        let Scratch { gradient, full, spread, .. } = &*scratch;
        for (chain, record) in records.iter_mut().enumerate() {
            let scale = |axis| 1.0 / (self.floor + means.get(chain, axis).sqrt());
            let drift = |axis| scale(axis) * full.get(chain, axis) + spread.get(chain, axis);
            let error = |axis| gradient.get(chain, axis) - full.get(chain, axis);
            let noise = problem.displacement(|axis| sd * scale(axis).sqrt() * normals.axis(axis)[chain]);
            let estimate = |g: &dyn Fn(usize) -> f64| problem.displacement(|axis| step.alpha * (scale(axis) * g(axis)));
            let gradient = Some([estimate(&|axis| full.get(chain, axis)), estimate(&error)]);
            *record = StepRecord {
                terms: Some(Terms { carried: None, gradient, noise: Some(noise) }),
                from: problem.position(&chains.positions, chain),
                drift: problem.displacement(|axis| step.alpha * drift(axis)),
                gradient_noise: problem.displacement(|axis| step.alpha * (scale(axis) * error(axis))),
                injected_noise: noise,
                ..StepRecord::default()
            };
        }
    }
}

impl Method for Psgld {
    fn needs(&self, gradient: &Gradient) -> Needs {
        Needs { vectors: gradient.vectors() + 1, ..Needs::default() }
    }

    fn scales_with_loss(&self) -> bool {
        self.mean
    }

    fn carries(&self) -> &'static [&'static str] {
        &["mean square"]
    }

    fn init(&self, starts: Coords, _alpha: f64, _normals: Coords) -> Population {
        let mut means = Coords::zeros(starts.dimension(), starts.len());
        means.values_mut().fill(if self.mean { 1.0 } else { 0.0 });
        Population { carried: vec![means], ..Population::at(starts) }
    }

    fn on(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError> {
        let Some(model) = space.model().filter(|_| self.gamma) else { return self.on_densities(space) };
        let mut diagonal = vec![0.0; model.dimension()];
        let start = Coords::of(model.dimension(), [&model.start()[..]].into_iter());
        if model.hessian_diagonal(&start, 0, &mut Vec::new(), &mut diagonal) {
            return self.on_densities(space);
        }
        Err(ParamError::new("gamma", "this target has no second derivatives", "false"))
    }

    fn stable_below(&self, _curvature: f64) -> Option<f64> {
        None
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        scratch.spread_evenly(&chains.positions, 0.0);
        for step in stepwise::each(steps, randomness, &chains.positions) {
            scratch.fill_estimates(problem, &step, chains);
            self.update_means(problem, chains, scratch);
            self.fill_gamma(problem, chains, scratch);
            let records = step.records(&mut track);
            self.begin_records(problem, &step, chains, scratch, records);
            self.go(problem, &step, chains, scratch);
            for (chain, record) in records.iter_mut().enumerate() {
                record.to = problem.position(&chains.positions, chain);
            }
            step.keep(problem, chains, &mut track);
        }
    }

    fn evaluations(&self, gradient: &Gradient, data: usize, _stage: Stage) -> f64 {
        gradient.uncompensated().cost(data) + if self.gamma { 1.0 } else { 0.0 }
    }
}

/// The move of all chains, in all coordinates in which they move.
struct PsgldMove<'a> {
    floor: f64,
    alpha: f64,
    /// √(2α), or 0 for steps without noise.
    sd: f64,
    /// Number of these coordinates.
    free: usize,
    means: &'a Coords,
    gradient: &'a Coords,
    gamma: &'a Coords,
    normals: Normals<'a>,
    positions: &'a mut Coords,
}

impl Kernel for PsgldMove<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { floor, alpha, sd, free, means, gradient, gamma, normals, positions } = self;
        for axis in 0..free {
            let (v, g, gamma) = (means.axis(axis), gradient.axis(axis), gamma.axis(axis));
            let x = positions.axis_mut(axis).iter_mut();
            for ((((x, v), g), gamma), normal) in x.zip(v).zip(g).zip(gamma).zip(normals.axis(axis)) {
                let scale = 1.0 / (floor + v.sqrt());
                *x += alpha * (scale * g + gamma) + sd * scale.sqrt() * normal;
            }
        }
    }
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    Ok(Arc::new(Psgld {
        decay: settings.number("decay"),
        floor: settings.number("floor"),
        gamma: settings.flag("gamma"),
        mean: settings.word("scale") == "mean",
    }))
}
