//! Networks of two weights against numbers computed independently, on a lattice of 2001² nodes.

use std::f64::consts::TAU;

use super::quadrature::rule;
use super::{built, group, target};
use crate::targets::Density;
use crate::targets::nodes;
use base::math::{Matrix, Point, Purpose, Stream, gauss_hermite};
use base::params::Value;

const KINDS: [&str; 3] = ["two-weight-sign", "two-weight-ridge", "two-weight-swap"];

/// One unit of the last stated digit.
fn near(what: &str, found: f64, stated: f64, unit: f64) {
    assert!((found - stated).abs() <= unit, "{what}: {found}, stated {stated}");
}

fn near_all(what: &str, found: &[f64], stated: &[f64], unit: f64) {
    assert_eq!(found.len(), stated.len(), "{what}");
    for (found, stated) in found.iter().zip(stated) {
        near(what, *found, *stated, unit);
    }
}

fn entries(matrix: Matrix) -> [f64; 3] {
    [matrix.m11, matrix.m12, matrix.m22]
}

#[test]
fn the_data_are_the_stated_ones() {
    let stated: [[f64; 12]; 3] = [
        [
            -1.533_188_608_701_101_5,
            -0.951_542_910_697_488,
            -0.443_283_737_946_235_55,
            -0.776_352_653_291_737_1,
            -0.225_735_724_398_768_6,
            -0.479_538_151_419_890_2,
            0.165_823_373_991_310_45,
            0.909_791_728_044_871_5,
            0.516_204_159_292_995_2,
            1.032_053_892_509_011_7,
            0.676_487_533_563_291_6,
            1.109_281_099_053_740_5,
        ],
        [
            -0.977_832_652_170_006_9,
            -0.406_390_036_684_222_63,
            0.053_438_147_446_135_73,
            -0.372_890_018_142_762_7,
            0.039_556_684_809_429_42,
            -0.386_771_480_779_469_05,
            0.073_056_703_350_889_21,
            0.644_499_318_836_673_6,
            0.112_741_524_144_020_83,
            0.535_332_007_116_640_5,
            0.131_334_659_550_026_16,
            0.553_925_142_522_645_9,
        ],
        [
            -0.478_029_828_161_384_84,
            0.092_199_069_271_773_53,
            0.664_001_121_905_463_9,
            0.515_870_878_098_602_8,
            1.289_302_046_865_123_5,
            1.099_345_208_476_265_8,
            1.583_579_280_578_356_6,
            2.015_474_579_683_343_3,
            1.240_791_703_900_287_1,
            1.359_878_066_789_777_9,
            0.628_979_293_264_955_8,
            0.736_128_853_564_679_4,
        ],
    ];
    for ((kind, stated), reach) in KINDS.into_iter().zip(stated).zip([1.5, 0.5, 1.5]) {
        let target = built(kind, &[]);
        let regression = target.regression().unwrap();
        near_all("y", regression.observations(), &stated, 4e-15);
        near("first x", regression.inputs()[0], -reach * 11.0 / 12.0, 1e-15);
        near("last x", regression.inputs()[11], reach * 11.0 / 12.0, 1e-15);
        near("σ", regression.noise_sd(), 0.3, 0.0);
    }
}

/// What is stated of a posterior.
struct Stated {
    log_normaliser: f64,
    mode: [f64; 2],
    log_density: f64,
    hessian: [f64; 3],
    laplace: f64,
    mean: f64,
    covariance: [f64; 3],
    half_mean: [f64; 2],
    half_covariance: [f64; 3],
    /// Mean and variance of f at x = 0.75, 1.5 and 3.
    functions: [[f64; 2]; 3],
}

