//! Conjugate models: optimal factors, bounds, and the fixed point of coordinate ascent.

use std::sync::Arc;

use super::super::{Conjugacy, Density, TARGETS};
use super::{cases, components, generated, group, target};
use base::math::{Distribution, Gaussian, Matrix, Point};
use base::params::Value;

fn conjugacy(target: &dyn Density) -> &dyn Conjugacy {
    target.conjugacy().unwrap()
}

fn gaussian(correlation: f64) -> Arc<dyn Density> {
    target("gaussian", &[("correlation", Value::Number(correlation))])
}

/// The product after `sweeps` sweeps, one update for each coordinate.
fn swept(conjugacy: &dyn Conjugacy, mut distribution: Distribution, sweeps: usize) -> Distribution {
    for update in 0..2 * sweeps {
        distribution = conjugacy.improved(&distribution, update % 2);
    }
    distribution
}

fn near(what: &str, found: f64, stated: f64, tolerance: f64) {
    assert!((found - stated).abs() <= tolerance, "{what}: {found}, not {stated}");
}

/// Posteriors with an initial product without optimal factors.
fn examples() -> Vec<(&'static str, Arc<dyn Density>, Distribution)> {
    let product = |mean: [f64; 2], variances: [f64; 2]| {
        let covariance = Matrix::from_diagonal(&Point::from(variances));
        Distribution::Plane(Gaussian { mean: Point::from(mean), covariance })
    };
    let shape =
        [("mean", Value::Pair([2.0, -1.0])), ("sd", Value::Pair([3.0, 0.2])), ("correlation", Value::Number(-0.7))];
    let data = group("normal-gamma", "data", "generated", &[("n", Value::Number(40.0)), ("mu", Value::Number(-3.0))]);
    let many = [("data", data), ("prior_precision", Value::Pair([0.5, 2.0])), ("prior_mean", Value::Number(1.0))];
    let distribution = Distribution::NormalGamma { mean: 0.4, precision: 9.0, shape: 3.0, rate: 2.5 };
    vec![
        ("narrow", gaussian(0.9), product([-1.0, 0.5], [0.4, 2.0])),
        ("round", gaussian(0.0), product([-1.0, 0.5], [0.4, 2.0])),
        ("askew", target("gaussian", &shape), product([1.0, -0.5], [0.4, 0.1])),
        ("ten numbers", target("normal-gamma", &[]), distribution),
        ("forty numbers", target("normal-gamma", &many), distribution),
        ("quantiles", target("bivariate-mixture", &[]), product([-0.5, 1.5], [0.05, 0.02])),
        ("sharp components", generated(100, [0.5, -3.0], 0.3), product([0.2, -2.0], [0.01, 0.02])),
    ]
}

/// The distribution with one parameter of a coordinate multiplied by 1 + `by`, or moved by `by` standard deviations.
fn disturbed(distribution: &Distribution, axis: usize, spread: bool, by: f64) -> Distribution {
    match *distribution {
        Distribution::Plane(Gaussian { mut mean, mut covariance }) => {
            if spread {
                covariance[(axis, axis)] *= 1.0 + by;
            } else {
                mean[axis] += by * covariance[(axis, axis)].sqrt();
            }
            Distribution::Plane(Gaussian { mean, covariance })
        }
        Distribution::NormalGamma { mean, precision, shape, rate } => match (axis, spread) {
            (0, false) => Distribution::NormalGamma { mean: mean + by / precision.sqrt(), precision, shape, rate },
            (0, true) => Distribution::NormalGamma { mean, precision: precision * (1.0 + by), shape, rate },
            (_, false) => Distribution::NormalGamma { mean, precision, shape, rate: rate * (1.0 + by) },
            (_, true) => Distribution::NormalGamma { mean, precision, shape: shape * (1.0 + by), rate },
        },
        Distribution::Line { .. } => panic!("a product has two coordinates"),
    }
}

/// Whether there are latent variables, whose optimal distribution changes with an update.
fn latent(name: &str) -> bool {
    ["quantiles", "sharp components"].contains(&name)
}

