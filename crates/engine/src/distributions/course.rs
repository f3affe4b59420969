//! The distribution of a run followed along its steps on one grid, for pictures: to any step, forth and back, with a bounded amount of work
//! at a time.
//!
//! Distributions at a few steps are kept, so that the way back is short. What is shown are probabilities of cells in θ, of the part of the
//! plane that has the probability.

use base::math::{Axis, Grid, Point};
use exact::{Cumulative, Masses};

use super::NotComputed;
use super::level::{Cut, Level};
use super::plan::{Computable, Kind, PlannedStep};
use super::plane_reading::{Rows, between};
use super::region::Region;
use super::solve::refuse;
use super::work::moved;

/// Distributions that are kept along a run.
const MARKS: u64 = 24;

/// Cells of a picture along its axis, on the line and in the plane.
const CELLS: usize = 640;
const CELLS_IN_PLANE: usize = 256;

/// Probability beyond each end of a picture, on the line and in the plane; less than what is outside of any contour.
const BEYOND: f64 = 1e-6;
const BEYOND_IN_PLANE: f64 = 1e-5;

/// Space around the view of a target in which collected draws of a product are counted, as a share of its size.
const AROUND: f64 = 0.1;

/// Which distribution is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Followed {
    /// After a step: μ_k.
    Now,
    /// Of all steps collected until then, with their weights.
    Collected,
    /// Stationary, of a constant step size.
    Stationary,
}

/// Probabilities of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct CellsAt {
    /// The cells, in θ; on the line one row of height 1.
    pub grid: Grid,
    /// The probability of each, by rows from the lower left. What is missing to 1 is outside of the cells.
    pub probabilities: Vec<f64>,
}

/// How far a distribution was followed.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// The step.
    pub step: u64,
    /// The distribution there; `None` before the first step, and where nothing is collected yet.
    pub cells: Result<Option<CellsAt>, NotComputed>,
    /// The share of a stationary distribution that leaves the box for ever in each step; 0 of others.
    pub leave: f64,
}

/// The distribution of a run on one grid.
#[derive(Debug)]
pub struct Course {
    of: Computable,
    cut: Cut,
    followed: Followed,
    at: Option<Mark>,
    marks: Vec<Mark>,
}

/// A distribution along the run.
#[derive(Clone, Debug)]
struct Mark {
    step: u64,
    masses: Vec<Masses>,
    sum: Sum,
}

/// What was collected of the present target.
#[derive(Clone, Debug, Default)]
struct Sum {
    span: usize,
    weight: f64,
    lost: f64,
    /// At nodes; of a product, in cells.
    values: Vec<f64>,
}

impl Course {
    /// The course of a run from its start on.
    ///
    /// # Errors
    /// With the reason in words, if there is no box for it, or no stationary distribution. `go_on` says whether to look for a box any longer.
    pub fn new(of: Computable, followed: Followed, go_on: &mut dyn FnMut() -> bool) -> Result<Self, NotComputed> {
        if followed == Followed::Stationary && of.constant().is_none() {
            return Err(super::solve::NOT_CONSTANT);
        }
        let cut = Region::of(&of, go_on)?.cut(0);
        Ok(Self { of, cut, followed, at: None, marks: Vec::new() })
    }

