//! Modes in which independent draws end, with which ends of cycles are compared.

use models::targets::Mode;

/// Modes expected among so many independent draws of the target: Σ 1 − (1 − w)ⁿ.
#[must_use]
pub fn independent_ends(modes: &[Mode], draws: f64) -> f64 {
    modes.iter().map(|mode| 1.0 - (1.0 - mode.weight).powf(draws)).sum()
}
