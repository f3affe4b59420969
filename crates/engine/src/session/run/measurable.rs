//! What the measures of a run against the truth are computed from, so that they can be computed beside the steps.

use std::sync::Arc;

use crate::diagnostics::{
    DrawCounts, Fit, FloorValues, Measure, TRUTH_MEASURES, measure_truth, measure_truth_by, measure_truth_of_fit,
};

use super::super::analysis::unmeasured;
use super::super::target_timeline::TargetContext;
use super::Run;

/// Reason why an approximation without a distribution has no measures.
const NO_DISTRIBUTION: &str = "no distribution yet";

/// The draws or the fit of a run at one step.
#[derive(Debug)]
pub struct Measurable {
    context: TargetContext,
    source: MeasureSource,
}

/// The source of the measures of a run.
#[derive(Debug)]
enum MeasureSource {
    Draws(Box<DrawCounts>),
    /// A fit, and its measures if they are known.
    Fit(Fit, Option<Arc<Vec<Measure>>>),
    /// An approximation before its first distribution.
    Nothing,
}

impl Measurable {
    /// The measures against the truth, with a floor beside those of draws; with pauses.
    pub async fn measure(&self, floor: Option<&FloorValues>) -> Vec<Measure> {
        match &self.source {
            MeasureSource::Draws(counts) => measure_truth(self.context.truth_after(counts), counts, floor),
            MeasureSource::Fit(_, Some(known)) => known.to_vec(),
            MeasureSource::Fit(fit, None) => measure_truth_of_fit(&self.context.truth, fit).await,
            MeasureSource::Nothing => unmeasured(TRUTH_MEASURES.iter(), NO_DISTRIBUTION),
        }
    }
}

impl Measurable {
    /// Some of these measures, those with `keys`, without floors; with pauses.
    pub async fn measure_by(&self, keys: &[&str]) -> Vec<Measure> {
        if let MeasureSource::Draws(counts) = &self.source {
            return measure_truth_by(self.context.truth_after(counts), counts, keys);
        }
        self.measure(None).await.into_iter().filter(|measure| keys.contains(&measure.key)).collect()
    }
}

impl Run {
    /// The draws or the fit of the newest step.
    pub fn measurable(&self) -> Measurable {
        let source = match (self.method().fitting(), self.fit()) {
            (None, _) => MeasureSource::Draws(Box::new(self.counts())),
            (Some(_), None) => MeasureSource::Nothing,
            (Some(_), Some(fit)) => {
                // A distribution that has not changed has the same measures.
                let known = self.measured.as_ref().filter(|(known, _)| *known == fit);
                let known = known.map(|(_, measures)| measures.clone());
                MeasureSource::Fit(fit, known)
            }
        };
        Measurable { context: self.context.clone(), source }
    }

    /// Replaces the measures that frames carry.
    pub fn set_measures(&mut self, measurable: Measurable, measures: Vec<Measure>) {
        self.measures = Arc::new(measures);
        self.measured = match measurable.source {
            MeasureSource::Fit(fit, _) => Some((fit, self.measures.clone())),
            MeasureSource::Draws(_) | MeasureSource::Nothing => None,
        };
    }

    /// Puts the floor beside the measures that frames carry.
    pub fn put_floor(&mut self, floor: &FloorValues) {
        floor.put_beside(Arc::make_mut(&mut self.measures).as_mut_slice());
    }
}
