//! Tests of densities that somebody has written down.

use std::sync::Arc;

use super::{settings, target, try_build};
use crate::targets::kit::poles::is_pole;
use crate::targets::{Density, TARGETS};
use base::math::{Grid, Point, Purpose, Stream};
use base::params::{NamedNumber, Settings, Value, find_kind};

/// Values of the target `formula` with this text.
pub(super) fn written(text: &str, form: &'static str, parameters: &[(&str, f64)]) -> Vec<(&'static str, Value)> {
    let numbers = parameters.iter().map(|(name, value)| NamedNumber::new(*name, *value)).collect();
    vec![
        ("density", Value::Text(text.to_owned())),
        ("form", Value::Choice(form)),
        ("parameters", Value::Named(numbers)),
    ]
}

pub(super) fn support(key: &'static str, kind: &str, ends: &[(&str, f64)]) -> (&'static str, Value) {
    let ends: Vec<(&str, Value)> = ends.iter().map(|(end, value)| (*end, Value::Number(*value))).collect();
    (key, super::group("formula", key, kind, &ends))
}

/// Beta(3, 2) times Gamma(4, 1), on its support.
fn on_a_strip(boundary: &'static str) -> Arc<dyn Density> {
    let mut values = written("2ln(x) + ln(1 − x) + 3 ln(y) − y", "log-density", &[]);
    values.push(support("support_x", "between", &[]));
    values.push(support("support_y", "above", &[]));
    values.push(("boundary", Value::Choice(boundary)));
    target("formula", &values)
}

/// A standard normal times Gamma(4, 1).
fn precision(boundary: &'static str) -> Vec<(&'static str, Value)> {
    let mut values = written("exp(−x²/2) y³ exp(−y)", "density", &[]);
    values.push(support("support_y", "above", &[]));
    values.push(("boundary", Value::Choice(boundary)));
    values
}

const THREE: &str = "2exp(−(x² + y²)/(2v)) + exp(−((x − 3)² + y²)/(2v)) + exp(−(x² + (y − 3)²)/v)";

pub(super) fn cases() -> Vec<(&'static str, Arc<dyn Density>)> {
    let formula = |text: &str, form, parameters: &[(&str, f64)]| target("formula", &written(text, form, parameters));
    vec![
        ("written on the line", formula("a*(x⁴ − 2x²) − x/2", "energy", &[("a", 1.0)])),
        ("written as p", formula(THREE, "density", &[("v", 0.5)])),
        ("written donut", formula("r = sqrt(x² + y²)\n(r − 2)²/(2w²)", "energy", &[("w", 0.2)])),
        ("written on a strip", on_a_strip("reflect")),
        ("written precision, transformed", target("formula", &precision("transform"))),
    ]
}

#[test]
fn moments_and_normalisers_are_those_of_closed_forms() {
    let close = |found: f64, expected: f64| {
        assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{found}, not {expected}");
    };
    // B(3, 2) = 1/12 and Γ(4) = 6; mean 3/5 and 4, variances 6/150 and 4.
    for boundary in ["reflect", "transform"] {
        let target = on_a_strip(boundary);
        let info = target.info();
        close(info.log_normaliser, (6.0_f64 / 12.0).ln());
        close(info.mean.x, 0.6);
        close(info.mean.y, 4.0);
        close(info.covariance.m11, 0.04);
        close(info.covariance.m12, 0.0);
        close(info.covariance.m22, 4.0);
        assert_eq!(info.modes.len(), 1);
        close(info.modes[0].at.x, 2.0 / 3.0);
        close(info.modes[0].at.y, 3.0);
    }
    // The integrals of the three Gaussians are 4πv, 2πv and πv.
    let mixture = target("formula", &written(THREE, "density", &[("v", 0.05)]));
    let info = mixture.info();
    close(info.log_normaliser, (7.0 * std::f64::consts::PI * 0.05_f64).ln());
    close(info.mean.x, 3.0 * 2.0 / 7.0);
    close(info.mean.y, 3.0 / 7.0);
    let weights: Vec<f64> = info.modes.iter().map(|mode| mode.weight).collect();
    assert_eq!(weights.len(), 3);
    for (found, expected) in weights.into_iter().zip([1.0 / 7.0, 4.0 / 7.0, 2.0 / 7.0]) {
        assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
    }
}

/// Student's t with five degrees of freedom has the variance 5/3, and Γ(5/2) √(5π)/Γ(3) as its integral.
#[test]
fn heavy_tails_with_a_variance_are_integrated() {
    let student = target("formula", &written("−3 ln(1 + x²/5)", "log-density", &[]));
    let info = student.info();
    let expected = libm::lgamma(2.5) + 0.5 * (5.0 * std::f64::consts::PI).ln() - libm::lgamma(3.0);
    assert!((info.log_normaliser - expected).abs() < 1e-9, "{}", info.log_normaliser);
    assert!((info.covariance.m11 - 5.0 / 3.0).abs() < 1e-7, "{}", info.covariance);
    assert_eq!(info.modes.len(), 1);
}

/// Cauchy distributions have neither mean nor variance, (1 + x²)^−1.2 has no variance, and in the plane the tails along one
/// axis leave the moments along the other as they are.
#[test]
fn densities_without_moments_have_a_normaliser_and_say_what_they_lack() {
    let pi = std::f64::consts::PI;
    let cauchy = target("formula", &written("−ln(1 + x²) − ln(1 + y²)", "log-density", &[]));
    let info = cauchy.info();
    assert!((info.log_normaliser - 2.0 * pi.ln()).abs() < 1e-7, "{}", info.log_normaliser);
    assert!(info.mean.iter().chain(&info.covariance).all(|moment| moment.is_nan()), "{info:?}");
    assert_eq!(info.modes.len(), 1);
    assert!(info.modes[0].at.norm() < 1e-9 && (5.0..30.0).contains(&info.view.max.x), "{info:?}");
    let mixed = target("formula", &written("−ln(1 + x²) − (y − 2)²/8", "log-density", &[]));
    let info = mixed.info();
    assert!((info.log_normaliser - (pi * (8.0 * pi).sqrt()).ln()).abs() < 1e-7, "{}", info.log_normaliser);
    assert!(info.mean.x.is_nan() && (info.mean.y - 2.0).abs() < 1e-7, "{}", info.mean);
    assert!(info.covariance.m11.is_nan() && info.covariance.m12.is_nan(), "{}", info.covariance);
    assert!((info.covariance.m22 - 4.0).abs() < 1e-6, "{}", info.covariance);
    let student = target("formula", &written("−1.7ln(1 + x² + y²)", "log-density", &[]));
    // ∫ (1 + r²)^−1.7 r dr dφ = π/0.7.
    assert!((student.info().log_normaliser - (pi / 0.7).ln()).abs() < 1e-7, "{}", student.info().log_normaliser);
    assert!(student.info().covariance.m11.is_nan());
}

