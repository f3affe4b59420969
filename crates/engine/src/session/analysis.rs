//! Slow measures of a run: those computed from the draws themselves (R̂, ESS, Stein discrepancy), not from their counts.
//!
//! An [`Analyser`] computes them from a frame, in any thread: a frame shares the history of its session, and stays valid
//! when the session goes on.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostics::chain::{MEMBERS, PARTICLES, SHARED_BATCHES};
use crate::diagnostics::predictions::{Kind, KnownReference};
use crate::diagnostics::{
    CHAIN_MEASURES, ChainInput, FIT_MEASURES, Fit, FitTruth, KSD, MOST_IN_KSD, Measure, MeasureSpec, NoiseFloor,
    Overlap, Series, Truth, UNKNOWN, exact_draws, ksd, measure_chains, measure_fit, overlap, without_independence,
};
use base::math::Point;
use base::platform::pause;
use samplers::methods::Interaction;

use super::fits::FitFrame;
use super::frame::{Frame, RunFrame};
use super::kept;
use super::local_curvature::LocalCurvature;
use super::predictions::Predicted;
use super::quantities;
use super::topics::{self, TopicsMoment, TopicsOrder};
use models::lda::Stop;
use models::targets::TopicsLines;

/// Sets of exact draws for the floor of the Stein discrepancy, of which a thousand draws take 20 ms. Its relative sd over
/// sets is about 0.2, so that the average is known to 5 %.
const STEIN_SETS: u64 = 16;

/// Reason why an approximation has no measures of chains.
const NO_DRAWS_OF_A_FIT: &str = "a fit has no draws";

/// The measures of an [`Analysis`], in order.
pub fn analysis_measures() -> impl Iterator<Item = &'static MeasureSpec> {
    CHAIN_MEASURES.iter().chain([&KSD])
}

/// The slow measures of a run at one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The step at which they were computed.
    pub step: u64,
    /// The measures, in the order of [`analysis_measures`]; empty before the first time.
    pub measures: Vec<Measure>,
    /// Collected draws for each draw that measures of the series ([`OF_SERIES`]) are computed from; 1 unless there are very
    /// many, 0 without any.
    ///
    /// [`OF_SERIES`]: crate::diagnostics::chain::OF_SERIES
    pub thinning: u64,
    /// The measures of the fitted density, of an approximation.
    pub fit: FitAnalysis,
    /// Measures of its named quantities, in the order of
    /// [`QUANTITY_MEASURES`](crate::diagnostics::quantities::QUANTITY_MEASURES); empty of targets without.
    pub quantities: Vec<Measure>,
    /// Measures of its predictions.
    pub predicted: Predicted,
    /// What is known of the topics of the chains, in order of steps, on a target of topics. It may lag behind
    /// [`RunFrame::topics`].
    pub topics: Arc<Vec<Arc<TopicsMoment>>>,
    /// What their held-out values are compared with; `None` before the first time, and on other targets.
    pub topics_lines: Option<TopicsLines>,
    /// The labels of the topics that are kept, where no truth gives them.
    pub topics_order: Arc<Vec<TopicsOrder>>,
    /// The curvature at the positions of the chains, of a model in more dimensions than are drawn and of methods with a limit of stability.
    pub here: Option<LocalCurvature>,
}

impl Analysis {
    /// The measures of chains, of quantities and of predictions.
    pub fn all(&self) -> impl Iterator<Item = &Measure> {
        self.measures.iter().chain(&self.quantities).chain(&self.predicted.measures)
    }

    /// These, and before them those of the fit, of an approximation.
    pub(super) fn written(&self) -> impl Iterator<Item = Measure> {
        self.fit.measures.iter().chain(self.all()).cloned()
    }

    /// The part that stays true when the run goes back to `step`: measures of topics up to there.
    pub(super) fn before(&self, step: u64) -> Self {
        let (mut topics, mut topics_order) = (self.topics.clone(), self.topics_order.clone());
        kept::forget_after(&mut topics, step, |moment| moment.step);
        kept::forget_after(&mut topics_order, step, |ordered| ordered.step);
        Self { topics, topics_order, topics_lines: self.topics_lines, ..Self::default() }
    }
}

/// The slow measures of a fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitAnalysis {
    /// The measures, in the order of [`FIT_MEASURES`](crate::diagnostics::FIT_MEASURES); empty of samplers, and before
    /// the first time.
    pub measures: Vec<Measure>,
    /// Overlap of its components, if there are several.
    pub overlap: Option<Overlap>,
}

/// Measures that have no value, all for one reason.
pub(super) fn unmeasured<'s>(specs: impl Iterator<Item = &'s MeasureSpec>, reason: &'static str) -> Vec<Measure> {
    specs.map(|spec| Measure { key: spec.key, value: None, floor: None, reason }).collect()
}

/// Computes analyses, and keeps the noise floors that it has computed.
#[derive(Debug, Default)]
pub struct Analyser {
    floors: Option<SteinFloors>,
    /// The target that fits were last measured against.
    truth: Option<FitTruth>,
    /// Whether noise floors are left out.
    bare: bool,
    /// Whether topics are measured at all moments at once, however long that takes.
    thorough: bool,
    /// Stops the measures of topics.
    stop: Stop,
    /// What is known of the newest reference.
    reference: Option<KnownReference>,
}

