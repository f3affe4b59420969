//! Quintic B-splines on a lattice, piecewise quintic interpolation, and masses of cells from masses at nodes.
//!
//! B-splines: Schoenberg 1946; Unser, "Splines: a perfect fit for signal and image processing" (1999, IEEE Signal Processing Magazine 16).
//! A mass at y, spread over six nodes by the B-spline b and then divided by the response of its samples b₅(κ) = (33 + 26 cos κ + cos 2κ)/60,
//! is the transpose of spline interpolation, which is exact for polynomials up to degree 5.

use base::math::elementary::sin_cos_2pi;

use crate::padding::whole;

/// Nodes that take part in a value.
pub(crate) const TAPS: usize = 6;

/// Nodes before the one below a point that take part.
pub(crate) const BEFORE: usize = 2;

/// The quintic B-spline at the nodes −2 … 3 around a point at `t` in [0, 1).
#[inline(always)]
pub(crate) fn b_spline(t: f64) -> [f64; TAPS] {
    const SHARE: f64 = 1.0 / 120.0;
    let u = 1.0 - t;
    let (t2, u2) = (t * t, u * u);
    [
        u2 * u2 * u * SHARE,
        (26.0 + t * (-50.0 + t * (20.0 + t * (20.0 + t * (-20.0 + t * 5.0))))) * SHARE,
        (66.0 + t2 * (-60.0 + t2 * (30.0 - t * 10.0))) * SHARE,
        (66.0 + u2 * (-60.0 + u2 * (30.0 - u * 10.0))) * SHARE,
        (26.0 + u * (-50.0 + u * (20.0 + u * (20.0 + u * (-20.0 + u * 5.0))))) * SHARE,
        t2 * t2 * t * SHARE,
    ]
}

/// As many nodes as vectors have.
pub(crate) const WIDE: usize = 8;

/// The same polynomials side by side, with two nodes after them that get nothing.
#[inline(always)]
pub(crate) fn b_spline_wide(t: f64) -> [f64; WIDE] {
    /// Coefficients of t⁵, t⁴, … 1, times 120.
    const POWERS: [[f64; WIDE]; TAPS] = [
        [-1.0, 5.0, -10.0, 10.0, -5.0, 1.0, 0.0, 0.0],
        [5.0, -20.0, 30.0, -20.0, 5.0, 0.0, 0.0, 0.0],
        [-10.0, 20.0, 0.0, -20.0, 10.0, 0.0, 0.0, 0.0],
        [10.0, 20.0, -60.0, 20.0, 10.0, 0.0, 0.0, 0.0],
        [-5.0, -50.0, 0.0, 50.0, 5.0, 0.0, 0.0, 0.0],
        [1.0, 26.0, 66.0, 26.0, 1.0, 0.0, 0.0, 0.0],
    ];
    const SHARE: f64 = 1.0 / 120.0;
    let mut weights = POWERS[0];
    for powers in &POWERS[1..] {
        for (weight, power) in weights.iter_mut().zip(powers) {
            *weight = *weight * t + power;
        }
    }
    weights.map(|weight| weight * SHARE)
}

/// The response of the samples of the quintic B-spline at `turns` = κ/2π.
pub(crate) fn b_spline_response(turns: f64) -> f64 {
    let (_, cosine) = sin_cos_2pi(turns);
    // cos 2κ = 2 cos² κ − 1.
    (32.0 + 26.0 * cosine + 2.0 * cosine * cosine) / 60.0
}

/// Lagrange's polynomials of the nodes −2 … 3 at `t` in [0, 1].
pub(crate) fn lagrange(t: f64) -> [f64; TAPS] {
    std::array::from_fn(|k| {
        let node = k as f64 - BEFORE as f64;
        let mut product = 1.0;
        for other in (0..TAPS).filter(|&other| other != k) {
            let other = other as f64 - BEFORE as f64;
            product *= (t - other) / (node - other);
        }
        product
    })
}

/// Masses of cells from `spacing` times the density at their centres, of a smooth density that is 0 outside:
/// m + δ²m/24 − 17 δ⁴m/5760 + 367 δ⁶m/967680.
#[must_use]
pub fn cell_masses(masses: &[f64]) -> Vec<f64> {
    const SECOND: f64 = 1.0 / 24.0;
    const FOURTH: f64 = -17.0 / 5760.0;
    const SIXTH: f64 = 367.0 / 967_680.0;
    // The coefficients of m(i), m(i ± 1), m(i ± 2), m(i ± 3).
    let centre = 1.0 - 2.0 * SECOND + 6.0 * FOURTH - 20.0 * SIXTH;
    let sides = [SECOND - 4.0 * FOURTH + 15.0 * SIXTH, FOURTH - 6.0 * SIXTH, SIXTH];
    let at = |index: Option<usize>| index.and_then(|index| masses.get(index)).copied().unwrap_or(0.0);
    let cell = |i: usize| {
        let pair = |(side, distance): (&f64, usize)| side * (at(i.checked_sub(distance)) + at(Some(i + distance)));
        centre * masses[i] + sides.iter().zip(1..).map(pair).sum::<f64>()
    };
    (0..masses.len()).map(cell).collect()
}

