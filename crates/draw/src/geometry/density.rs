//! Density of a target on a grid: log density, shades, highest-density regions and marginals.

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use super::colormap::Ramp;
use super::contour::{Contour, contours};
use base::math::{Axis, Bounds, Grid, Point};
use base::platform::{ONE_THREAD, now, pause};
use models::targets::Density;

/// Probabilities of the highest-density regions that are outlined.
pub const REGIONS: [f64; 4] = [0.50, 0.80, 0.95, 0.99];

/// Exponent that turns relative density into a shade: below 1, so that tails are visible (chosen by eye).
const SHADE_POWER: f64 = 0.6;

/// Points of cells beside their centres, in cells, and the share by which their sum differs from that of the centres if these miss something.
const ASIDE: (f64, f64) = (0.31, 0.23);
const MISSED: f64 = 0.05;

/// The log density of a target at the centres of a grid of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct DensityImage {
    /// The cells.
    pub grid: Grid,
    /// log p at their centres, by rows from the lower left; −∞ outside the support.
    pub log_density: Vec<f64>,
    /// The largest log density; −∞ if the window is outside the support.
    pub peak: f64,
}

impl DensityImage {
    /// The density of `target` on `columns` × `rows` cells over `window`.
    #[must_use]
    pub fn of(target: &dyn Density, window: Bounds, columns: usize, rows: usize) -> Self {
        Self::by(window, columns, rows, |at| target.log_density(at))
    }

    /// Any log density on `columns` × `rows` cells over `window`.
    #[must_use]
    pub fn by(window: Bounds, columns: usize, rows: usize, log_density_at: impl Fn(Point) -> f64 + Sync) -> Self {
        let of_row = |row: &[Point]| row.iter().map(|at| log_density_at(*at)).collect();
        now(Self::by_rows(window, columns, rows, of_row))
    }

    /// The density of `target` as [`of`](Self::of) has it, with pauses.
    pub async fn in_pieces(target: &dyn Density, window: Bounds, columns: usize, rows: usize) -> Self {
        let of_row = |row: &[Point]| row.iter().map(|at| target.log_density(*at)).collect();
        Self::by_rows(window, columns, rows, of_row).await
    }

    /// The same; where the density is narrower than the cells, so that their centres miss it, the mean density in each of them.
    /// Returns also whether it is.
    pub async fn resolved(target: &dyn Density, window: Bounds, columns: usize, rows: usize) -> (Self, bool) {
        let image = Self::in_pieces(target, window, columns, rows).await;
        // Means of cells take seconds, in which one thread could do nothing else.
        if ONE_THREAD || !target.is_searched() {
            return (image, false);
        }
        let aside = Point::new(ASIDE.0 * image.grid.x.width(), ASIDE.1 * image.grid.y.width());
        let beside = Bounds { min: window.min + aside, max: window.max + aside };
        let others = Self::in_pieces(target, beside, columns, rows).await;
        if !image.misses(&others) {
            return (image, false);
        }
        match Self::of_means(target, image.grid) {
            Some(means) => (means, true),
            None => (image, false),
        }
    }

    /// Whether centres of cells say less of the density than there is: other points of the same cells have another sum.
    fn misses(&self, others: &Self) -> bool {
        let sum = |image: &Self| image.log_density.iter().map(|height| (height - self.peak).exp()).sum::<f64>();
        let [centres, others] = [self, others].map(sum);
        (centres - others).abs() > MISSED * centres.min(others)
    }

    /// The mean density in each cell of a grid, from their probabilities; `None` if nobody knows these.
    fn of_means(target: &dyn Density, grid: Grid) -> Option<Self> {
        let edges = |axis: &Axis| (0..=axis.cells).map(|number| axis.edge(number)).collect::<Vec<_>>();
        let probabilities = target.cells_by_lines(&edges(&grid.x), &edges(&grid.y))?;
        if probabilities.iter().any(|probability| probability.is_nan()) {
            return None;
        }
        let unit = target.info().log_normaliser - (grid.x.width() * grid.y.width()).ln();
        let log_density: Vec<f64> = probabilities.into_iter().map(|probability| probability.ln() + unit).collect();
        let peak = log_density.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Some(Self { grid, log_density, peak })
    }

