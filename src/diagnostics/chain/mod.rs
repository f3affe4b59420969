//! Diagnostics of chains (R̂, ESS, MCSE, mode switches …), one measure per file, and their registry.
//!
//! They use the order of the draws. They show whether chains mix, not whether the draws are right: the bias of SGLD
//! does not show, and four chains in one mode look perfect. Definitions are those of Vehtari, Gelman, Simpson,
//! Carpenter, Bürkner 2021 (arXiv:1903.08008) as ArviZ 0.23 computes them; deviations are noted in each file. A
//! [`Series`](super::Series) keeps the draws; measures and plots call pure functions on slices, one slice per chain.

mod acceptance;
mod autocovariance;
mod coupon_collector;
mod divergences;
mod ess;
mod ess_bulk;
mod ess_tail;
mod halves;
mod input;
mod mcse_mean;
mod mode_switches;
mod modes_per_cycle;
mod path;
mod ranks;
mod residence;
mod rhat;
mod running;
#[cfg(test)]
mod tests;
mod weight_ess;

pub use autocovariance::autocorrelation;
pub use ess::{ess_mean, ess_quantile, ess_sd};
pub use ess_bulk::ess_bulk;
pub use ess_tail::ess_tail;
pub use input::ChainInput;
pub use mcse_mean::{mcse_mean, mcse_mean_weighted, mcse_sd};
pub use ranks::rank_histogram;
pub use rhat::{rhat, split_rhat};
pub use running::{Running, running_mean};

use super::{Entry, Measure, MeasureSpec, Outcome, specs};
use crate::platform::pause;

/// The function that computes a measure.
type Value = fn(&ChainInput<'_>) -> Outcome;

/// The registry: one line for each measure, in the order in which they are shown and written.
const ENTRIES: &[Entry<Value>] = &[
    Entry { spec: rhat::SPEC, value: rhat::value },
    Entry { spec: ess_bulk::SPEC, value: ess_bulk::value },
    Entry { spec: ess_tail::SPEC, value: ess_tail::value },
    Entry { spec: mcse_mean::SPEC, value: mcse_mean::value },
    Entry { spec: weight_ess::SPEC, value: weight_ess::value },
    Entry { spec: mode_switches::SPEC, value: mode_switches::value },
    Entry { spec: residence::SPEC, value: residence::value },
    Entry { spec: modes_per_cycle::SPEC, value: modes_per_cycle::value },
    Entry { spec: coupon_collector::SPEC, value: coupon_collector::value },
    Entry { spec: acceptance::SPEC, value: acceptance::value },
    Entry { spec: divergences::SPEC, value: divergences::value },
];

/// The measures that are computed from the draws a [`Series`](super::Series) keeps; the others are of all draws.
pub const OF_SERIES: [&str; 5] = ["rhat", "ess_bulk", "ess_tail", "modes_per_cycle", "coupon_collector"];

/// The measures of chains, in the order in which they are shown and written.
pub static CHAIN_MEASURES: [MeasureSpec; ENTRIES.len()] = specs(ENTRIES);

/// Reason why a measure that assumes independent chains has no value.
pub const SHARED_BATCHES: &str = "the chains share their minibatches, so they are not independent";

/// Reason why a measure of chains of draws has no value.
pub const MEMBERS: &str = "members of an ensemble, no draws of chains";

/// Takes the values of measures that assume independent chains of draws away, for this reason: R-hat, ESS and MCSE.
pub fn without_independence(measures: &mut [Measure], reason: &'static str) {
    let keys = [rhat::SPEC.key, ess_bulk::SPEC.key, ess_tail::SPEC.key, mcse_mean::SPEC.key];
    for measure in measures.iter_mut().filter(|measure| keys.contains(&measure.key) && measure.value.is_some()) {
        *measure = Measure::new(measure.key, Err(reason));
    }
}

/// All measures of chains, in the order of [`CHAIN_MEASURES`], with pauses; they have no floors.
pub async fn measure_chains(input: &ChainInput<'_>) -> Vec<Measure> {
    let mut measures = Vec::with_capacity(ENTRIES.len());
    for entry in ENTRIES {
        measures.push(Measure::new(entry.spec.key, (entry.value)(input)));
        pause().await;
    }
    measures
}