/// The distribution function of a density on the line, from its masses at nodes.
#[derive(Clone, Debug)]
pub struct Cumulative {
    low: f64,
    spacing: f64,
    /// Probability below each face of a cell, the lower end first.
    below: Vec<f64>,
}

impl Cumulative {
    /// Of masses at the centres of cells of width `spacing`, the first of which begins at `low`.
    #[must_use]
    pub fn new(low: f64, spacing: f64, masses: &[f64]) -> Self {
        let mut below = vec![0.0];
        let mut sum = 0.0;
        for mass in cell_masses(masses) {
            sum += mass;
            below.push(sum);
        }
        Self { low, spacing, below }
    }

    /// The probability below each face of a cell, the lower end first.
    #[must_use]
    pub fn below(&self) -> &[f64] {
        &self.below
    }

    /// The probability below `x`: interpolation of order 6 between faces, exact at them.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        let place = (x - self.low) / self.spacing;
        let last = self.below.len() - 1;
        if place <= 0.0 || place.is_nan() {
            return 0.0;
        }
        if place >= last as f64 {
            return self.below[last];
        }
        let cell = place.floor();
        let value = |k: usize| {
            let face = cell + k as f64 - BEFORE as f64;
            self.below[whole(face.max(0.0)).min(last)]
        };
        let weights = lagrange(place - cell);
        (0..TAPS).map(|k| weights[k] * value(k)).sum()
    }

    /// The probability between two points.
    #[must_use]
    pub fn between(&self, low: f64, high: f64) -> f64 {
        self.at(high) - self.at(low)
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::*;

    #[test]
    fn splines_and_polynomials_reproduce_moments() {
        for t in [0.0, 0.125, 0.5, 0.8, 0.999] {
            let (spline, polynomial) = (b_spline(t), lagrange(t));
            assert_abs_diff_eq!(spline.iter().sum::<f64>(), 1.0, epsilon = 1e-15);
            for (k, wide) in b_spline_wide(t).into_iter().enumerate() {
                assert_abs_diff_eq!(wide, spline.get(k).copied().unwrap_or(0.0), epsilon = 1e-15);
            }
            for power in 0..=5 {
                let node = |k: usize| (k as f64 - 2.0).powi(power);
                let moment: f64 = (0..TAPS).map(|k| polynomial[k] * node(k)).sum();
                assert_abs_diff_eq!(moment, t.powi(power), epsilon = 1e-12);
            }
            // Mean and variance of the spline: t, and 6/12 of a uniform each.
            let mean: f64 = (0..TAPS).map(|k| spline[k] * (k as f64 - 2.0)).sum();
            let second: f64 = (0..TAPS).map(|k| spline[k] * (k as f64 - 2.0 - t).powi(2)).sum();
            assert_abs_diff_eq!(mean, t, epsilon = 1e-15);
            assert_abs_diff_eq!(second, 0.5, epsilon = 1e-15);
        }
        for turns in [0.0f64, 0.1, 0.37, 0.5] {
            let [w, angle] = [b_spline(0.0), [turns * std::f64::consts::TAU; 6]];
            let sum: f64 = (0..TAPS).map(|k| w[k] * ((k as f64 - 2.0) * angle[0]).cos()).sum();
            assert_abs_diff_eq!(b_spline_response(turns), sum, epsilon = 1e-15);
        }
    }

    #[test]
    fn cells_of_a_gaussian_have_its_probabilities() {
        let (low, spacing, count) = (-9.0, 0.1875, 96);
        let density = |x: f64| 0.398_942_280_401_432_7 * (-0.5 * x * x).exp();
        let masses: Vec<f64> = (0..count).map(|i| spacing * density(low + (f64::from(i) + 0.5) * spacing)).collect();
        let cumulative = Cumulative::new(low, spacing, &masses);
        // The error is of the eighth order.
        for x in [-1.5, -0.375, 0.0, 0.75] {
            assert_abs_diff_eq!(cumulative.at(x), base::math::normal_cdf(x), epsilon = 2e-9);
        }
        assert_abs_diff_eq!(cumulative.at(0.3), base::math::normal_cdf(0.3), epsilon = 1e-6);
        assert_abs_diff_eq!(cumulative.at(9.0), 1.0, epsilon = 1e-8);
    }
}
