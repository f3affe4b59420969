//! Bias and variance of averaged gradients in stochastic variational inference: squared bias, variance and squared error
//! of the estimate that replaces the full natural gradient, step by step, along the path of a run.
//!
//! Step i starts from λ₍ᵢ₋₁₎, where the full natural gradient points to λ*ᵢ = λ*(λ₍ᵢ₋₁₎), and its intermediate estimate
//! λ̂ᵢ (Hoffman et al. 2013) has mean λ*ᵢ and a covariance of trace vᵢ; both are computed exactly ([`Oracle`]). The
//! mean of the last n estimates then has
//!
//! bias² = ‖(1/n) Σ λ*ⱼ − λ*ᵢ‖², variance = (1/n²) Σ vⱼ, squared error = bias² + variance,
//!
//! over j = i−n+1 … i. For the mean of the last n natural gradients λ̂ⱼ − λ₍ⱼ₋₁₎ the bias is that of (1/n) Σ (λ*ⱼ −
//! λ₍ⱼ₋₁₎) against λ*ᵢ − λ₍ᵢ₋₁₎, and the variance the same. This is the decomposition of Mandt and Blei (2014),
//! arXiv:1406.3650, section 3, given the path: the effect of the noise on the path itself is not averaged over.
//! Minibatches count as independent. Those of one shuffled epoch are not: a datum that was in one batch is not in the next. With N data
//! in batches of n, at a fixed λ, the variance of a window of L of them inside an epoch is smaller by the factor (N − Ln)/(N − n), and 0 at
//! the end of the epoch. The plot says so. Lengths are
//! Euclidean in λ = (Λm, Λ) with each entry of Λ once ([`Natural`]), as theirs are in their parameters.
//!
//! Batches in the data's own order (`cyclic`) are not random: their error is a bias that goes round with the data, and
//! they have no variance. Nothing is computed for them.
//!
//! One pass along the path serves all window lengths, each with a [`MovingAverage`]: sums from the first step on would
//! keep the rounding errors of the largest estimate so far. The average that the run itself has used is shown as well:
//! its steps give the averaged estimate λ̄ᵢ = λ₍ᵢ₋₁₎ + (λᵢ − λ₍ᵢ₋₁₎)/ρᵢ, and ‖λ̄ᵢ − λ*ᵢ‖² is the squared error of that
//! step. Guarded steps do not give it. With `sag` this is all there is: its table depends on when each datum was last
//! drawn, which no trace keeps.

mod topics;

use std::sync::Arc;

use rayon::prelude::{IntoParallelIterator, ParallelIterator};

use self::topics::TopicPath;
use super::fits::FitTrace;
use super::frame::{Frame, RunFrame};
use crate::scenario::RunPlan;
use base::math::{Distribution, Simd};
use base::platform::now;
use models::targets::{Target, TopicModel};
use samplers::methods::{
    Average, BatchOrder, Gradient, IntermediateEstimate, MovingAverage, Natural, Oracle, Problem, natural_of,
};

/// Window lengths that are compared.
pub const WINDOWS: [usize; 5] = [1, 3, 10, 30, 100];

/// Points of a curve at most, about: as many as a wide plot has pixels.
const MOST_POINTS: usize = 2000;

/// The method averages nothing.
const NOT_SMOOTHED: &str = "only stochastic variational inference (SVI) averages intermediate estimates";

/// The trace has gaps.
const THINNED: &str = "the run is so long that not every step is kept";

/// Errors without a variance.
const NOT_RANDOM: &str = "minibatches in the order of the data are not random";

/// Estimates that are not finite.
const BEYOND_NUMBERS: &str = "an intermediate estimate is not finite";

/// Nothing to show yet.
const NO_STEP: &str = "no step has been taken yet";

/// Squared bias, variance and squared error, one each per entry of [`SmoothingErrors::steps`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// ‖mean − λ*‖².
    pub squared_bias: Vec<f64>,
    /// The trace of the covariance.
    pub variance: Vec<f64>,
    /// Squared bias plus variance.
    pub squared_error: Vec<f64>,
}