    /// Any log density on `columns` × `rows` cells over `window`, given the log densities at the positions of a row, with pauses.
    pub async fn by_rows(
        window: Bounds,
        columns: usize,
        rows: usize,
        log_densities: impl Fn(&[Point]) -> Vec<f64> + Sync,
    ) -> Self {
        let grid = Grid::new(window, columns.max(1), rows.max(1));
        let mut log_density = vec![f64::NEG_INFINITY; grid.len()];
        let of_row = |(row, cells): (usize, &mut [f64])| {
            let first = row * grid.x.cells;
            let points: Vec<Point> = (first..first + grid.x.cells).map(|cell| grid.centre(cell)).collect();
            for (cell, value) in cells.iter_mut().zip(log_densities(&points)) {
                *cell = if value.is_nan() { f64::NEG_INFINITY } else { value };
            }
        };
        if ONE_THREAD {
            for numbered in log_density.chunks_mut(grid.x.cells).enumerate() {
                of_row(numbered);
                pause().await;
            }
        } else {
            log_density.par_chunks_mut(grid.x.cells).enumerate().for_each(of_row);
        }
        let peak = log_density.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { grid, log_density, peak }
    }

    /// The density of a cell relative to the peak, in [0, 1].
    #[must_use]
    pub fn relative(&self, index: usize) -> f64 {
        if self.peak == f64::NEG_INFINITY { 0.0 } else { (self.log_density[index] - self.peak).exp() }
    }

    /// The picture as RGBA bytes (not premultiplied), rows from the top; cells without density are transparent.
    #[must_use]
    pub fn rgba(&self, ramp: &Ramp) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(4 * self.grid.len());
        for row in (0..self.grid.y.cells).rev() {
            for column in 0..self.grid.x.cells {
                bytes.extend(ramp.rgba(self.relative(row * self.grid.x.cells + column).powf(SHADE_POWER)));
            }
        }
        bytes
    }

    /// For each share, the log density above which the cells contain that share of the probability in the picture.
    #[must_use]
    pub fn region_levels(&self, shares: &[f64]) -> Vec<f64> {
        let mut sorted: Vec<f64> = self.log_density.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_unstable_by(|a, b| b.total_cmp(a));
        let total: f64 = sorted.iter().map(|value| (value - self.peak).exp()).sum();
        shares.iter().filter_map(|share| level_holding(&sorted, self.peak, share * total)).collect()
    }

    /// The outlines of the regions above the given log densities.
    #[must_use]
    pub fn contours(&self, levels: &[f64]) -> Vec<Contour> {
        contours(&self.grid, &self.log_density, levels)
    }

    /// Density of x, one value per column, as if all of the probability were in the picture.
    #[must_use]
    pub fn marginal_x(&self) -> Vec<f64> {
        let (columns, rows) = (self.grid.x.cells, self.grid.y.cells);
        let sums = (0..columns).map(|column| (0..rows).map(|row| self.relative(row * columns + column)).sum());
        normalised(sums.collect(), self.grid.x.width())
    }

    /// Density of y, one value per row, as if all of the probability were in the picture.
    #[must_use]
    pub fn marginal_y(&self) -> Vec<f64> {
        let columns = self.grid.x.cells;
        let sums = (0..self.grid.y.cells).map(|row| (0..columns).map(|c| self.relative(row * columns + c)).sum());
        normalised(sums.collect(), self.grid.y.width())
    }
}

/// The value in `sorted` (descending) at which the densities relative to `peak` add up to `mass`.
fn level_holding(sorted: &[f64], peak: f64, mass: f64) -> Option<f64> {
    let mut sum = 0.0;
    for &value in sorted {
        sum += (value - peak).exp();
        if sum >= mass {
            return Some(value);
        }
    }
    sorted.last().copied()
}

/// The values scaled to add up to 1 when multiplied by `width`.
fn normalised(values: Vec<f64>, width: f64) -> Vec<f64> {
    let total: f64 = values.iter().sum::<f64>() * width;
    if total > 0.0 { values.into_iter().map(|value| value / total).collect() } else { values }
}

