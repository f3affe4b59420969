//! Outlines and marginal densities of fitted approximations, in θ.
//!
//! An outline contains the probability that 1, 2 or 3 standard deviations of a Gaussian in the plane contain,
//! 1 − exp(−r²/2): 39.3 %, 86.5 % and 98.9 %. The outlines of a Gaussian are ellipses in the coordinates in which it was
//! fitted. They are mapped to θ point by point, which changes their shape and keeps their probability. The outlines of
//! the product of a Gaussian and a gamma distribution bound the regions of highest density, which are found on a grid.

use crate::geometry::{DensityImage, simplified};
use base::math::{Axis, Bounds, Distribution, Grid, Point, gamma_cdf};
use engine::diagnostics::Fit;
use models::targets::Coordinates;

/// Distances of the outlines from the mean, in standard deviations.
const SPREADS: [f64; 3] = [1.0, 2.0, 3.0];

/// Corners of the polygon that stands for an ellipse: so many that the ellipse looks smooth.
const CORNERS: usize = 96;

/// Cells along each side of the grid on which regions of highest density are found: the probability inside an outline
/// is then accurate to a tenth of a percent.
const CELLS: usize = 200;

/// Extent of the grid from the mean, in standard deviations: [`REACH`] in both directions of the Gaussian and downwards
/// for the gamma distribution; [`REACH_UP`] upwards, where its tail is at most that of an exponential distribution.
const REACH: f64 = 4.5;
const REACH_UP: f64 = 8.0;

/// Tolerance when an outline is simplified, in cells: too small to be seen.
const STRAIGHT: f64 = 0.1;

/// Largest distance of a drawn point from the target's view, in sizes of the view: farther points are moved there,
/// since the screen has single precision.
const OUTSIDE: f64 = 1e3;

/// The outlines and marginals of a fitted approximation.
#[derive(Clone, Debug, PartialEq)]
pub struct FitPicture {
    /// Its components, in their order.
    pub distributions: Vec<DistributionPicture>,
    /// The densities of x and of y, on cells along the sides of the part that is shown.
    pub marginals: [Vec<f64>; 2],
}

/// The mean and the outlines of a component.
#[derive(Clone, Debug, PartialEq)]
pub struct DistributionPicture {
    /// Its weight in the mixture.
    pub weight: f64,
    /// Its mean, in θ.
    pub mean: Point,
    /// Outlines in the plane: 0, 1 or 2 for 1, 2 or 3 standard deviations, with a closed line. Empty in one dimension.
    pub outlines: Vec<(usize, Vec<[f64; 2]>)>,
}

impl FitPicture {
    /// The picture of a fit on a target with this view, with marginals over a part of the plane, on so many cells along each side.
    #[must_use]
    pub fn of(fit: &Fit, view: Bounds, (shown, cells): (Bounds, usize)) -> Self {
        let coordinates = fit.coordinates();
        let distribution = |component: &engine::diagnostics::Component| DistributionPicture {
            weight: component.weight,
            mean: within(coordinates.to_theta(component.distribution.mean()), view),
            outlines: outlines(&component.distribution, &coordinates, view),
        };
        let distributions = fit.components().iter().map(distribution).collect();
        Self { distributions, marginals: Self::marginals_of(fit, shown, cells) }
    }

    /// The densities of x and y on `cells` cells along each side of a part of the plane; of x alone on the line.
    #[must_use]
    pub fn marginals_of(fit: &Fit, shown: Bounds, cells: usize) -> [Vec<f64>; 2] {
        let grid = Grid::new(shown, cells, cells);
        let y = if fit.dimension() == 1 { Vec::new() } else { density(fit, 1, grid.y) };
        [density(fit, 0, grid.x), y]
    }
}

/// The outlines of a distribution in θ, each with its number.
fn outlines(distribution: &Distribution, coordinates: &Coordinates, view: Bounds) -> Vec<(usize, Vec<[f64; 2]>)> {
    let found: Vec<(usize, Vec<Point>)> = match distribution {
        Distribution::Line { .. } => return Vec::new(),
        Distribution::Plane(gaussian) => {
            SPREADS.iter().map(|spread| closed(gaussian.ellipse(*spread, CORNERS))).enumerate().collect()
        }
        Distribution::NormalGamma { .. } => regions(distribution),
    };
    let mapped = |at: &Point| {
        let at = within(coordinates.to_theta(*at), view);
        [at.x, at.y]
    };
    let lines = found.into_iter().map(|(level, points)| (level, points.iter().map(mapped).collect::<Vec<_>>()));
    lines.filter(|(_, points)| points.iter().flatten().all(|number| number.is_finite())).collect()
}

