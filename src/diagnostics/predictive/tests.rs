//! Predictive quantities against their definitions, and against the reference numbers of Laplace approximations.

use super::*;
use crate::math::{Purpose, Stream, gauss_hermite, normal_quantile};
use crate::targets::Curvature;
use crate::targets::network::{DataSet, Layout, Likelihood, Network, Noise, Observations, Prior, TestSet};

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
}

fn stored(file: &str, column: usize) -> Vec<f64> {
    file.lines().skip(1).map(|row| row.split(',').nth(column).unwrap().parse().unwrap()).collect()
}

#[test]
fn bands_are_means_and_variances() {
    let band = Band::new(&[1.0, 3.0, 5.0, 7.0], Weights::Equal, 0.5);
    assert_eq!(band, Band { mean: 4.0, epistemic: 5.0, aleatoric: 0.25 });
    close(band.total(), 5.25, 0.0);
    let weighted = Band::new(&[1.0, 3.0, 5.0], Weights::Each(&[2.0, 0.0, 2.0]), 1.0);
    assert_eq!(weighted, Band { mean: 3.0, epistemic: 4.0, aleatoric: 1.0 });
    close(rmse(&[band, weighted], &[4.0, 5.0]), 2.0_f64.sqrt(), 1e-15);
}

#[test]
fn log_scores_are_those_of_their_densities() {
    let density = |y: f64, mean: f64, sd: f64| {
        libm::exp(-0.5 * (y - mean) * (y - mean) / (sd * sd)) / (sd * std::f64::consts::TAU.sqrt())
    };
    let (f, y) = ([1.0, 2.0, 0.0, 0.5], [1.2, -0.3]);
    let expected = -0.5
        * (libm::log(0.5 * (density(1.2, 1.0, 0.4) + density(1.2, 2.0, 0.4)))
            + libm::log(0.5 * (density(-0.3, 0.0, 0.4) + density(-0.3, 0.5, 0.4))));
    close(mixture_nll(&f, Weights::Equal, &y, 0.4), expected, 1e-14);
    let weights = [3.0, 1.0];
    let expected = -libm::log(0.75 * density(1.2, 1.0, 0.4) + 0.25 * density(1.2, 2.0, 0.4));
    close(mixture_nll(&f[..2], Weights::Each(&weights), &y[..1], 0.4), expected, 1e-14);
    let band = Band { mean: 1.0, epistemic: 0.3, aleatoric: 0.1 };
    close(gaussian_nll(&[band], &[1.2]), -libm::log(density(1.2, 1.0, 0.4_f64.sqrt())), 1e-14);
    // Far out the density underflows, and its logarithm does not.
    close(mixture_nll(&[0.0], Weights::Equal, &[100.0], 1.0), 5000.0 + 0.918_938_533_204_672_7, 1e-9);
}

/// Targets at the quantiles of their predictions cover every central interval by its probability.
#[test]
fn intervals_of_a_true_prediction_cover_what_they_say() {
    const COUNT: usize = 1000;
    let levels: Vec<f64> = (1..20).map(|i| f64::from(i) * 0.05).collect();
    let targets: Vec<f64> = (0..COUNT).map(|i| 3.0 + 0.5 * normal_quantile((i as f64 + 0.5) / COUNT as f64)).collect();
    let f = vec![3.0; 4 * COUNT];
    for (found, level) in coverage(&f, Weights::Equal, &targets, 0.5, &levels).into_iter().zip(&levels) {
        close(found, *level, 1.01 / COUNT as f64);
    }
    // Draws that differ widen the intervals.
    let wide: Vec<f64> = (0..4 * COUNT).map(|i| if i % 2 == 0 { 2.0 } else { 4.0 }).collect();
    let found = coverage(&wide, Weights::Equal, &targets, 0.5, &[0.5]);
    assert!(found[0] > 0.9);
}

#[test]
fn entropies_add_up() {
    let same = ClassPrediction::of_logits(&[0.7; 5], Weights::Equal);
    close(same.mutual_information(), 0.0, 1e-15);
    let torn = ClassPrediction::of_logits(&[1000.0, -1000.0], Weights::Equal);
    close(torn.entropy, std::f64::consts::LN_2, 1e-15);
    close(torn.aleatoric, 0.0, 0.0);
    assert_eq!((torn.class(), torn.confidence().to_bits()), (1, 0.5_f64.to_bits()));
    // Two classes of a softmax are a logit.
    let (f, weights) = ([0.3, -1.0, 2.0], [1.0, 2.0, 3.0]);
    let logits = ClassPrediction::of_logits(&f, Weights::Each(&weights));
    let softmax = ClassPrediction::of_softmax(&[[0.0; 3], f].concat(), 2, Weights::Each(&weights));
    close(logits.probabilities[1], softmax.probabilities[1], 1e-15);
    close(logits.entropy, softmax.entropy, 1e-15);
    close(logits.aleatoric, softmax.aleatoric, 1e-15);
    let uniform = ClassPrediction::of_softmax(&[4.0; 3 * 7], 3, Weights::Equal);
    close(uniform.entropy, libm::log(3.0), 1e-15);
    assert_eq!(uniform.class(), 2);
}

