//! Curvatures against reference numbers, and against each other where they have to agree.

use nalgebra::DMatrix;

use super::super::kronecker::factors;
use super::reference::{Problem, gap, moons};
use super::small::{THETA, cases};
use super::*;
use base::math::symmetric_eigen;

const QUERIES: [[f64; 2]; 2] = [[0.5, 0.5], [2.0, -2.0]];

fn entries(matrix: &DMatrix<f64>) -> Vec<f64> {
    matrix.transpose().iter().copied().collect()
}

fn variance(precision: &Precision, network: &Network, theta: &[f64], x: &[f64]) -> f64 {
    precision.covariance(&network.jacobian(theta, x))[0]
}

#[test]
fn the_small_network_has_all_digits() {
    for (section, network) in cases() {
        let factors = factors(&network, &THETA);
        for (factor, [inputs, units]) in factors.iter().zip([["Q1", "G1"], ["Q2", "G2"]]) {
            section.check(inputs, &entries(&factor.inputs));
            section.check(units, &entries(&factor.units));
        }
        let precision = |curvature| network.precision(&THETA, curvature).unwrap();
        let prior: Vec<f64> = network.prior_sds().iter().map(|sd| 1.0 / (sd * sd)).collect();
        let data = |diagonal: &[f64]| diagonal.iter().zip(&prior).map(|(a, b)| a - b).collect::<Vec<f64>>();
        section.check("ggn_diag", &data(precision(Curvature::DiagonalGgn).diagonal()));
        section.check("ef", &data(precision(Curvature::Fisher).diagonal()));
        section.check("kfac_diag", precision(Curvature::Kfac).diagonal());
        for (curvature, log_determinant, variances) in [
            (Curvature::Ggn, "ld_ggn", "v_ggn"),
            (Curvature::DiagonalGgn, "ld_diag_ggn", "v_diag"),
            (Curvature::Fisher, "ld_ef", "v_ef"),
            (Curvature::Kfac, "ld_kfac", "v_kfac"),
            (Curvature::KfacDamped, "ld_kfac_damped", "v_kfac_damped"),
            (Curvature::LastLayer, "ld_last", "v_last"),
        ] {
            let precision = precision(curvature);
            section.check(log_determinant, &[precision.log_determinant()]);
            section.check(variances, &QUERIES.map(|x| variance(&precision, &network, &THETA, &x)));
        }
    }
}

#[test]
fn an_indefinite_hessian_is_an_error_that_counts() {
    for ((section, network), negative) in cases().into_iter().zip([3, 3, 1]) {
        let hessian = network.hessian(&THETA);
        section.check("hdiag", hessian.diagonal().as_slice());
        let spectrum = network.spectrum(&THETA).unwrap();
        section.check("eigH", &spectrum.eigenvalues);
        section.check("ld_H", &[spectrum.log_determinant()]);
        assert_eq!(spectrum.negative(), negative);
        let error = network.precision(&THETA, Curvature::Full).err();
        assert_eq!(error, Some(CurvatureError::Indefinite { curvature: "full", negative }));
        let below = section.numbers("hdiag").iter().filter(|entry| **entry < 0.0).count();
        let error = network.precision(&THETA, Curvature::Diagonal).err();
        assert_eq!(error, Some(CurvatureError::Indefinite { curvature: "diagonal", negative: below }));
        let eigen = symmetric_eigen(&hessian).unwrap();
        let inverse = QUERIES.map(|x| {
            let jacobian = &network.jacobian(&THETA, &x)[0];
            let along = |column: usize| (0..9).map(|row| eigen.vectors[(row, column)] * jacobian[row]).sum::<f64>();
            (0..9).map(|i| along(i) * along(i) / eigen.values[i]).sum()
        });
        section.check("v_H", &inverse);
    }
}

#[test]
fn lattice_starts_have_the_known_curvatures() {
    let kinds = [Curvature::Ggn, Curvature::DiagonalGgn, Curvature::Fisher, Curvature::Kfac, Curvature::KfacDamped];
    let gap_numbers = [38.92590183, 163.40651362, 262.98567675, 81.00986093, 160.98191621];
    let moons_numbers = [-36.84801478, -2.08242079, 13.03989484, -15.83356667, 57.42599731];
    for (Problem { network, weights }, trace, log_determinant, numbers) in
        [(gap(), 39134.16555664, 161.02651394, gap_numbers), (moons(), 62.89073386, 1.00790098, moons_numbers)]
    {
        let theta = &weights[0];
        assert_decimals(network.hessian(theta).trace(), trace, 8);
        let spectrum = network.spectrum(theta).unwrap();
        assert_decimals(spectrum.log_determinant(), log_determinant, 8);
        assert!(spectrum.negative() % 2 == 1);
        for (kind, expected) in kinds.into_iter().zip(numbers) {
            assert_decimals(network.precision(theta, kind).unwrap().log_determinant(), expected, 8);
        }
    }
}

