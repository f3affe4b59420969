//! Probabilities of cells: Gauss–Legendre quadrature of the density, finer where it has to be.
//!
//! Every cell is tried with 2 points per direction, then with 3, then cut in half each way. How far a rule can be
//! trusted follows from the slope a and the curvature k of the *log* density, per width of the cell: where they
//! are constant, the derivatives in the rules' error terms are Hermite polynomials in them.
//!
//! In the plane the log density is first evaluated once per cell, in its middle; where it is smooth the points of
//! the rules are interpolated from there, which matters when a density sums over data. Cells in whose neighbourhood it
//! stays below e⁻³⁰ of the peak count as empty; together they hold less than 10⁻⁸. Around the modes, which may be
//! narrower than a cell, nothing is interpolated or left out. Cells across the edge of the support are cut there.

use rayon::prelude::*;

use crate::math::{Grid, Point};
use crate::targets::{Support, Target};

/// Error allowed per cell, as a probability; errors of neighbouring cells alternate and nearly cancel in sums.
const TOLERANCE: f64 = 3e-8;

/// How often a cell is cut in half.
const DEPTH: usize = 5;

/// Log density, relative to the peak, below which there is nothing.
const EMPTY: f64 = -30.0;

/// Cells by which the lattice of middles reaches beyond the grid, and half the width of a stencil.
const MARGIN: usize = 2;

/// What interpolation from 5 points leaves of the difference it makes to 3 points; chosen on the safe side.
const LEFT_BY_FIVE: f64 = 0.25;

/// A Gauss–Legendre rule on [−1, 1]: nodes and weights that add up to 1.
type Rule = &'static [(f64, f64)];

const TWO_POINTS: Rule = &[(-0.577_350_269_189_625_8, 0.5), (0.577_350_269_189_625_8, 0.5)];
const THREE_POINTS: Rule =
    &[(-0.774_596_669_241_483_4, 5.0 / 18.0), (0.0, 8.0 / 18.0), (0.774_596_669_241_483_4, 5.0 / 18.0)];
const ON_AXIS: Rule = &[(0.0, 1.0)];

