//! Probabilities of cells by Gauss–Legendre quadrature of the density, refined where necessary.
//!
//! Every cell is tried with 2 points per direction, then with 3 or 5, then cut in half each way. How far a rule can be
//! trusted follows from the slope a and the curvature k of the *log* density, per width of the cell: where they
//! are constant, the derivatives in the rules' error terms are Hermite polynomials in them. Next to the boundary of the
//! support, where a density may start like a power of the distance, no rule is trusted far.
//!
//! Errors are relative to the probability of the cell: the measures take logarithms, and draws may crowd where the
//! target has next to nothing.
//!
//! In the plane the log density is first evaluated once per cell, in its middle; where it is smooth the points of
//! the rules are interpolated from there, which matters when a density sums over data. Cells in whose neighbourhood it
//! stays below e⁻⁴⁰ of the peak count as empty; together they hold less than 10⁻¹². Around the modes, which may be
//! narrower than a cell, nothing is interpolated or left out. Cells across the boundary of the support are cut there.

use rayon::prelude::*;

use crate::math::{Grid, Point};
use crate::targets::{Support, Target};

/// Error allowed in a box, as a share of the probability of its cell; errors of neighbouring cells alternate and nearly
/// cancel in sums.
const TOLERANCE: f64 = 1e-6;

/// Error always allowed, as a probability: a millionth of the share of the uniform distribution that `kl` gives to a
/// cell.
const NEGLIGIBLE: f64 = 1e-19;

/// How often a cell is cut in half, in the plane and on the line.
const DEPTH: [usize; 2] = [6, 30];

/// Error, relative to the highest density, with which all rules are credited at an end of the support: a bound for
/// powers of the distance with a positive exponent.
const ERROR_AT_END: f64 = 0.01;

/// Log density, relative to the peak, below which there is nothing.
const EMPTY: f64 = -40.0;

/// Cells by which the lattice of middles reaches beyond the grid, and half the width of a stencil.
const MARGIN: usize = 3;

/// Cells in a stencil.
const STENCIL: usize = 2 * MARGIN + 1;

/// What interpolation from 7 points leaves of the difference it makes to 5 points; chosen on the safe side.
const LEFT_BY_SEVEN: f64 = 0.25;

/// How much more the interpolation is in doubt at the points of the rules with 3 and 5 points, which lie further out.
const DOUBT_FURTHER_OUT: f64 = 2.0;

/// A Gauss–Legendre rule on [−1, 1]: nodes and weights that add up to 1.
type Rule = &'static [(f64, f64)];

const TWO_POINTS: Rule = &[(-0.577_350_269_189_625_8, 0.5), (0.577_350_269_189_625_8, 0.5)];
const THREE_POINTS: Rule =
    &[(-0.774_596_669_241_483_4, 5.0 / 18.0), (0.0, 8.0 / 18.0), (0.774_596_669_241_483_4, 5.0 / 18.0)];
const FIVE_POINTS: Rule = &[
    (-0.906_179_845_938_664, 0.118_463_442_528_094_54),
    (-0.538_469_310_105_683_1, 0.239_314_335_249_683_23),
    (0.0, 64.0 / 225.0),
    (0.538_469_310_105_683_1, 0.239_314_335_249_683_23),
    (0.906_179_845_938_664, 0.118_463_442_528_094_54),
];
const ON_AXIS: Rule = &[(0.0, 1.0)];

/// The probability of every cell of `grid`, by rows from the lower left; from the target itself if it knows.
pub(super) fn cell_probabilities(target: &dyn Target, grid: &Grid) -> Vec<f64> {
    let [x, y] = [grid.x, grid.y].map(|axis| (0..=axis.cells).map(|number| axis.edge(number)).collect::<Vec<_>>());
    target.cell_probabilities(&x, &y).unwrap_or_else(|| integrated(target, grid))
}

