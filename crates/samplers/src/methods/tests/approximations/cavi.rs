//! Tests of coordinate ascent, step by step.

use super::super::super::{FitRecord, FitState, Memory};
use super::{Driven, driven, method, near, target};
use base::math::{Distribution, Point};
use base::params::Value;

fn value(record: &FitRecord) -> f64 {
    let elbo = record.elbo.unwrap();
    assert!(elbo.standard_error.to_bits() == 0);
    elbo.value
}

/// By hand: the path from (−3, 3) at ρ = 0.9, one coordinate at a time, and an error that shrinks by ρ² per sweep.
#[test]
fn a_narrow_gaussian_is_approached_along_the_axes() {
    let (cavi, target) = (method("cavi", &[]), target("gaussian", &[("correlation", Value::Number(0.9))]));
    let driven = driven(cavi.as_ref(), target.as_ref(), [-3.0, 3.0], 400);
    for (at, stated) in driven.path.iter().zip([[2.7, 3.0], [2.7, 2.43], [2.187, 2.43], [2.187, 1.9683]]) {
        assert!((at - Point::from(stated)).amax() < 1e-14, "{at}");
    }
    for (step, at) in driven.path.iter().enumerate().take(150) {
        let expected = 3.0 * 0.9_f64.powi(i32::try_from(step).unwrap() + 1);
        near("the coordinate that moves", at[step % 2], expected, 1e-13);
    }
    let record = driven.record();
    assert_eq!(record.state, FitState::Converged);
    near("ELBO", value(record), -0.830_37, 1e-5);
    near("variance", record.distribution.unwrap().covariance().m11, 0.19, 1e-15);
}

/// The bound never falls, except by rounding; it is the bound of the recorded distribution; each step costs one pass
/// over all data. After convergence, steps cost nothing and change no bit.
#[test]
fn the_bound_rises_until_nothing_changes() {
    for (name, steps) in [("gaussian", 700), ("normal-gamma", 100), ("bivariate-mixture", 4000)] {
        let (cavi, target) = (method("cavi", &[]), target(name, &[]));
        let driven = driven(cavi.as_ref(), target.as_ref(), [-0.5, 1.5], steps);
        let trail = &driven.chains.fits[0].trail;
        let converged_at = trail.iter().position(|record| record.state == FitState::Converged).unwrap();
        for (step, records) in trail.windows(2).enumerate() {
            let [before, after] = records else { panic!() };
            assert!(value(after) >= value(before) - 1e-12 * value(before).abs(), "{name}, step {step}");
            if step >= converged_at {
                assert_eq!(before, after, "{name}");
            } else {
                near(name, after.evaluations, before.evaluations + 1.0, 0.0);
                near(name, value(after), target.conjugacy().unwrap().elbo(&after.distribution.unwrap()), 0.0);
            }
        }
        assert!(converged_at > 3 && value(driven.record()) <= target.info().log_normaliser, "{name}");
    }
}

/// Computed independently, from E τ = 1: the bounds after the first sweeps and at convergence; the same if samplers use ln τ.
#[test]
fn mean_and_precision() {
    for boundary in ["reflect", "log", "none"] {
        let (cavi, target) = (method("cavi", &[]), target("normal-gamma", &[("boundary", Value::Choice(boundary))]));
        let driven = driven(cavi.as_ref(), target.as_ref(), [0.0, 1.0], 60);
        let trail = &driven.chains.fits[0].trail;
        let bounds = [-13.827_936_58, -13.778_740_03, -13.778_347_21, -13.778_344_83];
        for (sweep, stated) in bounds.into_iter().enumerate() {
            near("bound", value(&trail[2 * sweep + 1]), stated, 5e-9);
        }
        let end = driven.record();
        near("bound", value(end), -13.778_344_81, 5e-9);
        let Some(Distribution::NormalGamma { mean, precision, shape, rate }) = end.distribution else {
            panic!("{end:?}")
        };
        near("a", shape, 6.5, 0.0);
        near("μ", mean, 0.872_727_27, 5e-9);
        near("λ", precision, 17.006_324_67, 5e-9);
        near("b", rate, 4.204_318_18, 5e-9);
        assert_eq!(end.state, FitState::Converged);
    }
}