/// Very narrow, and many: 20 modes, and a normal distribution with a standard deviation of 10⁻⁵.
#[test]
fn narrow_densities_and_twenty_modes_are_found() {
    let narrow = target("formula", &written("−((x − 0.3)² + (y + 0.7)²)/(2 s²)", "log-density", &[("s", 1e-5)]));
    let info = narrow.info();
    assert!((info.mean - Point::new(0.3, -0.7)).norm() < 1e-12, "{}", info.mean);
    assert!((info.covariance.m11 / 1e-10 - 1.0).abs() < 1e-9 && info.modes.len() == 1, "{info:?}");
    let terms: Vec<String> =
        (0..20).map(|i| format!("−((x − {})² + (y − {})²)/0.08", 2 * (i % 5), 3 * (i / 5))).collect();
    let twenty = target("formula", &written(&format!("logsumexp({})", terms.join(", ")), "log-density", &[]));
    let info = twenty.info();
    assert_eq!(info.modes.len(), 20);
    assert!(info.modes.iter().all(|mode| (mode.weight - 0.05).abs() < 1e-9), "{:?}", info.modes);
    assert!((info.log_normaliser - (20.0 * std::f64::consts::PI * 0.08).ln()).abs() < 1e-9);
}

/// A density with a tip has a mode there, though no second derivatives; every point of a ridge with a kink is as high.
#[test]
fn tips_are_modes_and_points_of_ridges_are_none() {
    let laplace = target("formula", &written("abs(x − 1) + 2abs(y)", "energy", &[]));
    let info = laplace.info();
    assert!(info.modes.len() == 1 && (info.modes[0].at - Point::new(1.0, 0.0)).norm() < 1e-6, "{:?}", info.modes);
    assert!((info.log_normaliser - 2.0_f64.ln()).abs() < 1e-9, "{}", info.log_normaliser);
    let error = info.covariance - base::math::Matrix::new(2.0, 0.0, 0.0, 0.5);
    assert!(error.amax() < 1e-8, "{}", info.covariance);
    for (text, count) in [
        ("-abs(x)", 1),
        ("-max(abs(x), abs(y))", 1),
        ("-x²⁰ - y²⁰", 1),
        ("-x⁸", 1),
        ("-(x² - 1)⁴ - y²", 2),
        ("-min(abs(x - 2), abs(x + 2)) - abs(y)", 2),
        ("-10abs(sqrt(x² + y²) - 2)", 0),
        ("-50max(0, x² + y² - 1)", 0),
    ] {
        let found = target("formula", &written(text, "log-density", &[]));
        assert_eq!(found.info().modes.len(), count, "{text}: {:?}", found.info().modes);
    }
}

/// A top on which searches end anywhere is one mode, in its middle, if the density has a slope there, and none on an exact plateau.
#[test]
fn a_flat_top_is_one_mode_in_its_middle() {
    for (text, middle) in [
        ("-(x/2)^200", [0.0, 0.0]),
        ("-(x/2)^300", [0.0, 0.0]),
        ("-((x - 3)/2)^100", [3.0, 0.0]),
        ("-(x/5)^120", [0.0, 0.0]),
        ("5 - (x - 0.3)^1000", [0.3, 0.0]),
        ("-x^100 - y^100", [0.0, 0.0]),
        ("5 - (x - 1)^200 - ((y - 2)/3)^100", [1.0, 2.0]),
        ("-(x - 0.3)^100 - (y - 0.7)²/2", [0.3, 0.7]),
    ] {
        let found = target("formula", &written(text, "log-density", &[]));
        let modes = &found.info().modes;
        let is_right = modes.len() == 1 && (modes[0].at - Point::from(middle)).norm() < 0.01;
        assert!(is_right, "{text}: {modes:?}");
    }
    for (text, count) in [("-max(0, x² + y² - 1)", 0), ("-(x² - 1)^40", 2)] {
        let found = target("formula", &written(text, "log-density", &[]));
        assert_eq!(found.info().modes.len(), count, "{text}: {:?}", found.info().modes);
    }
}

/// Along a ridge so steep that no straight step stays on it.
#[test]
fn modes_on_steep_curved_ridges_are_found() {
    // The tops of both normals together, at which x = 3/2 ± d, d = 3/2 tanh(3d/2).
    let d = (0..200).fold(1.5_f64, |d, _| 1.5 * (1.5 * d).tanh());
    for (text, tops) in [
        ("logsumexp(-x²/2, -(x - 3)²/2) - 100000(y - x²)²", vec![1.5 - d, 1.5 + d]),
        ("-(1 - x)²/20 - 1000000(y - x²)²", vec![1.0]),
    ] {
        let found = target("formula", &written(text, "log-density", &[]));
        let info = found.info();
        assert_eq!(info.modes.len(), tops.len(), "{text}: {:?}", info.modes);
        for (mode, x) in info.modes.iter().zip(tops) {
            assert!((mode.at - Point::new(x, x * x)).norm() < 1e-6, "{text}: {:?} and {x}", info.modes);
        }
    }
}

/// Where integration has found a part, its mode is reported, however light it is.
#[test]
fn a_mode_of_a_light_part_far_away_is_told() {
    let text = "exp(-x²/2) + 0.001exp(-(x - 1234567)²/(2·0.0001²))";
    let found = target("formula", &written(text, "density", &[]));
    let modes = &found.info().modes;
    assert!(modes.len() == 2 && (modes[1].at.x - 1_234_567.0).abs() < 1e-6, "{modes:?}");
    assert!((modes[1].weight / 1e-7 - 1.0).abs() < 1e-3, "{modes:?}");
}

/// Far away, where the density without the bump is no number. The log normalisers are those of SciPy's quadrature around both points.
#[test]
fn a_bump_where_nothing_else_is_left_is_found() {
    for (text, log_normaliser) in [
        ("-x²/2 + 11265exp(-1000(x - 150)²)", 7.455_74),
        ("-x²/2 + 20015exp(-100(x - 200)²)", 8.323_29),
        ("-x²/2 + 80015exp(-(x - 400)²)", 10.427_37),
        // e²⁰ (1/(k − 200) + 1/(k + 200)) (1/(k − 10) + 1/(k + 10)) for k = 10⁵, and 2π beside it.
        ("-(x² + y²)/2 + max(0, 20070 - 1e5(abs(x - 200) + abs(y - 10)))", 1.868_30),
    ] {
        let info = target("formula", &written(text, "log-density", &[])).info().clone();
        assert!((info.log_normaliser - log_normaliser).abs() < 1e-4, "{text}: {}", info.log_normaliser);
        assert_eq!(info.modes.len(), 2, "{text}");
    }
}

/// Where a bump is so high that nothing else has a number, it is found, and what cannot be said of the rest is not said.
#[test]
fn what_is_far_higher_than_everything_else_is_found() {
    for text in ["-x²/2 + max(0, 500015 - 5e7abs(x - 1000))", "-x²/2 + 500015exp(-1e8(x - 1000)²)"] {
        let target = target("formula", &written(text, "log-density", &[]));
        let info = target.info();
        assert!((info.start.x - 1000.0).abs() < 1.0, "{text}: {info:?}");
        assert!(info.log_normaliser.is_nan() && info.unknown.is_some(), "{text}: {info:?}");
    }
}

