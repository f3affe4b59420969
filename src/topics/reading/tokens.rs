//! Words of a text.

use std::collections::HashSet;

/// Letters of the shortest word that counts.
const SHORTEST: usize = 3;

/// Frequent English words without a topic, one on each line; the list was made for this program.
const ENGLISH: &str = include_str!("../../../assets/data/stopwords.txt");

/// Words that are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopWords(HashSet<String>);

impl StopWords {
    /// The English words that come with the program.
    #[must_use]
    pub fn english() -> Self {
        Self::of(ENGLISH)
    }

    /// None.
    #[must_use]
    pub fn none() -> Self {
        Self(HashSet::new())
    }

    /// The words of a text, one on each line.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(text.lines().map(|line| line.trim().to_lowercase()).filter(|word| !word.is_empty()).collect())
    }
}

/// Calls back with every word of a text in lower case: runs of letters, at least [`SHORTEST`] of them, that are not stop
/// words. From an apostrophe between letters on, the rest of the run is left out: "wolf's" is "wolf".
pub(super) fn tokens(text: &str, stop_words: &StopWords, mut found: impl FnMut(&str)) {
    let lower = text.to_lowercase();
    let (mut word, mut in_rest) = (String::new(), false);
    let mut characters = lower.chars().peekable();
    while let Some(character) = characters.next() {
        let letter_follows = characters.peek().is_some_and(|next| next.is_alphabetic());
        if character.is_alphabetic() {
            if !in_rest {
                word.push(character);
            }
            if letter_follows || characters.peek().is_some_and(|next| is_apostrophe(*next)) {
                continue;
            }
        } else if is_apostrophe(character) && letter_follows && !word.is_empty() {
            in_rest = true;
            continue;
        }
        if word.chars().nth(SHORTEST - 1).is_some() && !stop_words.0.contains(&word) {
            found(&word);
        }
        word.clear();
        in_rest = false;
    }
}

fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '’')
}
