//! Report of a run: its frame, its measures and its fit.

use std::sync::{Arc, PoisonError};

use crate::diagnostics::Fit;
use crate::scenario::Segment;
use base::math::{Coords, Gaussian, Purpose, Stream};
use samplers::methods::{Acceptance, FitRecord, Fitting, Method, StepRecord};

use super::super::analysis::Analysis;
use super::super::block::{Block, Workspace};
use super::super::fits::{self, FitFrame, FitSummary};
use super::super::frame::{MAX_RECORDS, RunFrame};
use super::super::warnings::warnings;
use super::Run;

impl Run {
    /// Records of the newest step, for the first chains.
    pub(super) fn records(&self) -> impl Iterator<Item = &StepRecord> {
        self.workspaces.iter().flat_map(Workspace::records).take(MAX_RECORDS)
    }

    /// What every chain keeps from step to step under this name, one number each; see [`Method::carries`](samplers::methods::Method::carries).
    pub fn carried(&self, name: &str) -> Option<Vec<Vec<f64>>> {
        let index = self.method().carries().iter().position(|carried| *carried == name)?;
        let vectors = |list: &Coords| (0..list.len()).map(|chain| list.vector(chain).collect()).collect::<Vec<_>>();
        let lists = self.state.blocks.iter().map(|block| block.population().carried.get(index).map(vectors));
        Some(lists.collect::<Option<Vec<_>>>()?.concat())
    }

    /// Acceptance of proposals since the method started or was last changed.
    fn acceptance(&self) -> Acceptance {
        let acceptances = self.state.blocks.iter().map(|block| block.population().acceptance);
        acceptances.fold(Acceptance::default(), Acceptance::merged)
    }

    /// Acceptance of exchanges between neighbouring replicas, for each pair of neighbours.
    fn swaps(&self) -> Vec<Acceptance> {
        let mut swaps = self.state.blocks.iter().map(|block| block.population().swaps.clone());
        let first = swaps.next().unwrap_or_default();
        swaps.fold(first, |sum, more| sum.into_iter().zip(more).map(|(one, other)| one.merged(other)).collect())
    }

    /// Number of chains that have diverged.
    pub fn diverged_chains(&self) -> u64 {
        let chains = self.state.blocks.iter().flat_map(Block::diverged);
        chains.filter(|diverged| diverged.is_some()).count() as u64
    }

    /// Number of draws that measures are made from: none if they are of a fit.
    pub fn measured_draws(&self) -> u64 {
        if self.method().fitting().is_some() { 0 } else { self.draws() }
    }

    /// The method of the newest step.
    pub(super) fn method(&self) -> &dyn Method {
        self.plan.segment_of(self.state.step.max(1)).method.as_ref()
    }

    /// The mixture of all distributions; `None` for samplers, and while there is none.
    pub(super) fn fit(&self) -> Option<Fit> {
        let weights = self.method().fitting()?.mixture_weights;
        let records: Vec<FitRecord> = self.state.blocks.iter().flat_map(Block::fits).copied().collect();
        let coordinates = self.context.space(self.method()).coordinates;
        fits::mixture((self.context.target.info().dimension, coordinates), weights, &records)
    }

    /// Replaces the slow measures that frames carry.
    pub fn set_analysis(&mut self, analysis: Analysis) {
        self.analysis = Arc::new(analysis);
    }

    /// Gradient evaluations spent so far by all chains.
    pub fn gradient_evaluations(&self) -> f64 {
        self.state.gradients()
    }

    /// Evaluations of the density alone, so far by all chains.
    pub fn density_evaluations(&self) -> f64 {
        self.state.density_evaluations
    }

