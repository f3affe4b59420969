//! Extent of draws: the part of the plane that holds all of them, and the chains.

use super::geometry::tip_to_tail;
use crate::geometry::DensityImage;
use base::math::{Bounds, Point};
use engine::session::{Frame, RunFrame};
use samplers::methods::StepRecord;

/// Margin around the draws, as a share of their extent.
const MARGIN: f64 = 0.05;

/// Cells along each side of the view in which the target is looked for, and the share of it that is to be found.
const CELLS: usize = 160;
const ALL: f64 = 0.999;

/// Margin around a step, as a share of its extent on each side.
const AROUND_STEP: f64 = 0.5;

/// The shorter side about a step, at least, as a share of the longer one, where both axes have the same scale: a step along one coordinate is no strip.
const SHORTER: f64 = 0.5;

/// The smallest side, as a share of the view of the target: draws at one point have no extent of their own.
const LEAST: f64 = 0.02;

/// The part of the plane with all draws of some runs, to the ends of their cells, and with the present positions of the chains; `None` without any. Along y it is the view of a one-dimensional target.
#[must_use]
pub fn extent_of_draws(frame: &Frame, runs: &[usize]) -> Option<Bounds> {
    let info = frame.target.info();
    let shown = runs.iter().filter_map(|&run| frame.runs.get(run));
    let positions = shown.flat_map(|run| run.positions.iter().copied().chain(corners(run)));
    let mut found: Option<(Point, Point)> = None;
    for position in positions.filter(|position| position.iter().all(|number| number.is_finite())) {
        let (min, max) = found.get_or_insert((position, position));
        (*min, *max) = (min.inf(&position), max.sup(&position));
    }
    let (min, max) = found?;
    let centre = (min + max) / 2.0;
    let half = ((max - min) * (0.5 + MARGIN)).sup(&(info.view.size() * (0.5 * LEAST)));
    let mut bounds = Bounds { min: centre - half, max: centre + half };
    if info.dimension == 1 {
        (bounds.min.y, bounds.max.y) = (info.view.min.y, info.view.max.y);
    }
    Some(bounds)
}

/// The part of the plane with the newest step of the first chain of some runs, with space around it: its ends, the tips of its parts, what it
/// proposes and its path; `None` before the first step, and for a target on the line. With `equal_scales` a step that is flat has space beside it.
#[must_use]
pub fn extent_of_step(frame: &Frame, runs: &[usize], equal_scales: bool) -> Option<Bounds> {
    let info = frame.target.info();
    if info.dimension == 1 {
        return None;
    }
    let records = runs.iter().filter_map(|&run| frame.runs.get(run)?.records.first());
    let points = records.flat_map(points_of_step).filter(|at| at.iter().all(|number| number.is_finite()));
    let ends = points.fold(None, |found: Option<(Point, Point)>, at| {
        let (min, max) = found.unwrap_or((at, at));
        Some((min.inf(&at), max.sup(&at)))
    });
    let (min, max) = ends?;
    let half = ((max - min) * (0.5 + AROUND_STEP)).sup(&(info.view.size() * (0.5 * LEAST)));
    let half = if equal_scales { half.sup(&Point::repeat(SHORTER * half.amax())) } else { half };
    let centre = (min + max) / 2.0;
    Some(Bounds { min: centre - half, max: centre + half })
}

/// The points at which something is drawn of a step.
fn points_of_step(record: &StepRecord) -> Vec<Point> {
    let parts = [record.carried, record.drift, record.gradient_noise, record.injected_noise];
    let arrows = record.path.is_empty() && record.trajectory.is_none();
    let tips = tip_to_tail(record.from, parts, 1.0).into_iter().map(|piece| piece.to).filter(|_| arrows);
    let leaves = record.trajectory.iter().flat_map(|tree| tree.leaves.iter().map(|leaf| leaf.at));
    let proposal = record.proposal.map(|proposal| proposal.at);
    [record.from, record.to]
        .into_iter()
        .chain(tips)
        .chain(proposal)
        .chain(record.path.iter().copied())
        .chain(leaves)
        .collect()
}

