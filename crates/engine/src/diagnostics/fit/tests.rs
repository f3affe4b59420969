//! Fits against closed forms, against figures worked out independently, and against their own draws.

use std::path::Path;
use std::sync::Arc;

use approx::{assert_abs_diff_eq, assert_relative_eq};

use super::*;
use crate::diagnostics::test_targets::{Mixture, counts_of};
use base::math::{Matrix, Purpose, Stream};
use base::params::{Settings, Value, find_kind};
use base::platform::now;
use models::targets::{Density, TARGETS, Target, build, nodes};

fn built(kind: &str, values: &[(&str, Value)]) -> Arc<Target> {
    let mut settings = Settings::defaults(find_kind(&TARGETS, kind).unwrap());
    for (key, value) in values {
        settings.set(key, value.clone()).unwrap();
    }
    build(&settings, Path::new("")).unwrap()
}

fn target(kind: &str, values: &[(&str, Value)]) -> Arc<dyn Density> {
    built(kind, values).density().unwrap().clone()
}

fn fit_truth(target: &Arc<dyn Density>) -> FitTruth {
    FitTruth::new(Target::plane(target.clone()).into())
}

fn gaussian(mean: [f64; 2], [xx, xy, yy]: [f64; 3]) -> Distribution {
    Distribution::gaussian(2, Point::from(mean), Matrix::new(xx, xy, xy, yy))
}

fn line(mean: f64, variance: f64) -> Distribution {
    Distribution::gaussian(1, Point::new(mean, 0.0), Matrix::new(variance, 0.0, 0.0, 0.0))
}

fn mixture(dimension: usize, coordinates: Coordinates, distributions: &[(f64, Distribution)]) -> Fit {
    let component =
        |&(weight, distribution): &(f64, Distribution)| Component { weight, distribution, log_evidence: None };
    Fit::new(dimension, coordinates, distributions.iter().map(component).collect()).unwrap()
}

fn plain(distribution: Distribution) -> Fit {
    let dimension = if matches!(distribution, Distribution::Line { .. }) { 1 } else { 2 };
    mixture(dimension, Coordinates::plain(), &[(1.0, distribution)])
}

fn open(target: &dyn Density, distribution: Distribution) -> Fit {
    mixture(target.info().dimension, Coordinates::open(target.info()), &[(1.0, distribution)])
}

/// ELBO, evidence, KL(q‖p) and KL(p‖q).
fn distributions(target: &Arc<dyn Density>, fit: &Fit) -> [Measure; 4] {
    let measures = base::platform::now(measure_fit(&fit_truth(target), fit));
    assert!(measures.iter().map(|measure| measure.key).eq(FIT_MEASURES.iter().map(|spec| spec.key)));
    measures.try_into().unwrap()
}

fn value(measures: &[Measure], key: &str) -> f64 {
    let measure = measures.iter().find(|measure| measure.key == key).unwrap();
    measure.value.unwrap_or_else(|| panic!("{key}: {}", measure.reason))
}

fn quantile100() -> Arc<dyn Density> {
    target("bivariate-mixture", &[])
}

/// Computed independently. The parameters are given with six digits after the point.
#[test]
fn optima_of_variational_inference_on_the_bivariate_mixture() {
    let target = quantile100();
    let mean_field = distributions(&target, &plain(gaussian([0.301_234, 0.403_999], [0.020_549, 0.0, 0.081_822])));
    assert_abs_diff_eq!(value(&mean_field, "elbo"), -186.448_282, epsilon = 2e-6);
    assert_abs_diff_eq!(value(&mean_field, "kl_qp"), 1.300_777, epsilon = 2e-6);
    let full_rank =
        distributions(&target, &plain(gaussian([0.491_415, 0.015_075], [0.171_664, -0.301_429, 0.604_313])));
    assert_abs_diff_eq!(value(&full_rank, "elbo"), -185.197_947, epsilon = 2e-6);
    assert_abs_diff_eq!(value(&full_rank, "kl_qp"), 0.050_442, epsilon = 2e-6);
    // Against the moments of the target: E_p log q is a function of them, −E_p log p one of the target alone.
    let truth = target.info();
    let crossed = |distribution: Distribution| {
        let inverse = distribution.covariance().try_inverse().unwrap();
        let gap = truth.mean - distribution.mean();
        0.5 * ((inverse * (truth.covariance + gap * gap.transpose())).trace()
            + distribution.covariance().determinant().ln())
    };
    let (one, other) = (
        gaussian([0.301_234, 0.403_999], [0.020_549, 0.0, 0.081_822]),
        gaussian([0.491_415, 0.015_075], [0.171_664, -0.301_429, 0.604_313]),
    );
    let difference = value(&mean_field, "kl_pq") - value(&full_rank, "kl_pq");
    assert_relative_eq!(difference, crossed(one) - crossed(other), max_relative = 1e-7);
}

