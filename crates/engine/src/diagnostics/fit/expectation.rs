//! Expectations under a distribution, by the trapezoidal rule in coordinates in which the distribution is standard.
//!
//! A Gaussian is whitened: z = m + Lu with L·Lᵀ its covariance and u standard normal. A precision is seen on a
//! logarithmic scale, y = e^t shape/rate, where its density ∝ exp(shape (t − e^t)) has neither edge nor pole. For
//! smooth integrands the rule converges geometrically with the number of nodes (Trefethen and Weideman 2014, SIAM
//! Review 56). So the spacing is halved until that changes nothing any more, and only the new nodes are evaluated.
//! Weights are scaled to add up to 1.

use base::math::{Distribution, Matrix, Point};
use base::platform::pause;

/// Standard deviations to which a Gaussian is followed; its density there is e^−32 of the highest.
pub(super) const REACH: f64 = 8.0;

/// The density relative to the highest, as a logarithm, to which the distribution of a precision is followed.
const DEPTH: f64 = 40.0;

/// Intervals between nodes of the coarsest rule.
const FIRST: usize = 16;

/// Change between two rules, relative to the value or to 1 if that is larger, below which the finer one is taken. Its
/// own error is about the square of that, where convergence is geometric.
const AGREEMENT: f64 = 1e-8;

/// The same if nodes run out before.
const POOR_AGREEMENT: f64 = 1e-3;

/// Nodes at most, in the plane and on the line.
const MOST: usize = 1 << 18;

/// Reason why there is no expectation.
pub(super) const UNRESOLVED: &str = "too uneven for quadrature";

/// How a coordinate of a distribution is followed.
#[derive(Clone, Copy, Debug)]
enum Axis {
    /// A standard normal coordinate.
    Normal { reach: f64 },
    /// The logarithm of a gamma variable over its mean.
    LogGamma { shape: f64, low: f64, high: f64 },
    /// None: y on the line.
    Nothing,
}

impl Axis {
    fn log_gamma(shape: f64) -> Self {
        // Where shape (e^t − t − 1) = DEPTH on either side of 0.
        let depth = DEPTH / shape;
        let off = |t: f64| libm::expm1(t) - t - depth;
        Self::LogGamma { shape, low: -root(|t| off(-t), depth + 1.0), high: root(off, 2.0 + depth.sqrt()) }
    }

    fn ends(self) -> (f64, f64) {
        match self {
            Self::Normal { reach } => (-reach, reach),
            Self::LogGamma { low, high, .. } => (low, high),
            Self::Nothing => (0.0, 0.0),
        }
    }

    /// The density at u, relative to the highest.
    fn weight(self, u: f64) -> f64 {
        match self {
            Self::Normal { .. } => libm::exp(-0.5 * u * u),
            Self::LogGamma { shape, .. } => libm::exp(shape * (u - libm::expm1(u))),
            Self::Nothing => 1.0,
        }
    }

    /// The nodes of the rule with `intervals` that the one with half of them does not have, or all, with whether they
    /// are new.
    fn nodes(self, intervals: usize, first: bool) -> Vec<(f64, f64, bool)> {
        if matches!(self, Self::Nothing) {
            return vec![(0.0, 1.0, first)];
        }
        let (low, high) = self.ends();
        let node = |number: usize| {
            let u = low + (high - low) * (number as f64 / intervals as f64);
            (u, self.weight(u), first || number % 2 == 1)
        };
        (0..=intervals).map(node).collect()
    }
}

/// The positive root of a function that grows from below 0, which is at most about `guess`.
fn root(function: impl Fn(f64) -> f64, guess: f64) -> f64 {
    let (mut low, mut high) = (0.0, guess);
    while function(high) < 0.0 {
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        *(if function(middle) < 0.0 { &mut low } else { &mut high }) = middle;
    }
    high
}

/// A distribution in standard coordinates.
struct Standard {
    axes: [Axis; 2],
    mean: Point,
    root: Matrix,
    /// Of y, if it is a precision.
    scale: Option<f64>,
}

impl Standard {
    /// `None` if the distribution has no width.
    fn new(distribution: &Distribution, reach: f64) -> Option<Self> {
        let normal = Axis::Normal { reach };
        Some(match *distribution {
            Distribution::Line { mean, variance } => Self {
                axes: [normal, Axis::Nothing],
                mean: Point::new(mean, 0.0),
                root: Matrix::new(variance.sqrt(), 0.0, 0.0, 0.0),
                scale: None,
            },
            Distribution::Plane(gaussian) => {
                Self { axes: [normal, normal], mean: gaussian.mean, root: gaussian.cholesky()?, scale: None }
            }
            Distribution::NormalGamma { mean, precision, shape, rate } => Self {
                axes: [normal, Axis::log_gamma(shape)],
                mean: Point::new(mean, 0.0),
                root: Matrix::new(1.0 / precision.sqrt(), 0.0, 0.0, 0.0),
                scale: Some(shape / rate),
            },
        })
    }