/// Bias and variance of averages for the first fit of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothingErrors {
    /// The steps of the curves, in order: all, or evenly chosen ones and the newest.
    pub steps: Vec<u64>,
    /// The quantity that the run averages in its newest step.
    pub average: Average,
    /// L in the newest step.
    pub window: usize,
    /// The curve of the averages that the run has used; `None` if it is unknown (`sag`).
    pub own: Option<Curve>,
    /// Curves of estimates averaged over each of [`WINDOWS`].
    pub windows: Vec<(usize, Curve)>,
    /// Curves of natural gradients averaged over each of them.
    pub gradients: Vec<(usize, Curve)>,
    /// The squared error of each step; `None` if the step was guarded.
    pub realised: Vec<Option<f64>>,
    /// Whether the curves reach the newest step; if not, more is to be computed.
    pub complete: bool,
}

/// Squared bias and variance.
type Errors = (f64, f64);

/// The errors of one step of the run.
#[derive(Clone, Copy, Debug)]
struct Stepped {
    /// The quantity that the run averages.
    average: Average,
    /// Errors with the average that the run uses; without meaning for `sag`.
    own: Errors,
    /// Curves of estimates averaged over each of [`WINDOWS`].
    windows: [Errors; WINDOWS.len()],
    /// Curves of natural gradients averaged over each of them.
    gradients: [Errors; WINDOWS.len()],
    realised: Option<f64>,
}

/// Running means over the newest steps.
#[derive(Clone, Debug, Default)]
struct Means {
    targets: MovingAverage,
    gradients: MovingAverage,
    variances: MovingAverage,
}

impl Means {
    /// Takes in one more step, from λ, and gives the errors of averaged targets and of averaged natural gradients over
    /// it and those before it, `length` at most.
    fn push(&mut self, from: Natural, noisy: &IntermediateEstimate, length: usize) -> [Errors; 2] {
        let gradient = noisy.mean - from;
        let of_targets = self.targets.push(noisy.mean, length) - noisy.mean;
        let of_gradients = self.gradients.push(gradient, length) - gradient;
        let mean_variance = self.variances.push(noisy.variance, length).sum();
        let variance = mean_variance / self.variances.count() as f64;
        [of_targets, of_gradients].map(|bias| (bias.norm_squared(), variance))
    }
}

/// Computes the smoothing of a run, and continues as the run grows.
#[derive(Debug, Default)]
pub struct Smoother {
    generation: u64,
    run: String,
    /// The density in θ, and in the coordinates of distributions.
    targets: Option<(Arc<Target>, Arc<Target>)>,
    /// The number of the step before the first.
    begin: u64,
    steps: Vec<Stepped>,
    /// Over as many steps as the run averages.
    own: Means,
    /// Over each of [`WINDOWS`].
    means: [Means; WINDOWS.len()],
    /// The first chain of a run on topics.
    topics: Option<TopicPath>,
}

/// The smoothing of a run up to its newest step.
///
/// # Errors
/// The reason why there is none, in words.
pub fn smoothing(frame: &Frame, run: &RunFrame) -> Result<SmoothingErrors, &'static str> {
    now(Smoother::default().update(frame, run, usize::MAX))
}