/// Sums of functions of one coordinate each are products of densities on the line: ∫exp(−x²/2v + a cos(k x)) is √(2πv) I₀(a) but for
/// e^(−v k²/2).
#[test]
fn independent_coordinates_are_integrated_each_by_itself() {
    let bessel = 1.266_065_877_752_008_4_f64.ln();
    let pi = std::f64::consts::PI;
    assert_truth("-(x² + y²)/20 + cos(5x) + cos(5y)", (20.0 * pi).ln() + 2.0 * bessel, [10.0, 10.0]);
    let rastrigin = "-(20 + x² - 10cos(2π x) + y² - 10cos(2π y))/10";
    assert_truth(rastrigin, (10.0 * pi).ln() + 2.0 * bessel - 2.0, [5.0, 5.0]);
    // The same turned: 2Γ(5/4) and 2 along axes with half the area.
    let turned = (4.0 * libm::tgamma(1.25) / 2.0).ln();
    let fourth = libm::tgamma(0.75) / libm::tgamma(0.25);
    assert_truth("-(x + y)⁴ - abs(x - y)", turned, [(fourth + 2.0) / 4.0; 2]);
    assert_truth("-x²/2e12 - 1e12 y²/2", (2.0 * pi).ln(), [1e12, 1e-12]);
}

/// Coordinates that are far from 0 beside others with a support, and a ridge that ends in a corner of one.
#[test]
fn supports_of_one_coordinate_leave_the_other_as_it_is() {
    let heights = "−10 ln(y) − 10(8² + (x − 170)²)/(2y²) − (x − 178)²/(2·20²)";
    let between = support("support_y", "between", &[("min", 0.0), ("max", 50.0)]);
    let found = target("formula", &[written(heights, "log-density", &[]), vec![between]].concat());
    // By SciPy's quadrature.
    assert!((found.info().log_normaliser + 22.298_03).abs() < 1e-5, "{:?}", found.info());
    let above = support("support_x", "above", &[("min", 0.0)]);
    let horseshoe = "−ln(1 + x²) − y²/(2x²) − ln(x)";
    let found = target("formula", &[written(horseshoe, "log-density", &[]), vec![above]].concat());
    let exact = (std::f64::consts::TAU.sqrt() * std::f64::consts::FRAC_PI_2).ln();
    assert!((found.info().log_normaliser - exact).abs() < 1e-6, "{:?}", found.info());
}

/// What a bump a exp(−r²/2s²) in the log density, or a dip, adds to the mass: by the series of the exponential, and as narrow as this is,
/// p (2π s²) Σ aᵏ/(k k!) in the plane, where p is the density without it, and p s √(2π) Σ aᵏ/(√k k!) on the line.
#[test]
fn bumps_and_dips_between_all_points_of_grids_are_found() {
    let mut stream = Stream::derive(5, Purpose::Start, 0, 0);
    let mut uniform = |from: f64, to: f64| from + (to - from) * stream.uniform();
    let series = |a: f64, power: f64| {
        let terms = (1..80).scan(1.0, |term, k| {
            *term *= a / f64::from(k);
            Some(*term / f64::from(k).powf(power))
        });
        terms.sum::<f64>()
    };
    let tau = std::f64::consts::TAU;
    for number in 0..12 {
        let (a, x, y) = (uniform(-8.0, 9.0), uniform(-1.5, 1.5), uniform(-1.5, 1.5));
        let s = 10.0_f64.powf(uniform(-3.5, -2.75));
        let line = number % 3 == 0;
        let (text, p, size) = if line {
            let text = format!("-x²/2 + ({a})exp(-(x - ({x}))²/(2*{s}²))");
            (text, (-0.5 * x * x).exp() / tau.sqrt(), s * tau.sqrt() * series(a, 0.5))
        } else {
            let text = format!("-(x² + y²)/2 + ({a})exp(-((x - ({x}))² + (y - ({y}))²)/(2*{s}²))");
            (text, (-0.5 * (x * x + y * y)).exp() / tau, s * s * tau * series(a, 1.0))
        };
        let found = target("formula", &written(&text, "log-density", &[]));
        let expected = (if line { 0.5 } else { 1.0 }) * tau.ln() + (p * size).ln_1p();
        let off = (found.info().log_normaliser - expected).abs();
        assert!(off < 2e-6, "{text}: {} instead of {expected}", found.info().log_normaliser);
    }
}

/// Along a ridge that becomes ever narrower the marginal has the tails of Cauchy's density or of a power, which lines along the ridge do
/// not see. A lognormal density is a Gaussian in ln x, and a Gaussian may be a million times as long as it is wide.
#[test]
fn moments_of_ridges_are_known_from_both_sides_or_not_at_all() {
    for (text, log_normaliser) in [
        ("−x²(1 + y²)²", std::f64::consts::PI.powf(1.5).ln()),
        ("−abs(x)(1 + y²)", (2.0 * std::f64::consts::PI).ln()),
        ("−x²(1 + y²)^2.5", std::f64::consts::PI.sqrt().ln() + 2.396_280_469_471_184_f64.ln()),
    ] {
        let target = target("formula", &written(text, "log-density", &[]));
        let info = target.info();
        assert!((info.log_normaliser - log_normaliser).abs() < 1e-7, "{text}: {}", info.log_normaliser);
        assert!(info.covariance.m22.is_nan() && info.mean.y.is_nan(), "{text}: {} {}", info.mean, info.covariance);
        assert!(info.unknown.is_some(), "{text}");
    }
    let (half, e) = (0.5_f64.exp(), 1.0_f64.exp());
    let mut lognormal = written("−ln(x) − ln(x)²/2", "log-density", &[]);
    lognormal.push(support("support_x", "above", &[]));
    let target_of = target("formula", &lognormal);
    let info = target_of.info();
    assert!((info.mean.x - half).abs() < 1e-9 && (info.covariance.m11 - (e - 1.0) * e).abs() < 1e-8, "{info:?}");
    let long = target("formula", &written("−x²/20000 − y²/2e-8", "log-density", &[]));
    let covariance = long.info().covariance;
    assert!((covariance.m11 / 1e4 - 1.0).abs() < 1e-9 && (covariance.m22 / 1e-8 - 1.0).abs() < 1e-9, "{covariance}");
}

/// Variances with a share of 10⁻⁴ beyond 10²⁰: of Pareto and inverse gamma distributions with a little more than two moments.
#[test]
fn variances_far_out_on_a_half_line_are_those_of_closed_forms() {
    for a in [2.16, 2.19, 2.2, 2.22, 2.23, 2.24, 2.3, 2.5] {
        let pareto = (format!("−{}ln(x)", a + 1.0), 1.0, a / ((a - 1.0) * (a - 1.0) * (a - 2.0)));
        let inverse_gamma = (format!("−{}ln(x) − 1/x", a + 1.0), 0.0, 1.0 / ((a - 1.0) * (a - 1.0) * (a - 2.0)));
        for (text, min, expected) in [pareto, inverse_gamma] {
            let above = support("support_x", "above", &[("min", min)]);
            let found = target("formula", &[written(&text, "log-density", &[]), vec![above]].concat());
            let variance = found.info().covariance.m11;
            assert!(
                variance.is_nan() || (variance / expected - 1.0).abs() < 1e-5,
                "{text}: {variance}, not {expected}"
            );
        }
    }
}

