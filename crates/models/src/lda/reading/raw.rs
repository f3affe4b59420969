//! Documents as they are read, before words are left out.

use std::collections::HashMap;

use super::refusals::Refusals;
use super::tokens::{WordRules, tokens};
use super::{MOST_DOCUMENTS, MOST_TOKENS, Source};
use crate::lda::{Dropped, LeftOut, Rule};

/// A document.
#[derive(Debug, PartialEq)]
pub(super) struct RawDocument {
    pub name: String,
    /// Words as numbers of the vocabulary, in their order.
    pub tokens: Vec<u32>,
    /// Number of words that are no tokens.
    pub left_out: u32,
}

/// Documents and all their words.
#[derive(Debug, Default)]
pub(super) struct Raw {
    pub vocabulary: Vec<String>,
    pub documents: Vec<RawDocument>,
    numbers: HashMap<String, u32>,
    tokens: usize,
    /// Words that rules left out, with the numbers of their tokens, in the order of [`Rule::ALL`].
    left_out: [HashMap<String, usize>; Rule::ALL.len()],
    /// Words of scripts without spaces that were not divided, and their letters.
    undivided: (usize, usize),
    /// Files in which nothing says how they are encoded.
    pub guessed: usize,
}

impl Raw {
    /// Documents over a vocabulary that is given, of which so many files are in an encoding that was guessed.
    pub fn over(vocabulary: Vec<String>, guessed: usize) -> Self {
        Self { vocabulary, guessed, ..Self::default() }
    }

    /// What the rules of words left out.
    pub fn dropped(&self) -> Dropped {
        let of = |(rule, words): (Rule, &HashMap<String, usize>)| {
            LeftOut::of(rule, words.iter().map(|(word, tokens)| (word.as_str(), *tokens)))
        };
        let words = Rule::ALL.into_iter().zip(&self.left_out).filter_map(of).collect();
        let undivided = Dropped::undivided(self.undivided.0, self.undivided.1);
        Dropped { words, undivided, guessed: self.guessed, ..Dropped::default() }
    }

    /// Adds a document of the words that the rules leave. Returns whether more fits.
    pub fn push(
        &mut self,
        name: String,
        text: &str,
        rules: &WordRules,
        source: &Source,
        refusals: &mut Refusals<'_>,
    ) -> bool {
        let (mut found, mut left_out) = (Vec::new(), 0);
        tokens(text, rules, |token| {
            self.undivided.0 += usize::from(token.undivided > 0);
            self.undivided.1 += token.undivided;
            if let Some(rule) = token.rule {
                left_out += 1;
                self.leave_out(rule, token.word);
            } else if let Some(number) = self.numbers.get(token.word) {
                found.push(*number);
            } else if let Ok(number) = u32::try_from(self.vocabulary.len()) {
                self.vocabulary.push(token.word.to_owned());
                self.numbers.insert(token.word.to_owned(), number);
                found.push(number);
            }
        });
        self.tokens += found.len();
        self.documents.push(RawDocument { name, tokens: found, left_out });
        if self.documents.len() > MOST_DOCUMENTS {
            refusals.file(source, "there are too many documents", format!("at most {MOST_DOCUMENTS} documents"));
        } else if self.tokens > MOST_TOKENS {
            refusals.file(source, "there are too many words", format!("at most {MOST_TOKENS} words"));
        } else {
            return true;
        }
        false
    }

    fn leave_out(&mut self, rule: Rule, word: &str) {
        let index = Rule::ALL.iter().position(|one| *one == rule).unwrap_or_default();
        match self.left_out[index].get_mut(word) {
            Some(tokens) => *tokens += 1,
            None => drop(self.left_out[index].insert(word.to_owned(), 1)),
        }
    }
}
