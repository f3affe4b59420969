//! Numbers computed independently, compared to all their stated digits.

use super::{counts, generated, group, target};
use crate::targets::kit::modes;
use base::math::Point;
use base::params::Value;

/// Allows one unit of the last digit: some numbers were truncated, not rounded.
fn assert_near(what: &str, found: f64, stated: f64, last_digit: f64) {
    assert!((found - stated).abs() <= last_digit, "{what}: {found}, stated {stated}");
}

#[test]
fn the_posterior_of_the_quantiles() {
    let target = target("bivariate-mixture", &[]);
    let info = target.info();
    assert_near("log evidence", info.log_normaliser, -185.147_505, 1e-6);
    for (what, found, stated) in [
        ("mean 1", info.mean.x, 0.490_28),
        ("mean 2", info.mean.y, 0.017_31),
        ("variance 1", info.covariance.m11, 0.194_35),
        ("covariance", info.covariance.m12, -0.346_11),
        ("variance 2", info.covariance.m22, 0.693_86),
    ] {
        assert_near(what, found, stated, 1e-5);
    }
    assert_eq!(info.modes.len(), 2);
    for (mode, stated) in info.modes.iter().zip([[0.253_65, 0.491_66], [0.707_59, -0.418_08]]) {
        assert_near("mode, first coordinate", mode.at.x, stated[0], 1e-5);
        assert_near("mode, second coordinate", mode.at.y, stated[1], 1e-5);
    }
    let stated = [[48.637, 24.2715, 12.9491, -185.092_77], [49.0329, 24.4592, 12.7264, -184.886_91]];
    for (mode, [xx, xy, yy, evidence]) in info.modes.iter().zip(stated) {
        let precision = -target.hessian(mode.at);
        assert_near("−∂²/∂θ₁²", precision.m11, xx, if xx > 49.0 { 1e-4 } else { 1e-3 });
        assert_near("−∂²/∂θ₁∂θ₂", precision.m12, xy, 1e-4);
        assert_near("−∂²/∂θ₂²", precision.m22, yy, 1e-4);
        let laplace = target.log_density(mode.at) + std::f64::consts::TAU.ln() - 0.5 * precision.determinant().ln();
        assert_near("Laplace evidence", laplace, evidence, 1e-5);
    }
}

/// The variance of the gradient estimated from one datum, at the first mode.
#[test]
fn the_noise_of_a_single_datum() {
    let target = target("bivariate-mixture", &[]);
    let data = target.data().unwrap();
    let at = target.info().modes[0].at;
    let gradients: Vec<Point> = (0..100).map(|index| data.datum_gradient(at, index) * 100.0).collect();
    let mean: Point = gradients.iter().sum::<Point>() / 100.0;
    let variance = |axis: usize| gradients.iter().map(|g| (g - mean)[axis].powi(2)).sum::<f64>() / 100.0;
    assert_near("V₁", variance(0), 5234.6, 0.1);
    assert_near("V₂", variance(1), 1385.2, 0.1);
}

#[test]
fn the_wrong_model_has_one_mode_near_the_middle() {
    let mut seeds = (0..5).map(|seed| {
        let data = group("bivariate-mixture", "data", "article", &[("seed", Value::Number(f64::from(seed)))]);
        target("bivariate-mixture", &[("data", data)])
    });
    // The mean of 100 data has standard deviation 0.1; the mode is allowed five of them around (½, 0), and the width
    // of the ridge along θ₂.
    assert!(seeds.all(|target| {
        let modes = &target.info().modes;
        modes.len() == 1 && (modes[0].at.x - 0.5).abs() < 0.5 && modes[0].at.y.abs() < 0.3
    }));
}

#[test]
fn generated_data_depend_on_their_seed_alone() {
    let at = Point::new(0.3, -0.2);
    let first = generated(30, [0.0, 1.0], 2.0).log_density(at);
    assert_eq!(first.to_bits(), generated(30, [0.0, 1.0], 2.0).log_density(at).to_bits());
    let values = [("n", Value::Number(30.0)), ("seed", Value::Number(4.0))];
    let other = target("bivariate-mixture", &[("data", group("bivariate-mixture", "data", "generated", &values))]);
    assert!((first - other.log_density(at)).abs() > 1e-6);
}

#[test]
fn the_grid_has_25_modes_at_its_centres() {
    let target = target("gaussian-grid", &[]);
    let info = target.info();
    assert_eq!(info.modes.len(), 25);
    for (mode, index) in info.modes.iter().zip(0_i32..) {
        let centre = Point::new(f64::from(index % 5 * 2 - 4), f64::from(index / 5 * 2 - 4));
        assert!((mode.at - centre).amax() < 1e-12, "{} for {centre}", mode.at);
        assert!((mode.weight - 0.04).abs() < 1e-8);
        assert_eq!(mode.covariance.m11.to_bits(), 0.03_f64.to_bits());
    }
    assert_eq!((info.view.min, info.view.max), (Point::repeat(-6.0), Point::repeat(6.0)));
}

/// A mixture of two crossed Gaussians can have more modes than components.
#[test]
fn modes_that_belong_to_no_component_are_found() {
    let crossed = super::components(&[
        (1.0, [2.0, 0.0], [[4.0, 0.0], [0.0, 0.05]]),
        (1.0, [0.0, 2.0], [[0.05, 0.0], [0.0, 4.0]]),
    ]);
    let target = target("gaussian-mixture", &[("component", crossed)]);
    assert_eq!(target.info().modes.len(), 3);
}

#[test]
fn the_coin_is_a_beta_distribution() {
    let target = target("beta-posterior", &[("data", counts(30.0, 100.0))]);
    let info = target.info();
    assert_near("mean", info.mean.x, 35.0 / 110.0, 1e-15);
    assert_near("mode", info.modes[0].at.x, 34.0 / 108.0, 1e-15);
    assert_near("variance", info.covariance.m11, 35.0 * 75.0 / (110.0 * 110.0 * 111.0), 1e-15);
    let data = target.data().unwrap();
    assert_eq!(data.len(), 100);
    let at = Point::new(0.25, 0.0);
    assert_near("the last one", data.datum_gradient(at, 29).x, 4.0, 1e-15);
    assert_near("the first zero", data.datum_gradient(at, 30).x, -1.0 / 0.75, 1e-15);
}

#[test]
fn nearest_takes_the_first_of_equals() {
    assert_eq!(modes::nearest(&[Point::new(-1.0, 0.0), Point::new(1.0, 0.0)], Point::zeros()), 0);
}