/// The points with the first one again at the end.
fn closed(mut points: Vec<Point>) -> Vec<Point> {
    points.extend(points.first().copied());
    points
}

/// The point, or the nearest one that can be drawn.
fn within(at: Point, view: Bounds) -> Point {
    let reach = view.size() * OUTSIDE;
    Point::new(
        at.x.clamp(view.min.x - reach.x, view.max.x + reach.x),
        at.y.clamp(view.min.y - reach.y, view.max.y + reach.y),
    )
}

/// The outlines of the regions of highest density of a product distribution, in its own coordinates.
fn regions(distribution: &Distribution) -> Vec<(usize, Vec<Point>)> {
    let (mean, covariance) = (distribution.mean(), distribution.covariance());
    let (sd_x, sd_y) = (covariance.m11.sqrt(), covariance.m22.sqrt());
    let window = Bounds::new(
        (mean.x - REACH * sd_x, mean.x + REACH * sd_x),
        ((mean.y - REACH * sd_y).max(0.0), mean.y + REACH_UP * sd_y),
    );
    let grid = Grid::new(window, CELLS, CELLS);
    // The distribution is a product: its logarithm is a function of x plus a function of y.
    let at_mean = distribution.log_density(mean);
    let along_x: Vec<f64> =
        (0..CELLS).map(|cell| distribution.log_density(Point::new(grid.x.centre(cell), mean.y)) - at_mean).collect();
    let along_y: Vec<f64> =
        (0..CELLS).map(|cell| distribution.log_density(Point::new(mean.x, grid.y.centre(cell)))).collect();
    let log_density: Vec<f64> = along_y.iter().flat_map(|y| along_x.iter().map(move |x| x + y)).collect();
    let peak = log_density.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let image = DensityImage { grid, log_density, peak };
    let levels = image.region_levels(&SPREADS.map(|spread| 1.0 - (-0.5 * spread * spread).exp()));
    let tolerance = STRAIGHT * grid.x.width().min(grid.y.width());
    let line = |points: Vec<Point>| {
        let points: Vec<[f64; 2]> = points.iter().map(|at| [at.x, at.y]).collect();
        simplified(&points, tolerance).into_iter().map(|[x, y]| Point::new(x, y)).collect()
    };
    image.contours(&levels).into_iter().map(|found| (found.level, line(found.points))).collect()
}

/// The density of coordinate 0 (x) or 1 (y) of a fit, in θ. It is the mean over each cell of `axis`, so that a
/// distribution much narrower than a cell keeps its probability.
#[must_use]
pub fn density(fit: &Fit, coordinate: usize, axis: Axis) -> Vec<f64> {
    let coordinates = fit.coordinates();
    let edges: Vec<f64> =
        (0..=axis.cells).map(|edge| coordinates.from_theta(Point::repeat(axis.edge(edge)))[coordinate]).collect();
    let mut heights = vec![0.0; axis.cells];
    for component in fit.components() {
        let below: Vec<f64> =
            edges.iter().map(|&z| probability_below(&component.distribution, coordinate, z)).collect();
        for (height, pair) in heights.iter_mut().zip(below.windows(2)) {
            // Edges outside the support have no coordinate: the cell that contains the boundary gets all that is beyond.
            let inside = match (pair[0].is_nan(), pair[1].is_nan()) {
                (true, true) => 0.0,
                (true, false) => pair[1],
                (false, true) => 1.0 - pair[0],
                (false, false) => pair[1] - pair[0],
            };
            *height += component.weight * inside / axis.width();
        }
    }
    heights
}