/// The density, the levels and the marginals of a target over its own view, whatever part of it is on the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Portrait {
    /// The density over the target's own view box.
    pub image: DensityImage,
    /// The log densities that bound [`REGIONS`], in their order.
    pub levels: Vec<f64>,
    /// The densities of x and of y, on the axes of the picture's grid.
    pub marginals: [Vec<f64>; 2],
    /// Whether the picture shows means of cells, as do the levels then, which are those of cells of this size.
    pub is_of_means: bool,
}

impl Portrait {
    /// Cells along each side: enough for levels accurate to a percent, and few enough for targets with data.
    const CELLS: usize = 256;

    /// Positions of a marginal on each side beyond the picture.
    const BEYOND: usize = 96;

    /// The density, the levels and the marginals of `target`, with pauses.
    pub async fn of(target: &dyn Density) -> Self {
        let (image, is_of_means) = DensityImage::resolved(target, target.info().view, Self::CELLS, Self::CELLS).await;
        let levels = image.region_levels(&REGIONS);
        pause().await;
        let marginals = [image.marginal_x(), image.marginal_y()];
        Self { image, levels, marginals, is_of_means }
    }

    /// The marginals on the parts of a window that lie beyond the picture, with pauses: for each coordinate below it and above it,
    /// in the same unit as [`Portrait::marginals`]. They are sums over all that the picture and the window cover together.
    pub async fn marginals_beyond(&self, target: &dyn Density, window: Bounds) -> [[Vec<[f64; 2]>; 2]; 2] {
        let Grid { x, y } = self.image.grid;
        let view = Bounds::new((x.min, x.max), (y.min, y.max));
        let whole: f64 = (0..self.image.grid.len()).map(|cell| self.image.relative(cell)).sum();
        let total = whole * x.width() * y.width();
        let mut beyond: [[Vec<[f64; 2]>; 2]; 2] = Default::default();
        for (coordinate, sides) in beyond.iter_mut().enumerate() {
            let other = 1 - coordinate;
            let across = (view.min[other].min(window.min[other]), view.max[other].max(window.max[other]));
            let ends = [(window.min[coordinate], view.min[coordinate]), (view.max[coordinate], window.max[coordinate])];
            for (side, along) in sides.iter_mut().zip(ends) {
                if along.0 < along.1 && total > 0.0 {
                    *side = self.marginal_along(target, coordinate, (along, across)).await;
                    side.iter_mut().for_each(|[_, density]| *density /= total);
                }
            }
        }
        beyond
    }

