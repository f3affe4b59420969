//! Probabilities of cells by Gauss–Legendre quadrature of the density, refined where necessary.
//!
//! Every cell is tried with 2 points per direction, then with 3 or 5, then cut in half each way. How far a rule can be
//! trusted follows from the slope a and the curvature k of the *log* density, per width of the cell: where they
//! are constant, the derivatives in the rules' error terms are Hermite polynomials in them. Next to the boundary of the
//! support, where a density may start like a power of the distance, no rule is trusted far.
//!
//! A density with kinks, walls and jumps has no such derivatives, and they may lie between the points and the sides of a box. So a rule also
//! has to agree with the Gauss–Lobatto rule of the same degree, whose points lie on the sides and corners and nowhere near its own.
//!
//! Errors are relative to the probability of the cell: the measures take logarithms, and draws may crowd where the
//! target has next to nothing.
//!
//! In the plane the log density is first evaluated once per cell, in its middle; where it is smooth the points of
//! the rules are interpolated from there, which matters when a density sums over data. Cells in whose neighbourhood it
//! stays below e⁻⁴⁰ of the peak count as empty; together they hold less than 10⁻¹². Around the modes, which may be
//! narrower than a cell, nothing is interpolated or left out. Cells across the boundary of the support are cut there.

mod lattice;
mod rules;

use rayon::prelude::*;

use self::lattice::Lattice;
use self::rules::{ENDS, FIVE_POINTS, LOBATTO, ON_AXIS, Probe, Rule, THREE_POINTS, TWO_POINTS};
use base::math::{Bounds, Grid, Point};
use models::targets::{Density, Support};

/// Error allowed in a box, as a share of the probability of its cell; errors of neighbouring cells alternate and nearly
/// cancel in sums.
const TOLERANCE: f64 = 1e-6;

/// Error always allowed, as a probability: a millionth of the share of the uniform distribution that `kl` gives to a
/// cell.
const NEGLIGIBLE: f64 = 1e-19;

/// How deep a cell is cut, in the plane and on the line, and how much of that it takes to cut it in half along an axis: little across an end
/// of the support, where one half needs no more.
const DEPTH: [usize; 2] = [48, 120];
const CUT: usize = 4;
const CUT_AT_END: usize = 1;

/// A box is cut along one axis alone where the log density changes so many times more along it.
const STEEPER: f64 = 8.0;

/// Error, relative to the highest density, with which all rules are credited at an end of the support: a bound for
/// powers of the distance with a positive exponent.
const ERROR_AT_END: f64 = 0.01;

/// So much of the way from the middle of a box to its sides.
const ALMOST: f64 = 0.97;

/// Middles of the halves of an interval, and of all of it, in its half widths of them.
const SIDES: &[f64] = &[-1.0, 1.0];
const WHOLE: &[f64] = &[0.0];

/// A share of the whole outside of all cells from which on it is looked at more closely whether it is there, and the error of a cell that
/// shows that its points have missed something.
const UNEXPLAINED: f64 = 2e-4;
const MISSED: f64 = 1e-5;

/// The probability of every cell of `grid`, by rows from the lower left; from the target itself if it knows.
pub(super) fn cell_probabilities(target: &dyn Density, grid: &Grid) -> Vec<f64> {
    let [x, y] = [grid.x, grid.y].map(|axis| (0..=axis.cells).map(|number| axis.edge(number)).collect::<Vec<_>>());
    let known = target.cell_probabilities(&x, &y);
    known.unwrap_or_else(|| {
        let mut cells = integrated(target, grid);
        if (1.0 - cells.iter().sum::<f64>()).abs() > UNEXPLAINED
            && let Some(found) = target.cells_by_lines(&x, &y)
        {
            // What is narrow beside a cell may lie between the points in it. What nothing confirms is not known.
            let is_missed = |cell: f64, found: f64| found.is_nan() || (cell - found).abs() > MISSED;
            let missed = cells.iter_mut().zip(found).filter(|(cell, found)| is_missed(**cell, *found));
            missed.for_each(|(cell, found)| *cell = found);
        }
        cells
    })
}

/// Cells along half of the view, in the border around it.
const BORDER_CELLS: usize = 8;