/// The probability that a coordinate of a distribution is below `z`; NaN if `z` is.
fn probability_below(distribution: &Distribution, coordinate: usize, z: f64) -> f64 {
    let normal = |mean: f64, variance: f64| 0.5 * libm::erfc((mean - z) / (2.0 * variance).sqrt());
    match (*distribution, coordinate) {
        _ if z.is_nan() => f64::NAN,
        (Distribution::Line { mean, variance }, _) => normal(mean, variance),
        (Distribution::Plane(gaussian), _) => {
            normal(gaussian.mean[coordinate], gaussian.covariance[(coordinate, coordinate)])
        }
        (Distribution::NormalGamma { mean, precision, .. }, 0) => normal(mean, 1.0 / precision),
        (Distribution::NormalGamma { .. }, _) if z <= 0.0 => 0.0,
        (Distribution::NormalGamma { shape, rate, .. }, _) => gamma_cdf(shape, rate * z),
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use statrs::distribution::{Continuous, Gamma, Normal};

    use super::*;
    use base::math::Matrix;
    use engine::diagnostics::Component;
    use engine::diagnostics::testing::Fake;
    use models::targets::Density;

    const VIEW: Bounds = Bounds { min: Point::new(-2.0, -2.0), max: Point::new(4.0, 4.0) };

    fn fit(dimension: usize, coordinates: Coordinates, distributions: &[(f64, Distribution)]) -> Fit {
        let component =
            |&(weight, distribution): &(f64, Distribution)| Component { weight, distribution, log_evidence: None };
        Fit::new(dimension, coordinates, distributions.iter().map(component).collect()).unwrap()
    }

    fn plane(mean: Point, covariance: Matrix) -> Distribution {
        Distribution::gaussian(2, mean, covariance)
    }

    #[test]
    fn outlines_of_a_gaussian_are_its_ellipses() {
        let (mean, covariance) = (Point::new(0.5, 0.0), Matrix::new(0.17, -0.3, -0.3, 0.6));
        let picture =
            FitPicture::of(&fit(2, Coordinates::plain(), &[(1.0, plane(mean, covariance))]), VIEW, (VIEW, 10));
        let distribution = &picture.distributions[0];
        assert_eq!((distribution.mean, distribution.outlines.len()), (mean, 3));
        let precision = covariance.try_inverse().unwrap();
        for (level, line) in &distribution.outlines {
            assert_eq!(line.first(), line.last());
            for &[x, y] in line {
                let away = Point::new(x, y) - mean;
                assert_relative_eq!(away.dot(&(precision * away)).sqrt(), SPREADS[*level], epsilon = 1e-12);
            }
        }
    }

    /// The share of a product distribution inside a closed line, from a grid of its own.
    fn share(distribution: &Distribution, line: &[[f64; 2]], count: i32) -> f64 {
        let inside = |x: f64, y: f64| {
            let crossings = line.windows(2).filter(|pair| {
                let ([ax, ay], [bx, by]) = (pair[0], pair[1]);
                (ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax)
            });
            crossings.count() % 2 == 1
        };
        let (mean, sd) = (distribution.mean(), distribution.covariance().map(f64::sqrt));
        let (dx, dy) = (12.0 * sd.m11 / f64::from(count), (mean.y + 9.0 * sd.m22) / f64::from(count));
        let mut sum = 0.0;
        for i in 0..count {
            for j in 0..count {
                let (x, y) = (mean.x + (f64::from(i) + 0.5) * dx - 6.0 * sd.m11, (f64::from(j) + 0.5) * dy);
                if inside(x, y) {
                    sum += distribution.log_density(Point::new(x, y)).exp() * dx * dy;
                }
            }
        }
        sum
    }

    #[test]
    fn outlines_of_a_product_contain_their_probability_and_have_equal_density() {
        let distribution = Distribution::NormalGamma { mean: 0.873, precision: 17.006, shape: 6.5, rate: 4.204 };
        let picture = FitPicture::of(&fit(2, Coordinates::plain(), &[(1.0, distribution)]), VIEW, (VIEW, 10));
        let outlines = &picture.distributions[0].outlines;
        assert_eq!(outlines.iter().map(|(level, _)| *level).collect::<Vec<_>>(), [0, 1, 2]);
        for ((_, line), expected) in outlines.iter().zip([0.3935, 0.8647, 0.9889]) {
            assert_eq!(line.first(), line.last(), "the outlines are closed");
            // On 500 cells along a side the line is off by half a cell: a part in a thousand.
            assert_relative_eq!(share(&distribution, line, 500), expected, epsilon = 2e-3);
            let along: Vec<f64> = line.iter().map(|&[x, y]| distribution.log_density(Point::new(x, y))).collect();
            let (low, high) =
                (along.iter().copied().fold(f64::INFINITY, f64::min), along.iter().copied().fold(f64::MIN, f64::max));
            assert!(high - low < 0.02, "the density along an outline varies: {low} to {high}");
        }
    }

    #[test]
    fn a_distribution_with_an_exponential_tail_has_outlines_too() {
        let distribution = Distribution::NormalGamma { mean: 0.0, precision: 1.0, shape: 1.0, rate: 2.0 };
        let picture = FitPicture::of(&fit(2, Coordinates::plain(), &[(1.0, distribution)]), VIEW, (VIEW, 10));
        assert_eq!(picture.distributions[0].outlines.len(), 3);
        assert!(picture.distributions[0].outlines.iter().flat_map(|(_, line)| line).all(|[_, y]| *y > 0.0 && *y < 4.0));
    }

    #[test]
    fn a_mapped_outline_stays_in_the_support_and_a_huge_one_can_be_drawn() {
        let info = Fake::beta().info().clone();
        let coordinates = Coordinates::open(&info);
        let distribution = plane(Point::zeros(), Matrix::from_diagonal_element(100.0));
        let picture = FitPicture::of(&fit(2, coordinates, &[(1.0, distribution)]), info.view, (info.view, 10));
        let xs = picture.distributions[0].outlines.iter().flat_map(|(_, line)| line).map(|[x, _]| *x);
        assert!(xs.clone().all(|x| (0.0..=1.0).contains(&x)) && xs.fold(0.0, f64::max) > 0.999);
        let wide = plane(Point::zeros(), Matrix::from_diagonal_element(1e60));
        let picture = FitPicture::of(&fit(2, Coordinates::plain(), &[(1.0, wide)]), VIEW, (VIEW, 10));
        assert!(
            picture.distributions[0]
                .outlines
                .iter()
                .flat_map(|(_, line)| line)
                .flatten()
                .all(|number| number.abs() < 1e4)
        );
    }

    #[test]
    fn densities_of_coordinates_are_those_of_the_factors() {
        let distribution = Distribution::NormalGamma { mean: 0.9, precision: 17.0, shape: 6.5, rate: 4.2 };
        let other = plane(Point::new(-1.0, 1.0), Matrix::new(0.3, 0.1, 0.1, 0.2));
        let fit = fit(2, Coordinates::plain(), &[(0.25, distribution), (0.75, other)]);
        let axis = Axis { min: -2.0, max: 4.0, cells: 1200 };
        let gamma = Gamma::new(6.5, 4.2).unwrap();
        let (first, second) =
            (Normal::new(0.9, 17f64.sqrt().recip()).unwrap(), Normal::new(-1.0, 0.3f64.sqrt()).unwrap());
        let third = Normal::new(1.0, 0.2f64.sqrt()).unwrap();
        for coordinate in 0..2 {
            let heights = density(&fit, coordinate, axis);
            for (cell, height) in heights.iter().enumerate() {
                let at = axis.centre(cell);
                let expected = if coordinate == 0 {
                    0.25 * first.pdf(at) + 0.75 * second.pdf(at)
                } else {
                    0.25 * gamma.pdf(at) + 0.75 * third.pdf(at)
                };
                // The mean over a cell of width h is off by h²/24 of the second derivative, at most some 40 here.
                assert!((height - expected).abs() < 1e-4, "{coordinate} at {at}: {height}, {expected}");
            }
        }
    }

    #[test]
    fn a_density_is_mapped_with_its_probability() {
        let info = Fake::beta().info().clone();
        let coordinates = Coordinates::open(&info);
        let (mean, variance) = (-0.6, 0.04);
        let fit = fit(1, coordinates, &[(1.0, Distribution::Line { mean, variance })]);
        for (axis, whole) in [
            (Axis { min: 0.0, max: 1.0, cells: 700 }, true),
            (Axis { min: -0.2, max: 1.3, cells: 701 }, true),
            (Axis { min: 0.3, max: 0.4, cells: 100 }, false),
        ] {
            let heights = density(&fit, 0, axis);
            let total: f64 = heights.iter().sum::<f64>() * axis.width();
            assert!(!whole || (total - 1.0).abs() < 1e-12, "{total}");
            let normal = Normal::new(mean, variance.sqrt()).unwrap();
            for (cell, height) in heights.iter().enumerate() {
                let theta = axis.centre(cell);
                if (0.01..0.99).contains(&theta) {
                    let expected = normal.pdf((theta / (1.0 - theta)).ln()) / (theta * (1.0 - theta));
                    assert!((height - expected).abs() < 2e-3 * 9.0, "at {theta}: {height}, {expected}");
                }
            }
        }
    }

    #[test]
    fn a_distribution_much_narrower_than_a_cell_keeps_its_probability() {
        let narrow =
            fit(2, Coordinates::plain(), &[(1.0, plane(Point::new(0.31, 0.0), Matrix::from_diagonal_element(1e-12)))]);
        let axis = Axis { min: -2.0, max: 4.0, cells: 10 };
        let heights = density(&narrow, 0, axis);
        assert_relative_eq!(heights[3], 1.0 / axis.width(), epsilon = 1e-12);
    }
}