/// The slope of the bound along every parameter of the updated factor is 0, and the bound falls to both sides; with
/// latent variables only at convergence.
#[test]
fn every_update_maximises_the_bound() {
    for (name, target, start) in examples() {
        let conjugacy = conjugacy(target.as_ref());
        for distribution in [start, swept(conjugacy, start, if latent(name) { 3000 } else { 2 })] {
            for axis in [0, 1] {
                let best = conjugacy.improved(&distribution, axis);
                let top = conjugacy.elbo(&best);
                assert!(
                    top >= conjugacy.elbo(&distribution) - 1e-11,
                    "{name}: the update of {axis} has lowered the bound"
                );
                if latent(name) && distribution == start {
                    continue;
                }
                for spread in [false, true] {
                    let h = 1e-3;
                    let [low, high] = [-h, h].map(|by| conjugacy.elbo(&disturbed(&best, axis, spread, by)));
                    let (slope, bend) = ((high - low) / (2.0 * h), (high - 2.0 * top + low) / (h * h));
                    // The slope of differences is off by h² times the third derivative, which is of the size of the
                    // second.
                    assert!(slope.abs() < 10.0 * h * h * bend.abs(), "{name}, {axis}, {spread}: slope {slope}");
                    assert!(bend < -0.1, "{name}, {axis}, {spread}: bend {bend}");
                }
            }
        }
    }
}

/// ∫ q (log p̃ − log q) by the midpoint rule, whose error for such smooth functions is far below its 10⁻⁶.
fn bound(target: &dyn Density, distribution: &Distribution) -> f64 {
    let (mean, sd) = (distribution.mean(), distribution.covariance().diagonal().map(f64::sqrt));
    let count = 1200;
    let low = (mean - sd * 10.0).sup(&target.info().support.min);
    let high = mean + sd * Point::new(10.0, 14.0).y;
    let size = (high - low) / f64::from(count);
    let point = |i: i32, j: i32| low + size.component_mul(&Point::new(f64::from(i) + 0.5, f64::from(j) + 0.5));
    let term = |at: Point| {
        let log = distribution.log_density(at);
        log.exp() * (target.log_density(at) - log)
    };
    let sum: f64 = (0..count).flat_map(|i| (0..count).map(move |j| term(point(i, j)))).sum();
    sum * size.x * size.y
}

#[test]
fn bounds_agree_with_quadrature() {
    for (name, target, start) in examples() {
        let conjugacy = conjugacy(target.as_ref());
        if latent(name) {
            continue;
        }
        for distribution in [start, conjugacy.improved(&start, 1)] {
            near(name, conjugacy.elbo(&distribution), bound(target.as_ref(), &distribution), 1e-5);
        }
    }
}

/// The bound with assignments is below that of the same product without them.
#[test]
fn the_bound_with_assignments_lies_below() {
    let target = target("bivariate-mixture", &[]);
    let conjugacy = conjugacy(target.as_ref());
    let distribution = swept(conjugacy, conjugacy.start(Point::new(-0.5, 1.5)), 50);
    let (with, without) = (conjugacy.elbo(&distribution), bound(target.as_ref(), &distribution));
    assert!(with < without && without < target.info().log_normaliser, "{with}, {without}");
}

/// By hand: the path from (−3, 3), Var q = 1/Λ = 0.19, KL 0.83037, and an error that shrinks by ρ² per sweep.
#[test]
fn a_narrow_gaussian_is_approached_by_alternating_updates() {
    let target = gaussian(0.9);
    let conjugacy = conjugacy(target.as_ref());
    let mut distribution = conjugacy.start(Point::new(-3.0, 3.0));
    let path = [[2.7, 3.0], [2.7, 2.43], [2.187, 2.43], [2.187, 1.9683]];
    for (update, stated) in path.into_iter().enumerate() {
        distribution = conjugacy.improved(&distribution, update % 2);
        for axis in [0, 1] {
            near("path", distribution.mean()[axis], stated[axis], 1e-14);
            near("variance", distribution.covariance()[(axis, axis)], 0.19, 1e-15);
        }
    }
    let end = swept(conjugacy, distribution, 200);
    near("KL", -conjugacy.elbo(&end), 0.830_37, 1e-5);
    near("KL", -conjugacy.elbo(&end), -0.5 * 0.19_f64.ln(), 1e-14);
    assert!(end.mean().amax() < 1e-15);
}

#[test]
fn a_round_gaussian_is_found_in_one_sweep() {
    let target = gaussian(0.0);
    let conjugacy = conjugacy(target.as_ref());
    let distribution = swept(conjugacy, conjugacy.start(Point::new(-3.0, 3.0)), 1);
    assert_eq!((distribution.mean(), distribution.covariance()), (Point::zeros(), Matrix::identity()));
    near("bound", conjugacy.elbo(&distribution), 0.0, 1e-15);
}

