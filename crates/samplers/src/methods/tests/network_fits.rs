//! Laplace approximations of the network `gap`, at its best maximum and from where a run starts. Numbers are those of an
//! independent program.

use std::sync::Arc;

use super::super::{
    Approximation, FitState, Gradient, Laplace, Memory, Method, Population, Predictive, StartAt, VectorGaussian,
};
use super::stream;
use super::vectors::{regression, walked};
use base::math::{Coords, Point, symmetric_eigen};
use base::params::{Settings, find_kind};
use models::targets::{self, Curvature, Minibatches, TARGETS, Target};

fn target(name: &str) -> Arc<Target> {
    let settings = Settings::defaults(find_kind(&TARGETS, name).unwrap());
    targets::build(&settings, std::path::Path::new("")).unwrap()
}

fn laplace(curvature: Curvature) -> Laplace {
    Laplace { start_at: StartAt::RunStart, curvature, predictive: Predictive::Linearised, spread: 1.0, draws: 10 }
}

/// The best maximum that is known.
fn best() -> Vec<f64> {
    let lines = include_str!("../../../../../tests/data/network/gap_weights.csv").lines().skip(1);
    lines.map(|line| line.rsplit(',').next().unwrap().parse().unwrap()).collect()
}

/// A fit of the network after some steps.
fn fitted(curvature: Curvature, start: &[f64], steps: usize) -> Approximation {
    let target = target("network");
    let method = laplace(curvature);
    let mut chains = Population::at(Coords::of(start.len(), [start].into_iter()));
    chains.fits = vec![Approximation::begin(&method.fitting().unwrap(), 2, Point::zeros())];
    walked(&method, (target.as_ref(), &Gradient::Exact), 1.0, Minibatches::default(), chains, steps).fits.remove(0)
}

fn at_best(curvature: Curvature) -> VectorGaussian {
    let fit = fitted(curvature, &best(), 3);
    assert_eq!(fit.record.state, FitState::Converged, "{curvature:?}");
    fit.memory.gaussian(31).unwrap()
}

/// Newton's method from the start of a run ends at a maximum of its own, with log p between those of the two that are stored.
#[test]
fn the_search_from_the_start_ends_at_a_maximum() {
    let start = target("network").model().unwrap().start();
    let fit = fitted(Curvature::Full, &start, 50);
    let Memory::VectorNewton(newton) = &fit.memory else { panic!() };
    assert_eq!(fit.record.state, FitState::Converged);
    assert!((newton.log_density + 3.444_692_354).abs() < 1e-8, "{}", newton.log_density);
    assert!((fit.record.log_evidence.unwrap() + 2.329_656_85).abs() < 1e-7, "{:?}", fit.record.log_evidence);
    assert!(newton.gradient.amax() < 1e-6);
}

/// On the way the Hessian is indefinite: no Gaussian, and the number of eigenvalues that are not positive.
#[test]
fn an_indefinite_curvature_is_counted_and_gives_no_gaussian() {
    let target = target("network");
    let model = target.model().unwrap();
    for curvature in [Curvature::Full, Curvature::Diagonal] {
        let fit = fitted(curvature, &model.start(), 3);
        let Memory::VectorNewton(newton) = &fit.memory else { panic!() };
        let hessian = -model.hessian(newton.at.as_slice()).unwrap();
        let values = match curvature {
            Curvature::Full => symmetric_eigen(&hessian).unwrap().values,
            _ => hessian.diagonal().as_slice().to_vec(),
        };
        let expected = values.iter().filter(|value| **value <= 0.0).count();
        assert!(expected > 0 && fit.record.not_positive as usize == expected, "{curvature:?}: {:?}", fit.record);
        assert_eq!(
            (fit.record.distribution, fit.record.log_evidence, fit.record.state),
            (None, None, FitState::Moving)
        );
        assert_eq!(fit.memory.gaussian(31), None);
    }
    // Others are positive definite everywhere.
    let fit = fitted(Curvature::Kfac, &model.start(), 3);
    assert!(fit.record.not_positive == 0 && fit.record.distribution.is_some() && fit.memory.gaussian(31).is_some());
}

