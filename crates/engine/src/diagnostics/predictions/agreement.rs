//! `agreement`, `tv_classes`: how near the probabilities of classes are to those of the reference (P. Izmailov et al. 2021,
//! arXiv:2104.14421, section 4).
//!
//! The agreement is the share of probes at which both have the same most probable class, the total variation ½ Σ_c |p̄_c − p̄_ref,c|
//! on average over probes. Their floor is what a chain of the reference has with the others.

use super::super::hmc_reference::Reference;
use super::super::predictive_formulas::{ClassPrediction, Weights};
use super::super::{Better, MeasureSpec, NoiseFloor, Outcome};
use super::PredictionInput;
use super::input::finite;
use models::targets::outputs_of;

pub(super) const AGREEMENT: MeasureSpec = MeasureSpec {
    key: "agreement",
    label: "Agreement with HMC",
    help: "Share of 25 places over the map at which the most probable class is that of the HMC reference. In brackets: one chain of the \
           reference with the others.",
    better: Better::Higher,
    headline: false,
    of_truth: false,
};

pub(super) const TV: MeasureSpec = MeasureSpec {
    key: "tv_classes",
    label: "TV to HMC",
    help: "Total variation distance of the probabilities of classes from those of the HMC reference, averaged over 25 places of the map. \
           In brackets: one chain of the reference from the others.",
    better: Better::Lower,
    headline: true,
    of_truth: false,
};

pub(super) fn agreement(input: &PredictionInput<'_>) -> Outcome {
    against(input, shared)
}

pub(super) fn tv(input: &PredictionInput<'_>) -> Outcome {
    against(input, distance)
}

/// Compares predictions at the probes with those of the reference.
fn against(input: &PredictionInput<'_>, compare: fn(&[ClassPrediction], &[ClassPrediction]) -> f64) -> Outcome {
    let known = input.known()?;
    finite(compare(&input.classified()?.probes, &known.classes))
}

/// The share of equal classes.
fn shared(one: &[ClassPrediction], other: &[ClassPrediction]) -> f64 {
    let same =
        |(one, other): (&ClassPrediction, &ClassPrediction)| if one.class() == other.class() { 1.0 } else { 0.0 };
    Weights::Equal.mean(one.iter().zip(other).map(same))
}

/// The total variation distance, averaged.
fn distance(one: &[ClassPrediction], other: &[ClassPrediction]) -> f64 {
    let gap = |(p, q): (&f64, &f64)| (p - q).abs();
    let distance = |(one, other): (&ClassPrediction, &ClassPrediction)| {
        0.5 * one.probabilities.iter().zip(&other.probabilities).map(gap).sum::<f64>()
    };
    Weights::Equal.mean(one.iter().zip(other).map(distance))
}

/// The predictions of each chain of a reference at its probes; none without draws.
pub(super) fn chains(reference: &Reference, classes: usize) -> Vec<Vec<ClassPrediction>> {
    let outputs = outputs_of(classes);
    let at = |chain: usize, probe: usize| {
        let draws = |value: usize| reference.trace(value)[chain].iter().copied();
        let f: Vec<f64> = (probe * outputs..(probe + 1) * outputs).flat_map(draws).collect();
        ClassPrediction::of_outputs(&f, classes, Weights::Equal)
    };
    let probes = reference.probes.len() / outputs;
    let one = |chain| (0..probes).map(|probe| at(chain, probe)).collect();
    (0..reference.chains).filter(|_| reference.draws > 0).map(one).collect()
}

/// The predictions of several chains together, which have equally many draws.
pub(super) fn pooled(chains: &[&[ClassPrediction]]) -> Vec<ClassPrediction> {
    let Some(first) = chains.first() else { return Vec::new() };
    let at = |probe: usize| {
        let of =
            |value: &dyn Fn(&ClassPrediction) -> f64| Weights::Equal.mean(chains.iter().map(|all| value(&all[probe])));
        let classes = first[probe].probabilities.len();
        let probabilities = (0..classes).map(|class| of(&|one| one.probabilities[class])).collect();
        ClassPrediction::new(probabilities, of(&|one| one.aleatoric))
    };
    (0..first.len()).map(at).collect()
}

/// The agreement and the distance of each chain of a reference with the others, as floors of both measures; `None` of fewer
/// than two chains.
pub(super) fn floor(chains: &[&[ClassPrediction]]) -> Option<[NoiseFloor; 2]> {
    if chains.len() < 2 {
        return None;
    }
    let against = |compare: fn(&[ClassPrediction], &[ClassPrediction]) -> f64| {
        let one = |number: usize| {
            let others = [&chains[..number], &chains[number + 1..]].concat();
            compare(chains[number], &pooled(&others))
        };
        NoiseFloor::of_values((0..chains.len()).map(one))
    };
    Some([against(shared)?, against(distance)?])
}
