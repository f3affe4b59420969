//! Tests of Laplace's approximation against closed forms, and of ascents that do not end on a peak.

use std::f64::consts::TAU;
use std::sync::Arc;

use super::super::super::{FitRecord, FitState, Laplace, Method, Predictive, StartAt};
use super::{Driven, built, counts, driven, method, near, target};
use base::math::{Bounds, Matrix, Point};
use base::params::{ParamType, Settings, Value, find_kind};
use models::targets::Curvature;
use models::targets::{Boundary, Density, Support, TARGETS, TargetInfo, sampling_density};

fn laplace(start_at: StartAt, curvature: Curvature) -> Laplace {
    Laplace { start_at, curvature, predictive: Predictive::Sampled, spread: 1.0, draws: 10 }
}

const FULL: Laplace = Laplace {
    start_at: StartAt::RunStart,
    curvature: Curvature::Full,
    predictive: Predictive::Sampled,
    spread: 1.0,
    draws: 10,
};

/// One ascent from every mode.
fn at_modes<'a>(method: &'a Laplace, target: &'a dyn Density, steps: usize) -> Driven<'a> {
    let starts: Vec<Point> = target.info().modes.iter().map(|mode| mode.at).collect();
    let mut driven = Driven::new(method, target, 0, &starts);
    driven.advance(steps, 0);
    driven
}

fn precision(record: &FitRecord) -> Matrix {
    record.distribution.unwrap().covariance().try_inverse().unwrap()
}

fn evidence(record: &FitRecord) -> f64 {
    record.log_evidence.unwrap()
}

/// A mixture of equal round Gaussians of variance 0.25.
fn mixture(centres: &[[f64; 2]]) -> Arc<dyn Density> {
    let ParamType::List(kind) = find_kind(&TARGETS, "gaussian-mixture").unwrap().param("component").unwrap().ty else {
        panic!()
    };
    let component = |centre: &[f64; 2]| {
        let mut settings = Settings::defaults(kind);
        settings.set("mean", Value::Pair(*centre)).unwrap();
        settings.set("covariance", Value::Covariance([[0.25, 0.0], [0.0, 0.25]])).unwrap();
        settings
    };
    target("gaussian-mixture", &[("component", Value::List(centres.iter().map(component).collect()))])
}

/// Computed independently for both modes, to one unit of the last digit: some numbers were truncated, not rounded.
#[test]
fn the_posterior_of_the_quantiles() {
    let target = target("bivariate-mixture", &[]);
    let stated = [[48.637, 24.2715, 12.9491, -185.092_77], [49.0329, 24.4592, 12.7264, -184.886_91]];
    let full = laplace(StartAt::Modes, Curvature::Full);
    let driven = at_modes(&full, target.as_ref(), 3);
    for (fit, [xx, xy, yy, log_evidence]) in driven.chains.fits.iter().zip(stated) {
        let found = precision(&fit.record);
        near("H₁₁", found.m11, xx, if xx > 49.0 { 1e-4 } else { 1e-3 });
        near("H₁₂", found.m12, xy, 1e-4);
        near("H₂₂", found.m22, yy, 1e-4);
        near("log evidence", evidence(&fit.record), log_evidence, 1e-5);
        assert_eq!(fit.record.state, FitState::Converged);
    }
    let fisher = laplace(StartAt::Modes, Curvature::Fisher);
    let found = precision(&at_modes(&fisher, target.as_ref(), 3).chains.fits[0].record);
    near("Fisher, θ₁", found.m11, 52.4461, 1e-4);
    near("Fisher, θ₂", found.m22, 14.854, 1e-3);
    let diagonal = laplace(StartAt::Modes, Curvature::Diagonal);
    let found = precision(&at_modes(&diagonal, target.as_ref(), 3).chains.fits[0].record);
    near("H₁₁", found.m11, 48.637, 1e-3);
    near("none", found.m12, 0.0, 0.0);
    // 1/H₁₁ understates the variance of θ₁ in the Gaussian of the whole matrix.
    let whole = driven.chains.fits[0].record.distribution.unwrap().covariance().m11;
    near("ratio", whole * found.m11, 48.637 * 12.9491 / (48.637 * 12.9491 - 24.2715 * 24.2715), 0.01);
}