/// A tip has no second derivative, and a pole at an end is above everything: modes beside them are found all the same.
#[test]
fn modes_beside_tips_and_poles_are_found() {
    let modes = |text: &str, form: &'static str, is_above: bool| {
        let mut values = written(text, form, &[]);
        if is_above {
            values.push(support("support_x", "above", &[]));
        }
        target("formula", &values).info().modes.iter().map(|mode| mode.at).collect::<Vec<Point>>()
    };
    for (text, form, is_above, expected) in [
        ("max(−4(x − 1)², −2abs(x − 5) + 0.5)", "log-density", true, &[1.0, 5.0][..]),
        ("max(−4(x − 1)², −(x − 3)² − 1, −2abs(x − 5) − 0.5)", "log-density", false, &[1.0, 3.0, 5.0]),
        ("max(−4(x − 1)² − y², −2abs(x − 5) − 0.5 − abs(y))", "log-density", true, &[1.0, 5.0]),
        ("max(−4(x − 1)² − y², −2abs(x − 5) − 0.5 − abs(y))", "log-density", false, &[1.0, 5.0]),
        ("0.3 x^(−0.5) exp(−x) + exp(−(x − 4)²/2)", "density", true, &[3.996_9]),
        ("−0.5 ln(x) − x + 4exp(−((x − 0.0001)/0.00003)²)", "log-density", true, &[0.0001]),
        ("−0.5 ln(x) − x − y²/2 + 4exp(−(x − 2)²/0.5)", "log-density", true, &[1.920]),
        ("−0.5 ln(x) − x", "log-density", true, &[]),
        ("−x − y²/2", "log-density", true, &[]),
    ] {
        let found = modes(text, form, is_above);
        let close = |(at, x): (&Point, &f64)| (at.x - x).abs() < 1e-3 * (1.0 + x) && at.y.abs() < 1e-6;
        assert!(found.len() == expected.len() && found.iter().zip(expected).all(close), "{text}: {found:?}");
    }
    // Half a normal and half a Laplace distribution.
    assert_eq!(modes("logsumexp(−x²/2 − 0.919, −abs(x − 8) − 0.693)", "log-density", false).len(), 2);
}

#[test]
fn formulas_that_are_no_densities_say_why() {
    let refused = |values: &[(&str, Value)], path: &str, words: &str| {
        let errors = try_build("formula", values).map(|_| ()).unwrap_err();
        assert!(errors[0].path == path && errors[0].problem.contains(words), "{errors:?}, not {words}");
    };
    let density = |text: &str| written(text, "log-density", &[]);
    refused(&density("−x²/2 − y²/2)"), "density", "character 13");
    refused(&density("a = 2\n−a x²/2 − y²/2)"), "density", "line 2, character 15");
    refused(&density("−x²/2 − a y²"), "parameters.a", "no number");
    refused(&written("−x²/2 − y²", "log-density", &[("a", 1.0)]), "parameters.a", "not in the formula");
    refused(&density("−3"), "density", "neither x nor y");
    refused(&density("x² − y²"), "density", "no highest point");
    refused(&density("x − y²"), "density", "no highest point");
    let mut other_form = density("x exp(−x)");
    other_form.push(support("support_x", "above", &[]));
    let error = try_build("formula", &other_form).map(|_| ()).unwrap_err().remove(0);
    assert!(error.allowed.starts_with("the form density, with which it has one"), "{error:?}");
    assert_eq!(crate::targets::form_meant(&error), Some("density"));
    let slow = try_build("formula", &density("exp(−x²/2 − y²/2)")).map(|_| ()).unwrap_err().remove(0);
    assert_eq!(crate::targets::form_meant(&slow), Some("density"), "{slow:?}");
    refused(&density("ln(−1 − x² − y²)"), "density", "at every point that was tried");
    refused(&density("−ln(1 + x² + y²)"), "density", "no integral was found");
    refused(&density("−x²/2 + 0y"), "density", "");
    refused(&density("0x + 0y"), "density", "no integral was found");
    refused(&density("−(x − y)²"), "density", "no integral was found");
    refused(&density("exp(x)"), "density", "no highest point");
    refused(&written("exp(x)", "density", &[]), "density", "no highest point");
    refused(&written("1/(x² + y²)", "density", &[]), "density", "grows without bound near x = 0.000, y = 0.000");
    refused(&written("1/abs(x − 1)", "density", &[]), "density", "grows without bound near x = 1.000");
    let mut values = density("−3");
    values.push(support("support_x", "above", &[]));
    refused(&values, "density", "no highest point");
    let mut values = density("−x²");
    values.push(support("support_y", "above", &[]));
    refused(&values, "support_y", "not in the formula");
    let mut values = density("−x²");
    values.push(support("support_x", "between", &[("min", 2.0), ("max", 1.0)]));
    refused(&values, "support_x.max", "not in order");
}

/// What is wrong is reported with its cause, and what helps.
#[test]
fn errors_name_the_cause_in_the_formula() {
    let message_of = |text: &str, form, parameters: &[(&str, f64)]| {
        let errors = try_build("formula", &written(text, form, parameters)).map(|_| ()).expect_err(text);
        errors[0].to_string()
    };
    for (text, form, parameters, words) in [
        ("−x²/0", "log-density", &[][..], ["divides by 0;", "a divisor that is not 0"]),
        ("−x²/(2 s²)", "log-density", &[("s", 0.0)], ["divides by 0, since s = 0", "another number for s"]),
        ("v = s²\nexp(−x²/v)", "density", &[("s", 0.0)], ["divides by 0, since s = 0", "another number for s"]),
        ("−x² s^−2", "log-density", &[("s", 0.0)], ["divides by 0, since s = 0", "another number for s"]),
        ("−x²/2", "energy", &[], ["no highest point", "the form log-density or the other sign"]),
        ("x²/2", "log-density", &[], ["no highest point", "the form energy or the other sign"]),
        ("x − y²", "log-density", &[], ["no highest point", "allowed: a density that falls"]),
        ("−y²/2", "log-density", &[], ["x is not in the formula", "x in the place of y"]),
        ("−(x − 3e10)²/0.02", "log-density", &[], ["too narrow near x = 3e10", "x in the place of x − 3e10"]),
        ("exp(−x²/2)(1 − 1.0001exp(−((x − 0.3)/0.000001)²))", "density", &[], ["is -0.00007", "at x = 0.300"]),
    ] {
        let message = message_of(text, form, parameters);
        assert!(words.iter().all(|words| message.contains(words)), "{text}: {message}");
    }
    // Two needles, of which the view shows both.
    let far = target("formula", &written("exp(−x²/2) + 10exp(−(x − 31234567)²/2)", "density", &[]));
    let exact = (11.0 * std::f64::consts::TAU.sqrt()).ln();
    assert!((far.info().log_normaliser - exact).abs() < 1e-6 && far.info().modes.len() == 2, "{:?}", far.info());
}

