//! Ground truth of a target, prepared once: cells with exact probabilities, modes, moments.

use base::math::{Grid, Matrix, Point, Stream};
use models::targets::{Density, Mode, Model, Support, Target, TargetInfo};

use super::dynamics::curvature;
use super::grids;
use super::histogram::Pools;
use super::mode_map::{CODES_PER_MODE, CONTESTED, MIXED, ModeMap};
use super::prepared::Prepared;
use super::quadrature::{cell_probabilities, probability_around};

/// Coverage radius as a fraction of the smallest distance between modes: 0.25 for the published spacing of 2.
const RADIUS_PER_GAP: f64 = 1.0 / 8.0;

/// Mass outside the grid below which it is put down to the quadrature and counted as none.
const NEGLIGIBLE: f64 = 1e-6;

/// Mass above 1 in the cells that the errors of their quadrature do not explain.
const MOST_EXCESS: f64 = 1e-3;

/// Why a truth is not known.
const NO_PROBABILITIES: &str = "the probabilities of the cells of its view do not add up";
const NO_NORMALISER: &str = "its normaliser is not known";

/// The exact properties of a target with which measures compare draws.
///
/// Cell probabilities come from quadrature of the normalised density and are not renormalised: what is missing
/// to 1 is the mass outside the grid. Only where that is below 10⁻⁶, the accuracy claimed for the sum, the cells are
/// scaled to add up to 1 and nothing is [outside](Self::outside); [`beyond`](Self::beyond) has the little that there is.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    known: bool,
    /// Why it is not known, or what of it does not exist, of a target with a density in the plane.
    unknown: Option<String>,
    /// Whether draws contradict it.
    withdrawn: bool,
    /// Whether they may.
    searched: bool,
    dimension: usize,
    support: Support,
    grid: Grid,
    probabilities: Vec<f64>,
    outside: f64,
    beyond: f64,
    /// Running sums of `probabilities`, for draws.
    cumulative: Vec<f64>,
    modes: Vec<Mode>,
    radius: f64,
    mode_map: ModeMap,
    /// Cells that divide those of `grid`, and the [code](ModeMap::codes) of each; at the end, of
    /// everything outside (mixed) and of what is not a draw (any).
    image_grid: Grid,
    codes: Vec<u16>,
    outer_grid: Grid,
    mean: Point,
    covariance: Matrix,
    curvature: Option<f64>,
    prepared: Prepared,
    pools: Pools,
}

impl Truth {
    /// Prepares a density.
    #[must_use]
    pub fn new(density: &dyn Density) -> Self {
        Self::made(density.info(), Some(density), Some(density.as_model()))
    }

    /// Prepares a target; without a density there are cells on which draws are counted, and nothing is known.
    #[must_use]
    pub fn of(target: &Target) -> Self {
        Self::made(target.info(), target.density().map(AsRef::as_ref), target.model())
    }

    fn made(info: &TargetInfo, density: Option<&dyn Density>, model: Option<&dyn Model>) -> Self {
        let grid = grids::of_view(info);
        let nothing = vec![0.0; grid.len()];
        let normalised = density.filter(|_| info.log_normaliser.is_finite());
        let is_normalised = normalised.is_some();
        let mut probabilities =
            normalised.map_or_else(|| nothing.clone(), |density| cell_probabilities(density, &grid));
        let inside: f64 = probabilities.iter().sum();
        // Cells with more than all of the mass, or none that is a number, say that the normaliser is wrong.
        let known = is_normalised && (0.0..=1.0 + MOST_EXCESS).contains(&inside);
        if !known {
            probabilities = nothing;
        }
        let reason = info.unknown.clone();
        let unknown = match (known, is_normalised) {
            _ if density.is_none() => reason,
            (true, _) => reason,
            (false, true) => Some(NO_PROBABILITIES.to_owned()),
            (false, false) => reason.or_else(|| Some(NO_NORMALISER.to_owned())),
        };
        let inside = if known { inside } else { 0.0 };
        let mut outside = 1.0 - inside;
        if outside < NEGLIGIBLE && inside > 0.0 {
            probabilities.iter_mut().for_each(|probability| *probability /= inside);
            outside = 0.0;
        }
        let beyond = match density {
            Some(density) if known && outside <= 0.0 => probability_around(density, &grid).min(NEGLIGIBLE),
            _ => outside,
        };
        let radius = coverage_radius(info);
        let mode_map = ModeMap::new(&basins(info), info.dimension, &grid, radius);
        let image_grid = grids::of_image(info);
        let mut codes = mode_map.codes(&grid, &image_grid);
        codes.extend([MIXED + CONTESTED, 0]);
        Self {
            known,
            unknown,
            withdrawn: false,
            searched: density.is_some_and(Density::is_searched),
            dimension: info.dimension,
            support: info.support,
            codes,
            mode_map,
            image_grid,
            grid,
            cumulative: running_sums(&probabilities),
            probabilities,
            outside,
            beyond,
            modes: info.modes.clone(),
            radius,
            outer_grid: grids::around_view(info),
            mean: info.mean,
            covariance: info.covariance,
            curvature: model.and_then(|model| curvature(info, model)),
            prepared: Prepared::default(),
            pools: Pools::default(),
        }
    }

