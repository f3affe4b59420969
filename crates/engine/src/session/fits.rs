//! Fits of a run: the distribution of each chain after every step, and the mixture of all chains.

use std::sync::Arc;

use crate::diagnostics::{Component, Fit};
use base::math::{Coords, Distribution, Gaussian, Point, Stream};
use models::targets::{Coordinates, Projection};
use samplers::methods::{FitRecord, Fitting, MixtureWeights, VectorDistribution};

/// Records kept of a run at most, some 120 bytes each: a single distribution's longest run. Above that every second,
/// fourth … step is kept.
pub const KEPT_RECORDS: usize = 1 << 18;

/// Records in a shared buffer.
const BUFFER_RECORDS: usize = 1 << 10;

/// Rows of the last quarter that are looked at for what a fit still moves.
const ROWS_AT_THE_END: usize = 64;

/// Distributions whose means are less than this many standard deviations apart count as equal.
const SAME_MEAN: f64 = 1e-3;

/// The records of all chains after every step since they became approximations. Cloning shares them.
#[derive(Clone, Debug, Default)]
pub struct FitTrace {
    buffers: Vec<Arc<Vec<FitRecord>>>,
    chains: usize,
    stride: u64,
    records: usize,
    /// The step of the first row.
    from: u64,
    /// The step whose records come next.
    next: u64,
}

impl FitTrace {
    /// An empty trace of `chains` ≥ 1 chains.
    pub(super) fn new(chains: usize) -> Self {
        Self { chains, stride: 1, ..Self::default() }
    }

    /// A trace of these rows from step number `from` on, for tests of what is drawn.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn of(from: u64, rows: &[Vec<FitRecord>]) -> Self {
        let mut trace = Self::new(rows.first().map_or(1, Vec::len));
        rows.iter().zip(from..).for_each(|(row, step)| trace.push(step, row.iter()));
        trace
    }

    /// Number of chains.
    #[must_use]
    pub fn chains(&self) -> usize {
        self.chains
    }

    /// Every how many steps a row is kept: 1 unless the run is very long.
    #[must_use]
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// Number of steps whose records are kept.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.records / self.chains.max(1)
    }

    /// The number of the step of a row; 0 is before the first.
    #[must_use]
    pub fn step(&self, row: usize) -> u64 {
        self.from + row as u64 * self.stride
    }

    /// The record of a chain in a row.
    ///
    /// # Panics
    /// If there is no such row or chain.
    #[must_use]
    pub fn record(&self, row: usize, chain: usize) -> &FitRecord {
        let index = row * self.chains + chain;
        &self.buffers[index / BUFFER_RECORDS][index % BUFFER_RECORDS]
    }

    /// The records of a chain, row after row.
    pub fn of_chain(&self, chain: usize) -> impl Iterator<Item = (u64, &FitRecord)> {
        (0..self.rows()).map(move |row| (self.step(row), self.record(row, chain)))
    }

    /// How far the distribution of a chain still moves: over the last quarter of the steps, the root mean square of the distance of its
    /// mean from the average of these means, in its own standard deviations, or of the relative change of its standard deviation, along
    /// the axis where that is most. `None` with fewer than eight rows there, or where a row has no distribution.
    #[must_use]
    pub fn wander(&self, chain: usize) -> Option<f64> {
        let rows = self.rows();
        let quarter = rows / 4;
        let taken = quarter.min(ROWS_AT_THE_END);
        if taken < 8 {
            return None;
        }
        let at = |number: usize| self.record(rows - 1 - number * quarter / taken, chain).distribution;
        let last: Vec<Distribution> = (0..taken).map(at).collect::<Option<_>>()?;
        let of_axis = |axis: usize| {
            let sd = |of: &Distribution| of.covariance()[(axis, axis)].sqrt();
            let width = sd(&last[0]);
            let spread = |of: &dyn Fn(&Distribution) -> f64| {
                let mean = last.iter().map(of).sum::<f64>() / taken as f64;
                let squares: f64 = last.iter().map(|one| (of(one) - mean) * (of(one) - mean)).sum();
                (squares / taken as f64).sqrt() / width
            };
            spread(&|one| one.mean()[axis]).max(spread(&sd))
        };
        let axes = if matches!(last[0], Distribution::Line { .. }) { 1 } else { 2 };
        (0..axes).map(of_axis).filter(|wander| wander.is_finite()).reduce(f64::max)
    }

    /// Appends the records of all chains after step number `step`; after a gap (steps of a sampler) the trace starts
    /// again.
    pub(super) fn push<'r>(&mut self, step: u64, row: impl Iterator<Item = &'r FitRecord>) {
        if self.records == 0 || step != self.next {
            *self = Self { from: step, ..Self::new(self.chains) };
        }
        if self.records + self.chains > KEPT_RECORDS && self.rows() > 1 {
            self.thin();
        }
        if (step - self.from).is_multiple_of(self.stride) {
            row.for_each(|record| self.append(*record));
        }
        self.next = step + 1;
    }

    fn append(&mut self, record: FitRecord) {
        if self.records == self.buffers.len() * BUFFER_RECORDS {
            self.buffers.push(Arc::new(Vec::with_capacity(BUFFER_RECORDS)));
        }
        if let Some(last) = self.buffers.last_mut() {
            Arc::make_mut(last).push(record);
            self.records += 1;
        }
    }

    /// Keeps every second row.
    fn thin(&mut self) {
        let (stride, from) = (self.stride * 2, self.from);
        let old = std::mem::replace(self, Self { stride, from, ..Self::new(self.chains) });
        for row in (0..old.rows()).step_by(2) {
            (0..old.chains).for_each(|chain| self.append(*old.record(row, chain)));
        }
    }
}

