//! What a run shows and tells: frames, measures, what approximations have fitted.

use std::sync::{Arc, PoisonError};

use crate::diagnostics::{DrawCounts, Fit, FloorValues, Measure, TRUTH_MEASURES, measure_truth, measure_truth_of_fit};
use crate::math::{Purpose, Stream};
use crate::methods::{Acceptance, FitRecord, Method, StepRecord};
use crate::scenario::Segment;

use super::super::analysis::{Analysis, unmeasured};
use super::super::block::Block;
use super::super::fits::{self, FitFrame, Shown};
use super::super::frame::{MAX_RECORDS, RunFrame};
use super::Run;

/// Why an approximation that has no distribution has no measures.
const NO_LAW: &str = "no distribution yet";

impl Run {
    /// What happened in the newest step, for the first chains.
    pub(super) fn records(&self) -> impl Iterator<Item = &StepRecord> {
        self.workspaces.iter().flat_map(|room| &room.records).take(MAX_RECORDS)
    }

    /// What became of proposals since the method began or was last changed.
    fn acceptance(&self) -> Acceptance {
        let acceptances = self.state.blocks.iter().map(|block| block.population().acceptance);
        acceptances.fold(Acceptance::default(), Acceptance::merged)
    }

    /// Number of collected draws.
    pub fn draws(&self) -> u64 {
        self.state.blocks.iter().map(|block| block.counts().draws()).sum()
    }

    /// Number of draws that measures are made from: none if they are of a fit.
    pub fn measured_draws(&self) -> u64 {
        if self.method().fitting().is_some() { 0 } else { self.draws() }
    }

    /// The sums of all blocks together.
    pub fn counts(&self) -> DrawCounts {
        let mut tallies = self.state.blocks.iter().map(Block::counts);
        let first = tallies.next().cloned().unwrap_or_else(|| DrawCounts::new(&self.context.truth));
        tallies.fold(first, DrawCounts::merged)
    }

    /// The measures against the truth, of the draws or of the fit; with a floor beside those of draws.
    pub fn measure(&self, floor: Option<&FloorValues>) -> Vec<Measure> {
        let truth = &self.context.truth;
        if self.method().fitting().is_none() {
            return measure_truth(truth, &self.counts(), floor);
        }
        match self.fit() {
            // What has been measured already is a distribution that has not changed since.
            Some(fit) => match &self.measured {
                Some((known, measures)) if *known == fit => measures.to_vec(),
                _ => measure_truth_of_fit(truth, &fit),
            },
            None => unmeasured(TRUTH_MEASURES.iter(), NO_LAW),
        }
    }

    /// Replaces the measures that frames carry.
    pub fn set_measures(&mut self, measures: Vec<Measure>) {
        self.measures = Arc::new(measures);
        self.measured = self.fit().map(|fit| (fit, self.measures.clone()));
    }

    /// The method of the newest step.
    fn method(&self) -> &dyn Method {
        self.plan.segment_of(self.state.step.max(1)).method.as_ref()
    }

    /// All distributions together; `None` of samplers, and while there is none.
    fn fit(&self) -> Option<Fit> {
        let pooling = self.method().fitting()?.mixture_weights;
        let records: Vec<FitRecord> = self.state.blocks.iter().flat_map(Block::fits).copied().collect();
        let coordinates = self.context.space(self.method()).coordinates;
        fits::pooled((self.context.target.info().dimension, coordinates), pooling, &records)
    }

    /// Replaces the slow measures that frames carry.
    pub fn set_analysis(&mut self, analysis: Analysis) {
        self.analysis = Arc::new(analysis);
    }

    /// Gradient evaluations spent so far by all chains.
    pub fn gradient_evaluations(&self) -> f64 {
        // Fractions n/N are added up step by step; what they round off is taken away again.
        let fits: f64 = self.state.blocks.iter().map(Block::evaluated).sum();
        ((self.state.gradient_evaluations + fits) * 1e6).round() / 1e6
    }

    /// The run as it is now, where the target is the one it is since `target_since` steps.
    pub fn frame(&self, target_since: u64) -> RunFrame {
        let number = self.state.step.max(1);
        let Segment { schedule, method, .. } = self.plan.segment_of(number);
        let coordinates = self.context.space(method.as_ref()).coordinates;
        let blocks = &self.state.blocks;
        let positions = blocks.iter().flat_map(|block| {
            let population = block.population();
            (0..population.len()).map(move |chain| coordinates.to_theta(population.position(chain)))
        });
        let counts = self.counts();
        let diverged = blocks.iter().flat_map(|block| block.diverged().iter().copied());
        RunFrame {
            plan: self.plan.clone(),
            step: self.state.step,
            target_since,
            alpha: schedule.step_size(number),
            stage: schedule.stage(number),
            cycle: schedule.cycle(number),
            positions: positions.collect(),
            records: self.records().cloned().collect(),
            parts: self.parts.clone(),
            acceptance: self.acceptance(),
            fits: self.fit_frame(),
            history: self.history.clone(),
            collected: counts.draws(),
            cloud_grid: *self.context.truth.image_grid(),
            moments: counts.gaussian(),
            cloud: Arc::new(counts.image(&self.context.truth)),
            measures: self.measures.clone(),
            analysis: self.analysis.clone(),
            diverged: diverged.enumerate().filter_map(|(chain, step)| Some((chain, step?))).collect(),
            gradient_evaluations: self.gradient_evaluations(),
        }
    }

    /// The approximations as they are now; `None` if the method of the newest step is a sampler.
    fn fit_frame(&self) -> Option<FitFrame> {
        let fitting = self.method().fitting()?;
        let coordinates = self.context.space(self.method()).coordinates;
        let records: Vec<FitRecord> = self.state.blocks.iter().flat_map(Block::fits).copied().collect();
        let shown = self.fit().map(|fit| self.shown(fit, fitting.draws));
        let (fit, moments, draws) = match shown {
            Some(Shown { fit, moments, draws }) => (Some(fit), moments, draws),
            None => (None, None, Arc::default()),
        };
        Some(FitFrame { fitting, records, trace: self.state.fits.clone(), coordinates, fit, moments, draws })
    }

    /// What is shown of a fit, worked out when it has changed.
    fn shown(&self, fit: Fit, count: usize) -> Shown {
        let mut known = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let same = known.take_if(|known| known.is_of(&fit, count));
        let fresh = || {
            let mut stream = Stream::derive(self.seed.0, Purpose::Fit, self.seed.1, 0);
            Shown::of(fit, count, &mut stream)
        };
        known.insert(same.unwrap_or_else(fresh)).clone()
    }
}
