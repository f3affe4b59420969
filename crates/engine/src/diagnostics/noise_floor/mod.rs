//! Noise floor: what as many exact draws score on average, and between which values nine sets of ten lie. Below it no
//! sampler can be distinguished from a perfect one.
//!
//! One set of exact draws is one realisation: errors of the mean vary by more than half from set to set. So a floor is
//! the average over [`SETS`] independent sets, with its 5 % and 95 % quantiles. It is computed where the number of draws
//! is a power of two and interpolated in between, on logarithmic axes. Above 2^[`FULL`] draws many sets take too long.
//! There a measure either follows a power of n ([`Falls`]), or it is a sum over many cells, which varies so little that a
//! few sets give its average; its band keeps its relative width. Above 2^[`TOP`] draws averages follow the power of n that
//! leads there. Where a formula gives the average (mode-weight KL), that is taken.
//!
//! A floor depends on target and number of draws alone. Its random numbers are its own, the same for every seed of a
//! scenario: set s uses `Stream::derive(SEED, Purpose::Truth, s, part)` for each [`PART`](super::exact_draws::PART) draws.
//! Draws of unequal weight are compared with as many exact draws of equal weight: the floor shows what perfect draws
//! would have given for the same number of steps, and the distance to it includes what unequal weights cost. Where sets
//! differ so much that their average is not known to a tenth there is no floor: the covariance of a funnel, say.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::{IntoParallelIterator, ParallelIterator};

use base::math::{Simd, quantile};
use base::platform::{ONE_THREAD, pause};
use models::targets::Density;

use super::exact_draws::{PART, SEED, exact_positions};
use super::{DrawCounts, Measure, Truth, against_truth};

#[cfg(test)]
mod tests;

/// Independent sets of exact draws that a floor is the average of. The error of the mean in one dimension, the most
/// variable measure, has a relative sd of 0.76: its average is known to 5 %.
const SETS: usize = 256;

/// The power of two up to which there are so many sets.
const FULL: u32 = 13;

/// Draws in all sets of a larger power of two together, about.
const LARGE: u64 = 1 << 20;

/// Sets of a larger power of two, at least, in one and in two dimensions: on the line there are fewer cells, so that
/// sums over them vary more from set to set, by a fifth.
const FEWEST_SETS: [u64; 2] = [16, 4];

/// Sets from which an average is given before it is complete, if it is known well enough.
const FIRST_SETS: usize = 4;

/// The power of two from which to [`FULL`] the power of n of [`Falls::Power`] is taken.
const POWER_FROM: u32 = 7;

/// The largest power of two.
const TOP: u32 = 20;

/// The power of two below it from which powers of n are taken.
const BELOW_TOP: u32 = TOP - 3;

/// Largest relative standard error with which an average is given.
const LOOSE: f64 = 0.1;

/// The quantiles of the band.
const BAND: [f64; 2] = [0.05, 0.95];

/// Exact draws made, at most, before they are counted.
const AT_ONCE: u64 = 256 * PART;

/// What computing all measures costs, in exact draws that take as long.
const MEASURING: u64 = 20_000;

/// How the floor of a measure falls with the number n of draws, once that is large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Falls {
    /// Like n^−½: a distance that is linear in the errors of means (central limit theorem).
    Root,
    /// Like 1/n: a quadratic form of them.
    Inverse,
    /// Like the power of n that is seen from 2^7 to 2^13 draws: between n^−¼ (modes with nothing between them) and n^−½.
    Power,
    /// Not at all: an average of the draws. Its band narrows like n^−½.
    Level,
    /// As its cells or modes fill up, each at its own number: it is computed from larger sets.
    AsCellsFill,
}

/// Why there is no floor: too few sets of exact draws have a value.
const NO_VALUES: &str = "most sets of as many exact draws have no value";

/// Why there is no floor: see [`LOOSE`].
const TOO_LOOSE: &str = "the average over sets of as many exact draws is not known to a tenth: they differ too much";