/// The approximations of a run at one moment.
#[derive(Clone, Debug)]
pub struct FitFrame {
    /// Properties of the method as an approximation.
    pub fitting: Fitting,
    /// The newest record of each chain; `RunFrame::positions` has the means in θ.
    pub records: Vec<FitRecord>,
    /// The records of each chain after every step, in `coordinates`.
    pub trace: FitTrace,
    /// The coordinates in which the distributions are defined.
    pub coordinates: Coordinates,
    /// The mixture of all chains; `None` while no chain has a distribution.
    pub fit: Option<Arc<Fit>>,
    /// Mean and covariance of the mixture, in θ.
    pub moments: Option<Gaussian>,
    /// Draws from the mixture, in θ: the random numbers stay the same, so that draws move with the distribution.
    pub draws: Arc<Vec<Point>>,
    /// The draws in all dimensions, of a model in more than are drawn; else empty.
    pub vectors: Arc<Vec<Vec<f64>>>,
    /// The distributions in all dimensions that these draws come from, in turn, of a model in more than are drawn; else empty.
    /// They may be there without a `fit`: weights that are fixed have no width in the plane.
    pub distributions: Arc<Vec<VectorDistribution>>,
}

/// A fit with its moments and draws as frames show them, computed once as long as the fit stays the same.
#[derive(Clone, Debug, Default)]
pub(super) struct FitSummary {
    /// The means in all dimensions that it was made for.
    means: Vec<f64>,
    /// The spread of its draws.
    spread: f64,
    pub fit: Option<Arc<Fit>>,
    pub moments: Option<Gaussian>,
    pub draws: Arc<Vec<Point>>,
    pub vectors: Arc<Vec<Vec<f64>>>,
    pub distributions: Arc<Vec<VectorDistribution>>,
}

impl FitSummary {
    /// With draws from `stream`, of a method with these properties.
    pub fn of(fit: Fit, fitting: &Fitting, stream: &mut Stream) -> Self {
        let draws = Arc::new(fit.draws(fitting.draws, fitting.spread, stream));
        let (vectors, distributions) = Default::default();
        Self {
            means: Vec::new(),
            spread: fitting.spread,
            moments: fit.moments(),
            draws,
            vectors,
            distributions,
            fit: Some(Arc::new(fit)),
        }
    }

    /// With draws from distributions in more dimensions, in turn, whose projections are drawn.
    pub fn of_vectors(
        fit: Option<Fit>,
        fitting: &Fitting,
        stream: &mut Stream,
        (means, distributions): (Vec<f64>, Vec<VectorDistribution>),
        projection: &Projection,
    ) -> Self {
        let in_turn = distributions.iter().cycle().take(fitting.draws);
        let vectors: Vec<Vec<f64>> = in_turn.map(|distribution| distribution.draw(fitting.spread, stream)).collect();
        let project = |vector: &Vec<f64>| projection.point(&Coords::of(vector.len(), [&vector[..]].into_iter()), 0);
        let draws = Arc::new(vectors.iter().map(project).collect());
        let moments = fit.as_ref().and_then(Fit::moments);
        let (vectors, distributions) = (Arc::new(vectors), Arc::new(distributions));
        Self { means, spread: fitting.spread, moments, draws, vectors, distributions, fit: fit.map(Arc::new) }
    }

    /// Whether it is the summary of this fit, with these means in all dimensions, for these draws.
    pub fn is_of(&self, fit: Option<&Fit>, means: &[f64], fitting: &Fitting) -> bool {
        let drawn = self.draws.len() == fitting.draws && self.spread.to_bits() == fitting.spread.to_bits();
        drawn && self.fit.as_deref() == fit && self.means == means
    }
}

