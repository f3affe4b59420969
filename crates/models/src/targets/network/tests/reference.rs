//! The reference problems `gap` and `moons` at their lattice starts and at their modes.

use super::*;

/// A problem with its weights: the lattice start, the mode found from it, and the best mode.
pub(super) struct Problem {
    pub(super) network: Network,
    pub(super) weights: Vec<Vec<f64>>,
}

pub(super) fn gap() -> Problem {
    let data = DataSet::GapSine { sd: 0.1 }.train(Noise::Lattice);
    let likelihood = Likelihood::Gaussian { sd: 0.1 };
    let prior = Prior::FanIn { weight: 2.0, bias: 1.0 };
    let network = Network::new(Layout::new(&[1, 10, 1]).unwrap(), prior, likelihood, data).unwrap();
    Problem { network, weights: columns(include_str!("../../../../../../tests/data/network/gap_weights.csv")) }
}

pub(super) fn moons() -> Problem {
    let data = DataSet::Moons { count: 50, sd: 0.2 }.train(Noise::Lattice);
    let prior = Prior::FanIn { weight: 5.0, bias: 2.0 };
    let network = Network::new(Layout::new(&[2, 8, 1]).unwrap(), prior, Likelihood::Bernoulli, data).unwrap();
    Problem { network, weights: columns(include_str!("../../../../../../tests/data/network/moons_weights.csv")) }
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|v| v * v).sum::<f64>().sqrt()
}

#[test]
fn lattice_starts_have_the_known_densities() {
    for (Problem { network, weights }, density, slope, slope_digits) in
        [(gap(), -781.8049515569, 3213.60964568, 8), (moons(), -125.5931325441, 30.88610664, 8)]
    {
        let start = lattice_start(network.layout(), network.prior_sds());
        assert!(start.iter().zip(&weights[0]).all(|(a, b)| (a - b).abs() < 1e-14 * (1.0 + b.abs())));
        assert_decimals(log_density(&network, &start), density, 10);
        assert_decimals(norm(&gradient(&network, &start)), slope, slope_digits);
    }
}

#[test]
fn two_thousand_gradient_steps_lead_where_they_should() {
    for (Problem { network, .. }, alpha, density, square) in
        [(gap(), 2e-5, -15.6234569213, 55.8301289), (moons(), 1e-3, -86.4190651137, 193.9119122)]
    {
        let mut theta = lattice_start(network.layout(), network.prior_sds());
        for _ in 0..2000 {
            let gradient = gradient(&network, &theta);
            theta.iter_mut().zip(gradient).for_each(|(theta, gradient)| *theta += alpha * gradient);
        }
        assert_decimals(log_density(&network, &theta), density, 10);
        assert_decimals(theta.iter().map(|theta| theta * theta).sum(), square, 7);
    }
}

#[test]
fn stored_modes_have_the_known_densities() {
    for (Problem { network, weights }, densities) in
        [(gap(), [-3.5156528465, -3.3948397894]), (moons(), [-80.3682240504, -80.2181574826])]
    {
        for (theta, density) in weights[1..].iter().zip(densities) {
            assert_decimals(log_density(&network, theta), density, 10);
            assert!(gradient(&network, theta).iter().all(|slope| slope.abs() < 1e-8));
        }
    }
}
