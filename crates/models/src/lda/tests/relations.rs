//! Exact relations between methods.

use super::super::{
    Batches, Cavi, Completion, Corpus, Documents, Elbo, LocalStart, Order, Recipe, Smoothing, Tolerance, Topics,
    Weights,
};
use super::{first_lambda, local, model, rho, stream, svi, tight};
use base::math::Simd;

fn small() -> (Corpus, super::Model, Topics) {
    let corpus = Recipe { documents: 30, ..Recipe::bars(4) }.corpus(1);
    let model = model(&corpus, 8, 0.2, 0.1);
    (corpus, model, first_lambda(8, 16))
}

/// λ after each of `steps` steps with batches of 5.
fn path(smoothing: Smoothing, order: Order, steps: usize) -> Vec<Topics> {
    let (corpus, model, lambda) = small();
    let mut svi = svi(model, Tolerance::default(), smoothing, &lambda, &corpus.training);
    let (mut batches, mut stream) = (Batches::new(order, 5, 30), stream(1));
    let mut step = |number| {
        svi.step(&corpus.training, batches.next(&mut stream), rho(number, 1.0, 0.7));
        svi.lambda().clone()
    };
    (1..=steps).map(&mut step).collect()
}

/// The largest difference, relative to the larger number.
fn difference(a: &Topics, b: &Topics) -> f64 {
    let relative = |(a, b): (&f64, &f64)| (a - b).abs() / a.abs().max(b.abs());
    a.values().iter().zip(b.values()).map(relative).fold(0.0, f64::max)
}

/// With cyclic batches SAG is a window of D/B = 6 batches for ever, with shuffled ones until it is full, and again at the end of
/// each epoch, up to where its λ came from. Sums differ in their order: a few roundings per step.
#[test]
fn sag_is_a_window_over_disjoint_batches() {
    for (order, steps) in [(Order::Cyclic, 40), (Order::Shuffled, 6)] {
        let pairs = path(Smoothing::Sag, order, steps).into_iter();
        for (sag, window) in pairs.zip(path(Smoothing::Statistics { window: 6 }, order, steps)) {
            assert!(difference(&sag, &window) < 1e-11, "{order:?}: {}", difference(&sag, &window));
        }
    }
    let [sag, window] = [Smoothing::Sag, Smoothing::Statistics { window: 6 }].map(|it| path(it, Order::Shuffled, 9));
    assert!(difference(&sag[8], &window[8]) > 1e-3, "batches of two epochs overlap");
}

/// A window of one is plain SVI, by its formula.
#[test]
fn a_window_of_one_is_the_newest_estimate() {
    let (corpus, model, lambda) = small();
    let documents = &corpus.training;
    let mut svi = svi(model, tight(), Smoothing::Statistics { window: 1 }, &lambda, documents);
    let mut local = local(&model, tight());
    let batch = [3, 7, 7];
    for step in 1..4 {
        let weights = Weights::of(Simd::widest(), svi.lambda());
        let mut sum = Topics::filled(8, 16, 0.0);
        for document in batch {
            let bag = documents.bag(document);
            local.fit(bag, &weights);
            for (&word, expected) in bag.words.iter().zip(local.expected().chunks(8)) {
                for (sum, expected) in sum.of_word_mut(word as usize).iter_mut().zip(expected) {
                    *sum += expected;
                }
            }
        }
        let rho = rho(step, 1.0, 0.7);
        let before = svi.lambda().clone();
        svi.step(documents, &batch.map(|document| document as u32), rho);
        let expected = Topics::from_fn(8, 16, |topic, word| {
            (1.0 - rho) * before.get(topic, word) + rho * (0.1 + 10.0 * sum.get(topic, word))
        });
        assert!(difference(svi.lambda(), &expected) < 1e-13);
    }
}

#[test]
fn all_documents_at_full_weight_are_a_sweep() {
    let (corpus, model, lambda) = small();
    let all: Vec<u32> = (0..30).collect();
    let mut cavi = Cavi::new(Simd::widest(), model, tight(), LocalStart::Fresh, lambda.clone());
    for smoothing in [Smoothing::Statistics { window: 1 }, Smoothing::Sag] {
        let mut svi = svi(model, tight(), smoothing, &lambda, &corpus.training);
        let mut cavi = cavi.clone();
        for _ in 0..3 {
            svi.step(&corpus.training, &all, 1.0);
            cavi.sweep(&corpus.training);
            assert!(difference(svi.lambda(), cavi.lambda()) < 1e-12);
        }
    }
    // A sweep in pieces has the bits of a sweep.
    let mut pieces = cavi.clone();
    (0..15).for_each(|_| pieces.advance(&corpus.training, 4));
    (0..2).for_each(|_| cavi.sweep(&corpus.training));
    assert_eq!(pieces.lambda(), cavi.lambda());
}