/// The floor of one measure. The average of a count may lie a little outside of the band: if nearly all sets find every
/// mode, say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoiseFloor {
    /// The average over sets of as many exact draws.
    pub mean: f64,
    /// The value below which one set of twenty is.
    pub low: f64,
    /// The value above which one set of twenty is.
    pub high: f64,
}

/// A floor, or the reason why there is none.
pub type KnownFloor = Result<NoiseFloor, &'static str>;

impl NoiseFloor {
    /// The floor of the values of some sets of draws. An `exact` average replaces theirs.
    ///
    /// # Errors
    /// With the reason in words, if most of them have no value, or if they vary so much that their average is not known to a tenth.
    pub fn of_sets(values: impl Iterator<Item = Option<f64>>, exact: Option<f64>) -> KnownFloor {
        let all: Vec<Option<f64>> = values.collect();
        let mut values: Vec<f64> = all.iter().copied().flatten().collect();
        if values.is_empty() || 2 * values.len() < all.len() {
            return Err(NO_VALUES);
        }
        values.sort_by(f64::total_cmp);
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0).max(1.0);
        let known = exact.is_some() || (variance / count).sqrt() <= LOOSE * mean.abs();
        let [low, high] = BAND.map(|share| quantile(&values, share).unwrap_or(f64::NAN));
        if known { Ok(Self { mean: exact.unwrap_or(mean), low, high }) } else { Err(TOO_LOOSE) }
    }

    /// The floor of values that are all there are, so that their average is exact; `None` without any.
    #[must_use]
    pub fn of_values(values: impl Iterator<Item = f64>) -> Option<Self> {
        let all: Vec<f64> = values.collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        Self::of_sets(all.into_iter().map(Some), Some(mean)).ok()
    }

    /// The band, from low to high.
    #[must_use]
    pub fn band(&self) -> [f64; 2] {
        [self.low, self.high]
    }

    fn map(self, of: impl Fn(f64) -> f64) -> Self {
        Self { mean: of(self.mean), low: of(self.low), high: of(self.high) }
    }

    fn zip(self, other: Self, of: impl Fn(f64, f64) -> f64) -> Self {
        Self { mean: of(self.mean, other.mean), low: of(self.low, other.low), high: of(self.high, other.high) }
    }
}

/// The floors of all measures for a number of draws.
#[derive(Clone, Debug, PartialEq)]
pub struct FloorValues {
    draws: u64,
    values: [KnownFloor; against_truth::COUNT],
}

impl FloorValues {
    /// For how many draws they are.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// The floors, in the order of [`TRUTH_MEASURES`](super::TRUTH_MEASURES).
    pub fn values(&self) -> &[KnownFloor] {
        &self.values
    }

    /// Puts the floors beside measures, which come in the same order. A value without a floor gets the reason.
    pub fn put_beside(&self, measures: &mut [Measure]) {
        for (measure, floor) in measures.iter_mut().zip(&self.values) {
            measure.floor = floor.ok();
            if measure.value.is_some() {
                measure.reason = floor.err().unwrap_or_default();
            }
        }
    }
}

/// The values of all measures for one set of exact draws.
type Set = [Option<f64>; against_truth::COUNT];

/// Sets of 2^k exact draws.
#[derive(Clone, Debug, Default)]
struct Level {
    sets: Vec<Set>,
    /// The next set as far as its draws have been made.
    begun: Option<DrawCounts>,
}

/// Number of sets of 2^`log` draws in one or two dimensions.
fn sets_of(log: u32, dimension: usize) -> usize {
    let fewest = if dimension == 1 { FEWEST_SETS[0] } else { FEWEST_SETS[1] };
    let sets = if log <= FULL { SETS as u64 } else { (LARGE >> log).clamp(fewest, SETS as u64) };
    usize::try_from(sets).unwrap_or(SETS)
}

