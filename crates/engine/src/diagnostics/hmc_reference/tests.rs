//! References against a closed form, and against themselves with other numbers of iterations per call.

use std::path::Path;
use std::sync::Arc;

use super::*;
use base::params::{Settings, Value, find_kind};
use models::targets::network::{Layout, Likelihood, Network, Observations, Prior};
use models::targets::{TARGETS, Target, build};

const SHORT: ReferencePlan = ReferencePlan { chains: 10, warm_up: 200, draws: 500, rows: 500, seed: 3 };

fn linear_regression() -> Arc<Target> {
    let mut settings = Settings::defaults(find_kind(&TARGETS, "linear-regression").unwrap());
    settings.set("dimension", Value::Number(6.0)).unwrap();
    build(&settings, Path::new("")).unwrap()
}

fn computed(model: &dyn Model, inputs: Inputs, plan: ReferencePlan, calls: &[u64], simd: Simd) -> Reference {
    let mut run = ReferenceRun::new(model, inputs, plan, simd).unwrap();
    for iterations in calls.iter().cycle() {
        if run.finished() {
            break;
        }
        run.advance(model, *iterations);
    }
    run.reference()
}

/// f at the unit vectors are the weights, whose posterior is known. Deviations are within 4 standard errors: one in 4000
/// seeds fails.
#[test]
fn a_linear_regression_has_its_closed_form() {
    let target = linear_regression();
    let model = target.model().unwrap();
    let mut units = vec![0.0; 12];
    (units[0], units[7]) = (1.0, 1.0);
    let inputs = Inputs { probes: units.clone(), fine: units };
    let reference = computed(model, inputs, SHORT, &[u64::MAX], Simd::widest());
    let info = target.info();
    for axis in 0..2 {
        let (found, errors) = (reference.probes[axis], reference.errors(axis).unwrap());
        let sd = info.covariance[(axis, axis)].sqrt();
        assert!((found.mean - info.mean[axis]).abs() < 4.0 * errors.mean, "{found:?} {errors:?}");
        assert!((found.sd - sd).abs() < 4.0 * errors.sd, "{found:?} {errors:?}, not {sd}");
        assert!(errors.mean < 0.05 * sd && errors.sd < 0.05 * sd);
    }
    assert_eq!((reference.draws, &reference.fine), (500, &reference.probes));
    assert!(reference.rhat.unwrap() < 1.01 && reference.ess.unwrap() > 1000.0);
    let acceptance = reference.acceptance.iter().sum::<f64>() / 10.0;
    // 5000 proposals, and a step size that is known to some percent.
    assert!((acceptance - 0.8).abs() < 0.06, "{acceptance}");
    // What is kept are draws: their functions are those of the trace at the same iterations.
    let rows = reference.vectors.len();
    assert!(rows * 10 <= KEPT_VECTORS && rows * 10 > KEPT_VECTORS / 4, "{rows}");
    let apart = 500_usize.div_ceil(rows).next_power_of_two();
    for (row, vectors) in reference.vectors.iter().enumerate() {
        assert!((vectors.get(4, 0) - reference.trace(0)[4][row * apart]).abs() < 1e-12);
    }
}

#[test]
fn slices_and_instruction_sets_make_no_difference() {
    let data = Observations::pairs(vec![-1.0, -0.2, 0.4, 1.1], vec![0.3, -0.5, 0.2, 0.9]);
    let (layout, noise) = (Layout::new(&[1, 3, 1]).unwrap(), Likelihood::Gaussian { sd: 0.3 });
    let network = Network::new(layout, Prior::unit(1.0), noise, data).unwrap();
    let inputs = || Inputs { probes: vec![-1.0, 0.0, 2.0], fine: vec![0.5] };
    let plan = ReferencePlan { chains: 11, warm_up: 30, draws: 40, rows: 16, seed: 1 };
    let bits = |calls: &[u64], simd| {
        let reference = computed(&network, inputs(), plan, calls, simd);
        let traces: Vec<f64> = (0..3).flat_map(|probe| reference.trace(probe).concat()).collect();
        let moments = reference.probes.iter().chain(&reference.fine).flat_map(|moments| [moments.mean, moments.sd]);
        let vectors = reference.vectors.iter().flat_map(|vectors| vectors.values().to_vec());
        let all = traces.into_iter().chain(moments).chain(vectors).chain([reference.step_size]);
        all.map(f64::to_bits).collect::<Vec<_>>()
    };
    let at_once = bits(&[u64::MAX], Simd::BASELINE);
    assert_eq!(at_once, bits(&[1], Simd::widest()));
    assert_eq!(at_once, bits(&[7, 1, 29], Simd::widest()));
    let other = computed(&network, inputs(), ReferencePlan { seed: 2, ..plan }, &[1], Simd::BASELINE);
    assert_ne!(at_once.last(), Some(&other.step_size.to_bits()));
}

#[test]
fn what_has_no_functions_or_no_complete_inputs_has_no_reference() {
    let gaussian = build(&Settings::defaults(find_kind(&TARGETS, "gaussian").unwrap()), Path::new("")).unwrap();
    let of = |model: &dyn Model, probes: Vec<f64>| {
        ReferenceRun::new(model, Inputs { probes, fine: Vec::new() }, SHORT, Simd::BASELINE).err()
    };
    assert_eq!(of(gaussian.model().unwrap(), Vec::new()), Some("the target is no posterior of functions"));
    let target = linear_regression();
    let model = target.model().unwrap();
    assert_eq!(of(model, vec![1.0; 7]), Some("an input is not complete"));
    assert_eq!(of(model, vec![1.0; 6]), None);
}

#[test]
fn before_the_first_draw_there_is_nothing_to_say() {
    let target = linear_regression();
    let model = target.model().unwrap();
    let mut run =
        ReferenceRun::new(model, Inputs { probes: vec![1.0; 6], fine: vec![] }, SHORT, Simd::widest()).unwrap();
    run.advance(model, 20);
    assert_eq!((run.made(), run.finished()), ((20, 700), false));
    let reference = run.reference();
    assert!(
        reference.draws == 0 && reference.rhat.is_err() && reference.errors(0).is_err() && reference.vectors.is_empty()
    );
}
