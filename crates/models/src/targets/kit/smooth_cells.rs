//! Probabilities of cells under a smooth density that costs much, as a sum over thousands of data: it is looked at in some hundred places.
//!
//! The log density over all cells together is interpolated by polynomials in both coordinates at the zeros of Chebyshev's (Trefethen 2013,
//! "Approximation theory and approximation practice"). Where its coefficients have fallen below [`LEFT`] the interpolation has ten digits, and
//! its exponential is integrated over each cell by Gauss and Legendre's rule with five points each way.

use rayon::prelude::*;

use base::math::Point;
use base::math::Simd;
use base::math::elementary::{exp_slice, sin_cos_2pi};

/// Numbers of places each way that are tried.
const PLACES: [usize; 3] = [12, 24, 48];

/// The sum of the last coefficients at most.
const LEFT: f64 = 1e-9;

/// A cell is at most so many times as wide as the density along its sides: the rule has ten digits of it.
const WIDEST: f64 = 0.5;

/// A point of Gauss and Legendre's rule on [−1, 1] with its weight.
const GAUSS: [(f64, f64); 5] = [
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

/// The probability of every cell between these edges, by rows from the lower left, of a normalised log density whose widths along the axes,
/// with the other coordinate held, are `widths`; `None` if it is not smooth enough.
pub(in crate::targets) fn probabilities(
    log: &(dyn Fn(Point) -> f64 + Sync),
    widths: Point,
    x: &[f64],
    y: &[f64],
) -> Option<Vec<f64>> {
    let is_fine = |edges: &[f64], width: f64| edges.windows(2).all(|ends| ends[1] - ends[0] <= WIDEST * width);
    if !(is_fine(x, widths.x) && is_fine(y, widths.y)) {
        return None;
    }
    let ranges = [[*x.first()?, *x.last()?], [*y.first()?, *y.last()?]];
    let (places, coefficients) =
        PLACES.iter().find_map(|places| Some((*places, interpolated(log, ranges, *places)?)))?;
    let [along_x, along_y] = [(x, ranges[0]), (y, ranges[1])].map(|(edges, range)| at_points(edges, range, places));
    let rows: Vec<Vec<f64>> = along_y
        .par_chunks(GAUSS.len() * places)
        .zip(y.par_windows(2))
        .map(|(points, ends)| {
            let mut sums = vec![0.0; x.len() - 1];
            for (point, (_, weight)) in points.chunks_exact(places).zip(GAUSS) {
                // The polynomial in x at this y.
                let line: Vec<f64> = coefficients.chunks_exact(places).map(|row| dot(row, point)).collect();
                let mut logs: Vec<f64> = along_x.chunks_exact(places).map(|at| dot(at, &line)).collect();
                exp_slice(Simd::BASELINE, &mut logs);
                for ((sum, densities), ends) in sums.iter_mut().zip(logs.chunks_exact(GAUSS.len())).zip(x.windows(2)) {
                    let of_line: f64 = densities.iter().zip(GAUSS).map(|(density, (_, weight))| weight * density).sum();
                    *sum += weight * of_line * 0.25 * (ends[1] - ends[0]);
                }
            }
            sums.iter_mut().for_each(|sum| *sum *= ends[1] - ends[0]);
            sums
        })
        .collect();
    Some(rows.concat())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Coefficients of Chebyshev's polynomials, rows by degree in x; `None` if they do not fall.
fn interpolated(log: &(dyn Fn(Point) -> f64 + Sync), ranges: [[f64; 2]; 2], places: usize) -> Option<Vec<f64>> {
    // cos(π (k + ½)/n), and all cosines of multiples.
    let cosine = |multiple: usize| sin_cos_2pi((multiple % (4 * places)) as f64 / (4 * places) as f64).1;
    let at = |range: [f64; 2], place: usize| {
        0.5 * (range[0] + range[1]) + 0.5 * (range[1] - range[0]) * cosine(2 * place + 1)
    };
    let value = |index: usize| log(Point::new(at(ranges[0], index / places), at(ranges[1], index % places)));
    let values: Vec<f64> = (0..places * places).into_par_iter().map(value).collect();
    if !values.iter().all(|value| value.is_finite()) {
        return None;
    }
    let table: Vec<f64> = (0..places * places)
        .map(|index| {
            let (degree, place) = (index / places, index % places);
            cosine(degree * (2 * place + 1)) * if degree == 0 { 1.0 } else { 2.0 } / places as f64
        })
        .collect();
    // First along y, then along x.
    let along_y: Vec<f64> =
        values.chunks_exact(places).flat_map(|row| table.chunks_exact(places).map(move |of| dot(of, row))).collect();
    let mut coefficients = vec![0.0; places * places];
    for (degree, of) in table.chunks_exact(places).enumerate() {
        for (place, factor) in of.iter().enumerate() {
            let (to, from) = (degree * places, place * places);
            for column in 0..places {
                coefficients[to + column] += factor * along_y[from + column];
            }
        }
    }
    let last = |index: &usize| index / places >= places - places / 4 || index % places >= places - places / 4;
    let left: f64 = (0..places * places).filter(last).map(|index| coefficients[index].abs()).sum();
    (left <= LEFT).then_some(coefficients)
}

/// The polynomials at the points of the rule in every interval, one point after the other.
fn at_points(edges: &[f64], range: [f64; 2], places: usize) -> Vec<f64> {
    let mut all = Vec::with_capacity((edges.len() - 1) * GAUSS.len() * places);
    for ends in edges.windows(2) {
        for (node, _) in GAUSS {
            let x = 0.5 * (ends[0] + ends[1]) + 0.5 * (ends[1] - ends[0]) * node;
            let u = (2.0 * x - range[0] - range[1]) / (range[1] - range[0]);
            let (mut before, mut now) = (1.0, u);
            for _ in 0..places {
                all.push(before);
                (before, now) = (now, 2.0 * u * now - before);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::elementary::{exp, ln};
    use base::math::normal_interval;

    fn edges(from: f64, to: f64, cells: u32) -> Vec<f64> {
        (0..=cells).map(|cell| from + (to - from) * f64::from(cell) / f64::from(cells)).collect()
    }

    #[test]
    fn cells_of_two_normals_have_nine_digits() {
        let log = |at: Point| -0.5 * (at.x * at.x + 4.0 * at.y * at.y) + ln(2.0) - ln(std::f64::consts::TAU);
        let (x, y) = (edges(-5.0, 4.0, 60), edges(-2.0, 2.5, 40));
        let found = probabilities(&log, Point::new(1.0, 0.5), &x, &y).unwrap();
        for (row, ys) in y.windows(2).enumerate() {
            for (column, xs) in x.windows(2).enumerate() {
                let expected = normal_interval(xs[0], xs[1]) * normal_interval(2.0 * ys[0], 2.0 * ys[1]);
                let found = found[row * 60 + column];
                assert!((found / expected - 1.0).abs() < 1e-8, "{row} {column}: {found} {expected}");
            }
        }
    }

    #[test]
    fn what_is_not_smooth_or_too_narrow_is_left_to_others() {
        let (x, y) = (edges(-1.0, 1.0, 20), edges(-1.0, 1.0, 20));
        let kink = |at: Point| -at.x.abs() - at.y * at.y;
        assert!(probabilities(&kink, Point::repeat(1.0), &x, &y).is_none());
        let smooth = |at: Point| exp(-at.norm_squared());
        assert!(probabilities(&smooth, Point::repeat(1.0), &x, &y).is_some());
        assert!(probabilities(&smooth, Point::new(1.0, 0.01), &x, &y).is_none());
    }
}
