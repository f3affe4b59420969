//! Documents as they are read, before words are left out.

use std::collections::HashMap;

use super::refusals::Refusals;
use super::tokens::{StopWords, tokens};
use super::{MOST_DOCUMENTS, MOST_TOKENS, Source};

/// A document.
#[derive(Debug, PartialEq)]
pub(super) struct RawDocument {
    pub name: String,
    /// Words as numbers of the vocabulary, in their order.
    pub tokens: Vec<u32>,
}

/// Documents and all their words.
#[derive(Debug, Default)]
pub(super) struct Raw {
    pub vocabulary: Vec<String>,
    pub documents: Vec<RawDocument>,
    numbers: HashMap<String, u32>,
    tokens: usize,
}

impl Raw {
    /// Documents over a vocabulary that is given.
    pub fn over(vocabulary: Vec<String>) -> Self {
        Self { vocabulary, ..Self::default() }
    }

    /// Adds a document of words that are not stop words. Returns whether there is room for more.
    pub fn push(
        &mut self,
        name: String,
        text: &str,
        stop_words: &StopWords,
        source: &Source,
        refusals: &mut Refusals<'_>,
    ) -> bool {
        let mut found = Vec::new();
        tokens(text, stop_words, |token| {
            if let Some(number) = self.numbers.get(token) {
                found.push(*number);
            } else if let Ok(number) = u32::try_from(self.vocabulary.len()) {
                self.vocabulary.push(token.to_owned());
                self.numbers.insert(token.to_owned(), number);
                found.push(number);
            }
        });
        self.tokens += found.len();
        self.documents.push(RawDocument { name, tokens: found });
        if self.documents.len() > MOST_DOCUMENTS {
            refusals.file(source, "there are too many documents", format!("at most {MOST_DOCUMENTS} documents"));
        } else if self.tokens > MOST_TOKENS {
            refusals.file(source, "there are too many words", format!("at most {MOST_TOKENS} words"));
        } else {
            return true;
        }
        false
    }
}