#[test]
fn a_document_given_twice_counts_twice() {
    let (corpus, model, lambda) = small();
    let documents = &corpus.training;
    let doubled = Documents::of((0..30).flat_map(|document| [documents.tokens(document); 2]));
    let sweep = |documents: &Documents| {
        let mut cavi = Cavi::new(Simd::widest(), model, tight(), LocalStart::Fresh, lambda.clone());
        cavi.sweep(documents);
        cavi.lambda().clone()
    };
    let expected: Vec<f64> = sweep(documents).values().iter().map(|lambda| 0.1 + 2.0 * (lambda - 0.1)).collect();
    for (found, expected) in sweep(&doubled).values().iter().zip(expected) {
        assert!((found - expected).abs() < 1e-11 * expected, "{found}, not {expected}");
    }
}

/// Sums over topics change their order, so that bits do: a local step may end an iteration later.
#[test]
fn renaming_topics_renames_parameters() {
    let (corpus, model, lambda) = small();
    let order = [3, 0, 7, 1, 2, 6, 5, 4];
    let run = |lambda: &Topics| {
        let mut svi = svi(model, tight(), Smoothing::Gradients { window: 3 }, lambda, &corpus.training);
        for step in 0..12 {
            let batch: Vec<u32> = (0..5).map(|index| (5 * step + index) % 30).collect();
            svi.step(&corpus.training, &batch, rho(step as usize + 1, 1.0, 0.7));
        }
        svi.lambda().clone()
    };
    assert!(difference(&run(&lambda).reordered(&order), &run(&lambda.reordered(&order))) < 1e-6);
}

#[test]
fn averaged_statistics_keep_parameters_above_the_prior() {
    for smoothing in [Smoothing::Statistics { window: 1 }, Smoothing::Statistics { window: 7 }, Smoothing::Sag] {
        for lambda in path(smoothing, Order::Random, 60) {
            let smallest = lambda.values().iter().copied().fold(f64::INFINITY, f64::min);
            assert!(smallest >= 0.1 * (1.0 - 1e-14), "{smoothing:?}: {smallest}");
        }
    }
}

/// With γ kept the bound rises in every sweep. It is the bound at that γ, which a fit from it can only raise.
#[test]
fn kept_shares_never_lower_the_bound() {
    let (corpus, model, lambda) = small();
    let mut cavi = Cavi::new(Simd::widest(), model, tight(), LocalStart::Kept, lambda);
    let mut before = f64::NEG_INFINITY;
    for _ in 0..30 {
        cavi.sweep(&corpus.training);
        let bound = cavi.bound(&corpus.training).total();
        assert!(bound - before >= -1e-8 * bound.abs(), "{before} falls to {bound}");
        before = bound;
    }
}

/// Known topics may lack a word altogether: it has no share in γ, and a score of −∞.
#[test]
fn a_word_without_topics_is_impossible_and_harmless() {
    let beta = Topics::from_fn(2, 3, |topic, word| if word == topic { 1.0 } else { 0.0 });
    let model = super::Model { topics: 2, words: 3, alpha: 0.5, eta: 0.1 };
    let mut local = local(&model, tight());
    let documents = Documents::of([&[0, 1, 2, 0, 0][..]]);
    local.fit(documents.bag(0), &Weights::known(&beta));
    assert!(
        (local.share_parameters()[0] - 3.5).abs() < 1e-12 && (local.share_parameters()[1] - 1.5).abs() < 1e-12,
        "{:?}",
        local.share_parameters()
    );
    let score = |tokens: &[u32]| Completion::new(&Documents::of([tokens])).score_of_known(&beta, &mut local.clone());
    assert_eq!(score(&[0, 2, 0]), Some(f64::NEG_INFINITY));
    assert!(score(&[2, 0]).is_some_and(|score| (score + 2.0_f64.ln()).abs() < 1e-12));
    assert_eq!(score(&[0]), None);
}

/// Every instruction set of this machine gives the same bits, for numbers of topics and words around whole tiles.
#[test]
fn bits_do_not_depend_on_the_instruction_set() {
    let corpus = Recipe { documents: 20, ..Recipe::bars(5) }.corpus(3);
    for topics in [1, 7, 8, 9, 17] {
        let model = model(&corpus, topics, 0.2, 0.1);
        let lambda = Topics::random(topics, 25, &mut stream(5));
        let results: Vec<(Topics, f64)> = Simd::available()
            .map(|simd| {
                let mut cavi = Cavi::new(simd, model, Tolerance::default(), LocalStart::Fresh, lambda.clone());
                (0..3).for_each(|_| cavi.sweep(&corpus.training));
                let mut local = super::Local::new(simd, &model, Tolerance::default());
                let bound = Elbo::at(cavi.lambda(), &model, &corpus.training, &mut local).total();
                (cavi.lambda().clone(), bound)
            })
            .collect();
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{topics} topics");
    }
}