const STATED: [Stated; 3] = [
    Stated {
        log_normaliser: -4.895_748_368_2,
        mode: [0.830_905_268_6, 1.365_476_370_8],
        log_density: -4.868_015_821_1,
        hessian: [47.594_513, 43.346_926, 43.047_489],
        laplace: -5.597_651,
        mean: 0.0,
        covariance: [1.526_782_004_9, 1.301_552_844_0, 2.411_667_268_9],
        half_mean: [1.071_437_454_4, 1.445_947_373_8],
        half_covariance: [0.378_803_786_2, -0.247_689_329_4, 0.320_903_461_0],
        functions: [
            [0.768_262_721_2, 0.010_867_539_5],
            [1.112_832_402_4, 0.028_245_534_1],
            [1.346_929_555_7, 0.144_657_596_1],
        ],
    },
    Stated {
        log_normaliser: -4.032_933_375_4,
        mode: [1.047_544_684_2, 1.202_308_371_2],
        log_density: -4.910_162_763_0,
        hessian: [12.548_243, 10.934_774, 11.373_135],
        laplace: -4.643_145,
        mean: 0.0,
        covariance: [2.077_146_698_8, 1.276_828_072_4, 2.192_199_179_6],
        half_mean: [1.248_301_094_9, 1.307_362_213_4],
        half_covariance: [0.518_891_075_3, -0.355_153_610_0, 0.483_003_222_4],
        functions: [
            [0.735_000_882_2, 0.040_919_286_1],
            [1.042_872_252_8, 0.140_860_149_9],
            [1.235_614_360_2, 0.326_949_516_8],
        ],
    },
    Stated {
        log_normaliser: -6.305_131_626_3,
        mode: [1.945_151_374_8, -0.951_840_938_8],
        log_density: -5.761_646_027_5,
        hessian: [12.304_449, 2.518_243, 44.328_831],
        laplace: -7.068_720,
        mean: 0.544_347_175_8,
        covariance: [2.340_026_919_1, -2.279_216_834_1, 2.340_026_919_1],
        half_mean: [2.052_122_025_1, -0.963_427_673_4],
        half_covariance: [0.107_815_843_6, -0.005_831_838_2, 0.025_468_002_8],
        functions: [
            [1.253_299_771_6, 0.012_002_662_2],
            [0.599_580_782_5, 0.036_784_634_6],
            [0.066_217_526_5, 0.004_869_695_3],
        ],
    },
];

#[test]
fn evidence_modes_and_moments_are_the_stated_ones() {
    for (kind, stated) in KINDS.into_iter().zip(STATED) {
        let target = target(kind, &[]);
        let info = target.info();
        near(kind, info.log_normaliser, stated.log_normaliser, 1e-10);
        assert_eq!(info.modes.len(), 2, "{kind}");
        let mirrored = |mode: Point| if kind == "two-weight-swap" { mode.yx() } else { -mode };
        assert!((mirrored(info.modes[0].at) - info.modes[1].at).amax() < 1e-12, "{kind}");
        let mode = info.modes[1];
        near(kind, mode.weight, 0.5, 1e-8);
        near_all(kind, mode.at.as_slice(), &stated.mode, 1e-10);
        near(kind, target.log_density(mode.at), stated.log_density, 1e-10);
        let precision = -target.hessian(mode.at);
        near_all(kind, &entries(precision), &stated.hessian, 1e-6);
        let laplace = target.log_density(mode.at) + TAU.ln() - 0.5 * precision.determinant().ln();
        near(kind, laplace, stated.laplace, 1e-6);
        near_all(kind, info.mean.as_slice(), &[stated.mean; 2], 1e-10);
        near_all(kind, &entries(info.covariance), &stated.covariance, 1e-10);
    }
}

/// With the nodes from which all measures take their expectations.
#[test]
fn functions_are_the_stated_ones() {
    for (kind, stated) in KINDS.into_iter().zip(STATED) {
        let target = built(kind, &[]);
        let regression = target.regression().unwrap();
        let nodes = nodes(target.density().unwrap()).nodes;
        for (x, [mean, variance]) in [0.75, 1.5, 3.0].into_iter().zip(stated.functions) {
            let value = |at: Point| regression.value(at.as_slice(), x);
            let expected = |power: i32, around: f64| -> f64 {
                nodes.iter().map(|node| node.probability * (value(node.z) - around).powi(power)).sum()
            };
            let found = expected(1, 0.0);
            near(kind, found, mean, 1e-10);
            near(kind, expected(2, found), variance, 1e-10);
        }
    }
}