/// The part of the plane with the target, as close as possible: the cells of its view in which all but a thousandth of it lies, with a
/// margin; `None` for a target on the line, or one whose density is not known.
#[must_use]
pub fn extent_of_target(frame: &Frame) -> Option<Bounds> {
    let info = frame.target.info();
    let density = frame.target.density().filter(|_| info.dimension == 2)?;
    let image = DensityImage::of(density.as_ref(), info.view, CELLS, CELLS);
    let level = *image.region_levels(&[ALL]).first()?;
    let half = Point::new(image.grid.x.width(), image.grid.y.width()) / 2.0;
    let inside = image.log_density.iter().enumerate().filter(|(_, height)| **height >= level);
    let ends = inside.map(|(cell, _)| image.grid.centre(cell)).fold(None, |found: Option<(Point, Point)>, at| {
        let (min, max) = found.unwrap_or((at, at));
        Some((min.inf(&at), max.sup(&at)))
    });
    let (min, max) = ends?;
    let margin = (max - min) * MARGIN + half;
    let found = Bounds { min: (min - margin).sup(&info.view.min), max: (max + margin).inf(&info.view.max) };
    (found.size().amin() > 0.0).then_some(found)
}

/// The lower left and upper right corner of every cell with draws.
fn corners(run: &RunFrame) -> impl Iterator<Item = Point> {
    let grid = run.cloud_grid;
    let half = Point::new(grid.x.width(), grid.y.width()) / 2.0;
    let filled = run.cloud.iter().enumerate().filter(|(_, count)| **count > 0.0);
    let outside = run.outskirts.filled(&run.cloud_grid).flat_map(|(cell, _)| [cell.min, cell.max]);
    filled.flat_map(move |(cell, _)| [grid.centre(cell) - half, grid.centre(cell) + half]).chain(outside)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, Recipe, frame};

    #[test]
    fn the_extent_of_a_target_is_within_its_view_and_holds_its_modes() {
        let recipe = Recipe { name: "SGLD", chains: 1, steps: 3, total: 10, alpha: 0.004, cycle: 0 };
        let frame_of = |target| frame(target, &[recipe]);
        let grid = frame_of(Fake::grid());
        let (info, found) = (grid.target.info(), extent_of_target(&grid).unwrap());
        assert!(info.modes.iter().all(|mode| found.contains(mode.at)));
        assert!(info.view.contains(found.min) && info.view.contains(found.max) && found.size().x < info.view.size().x);
        assert_eq!(extent_of_target(&frame_of(Fake::beta())), None, "on the line");
    }

    #[test]
    fn the_extent_of_a_step_holds_its_arrows_and_is_small() {
        let recipe = Recipe { name: "SGLD", chains: 1, steps: 3, total: 10, alpha: 0.004, cycle: 0 };
        let mut frame = frame(Fake::grid(), &[recipe]);
        let record = StepRecord {
            from: Point::new(1.0, 1.0),
            to: Point::new(1.4, 0.8),
            drift: Point::new(0.3, 0.4),
            injected_noise: Point::new(0.1, -0.6),
            ..StepRecord::default()
        };
        frame.runs[0].records = vec![record];
        let found = extent_of_step(&frame, &[0], true).unwrap();
        assert!([[1.0, 1.0], [1.3, 1.4], [1.4, 0.8]].iter().all(|at| found.contains(Point::from(*at))), "{found:?}");
        assert!(found.size().amax() < 1.5, "{found:?}");
        assert_eq!(extent_of_step(&frame, &[], true), None);
    }

    #[test]
    fn the_extent_of_a_step_along_one_coordinate_is_no_strip() {
        let recipe = Recipe { name: "Gibbs", chains: 1, steps: 3, total: 10, alpha: 0.004, cycle: 0 };
        let mut frame = frame(Fake::grid(), &[recipe]);
        let record = StepRecord { from: Point::new(1.0, 1.0), to: Point::new(4.0, 1.01), ..StepRecord::default() };
        frame.runs[0].records = vec![record];
        let [even, free] = [true, false].map(|equal_scales| extent_of_step(&frame, &[0], equal_scales).unwrap().size());
        assert!((even.x - 6.0).abs() < 1e-9 && (even.y - 3.0).abs() < 1e-9, "{even}");
        assert!((free.x - 6.0).abs() < 1e-9 && free.y < 1.0, "axes with scales of their own fill the canvas: {free}");
    }

    #[test]
    fn the_extent_holds_all_draws_and_chains_and_not_much_more() {
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 300, total: 1000, alpha: 0.004, cycle: 0 };
        let mut frame = frame(Fake::grid(), &[recipe]);
        let whole = extent_of_draws(&frame, &[0]).unwrap();
        frame.runs[0].positions = vec![Point::new(40.0, -30.0), Point::repeat(f64::NAN)];
        let with = extent_of_draws(&frame, &[0]).unwrap();
        assert!(with.contains(Point::new(40.0, -30.0)) && with.contains(whole.min) && with.max.x < 50.0, "{with:?}");
        assert_eq!(extent_of_draws(&frame, &[]), None);
    }
}
