//! Components against their definitions, distances of functions, and planes through draws.

use std::path::Path;

use super::*;
use crate::geometry::{NamedDraw, named_draws};
use base::math::{Bounds, Point, Purpose, Stream, normal_quantile};
use base::platform::now;
use engine::scenario::read;
use engine::session::{Frame, Session};
use models::targets::Model;
use models::targets::network::{Likelihood, Observations};

use nalgebra::{DMatrix, SymmetricEigen};

fn normals(seed: u64, count: usize, dimension: usize) -> Vec<Vec<f64>> {
    let mut stream = Stream::derive(seed, Purpose::Data, 0, 0);
    (0..count).map(|_| (0..dimension).map(|_| normal_quantile(stream.uniform())).collect()).collect()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// B = −½ C D² C by its definition, and its eigenvectors by nalgebra.
fn classical_scaling(distances: &DMatrix<f64>) -> ([Vec<f64>; 2], [f64; 2]) {
    let n = distances.nrows();
    let centring = DMatrix::identity(n, n) - DMatrix::repeat(n, n, 1.0 / n as f64);
    let b = -0.5 * &centring * distances.component_mul(distances) * &centring;
    let eigen = SymmetricEigen::new(b);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));
    let total: f64 = eigen.eigenvalues.iter().map(|value| value.max(0.0)).sum();
    let axis = |number: usize| {
        let column = eigen.eigenvectors.column(order[number]) * eigen.eigenvalues[order[number]].sqrt();
        let largest = column.iter().copied().fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a });
        (column * largest.signum()).iter().copied().collect()
    };
    ([axis(0), axis(1)], [0, 1].map(|number| eigen.eigenvalues[order[number]] / total))
}

/// With more draws than dimensions and with fewer, components are those of classical scaling of the distances.
#[test]
fn components_are_classical_scaling_of_distances() {
    for (count, dimension) in [(40, 6), (9, 30), (12, 12)] {
        let mut vectors = normals(4, count, dimension);
        // Some directions are longer than others, and the mean is elsewhere.
        vectors.iter_mut().flatten().enumerate().for_each(|(i, x)| *x = 3.0 + *x * (1.0 + (i % dimension) as f64));
        let distances = DMatrix::from_fn(count, count, |a, b| distance(&vectors[a], &vectors[b]));
        let (expected, shares) = classical_scaling(&distances);
        let found = principal_components(&vectors);
        for axis in 0..2 {
            assert!((found.shares[axis] - shares[axis]).abs() < 1e-12, "{:?} {shares:?}", found.shares);
            for (point, expected) in found.points.iter().zip(&expected[axis]) {
                assert!((point[axis] - expected).abs() < 1e-9 * dimension as f64, "{point:?} {expected}");
            }
        }
    }
}

#[test]
fn a_planar_configuration_is_recovered() {
    // Points of the plane, turned into seven dimensions.
    let plane = normals(6, 25, 2);
    let axes = [[0.6, 0.0, 0.8, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.28, 0.96, 0.0]];
    let into =
        |point: &Vec<f64>| (0..7).map(|k| 1.5 + point[0] * axes[0][k] + point[1] * axes[1][k]).collect::<Vec<_>>();
    let vectors: Vec<Vec<f64>> = plane.iter().map(into).collect();
    let found = principal_components(&vectors);
    assert!((found.shares[0] + found.shares[1] - 1.0).abs() < 1e-12 && found.shares[0] >= found.shares[1]);
    for (a, from) in plane.iter().zip(&found.points) {
        for (b, to) in plane.iter().zip(&found.points) {
            assert!((distance(a, b) - distance(from, to)).abs() < 1e-12);
        }
    }
}

#[test]
fn few_vectors_and_equal_ones_have_places() {
    assert_eq!(principal_components(&[]), Components::default());
    let one = principal_components(&[vec![2.0, 3.0, 4.0]]);
    assert_eq!((one.points, one.shares), (vec![[0.0; 2]], [0.0; 2]));
    let equal = principal_components(&vec![vec![1.0, 2.0]; 5]);
    assert_eq!((equal.points, equal.shares), (vec![[0.0; 2]; 5], [0.0; 2]));
    let two = principal_components(&[vec![0.0, 3.0], vec![4.0, 0.0]]);
    assert!((distance(&two.points[0], &two.points[1]) - 5.0).abs() < 1e-12 && (two.shares[0] - 1.0).abs() < 1e-12);
}

fn frame(data: &str, runs: &str, steps: u64) -> Frame {
    let text = format!(
        "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\nhidden = 4\n[target.data]\nkind = \"{data}\"\n{runs}"
    );
    let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
    session.advance(steps);
    session.frame()
}

