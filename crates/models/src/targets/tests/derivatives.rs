//! Gradients and Hessians against finite differences, modes as stationary points, batches bit by bit.

use proptest::prelude::{ProptestConfig, any, prop_assert_eq, proptest};

use super::super::{
    Coordinates, Density, Displacements, EulerSteps, Minibatch, Minibatches, Support, sampling_density,
};
use super::painted::seam;
use super::{cases, points, smallest_scale};
use base::math::{Bounds, Point, Purpose, Simd, Stream};

/// A fourth-order central difference of `f` with step `h`.
fn difference(f: &dyn Fn(f64) -> f64, h: f64) -> f64 {
    (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
}

/// Compares a derivative with differences of `f` around 0. The step from h to 2h multiplies the truncation error
/// by 16, so their gap bounds that of h; rounding contributes a few ulp of f over h (64 covers sums over the data).
pub(super) fn assert_derivative(name: &str, derivative: f64, f: &dyn Fn(f64) -> f64, h: f64, size: f64, unit: f64) {
    let (fine, coarse) = (difference(f, h), difference(f, 2.0 * h));
    let tolerance = (fine - coarse).abs() + 64.0 * f64::EPSILON * size / h;
    assert!(tolerance < 1e-5 * (derivative.abs() + unit), "{name}: the test says nothing, tolerance {tolerance}");
    assert!((derivative - fine).abs() <= tolerance, "{name}: {derivative} against {fine}, tolerance {tolerance}");
}

/// Points over four views, as far as the support goes. Far out in logits the density has too few digits for
/// differences, and the neck of the steepest funnel is too narrow for any.
fn far_points(name: &str, target: &dyn Density) -> Vec<Point> {
    if name.contains("logits") || name == "steep funnel" {
        return Vec::new();
    }
    let (view, support) = (target.info().view, target.info().support);
    let (middle, half) = ((view.min + view.max) / 2.0, view.size() * 2.0);
    points(target, Bounds { min: (middle - half).sup(&support.min), max: (middle + half).inf(&support.max) }, 100, 13)
}

#[test]
fn gradients_and_hessians_agree_with_finite_differences() {
    for (name, target) in cases() {
        let dimension = target.info().dimension;
        let scale = smallest_scale(target.as_ref());
        let near = points(target.as_ref(), target.info().view, 200, 11);
        for at in near.into_iter().chain(far_points(name, target.as_ref())) {
            let Support { min, max } = target.info().support;
            let edge =
                if dimension == 1 { (at.x - min.x).min(max.x - at.x) } else { (at - min).inf(&(max - at)).min() };
            // A painting bends most where its paint ends.
            let share = if seam(name).is_some() { 2e-4 } else { 2e-3 };
            let h = share * scale.min(edge);
            // Across a seam the third derivative jumps, of which differences know nothing.
            let apart =
                |seam: f64| at.iter().map(|x| (x / seam - (x / seam).round()).abs() * seam).fold(seam, f64::min);
            if seam(name).is_some_and(|seam| apart(seam) < 4.0 * h) {
                continue;
            }
            let (gradient, hessian) = (target.gradient(at), target.hessian(at));
            for axis in 0..dimension {
                let shifted = |by: f64| at + Point::ith(axis, by);
                let along = |by: f64| target.log_density(shifted(by));
                let what = format!("{name}, gradient {axis} at {at}");
                assert_derivative(&what, gradient[axis], &along, h, along(0.0).abs() + 100.0, 1.0 / scale);
                for other in 0..dimension {
                    let along = |by: f64| target.gradient(shifted(by))[other];
                    let what = format!("{name}, Hessian {axis} {other} at {at}");
                    let size = gradient.amax() + 10.0 / scale;
                    assert_derivative(&what, hessian[(axis, other)], &along, h, size, 1.0 / (scale * scale));
                }
            }
        }
    }
}

#[test]
fn modes_are_maxima() {
    for (name, target) in cases() {
        let info = target.info();
        for mode in &info.modes {
            let mut precision = -target.hessian(mode.at);
            if info.dimension == 1 {
                precision.m22 = 1.0;
            }
            let cholesky = precision.cholesky().unwrap_or_else(|| panic!("{name}: no maximum at {}", mode.at));
            let gradient = target.gradient(mode.at);
            // The length of the Newton step that would remain, in standard deviations.
            let remaining = gradient.dot(&cholesky.solve(&gradient)).sqrt();
            assert!(remaining < 1e-10, "{name}: {remaining} sd from a mode at {}", mode.at);
        }
    }
}

#[test]
fn data_add_up_to_the_gradient() {
    for (name, target) in cases() {
        let Some(data) = target.data() else { continue };
        let all: Vec<u32> = (0..u32::try_from(data.len()).unwrap()).collect();
        assert!(!data.is_empty(), "{name}");
        for at in points(target.as_ref(), target.info().view, 50, 12) {
            let gradient = target.gradient(at);
            let one_by_one: Point = (0..data.len()).map(|index| data.datum_gradient(at, index)).sum();
            let sizes: f64 = (0..data.len()).map(|index| data.datum_gradient(at, index).amax()).sum();
            let tolerance = 1e-14 * (sizes + data.prior_gradient(at).amax() + gradient.amax() + 1.0);
            for sum in [one_by_one, data.batch_gradient(at, Minibatch::from(&all[..]))] {
                let error = (sum + data.prior_gradient(at) - gradient).amax();
                assert!(error <= tolerance, "{name}: {error} above {tolerance} at {at}");
            }
        }
    }
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// All gradients and estimates of `target` at `at`, one by one and at once, on every instruction set.
fn assert_same_bits(target: &dyn Density, at: &[Point], batch: &[u32]) {
    let (x, y): (Vec<f64>, Vec<f64>) = at.iter().map(|point| (point.x, point.y)).unzip();
    let (mut gx, mut gy) = (vec![f64::NAN; at.len()], vec![f64::NAN; at.len()]);
    let (sx, sy): (Vec<f64>, Vec<f64>) = at.iter().map(|point| target.gradient(*point)).map(|g| (g.x, g.y)).unzip();
    for simd in Simd::available() {
        target.gradients(simd, &x, &y, &mut gx, &mut gy);
        assert_eq!((bits(&gx), bits(&gy)), (bits(&sx), bits(&sy)));
    }
    if let Some(data) = target.data() {
        // One minibatch for all points, and one for each.
        for row in [1, at.len().max(1)] {
            let of_point = |index: u32| (0..row).map(move |i| index.wrapping_add(u32::try_from(3 * i).unwrap()));
            let spread = batch.iter().copied().flat_map(of_point);
            let indices: Vec<u32> = spread.map(|index| index % u32::try_from(data.len()).unwrap()).collect();
            let batches = Minibatches::new(&indices, batch.len(), row);
            let (mut sx, mut sy) = (gx.clone(), gy.clone());
            for i in 0..at.len() {
                let own: Vec<u32> = batches.of(0, i).iter().collect();
                let own = Minibatches::new(&own, own.len(), 1);
                data.estimates(Simd::BASELINE, &x[i..=i], &y[i..=i], own, &mut sx[i..=i], &mut sy[i..=i]);
            }
            for simd in Simd::available() {
                data.estimates(simd, &x, &y, batches, &mut gx, &mut gy);
                assert_eq!((bits(&gx), bits(&gy)), (bits(&sx), bits(&sy)));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn many_gradients_at_once_have_the_bits_of_single_ones(
        seed in any::<u64>(),
        length in 0..150_usize,
        batch in proptest::collection::vec(any::<u32>(), 1..40),
    ) {
        for (_, target) in cases() {
            let mut at = points(target.as_ref(), target.info().view, length, seed);
            for (index, point) in at.iter_mut().enumerate() {
                if index % 7 == 3 && target.info().support.max.x.is_infinite() {
                    *point *= 1e3;
                }
            }
            assert_same_bits(target.as_ref(), &at, &batch);
            prop_assert_eq!(at.len(), length);
        }
    }
}

/// Euler steps with one gradient at a time. Returns the path by rows.
fn step_by_step(
    target: &dyn Density,
    batches: Option<Minibatches<'_>>,
    step_sizes: &[f64],
    at: &[Point],
    displacements: [Displacements<'_>; 2],
) -> Vec<u64> {
    let coordinates = Coordinates::of(target.info());
    let (mut at, chains) = (at.to_vec(), at.len());
    let mut path = Vec::new();
    for (step, alpha) in step_sizes.iter().enumerate() {
        for (chain, at) in at.iter_mut().enumerate() {
            let gradient = match (batches, target.data()) {
                (Some(batches), Some(data)) => {
                    let (mut gx, mut gy) = ([0.0], [0.0]);
                    let own = batches.steps(step, step + 1).from_chain(chain);
                    data.estimates(Simd::BASELINE, &[at.x], &[at.y], own, &mut gx, &mut gy);
                    Point::new(gx[0], gy[0])
                }
                _ => target.gradient(*at),
            };
            let [x, y] = displacements.map(|by| by.scales[step] * by.numbers[step * chains + chain]);
            *at = coordinates.fold(*at + (gradient * *alpha + Point::new(x, y)));
            path.extend([at.x.to_bits(), at.y.to_bits()]);
        }
    }
    path
}

#[test]
fn euler_steps_have_the_bits_of_single_gradients() {
    // A part of a group; and 128 chains, 64, two groups and a part of one.
    for ((name, target), chains) in cases().into_iter().flat_map(|case| [(case.clone(), 7), (case, 211)]) {
        let target = sampling_density(&target);
        let steps = 5;
        // Short enough that chains on a funnel stay finite.
        let spread = target.info().covariance.m11.sqrt().min(3.0 * smallest_scale(target.as_ref()));
        let step_sizes: Vec<f64> = (1..=5).map(|k| 0.01 * spread * spread / f64::from(k)).collect();
        let at = points(target.as_ref(), target.info().view, chains, 3);
        let mut stream = Stream::derive(1, Purpose::Chain, 0, 0);
        let second = if target.info().dimension == 2 { 1.0 } else { 0.0 };
        let (first, other): (Vec<f64>, Vec<f64>) = (0..steps * chains).map(|_| stream.normal_pair()).unzip();
        let other: Vec<f64> = other.iter().map(|number| number * second).collect();
        let scales: Vec<f64> = (1..=5).map(|k| 0.3 * spread / f64::from(k)).collect();
        let by = [&first, &other].map(|numbers| Displacements { scales: &scales, numbers });
        let size = 2;
        let data = target.data().map_or(1, |data| u32::try_from(data.len()).unwrap());
        let indices: Vec<u32> = (0..10 * 211).map(|index| index * 7 % data).collect();
        // No minibatches, shared ones, and one for each chain.
        for row in [0, 1, chains] {
            let used = steps * size * row;
            let batches = (row > 0 && target.data().is_some()).then(|| Minibatches::new(&indices[..used], size, row));
            let expected = step_by_step(target.as_ref(), batches, &step_sizes, &at, by);
            for simd in Simd::available() {
                let (mut x, mut y): (Vec<f64>, Vec<f64>) = at.iter().map(|at| (at.x, at.y)).unzip();
                let (mut path_x, mut path_y) = (vec![0.0; steps * chains], vec![0.0; steps * chains]);
                let coordinates = Coordinates::of(target.info());
                let step_sizes = &step_sizes;
                let chunk = EulerSteps {
                    simd,
                    coordinates,
                    step_sizes,
                    displacements: by,
                    x: &mut x,
                    y: &mut y,
                    path_x: &mut path_x,
                    path_y: &mut path_y,
                };
                match (batches, target.data()) {
                    (Some(batches), Some(data)) => data.euler(batches, chunk),
                    _ => target.euler(chunk),
                }
                let found: Vec<u64> =
                    path_x.iter().zip(&path_y).flat_map(|(x, y)| [x.to_bits(), y.to_bits()]).collect();
                assert_eq!(found, expected, "{name}, {simd:?}, {row} minibatches per step");
                assert_eq!(bits(&x), bits(&path_x[(steps - 1) * chains..]), "{name}");
            }
        }
    }
}
