//! Curves of step sizes over a range of steps, with at most a few points per pixel; of the first chain, where each adapts its own.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::kit::mesh_cache::MeshCache;
use crate::kit::time_axis::{as_f64, as_u64};
use engine::scenario::RunPlan;
use engine::session::RunFrame;

/// Points per pixel: schedules are smooth between jumps, and jumps are exact to the pixel.
const PER_PIXEL: u64 = 4;

/// Number of steps at which the largest step size of a run is searched.
const PROBES: u64 = 4096;

/// The curves of all runs, computed again when a plan or the range changes.
#[derive(Debug, Default)]
pub struct ScheduleCache {
    curves: BTreeMap<usize, Curve>,
    /// Curves made so far.
    made: u64,
}

#[derive(Debug)]
struct Curve {
    plan: Arc<RunPlan>,
    /// The newest step size of the first chain, in bits.
    newest: u64,
    range: Range<f64>,
    width: f32,
    largest: f64,
    points: Vec<[f64; 2]>,
    /// A number that no other curve has had.
    version: u64,
    kept: MeshCache,
}

impl ScheduleCache {
    /// Updates the curve of a run; returns the largest step size of the whole run, but for a warm-up.
    pub(super) fn prepare(&mut self, run: usize, of: &RunFrame, range: &Range<f64>, width: f32) -> f64 {
        // Adapted step sizes are known up to the newest step.
        let newest = if of.plan.adapts() { of.step_size(0, of.step.max(1)).to_bits() } else { 0 };
        let is_of = |curve: &&Curve| Arc::ptr_eq(&curve.plan, &of.plan) && curve.newest == newest;
        let known = self.curves.get(&run).filter(is_of);
        let largest = known.map_or_else(|| largest(of), |curve| curve.largest);
        if known.is_none_or(|curve| curve.range != *range || (curve.width - width).abs() > 0.5) {
            self.made += 1;
            let curve = Curve {
                plan: of.plan.clone(),
                newest,
                range: range.clone(),
                width,
                largest,
                points: points(of, range, width),
                version: self.made,
                kept: MeshCache::default(),
            };
            self.curves.insert(run, curve);
        }
        largest
    }

    /// The points (step, α) of a run.
    pub(super) fn points(&self, run: usize) -> &[[f64; 2]] {
        self.curves.get(&run).map_or(&[], |curve| &curve.points)
    }

    /// The tessellated curve of a run, with a number that changes with its points.
    pub(super) fn kept(&self, run: usize) -> Option<(&MeshCache, u64)> {
        self.curves.get(&run).map(|curve| (&curve.kept, curve.version))
    }
}

/// The largest step size of a run among evenly spaced steps and the first steps of segments. A warm-up tries step sizes that may be many times
/// as large as any later: it counts only until it ends.
fn largest(of: &RunFrame) -> f64 {
    let plan = &of.plan;
    let stride = plan.steps.div_ceil(PROBES).max(1);
    let probes = (0..PROBES).map(|probe| 1 + probe * stride).take_while(|&step| step <= plan.steps);
    let begins = plan.segments.iter().map(|segment| segment.from + 1);
    let warm_up = warm_up(of).filter(|end| of.step > *end).unwrap_or(0);
    probes
        .chain(begins)
        .filter(|step| *step > warm_up)
        .map(|step| of.step_size(0, step))
        .filter(|alpha| alpha.is_finite())
        .fold(0.0, f64::max)
}

/// The last step in which a run that adapts its step sizes does so, if it goes on after it.
pub(super) fn warm_up(of: &RunFrame) -> Option<u64> {
    let ends = of.plan.milestones().into_iter().map(|(step, _)| step);
    ends.max().filter(|end| of.plan.adapts() && *end < of.plan.steps)
}

/// The points of the curve: every step where they are few, [`PER_PIXEL`] per pixel where they are many.
fn points(of: &RunFrame, range: &Range<f64>, width: f32) -> Vec<[f64; 2]> {
    let first = as_u64(range.start.floor()).max(1);
    let last = as_u64(range.end.ceil()).min(of.plan.steps);
    let most = as_u64(f64::from(width.max(1.0))) * PER_PIXEL;
    let stride = (last.saturating_sub(first) / most.max(1)).max(1);
    // Aligned with the first step of the run: the points stay the same when the range moves.
    let start = first - (first - 1) % stride;
    let steps = (0..).map(|number| start + number * stride).take_while(|&step| step < last).chain([last]);
    steps.filter(|&step| step >= 1).map(|step| [as_f64(step), of.step_size(0, step)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, Recipe, frame};

    fn plan(total: u64, cycle: u64) -> RunFrame {
        let recipe = Recipe { name: "run", chains: 1, steps: 1, total, alpha: 0.07, cycle };
        frame(Fake::grid(), &[recipe]).runs[0].clone()
    }

    #[test]
    fn few_steps_have_a_point_each() {
        let found = points(&plan(50, 10), &(0.0..50.0), 800.0);
        assert_eq!(found.iter().map(|point| point[0]).collect::<Vec<_>>(), (1..=50).map(f64::from).collect::<Vec<_>>());
    }

    #[test]
    fn many_steps_cost_a_few_points_per_pixel() {
        let plan = plan(10_000_000, 100_000);
        let found = points(&plan, &(0.0..10_000_000.0), 800.0);
        assert!(found.len() <= 800 * 5, "{} points", found.len());
        assert_eq!(found.first().map(|point| point[0]), Some(1.0));
        assert_eq!(found.last().map(|point| point[0]), Some(10_000_000.0));
        assert!((largest(&plan) - 0.07).abs() < 1e-12);
    }

    #[test]
    fn curves_are_kept_while_nothing_changes() {
        let (plan, mut cache) = (plan(1000, 100), ScheduleCache::default());
        assert!((cache.prepare(0, &plan, &(0.0..1000.0), 300.0) - 0.07).abs() < 1e-12);
        let address = cache.points(0).as_ptr();
        cache.prepare(0, &plan, &(0.0..1000.0), 300.0);
        assert_eq!(cache.points(0).as_ptr(), address);
        cache.prepare(0, &plan, &(0.0..500.0), 300.0);
        assert_eq!(cache.points(0).last().map(|point| point[0]), Some(500.0));
    }
}
