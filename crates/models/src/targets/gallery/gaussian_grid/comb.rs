//! One axis of a grid of Gaussians: a comb of equal Gaussians.
//!
//! The density of a component is taken relative to that of the centre nearest to x, which never overflows: the component m centres
//! further on has the relative density exp(m s (e − m s/2)/v) ≤ 1, e = x − nearest centre. Successive ones follow by
//! multiplication, so one axis costs two exponentials. Components below [`NEGLIGIBLE`] of the nearest one are left out.

use std::f64::consts::{LN_2, TAU};

use crate::targets::Mode;
use crate::targets::kit::lanewise::non_positive;
use crate::targets::kit::modes::{self, Surface};
use base::math::elementary::{exp, exp_share, ln, rounded};
use base::math::{Matrix, Point, normal_cdf, normal_interval};

/// Components with a smaller share than this, relative to the nearest one, are left out of the sums.
const NEGLIGIBLE: f64 = 1e-20;

/// A one-dimensional mixture of equal Gaussians at equally spaced centres, symmetric about 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comb {
    /// Number of centres, a whole number.
    pub(super) count: f64,
    spacing: f64,
    pub(super) variance: f64,
    /// The first centre.
    first: f64,
    /// Neighbours on either side of the nearest centre that have a share worth counting.
    reach: usize,
    /// exp(−s²/v), the factor from one ratio of neighbouring shares to the next.
    ratio: f64,
    /// Whether no component but the nearest and its neighbour on the side of the point has a share worth counting:
    /// any other has at most exp(−s²/2v) of the nearest.
    pub(super) steep: bool,
    /// Distances from the nearest centre, the smallest and the largest, between which the pull of any other is lost in rounding:
    /// see [`Comb::alone`].
    alone: [f64; 2],
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
    pub(super) fn new(count: f64, spacing: f64, variance: f64) -> Self {
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
            alone: Self::alone(spacing, variance),
            per_spacing: 1.0 / spacing,
            per_variance: 1.0 / variance,
            log_constant: -ln(count) - 0.5 * ln(TAU * variance),
        }
    }

    /// Distances d from a centre at which the pull s w/(1 + w) < s exp((d − s/2) s/v) of its neighbour is below 2⁻⁵⁵ d, so that d less
    /// the pull rounds to d. The logarithm of their ratio is convex in d with its least value at v/s: these are bounds on either
    /// side of it, the second by a few steps of a fixed-point iteration from below. None if the first is above the second.
    fn alone(spacing: f64, variance: f64) -> [f64; 2] {
        let rate = spacing / variance;
        let lost = 55.0 * LN_2;
        let half = 0.5 * spacing;
        // Shares are never below the smallest normal numbers.
        let low = spacing * exp_share(non_positive(1.0 - rate * half)) * exp(lost);
        let further = |d: f64| half - (ln(spacing / d) + lost) / rate;
        let high = std::iter::successors(Some(variance / spacing), |d| Some(further(*d)).filter(|next| next > d));
        [low, high.take(8).last().unwrap_or(0.0)]
    }

    pub(super) fn centre(&self, index: f64) -> f64 {
        self.first + index * self.spacing
    }

    /// Half the width of a view of all centres.
    pub(super) fn half_width(&self) -> f64 {
        -self.first + self.spacing.max(4.0 * self.variance.sqrt())
    }

    pub(super) fn total_variance(&self) -> f64 {
        self.variance + self.spacing * self.spacing * (self.count * self.count - 1.0) / 12.0
    }

    /// The number of the nearest centre, and how far `x` is from it.
    #[inline(always)]
    fn nearest(&self, x: f64) -> (f64, f64) {
        let last = self.count - 1.0;
        let in_spacings = (x - self.first) * self.per_spacing;
        let in_spacings = if in_spacings > last { last } else { in_spacings };
        let nearest = rounded(if in_spacings < 0.0 { 0.0 } else { in_spacings });
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
    pub(super) fn slopes<const L: usize>(&self, x: [f64; L]) -> [f64; L] {
        let shares = self.shares(x);
        std::array::from_fn(|i| (self.spacing * shares.mean[i] - shares.offset[i]) * self.per_variance)
    }

    /// The derivative of the log density of a steep comb: (±s w/(1 + w) − d)/v, d the distance from the nearest
    /// centre and w = exp((|d| − s/2) s/v) the share of its neighbour on the side of the point.
    #[inline(always)]
    pub(super) fn steep_slopes<const L: usize>(&self, x: [f64; L]) -> [f64; L] {
        let last = self.count - 1.0;
        let rate = self.spacing * self.per_variance;
        let half = 0.5 * self.spacing;
        let (mut nearest, mut offset) = ([0.0; L], [0.0; L]);
        let mut alone = true;
        for i in 0..L {
            (nearest[i], offset[i]) = self.nearest(x[i]);
            alone &= self.is_alone(offset[i]);
        }
        let mut slopes = [0.0; L];
        if alone {
            // With the bits of what follows, in a third of its time.
            for i in 0..L {
                slopes[i] = -offset[i] * self.per_variance;
            }
            return slopes;
        }
        for i in 0..L {
            let share = exp_share(non_positive(rate * (offset[i].abs() - half)));
            let neighbours = if offset[i] > 0.0 { last - nearest[i] } else { nearest[i] };
            let share = if neighbours > 0.0 { share } else { 0.0 };
            let pull = self.spacing * (share / (1.0 + share));
            slopes[i] = (pull.copysign(offset[i]) - offset[i]) * self.per_variance;
        }
        slopes
    }

    /// The slope of a steep comb without the neighbours of the nearest centre, and whether it has the bits of
    /// [`steep_slopes`](Self::steep_slopes).
    #[inline(always)]
    pub(super) fn slope_alone(&self, x: f64) -> (f64, bool) {
        let (_, offset) = self.nearest(x);
        (-offset * self.per_variance, self.is_alone(offset))
    }

    /// Whether the pull of the neighbours is lost in rounding at this distance from the nearest centre.
    #[inline(always)]
    fn is_alone(&self, offset: f64) -> bool {
        (offset.abs() >= self.alone[0]) & (offset.abs() <= self.alone[1])
    }

    /// The derivative of the log density at one point.
    pub(super) fn slope_at(&self, x: f64) -> f64 {
        let [slope] = if self.steep { self.steep_slopes([x]) } else { self.slopes([x]) };
        slope
    }

    pub(super) fn log_density_at(&self, x: f64) -> f64 {
        let shares = self.shares([x]);
        let [offset] = shares.offset;
        self.log_constant - offset * offset / (2.0 * self.variance) + ln(shares.total[0])
    }

    /// Second derivative of the log density.
    pub(super) fn curvature_at(&self, x: f64) -> f64 {
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
    pub(super) fn intervals(&self, edges: &[f64]) -> Vec<f64> {
        let (centres, sd) = (self.centres(), self.variance.sqrt());
        let of = |ends: &[f64], centre: &f64| normal_interval((ends[0] - centre) / sd, (ends[1] - centre) / sd);
        edges.windows(2).map(|ends| centres.iter().map(|centre| of(ends, centre)).sum::<f64>() / self.count).collect()
    }

    /// The modes in x: by Newton's method from every centre, their basins by the normal distribution function.
    pub(super) fn modes(&self) -> Vec<Mode> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::{Purpose, Stream};

    /// Where other centres are left out, the slope has the bits that it has with them, also next to the two ends of the range.
    #[test]
    fn other_centres_are_left_out_only_where_rounding_loses_them() {
        for (spacing, variance) in [(2.0, 0.03), (2.0, 0.0217), (1.0, 1e-3), (0.37, 1e-6), (5.0, 0.2), (1e4, 1e3)] {
            let comb = Comb::new(5.0, spacing, variance);
            let [low, high] = comb.alone;
            assert!(comb.steep && low < high && high < 0.5 * spacing, "{spacing}, {variance}: {:?}", comb.alone);
            let with_all = Comb { alone: [f64::INFINITY, 0.0], ..comb };
            let mut stream = Stream::derive(1, Purpose::Data, 0, 0);
            let near = |end: f64| [end, end.next_up(), end.next_down(), 1.01 * end, 0.99 * end];
            let anywhere = std::iter::repeat_with(|| stream.uniform() * spacing).take(20_000);
            for offset in near(low).into_iter().chain(near(high)).chain(anywhere) {
                for x in
                    [-2.0, -1.0, 0.0, 2.0].map(|centre| centre * spacing + offset).into_iter().flat_map(|x| [x, -x])
                {
                    let (fast, slow) = (comb.slope_at(x), with_all.slope_at(x));
                    assert_eq!(fast.to_bits(), slow.to_bits(), "{spacing}, {variance} at {x}");
                    let (without, holds) = comb.slope_alone(x);
                    assert!(!holds || without.to_bits() == slow.to_bits(), "{spacing}, {variance} at {x}");
                }
            }
        }
        assert!(Comb::new(5.0, 2.0, 0.03).alone[1] > 2.0 * 0.03_f64.sqrt(), "most draws are within");
        assert!(
            Comb::new(5.0, 2.0, 0.03).slope_at(f64::NAN).is_nan() && !Comb::new(5.0, 2.0, 0.03).slope_alone(f64::NAN).1
        );
    }
}