/// A round Gaussian needs one sweep, and two more updates to find that nothing changes.
#[test]
fn a_round_gaussian_takes_one_sweep() {
    let (cavi, target) = (method("cavi", &[]), target("gaussian", &[("correlation", Value::Number(0.0))]));
    let driven = driven(cavi.as_ref(), target.as_ref(), [-3.0, 3.0], 10);
    assert_eq!(driven.path[..2], [Point::new(0.0, 3.0), Point::zeros()]);
    let states: Vec<_> = driven.chains.fits[0].trail.iter().take(5).map(|record| record.state).collect();
    let (moving, converged) = (FitState::Moving, FitState::Converged);
    assert_eq!(states, [moving, moving, moving, converged, converged]);
    near("cost", driven.record().evaluations, 4.0, 0.0);
}

/// If the distribution comes from another method, or the chain has been moved, the fit starts with a new product; a
/// suitable product is kept.
#[test]
fn unsuitable_distributions_are_replaced() {
    let (cavi, target) = (method("cavi", &[]), target("gaussian", &[("correlation", Value::Number(0.9))]));
    let mut moved = driven(cavi.as_ref(), target.as_ref(), [-3.0, 3.0], 300);
    moved.chains.positions.set_point(0, Point::new(-3.0, 3.0));
    moved.advance(2, 1);
    let at = moved.chains.position(0);
    assert!((at - Point::new(2.7, 2.43)).amax() < 1e-14, "{at}");
    let correlated = Distribution::gaussian(2, at, target.info().covariance);
    moved.chains.fits[0].record.distribution = Some(correlated);
    moved.advance(1, 1);
    assert!(moved.record().distribution.unwrap().covariance().m12.to_bits() == 0);
}

/// In whatever state another method has ended, coordinate ascent starts: at its product, or at the initial product for
/// any other distribution. After its own convergence it stays.
#[test]
fn coordinate_ascent_continues_after_another_method() {
    let cavi = method("cavi", &[]);
    for (curvature, correlation) in [("diagonal", 0.9), ("full", 0.9), ("diagonal", 0.0)] {
        let laplace = method("laplace", &[("curvature", Value::Choice(curvature))]);
        let target = target("gaussian", &[("correlation", Value::Number(correlation))]);
        let mut driven = driven(laplace.as_ref(), target.as_ref(), [-3.0, 3.0], 20);
        assert_eq!(driven.record().state, FitState::Converged);
        assert!(matches!(driven.chains.fits[0].memory, Memory::Newton(_)));
        let before = driven.record().evaluations;
        driven.method = cavi.as_ref();
        driven.advance(1, 1);
        let (record, at) = (*driven.record(), driven.chains.position(0));
        near("cost", record.evaluations, before + 1.0, 0.0);
        assert!(at.amax() < 1e-14 && record.elbo.is_some() && record.log_evidence.is_none(), "{record:?}");
        driven.advance(20, 1);
        let end = *driven.record();
        assert_eq!(end.state, FitState::Converged);
        near("variance", end.distribution.unwrap().covariance().m11, 1.0 - correlation * correlation, 1e-14);
        driven.advance(1, 1);
        assert_eq!(*driven.record(), end);
    }
}

/// The same for final states without a distribution.
#[test]
fn final_states_without_a_distribution_do_not_stop_coordinate_ascent() {
    let (cavi, laplace) = (method("cavi", &[]), method("laplace", &[]));
    let target = target("gaussian", &[("correlation", Value::Number(0.9))]);
    let ends = [FitState::NotAPeak, FitState::Plateau, FitState::AtTheEdge, FitState::Diverged];
    for state in ends {
        let mut driven = Driven::new(laplace.as_ref(), target.as_ref(), 0, &[Point::new(-3.0, 3.0)]);
        driven.advance(1, 1);
        let fit = &mut driven.chains.fits[0];
        (fit.record.distribution, fit.record.state) = (None, state);
        driven.chains.positions.set_point(0, Point::new(-3.0, 3.0));
        driven.method = cavi.as_ref();
        driven.advance(2, 1);
        assert!((driven.chains.position(0) - Point::new(2.7, 2.43)).amax() < 1e-14, "{state:?}");
        assert_eq!(driven.record().state, FitState::Moving);
    }
}