/// One step from anywhere in view, four evaluations (derivatives at the start, a trial, second derivatives at the end),
/// and the evidence is that of the density: 1. Later steps cost and change nothing.
#[test]
fn a_gaussian_takes_one_step() {
    let shapes = [([0.0, 0.0], [1.0, 1.0], 0.9), ([200.0, -3.0], [5.0, 0.05], -0.99), ([0.0, 0.0], [1.0, 1.0], 0.0)];
    for (mean, sd, correlation) in shapes {
        let values =
            [("mean", Value::Pair(mean)), ("sd", Value::Pair(sd)), ("correlation", Value::Number(correlation))];
        let target = target("gaussian", &values);
        let start = [mean[0] - 3.0 * sd[0], mean[1] + 3.0 * sd[1]];
        let driven = driven(&FULL, target.as_ref(), start, 20);
        let first = driven.chains.fits[0].trail[0];
        assert_eq!(first.state, FitState::Converged, "{first:?}");
        near("cost", first.evaluations, 4.0, 0.0);
        near("log evidence", evidence(&first), 0.0, 1e-12);
        let distribution = first.distribution.unwrap();
        let sds = Point::from(sd);
        assert!((distribution.mean() - Point::from(mean)).component_div(&sds).amax() < 1e-12, "{distribution:?}");
        let gap = distribution.covariance() - target.info().covariance;
        assert!(gap.m11.abs() < 1e-10 * sd[0] * sd[0] && gap.m22.abs() < 1e-10 * sd[1] * sd[1], "{gap}");
        assert!(driven.chains.fits[0].trail.iter().all(|record| *record == first));
        assert!(driven.path.iter().all(|at| *at == driven.path[0]));
    }
}

/// The overlap of the modes is e⁻³³, so their evidences add up to that of the density; a single ascent finds one of them.
#[test]
fn twenty_five_modes() {
    let target = target("gaussian-grid", &[]);
    let all = laplace(StartAt::Modes, Curvature::Full);
    let driven_from_modes = at_modes(&all, target.as_ref(), 2);
    assert_eq!(driven_from_modes.chains.len(), 25);
    let total: f64 = driven_from_modes.chains.fits.iter().map(|fit| evidence(&fit.record).exp()).sum();
    near("evidence", total, target.info().log_normaliser.exp(), 1e-12);
    for start in [[0.3, -0.2], [0.9, 1.1], [7.0, -9.0], [1e4, 3.3]] {
        let driven = driven(&FULL, target.as_ref(), start, 50);
        let record = driven.record();
        assert_eq!(record.state, FitState::Converged, "{start:?}");
        near("evidence of one", evidence(record), (1.0_f64 / 25.0).ln(), 1e-10);
        let at = driven.chains.position(0);
        assert!(at.iter().all(|coordinate| (coordinate - 2.0 * (coordinate / 2.0).round()).abs() < 1e-10), "{at}");
    }
}

/// Ascents never go down, except by the rounding of a log density.
#[test]
fn every_step_goes_upwards() {
    for kind in &TARGETS {
        let target = built(kind.name, &[]);
        let Some(target) = target.in_plane() else { continue };
        let info = target.info();
        for (u, v) in [(0.1, 0.2), (0.52, 0.9), (0.93, 0.4), (0.35, 0.65)] {
            let start = info.view.min + Point::new(u, v).component_mul(&info.view.size());
            let start = if info.dimension == 1 { Point::new(start.x, 0.0) } else { start };
            let driven = driven(&FULL, target.as_ref(), [start.x, start.y], 200);
            let mut before = target.log_density(start);
            for at in &driven.path {
                let after = target.log_density(*at);
                assert!(after >= before - 1e-13 * before.abs(), "{}: from {start} down to {at}", kind.name);
                before = after;
            }
            let last = *driven.path.last().unwrap();
            // The rim of the painted face is a ridge that is nearly level, with saddles between its modes.
            let curvatures = target.hessian(last).symmetric_eigenvalues();
            let saddle = kind.name == "painted" && curvatures.max() > 0.0 && target.gradient(last).norm() < 1e-6;
            let end = if info.modes.is_empty() || saddle { FitState::NotAPeak } else { FitState::Converged };
            assert_eq!(driven.record().state, end, "{} from {start}", kind.name);
        }
    }
}

