//! Tests of topics against reference figures of an independent program, and exact relations between methods.

mod corpora;
mod movement;
mod other_programs;
mod path;
mod relations;
mod runs;
mod samplers;
mod tiny;

use super::{Corpus, Documents, Local, Model, Smoothing, Svi, Tolerance, Topics};
use base::math::elementary::{exp, ln};
use base::math::{Purpose, Simd, Stream};

/// Parameters at which every deterministic run begins.
fn first_lambda(topics: usize, words: usize) -> Topics {
    Topics::from_fn(topics, words, |k, w| 1.0 + 0.5 * ((7 * k + 3 * w + k * w) % 11) as f64 / 11.0)
}

/// ρ_t = (t + τ)^−κ, t = 1, 2, ….
fn rho(step: usize, tau: f64, kappa: f64) -> f64 {
    exp(-kappa * ln(step as f64 + tau))
}

fn tight() -> Tolerance {
    Tolerance { change: 1e-9, most_steps: 5000 }
}

fn model(corpus: &Corpus, topics: usize, alpha: f64, eta: f64) -> Model {
    Model { topics, words: corpus.words(), alpha, eta }
}

fn local(model: &Model, tolerance: Tolerance) -> Local {
    Local::new(Simd::widest(), model, tolerance)
}

fn svi(model: Model, tolerance: Tolerance, smoothing: Smoothing, lambda: &Topics, documents: &Documents) -> Svi {
    Svi::new(Simd::widest(), model, tolerance, smoothing, lambda.clone(), documents)
}

fn stream(index: u64) -> Stream {
    Stream::derive(42, Purpose::Chain, 0, index)
}

#[track_caller]
fn near(what: &str, found: f64, stated: f64, tolerance: f64) {
    assert!((found - stated).abs() <= tolerance, "{what}: {found}, not {stated}");
}
