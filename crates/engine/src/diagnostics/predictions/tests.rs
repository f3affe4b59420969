//! Distances against closed forms, and every measure with a value or a reason.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::diagnostics::hmc_reference::{Inputs, Reference, ReferencePlan, ReferenceRun};
use crate::diagnostics::predictive_formulas::{ClassPrediction, Weights};
use base::math::{Simd, normal_quantile};
use base::params::{Settings, find_kind};
use models::targets::network::{DataSet, Layout, Likelihood, Network, Noise, Prior};
use models::targets::{TARGETS, build};

fn normals(count: usize, mean: f64, sd: f64) -> Vec<f64> {
    (0..count).map(|i| mean + sd * normal_quantile((i as f64 + 0.5) / count as f64)).collect()
}

/// N(0, 1) and N(m, s²): the distance is |m| where s = 1, and (s − 1) E|z| = (s − 1)·0.79788 where m = 0.
#[test]
fn distances_of_normals_are_known() {
    let of =
        |mean, sd| distances((&[normals(999, 0.0, 1.0)], Weights::Equal), (&[normals(1500, mean, sd)], Weights::Equal));
    let moved = of(0.3, 1.0);
    assert!((moved.w1 - 0.3).abs() < 1e-3 && (moved.mean - 0.3).abs() < 1e-3, "{moved:?}");
    let wider = of(0.0, 1.5);
    // 200 probabilities leave out the tails beyond 0.0025.
    assert!((wider.w1 - 0.5 * 0.797_884_6).abs() < 4e-3 && wider.mean < 1e-9, "{wider:?}");
}

#[test]
fn weights_count_as_repetitions_and_inputs_are_averaged() {
    let few = [vec![0.0, 1.0, 5.0]];
    let many = [[vec![0.0; 200], vec![1.0; 100], vec![5.0; 100]].concat()];
    let weighted = distances((&few, Weights::Each(&[2.0, 1.0, 1.0])), (&many, Weights::Equal));
    assert!(weighted.mean < 1e-12, "{weighted:?}");
    let same =
        |by: f64| distances((&[vec![1.0], vec![2.0 + by]], Weights::Equal), (&[vec![1.0], vec![2.0]], Weights::Equal));
    assert_eq!(same(0.0), Distances { w1: 0.0, mean: 0.0 });
    assert!((same(0.5).w1 - 0.25).abs() < 1e-12 && (same(0.5).mean - 0.25).abs() < 1e-12);
}

fn reference() -> Reference {
    let target = build(&Settings::defaults(find_kind(&TARGETS, "linear-regression").unwrap()), Path::new("")).unwrap();
    let model = target.model().unwrap();
    let mut unit = vec![0.0; 10];
    unit[0] = 1.0;
    let plan = ReferencePlan { chains: 8, warm_up: 100, draws: 200, rows: 200, seed: 1 };
    let mut run = ReferenceRun::new(model, Inputs { probes: unit, fine: Vec::new() }, plan, Simd::widest()).unwrap();
    run.advance(model, u64::MAX);
    run.reference()
}

fn value(measures: &[Measure], key: &str) -> Measure {
    measures.iter().find(|one| one.key == key).unwrap().clone()
}

