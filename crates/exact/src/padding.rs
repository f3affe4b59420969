//! How far a grid is padded for a blur, and numbers of nodes from real numbers.

use base::math::elementary::{rounded, whole_bits};

use crate::Refusal;

/// Padding in units of s: a normal is 10⁻¹⁸ beyond it.
const REACH: f64 = 9.0;

/// Nodes of padding at least: the cardinal spline falls by a factor 0.43 per node.
const LEAST: usize = 16;

/// Nodes of padding at most, for each node of the grid.
const MOST: f64 = 8.0;

/// Nodes of padding on each side of `nodes` for a blur of `blur` spacings.
///
/// # Errors
/// If the blur is wider than the box.
pub(crate) fn padding(blur: f64, nodes: usize) -> Result<usize, Refusal> {
    let padding = (REACH * blur).ceil();
    if padding <= MOST * nodes as f64 {
        Ok(whole(padding).max(LEAST))
    } else {
        Err(Refusal::Unsuited("the noise of a step is wider than the box"))
    }
}

/// A whole number at most 1 below `x`, and not above it: of whole numbers the one before may come. Faster than the largest of them.
#[inline(always)]
pub(crate) fn below(x: f64) -> f64 {
    rounded(x - 0.5)
}

/// A whole number from 0 to 2³² − 1.
#[inline(always)]
pub(crate) fn whole(x: f64) -> usize {
    whole_bits(x) as usize
}
