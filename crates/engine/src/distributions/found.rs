//! What is found of a run, with the digits on which two grids agree.

use exact::Trusted;
use nalgebra::DMatrix;

use super::NotComputed;
use super::reading::Numbers;

/// How much a difference of two grids counts, of measures, which have kinks: their errors may cancel on one pair of grids.
const KINKS: f64 = 3.0;

/// Error of rounding, relative to the size of a number.
const ROUNDING: f64 = 1e-12;

/// A measure of a distribution by its key in `summary.json`, or why it has no value.
pub type DistributionMeasure = (&'static str, Result<Trusted, &'static str>);

/// A distribution in numbers, in the coordinates θ of the target.
#[derive(Clone, Debug, PartialEq)]
pub struct Described {
    /// Share of the chains that have left the box, or were never in it; moments are those of the others.
    pub lost: f64,
    /// Mean, one number for each coordinate.
    pub mean: Vec<Trusted>,
    /// Covariance by rows: one number on the line, four in the plane.
    pub covariance: Vec<Trusted>,
    /// Probability nearest to each mode, in the order of the target; empty where it is not computed.
    pub shares: Vec<Trusted>,
    /// The measures of draws, of endlessly many of them.
    pub measures: Vec<DistributionMeasure>,
    /// Probability of each cell of [`Truth::image_grid`](crate::diagnostics::Truth::image_grid), by rows from the lower left.
    pub cells: Vec<f64>,
}

/// The distribution after a step.
#[derive(Clone, Debug, PartialEq)]
pub struct AtStep {
    /// The step, from 1.
    pub step: u64,
    /// The distribution.
    pub found: Result<Described, NotComputed>,
}

/// The distribution to which chains of a constant step size come.
#[derive(Clone, Debug, PartialEq)]
pub struct Stationary {
    /// The distribution: given that chains have not left the box, where they leave it for ever.
    pub described: Described,
    /// The probability to leave for ever in a step.
    pub exit_rate: Trusted,
    /// |λ₂|.
    pub second_eigenvalue: Trusted,
    /// −1/ln |λ₂|, in steps.
    pub relaxation_time: Trusted,
    /// Integrated autocorrelation time of each coordinate, in steps.
    pub autocorrelation_times: Vec<Result<Trusted, NotComputed>>,
    /// Share of the proposals that are accepted, of methods that reject.
    pub acceptance: Option<Trusted>,
}

/// The error of the mean of a coordinate over the collected draws of all chains: (E f̂ − pf)² + variance.
#[derive(Clone, Debug, PartialEq)]
pub struct MeanError {
    /// π_α f − pf, which more draws do not remove; only where there is a stationary distribution.
    pub bias: Option<Trusted>,
    /// E f̂ − π_α f, what the start leaves; only where there is a stationary distribution.
    pub transient: Option<Trusted>,
    /// E f̂ − pf, both together.
    pub systematic: Trusted,
    /// Var f̂.
    pub variance: Trusted,
    /// The root of the mean square error.
    pub rmse: Trusted,
}

/// Cycles of a schedule as a chain of modes.
#[derive(Clone, Debug, PartialEq)]
pub struct Cycles {
    /// How many there are.
    pub count: usize,
    /// The first step of the first of them.
    pub first_step: u64,
    /// Centres of the modes along each factor, ascending: mode (i, k) has the number i + columns·k.
    pub centres: Vec<Vec<f64>>,
    /// For each factor the matrix of modes of the first cycle, C_ij from i to j, and its difference between two grids.
    pub matrices: Vec<(DMatrix<f64>, f64)>,
    /// |λ₂| of that cycle: how much of the start it remembers.
    pub memory: Trusted,
    /// Shares of modes after endlessly many such cycles.
    pub long_run: Vec<Trusted>,
    /// Probability of each mode at the end of the first cycle of the run; empty if its start is not computed.
    pub first_ends: Vec<Trusted>,
    /// Expected number of modes in which at least one cycle ends.
    pub end_modes: Result<Trusted, NotComputed>,
    /// Standard deviation of that number.
    pub end_modes_sd: Result<Trusted, NotComputed>,
    /// Expected KL divergence of the frequencies of modes at the ends from the weights of the target.
    pub end_kl: Result<Trusted, NotComputed>,
    /// The expected number and its standard deviation after each cycle; empty if the start is not computed.
    pub so_far: Vec<(Trusted, Trusted)>,
    /// Largest difference between the matrix of two cycles and the product of their matrices: what a cycle remembers of the place in a mode.
    pub defect: Option<f64>,
    /// For positions in a cycle, from 0: the probability that the mode still changes until its end, of chains distributed as the target.
    pub changes: Vec<(u64, Trusted)>,
}

/// All that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The box along each coordinate of the chains, and the nodes of the coarse and of the fine grid.
    pub region: Vec<(f64, f64, [usize; 2])>,
    /// Distributions after steps.
    pub steps: Vec<AtStep>,
    /// Of all collected steps, with their weights.
    pub collected: Result<Described, NotComputed>,
    /// At the end of time.
    pub stationary: Result<Stationary, NotComputed>,
    /// Of the mean of each coordinate.
    pub errors: Result<Vec<MeanError>, NotComputed>,
    /// Of schedules with cycles.
    pub cycles: Result<Cycles, NotComputed>,
}

/// A number on a coarse and a fine grid, with a share of mass that was lost.
pub(super) fn trusted(coarse: f64, fine: f64, lost: f64) -> Trusted {
    let number = Trusted::new(coarse, fine);
    Trusted { difference: number.difference + ROUNDING * fine.abs() + lost * fine.abs().max(1.0), ..number }
}

/// A measure, or a number with kinks.
pub(super) fn trusted_measure(coarse: f64, fine: f64, lost: f64) -> Trusted {
    let number = trusted(coarse, fine, lost);
    Trusted { difference: KINKS * number.difference, ..number }
}

impl Described {
    /// The numbers of a coarse and of a fine grid, and cells of the fine one, of a target in so many dimensions.
    pub(super) fn new(coarse: &Numbers, fine: &Numbers, cells: Vec<f64>, dimension: usize) -> Self {
        let lost = coarse.lost.max(fine.lost) + fine.rough;
        let of = |coarse: f64, fine: f64| trusted(coarse, fine, lost);
        let entry = |row: usize, column: usize| of(coarse.covariance[(row, column)], fine.covariance[(row, column)]);
        let covariance = (0..dimension).flat_map(|row| (0..dimension).map(move |column| (row, column)));
        let measures = fine.measures.iter().zip(&coarse.measures).map(|(fine, coarse)| {
            let value = match (fine.value, coarse.value) {
                (Some(fine), Some(coarse)) => Ok(trusted_measure(coarse, fine, lost)),
                _ => Err(if fine.reason.is_empty() { coarse.reason } else { fine.reason }),
            };
            (fine.key, value)
        });
        Self {
            lost: fine.lost,
            mean: (0..dimension).map(|axis| of(coarse.mean[axis], fine.mean[axis])).collect(),
            covariance: covariance.map(|(row, column)| entry(row, column)).collect(),
            shares: coarse.shares.iter().zip(&fine.shares).map(|(coarse, fine)| of(*coarse, *fine)).collect(),
            measures: measures.collect(),
            cells,
        }
    }

    /// The value of a measure.
    #[must_use]
    pub fn measure(&self, key: &str) -> Option<Trusted> {
        self.measures.iter().find(|(of, _)| *of == key)?.1.ok()
    }
}
