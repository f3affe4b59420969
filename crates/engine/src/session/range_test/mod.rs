//! Range test: short runs of one method over many step sizes, to see which of them suit the target.
//!
//! [`POINTS`] constant step sizes, evenly spaced on a logarithmic axis around the present one, each with [`CHAINS`] chains
//! of [`STEPS`] steps and a seed of its own. Lengths of drift and noise are means over the second half of the steps.
//!
//! In a mode of curvature λ, drift is on average √(αλ/2 · I) times as long as the noise, where I = 1/(1 − αλ/2) is the
//! inflation of the variance (`diagnostics/dynamics/stability.rs`). At a ratio of ½ it is I = 5/4, at αλ = 0.4. This is
//! where [`suggested`] ends.
//!
//! A run with cycles is asked something else: [`cycles`].

pub mod cycles;

use crate::scenario::{Edit, RunSpec, Scenario};
use base::params::{ParamError, Settings, Value};
use samplers::schedules;

use self::cycles::{CyclePoint, Cycles};
use super::{Command, Session};

/// Number of step sizes.
pub const POINTS: u64 = 24;

/// Chains of each run.
pub const CHAINS: u64 = 8;

/// Steps of each run.
pub const STEPS: u64 = 400;

/// Powers of ten below and above the present step size.
const POWERS: (f64, f64) = (-6.0, 2.0);

/// Drift relative to noise up to which step sizes are suggested.
const RATIO: f64 = 0.5;

/// Share of diverged chains up to which step sizes are suggested.
const DIVERGED: f64 = 0.01;

/// Acceptance of proposals between which step sizes of Metropolis methods are suggested: random walks do best near 0.35 in the
/// plane (Roberts, Gelman and Gilks 1997), Langevin proposals near 0.57 (Roberts and Rosenthal 1998).
const ACCEPTED: (f64, f64) = (0.3, 0.9);

/// Smallest suggested step size relative to the largest: smaller ones mix more slowly in proportion.
const LEAST: f64 = 0.1;

/// What short runs at one step size were like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RangePoint {
    /// The step size.
    pub alpha: f64,
    /// Root mean square length of the drift of a step; `None` if all chains diverged.
    pub drift: Option<f64>,
    /// Root mean square length of gradient noise and injected noise together; `None` if all chains diverged.
    pub noise: Option<f64>,
    /// Share of accepted proposals, of Metropolis methods.
    pub accepted: Option<f64>,
    /// Share of chains that diverged.
    pub diverged: f64,
    /// What whole cycles were like whose largest step size this is, of a run with cycles on a target with several modes.
    pub cycles: Option<CyclePoint>,
}

/// A range test under way.
#[derive(Debug)]
pub struct RangeTest {
    session: Session,
    /// The scenario of the short runs, with the seed of the first.
    scenario: Scenario,
    /// The step sizes, in order.
    alphas: Vec<f64>,
    /// How whole cycles are run, of a run that has some.
    cycles: Option<Cycles>,
}

/// Step sizes evenly spaced on a logarithmic axis, one for each point.
fn spaced(low: f64, high: f64) -> Vec<f64> {
    let ratio = libm::log(high / low);
    (0..POINTS).map(|number| low * libm::exp(ratio * number as f64 / (POINTS - 1) as f64)).collect()
}

impl RangeTest {
    /// A range test of run number `run` around the step size `centre`, on the target of step `step`.
    ///
    /// # Errors
    /// If the run has no step size, or the scenario of the short runs cannot be built.
    pub fn new(scenario: &Scenario, run: usize, step: u64, centre: f64) -> Result<Self, Vec<ParamError>> {
        let none = || vec![ParamError::new("run", "there is no run with a step size", "a run of a sampler")];
        let spec = scenario.runs.get(run).ok_or_else(none)?;
        let settings = scenario.settings_at(spec, step);
        let alone = |settings| Scenario {
            target: scenario.target_at(step).clone(),
            runs: vec![RunSpec { name: spec.name.clone(), settings }],
            events: Vec::new(),
            ..scenario.clone()
        };
        if let Some((cycles, settings)) = Cycles::of(&settings) {
            let session = Session::new(alone(settings.clone()))?;
            if let Some((cycles, alphas)) = cycles.within(&session, centre) {
                return Ok(Self { session, scenario: alone(settings), alphas, cycles: Some(cycles) });
            }
        }
        let scenario = alone(short(&settings).map_err(|error| vec![error])?);
        let [low, high] = [POWERS.0, POWERS.1].map(|power| centre * libm::pow(10.0, power));
        Ok(Self { session: Session::new(scenario.clone())?, scenario, alphas: spaced(low, high), cycles: None })
    }