#[test]
fn scores_are_those_of_their_definitions() {
    let prediction = |p: &[f64]| ClassPrediction::new(p.to_vec(), 0.0);
    let binary = [prediction(&[0.3, 0.7]), prediction(&[0.9, 0.1]), prediction(&[0.5, 0.5])];
    let scores = class_scores(&binary, &[1, 1, 1]);
    close(scores.error, 1.0 / 3.0, 1e-15);
    close(scores.nll, -(libm::log(0.7) + libm::log(0.1) + libm::log(0.5)) / 3.0, 1e-14);
    close(scores.brier, (0.09 + 0.81 + 0.25) / 3.0, 1e-15);
    let three = [prediction(&[0.2, 0.3, 0.5])];
    close(class_scores(&three, &[0]).brier, 0.64 + 0.09 + 0.25, 1e-15);
    assert!(class_scores(&[prediction(&[1.0, 0.0])], &[1]).nll.is_infinite());
}

#[test]
fn bins_contain_their_lower_edges() {
    let prediction = |p: f64| ClassPrediction::new(vec![1.0 - p, p], 0.0);
    let all = [prediction(0.5), prediction(0.55), prediction(0.999), prediction(1.0), prediction(0.02)];
    let bins = reliability(&all, &[1, 0, 1, 1, 1], 2);
    let counts: Vec<usize> = bins.iter().map(|bin| bin.count).collect();
    assert_eq!(counts, [1, 1, 0, 0, 0, 0, 0, 0, 0, 3]);
    close(bins[9].accuracy, 2.0 / 3.0, 1e-15);
    close(bins[9].confidence, (0.999 + 1.0 + 0.98) / 3.0, 1e-15);
    let expected = (0.5 + 0.55 + 3.0 * ((0.999 + 1.0 + 0.98) / 3.0 - 2.0 / 3.0)) / 5.0;
    close(expected_calibration_error(&bins), expected, 1e-14);
    close(reliability(&[], &[], 4)[0].from, 0.25, 0.0);
}

#[test]
fn logistic_integrals_are_exact() {
    close(logistic_gaussian(0.0, 3.0), 0.5, 1e-15);
    close(logistic_gaussian(1.3, 0.0), 1.0 / (1.0 + libm::exp(-1.3)), 1e-15);
    for (mean, variance) in [(0.5, 0.3), (-1.2, 2.0), (2.0, 6.0)] {
        // The trapezoidal rule has all digits for a smooth function that falls to 0.
        let step = 0.01;
        let sum: f64 = (-1200..=1200)
            .map(|i| {
                let z = f64::from(i) * step;
                let weight = step * libm::exp(-0.5 * z * z) / std::f64::consts::TAU.sqrt();
                weight / (1.0 + libm::exp(-(mean + f64::sqrt(variance) * z)))
            })
            .sum();
        close(logistic_gaussian(mean, variance), sum, 1e-5);
        close(probit(mean, variance), sum, 0.02);
        let whole = logistic_gaussian_prediction(mean, variance, &gauss_hermite(EXACT_NODES));
        close(whole.probabilities[1], logistic_gaussian(mean, variance), 1e-15);
        assert!(whole.mutual_information() > 0.0);
    }
}

/// Many draws of f say the same as the rule.
#[test]
fn the_rule_agrees_with_draws() {
    let mut stream = Stream::derive(1, Purpose::Measure, 0, 0);
    let f: Vec<f64> = (0..100_000).map(|_| 0.4 + 1.5 * normal_quantile(stream.uniform())).collect();
    let drawn = ClassPrediction::of_logits(&f, Weights::Equal);
    let exact = logistic_gaussian_prediction(0.4, 2.25, &gauss_hermite(EXACT_NODES));
    // Five standard errors: the sd of sigmoid f is below 0.3, that of the entropy below 0.2.
    close(drawn.probabilities[1], exact.probabilities[1], 5.0 * 0.3 / 1e5_f64.sqrt());
    close(drawn.aleatoric, exact.aleatoric, 5.0 * 0.2 / 1e5_f64.sqrt());
}