const RUNS: &str = "[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 4000\nchains = 3\n\
                    [[run]]\nname = \"B\"\nmethod = \"gaussian-vi\"\nsteps = 4000\n";

#[test]
fn draws_of_all_runs_have_their_share() {
    let frame = frame("moons", RUNS, 2000);
    let draws = named_draws(&frame, &[0, 1], 200);
    let of = |run: usize| draws.iter().filter(|draw| draw.name.run == run).count();
    assert!((51..=100).contains(&of(0)) && (20..=100).contains(&of(1)), "{} {}", of(0), of(1));
    assert!(draws.iter().all(|draw| draw.weights().is_some() && draw.name.fitted == (draw.name.run == 1)));
    assert!(named_draws(&frame, &[7], 200).is_empty());
    assert!(network_of(frame.target.as_ref()).is_some());
}

/// Distances of function vectors are root mean squares of differences, of f or of probabilities.
#[test]
fn distances_are_those_of_functions() {
    for data in ["gap-sine", "moons", "spirals"] {
        let frame = frame(data, RUNS, 400);
        let network = network_of(frame.target.as_ref()).unwrap();
        let draws: Vec<Vec<f64>> = named_draws(&frame, &[0], 20).iter().filter_map(NamedDraw::weights).collect();
        let found = function_vectors(frame.target.as_ref(), network, &draws);
        let at = |weights: &[f64]| -> Vec<f64> {
            if let Some(regression) = frame.target.regression() {
                return probes(frame.target.as_ref()).iter().map(|x| regression.value(weights, *x)).collect();
            }
            let softmax = |f: Vec<f64>| {
                let f = if f.len() == 1 { vec![0.0, f[0]] } else { f };
                let sum: f64 = f.iter().map(|f| f.exp()).sum();
                f.into_iter().map(|f| f.exp() / sum).collect::<Vec<f64>>()
            };
            let inputs = probes(frame.target.as_ref());
            inputs.chunks_exact(2).flat_map(|input| softmax(network.output(weights, input))).collect()
        };
        for (a, from) in draws.iter().zip(&found) {
            for (b, to) in draws.iter().zip(&found) {
                let (f, g) = (at(a), at(b));
                let expected = distance(&f, &g) / (f.len() as f64).sqrt();
                assert!((distance(from, to) - expected).abs() < 1e-12, "{data}: {expected}");
            }
        }
    }
}

#[test]
fn a_plane_goes_through_its_three_draws() {
    let frame = frame("gap-sine", RUNS, 400);
    let network = network_of(frame.target.as_ref()).unwrap();
    let dimension = Model::dimension(network);
    let draws = normals(8, 4, dimension);
    let plane = Plane::through(network, [0, 1, 2].map(|number| &draws[number][..])).unwrap();
    let white = |number: usize| whitened(network, &draws[number]);
    for (number, draw) in draws[..3].iter().enumerate() {
        let (point, away) = plane.position(draw);
        assert!((point - plane.corners[number]).norm() < 1e-12 && away < 1e-6, "{number}: {away}");
        assert!(distance(&plane.weights(point), draw) < 1e-12);
        for other in 0..3 {
            let apart = (plane.corners[number] - plane.corners[other]).norm();
            assert!((apart - distance(&white(number), &white(other))).abs() < 1e-12);
        }
        assert!(plane.window().contains(point));
    }
    // The nearest point of the plane is where the projection says.
    let (point, away) = plane.position(&draws[3]);
    let gap = |at: Point| distance(&whitened(network, &plane.weights(at)), &white(3));
    assert!((gap(point) - away).abs() < 1e-12 && away > 1.0);
    for shift in [Point::new(0.1, 0.0), Point::new(0.0, -0.1)] {
        assert!((gap(point + shift).powi(2) - away * away - 0.01).abs() < 1e-9);
    }
    let line: Vec<f64> = draws[0].iter().zip(&draws[1]).map(|(a, b)| 0.3 * a + 0.7 * b).collect();
    assert_eq!(Plane::through(network, [&draws[0], &draws[1], &line]), None);
    assert_eq!(Plane::through(network, [&draws[0], &draws[1], &draws[0]]), None);
}

