//! The cubic B-spline with knots at the whole numbers: the density of the sum of four uniforms on [−½, ½].
//!
//! B is positive on (−2, 2) and made of four cubics; its first two derivatives are continuous. B(u − j) over all whole j add up
//! to 1 (de Boor 1978, *A Practical Guide to Splines*).

/// Variance of the distribution with density B.
pub(in crate::targets) const VARIANCE: f64 = 1.0 / 3.0;

/// Half the length of the support.
pub(in crate::targets) const REACH: f64 = 2.0;

/// A node of the Gauss–Legendre rule with two nodes on [0, 1], and one minus it. The rule is exact for cubics.
const NODE: f64 = 0.211_324_865_405_187_13;

/// The values at t ∈ [0, 1] between two knots of the four splines that are positive there, from left to right: those around −1,
/// 0, 1 and 2.
#[inline(always)]
pub(in crate::targets) fn values<const L: usize>(t: &[f64; L]) -> [[f64; L]; 4] {
    let mut values = [[0.0; L]; 4];
    for i in 0..L {
        let (t, s) = (t[i], 1.0 - t[i]);
        values[0][i] = s * s * s / 6.0;
        values[1][i] = (4.0 - t * t * (6.0 - 3.0 * t)) / 6.0;
        values[2][i] = (4.0 - s * s * (6.0 - 3.0 * s)) / 6.0;
        values[3][i] = t * t * t / 6.0;
    }
    values
}

/// The derivatives of [`values`].
#[inline(always)]
pub(in crate::targets) fn slopes<const L: usize>(t: &[f64; L]) -> [[f64; L]; 4] {
    let mut slopes = [[0.0; L]; 4];
    for i in 0..L {
        let (t, s) = (t[i], 1.0 - t[i]);
        slopes[0][i] = -0.5 * s * s;
        slopes[1][i] = t * (1.5 * t - 2.0);
        slopes[2][i] = s * (2.0 - 1.5 * s);
        slopes[3][i] = 0.5 * t * t;
    }
    slopes
}

/// The second derivatives of [`values`].
pub(in crate::targets) fn curvatures(t: f64) -> [f64; 4] {
    let s = 1.0 - t;
    [s, 3.0 * t - 2.0, 3.0 * s - 2.0, t]
}

/// ∫ B from `from` to `to`, a sum of positive terms: also a small one has its digits.
pub(in crate::targets) fn integral(from: f64, to: f64) -> f64 {
    let piece = |number: usize| {
        // Piece number 0 lies between the last two knots.
        let knot = 1.0 - number as f64;
        let (low, high) = (from.max(knot) - knot, to.min(knot + 1.0) - knot);
        if low >= high {
            return 0.0;
        }
        let width = high - low;
        let [first, second] = [NODE, 1.0 - NODE].map(|node| values(&[low + width * node])[number][0]);
        0.5 * width * (first + second)
    };
    (0..4).map(piece).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_knots_splines_add_up_to_one() {
        for t in [0.0, 0.1, 0.5, 0.77, 1.0] {
            let (values, slopes) = (values(&[t]), slopes(&[t]));
            assert!((values.iter().map(|value| value[0]).sum::<f64>() - 1.0).abs() < 1e-15);
            assert!(slopes.iter().map(|slope| slope[0]).sum::<f64>().abs() < 1e-15);
            assert!(curvatures(t).iter().sum::<f64>().abs() < 1e-15);
            // Σ j B(u − j) = u.
            let mean: f64 = values.iter().zip([-1.0, 0.0, 1.0, 2.0]).map(|(value, knot)| value[0] * knot).sum();
            assert!((mean - t).abs() < 1e-15);
        }
    }

    #[test]
    fn values_and_derivatives_are_continuous_at_knots() {
        let (left, right) = (values(&[1.0]), values(&[0.0]));
        let (rises, falls) = (slopes(&[1.0]), slopes(&[0.0]));
        for number in 0..3 {
            assert!((left[number + 1][0] - right[number][0]).abs() < 1e-15);
            assert!((rises[number + 1][0] - falls[number][0]).abs() < 1e-15);
            assert!((curvatures(1.0)[number + 1] - curvatures(0.0)[number]).abs() < 1e-15);
        }
        assert!(right[3][0].abs() + falls[3][0].abs() + curvatures(0.0)[3].abs() < 1e-15);
    }

    #[test]
    fn integrals_have_closed_forms() {
        assert!((integral(f64::NEG_INFINITY, f64::INFINITY) - 1.0).abs() < 1e-15);
        assert!((integral(0.0, 9.0) - 0.5).abs() < 1e-15);
        assert!((integral(-1.0, 1.0) - 22.0 / 24.0).abs() < 1e-15);
        // (2 − u)⁴/24 is beyond u.
        for gap in [1.0, 1e-3, 1e-6_f64] {
            let exact = gap.powi(4) / 24.0;
            assert!((integral(2.0 - gap, 5.0) - exact).abs() < 1e-9 * exact, "{gap}");
        }
        assert!(integral(2.0, 3.0).abs() < 1e-300 && integral(1.0, 1.0).abs() < 1e-300);
    }
}
