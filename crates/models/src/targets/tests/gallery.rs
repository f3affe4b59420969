//! Moments of the shapes of the gallery and of the posteriors with closed forms, computed elsewhere by quadrature.

use super::super::{Boundary, Coordinates, Density, sampling_density};
use super::{group, target};
use base::math::{Matrix, Point};
use base::params::Value;

fn assert_near(what: &str, found: f64, stated: f64) {
    assert!((found - stated).abs() <= 2e-9 * (1.0 + stated.abs()), "{what}: {found}, stated {stated}");
}

pub(super) fn assert_moments(target: &dyn Density, log_normaliser: f64, mean: Point, [xx, xy, yy]: [f64; 3]) {
    let info = target.info();
    assert_near("log normaliser", info.log_normaliser, log_normaliser);
    let covariance = Matrix::new(xx, xy, xy, yy);
    for (found, stated) in info.mean.iter().zip(&mean).chain(info.covariance.iter().zip(&covariance)) {
        assert_near("moments", *found, *stated);
    }
}

#[test]
fn the_banana() {
    let target = target("banana", &[]);
    let normaliser = (4.0 * std::f64::consts::PI).ln();
    assert_moments(target.as_ref(), normaliser, Point::zeros(), [4.0, 0.0, 3.0]);
    // x ~ N(0, 4), y | x ~ N((x² − 4)/4, 1), all constants left out.
    let at = Point::new(1.5, -2.0);
    let above: f64 = -2.0 - (1.5 * 1.5 - 4.0) / 4.0;
    assert_near("log density", target.log_density(at), -1.5 * 1.5 / 8.0 - 0.5 * above * above);
    assert_eq!(target.info().modes[0].at, Point::new(0.0, -1.0));
}

#[test]
fn the_squiggle() {
    let covariance = [4.0, 0.099_980_968_844, 1.247_499_982_866];
    assert_moments(target("squiggle", &[]).as_ref(), 1.481_202_122_471, Point::zeros(), covariance);
}

#[test]
fn the_donut() {
    assert_moments(target("donut", &[]).as_ref(), 2.651_455_083_956, Point::zeros(), [4.635, 0.0, 4.635]);
    let thick = target("donut", &[("radius", Value::Number(0.5)), ("width", Value::Number(1.0))]);
    assert_moments(thick.as_ref(), 2.396_987_915_869, Point::zeros(), [1.372_730_679_501, 0.0, 1.372_730_679_501]);
    assert!(thick.info().modes.is_empty());
    // The kink in the middle: the gradient is 0, and all derivatives are finite.
    assert_eq!(thick.gradient(Point::zeros()), Point::zeros());
    assert!(thick.hessian(Point::zeros()).iter().all(|entry| entry.is_finite()));
}

#[test]
fn the_funnel() {
    let target = target("funnel", &[]);
    assert_moments(target.as_ref(), 2.936_489_355_078, Point::zeros(), [90.017_131_300_522, 0.0, 9.0]);
    assert_eq!(target.info().modes[0].at, Point::new(0.0, -4.5));
    for v in [2.0, -1.0_f64] {
        let exact = -v * v / 18.0 - 0.5 * v - 0.5 * 0.49 * (-v).exp();
        assert_near("log density", target.log_density(Point::new(0.7, v)), exact);
    }
}

/// The share outside the view, by quadrature of N(v; 0, 9) P(|x| > 1.25 e³ | v).
#[test]
fn the_view_of_the_funnel_leaves_a_hundredth_out() {
    let target = target("funnel", &[]);
    let view = target.info().view;
    let cells = target.cell_probabilities(&[view.min.x, view.max.x], &[view.min.y, view.max.y]).unwrap();
    assert_near("outside", 1.0 - cells[0], 0.013_564_651_360);
}

/// Chen, Fox and Guestrin (2014), Fig. 1: U = −2x² + x⁴.
#[test]
fn the_double_well() {
    let wells = target("double-well", &[]);
    assert_moments(wells.as_ref(), 1.679_926_242_894, Point::zeros(), [0.832_745_487_128, 0.0, 0.0]);
    assert!((wells.info().covariance.m11 - 0.832_75).abs() < 1e-5, "the figure of METHODS");
    for x in [-1.3, 0.2, 0.9_f64] {
        assert_near("−U", wells.log_density(Point::new(x, 0.0)), 2.0 * x * x - x.powi(4));
    }
    let deep = target("double-well", &[("barrier", Value::Number(12.0)), ("wells", Value::Number(0.5))]);
    assert_moments(deep.as_ref(), 10.654_012_320_921, Point::zeros(), [0.244_388_246_637, 0.0, 0.0]);
    let modes: Vec<f64> = deep.info().modes.iter().map(|mode| mode.at.x).collect();
    assert_eq!(modes, [-0.5, 0.5]);
    let barrier = deep.log_density(Point::new(0.5, 0.0)) - deep.log_density(Point::zeros());
    assert_near("barrier", barrier, 12.0);
}