#[test]
fn the_surface_is_the_log_density_of_the_weights_there() {
    let frame = frame("moons", RUNS, 400);
    let network = network_of(frame.target.as_ref()).unwrap();
    let draws = normals(9, 3, Model::dimension(network));
    let plane = Plane::through(network, [0, 1, 2].map(|number| &draws[number][..])).unwrap();
    let corner = plane.corners[1];
    let window = Bounds { min: corner - Point::repeat(0.5), max: corner + Point::repeat(0.5) };
    let surface = now(plane.surface(network, (Loss::Posterior, None), window, [3, 3]));
    let mut expected = [0.0];
    let at = Coords::of(draws[1].len(), [&draws[1][..]].into_iter());
    network.log_densities(Simd::BASELINE, &at, &mut Vec::new(), &mut expected);
    assert!((surface.log_density[4] - expected[0]).abs() < 1e-9);
}

/// Losses at some weights, datum by datum from the outputs of the network.
#[test]
fn losses_are_those_of_the_data_and_of_test_data() {
    for data in ["gap-sine", "moons", "cubic"] {
        let frame = frame(data, RUNS, 400);
        let network = network_of(frame.target.as_ref()).unwrap();
        let tests = test_data(frame.target.as_ref());
        assert_eq!(tests.is_some(), data != "cubic");
        let draws = normals(9, 3, Model::dimension(network));
        let at = Coords::of(draws[0].len(), draws.iter().map(Vec::as_slice));
        for (number, weights) in draws.iter().enumerate() {
            let pairs = |data: &Observations| -> Vec<(f64, f64)> {
                let inputs = data.inputs.chunks_exact(network.layout().inputs());
                inputs.map(|x| network.output(weights, x)[0]).zip(data.targets.iter().copied()).collect()
            };
            let count = |pairs: &[(f64, f64)]| pairs.len() as f64;
            let nll = |pairs: Vec<(f64, f64)>| -> f64 {
                let one = |(f, y): &(f64, f64)| match network.likelihood() {
                    Likelihood::Gaussian { sd } => {
                        0.5 * ((y - f) / sd).powi(2) + sd.ln() + 0.5 * std::f64::consts::TAU.ln()
                    }
                    _ => (1.0 + ((1.0 - 2.0 * y) * f).exp()).ln(),
                };
                pairs.iter().map(one).sum()
            };
            let error = |pairs: Vec<(f64, f64)>| -> f64 {
                if matches!(network.likelihood(), Likelihood::Gaussian { .. }) {
                    return (pairs.iter().map(|(f, y)| (y - f).powi(2)).sum::<f64>() / count(&pairs)).sqrt();
                }
                pairs.iter().filter(|(f, y)| (*f >= 0.0) != (*y > 0.5)).count() as f64 / count(&pairs)
            };
            let found = |loss: Loss| loss.values(network, tests, &at)[number];
            let own = network.observations();
            let mut expected = vec![(Loss::Likelihood, nll(pairs(own))), (Loss::Error, error(pairs(own)))];
            match tests {
                Some(tests) => {
                    let of_tests = [(Loss::TestLikelihood, nll(pairs(tests))), (Loss::TestError, error(pairs(tests)))];
                    expected.extend(of_tests);
                }
                None => assert!(found(Loss::TestLikelihood).is_nan() && found(Loss::TestError).is_nan()),
            }
            for (loss, expected) in expected {
                let gap = found(loss) - expected;
                assert!(gap.abs() < 1e-9 * (1.0 + expected.abs()), "{data} {loss:?}: {} {expected}", found(loss));
            }
        }
    }
}

#[test]
fn contours_are_above_the_lowest_loss() {
    for (scale, lowest) in [(Scale::Nats, -40.0), (Scale::Shares, 0.03), (Scale::Ratios, 0.1)] {
        let levels = scale.levels(lowest);
        assert!(levels.len() == scale.steps().len() && levels.is_sorted_by(|a, b| a < b) && levels[0] > lowest);
        let shades: Vec<f64> = levels.iter().map(|level| scale.lightness(*level, lowest)).collect();
        assert!(shades.is_sorted_by(|a, b| a < b) && shades[0] > 0.0 && scale.lightness(lowest, lowest).abs() <= 0.0);
    }
    assert!((Scale::Ratios.levels(0.1)[2] - 0.2).abs() < 1e-15 && (Scale::Shares.levels(0.03)[2] - 0.13).abs() < 1e-15);
    for &loss in Loss::ALL {
        assert_eq!(Loss::named(loss.key()), Some(loss));
    }
}

#[test]
fn spread_draws_are_far_from_each_other() {
    let square = [[0.0, 0.0], [9.0, 0.0], [0.1, 0.0], [0.0, 5.0], [1.0, 1.0]].map(|point| point.to_vec());
    assert_eq!(spread(&square), [1, 3, 2]);
    assert_eq!(spread(&square[..2]).len(), 2);
    assert!(spread(&[]).is_empty());
}