/// Between two modes the gradient vanishes too. On the line of symmetry an ascent ends there, and is no peak; from a
/// point beside the line it reaches a mode.
#[test]
fn a_saddle_is_no_peak() {
    let target = mixture(&[[-2.0, 0.0], [2.0, 0.0]]);
    let at_once = driven(&FULL, target.as_ref(), [0.0, 0.0], 2);
    assert_eq!(at_once.record().state, FitState::NotAPeak);
    near("cost", at_once.record().evaluations, 2.0, 0.0);
    let along = driven(&FULL, target.as_ref(), [0.0, 1.3], 50);
    assert_eq!(
        (along.record().state, along.record().distribution, along.record().log_evidence),
        (FitState::NotAPeak, None, None)
    );
    assert!(along.chains.position(0).amax() < 1e-9);
    for curvature in [Curvature::Diagonal, Curvature::Full] {
        let method = laplace(StartAt::RunStart, curvature);
        let beside = driven(&method, target.as_ref(), [1e-7, 1.3], 50);
        assert_eq!(beside.record().state, FitState::Converged);
        near("mode", beside.chains.position(0).x, 2.0, 1e-6);
    }
    // The diagonal alone would be that of a peak here, where the axes cross the ridge at 45°.
    let turned = mixture(&[[-0.4, -0.4], [0.4, 0.4]]);
    let diagonal = laplace(StartAt::RunStart, Curvature::Diagonal);
    assert!(
        turned.hessian(Point::zeros()).diagonal().max() < 0.0 && turned.hessian(Point::zeros()).determinant() < 0.0
    );
    let saddle = driven(&diagonal, turned.as_ref(), [0.0, 0.0], 1);
    assert_eq!((saddle.record().state, saddle.record().distribution), (FitState::NotAPeak, None));
}

#[test]
fn a_hollow_is_no_peak() {
    let target = mixture(&[[-2.0, -2.0], [2.0, -2.0], [-2.0, 2.0], [2.0, 2.0]]);
    assert!(target.hessian(Point::zeros()).symmetric_eigenvalues().min() > 0.0);
    let driven = driven(&FULL, target.as_ref(), [0.0, 0.0], 3);
    assert_eq!((driven.record().state, driven.record().distribution), (FitState::NotAPeak, None));
    assert_eq!(driven.chains.position(0), Point::zeros());
}

/// All points of a ring are equally high: a ridge.
#[test]
fn a_ring_is_no_peak() {
    let target = target("donut", &[]);
    let radius = target.info().start.norm();
    for start in [[4.5, 1.0], [0.3, -0.2], [-2.0, 2.0]] {
        let driven = driven(&FULL, target.as_ref(), start, 50);
        assert_eq!((driven.record().state, driven.record().distribution), (FitState::NotAPeak, None));
        near("radius", driven.chains.position(0).norm(), radius, 1e-9);
    }
}

/// A density that rises up to the boundary of its support at x = 1: that of a coin with heads only, under a uniform
/// prior. In the plane y is near ¼ + x/10.
#[derive(Debug)]
struct Heads(TargetInfo);

/// Number of tosses of the coin.
const HEADS: f64 = 10.0;

/// 1/variance of y.
const TIED: f64 = 50.0;

impl Heads {
    fn new(dimension: usize) -> Self {
        let infinity = f64::INFINITY;
        let support = Support { min: Point::new(0.0, -infinity), max: Point::new(1.0, infinity) };
        Self(TargetInfo { dimension, support, view: Bounds::new((0.0, 1.0), (-0.5, 1.0)), ..plain_info() })
    }

    fn gap(&self, at: Point) -> f64 {
        if self.0.dimension == 1 { 0.0 } else { at.y - 0.25 - 0.1 * at.x }
    }
}

impl Density for Heads {
    fn info(&self) -> &TargetInfo {
        &self.0
    }