/// How often a cell is cut in half around a point.
const DEPTH_AROUND: usize = 24;

/// Probability that a cell would have if it were as dense everywhere as at a point, from which on it is cut around it.
const NOTABLE: f64 = 1e-9;

/// The probability of one cell of `grid`, of a target without closed form; fine around a point in it where the density is notable there,
/// however narrow it is.
pub(super) fn cell_probability(target: &dyn Target, grid: &Grid, cell: usize, at: Point) -> f64 {
    let density = Density::new(target);
    let width = if density.planar { grid.x.width() * grid.y.width() } else { grid.x.width() };
    let depth = if libm::exp(density.log_at(at)) * width > NOTABLE { DEPTH_AROUND } else { 0 };
    density.of_cell(grid, cell, |middle, half| density.around(at, (middle, half), depth))
}

/// The same by quadrature.
fn integrated(target: &dyn Target, grid: &Grid) -> Vec<f64> {
    let density = Density::new(target);
    let lattice = density.planar.then(|| Lattice::new(&density, grid));
    let one = |cell: usize| {
        let (column, row) = (cell % grid.x.cells, cell / grid.x.cells);
        let known = lattice.as_ref().and_then(|lattice| lattice.probability(column, row));
        let whole = |middle, half| density.probability(middle, half, density.depth(), NEGLIGIBLE);
        known.unwrap_or_else(|| density.of_cell(grid, cell, whole))
    };
    (0..grid.len()).into_par_iter().map(one).collect()
}

struct Density<'a> {
    target: &'a dyn Target,
    log_normaliser: f64,
    planar: bool,
    /// The support; on the line y is unbounded.
    low: Point,
    high: Point,
}

impl<'a> Density<'a> {
    fn new(target: &'a dyn Target) -> Self {
        let info = target.info();
        let planar = info.dimension == 2;
        let Support { min: mut low, max: mut high } = info.support;
        if !planar {
            (low.y, high.y) = (f64::NEG_INFINITY, f64::INFINITY);
        }
        Self { target, log_normaliser: info.log_normaliser, planar, low, high }
    }

    /// The normalised log density.
    fn log_at(&self, point: Point) -> f64 {
        let point = if self.planar { point } else { Point::new(point.x, 0.0) };
        self.target.log_density(point) - self.log_normaliser
    }

    /// The probability of a cell, as far as it is in the support, by that of a box from its middle and half its size.
    fn of_cell(&self, grid: &Grid, cell: usize, of_box: impl Fn(Point, Point) -> f64) -> f64 {
        let (column, row) = (cell % grid.x.cells, cell / grid.x.cells);
        let low = Point::new(grid.x.edge(column), grid.y.edge(row)).sup(&self.low);
        let high = Point::new(grid.x.edge(column + 1), grid.y.edge(row + 1)).inf(&self.high);
        let half = (high - low) / 2.0;
        if half.min() > 0.0 { of_box((low + high) / 2.0, half) } else { 0.0 }
    }

    /// The probability of a box that is cut in half so often around a point in it.
    fn around(&self, at: Point, (middle, half): (Point, Point), depth: usize) -> f64 {
        if depth == 0 {
            return self.probability(middle, half, self.depth(), NEGLIGIBLE);
        }
        let side = |axis: usize| if at[axis] < middle[axis] { -1.0 } else { 1.0 };
        let own = Point::new(side(0), if self.planar { side(1) } else { 0.0 });
        let rows: &[f64] = if self.planar { &[-1.0, 1.0] } else { &[0.0] };
        let quarter = half / 2.0;
        let parts = rows.iter().flat_map(|&y| [-1.0, 1.0].map(|x| Point::new(x, y)));
        let part = |part: Point| {
            let depth = if part == own { depth - 1 } else { 0 };
            self.around(at, (middle + part.component_mul(&quarter), quarter), depth)
        };
        parts.map(part).sum()
    }