/// The powers of two from which the floor for `draws` > 0 draws is computed.
fn levels_for(draws: u64) -> Vec<u32> {
    let log = draws.ilog2();
    if log >= TOP {
        return vec![POWER_FROM, FULL, BELOW_TOP, TOP];
    }
    let mut levels = vec![log];
    levels.extend((!draws.is_power_of_two()).then_some(log + 1));
    levels.extend((draws > 1 << FULL).then_some(POWER_FROM));
    levels.extend((log > FULL).then_some(FULL));
    levels
}

/// The noise floors of a target, computed as they are needed.
#[derive(Clone, Debug)]
pub struct Floor {
    density: Option<Arc<dyn Density>>,
    truth: Arc<Truth>,
    /// Of the random numbers.
    seed: u64,
    levels: BTreeMap<u32, Level>,
}

impl Floor {
    /// No floors yet. `truth` must be that of the density.
    #[must_use]
    pub fn new(density: Option<Arc<dyn Density>>, truth: Arc<Truth>) -> Self {
        Self { density, truth, seed: SEED, levels: BTreeMap::new() }
    }

    /// Works on the floors for these numbers of draws, about as long as making `budget` exact draws takes. Returns
    /// whether they are complete.
    pub fn advance_to(&mut self, draws: &[u64], mut budget: u64) -> bool {
        if !self.truth.is_known() {
            return true;
        }
        let wanted: Vec<u32> = draws.iter().filter(|&&draws| draws > 0).flat_map(|&draws| levels_for(draws)).collect();
        loop {
            let made = |log: &u32| self.levels.get(log).map_or(0, |level| level.sets.len());
            // All of them grow together, so that there soon is a first value of each.
            let least = wanted.iter().filter(|log| made(log) < self.sets_of(**log)).min_by_key(|log| made(log));
            let Some(&log) = least else { return true };
            if budget == 0 {
                return false;
            }
            self.continue_set(log, &mut budget);
        }
    }

    /// Adds to the newest set of 2^`log` draws what the budget allows.
    fn continue_set(&mut self, log: u32, budget: &mut u64) {
        let level = self.levels.entry(log).or_default();
        let mut counts = level.begun.take().unwrap_or_else(|| DrawCounts::new(&self.truth));
        let end = (1 << log).min(counts.draws() + *budget);
        *budget -= end - counts.draws();
        count(&mut counts, (self.density.as_deref(), &self.truth), (self.seed, level.sets.len() as u64), end);
        if counts.draws() < 1 << log {
            level.begun = Some(counts);
            return;
        }
        level.sets.push(measured(&self.truth, &counts));
        *budget = budget.saturating_sub(MEASURING);
    }

    /// The floors for `draws` draws as far as they are known: until they are, those for half as many draws or more. Floors for fewer are
    /// too high to stand beside what so many draws score.
    #[must_use]
    pub fn at(&self, draws: u64) -> Option<FloorValues> {
        let known = |draws: u64| levels_for(draws).iter().all(|log| self.is_usable(*log));
        if draws == 0 || !self.truth.is_known() {
            return None;
        }
        let smaller = 1 << draws.ilog2();
        let draws = [draws, smaller].into_iter().find(|&draws| known(draws))?;
        Some(FloorValues { draws, values: std::array::from_fn(|index| self.value(index, draws)) })
    }

    /// The floors for exactly `draws` draws, however long that takes, with pauses.
    pub async fn exact(&mut self, draws: u64) -> Option<FloorValues> {
        if draws == 0 || !self.truth.is_known() {
            return None;
        }
        for log in levels_for(draws) {
            let level = self.levels.entry(log).or_default();
            level.begun = None;
            let (density, truth, seed) = (&self.density, &self.truth, self.seed);
            let set = |number: usize| {
                let mut counts = DrawCounts::new(truth);
                count(&mut counts, (density.as_deref(), truth), (seed, number as u64), 1 << log);
                measured(truth, &counts)
            };
            let missing = level.sets.len()..sets_of(log, truth.dimension());
            if ONE_THREAD {
                for number in missing {
                    level.sets.push(set(number));
                    pause().await;
                }
            } else {
                let made: Vec<Set> = missing.into_par_iter().map(set).collect();
                level.sets.extend(made);
            }
        }
        self.at(draws)
    }