/// Without coordinates a formula is uniform over its support, on the line or in the plane.
#[test]
fn a_formula_without_coordinates_is_uniform_over_its_support() {
    let ends = |min, max| [("min", min), ("max", max)];
    for (text, form) in [("0", "log-density"), ("ln(a)", "log-density"), ("a", "density")] {
        let numbers: &[(&str, f64)] = if text == "0" { &[] } else { &[("a", 1.0)] };
        let mut values = written(text, form, numbers);
        values.push(support("support_x", "between", &ends(-1.0, 3.0)));
        let line = target("formula", &values);
        let info = line.info();
        assert!(info.dimension == 1 && (info.log_normaliser - 4.0_f64.ln()).abs() < 1e-12, "{info:?}");
        values.push(support("support_y", "between", &ends(0.0, 0.5)));
        let plane = target("formula", &values);
        let info = plane.info();
        assert!(info.dimension == 2 && (info.log_normaliser - 2.0_f64.ln()).abs() < 1e-12, "{info:?}");
        assert!((info.covariance.m22 - 0.25 / 12.0).abs() < 1e-12 && info.modes.is_empty(), "{info:?}");
    }
}

/// The shapes of the gallery as formulas, with what quadrature makes of them.
/// A density below 0 is a slip, not a density that is 0 there; where a formula has no value it is 0.
#[test]
fn densities_below_0_are_refused_with_the_place() {
    let negative = [
        ("exp(−x²/2) − 2exp(−x²)", "x = "),
        ("1 − x² − y²", "y = "),
        ("1 − x²", "x = "),
        ("exp(−x²) − 0.1", "x = "),
        ("x exp(−x²/2)", "x = −"),
        // Narrower than any grid.
        ("exp(−x²/2) − 0.5exp(−(x − 2)²/0.00002)", "x = 1.99"),
        ("exp(−x²/2 − y²/2) − 0.9exp(−((x − 1.3)² + (y + 0.4)²)/0.00001)", "x = 1.3"),
    ];
    for (text, location) in negative {
        let location = location.replace('−', "-");
        let errors = try_build("formula", &written(text, "density", &[])).expect_err("a negative density");
        assert!(errors[0].problem.contains("never negative") && errors[0].problem.contains(&location), "{errors:?}");
    }
    for text in
        ["exp(−x²/2) (1 + sin(3x))", "max(0, 1 − x² − y²)", "sqrt(1 − x²)", "exp(−x²) − exp(−x²) + exp(−x²/2 − y²)"]
    {
        assert!(try_build("formula", &written(text, "density", &[])).is_ok(), "{text}");
    }
}

/// A narrow ridge crosses all lines along the axes between nodes, far out, in both orders alike, and bounds of −x² + 2r x y − y² say nothing.
#[test]
fn strong_correlations_are_right_or_not_known() {
    for r in [-0.9999_f64, 0.99, 0.9998, 0.9999, 0.999_95, 0.999_999, 0.999_999_9] {
        let text = "−(x² − 2r x y + y²)/(2(1 − r²))";
        let target = target("formula", &written(text, "log-density", &[("r", r)]));
        let info = target.info();
        let exact = (std::f64::consts::TAU * (1.0 - r * r).sqrt()).ln();
        let off = (info.log_normaliser - exact).abs().max((info.covariance.m11 - 1.0).abs());
        assert!(off < 1e-6 || info.log_normaliser.is_nan() && info.unknown.is_some(), "{r}: {info:?}");
        assert!(r > 0.9999 || info.log_normaliser.is_finite(), "{r}: {:?}", info.unknown);
    }
}

/// What has no integral is refused, or said not to be known.
#[test]
fn what_has_no_integral_has_no_truth() {
    for text in ["1/(x² + y²)", "−x² − y² + 1/(x² + y²)", "−1.5ln(abs(x − y)) − x² − y²", "−ln(abs(x)) − x²"]
    {
        let errors = try_build("formula", &written(text, "log-density", &[])).expect_err("no density");
        assert!(errors[0].problem.contains("without bound"), "{text}: {errors:?}");
    }
    let errors = try_build("formula", &written("−x² y²", "log-density", &[])).map(|_| ()).expect_err("no integral");
    assert!(
        errors[0].problem.starts_with("no integral was found: along x, at y = 0, the density does not fall"),
        "{errors:?}"
    );
    // However small what goes on for ever: as 1/|x| on the line and 1/r² in the plane.
    for text in [
        "ln(exp(−x²/2) + 1e-12/(1 + abs(x)))",
        "ln(exp(−(x² + y²)/2) + 1e-12/(1 + x² + y²))",
        "ln(exp(−(x² + y²)/2) + 1e-12exp(−y²/2)/(1 + abs(x)))",
    ] {
        let found = try_build("formula", &written(text, "log-density", &[]));
        assert!(!found.is_ok_and(|target| target.info().log_normaliser.is_finite()), "{text}");
    }
    // Cauchy's density of ln x has a hundredth of its mass where x is no number.
    let positive = support("support_x", "above", &[("min", 0.0)]);
    let of_ln = [written("−ln(x) − ln(1 + ln(x)²)", "log-density", &[]), vec![positive.clone()]].concat();
    assert!(!try_build("formula", &of_ln).is_ok_and(|target| target.info().log_normaliser.is_finite()));
    // Differences that are lost in rounding from 10⁸ on have tails all the same: those of x⁻², which has no mean.
    let pi = std::f64::consts::PI;
    for (text, log_normaliser) in [("ln(1 + 1/x²)", pi.ln()), ("(π/2 − atan(x))²", (pi * 2.0_f64.ln()).ln())] {
        let difference = [written(text, "density", &[]), vec![positive.clone()]].concat();
        let info = target("formula", &difference).info().clone();
        assert!((info.log_normaliser - log_normaliser).abs() < 1e-6, "{text}: {info:?}");
        assert!(info.mean.x.is_nan() && info.covariance.m11.is_nan(), "{text}: {info:?}");
    }
    // Powers of 1 + x lack moments: x^−1.5 the mean, x^−2.5 the variance; 2/3 and 20/9 are those of x^−3.5.
    for (power, mean, variance) in [(1.5_f64, f64::NAN, f64::NAN), (2.5, 2.0, f64::NAN), (3.5, 2.0 / 3.0, 20.0 / 9.0)] {
        let pareto = [written(&format!("−{power}ln(1 + x)"), "log-density", &[]), vec![positive.clone()]].concat();
        let info = target("formula", &pareto).info().clone();
        assert!((info.log_normaliser + (power - 1.0).ln()).abs() < 1e-9, "{info:?}");
        let is_right = |found: f64, exact: f64| (found - exact).abs() < 1e-6 || found.is_nan() && exact.is_nan();
        assert!(is_right(info.mean.x, mean) && is_right(info.covariance.m11, variance), "{info:?}");
    }
}

/// Where more than a millionth of the mass lies below the least number of which the density is that of the formula, nothing is known: as of
/// Gamma(0.001, 0.001), a vague prior, which has half of it there.
#[test]
fn mass_below_the_least_number_is_not_lost_in_silence() {
    for (shape, is_known) in [(0.1, true), (0.3, true), (0.015, false), (0.01, false), (0.001, false)] {
        let above = support("support_x", "above", &[("min", 0.0)]);
        let text = format!("({shape} - 1)ln(x) - {shape} x");
        let found = try_build("formula", &[written(&text, "log-density", &[]), vec![above]].concat());
        let found_log_normaliser = found.map_or(f64::NAN, |target| target.info().log_normaliser);
        let exact = libm::lgamma(shape) - shape * libm::log(shape);
        let is_right = if is_known {
            (found_log_normaliser - exact).abs() < 1e-6
        } else {
            found_log_normaliser.is_nan() || (found_log_normaliser - exact).abs() < 1e-6
        };
        assert!(is_right, "{shape}: {found_log_normaliser}, exact {exact}");
    }
}

