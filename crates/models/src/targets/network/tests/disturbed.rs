//! Gradients with noise in the data and anchors.

use super::*;

/// log p_T with the residuals and the prior means of a member, up to a constant.
fn objective(network: &Network, theta: &[f64], anchor: &[f64], noise: &[f64]) -> f64 {
    let Likelihood::Gaussian { sd } = network.likelihood else { panic!() };
    let (of_prior, of_likelihood) = match network.temper {
        Temper::Posterior(t) => (1.0 / t, 1.0 / t),
        Temper::Likelihood(t) => (1.0, 1.0 / t),
    };
    let mut sum = 0.0;
    let mut noise = noise.iter();
    for index in 0..network.data() {
        let f = network.output(theta, network.input(index));
        for (y, f) in network.target(index).iter().zip(f) {
            let residual = (y - f) / sd + noise.next().unwrap() / of_likelihood.sqrt();
            sum -= 0.5 * of_likelihood * residual * residual;
        }
    }
    for ((theta, anchor), s) in theta.iter().zip(anchor).zip(network.prior_sds()) {
        let pull = (theta - anchor / of_prior.sqrt()) / s;
        sum -= 0.5 * of_prior * pull * pull;
    }
    sum
}

fn disturbed(network: &Network, simd: Simd, at: &Coords, [anchors, noise]: [&Coords; 2]) -> Coords {
    let mut out = at.clone();
    network.disturbed_gradients(simd, at, Disturbance { anchors, noise }, &mut Vec::new(), &mut out);
    out
}

fn rows(seed: u64, dimension: usize, count: usize) -> Coords {
    let rows: Vec<Vec<f64>> = (0..count).map(|row| normals(seed + row as u64, dimension, 0.8)).collect();
    Coords::of(dimension, rows.iter().map(|row| &row[..]))
}

fn regressions() -> Vec<Network> {
    let gaussian = |network: &Network| matches!(network.likelihood, Likelihood::Gaussian { .. });
    let networks = gallery().into_iter().filter(gaussian);
    let tempers = [Temper::NONE, Temper::Posterior(0.3), Temper::Likelihood(4.0)];
    networks.flat_map(|network| tempers.map(|temper| network.tempered(temper).unwrap())).collect()
}

#[test]
fn disturbed_gradients_are_those_of_the_objective_of_a_member() {
    for network in regressions() {
        let (d, targets) = (network.dimension(), network.disturbances().unwrap());
        let [at, anchors, noise] = [rows(50, d, 1), rows(60, d, 1), rows(70, targets, 1)];
        let found = disturbed(&network, Simd::BASELINE, &at, [&anchors, &noise]);
        let numbers = |coords: &Coords| coords.vector(0).collect::<Vec<f64>>();
        let value = |theta: &[f64]| objective(&network, theta, &numbers(&anchors), &numbers(&noise));
        for axis in 0..d {
            let moved = |by: f64| {
                let mut theta = numbers(&at);
                theta[axis] += by;
                value(&theta)
            };
            let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            let gradient = found.get(0, axis);
            assert!((gradient - slope).abs() < 1e-5 * slope.abs().max(10.0), "{gradient} {slope}");
        }
    }
}

#[test]
fn bits_of_disturbed_gradients_are_those_of_single_members() {
    for network in regressions() {
        let (d, targets) = (network.dimension(), network.disturbances().unwrap());
        let all = [rows(50, d, 19), rows(80, d, 19), rows(110, targets, 19)];
        for simd in Simd::available() {
            for members in [1, 4, 9, 19] {
                let [at, anchors, noise] = all.each_ref().map(|coords| coords.range(0..members));
                let found = disturbed(&network, simd, &at, [&anchors, &noise]);
                for member in 0..members {
                    let [at, anchors, noise] = all.each_ref().map(|coords| coords.range(member..member + 1));
                    let alone = disturbed(&network, Simd::BASELINE, &at, [&anchors, &noise]);
                    assert!(found.vector(member).eq(alone.vector(0)), "{simd:?}, member {member} of {members}");
                }
            }
        }
    }
}

#[test]
fn without_noise_and_anchors_they_are_the_gradients_of_the_posterior() {
    let network = network(&[1, 10, 1], Likelihood::Gaussian { sd: 0.4 });
    let (at, zeros) = (rows(50, 31, 9), Coords::zeros(31, 9));
    let found = disturbed(&network, Simd::widest(), &at, [&zeros, &Coords::zeros(13, 9)]);
    let few = disturbed(&network, Simd::widest(), &at, [&zeros, &Coords::zeros(4, 9)]);
    let mut plain = at.clone();
    network.gradients(Simd::widest(), &at, &mut Vec::new(), &mut plain);
    assert_eq!(found, few, "noise that is missing is 0");
    assert!(found.values().iter().zip(plain.values()).all(|(a, b)| (a - b).abs() <= 1e-12 * b.abs().max(1.0)));
    let logits = super::network(&[2, 8, 1], Likelihood::Bernoulli);
    assert_eq!(logits.disturbances(), None);
}