    fn depth(&self) -> usize {
        DEPTH[usize::from(!self.planar)]
    }

    /// The probability of the box `middle` ± `half`, of its x interval on the line, with an error of at most `allowed` or
    /// of [`TOLERANCE`] of it.
    fn probability(&self, middle: Point, half: Point, depth: usize, allowed: f64) -> f64 {
        let size = if self.planar { 4.0 * half.x * half.y } else { 2.0 * half.x };
        let at_middle = self.log_at(middle);
        let two = self.probe(middle, half, TWO_POINTS);
        let allowed = allowed.max(TOLERANCE * size * two.average);
        let least = if self.ends_at(middle, half) { ERROR_AT_END } else { 0.0 };
        let largest = size * libm::exp(at_middle.max(two.highest));
        let [two_points, three_points, five_points] =
            two.relative_errors(at_middle).map(|error| error.max(least) * largest <= allowed);
        // On the line points cost little, and near an end the estimates are low: there the rule is always the best.
        if two_points && self.planar {
            return size * two.average;
        }
        if three_points && self.planar {
            return size * self.probe(middle, half, THREE_POINTS).average;
        }
        if five_points || depth == 0 {
            return size * self.probe(middle, half, FIVE_POINTS).average;
        }
        let quarter = half / 2.0;
        let rows: &[f64] = if self.planar { &[-1.0, 1.0] } else { &[0.0] };
        let corner = |x: f64, y: f64| middle + Point::new(x * quarter.x, y * quarter.y);
        let part = |x: f64, y: f64| self.probability(corner(x, y), quarter, depth - 1, allowed);
        rows.iter().flat_map(|&y| [-1.0, 1.0].map(|x| part(x, y))).sum()
    }

    /// Whether a side of the box lies on an end of the support.
    fn ends_at(&self, middle: Point, half: Point) -> bool {
        // Sides are known up to rounding, which is far below a thousandth of a box.
        let near = |side: Point, end: Point| (0..2).any(|axis| (side - end)[axis].abs() < 1e-3 * half[axis]);
        near(middle - half, self.low) || near(middle + half, self.high)
    }

    /// Looks at the density on the points of `rule` in the box `middle` ± `half`.
    fn probe(&self, middle: Point, half: Point, rule: Rule) -> Probe {
        let mut probe = Probe::default();
        for &(v, row_weight) in if self.planar { rule } else { ON_AXIS } {
            for &(u, weight) in rule {
                probe.add(self.log_at(middle + Point::new(u * half.x, v * half.y)), row_weight * weight);
            }
        }
        probe
    }
}

/// What the points of a rule show of a box.
struct Probe {
    /// The average density.
    average: f64,
    average_log: f64,
    lowest: f64,
    highest: f64,
}

impl Default for Probe {
    fn default() -> Self {
        Self { average: 0.0, average_log: 0.0, lowest: f64::INFINITY, highest: f64::NEG_INFINITY }
    }
}

impl Probe {
    fn add(&mut self, log: f64, weight: f64) {
        self.average += weight * libm::exp(log);
        self.average_log += weight * log;
        self.lowest = self.lowest.min(log);
        self.highest = self.highest.max(log);
    }

    /// Estimates, on the high side, of the errors of the rules with 2, 3 and 5 points, relative to the highest density;
    /// this probe is the one with 2. Where it has met a density of 0 they are infinite.
    fn relative_errors(&self, log_at_middle: f64) -> [f64; 3] {
        // The two points of a direction are 1/√3 of the width apart, and their mean bends off by k/24.
        let range = self.highest - self.lowest;
        let s = 3.0 * (range * range);
        let k = 24.0 * (self.average_log - log_at_middle).abs();
        if !(s.is_finite() && k.is_finite()) {
            return [f64::INFINITY; 3];
        }
        // h⁵ f⁗/4320, h⁷ f⁽⁶⁾/2016000 and h¹¹ f⁽¹⁰⁾/2.53·10¹² with f⁗/f = a⁴ + 6a²k + 3k² and so on, s = a².
        let fourth = s * (s + 6.0 * k) + 3.0 * k * k;
        let sixth = s * (s * (s + 15.0 * k) + 45.0 * k * k) + 15.0 * (k * k * k);
        let inner = s * (s * (s + 45.0 * k) + 630.0 * k * k) + 3150.0 * (k * k * k);
        let tenth = s * (s * inner + 4725.0 * (k * k * k * k)) + 945.0 * (k * k * k * k * k);
        [fourth / 4320.0, sixth / 2_016_000.0, tenth / 2.53e12]
    }
}