/// log 25 in one direction; in the other −log 25 + E_p |θ|²/2σ² − 1, with E_p |θ|² = 2 (8 + σ²), σ² = 0.03.
#[test]
fn one_of_25_modes() {
    let target = target("gaussian-grid", &[]);
    let fit = plain(gaussian([0.0, 0.0], [0.03, 0.0, 0.03]));
    let measures = distributions(&target, &fit);
    // Less what the four neighbours add to p where q reaches them: their borders are 5.8 standard deviations away.
    assert_relative_eq!(value(&measures, "kl_qp"), 25.0_f64.ln(), max_relative = 5e-8);
    assert_relative_eq!(value(&measures, "elbo"), target.info().log_normaliser - 25.0_f64.ln(), epsilon = 2e-7);
    let reverse = 8.03 / 0.03 - 1.0 - 25.0_f64.ln();
    assert_relative_eq!(value(&measures, "kl_pq"), reverse, max_relative = 1e-6);
    assert_eq!(measures[1].reason, "the method does not estimate log Z");
    assert!(distributions(&target, &fit.clone().with_evidence())[1].reason.ends_with("has not converged to one"));

    let cells = now(measure_truth_of_fit(&Truth::new(target.as_ref()), &fit));
    assert_relative_eq!(value(&cells, "kl"), 25.0_f64.ln(), epsilon = 1e-5);
    assert_relative_eq!(value(&cells, "mode_weight_kl"), 25.0_f64.ln(), epsilon = 1e-6);
    assert_abs_diff_eq!(value(&cells, "within_mode_kl"), 0.0, epsilon = 1e-5);
    assert_abs_diff_eq!(value(&cells, "tv"), 0.96, epsilon = 1e-6);
    assert_abs_diff_eq!(value(&cells, "within_3sd"), 1.0 - (-4.5_f64).exp(), epsilon = 1e-3);
    // ∫ |F̂ − F| by scipy 1.17; F is interpolated between cells that are half a standard deviation wide.
    assert_abs_diff_eq!(value(&cells, "w1_x"), 2.289_442, epsilon = 1e-3);
    assert_abs_diff_eq!(value(&cells, "mean_error"), 0.0, epsilon = 1e-12);
    assert_relative_eq!(value(&cells, "covariance_error"), 8.0 * 2.0_f64.sqrt(), max_relative = 1e-9);
    // Every other mode costs ln(p/p̂) with p̂ the trace of the uniform distribution.
    assert!(value(&cells, "kl_reverse") > 15.0);
    for key in ["modes_visited", "modes_covered"] {
        let measure = cells.iter().find(|measure| measure.key == key).unwrap();
        assert_eq!((measure.value, measure.reason), (None, "counts draws; q has none"));
    }
}

/// A distribution over all modes sees log p bend within a hundredth of a unit from one mode to the next, which is what
/// nodes run out for. The grid of modes is a product, so the bound is a sum over coordinates, each from four million
/// nodes by numpy.
#[test]
fn a_distribution_over_25_modes_is_resolved_to_three_digits() {
    let target = target("gaussian-grid", &[]);
    for (mean, sd, exact) in [(0.0, 3.0, -26.453_450), (0.7, 1.5, -9.113_617)] {
        let measures = distributions(&target, &plain(gaussian([mean, mean], [sd * sd, 0.0, sd * sd])));
        assert_abs_diff_eq!(value(&measures, "kl_qp"), -exact, epsilon = 2e-3);
    }
}

