//! Gibbs sampling: one coordinate after the other is drawn from its full conditional, its distribution given the other one.
//!
//! Geman and Geman (1984), IEEE Trans. Pattern Anal. 6:721; Gelfand and Smith (1990), J. Amer. Statist. Assoc. 85:398. A step
//! draws as many coordinates as the target has: each once (`systematic`), or each time one that is chosen at random (`random`,
//! which is reversible). The draws are exact.
//!
//! Where the target knows the conditional ([`Density::conditional_draw`]) the draw is one from it, independent of the coordinate
//! before. All others are draws by slice sampling ([`super::slice`]), which keep the conditional but depend on the coordinate
//! before; this is what BUGS and JAGS do. In logits and logarithms the conditionals are those of these coordinates.
//!
//! On a Gaussian with correlation ρ the coordinates of successive steps of a systematic scan have correlation ρ²: x′ = ρy + …,
//! y = ρx + ….
//!
//! Cost: a draw from a known conditional counts one evaluation, and one more for the density at its end where the other
//! coordinate needs that for a slice; a slice counts its evaluations of the density. They differ from step to step and are
//! counted in [`Population::evaluations`]. A step needs a vector of normals and, for either coordinate, one uniform for the scan and
//! those of a slice, whether it uses them or not.

use std::sync::Arc;

use super::slice::{Search, Slice, SliceOutcome};
use crate::methods::kit::parameters;
use crate::methods::kit::stepwise::{self, Step};
use crate::methods::sources;
use crate::methods::{
    Chunk, Gradient, Method, MethodEntry, MethodGroup, Needs, OnDensities, Phase, Population, Problem, Scratch,
    StepRecord, Terms,
};
use crate::schedules::Stage;
use base::math::Coords;
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};
use models::targets::{Density, Space};

/// Most coordinates.
const COORDINATES: usize = 2;

/// Widths of an interval, and points tried, at most.
const MOST: f64 = 100.0;

/// What of the algorithm a step leaves out whose draws are from closed conditionals, and one whose draws are by slices.
const CLOSED: &[Phase] = &[Phase::Ratio, Phase::Path, Phase::Proposal];
const BY_SLICES: &[Phase] = &[Phase::Noise];

/// Evaluations of a step of which nothing is known yet: four for a slice.
const USUAL: f64 = 8.0;

const PARAMS: [ParamSpec; 8] = [
    parameters::CHAINS,
    parameters::STEPS,
    parameters::START,
    ParamSpec::of(
        "scan",
        "scan",
        ParamType::Choice(&[
            Choice { name: "systematic", label: "systematic", help: "First x, then y, in every step." },
            Choice {
                name: "random",
                label: "random",
                help: "Every draw is of a coordinate chosen at random, so that some steps draw the same one twice.",
            },
        ]),
        DefaultValue::Word("systematic"),
        "The order in which the coordinates are drawn. A step has as many draws as there are coordinates.",
    ),
    ParamSpec::number(
        "width",
        "slice width w",
        2.0,
        Interval::above_to(0.0, 1e6),
        (0.05, 20.0),
        "First width of the interval in which a coordinate is searched, where its conditional has no closed form. About the \
         width of the density costs least; the draws are exact with any other.",
    )
    .log(),
    ParamSpec::integer(
        "most_widths",
        "most widths m",
        10.0,
        Interval::closed(1.0, MOST),
        (1.0, 50.0),
        "The interval is extended to at most this number of widths. Longer ones can reach the next mode.",
    )
    .folded()
    .log(),
    ParamSpec::integer(
        "most_tries",
        "most points tried",
        20.0,
        Interval::closed(1.0, MOST),
        (1.0, 50.0),
        "After so many points outside the slice a coordinate stays as it is. The draws are exact all the same.",
    )
    .folded()
    .log(),
    parameters::COLLECT,
];

pub(crate) const ENTRY: MethodEntry = MethodEntry {
    spec: KindSpec {
        name: "gibbs",
        label: "Gibbs",
        help: "Gibbs sampling (Geman and Geman 1984): draws one coordinate at a time given the other, exactly where this has a \
               closed form, by slice sampling (Neal 2003) elsewhere. It has no step size and rejects nothing, but correlated \
               coordinates make it slow.",
        params: &PARAMS,
    },
    group: MethodGroup::WithoutGradients,
    build,
    step: None,
    algorithm: include_str!("gibbs.py"),
    sources: &[sources::GEMAN, sources::GELFAND_SMITH, sources::NEAL_SLICE],
    usual: None,
};