#[test]
fn every_measure_has_a_value_or_a_reason() {
    let reference = Arc::new(reference());
    let drawn = [reference.trace(0).concat()];
    let (f, weights) = (drawn[0].clone(), vec![1.0; drawn[0].len()]);
    let targets = vec![reference.probes[0].mean + 0.1];
    let tested = Tested { name: "in", f, variances: Vec::new(), weights, targets };
    let chains: Vec<Vec<f64>> = reference.trace(0).into_iter().map(<[f64]>::to_vec).collect();
    let source = DrawSource::Chains { functions: vec![chains.clone()], weights: vec![chains] };
    let known = KnownReference::new(reference.clone(), Kind::Regression, true);
    let predictions = Predictions::Values { noise_sd: 0.5, tests: vec![tested] };
    let input = PredictionInput {
        probes: &drawn,
        weights: Weights::Equal,
        predictions: &predictions,
        source: &source,
        reference: Some(&known),
    };
    let measures = measure_predictions(&input);
    assert!(measures.iter().map(|one| one.key).eq(measures_of(Kind::Regression).map(|spec| spec.key)));
    assert!(measures.iter().all(|one| one.value.is_some() == one.reason.is_empty()));
    let w1 = value(&measures, "w1_functions");
    assert!(w1.value.unwrap() < 1e-12, "the draws of the reference themselves");
    let floor = w1.floor.unwrap();
    // A chain of some 100 effective draws of an sd of about 0.05: its mean is off by some thousandths.
    assert!(floor.low > 0.0 && floor.mean < 0.3 * reference.probes[0].sd && floor.high >= floor.mean, "{floor:?}");
    assert!((value(&measures, "rmse_in").value.unwrap() - 0.1).abs() < 1e-3);
    assert_eq!(value(&measures, "coverage_in").value, Some(1.0));
    assert_eq!(value(&measures, "nll_gap").reason, NO_TESTS);
    assert!(
        (value(&measures, "rhat_functions").value.unwrap() - value(&measures, "rhat_weights").value.unwrap()).abs()
            < 1e-12
    );
    // The only datum is a fifth of the predictive sd from the mean: inside the intervals of probability 0.2 and more.
    let calibration = calibration(&input).unwrap();
    assert!(calibration.points.iter().all(|point| (point.found > 0.5) == (point.said > 0.17)), "{calibration:?}");
    let bare = KnownReference::new(reference, Kind::Regression, false);
    let without = PredictionInput { reference: Some(&bare), ..input.clone() };
    assert!(value(&measure_predictions(&without), "w1_functions").floor.is_none());
    let fit = PredictionInput { source: &DrawSource::Fit, reference: None, ..input.clone() };
    let measures = measure_predictions(&fit);
    assert!(value(&measures, "w1_functions").reason.starts_with("no HMC reference yet"));
    assert!(value(&measures, "w1_functions").floor.is_none() && value(&measures, "rhat_functions").value.is_none());
    let nothing = PredictionInput { probes: &[], ..input };
    assert!(measure_predictions(&nothing).iter().take(6).all(|one| one.reason == "no draws yet"));
}

/// A short reference for the inputs of two classes, or of more.
fn of_classes(classes: usize) -> Arc<Reference> {
    let outputs = if classes == 2 { 1 } else { classes };
    let likelihood = if classes == 2 { Likelihood::Bernoulli } else { Likelihood::Categorical };
    let data = DataSet::Blobs { classes, count: 10, sd: 0.5 }.train(Noise::Lattice);
    let layout = Layout::new(&[2, 2, outputs]).unwrap();
    let network = Network::new(layout, Prior::unit(1.0), likelihood, data).unwrap();
    let plan = ReferencePlan { chains: 4, warm_up: 60, draws: 50, rows: 50, seed: 2 };
    let inputs = Inputs { probes: vec![-1.0, 0.0, 0.5, 0.5, 1.0, -1.0], fine: Vec::new() };
    let mut run = ReferenceRun::new(&network, inputs, plan, Simd::widest()).unwrap();
    run.advance(&network, u64::MAX);
    Arc::new(run.reference())
}

/// The probabilities of classes from outputs, by the definition.
fn softmax(f: &[f64]) -> Vec<f64> {
    let f = if f.len() == 1 { vec![0.0, f[0]] } else { f.to_vec() };
    let sum: f64 = f.iter().map(|f| libm::exp(*f)).sum();
    f.iter().map(|f| libm::exp(*f) / sum).collect()
}