    fn log_density(&self, at: Point) -> f64 {
        let gap = self.gap(at);
        let inside = at.x > 0.0 && at.x < 1.0;
        if inside { HEADS * at.x.ln() - 0.5 * TIED * gap * gap } else { f64::NEG_INFINITY }
    }

    fn gradient(&self, at: Point) -> Point {
        let pull = TIED * self.gap(at);
        Point::new(HEADS / at.x + 0.1 * pull, -pull)
    }

    fn hessian(&self, at: Point) -> Matrix {
        let tied = if self.0.dimension == 1 { 0.0 } else { TIED };
        Matrix::new(-HEADS / (at.x * at.x) - 0.01 * tied, 0.1 * tied, 0.1 * tied, -tied)
    }
}

/// The density rises up to the boundary: the ascent stops there, with that state. In the plane the other coordinate
/// moves to the highest point along the boundary.
#[test]
fn the_boundary_stops_an_ascent() {
    for dimension in [1, 2] {
        let target = Heads::new(dimension);
        let y = if dimension == 1 { 0.0 } else { 0.9 };
        let driven = driven(&FULL, &target, [0.4, y], 20);
        assert_eq!((driven.record().state, driven.record().log_evidence), (FitState::AtTheEdge, None));
        let at = driven.chains.position(0);
        assert!(at.x < 1.0 && at.x > 1.0 - 1e-8, "{at}");
        near("along the boundary", at.y, if dimension == 1 { 0.0 } else { 0.35 }, 1e-8);
        let trail = &driven.chains.fits[0].trail;
        let stopped = trail.iter().position(|record| record.state == FitState::AtTheEdge).unwrap();
        assert!(trail[stopped..].iter().all(|record| *record == trail[stopped]), "{stopped}");
    }
}

/// In closed form: a Beta(a, b) has H = a′/θ² + b′/(1−θ)², a′ = a − 1 and b′ = b − 1, at θ = a′/(a′ + b′), and in logits
/// H = θ(1−θ)(a + b) at θ = a/(a + b). Of Bernoulli data the Fisher information is the curvature.
#[test]
fn a_coin() {
    let data = || counts("beta-posterior", &[("ones", 30.0), ("n", 100.0)]);
    let plain = target("beta-posterior", &[("data", data())]);
    let (a, b) = (34.0_f64, 74.0_f64);
    let theta = a / (a + b);
    for curvature in [Curvature::Full, Curvature::Diagonal, Curvature::Fisher] {
        let method = laplace(StartAt::RunStart, curvature);
        let driven = driven(&method, plain.as_ref(), [0.8, 0.0], 30);
        let record = driven.record();
        assert_eq!(record.state, FitState::Converged);
        near("θ*", driven.chains.position(0).x, theta, 1e-13);
        let precision = a / (theta * theta) + b / ((1.0 - theta) * (1.0 - theta));
        near("variance", record.distribution.unwrap().covariance().m11 * precision, 1.0, 1e-10);
        let expected = plain.log_density(Point::new(theta, 0.0)) + 0.5 * (TAU / precision).ln();
        near("log evidence", evidence(record), expected, 1e-10);
        assert!(driven.path.iter().all(|at| at.y.to_bits() == 0));
    }
    let logits = target("beta-posterior", &[("data", data()), ("boundary", Value::Choice("logit"))]);
    let (a, b) = (35.0_f64, 75.0_f64);
    let theta = a / (a + b);
    let space = sampling_density(&logits);
    let driven = driven(&FULL, space.as_ref(), [3.0, 0.0], 30);
    near("logit", driven.chains.position(0).x, (a / b).ln(), 1e-12);
    near(
        "variance",
        driven.record().distribution.unwrap().covariance().m11 * theta * (1.0 - theta) * (a + b),
        1.0,
        1e-10,
    );
}

