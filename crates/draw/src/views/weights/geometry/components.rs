//! Principal components (K. Pearson 1901), and classical scaling with them (W. S. Torgerson 1952, J. C. Gower 1966).
//!
//! Classical scaling of distances takes the eigenvectors of B = −½ C D² C, with C = I − 11ᵀ/n. Where D holds Euclidean distances of
//! vectors, B is the Gram matrix of the centred vectors, whose eigenvectors √λ v are their principal components. All distances here
//! are of that kind, those of functions too: they are differences of values at some inputs. So there is one computation, on the Gram
//! matrix or on the scatter matrix, whichever is smaller; both have the same eigenvalues above 0.

use base::math::symmetric_eigen;

use nalgebra::DMatrix;

/// Vectors in the plane in which they spread most.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Components {
    /// The two coordinates of each vector.
    pub points: Vec<[f64; 2]>,
    /// The shares of the variance along both coordinates, from 0 to 1.
    pub shares: [f64; 2],
}

/// The first two principal components of vectors of equal length. The coordinate that is largest in size is positive.
#[must_use]
pub fn principal_components(vectors: &[Vec<f64>]) -> Components {
    let (count, dimension) = (vectors.len(), vectors.first().map_or(0, Vec::len));
    let mean = |axis: usize| vectors.iter().map(|vector| vector[axis]).sum::<f64>() / count as f64;
    let means: Vec<f64> = (0..dimension).map(mean).collect();
    let centred: Vec<Vec<f64>> =
        vectors.iter().map(|vector| vector.iter().zip(&means).map(|(value, mean)| value - mean).collect()).collect();
    let total: f64 = centred.iter().flatten().map(|value| value * value).sum();
    let mut found = Components { points: vec![[0.0; 2]; count], shares: [0.0; 2] };
    let by_draws = count <= dimension;
    let matrix = if by_draws { gram(&centred) } else { gram(&transposed(&centred, dimension)) };
    let Some(eigen) = symmetric_eigen(&matrix).filter(|_| total > 0.0) else { return found };
    let size = matrix.nrows();
    for (axis, number) in (0..size).rev().take(2).enumerate() {
        let (value, vector) = (eigen.values[number].max(0.0), eigen.vectors.column(number));
        let along = |draw: usize| {
            if by_draws {
                value.sqrt() * vector[draw]
            } else {
                centred[draw].iter().zip(vector.iter()).map(|(value, v)| value * v).sum()
            }
        };
        let all: Vec<f64> = (0..count).map(along).collect();
        let largest = all
            .iter()
            .copied()
            .fold(0.0, |largest: f64, value| if value.abs() > largest.abs() { value } else { largest });
        let sign = if largest < 0.0 { -1.0 } else { 1.0 };
        found.points.iter_mut().zip(all).for_each(|(point, value)| point[axis] = sign * value);
        found.shares[axis] = (value / total).min(1.0);
    }
    found
}

/// The products of all vectors with each other.
fn gram(vectors: &[Vec<f64>]) -> DMatrix<f64> {
    let mut products = DMatrix::zeros(vectors.len(), vectors.len());
    for (row, a) in vectors.iter().enumerate() {
        for (column, b) in vectors[..=row].iter().enumerate() {
            let product = a.iter().zip(b).map(|(a, b)| a * b).sum();
            (products[(row, column)], products[(column, row)]) = (product, product);
        }
    }
    products
}

/// The coordinates of all vectors, one after the other.
fn transposed(vectors: &[Vec<f64>], dimension: usize) -> Vec<Vec<f64>> {
    (0..dimension).map(|axis| vectors.iter().map(|vector| vector[axis]).collect()).collect()
}
