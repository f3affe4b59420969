//! Probabilities of boxes under a distribution, exact however narrow the distribution is.
//!
//! Where the coordinates are independent the probability of a box is a product of those of two intervals. For a
//! correlated Gaussian it is ∫ φ(v) P(x in the interval | y = m + sv) dv over the rows, where the distribution of x
//! given y is normal again: by Gauss–Legendre rules over intervals of rows in which the integrand is nearly a polynomial,
//! so that the probability of a box has at least six digits. Short intervals are needed only where x comes near an edge of a
//! box; in between all of it is in one box, which has the whole φ.

use base::math::{Distribution, Gaussian, gamma_interval, normal_cdf, normal_interval};

/// Standard deviations beyond which a Gaussian has nothing: 10⁻¹⁹ of its mass.
const REACH: f64 = 9.0;

/// Length of the intervals of a row, in the scale on which the integrand changes: the rule with four points then has an
/// error of a relative 10⁻⁹ at most.
const INTERVAL: f64 = 0.5;

/// Intervals so much shorter that two points have an error of a relative 10⁻⁷.
const SHORT: f64 = 0.1;

/// Gauss–Legendre nodes and weights on [−1, 1], weights adding up to 1.
const TWO_POINTS: &[(f64, f64)] = &[(-0.577_350_269_189_625_8, 0.5), (0.577_350_269_189_625_8, 0.5)];
const FOUR_POINTS: &[(f64, f64)] = &[
    (-0.861_136_311_594_052_6, 0.173_927_422_568_726_93),
    (-0.339_981_043_584_856_26, 0.326_072_577_431_273_1),
    (0.339_981_043_584_856_26, 0.326_072_577_431_273_1),
    (0.861_136_311_594_052_6, 0.173_927_422_568_726_93),
];

/// 1/√2π.
const PEAK: f64 = 0.398_942_280_401_432_7;

/// Adds `weight` times the probability of every box between the given cuts through z, by rows from the lower left. On
/// the line there is one row, and y does not count.
pub(super) fn add_boxes(distribution: &Distribution, weight: f64, x: &[f64], y: &[f64], boxes: &mut [f64]) {
    let normal = |cuts: &[f64], mean: f64, variance: f64| -> Vec<f64> {
        let sd = variance.sqrt();
        cuts.windows(2).map(|ends| normal_interval((ends[0] - mean) / sd, (ends[1] - mean) / sd)).collect()
    };
    match *distribution {
        Distribution::Line { mean, variance } => add_products(weight, &normal(x, mean, variance), &[1.0], boxes),
        Distribution::Plane(gaussian) if gaussian.covariance.m12.abs() > 0.0 => {
            add_correlated(&gaussian, weight, x, y, boxes);
        }
        Distribution::Plane(Gaussian { mean, covariance }) => {
            let (x, y) = (normal(x, mean.x, covariance.m11), normal(y, mean.y, covariance.m22));
            add_products(weight, &x, &y, boxes);
        }
        Distribution::NormalGamma { mean, precision, shape, rate } => {
            let gamma = |ends: &[f64]| gamma_interval(shape, rate * ends[0], rate * ends[1]);
            let y: Vec<f64> = y.windows(2).map(gamma).collect();
            add_products(weight, &normal(x, mean, 1.0 / precision), &y, boxes);
        }
    }
}

fn add_products(weight: f64, x: &[f64], y: &[f64], boxes: &mut [f64]) {
    for (row, up) in boxes.chunks_exact_mut(x.len()).zip(y) {
        row.iter_mut().zip(x).for_each(|(sum, across)| *sum += weight * up * across);
    }
}

fn add_correlated(gaussian: &Gaussian, weight: f64, x: &[f64], y: &[f64], boxes: &mut [f64]) {
    let Gaussian { mean, covariance } = gaussian;
    let sd = covariance.m22.sqrt();
    // Of x given y = mean + sd v: the mean moves by `slope` per v.
    let slope = covariance.m12 / sd;
    let narrow = (covariance.m11 - slope * slope).max(0.0).sqrt();
    let scale = (narrow / slope.abs()).min(1.0);
    let crossings = crossings(x, mean.x, slope, narrow);
    let columns = x.len() - 1;
    for (row, ends) in boxes.chunks_exact_mut(columns).zip(y.windows(2)) {
        let [low, high] = [ends[0], ends[1]].map(|cut| ((cut - mean.y) / sd).clamp(-REACH, REACH));
        let within_reach = low < high;
        if !within_reach {
            continue;
        }
        // Between two crossings all of x lies in one column.
        let between = |from: f64, to: f64, row: &mut [f64]| {
            let column = x.partition_point(|cut| *cut <= mean.x + slope * 0.5 * (from + to));
            if let Some(sum) = column.checked_sub(1).and_then(|column| row.get_mut(column)) {
                *sum += weight * normal_interval(from, to);
            }
        };
        let mut done = low;
        for [from, to] in crossings.iter().map(|ends| ends.map(|end| end.clamp(low, high))) {
            if from > done {
                between(done, from, row);
            }
            if to > from {
                for (v, share) in nodes(from, to, scale) {
                    let mass = weight * share * PEAK * libm::exp(-0.5 * v * v);
                    add_interval_of_row(mass, mean.x + slope * v, narrow, x, row);
                }
            }
            done = to.max(done);
        }
        if high > done {
            between(done, high, row);
        }
    }
}

