//! A grid of equal isotropic Gaussians, the multimodal test density of cyclical SG-MCMC.
//!
//! p(x, y) = (rows · columns)⁻¹ Σ N((x, y); (cⱼ, cᵢ), v I), centres `spacing` apart and symmetric about 0.
//! With the defaults these are the 25 Gaussians of Zhang, Li, Zhang, Chen and Wilson, "Cyclical stochastic
//! gradient MCMC for Bayesian deep learning" (2020, arXiv:1902.03932).
//!
//! The density is a product of two one-dimensional mixtures with equally spaced centres. In each, the density of a
//! component is taken relative to that of the centre nearest to x, which never overflows: the component m centres
//! further on has the relative density exp(m s (e − m s/2)/v) ≤ 1, e = x − nearest centre. Successive ones follow by
//! multiplication, so one axis costs two exponentials. Components below [`NEGLIGIBLE`] of the nearest one are left out.

use std::f64::consts::TAU;
use std::sync::Arc;

use super::lanewise::{Lanewise, Place, Sweep, non_positive};
use super::modes::{self, Surface};
use super::{Boundary, EulerSteps, Folder, Mode, Support, Target, TargetInfo};
use crate::math::kernels::rounded;
use crate::math::kernels::{exp, exp_share, ln};
use crate::math::{Bounds, Matrix, Point, Simd, Stream, crossed, normal_cdf, normal_interval};
use crate::params::{Interval, KindSpec, ParamError, ParamSpec, Settings};

/// Components with a smaller share than this, relative to the nearest one, are left out of the sums.
const NEGLIGIBLE: f64 = 1e-20;

const COUNT: Interval = Interval::closed(1.0, 20.0);
const LENGTH: Interval = Interval::closed(1e-3, 1e4);
const VARIANCE: Interval = Interval::closed(1e-6, 1e4);

const PARAMS: [ParamSpec; 4] = [
    ParamSpec::integer("rows", "rows", 5.0, COUNT, (1.0, 10.0), "Number of rows of Gaussians."),
    ParamSpec::integer("columns", "columns", 5.0, COUNT, (1.0, 10.0), "Number of columns of Gaussians."),
    ParamSpec::number(
        "spacing",
        "spacing",
        2.0,
        LENGTH,
        (0.5, 5.0),
        "Distance between neighbouring centres. With a large one, chains have to cross deep valleys.",
    ),
    ParamSpec::number(
        "variance",
        "variance",
        0.03,
        VARIANCE,
        (0.005, 1.0),
        "Variance of each Gaussian, the same in every direction. Langevin steps are stable only below twice this number.",
    )
    .log(),
];

/// The description of this target.
pub const SPEC: KindSpec = KindSpec {
    name: "gaussian-grid",
    label: "Grid of Gaussians",
    help: "Equal round Gaussians on a regular grid. With small steps, a chain stays in the Gaussian where it started: the \
           standard test of whether a method moves between modes.",
    params: &PARAMS,
};

/// Makes the target.
///
/// # Errors
/// None beyond the ranges of the parameters.
pub fn build(settings: &Settings, _folder: &Folder) -> Result<Arc<dyn Target>, Vec<ParamError>> {
    let (spacing, variance) = (settings.number("spacing"), settings.number("variance"));
    let comb = |key| Comb::new(settings.number(key), spacing, variance);
    Ok(Arc::new(GaussianGrid::new(comb("columns"), comb("rows"))))
}

/// The product of a mixture in x and one in y.
#[derive(Clone, Debug)]
struct GaussianGrid {
    x: Comb,
    y: Comb,
    info: TargetInfo,
}

impl GaussianGrid {
    fn new(x: Comb, y: Comb) -> Self {
        let (across, up) = (x.modes(), y.modes());
        let modes = up.iter().flat_map(|row| across.iter().map(|column| crossing(column, row))).collect();
        let half = Point::new(x.half_width(), y.half_width());
        let info = TargetInfo {
            dimension: 2,
            axes: ["x", "y"],
            support: Support::everywhere(),
            boundary: Boundary::Open,
            view: Bounds { min: -half, max: half },
            modes,
            log_normaliser: 0.0,
            mean: Point::zeros(),
            covariance: Matrix::from_diagonal(&Point::new(x.total_variance(), y.total_variance())),
            start: Point::zeros(),
        };
        Self { x, y, info }
    }
}