    /// Whether the target is known. If not, there are cells on which draws are counted, but nothing to compare them with.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.known
    }

    /// Why it is not known, in plain words; `None` if it is, and of a target without a density in the plane that says nothing.
    #[must_use]
    pub fn why_unknown(&self) -> Option<&str> {
        self.unknown.as_deref().filter(|_| !self.known)
    }

    /// Which moments do not exist, in plain words, where everything else is known.
    #[must_use]
    pub fn lacks(&self) -> Option<&str> {
        self.unknown.as_deref().filter(|_| self.known)
    }

    /// Whether it was known until draws contradicted it.
    #[must_use]
    pub fn is_withdrawn(&self) -> bool {
        self.withdrawn
    }

    /// Whether it comes from a search, which draws may contradict.
    pub(super) fn is_searched(&self) -> bool {
        self.searched
    }

    /// Counts as not known from now on, for this reason.
    pub(super) fn withdraw(&mut self, reason: &str) {
        self.unknown = Some(reason.to_owned());
        (self.known, self.withdrawn, self.outside, self.beyond) = (false, true, 1.0, 1.0);
        self.probabilities.fill(0.0);
        self.cumulative.fill(0.0);
        self.prepared = Prepared::default();
    }

    /// 1 or 2.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The cells; on a one-dimensional target a single row of them around y = 0.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The cells on which draws are counted for [`DrawCounts::image`](super::DrawCounts::image): those of
    /// [`grid`](Self::grid) cut in half along every axis of the target.
    #[must_use]
    pub fn image_grid(&self) -> &Grid {
        &self.image_grid
    }

    /// The cells on which draws outside [`grid`](Self::grid) are counted: wider ones over five times the view, with the
    /// same centre, so that those in the middle cover it exactly; on a one-dimensional target a single row.
    #[must_use]
    pub fn outer_grid(&self) -> &Grid {
        &self.outer_grid
    }

    /// The exact probability of every cell, by rows from the lower left.
    #[must_use]
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// The exact probability of everything outside the cells.
    #[must_use]
    pub fn outside(&self) -> f64 {
        self.outside
    }

    /// The same where it is next to nothing and counted as none: a small number with its digits, for what takes its logarithm.
    #[must_use]
    pub fn beyond(&self) -> f64 {
        self.beyond
    }

    /// The modes of the target; empty where there is no isolated one.
    #[must_use]
    pub fn modes(&self) -> &[Mode] {
        &self.modes
    }

    /// The number of basins to which draws are counted: one per mode, and one for everything without modes.
    pub(super) fn basin_count(&self) -> usize {
        self.modes.len().max(1)
    }

    /// How close to a mode a draw must come to count as a visit: 1/8 of the smallest distance between two modes,
    /// which is 0.25 on the default grid; with a single mode its standard deviation (geometric mean over directions),
    /// without modes that of the target.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The mean of the target, or the middle of the view along an axis on which none is known.
    pub(super) fn centre(&self) -> Point {
        let view = [self.grid.x, self.grid.y].map(|axis| 0.5 * (axis.min + axis.max));
        self.mean.zip_map(&Point::from(view), |mean, middle| if mean.is_finite() { mean } else { middle })
    }

    /// The mean of the target; NaN along an axis with tails that are too heavy for one.
    #[must_use]
    pub fn mean(&self) -> Point {
        self.mean
    }

    /// The covariance of the target; NaN where tails are too heavy for it.
    #[must_use]
    pub fn covariance(&self) -> Matrix {
        self.covariance
    }

    /// The largest curvature where the density is highest, see [`curvature`].
    #[must_use]
    pub fn curvature(&self) -> Option<f64> {
        self.curvature
    }

    /// A draw from the cells, for targets without exact draws: exact as far as cells can tell, and conditional on
    /// being inside the grid. Within a cell the density is taken as log-linear, with the slope of its neighbours.
    /// Uses three uniforms of `stream`.
    #[must_use]
    pub fn draw(&self, stream: &mut Stream) -> Point {
        let total = self.cumulative.last().copied().unwrap_or(0.0);
        let sought = stream.uniform() * total;
        let cell = self.cumulative.partition_point(|&sum| sum <= sought).min(self.grid.len() - 1);
        let (column, row) = (cell % self.grid.x.cells, cell / self.grid.x.cells);
        let columns = self.grid.x.cells;
        let x = self.share_within(cell, column, columns, 1, stream.uniform());
        let y = self.share_within(cell, row, self.grid.y.cells, columns, stream.uniform());
        let low = Point::new(self.grid.x.edge(column), self.grid.y.edge(row)).sup(&self.support.min);
        let high = Point::new(self.grid.x.edge(column + 1), self.grid.y.edge(row + 1)).inf(&self.support.max);
        let at = low + (high - low).component_mul(&Point::new(x, y));
        self.within_dimension(at)
    }

    /// Where in `cell` a draw lies along one axis, from 0 to 1, for a uniform `u`: inverts the distribution function of a
    /// density ∝ e^(t·s), t from the cells on either side, `stride` apart.
    fn share_within(&self, cell: usize, number: usize, cells: usize, stride: usize, u: f64) -> f64 {
        if number == 0 || number + 1 >= cells {
            return u;
        }
        let (before, after) = (self.probabilities[cell - stride], self.probabilities[cell + stride]);
        let tilt = 0.5 * libm::log(after / before);
        if tilt.is_finite() && tilt.abs() > 1e-6 { libm::log1p(u * libm::expm1(tilt)) / tilt } else { u }
    }

    /// `at` as the target sees it: y is 0 on the line.
    #[inline]
    pub(super) fn within_dimension(&self, at: Point) -> Point {
        if self.dimension == 1 { Point::new(at.x, 0.0) } else { at }
    }

    /// The code of every cell of the image grid, of the outside and of what is not a draw, see [`ModeMap::codes`].
    #[inline]
    pub(super) fn codes(&self) -> &[u16] {
        &self.codes
    }

    /// The cell of the grid of which cell number `fine` of the image grid is a part.
    #[inline]
    pub(super) fn cell_around(&self, fine: usize) -> usize {
        let (grid, image) = (&self.grid, &self.image_grid);
        let (column, row) = (fine % image.x.cells, fine / image.x.cells);
        row / (image.y.cells / grid.y.cells) * grid.x.cells + column / (image.x.cells / grid.x.cells)
    }

    /// The mode nearest to `at`, found without codes.
    #[cfg(test)]
    pub(super) fn nearest(&self, at: Point) -> super::mode_map::Nearest {
        self.mode_map.nearest(at, self.grid.cell(at))
    }

    /// The number of the mode nearest to `at`, a point in a mixed cell of the image grid or outside it.
    #[inline(always)]
    pub(super) fn mode_in(&self, at: Point, cell: u32) -> u16 {
        let cell = cell as usize;
        let around = || (cell < self.image_grid.len()).then(|| self.cell_around(cell));
        self.mode_map.mode_by(self.codes[cell], at, around) as u16
    }

    /// The code of `at`, a point in a mixed cell of the image grid or outside it.
    pub(super) fn code_at(&self, at: Point, cell: usize) -> usize {
        self.mode_map.judged(usize::from(self.mode_in(at, cell as u32)), at).code()
    }

    /// The modes, and how near points are to them.
    #[inline(always)]
    pub(super) fn mode_map(&self) -> &ModeMap {
        &self.mode_map
    }

    /// Memory for counts of draws.
    pub(super) fn pools(&self) -> &Pools {
        &self.pools
    }

    /// What measures have derived from this truth.
    pub(super) fn prepared(&self) -> &Prepared {
        &self.prepared
    }

    /// The number of the mode nearest to `at`, a finite position, from 0. Only of targets with modes.
    #[must_use]
    pub fn mode_of(&self, at: Point) -> usize {
        let at = self.within_dimension(at);
        let cell = self.image_grid.cell(at).unwrap_or(self.image_grid.len());
        let code = usize::from(self.codes[cell]);
        if code >= usize::from(MIXED) { usize::from(self.mode_in(at, cell as u32)) } else { code / CODES_PER_MODE }
    }

    /// Whether every mode has a covariance with which to measure distances.
    #[must_use]
    pub fn modes_have_width(&self) -> bool {
        self.mode_map.has_widths()
    }
}