/// The probability of a border around `grid`, half as wide as it on each side: nearly all that is outside, where that is next to nothing. It is the sum of
/// small numbers, of which 1 less the sum over the grid would leave rounding errors.
pub(super) fn probability_around(target: &dyn Density, grid: &Grid) -> f64 {
    let (x, y, planar) = (grid.x, grid.y, target.info().dimension == 2);
    let [wide, high] = [x, y].map(|axis| 0.5 * (axis.max - axis.min));
    let (across, rows) = if planar { ((y.min - high, y.max + high), 4 * BORDER_CELLS) } else { ((y.min, y.max), 1) };
    let beside = [(x.min - wide, x.min), (x.max, x.max + wide)];
    let mut strips: Vec<Grid> =
        beside.iter().map(|&side| Grid::new(Bounds::new(side, across), BORDER_CELLS, rows)).collect();
    if planar {
        let below_and_above = [(y.min - high, y.min), (y.max, y.max + high)];
        let strip = |side| Grid::new(Bounds::new((x.min, x.max), side), 2 * BORDER_CELLS, BORDER_CELLS);
        strips.extend(below_and_above.map(strip));
    }
    let probability = |strip: &Grid| {
        let [x, y] =
            [strip.x, strip.y].map(|axis| (0..=axis.cells).map(|number| axis.edge(number)).collect::<Vec<_>>());
        let cells = target.cell_probabilities(&x, &y).unwrap_or_else(|| integrated(target, strip));
        cells.iter().filter(|probability| probability.is_finite()).sum::<f64>()
    };
    strips.iter().map(probability).sum()
}

/// How often a cell is cut in half around a point.
const DEPTH_AROUND: usize = 24;

/// Probability that a cell would have if it were as dense everywhere as at a point, from which on it is cut around it.
const NOTABLE: f64 = 1e-9;

/// The probability of one cell of `grid`, of a target without closed form; fine around a point in it where the density is notable there,
/// however narrow it is.
pub(super) fn cell_probability(target: &dyn Density, grid: &Grid, cell: usize, at: Point) -> f64 {
    let density = Integrand::new(target);
    let width = if density.planar { grid.x.width() * grid.y.width() } else { grid.x.width() };
    let depth = if libm::exp(density.log_at(at)) * width > NOTABLE { DEPTH_AROUND } else { 0 };
    density.of_cell(grid, cell, |middle, half| density.around(at, (middle, half), depth))
}

/// The same by quadrature.
fn integrated(target: &dyn Density, grid: &Grid) -> Vec<f64> {
    let density = Integrand::new(target);
    let lattice = density.planar.then(|| Lattice::new(&density, grid));
    let one = |cell: usize| {
        let (column, row) = (cell % grid.x.cells, cell / grid.x.cells);
        let known = lattice.as_ref().and_then(|lattice| lattice.probability(column, row));
        let whole = |middle, half| density.probability(middle, half, density.depth(), NEGLIGIBLE);
        known.unwrap_or_else(|| density.of_cell(grid, cell, whole))
    };
    (0..grid.len()).into_par_iter().map(one).collect()
}

struct Integrand<'a> {
    target: &'a dyn Density,
    log_normaliser: f64,
    planar: bool,
    /// The support; on the line y is unbounded.
    low: Point,
    high: Point,
}

impl<'a> Integrand<'a> {
    fn new(target: &'a dyn Density) -> Self {
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
        let highest = at_middle.max(two.highest);
        if highest == f64::NEG_INFINITY && self.probe(middle, half, ENDS).highest == f64::NEG_INFINITY {
            return 0.0;
        }
        let allowed = allowed.max(TOLERANCE * size * two.average);
        let ends = self.ends_at(middle, half);
        let least = if ends.contains(&true) { ERROR_AT_END } else { 0.0 };
        let largest = size * libm::exp(highest);
        let likely = two.relative_errors(at_middle).map(|error| error.max(least) * largest <= allowed);
        let agreed = |average: f64, other: Rule| {
            let difference = size * (average - self.probe(middle, half, other).average);
            (difference.abs() <= allowed).then_some(size * average)
        };
        let mut found = None;
        // On the line points cost little, and near an end the estimates are low: there the rule is always the best.
        if likely[0] && self.planar {
            found = agreed(two.average, LOBATTO[0]);
        }
        if found.is_none() && likely[1] && self.planar {
            found = agreed(self.probe(middle, half, THREE_POINTS).average, LOBATTO[1]);
        }
        if found.is_none() && (likely[2] || depth == 0) {
            let five = self.probe(middle, half, FIVE_POINTS).average;
            found = if depth == 0 { Some(size * five) } else { agreed(five, LOBATTO[2]) };
        }
        found.unwrap_or_else(|| {
            let halved = self.cut_axes(middle, half, at_middle, ends);
            self.of_parts(middle, half, halved, depth.saturating_sub(cost(halved, ends)), allowed)
        })
    }