    /// Computes a point.
    ///
    /// # Errors
    /// If the run cannot be built with this step size.
    pub fn point(&mut self, number: u64) -> Result<RangePoint, Vec<ParamError>> {
        let alpha = usize::try_from(number).ok().and_then(|number| self.alphas.get(number)).copied().unwrap_or(0.0);
        let mut scenario = self.scenario.clone();
        scenario.seed = scenario.seed.wrapping_add(number);
        if let Some(run) = scenario.runs.first_mut() {
            let (path, number) = match &self.cycles {
                Some(cycles) => (cycles::PEAK, cycles.number(alpha)),
                None => ("step_size.value", alpha),
            };
            run.settings.set(path, Value::Number(number)).map_err(|error| vec![error])?;
        }
        // The truth about the target is kept.
        self.session.edit(Edit::Replace(Box::new(scenario)))?;
        self.session.apply(Command::Restart)?;
        let steps = self.cycles.as_ref().map_or(STEPS, Cycles::steps);
        self.session.advance(steps);
        let cycles = self.cycles.as_ref().map(|cycles| cycles.measured(&mut self.session));
        Ok(RangePoint { cycles, ..self.measured(alpha, steps) })
    }

    fn measured(&self, alpha: f64, steps: u64) -> RangePoint {
        let frame = self.session.frame();
        let Some(run) = frame.runs.first() else {
            return RangePoint { alpha, drift: None, noise: None, accepted: None, diverged: 1.0, cycles: None };
        };
        let late = || run.parts.iter().filter(|parts| parts.step > steps / 2);
        let mean = |squares: Vec<f64>| {
            let finite: Vec<f64> = squares.into_iter().filter(|square| square.is_finite()).collect();
            let mean = finite.iter().sum::<f64>() / finite.len() as f64;
            (!finite.is_empty()).then(|| mean.sqrt())
        };
        let diverged = run.diverged.len() as f64 / run.plan.chains as f64;
        let any_left = diverged < 1.0;
        let of = |squares: Vec<f64>| if any_left { mean(squares) } else { None };
        RangePoint {
            alpha,
            drift: of(late().map(|parts| parts.drift.norm_squared()).collect()),
            noise: of(late()
                .map(|parts| parts.gradient_noise.norm_squared() + parts.injected_noise.norm_squared())
                .collect()),
            accepted: run.acceptance.rate(),
            diverged,
            cycles: None,
        }
    }
}

/// The settings of short runs: a constant step size, few chains and steps, everything else as it is.
fn short(settings: &Settings) -> Result<Settings, ParamError> {
    let mut short = settings.clone();
    short.set("step_size", Value::Group(Settings::defaults(schedules::CONSTANT)))?;
    short.set("steps", Value::Number(STEPS as f64))?;
    short.set("chains", Value::Number(CHAINS as f64))?;
    // A burn-in could be longer than the short run.
    if settings.spec_at("collect.burn_in").is_some() {
        short.set("collect.burn_in", Value::Number(0.0))?;
    }
    Ok(short)
}

