//! Predictive quantities against their definitions, and against the reference numbers of Laplace approximations.

use super::*;
use base::math::{Purpose, Stream, normal_quantile};
use models::targets::Curvature;
use models::targets::network::{DataSet, Layout, Likelihood, Network, Noise, Observations, Prior, TestSet};

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found}, expected {expected}");
}

fn stored(file: &str, column: usize) -> Vec<f64> {
    file.lines().skip(1).map(|row| row.split(',').nth(column).unwrap().parse().unwrap()).collect()
}

/// Draws of f that weigh the same.
fn draws(f: &[f64]) -> Mixture<'_> {
    Mixture { f, variances: &[], weights: Weights::Equal }
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
    close(mixture_nll(draws(&f), &y, 0.4), expected, 1e-14);
    let weights = [3.0, 1.0];
    let expected = -libm::log(0.75 * density(1.2, 1.0, 0.4) + 0.25 * density(1.2, 2.0, 0.4));
    close(mixture_nll(Mixture { weights: Weights::Each(&weights), ..draws(&f[..2]) }, &y[..1], 0.4), expected, 1e-14);
    let band = Band { mean: 1.0, epistemic: 0.3, aleatoric: 0.1 };
    close(gaussian_nll(&[band], &[1.2]), -libm::log(density(1.2, 1.0, 0.4_f64.sqrt())), 1e-14);
    // Two Gaussians of f instead of draws: N(m, v + σ²).
    let gaussians = Mixture { f: &f[..2], variances: &[0.2, 0.0], weights: Weights::Each(&weights) };
    let wide = (0.2_f64 + 0.16).sqrt();
    let expected = -libm::log(0.75 * density(1.2, 1.0, wide) + 0.25 * density(1.2, 2.0, 0.4));
    close(mixture_nll(gaussians, &y[..1], 0.4), expected, 1e-14);
    // Far out the density underflows, and its logarithm does not.
    close(mixture_nll(draws(&[0.0]), &[100.0], 1.0), 5000.0 + 0.918_938_533_204_672_7, 1e-9);
}

