//! Running mean and covariance of the positions of a chain, and the Cholesky factor of a covariance: what methods learn from
//! their own past.
//!
//! Sums are those of Welford (1962), Technometrics 4:419: with every draw n ← n + 1, δ = θ − m, m ← m + δ/n,
//! S ← S + (1 − 1/n) δ δᵀ, and the covariance is S/(n − 1). Of a symmetric matrix the lower triangle is kept, row by row. All
//! of it is made of + − × ÷ √ in one order.

/// Numbers in the lower triangle of a matrix with `dimension` rows.
pub(crate) fn triangle(dimension: usize) -> usize {
    dimension * (dimension + 1) / 2
}

/// The index of entry (`row`, `column` ≤ `row`) in a lower triangle.
pub(crate) fn entry(row: usize, column: usize) -> usize {
    triangle(row) + column
}

/// Adds draw number `count` ≥ 1 to the mean and to the sums S: of all pairs of coordinates if they are a lower triangle, of
/// squares if there is one per coordinate. `difference` is memory for a vector.
pub(crate) fn add(position: &[f64], count: f64, mean: &mut [f64], sums: &mut [f64], difference: &mut Vec<f64>) {
    difference.clear();
    difference.extend(position.iter().zip(&*mean).map(|(position, mean)| position - mean));
    for (mean, difference) in mean.iter_mut().zip(&*difference) {
        *mean += difference / count;
    }
    let weight = 1.0 - 1.0 / count;
    if sums.len() == position.len() {
        for (sum, difference) in sums.iter_mut().zip(&*difference) {
            *sum += weight * (difference * difference);
        }
        return;
    }
    for (row, one) in difference.iter().enumerate() {
        let sums = &mut sums[triangle(row)..=entry(row, row)];
        for (sum, other) in sums.iter_mut().zip(&*difference) {
            *sum += weight * (one * other);
        }
    }
}

/// Replaces the lower triangle of a matrix by that of its Cholesky factor L, L Lᵀ = the matrix. Returns whether the matrix
/// is positive definite; if it is not, what the triangle holds is without meaning.
pub(crate) fn factorise(lower: &mut [f64], dimension: usize) -> bool {
    for row in 0..dimension {
        for column in 0..=row {
            let mut rest = lower[entry(row, column)];
            for before in 0..column {
                rest -= lower[entry(row, before)] * lower[entry(column, before)];
            }
            if row == column {
                if !(rest > 0.0 && rest.is_finite()) {
                    return false;
                }
                lower[entry(row, row)] = rest.sqrt();
            } else {
                lower[entry(row, column)] = rest / lower[entry(column, column)];
            }
        }
    }
    true
}

/// L v.
pub(crate) fn times(lower: &[f64], v: &[f64], out: &mut [f64]) {
    for (row, out) in out.iter_mut().enumerate() {
        let factors = &lower[triangle(row)..=entry(row, row)];
        *out = factors.iter().zip(v).map(|(factor, v)| factor * v).sum();
    }
}

/// Lᵀ v.
pub(crate) fn times_transposed(lower: &[f64], v: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    for (row, v) in v.iter().enumerate() {
        let factors = &lower[triangle(row)..=entry(row, row)];
        for (out, factor) in out.iter_mut().zip(factors) {
            *out += factor * v;
        }
    }
}

/// L⁻¹ v, in the place of v.
pub(crate) fn solve(lower: &[f64], v: &mut [f64]) {
    for row in 0..v.len() {
        let factors = &lower[triangle(row)..=entry(row, row)];
        let known: f64 = factors.iter().zip(&v[..row]).map(|(factor, v)| factor * v).sum();
        v[row] = (v[row] - known) / factors[row];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: [[f64; 3]; 5] =
        [[1.0, 2.0, -1.0], [0.5, -1.0, 0.25], [2.0, 0.0, 4.0], [-3.0, 1.5, 0.5], [0.0, 2.5, -2.0]];

    /// Against the two-pass formulas.
    #[test]
    fn sums_give_mean_and_covariance() {
        let (mut mean, mut sums, mut squares) = ([0.0; 3], [0.0; 6], [0.0; 3]);
        let (mut other, mut memory) = ([0.0; 3], Vec::new());
        for (number, draw) in DRAWS.iter().enumerate() {
            add(draw, number as f64 + 1.0, &mut mean, &mut sums, &mut memory);
            add(draw, number as f64 + 1.0, &mut other, &mut squares, &mut memory);
        }
        for row in 0..3 {
            let average = |axis: usize| DRAWS.iter().map(|draw| draw[axis]).sum::<f64>() / 5.0;
            assert!((mean[row] - average(row)).abs() < 1e-14 && (other[row] - average(row)).abs() < 1e-14);
            for column in 0..=row {
                let product = |draw: &[f64; 3]| (draw[row] - average(row)) * (draw[column] - average(column));
                let expected: f64 = DRAWS.iter().map(product).sum();
                assert!((sums[entry(row, column)] - expected).abs() < 1e-13);
                assert!(row != column || (squares[row] - expected).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn a_factor_gives_back_its_matrix_and_solves() {
        let matrix = [4.0, 2.0, 5.0, -1.0, 0.5, 3.0];
        let mut lower = matrix;
        assert!(factorise(&mut lower, 3));
        for row in 0..3 {
            for column in 0..=row {
                let product: f64 = (0..=column).map(|k| lower[entry(row, k)] * lower[entry(column, k)]).sum();
                assert!((product - matrix[entry(row, column)]).abs() < 1e-14);
            }
        }
        let v = [1.0, -2.0, 0.5];
        let (mut along, mut back) = ([0.0; 3], [0.0; 3]);
        times(&lower, &v, &mut along);
        times_transposed(&lower, &v, &mut back);
        // w · (L v) = (Lᵀ w) · v.
        let dot = |a: &[f64; 3], b: &[f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        assert!((dot(&v, &along) - dot(&back, &v)).abs() < 1e-14);
        solve(&lower, &mut along);
        assert!(along.iter().zip(v).all(|(found, expected)| (found - expected).abs() < 1e-14));
        assert!(!factorise(&mut [1.0, 2.0, 1.0], 2) && !factorise(&mut [f64::NAN], 1));
    }
}