/// The sd of the linearised f at twelve inputs, to all digits that are known.
#[test]
fn linearised_bands_at_the_best_maximum_are_known() {
    let target = target("network");
    let regression = target.regression().unwrap();
    let (weights, sd) = (best(), |gaussian: &VectorGaussian, x: f64| {
        gaussian.variance_along(&regression.slopes(gaussian.mean.as_slice(), x).unwrap()).sqrt()
    });
    let inputs = [-3.0, -2.0, -1.4, -0.8, -0.5, -0.25, 0.0, 0.25, 0.6, 1.2, 1.8, 3.0];
    let full =
        [0.30037, 0.06360, 0.03373, 0.07250, 0.20613, 0.31480, 0.32705, 0.22871, 0.07222, 0.03479, 0.06738, 0.44214];
    let ggn =
        [0.33287, 0.07168, 0.03561, 0.07752, 0.25487, 0.40175, 0.40959, 0.27555, 0.07864, 0.03472, 0.07945, 0.61939];
    let kfac =
        [0.26183, 0.09952, 0.05086, 0.05475, 0.08594, 0.14620, 0.19095, 0.16979, 0.07927, 0.04227, 0.07014, 0.26979];
    for (curvature, sds) in [(Curvature::Full, full), (Curvature::Ggn, ggn), (Curvature::Kfac, kfac)] {
        let gaussian = at_best(curvature);
        assert!(gaussian.mean.iter().zip(&weights).all(|(found, known)| (found - known).abs() < 1e-9));
        for (x, expected) in inputs.into_iter().zip(sds) {
            assert!((sd(&gaussian, x) - expected).abs() <= 0.5e-5 + 1e-9, "{curvature:?} at {x}: {}", sd(&gaussian, x));
        }
    }
    for (curvature, sds) in [
        (Curvature::Diagonal, [0.085_862_25, 0.195_848_05, 0.082_192_23]),
        (Curvature::DiagonalGgn, [0.085_947_37, 0.197_446_17, 0.082_528_08]),
        (Curvature::Fisher, [0.088_842_87, 0.241_171_70, 0.089_886_72]),
        (Curvature::KfacDamped, [0.117_201_96, 0.130_052_45, 0.039_324_15]),
        (Curvature::LastLayer, [0.142_307_16, 0.036_819_74, 0.024_265_45]),
    ] {
        let gaussian = at_best(curvature);
        for (x, expected) in [-3.0, 0.0, 1.2].into_iter().zip(sds) {
            assert!((sd(&gaussian, x) - expected).abs() < 1e-8, "{curvature:?} at {x}: {}", sd(&gaussian, x));
        }
    }
}

/// The functions of draws spread much wider, on the data too. Three digits are known, from draws as well; a standard error of
/// 20 000 draws is less than 1 %.
#[test]
fn sampled_functions_leave_the_data() {
    const DRAWS: usize = 20_000;
    let target = target("network");
    let regression = target.regression().unwrap();
    for (curvature, sds) in [
        (Curvature::Full, [1.12, 1.11, 1.02]),
        (Curvature::Ggn, [1.77, 1.15, 1.52]),
        (Curvature::Kfac, [1.59, 1.08, 1.41]),
    ] {
        let gaussian = at_best(curvature);
        let (mut stream, mut draw, mut sums) = (stream(12), vec![0.0; 31], [[0.0; 2]; 3]);
        for _ in 0..DRAWS {
            let normals: Vec<f64> = (0..gaussian.normals()).map(|_| stream.normal_pair().0).collect();
            gaussian.draw(|axis| normals[axis], &mut draw);
            for (sums, x) in sums.iter_mut().zip([-3.0, 0.0, 1.2]) {
                let f = regression.value(&draw, x);
                sums[0] += f;
                sums[1] += f * f;
            }
        }
        for (sums, expected) in sums.into_iter().zip(sds) {
            let [mean, square] = sums.map(|sum| sum / DRAWS as f64);
            let sd = (square - mean * mean).sqrt();
            assert!((sd / expected - 1.0).abs() < 0.04, "{curvature:?}: {sd} {expected}");
        }
    }
}

/// Of the last layer alone, the weights of the first have no width: there is no ellipse, but a Gaussian and its evidence.
#[test]
fn fixed_weights_have_no_width() {
    let fit = fitted(Curvature::LastLayer, &best(), 3);
    assert!(fit.record.distribution.is_none() && fit.record.not_positive == 0);
    let gaussian = fit.memory.gaussian(31).unwrap();
    assert_eq!(gaussian.normals(), 11);
    let unit = |axis: usize| (0..31).map(|other| if other == axis { 1.0 } else { 0.0 }).collect::<Vec<f64>>();
    for axis in 0..31 {
        assert_eq!(gaussian.variance_along(&unit(axis)) > 0.0, axis >= 20, "{axis}");
    }
    // log p(θ*) + (11/2) log 2π − ½ log |P| with the known log |P| = 35.95951634.
    let expected = -3.394_839_789_4 + 5.5 * std::f64::consts::TAU.ln() - 0.5 * 35.959_516_34;
    assert!((fit.record.log_evidence.unwrap() - expected).abs() < 1e-7);
}

#[test]
fn curvatures_that_a_target_does_not_have_are_refused() {
    let network = target("network");
    for curvature in Curvature::ALL {
        let method = laplace(curvature);
        assert!(method.on(network.space()).is_ok(), "{curvature:?}");
        let planar = [Curvature::Full, Curvature::Diagonal, Curvature::Fisher].contains(&curvature);
        let refused = [method.on(regression().space()).err(), method.on(target("two-weight-sign").space()).err()];
        for error in refused {
            assert_eq!(error.is_none(), planar, "{curvature:?}");
            if let Some(error) = error {
                assert_eq!(
                    (error.path.as_str(), error.allowed.as_str()),
                    ("curvature", "\"full\", \"diagonal\", \"fisher\"")
                );
                assert!(error.problem.contains(curvature.name()), "{}", error.problem);
            }
        }
    }
}