/// On the line the view is as high as the density, but beside a pole; chains go everywhere in it.
#[test]
fn a_pole_on_the_line_has_a_view_that_can_be_drawn() {
    for (text, kind) in [("−0.7ln(x) − x", "above"), ("−0.95ln(x) + ln(1 − x)", "between")] {
        let mut values = written(text, "log-density", &[]);
        values.push(support("support_x", kind, &[]));
        let target = target("formula", &values);
        let view = target.info().view;
        assert!(view.max.y < 50.0 && view.max.y > 0.5, "{text}: {view:?}");
    }
}

/// |x − a|⁻ˢ exp(−x²/2) has an integral if s < 1, wherever its pole is; exact values from quadrature over |x − a|¹⁻ˢ.
#[test]
fn a_pole_with_an_integral_is_known_wherever_it_is() {
    let cases = [
        (1.0, 0.5, 1.232_019_883_479, 0.417_643_927_965),
        (-0.3, 0.3, 1.163_823_806_887, -0.088_123_689_062),
        (7.25, 0.6, -0.260_131_433_756, 0.085_508_744_119),
        (2.7, 0.6, 0.451_484_192_107, 0.377_797_858_247),
    ];
    for (at, power, log_normaliser, mean) in cases {
        let target = target("formula", &written(&format!("−{power}ln(abs(x − ({at}))) − x²/2"), "log-density", &[]));
        let info = target.info();
        assert!((info.log_normaliser - log_normaliser).abs() < 1e-6, "{at}: {}", info.log_normaliser);
        assert!((info.mean.x - mean).abs() < 1e-5, "{at}: {}", info.mean);
        let poles = info.modes.iter().filter(|mode| (mode.at.x - at).abs() < 1e-6).count();
        assert_eq!(poles, 1, "{at}: {:?}", info.modes);
    }
    for text in [
        "−x² − ln(abs(x − 3))",
        "ln(exp(−x²) + 1e−8/(x − 1)²) − x²",
        "−1.1ln(abs(x)) − x²",
        "−ln(abs(x − 0.3)) − x² − y²",
    ] {
        let errors = try_build("formula", &written(text, "log-density", &[])).unwrap_err();
        assert!(errors[0].problem.contains("without bound near x ="), "{text}: {errors:?}");
    }
    let between = |text| [written(text, "log-density", &[]), vec![support("support_x", "between", &[])]].concat();
    for (text, exists) in [("−ln(1 − x)", false), ("−0.5ln(x) − 0.5ln(1 − x)", true), ("−1.2ln(x)", false)]
    {
        assert_eq!(try_build("formula", &between(text)).is_ok(), exists, "{text}");
    }
}

/// A circle of poles is refused only where it has no integral: this one has 2π.
#[test]
fn a_circle_of_poles_with_an_integral_is_a_density() {
    let target = target("formula", &written("(1 − x² − y²)^(−0.5)", "density", &[]));
    let log_normaliser = target.info().log_normaliser;
    assert!(log_normaliser.is_nan() || (log_normaliser - std::f64::consts::TAU.ln()).abs() < 1e-6, "{log_normaliser}");
}

/// A needle grows fast and ends: it is no pole.
#[test]
fn needles_are_no_poles() {
    for (text, log_normaliser) in [
        ("−(x − 1e−9)²/2e−24", 0.5 * std::f64::consts::TAU.ln() - 12.0 * std::f64::consts::LN_10),
        ("−abs(x − 1)/1e−9", std::f64::consts::LN_2 - 9.0 * std::f64::consts::LN_10),
        // Beside a mass of √2π one of √(2π/22) 10⁻⁹ e²².
        ("−x²/2 + 22exp(−(x − 0.37)²/2e−18)", 1.465_18),
    ] {
        let info = target("formula", &written(text, "log-density", &[])).info().clone();
        assert!((info.log_normaliser - log_normaliser).abs() < 1e-5, "{text}: {}", info.log_normaliser);
    }
    // The mode of this log-normal density is at e⁻³⁶, and its mean e¹⁸.
    let mut values = written("−ln(x) − ln(x)²/72", "log-density", &[]);
    values.push(support("support_x", "above", &[]));
    let info = target("formula", &values).info().clone();
    assert!((info.mean.x / 18.0_f64.exp() - 1.0).abs() < 1e-6, "{}", info.mean);
    assert!(!is_pole(target("formula", &values).as_ref(), info.modes[0].at));
}

/// A tail with next to no mass leaves a distribution without mean or variance all the same.
#[test]
fn moments_that_a_light_tail_leaves_without_a_value_are_not_told() {
    for (tail, has_mean, has_variance) in [
        ("1e−9sigmoid(x)/(1 + x²)", false, false),
        ("1e−14/(1 + x²)", false, false),
        ("1e−12/(1 + abs(x − 3)^2.5)", true, false),
        ("1e−12/(1 + abs(x)³)", true, false),
        ("1e−12/(1 + abs(x)^3.2)", true, true),
        ("1e−12exp(−abs(x)^0.2)", true, true),
    ] {
        let info = target("formula", &written(&format!("exp(−x²/2) + {tail}"), "density", &[])).info().clone();
        assert!((info.log_normaliser - 0.5 * std::f64::consts::TAU.ln()).abs() < 1e-6, "{tail}");
        let known = [info.mean.x.is_finite(), info.covariance.m11.is_finite(), info.unknown.is_none()];
        assert_eq!(known, [has_mean, has_variance, has_variance], "{tail}: {info:?}");
    }
}

/// Γ, Beta and Dirichlet at a slider's 1, where the factor of a logarithm is 0: the support stays, and all is known.
#[test]
fn sliders_go_through_the_parameters_at_which_a_factor_is_0() {
    let gamma = statrs::function::gamma::ln_gamma;
    for (a, b, c) in [(1.0, 1.0, 0.0), (1.0, 2.5, 0.0), (1.0, 0.0, 0.0), (1.0, 2.0, 2.0), (2.0, 3.0, 1.0)] {
        let (text, log_normaliser, mean) = match [b, c] {
            [0.0, _] => ("(a − 1) ln(x) − x", gamma(a), a),
            [_, 0.0] => ("(a − 1) ln(x) + (b − 1) ln(1 − x)", gamma(a) + gamma(b) - gamma(a + b), a / (a + b)),
            _ => {
                let text = "(a − 1) ln(x) + (b − 1) ln(y) + (c − 1) ln(1 − x − y)";
                (text, gamma(a) + gamma(b) + gamma(c) - gamma(a + b + c), a / (a + b + c))
            }
        };
        let all = [("a", a), ("b", b), ("c", c)];
        let parameters: Vec<(&str, f64)> =
            all.into_iter().filter(|(name, _)| text.contains(&format!("({name} −"))).collect();
        let info = target("formula", &written(text, "log-density", &parameters)).info().clone();
        assert!((info.log_normaliser - log_normaliser).abs() < 1e-8, "{text} {a} {b} {c}: {}", info.log_normaliser);
        assert!((info.mean.x - mean).abs() < 1e-8, "{text} {a} {b} {c}: {}", info.mean);
    }
}