/// Weights with which the log densities in the middles of 7 cells in a row give that at a node in the central one.
struct Stencil {
    /// Weight of the node in its rule.
    weight: f64,
    seven: [f64; STENCIL],
    /// The same from the inner 5 cells alone.
    five: [f64; STENCIL],
}

impl Stencil {
    fn new(&(node, weight): &(f64, f64)) -> Self {
        let u = node / 2.0;
        let lagrange = |points: &[f64], at: f64| -> f64 {
            points.iter().filter(|&&other| (other - at).abs() > 0.5).map(|other| (u - other) / (at - other)).product()
        };
        let seven = [-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0];
        let five = &seven[1..6];
        let inner = |at: f64| if at.abs() < 2.5 { lagrange(five, at) } else { 0.0 };
        Self { weight, seven: seven.map(|at| lagrange(&seven, at)), five: seven.map(inner) }
    }
}

/// The log density in the middle of every cell and of [`MARGIN`] more cells on each side.
struct Lattice {
    logs: Vec<f64>,
    columns: usize,
    /// Cells with a mode in them or next to them.
    near_mode: Vec<bool>,
    empty: f64,
    cell_size: f64,
    two: Vec<Stencil>,
    three: Vec<Stencil>,
    five: Vec<Stencil>,
}

impl Lattice {
    fn new(density: &Density<'_>, grid: &Grid) -> Self {
        let (columns, rows) = (grid.x.cells + 2 * MARGIN, grid.y.cells + 2 * MARGIN);
        let width = Point::new(grid.x.width(), grid.y.width());
        let first = Point::new(grid.x.centre(0), grid.y.centre(0)) - width * MARGIN as f64;
        let at = |index: usize| {
            let steps = Point::new((index % columns) as f64, (index / columns) as f64);
            density.log_at(first + width.component_mul(&steps))
        };
        let logs: Vec<f64> = (0..columns * rows).into_par_iter().map(at).collect();
        let modes = &density.target.info().modes;
        let mut near_mode = vec![false; columns * rows];
        for mode in modes {
            // The lattice extends the grid, so a mode within the grid is at least MARGIN cells from its ends.
            let Some(cell) = grid.cell(mode.at) else { continue };
            let centre = (cell / grid.x.cells + MARGIN) * columns + cell % grid.x.cells + MARGIN;
            for middle in [centre - columns, centre, centre + columns] {
                near_mode[middle - 1..=middle + 1].fill(true);
            }
        }
        let at_modes = modes.iter().map(|mode| density.log_at(mode.at));
        let peak = at_modes.chain(logs.iter().copied()).fold(f64::NEG_INFINITY, f64::max);
        Self {
            logs,
            columns,
            near_mode,
            empty: peak + EMPTY,
            cell_size: width.x * width.y,
            two: TWO_POINTS.iter().map(Stencil::new).collect(),
            three: THREE_POINTS.iter().map(Stencil::new).collect(),
            five: FIVE_POINTS.iter().map(Stencil::new).collect(),
        }
    }