/// The distributions of several chains as one mixture.
pub(super) fn mixture(
    (dimension, coordinates): (usize, Coordinates),
    weights: MixtureWeights,
    records: &[FitRecord],
) -> Option<Fit> {
    let distributions = records.iter().filter_map(|record| Some((record.distribution?, record.log_evidence)));
    let mut distinct: Vec<(Distribution, Option<f64>)> = Vec::new();
    for (distribution, log_evidence) in distributions {
        let known = |other: &(Distribution, Option<f64>)| same_mean(&other.0, &distribution);
        if weights == MixtureWeights::Equal || !distinct.iter().any(known) {
            distinct.push((distribution, log_evidence));
        }
    }
    // Beside converged distributions, which have an evidence, those that have not converged get no weight.
    if weights == MixtureWeights::Evidence && distinct.iter().any(|(_, evidence)| evidence.is_some()) {
        distinct.retain(|(_, evidence)| evidence.is_some());
    }
    let highest = distinct.iter().filter_map(|(_, evidence)| *evidence).fold(f64::NEG_INFINITY, f64::max);
    let share = |evidence: Option<f64>| match (weights, evidence) {
        (MixtureWeights::Evidence, Some(evidence)) => libm::exp(evidence - highest),
        _ => 1.0,
    };
    let total: f64 = distinct.iter().map(|(_, evidence)| share(*evidence)).sum();
    let component = |(distribution, log_evidence): (Distribution, Option<f64>)| Component {
        weight: share(log_evidence) / total,
        distribution,
        log_evidence,
    };
    let fit = Fit::new(dimension, coordinates, distinct.into_iter().map(component).collect())?;
    Some(if weights == MixtureWeights::Evidence { fit.with_evidence() } else { fit })
}

/// Whether two distributions have the same mean, measured in standard deviations of the first.
fn same_mean(one: &Distribution, other: &Distribution) -> bool {
    let (gap, covariance) = (other.mean() - one.mean(), one.covariance());
    (0..2).all(|axis| gap[axis].abs() <= SAME_MEAN * covariance[(axis, axis)].sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::Matrix;

    fn record(guards: u64) -> FitRecord {
        FitRecord { guards, ..FitRecord::default() }
    }

    fn filled(chains: usize, steps: u64) -> FitTrace {
        let mut trace = FitTrace::new(chains);
        for step in 0..=steps {
            let row: Vec<FitRecord> = (0..chains as u64).map(|chain| record(1000 * step + chain)).collect();
            trace.push(step, row.iter());
        }
        trace
    }

    fn check(trace: &FitTrace, last: u64) {
        let rows = usize::try_from(last / trace.stride()).unwrap() + 1;
        assert_eq!(trace.rows(), rows);
        for row in (0..rows).step_by(7).chain([rows - 1]) {
            for chain in 0..trace.chains() {
                assert_eq!(trace.record(row, chain).guards, 1000 * trace.step(row) + chain as u64);
            }
        }
    }

    #[test]
    fn records_are_found_where_they_were_put_and_what_is_shared_stays() {
        for chains in [1, 3] {
            let mut trace = filled(chains, 3000);
            check(&trace, 3000);
            let shared = trace.clone();
            trace.push(3001, [record(3_001_000), record(3_001_001), record(3_001_002)][..chains].iter());
            check(&trace, 3001);
            check(&shared, 3000);
        }
    }

    #[test]
    fn a_trace_starts_at_the_first_distribution_and_again_after_a_gap() {
        let mut trace = FitTrace::new(1);
        trace.push(0, [].iter());
        assert_eq!(trace.rows(), 0);
        trace.push(7, [record(7)].iter());
        trace.push(8, [record(8)].iter());
        assert_eq!((trace.rows(), trace.step(0), trace.step(1)), (2, 7, 8));
        trace.push(20, [record(20)].iter());
        assert_eq!((trace.rows(), trace.step(0)), (1, 20));
    }

    #[test]
    fn a_very_long_trace_thins_evenly() {
        let trace = filled(1 << 8, 3000);
        assert_eq!(trace.stride(), 4);
        check(&trace, 3000);
    }

    #[test]
    fn components_are_weighted_by_their_evidence_and_counted_once() {
        let distribution = |x: f64| Distribution::gaussian(2, Point::new(x, 0.0), Matrix::identity());
        let record = |x: f64, evidence: f64| FitRecord {
            distribution: Some(distribution(x)),
            log_evidence: Some(evidence),
            ..FitRecord::default()
        };
        let moving = FitRecord { distribution: Some(distribution(-5.0)), ..FitRecord::default() };
        let [one, other, again] = [record(0.0, 700.0), record(5.0, 700.0 + 3.0_f64.ln()), record(1e-5, 700.0)];
        let records = [one, other, again, moving, FitRecord::default()];
        let of = |weights| {
            let fit = mixture((2, Coordinates::plain()), weights, &records).unwrap();
            fit.components().iter().map(|component| component.weight).collect::<Vec<_>>()
        };
        let by_evidence = of(MixtureWeights::Evidence);
        assert!((by_evidence[0] - 0.25).abs() < 1e-12 && (by_evidence[1] - 0.75).abs() < 1e-12);
        assert_eq!((by_evidence.len(), of(MixtureWeights::Equal)), (2, vec![0.25; 4]));
        assert!(mixture((2, Coordinates::plain()), MixtureWeights::Equal, &[FitRecord::default()]).is_none());
    }
}
