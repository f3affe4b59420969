//! Diagnostics, one file each: draws compared with the target, convergence of chains (R̂, ESS), fitted distributions (ELBO, KL),
//! and the size of the parts of a step (drift, gradient noise, injected noise).
//!
//! A target is prepared once as a [`Truth`]: cells with their exact probabilities, modes, moments. Draws go into
//! [`DrawCounts`], which keep the counts and sums that measures need and forget the draws. [`measure_truth`] compares the
//! two. A [`Floor`] is what as many exact draws score on average: below it no sampler can be distinguished from a perfect one.
//! Measures that count modes count draws; measures of shares, densities and moments use weights. Measures of [`chain`]s
//! (R̂, ESS) use a [`Series`], in which draws keep their order.
//!
//! `against_truth`, `chain`, `fit`, `dynamics` and `predictions` are registries with a measure per file; `quantities` measures coordinates with
//! names; `topics` has names of measures alone, `ksd`, `estimates` (errors of means with their signs) and `efficiency` (sample size for its
//! cost), both for sweeps, stand by themselves. [`all_measures`] has them all but for those of sweeps. `predictive_formulas` has the formulas
//! behind `predictions`,
//! `hmc_reference` a posterior of functions by a long HMC run. `refutation` finds draws that contradict a truth, `far_region` where a target
//! has next to no probability, `outskirts` counts draws outside of the view. `path`, `weight_line`, `filter_direction` and
//! `single_linkage` are lines, directions and clusters for plots, `distribution_cells` has the measures of a distribution that is known, `chips` says how much of a mass chips account for, `sources` has the papers.

mod against_truth;
mod cell_lookup;
pub mod chain;
pub mod chips;
mod distribution_cells;
mod draw_counts;
mod draw_statistics;
mod dynamics;
mod efficiency;
mod end_modes;
mod estimates;
mod exact_draws;
mod far_region;
pub mod filter_direction;
mod fit;
mod grids;
mod ground_truth;
mod histogram;
pub mod hmc_reference;
mod ksd;
mod marginal;
mod mode_map;
mod moment_sums;
mod noise_floor;
mod outskirts;
pub mod path;
pub mod predictions;
pub mod predictive_formulas;
mod prepared;
mod projections;
mod quadrature;
pub mod quantities;
mod refutation;
mod series;
pub mod single_linkage;
mod sources;
mod spectrum;
#[cfg(test)]
mod test_targets;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
#[cfg(test)]
mod tests;
pub mod topics;
mod totals;
mod visits;
pub mod weight_line;

pub use against_truth::{COVERED_DRAWS, TRUTH_MEASURES, UNKNOWN, has_meaning, measure_truth, measure_truth_by};
pub use chain::{CHAIN_MEASURES, ChainInput, measure_chains, without_independence};
pub use distribution_cells::{DistributionCells, measure_truth_of_cells};
pub use draw_counts::DrawCounts;
pub use draw_statistics::DrawStatistics;
pub use dynamics::{DYNAMICS, DynamicsInput, curvature, measure_dynamics};
pub use efficiency::{EFFICIENCY, measure_efficiency};
pub use end_modes::{END_MODES, measure_end_modes};
pub use estimates::{ESTIMATES, estimate_errors, is_estimate};
pub use exact_draws::exact_draws;
pub use fit::{Component, FIT_MEASURES, Fit, FitTruth, Overlap, measure_fit, measure_truth_of_fit, overlap};
pub use ground_truth::Truth;
pub use ksd::{MOST as MOST_IN_KSD, SPEC as KSD, ksd};
pub use noise_floor::{Falls, Floor, FloorValues, KnownFloor, NoiseFloor};
pub use outskirts::Outskirts;
pub use refutation::REFUTED;
pub use series::{MOST as MOST_IN_SERIES, Series};
pub use sources::source_of;
pub use totals::Totals;

/// The value of a measure, with what exact draws would give.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Its key in `summary.json`: `modes_covered`.
    pub key: &'static str,
    /// The value; `None` where the measure does not apply or there are too few draws.
    pub value: Option<f64>,
    /// What as many exact draws score: the noise floor.
    pub floor: Option<NoiseFloor>,
    /// Why there is no value, in a few words; of a value, why there is no floor, where floors were asked for; otherwise empty.
    pub reason: &'static str,
}

impl Measure {
    /// A measure from an outcome, without a floor.
    fn new(key: &'static str, outcome: Outcome) -> Self {
        let (value, reason) = match outcome {
            Ok(value) => (Some(value), ""),
            Err(reason) => (None, reason),
        };
        Self { key, value, floor: None, reason }
    }

    /// The same measure without a value, for this reason.
    #[must_use]
    pub fn without_value(&self, reason: &'static str) -> Self {
        Self::new(self.key, Err(reason))
    }
}

/// The description of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureSpec {
    /// Its key in `summary.json`.
    pub key: &'static str,
    /// Its name in the window.
    pub label: &'static str,
    /// Its definition and source, shown as a tooltip.
    pub help: &'static str,
    /// Which values are better.
    pub better: Better,
    /// Whether the exported sheet shows it; the sheet has space for a few measures only.
    pub headline: bool,
    /// Whether it compares with the truth, or tells of its modes: it is not shown while the truth is hidden.
    pub of_truth: bool,
}

/// Which values of a measure are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Larger ones, up to the floor.
    Higher,
    /// Smaller ones, down to the floor.
    Lower,
    /// Those near the floor from either side.
    NearFloor,
    /// None: the value is for information, not for comparison.
    Neither,
}

/// The measures of all registries that a readout, a table or a file can have, in the order in which they are written.
pub fn all_measures() -> impl Iterator<Item = &'static MeasureSpec> + Clone {
    let of_draws = TRUTH_MEASURES.iter().chain(FIT_MEASURES.iter()).chain(&CHAIN_MEASURES).chain([&KSD]);
    let of_models = quantities::QUANTITY_MEASURES.iter().chain(&predictions::PREDICTION_MEASURES);
    of_draws.chain(of_models).chain(&topics::TOPICS_MEASURES).chain(&DYNAMICS)
}

/// One line of a registry: a measure and the function that computes it, of type `F`.
#[derive(Clone, Copy, Debug)]
struct MeasureEntry<F> {
    spec: MeasureSpec,
    value: F,
}

/// The descriptions of the `N` ≥ 1 measures in a registry, in its order.
const fn specs<F, const N: usize>(entries: &[MeasureEntry<F>]) -> [MeasureSpec; N] {
    let mut specs = [entries[0].spec; N];
    let mut index = 0;
    while index < N {
        specs[index] = entries[index].spec;
        index += 1;
    }
    specs
}

/// A value, or the reason why there is none.
type Outcome = Result<f64, &'static str>;

/// Reason before the first draw.
const NO_DRAWS: &str = "no draws yet";

/// Reason if the target has no mean, or no variance, that quadrature finds.
const HEAVY_TAILS: &str = "the tails of the target are too heavy";

/// Reason if draws have run off towards infinity.
const TOO_FAR_OUT: &str = "draws too far out to compute";