    /// The probability of a cell of the grid; `None` where the density has to be looked at more closely.
    fn probability(&self, column: usize, row: usize) -> Option<f64> {
        let centre = (row + MARGIN) * self.columns + column + MARGIN;
        if self.near_mode[centre] {
            return None;
        }
        let around = [centre - self.columns, centre, centre + self.columns];
        if around.iter().flat_map(|&middle| &self.logs[middle - 1..=middle + 1]).all(|&log| log < self.empty) {
            return Some(0.0);
        }
        let (two, doubt) = self.probe(column, row, &self.two);
        // Beside a place where the density is 0, interpolation of its log may end anywhere.
        if !(doubt.is_finite() && two.average.is_finite()) {
            return None;
        }
        let largest = self.cell_size * libm::exp(self.logs[centre].max(two.highest));
        let allowed = (TOLERANCE * self.cell_size * two.average).max(NEGLIGIBLE);
        let [of_two, of_three, of_five] = two.relative_errors(self.logs[centre]);
        if (of_two + doubt) * largest <= allowed {
            return Some(self.cell_size * two.average);
        }
        let nodes = [(of_three, &self.three), (of_five, &self.five)];
        let accurate = |error: f64| (error + DOUBT_FURTHER_OUT * doubt) * largest <= allowed;
        let (_, nodes) = nodes.into_iter().find(|(error, _)| accurate(*error))?;
        Some(self.cell_size * self.probe(column, row, nodes).0.average)
    }

