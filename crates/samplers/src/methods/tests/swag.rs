//! SWAG against the moments of the iterates of SGD themselves.

use nalgebra::{DMatrix, DVector};

use super::super::{Approximation, FitState, Gradient, Memory, Method, Population, Root, Sgd, Swag, VectorGaussian};
use super::stream;
use super::vectors::{regression, walked};
use base::math::{Coords, Matrix, Point};
use models::targets::Minibatches;

const SWAG: Swag = Swag { burn_in: 30, every: 5, rank: 7, draws: 10 };

/// Data of a minibatch.
const SIZE: usize = 10;

/// A fit on the linear regression after `steps` steps of size `alpha`.
fn fitted(swag: &Swag, alpha: f64, indices: &[u32]) -> Approximation {
    let target = regression();
    let mut chains = Population::at(Coords::zeros(10, 1));
    chains.fits = vec![Approximation::begin(&swag.fitting().unwrap(), 2, Point::zeros())];
    let gradient =
        Gradient::Minibatch { size: SIZE, order: super::super::BatchOrder::Random, shared: false, compensate: false };
    let batches = Minibatches::new(indices, SIZE, 1);
    let steps = indices.len() / SIZE;
    walked(swag, (target.as_ref(), &gradient), alpha, batches, chains, steps).fits.remove(0)
}

/// The iterates of SGD after each step, with the same minibatches.
fn iterates(alpha: f64, indices: &[u32]) -> Vec<DVector<f64>> {
    let target = regression();
    let gradient =
        Gradient::Minibatch { size: SIZE, order: super::super::BatchOrder::Random, shared: false, compensate: false };
    let mut chains = Population::at(Coords::zeros(10, 1));
    let mut one = |batch: &[u32]| {
        let batches = Minibatches::new(batch, SIZE, 1);
        chains = walked(&Sgd, (target.as_ref(), &gradient), alpha, batches, chains.clone(), 1);
        DVector::from_iterator(10, chains.positions.vector(0))
    };
    indices.chunks(SIZE).map(&mut one).collect()
}

fn indices(steps: usize) -> Vec<u32> {
    let mut stream = stream(41);
    (0..steps * SIZE).map(|_| stream.below(100)).collect()
}

fn step_size() -> f64 {
    0.3 * 2.0 / regression().model().unwrap().curvature().unwrap()
}

fn covariance(gaussian: &VectorGaussian) -> DMatrix<f64> {
    let Root::Full(root) = &gaussian.root else { panic!() };
    root * root.transpose()
}

/// Mean and covariance D/2 + D̂D̂ᵀ/(2(K − 1)), in two passes over the collected iterates.
#[test]
fn the_fit_has_the_moments_of_the_iterates() {
    let (alpha, indices) = (step_size(), indices(232));
    let fit = fitted(&SWAG, alpha, &indices);
    let all = iterates(alpha, &indices);
    let collected: Vec<&DVector<f64>> = (35..=230).step_by(5).map(|step| &all[step - 1]).collect();
    let mean_of_first =
        |count: usize| collected[..count].iter().fold(DVector::zeros(10), |sum, iterate| sum + *iterate) / count as f64;
    let n = collected.len();
    assert_eq!(n, 40);
    let mean = mean_of_first(n);
    let mut expected = DMatrix::<f64>::zeros(10, 10);
    for axis in 0..10 {
        let squares: f64 = collected.iter().map(|iterate| (iterate[axis] - mean[axis]).powi(2)).sum();
        expected[(axis, axis)] = 0.5 * squares / n as f64;
    }
    for (number, iterate) in collected.iter().enumerate().skip(n - 7) {
        let deviation = *iterate - mean_of_first(number + 1);
        expected += &deviation * deviation.transpose() / (2.0 * 6.0);
    }
    let Memory::Swag(state) = &fit.memory else { panic!() };
    assert_eq!((state.collected, state.deviations.len(), fit.record.state), (40, 7, FitState::Collecting));
    let gaussian = fit.memory.gaussian(10).unwrap();
    assert_eq!((gaussian.dimension(), gaussian.normals()), (10, 17));
    assert!((&gaussian.mean - &mean).amax() < 1e-13);
    assert!((covariance(&gaussian) - &expected).amax() < 1e-12 * expected.amax());
    // The weights 1 and 2 are drawn.
    let drawn = fit.record.distribution.unwrap();
    assert!((drawn.mean() - Point::new(mean[0], mean[1])).amax() < 1e-13);
    let block = Matrix::new(expected[(0, 0)], expected[(0, 1)], expected[(1, 0)], expected[(1, 1)]);
    assert!((drawn.covariance() - block).amax() < 1e-12 * expected.amax());
    // A minibatch of 10 of 100 data costs a tenth.
    assert!((fit.record.evaluations - 23.2).abs() < 1e-9, "{}", fit.record.evaluations);
}

/// Entry by entry, within five standard errors.
#[test]
fn draws_have_the_covariance_of_the_fit() {
    const DRAWS: usize = 20_000;
    let gaussian = fitted(&SWAG, step_size(), &indices(232)).memory.gaussian(10).unwrap();
    let expected = covariance(&gaussian);
    let (mut stream, mut draw, mut sum) = (stream(9), vec![0.0; 10], DMatrix::<f64>::zeros(10, 10));
    for _ in 0..DRAWS {
        let normals: Vec<f64> = (0..gaussian.normals()).map(|_| stream.normal_pair().0).collect();
        gaussian.draw(|axis| normals[axis], &mut draw);
        let away = DVector::from_column_slice(&draw) - &gaussian.mean;
        sum += &away * away.transpose();
    }
    for row in 0..10 {
        for column in 0..=row {
            let (found, expected_here) = (sum[(row, column)] / DRAWS as f64, expected[(row, column)]);
            let product = expected[(row, row)] * expected[(column, column)];
            let error = ((product + expected_here * expected_here) / DRAWS as f64).sqrt();
            assert!((found - expected_here).abs() < 5.0 * error, "({row}, {column}): {found} {expected_here}");
        }
    }
}

/// Before two iterates are collected there is no distribution, and a fit whose numbers leave all bounds says so.
#[test]
fn a_fit_begins_with_two_iterates_and_may_diverge() {
    let (alpha, indices) = (step_size(), indices(60));
    for (steps, state, there) in
        [(30, FitState::Moving, false), (35, FitState::Collecting, false), (40, FitState::Collecting, true)]
    {
        let fit = fitted(&SWAG, alpha, &indices[..steps * SIZE]);
        assert_eq!((fit.record.state, fit.record.distribution.is_some()), (state, there), "{steps}");
        assert_eq!(fit.memory.gaussian(10).is_some(), there, "{steps}");
    }
    for alpha in [100.0 * alpha, 1e30, f64::MAX] {
        let fit = fitted(&Swag { burn_in: 0, every: 1, ..SWAG }, alpha, &indices);
        assert_eq!(fit.record.state, FitState::Diverged, "{alpha}");
        assert!(fit.trail.iter().all(|record| record.distribution.is_none_or(|found| found.is_sound())));
        let Memory::Swag(state) = &fit.memory else { panic!() };
        assert!(state.position().iter().all(|position| position.is_finite()));
    }
}

/// A run that ends before the first iterate is collected has no distribution, which is reported.
#[test]
fn a_run_without_an_iterate_says_so() {
    assert_eq!(SWAG.remark(35), None);
    let words = SWAG.remark(34).unwrap();
    assert!(words.contains("34 steps") && words.contains("step 35"), "{words}");
    assert!(Swag { burn_in: 0, every: 50, ..SWAG }.remark(34).unwrap().contains("step 50"));
}
