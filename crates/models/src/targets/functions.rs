//! Functions behind the vectors of a model: a network's f for every weight vector.

use base::math::{Coords, Simd};

/// Functions f(x; θ) with n₀ inputs and C outputs. θ is a vector of a [`Model`](super::Model).
///
/// Contract: the outputs for a vector depend on no other vector among the same [`Coords`] and not on the instruction set,
/// to the last bit.
pub trait Functions: Send + Sync {
    /// n₀, at least 1.
    fn inputs(&self) -> usize;

    /// C, at least 1.
    fn outputs(&self) -> usize;

    /// f at all of the given inputs for every vector in `at`: output `c` at input `i` for vector `s` of S goes to
    /// `out[(i · C + c) · S + s]`. `inputs` holds n₀ numbers per input, one after the other; `memory` is for
    /// intermediate results.
    fn evaluate(&self, simd: Simd, at: &Coords, inputs: &[f64], memory: &mut Vec<f64>, out: &mut [f64]);
}
