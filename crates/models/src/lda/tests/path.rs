//! Errors of smoothed steps: against brute force over batches, and against figures of an independent program.

use super::super::{
    Batches, FullStatistics, Order, Recipe, Smoothing, Sparse, StepPath, Svi, Tolerance, Topics, check,
    smoothed_variance,
};
use super::{first_lambda, local, model, near, rho, stream, svi};
use base::platform::now;

/// The mean over all pairs of batches of the squared distance of the estimate to S is v for one step. The variance of a
/// batch of 2 out of 6 documents, with and without replacement.
#[test]
fn variances_are_means_over_all_batches() {
    let corpus = Recipe { documents: 6, ..Recipe::bars(4) }.corpus(1);
    let model = model(&corpus, 3, 0.2, 0.1);
    let (lambda, documents) = (first_lambda(3, 16), &corpus.training);
    let full = now(FullStatistics::at(&lambda, documents, &mut local(&model, Tolerance::default())));
    let estimate = |batch: &[u32]| {
        let mut svi = svi(model, Tolerance::default(), Smoothing::Statistics { window: 1 }, &lambda, documents);
        svi.step(documents, batch, 0.5);
        let mut dense = Topics::filled(3, 16, 0.0);
        svi.newest().add_to(&mut dense, 1.0);
        dense.square_distance(&full.sum)
    };
    let pairs = || (0..6_u32).flat_map(|first| (0..6).map(move |second| [first, second]));
    let with: f64 = pairs().map(|pair| estimate(&pair)).sum::<f64>() / 36.0;
    near("with replacement", full.variance(2) / with, 1.0, 1e-12);
    let without: f64 = pairs().filter(|pair| pair[0] != pair[1]).map(|pair| estimate(&pair)).sum::<f64>() / 30.0;
    near("without", full.variance_without_replacement(2) / without, 1.0, 1e-12);
    // The mean of two disjoint batches of an epoch is a batch of twice the size.
    near("window", full.window_variance_in_epoch(2, 2) / full.variance_without_replacement(4), 1.0, 1e-12);
}

#[test]
fn errors_follow_from_their_definition() {
    let topics = |value: f64| Topics::from_fn(1, 2, |_, word| if word == 0 { value } else { 0.0 });
    let full = |value| FullStatistics { sum: topics(value), squares: 0.0, documents: 1 };
    let estimate = |value: f64| {
        let mut sparse = Sparse::default();
        sparse.move_from(&mut topics(value), &mut vec![0]);
        sparse
    };
    let mut path = StepPath::new(2);
    assert_eq!(path.statistics(1), None);
    for (lambda, statistics, variance, found) in [(9.0, 7.0, 5.0, 0.0), (1.0, 10.0, 8.0, 12.0), (2.0, 14.0, 4.0, 15.0)]
    {
        path.push(&topics(lambda), full(statistics), variance, &estimate(found));
    }
    let one = path.statistics(1).unwrap();
    assert_eq!((one.steps, one.bias_square, one.variance, one.realised), (1, 0.0, 4.0, 1.0));
    let two = path.statistics(2).unwrap();
    assert_eq!((two.steps, two.bias_square, two.variance, two.realised), (2, 4.0, 3.0, 0.25));
    near("error", two.squared_error(), 7.0, 0.0);
    // Of gradients: the mean of 10 − 1 and 14 − 2 against 14 − 2.
    let two = path.gradients(2).unwrap();
    assert_eq!((two.bias_square, two.variance, two.realised), (2.25, 3.0, 0.0));
    assert_eq!(path.statistics(3), None);
}