/// The modes to which draws are counted. Without modes everything belongs to the basin of the mean, which no measure
/// uses.
fn basins(info: &TargetInfo) -> Vec<Mode> {
    // The mean of a target that is not known is no number.
    let at = if info.mean.iter().all(|mean| mean.is_finite()) { info.mean } else { info.start };
    let whole = || Mode { at, weight: 1.0, covariance: info.covariance };
    if info.modes.is_empty() { vec![whole()] } else { info.modes.clone() }
}

fn coverage_radius(info: &TargetInfo) -> f64 {
    let modes = &info.modes;
    let gaps = modes.iter().enumerate().flat_map(|(index, mode)| {
        modes[index + 1..].iter().map(|other| (mode.at - other.at).norm()).filter(|&gap| gap > 0.0)
    });
    let gap = gaps.fold(f64::INFINITY, f64::min);
    if gap.is_finite() {
        return gap * RADIUS_PER_GAP;
    }
    let covariance = modes.first().map_or(info.covariance, |mode| mode.covariance);
    let variance = if info.dimension == 1 { covariance[(0, 0)] } else { covariance.determinant().max(0.0).sqrt() };
    variance.max(0.0).sqrt()
}

fn running_sums(values: &[f64]) -> Vec<f64> {
    let add = |sum: &mut f64, value: &f64| {
        *sum += value;
        Some(*sum)
    };
    values.iter().scan(0.0, add).collect()
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use super::*;
    use crate::diagnostics::test_targets::{Exponentials, Mixture, counts_of};
    use base::math::{Bounds, Gaussian, Purpose};

    #[test]
    #[expect(clippy::float_cmp, reason = "an eighth of two is exact")]
    fn the_default_grid_has_the_published_radius() {
        assert_eq!(Truth::new(&Mixture::grid()).radius(), 0.25);
    }

    /// Its lines fall on the ends of the view, and each of its cells is five of the others wide.
    #[test]
    fn the_outer_grid_fits_around_the_view() {
        for target in [Mixture::grid(), Mixture::single(), Mixture::line()] {
            let truth = Truth::new(&target);
            let (grid, outer) = (truth.grid(), truth.outer_grid());
            let axes = [(grid.x, outer.x), (grid.y, outer.y)];
            for (inner, outer) in axes.into_iter().take(truth.dimension()) {
                assert_relative_eq!(outer.width(), 5.0 * inner.width(), max_relative = 1e-12);
                assert_relative_eq!(outer.edge(48), inner.min, max_relative = 1e-12);
                assert_relative_eq!(outer.edge(72), inner.max, max_relative = 1e-12);
            }
        }
        assert_eq!(Truth::new(&Mixture::line()).outer_grid().y.cells, 1);
    }

    #[test]
    fn a_single_mode_is_visited_within_its_standard_deviation() {
        assert_relative_eq!(Truth::new(&Mixture::single()).radius(), 1.64_f64.powf(0.25));
        let covariance = Matrix::new(4.0, 0.0, 0.0, 0.0);
        let line = [(1.0, Gaussian { mean: Point::zeros(), covariance })];
        let line = Mixture::new(1, &line, Bounds::new((-9.0, 9.0), (0.0, 1.0)));
        assert_relative_eq!(Truth::new(&line).radius(), 2.0);
    }

    #[test]
    fn two_modes_at_one_place_do_not_make_the_radius_vanish() {
        let part = |x| (0.25, Gaussian { mean: Point::new(x, 0.0), covariance: Matrix::identity() });
        let components = [part(0.0), part(0.0), part(4.0), part(7.0)];
        let target = Mixture::new(2, &components, Bounds::new((-5.0, 12.0), (-5.0, 5.0)));
        assert_relative_eq!(Truth::new(&target).radius(), 3.0 / 8.0);
    }

    /// Alert at 4.5 standard errors in each of five statistics: a false alarm in fewer than one seed in 20 000.
    #[test]
    fn draws_from_the_cells_have_the_moments_of_the_target() {
        let target = Mixture::single();
        let truth = Truth::new(&target);
        let mut stream = Stream::derive(5, Purpose::Truth, 0, 0);
        let count = 200_000;
        let draws: Vec<_> = (0..count).map(|_| truth.draw(&mut stream)).collect();
        let fitted = counts_of(&truth, &draws).gaussian().expect("draws");
        let exact = target.info().covariance;
        let error =
            |i: usize, j: usize| ((exact[(i, i)] * exact[(j, j)] + exact[(i, j)].powi(2)) / count as f64).sqrt();
        for (i, j) in [(0, 0), (0, 1), (1, 1)] {
            assert_abs_diff_eq!(fitted.covariance[(i, j)], exact[(i, j)], epsilon = 4.5 * error(i, j));
        }
        for i in 0..2 {
            let error = (exact[(i, i)] / count as f64).sqrt();
            assert_abs_diff_eq!(fitted.mean[i], target.info().mean[i], epsilon = 4.5 * error);
        }
    }

    #[test]
    fn draws_from_the_cells_of_a_line_stay_on_it() {
        let truth = Truth::new(&Mixture::line());
        let mut stream = Stream::derive(5, Purpose::Truth, 0, 0);
        for _ in 0..1000 {
            let at = truth.draw(&mut stream);
            assert!(truth.grid().x.cell(at.x).is_some());
            assert_abs_diff_eq!(at.y, 0.0);
        }
    }

    #[test]
    fn the_place_within_a_cell_follows_a_log_linear_density() {
        let truth = Truth::new(&Mixture::single());
        let columns = truth.grid().x.cells;
        let cell = 60 * columns + 40;
        let tilt = 0.5 * (truth.probabilities[cell + 1] / truth.probabilities[cell - 1]).ln();
        let count = 20_000;
        let share = |index: i32| truth.share_within(cell, 40, columns, 1, (f64::from(index) + 0.5) / f64::from(count));
        let mean = (0..count).map(share).sum::<f64>() / f64::from(count);
        let exact = 1.0 / (1.0 - (-tilt).exp()) - 1.0 / tilt;
        assert_abs_diff_eq!(mean, exact, epsilon = 1e-6);
        assert!((exact - 0.5).abs() > 1e-3);
    }

    #[test]
    fn the_mode_of_a_position_is_the_nearest_inside_and_outside_the_grid() {
        for target in [Mixture::grid(), Mixture::line(), Mixture::single()] {
            let truth = Truth::new(&target);
            let mut stream = Stream::derive(7, Purpose::Truth, 0, 0);
            for _ in 0..5000 {
                let at = Point::new(16.0 * stream.uniform() - 8.0, 16.0 * stream.uniform() - 8.0);
                let on_target = truth.within_dimension(at);
                assert_eq!(truth.mode_of(at), truth.nearest(on_target).mode, "{at}");
            }
        }
    }

    #[test]
    fn draws_from_the_cells_stay_in_the_support() {
        let target = Exponentials::new();
        let truth = Truth::new(&target);
        let mut stream = Stream::derive(6, Purpose::Truth, 0, 0);
        for _ in 0..20_000 {
            let at = truth.draw(&mut stream);
            assert!(target.info().support.contains(at) && truth.grid().cell(at).is_some(), "{at}");
        }
    }
}