    /// The same by parts, with half of the box along some axes.
    fn of_parts(&self, middle: Point, half: Point, halved: [bool; 2], depth: usize, allowed: f64) -> f64 {
        let axis = |index: usize| if halved[index] { (0.5 * half[index], SIDES) } else { (half[index], WHOLE) };
        let ((x, columns), (y, rows)) = (axis(0), axis(1));
        let offsets = rows.iter().flat_map(|row| columns.iter().map(move |column| Point::new(column * x, row * y)));
        offsets.map(|offset| self.probability(middle + offset, Point::new(x, y), depth, allowed)).sum()
    }

    /// Along which axes a box is cut in half: those along which the density changes, but first across an end of the support.
    fn cut_axes(&self, middle: Point, half: Point, at_middle: f64, ends: [bool; 2]) -> [bool; 2] {
        if !self.planar {
            return [true, false];
        }
        // The whole width counts, but for ends where the density may be 0 or infinite.
        let change = |away: Point| {
            let [before, after] = [-1.0, 1.0].map(|side| (self.log_at(middle + away * side) - at_middle).abs());
            if before.is_nan() { before } else { after.max(before) }
        };
        let [x, y] = [change(Point::new(ALMOST * half.x, 0.0)), change(Point::new(0.0, ALMOST * half.y))];
        let is_even = !(x + y).is_finite();
        match [is_even || STEEPER * x >= y, is_even || STEEPER * y >= x] {
            [true, true] if ends[0] => [true, false],
            [true, true] if ends[1] => [false, true],
            steep => steep,
        }
    }