/// Along one path on bars with random batches of 10, in units of 10⁶. The figures are means of four paths; single paths
/// differ from them by up to a sixth in bias, and little in variance.
#[test]
fn bias_and_variance_on_bars_are_as_stated() {
    let corpus = Recipe::bars(5).corpus(1);
    let (documents, model) = (&corpus.training, model(&corpus, 10, 0.2, 0.1));
    let tolerance = Tolerance::default();
    let mut stream = stream(11);
    let lambda = Topics::random(10, 25, &mut stream);
    let mut svi: Svi = svi(model, tolerance, Smoothing::Statistics { window: 1 }, &lambda, documents);
    let (mut batches, mut path) = (Batches::new(Order::Random, 10, documents.len()), StepPath::new(30));
    let mut local = local(&model, tolerance);
    for step in 1..=100 {
        let before = svi.lambda().clone();
        svi.step(documents, batches.next(&mut stream), rho(step, 1.0, 0.7));
        if step > 70 {
            let full = now(FullStatistics::at(&before, documents, &mut local));
            let variance = full.variance(10);
            path.push(&before, full, variance, svi.newest());
        }
    }
    for (window, bias, variance) in [(3, 0.003, 20.1), (10, 0.020, 6.0), (30, 0.14, 2.0)] {
        let found = path.statistics(window).unwrap();
        near(&format!("variance, L = {window}"), found.variance * 1e-6 / variance, 1.0, 0.06);
        near(&format!("bias, L = {window}"), found.bias_square * 1e-6 / bias, 1.0, 0.5);
    }
}

/// Against the sums of the definition: λ is Σ of weights of estimates, and weights of windows overlap.
#[test]
fn the_variance_of_smoothed_parameters_is_a_sum_over_weights() {
    let of_large = [(3, 0.83), (10, 0.54), (30, 0.26), (100, 0.086)].map(|(window, stated)| (0.2, window, stated));
    let of_small = [(3, 0.96), (10, 0.85), (30, 0.64), (100, 0.31)].map(|(window, stated)| (0.05, window, stated));
    for (rho, window, stated) in of_large.into_iter().chain(of_small) {
        near("relative", smoothed_variance(rho, window) / smoothed_variance(rho, 1), stated, 0.005);
    }
    for (rho, window) in [(0.3, 1), (0.3, 2), (0.05, 7), (1.0, 4)] {
        // The weight of an estimate of age n in λ.
        let powers: Vec<f64> = (0..2000).map(|age| rho * (1.0_f64 - rho).powi(age)).collect();
        let weights = (0..2000_usize).map(|age| {
            let first = (age + 1).saturating_sub(window);
            powers[first..=age].iter().sum::<f64>() / window as f64
        });
        let expected: f64 = weights.map(|weight| weight * weight).sum();
        near("variance", smoothed_variance(rho, window) / expected, 1.0, 1e-9);
    }
    near("L = 1", smoothed_variance(0.3, 1), 0.3 / 1.7, 1e-15);
}

#[test]
fn sizes_have_limits() {
    let corpus = Recipe::bars(5).corpus(1);
    let refused = |topics, batch, smoothing| -> Vec<String> {
        check(&corpus, topics, batch, smoothing).iter().map(ToString::to_string).collect()
    };
    assert!(refused(10, Some(1000), Some(Smoothing::Sag)).is_empty());
    assert_eq!(
        refused(0, Some(0), None),
        [
            "topics: 0 topics on 25 words; allowed: 1 to 200 topics",
            "batch: a batch of 0 out of 1000 documents; allowed: 1 to 1000 documents"
        ]
    );
    assert_eq!(refused(201, Some(1001), None).len(), 2);
    assert_eq!(
        refused(200, None, Some(Smoothing::Gradients { window: 6000 })),
        [
            "window: the λ of a window of 6000 steps are 200 · 25 · 6000 numbers; allowed: 1 to 5000 steps, or statistics"
        ]
    );
    let large = Recipe { length: 400, documents: 10_000, ..Recipe::bars(5) }.corpus(1);
    let errors = check(&large, 200, None, Some(Smoothing::Sag));
    assert!(errors[0].path == "average" && errors[0].allowed.contains("25000000"), "{errors:?}");
    let mut wide = corpus.clone();
    wide.vocabulary = vec![String::new(); 100_000];
    assert_eq!(check(&wide, 21, None, None)[0].allowed, "1 to 20 topics");
}
