//! Diagnostics of chains (R̂, ESS, MCSE, mode switches …), one measure per file, and their registry.
//!
//! They use the order of the draws. They show whether chains mix, not whether the draws are right: the bias of SGLD
//! does not show, and four chains in one mode look perfect. Definitions are those of Vehtari, Gelman, Simpson,
//! Carpenter, Bürkner 2021 (arXiv:1903.08008) as ArviZ 0.23 computes them; deviations are noted in each file. A
//! [`Series`](super::Series) keeps the draws; measures and plots call pure functions on slices, one slice per chain.

mod acceptance;
mod autocovariance;
mod chains_left;
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
pub use rhat::{CONVERGED, asked_below, rhat, split_rhat};
pub use running::{Running, running_mean};

use super::{Measure, MeasureEntry, MeasureSpec, NO_DRAWS, Outcome, specs};
use base::platform::pause;

/// How a measure is computed.
#[derive(Clone, Copy, Debug)]
enum ChainMeasure {
    /// At once.
    Whole(fn(&ChainInput<'_>) -> Outcome),
    /// From each coordinate, the draws of all chains; the measure is the worst of them.
    Worst {
        of: fn(&[&[f64]]) -> Outcome,
        /// The worse of two values.
        worse: fn(f64, f64) -> f64,
    },
}

use ChainMeasure::{Whole, Worst};

/// The registry: one line for each measure, in the order in which they are shown and written.
const ENTRIES: &[MeasureEntry<ChainMeasure>] = &[
    MeasureEntry { spec: rhat::SPEC, value: Worst { of: rhat, worse: f64::max } },
    MeasureEntry { spec: ess_bulk::SPEC, value: Worst { of: ess_bulk_told, worse: f64::min } },
    MeasureEntry { spec: ess_tail::SPEC, value: Worst { of: ess_tail_told, worse: f64::min } },
    MeasureEntry { spec: mcse_mean::SPEC, value: Whole(mcse_mean::value) },
    MeasureEntry { spec: weight_ess::SPEC, value: Whole(weight_ess::value) },
    MeasureEntry { spec: mode_switches::SPEC, value: Whole(mode_switches::value) },
    MeasureEntry { spec: residence::SPEC, value: Whole(residence::value) },
    MeasureEntry { spec: modes_per_cycle::SPEC, value: Whole(modes_per_cycle::value) },
    MeasureEntry { spec: coupon_collector::SPEC, value: Whole(coupon_collector::value) },
    MeasureEntry { spec: acceptance::SPEC, value: Whole(acceptance::value) },
    MeasureEntry { spec: divergences::SPEC, value: Whole(divergences::value) },
    MeasureEntry { spec: chains_left::SPEC, value: Whole(chains_left::value) },
];

/// Draws below which no effective sample size is told, of each chain and of all together: that of fewer is often the upper limit of its estimate,
/// which says nothing. Many chains make up for short ones.
const FEWEST_TOLD: usize = 20;
const FEWEST_OF_ALL: usize = 1000;

/// The reason then.
const TOO_FEW_TO_TELL: &str = "needs at least 20 draws per chain, or 1000 in all: the estimate from fewer says nothing";

/// [`ess_bulk`], if there are enough draws to tell it.
///
/// # Errors
/// With too few draws, or the reason why there is none.
pub fn ess_bulk_told(chains: &[&[f64]]) -> Outcome {
    of_enough(chains, ess_bulk)
}

/// [`ess_tail`], if there are enough draws to tell it.
///
/// # Errors
/// With too few draws, or the reason why there is none.
pub fn ess_tail_told(chains: &[&[f64]]) -> Outcome {
    of_enough(chains, ess_tail)
}

fn of_enough(chains: &[&[f64]], of: fn(&[&[f64]]) -> Outcome) -> Outcome {
    let fewest = chains.iter().map(|chain| chain.len()).min().unwrap_or(0);
    let few = fewest < FEWEST_TOLD && fewest * chains.len() < FEWEST_OF_ALL;
    of(chains).and_then(|size| if few { Err(TOO_FEW_TO_TELL) } else { Ok(size) })
}

/// The measures that are computed from the draws a [`Series`](super::Series) keeps; the others are of all draws.
pub const OF_SERIES: [&str; 5] = ["rhat", "ess_bulk", "ess_tail", "modes_per_cycle", "coupon_collector"];

/// The measures of chains, in the order in which they are shown and written.
pub static CHAIN_MEASURES: [MeasureSpec; ENTRIES.len()] = specs(ENTRIES);

/// Reason why a measure that assumes independent chains has no value.
pub const SHARED_BATCHES: &str = "the chains share their minibatches, so they are not independent";

/// Reason why a measure that assumes independent chains has no value for particles.
pub const PARTICLES: &str = "particles depend on each other, they are no independent chains";

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
        let outcome = match entry.value {
            Whole(value) => value(input),
            Worst { of, worse } => worst_coordinate(input, of, worse).await,
        };
        measures.push(Measure::new(entry.spec.key, outcome));
        pause().await;
    }
    measures
}

/// The worst value over several numbers of chains.
pub(super) fn worst(
    numbers: &[Vec<Vec<f64>>],
    measure: fn(&[&[f64]]) -> Outcome,
    worse: fn(f64, f64) -> f64,
) -> Outcome {
    let mut worst = Err(NO_DRAWS);
    for chains in numbers {
        let slices: Vec<&[f64]> = chains.iter().map(Vec::as_slice).collect();
        let value = measure(&slices)?;
        worst = Ok(worst.map_or(value, |so_far| worse(so_far, value)));
    }
    worst
}

/// The worst value over the coordinates, with pauses.
async fn worst_coordinate(input: &ChainInput<'_>, of: fn(&[&[f64]]) -> Outcome, worse: fn(f64, f64) -> f64) -> Outcome {
    let mut worst = Err(NO_DRAWS);
    for chains in input.coordinates()? {
        let value = of(&chains)?;
        worst = Ok(worst.map_or(value, |so_far| worse(so_far, value)));
        pause().await;
    }
    worst
}
