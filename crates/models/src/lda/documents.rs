//! Documents: sequences of tokens, and the bags of words that they are.

use std::ops::Range;

/// Documents over a vocabulary, whose words are numbers from 0. Both forms of every document are kept: the bag, for
/// likelihoods, and the tokens in their order, for Gibbs sampling and document completion.
#[derive(Clone, Debug, PartialEq)]
pub struct Documents {
    tokens: Vec<u32>,
    /// Where the tokens of each document begin, and the end of the last.
    token_bounds: Vec<usize>,
    words: Vec<u32>,
    counts: Vec<f64>,
    /// The same for the entries of the bags.
    bounds: Vec<usize>,
    names: Vec<String>,
    /// Numbers of words of each document that are no tokens.
    left_out: Vec<u32>,
}

/// A bag of words: the distinct words of a document in ascending order, and how often each occurs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bag<'a> {
    /// Words, as numbers from 0.
    pub words: &'a [u32],
    /// Counts n_dw, whole numbers of at least 1.
    pub counts: &'a [f64],
}

impl Bag<'_> {
    /// Number of tokens N_d.
    #[inline]
    #[must_use]
    pub fn tokens(&self) -> f64 {
        self.counts.iter().sum()
    }
}

impl Default for Documents {
    fn default() -> Self {
        Self {
            tokens: Vec::new(),
            token_bounds: vec![0],
            words: Vec::new(),
            counts: Vec::new(),
            bounds: vec![0],
            names: Vec::new(),
            left_out: Vec::new(),
        }
    }
}

impl Documents {
    /// Documents of these tokens, named by their number from 1.
    #[must_use]
    pub fn of<'a>(documents: impl IntoIterator<Item = &'a [u32]>) -> Self {
        let mut all = Self::default();
        for tokens in documents {
            all.push((all.len() + 1).to_string(), tokens);
        }
        all
    }

    /// Adds a document.
    pub fn push(&mut self, name: String, tokens: &[u32]) {
        self.push_part(name, tokens, 0);
    }

    /// Adds a document of which `left_out` words are no tokens.
    pub fn push_part(&mut self, name: String, tokens: &[u32], left_out: u32) {
        self.left_out.push(left_out);
        self.tokens.extend_from_slice(tokens);
        self.token_bounds.push(self.tokens.len());
        let mut sorted = tokens.to_vec();
        sorted.sort_unstable();
        for same in sorted.chunk_by(|a, b| a == b) {
            self.words.push(same[0]);
            self.counts.push(same.len() as f64);
        }
        self.bounds.push(self.words.len());
        self.names.push(name);
    }

    /// Number of documents D.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no documents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Number of tokens N of all documents.
    #[must_use]
    pub fn token_count(&self) -> usize {
        self.tokens.len()
    }

    /// Number of entries of all bags: of pairs of a document and a word of it.
    #[must_use]
    pub fn entry_count(&self) -> usize {
        self.words.len()
    }

    /// What a document is called: its title, its file, or its line or number.
    #[must_use]
    pub fn name(&self, document: usize) -> &str {
        &self.names[document]
    }

    /// Number of words of a document that were left out of its tokens.
    #[must_use]
    pub fn left_out(&self, document: usize) -> u32 {
        self.left_out[document]
    }

    /// The tokens of a document in their order.
    #[inline]
    #[must_use]
    pub fn tokens(&self, document: usize) -> &[u32] {
        &self.tokens[self.token_range(document)]
    }

    /// The indices of the tokens of a document among those of all.
    #[inline]
    #[must_use]
    pub fn token_range(&self, document: usize) -> Range<usize> {
        self.token_bounds[document]..self.token_bounds[document + 1]
    }

    /// The bag of a document.
    #[inline]
    #[must_use]
    pub fn bag(&self, document: usize) -> Bag<'_> {
        let range = self.entry_range(document);
        Bag { words: &self.words[range.clone()], counts: &self.counts[range] }
    }

    /// The indices of the entries of a bag among those of all.
    #[inline]
    #[must_use]
    pub fn entry_range(&self, document: usize) -> Range<usize> {
        self.bounds[document]..self.bounds[document + 1]
    }

    /// How often each of `words` words occurs in all documents.
    #[must_use]
    pub fn word_counts(&self, words: usize) -> Vec<f64> {
        let mut counts = vec![0.0; words];
        for (word, count) in self.words.iter().zip(&self.counts) {
            counts[*word as usize] += count;
        }
        counts
    }
}
