//! Registry of the measures of a fitted density: ELBO, log evidence, KL(q‖p), KL(p‖q).

use super::input::{FitInput, FitTruth};
use super::{Fit, UNSOUND, elbo, evidence, kl_pq, kl_qp};
use crate::diagnostics::{Measure, MeasureEntry, MeasureSpec, Outcome, specs};
use base::platform::pause;

/// The function that computes a measure.
type FitFunction = fn(FitInput<'_>) -> Outcome;

/// The registry: one line for each measure, in the order in which they are shown and written.
const ENTRIES: &[MeasureEntry<FitFunction>] = &[
    MeasureEntry { spec: elbo::SPEC, value: |input| input.elbo },
    MeasureEntry { spec: evidence::SPEC, value: evidence::value },
    MeasureEntry { spec: kl_qp::SPEC, value: kl_qp::value },
    MeasureEntry { spec: kl_pq::SPEC, value: kl_pq::value },
];

/// The measures of a fitted density, in the order in which they are shown and written.
pub static FIT_MEASURES: [MeasureSpec; ENTRIES.len()] = specs(ENTRIES);

/// All measures of a fit, in the order of [`FIT_MEASURES`], without floors. Takes some thousand evaluations of the log
/// density, a quarter of a million where the target is very uneven under the fit, with pauses.
pub async fn measure_fit(truth: &FitTruth, fit: &Fit) -> Vec<Measure> {
    if !fit.is_sound() {
        return FIT_MEASURES.iter().map(|spec| Measure::new(spec.key, Err(UNSOUND))).collect();
    }
    let density = fit.density();
    let elbo = elbo::value(truth.target(), fit, &density).await;
    let input = FitInput { truth, fit, density: &density, elbo };
    let mut measures = Vec::with_capacity(ENTRIES.len());
    for entry in ENTRIES {
        pause().await;
        measures.push(Measure::new(entry.spec.key, (entry.value)(input)));
    }
    measures
}
