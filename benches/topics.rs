//! Cost of inference in latent Dirichlet allocation: `cargo bench --bench topics`.
//!
//! One thread. `bars` has 25 words, 10 topics and 17 distinct words per document; `large` has 5000 words, 50 topics and 184
//! distinct words per document.
//!
//! - `svi_*`: an epoch of SVI with batches of 50 documents at a local tolerance of 10⁻³, from the λ after 20 steps. Items are
//!   documents.
//! - `gibbs_*`: a sweep of collapsed Gibbs sampling, after 20 sweeps. Items are tokens.
//! - `bound_bars`: the evidence lower bound of all documents. Items are documents.

use divan::{Bencher, counter::ItemsCount};
use sampler_lab::lda::{Batches, Corpus, Elbo, Gibbs, Local, Model, Order, Recipe, Smoothing, Svi, Tolerance, Topics};
use sampler_lab::math::elementary::InstructionSet;
use sampler_lab::math::{Purpose, Simd, Stream};

/// Documents in a batch.
const BATCH: usize = 50;

const TOLERANCE: Tolerance = Tolerance { change: 1e-3, most_steps: 100 };

/// Instruction sets of this machine.
const SETS: [InstructionSet; 3] = InstructionSet::ALL;

fn main() {
    divan::main();
}

fn stream() -> Stream {
    Stream::derive(1, Purpose::Chain, 0, 0)
}

fn bars() -> (Corpus, Model) {
    (Recipe::bars(5).corpus(1), Model { topics: 10, words: 25, alpha: 0.2, eta: 0.1 })
}

fn large() -> (Corpus, Model) {
    let (topics, words) = (50, 5000);
    let recipe = Recipe {
        topics: Topics::filled(topics, words, 0.05).dirichlet_draw(&mut stream()),
        vocabulary: (0..words).map(|word| word.to_string()).collect(),
        documents: 1000,
        held_out: 0,
        length: 200,
        concentration: 0.1,
    };
    (recipe.corpus(1), Model { topics, words, alpha: 0.1, eta: 0.05 })
}

/// An epoch of SVI.
fn epoch(bencher: Bencher, set: InstructionSet, (corpus, model): (Corpus, Model)) {
    let Some(simd) = Simd::with(set) else { return };
    let (documents, mut stream) = (&corpus.training, stream());
    let lambda = Topics::random(model.topics, model.words, &mut stream);
    let mut svi = Svi::new(simd, model, TOLERANCE, Smoothing::Statistics { window: 1 }, lambda, documents);
    let mut batches = Batches::new(Order::Shuffled, BATCH, documents.len());
    for _ in 0..20 {
        svi.step(documents, batches.next(&mut stream), 0.1);
    }
    bencher.counter(ItemsCount::new(documents.len())).bench_local(|| {
        for _ in 0..documents.len() / BATCH {
            divan::black_box(svi.step(documents, batches.next(&mut stream), 0.1));
        }
    });
}

#[divan::bench(args = SETS)]
fn svi_bars(bencher: Bencher, set: InstructionSet) {
    epoch(bencher, set, bars());
}

#[divan::bench(args = SETS, sample_count = 20)]
fn svi_large(bencher: Bencher, set: InstructionSet) {
    epoch(bencher, set, large());
}

fn sweep(bencher: Bencher, set: InstructionSet, (corpus, model): (Corpus, Model)) {
    let Some(simd) = Simd::with(set) else { return };
    let (documents, mut stream) = (&corpus.training, stream());
    let mut gibbs = Gibbs::new(simd, model, documents, &mut stream);
    (0..20).for_each(|_| gibbs.sweep(documents, &mut stream));
    bencher
        .counter(ItemsCount::new(documents.token_count()))
        .bench_local(|| gibbs.sweep(divan::black_box(documents), &mut stream));
}

#[divan::bench(args = SETS)]
fn gibbs_bars(bencher: Bencher, set: InstructionSet) {
    sweep(bencher, set, bars());
}

#[divan::bench(args = SETS, sample_count = 20)]
fn gibbs_large(bencher: Bencher, set: InstructionSet) {
    sweep(bencher, set, large());
}

#[divan::bench]
fn bound_bars(bencher: Bencher) {
    let (corpus, model) = bars();
    let lambda = Topics::random(model.topics, model.words, &mut stream());
    let mut local = Local::new(Simd::widest(), &model, TOLERANCE);
    bencher
        .counter(ItemsCount::new(corpus.training.len()))
        .bench_local(|| Elbo::at(divan::black_box(&lambda), &model, &corpus.training, &mut local));
}