/// All 25 modes are the target itself, and each claims its 25th of the evidence.
#[test]
fn a_mixture_that_is_the_target_is_at_no_distance() {
    let target = target("gaussian-grid", &[]);
    let info = target.info();
    let component = |mode: &models::targets::Mode| Component {
        weight: mode.weight,
        distribution: Distribution::gaussian(2, mode.at, mode.covariance),
        log_evidence: Some(info.log_normaliser + mode.weight.ln()),
    };
    let fit = Fit::new(2, Coordinates::plain(), info.modes.iter().map(component).collect()).unwrap();
    let truth = fit_truth(&target);
    let measures = base::platform::now(measure_fit(&truth, &fit));
    assert_relative_eq!(value(&measures, "elbo"), info.log_normaliser, epsilon = 1e-7);
    assert_relative_eq!(value(&measures, "evidence"), info.log_normaliser, epsilon = 1e-9);
    assert_abs_diff_eq!(value(&measures, "kl_qp"), 0.0, epsilon = 1e-7);
    assert_abs_diff_eq!(value(&measures, "kl_pq"), 0.0, epsilon = 1e-7);
    let overlap = overlap(&truth, &fit).unwrap();
    // Neighbours are 2 apart: exp(−4/(8 · 0.03)).
    assert_relative_eq!(overlap.coefficient, (-4.0 / 0.24_f64).exp(), max_relative = 1e-9);
    assert_abs_diff_eq!(overlap.excess.unwrap(), 0.0, epsilon = 1e-9);
    for (key, most) in [("kl", 1e-6), ("tv", 1e-6), ("kl_reverse", 1e-6), ("mmd2", 1e-9), ("mean_error", 1e-9)] {
        assert_abs_diff_eq!(
            value(&now(measure_truth_of_fit(&Truth::new(target.as_ref()), &fit)), key),
            0.0,
            epsilon = most
        );
    }
}

/// Computed independently: the product that coordinate ascent ends with.
#[test]
fn the_product_of_coordinate_ascent_on_mean_and_precision() {
    let target = target("normal-gamma", &[]);
    let distribution =
        Distribution::NormalGamma { mean: 0.872_727_27, precision: 17.006_324_67, shape: 6.5, rate: 4.204_318_18 };
    let measures = distributions(&target, &plain(distribution));
    assert_abs_diff_eq!(value(&measures, "elbo"), -13.778_344_81, epsilon = 1e-8);
    assert_abs_diff_eq!(value(&measures, "kl_qp"), 13.778_344_81 - 13.737_257_79, epsilon = 1e-8);
    // Whatever the coordinates of the chains, the distribution is one of θ.
    let info = target.info();
    let fit = mixture(2, Coordinates::open(info), &[(1.0, distribution)]);
    assert_eq!(fit, plain(distribution));
    let moments = fit.moments().unwrap();
    assert_relative_eq!(moments.mean, Point::new(0.872_727_27, 6.5 / 4.204_318_18), max_relative = 1e-12);
    assert!(value(&measures, "kl_pq") > 0.0 && value(&measures, "kl_pq") < 0.2);
}

/// KL between Gaussians: ½ (tr Σ₁Σ₀⁻¹ + δᵀΣ₁⁻¹δ − d + ln |Σ₁|/|Σ₀|). It is 0.83037 for the mean field of ρ = 0.9.
#[test]
fn divergences_between_gaussians() {
    let between = |from: &Distribution, to: &Distribution| {
        let (a, b) = (from.covariance(), to.covariance());
        let (inverse, gap) = (b.try_inverse().unwrap(), to.mean() - from.mean());
        0.5 * ((inverse * a).trace() + gap.dot(&(inverse * gap)) - 2.0 + (b.determinant() / a.determinant()).ln())
    };
    let target = target("gaussian", &[("correlation", Value::Number(0.9))]);
    let exact = Distribution::gaussian(2, target.info().mean, target.info().covariance);
    let mean_field = gaussian([0.0, 0.0], [0.19, 0.0, 0.19]);
    for distribution in [mean_field, gaussian([0.5, -0.2], [1.5, -0.4, 0.7]), gaussian([3.0, 1.0], [0.01, 0.005, 0.02])]
    {
        let measures = distributions(&target, &plain(distribution));
        assert_relative_eq!(value(&measures, "kl_qp"), between(&distribution, &exact), max_relative = 1e-9);
        assert_relative_eq!(value(&measures, "kl_pq"), between(&exact, &distribution), max_relative = 1e-9);
    }
    assert_abs_diff_eq!(value(&distributions(&target, &plain(mean_field)), "kl_qp"), 0.830_37, epsilon = 5e-6);
}