/// Computed independently; the first update finds E τ = a₀/b₀ = 1, the mean of the prior.
#[test]
fn mean_and_precision_converge_to_the_stated_values() {
    let target = target("normal-gamma", &[]);
    let conjugacy = conjugacy(target.as_ref());
    let start = conjugacy.start(Point::new(0.0, 1.0));
    let bounds = [-13.827_936_58, -13.778_740_03, -13.778_347_21, -13.778_344_83];
    for (sweeps, stated) in (1..).zip(bounds) {
        near("bound", conjugacy.elbo(&swept(conjugacy, start, sweeps)), stated, 5e-9);
    }
    let end = swept(conjugacy, start, 30);
    let Distribution::NormalGamma { mean, precision, shape, rate } = end else { panic!("{end:?}") };
    for (what, found, stated) in
        [("a", shape, 6.5), ("μ", mean, 0.872_727_27), ("λ", precision, 17.006_324_67), ("b", rate, 4.204_318_18)]
    {
        near(what, found, stated, 5e-9);
    }
    near("bound", conjugacy.elbo(&end), -13.778_344_81, 5e-9);
    assert!(conjugacy.elbo(&end) < target.info().log_normaliser);
    assert_eq!(conjugacy.improved(&end, 0), end);
}

/// Numbers of an independent program: the first updates from (−0.5, 1.5), and the fixed point.
#[test]
fn the_means_of_a_mixture_converge_to_the_stated_values() {
    let target = target("bivariate-mixture", &[]);
    let conjugacy = conjugacy(target.as_ref());
    let mut distribution = conjugacy.start(Point::new(-0.5, 1.5));
    let stated = [
        [-0.5, 0.019_960_079_840, 1.5, 0.038_461_538_462, -189.407_543_825_599],
        [-0.302_373_566_951, 0.019_960_079_840, 1.5, 0.038_461_538_462, -188.211_303_042_357],
        [-0.302_373_566_951, 0.019_960_079_840, 1.407_206_220_692, 0.038_030_172_584, -188.056_203_035_761],
        [-0.220_309_831_590, 0.019_960_079_840, 1.407_206_220_692, 0.038_030_172_584, -187.853_646_632_915],
        [-0.220_309_831_590, 0.019_960_079_840, 1.307_816_680_681, 0.038_427_796_782, -187.675_515_042_838],
    ];
    let check = |distribution: &Distribution, [first, first_variance, second, second_variance, bound]: [f64; 5]| {
        near("m₁", distribution.mean().x, first, 1e-11);
        near("s₁", distribution.covariance().m11, first_variance, 1e-12);
        near("m₂", distribution.mean().y, second, 1e-11);
        near("s₂", distribution.covariance().m22, second_variance, 1e-12);
        near("bound", conjugacy.elbo(distribution), bound, 1e-10);
    };
    for (update, stated) in stated.into_iter().enumerate() {
        check(&distribution, stated);
        distribution = conjugacy.improved(&distribution, update % 2);
    }
    let end = [0.254_835_473_487, 0.019_960_079_840, 0.491_647_766_385, 0.038_638_217_261, -186.824_607_719_007];
    check(&swept(conjugacy, distribution, 3000), end);
}

#[test]
fn only_conjugate_models_have_a_conjugacy() {
    let conjugate: Vec<&str> = cases()
        .iter()
        .take(TARGETS.len())
        .filter(|(_, target)| target.conjugacy().is_some())
        .map(|case| case.0)
        .collect();
    assert_eq!(conjugate, ["gaussian", "bivariate-mixture", "normal-gamma"]);
    let single = components(&[(2.0, [1.0, 2.0], [[1.0, 0.5], [0.5, 2.0]])]);
    assert!(target("gaussian-mixture", &[("component", single)]).conjugacy().is_some());
}

#[test]
fn products_start_at_the_given_means() {
    for (name, target, _) in examples() {
        for at in [target.info().start, Point::new(0.25, 2.0)] {
            let distribution = conjugacy(target.as_ref()).start(at);
            assert!(
                (distribution.mean() - at).amax() <= 4.0 * f64::EPSILON * at.amax() && distribution.is_sound(),
                "{name}: {distribution:?}"
            );
        }
    }
    let target = target("normal-gamma", &[("prior_precision", Value::Pair([3.0, 2.0]))]);
    for y in [0.0, -1.0, f64::NAN] {
        let distribution = conjugacy(target.as_ref()).start(Point::new(0.5, y));
        near("E τ", distribution.mean().y, 1.5, 1e-15);
    }
}
