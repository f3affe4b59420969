//! Networks against reference numbers, against differences, and against themselves at every number of chains.

mod alignment;
mod bits;
mod curvature;
mod data_sets;
mod derivatives;
mod disturbed;
mod dropout;
mod optimum;
mod reference;
mod small;
mod target;

use super::*;
use base::math::{Purpose, Stream, normal_quantile};

/// Whether `found` has the digits of `expected`, which is given with `digits` decimals.
#[track_caller]
fn assert_decimals(found: f64, expected: f64, digits: i32) {
    let tolerance = 0.51 * libm::pow(10.0, f64::from(-digits));
    assert!((found - expected).abs() <= tolerance, "{found:.14}, expected {expected}");
}

/// `count` normals with this standard deviation.
fn normals(seed: u64, count: usize, sd: f64) -> Vec<f64> {
    let mut stream = Stream::derive(seed, Purpose::Data, 0, 0);
    (0..count).map(|_| sd * normal_quantile(stream.uniform())).collect()
}

/// Some network of the given shape with random data.
fn network(sizes: &[usize], likelihood: Likelihood) -> Network {
    let layout = Layout::new(sizes).unwrap();
    let (inputs, outputs) = (layout.inputs(), layout.outputs());
    let count = 13;
    let targets = match likelihood {
        Likelihood::Gaussian { .. } => normals(2, count * outputs, 1.0),
        Likelihood::Bernoulli => (0..count).map(|i| (i % 2) as f64).collect(),
        Likelihood::Categorical => (0..count).map(|i| (i % outputs) as f64).collect(),
    };
    let data = Observations { inputs: normals(1, count * inputs, 1.0), targets };
    Network::new(layout, Prior::FanIn { weight: 1.5, bias: 0.7 }, likelihood, data).unwrap()
}

/// Networks of several shapes with every likelihood.
fn gallery() -> Vec<Network> {
    let noise = Likelihood::Gaussian { sd: 0.4 };
    vec![
        network(&[1, 1], noise),
        network(&[1, 10, 1], noise),
        network(&[2, 8, 1], Likelihood::Bernoulli),
        network(&[3, 5, 2], noise),
        network(&[2, 7, 3], Likelihood::Categorical),
        network(&[1, 9, 4, 1], noise),
        network(&[2, 3, 11, 9], Likelihood::Categorical),
    ]
}

fn log_density(network: &Network, theta: &[f64]) -> f64 {
    let mut out = [0.0];
    let at = Coords::of(theta.len(), [theta].into_iter());
    network.log_densities(Simd::BASELINE, &at, &mut Vec::new(), &mut out);
    out[0]
}

fn gradient(network: &Network, theta: &[f64]) -> Vec<f64> {
    let at = Coords::of(theta.len(), [theta].into_iter());
    let mut out = at.clone();
    network.gradients(Simd::BASELINE, &at, &mut Vec::new(), &mut out);
    out.values().to_vec()
}

/// The columns of a file with a header.
fn columns(file: &str) -> Vec<Vec<f64>> {
    let rows: Vec<Vec<f64>> =
        file.lines().skip(1).map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}
