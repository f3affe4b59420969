//! The density in the plane of two coordinates where the others have no closed form: Laplace's method at every node of a grid.
//!
//! At a node the log density is as high as the other coordinates let it be, less ½ ln |H| of the Hessian in them (L. Tierney & J. Kadane,
//! J. Am. Stat. Assoc. 81, 1986). The grid lies in the standard deviations of the plane; between its nodes, cubic splines interpolate the
//! difference from a Gaussian. The sum over the nodes normalises it. With two coordinates nothing is left out.

use nalgebra::DMatrix;
use rayon::prelude::*;

use super::model::Posterior;
use crate::targets::kit::scaled::plane::Surface;
use crate::targets::painted::spline::{curvatures, slopes, values};
use base::math::elementary::{exp, ln};
use base::math::{Cholesky, Matrix, Point};

/// Nodes along an axis, and how far they reach in standard deviations.
const NODES: usize = 41;
const REACH: f64 = 8.0;

/// Distance of nodes.
const SPACING: f64 = 2.0 * REACH / (NODES - 1) as f64;

/// Steps in the other coordinates at most, and halvings of one.
const MOST_STEPS: usize = 30;
const MOST_HALVINGS: usize = 30;

/// Steps with one curvature, and the squared length of a step, in standard deviations, that is short enough.
const STEPS_OF_CURVATURE: usize = 4;
const REACHED: f64 = 1e-9;

/// The density.
#[derive(Debug)]
pub(super) struct LaplacePlane {
    centre: Point,
    /// From the plane to standard deviations.
    whitening: Matrix,
    /// Coefficients of splines, with one more on each side; by rows.
    coefficients: Vec<f64>,
    /// What is added so that it is normalised.
    constant: f64,
}

impl LaplacePlane {
    /// Of two coordinates of a posterior with this mode and covariance in the plane; `None` if that is none.
    pub(super) fn new(posterior: &Posterior, mode: &[f64], shown: [usize; 2], covariance: Matrix) -> Option<Self> {
        let others: Vec<usize> = (0..mode.len()).filter(|k| !shown.contains(k)).collect();
        let root = covariance.cholesky()?.l();
        let whitening = root.try_inverse()?;
        let centre = Point::new(mode[shown[0]], mode[shown[1]]);
        let lean = lean(posterior, mode, shown, &others)?;
        let node = |index: usize| {
            let [x, y] = [index % NODES, index / NODES].map(|number| SPACING * number as f64 - REACH);
            let gap = root * Point::new(x, y);
            let mut vector = mode.to_vec();
            (vector[shown[0]], vector[shown[1]]) = (centre.x + gap.x, centre.y + gap.y);
            for (row, k) in others.iter().enumerate() {
                vector[*k] += lean[(row, 0)] * gap.x + lean[(row, 1)] * gap.y;
            }
            profiled(posterior, vector, &others) + 0.5 * (x * x + y * y)
        };
        let logs: Vec<f64> = (0..NODES * NODES).into_par_iter().map(node).collect();
        // Where no number was found, and far below all others, it falls as the Gaussian does.
        let highest = logs.iter().copied().filter(|log| log.is_finite()).fold(f64::NEG_INFINITY, f64::max);
        let gaussian = |index: usize| {
            let [x, y] = [index % NODES, index / NODES].map(|number| SPACING * number as f64 - REACH);
            -0.5 * (x * x + y * y)
        };
        let base = logs[NODES / 2 * NODES + NODES / 2];
        let differences: Vec<f64> =
            logs.iter().map(|log| if log.is_finite() { (log - base).clamp(-1e4, 1e4) } else { -1e4 }).collect();
        let terms = differences.iter().enumerate().map(|(index, difference)| exp(difference + gaussian(index)));
        let sum: f64 = terms.sum();
        let area = SPACING * SPACING * root.m11 * root.m22;
        (highest.is_finite() && sum.is_finite() && sum > 0.0).then(|| Self {
            centre,
            whitening,
            coefficients: splines(&differences),
            constant: -ln(sum * area),
        })
    }
}

/// How the other coordinates move with those of the plane along the ridge of the posterior at its mode.
fn lean(posterior: &Posterior, mode: &[f64], shown: [usize; 2], others: &[usize]) -> Option<DMatrix<f64>> {
    let stiff = posterior.stiffness(mode);
    let mut lean = DMatrix::from_fn(others.len(), 2, |row, column| -stiff[(others[row], shown[column])]);
    if !others.is_empty() {
        let factor = Cholesky::new(&part(&stiff, others))?;
        lean.column_iter_mut().for_each(|mut column| factor.solve(column.as_mut_slice()));
    }
    Some(lean)
}

fn part(matrix: &DMatrix<f64>, of: &[usize]) -> DMatrix<f64> {
    DMatrix::from_fn(of.len(), of.len(), |row, column| matrix[(of[row], of[column])])
}