impl Smoother {
    /// The smoothing of a run, of which at most `most` further steps are computed now.
    ///
    /// # Errors
    /// The reason why there is none, in words.
    pub async fn update(
        &mut self,
        frame: &Frame,
        run: &RunFrame,
        most: usize,
    ) -> Result<SmoothingErrors, &'static str> {
        if let Some(model) = frame.target.topics() {
            return self.update_topics(frame, run, model, most).await;
        }
        let fits = run.fits.as_ref().ok_or(NOT_SMOOTHED)?;
        let trace = &fits.trace;
        let begin = beginning(run)?.max(trace.step(0));
        if trace.stride() > 1 {
            return Err(THINNED);
        }
        if trace.rows() < 2 || run.step <= begin {
            return Err(NO_STEP);
        }
        self.keep_what_holds(frame, run, begin);
        let Some((_, open)) = self.targets.clone() else { return Err(NO_STEP) };
        let known = begin + self.steps.len() as u64;
        let newest = run.step.min(trace.step(trace.rows() - 1));
        let last = newest.min(known.saturating_add(most as u64));
        self.extend(&FitPath { plan: &run.plan, trace, target: open.as_ref() }, known + 1..last + 1)?;
        if self.steps.is_empty() {
            return Err(NO_STEP);
        }
        Ok(self.smoothing(run, last == newest))
    }

    /// The same on topics, of which fewer steps are computed at a time.
    async fn update_topics(
        &mut self,
        frame: &Frame,
        run: &RunFrame,
        model: &TopicModel,
        most: usize,
    ) -> Result<SmoothingErrors, &'static str> {
        topics::check(run, beginning(run)?)?;
        self.keep_what_holds(frame, run, 0);
        let mut path = match self.topics.take() {
            Some(path) => path,
            None => TopicPath::begin(frame, run, model)?,
        };
        let known = self.steps.len() as u64;
        let at_once = if most == usize::MAX { most } else { most.min(TopicPath::steps_at_once(model)) };
        let last = run.step.min(known.saturating_add(at_once as u64));
        for number in known + 1..=last {
            self.steps.push(path.step(&run.plan, number, model).await.ok_or(BEYOND_NUMBERS)?);
        }
        self.topics = Some(path);
        Ok(self.smoothing(run, last == run.step))
    }

    /// Starts again unless the run has the same steps as before.
    fn keep_what_holds(&mut self, frame: &Frame, run: &RunFrame, begin: u64) {
        let same_target = |(target, _): &(Arc<Target>, _)| Arc::ptr_eq(target, &frame.target);
        let same = self.generation == frame.generation && self.run == run.plan.name && self.begin == begin;
        if same && self.targets.as_ref().is_some_and(same_target) {
            return;
        }
        let targets = self.targets.take().filter(same_target);
        let targets = targets.unwrap_or_else(|| (frame.target.clone(), frame.target.open()));
        *self = Self {
            generation: frame.generation,
            run: run.plan.name.clone(),
            targets: Some(targets),
            begin,
            ..Self::default()
        };
    }

    /// Computes the steps with the given numbers, which follow those that are known.
    fn extend(&mut self, path: &FitPath<'_>, numbers: std::ops::Range<u64>) -> Result<(), &'static str> {
        let worked_out = |oracle: &mut Oracle, number| path.intermediate_estimate(oracle, number);
        let found: Vec<Option<IntermediateEstimate>> =
            numbers.clone().into_par_iter().map_init(Oracle::default, worked_out).collect();
        for (number, found) in numbers.zip(found) {
            let noisy = found.ok_or(BEYOND_NUMBERS)?;
            let stepped = self.stepped(path, number, &noisy).ok_or(BEYOND_NUMBERS)?;
            self.steps.push(stepped);
        }
        Ok(())
    }

    /// Takes in a step, which follows those that are known.
    fn stepped(&mut self, path: &FitPath<'_>, number: u64, noisy: &IntermediateEstimate) -> Option<Stepped> {
        let averaging = path.plan.segment_of(number).method.averaging()?;
        let from = path.natural(number - 1)?;
        let average = averaging.average;
        // If what is averaged changes, averages start again; if L changes, they keep what still fits.
        if self.steps.last().is_some_and(|step| step.average != average) {
            self.own = Means::default();
        }
        let [of_targets, of_gradients] = self.own.push(from, noisy, averaging.window);
        let own = if average == Average::Gradients { of_gradients } else { of_targets };
        let (mut windows, mut gradients) = ([Errors::default(); WINDOWS.len()], [Errors::default(); WINDOWS.len()]);
        for (index, (means, length)) in self.means.iter_mut().zip(WINDOWS).enumerate() {
            [windows[index], gradients[index]] = means.push(from, noisy, length);
        }
        let realised = path.averaged(number).map(|averaged| (averaged - noisy.mean).norm_squared());
        Some(Stepped { average, own, windows, gradients, realised })
    }

    fn smoothing(&self, run: &RunFrame, complete: bool) -> SmoothingErrors {
        let count = self.steps.len();
        // A power of two, so that points stay where they are as a run grows.
        let stride = count.div_ceil(MOST_POINTS).next_power_of_two();
        let indices = || (0..count).filter(|index| (index + 1) % stride == 0 || index + 1 == count);
        let curve = |of: &dyn Fn(&Stepped) -> Errors| {
            let mut curve = Curve::default();
            indices().for_each(|index| curve.push(of(&self.steps[index])));
            curve
        };
        let all = |of: &dyn Fn(&Stepped) -> [Errors; WINDOWS.len()]| {
            let lengths = WINDOWS.into_iter().enumerate();
            lengths.map(|(index, length)| (length, curve(&|step| of(step)[index]))).collect()
        };
        let (average, window) = self.newest(run);
        let knowable = self.steps.iter().all(|step| step.average != Average::Sag);
        let own = knowable.then(|| curve(&|step| step.own));
        SmoothingErrors {
            steps: indices().map(|index| self.begin + 1 + index as u64).collect(),
            average,
            window,
            own,
            windows: all(&|step| step.windows),
            gradients: all(&|step| step.gradients),
            realised: indices().map(|index| self.steps[index].realised).collect(),
            complete,
        }
    }

    /// What the run averages in its newest step, and L.
    fn newest(&self, run: &RunFrame) -> (Average, usize) {
        let averaging = run.plan.segment_of(run.step).method.averaging();
        averaging.map_or((Average::Statistics, 1), |averaging| (averaging.average, averaging.window))
    }
}