/// Agreement and total variation, and their floors, against sums over draws one by one.
#[test]
fn classes_are_compared_with_the_reference_by_their_probabilities() {
    for classes in [2, 3] {
        let reference = of_classes(classes);
        let outputs = if classes == 2 { 1 } else { classes };
        let traces: Vec<Vec<&[f64]>> = (0..3 * outputs).map(|value| reference.trace(value)).collect();
        let mean = |probe: usize, used: &dyn Fn(usize) -> bool| -> Vec<f64> {
            let draws = (0..4).filter(|chain| used(*chain)).flat_map(|chain| (0..50).map(move |draw| (chain, draw)));
            let each: Vec<Vec<f64>> = draws
                .map(|(chain, draw)| {
                    softmax(&(0..outputs).map(|c| traces[probe * outputs + c][chain][draw]).collect::<Vec<_>>())
                })
                .collect();
            (0..classes).map(|c| each.iter().map(|p| p[c]).sum::<f64>() / each.len() as f64).collect()
        };
        let distance = |used: &dyn Fn(usize) -> bool, others: &dyn Fn(usize) -> bool| -> f64 {
            let one = |probe| {
                mean(probe, used).iter().zip(mean(probe, others)).map(|(p, q)| 0.5 * (p - q).abs()).sum::<f64>()
            };
            (0..3).map(one).sum::<f64>() / 3.0
        };
        let all: Vec<ClassPrediction> = (0..3).map(|probe| ClassPrediction::new(mean(probe, &|_| true), 0.0)).collect();
        let own: Vec<ClassPrediction> =
            (0..3).map(|probe| ClassPrediction::new(mean(probe, &|c| c == 1), 0.0)).collect();
        let known = KnownReference::new(reference.clone(), Kind::Classification(classes), true);
        for (found, expected) in known.classes.iter().zip(&all) {
            assert!(found.probabilities.iter().zip(&expected.probabilities).all(|(p, q)| (p - q).abs() < 1e-12));
        }
        let classified = Classified::new(classes, own, Vec::new(), Vec::new());
        let predictions = Predictions::Classes(classified);
        let probes: Vec<Vec<f64>> = traces.iter().map(|chains| chains.concat()).collect();
        let input = PredictionInput {
            probes: &probes,
            weights: Weights::Equal,
            predictions: &predictions,
            source: &DrawSource::Fit,
            reference: Some(&known),
        };
        let measures = measure_predictions(&input);
        assert!(measures.iter().map(|one| one.key).eq(measures_of(Kind::Classification(classes)).map(|spec| spec.key)));
        let tv = value(&measures, "tv_classes");
        assert!((tv.value.unwrap() - distance(&|c| c == 1, &|_| true)).abs() < 1e-12);
        let floor = (0..4).map(|one| distance(&|c| c == one, &|c| c != one)).sum::<f64>() / 4.0;
        assert!((tv.floor.unwrap().mean - floor).abs() < 1e-12 && floor > 0.0);
        assert!((0.0..=1.0).contains(&value(&measures, "agreement").value.unwrap()));
        assert_eq!(value(&measures, "error_in").reason, NO_TESTS);
        assert!(calibration(&input).is_none());
    }
}

/// Scores of four predictions, of which one is wrong.
#[test]
fn classes_are_scored_on_test_data() {
    let tests: Vec<ClassPrediction> =
        [0.9, 0.2, 0.6, 0.97].map(|p| ClassPrediction::new(vec![1.0 - p, p], 0.1)).to_vec();
    let classified = Classified::new(2, tests.clone(), tests, vec![1, 0, 0, 1]);
    let predictions = Predictions::Classes(classified);
    let input = PredictionInput {
        probes: &[vec![0.0]],
        weights: Weights::Equal,
        predictions: &predictions,
        source: &DrawSource::Fit,
        reference: None,
    };
    let measures = measure_predictions(&input);
    let of = |key: &str| value(&measures, key).value.unwrap();
    let ln = |p: f64| libm::log(p);
    let entropy = |p: f64| -(p * ln(p) + (1.0 - p) * ln(1.0 - p));
    let entropies = [0.9, 0.2, 0.6, 0.97].map(entropy);
    for (key, expected) in [
        ("error_in", 0.25),
        ("nll_in", -(ln(0.9) + ln(0.8) + ln(0.4) + ln(0.97)) / 4.0),
        ("brier_in", (0.01 + 0.04 + 0.36 + 0.0009) / 4.0),
        ("ece_in", (0.1 + 0.2 + 0.6 + 0.03) / 4.0),
        ("entropy_in", entropies.iter().sum::<f64>() / 4.0),
        ("information_in", entropies.iter().map(|h| h - 0.1).sum::<f64>() / 4.0),
    ] {
        assert!((of(key) - expected).abs() < 1e-12, "{key}: {} {expected}", of(key));
    }
    let found = calibration(&input).unwrap();
    let said: Vec<f64> = found.points.iter().map(|point| point.said).collect();
    assert_eq!((found.lowest, said), (0.5, vec![0.6, 0.8, 0.9, 0.97]));
    assert!((found.error - of("ece_in")).abs() < 1e-15);
    assert!(value(&measures, "tv_classes").reason.starts_with("no HMC reference yet"));
    let none = measure_predictions(&PredictionInput { probes: &[], ..input });
    assert!(["error_in", "nll_in", "ece_in"].iter().all(|key| value(&none, key).reason == "no draws yet"));
}