/// Targets at the quantiles of their predictions cover every central interval by its probability.
#[test]
fn intervals_of_a_true_prediction_cover_what_they_say() {
    const COUNT: usize = 1000;
    let levels: Vec<f64> = (1..20).map(|i| f64::from(i) * 0.05).collect();
    let targets: Vec<f64> = (0..COUNT).map(|i| 3.0 + 0.5 * normal_quantile((i as f64 + 0.5) / COUNT as f64)).collect();
    let f = vec![3.0; 4 * COUNT];
    for (found, level) in coverage(draws(&f), &targets, 0.5, &levels).into_iter().zip(&levels) {
        close(found, *level, 1.01 / COUNT as f64);
    }
    // Draws that differ widen the intervals.
    let wide: Vec<f64> = (0..4 * COUNT).map(|i| if i % 2 == 0 { 2.0 } else { 4.0 }).collect();
    let found = coverage(draws(&wide), &targets, 0.5, &[0.5]);
    assert!(found[0] > 0.9);
    // f ~ N(3, 0.3²) with noise 0.4 has the predictions N(3, 0.5²).
    let gaussians = Mixture { f: &f[..COUNT], variances: &vec![0.09; COUNT], weights: Weights::Equal };
    for (found, level) in coverage(gaussians, &targets, 0.4, &levels).into_iter().zip(&levels) {
        close(found, *level, 1.01 / COUNT as f64);
    }
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

/// Mean and sd of f, E sigmoid f and the mean entropy of a label, by adaptive quadrature with 50 digits (mpmath).
const INTEGRALS: [[f64; 4]; 14] = [
    [0.4, 0.2, 0.5977566384225946, 0.6691699086026064],
    [-3.0, 0.75, 0.05950757061988172, 0.2107127899787378],
    [1.0, 1.4999, 0.6707439632952618, 0.483063658548565],
    [1.0, 1.5, 0.6707389846603897, 0.48305344213225593],
    [-0.3, 2.5, 0.4607426496165208, 0.40473307073467474],
    [-8.0, 2.5, 0.005474930049156531, 0.021002240978779348],
    [-30.0, 3.0, 8.423463179772604e-12, 1.8531619541248925e-10],
    [2.0, 6.0, 0.6252793553988164, 0.19632158981665243],
    [-20.0, 6.0, 0.0007298404213530339, 0.00152888174861283],
    [-36.0, 9.0, 4.477780972582081e-5, 7.456244987789479e-5],
    [5.0, 25.0, 0.5790549861829953, 0.051278425664810945],
    [-60.0, 40.0, 0.06700682565001943, 0.010671479425179521],
    [0.7, 300.0, 0.500930847463495, 0.004374767804787683],
    [-1000.0, 900.0, 0.13326074846700703, 0.0007866169913208847],
];

#[test]
fn logistic_integrals_are_exact_at_any_width() {
    let rule = LogisticGaussian::new();
    for [mean, sd, one, entropy] in INTEGRALS {
        let whole = rule.prediction(mean, sd * sd);
        let smaller = one.min(1.0 - one);
        let found = whole.probabilities[usize::from(one < 0.5)];
        assert!((found / smaller - 1.0).abs() < 1e-11, "{mean} {sd}: {found}, expected {smaller}");
        close(whole.aleatoric, entropy, 1e-13);
        let mirrored = rule.prediction(-mean, sd * sd);
        assert_eq!((mirrored.probabilities[0], mirrored.aleatoric), (whole.probabilities[1], whole.aleatoric));
        assert!(whole.mutual_information() > 0.0);
        close(probit(mean, sd * sd), one, 0.02);
    }
    let known = rule.prediction(1.3, 0.0);
    close(known.probabilities[1], 1.0 / (1.0 + libm::exp(-1.3)), 1e-15);
    close(known.mutual_information(), 0.0, 1e-15);
    for sd in [0.0, 0.3, 1.4, 1.5, 3.0_f64.sqrt(), 8.0, 500.0] {
        close(rule.prediction(0.0, sd * sd).probabilities[1], 0.5, 1e-15);
    }
    // Far out the probability is E eᶠ.
    close(rule.prediction(-500.0, 100.0).probabilities[1] / libm::exp(-450.0), 1.0, 1e-10);
}

/// Both sums go over into each other at the sd at which one replaces the other, and probabilities rise with the mean.
#[test]
fn probabilities_are_smooth_in_mean_and_sd() {
    let rule = LogisticGaussian::new();
    let one = |mean: f64, sd: f64| rule.prediction(mean, sd * sd).probabilities[1];
    for number in -300..300 {
        let mean = 0.1 * f64::from(number);
        let (narrow, wide) = (one(mean, 1.5 - 1e-9), one(mean, 1.5 + 1e-9));
        assert!((narrow / wide - 1.0).abs() < 1e-7, "{mean}: {narrow} {wide}");
        for sd in [0.1, 1.4, 3.0, 8.0, 60.0] {
            let (low, high) = (one(mean, sd), one(mean + 0.1, sd));
            assert!(high > low, "{mean} {sd}: {low} {high}");
        }
    }
}

/// Many draws of f say the same as the rule.
#[test]
fn the_rule_agrees_with_draws() {
    let mut stream = Stream::derive(1, Purpose::Measure, 0, 0);
    let f: Vec<f64> = (0..100_000).map(|_| 0.4 + 1.5 * normal_quantile(stream.uniform())).collect();
    let drawn = ClassPrediction::of_logits(&f, Weights::Equal);
    let exact = LogisticGaussian::new().prediction(0.4, 2.25);
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
    (network, stored(include_str!("../../../../../tests/data/network/moons_weights.csv"), 2), observations)
}

/// Test scores of linearised Laplace approximations, which were computed independently with NumPy and adaptive quadrature.
#[test]
fn linearised_predictions_of_moons_have_the_known_scores() {
    let (network, mode, test) = moons();
    let labels: Vec<usize> = test.targets.iter().map(|label| usize::from(*label > 0.5)).collect();
    let rule = LogisticGaussian::new();
    let inputs = || test.inputs.chunks_exact(2);
    let of = |curvature: Curvature| {
        let precision = network.precision(&mode, curvature).unwrap();
        let predictions: Vec<ClassPrediction> = inputs()
            .map(|x| {
                let f = network.output(&mode, x)[0];
                let variance = precision.covariance(&network.jacobian(&mode, x))[0];
                rule.prediction(f, variance)
            })
            .collect();
        let scores = class_scores(&predictions, &labels);
        (scores, expected_calibration_error(&reliability(&predictions, &labels, 2)))
    };
    for (curvature, nll, ece, brier) in [
        (Curvature::Full, 0.1428680101571847, 0.07804344507160273, 0.03143249294692769),
        (Curvature::Ggn, 0.15329936148203926, 0.08837868633640754, 0.03309611729846528),
        (Curvature::Diagonal, 0.1709542485996333, 0.10780710518051864, 0.03758304734436948),
        (Curvature::Fisher, 0.24462456847761746, 0.17392923305701335, 0.05647982502378856),
        (Curvature::LastLayer, 0.12126477237519412, 0.055260645292408116, 0.028306140376943033),
    ] {
        let (scores, calibration) = of(curvature);
        close(scores.nll, nll, 1e-9);
        close(calibration, ece, 1e-9);
        close(scores.brier, brier, 1e-9);
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
    let mode = stored(include_str!("../../../../../tests/data/network/gap_weights.csv"), 2);
    let test = &set.tests(Noise::Lattice)[1].observations;
    let outputs: Vec<f64> = test.inputs.iter().map(|x| network.output(&mode, &[*x])[0]).collect();
    close(mixture_nll(draws(&outputs), &test.targets, 0.1), 0.4936421639392522, 1e-9);
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
        let variances: Vec<f64> = bands.iter().map(|band| band.epistemic).collect();
        let closed = Mixture { variances: &variances, ..draws(&outputs) };
        close(mixture_nll(closed, &test.targets, 0.1), nll, 1e-8);
    }
}