/// No chain comes away from where a density has no bound.
#[test]
fn chains_start_beside_poles() {
    for text in
        ["−0.5ln(x² + y²) − x² − y²", "−0.5ln(abs(x)) − x² − y²", "−0.5ln(abs(x)) − x²", "−0.4ln(abs(x − y)) − x² − y²"]
    {
        let target = target("formula", &written(text, "log-density", &[]));
        let start = target.info().start;
        assert!(start.amax() > 0.05 && start.amax() < 1.0 && target.gradient(start).amax() < 20.0, "{text}: {start}");
    }
    // A narrow top is no pole.
    let narrow = target("formula", &written("−x²/1e−14 − y²/1e−16", "log-density", &[]));
    assert!(narrow.info().start.amax() < 1e-6);
}

/// What is left of a convex polygon on this side of a line n · x = c.
fn cut(polygon: &[Point], normal: Point, c: f64) -> Vec<Point> {
    let next = polygon.iter().cycle().skip(1);
    let pairs = polygon.iter().zip(next).map(|(from, to)| (*from, *to, normal.dot(from) - c, normal.dot(to) - c));
    let left = |(from, to, before, after): (Point, Point, f64, f64)| {
        let crossing = (before * after < 0.0).then(|| from + (to - from) * (before / (before - after)));
        (before <= 0.0).then_some(from).into_iter().chain(crossing)
    };
    pairs.flat_map(left).collect()
}

/// Uniform on polygons between steep walls −k max(0, n · x − c): the integral is the area and 1/k of the outline, but for k⁻² at corners.
/// Lines across the corners are short, and no node of a rule may lie on them.
#[test]
fn no_corner_of_a_polygon_is_lost() {
    let mut stream = Stream::derive(3, Purpose::Start, 0, 0);
    for case in 0..8_u32 {
        let (sides, size) = (3 + case % 4, libm::pow(10.0, 3.0 * stream.uniform() - 1.5));
        let centre = Point::new(stream.uniform() - 0.5, stream.uniform() - 0.5) * (4.0 * size);
        let steep = 1e6 / size;
        let far = 1e3 * size;
        let mut polygon = [(-far, -far), (far, -far), (far, far), (-far, far)].map(|(x, y)| Point::new(x, y)).to_vec();
        let mut walls = Vec::new();
        for side in 0..sides {
            let angle = std::f64::consts::TAU * (f64::from(side) + 0.6 * stream.uniform()) / f64::from(sides);
            let normal = Point::new(libm::cos(angle), libm::sin(angle));
            let c = normal.dot(&centre) + size * (0.2 + 0.8 * stream.uniform());
            polygon = cut(&polygon, normal, c);
            walls.push(format!("−{steep:?}*max(0, ({:?})*x + ({:?})*y − ({c:?}))", normal.x, normal.y));
        }
        let corners = polygon.iter().zip(polygon.iter().cycle().skip(1));
        let area: f64 = corners.clone().map(|(a, b)| 0.5 * (a.x * b.y - b.x * a.y)).sum();
        let outline: f64 = corners.map(|(a, b)| (b - a).norm()).sum();
        let text = walls.concat();
        let target = target("formula", &written(&text, "log-density", &[]));
        let (found, exact) = (target.info().log_normaliser, (area + outline / steep).ln());
        assert!((found - exact).abs() < 1e-7, "{text}: {found} for {exact}");
        assert!(target.log_density(target.info().start) > -1.0, "{text} starts at {}", target.info().start);
    }
}

/// A triangle a thousandth of a thousandth wide, far between the points of every grid: of Dirichlet(2, 3, 4), whose log Z is
/// ln(Γ(2) Γ(3) Γ(4)/Γ(9)) − ln |det|.
#[test]
fn a_triangle_between_all_points_of_grids_is_found() {
    let text = "a = 400x + 920y − 2.1964\nb = −9e5x + 3.8e3y + 29.763\nln(a) + 2ln(b) + 3ln(1 − a − b)";
    let target = target("formula", &written(text, "log-density", &[]));
    let determinant: f64 = 400.0 * 3.8e3 + 920.0 * 9e5;
    let exact = (1.0 * 2.0 * 6.0 / 40320.0_f64).ln() - determinant.ln();
    let found = target.info().log_normaliser;
    assert!((found - exact).abs() < 1e-6, "{found} for {exact}");
}

#[test]
fn examples_have_the_moments_and_modes_of_their_targets() {
    for example in &crate::formula::EXAMPLES {
        let built =
            crate::targets::build(&Settings::defaults(find_kind(&TARGETS, example.target).unwrap()), ".").unwrap();
        let mut values = written(example.text, "log-density", example.parameters);
        let info = built.info();
        for (key, kind) in ["support_x", "support_y"].into_iter().zip(example.support) {
            values.push(support(key, kind, &[]));
        }
        assert!(settings("formula", &values).missing().next().is_none());
        let found = target("formula", &values);
        let found = found.info();
        let size = info.covariance.amax();
        assert!(
            (found.mean - info.mean).norm() < 1e-6 * size.sqrt(),
            "{}: {} and {}",
            example.target,
            found.mean,
            info.mean
        );
        let error = (found.covariance - info.covariance).amax();
        assert!(error < 1e-6 * size, "{}: {} and {}", example.target, found.covariance, info.covariance);
        assert_eq!(found.modes.len(), info.modes.len(), "{}", example.target);
        for mode in &info.modes {
            let near = |other: &&crate::targets::Mode| (other.at - mode.at).norm() < 1e-6;
            let other = found.modes.iter().find(near).expect("the mode");
            assert!(
                (other.weight - mode.weight).abs() < 1e-6,
                "{}: {} and {}",
                example.target,
                other.weight,
                mode.weight
            );
        }
    }
}

/// A density as log p, with its log normaliser and the variances of x and y.
fn assert_truth(text: &str, log_normaliser: f64, variances: [f64; 2]) -> Arc<dyn Density> {
    let target = target("formula", &written(text, "log-density", &[]));
    let info = target.info();
    let off = (info.log_normaliser - log_normaliser).abs();
    assert!(off < 1e-6, "{text}: log Z {}, not {log_normaliser}", info.log_normaliser);
    let found = [info.covariance.m11, info.covariance.m22];
    for (found, expected) in found.into_iter().zip(variances) {
        assert!((found - expected).abs() < 1e-5 * (expected + 1e-3), "{text}: variance {found}, not {expected}");
    }
    // Chains start where the mass is, and the view shows it. How many sds that takes depends on the shape: a narrow ring is 2√2 of
    // them wide, so the mass itself is counted.
    let near = (0..info.dimension).all(|axis| (info.start - info.mean)[axis].abs() < 4.0 * variances[axis].sqrt());
    let shown = shown(target.as_ref());
    assert!(near && (0.95..1.001).contains(&shown), "{text}: start {}, {shown} in view {:?}", info.start, info.view);
    target
}

/// The share of the probability inside of the view, by sums over cells.
fn shown(target: &dyn Density) -> f64 {
    const CELLS: usize = 400;
    let info = target.info();
    let grid = Grid::new(info.view, CELLS, if info.dimension == 1 { 1 } else { CELLS });
    let across = if info.dimension == 1 { 1.0 } else { grid.y.width() };
    let density = |cell: usize| (target.log_density(grid.centre(cell)) - info.log_normaliser).exp();
    (0..grid.len()).map(density).sum::<f64>() * grid.x.width() * across
}