    /// Looks at the interpolated density on the points of a rule, and how far the interpolation of its log is in doubt.
    fn probe(&self, column: usize, row: usize, nodes: &[Stencil]) -> (Probe, f64) {
        let mut probe = Probe::default();
        let mut doubt = 0.0_f64;
        let first = row * self.columns + column;
        // In arrays of known size the sums become vector instructions.
        let around: [[f64; STENCIL]; STENCIL] =
            std::array::from_fn(|j| std::array::from_fn(|i| self.logs[first + j * self.columns + i]));
        let along_y = |weights: &[f64; STENCIL]| {
            let mut sums = [0.0; STENCIL];
            for (weight, logs) in weights.iter().zip(&around) {
                sums.iter_mut().zip(logs).for_each(|(sum, log)| *sum += weight * log);
            }
            sums
        };
        for v in nodes {
            let (seven, five) = (along_y(&v.seven), along_y(&v.five));
            let dot = |a: &[f64; STENCIL], b: &[f64; STENCIL]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            for u in nodes {
                let log = dot(&u.seven, &seven);
                // A neighbour outside the support makes this infinite or NaN: then the maximum must not lose it.
                let change = (log - dot(&u.five, &five)).abs();
                doubt = if change.is_finite() { doubt.max(change) } else { f64::INFINITY };
                probe.add(log, u.weight * v.weight);
            }
        }
        (probe, LEFT_BY_SEVEN * doubt)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use approx::assert_abs_diff_eq;
    use statrs::distribution::{Beta, ContinuousCDF};

    use super::*;
    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{Exponentials, Mixture, Posterior};
    use crate::math::{Bounds, Gaussian, Matrix};
    use crate::params::{Settings, Value, find_kind};
    use crate::targets::{TARGETS, build};

    /// The probability of an interval under N(mean, variance).
    fn normal_interval(low: f64, high: f64, mean: f64, variance: f64) -> f64 {
        let scaled = |edge: f64| (edge - mean) / (2.0 * variance).sqrt();
        0.5 * (libm::erf(scaled(high)) - libm::erf(scaled(low)))
    }

    /// Also far down in a valley, where it is the share that counts. A cell that is cut makes a few of the errors.
    fn assert_accurate(probability: f64, exact: f64) {
        assert_abs_diff_eq!(probability, exact, epsilon = 2.0 * (TOLERANCE * exact + NEGLIGIBLE));
    }

    #[test]
    fn cells_of_the_25_gaussians_agree_with_the_error_function() {
        let target = Mixture::grid();
        let truth = Truth::new(&target);
        let axis = truth.grid().x;
        assert_abs_diff_eq!(axis.width(), 0.1, epsilon = 1e-15);
        let share = |cell: usize| {
            let of = |mean: f64| normal_interval(axis.edge(cell), axis.edge(cell + 1), mean, 0.03);
            [-4.0, -2.0, 0.0, 2.0, 4.0].map(of).iter().sum::<f64>() / 5.0
        };
        let shares: Vec<f64> = (0..axis.cells).map(share).collect();
        for (index, &probability) in truth.probabilities().iter().enumerate() {
            let exact = shares[index % axis.cells] * shares[index / axis.cells];
            assert_accurate(probability, exact);
        }
        assert_abs_diff_eq!(truth.probabilities().iter().sum::<f64>(), 1.0, epsilon = 1e-12);
        assert_abs_diff_eq!(truth.outside(), 0.0);
    }

    #[test]
    fn cells_of_a_line_agree_with_the_error_function() {
        let truth = Truth::new(&Mixture::line());
        let axis = truth.grid().x;
        assert_eq!(truth.grid().y.cells, 1);
        for (cell, &probability) in truth.probabilities().iter().enumerate() {
            let of = |mean, variance| normal_interval(axis.edge(cell), axis.edge(cell + 1), mean, variance);
            assert_abs_diff_eq!(probability, 0.25 * of(-2.0, 0.04) + 0.75 * of(2.0, 0.09), epsilon = TOLERANCE);
        }
    }

    #[test]
    fn mass_outside_a_tight_view_is_what_the_error_function_says() {
        let part = Gaussian { mean: Point::new(0.3, 0.0), covariance: Matrix::new(1.0, 0.0, 0.0, 0.25) };
        let view = Bounds::new((-1.0, 1.5), (-2.0, 0.5));
        let truth = Truth::new(&Mixture::new(2, &[(1.0, part)], view));
        let inside = normal_interval(-1.0, 1.5, 0.3, 1.0) * normal_interval(-2.0, 0.5, 0.0, 0.25);
        assert_abs_diff_eq!(truth.outside(), 1.0 - inside, epsilon = 1e-6);
        let sum: f64 = truth.probabilities().iter().sum();
        assert_abs_diff_eq!(sum, 1.0 - truth.outside(), epsilon = 1e-12);
    }

    #[test]
    fn ridges_much_thinner_than_a_cell_keep_their_mass() {
        for correlation in [0.99, 0.999, -0.999] {
            let covariance = Matrix::new(1.0, correlation, correlation, 1.0);
            let part = Gaussian { mean: Point::new(0.1, 0.2), covariance };
            let target = Mixture::new(2, &[(1.0, part)], Bounds::new((-8.0, 8.0), (-8.0, 8.0)));
            let grid = Grid::new(target.info().view, 120, 120);
            let sum: f64 = cell_probabilities(&target, &grid).iter().sum();
            assert_abs_diff_eq!(sum, 1.0, epsilon = 1e-6);
        }
    }

    #[test]
    fn a_narrow_mode_between_the_corners_of_a_block_is_found() {
        let part = |weight, at, variance| {
            (weight, Gaussian { mean: Point::repeat(at), covariance: Matrix::identity() * variance })
        };
        let components = [part(0.7, -1.0, 0.5), part(0.3, 3.03, 1e-4)];
        let target = Mixture::new(2, &components, Bounds::new((-6.0, 6.0), (-6.0, 6.0)));
        let grid = Grid::new(target.info().view, 120, 120);
        let sum: f64 = cell_probabilities(&target, &grid).iter().sum();
        assert_abs_diff_eq!(sum, 1.0, epsilon = 1e-6);
    }

    /// The posterior of METHODS §1 on the bundled data, whose log Z and moments are known from elsewhere.
    #[test]
    fn cells_of_a_posterior_have_its_normaliser_and_moments() {
        let target = Posterior::quantile100();
        let grid = Grid::new(target.info().view, 120, 120);
        let cells = cell_probabilities(&target, &grid);
        assert_abs_diff_eq!(cells.iter().sum::<f64>(), 1.0, epsilon = 1e-6);
        let shares = || cells.iter().enumerate().map(|(index, share)| (grid.centre(index), share));
        let mean: Point = shares().map(|(at, share)| at * *share).sum();
        assert_abs_diff_eq!(mean, target.info().mean, epsilon = 1e-5);
        let spread = |at: Point| (at - mean) * (at - mean).transpose();
        let covariance: Matrix = shares().map(|(at, share)| spread(at) * *share).sum();
        let within = Matrix::new(grid.x.width().powi(2), 0.0, 0.0, grid.y.width().powi(2)) / 12.0;
        assert_abs_diff_eq!(covariance - within, target.info().covariance, epsilon = 2e-5);
    }

    #[test]
    fn a_posterior_is_looked_at_little_more_than_once_per_cell_and_still_accurate() {
        let target = Posterior::quantile100();
        let grid = Grid::new(target.info().view, 120, 120);
        let cells = cell_probabilities(&target, &grid);
        let evaluations = target.evaluations();
        assert!(evaluations < 18_000, "{evaluations}");
        let density = Density::new(&target);
        for (index, &probability) in cells.iter().enumerate().step_by(7) {
            let half = Point::new(grid.x.width(), grid.y.width()) / 2.0;
            let quarters = [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)];
            let middle = |&(x, y): &(f64, f64)| grid.centre(index) + Point::new(x * half.x, y * half.y);
            let quarter = |at| density.probe(middle(at), half / 2.0, THREE_POINTS).average * half.x * half.y;
            let exact: f64 = quarters.iter().map(quarter).sum();
            assert_accurate(probability, exact);
        }
    }

