//! Measures that a run cannot have, whatever its draws: the target or the method has no such thing.

use crate::diagnostics::predictions::{Kind, PREDICTION_MEASURES, measures_of};
use crate::scenario::{MeasureGroup, group_of};
use models::targets::{Space, Target};

/// Measures of sample sizes of functions for their cost.
const OF_FUNCTIONS: &str = "ess_functions_per_gradient";

/// Why no run of this kind on a target has the measure; `None` if it may have it. `samples` says whether the method draws, and fits no
/// distribution.
#[must_use]
pub fn why_unavailable(key: &str, target: &Target, samples: bool) -> Option<&'static str> {
    let is_topics = matches!(target.space(), Space::Topics(_));
    let of_topics = is_topics.then_some("the target has topics");
    let of_fit = (!samples).then_some("the method fits a distribution");
    match group_of(key)? {
        MeasureGroup::Truth | MeasureGroup::Errors => target.density().is_none().then_some("the truth is not known"),
        MeasureGroup::Cycles if samples => {
            let modes = target.in_plane().map_or(0, |density| density.info().modes.len());
            (modes == 0).then_some("the target has no known modes")
        }
        MeasureGroup::Efficiency if key == OF_FUNCTIONS => of_fit.or_else(|| of_predictions(None, target)),
        MeasureGroup::Chains | MeasureGroup::Cycles | MeasureGroup::Efficiency | MeasureGroup::NewestStep => {
            of_topics.or(of_fit)
        }
        MeasureGroup::Fit if samples => Some("the method fits no distribution"),
        MeasureGroup::Fit => {
            (!matches!(target.space(), Space::Plane(_))).then_some("the fit has no density in the plane")
        }
        MeasureGroup::Quantities => target.quantities().is_none().then_some("the target names no quantities"),
        MeasureGroup::Predictions => of_predictions(Some(key), target),
        MeasureGroup::Topics => (!is_topics).then_some("the target has no topics"),
    }
}

fn of_predictions(key: Option<&str>, target: &Target) -> Option<&'static str> {
    let Some(kind) = Kind::of(target) else { return Some("the target predicts nothing") };
    let known = |key: &str| measures_of(kind).any(|spec| spec.key == key);
    let asked = key.filter(|key| PREDICTION_MEASURES.iter().any(|spec| spec.key == *key) && !known(key))?;
    let of_classes = measures_of(Kind::Classification(2)).any(|spec| spec.key == asked);
    Some(if of_classes {
        "the target predicts numbers, not classes"
    } else {
        "the target predicts classes, not numbers"
    })
}
