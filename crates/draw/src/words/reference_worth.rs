//! What an HMC reference is worth, in words.

use super::numbers;
use engine::diagnostics::hmc_reference::Reference;

/// Chains with their draws, and R̂ of f.
pub(crate) fn worth(reference: &Reference) -> [String; 2] {
    let draws = numbers::count(reference.draws);
    let of = if reference.complete() { String::new() } else { format!(" of {}", numbers::count(reference.planned)) };
    let mixed = reference.rhat.map_or_else(str::to_owned, |rhat| format!("R-hat of f {}", numbers::decimal(rhat, 3)));
    [format!("{} × {draws}{of} draws", reference.chains), mixed]
}