#[test]
fn three_modes_of_unequal_weight() {
    let target = target("three-modes", &[]);
    let weights: Vec<f64> = target.info().modes.iter().map(|mode| mode.weight).collect();
    assert_eq!(weights.len(), 3);
    // With centres 6 apart, the mass of a Gaussian beyond the bisectors is negligible.
    assert!(weights.iter().zip([0.5, 0.3, 0.2]).all(|(weight, share)| (weight - share).abs() < 0.01), "{weights:?}");
}

#[test]
fn the_pair_of_coins() {
    let pair = target("beta-pair", &[]);
    let mean = Point::new(6.0 / 22.0, 0.5);
    assert_moments(pair.as_ref(), -27.864_689_524_180, mean, [0.008_623_787_279_914, 0.0, 0.010_869_565_217_391]);
    // In order: 5 ones of A, its 15 zeros, 10 ones of B, its 10 zeros.
    let data = pair.data().unwrap();
    assert_eq!(data.len(), 40);
    let at = Point::new(0.25, 0.4);
    for (first, last, stated) in
        [(0, 4, [4.0, 0.0]), (5, 19, [-1.0 / 0.75, 0.0]), (20, 29, [0.0, 2.5]), (30, 39, [0.0, -1.0 / 0.6])]
    {
        for index in [first, last] {
            assert!((data.datum_gradient(at, index) - Point::from(stated)).amax() < 1e-14, "{index}");
        }
    }
    // Each arm is the posterior of one coin.
    let counts = group("beta-posterior", "data", "counts", &[("ones", Value::Number(5.0)), ("n", Value::Number(20.0))]);
    let coin = target("beta-posterior", &[("prior", Value::Pair([1.0, 1.0])), ("data", counts)]);
    assert_eq!(coin.gradient(at).x.to_bits(), pair.gradient(at).x.to_bits());
}

/// With the data and the prior of METHODS: the evidence with which the bound of CAVI is compared.
#[test]
fn the_normal_gamma_posterior() {
    let target = target("normal-gamma", &[]);
    let info = target.info();
    assert!((info.log_normaliser + 13.737_257_79).abs() < 1e-8, "log evidence {}", info.log_normaliser);
    let mean = Point::new(0.872_727_272_727, 1.546_029_515_109);
    assert_moments(target.as_ref(), -13.737_257_793_493, mean, [0.070_561_983_471, 0.0, 0.398_367_876_931]);
    assert_near("mode of μ", info.modes[0].at.x, 0.872_727_272_727);
    assert_near("mode of τ", info.modes[0].at.y, 1.417_193_722_183);
    // log joint = Σ ln N(xᵢ; μ, 1/τ) + ln N(0; μ, 1/τ) + ln Gamma(τ; 1, 1): eleven normal densities, and e^−τ.
    let (mu, tau) = (0.4, 1.7_f64);
    let sample = [1.2, 0.7, -0.3, 2.1, 1.5, 0.9, 1.8, 0.2, 1.1, 0.4, 0.0];
    let normal = |x: f64| 0.5 * (tau / std::f64::consts::TAU).ln() - 0.5 * tau * (x - mu) * (x - mu);
    let joint = sample.into_iter().map(normal).sum::<f64>() - tau;
    assert_near("log joint", target.log_density(Point::new(mu, tau)), joint);
}

#[test]
fn a_precision_on_the_log_scale_keeps_its_normaliser() {
    let target = target("normal-gamma", &[("boundary", Value::Choice("log"))]);
    let wrapped = sampling_density(&target);
    let (info, of_z) = (target.info(), wrapped.info());
    assert_eq!((info.boundary, of_z.boundary), (Boundary::Log, Boundary::Open));
    assert_eq!(of_z.log_normaliser.to_bits(), info.log_normaliser.to_bits());
    assert_eq!(wrapped.data().unwrap().len(), 10);
    // E ln τ = ψ(6) − ln b and Var ln τ = ψ′(6) with b = 3.88090909.
    assert_near("E ln τ", of_z.mean.y, 0.350_048_240_460);
    assert_near("Var ln τ", of_z.covariance.m22, 0.181_322_955_737);
    assert_near("E μ", of_z.mean.x, info.mean.x);
    assert_near("Var μ", of_z.covariance.m11, info.covariance.m11);
    // The density of ln τ at z is that of τ times τ.
    let z = Point::new(0.3, -0.8);
    let theta = Coordinates::of(info).to_theta(z);
    assert_near("τ", theta.y, (-0.8_f64).exp());
    assert_near("log density", wrapped.log_density(z), target.log_density(theta) - 0.8);
}