/// Floors of the Stein discrepancy.
#[derive(Debug)]
struct SteinFloors {
    /// The truth they are for.
    truth: Arc<Truth>,
    /// By number of exact draws.
    values: BTreeMap<usize, Option<NoiseFloor>>,
}

impl Analyser {
    /// An analyser that leaves noise floors out.
    #[must_use]
    pub fn without_floors() -> Self {
        Self { bare: true, ..Self::default() }
    }

    /// An analyser that leaves nothing for later, however long it takes.
    #[must_use]
    pub fn thorough() -> Self {
        Self { thorough: true, ..Self::default() }
    }

    /// An analyser that leaves measures of topics out once it is stopped.
    #[must_use]
    pub fn unless(stop: Stop) -> Self {
        Self { stop, ..Self::default() }
    }

    /// The analysis of a run of a frame, from the draws that its history has kept, with pauses.
    pub async fn analyse(&mut self, frame: &Frame, run: &RunFrame) -> Analysis {
        self.analyse_series(frame, run, &run.series()).await
    }

    /// An analysis from a series that was gathered while the run went on.
    pub async fn analyse_series(&mut self, frame: &Frame, run: &RunFrame, series: &Series) -> Analysis {
        let mut analysis = self.analyse_chains(frame, run, series).await;
        pause().await;
        if let Some(model) = frame.target.topics() {
            let known = &run.analysis;
            analysis.topics_lines = Some(model.lines().await);
            analysis.topics_order = topics::ordered(model, &run.topics, &known.topics_order);
            let work = if self.thorough { usize::MAX } else { topics::IN_ONE_GO };
            analysis.topics =
                topics::measured(model, &run.topics, &known.topics, &analysis.topics_order, (work, &self.stop)).await;
        }
        analysis
    }

    async fn analyse_chains(&mut self, frame: &Frame, run: &RunFrame, series: &Series) -> Analysis {
        let here = frame.target.in_vectors().and_then(|vectors| LocalCurvature::of(run, vectors.model.as_ref()));
        pause().await;
        if let Some(fits) = &run.fits {
            let measures = unmeasured(analysis_measures(), NO_DRAWS_OF_A_FIT);
            let fit = match &fits.fit {
                Some(fit) => self.analyse_fit(frame, fit).await,
                None => without_density(fits),
            };
            pause().await;
            let quantities = quantities::measured(frame, run, None).await;
            let predicted = self.predictions(frame, run).await;
            return Analysis { step: run.step, measures, fit, quantities, predicted, here, ..Analysis::default() };
        }
        let input = ChainInput {
            truth: &frame.truth,
            series,
            collected: run.collected,
            totals: run.totals,
            diverged: run.diverged.len(),
            acceptance: run.acceptance.rate(),
        };
        let mut measures = measure_chains(&input).await;
        let dependent = dependence(run);
        if let Some(reason) = dependent {
            without_independence(&mut measures, reason);
        }
        measures.push(self.stein(frame, series).await);
        let thinning = thinning(run.collected, series);
        pause().await;
        let quantities = quantities::measured(frame, run, dependent).await;
        let predicted = self.predictions(frame, run).await;
        Analysis { step: run.step, measures, thinning, quantities, predicted, here, ..Analysis::default() }
    }

    /// What is measured of predictions, of targets that can have a reference.
    async fn predictions(&mut self, frame: &Frame, run: &RunFrame) -> Predicted {
        let Some(kind) = Kind::of(frame.target.as_ref()) else { return Predicted::default() };
        self.reference.take_if(|known| !frame.reference.as_ref().is_some_and(|now| known.is_of(now)));
        if let (None, Some(reference)) = (&self.reference, &frame.reference) {
            self.reference = Some(KnownReference::new(reference.clone(), kind, !self.bare));
        }
        super::predictions::measured((frame, run), kind, self.reference.as_ref()).await
    }

    async fn analyse_fit(&mut self, frame: &Frame, fit: &Fit) -> FitAnalysis {
        let known = self.truth.take_if(|truth| truth.is_of(&frame.target, &frame.truth));
        let truth = self.truth.insert(known.unwrap_or_else(|| FitTruth::new(frame.target.clone()).under(&frame.truth)));
        pause().await;
        let measures = measure_fit(truth, fit).await;
        pause().await;
        FitAnalysis { measures, overlap: overlap(truth, fit) }
    }

    async fn stein(&mut self, frame: &Frame, series: &Series) -> Measure {
        let draws = spread(series, MOST_IN_KSD);
        let density = frame.target.density().map(AsRef::as_ref);
        let (value, reason) = match density.map_or(Err(UNKNOWN), |density| ksd(density, &draws)) {
            Ok(value) => (Some(value), ""),
            Err(reason) => (None, reason),
        };
        pause().await;
        let floor = if value.is_some() && !self.bare { self.stein_floor(frame, draws.len()).await } else { None };
        Measure { key: KSD.key, value, floor, reason }
    }