    /// Sums of the density relative to the peak of the picture along a part of one axis, across a part of the other one.
    async fn marginal_along(
        &self,
        target: &dyn Density,
        coordinate: usize,
        (along, across): ((f64, f64), (f64, f64)),
    ) -> Vec<[f64; 2]> {
        let (bounds, columns, rows) = match coordinate {
            0 => (Bounds::new(along, across), Self::BEYOND, Self::CELLS),
            _ => (Bounds::new(across, along), Self::CELLS, Self::BEYOND),
        };
        let strip = DensityImage::in_pieces(target, bounds, columns, rows).await;
        let axes = [strip.grid.x, strip.grid.y];
        let density = |index: usize| {
            let cell = |over: usize| if coordinate == 0 { over * columns + index } else { index * columns + over };
            let sum: f64 = (0..Self::CELLS).map(|over| (strip.log_density[cell(over)] - self.image.peak).exp()).sum();
            sum * axes[1 - coordinate].width()
        };
        (0..Self::BEYOND).map(|index| [axes[coordinate].centre(index), density(index)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::Point;
    use base::params::{Settings, Value, find_kind};
    use engine::diagnostics::testing::Fake;
    use models::targets::{Folder, TARGETS, build};

    fn standard() -> Fake {
        Fake::mixture(&[Point::zeros()], 1.0, 6.0)
    }

    #[test]
    fn the_peak_of_the_picture_has_level_one() {
        let image = DensityImage::of(&standard(), Bounds::new((1.0, 3.0), (0.0, 2.0)), 40, 40);
        assert!((0..image.grid.len()).all(|cell| (0.0..=1.0).contains(&image.relative(cell))));
        assert!((image.relative(0) - 1.0).abs() < 1e-12, "the corner next to the mode is the brightest");
    }

    /// A curved ridge a hundredth of a cell wide: marginals are those of the closed form, and no column of the picture is empty.
    #[test]
    fn a_ridge_between_all_centres_is_seen() {
        let mut settings = Settings::defaults(find_kind(&TARGETS, "formula").unwrap());
        settings.set("density", Value::Text("-5000(x² - y)² - (x - 1)²/20".to_owned())).unwrap();
        settings.set("parameters", Value::Named(Vec::new())).unwrap();
        let target = build(&settings, Folder::default()).unwrap();
        let portrait = now(Portrait::of(target.density().unwrap().as_ref()));
        let (x, marginal) = (portrait.image.grid.x, &portrait.marginals[0]);
        for (cell, density) in marginal.iter().enumerate() {
            let away = x.centre(cell) - 1.0;
            let expected = (-away * away / 20.0).exp() / (20.0 * std::f64::consts::PI).sqrt();
            assert!((density - expected).abs() < 2e-3, "{}: {density}, not {expected}", x.centre(cell));
        }
        assert!(portrait.is_of_means && !now(Portrait::of(&standard())).is_of_means);
    }

    #[test]
    fn regions_of_a_gaussian_are_the_discs_of_its_quantiles() {
        // In two dimensions the disc of radius r contains 1 − exp(−r²/2).
        let portrait = now(Portrait::of(&standard()));
        for (share, level) in REGIONS.iter().zip(&portrait.levels) {
            let expected = (1.0 - share).ln();
            // One cell more or less holds 2·10⁻³ of the peak's neighbourhood.
            assert!((level - expected).abs() < 0.01 * expected.abs(), "{share}: {level} against {expected}");
        }
    }

    /// Beyond a picture of one sd to each side: the normal density, times what the window has of the other coordinate, divided by
    /// the square of what the picture has of each.
    #[test]
    fn marginals_go_on_beyond_the_picture() {
        let target = Fake::mixture(&[Point::zeros()], 1.0, 1.0);
        let portrait = now(Portrait::of(&target));
        let view = target.info().view;
        let mass = |low: f64, high: f64| base::math::normal_cdf(high) - base::math::normal_cdf(low);
        let window = Bounds::new((view.min.x - 2.0, view.max.x), (view.min.y - 0.5, view.max.y + 3.0));
        let [x, y] = now(portrait.marginals_beyond(&target, window));
        assert!(x[1].is_empty() && x[0].len() == y[0].len() && !y[1].is_empty());
        let inside = mass(view.min.x, view.max.x) * mass(view.min.y, view.max.y);
        let across = [mass(window.min.y, window.max.y), mass(window.min.x, window.max.x)];
        for (side, across) in [(&x[0], across[0]), (&y[0], across[1]), (&y[1], across[1])] {
            for [at, density] in side {
                let expected = (-0.5 * at * at).exp() / std::f64::consts::TAU.sqrt() * across / inside;
                assert!((density / expected - 1.0).abs() < 1e-3, "{at}: {density} {expected}");
            }
        }
        assert!(x[0].is_sorted_by(|a, b| a[0] < b[0]) && x[0][0][0] < view.min.x - 1.9);
        let within = now(portrait.marginals_beyond(&target, view));
        assert!(within.iter().flatten().all(Vec::is_empty));
    }

    #[test]
    fn marginals_of_a_gaussian_are_gaussian() {
        let image = now(Portrait::of(&standard())).image;
        for (marginal, axis) in [(image.marginal_x(), image.grid.x), (image.marginal_y(), image.grid.y)] {
            for (cell, density) in marginal.iter().enumerate() {
                let x = axis.centre(cell);
                let expected = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
                assert!((density - expected).abs() < 1e-6, "{x}: {density} against {expected}");
            }
        }
    }

    #[test]
    fn outside_the_support_there_is_nothing() {
        let image = DensityImage::of(&Fake::beta(), Bounds::new((2.0, 3.0), (0.0, 1.0)), 8, 8);
        assert!(image.rgba(&Ramp::on_light([255; 3])).chunks(4).all(|pixel| pixel[3] == 0));
        assert!(image.region_levels(&REGIONS).is_empty());
    }
}