/// The half where w₁ > 0, or w₁ > w₂. A trapezoidal rule is poor at its edge, so these are Gauss–Legendre rules; so are the
/// stated numbers, with ten points to a panel.
#[test]
fn halves_are_the_stated_ones() {
    for ((kind, stated), sd) in KINDS.into_iter().zip(STATED).zip([1.5, 1.5, 2.0]) {
        let target = target(kind, &[]);
        let swaps = kind == "two-weight-swap";
        let far = 7.5 * sd;
        let (mut total, mut first, mut second) = (0.0, Point::zeros(), Matrix::zeros());
        let along = rule(-far, far, 700);
        for (u, weight) in rule(0.0, far, 350) {
            for (v, other) in &along {
                let at = if swaps { Point::new(v + u, v - u) } else { Point::new(u, *v) };
                let mass = weight * other * (target.log_density(at) - target.info().log_normaliser).exp();
                total += mass;
                first += at * mass;
                second += (at * mass) * at.transpose();
            }
        }
        near(kind, total, if swaps { 0.25 } else { 0.5 }, 1e-10);
        let mean = first / total;
        near_all(kind, mean.as_slice(), &stated.half_mean, 1e-10);
        near_all(kind, &entries(second / total - mean * mean.transpose()), &stated.half_covariance, 1e-10);
    }
}

/// Symmetries of the posteriors: they hold to the last bit.
#[test]
fn the_symmetries_are_exact() {
    for kind in KINDS {
        let target = target(kind, &[]);
        for at in [Point::new(0.3, -1.7), Point::new(2.5, 0.01), Point::new(-40.0, 3.0)] {
            let mirror = if kind == "two-weight-swap" { at.yx() } else { -at };
            assert_eq!(target.log_density(at).to_bits(), target.log_density(mirror).to_bits(), "{kind}");
        }
    }
}

/// The optimum of a family of Gaussians, as stated, with its bound and KL(q‖p).
struct Optimum {
    mean: [f64; 2],
    covariance: [f64; 3],
    elbo: f64,
    divergence: f64,
}

/// The mean of the mean-field family.
const MEAN_FIELD: usize = 0;

const OPTIMA: [[Optimum; 2]; 3] = [
    [
        Optimum {
            mean: [1.235_072_30, 1.114_541_44],
            covariance: [0.063_622_92, 0.0, 0.015_661_29],
            elbo: -6.658_703_089_9,
            divergence: 1.762_954_7,
        },
        Optimum {
            mean: [1.053_110_37, 1.241_878_30],
            covariance: [0.073_313_22, -0.044_712_21, 0.045_574_61],
            elbo: -6.192_212_474_1,
            divergence: 1.296_464_105_9,
        },
    ],
    [
        Optimum {
            mean: [1.169_843_68, 1.045_861_12],
            covariance: [0.106_388_25, 0.0, 0.070_235_30],
            elbo: -5.537_801_108_6,
            divergence: 1.504_867_7,
        },
        Optimum {
            mean: [1.161_229_05, 1.168_864_16],
            covariance: [0.156_882_20, -0.107_183_53, 0.143_122_41],
            elbo: -5.144_256_728_4,
            divergence: 1.111_323_353_1,
        },
    ],
    [
        Optimum {
            mean: [2.042_723_63, -0.963_083_67],
            covariance: [0.083_706_00, 0.0, 0.024_798_36],
            elbo: -7.044_443_776_1,
            divergence: 0.739_312_1,
        },
        Optimum {
            mean: [2.042_785_01, -0.962_842_86],
            covariance: [0.084_676_23, -0.005_110_60, 0.025_144_75],
            elbo: -7.038_315_330_5,
            divergence: 0.733_183_704_2,
        },
    ],
];