/// The probability of every cell of `grid`, by rows from the lower left.
pub(super) fn cell_probabilities(target: &dyn Target, grid: &Grid) -> Vec<f64> {
    let density = Density::new(target);
    let lattice = density.planar.then(|| Lattice::new(&density, grid));
    let one = |cell: usize| {
        let (column, row) = (cell % grid.x.cells, cell / grid.x.cells);
        let known = lattice.as_ref().and_then(|lattice| lattice.probability(column, row));
        known.unwrap_or_else(|| {
            let low = Point::new(grid.x.edge(column), grid.y.edge(row)).sup(&density.low);
            let high = Point::new(grid.x.edge(column + 1), grid.y.edge(row + 1)).inf(&density.high);
            let half = (high - low) / 2.0;
            if half.min() > 0.0 { density.probability((low + high) / 2.0, half, DEPTH) } else { 0.0 }
        })
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
        let facts = target.facts();
        let planar = facts.dimension == 2;
        let Support { min: mut low, max: mut high } = facts.support;
        if !planar {
            (low.y, high.y) = (f64::NEG_INFINITY, f64::INFINITY);
        }
        Self { target, log_normaliser: facts.log_normaliser, planar, low, high }
    }

    /// The normalised log density.
    fn log_at(&self, point: Point) -> f64 {
        let point = if self.planar { point } else { Point::new(point.x, 0.0) };
        self.target.log_density(point) - self.log_normaliser
    }

    /// The probability of the box `middle` ± `half`; of its x interval on the line.
    fn probability(&self, middle: Point, half: Point, depth: usize) -> f64 {
        let size = if self.planar { 4.0 * half.x * half.y } else { 2.0 * half.x };
        let at_middle = self.log_at(middle);
        let two = self.probe(middle, half, TWO_POINTS);
        let [error_of_two, error_of_three] = two.relative_errors(at_middle);
        let largest = size * libm::exp(at_middle.max(two.highest));
        if error_of_two * largest <= TOLERANCE {
            return size * two.average;
        }
        if error_of_three * largest <= TOLERANCE || depth == 0 {
            return size * self.probe(middle, half, THREE_POINTS).average;
        }
        let quarter = half / 2.0;
        let rows: &[f64] = if self.planar { &[-1.0, 1.0] } else { &[0.0] };
        let corner = |x: f64, y: f64| middle + Point::new(x * quarter.x, y * quarter.y);
        rows.iter().flat_map(|&y| [-1.0, 1.0].map(|x| self.probability(corner(x, y), quarter, depth - 1))).sum()
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

    /// Estimates, on the high side, of the errors of the rules with 2 and 3 points, relative to the highest density; this
    /// probe is the one with 2. Where it has met a density of 0 they are 1.
    fn relative_errors(&self, log_at_middle: f64) -> [f64; 2] {
        // The two points of a direction are 1/√3 of the width apart, and their mean bends off by k/24.
        let slope_squared = 3.0 * (self.highest - self.lowest).powi(2);
        let curvature = 24.0 * (self.average_log - log_at_middle).abs();
        if !(slope_squared.is_finite() && curvature.is_finite()) {
            return [1.0; 2];
        }
        // h⁵ f⁗/4320 and h⁷ f⁽⁶⁾/2016000, with f⁗/f = a⁴ + 6a²k + 3k² and f⁽⁶⁾/f = a⁶ + 15a⁴k + 45a²k² + 15k³.
        let fourth = slope_squared * (slope_squared + 6.0 * curvature) + 3.0 * curvature * curvature;
        let sixth = slope_squared * (slope_squared * (slope_squared + 15.0 * curvature) + 45.0 * curvature * curvature)
            + 15.0 * curvature.powi(3);
        [fourth / 4320.0, sixth / 2_016_000.0]
    }
}

/// Weights with which the log densities in the middles of 5 cells in a row give that at a node in the central one.
struct Stencil {
    /// Weight of the node in its rule.
    weight: f64,
    five: [f64; 5],
    /// The same from the inner 3 cells alone.
    three: [f64; 5],
}

impl Stencil {
    fn new(&(node, weight): &(f64, f64)) -> Self {
        let u = node / 2.0;
        let lagrange = |points: &[f64], at: f64| -> f64 {
            points.iter().filter(|&&other| (other - at).abs() > 0.5).map(|other| (u - other) / (at - other)).product()
        };
        let five = [-2.0, -1.0, 0.0, 1.0, 2.0];
        let three = &five[1..4];
        let inner = |at: f64| if at.abs() < 1.5 { lagrange(three, at) } else { 0.0 };
        Self { weight, five: five.map(|at| lagrange(&five, at)), three: five.map(inner) }
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
        let modes = &density.target.facts().modes;
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
        let [error_of_two, error_of_three] = two.relative_errors(self.logs[centre]);
        let largest = self.cell_size * libm::exp(self.logs[centre].max(two.highest));
        if (error_of_two + doubt) * largest <= TOLERANCE {
            return Some(self.cell_size * two.average);
        }
        // The nodes of the rule with 3 points lie a third further out.
        if (error_of_three + 2.0 * doubt) * largest <= TOLERANCE {
            return Some(self.cell_size * self.probe(column, row, &self.three).0.average);
        }
        None
    }

    /// Looks at the interpolated density on the points of a rule, and how far the interpolation of its log is in doubt.
    fn probe(&self, column: usize, row: usize, nodes: &[Stencil]) -> (Probe, f64) {
        let mut probe = Probe::default();
        let mut doubt = 0.0_f64;
        let first = row * self.columns + column;
        let along_y = |weights: &[f64; 5], i: usize| -> f64 {
            weights.iter().enumerate().map(|(j, weight)| weight * self.logs[first + j * self.columns + i]).sum()
        };
        for v in nodes {
            let five: [f64; 5] = std::array::from_fn(|i| along_y(&v.five, i));
            let three: [f64; 5] = std::array::from_fn(|i| along_y(&v.three, i));
            let dot = |a: &[f64; 5], b: &[f64; 5]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            for u in nodes {
                let log = dot(&u.five, &five);
                // A neighbour outside the support makes this infinite or NaN: then the maximum must not lose it.
                let change = (log - dot(&u.three, &three)).abs();
                doubt = if change.is_finite() { doubt.max(change) } else { f64::INFINITY };
                probe.add(log, u.weight * v.weight);
            }
        }
        (probe, LEFT_BY_FIVE * doubt)
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::*;
    use crate::diagnostics::Reference;
    use crate::diagnostics::test_targets::{Exponentials, Mixture, Posterior};
    use crate::math::{Gaussian, Matrix, Window};

    /// The probability of an interval under N(mean, variance).
    fn normal_interval(low: f64, high: f64, mean: f64, variance: f64) -> f64 {
        let scaled = |edge: f64| (edge - mean) / (2.0 * variance).sqrt();
        0.5 * (libm::erf(scaled(high)) - libm::erf(scaled(low)))
    }

    #[test]
    fn cells_of_the_25_gaussians_agree_with_the_error_function() {
        let target = Mixture::grid();
        let reference = Reference::new(&target);
        let axis = reference.grid().x;
        assert_abs_diff_eq!(axis.width(), 0.1, epsilon = 1e-15);
        let share = |cell: usize| {
            let of = |mean: f64| normal_interval(axis.edge(cell), axis.edge(cell + 1), mean, 0.03);
            [-4.0, -2.0, 0.0, 2.0, 4.0].map(of).iter().sum::<f64>() / 5.0
        };
        let shares: Vec<f64> = (0..axis.cells).map(share).collect();
        for (index, &probability) in reference.probabilities().iter().enumerate() {
            let exact = shares[index % axis.cells] * shares[index / axis.cells];
            assert_abs_diff_eq!(probability, exact, epsilon = 2.0 * TOLERANCE);
        }
        assert_abs_diff_eq!(reference.probabilities().iter().sum::<f64>(), 1.0, epsilon = 1e-12);
        assert_abs_diff_eq!(reference.outside(), 0.0);
    }

    #[test]
    fn cells_of_a_line_agree_with_the_error_function() {
        let reference = Reference::new(&Mixture::line());
        let axis = reference.grid().x;
        assert_eq!(reference.grid().y.cells, 1);
        for (cell, &probability) in reference.probabilities().iter().enumerate() {
            let of = |mean, variance| normal_interval(axis.edge(cell), axis.edge(cell + 1), mean, variance);
            assert_abs_diff_eq!(probability, 0.25 * of(-2.0, 0.04) + 0.75 * of(2.0, 0.09), epsilon = TOLERANCE);
        }
    }

    #[test]
    fn mass_outside_a_tight_view_is_what_the_error_function_says() {
        let part = Gaussian { mean: Point::new(0.3, 0.0), covariance: Matrix::new(1.0, 0.0, 0.0, 0.25) };
        let view = Window::new((-1.0, 1.5), (-2.0, 0.5));
        let reference = Reference::new(&Mixture::new(2, &[(1.0, part)], view));
        let inside = normal_interval(-1.0, 1.5, 0.3, 1.0) * normal_interval(-2.0, 0.5, 0.0, 0.25);
        assert_abs_diff_eq!(reference.outside(), 1.0 - inside, epsilon = 1e-6);
        let sum: f64 = reference.probabilities().iter().sum();
        assert_abs_diff_eq!(sum, 1.0 - reference.outside(), epsilon = 1e-12);
    }

    #[test]
    fn ridges_much_thinner_than_a_cell_keep_their_mass() {
        for correlation in [0.99, 0.999, -0.999] {
            let covariance = Matrix::new(1.0, correlation, correlation, 1.0);
            let part = Gaussian { mean: Point::new(0.1, 0.2), covariance };
            let target = Mixture::new(2, &[(1.0, part)], Window::new((-8.0, 8.0), (-8.0, 8.0)));
            let grid = Grid::new(target.facts().view, 120, 120);
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
        let target = Mixture::new(2, &components, Window::new((-6.0, 6.0), (-6.0, 6.0)));
        let grid = Grid::new(target.facts().view, 120, 120);
        let sum: f64 = cell_probabilities(&target, &grid).iter().sum();
        assert_abs_diff_eq!(sum, 1.0, epsilon = 1e-6);
    }

    /// The posterior of METHODS §1 on the bundled data, whose log Z and moments are known from elsewhere.
    #[test]
    fn cells_of_a_posterior_have_its_normaliser_and_moments() {
        let target = Posterior::quantile100();
        let grid = Grid::new(target.facts().view, 120, 120);
        let cells = cell_probabilities(&target, &grid);
        assert_abs_diff_eq!(cells.iter().sum::<f64>(), 1.0, epsilon = 1e-6);
        let shares = || cells.iter().enumerate().map(|(index, share)| (grid.centre(index), share));
        let mean: Point = shares().map(|(at, share)| at * *share).sum();
        assert_abs_diff_eq!(mean, target.facts().mean, epsilon = 1e-5);
        let spread = |at: Point| (at - mean) * (at - mean).transpose();
        let covariance: Matrix = shares().map(|(at, share)| spread(at) * *share).sum();
        let within = Matrix::new(grid.x.width().powi(2), 0.0, 0.0, grid.y.width().powi(2)) / 12.0;
        assert_abs_diff_eq!(covariance - within, target.facts().covariance, epsilon = 2e-5);
    }

    #[test]
    fn a_posterior_is_looked_at_little_more_than_once_per_cell_and_still_accurate() {
        let target = Posterior::quantile100();
        let grid = Grid::new(target.facts().view, 120, 120);
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
            assert_abs_diff_eq!(probability, exact, epsilon = TOLERANCE);
        }
    }

    #[test]
    fn a_support_that_ends_inside_the_view_keeps_its_mass() {
        let target = Exponentials::new();
        let grid = Grid::new(target.facts().view, 120, 120);
        for (index, probability) in cell_probabilities(&target, &grid).into_iter().enumerate() {
            let share = |axis: &crate::math::Axis, number: usize| {
                let above = |edge: f64| (-2.0 * edge.max(0.0)).exp();
                above(axis.edge(number)) - above(axis.edge(number + 1))
            };
            let exact = share(&grid.x, index % 120) * share(&grid.y, index / 120);
            assert_abs_diff_eq!(probability, exact, epsilon = TOLERANCE);
        }
    }
}
