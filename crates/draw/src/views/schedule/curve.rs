//! Curves of step sizes over a range of steps, with at most a few points per pixel; of the first chain, where each adapts its own.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::kit::mesh_cache::MeshCache;
use crate::kit::time_axis::{as_f64, as_u64};
use engine::scenario::RunPlan;
use engine::session::RunFrame;

/// Points per pixel. Between two of them there may be a peak or a jump of its own, which is looked for.
const PER_PIXEL: u64 = 4;

/// Number of steps at which peaks between points are looked for. Where cycles begin is found exactly.
const SEARCHED: u64 = 32_768;

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
    /// The width of a cycle on the screen where they are narrowest.
    cycle: f32,
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
                cycle: narrowest_cycle(of, range, width),
                version: self.made,
                kept: MeshCache::default(),
            };
            self.curves.insert(run, curve);
        }
        largest
    }

    /// The largest step size of a run, but for a warm-up.
    pub(super) fn largest_of(&self, run: usize, of: &RunFrame) -> f64 {
        let known = self.curves.get(&run).filter(|curve| Arc::ptr_eq(&curve.plan, &of.plan) && !of.plan.adapts());
        known.map_or_else(|| largest(of), |curve| curve.largest)
    }

    /// The points (step, α) of a run.
    pub(super) fn points(&self, run: usize) -> &[[f64; 2]] {
        self.curves.get(&run).map_or(&[], |curve| &curve.points)
    }

    /// The width that the line of a run has in the place of `usual`: less where its cycles are so narrow that they would be one block.
    pub(super) fn line(&self, run: usize, usual: f32) -> f32 {
        /// Widths of the line that a cycle has at least, and the thinnest line, as a share of the usual one.
        const APART: f32 = 4.0;
        const THINNEST: f32 = 0.2;
        let cycle = self.curves.get(&run).map_or(f32::INFINITY, |curve| curve.cycle);
        usual.min((cycle / APART).max(THINNEST * usual))
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

/// The width of a cycle, where `width` points show a range of steps and cycles are narrowest; infinite without cycles.
fn narrowest_cycle(of: &RunFrame, range: &Range<f64>, width: f32) -> f32 {
    let first = as_u64(range.start.floor()).max(1);
    let last = as_u64(range.end.ceil()).min(of.plan.steps);
    let per_step = f64::from(width) / (range.end - range.start).max(1.0);
    let segments = &of.plan.segments;
    let ends = segments.iter().skip(1).map(|next| next.from).chain([of.plan.steps]);
    let widths = segments.iter().zip(ends).filter_map(|(segment, end)| {
        let (from, to) = (first.max(segment.from + 1), last.min(end));
        let cycle = |step: u64| segment.schedule.cycle(step);
        let cycles = (to > from).then(|| cycle(to))??.saturating_sub(cycle(from)?) + 1;
        (cycles > 1).then(|| per_step * as_f64(to - from + 1) / as_f64(cycles))
    });
    widths.fold(f64::INFINITY, f64::min) as f32
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
    let at = |step: u64| [as_f64(step), of.step_size(0, step)];
    let steps: Vec<u64> = steps.filter(|&step| step >= 1).collect();
    let apart = (last.saturating_sub(first) / SEARCHED).max(1);
    let mut points: Vec<[f64; 2]> = steps.first().map(|first| at(*first)).into_iter().collect();
    for pair in steps.windows(2) {
        points.extend(peaks(of, (pair[0], pair[1]), apart));
        points.push(at(pair[1]));
    }
    points
}

/// The lowest and the highest point between two steps, as far as they are below or above both: in each column of pixels a curve covers all step
/// sizes of its steps. Steps are looked at that many `apart`, and the ends of cycles besides.
fn peaks(of: &RunFrame, (from, to): (u64, u64), apart: u64) -> Vec<[f64; 2]> {
    if to <= from + 1 {
        return Vec::new();
    }
    let cycles = new_cycle(of, (from, to)).map_or([from; 2], |step| [step - 1, step]);
    let between = (from + 1..to).step_by(usize::try_from(apart).unwrap_or(usize::MAX)).chain(cycles);
    let sizes = [from, to].map(|step| of.step_size(0, step));
    let (mut low, mut high) = ((from, sizes[0].min(sizes[1])), (from, sizes[0].max(sizes[1])));
    for step in between.filter(|step| (from + 1..to).contains(step)) {
        let size = of.step_size(0, step);
        if size < low.1 {
            low = (step, size);
        }
        if size > high.1 {
            high = (step, size);
        }
    }
    let mut found: Vec<(u64, f64)> = [low, high].into_iter().filter(|(step, _)| *step > from).collect();
    found.sort_unstable_by_key(|(step, _)| *step);
    found.into_iter().map(|(step, size)| [as_f64(step), size]).collect()
}

/// The first step after one in which its cycle is over, if that is before another one.
fn new_cycle(of: &RunFrame, (from, to): (u64, u64)) -> Option<u64> {
    let cycle = |step: u64| of.plan.segment_of(step).schedule.cycle(step);
    let first = cycle(from)?;
    if cycle(to).is_none_or(|last| last == first) {
        return None;
    }
    let (mut same, mut other) = (from, to);
    while other - same > 1 {
        let middle = same + (other - same) / 2;
        if cycle(middle) == Some(first) { same = middle } else { other = middle }
    }
    Some(other)
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
        assert!(found.len() <= 800 * 5 + 2 * 100, "{} points", found.len());
        assert_eq!(found.first().map(|point| point[0]), Some(1.0));
        assert_eq!(found.last().map(|point| point[0]), Some(10_000_000.0));
        assert!((largest(&plan) - 0.07).abs() < 1e-12);
    }

    /// Of every width, with cycles of a few steps and of many: each peak is as high as the highest step size, and each valley as low.
    #[test]
    fn cycles_have_their_peaks_in_every_width() {
        for (total, cycle) in [(50_000, 1667), (50_000, 100), (3_000_000, 70_001), (400, 40)] {
            let plan = plan(total, cycle);
            for width in [8.0, 30.0, 61.0, 150.0, 800.0] {
                let found = points(&plan, &(0.0..total as f64), width);
                assert!(found.windows(2).all(|pair| pair[0][0] < pair[1][0]), "{total} {cycle} {width}");
                let column = (total as f64 / f64::from(width)).max(1.0);
                for begin in (1..=total).step_by(usize::try_from(cycle).unwrap()).skip(1) {
                    let near = |point: &&[f64; 2]| (point[0] - begin as f64).abs() <= column;
                    let sizes = || found.iter().filter(near).map(|point| point[1]);
                    let (low, high) = (sizes().fold(f64::MAX, f64::min), sizes().fold(0.0, f64::max));
                    assert!(
                        (high - plan.step_size(0, begin)).abs() < 1e-12,
                        "{high} at {begin} of {total}, {width} wide"
                    );
                    assert!(low <= plan.step_size(0, begin - 1), "{low} before {begin} of {total}, {width} wide");
                }
            }
        }
    }

    /// Few cycles have the usual line; many have one that leaves space between them, as long as there is any.
    #[test]
    fn the_line_of_many_cycles_is_thin() {
        let line = |total: u64, cycle: u64, width: f32| {
            let mut cache = ScheduleCache::default();
            cache.prepare(0, &plan(total, cycle), &(0.0..total as f64), width);
            cache.line(0, 2.0)
        };
        assert!((line(5000, 500, 300.0) - 2.0).abs() < 1e-6 && (line(5000, 0, 300.0) - 2.0).abs() < 1e-6);
        assert!((line(50_000, 500, 300.0) - 0.75).abs() < 1e-3);
        assert!((line(50_000, 50, 300.0) - 0.4).abs() < 1e-6);
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
