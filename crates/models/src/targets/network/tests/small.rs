//! The network [2, 2, 1] whose numbers were computed independently, in tests/data/network/small_net.txt.

use super::*;

pub(super) const THETA: [f64; 9] = [0.8, -0.5, -0.3, 1.1, 0.2, -0.4, 1.3, -0.7, 0.1];

/// A section of the file: everything between a heading and the next.
pub(super) struct Section {
    name: &'static str,
    text: String,
}

impl Section {
    /// The numbers of an entry: those behind its name at the start of a line, up to the next name.
    pub(super) fn numbers(&self, key: &str) -> Vec<f64> {
        let start = self.text.lines().position(|line| line.split_whitespace().next() == Some(key));
        let start = start.unwrap_or_else(|| panic!("no {key} in {}", self.name));
        let lines = self.text.lines().enumerate().skip(start);
        let own = lines.take_while(|(number, line)| *number == start || line.starts_with(' '));
        let text: String = own.map(|(_, line)| format!("{line} ")).collect();
        let rest = text.strip_prefix(key).unwrap().replace(['[', ']'], " ");
        rest.split_whitespace().map(|number| number.parse().unwrap()).collect()
    }

    /// Compares with the twelve decimals of an entry.
    #[track_caller]
    pub(super) fn check(&self, key: &str, found: &[f64]) {
        let expected = self.numbers(key);
        assert_eq!(found.len(), expected.len(), "{key}");
        for (found, expected) in found.iter().zip(expected) {
            // The file has twelve decimals; the last may be off by one where the reference itself was rounded.
            assert!((found - expected).abs() < 1.5e-12 * (1.0 + expected.abs()), "{key}: {found} and {expected}");
        }
    }
}

/// The three networks with their sections.
pub(super) fn cases() -> Vec<(Section, Network)> {
    let file = include_str!("../../../../../../tests/data/network/small_net.txt");
    let section = |name: &'static str| {
        let text = file.split("--- ").find_map(|part| part.strip_prefix(name)).unwrap();
        Section { name, text: text.to_owned() }
    };
    let inputs = vec![0.0, 0.0, 1.0, 0.5, -1.0, 0.5, 0.5, -1.0, -0.5, -1.5];
    let fan_in = Prior::FanIn { weight: 2.0, bias: 1.0 };
    let build = |prior, likelihood, targets: [f64; 5]| {
        let data = Observations::pairs(inputs.clone(), targets.to_vec());
        Network::new(Layout::new(&[2, 2, 1]).unwrap(), prior, likelihood, data).unwrap()
    };
    let gauss = Likelihood::Gaussian { sd: 0.5 };
    let (y, labels) = ([0.3, 0.9, -1.2, 0.7, 0.4], [1.0, 1.0, 0.0, 1.0, 0.0]);
    vec![
        (section("regression, sigma=.5, unit prior sd 1\n"), build(Prior::unit(1.0), gauss, y)),
        (section("regression fan-in 2,1\n"), build(fan_in, gauss, y)),
        (section("classification fan-in 2,1\n"), build(fan_in, Likelihood::Bernoulli, labels)),
    ]
}

#[test]
fn densities_and_gradients_have_all_digits() {
    for (section, network) in cases() {
        let outputs: Vec<f64> = (0..5).map(|i| network.output(&THETA, network.input(i))[0]).collect();
        section.check("f", &outputs);
        let likelihoods: Vec<f64> = (0..5).map(|i| network.datum_log_likelihood(&THETA, i)).collect();
        section.check("ll", &likelihoods);
        section.check("lp", &[log_density(&network, &THETA)]);
        section.check("grad", &gradient(&network, &THETA));
        let gradients: Vec<f64> = (0..5).flat_map(|i| network.datum_gradient(&THETA, i)).collect();
        section.check("G", &gradients);
        let queries: Vec<f64> = [[0.5, 0.5], [2.0, -2.0]].iter().map(|x| network.output(&THETA, x)[0]).collect();
        section.check("fq", &queries);
    }
}