/// The mode where a column's and a row's mode meet.
fn crossing(column: &Mode, row: &Mode) -> Mode {
    Mode {
        at: Point::new(column.at.x, row.at.x),
        weight: column.weight * row.weight,
        covariance: Matrix::from_diagonal(&Point::new(column.covariance.m11, row.covariance.m11)),
    }
}

impl Target for GaussianGrid {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn log_density(&self, at: Point) -> f64 {
        self.x.log_density_at(at.x) + self.y.log_density_at(at.y)
    }

    fn gradient(&self, at: Point) -> Point {
        Point::new(self.x.slope_at(at.x), self.y.slope_at(at.y))
    }

    fn hessian(&self, at: Point) -> Matrix {
        Matrix::from_diagonal(&Point::new(self.x.curvature_at(at.x), self.y.curvature_at(at.y)))
    }

    fn gradients(&self, simd: Simd, x: &[f64], y: &[f64], gx: &mut [f64], gy: &mut [f64]) {
        if self.x.steep {
            simd.dispatch(Sweep { function: Combs::<true> { x: self.x, y: self.y }, x, y, gx, gy });
        } else {
            simd.dispatch(Sweep { function: Combs::<false> { x: self.x, y: self.y }, x, y, gx, gy });
        }
    }

    fn euler(&self, steps: EulerSteps<'_>) {
        if self.x.steep {
            steps.through(Combs::<true> { x: self.x, y: self.y });
        } else {
            steps.through(Combs::<false> { x: self.x, y: self.y });
        }
    }

    fn cell_probabilities(&self, x: &[f64], y: &[f64]) -> Option<Vec<f64>> {
        Some(crossed(&self.x.intervals(x), &self.y.intervals(y)))
    }

    /// The coordinates are independent.
    fn conditional_draw(&self, axis: usize, _at: Point, [uniform, normal]: [f64; 2]) -> Option<f64> {
        let comb = if axis == 0 { &self.x } else { &self.y };
        let index = (uniform * comb.count).floor().min(comb.count - 1.0);
        Some(comb.centre(index) + comb.variance.sqrt() * normal)
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 20 rows and columns")]
    fn exact_draw(&self, stream: &mut Stream) -> Option<Point> {
        let column = f64::from(stream.below(self.x.count as u32));
        let row = f64::from(stream.below(self.y.count as u32));
        let sd = self.x.variance.sqrt();
        let (first, second) = stream.normal_pair();
        Some(Point::new(self.x.centre(column) + sd * first, self.y.centre(row) + sd * second))
    }
}

/// The gradient; both combs are steep or neither is, since they share spacing and variance.
struct Combs<const STEEP: bool> {
    x: Comb,
    y: Comb,
}

impl<const STEEP: bool> Lanewise for Combs<STEEP> {
    #[inline(always)]
    fn at<const L: usize>(&self, _place: Place, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]) {
        if STEEP { (self.x.steep_slopes(*x), self.y.steep_slopes(*y)) } else { (self.x.slopes(*x), self.y.slopes(*y)) }
    }
}

/// A one-dimensional mixture of equal Gaussians at equally spaced centres, symmetric about 0.
#[derive(Clone, Copy, Debug)]
struct Comb {
    /// Number of centres, a whole number.
    count: f64,
    spacing: f64,
    variance: f64,
    /// The first centre.
    first: f64,
    /// Neighbours on either side of the nearest centre that have a share worth counting.
    reach: usize,
    /// exp(−s²/v), the factor from one ratio of neighbouring shares to the next.
    ratio: f64,
    /// Whether no component but the nearest and its neighbour on the side of the point has a share worth counting:
    /// any other has at most exp(−s²/2v) of the nearest.
    steep: bool,
    /// 1/s.
    per_spacing: f64,
    /// 1/v.
    per_variance: f64,
    /// −ln(count) − ½ ln(2πv).
    log_constant: f64,
}