    /// Whether averages of a level can be given: those of small sets as soon as they are known well enough.
    fn is_usable(&self, log: u32) -> bool {
        let least = if log <= FULL { FIRST_SETS } else { self.sets_of(log) };
        self.levels.get(&log).is_some_and(|level| level.sets.len() >= least)
    }

    fn sets_of(&self, log: u32) -> usize {
        sets_of(log, self.truth.dimension())
    }

    /// The floor of measure number `index` from the sets of 2^`log` draws.
    fn of_level(&self, index: usize, log: u32) -> KnownFloor {
        let values = self.levels.get(&log).into_iter().flat_map(|level| &level.sets).map(|set| set[index]);
        NoiseFloor::of_sets(values, against_truth::average(index, &self.truth, 1 << log))
    }

    /// The floor of measure number `index` for `draws` draws.
    fn value(&self, index: usize, draws: u64) -> KnownFloor {
        if draws <= 1 << FULL {
            return between(draws, |log| self.of_level(index, log));
        }
        let full = self.of_level(index, FULL)?;
        let ratio = draws as f64 / f64::from(1 << FULL);
        match against_truth::falls(index) {
            Falls::Root => Ok(full.map(|value| value / ratio.sqrt())),
            Falls::Inverse => Ok(full.map(|value| value / ratio)),
            Falls::Power => {
                let from = self.of_level(index, POWER_FROM)?;
                let power = libm::log2(full.mean / from.mean) / f64::from(FULL - POWER_FROM);
                Ok(full.map(|value| value * libm::pow(ratio, power)))
            }
            Falls::Level => Ok(full.map(|value| full.mean + (value - full.mean) / ratio.sqrt())),
            Falls::AsCellsFill => {
                // Few sets: their mean is that of a sum over many cells, their spread that of smaller sets.
                let mean = |log: u32| {
                    let mean = self.mean_of_level(index, log).ok_or(NO_VALUES)?;
                    Ok(NoiseFloor { mean, low: mean, high: mean })
                };
                let mean = between(draws, mean)?.mean;
                let scale = if full.mean.abs() > 0.0 { mean / full.mean } else { 1.0 };
                Ok(full.map(|value| value * scale))
            }
        }
    }

    fn mean_of_level(&self, index: usize, log: u32) -> Option<f64> {
        let values: Vec<f64> = self.levels.get(&log)?.sets.iter().filter_map(|set| set[index]).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }
}

/// A floor for `draws` draws from those of the powers of two around: by a power of n, where both are positive.
fn between(draws: u64, of: impl Fn(u32) -> KnownFloor) -> KnownFloor {
    let log = draws.ilog2();
    if draws.is_power_of_two() && log <= TOP {
        return of(log);
    }
    let (low, high) = if log >= TOP { (BELOW_TOP, TOP) } else { (log, log + 1) };
    let share = (libm::log2(draws as f64) - f64::from(low)) / f64::from(high - low);
    let at_share = |one: f64, other: f64| match one > 0.0 && other > 0.0 {
        true => one * libm::pow(other / one, share),
        false => one + (other - one) * share.min(1.0),
    };
    Ok(of(low)?.zip(of(high)?, at_share))
}

/// Adds exact draws of a set to `counts` until there are `end`.
fn count(counts: &mut DrawCounts, (density, truth): (Option<&dyn Density>, &Truth), set: (u64, u64), end: u64) {
    while counts.draws() < end {
        let next = end.min(counts.draws() + AT_ONCE);
        let (x, y) = exact_positions(density, truth, set, counts.draws()..next);
        counts.add_rows(Simd::widest(), truth, &vec![1.0; x.len()], &x, &y);
    }
}

/// The values of all measures for the exact draws in `counts`.
fn measured(truth: &Truth, counts: &DrawCounts) -> Set {
    against_truth::outcomes(truth, &counts.statistics(truth)).map(Result::ok)
}