/// ln ∫ over the other coordinates by Laplace's method, from a vector near their highest point.
fn profiled(posterior: &Posterior, mut at: Vec<f64>, others: &[usize]) -> f64 {
    let mut here = posterior.log_density(&at);
    if others.is_empty() {
        return here;
    }
    let factor_at = |at: &[f64]| Cholesky::new(&part(&posterior.stiffness(at), others));
    let Some(mut factor) = factor_at(&at) else { return f64::NAN };
    for number in 1..=MOST_STEPS {
        let gradient = posterior.gradient(&at);
        let mut step: Vec<f64> = others.iter().map(|k| gradient[*k]).collect();
        // The curvature hardly changes on the way.
        if number % STEPS_OF_CURVATURE == 0 {
            let Some(newer) = factor_at(&at) else { return f64::NAN };
            factor = newer;
        }
        factor.solve(&mut step);
        let decrement: f64 = step.iter().zip(others).map(|(step, k)| step * gradient[*k]).sum();
        if decrement < REACHED {
            break;
        }
        let mut share = 1.0;
        let mut moved = false;
        for _ in 0..MOST_HALVINGS {
            let mut next = at.clone();
            others.iter().zip(&step).for_each(|(k, step)| next[*k] += share * step);
            let log = posterior.log_density(&next);
            if log > here {
                (at, here, moved) = (next, log, true);
                break;
            }
            share *= 0.5;
        }
        if !moved {
            break;
        }
    }
    let Some(factor) = factor_at(&at) else { return f64::NAN };
    here + 0.5 * others.len() as f64 * ln(std::f64::consts::TAU) - 0.5 * factor.log_determinant()
}

/// Numbers along a line with a spline's coefficients: natural ends, one coefficient more on each side.
fn spline(values: &[f64]) -> Vec<f64> {
    let count = values.len();
    let (mut factors, mut found) = (vec![0.0; count], values.to_vec());
    // cᵢ₋₁ + 4 cᵢ + cᵢ₊₁ = 6 fᵢ between ends at which c = f.
    for i in 1..count - 1 {
        let pivot = 4.0 - factors[i - 1];
        factors[i] = 1.0 / pivot;
        found[i] = (6.0 * values[i] - found[i - 1]) / pivot;
    }
    for i in (1..count - 1).rev() {
        found[i] -= factors[i] * found[i + 1];
    }
    let (first, last) = (2.0 * found[0] - found[1], 2.0 * found[count - 1] - found[count - 2]);
    std::iter::once(first).chain(found).chain(std::iter::once(last)).collect()
}

/// The same over a grid.
fn splines(values: &[f64]) -> Vec<f64> {
    let wide = NODES + 2;
    let rows: Vec<Vec<f64>> = values.chunks_exact(NODES).map(spline).collect();
    let mut all = vec![0.0; wide * wide];
    for column in 0..wide {
        let along: Vec<f64> = rows.iter().map(|row| row[column]).collect();
        spline(&along).into_iter().enumerate().for_each(|(row, value)| all[row * wide + column] = value);
    }
    all
}

/// The interval of nodes that a standard deviation is in, where it is in it, and whether it is beyond the grid.
fn place(u: f64) -> (usize, f64, bool) {
    let at = ((u + REACH) / SPACING).clamp(0.0, (NODES - 1) as f64);
    let first = whole(at).min(NODES - 2);
    (first, at - first as f64, u.abs() > REACH)
}

/// The whole number below a number from 0 on.
#[expect(clippy::cast_sign_loss, reason = "it is not negative")]
fn whole(x: f64) -> usize {
    x as usize
}

impl Surface for LaplacePlane {
    fn at(&self, at: Point) -> (f64, Point, Matrix) {
        let u = self.whitening * (at - self.centre);
        let ([column, row], [tx, ty], beyond) = {
            let ((column, tx, x_beyond), (row, ty, y_beyond)) = (place(u.x), place(u.y));
            ([column, row], [tx, ty], [x_beyond, y_beyond])
        };
        let bases = |t: f64, beyond: bool| {
            let flat = if beyond { 0.0 } else { 1.0 };
            let (values, slopes) = (values(&[t]), slopes(&[t]));
            let all = [values.map(|of| of[0]), slopes.map(|of| flat * of[0] / SPACING)];
            (all, curvatures(t).map(|bend| flat * bend / (SPACING * SPACING)))
        };
        let (([x, dx], ddx), ([y, dy], ddy)) = (bases(tx, beyond[0]), bases(ty, beyond[1]));
        let mut sums = [0.0; 6];
        for j in 0..4 {
            for i in 0..4 {
                let c = self.coefficients[(row + j) * (NODES + 2) + column + i];
                let terms = [x[i] * y[j], dx[i] * y[j], x[i] * dy[j], ddx[i] * y[j], dx[i] * dy[j], x[i] * ddy[j]];
                sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += c * term);
            }
        }
        let [value, sx, sy, sxx, sxy, syy] = sums;
        let gradient = self.whitening.transpose() * (Point::new(sx, sy) - u);
        let bend = Matrix::new(sxx - 1.0, sxy, sxy, syy - 1.0);
        let hessian = self.whitening.transpose() * bend * self.whitening;
        (value - 0.5 * u.norm_squared() + self.constant, gradient, hessian)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splines_go_through_their_nodes() {
        let numbers: Vec<f64> = (0..9).map(|n| f64::from(n * n % 7)).collect();
        let c = spline(&numbers);
        for (i, number) in numbers.iter().enumerate() {
            assert!(((c[i] + 4.0 * c[i + 1] + c[i + 2]) / 6.0 - number).abs() < 1e-12);
        }
    }
}