/// Sums over the components of a comb, per point.
struct Shares<const L: usize> {
    /// Distance to the nearest centre.
    offset: [f64; L],
    /// Σ w, the share of the nearest centre being 1.
    total: [f64; L],
    /// Σ m w / Σ w with m counted in centres from the nearest one.
    mean: [f64; L],
    /// Σ m² w / Σ w.
    square: [f64; L],
}

impl Comb {
    fn new(count: f64, spacing: f64, variance: f64) -> Self {
        let steepness = spacing * spacing / (2.0 * variance);
        let share = |m: f64| exp(-m * (m + 1.0) * steepness);
        let mut reach = 0;
        let mut order = 0.0;
        while order < count - 1.0 && share(order) > NEGLIGIBLE {
            order += 1.0;
            reach += 1;
        }
        Self {
            count,
            spacing,
            variance,
            first: -0.5 * (count - 1.0) * spacing,
            reach,
            ratio: exp(-2.0 * steepness),
            steep: exp(-steepness) < NEGLIGIBLE,
            per_spacing: 1.0 / spacing,
            per_variance: 1.0 / variance,
            log_constant: -ln(count) - 0.5 * ln(TAU * variance),
        }
    }

    fn centre(&self, index: f64) -> f64 {
        self.first + index * self.spacing
    }

    /// Half the width of a view of all centres.
    fn half_width(&self) -> f64 {
        -self.first + self.spacing.max(4.0 * self.variance.sqrt())
    }

    fn total_variance(&self) -> f64 {
        self.variance + self.spacing * self.spacing * (self.count * self.count - 1.0) / 12.0
    }

    /// The number of the nearest centre, and how far `x` is from it.
    #[inline(always)]
    fn nearest(&self, x: f64) -> (f64, f64) {
        let last = self.count - 1.0;
        let place = (x - self.first) * self.per_spacing;
        let place = if place > last { last } else { place };
        let nearest = rounded(if place < 0.0 { 0.0 } else { place });
        (nearest, x - (self.first + nearest * self.spacing))
    }

    #[inline(always)]
    fn shares<const L: usize>(&self, x: [f64; L]) -> Shares<L> {
        let last = self.count - 1.0;
        let rate = self.spacing / self.variance;
        let (mut offset, mut below, mut above) = ([0.0; L], [0.0; L], [0.0; L]);
        let (mut up_ratio, mut down_ratio) = ([0.0; L], [0.0; L]);
        for i in 0..L {
            (below[i], offset[i]) = self.nearest(x[i]);
            above[i] = last - below[i];
        }
        for i in 0..L {
            up_ratio[i] = exp(non_positive(rate * (offset[i] - 0.5 * self.spacing)));
            down_ratio[i] = exp(non_positive(-rate * (offset[i] + 0.5 * self.spacing)));
        }
        let (mut up, mut down) = (up_ratio, down_ratio);
        let (mut total, mut mean, mut square) = ([1.0; L], [0.0; L], [0.0; L]);
        let mut order = 0.0;
        for _ in 0..self.reach {
            order += 1.0;
            for i in 0..L {
                let right = if order <= above[i] { up[i] } else { 0.0 };
                let left = if order <= below[i] { down[i] } else { 0.0 };
                total[i] += right + left;
                mean[i] += order * (right - left);
                square[i] += order * order * (right + left);
                up_ratio[i] *= self.ratio;
                down_ratio[i] *= self.ratio;
                up[i] *= up_ratio[i];
                down[i] *= down_ratio[i];
            }
        }
        for i in 0..L {
            mean[i] /= total[i];
            square[i] /= total[i];
        }
        Shares { offset, total, mean, square }
    }

    /// The derivative of the log density.
    #[inline(always)]
    fn slopes<const L: usize>(&self, x: [f64; L]) -> [f64; L] {
        let shares = self.shares(x);
        std::array::from_fn(|i| (self.spacing * shares.mean[i] - shares.offset[i]) * self.per_variance)
    }