/// The step sizes that are suggested, by points in order; `None` if none are. `stable` is the limit of stability, if one is
/// known.
///
/// They end at the largest step size below which drift is at most half as long as the noise, below 1 % of the chains diverge, and
/// the limit of stability is not reached; of Metropolis methods, where 30 % of the proposals are accepted. They begin at a
/// tenth of that, or where less than 90 % are accepted.
///
/// Of cycles they are those from [`cycles::left_from`] to [`cycles::stays_to`].
#[must_use]
pub fn suggested(points: &[RangePoint], stable: Option<f64>) -> Option<(f64, f64)> {
    if cycles::are_about_cycles(points) {
        return cycles::left_from(points).zip(cycles::stays_to(points)).filter(|(from, to)| from < to);
    }
    let adjusted = points.iter().any(|point| point.accepted.is_some());
    let ratio = |point: &RangePoint| match (adjusted, point.drift, point.noise) {
        (true, ..) => point.accepted.map(|accepted| ACCEPTED.0 / accepted.max(1e-9)),
        (false, Some(drift), Some(noise)) if noise > 0.0 => Some(drift / noise / RATIO),
        // A method without noise is limited by divergence alone.
        (false, Some(_), Some(_)) => Some(0.0),
        (false, ..) => None,
    };
    let good = |point: &RangePoint| {
        point.diverged < DIVERGED
            && ratio(point).is_some_and(|ratio| ratio <= 1.0)
            && stable.is_none_or(|stable| point.alpha < stable)
    };
    // Points without noise worth the name may come first; the good ones after the smallest step size are looked at.
    let last = points.iter().take_while(|point| good(point)).count().checked_sub(1)?;
    let mut high = points[last].alpha;
    if let Some(next) = points.get(last + 1)
        && let (Some(before), Some(after)) = (ratio(&points[last]), ratio(next))
        && before > 0.0
        && after > 1.0
        && next.diverged < DIVERGED
    {
        // On logarithmic axes the ratio is nearly straight between two points.
        let share = -libm::log(before) / (libm::log(after) - libm::log(before));
        high *= libm::pow(next.alpha / high, share);
    }
    let high = stable.map_or(high, |stable| high.min(stable));
    let lively = |point: &&RangePoint| point.accepted.is_some_and(|accepted| accepted <= ACCEPTED.1);
    let low = if adjusted { points[..=last].iter().find(lively).map(|point| point.alpha) } else { None };
    Some((low.unwrap_or(LEAST * high).min(high), high))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario::read;

    fn points(target: &str, method: &str, centre: f64) -> Vec<RangePoint> {
        let text = format!(
            "format = 1\nseed = 11\n[target]\n{target}\n[[run]]\nname = \"one\"\nmethod = \"{method}\"\nsteps = 9\n\
             start = {{ kind = \"target\" }}\n"
        );
        let scenario = read(&text, "range.toml", Path::new("")).unwrap();
        let mut test = RangeTest::new(&scenario, 0, 0, centre).unwrap();
        (0..POINTS).map(|number| test.point(number).unwrap()).collect()
    }

    const GAUSSIAN: &str = "kind = \"gaussian\"\nmean = [0.0, 0.0]\nsd = [1.0, 1.0]\ncorrelation = 0.0";

    /// λ = 1: the ratio of drift to noise is ½ at α = 0.4, where the variance is 5/4 of the true one; chains diverge from 2 on.
    #[test]
    fn on_the_standard_gaussian_the_suggestion_ends_at_two_fifths() {
        let points = points(GAUSSIAN, "langevin", 0.3);
        let (low, high) = suggested(&points, Some(2.0)).unwrap();
        // 8 chains of 200 steps: the ratio has a standard error below 4 %, the step size of it twice that.
        assert!((high / 0.4 - 1.0).abs() < 0.2, "{high}");
        assert!((low / high - 0.1).abs() < 1e-9);
        for point in &points {
            if point.alpha < 1.5 {
                let expected = (point.alpha / 2.0 / (1.0 - point.alpha / 2.0)).sqrt();
                let ratio = point.drift.unwrap() / point.noise.unwrap();
                assert!(point.diverged == 0.0);
                assert!((ratio / expected - 1.0).abs() < 0.35, "at {}: {ratio}, not {expected}", point.alpha);
            } else if point.alpha > 2.2 {
                assert!((point.diverged - 1.0).abs() < 1e-12 && point.drift.is_none(), "{point:?}");
            }
        }
    }

    /// λ = 1/0.03: the suggestion ends near 0.4/λ = 0.012, far below the limit 0.06.
    #[test]
    fn on_the_grid_of_gaussians_the_suggestion_suits_its_modes() {
        let points = points("kind = \"gaussian-grid\"", "sgld", 0.043);
        let (_, high) = suggested(&points, Some(0.06)).unwrap();
        assert!((high / 0.012 - 1.0).abs() < 0.25, "{high}");
    }

    #[test]
    fn proposals_are_judged_by_their_acceptance() {
        let points = points(GAUSSIAN, "mala", 0.3);
        let (low, high) = suggested(&points, None).unwrap();
        assert!(low < high && high < 20.0);
        // Acceptance is noisy with 3200 proposals, but not by so much.
        for point in points.iter().filter(|point| point.alpha > 1.001 * low) {
            let accepted = point.accepted.unwrap();
            assert!(accepted < 0.92 && (accepted > 0.28) == (point.alpha < high), "{point:?} {low} {high}");
        }
    }

    #[test]
    fn points_are_around_the_present_step_size_and_can_be_repeated() {
        let (one, other) = (points(GAUSSIAN, "sgld", 0.3), points(GAUSSIAN, "sgld", 0.3));
        assert_eq!(one, other);
        assert!((one[0].alpha / 0.3e-6 - 1.0).abs() < 1e-9 && (one[23].alpha / 30.0 - 1.0).abs() < 1e-9);
        assert_eq!(suggested(&[], None), None);
    }
}