/// Where x, given v, is within reach of a cut: intervals of v in ascending order that have no more than an end in
/// common. They are as short as x given v is narrow, down to single values of v where the distribution is a line to all
/// digits there are; so what there is to integrate over is never more than so many widths per cut, however narrow the
/// distribution is.
fn crossings(cuts: &[f64], mean: f64, slope: f64, narrow: f64) -> Vec<[f64; 2]> {
    let reach = REACH * narrow / slope.abs();
    if !reach.is_finite() {
        return vec![[-REACH, REACH]];
    }
    let crossing = |cut: &f64| {
        let middle = (cut - mean) / slope;
        [middle - reach, middle + reach].map(|end| end.clamp(-REACH, REACH))
    };
    let mut crossings: Vec<[f64; 2]> = cuts.iter().map(crossing).collect();
    if slope < 0.0 {
        crossings.reverse();
    }
    crossings.dedup_by(|next, last| {
        let joined = next[0] < last[1];
        if joined {
            last[1] = next[1];
        }
        joined
    });
    crossings
}

/// The nodes of a rule between two values of v, with weights that add up to their distance, for an integrand that
/// changes on the scale of `scale`.
fn nodes(from: f64, to: f64, scale: f64) -> impl Iterator<Item = (f64, f64)> {
    let intervals = ((to - from) / (INTERVAL * scale)).ceil().max(1.0);
    let length = (to - from) / intervals;
    let rule = if length <= SHORT * scale { TWO_POINTS } else { FOUR_POINTS };
    (0_u32..).map(f64::from).take_while(move |number| *number < intervals).flat_map(move |number| {
        rule.iter().map(move |(node, share)| (from + (number + 0.5 + 0.5 * node) * length, share * length))
    })
}

/// Adds `mass` times the probabilities of the intervals between `cuts` under N(mean, sd²).
fn add_interval_of_row(mass: f64, mean: f64, sd: f64, cuts: &[f64], row: &mut [f64]) {
    let (low, high) = (mean - REACH * sd, mean + REACH * sd);
    // The first interval that ends within reach.
    let first = cuts[1..].partition_point(|cut| *cut <= low).min(row.len());
    let below = |cut: f64| normal_cdf((cut - mean) / sd);
    let mut before = below(cuts[first]);
    for (sum, cut) in row[first..].iter_mut().zip(&cuts[first + 1..]) {
        let after = below(*cut);
        *sum += mass * (after - before);
        if *cut >= high {
            break;
        }
        before = after;
    }
}

#[cfg(test)]
mod tests {
    use approx::{assert_abs_diff_eq, assert_relative_eq};

    use super::*;
    use base::math::{Matrix, Point};

    fn boxes(distribution: &Distribution, x: &[f64], y: &[f64]) -> Vec<f64> {
        let mut boxes = vec![0.0; (x.len() - 1) * (y.len() - 1)];
        add_boxes(distribution, 1.0, x, y, &mut boxes);
        boxes
    }

    /// Orthant probabilities ¼ + arcsin(ρ)/2π (Sheppard 1899).
    #[test]
    fn orthants_of_correlated_gaussians() {
        let ends = [f64::NEG_INFINITY, 0.0, f64::INFINITY];
        for correlation in [-0.9999, -0.7, 1e-6, 0.2, 0.95, 0.999_999, 1.0 - 1e-14] {
            let (sx, sy) = (0.01, 300.0);
            let covariance = Matrix::new(sx * sx, correlation * sx * sy, correlation * sx * sy, sy * sy);
            let distribution = Distribution::gaussian(2, Point::zeros(), covariance);
            let exact = 0.25 + f64::asin(correlation) / std::f64::consts::TAU;
            let expected = [exact, 0.5 - exact, 0.5 - exact, exact];
            for (found, expected) in boxes(&distribution, &ends, &ends).into_iter().zip(expected) {
                assert_abs_diff_eq!(found, expected, epsilon = 1e-9);
            }
        }
    }

