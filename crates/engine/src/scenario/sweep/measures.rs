//! Measures that a sweep can have: every number that a run has at its end, in groups.
//!
//! Measures against a long HMC run are left out, since a sweep computes none; so is the number of chains that have left, which every cell
//! has anyway. Which of the others a run has depends on its target and its method: the reason stands in the place of a value.

use crate::diagnostics::predictions::{AGAINST_REFERENCE, PREDICTION_MEASURES};
use crate::diagnostics::quantities::QUANTITY_MEASURES;
use crate::diagnostics::topics::TOPICS_MEASURES;
use crate::diagnostics::{
    CHAIN_MEASURES, DYNAMICS, EFFICIENCY, END_MODES, ESTIMATES, FIT_MEASURES, KSD, MeasureSpec, TRUTH_MEASURES,
};

/// A group of measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureGroup {
    /// Draws or a fit against the truth.
    Truth,
    /// Errors of means, with their signs.
    Errors,
    /// Convergence and independence of chains.
    Chains,
    /// Modes at the ends of cycles.
    Cycles,
    /// Sample size for what it costs.
    Efficiency,
    /// The fitted distribution.
    Fit,
    /// Coefficients and other quantities with names.
    Quantities,
    /// Predictions of functions.
    Predictions,
    /// Topics.
    Topics,
    /// The newest step.
    NewestStep,
}

/// The number of chains that have left, which every cell has.
const CHAINS_LEFT: &str = "chains_left";

impl MeasureGroup {
    /// All groups, in the order in which they are offered.
    pub const ALL: [Self; 10] = [
        Self::Truth,
        Self::Errors,
        Self::Chains,
        Self::Cycles,
        Self::Efficiency,
        Self::Fit,
        Self::Quantities,
        Self::Predictions,
        Self::Topics,
        Self::NewestStep,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Truth => "Against the truth",
            Self::Errors => "Errors of means",
            Self::Chains => "Chains",
            Self::Cycles => "Ends of cycles",
            Self::Efficiency => "Efficiency",
            Self::Fit => "Fit",
            Self::Quantities => "All named quantities",
            Self::Predictions => "Predictions",
            Self::Topics => "Topics",
            Self::NewestStep => "Newest step",
        }
    }

    /// What has the measures of the group, in words.
    #[must_use]
    pub fn on(self) -> &'static str {
        match self {
            Self::Truth | Self::Errors => "targets in the plane or on the line whose truth is known",
            Self::Chains => "samplers on all targets but topics",
            Self::Cycles => "schedules with cycles, on targets with known modes",
            Self::Efficiency => "samplers on all targets but topics; of f, on networks and other functions behind data",
            Self::Fit => "approximations with a density in the plane or on the line",
            Self::Quantities => "regressions and means of groups",
            Self::Predictions => "networks and other functions behind data",
            Self::Topics => "topics",
            Self::NewestStep => "samplers whose steps have a drift",
        }
    }

    /// Its measures.
    pub fn measures(self) -> impl Iterator<Item = &'static MeasureSpec> + Clone {
        let (first, last): (&[MeasureSpec], Option<&MeasureSpec>) = match self {
            Self::Truth => (&TRUTH_MEASURES, None),
            Self::Errors => (&ESTIMATES, None),
            Self::Chains => (&CHAIN_MEASURES, Some(&KSD)),
            Self::Cycles => (&[], Some(&END_MODES)),
            Self::Efficiency => (&EFFICIENCY, None),
            Self::Fit => (&FIT_MEASURES, None),
            Self::Quantities => (&QUANTITY_MEASURES, None),
            Self::Predictions => (&PREDICTION_MEASURES, None),
            Self::Topics => (&TOPICS_MEASURES, None),
            Self::NewestStep => (&DYNAMICS, None),
        };
        let swept = |spec: &&MeasureSpec| spec.key != CHAINS_LEFT && !AGAINST_REFERENCE.contains(&spec.key);
        first.iter().chain(last).filter(swept)
    }
}

/// The measures that a sweep can have.
pub fn sweep_measures() -> impl Iterator<Item = &'static MeasureSpec> + Clone {
    MeasureGroup::ALL.into_iter().flat_map(MeasureGroup::measures)
}

/// The group of a measure of a sweep.
#[must_use]
pub fn group_of(key: &str) -> Option<MeasureGroup> {
    MeasureGroup::ALL.into_iter().find(|group| group.measures().any(|spec| spec.key == key))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_measure_is_in_one_group() {
        let keys: Vec<&str> = sweep_measures().map(|spec| spec.key).collect();
        assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len());
        for key in ["kl", "error_x", "rhat", "ksd", "ess_per_gradient", "elbo", "nll_in", "perplexity", "drift"] {
            assert!(group_of(key).is_some_and(|group| group.measures().any(|spec| spec.key == key)), "{key}");
        }
        assert!(group_of("w1_functions").is_none() && group_of("chains_left").is_none());
    }

    #[test]
    fn what_compares_with_the_truth_is_told_from_the_rest() {
        let of_truth = |key: &str| sweep_measures().find(|spec| spec.key == key).unwrap().of_truth;
        let compare = [MeasureGroup::Truth, MeasureGroup::Errors, MeasureGroup::Cycles];
        assert!(compare.into_iter().flat_map(MeasureGroup::measures).all(|spec| spec.of_truth));
        assert!(["quantity_means", "quantity_sds", "mode_switches", "kl_qp", "bars"].into_iter().all(of_truth));
        assert!(!["rhat", "ess_bulk", "ksd", "elbo", "quantity_ess"].into_iter().any(of_truth));
    }
}
