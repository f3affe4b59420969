//! What stands for the Hessian of −log p in a Laplace approximation, by name, and why it may be missing.

use thiserror::Error;

/// Largest number of rows of a matrix: one of this size takes 32 MB, and its factor some seconds.
pub const MOST_DENSE: usize = 2000;

/// A matrix P that stands for the Hessian of −log p, the precision of a Laplace approximation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curvature {
    /// The Hessian −∇² log p; of a network exact with up to one hidden layer, otherwise by central differences.
    Full,
    /// The generalised Gauss–Newton matrix of a network.
    Ggn,
    /// The diagonal of the Hessian.
    Diagonal,
    /// The diagonal of the generalised Gauss–Newton matrix.
    DiagonalGgn,
    /// The diagonal of the empirical Fisher matrix, Σ gᵢ² with the gradients gᵢ of single data, plus the prior's precision.
    Fisher,
    /// Kronecker factors per layer, with the prior added exactly (J. Martens & R. Grosse 2015, arXiv:1503.05671).
    Kfac,
    /// Kronecker factors per layer, with the prior added to both factors (H. Ritter, A. Botev & D. Barber 2018).
    KfacDamped,
    /// The generalised Gauss–Newton matrix of the last layer alone; all other weights are fixed.
    LastLayer,
}

impl Curvature {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Full,
        Self::Ggn,
        Self::Diagonal,
        Self::DiagonalGgn,
        Self::Fisher,
        Self::Kfac,
        Self::KfacDamped,
        Self::LastLayer,
    ];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Ggn => "ggn",
            Self::Diagonal => "diagonal",
            Self::DiagonalGgn => "diagonal-ggn",
            Self::Fisher => "fisher",
            Self::Kfac => "kfac",
            Self::KfacDamped => "kfac-damped",
            Self::LastLayer => "last-layer",
        }
    }
}

/// A number of eigenvalues that are not positive, in words.
fn not_positive(count: usize) -> String {
    match count {
        1 => "1 eigenvalue that is not positive".to_owned(),
        count => format!("{count} eigenvalues that are not positive"),
    }
}

/// Why there is no precision matrix.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CurvatureError {
    /// The matrix is indefinite: the point is not a maximum.
    #[error("the curvature \"{curvature}\" has {}; this is not a maximum", not_positive(*negative))]
    Indefinite {
        /// Its name.
        curvature: &'static str,
        /// How many of its eigenvalues are 0 or below; one if they cannot be told from 0.
        negative: usize,
    },
    /// The matrix would have too many rows.
    #[error(
        "the curvature \"{curvature}\" of {weights} weights is too large a matrix; at most {MOST_DENSE} are possible"
    )]
    TooLarge {
        /// Its name.
        curvature: &'static str,
        /// The number of weights.
        weights: usize,
    },
    /// An entry is not a finite number.
    #[error("the curvature \"{0}\" is not finite here")]
    NotFinite(&'static str),
    /// The density does not offer it.
    #[error("this target has no curvature \"{0}\"")]
    Absent(&'static str),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_are_counted_in_words() {
        let of = |negative| CurvatureError::Indefinite { curvature: "full", negative }.to_string();
        assert_eq!(of(1), "the curvature \"full\" has 1 eigenvalue that is not positive; this is not a maximum");
        assert!(of(3).contains("3 eigenvalues that are not positive"));
    }
}
