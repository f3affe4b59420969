//! `w1_functions`, `mean_functions`: how far the draws of f are from those of the reference.
//!
//! The Wasserstein distance of f at an input is the mean of the differences of quantiles at 200 equally spaced
//! probabilities from 0.0025 to 0.9975; the distance of means is |f̄ − f̄_ref|. Both are averaged over the probes. Their floor is
//! what a chain of the reference has from the others.

use super::super::hmc_reference::Reference;
use super::super::predictive_formulas::Weights;
use super::super::{Better, MeasureSpec, NoiseFloor, Outcome, TOO_FAR_OUT};
use super::PredictionInput;

pub(super) const W1: MeasureSpec = MeasureSpec {
    key: "w1_functions",
    label: "W1 of f to HMC",
    help: "Wasserstein distance of the draws of f from those of the HMC reference, in units of y, averaged over 16 inputs. In brackets: \
           one chain of the reference from the others.",
    better: Better::Lower,
    headline: true,
    of_truth: false,
};

pub(super) const MEAN: MeasureSpec = MeasureSpec {
    key: "mean_functions",
    label: "Mean of f to HMC",
    help: "Distance of the mean of f from that of the HMC reference, in units of y, averaged over 16 inputs. In brackets: one \
           chain of the reference from the others.",
    better: Better::Lower,
    headline: false,
    of_truth: false,
};

/// Number of probabilities.
const QUANTILES: usize = 200;

/// Distances of functions, averaged over inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distances {
    /// The Wasserstein distance.
    pub w1: f64,
    /// The distance of means.
    pub mean: f64,
}

pub(super) fn w1(input: &PredictionInput<'_>) -> Outcome {
    of(input).map(|distances| distances.w1)
}

pub(super) fn mean(input: &PredictionInput<'_>) -> Outcome {
    of(input).map(|distances| distances.mean)
}

fn of(input: &PredictionInput<'_>) -> Result<Distances, &'static str> {
    let (reference, drawn) = (&input.known()?.reference, input.drawn()?);
    let known: Vec<Vec<f64>> = (0..drawn.len()).map(|probe| reference.trace(probe).concat()).collect();
    let found = distances((drawn, input.weights), (&known, Weights::Equal));
    if found.w1.is_finite() && found.mean.is_finite() { Ok(found) } else { Err(TOO_FAR_OUT) }
}

/// The distances between two sets of weighted draws at the same inputs, one vector of draws per input.
#[must_use]
pub fn distances(
    (one, of_one): (&[Vec<f64>], Weights<'_>),
    (other, of_other): (&[Vec<f64>], Weights<'_>),
) -> Distances {
    let mut sum = Distances { w1: 0.0, mean: 0.0 };
    for (one, other) in one.iter().zip(other) {
        let (a, b) = (quantiles(one, of_one), quantiles(other, of_other));
        sum.w1 += a.iter().zip(&b).map(|(a, b)| (a - b).abs()).sum::<f64>() / QUANTILES as f64;
        sum.mean += (of_one.mean(one.iter().copied()) - of_other.mean(other.iter().copied())).abs();
    }
    let count = one.len().min(other.len()) as f64;
    Distances { w1: sum.w1 / count, mean: sum.mean / count }
}

/// The quantiles of weighted draws. A draw stands for the middle of its share of the probability, and between two draws the
/// quantile is linear (type 5 of Hyndman and Fan 1996).
fn quantiles(draws: &[f64], weights: Weights<'_>) -> Vec<f64> {
    let weight = |index: usize| match weights {
        Weights::Equal => 1.0,
        Weights::Each(weights) => weights[index],
    };
    let mut sorted: Vec<(f64, f64)> = draws.iter().enumerate().map(|(index, draw)| (*draw, weight(index))).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = sorted.iter().map(|(_, weight)| weight).sum();
    let (mut number, mut below) = (0, 0.0);
    let middle = |number: usize, below: f64| (below + 0.5 * sorted[number].1) / total;
    let quantile = |index: usize| {
        let share = (index as f64 + 0.5) / QUANTILES as f64;
        while number + 1 < sorted.len() && middle(number + 1, below + sorted[number].1) <= share {
            below += sorted[number].1;
            number += 1;
        }
        let Some((low, weight)) = sorted.get(number) else { return f64::NAN };
        let from = middle(number, below);
        match sorted.get(number + 1) {
            Some((high, _)) if share > from => {
                let to = middle(number + 1, below + weight);
                low + (high - low) * (share - from) / (to - from)
            }
            _ => *low,
        }
    };
    (0..QUANTILES).map(quantile).collect()
}

/// The distances of each chain of a reference from the others, as floors of both measures; `None` without draws.
pub(super) fn floor(reference: &Reference) -> Option<[NoiseFloor; 2]> {
    let probes = reference.probes.len();
    let one = |chain: usize| {
        let alone: Vec<Vec<f64>> = (0..probes).map(|probe| reference.trace(probe)[chain].to_vec()).collect();
        let others = |probe| {
            let chains = reference.trace(probe);
            [&chains[..chain], &chains[chain + 1..]].concat().concat()
        };
        let others: Vec<Vec<f64>> = (0..probes).map(others).collect();
        distances((&alone, Weights::Equal), (&others, Weights::Equal))
    };
    if reference.draws == 0 || reference.chains < 2 {
        return None;
    }
    let all: Vec<Distances> = (0..reference.chains).map(one).collect();
    let of = |value: fn(&Distances) -> f64| NoiseFloor::of_values(all.iter().map(value));
    Some([of(|one| one.w1)?, of(|one| one.mean)?])
}