/// Another curvature takes effect in the next step, without a new ascent.
#[test]
fn curvature_changes_during_a_run() {
    let target = target("bivariate-mixture", &[]);
    let mut chains = driven(&FULL, target.as_ref(), [-0.5, 1.5], 50);
    let before = *chains.record();
    assert_eq!(before.state, FitState::Converged);
    for (curvature, cost) in [(Curvature::Diagonal, 0.0), (Curvature::Fisher, 1.0), (Curvature::Full, 1.0)] {
        let other = laplace(StartAt::RunStart, curvature);
        let mut next = Driven::new(&other, target.as_ref(), 0, &[chains.chains.position(0)]);
        next.chains.fits = chains.chains.fits.clone();
        next.advance(3, 1);
        let record = next.record();
        near("cost", record.evaluations, before.evaluations + cost, 0.0);
        assert_eq!(
            (record.state, record.distribution == before.distribution),
            (FitState::Converged, curvature == Curvature::Full)
        );
        assert_eq!(next.chains.position(0), chains.chains.position(0));
        chains.chains.fits = next.chains.fits;
    }
}

#[test]
fn missing_modes_and_data_are_named() {
    let (fisher, modes) = (laplace(StartAt::RunStart, Curvature::Fisher), laplace(StartAt::Modes, Curvature::Full));
    let error = fisher.on(built("banana", &[]).space()).unwrap_err();
    assert_eq!(error.path, "curvature");
    let error = modes.on(built("donut", &[]).space()).unwrap_err();
    assert_eq!((error.path.as_str(), error.allowed.as_str()), ("at", "\"start\""));
    let error = method("cavi", &[]).on(built("banana", &[]).space()).unwrap_err();
    assert!(["gaussian", "normal-gamma", "bivariate-mixture"].iter().all(|name| error.allowed.contains(name)));
    for curvature in ["full", "diagonal", "fisher"] {
        let method = method("laplace", &[("curvature", Value::Choice(curvature)), ("at", Value::Choice("modes"))]);
        assert_eq!(method.fitting().unwrap().start_at, StartAt::Modes);
        assert!(method.on(built("beta-pair", &[]).space()).is_ok());
    }
}

/// The parts of [`TargetInfo`] that an ascent uses, for the densities of this file.
fn plain_info() -> TargetInfo {
    TargetInfo {
        dimension: 2,
        axes: ["x", "y"],
        support: Support::everywhere(),
        boundary: Boundary::Open,
        view: Bounds::new((-3.0, 3.0), (-3.0, 3.0)),
        modes: Vec::new(),
        log_normaliser: 0.0,
        mean: Point::zeros(),
        covariance: Matrix::identity(),
        start: Point::zeros(),
        unknown: None,
    }
}

/// A flat density: constant, or a slope that ends in a plain.
#[derive(Debug)]
struct Shelf {
    info: TargetInfo,
    /// How steep −ln(1 + e^(steepness · x)) falls to the right; 0 for a constant.
    steepness: f64,
}

impl Shelf {
    fn new(steepness: f64) -> Self {
        Self { info: plain_info(), steepness }
    }

    fn share(&self, at: Point) -> f64 {
        1.0 / (1.0 + (-self.steepness * at.x).exp())
    }
}

impl Density for Shelf {
    fn info(&self) -> &TargetInfo {
        &self.info
    }

    fn log_density(&self, at: Point) -> f64 {
        -(self.steepness * at.x).exp().ln_1p()
    }

    fn gradient(&self, at: Point) -> Point {
        Point::new(-self.steepness * self.share(at), 0.0)
    }

    fn hessian(&self, at: Point) -> Matrix {
        let share = self.share(at);
        Matrix::new(-self.steepness * self.steepness * share * (1.0 - share), 0.0, 0.0, 0.0)
    }
}

#[test]
fn a_plain_is_a_plateau() {
    let plain = Shelf::new(0.0);
    let driven_there = driven(&FULL, &plain, [1.0, 2.0], 3);
    assert_eq!((driven_there.record().state, driven_there.record().distribution), (FitState::Plateau, None));
    assert_eq!(driven_there.chains.position(0), Point::new(1.0, 2.0));
    let shelf = Shelf::new(4.0);
    let driven = driven(&FULL, &shelf, [0.5, 0.0], 50);
    assert_eq!(driven.record().state, FitState::Plateau);
    assert!(driven.chains.position(0).x < -2.0);
}