/// The algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gibbs {
    /// Whether coordinates are chosen at random.
    pub random_scan: bool,
    /// w, above 0.
    pub width: f64,
    /// m, from 1 to 100.
    pub most_widths: u32,
    /// The largest number of points tried, from 1 to 100.
    pub most_tries: u32,
}

impl Default for Gibbs {
    fn default() -> Self {
        Self { random_scan: false, width: 2.0, most_widths: 10, most_tries: 20 }
    }
}

/// Working memory: the draws that are under way, of one coordinate of every chain.
#[derive(Clone, Debug, Default)]
pub struct GibbsSweep {
    /// In the order of the chains.
    draws: Vec<Draw>,
    /// Where their densities are asked for, and these.
    positions: Coords,
    log_densities: Vec<f64>,
}

impl GibbsSweep {
    /// Records what draw number `number` of a step, which has begun, does not need and no draw of the step before it did.
    fn leave_out(&self, number: usize, records: &mut [StepRecord]) {
        for (chain, record) in records.iter_mut().enumerate() {
            let by_slice = self.draws.iter().any(|draw| draw.chain == chain && draw.slice.is_some());
            let left_out = if by_slice { BY_SLICES } else { CLOSED };
            record.left_out = if number == 0 || record.left_out == left_out { left_out } else { &[] };
        }
    }
}

/// A draw under way.
#[derive(Clone, Copy, Debug)]
struct Draw {
    chain: usize,
    axis: usize,
    /// `None` of a coordinate that has been drawn, at whose position the density is not known yet.
    slice: Option<Slice>,
}

/// Uniforms of one coordinate of all chains.
#[derive(Clone, Copy, Debug)]
struct Uniforms<'a> {
    rows: &'a [f64],
    chains: usize,
}

impl Uniforms<'_> {
    /// That which chooses the coordinate.
    fn scan(&self, chain: usize) -> f64 {
        self.rows[chain]
    }

    /// Number `number` of those of a draw.
    fn draw(&self, chain: usize, number: usize) -> f64 {
        self.rows[(1 + number) * self.chains + chain]
    }
}

impl Method for Gibbs {
    fn needs(&self, _gradient: &Gradient) -> Needs {
        Needs { vectors: 1, uniforms: COORDINATES * self.uniforms(), masks: false }
    }

    fn on(&self, space: &Space) -> Result<Arc<dyn Method>, ParamError> {
        let Space::Vectors(_) = space else { return self.on_densities(space) };
        let problem = "Gibbs sampling is for one or two coordinates here, and this target has more";
        Err(ParamError::new("method", problem, "random-walk, hmc, nuts or another sampler"))
    }

    fn stable_below(&self, _curvature: f64) -> Option<f64> {
        None
    }

    fn advance(&self, chains: &mut Population, chunk: Chunk<'_>) {
        let Chunk { problem, steps, randomness, mut track, scratch } = chunk;
        let Some(density) = problem.density else { return };
        scratch.fill_log_densities(problem, chains);
        let mut sweep = std::mem::take(&mut scratch.sweep);
        let slices = (0..problem.free).any(|axis| !has_conditional(density, axis));
        for step in stepwise::each(steps, randomness, &chains.positions) {
            let records = step.records(&mut track);
            for (chain, record) in records.iter_mut().enumerate() {
                let from = problem.position(&chains.positions, chain);
                // What is drawn is a coordinate, which the position after the step tells.
                let terms = Some(Terms::default());
                *record = StepRecord { from, path: vec![from], terms, ..StepRecord::default() };
            }
            for number in 0..problem.free {
                self.begin(problem, (&step, number), chains, scratch, (&mut sweep, slices));
                sweep.leave_out(number, records);
                while !sweep.draws.is_empty() {
                    self.go_on(problem, (&step, number), chains, scratch, &mut sweep);
                }
                for (chain, record) in records.iter_mut().enumerate() {
                    record.path.push(problem.position(&chains.positions, chain));
                }
            }
            for record in records.iter_mut() {
                record.injected_noise = record.path[1] - record.from;
                record.to = record.path.last().copied().unwrap_or(record.from);
            }
            step.keep(problem, chains, &mut track);
        }
        scratch.sweep = sweep;
    }

    fn uses_gradients(&self) -> bool {
        false
    }

    fn most_evaluations(&self) -> Option<f64> {
        // A draw from a known conditional counts two at most.
        Some(COORDINATES as f64 * f64::from(self.search().most_evaluations().max(2)))
    }

    /// A guess; [`Population::evaluations`] is the true count.
    fn evaluations(&self, _gradient: &Gradient, _data: usize, _stage: Stage) -> f64 {
        self.most_evaluations().map_or(USUAL, |most| most.min(USUAL))
    }
}

