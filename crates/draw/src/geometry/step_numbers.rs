//! The numbers of a step: what a term of its formula, or a line of its algorithm, comes to for one chain.

use crate::words::numbers;
use base::math::Point;
use engine::session::RunFrame;
use samplers::methods::{Algorithm, Phase, StepRecord, Stop};

/// Digits of numbers.
const DIGITS: usize = 4;

/// What the newest step of a chain has for a phase, as a line of text; `None` where nothing is known of it.
#[must_use]
pub fn numbers_of(
    algorithm: &Algorithm,
    (run, chain, dimension): (&RunFrame, usize, usize),
    phase: Phase,
) -> Option<String> {
    let record = run.records.get(chain);
    let term = term(algorithm, phase);
    let named = |at: Point| Some(format!("{term} = {}", point(at, dimension)));
    match phase {
        Phase::Position => named(record?.from),
        // The record of a fit has the way of the mean, not its parts.
        Phase::Gradient | Phase::Noise | Phase::Carried if run.fits.is_some() => None,
        Phase::Gradient => {
            let record = record.filter(|record| drift(record) != Point::zeros())?;
            let noise = (record.gradient_noise != Point::zeros())
                .then(|| format!(", {} of it gradient noise", point(record.gradient_noise, dimension)));
            Some(format!("{term} = {}{}", point(drift(record), dimension), noise.unwrap_or_default()))
        }
        Phase::Noise => named(record.filter(|record| record.injected_noise != Point::zeros())?.injected_noise),
        Phase::Carried => named(record.filter(|record| record.carried != Point::zeros())?.carried),
        Phase::Path => path(record?),
        Phase::Proposal => named(record?.proposal?.at),
        Phase::Ratio => {
            let proposal = record?.proposal?;
            let (ratio, probability) = (short(proposal.log_ratio), short(proposal.probability));
            Some(format!("log ratio = {ratio}, probability {probability}"))
        }
        Phase::Decision => decision(record?),
        Phase::Exchange => {
            let rungs = &record.filter(|record| !record.rungs.is_empty())?.rungs;
            let swapped = rungs.iter().filter(|rung| rung.swapped == Some(true)).count();
            let proposed = rungs.iter().filter(|rung| rung.swapped.is_some()).count();
            Some(format!("{swapped} of {proposed} proposed exchanges"))
        }
        Phase::Fit | Phase::Estimate => fit(run, chain, dimension, phase),
        Phase::Adapt => adapted(record),
        Phase::Data => None,
        Phase::Move => Some(format!("new θ = {}", point(record?.to, dimension))),
    }
}

/// The displacement by the gradient estimate.
fn drift(record: &StepRecord) -> Point {
    record.drift + record.gradient_noise
}

/// The term of a formula that is about a phase, or a word in its place.
fn term(algorithm: &Algorithm, phase: Phase) -> &'static str {
    let of_phase = algorithm.formulas.iter().flatten().find(|piece| piece.phase == Some(phase));
    of_phase.map_or(phase.name(), |piece| piece.text)
}

fn path(record: &StepRecord) -> Option<String> {
    let Some(tree) = record.trajectory.as_deref() else {
        let steps = record.path.len().checked_sub(1).filter(|steps| *steps > 0)?;
        return Some(format!("{steps} leapfrog steps"));
    };
    let [back, forth] = tree.products.map(short);
    Some(format!("{} doublings, {} leapfrog steps; ρ·r⁻ = {back}, ρ·r⁺ = {forth}", tree.depth(), tree.leapfrog_steps()))
}

/// Why a tree of NUTS grows no further.
#[must_use]
pub fn why_stopped(stop: Stop) -> &'static str {
    match stop {
        Stop::Turn => "the ends turn towards each other",
        Stop::TurnWithin => "the ends of a part of the newest subtree turn towards each other",
        Stop::Divergence => "the energy error is above 1000",
        Stop::Depth => "the tree has its largest depth",
    }
}

fn decision(record: &StepRecord) -> Option<String> {
    if let Some(tree) = record.trajectory.as_deref() {
        return Some(format!(
            "point {} of {}; stopped: {}",
            tree.chosen,
            tree.leapfrog_steps(),
            why_stopped(tree.stop)
        ));
    }
    let proposal = record.proposal?;
    let (uniform, probability) = (short(proposal.uniform), short(proposal.probability));
    let (sign, word) = if proposal.accepted { ("<", "accepted") } else { ("≥", "rejected") };
    Some(format!("u = {uniform} {sign} {probability}: {word}"))
}

/// What NUTS adapts.
fn adapted(record: Option<&StepRecord>) -> Option<String> {
    let tree = record?.trajectory.as_deref()?;
    let left = tree.warm_up_left.map(|left| format!(", {left} steps of the warm-up left")).unwrap_or_default();
    Some(format!("h = {}{left}", short(tree.step_size)))
}

/// The fitted distribution after the step, in θ.
fn fit(run: &RunFrame, chain: usize, dimension: usize, phase: Phase) -> Option<String> {
    let fits = run.fits.as_ref()?;
    if phase == Phase::Estimate {
        return fits.records.get(chain)?.elbo.map(|elbo| format!("ELBO {}", short(elbo.value)));
    }
    let moments = fits.moments.as_ref()?;
    let covariance = moments.covariance;
    let sd = |axis: usize| covariance[(axis, axis)].max(0.0).sqrt();
    let mean = point(moments.mean, dimension);
    Some(format!("mean {mean}, sd {}", point(Point::new(sd(0), sd(1)), dimension)))
}

fn point(at: Point, dimension: usize) -> String {
    if dimension == 1 { short(at.x) } else { format!("({}, {})", short(at.x), short(at.y)) }
}

fn short(number: f64) -> String {
    numbers::significant(number, DIGITS)
}
