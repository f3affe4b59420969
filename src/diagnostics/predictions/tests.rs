//! Distances against closed forms, and every measure with a value or a reason.

use std::path::Path;

use super::*;
use crate::diagnostics::predictive::Weights;
use crate::diagnostics::reference::{Inputs, Plan, Reference, ReferenceRun};
use crate::math::{Simd, normal_quantile};
use crate::params::{Settings, find_kind};
use crate::targets::{TARGETS, build};

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
    let model = target.model().unwrap().model;
    let mut unit = vec![0.0; 10];
    unit[0] = 1.0;
    let plan = Plan { chains: 8, warm_up: 100, draws: 200, rows: 200, seed: 1 };
    let mut run = ReferenceRun::new(model, Inputs { probes: unit, fine: Vec::new() }, plan, Simd::widest()).unwrap();
    run.advance(model, u64::MAX);
    run.reference()
}

#[test]
fn every_measure_has_a_value_or_a_reason() {
    let reference = reference();
    let drawn = [reference.trace(0).concat()];
    let tested = Tested { name: "in", f: drawn[0].clone(), targets: vec![reference.probes[0].mean + 0.1] };
    let chains: Vec<Vec<f64>> = reference.trace(0).into_iter().map(<[f64]>::to_vec).collect();
    let behind = Behind::Chains { functions: vec![chains.clone()], weights: vec![chains] };
    let input = PredictionInput {
        probes: &drawn,
        weights: Weights::Equal,
        tests: &[tested],
        noise_sd: 0.5,
        behind: &behind,
        reference: Some(&reference),
    };
    let floors = floor(&reference);
    let measures = measure_predictions(&input, floors);
    let value = |measures: &[Measure], key: &str| measures.iter().find(|one| one.key == key).unwrap().clone();
    assert!(measures.iter().map(|one| one.key).eq(PREDICTION_MEASURES.iter().map(|spec| spec.key)));
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
    let fit = PredictionInput { behind: &Behind::Fit, reference: None, ..input.clone() };
    let measures = measure_predictions(&fit, floors);
    assert!(value(&measures, "w1_functions").reason.starts_with("no HMC reference yet"));
    assert!(value(&measures, "w1_functions").floor.is_none() && value(&measures, "rhat_functions").value.is_none());
    let nothing = PredictionInput { probes: &[], ..input };
    assert!(measure_predictions(&nothing, None).iter().take(6).all(|one| one.reason == "no draws yet"));
}