    /// What carries the distribution.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.of.kind
    }

    /// Goes to a step, or towards it with about so much `work`: additions to cells. A stationary distribution takes what it takes.
    ///
    /// # Errors
    /// If it cannot be followed to there, or `go_on` says no before a step.
    pub fn towards(&mut self, step: u64, work: f64, go_on: &mut dyn FnMut() -> bool) -> Result<Reached, NotComputed> {
        let Self { of, cut, followed, at, marks } = self;
        let level = Level::new(of, *cut)?;
        if *followed == Followed::Stationary {
            let (masses, leave) = of.long_run_masses(&level, go_on)?;
            return Ok(Reached { step, cells: cells_of(&level, 0, &masses).map(Some), leave });
        }
        let step = step.min(of.plan.steps);
        if step == 0 {
            return Ok(Reached { step, cells: Ok(None), leave: 0.0 });
        }
        // The nearest of the distributions that there are.
        let from = at.take().filter(|mark| mark.step <= step);
        let nearest = marks.iter().rev().find(|mark| mark.step <= step);
        let begun = from.as_ref().map_or(0, |mark| mark.step);
        let from = nearest.filter(|mark| mark.step > begun).cloned().or(from);
        let window = Windows::of(&level);
        let collects = *followed == Followed::Collected;
        let mut mark = match from {
            Some(mark) => mark,
            None => {
                let mut first = Mark { step: 1, masses: level.first(&of.start()?)?, sum: Sum::default() };
                if collects {
                    first.collect(&level, &window, &of.step(1));
                }
                first
            }
        };
        let mut movers = level.movers();
        let mut left = work;
        let cost = mark.cost(of, collects);
        let every = of.plan.steps.div_ceil(MARKS).max(1);
        while mark.step < step && left > 0.0 {
            if !go_on() {
                return Err(NotComputed::Ended);
            }
            let number = mark.step + 1;
            let planned = of.step(number);
            Level::push(&mut movers, number, &planned, &mut mark.masses)?;
            mark.step = number;
            if collects {
                mark.collect(&level, &window, &planned);
            }
            if number % every == 0 && marks.last().is_none_or(|last| last.step < number) {
                marks.push(mark.clone());
            }
            left -= cost;
        }
        let span = of.step(mark.step).span;
        let cells =
            if collects { mark.sum.cells(&level, &window) } else { cells_of(&level, span, &mark.masses).map(Some) };
        let reached = Reached { step: mark.step, cells, leave: 0.0 };
        *at = Some(mark);
        Ok(reached)
    }
}

impl Mark {
    /// What a step costs.
    fn cost(&self, of: &Computable, collects: bool) -> f64 {
        let nodes: usize = self.masses.iter().map(|masses| masses.nodes.len()).sum();
        let cells = if collects && of.kind == Kind::Product { CELLS_IN_PLANE * CELLS_IN_PLANE } else { 0 };
        moved(of, nodes) + cells as f64
    }

    /// Adds the present distribution, if it is collected.
    fn collect(&mut self, level: &Level<'_>, windows: &Windows, step: &PlannedStep) {
        let Self { masses, sum, .. } = self;
        if sum.span != step.span {
            *sum = Sum { span: step.span, ..Sum::default() };
        }
        // Comparison also refuses what is no number.
        let collected = step.weight > 0.0;
        if !collected {
            return;
        }
        let weight = step.weight;
        let kept: f64 = masses.iter().map(|masses| 1.0 - masses.lost).product();
        sum.weight += weight;
        sum.lost += weight * (1.0 - kept);
        if let (Some([x, y]), [first, second]) = (&windows.0, &masses[..]) {
            let along = |factor: usize, masses: &Masses, axis: &Axis| {
                let line = level.line(factor, step.span);
                line.map_or_else(Vec::new, |line| between(&line.cumulative(masses), &edges(level, factor, axis)))
            };
            let (x, y) = (along(0, first, x), along(1, second, y));
            sum.values.resize(x.len() * y.len(), 0.0);
            for (row, up) in sum.values.chunks_exact_mut(x.len().max(1)).zip(y) {
                let up = weight * up;
                row.iter_mut().zip(&x).for_each(|(cell, across)| *cell += up * across);
            }
        } else if let Some(masses) = masses.first() {
            sum.values.resize(masses.nodes.len(), 0.0);
            sum.values.iter_mut().zip(&masses.nodes).for_each(|(sum, mass)| *sum += weight * mass);
        }
    }
}

impl Sum {
    /// The average as cells.
    fn cells(&self, level: &Level<'_>, windows: &Windows) -> Result<Option<CellsAt>, NotComputed> {
        if self.weight <= 0.0 {
            return Ok(None);
        }
        let mean = |values: &[f64]| values.iter().map(|value| value / self.weight).collect::<Vec<f64>>();
        let masses = Masses { nodes: mean(&self.values), lost: self.lost / self.weight };
        match &windows.0 {
            Some([x, y]) => {
                refuse(level.of, &masses)?;
                Ok(Some(CellsAt { grid: Grid { x: *x, y: *y }, probabilities: masses.nodes }))
            }
            None => cells_of(level, self.span, &[masses]).map(Some),
        }
    }
}

