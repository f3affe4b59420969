//! Range test of a run with cycles: which largest step size α₀ leaves a mode, and up to which one the draws stay within modes.
//!
//! Cycles are as long as those of the run: their schedule has another α₀ at each point. [`CHAINS`] chains take [`CYCLES`] whole cycles,
//! fewer of long ones; the first of them is left out. A cycle has left its mode if its end is nearest to another one than the end of the
//! cycle before. A draw has strayed if it is more than three standard deviations from the nearest mode, as one exact draw in 90 is around a
//! Gaussian. At [`left_from`] half of the cycles leave their mode, and at [`stays_to`] a share [`STRAY`] of the collected draws has strayed.

use crate::session::{Session, cycle_ends};
use base::params::{Settings, Value};
use samplers::schedules::{self, CYCLICAL};

use super::{CHAINS, RangePoint, spaced};

/// The parameter with the largest step size.
pub(super) const PEAK: &str = "step_size.initial";

/// Whole cycles of each chain, the first of which does not count.
const CYCLES: u64 = 5;

/// Steps of each chain at most; with cycles so long that two of them take more, nothing is asked about cycles.
const MOST_STEPS: u64 = 20_000;

/// Factors below the smaller and above the larger of the present α₀ and the limit of stability.
const BEYOND: (f64, f64) = (10.0, 3.0);

/// The same where no limit is known: below and above the present α₀.
const AROUND: (f64, f64) = (100.0, 10.0);

/// Share of cycles that leave their mode from which on α₀ is large enough.
pub const LEAVE: f64 = 0.5;

/// Share of strayed draws up to which α₀ is small enough.
pub const STRAY: f64 = 0.15;

/// What whole cycles were like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CyclePoint {
    /// Share of cycles that end in another mode than the one before; `None` if no chain came so far.
    pub left: Option<f64>,
    /// Share of the collected draws more than three standard deviations from the nearest mode; `None` without draws.
    pub stray: Option<f64>,
}

/// How whole cycles are run.
#[derive(Clone, Debug)]
pub(super) struct Cycles {
    /// Steps of all cycles, and of the first.
    steps: u64,
    /// The α of a number 1 in the settings.
    unit: f64,
    /// The smallest number that the settings allow.
    least: f64,
}

impl Cycles {
    /// The cycles of a run, and the settings of runs to test them; `None` if it has none, or too long ones.
    pub(super) fn of(settings: &Settings) -> Option<(Self, Settings)> {
        let group = settings.group("step_size").filter(|group| group.kind.name == CYCLICAL.name)?;
        let all = settings.count("steps");
        let schedule = schedules::build(group, all).ok()?;
        // Cycles are numbered in order, and so found by halving.
        let end_of = |cycle: u64| {
            let (mut within, mut beyond) = (0, all.min(MOST_STEPS) + 1);
            while beyond - within > 1 {
                let middle = within + (beyond - within) / 2;
                if schedule.cycle(middle).is_some_and(|number| number < cycle) {
                    within = middle;
                } else {
                    beyond = middle;
                }
            }
            within
        };
        let whole = |cycle: &u64| {
            let end = end_of(*cycle);
            end == all || schedule.cycle(end + 1) == Some(*cycle)
        };
        let count = (2..=CYCLES).rev().find(|cycle| whole(cycle) && end_of(*cycle) > end_of(*cycle - 1))?;
        let mut short = settings.clone();
        short.set("chains", Value::Number(CHAINS as f64)).ok()?;
        if settings.spec_at("collect.burn_in").is_some() {
            short.set("collect.burn_in", Value::Number(end_of(1) as f64)).ok()?;
        }
        let unit = if schedules::in_epsilon(group) { 0.5 } else { 1.0 };
        let least = group.optional_number("minimum").unwrap_or(0.0);
        Some((Self { steps: end_of(count), unit, least }, short))
    }

    /// The same with the step sizes of the points, where the target has several modes with a width.
    pub(super) fn within(self, session: &Session, centre: f64) -> Option<(Self, Vec<f64>)> {
        let frame = session.frame();
        let truth = &frame.truth;
        if truth.modes().len() < 2 || !truth.modes_have_width() {
            return None;
        }
        let (low, high) = match frame.runs.first()?.stable_below(truth) {
            Some(stable) => (centre.min(stable) / BEYOND.0, centre.max(stable) * BEYOND.1),
            None => (centre / AROUND.0, centre * AROUND.1),
        };
        let alphas = spaced(low.max(self.least * self.unit), high);
        Some((self, alphas))
    }

    /// Steps of each chain.
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    /// The number in the settings for an α.
    pub(super) fn number(&self, alpha: f64) -> f64 {
        (alpha / self.unit).max(self.least)
    }

