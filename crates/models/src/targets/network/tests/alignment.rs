//! Alignment of hidden units.

use super::*;

fn distance(network: &Network, a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).zip(network.prior_sds()).map(|((a, b), sd)| ((a - b) / sd).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn aligned_weights_have_the_same_function_and_are_nearer() {
    for (number, network) in (0..).zip(gallery()) {
        let dimension = Model::dimension(&network);
        for seed in 0..20 {
            let [a, b] = [100, 200].map(|from| normals(from + 1000 * number + seed, dimension, 1.5));
            let aligned = network.aligned(&b, &a);
            assert!(distance(&network, &aligned, &a) <= distance(&network, &b, &a) + 1e-12);
            let inputs = normals(7, 5 * network.layout().inputs(), 1.0);
            for input in inputs.chunks_exact(network.layout().inputs()) {
                for (f, same) in network.output(&b, input).into_iter().zip(network.output(&aligned, input)) {
                    assert!((f - same).abs() <= 1e-12 * (1.0 + f.abs()), "network {number}: {f} {same}");
                }
            }
            // Nothing comes nearer in a second alignment.
            let again = network.aligned(&aligned, &a);
            assert!((distance(&network, &again, &a) - distance(&network, &aligned, &a)).abs() < 1e-12);
        }
    }
}

/// Of exchanged and turned units the original ones are found again; with two layers too, where the copy is near the original.
#[test]
fn a_copy_is_brought_back() {
    let network = network(&[2, 4, 1], Likelihood::Bernoulli);
    let to = normals(5, Model::dimension(&network), 1.0);
    let layers = network.layout().layers();
    let mut copy = to.clone();
    for (slot, (unit, sign)) in [(2, -1.0), (0, 1.0), (3, -1.0), (1, -1.0)].into_iter().enumerate() {
        for input in 0..=2 {
            copy[layers[0].index(slot, input)] = sign * to[layers[0].index(unit, input)];
        }
        copy[layers[1].index(0, slot)] = sign * to[layers[1].index(0, unit)];
    }
    assert!(distance(&network, &copy, &to) > 1.0);
    assert_eq!(network.aligned(&copy, &to), to);
}

/// With one hidden layer no copy is nearer: all 3!·2³ of them are looked at.
#[test]
fn no_copy_is_nearer() {
    let network = network(&[1, 3, 2], Likelihood::Gaussian { sd: 1.0 });
    let layers = network.layout().layers();
    for seed in 0..30 {
        let [a, b] = [300, 400].map(|from| normals(from + seed, Model::dimension(&network), 1.0));
        let mut least = f64::INFINITY;
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            for signs in 0..8 {
                let mut copy = b.clone();
                for (slot, unit) in order.into_iter().enumerate() {
                    let sign = if signs >> slot & 1 == 1 { -1.0 } else { 1.0 };
                    for input in 0..=1 {
                        copy[layers[0].index(slot, input)] = sign * b[layers[0].index(unit, input)];
                    }
                    for output in 0..2 {
                        copy[layers[1].index(output, slot)] = sign * b[layers[1].index(output, unit)];
                    }
                }
                least = least.min(distance(&network, &copy, &a));
            }
        }
        assert!((distance(&network, &network.aligned(&b, &a), &a) - least).abs() < 1e-12);
    }
}

#[test]
fn weights_that_are_not_finite_stay_as_they_are() {
    let network = network(&[1, 3, 1], Likelihood::Gaussian { sd: 1.0 });
    let mut weights = normals(1, 10, 1.0);
    weights[4] = f64::INFINITY;
    assert_eq!(network.aligned(&weights, &normals(2, 10, 1.0)), weights);
}

/// The log likelihood is what is left of the log density at T = 1 without the prior.
#[test]
fn log_likelihoods_are_sums_over_data_at_every_temperature() {
    for network in gallery() {
        let vectors: Vec<Vec<f64>> = (0..9).map(|seed| normals(seed, Model::dimension(&network), 0.8)).collect();
        let at = Coords::of(vectors[0].len(), vectors.iter().map(Vec::as_slice));
        for temper in [Temper::NONE, Temper::Posterior(0.2), Temper::Likelihood(3.0)] {
            let mut found = vec![0.0; at.len()];
            network.tempered(temper).unwrap().log_likelihoods(Simd::BASELINE, &at, &mut Vec::new(), &mut found);
            for (vector, found) in vectors.iter().zip(found) {
                let sum: f64 = (0..13).map(|datum| network.datum_log_likelihood(vector, datum)).sum();
                assert!((found - sum).abs() < 1e-11 * (1.0 + sum.abs()), "{found} {sum}");
            }
        }
    }
}
