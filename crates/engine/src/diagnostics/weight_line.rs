//! Loss along the straight line between two weight vectors of a network: θ(λ) = (1 − λ)θ_a + λθ_b, λ from 0 to 1.
//!
//! Zhang, Li, Zhang, Chen and Wilson (2020, arXiv:1902.03932), figure 5b, look along such lines between draws for a barrier. The loss
//! is the negative log likelihood in nats; what the functions on the way are worth on other data is a second curve. A copy of the
//! same function with exchanged hidden units is far away in weight space, so that a barrier may be one of labels alone: the line to
//! [`Network::aligned`] weights shows what is left of it.

use super::path::barrier;
use super::predictive_formulas::{ClassPrediction, Weights};
use base::math::{Coords, Simd};
use models::targets::network::{Likelihood, Network, Observations};

/// Number of points on a line, both ends among them.
pub const PLACES: usize = 41;

/// The losses along a line.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightPath {
    /// −log p(data|θ) in nats at T = 1, normalised, at λ = 0, 1/40, …, 1; ∞ where it is not a number.
    pub losses: Vec<f64>,
    /// The error on other data at the same points: root mean square of y − f, or the share of wrong classes.
    pub errors: Vec<f64>,
}

impl WeightPath {
    /// From `a` (λ = 0) to `b` (λ = 1), with errors on `tests`.
    #[must_use]
    pub fn between(network: &Network, tests: &Observations, a: &[f64], b: &[f64]) -> Self {
        let at = line(a, b);
        let mut losses = vec![0.0; at.len()];
        network.log_likelihoods(Simd::widest(), &at, &mut Vec::new(), &mut losses);
        losses.iter_mut().for_each(|loss| *loss = if loss.is_nan() { f64::INFINITY } else { -*loss });
        Self { losses, errors: errors(network, tests, &at) }
    }

    /// Through `at` (λ = ½), from one length of `direction` before it (λ = 0) to one after it (λ = 1), with errors on `tests`.
    #[must_use]
    pub fn through(network: &Network, tests: &Observations, at: &[f64], direction: &[f64]) -> Self {
        let moved = |by: f64| at.iter().zip(direction).map(|(at, step)| at + by * step).collect::<Vec<f64>>();
        Self::between(network, tests, &moved(-1.0), &moved(1.0))
    }

    /// How far the loss rises above the higher of its ends, in nats: 0 where it does not. `None` if an end is not finite.
    #[must_use]
    pub fn barrier(&self) -> Option<f64> {
        barrier(&self.losses)
    }
}

/// The points of a line, the ends themselves among them.
fn line(a: &[f64], b: &[f64]) -> Coords {
    let mut at = Coords::zeros(a.len(), PLACES);
    for index in 0..PLACES {
        let share = index as f64 / (PLACES - 1) as f64;
        let point: Vec<f64> = a.iter().zip(b).map(|(a, b)| (1.0 - share) * a + share * b).collect();
        at.set(index, &point);
    }
    at
}

/// The error of every weight vector on data: root mean square of y − f, or the share of wrong classes.
#[must_use]
pub fn errors(network: &Network, data: &Observations, at: &Coords) -> Vec<f64> {
    let (outputs, count) = (network.layout().outputs(), at.len());
    let inputs = data.inputs.len() / network.layout().inputs();
    let mut f = vec![0.0; inputs * outputs * count];
    network.outputs(Simd::widest(), at, &data.inputs, &mut Vec::new(), &mut f);
    let value = |input: usize, output: usize, vector: usize| f[(input * outputs + output) * count + vector];
    let square = |vector: usize| {
        let residuals = (0..inputs * outputs).map(|target| data.targets[target] - f[target * count + vector]);
        (residuals.map(|r| r * r).sum::<f64>() / (inputs * outputs) as f64).sqrt()
    };
    let wrong = |vector: usize| {
        let class = |input| class(&(0..outputs).map(|output| value(input, output, vector)).collect::<Vec<f64>>());
        let wrong = (0..inputs).filter(|input| (class(*input) as f64 - data.targets[*input]).abs() > 0.5);
        wrong.count() as f64 / inputs as f64
    };
    let gaussian = matches!(network.likelihood(), Likelihood::Gaussian { .. });
    (0..count).map(|vector| if gaussian { square(vector) } else { wrong(vector) }).collect()
}