    /// Beta(2.5, 1.2) falls to 0 at 1 with an infinite slope.
    #[test]
    fn a_density_with_a_root_at_the_end_of_its_support_agrees_with_the_beta_function() {
        let spec = find_kind(&TARGETS, "beta-posterior").expect("registered");
        let mut settings = Settings::defaults(spec);
        settings.set("prior", Value::Pair([1.5, 1.2])).expect("legal");
        settings.set("data.n", Value::Number(1.0)).expect("legal");
        settings.set("data.ones", Value::Number(1.0)).expect("legal");
        let target = build(&settings, Path::new("")).expect("a mode inside");
        let view = target.info().view;
        let grid = Grid::new(Bounds::new((view.min.x, view.max.x), (-0.5, 0.5)), 120, 1);
        let distribution = Beta::new(2.5, 1.2).expect("legal");
        for (index, probability) in cell_probabilities(target.as_ref(), &grid).into_iter().enumerate() {
            let below = |edge: usize| distribution.cdf(grid.x.edge(edge).clamp(0.0, 1.0));
            let above = |edge: usize| distribution.sf(grid.x.edge(edge).clamp(0.0, 1.0));
            // A difference of the smaller ones of both, which loses fewer digits.
            let exact = if index < 60 { below(index + 1) - below(index) } else { above(index) - above(index + 1) };
            assert_accurate(probability, exact);
        }
    }

    #[test]
    fn a_support_that_ends_inside_the_view_keeps_its_mass() {
        let target = Exponentials::new();
        let grid = Grid::new(target.info().view, 120, 120);
        for (index, probability) in cell_probabilities(&target, &grid).into_iter().enumerate() {
            let share = |axis: &crate::math::Axis, number: usize| {
                let above = |edge: f64| (-2.0 * edge.max(0.0)).exp();
                above(axis.edge(number)) - above(axis.edge(number + 1))
            };
            let exact = share(&grid.x, index % 120) * share(&grid.y, index / 120);
            assert_accurate(probability, exact);
        }
    }
}