    /// The run as it is now; the present target began at step `target_since`.
    pub fn frame(&self, target_since: u64) -> RunFrame {
        let number = self.state.step.max(1);
        let Segment { schedule, method, .. } = self.plan.segment_of(number);
        let coordinates = self.context.space(method.as_ref()).coordinates;
        let blocks = &self.state.blocks;
        let positions = blocks.iter().flat_map(|block| {
            let projection = self.context.projection();
            let chains = 0..block.population().len();
            chains.map(move |chain| coordinates.to_theta(block.position(projection, chain)))
        });
        let (counts, topics) = (self.counts(), self.topics());
        let diverged = blocks.iter().flat_map(|block| block.diverged().iter().copied());
        let truth = &self.context.truth;
        let mut frame = RunFrame {
            plan: self.plan.clone(),
            step: self.state.step,
            target_since,
            alpha: schedule.step_size(number),
            stage: schedule.stage(number),
            cycle: schedule.cycle(number),
            positions: positions.collect(),
            records: self.records().cloned().collect(),
            parts: self.step_parts.all().clone(),
            vectors: self.state.vectors.even.all().clone(),
            newest_vectors: self.state.vectors.newest.clone(),
            seconds: self.seconds(&topics),
            topics,
            acceptance: self.acceptance(),
            swaps: self.swaps(),
            fits: self.fit_frame(),
            history: self.history.clone(),
            collected: counts.draws(),
            totals: self.totals(&counts),
            cloud_grid: *self.context.truth.image_grid(),
            moments: counts.gaussian().filter(Gaussian::is_finite),
            cloud: Arc::new(counts.image(truth)),
            outskirts: Arc::new(counts.outskirts().clone()),
            measures: self.measures.clone(),
            mode_shares: if truth.modes().len() > 1 { counts.mode_shares(truth) } else { Vec::new() },
            analysis: self.analysis.clone(),
            diverged: diverged.enumerate().filter_map(|(chain, step)| Some((chain, step?))).collect(),
            gradient_evaluations: self.gradient_evaluations(),
            density_evaluations: self.density_evaluations(),
            spending: Arc::new(self.spending()),
            warnings: Vec::new(),
        };
        frame.warnings = warnings(&frame, self.context.truth_after(&counts));
        frame
    }

    /// The approximations as they are now; `None` if the method of the newest step is a sampler.
    fn fit_frame(&self) -> Option<FitFrame> {
        let fitting = self.method().fitting()?;
        let coordinates = self.context.space(self.method()).coordinates;
        let records: Vec<FitRecord> = self.state.blocks.iter().flat_map(Block::fits).copied().collect();
        let FitSummary { fit, moments, draws, vectors, distributions, .. } = self.summary(&fitting);
        let trace = self.state.fits.clone();
        Some(FitFrame { fitting, records, trace, coordinates, fit, moments, draws, vectors, distributions })
    }

    /// The summary of the fit, computed if the fit has changed.
    fn summary(&self, fitting: &Fitting) -> FitSummary {
        let fit = self.fit();
        let blocks = &self.state.blocks;
        let means: Vec<f64> = match self.context.target.in_vectors() {
            Some(_) => blocks.iter().flat_map(|block| block.population().positions.values()).copied().collect(),
            None => Vec::new(),
        };
        let mut known = self.fit_summary.lock().unwrap_or_else(PoisonError::into_inner);
        let same = known.take_if(|known| known.is_of(fit.as_ref(), &means, fitting));
        let fresh = || {
            let mut stream = Stream::derive(self.seed.0, Purpose::Fit, self.seed.1, 0);
            let in_vectors = self.context.target.in_vectors();
            let of = |model| blocks.iter().flat_map(move |block| block.distributions(self.method(), model));
            let distributions: Vec<_> = in_vectors.iter().flat_map(|vectors| of(vectors.model.as_ref())).collect();
            match fit {
                _ if !distributions.is_empty() => {
                    let projection = self.context.projection();
                    FitSummary::of_vectors(fit, fitting, &mut stream, (means, distributions), projection)
                }
                Some(fit) if in_vectors.is_none() => FitSummary::of(fit, fitting, &mut stream),
                // A model has no draws before its first distribution in all dimensions.
                _ => FitSummary::default(),
            }
        };
        known.insert(same.unwrap_or_else(fresh)).clone()
    }
}