/// The likeliest class, given the outputs of one draw at one input.
fn class(outputs: &[f64]) -> usize {
    ClassPrediction::of_outputs(outputs, outputs.len(), Weights::Equal).class()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::hmc_reference::{Inputs, ReferencePlan, ReferenceRun};
    use models::targets::network::{DataSet, Layout, Noise, Prior};

    fn gap() -> (Network, Observations) {
        let set = DataSet::GapSine { sd: 0.1 };
        let likelihood = Likelihood::Gaussian { sd: 0.1 };
        let prior = Prior::FanIn { weight: 2.0, bias: 1.0 };
        let network = Network::new(Layout::new(&[1, 10, 1]).unwrap(), prior, likelihood, set.train(Noise::Lattice));
        (network.unwrap(), set.tests(Noise::Lattice).remove(0).observations)
    }

    /// A network without hidden layers is a line: −log lik is a parabola along any path, and so is the square of the error.
    #[test]
    fn of_a_linear_function_the_loss_is_a_parabola() {
        let data = Observations::pairs(vec![-1.0, 0.5, 2.0], vec![0.3, -0.2, 1.0]);
        let likelihood = Likelihood::Gaussian { sd: 0.5 };
        let network = Network::new(Layout::new(&[1, 1]).unwrap(), Prior::unit(1.0), likelihood, data.clone()).unwrap();
        let (a, b) = ([1.0, -0.4], [-0.7, 0.9]);
        let path = WeightPath::between(&network, &data, &a, &b);
        assert_eq!((path.losses.len(), path.errors.len()), (PLACES, PLACES));
        for (index, (loss, error)) in path.losses.iter().zip(&path.errors).enumerate() {
            let share = index as f64 / 40.0;
            let [slope, offset] = [0, 1].map(|i| a[i] + share * (b[i] - a[i]));
            let squares: f64 =
                data.inputs.iter().zip(&data.targets).map(|(x, y)| (y - slope * x - offset).powi(2)).sum();
            let constant = 3.0 * (0.5 * std::f64::consts::TAU.ln() + 0.5_f64.ln());
            assert!((loss - (squares / (2.0 * 0.25) + constant)).abs() < 1e-12);
            assert!((error - (squares / 3.0).sqrt()).abs() < 1e-12);
        }
        // A parabola with its lowest point in between has no barrier.
        assert_eq!(path.barrier(), Some(0.0));
    }

    #[test]
    fn a_line_through_weights_has_them_in_its_middle() {
        let (network, tests) = gap();
        let theta: Vec<f64> = models::targets::network::lattice_start(network.layout(), network.prior_sds());
        let direction: Vec<f64> = theta.iter().map(|weight| 0.5 - weight).collect();
        let path = WeightPath::through(&network, &tests, &theta, &direction);
        for (index, by) in [(0, -1.0), (10, -0.5), (20, 0.0), (40, 1.0)] {
            let at: Vec<f64> = theta.iter().zip(&direction).map(|(at, step)| at + by * step).collect();
            let at = Coords::of(at.len(), [&at[..]].into_iter());
            let mut expected = [0.0];
            network.log_likelihoods(Simd::BASELINE, &at, &mut Vec::new(), &mut expected);
            assert!((path.losses[index] + expected[0]).abs() < 1e-9 * expected[0].abs(), "{by}");
            assert!((path.errors[index] - errors(&network, &tests, &at)[0]).abs() < 1e-12);
        }
    }

    #[test]
    fn shares_of_wrong_classes_and_ends_that_are_not_finite() {
        // The logit is w x: with w > 0 all labels are right, with w < 0 all are wrong; at f = 0 class 1 is said.
        let data = Observations { inputs: vec![-2.0, -1.0, 1.0, 3.0], targets: vec![0.0, 0.0, 1.0, 1.0] };
        let layout = Layout::new(&[1, 1]).unwrap();
        let network = Network::new(layout, Prior::unit(1.0), Likelihood::Bernoulli, data.clone()).unwrap();
        let path = WeightPath::between(&network, &data, &[1.0, 0.0], &[-1.0, 0.0]);
        let found = [0, 19, 20, 21, 40].map(|index| path.errors[index]).to_vec();
        assert_eq!(found, [0.0, 0.0, 0.5, 1.0, 1.0]);
        assert_eq!(WeightPath::between(&network, &data, &[1.0, 0.0], &[f64::NAN, 0.0]).barrier(), None);
        // Of three classes, with outputs −x, 0.5 and x.
        let layout = Layout::new(&[1, 3]).unwrap();
        let data = Observations { inputs: vec![-2.0, 0.0, 2.0], targets: vec![0.0, 1.0, 0.0] };
        let network = Network::new(layout, Prior::unit(1.0), Likelihood::Categorical, data.clone()).unwrap();
        let at = Coords::of(6, [&[-1.0, 0.0, 1.0, 0.0, 0.5, 0.0][..]].into_iter());
        assert!((errors(&network, &data, &at)[0] - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn the_line_to_a_copy_has_a_barrier_that_alignment_takes_away() {
        let (network, tests) = gap();
        let theta: Vec<f64> = models::targets::network::lattice_start(network.layout(), network.prior_sds());
        let best = models::targets::network::adam(
            &network,
            &theta,
            models::targets::network::Adam { steps: 2000, rate: 0.01 },
        );
        // The units in the reverse order, all signs turned.
        let mut copy = best.clone();
        for unit in 0..10 {
            for from in [0, 10, 20] {
                copy[from + unit] = -best[from + 9 - unit];
            }
        }
        let straight = WeightPath::between(&network, &tests, &best, &copy);
        let aligned = WeightPath::between(&network, &tests, &best, &network.aligned(&copy, &best));
        assert!(straight.barrier().unwrap() > 500.0 && straight.errors[20] > 0.3, "{straight:?}");
        assert!(aligned.barrier().unwrap() < 1e-9, "{aligned:?}");
    }

    /// Independent draws of HMC, and draws of the same chain some 25 iterations apart: medians of the barrier. The stated ones are
    /// 2525 nats, 88 with hidden units matched, and 291.
    #[test]
    fn barriers_between_hmc_draws_are_the_stated_ones() {
        let (network, tests) = gap();
        let plan = ReferencePlan { chains: 16, warm_up: 1000, draws: 500, rows: 8, seed: 0 };
        let mut run = ReferenceRun::new(&network, Inputs::default(), plan, Simd::widest()).unwrap();
        run.advance(&network, u64::MAX);
        // Every fourth draw is kept.
        let rows = run.reference().vectors;
        assert_eq!(rows.len(), 125);
        let vector = |row: usize, chain: usize| rows[row].vector(chain).collect::<Vec<f64>>();
        let barrier = |a: &[f64], b: &[f64]| WeightPath::between(&network, &tests, a, b).barrier().unwrap();
        let (mut straight, mut aligned, mut near) = (Vec::new(), Vec::new(), Vec::new());
        for row in (0..rows.len() - 6).step_by(6) {
            for chain in 0..16 {
                let (a, b) = (vector(row, chain), vector(row, (chain + 1 + row % 15) % 16));
                straight.push(barrier(&a, &b));
                aligned.push(barrier(&a, &network.aligned(&b, &a)));
                near.push(barrier(&a, &vector(row + 6, chain)));
            }
        }
        for (mut barriers, stated) in [(straight, 2525.0), (aligned, 88.0), (near, 291.0)] {
            barriers.sort_by(f64::total_cmp);
            let count = barriers.len();
            let median = barriers[count / 2];
            // Three standard errors √n/2 of the rank of the median, as if a quarter of the pairs were independent.
            let beside = 3 * count.isqrt();
            let (low, high) = (barriers[count / 2 - beside], barriers[count / 2 + beside]);
            assert!((low..=high).contains(&stated), "{median}, {low} to {high}, stated {stated}");
        }
    }
}
