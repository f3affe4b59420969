//! Slopes of a measure on logarithmic axes: ln m = c + b₁ ln x₁ (+ b₂ ln x₂ + b₃ ln x₃), by least squares over the cells.
//!
//! A rate m ∝ x^b is a line of slope b. The standard errors are the usual ones of a regression, from the residuals with n − p degrees of
//! freedom (Seber and Lee 2003, chapter 3); they say how well the cells lie on one line, not whether a line is right.

/// What rounding leaves of a determinant of 0, as a share of the product of the diagonal.
const ROUNDING: f64 = 1e-12;

/// Slopes with their standard errors.
#[derive(Clone, Debug, PartialEq)]
pub struct Slopes {
    /// Number of cells; those without a positive value are left out.
    pub cells: usize,
    /// The value of ln m where every ln x is 0.
    pub intercept: f64,
    /// For each axis its slope and the standard error.
    pub slopes: Vec<(f64, f64)>,
}

/// The slopes of a measure over cells with one to three coordinates; `None` if fewer than two cells more than coordinates have positive
/// coordinates and a positive value, or the cells do not determine the slopes.
#[must_use]
pub fn fit_slopes(cells: &[(Vec<f64>, f64)]) -> Option<Slopes> {
    let axes = cells.first()?.0.len();
    let usable = |number: &f64| *number > 0.0 && number.is_finite();
    let rows: Vec<(Vec<f64>, f64)> = cells
        .iter()
        .filter(|(at, value)| at.iter().all(usable) && usable(value))
        .map(|(at, value)| (at.iter().map(|x| libm::log(*x)).collect(), libm::log(*value)))
        .collect();
    let count = rows.len();
    if count < axes + 2 {
        return None;
    }
    let mean = |sum: f64| sum / count as f64;
    let means: Vec<f64> = (0..axes).map(|axis| mean(rows.iter().map(|row| row.0[axis]).sum())).collect();
    let level = mean(rows.iter().map(|row| row.1).sum());
    let product = |one: usize, other: usize| -> f64 {
        rows.iter().map(|(x, _)| (x[one] - means[one]) * (x[other] - means[other])).sum()
    };
    let with_value = |axis: usize| -> f64 { rows.iter().map(|(x, y)| (x[axis] - means[axis]) * (y - level)).sum() };
    let inverse = inverse_of(axes, product)?;
    let right: Vec<f64> = (0..axes).map(with_value).collect();
    let slopes: Vec<f64> =
        (0..axes).map(|axis| (0..axes).map(|other| inverse[axis][other] * right[other]).sum()).collect();
    let intercept = level - slopes.iter().zip(&means).map(|(slope, mean)| slope * mean).sum::<f64>();
    let residual = |(x, y): &(Vec<f64>, f64)| {
        let residual = y - intercept - slopes.iter().zip(x).map(|(slope, x)| slope * x).sum::<f64>();
        residual * residual
    };
    let variance = rows.iter().map(residual).sum::<f64>() / (count - axes - 1) as f64;
    let error = |axis: usize| (variance * inverse[axis][axis]).sqrt();
    Some(Slopes {
        cells: count,
        intercept,
        slopes: slopes.iter().enumerate().map(|(axis, b)| (*b, error(axis))).collect(),
    })
}

/// The inverse of a symmetric matrix of one to three rows; `None` if it has none.
fn inverse_of(axes: usize, entry: impl Fn(usize, usize) -> f64) -> Option<[[f64; 3]; 3]> {
    let (a, b, c) = match axes {
        1 => (entry(0, 0), 0.0, 1.0),
        2 => (entry(0, 0), entry(0, 1), entry(1, 1)),
        3 => return inverse_of_three(entry),
        _ => return None,
    };
    let determinant = a * c - b * b;
    let rows = || [[c / determinant, -b / determinant, 0.0], [-b / determinant, a / determinant, 0.0], [0.0; 3]];
    (determinant > ROUNDING * a * c).then(rows)
}