/// N(0.25, 0.04) on the logit of θ ~ Beta(75, 60), with the prior Beta(25, 10): scipy 1.17, `integrate.quad`.
#[test]
fn a_beta_posterior_through_the_logit() {
    let prior = ("prior", Value::Pair([25.0, 10.0]));
    let coin = target("beta-posterior", std::slice::from_ref(&prior));
    let fit = open(coin.as_ref(), line(0.25, 0.04));
    let measures = distributions(&coin, &fit);
    assert_relative_eq!(value(&measures, "elbo"), -72.609_482_273_822_37, max_relative = 1e-10);
    assert_relative_eq!(value(&measures, "kl_qp"), 0.031_482_379_467_576, max_relative = 1e-8);
    assert_relative_eq!(value(&measures, "kl_pq"), 0.025_863_799_438_003, max_relative = 1e-8);
    let moments = fit.moments().unwrap();
    assert_relative_eq!(moments.mean.x, 0.561_575_992_519_562_9, max_relative = 1e-10);
    assert_relative_eq!(moments.covariance.m11, 0.002_378_943_294_733_2, max_relative = 1e-9);
    assert_relative_eq!(fit.log_density(Point::new(0.7, 0.0)), -2.208_412_047_795_043_5, max_relative = 1e-12);
    assert!(fit.log_density(Point::new(1.2, 0.0)).is_infinite());
    let truth = Truth::new(coin.as_ref());
    let statistics = now(fit.statistics(&truth)).unwrap();
    assert_relative_eq!(now(fit.boxes(&[0.5, 0.7], &[-0.5, 0.5]))[0], 0.892_939_222_773_718_5, max_relative = 1e-12);
    assert_relative_eq!(statistics.cells().iter().sum::<f64>() + statistics.outside(), 1.0, epsilon = 1e-12);

    // The same distribution of θ itself reaches over the edge, however little: its bound is −∞.
    let reflected = target("beta-posterior", &[prior, ("boundary", Value::Choice("reflect"))]);
    let moments = reflected.info().covariance.m11;
    let measures = distributions(&reflected, &plain(line(reflected.info().mean.x, moments)));
    for key in [0, 2] {
        assert_eq!((measures[key].value, measures[key].reason), (None, "q puts mass outside the support"));
    }
    assert!((0.0..1e-3).contains(&value(&measures, "kl_pq")));
}

/// ∫ q = 1 in θ: the Jacobian is right.
#[test]
fn densities_in_theta_are_normalised() {
    let pair = target("beta-pair", &[]);
    let distribution = gaussian([0.2, -0.4], [0.05, 0.02, 0.08]);
    let fit = open(pair.as_ref(), distribution);
    let count = 400;
    let share = |index: i32| (f64::from(index) + 0.5) / f64::from(count);
    let (mut mass, mut first, mut second) = (0.0, Point::zeros(), Matrix::zeros());
    for index in 0..count * count {
        let at = Point::new(share(index % count), share(index / count));
        let weight = fit.log_density(at).exp() / f64::from(count * count);
        mass += weight;
        first += at * weight;
        second += at * at.transpose() * weight;
    }
    assert_relative_eq!(mass, 1.0, epsilon = 1e-9);
    let moments = fit.moments().unwrap();
    assert_relative_eq!(moments.mean, first, epsilon = 1e-9);
    assert_relative_eq!(moments.covariance, second - first * first.transpose(), epsilon = 1e-9);
}