    /// The Stein discrepancy of so many exact draws.
    async fn stein_floor(&mut self, frame: &Frame, draws: usize) -> Option<NoiseFloor> {
        let known = |floors: &mut SteinFloors| Arc::ptr_eq(&floors.truth, &frame.truth);
        let fresh = || SteinFloors { truth: frame.truth.clone(), values: BTreeMap::new() };
        let kept = self.floors.take_if(known).unwrap_or_else(fresh);
        let floors = self.floors.insert(kept);
        if let Some(floor) = floors.values.get(&draws) {
            return *floor;
        }
        let density = frame.target.density()?.as_ref();
        let mut sets = Vec::new();
        for number in 0..STEIN_SETS {
            sets.push(ksd(density, &exact_draws(density, &frame.truth, number, draws as u64)).ok());
            pause().await;
        }
        let floor = NoiseFloor::of_sets(sets.into_iter(), None).ok();
        floors.values.insert(draws, floor);
        floor
    }
}

/// Why the chains of a run are not independent, where they are not.
pub(super) fn dependence(run: &RunFrame) -> Option<&'static str> {
    if run.is_ensemble() {
        Some(MEMBERS)
    } else if run.plan.interaction() == Interaction::Particles {
        Some(PARTICLES)
    } else {
        run.plan.shares_batches().then_some(SHARED_BATCHES)
    }
}

/// Measures of a fit that has no density in the plane.
fn without_density(fits: &FitFrame) -> FitAnalysis {
    let reason = if fits.distributions.is_empty() { "no distribution yet" } else { "no density in the plane" };
    FitAnalysis { measures: unmeasured(FIT_MEASURES.iter(), reason), overlap: None }
}

/// Collected draws for each draw of a series: both the history of a run and the series thin when they are full.
#[expect(clippy::cast_sign_loss, reason = "a small positive number")]
fn thinning(collected: u64, series: &Series) -> u64 {
    let finite = |chain: &[f64]| chain.iter().filter(|x| x.is_finite()).count();
    let kept: usize = series.coordinate(0).into_iter().map(finite).sum();
    if kept == 0 { 0 } else { (collected as f64 / kept as f64).round() as u64 }
}

/// At most `most` draws of a series, evenly spread over their weight, and with it over the run; draws of chains that
/// have diverged are left out.
fn spread(series: &Series, most: usize) -> Vec<Point> {
    let (x, y) = (series.coordinate(0), series.coordinate(1));
    let weights = series.weights();
    // Chain after chain: row after row, even steps could meet the same chain every time.
    let draws: Vec<(Point, f64)> = (0..series.chains())
        .flat_map(|chain| (0..series.rows()).map(move |row| (row, chain)))
        .map(|(row, chain)| (Point::new(x[chain][row], y[chain][row]), weights[row]))
        .filter(|(at, _)| at.x.is_finite() && at.y.is_finite())
        .collect();
    if draws.len() <= most {
        return draws.into_iter().map(|(at, _)| at).collect();
    }
    let total: f64 = draws.iter().map(|(_, weight)| weight).sum();
    let apart = total / most as f64;
    let (mut reached, mut taken) = (0.0, Vec::with_capacity(most));
    for (at, weight) in draws {
        reached += weight;
        // A draw that weighs more than its share is taken as often as it has to be.
        while taken.len() < most && reached > (taken.len() as f64 + 0.5) * apart {
            taken.push(at);
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(draws: usize, weight: impl Fn(usize) -> f64) -> Series {
        let mut series = Series::new(2);
        for row in 0..draws {
            series.push(row as u64 + 1, None, weight(row), |chain| [row as f64, chain as f64]);
        }
        series
    }

    #[test]
    fn draws_are_taken_evenly_over_the_run_and_its_chains() {
        assert_eq!(spread(&series(50, |_| 1.0), 100).len(), 100);
        let some = spread(&series(5000, |_| 1.0), 100);
        assert_eq!(some.len(), 100);
        for chain in [0.0, 1.0] {
            let rows = some.iter().filter(|at| (at.y - chain).abs() < 0.5).map(|at| at.x);
            let off = rows.enumerate().map(|(number, row)| (row - (100.0 * number as f64 + 50.0)).abs());
            assert_eq!(off.clone().count(), 50);
            assert!(off.fold(0.0, f64::max) <= 1.0, "evenly over the rows of chain {chain}");
        }
    }

    #[test]
    fn draws_of_more_weight_are_taken_more_often() {
        let some = spread(&series(1000, |row| if row < 500 { 3.0 } else { 1.0 }), 400);
        assert_eq!(some.len(), 400);
        assert_eq!(some.iter().filter(|at| at.x < 500.0).count(), 300);
    }

    #[test]
    fn diverged_chains_are_left_out() {
        let mut series = series(10, |_| 1.0);
        series.push(11, None, 1.0, |chain| [if chain == 0 { f64::NAN } else { 0.0 }; 2]);
        assert_eq!(spread(&series, 100).len(), 21);
    }
}