/// The cells in which what is collected of a product is counted, if the run has one.
#[derive(Debug)]
struct Windows(Option<[Axis; 2]>);

impl Windows {
    fn of(level: &Level<'_>) -> Self {
        if level.of.kind != Kind::Product {
            return Self(None);
        }
        let view = level.of.spans[level.of.spans.len() - 1].target.info().view;
        let axis = |axis: usize| {
            let around = AROUND * (view.max[axis] - view.min[axis]);
            let (low, high) = level.line(axis, 0).map_or((0.0, 1.0), exact::Line::ends);
            let (low, high) = (theta(level, axis, low), theta(level, axis, high));
            let (min, max) = (low.max(view.min[axis] - around), high.min(view.max[axis] + around));
            Axis { min, max, cells: CELLS_IN_PLANE }
        };
        Self(Some([axis(0), axis(1)]))
    }
}

/// A coordinate of the target at one of the chains.
fn theta(level: &Level<'_>, axis: usize, z: f64) -> f64 {
    let mut at = Point::zeros();
    at[axis] = z;
    level.of.coordinates.to_theta(at)[axis]
}

/// Edges of cells in the coordinates of the chains.
fn edges(level: &Level<'_>, axis: usize, of: &Axis) -> Vec<f64> {
    (0..=of.cells).map(|number| level.of.coordinates.cut(axis, of.edge(number))).collect()
}

/// Cells of a distribution, where it has probability.
fn cells_of(level: &Level<'_>, span: usize, masses: &[Masses]) -> Result<CellsAt, NotComputed> {
    masses.iter().try_for_each(|masses| refuse(level.of, masses).map(drop))?;
    let nothing = NotComputed::Unsuited("there is no grid");
    if let Some(plane) = level.plane(span) {
        let rows = Rows::new(plane, &masses[0].nodes);
        let ends = [0, 1].map(|axis| (plane.node(0)[axis] - 0.5 * plane.spacing()[axis], plane.spacing()[axis]));
        let axis = |axis: usize| window(level, axis, &rows.whole(axis), ends[axis], (BEYOND_IN_PLANE, CELLS_IN_PLANE));
        let grid = Grid { x: axis(0), y: axis(1) };
        let probabilities = rows.cells(&edges(level, 0, &grid.x), &edges(level, 1, &grid.y));
        return Ok(CellsAt { grid, probabilities });
    }
    let along = |factor: usize, masses: &Masses, (beyond, cells): (f64, usize)| {
        let line = level.line(factor, span)?;
        // With momentum, rows of equal momentum follow one another.
        let columns = line.nodes().len();
        let mut nodes = vec![0.0; columns];
        for row in masses.nodes.chunks_exact(columns) {
            nodes.iter_mut().zip(row).for_each(|(sum, mass)| *sum += mass);
        }
        let cumulative = line.cumulative(&Masses { nodes, lost: masses.lost });
        let axis = window(level, factor, &cumulative, (line.ends().0, line.spacing()), (beyond, cells));
        Some((axis, between(&cumulative, &edges(level, factor, &axis))))
    };
    match masses {
        [x, y] => {
            let of = (BEYOND_IN_PLANE, CELLS_IN_PLANE);
            let ((x, across), (y, up)) = along(0, x, of).zip(along(1, y, of)).ok_or(nothing)?;
            let probabilities = up.iter().flat_map(|up| across.iter().map(move |across| across * up)).collect();
            Ok(CellsAt { grid: Grid { x, y }, probabilities })
        }
        _ => {
            let (x, probabilities) = along(0, &masses[0], (BEYOND, CELLS)).ok_or(nothing)?;
            Ok(CellsAt { grid: Grid { x, y: Axis { min: 0.0, max: 1.0, cells: 1 } }, probabilities })
        }
    }
}