    /// What the cycles of a session were like.
    pub(super) fn measured(&self, session: &mut Session) -> CyclePoint {
        session.measure();
        let frame = session.frame();
        let Some(run) = frame.runs.first() else { return CyclePoint { left: None, stray: None } };
        let (mut pairs, mut left) = (0_u64, 0_u64);
        for chain in 0..run.plan.chains {
            // The run goes on after these steps, so the end of the last cycle is not told where it is not over.
            let modes: Vec<usize> = cycle_ends(run, chain).iter().map(|end| frame.truth.mode_of(end.at)).collect();
            pairs += modes.windows(2).count() as u64;
            left += modes.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
        }
        let within = run.measures.iter().find(|measure| measure.key == "within_3sd").and_then(|measure| measure.value);
        CyclePoint { left: (pairs > 0).then(|| left as f64 / pairs as f64), stray: within.map(|within| 1.0 - within) }
    }
}

/// The smallest α₀ from which on cycles leave their mode; `None` if there is none among the points.
#[must_use]
pub fn left_from(points: &[RangePoint]) -> Option<f64> {
    crossing(points, LEAVE, |cycles| cycles.left)
}

/// The largest α₀ up to which the draws stay within modes; `None` if they do at no point, or at all of them.
#[must_use]
pub fn stays_to(points: &[RangePoint]) -> Option<f64> {
    let first = points.first()?.cycles?.stray?;
    if first > STRAY { None } else { crossing(points, STRAY, |cycles| cycles.stray) }
}

/// Whether the points are about cycles.
#[must_use]
pub fn are_about_cycles(points: &[RangePoint]) -> bool {
    points.iter().any(|point| point.cycles.is_some())
}

/// Where a share first comes to `level`, on a straight line in log α between two points.
fn crossing(points: &[RangePoint], level: f64, share: fn(CyclePoint) -> Option<f64>) -> Option<f64> {
    let known = points.iter().filter_map(|point| Some((point.alpha, share(point.cycles?)?)));
    let mut before: Option<(f64, f64)> = None;
    for (alpha, value) in known {
        if value >= level {
            let (from, low) = before.unwrap_or((alpha, value));
            let part = if value > low { (level - low) / (value - low) } else { 1.0 };
            return Some(from * libm::pow(alpha / from, part));
        }
        before = Some((alpha, value));
    }
    None
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{POINTS, RangeTest, suggested};
    use super::*;
    use crate::scenario::read;

    fn points(schedule: &str, steps: u64, target: &str) -> Vec<RangePoint> {
        let text = format!(
            "format = 1\nseed = 11\n[target]\nkind = \"{target}\"\n[[run]]\nname = \"one\"\nmethod = \"csgld\"\nsteps = {steps}\n\
             gradient = {{ kind = \"noisy\", variance = 1.0, compensate = true }}\nstep_size = {{ kind = \"cyclical\", {schedule} }}\n"
        );
        let scenario = read(&text, "range.toml", Path::new("")).unwrap();
        let mut test = RangeTest::new(&scenario, 0, 0, 0.07).unwrap();
        (0..POINTS).map(|number| test.point(number).unwrap()).collect()
    }

    /// The 25 Gaussians of the article with its number of steps and cycles: cycles find other modes from about 0.055 on, and draws stay
    /// near modes up to about 0.07, where a quarter of a cycle is above the limit of stability 0.06.
    #[test]
    fn on_the_grid_of_gaussians_cycles_leave_and_stay() {
        let points = points("initial = 0.07, cycles = 30", 50_000, "gaussian-grid");
        let (from, to) = suggested(&points, Some(0.06)).unwrap();
        assert!((0.046..0.062).contains(&from) && (0.06..0.078).contains(&to), "{from} {to}");
        assert_eq!((left_from(&points), stays_to(&points)), (Some(from), Some(to)));
        assert_eq!(points, self::points("initial = 0.07, cycles = 30", 50_000, "gaussian-grid"));
    }

    /// In Welling and Teh's convention the numbers are twice as large, and the step sizes the same; a minimum bounds them from below.
    #[test]
    fn conventions_and_minima_are_kept() {
        let plain = points("initial = 0.07, cycles = 10", 4000, "gaussian-grid");
        let epsilon = points("initial = 0.14, cycles = 10, convention = \"welling-teh\"", 4000, "gaussian-grid");
        for (one, other) in plain.iter().zip(&epsilon) {
            assert!((one.alpha / other.alpha - 1.0).abs() < 1e-12 && one.cycles == other.cycles, "{one:?} {other:?}");
        }
        let bounded = points("initial = 0.07, cycles = 10, minimum = 0.02", 4000, "gaussian-grid");
        assert!((bounded[0].alpha - 0.02).abs() < 1e-12, "{:?}", bounded[0]);
    }

    #[test]
    fn cycles_are_not_asked_about_where_they_are_too_long_or_there_is_one_mode() {
        assert!(!are_about_cycles(&points("initial = 0.07, cycles = 2", 50_000, "gaussian-grid")));
        assert!(!are_about_cycles(&points("initial = 0.07, cycles = 10", 4000, "gaussian")));
        assert!(are_about_cycles(&points(
            "initial = 0.07, cycles = 10, growth = 1.1, warm_up = 50",
            4000,
            "gaussian-grid"
        )));
    }
}