    fn point(&self, u: f64, v: f64) -> Point {
        let at = self.mean + self.root * Point::new(u, v);
        self.scale.map_or(at, |scale| Point::new(at.x, scale * libm::exp(v)))
    }
}

/// E f(z) for z from a sound distribution, with pauses; Gaussians are followed to `reach` standard deviations.
///
/// # Errors
/// If the distribution has no width, f is not finite where the distribution has density, or is too uneven to be resolved.
pub(super) async fn expectation<const K: usize>(
    distribution: &Distribution,
    reach: f64,
    f: impl Fn(Point) -> [f64; K],
) -> Result<[f64; K], &'static str> {
    let standard = Standard::new(distribution, reach).ok_or(super::UNSOUND)?;
    let planar = !matches!(standard.axes[1], Axis::Nothing);
    let (mut sums, mut total) = ([0.0; K], 0.0);
    let mut before: Option<[f64; K]> = None;
    let mut intervals = FIRST;
    loop {
        let [across, up] = standard.axes.map(|axis| axis.nodes(intervals, before.is_none()));
        for &(v, row_weight, new_row) in &up {
            for &(u, weight, _) in across.iter().filter(|(_, _, new)| *new || new_row) {
                let weight = weight * row_weight;
                total += weight;
                let values = f(standard.point(u, v));
                sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
            }
            pause().await;
        }
        let now = sums.map(|sum| sum / total);
        if !now.iter().all(|value| value.is_finite()) {
            return Err(UNRESOLVED);
        }
        let change = before.map_or(f64::INFINITY, |before| furthest(&before, &now));
        intervals *= 2;
        let next = if planar { intervals * intervals } else { intervals };
        if change <= AGREEMENT {
            return Ok(now);
        }
        if next > MOST {
            return if change <= POOR_AGREEMENT { Ok(now) } else { Err(UNRESOLVED) };
        }
        before = Some(now);
    }
}

/// The largest difference, relative to the value or to 1.
fn furthest(before: &[f64], now: &[f64]) -> f64 {
    let change = |(before, now): (&f64, &f64)| (now - before).abs() / now.abs().max(1.0);
    before.iter().zip(now).map(change).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;
    use base::platform::now;

    /// Of a gamma distribution the moments and E log y = ψ(shape) − log rate; of the others mean and second moments.
    #[test]
    fn known_expectations() {
        for (shape, digamma) in
            [(6.5, 1.792_911_330_399_933), (0.4, -2.561_384_544_585_116_4), (2000.0, 7.600_652_438_708_749_5)]
        {
            let distribution = Distribution::NormalGamma { mean: 0.8, precision: 17.0, shape, rate: 4.2 };
            let [x, xx, y, yy, log] =
                now(expectation(&distribution, REACH, |z| [z.x, z.x * z.x, z.y, z.y * z.y, z.y.ln()])).unwrap();
            assert_relative_eq!(x, 0.8, max_relative = 1e-12);
            assert_relative_eq!(xx, 0.64 + 1.0 / 17.0, max_relative = 1e-12);
            assert_relative_eq!(y, shape / 4.2, max_relative = 1e-11);
            assert_relative_eq!(yy, shape * (shape + 1.0) / (4.2 * 4.2), max_relative = 1e-11);
            assert_relative_eq!(log, digamma - 4.2_f64.ln(), max_relative = 1e-11);
        }
        let covariance = Matrix::new(2.0, 1.2, 1.2, 0.9);
        let plane = Distribution::gaussian(2, Point::new(0.3, -0.7), covariance);
        let [x, y, xy, yy] = now(expectation(&plane, REACH, |z| [z.x, z.y, z.x * z.y, z.y * z.y])).unwrap();
        assert_relative_eq!(Point::new(x, y), Point::new(0.3, -0.7), epsilon = 1e-12);
        assert_relative_eq!(Point::new(xy, yy), Point::new(1.2 - 0.21, 0.9 + 0.49), epsilon = 1e-12);
        let line = Distribution::gaussian(1, Point::new(0.3, 0.0), covariance);
        let [cosine] = now(expectation(&line, REACH, |z| [z.x.cos()])).unwrap();
        assert_relative_eq!(cosine, 0.3_f64.cos() * (-1.0_f64).exp(), max_relative = 1e-12);
    }

    /// A step cannot be resolved to eight digits, but well enough to be stated; a pole cannot be resolved at all.
    #[test]
    fn what_is_too_uneven_is_told() {
        let line = Distribution::gaussian(1, Point::new(0.3, 0.0), Matrix::identity());
        let [above] = now(expectation(&line, REACH, |z| [f64::from(z.x > 1.0)])).unwrap();
        assert_relative_eq!(above, base::math::normal_cdf(-0.7), epsilon = 1e-3);
        assert_eq!(now(expectation(&line, REACH, |z| [1.0 / ((z.x - 0.312_34).powi(2) + 1e-18)])), Err(UNRESOLVED));
        assert_eq!(now(expectation(&line, REACH, |z| [1.0 / f64::from(z.x > 1.0)])), Err(UNRESOLVED));
    }
}