    /// Along which axes a side of the box lies on an end of the support.
    fn ends_at(&self, middle: Point, half: Point) -> [bool; 2] {
        // Sides are known up to rounding, which is far below a thousandth of a box.
        let near = |side: f64, end: f64, axis: usize| (side - end).abs() < 1e-3 * half[axis];
        [0, 1].map(|axis| {
            let (at, half) = (middle[axis], half[axis]);
            near(at - half, self.low[axis], axis) || near(at + half, self.high[axis], axis)
        })
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

/// What it costs of the depth to cut a box along these axes, of which some have an end of the support at a side of it.
fn cost(halved: [bool; 2], ends: [bool; 2]) -> usize {
    let of = |axis: usize| match (halved[axis], halved[1 - axis], ends[axis]) {
        (false, ..) => 0,
        // Both halves of what is cut twice may need more.
        (true, false, true) => CUT_AT_END,
        _ => CUT,
    };
    of(0) + of(1)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use approx::{assert_abs_diff_eq, assert_relative_eq};
    use statrs::distribution::{Beta, ContinuousCDF};

    use super::*;
    use crate::diagnostics::Truth;
    use crate::diagnostics::test_targets::{Exponentials, Mixture, Posterior};
    use base::math::{Gaussian, Matrix};
    use base::params::{ParamType, Settings, Value, find_kind};
    use models::targets::{TARGETS, build};

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

    /// Products of intervals, computed as small numbers: 2.6·10⁻⁷ and less.
    #[test]
    fn the_mass_around_a_view_has_its_digits_however_small_it_is() {
        let beyond = |reach: f64, sd: f64| libm::erfc(reach / sd / std::f64::consts::SQRT_2);
        for reach in [5.2, 6.0, 7.5] {
            let part = Gaussian { mean: Point::zeros(), covariance: Matrix::new(1.0, 0.0, 0.0, 0.81) };
            let view = Bounds::new((-reach, reach), (-5.0, 5.0));
            let target = Mixture::new(2, &[(1.0, part)], view);
            let exact = beyond(reach, 1.0) + beyond(5.0, 0.9) - beyond(reach, 1.0) * beyond(5.0, 0.9);
            let found = probability_around(&target, Truth::new(&target).grid());
            assert_relative_eq!(found, exact, max_relative = 1e-3);
        }
        let part = Gaussian { mean: Point::zeros(), covariance: Matrix::identity() };
        let target = Mixture::new(1, &[(1.0, part)], Bounds::new((-5.5, 5.5), (-0.5, 0.5)));
        let found = probability_around(&target, Truth::new(&target).grid());
        assert_relative_eq!(found, beyond(5.5, 1.0), max_relative = 1e-3);
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

    /// The posterior of Welling and Teh (2011), Section 5.1, on the bundled data, whose log Z and moments are known from elsewhere.
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
        let density = Integrand::new(&target);
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
        let target = build(&settings, Path::new("")).expect("a mode inside").density().expect("a density").clone();
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

    /// The density with this logarithm.
    fn written(formula: &str, support_x: Option<&'static str>) -> std::sync::Arc<dyn Density> {
        let spec = find_kind(&TARGETS, "formula").expect("registered");
        let mut settings = Settings::defaults(spec);
        settings.set("density", Value::Text(formula.to_owned())).expect("legal");
        settings.set("parameters", Value::Named(Vec::new())).expect("legal");
        if let Some(kind) = support_x {
            let ParamType::Group(kinds) = spec.param("support_x").expect("a parameter").ty else { panic!("no group") };
            let support = Settings::defaults(find_kind(kinds, kind).expect("registered"));
            settings.set("support_x", Value::Group(support)).expect("legal");
        }
        build(&settings, Path::new("")).expect("a density").density().expect("in the plane").clone()
    }

    /// A wall may stand between the points of a rule and the side of the box: half of a normal distribution in x.
    #[test]
    fn cells_across_walls_have_the_mass_on_this_side() {
        let below = |x: f64| 0.5 * libm::erfc(-x / 2.0_f64.sqrt());
        for (wall, bound) in [(0.3, 3e-4), (0.31, 3e-4), (-0.04, 3e-4), (0.0999, 3e-3)] {
            let target = written(&format!("-1e9*max(0, x - ({wall})) - x^2/2 - y^2/2"), None);
            let grid = Grid::new(Bounds::new((-6.0, 6.0), (-6.0, 6.0)), 120, 120);
            for (index, probability) in cell_probabilities(target.as_ref(), &grid).into_iter().enumerate() {
                let [left, right] = [0, 1].map(|side| grid.x.edge(index % 120 + side).min(wall));
                let [low, high] = [0, 1].map(|side| grid.y.edge(index / 120 + side));
                let exact = (below(right) - below(left)) / below(wall) * (below(high) - below(low));
                // 10⁻⁹ wide and 10⁻¹³ of the whole: what leaks through the wall.
                assert_abs_diff_eq!(probability, exact, epsilon = bound * exact + 1e-8);
            }
        }
    }

    /// Chords of a circle, integrated finely.
    #[test]
    fn cells_of_a_disc_have_their_share_of_it() {
        let target = written("-1e9*max(0, x^2 + y^2 - 1)", None);
        let grid = Grid::new(Bounds::new((-1.1, 1.07), (-1.05, 1.13)), 120, 120);
        let cell = grid.x.width() * grid.y.width() / std::f64::consts::PI;
        for (index, probability) in cell_probabilities(target.as_ref(), &grid).into_iter().enumerate() {
            let (left, low) = (grid.x.edge(index % 120), grid.y.edge(index / 120));
            let (count, width) = (2000, grid.x.width());
            let chord = |step: i32| {
                let x = left + width * (f64::from(step) + 0.5) / f64::from(count);
                let half = (1.0 - x * x).max(0.0).sqrt();
                let high = low + grid.y.width();
                half.clamp(low, high) - (-half).clamp(low, high)
            };
            let exact = (0..count).map(chord).sum::<f64>() * width / f64::from(count) / std::f64::consts::PI;
            assert_abs_diff_eq!(probability, exact, epsilon = 2e-3 * cell);
        }
    }

    /// A needle, a ring and the neck of a funnel that lie between the points of every rule in a cell.
    #[test]
    fn what_is_narrow_beside_a_cell_is_in_it() {
        for (formula, outside) in [
            ("logsumexp(-(x^2+y^2)/200 - ln(100), -((x-7.3)^2 + (y+4.1)^2)/(2*0.005^2) - 2ln(0.005) + ln(9))", 1e-4),
            ("logsumexp(-(x^2+y^2)/2, -((x-137.7)^2 + (y-251.3)^2)/(2*0.0005^2) - 2ln(0.0005))", 1e-4),
            ("-(sqrt(x^2+y^2) - 5)^2/(2*0.001^2)", 1e-4),
            ("-x^2/18 - y^2*exp(-x)/2 - x/2", 6e-4),
            ("-y^2/18 - x^2*exp(-y)/2 - y/2", 6e-4),
            ("logsumexp(-x^2/2e6 - ln(1000), -(x-700)^2/(2*0.1^2) - ln(0.1))", 1e-4),
        ] {
            let truth = Truth::new(written(formula, None).as_ref());
            assert!(truth.is_known() && truth.outside() < outside, "{formula}: {} outside", truth.outside());
        }
    }

    /// Gamma(½, 1) in x: ∫ x^−½ e^−x = √π erf(√x).
    #[test]
    fn cells_beside_a_pole_have_their_mass() {
        let target = written("-0.5*ln(x) - x - y^2/2", Some("above"));
        let grid = Grid::new(Bounds::new((0.0, 12.0), (-6.0, 6.0)), 120, 120);
        for (index, probability) in cell_probabilities(target.as_ref(), &grid).into_iter().enumerate() {
            let [left, right] = [0, 1].map(|side| libm::erf(grid.x.edge(index % 120 + side).sqrt()));
            let [low, high] = [0, 1].map(|side| grid.y.edge(index / 120 + side));
            let exact = (right - left) * normal_interval(low, high, 0.0, 1.0);
            let error = if index % 120 == 0 { 3e-3 } else { 3e-5 };
            assert_abs_diff_eq!(probability, exact, epsilon = error * exact + 1e-12);
        }
    }

    /// Walls, edges and tips at angles: as much mass as there is, in moderately many looks at the density.
    #[test]
    fn slanted_walls_and_edges_keep_their_mass() {
        for formula in [
            "u = 0.6x + 0.8y - 0.123; -3000*max(0, u) - x^2/2 - y^2",
            "u = 0.2x - 1.4y + 0.3; v = x + 0.1y; ln(u) - 3u - v^2",
            "-abs(x + 2y) - 40*abs(x - y - 0.3)",
            "ln(x + 1) + ln(y - x + 0.1) + ln(2 - x - y)",
            "-1e5*max(0, abs(x - 0.37) + abs(y) - 1)",
        ] {
            let target = written(formula, None);
            let truth = Truth::new(target.as_ref());
            assert!(truth.is_known(), "{formula}: {:?}", truth.why_unknown());
            let wide = truth.outer_grid();
            let sum: f64 = cell_probabilities(target.as_ref(), wide).iter().sum();
            assert_abs_diff_eq!(sum, 1.0, epsilon = 2e-4);
        }
    }

    #[test]
    fn a_support_that_ends_inside_the_view_keeps_its_mass() {
        let target = Exponentials::new();
        let grid = Grid::new(target.info().view, 120, 120);
        for (index, probability) in cell_probabilities(&target, &grid).into_iter().enumerate() {
            let share = |axis: &base::math::Axis, number: usize| {
                let above = |edge: f64| (-2.0 * edge.max(0.0)).exp();
                above(axis.edge(number)) - above(axis.edge(number + 1))
            };
            let exact = share(&grid.x, index % 120) * share(&grid.y, index / 120);
            assert_accurate(probability, exact);
        }
    }
}
