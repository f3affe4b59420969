//! Maxima that are known.

use super::reference::{Problem, gap, moons};
use super::*;

/// From the lattice start Adam finds known modes: of `gap` the best one, of `moons` the one that is stored second.
#[test]
fn adam_from_the_lattice_ends_at_known_modes() {
    for (Problem { network, weights }, mode) in [(gap(), 2), (moons(), 1)] {
        let start = lattice_start(network.layout(), network.prior_sds());
        let found = newton(&network, &adam(&network, &start, Adam::default()), 100);
        assert!(found.is_found(), "{:e}", found.slope);
        assert_decimals(found.log_density, network.log_density_at(&weights[mode]), 9);
        let again = newton(&network, &found.theta, 100);
        assert_eq!((again.steps, &again.theta), (0, &found.theta));
    }
}

/// All stored modes are maxima, to which Newton's method comes back from nearby.
#[test]
fn stored_modes_are_maxima() {
    for Problem { network, weights } in [gap(), moons()] {
        for mode in &weights[1..] {
            assert_eq!(network.spectrum(mode).unwrap().negative(), 0);
            let moved: Vec<f64> = mode.iter().zip(normals(1, 40, 1e-3)).map(|(theta, z)| theta + z).collect();
            let back = newton(&network, &moved, 100);
            assert!(back.is_found());
            assert_decimals(back.log_density, network.log_density_at(mode), 9);
            assert!(back.theta.iter().zip(mode).all(|(a, b)| (a - b).abs() < 1e-7 * (1.0 + b.abs())));
        }
    }
}

/// Newton's method alone leads from points far from a mode to some mode.
#[test]
fn damped_steps_never_fall() {
    for Problem { network, weights } in [gap(), moons()] {
        let far = newton(&network, &weights[0], 500);
        assert!(far.is_found() && far.log_density > network.log_density_at(&weights[0]));
        assert!(network.precision(&far.theta, Curvature::Full).is_ok());
    }
}

#[test]
fn a_quadratic_takes_one_step() {
    let network = network(&[2, 1], Likelihood::Gaussian { sd: 0.4 });
    let found = newton(&network, &[3.0, -2.0, 1.0], 10);
    assert!(found.is_found() && found.steps <= 2);
    let lost = newton(&network, &[f64::NAN, 0.0, 0.0], 10);
    assert!(!lost.is_found() && lost.steps == 0);
}
