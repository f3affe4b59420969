//! `residence`: mean number of consecutive draws that a chain spends in a mode.
//!
//! The mean number of consecutive draws of a chain with the same nearest mode: draws divided by visits, the first and the
//! last visit of a chain counted as they are, though cut off. In collected draws: each draw of a thinned series stands
//! for as many as were collected for it, so that stays shorter than that are not seen.

use super::super::{Better, MeasureSpec, Outcome};
use super::input::ChainInput;
use super::path;

pub(super) const SPEC: MeasureSpec = MeasureSpec {
    key: "residence",
    label: "Residence",
    help: "Mean number of consecutive draws of a chain in one mode: collected draws divided by visits. At most the \
           number of draws of a chain, if it never leaves its mode. Long series are thinned, and visits between two kept draws \
           are not seen. Short visits do not mean that chains are where the mass is.",
    better: Better::Lower,
    headline: false,
};

pub(super) fn value(input: &ChainInput<'_>) -> Outcome {
    let modes = path::modes(input)?;
    let chains = modes.iter().filter(|chain| !chain.is_empty()).count();
    Ok(input.collected as f64 / (chains + path::switches(&modes)) as f64)
}