impl Gibbs {
    fn search(&self) -> Search {
        Search { width: self.width, most_widths: self.most_widths, most_tries: self.most_tries }
    }

    /// Uniforms of one coordinate: for the scan, and of its draw.
    fn uniforms(&self) -> usize {
        1 + self.search().uniforms()
    }

    /// Those of coordinate number `number` of a step.
    fn uniforms_of<'a>(&self, (step, number): (&Step<'a>, usize), chains: usize) -> Uniforms<'a> {
        let length = self.uniforms() * chains;
        Uniforms { rows: &step.uniforms()[number * length..(number + 1) * length], chains }
    }

    /// Draws coordinate number `number` of the step where its conditional is known, and begins the slices of the others.
    fn begin(
        &self,
        problem: &Problem<'_>,
        (step, number): (&Step<'_>, usize),
        chains: &mut Population,
        scratch: &Scratch,
        (sweep, slices): (&mut GibbsSweep, bool),
    ) {
        let uniforms = self.uniforms_of((step, number), chains.len());
        // A normal of its own for every draw of the step, whatever coordinate it is of.
        let normals = step.normals(0).axis(number);
        sweep.draws.clear();
        for (chain, normal) in normals.iter().enumerate().take(chains.len()) {
            let at = chains.position(chain);
            if !(at.x.is_finite() && at.y.is_finite()) {
                continue;
            }
            let axis = if self.random_scan { chosen(uniforms.scan(chain), problem.free) } else { number };
            let numbers = [uniforms.draw(chain, 0), *normal];
            let slice = match problem.density.and_then(|density| density.conditional_draw(axis, at, numbers)) {
                Some(to) => {
                    chains.positions.axis_mut(axis)[chain] = to;
                    chains.evaluations += 1;
                    None
                }
                None => {
                    let uniform = |number| uniforms.draw(chain, number);
                    Some(Slice::begin(at[axis], scratch.log_density[chain], &self.search(), uniform))
                }
            };
            if slice.is_some() || slices {
                sweep.draws.push(Draw { chain, axis, slice });
            }
        }
    }

    /// Evaluates the density for all draws under way, and goes on with them.
    fn go_on(
        &self,
        problem: &Problem<'_>,
        (step, number): (&Step<'_>, usize),
        chains: &mut Population,
        scratch: &mut Scratch,
        sweep: &mut GibbsSweep,
    ) {
        let GibbsSweep { draws, positions, log_densities } = sweep;
        positions.resize(chains.positions.dimension(), draws.len());
        log_densities.resize(draws.len(), 0.0);
        for (slot, draw) in draws.iter().enumerate() {
            positions.copy_vector(slot, &chains.positions, draw.chain);
            if let Some(slice) = &draw.slice {
                positions.axis_mut(draw.axis)[slot] = slice.at;
            }
        }
        problem.log_densities(positions, &mut scratch.memory, log_densities);
        chains.evaluations += draws.len() as u64;
        let (search, uniforms) = (self.search(), self.uniforms_of((step, number), chains.len()));
        let mut slot = 0;
        draws.retain_mut(|draw| {
            let Draw { chain, axis, ref mut slice } = *draw;
            let log_density = log_densities[slot];
            slot += 1;
            let found = slice.as_mut().map_or(SliceOutcome::Draw, |slice| {
                slice.go_on(log_density, &search, |number| uniforms.draw(chain, number))
            });
            if found == SliceOutcome::Draw {
                scratch.log_density[chain] = log_density;
                if let Some(slice) = slice {
                    chains.positions.axis_mut(axis)[chain] = slice.at;
                }
            }
            found == SliceOutcome::Nothing
        });
    }
}

/// Whether the target knows the conditional of a coordinate.
fn has_conditional(target: &dyn Density, axis: usize) -> bool {
    target.conditional_draw(axis, target.info().start, [0.5, 0.0]).is_some()
}

/// The coordinate that a uniform chooses.
fn chosen(uniform: f64, coordinates: usize) -> usize {
    usize::from(coordinates > 1 && uniform >= 0.5)
}

fn build(settings: &Settings) -> Result<Arc<dyn Method>, Vec<ParamError>> {
    let count = |key| u32::try_from(settings.count(key)).unwrap_or(u32::MAX).max(1);
    Ok(Arc::new(Gibbs {
        random_scan: settings.word("scan") == "random",
        width: settings.number("width"),
        most_widths: count("most_widths"),
        most_tries: count("most_tries"),
    }))
}