/// ∫ |x|^2k exp(−|x|^n) dx / ∫ exp(−|x|^n) dx is Γ((2k + 1)/n)/Γ(1/n), and 2Γ(1 + 1/n) the integral.
#[test]
fn flat_modes_have_the_moments_of_gamma_functions() {
    let gamma = libm::tgamma;
    let (quartic, sd) = (2.0 * gamma(1.25), gamma(0.75) / gamma(0.25));
    let sixth = [2.0 * gamma(7.0 / 6.0), gamma(0.5) / gamma(1.0 / 6.0)];
    let normal = std::f64::consts::TAU.sqrt();
    let root = 2.0_f64.sqrt();
    let mode = assert_truth("-x²/2 - y⁴", (normal * quartic).ln(), [1.0, sd]).info().modes[0];
    assert!(mode.at.norm() < 1e-6 && (0.1..1.0).contains(&mode.covariance.m22), "{mode:?}");
    assert_truth("-x²/2 - y⁴/4", (normal * quartic * root).ln(), [1.0, 2.0 * sd]);
    assert_truth("-x²/2 - y⁶", (normal * sixth[0]).ln(), [1.0, sixth[1]]);
    assert_truth("-x⁴", quartic.ln(), [sd, 0.0]);
    assert_truth("-x⁴ - y⁴", 2.0 * quartic.ln(), [sd, sd]);
    assert_truth("-abs(x)^2.5", (2.0 * gamma(1.4)).ln(), [gamma(1.2) / gamma(0.4), 0.0]);
    // ∫ exp(−r⁴) r dr dφ = π √π/2, and the mean of r² is 1/√π.
    let pi = std::f64::consts::PI;
    assert_truth("-(x² + y²)²", (0.5 * pi * pi.sqrt()).ln(), [0.5 / pi.sqrt(); 2]);
    // Next to the pitchfork: to first order in b, log Z changes by b/2 times the mean of x².
    for b in [0.0, 1e-5, -1e-5] {
        let text = format!("−x⁴/4 + ({b}) x²/2 − y²/2");
        let target = target("formula", &written(&text, "log-density", &[]));
        let expected = (normal * quartic * root).ln() + b * sd;
        assert!((target.info().log_normaliser - expected).abs() < 1e-8, "{text}: {}", target.info().log_normaliser);
    }
}

/// Rings of width 0.1 have 2π R w √(2π) as integral and R² + 3w² as mean of r², but for terms of e^(−R²/2w²).
#[test]
fn no_part_is_lost() {
    let two_moons = "logsumexp(-0.5*((x-2)/0.6)², -0.5*((x+2)/0.6)²) - 0.5*((sqrt(x²+y²)-2)/0.4)²";
    let moons = assert_truth(two_moons, 1.877_501_626, [3.303_501_60, 1.395_277_83]);
    let weights: Vec<f64> = moons.info().modes.iter().map(|mode| mode.weight).collect();
    assert!(weights.len() == 2 && weights.iter().all(|weight| (weight - 0.5).abs() < 1e-6), "{weights:?}");
    let ring = |x: f64, radius: f64| format!("-(sqrt((x - ({x}))² + y²) - {radius})²/0.02");
    let mass = |radius: f64| std::f64::consts::TAU * radius * 0.1 * std::f64::consts::TAU.sqrt();
    let square = |radius: f64| 0.5 * (radius * radius + 0.03);
    let both = format!("logsumexp({}, {})", ring(-4.0, 2.0), ring(4.0, 2.0));
    assert_truth(&both, (2.0 * mass(2.0)).ln(), [16.0 + square(2.0), square(2.0)]);
    let concentric = format!("logsumexp({}, {})", ring(0.0, 2.0), ring(0.0, 5.0));
    let shares = [2.0 / 7.0, 5.0 / 7.0];
    let variance = shares[0] * square(2.0) + shares[1] * square(5.0);
    assert_truth(&concentric, (mass(2.0) + mass(5.0)).ln(), [variance; 2]);
    // A ring and a higher Gaussian.
    let gaussian = format!("logsumexp({}, 2 - ((x - 4)² + y²)/0.02)", ring(-4.0, 2.0));
    let masses = [mass(2.0), 2.0_f64.exp() * std::f64::consts::TAU * 0.01];
    let total = masses[0] + masses[1];
    let shares = masses.map(|mass| mass / total);
    let variance = shares[0] * square(2.0) + shares[1] * 0.01;
    let apart = 64.0 * shares[0] * shares[1];
    assert_truth(&gaussian, total.ln(), [variance + apart, variance]);
}

/// Slanted ends and kinks, against closed forms.
#[test]
fn ends_and_kinks_may_lie_in_any_direction() {
    let pi = std::f64::consts::PI;
    // √2 ∫ u e^(−u²) du over u > 0, u = (y − x)/√2, is √½; the variance of u is 1 − π/4, that across ½.
    let variance = 0.5 * (1.0 - 0.25 * pi + 0.5);
    assert_truth("-x² - y² + ln(y - x)", (0.5 * pi).sqrt().ln(), [variance; 2]);
    assert_truth("-x² - y² + ln(x + y)", (0.5 * pi).sqrt().ln(), [variance; 2]);
    assert_truth("-x² - y² + ln(max(0, y - x))", (0.5 * pi).sqrt().ln(), [variance; 2]);
    let steep = target("formula", &written("-x^2-y^2+ln(1+tanh(50*(y-x)))", "log-density", &[]));
    assert!((steep.info().log_normaliser - pi.ln()).abs() < 1e-6, "{}", steep.info().log_normaliser);
    assert_truth("-abs(x) - 2*abs(y - 0.5*x)", 2.0_f64.ln(), [2.0, 1.0]);
    assert_truth("-abs(x + y) - abs(x - y)", 2.0_f64.ln(), [1.0; 2]);
    assert_truth("-max(abs(x), abs(y))", 8.0_f64.ln(), [4.0; 2]);
    assert_truth("ln(1 - x^2 - y^2)", (0.5 * pi).ln(), [1.0 / 6.0; 2]);
    // Dirichlet(2, 2, 2) has 1/5! as integral and α(α₀ − α)/(α₀²(α₀ + 1)) as variances.
    assert_truth("ln(x) + ln(y) + ln(1 − x − y)", -120.0_f64.ln(), [2.0 / 63.0; 2]);
    let narrow = (std::f64::consts::TAU * 5.0 * 0.02 * std::f64::consts::TAU.sqrt()).ln();
    assert_truth("-(sqrt(x² + y²) - 5)²/0.0008", narrow, [0.5 * (25.0 + 0.0012); 2]);
}

/// Student's t with 2.2 degrees of freedom has the variance 2.2/0.2.
#[test]
fn tails_that_are_just_light_enough_have_a_variance() {
    let student = target("formula", &written("−1.6 ln(1 + x²/2.2)", "log-density", &[]));
    assert!((student.info().covariance.m11 - 11.0).abs() < 1e-3, "{}", student.info().covariance);
}