/// Distributions in all forms on targets on which they may be found.
fn fits() -> Vec<(&'static str, Arc<dyn Density>, Fit)> {
    let (pair, precision) = (target("beta-pair", &[]), target("normal-gamma", &[]));
    let coin = target("beta-posterior", &[]);
    let through_logits = open(pair.as_ref(), gaussian([0.2, -0.4], [0.3, 0.2, 0.5]));
    let through_logarithm = open(precision.as_ref(), gaussian([0.8, 0.3], [0.1, 0.02, 0.2]));
    let coin_fit = open(coin.as_ref(), line(0.3, 0.1));
    let several = [
        (0.5, gaussian([0.0, 0.0], [0.04, 0.01, 0.03])),
        (0.2, gaussian([-2.1, 4.0], [1e-4, 0.0, 1e-4])),
        (0.3, gaussian([5.9, 1.0], [1.0, -0.7, 2.0])),
    ];
    vec![
        ("narrow and wide", target("gaussian-grid", &[]), mixture(2, Coordinates::plain(), &several)),
        ("one", target("three-modes", &[]), plain(gaussian([0.3, 1.0], [2.0, 1.5, 2.5]))),
        (
            "two on a line",
            Mixture::line().shared(),
            mixture(1, Coordinates::plain(), &[(0.4, line(-2.0, 0.5)), (0.6, line(1.0, 4.0))]),
        ),
        ("logits", pair, through_logits),
        ("logit", coin, coin_fit),
        ("logarithm", precision.clone(), through_logarithm),
        ("product", precision, plain(Distribution::NormalGamma { mean: 0.8, precision: 9.0, shape: 3.5, rate: 2.5 })),
        (
            "small shape",
            target("normal-gamma", &[]),
            plain(Distribution::NormalGamma { mean: 0.8, precision: 9.0, shape: 0.7, rate: 0.5 }),
        ),
    ]
}

/// The total variation of n draws from cells of probabilities q has expectation at most ½ Σ √(q(1 − q)/n), and one draw
/// changes it by at most 1/n: it exceeds that by 3/√n in fewer than one of 10⁷ comparisons (McDiarmid, exp(−2 · 3²)).
/// The draws are spread over distributions evenly and not at random, which makes it smaller. Shares and moments: 5
/// standard errors, fewer than one in 10⁶ each.
#[test]
fn totals_are_those_of_many_draws() {
    const DRAWS: usize = 20_000;
    let n = DRAWS as f64;
    for (name, target, fit) in fits() {
        let truth = Truth::new(target.as_ref());
        let statistics = now(fit.statistics(&truth)).unwrap();
        let draws = fit.draws(DRAWS, 1.0, &mut Stream::derive(3, Purpose::Fit, 0, 0));
        let draw_counts = counts_of(&truth, &draws).statistics(&truth);
        let close = |shares: &[f64], counts: &[f64], what: &str| {
            let expected: f64 = shares.iter().map(|share| 0.5 * (share * (1.0 - share).max(0.0) / n).sqrt()).sum();
            let found: f64 = shares.iter().zip(counts).map(|(share, count)| 0.5 * (share - count / n).abs()).sum();
            assert!(found <= expected + 3.0 / n.sqrt(), "{name}, {what}: {found}, at most {expected} expected");
        };
        close(statistics.cells(), draw_counts.cells(), "cells");
        close(statistics.columns(), draw_counts.columns(), "columns");
        close(statistics.rows(), draw_counts.rows(), "rows");
        close(statistics.basins(), draw_counts.basins(), "basins");
        if !statistics.outer_cells().is_empty() && !draw_counts.outer_cells().is_empty() {
            close(statistics.outer_cells(), draw_counts.outer_cells(), "outer cells");
        }
        let shares = [
            (statistics.outside(), draw_counts.outside()),
            (statistics.within_3sd(), draw_counts.within_3sd()),
            (statistics.beyond(), draw_counts.beyond()),
        ];
        for (share, count) in shares {
            let error = (share * (1.0 - share) / n).max(0.0).sqrt();
            assert_abs_diff_eq!(share, count / n, epsilon = 5.0 * error + 1.0 / n);
        }
        assert_relative_eq!(statistics.basins().iter().sum::<f64>(), 1.0, epsilon = 1e-8);
        let (own, theirs) = (statistics.gaussian().unwrap(), draw_counts.gaussian().unwrap());
        for axis in 0..fit.dimension() {
            let error = (own.covariance[(axis, axis)] / n).sqrt();
            assert_abs_diff_eq!(own.mean[axis], theirs.mean[axis], epsilon = 5.0 * error);
        }
    }
}