impl Curve {
    fn push(&mut self, (squared_bias, variance): Errors) {
        self.squared_bias.push(squared_bias);
        self.variance.push(variance);
        self.squared_error.push(squared_bias + variance);
    }
}

/// The number of the step before those of the run that have averaged intermediate estimates of its present density
/// without a break. All their minibatches must have been random.
fn beginning(run: &RunFrame) -> Result<u64, &'static str> {
    let made = || run.plan.segments.iter().filter(|segment| segment.from < run.step.max(1));
    let mut begin = None;
    for segment in made() {
        begin = segment.method.averaging().map(|_| begin.unwrap_or(segment.from));
    }
    let begin = begin.ok_or(NOT_SMOOTHED)?.max(run.target_since);
    let ends = made().skip(1).map(|segment| segment.from).chain([u64::MAX]);
    let cyclic = |gradient: &Gradient| matches!(gradient, Gradient::Minibatch { order: BatchOrder::Cyclic, .. });
    if made().zip(ends).any(|(segment, end)| end > begin && cyclic(&segment.gradient)) {
        return Err(NOT_RANDOM);
    }
    Ok(begin)
}

/// A run's plan, the distributions that it has gone through, and the density in their coordinates.
struct FitPath<'a> {
    plan: &'a RunPlan,
    trace: &'a FitTrace,
    target: &'a Target,
}

impl FitPath<'_> {
    /// The distribution after step `number`.
    fn distribution(&self, number: u64) -> Option<Distribution> {
        let row = usize::try_from(number.checked_sub(self.trace.step(0))?).ok()?;
        (row < self.trace.rows()).then(|| self.trace.record(row, 0).distribution)?
    }

    fn natural(&self, number: u64) -> Option<Natural> {
        let natural = natural_of(self.target.info().dimension, &self.distribution(number)?);
        natural.iter().all(|entry| entry.is_finite()).then_some(natural)
    }

    fn guards(&self, number: u64) -> Option<u64> {
        let row = usize::try_from(number.checked_sub(self.trace.step(0))?).ok()?;
        (row < self.trace.rows()).then(|| self.trace.record(row, 0).guards)
    }

    /// The intermediate estimate of step `number`.
    fn intermediate_estimate(&self, oracle: &mut Oracle, number: u64) -> Option<IntermediateEstimate> {
        let segment = self.plan.segment_of(number);
        let problem = Problem::new(self.target, &segment.gradient, Simd::widest());
        oracle.at(&problem, segment.method.averaging()?.expectations?, &self.distribution(number - 1)?)
    }

    /// The average that replaced the intermediate estimate in step `number`, if the step gives it.
    fn averaged(&self, number: u64) -> Option<Natural> {
        let (before, after) = (self.natural(number - 1)?, self.natural(number)?);
        let whole = self.guards(number - 1)? == self.guards(number)?;
        let share = self.plan.step_size(number);
        (whole && share > 0.0).then(|| before + (after - before) / share)
    }
}

#[cfg(test)]
mod tests;
