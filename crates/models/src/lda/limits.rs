//! What a run may ask for: sizes that memory and time allow.

use super::{Corpus, Smoothing};
use base::params::ParamError;

/// Largest number of topics K.
pub const MOST_TOPICS: usize = 200;

/// Largest product K·V: 16 MB for every λ.
const MOST_PARAMETERS: usize = 2_000_000;

/// Largest number of stored statistics: K numbers for every entry of a bag (SAG), or K·V for every step of a window of
/// averaged gradients. 200 MB.
const MOST_STORED: usize = 25_000_000;

/// What is wrong with the settings of a run on a corpus, all of it. Errors are at `topics`, `batch`, `average` and `window`.
/// `batch` and `smoothing` are those of a method that has them.
#[must_use]
pub fn check(corpus: &Corpus, topics: usize, batch: Option<usize>, smoothing: Option<Smoothing>) -> Vec<ParamError> {
    let (words, documents) = (corpus.words(), corpus.training.len());
    let mut errors = Vec::new();
    let most = MOST_TOPICS.min(MOST_PARAMETERS / words.max(1));
    if !(1..=most).contains(&topics) {
        let problem = format!("{topics} topics on {words} words");
        errors.push(ParamError::new("topics", problem, format!("1 to {most} topics")));
    }
    if let Some(batch) = batch.filter(|batch| !(1..=documents).contains(batch)) {
        let problem = format!("a batch of {batch} out of {documents} documents");
        errors.push(ParamError::new("batch", problem, format!("1 to {documents} documents")));
    }
    let entries = corpus.training.entry_count();
    match smoothing {
        Some(Smoothing::Sag) if topics.saturating_mul(entries) > MOST_STORED => {
            let problem = format!("the statistics of all documents are {topics} · {entries} numbers");
            errors.push(ParamError::new("average", problem, format!("at most {MOST_STORED} of them, or statistics")));
        }
        Some(Smoothing::Gradients { window }) if topics.saturating_mul(words).saturating_mul(window) > MOST_STORED => {
            let problem = format!("the λ of a window of {window} steps are {topics} · {words} · {window} numbers");
            let most = MOST_STORED / (topics * words).max(1);
            errors.push(ParamError::new("window", problem, format!("1 to {most} steps, or statistics")));
        }
        _ => {}
    }
    errors
}