/// A distribution far narrower than a cell: wherever it lies, its basin, its cell and its distance to the mode are right.
#[test]
fn a_distribution_narrower_than_a_cell() {
    let target = target("gaussian-grid", &[]);
    let truth = Truth::new(target.as_ref());
    // Half of it within three standard deviations of the mode at (2, 2); on the border of two basins; on a corner of
    // cells.
    let rim = 3.0 * 0.03_f64.sqrt();
    for (at, basins, within) in [([2.0 + rim, 2.0], 1.0, 0.5), ([1.0, 2.0], 0.5, 0.0), ([2.1, 2.1], 1.0, 1.0)] {
        let statistics = now(plain(gaussian(at, [1e-8, 0.0, 1e-8])).statistics(&truth)).unwrap();
        let mode = truth.modes().iter().position(|mode| (mode.at - Point::new(2.0, 2.0)).norm() < 1e-9).unwrap();
        assert_abs_diff_eq!(statistics.basins()[mode], basins, epsilon = 1e-2);
        assert_abs_diff_eq!(statistics.within_3sd(), within, epsilon = 1e-2);
        assert_relative_eq!(statistics.cells().iter().sum::<f64>(), 1.0, epsilon = 1e-9);
    }
}

/// A distribution that is the target scores next to nothing on every measure of distance.
#[test]
fn the_exact_distribution_is_at_no_distance() {
    let target = Mixture::single();
    let truth = Truth::new(&target);
    let fit = plain(Distribution::gaussian(2, target.info().mean, target.info().covariance));
    let measures = now(measure_truth_of_fit(&truth, &fit));
    assert!(measures.iter().map(|measure| measure.key).eq(TRUTH_MEASURES.iter().map(|spec| spec.key)));
    for (key, most) in [
        ("kl", 1e-5),
        ("kl_reverse", 1e-5),
        ("tv", 1e-5),
        ("hellinger", 1e-3),
        ("w1_x", 1e-3),
        ("w1_y", 1e-3),
        ("sliced_w2", 1e-2),
        ("mmd2", 1e-9),
        ("mean_error", 1e-12),
        ("covariance_error", 1e-12),
    ] {
        assert_abs_diff_eq!(value(&measures, key), 0.0, epsilon = most);
    }
    assert_abs_diff_eq!(value(&measures, "within_3sd"), 1.0 - (-4.5_f64).exp(), epsilon = 1e-4);
    assert!(measures.iter().all(|measure| measure.floor.is_none()));
}

#[test]
fn draws_move_with_the_distribution() {
    let draws = |distribution: Distribution, count: usize| {
        plain(distribution).draws(count, 1.0, &mut Stream::derive(1, Purpose::Fit, 0, 0))
    };
    let (one, other) = (gaussian([0.0, 1.0], [1.0, 0.5, 2.0]), gaussian([0.1, 1.0], [1.0, 0.5, 2.0]));
    for (before, after) in draws(one, 50).iter().zip(draws(other, 50)) {
        assert_relative_eq!(before + Point::new(0.1, 0.0), after, epsilon = 1e-12);
    }
    assert_eq!(draws(one, 50)[..20], draws(one, 20)[..]);
    let gamma = |rate: f64| Distribution::NormalGamma { mean: 0.0, precision: 1.0, shape: 0.8, rate };
    for (before, after) in draws(gamma(1.0), 50).iter().zip(draws(gamma(2.0), 50)) {
        assert_relative_eq!(before.y, 2.0 * after.y, max_relative = 1e-12);
    }
    let two = mixture(2, Coordinates::plain(), &[(0.3, gaussian([-50.0, 0.0], [1.0, 0.0, 1.0])), (0.7, other)]);
    for count in [10, 100, 1000] {
        let all = two.draws(count, 1.0, &mut Stream::derive(1, Purpose::Fit, 0, 0));
        let left = all.iter().filter(|at| at.x < -25.0).count() as f64;
        assert_abs_diff_eq!(left, 0.3 * count as f64, epsilon = 2.0);
    }
}