/// The part of an axis in θ that has all but a little of the probability at each end.
fn window(
    level: &Level<'_>,
    axis: usize,
    of: &Cumulative,
    (low, spacing): (f64, f64),
    (beyond, cells): (f64, usize),
) -> Axis {
    let below = of.below();
    let total = below.last().copied().unwrap_or(0.0);
    let faces = below.len().max(2);
    // A face further out on both sides.
    let first = below.partition_point(|mass| *mass < beyond * total).saturating_sub(2);
    let last = (below.partition_point(|mass| *mass < (1.0 - beyond) * total) + 1).clamp(first + 1, faces - 1);
    let at = |face: usize| theta(level, axis, low + face as f64 * spacing);
    Axis { min: at(first), max: at(last), cells }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::distributions::Ask;
    use crate::scenario::read;

    /// Work in which every step is taken.
    const ALL: f64 = f64::INFINITY;

    fn computable(target: &str, run: &str) -> Computable {
        let text = format!("format = 1\ntitle = \"x\"\nseed = 5\n[target]\n{target}\n[[run]]\nname = \"A\"\n{run}\n");
        let scenario = read(&text, "x.toml", Path::new("")).unwrap();
        Computable::new(&scenario.build().unwrap(), 0).unwrap()
    }

    fn sgld(target: &str, alpha: f64, steps: u64) -> Computable {
        let start = "start = { kind = \"point\", x = 0.5, y = 0.5 }";
        let schedule = format!("step_size = {{ kind = \"constant\", value = {alpha} }}");
        computable(target, &format!("method = \"sgld\"\nchains = 1\nsteps = {steps}\n{start}\n{schedule}"))
    }

    const GAUSSIAN: &str = "kind = \"gaussian\"\nsd = [1.0, 0.6]\ncorrelation = 0.8";

    fn cells(course: &mut Course, step: u64) -> CellsAt {
        let reached = course.towards(step, ALL, &mut || true).unwrap();
        assert_eq!(reached.step, step);
        reached.cells.unwrap().unwrap()
    }

    /// Covariance of x and x, x and y, y and y of points of cells, with that of a cell itself.
    fn covariance(of: &CellsAt) -> [f64; 3] {
        let points: Vec<(Point, f64)> =
            of.probabilities.iter().enumerate().map(|(cell, mass)| (of.grid.centre(cell), *mass)).collect();
        let total: f64 = points.iter().map(|(_, mass)| mass).sum();
        let mean = points.iter().map(|(at, mass)| at * *mass).sum::<Point>() / total;
        let sum = |a: usize, b: usize| {
            points.iter().map(|(at, mass)| (at - mean)[a] * (at - mean)[b] * mass).sum::<f64>() / total
        };
        let own = |width: f64| width * width / 12.0;
        [sum(0, 0) - own(of.grid.x.width()), sum(0, 1), sum(1, 1) - own(of.grid.y.width())]
    }

    /// S ← A S Aᵀ + s² I with A = I − α Σ⁻¹, from a point.
    #[test]
    fn cells_in_the_plane_have_the_covariance_of_the_closed_form() {
        let alpha = 0.1;
        let mut course = Course::new(sgld(GAUSSIAN, alpha, 400), Followed::Now, &mut || true).unwrap();
        assert_eq!(course.kind(), Kind::Plane);
        let sigma = nalgebra::Matrix2::new(1.0, 0.48, 0.48, 0.36);
        let map = nalgebra::Matrix2::identity() - sigma.try_inverse().unwrap() * alpha;
        let mut spread = nalgebra::Matrix2::zeros();
        for step in 1..=30 {
            spread = map * spread * map.transpose() + nalgebra::Matrix2::identity() * (2.0 * alpha);
            if step % 10 == 0 {
                let found = covariance(&cells(&mut course, step));
                for (found, expected) in found.into_iter().zip([spread.m11, spread.m12, spread.m22]) {
                    // Two in ten thousand are outside of the cells on each side, some 3.5 sd away.
                    assert!((found / expected - 1.0).abs() < 0.01, "{step}: {found}, not {expected}");
                }
            }
        }
        let mut course = Course::new(sgld(GAUSSIAN, alpha, 400), Followed::Stationary, &mut || true).unwrap();
        let found = covariance(&course.towards(0, 1.0, &mut || true).unwrap().cells.unwrap().unwrap());
        for (found, expected) in found.into_iter().zip([1.062_090, 0.461_279, 0.447_051]) {
            assert!((found / expected - 1.0).abs() < 0.01, "{found}, not {expected}");
        }
    }

    /// Whatever the pieces and the detours, the same bits.
    #[test]
    fn pieces_and_detours_change_no_bit() {
        let grid = "kind = \"gaussian-grid\"\nrows = 3\ncolumns = 3\nvariance = 0.1";
        for (target, followed) in [(grid, Followed::Now), (grid, Followed::Collected), (GAUSSIAN, Followed::Collected)]
        {
            let new = || Course::new(sgld(target, 0.02, 60), followed, &mut || true).unwrap();
            let [early, late] = [12, 47].map(|step| cells(&mut new(), step));
            let mut course = new();
            let mut parts = 0;
            while course.towards(47, 1.0, &mut || true).unwrap().step < 47 {
                parts += 1;
            }
            assert_eq!(parts, 45, "a step at a time");
            assert_eq!(cells(&mut course, 47), late);
            assert_eq!(cells(&mut course, 12), early, "back");
            assert_eq!(cells(&mut course, 47), late, "and forth");
        }
    }

    /// Shares of modes of what is collected, against the sums of cells that are nearest to each.
    #[test]
    fn collected_cells_of_a_product_have_the_shares_of_its_modes() {
        let of = sgld("kind = \"gaussian-grid\"\nrows = 3\ncolumns = 3\nvariance = 0.1", 0.02, 300);
        let ask = Ask { collected: true, ..Ask::default() };
        let expected = of.solve(&ask, &mut |_| true).unwrap().collected.unwrap().shares;
        let modes = of.spans[0].target.info().modes.clone();
        let mut course = Course::new(of, Followed::Collected, &mut || true).unwrap();
        let found = cells(&mut course, 300);
        let mut shares = vec![0.0; modes.len()];
        for (cell, mass) in found.probabilities.iter().enumerate() {
            let away = |mode: usize| (modes[mode].at - found.grid.centre(cell)).norm();
            let nearest = (0..modes.len()).min_by(|a, b| away(*a).total_cmp(&away(*b))).unwrap();
            shares[nearest] += mass;
        }
        for (found, expected) in shares.iter().zip(expected) {
            assert!((found - expected.value).abs() < 2e-3, "{found}, not {expected:?}");
        }
    }

    #[test]
    fn before_the_first_step_there_is_nothing_and_what_has_no_end_is_refused() {
        let mut course = Course::new(sgld(GAUSSIAN, 0.05, 20), Followed::Collected, &mut || true).unwrap();
        assert_eq!(course.towards(0, ALL, &mut || true).unwrap(), Reached { step: 0, cells: Ok(None), leave: 0.0 });
        let decays =
            computable(GAUSSIAN, "method = \"sgld\"\nchains = 1\nsteps = 20\nstep_size = { kind = \"polynomial\" }");
        assert_eq!(
            Course::new(decays, Followed::Stationary, &mut || true).unwrap_err(),
            super::super::solve::NOT_CONSTANT
        );
    }

    #[test]
    fn who_no_longer_waits_is_not_kept() {
        let mut course = Course::new(sgld(GAUSSIAN, 0.05, 20), Followed::Now, &mut || true).unwrap();
        assert_eq!(course.towards(20, ALL, &mut || false), Err(NotComputed::Ended));
        let mut asked = 0;
        let mut course = Course::new(sgld(GAUSSIAN, 0.05, 20), Followed::Stationary, &mut || true).unwrap();
        let mut few = || {
            asked += 1;
            asked < 4
        };
        assert_eq!(course.towards(0, ALL, &mut few), Err(NotComputed::Ended));
        assert_eq!(asked, 4, "nothing is asked after that");
        let mut never = || false;
        assert_eq!(Course::new(sgld(GAUSSIAN, 0.05, 20), Followed::Now, &mut never).unwrap_err(), NotComputed::Ended);
    }
}