    /// The derivative of the log density of a steep comb: (±s w/(1 + w) − d)/v, d the distance from the nearest
    /// centre and w = exp((|d| − s/2) s/v) the share of its neighbour on the side of the point.
    #[inline(always)]
    fn steep_slopes<const L: usize>(&self, x: [f64; L]) -> [f64; L] {
        let last = self.count - 1.0;
        let rate = self.spacing * self.per_variance;
        let half = 0.5 * self.spacing;
        let mut slopes = [0.0; L];
        for i in 0..L {
            let (nearest, offset) = self.nearest(x[i]);
            let share = exp_share(non_positive(rate * (offset.abs() - half)));
            let neighbours = if offset > 0.0 { last - nearest } else { nearest };
            let share = if neighbours > 0.0 { share } else { 0.0 };
            let pull = self.spacing * (share / (1.0 + share));
            slopes[i] = (pull.copysign(offset) - offset) * self.per_variance;
        }
        slopes
    }

    /// The derivative of the log density at one point.
    fn slope_at(&self, x: f64) -> f64 {
        let [slope] = if self.steep { self.steep_slopes([x]) } else { self.slopes([x]) };
        slope
    }

    fn log_density_at(&self, x: f64) -> f64 {
        let shares = self.shares([x]);
        let [offset] = shares.offset;
        self.log_constant - offset * offset / (2.0 * self.variance) + ln(shares.total[0])
    }

    /// Second derivative of the log density.
    fn curvature_at(&self, x: f64) -> f64 {
        let shares = self.shares([x]);
        let scatter = shares.square[0] - shares.mean[0] * shares.mean[0];
        (self.spacing * self.spacing * scatter / self.variance - 1.0) / self.variance
    }

    fn centres(&self) -> Vec<f64> {
        std::iter::successors(Some(0.0), |index| Some(index + 1.0).filter(|next| *next < self.count))
            .map(|index| self.centre(index))
            .collect()
    }

    /// The probabilities of the intervals between `edges`.
    fn intervals(&self, edges: &[f64]) -> Vec<f64> {
        let (centres, sd) = (self.centres(), self.variance.sqrt());
        let of = |ends: &[f64], centre: &f64| normal_interval((ends[0] - centre) / sd, (ends[1] - centre) / sd);
        edges.windows(2).map(|ends| centres.iter().map(|centre| of(ends, centre)).sum::<f64>() / self.count).collect()
    }

    /// The modes in x: by Newton's method from every centre, their basins by the normal distribution function.
    fn modes(&self) -> Vec<Mode> {
        let centres = self.centres();
        let starts: Vec<Point> = centres.iter().map(|&centre| Point::new(centre, 0.0)).collect();
        let mut peaks = modes::peaks(self, 1, &starts);
        peaks.sort_by(|first, second| first.x.total_cmp(&second.x));
        let cdf = |x: f64| {
            centres.iter().map(|centre| normal_cdf((x - centre) / self.variance.sqrt())).sum::<f64>() / self.count
        };
        let below = |index: usize| match index {
            0 => 0.0,
            _ if index == peaks.len() => 1.0,
            _ => cdf(0.5 * (peaks[index - 1].x + peaks[index].x)),
        };
        let separate = peaks.len() == centres.len();
        let variance = |x: f64| if separate { self.variance } else { -1.0 / self.curvature_at(x) };
        (0..peaks.len())
            .map(|index| Mode {
                at: peaks[index],
                weight: below(index + 1) - below(index),
                covariance: Matrix::new(variance(peaks[index].x), 0.0, 0.0, 0.0),
            })
            .collect()
    }
}

impl Surface for Comb {
    fn log_density(&self, at: Point) -> f64 {
        self.log_density_at(at.x)
    }

    fn gradient(&self, at: Point) -> Point {
        Point::new(self.slope_at(at.x), 0.0)
    }

    fn hessian(&self, at: Point) -> Matrix {
        Matrix::new(self.curvature_at(at.x), 0.0, 0.0, 0.0)
    }
}