    /// On a lattice much wider than the distribution all of it is in one box, on one much finer it adds up to the wider
    /// one's.
    #[test]
    fn boxes_of_all_sizes_add_up() {
        let distribution = Distribution::gaussian(2, Point::new(0.31, -0.22), Matrix::new(0.04, 0.03, 0.03, 0.05));
        let cuts =
            |count: i32| (0..=count).map(|cut| -2.0 + 4.0 * f64::from(cut) / f64::from(count)).collect::<Vec<_>>();
        let (coarse, fine) = (boxes(&distribution, &cuts(4), &cuts(4)), boxes(&distribution, &cuts(120), &cuts(120)));
        for (index, whole) in coarse.iter().enumerate() {
            let (column, row) = (index % 4, index / 4);
            let rows = fine.chunks(120).skip(30 * row).take(30);
            let sum: f64 = rows.flat_map(|cells| &cells[30 * column..30 * (column + 1)]).sum();
            assert_abs_diff_eq!(sum, *whole, epsilon = 1e-8);
        }
        assert_relative_eq!(coarse.iter().sum::<f64>(), 1.0, epsilon = 1e-8);
        let point = Distribution::gaussian(2, Point::new(0.31, -0.22), Matrix::new(4e-10, 3e-10, 3e-10, 5e-10));
        let found = boxes(&point, &cuts(120), &cuts(120));
        assert_relative_eq!(found[53 * 120 + 69], 1.0, epsilon = 1e-9);
    }

    /// In the limit of no correlation both ways agree, whatever the size of the boxes.
    #[test]
    fn both_ways_agree() {
        let distribution = |xy: f64| Distribution::gaussian(2, Point::new(0.1, 0.2), Matrix::new(0.5, xy, xy, 0.8));
        let cuts: Vec<f64> = (0..=30).map(|cut| -4.0 + 0.27 * f64::from(cut)).collect();
        for (one, other) in
            boxes(&distribution(0.0), &cuts, &cuts).into_iter().zip(boxes(&distribution(1e-13), &cuts, &cuts))
        {
            assert_relative_eq!(one, other, max_relative = 1e-6, epsilon = 1e-15);
        }
    }

    /// However narrow a distribution is, down to where the width across it is lost to rounding: on a lattice it has all
    /// of its mass, and each column has that of x alone.
    #[test]
    fn the_narrowest_distributions_have_exact_boxes() {
        let cuts: Vec<f64> = (0..=128).map(|cut| -12.0 + 24.0 * f64::from(cut) / 128.0).collect();
        let correlated = |sx: f64, sy: f64, rho: f64| Matrix::new(sx * sx, rho * sx * sy, rho * sx * sy, sy * sy);
        // The width of the first, given y, rounds to nothing though its determinant is positive.
        let lost = Matrix::new(
            0.002_852_979_668_731_055_6,
            0.057_941_821_252_230_96,
            0.057_941_821_252_230_96,
            1.176_753_794_224_800_5,
        );
        assert!(lost.determinant() > 0.0);
        let mut distributions = vec![lost, Matrix::new(1.0, 1.0, 1.0, 1.0)];
        for (sx, sy) in [(1.0, 1.0), (1e-6, 1.0), (1.0, 1e-6)] {
            distributions.extend([0.5, 1.0 - 1e-9, 1.0 - 1e-14, -1.0 + 1e-14].map(|rho| correlated(sx, sy, rho)));
        }
        for covariance in distributions {
            let distribution = Distribution::gaussian(2, Point::new(0.0312, -0.0173), covariance);
            let found = boxes(&distribution, &cuts, &cuts);
            assert_relative_eq!(found.iter().sum::<f64>(), 1.0, epsilon = 1e-8);
            let sd = covariance.m11.sqrt();
            for (column, ends) in cuts.windows(2).enumerate() {
                let sum: f64 = found.chunks(128).map(|row| row[column]).sum();
                let expected = normal_interval((ends[0] - 0.0312) / sd, (ends[1] - 0.0312) / sd);
                assert_abs_diff_eq!(sum, expected, epsilon = 1e-8);
            }
        }
    }

    #[test]
    fn other_distributions_are_products() {
        let product = Distribution::NormalGamma { mean: 0.5, precision: 4.0, shape: 6.5, rate: 2.0 };
        let found = boxes(&product, &[0.0, 0.5, 1.5], &[-1.0, 1.5, 3.5]);
        // scipy 1.17: gamma(6.5).cdf at 3 and 7.
        let (low, between) = (0.053_847_040_700_216_85, 0.572_308_982_584_767_6);
        let (left, right) = (normal_cdf(1.0) - 0.5, normal_cdf(2.0) - 0.5);
        for (found, expected) in found.into_iter().zip([left * low, right * low, left * between, right * between]) {
            assert_relative_eq!(found, expected, max_relative = 1e-12);
        }
        let line = Distribution::gaussian(1, Point::new(1.0, 0.0), Matrix::new(4.0, 0.0, 0.0, 0.0));
        assert_relative_eq!(boxes(&line, &[-1.0, 1.0], &[-0.5, 0.5])[0], normal_cdf(1.0) - 0.5, max_relative = 1e-14);
    }
}