#[test]
fn modes_have_the_known_curvatures() {
    let gap_numbers =
        [55.65097423, 38.00101063, 182.04801071, 181.75103347, 176.75971887, 71.23985747, 158.62836074, 35.95951634];
    let moons_numbers =
        [-12.20649050, -31.05930378, 26.78135270, 18.77143921, -4.73957310, -7.30725737, 57.76020256, 1.01892471];
    for (Problem { network, weights }, numbers, [smallest, largest], [step, digits], evidence) in [
        (gap(), gap_numbers, [0.86592311, 23843.93673], [8.39e-5, 7.0], -2.7332),
        (moons(), moons_numbers, [0.02151273, 37.43527533], [0.0534, 4.0], -43.790),
    ] {
        let theta = &weights[2];
        for (kind, expected) in Curvature::ALL.into_iter().zip(numbers) {
            let precision = network.precision(theta, kind).unwrap();
            assert_decimals(precision.log_determinant(), expected, 8);
            if kind == Curvature::Full {
                let found = precision.log_evidence(network.log_density_at(theta));
                assert_decimals(found, evidence, if evidence < -40.0 { 3 } else { 4 });
            }
        }
        let spectrum = network.spectrum(theta).unwrap();
        assert_decimals(spectrum.eigenvalues[0], smallest, 8);
        assert!((spectrum.eigenvalues.last().unwrap() / largest - 1.0).abs() < 1e-9);
        assert_decimals(spectrum.largest_stable_step(), step, digits as i32);
    }
}

/// The sd of f at the best mode of `gap` under three Laplace approximations.
#[test]
fn bands_of_the_gap_are_known() {
    let Problem { network, weights } = gap();
    let x = [-3.0, -2.0, -1.4, -0.8, -0.5, -0.25, 0.0, 0.25, 0.6, 1.2, 1.8, 3.0];
    let full =
        [0.30037, 0.06360, 0.03373, 0.07250, 0.20613, 0.31480, 0.32705, 0.22871, 0.07222, 0.03479, 0.06738, 0.44214];
    let ggn =
        [0.33287, 0.07168, 0.03561, 0.07752, 0.25487, 0.40175, 0.40959, 0.27555, 0.07864, 0.03472, 0.07945, 0.61939];
    let kfac =
        [0.26183, 0.09952, 0.05086, 0.05475, 0.08594, 0.14620, 0.19095, 0.16979, 0.07927, 0.04227, 0.07014, 0.26979];
    for (kind, sds) in [(Curvature::Full, full), (Curvature::Ggn, ggn), (Curvature::Kfac, kfac)] {
        let precision = network.precision(&weights[2], kind).unwrap();
        for (x, sd) in x.iter().zip(sds) {
            assert_decimals(variance(&precision, &network, &weights[2], &[*x]).sqrt(), sd, 5);
        }
    }
}

/// The exact Hessian against differences of the gradient, for every likelihood and temperature.
#[test]
fn hessians_are_those_of_the_log_density() {
    for network in gallery() {
        let theta = normals(4, network.dimension(), 0.8);
        for temper in [Temper::NONE, Temper::Posterior(0.5), Temper::Likelihood(3.0)] {
            let network = network.tempered(temper).unwrap();
            let hessian = network.hessian(&theta);
            for axis in 0..theta.len() {
                let h = 1e-3;
                let at = |steps: f64| {
                    let mut moved = theta.clone();
                    moved[axis] += steps * h;
                    network.gradient_at(&moved)
                };
                let (a, b, c, d) = (at(1.0), at(-1.0), at(2.0), at(-2.0));
                for row in 0..theta.len() {
                    let slope = -(8.0 * (a[row] - b[row]) - (c[row] - d[row])) / (12.0 * h);
                    let found = hessian[(row, axis)];
                    // Two hidden layers have central differences themselves.
                    let digits = if network.layout().layers().len() > 2 { 1e-6 } else { 1e-8 };
                    assert!((slope - found).abs() < digits * hessian.amax(), "{row}, {axis}: {slope}, {found}");
                }
            }
        }
    }
}

