//! Table of the stochastic average gradient: the newest statistics of every document, and their sum.

use crate::lda::{Documents, Model, Topics};

/// K numbers for every entry of every bag; 0 for documents that have not been seen.
#[derive(Clone, Debug)]
pub(super) struct Table {
    entries: Vec<f64>,
    seen: Vec<bool>,
    seen_count: usize,
    sum: Topics,
    /// Documents replaced since the sum was last added up.
    replaced: usize,
}

impl Table {
    pub fn new(model: &Model, documents: &Documents) -> Self {
        Self {
            entries: vec![0.0; model.topics * documents.entry_count()],
            seen: vec![false; documents.len()],
            seen_count: 0,
            sum: Topics::filled(model.topics, model.words, 0.0),
            replaced: 0,
        }
    }

    /// Stores the statistics of a document.
    pub fn replace(&mut self, documents: &Documents, document: usize, expected: &[f64]) {
        let topics = self.sum.count();
        let first = documents.entry_range(document).start * topics;
        let entries = &mut self.entries[first..][..expected.len()];
        let of_words = entries.chunks_exact_mut(topics).zip(expected.chunks_exact(topics));
        for (&word, (old, new)) in documents.bag(document).words.iter().zip(of_words) {
            for ((sum, old), new) in self.sum.of_word_mut(word as usize).iter_mut().zip(old).zip(new) {
                *sum = (*sum - *old).max(0.0) + new;
                *old = *new;
            }
        }
        self.seen_count += usize::from(!self.seen[document]);
        self.seen[document] = true;
        self.replaced += 1;
        // A new sum once per pass over the documents removes the rounding errors of the differences.
        if self.replaced >= self.seen.len() {
            self.add_up(documents);
        }
    }

    fn add_up(&mut self, documents: &Documents) {
        self.replaced = 0;
        self.sum.values_mut().fill(0.0);
        let mut entries = self.entries.chunks_exact(self.sum.count().max(1));
        for document in 0..documents.len() {
            for (&word, entries) in documents.bag(document).words.iter().zip(&mut entries) {
                for (sum, entry) in self.sum.of_word_mut(word as usize).iter_mut().zip(entries) {
                    *sum += entry;
                }
            }
        }
    }

    /// Σ of the newest statistics of the documents seen.
    pub fn sum(&self) -> &Topics {
        &self.sum
    }

    /// What scales the sum up to all documents.
    pub fn factor(&self, documents: &Documents) -> f64 {
        documents.len() as f64 / self.seen_count.max(1) as f64
    }
}