/// `moons` with the test data and the best mode.
fn moons() -> (Network, Vec<f64>, Observations) {
    let set = DataSet::Moons { count: 50, sd: 0.2 };
    let layout = Layout::new(&[2, 8, 1]).unwrap();
    let prior = Prior::FanIn { weight: 5.0, bias: 2.0 };
    let network = Network::new(layout, prior, Likelihood::Bernoulli, set.train(Noise::Lattice)).unwrap();
    let [TestSet { observations, .. }] = <[TestSet; 1]>::try_from(set.tests(Noise::Lattice)).unwrap();
    (network, stored(include_str!("../../../tests/data/network/moons_weights.csv"), 2), observations)
}

/// Test scores of linearised Laplace approximations, which were computed independently with NumPy.
#[test]
fn linearised_predictions_of_moons_have_the_known_scores() {
    let (network, mode, test) = moons();
    let labels: Vec<usize> = test.targets.iter().map(|label| usize::from(*label > 0.5)).collect();
    let rule = gauss_hermite(EXACT_NODES);
    let places = || test.inputs.chunks_exact(2);
    let of = |curvature: Curvature| {
        let precision = network.precision(&mode, curvature).unwrap();
        let predictions: Vec<ClassPrediction> = places()
            .map(|x| {
                let f = network.output(&mode, x)[0];
                let variance = precision.covariance(&network.jacobian(&mode, x))[0];
                logistic_gaussian_prediction(f, variance, &rule)
            })
            .collect();
        let scores = class_scores(&predictions, &labels);
        (scores, expected_calibration_error(&reliability(&predictions, &labels, 2)))
    };
    for (curvature, nll, ece, brier) in [
        (Curvature::Full, 0.1428679024394148, 0.0780433276698985, 0.03143249498436112),
        (Curvature::Ggn, 0.153299726293877, 0.0883789375220906, 0.033096259814084476),
        (Curvature::Diagonal, 0.17095444131056312, 0.10780728670287713, 0.03758311122326113),
        (Curvature::Fisher, 0.2447113556071208, 0.17398083251099905, 0.05651540090747638),
        (Curvature::LastLayer, 0.12126477237519757, 0.05526064529241208, 0.028306140376942325),
    ] {
        let (scores, calibration) = of(curvature);
        close(scores.nll, nll, 1e-8);
        close(calibration, ece, 1e-8);
        close(scores.brier, brier, 1e-8);
        close(scores.error, 0.025, 1e-12);
    }
    // Three digits, from means over fits that end in several modes.
    for (curvature, nll, information) in [
        (Curvature::Full, 0.143, 0.068),
        (Curvature::Ggn, 0.153, 0.088),
        (Curvature::Kfac, 0.146, 0.074),
        (Curvature::Diagonal, 0.171, 0.126),
        (Curvature::LastLayer, 0.121, 0.025),
    ] {
        let (scores, _) = of(curvature);
        close(scores.nll, nll, 0.00051);
        close(scores.mutual_information, information, 0.00051);
    }
}

/// The same for `gap` in its gap.
#[test]
fn linearised_predictions_of_the_gap_have_the_known_scores() {
    let set = DataSet::GapSine { sd: 0.1 };
    let layout = Layout::new(&[1, 10, 1]).unwrap();
    let prior = Prior::FanIn { weight: 2.0, bias: 1.0 };
    let likelihood = Likelihood::Gaussian { sd: 0.1 };
    let network = Network::new(layout, prior, likelihood, set.train(Noise::Lattice)).unwrap();
    let mode = stored(include_str!("../../../tests/data/network/gap_weights.csv"), 2);
    let test = &set.tests(Noise::Lattice)[1].observations;
    let outputs: Vec<f64> = test.inputs.iter().map(|x| network.output(&mode, &[*x])[0]).collect();
    close(mixture_nll(&outputs, Weights::Equal, &test.targets, 0.1), 0.4936421639392522, 1e-9);
    let alone: Vec<Band> = outputs.iter().map(|f| Band::new(&[*f], Weights::Equal, 0.1)).collect();
    close(gaussian_nll(&alone, &test.targets), 0.4936421639392522, 1e-9);
    close(rmse(&alone, &test.targets), 0.19376732045051484, 1e-9);
    for (curvature, nll) in [
        (Curvature::Full, -0.24068269551152194),
        (Curvature::Ggn, -0.16436114051252543),
        (Curvature::Diagonal, -0.19896939412956993),
        (Curvature::Fisher, -0.19161327624497576),
        (Curvature::LastLayer, 0.2394783120224937),
    ] {
        let precision = network.precision(&mode, curvature).unwrap();
        let band = |(x, f): (&f64, &f64)| {
            let epistemic = precision.covariance(&network.jacobian(&mode, &[*x]))[0];
            Band { mean: *f, epistemic, aleatoric: 0.01 }
        };
        let bands: Vec<Band> = test.inputs.iter().zip(&outputs).map(band).collect();
        close(gaussian_nll(&bands, &test.targets), nll, 1e-8);
    }
}