/// The same of three rows, by cofactors.
fn inverse_of_three(entry: impl Fn(usize, usize) -> f64) -> Option<[[f64; 3]; 3]> {
    let cofactor = |row: usize, column: usize| {
        let [up, down] = [(row + 1) % 3, (row + 2) % 3];
        let [left, right] = [(column + 1) % 3, (column + 2) % 3];
        entry(up, left) * entry(down, right) - entry(up, right) * entry(down, left)
    };
    let determinant: f64 = (0..3).map(|column| entry(0, column) * cofactor(0, column)).sum();
    let size = entry(0, 0) * entry(1, 1) * entry(2, 2);
    let inverse = std::array::from_fn(|row| std::array::from_fn(|column| cofactor(column, row) / determinant));
    (determinant > ROUNDING * size).then_some(inverse)
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn exact_rates_have_exact_slopes() {
        let cells: Vec<(Vec<f64>, f64)> = (1..6)
            .flat_map(|one| {
                (1..5).map(move |other| (vec![f64::from(one), f64::from(other)], (f64::from(one), f64::from(other))))
            })
            .map(|(at, (one, other))| (at, 3.0 * one * one / other))
            .collect();
        let found = fit_slopes(&cells).unwrap();
        assert_relative_eq!(found.slopes[0].0, 2.0, epsilon = 1e-12);
        assert_relative_eq!(found.slopes[1].0, -1.0, epsilon = 1e-12);
        assert_relative_eq!(found.intercept, 3.0_f64.ln(), epsilon = 1e-12);
        assert!(found.slopes.iter().all(|(_, error)| *error < 1e-12));
    }

    /// ln m = 0, 1, 3, 2 at ln x = 0, 1, 2, 3: slope 0.8, residuals −0.3, −0.1, 1.1, −0.7, and √(1.8/2/5) for the error.
    #[test]
    fn the_standard_error_is_that_of_the_residuals() {
        let cells: Vec<(Vec<f64>, f64)> =
            [0.0, 1.0, 3.0, 2.0].iter().zip(0..4).map(|(y, x)| (vec![f64::from(x).exp()], f64::exp(*y))).collect();
        let found = fit_slopes(&cells).unwrap();
        assert_relative_eq!(found.slopes[0].0, 0.8, epsilon = 1e-12);
        assert_relative_eq!(found.slopes[0].1, (1.8_f64 / 2.0 / 5.0).sqrt(), epsilon = 1e-12);
    }

    #[test]
    fn three_axes_have_three_slopes() {
        let numbers = || (1..4).map(f64::from);
        let grid = numbers().flat_map(|x| numbers().flat_map(move |y| numbers().map(move |z| [x, y, z])));
        let cells: Vec<(Vec<f64>, f64)> =
            grid.map(|[x, y, z]| (vec![x, y, z], 2.0 * x * y.powi(-2) * z.sqrt())).collect();
        let found = fit_slopes(&cells).unwrap();
        for (slope, expected) in found.slopes.iter().zip([1.0, -2.0, 0.5]) {
            assert_relative_eq!(slope.0, expected, epsilon = 1e-12);
        }
        // The third axis follows the second.
        let cells: Vec<_> = cells.into_iter().map(|(at, value)| (vec![at[0], at[1], 2.0 * at[1]], value)).collect();
        assert_eq!(fit_slopes(&cells), None);
    }

    #[test]
    fn what_determines_no_slope_has_none() {
        let at = |x: f64, value: f64| (vec![x], value);
        assert_eq!(fit_slopes(&[]), None);
        assert_eq!(fit_slopes(&[at(1.0, 1.0), at(2.0, 2.0)]), None);
        assert_eq!(fit_slopes(&[at(2.0, 1.0), at(2.0, 2.0), at(2.0, 4.0)]), None);
        let found = fit_slopes(&[at(1.0, 1.0), at(2.0, 2.0), at(4.0, 4.0), at(8.0, 0.0), at(16.0, f64::NAN)]).unwrap();
        assert_eq!(found.cells, 3);
    }
}
