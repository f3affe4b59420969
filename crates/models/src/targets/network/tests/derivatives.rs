//! Gradients against differences of log densities, sums over data against their parts, temperatures, and errors.

use super::*;

#[test]
fn gradients_are_those_of_the_log_density() {
    for network in gallery() {
        let theta = normals(4, network.dimension(), 0.8);
        let gradient = gradient(&network, &theta);
        for axis in 0..theta.len() {
            // Four-point differences have an error of h⁴ and of rounding over h.
            let h = 1e-3;
            let at = |steps: f64| {
                let mut moved = theta.clone();
                moved[axis] += steps * h;
                log_density(&network, &moved)
            };
            let slope = (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * h);
            let tolerance = 1e-8 * (1.0 + gradient[axis].abs());
            assert!((slope - gradient[axis]).abs() < tolerance, "{:?} {axis}: {slope}", network.layout().sizes());
        }
    }
}

#[test]
fn log_densities_are_sums_of_their_parts() {
    for network in gallery() {
        let theta = normals(4, network.dimension(), 0.8);
        let prior: f64 = theta
            .iter()
            .zip(network.prior_sds())
            .map(|(theta, sd)| {
                -0.5 * (theta / sd) * (theta / sd) - libm::log(*sd) - 0.5 * libm::log(std::f64::consts::TAU)
            })
            .sum();
        let likelihood: f64 = (0..network.data()).map(|i| network.datum_log_likelihood(&theta, i)).sum();
        for (temper, expected) in [
            (Temper::NONE, prior + likelihood),
            (Temper::Posterior(0.3), (prior + likelihood) / 0.3),
            (Temper::Likelihood(0.3), prior + likelihood / 0.3),
        ] {
            let tempered = network.tempered(temper).unwrap();
            assert!((log_density(&tempered, &theta) - expected).abs() < 1e-12 * expected.abs().max(100.0));
            let back = tempered.untempered();
            assert_eq!(log_density(&back, &theta).to_bits(), log_density(&network, &theta).to_bits());
        }
    }
}

#[test]
fn estimates_are_sums_over_their_data() {
    let batch = [3_u32, 0, 12, 7, 3];
    for network in gallery() {
        let theta = normals(4, network.dimension(), 0.8);
        let at = Coords::of(theta.len(), [&theta[..]].into_iter());
        for temper in [Temper::NONE, Temper::Posterior(2.0), Temper::Likelihood(0.5)] {
            let network = network.tempered(temper).unwrap();
            let factors = match temper {
                Temper::Posterior(t) => [1.0 / t, 1.0 / t],
                Temper::Likelihood(t) => [1.0, 1.0 / t],
            };
            let all: Vec<Vec<f64>> = (0..network.data()).map(|i| network.datum_gradient(&theta, i)).collect();
            let sum = |indices: &[u32], axis: usize| {
                let prior = -theta[axis] / (network.prior_sds()[axis] * network.prior_sds()[axis]);
                let terms: f64 = indices.iter().map(|index| all[*index as usize][axis]).sum();
                factors[0] * prior + factors[1] * terms * network.data() as f64 / indices.len() as f64
            };
            let mut estimate = at.clone();
            network.estimates(Simd::widest(), &at, Minibatches::new(&batch, 5, 1), &mut Vec::new(), &mut estimate);
            let full = gradient(&network, &theta);
            let everything: Vec<u32> = (0..13).collect();
            let mut variances = vec![0.0; theta.len()];
            network.datum_variances(&at, 0, &mut Vec::new(), &mut variances);
            for axis in 0..theta.len() {
                let expected = sum(&batch, axis);
                assert!((estimate.get(0, axis) - expected).abs() < 1e-11 * (1.0 + expected.abs()));
                let expected = sum(&everything, axis);
                assert!((full[axis] - expected).abs() < 1e-11 * (1.0 + expected.abs()));
                let mean = all.iter().map(|g| g[axis]).sum::<f64>() / 13.0;
                let variance = all.iter().map(|g| (g[axis] - mean) * (g[axis] - mean)).sum::<f64>() / 13.0;
                let expected = variance * factors[1] * factors[1];
                assert!((variances[axis] - expected).abs() < 1e-11 * (1.0 + expected.abs()));
            }
        }
    }
}

#[test]
fn parts_that_do_not_fit_are_errors() {
    let build = |sizes: &[usize], likelihood, inputs: &[f64], targets: &[f64]| {
        let data = Observations::pairs(inputs.to_vec(), targets.to_vec());
        Network::new(Layout::new(sizes)?, Prior::unit(1.0), likelihood, data).map(|_| ())
    };
    let gauss = Likelihood::Gaussian { sd: 0.5 };
    assert_eq!(build(&[1, 2, 1], gauss, &[], &[]), Ok(()));
    assert_eq!(build(&[1, 2, 1], Likelihood::Gaussian { sd: 0.0 }, &[], &[]), Err(NetworkError::NoiseSd(0.0)));
    assert!(matches!(build(&[1, 2, 2], Likelihood::Bernoulli, &[], &[]), Err(NetworkError::Outputs { found: 2, .. })));
    assert!(matches!(build(&[1, 2, 1], Likelihood::Categorical, &[], &[]), Err(NetworkError::Outputs { .. })));
    assert!(matches!(build(&[2, 2, 1], gauss, &[1.0; 3], &[1.0]), Err(NetworkError::Counts { inputs: 2, .. })));
    assert!(matches!(build(&[2, 2, 1], gauss, &[1.0; 4], &[1.0]), Err(NetworkError::Counts { targets: 1, .. })));
    let wrong = |datum, value| Err(NetworkError::Target { datum, value });
    assert_eq!(build(&[1, 2, 1], Likelihood::Bernoulli, &[1.0; 2], &[1.0, 2.0]), wrong(1, 2.0));
    assert_eq!(build(&[1, 2, 3], Likelihood::Categorical, &[1.0; 2], &[2.0, -1.0]), wrong(1, -1.0));
    assert_eq!(build(&[1, 2, 1], gauss, &[1.0; 2], &[f64::INFINITY, 0.0]), wrong(0, f64::INFINITY));
    let infinite = build(&[1, 2, 1], gauss, &[0.0, f64::INFINITY], &[0.0; 2]);
    assert_eq!(infinite, Err(NetworkError::NotFinite { datum: 1, value: f64::INFINITY }));
    assert_eq!(gallery()[0].tempered(Temper::Posterior(0.0)).err(), Some(NetworkError::Temperature(0.0)));
}