/// KFAC is exact for a single datum, and for the last layer where the curvature of the likelihood is constant.
#[test]
fn kronecker_factors_are_exact_where_they_have_to_be() {
    let build = |count: usize| {
        let data = Observations { inputs: normals(1, count * 2, 1.0), targets: normals(2, count, 1.0) };
        let likelihood = Likelihood::Gaussian { sd: 0.4 };
        let prior = Prior::FanIn { weight: 1.5, bias: 0.7 };
        Network::new(Layout::new(&[2, 4, 3, 1]).unwrap(), prior, likelihood, data).unwrap()
    };
    let theta = normals(3, build(1).dimension(), 0.7);
    for (count, from) in [(1, 0), (9, 2)] {
        let network = build(count);
        let ggn = network.gauss_newton(&theta);
        let kfac = network.precision(&theta, Curvature::Kfac).unwrap();
        for layer in &network.layout().layers()[from..] {
            let block = |matrix: &DMatrix<f64>| {
                matrix.view((layer.weights, layer.weights), (layer.len(), layer.len())).into_owned()
            };
            let ggn = block(&ggn);
            // P⁻¹ on the block, row by row, by the variances of single weights and their covariances.
            let unit = |axis: usize| {
                let mut row = vec![0.0; theta.len()];
                row[layer.weights + axis] = 1.0;
                row
            };
            let rows: Vec<Vec<f64>> = (0..layer.len()).map(unit).collect();
            let inverse = DMatrix::from_row_slice(layer.len(), layer.len(), &kfac.covariance(&rows));
            let identity = &ggn * inverse;
            assert!((identity - DMatrix::identity(layer.len(), layer.len())).amax() < 1e-10);
        }
    }
}

/// Draws R⁻ᵀz have the covariance P⁻¹: the matrix of draws from all unit vectors z, times its transpose.
#[test]
fn draws_have_the_inverse_precision() {
    for network in [network(&[2, 3, 1], Likelihood::Bernoulli), network(&[2, 3, 3], Likelihood::Categorical)] {
        let d = network.dimension();
        let theta = normals(3, d, 0.3);
        for kind in Curvature::ALL {
            let Ok(precision) = network.precision(&theta, kind) else { continue };
            let unit = |size: usize, axis: usize| {
                (0..size).map(|other| if other == axis { 1.0 } else { 0.0 }).collect::<Vec<f64>>()
            };
            let steps: Vec<Vec<f64>> = (0..precision.free())
                .map(|axis| precision.draw(&vec![0.0; d], &unit(precision.free(), axis)))
                .collect();
            let rows: Vec<Vec<f64>> = (0..d).map(|axis| unit(d, axis)).collect();
            let expected = precision.covariance(&rows);
            for i in 0..d {
                for j in 0..d {
                    let found: f64 = steps.iter().map(|step| step[i] * step[j]).sum();
                    assert!((found - expected[i * d + j]).abs() < 1e-12 * (1.0 + found.abs()), "{kind:?}");
                }
            }
            let moved = precision.draw(&theta, &vec![0.0; precision.free()]);
            assert!(moved.iter().zip(&theta).all(|(a, b)| a.to_bits() == b.to_bits()));
        }
    }
}

/// At temperature T the posterior is log p/T, so every curvature that has the prior added exactly is P/T.
#[test]
fn curvatures_follow_the_temperature() {
    let network = network(&[2, 3, 1], Likelihood::Bernoulli);
    let theta = normals(3, network.dimension(), 0.3);
    let cold = network.tempered(Temper::Posterior(0.25)).unwrap();
    for kind in [Curvature::Ggn, Curvature::DiagonalGgn, Curvature::Fisher, Curvature::Kfac, Curvature::LastLayer] {
        let (warm, cold) = (network.precision(&theta, kind).unwrap(), cold.precision(&theta, kind).unwrap());
        for (warm, cold) in warm.diagonal().iter().zip(cold.diagonal()) {
            assert!((cold / warm - 4.0).abs() < 1e-12);
        }
    }
}

#[test]
fn a_place_without_numbers_has_no_curvature() {
    let network = network(&[2, 3, 1], Likelihood::Bernoulli);
    let mut theta = normals(3, network.dimension(), 0.3);
    theta[2] = f64::NAN;
    for kind in Curvature::ALL {
        let expected = CurvatureError::NotFinite(kind.name());
        assert_eq!(network.precision(&theta, kind).err(), Some(expected));
    }
}

#[test]
fn matrices_have_a_largest_size() {
    let network = network(&[1, 50, 40, 1], Likelihood::Gaussian { sd: 0.4 });
    let theta = normals(3, network.dimension(), 0.3);
    assert!(network.dimension() > MOST_DENSE);
    let weights = network.dimension();
    for kind in [Curvature::Full, Curvature::Ggn, Curvature::Diagonal] {
        let expected = CurvatureError::TooLarge { curvature: kind.name(), weights };
        assert_eq!(network.precision(&theta, kind).err(), Some(expected));
    }
    for kind in [Curvature::DiagonalGgn, Curvature::Fisher, Curvature::Kfac, Curvature::LastLayer] {
        assert!(network.precision(&theta, kind).is_ok());
    }
    assert_eq!(network.spectrum(&theta), None);
    assert_eq!(newton(&network, &theta, 10).steps, 0);
}
