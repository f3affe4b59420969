//! Gaussian variational inference and Laplace on networks of two weights, against optima computed independently.

use super::fits::{Fits, settings, target};
use crate::methods::FitState;
use base::math::Distribution;
use base::params::{Settings, Value};

/// Kind, family, mean, covariance (11, 12, 22) and bound.
type Optimum = (&'static str, &'static str, [f64; 2], [f64; 3], f64);

const OPTIMA: [Optimum; 6] = [
    (
        "two-weight-sign",
        "mean-field",
        [1.235_072_30, 1.114_541_44],
        [0.063_622_92, 0.0, 0.015_661_29],
        -6.658_703_089_9,
    ),
    (
        "two-weight-sign",
        "full-rank",
        [1.053_110_37, 1.241_878_30],
        [0.073_313_22, -0.044_712_21, 0.045_574_61],
        -6.192_212_474_1,
    ),
    (
        "two-weight-ridge",
        "mean-field",
        [1.169_843_68, 1.045_861_12],
        [0.106_388_25, 0.0, 0.070_235_30],
        -5.537_801_108_6,
    ),
    (
        "two-weight-ridge",
        "full-rank",
        [1.161_229_05, 1.168_864_16],
        [0.156_882_20, -0.107_183_53, 0.143_122_41],
        -5.144_256_728_4,
    ),
    (
        "two-weight-swap",
        "mean-field",
        [2.042_723_63, -0.963_083_67],
        [0.083_706_00, 0.0, 0.024_798_36],
        -7.044_443_776_1,
    ),
    (
        "two-weight-swap",
        "full-rank",
        [2.042_785_01, -0.962_842_86],
        [0.084_676_23, -0.005_110_60, 0.025_144_75],
        -7.038_315_330_5,
    ),
];

/// Adam with shrinking steps, on expectations by quadrature with so many nodes that their error does not show.
fn precise(family: &'static str) -> Settings {
    let number = Value::Number;
    settings(
        "gaussian-vi",
        &[("expectations", "quadrature"), ("step_size", "polynomial")],
        &[
            ("family", Value::Choice(family)),
            ("expectations.nodes", number(40.0)),
            ("step_size.a", number(20.0)),
            ("step_size.b", number(400.0)),
            ("step_size.gamma", number(1.0)),
            ("steps", number(4000.0)),
        ],
    )
}

/// From the start of the target, (s, s/2), which lies on the side of the stated modes.
#[test]
fn fits_converge_to_the_stated_optima() {
    for (kind, family, mean, [xx, xy, yy], elbo) in OPTIMA {
        let mut fits = Fits::new(&precise(family), &target(kind, &[]), 1);
        fits.run(4000);
        let (found, record) = (fits.distribution(0), fits.record(0));
        let spread = found.covariance();
        for (found, stated) in
            [(found.mean().x, mean[0]), (found.mean().y, mean[1]), (spread.m11, xx), (spread.m12, xy), (spread.m22, yy)]
        {
            assert!((found - stated).abs() <= 3e-8, "{kind}, {family}: {found} is not {stated}");
        }
        let bound = record.elbo.unwrap().value;
        assert!((bound - elbo).abs() <= 1e-9, "{kind}, {family}: bound {bound} is not {elbo}");
        assert_eq!(record.state, FitState::Converged, "{kind}, {family}");
        assert!(matches!(found, Distribution::Plane(_)));
    }
}