/// E log p + entropy, by Gauss–Hermite quadrature with the Cholesky factor [[a, 0], [b, c]].
fn bound(target: &dyn Density, rule: &[(f64, f64)], [m, n, a, b, c]: [f64; 5]) -> f64 {
    let value = |u: f64, v: f64| target.log_density(Point::new(m + a * u, n + b * u + c * v));
    let expected: f64 = rule.iter().flat_map(|(u, w)| rule.iter().map(move |(v, t)| w * t * value(*u, *v))).sum();
    expected + 1.0 + TAU.ln() + (a * c).ln()
}

/// At the stated optimum: the bound is the stated one, its slope by every parameter is 0 as far as the digits of the
/// parameters say, and KL(q‖p) is the stated one.
#[test]
fn the_stated_approximations_are_optimal() {
    let rule = gauss_hermite(64);
    for (kind, optima) in KINDS.into_iter().zip(OPTIMA) {
        let target = target(kind, &[]);
        for (family, optimum) in optima.into_iter().enumerate() {
            let [xx, xy, yy] = optimum.covariance;
            let a = xx.sqrt();
            let factor = [optimum.mean[0], optimum.mean[1], a, xy / a, (yy - xy * xy / xx).sqrt()];
            let best = bound(target.as_ref(), &rule, factor);
            near(kind, best, optimum.elbo, 1e-10);
            near(kind, target.info().log_normaliser - best, optimum.divergence, 1e-7);
            for parameter in 0..5 {
                if family == MEAN_FIELD && parameter == 3 {
                    continue;
                }
                let h = 1e-4;
                let shifted = |by: f64| {
                    let mut factor = factor;
                    factor[parameter] += by;
                    bound(target.as_ref(), &rule, factor)
                };
                let (low, high) = (shifted(-h), shifted(h));
                let (slope, bend) = ((high - low) / (2.0 * h), (high - 2.0 * best + low) / (h * h));
                // The distance of the optimum along the parameter; ten times the last digit, as parameters are correlated.
                assert!(bend < 0.0 && (slope / bend).abs() < 1e-7, "{kind}, {family}, {parameter}: {slope}, {bend}");
            }
        }
    }
}

#[test]
fn other_data_and_noise_make_targets() {
    let number = Value::Number;
    for kind in KINDS {
        for n in [1_u16, 5, 60] {
            let data = group(kind, "data", "lattice", &[("n", number(f64::from(n)))]);
            let target = built(kind, &[("data", data)]);
            assert_eq!(target.data_count(), Some(usize::from(n)));
            let regression = target.regression().unwrap();
            let (from, to) = regression.shown();
            assert!(regression.inputs().iter().all(|x| from < *x && *x < to));
        }
        let seeded = |seed: f64| target(kind, &[("data", group(kind, "data", "seeded", &[("seed", number(seed))]))]);
        let (first, again, other) = (seeded(1.0), seeded(1.0), seeded(2.0));
        let at = Point::new(0.4, 1.1);
        assert_eq!(first.log_density(at).to_bits(), again.log_density(at).to_bits());
        assert!((first.log_density(at) - other.log_density(at)).abs() > 1e-6);
    }
}

/// Exact draws are made of few proposals: the envelope follows the density.
#[test]
fn draws_exist_at_all_ends_of_the_parameters() {
    let mut stream = Stream::derive(3, Purpose::Truth, 0, 0);
    for kind in KINDS {
        for (key, value) in [("prior_sd", 0.3), ("prior_sd", 3.0), ("noise_sd", 0.1), ("noise_sd", 1.0)] {
            let target = target(kind, &[(key, Value::Number(value))]);
            assert!((0..200).all(|_| target.exact_draw(&mut stream).is_some()), "{kind}, {key} = {value}");
        }
    }
}