#[test]
fn a_fit_without_width_has_reasons_instead_of_values() {
    let target = quantile100();
    let flat = plain(gaussian([0.0, 0.0], [1.0, 1.0, 1.0]));
    assert!(!flat.is_sound() && flat.moments().is_none());
    assert!(flat.draws(3, 1.0, &mut Stream::derive(1, Purpose::Fit, 0, 0)).is_empty());
    let truth = Truth::new(target.as_ref());
    for measure in now(measure_truth_of_fit(&truth, &flat)).into_iter().chain(distributions(&target, &flat)) {
        assert_eq!((measure.value, measure.reason), (None, UNSOUND), "{}", measure.key);
    }
    assert!(Fit::new(2, Coordinates::plain(), Vec::new()).is_none());
}

#[test]
fn distributions_at_one_place_overlap_and_claim_too_much() {
    let target = quantile100();
    let distribution = gaussian([0.3, 0.4], [0.3, -0.1, 0.5]);
    let component = |distribution| Component { weight: 0.5, distribution, log_evidence: Some(-185.0) };
    let twice = Fit::new(2, Coordinates::plain(), vec![component(distribution), component(distribution)]).unwrap();
    let truth = fit_truth(&target);
    let found = overlap(&truth, &twice).unwrap();
    assert_relative_eq!(found.coefficient, 1.0, epsilon = 1e-12);
    let excess = -185.0 + 2.0_f64.ln() - target.info().log_normaliser;
    assert_relative_eq!(found.excess.unwrap(), excess, epsilon = 1e-9);
    let evidence = base::platform::now(measure_fit(&truth, &twice))[1].value.unwrap();
    assert_relative_eq!(evidence, -185.0 + 2.0_f64.ln(), epsilon = 1e-12);
    assert_eq!(overlap(&truth, &plain(distribution)), None);
    // ∫ √(q₁q₂) of gamma distributions with shapes 2 and 4, and of normals 1 apart, in closed form.
    let product = |mean: f64, shape: f64| Distribution::NormalGamma { mean, precision: 1.0, shape, rate: 1.0 };
    let two = mixture(2, Coordinates::plain(), &[(0.5, product(0.0, 2.0)), (0.5, product(1.0, 4.0))]);
    let expected = (-0.125_f64).exp() * 2.0 / 6.0_f64.sqrt();
    assert_relative_eq!(overlap(&truth, &two).unwrap().coefficient, expected, max_relative = 1e-12);
}

/// The nodes hold all of every target.
#[test]
fn targets_as_weighted_points() {
    for (name, target) in TARGETS.iter().map(|kind| (kind.name, built(kind.name, &[]))) {
        let Some(density) = target.density() else { continue };
        let found = nodes(density);
        let exact = density.info();
        // The third derivatives of splines jump, and a lattice over all of the background has wide cells.
        let [of_total, of_mean] = if name == "painted" { [1e-5, 5e-5] } else { [1e-8, 1e-6] };
        assert!((found.total - 1.0).abs() < of_total, "{name}: {}", found.total);
        let theta = |z: Point| found.coordinates.to_theta(z);
        let mean: Point = found.nodes.iter().map(|node| theta(node.z) * node.probability).sum();
        assert!((mean - exact.mean).amax() < of_mean, "{name}: {mean} {}", exact.mean);
    }
}

/// KL(p‖q) = ½ (e^(s²/2) + s²) − ln s − 1 of a funnel from a standard normal q, up to the steepest funnel there is: most
/// of it comes from x where v is s² and more.
#[test]
fn the_divergence_of_a_funnel_has_its_closed_form() {
    for sd in [0.1, 1.0, 3.0, 3.5, 4.0, 5.0] {
        let funnel = target("funnel", &[("sd", Value::Number(sd))]);
        let measures = distributions(&funnel, &plain(gaussian([0.0, 0.0], [1.0, 0.0, 1.0])));
        let expected = 0.5 * ((0.5 * sd * sd).exp() + sd * sd) - sd.ln() - 1.0;
        assert_relative_eq!(measures[3].value.unwrap(), expected, max_relative = 1e-9);
    }
}
