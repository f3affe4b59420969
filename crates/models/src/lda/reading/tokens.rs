//! Words of a text: the segments of Unicode text segmentation (UAX #29), or the matches of a pattern.
//!
//! A text is brought to lower case and to NFC first, so that a letter with a combining accent is the letter with the accent, and ’
//! is '. A segment is a word if it has a letter or a digit. What UAX #29 leaves to programs is decided here:
//!
//! - Apostrophes of Latin script: in *wolf's* and *l'été* one part is the word ([`Apostrophes`]); elsewhere they are letters (*м'яч*).
//! - Scripts without spaces (Chinese, Japanese, Thai, Khmer …) would need dictionaries. UAX #29 cuts them into characters; here
//!   what stands together is a word unless characters are asked for ([`Unspaced`]).
//! - Characters without a picture (soft hyphens, marks of direction) are no part of a word; joiners stay within one.

use std::collections::HashSet;
use std::ops::Range;

use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::Pattern;
use crate::lda::Rule;

/// Frequent English words without a topic, one on each line; the list was made for this program.
const ENGLISH: &str = include_str!("../../../../../assets/data/stopwords.txt");

/// Zero-width characters that change how a word is written, as in Persian and Hindi.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];

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
        let lines = text.lines().map(|line| shown(&normal(line)).trim().to_owned());
        Self(lines.filter(|word| !word.is_empty()).collect())
    }
}

/// What becomes of a word with apostrophes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Apostrophes {
    /// The longest part is the word, of equally long ones the first: *wolf's* is *wolf*, *l'été* is *été*.
    #[default]
    Longest,
    /// It is one word.
    Keep,
    /// Every part is a word.
    Split,
}

/// What is a word in scripts that are written without spaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unspaced {
    /// What stands between spaces and punctuation: for texts that another program has divided into words.
    #[default]
    Words,
    /// Every character, of any length that is asked for.
    Characters,
}

/// What is a word, and which words are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct WordRules {
    /// What words are instead of segments; apostrophes, scripts, numbers and lengths are its own business then.
    pub pattern: Option<Pattern>,
    /// What becomes of apostrophes of segments.
    pub apostrophes: Apostrophes,
    /// Which segments of scripts without spaces are words.
    pub unspaced: Unspaced,
    /// Whether words without a letter are words.
    pub numbers: bool,
    /// Letters and digits of the shortest word.
    pub min_length: usize,
    /// Words that are left out.
    pub stop_words: StopWords,
}

impl Default for WordRules {
    fn default() -> Self {
        let (apostrophes, unspaced) = Default::default();
        Self { pattern: None, apostrophes, unspaced, numbers: false, min_length: 2, stop_words: StopWords::english() }
    }
}

/// A word that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FoundWord<'a> {
    pub word: &'a str,
    /// Why it is left out; `None` if it stays.
    pub rule: Option<Rule>,
    /// Letters of a word of a script without spaces that was not divided; else 0.
    pub undivided: usize,
}

/// Calls back with every word of a text.
pub(super) fn tokens(text: &str, rules: &WordRules, mut found: impl FnMut(FoundWord<'_>)) {
    let text = normal(text);
    let mut tell = |word: &str, rule, undivided| {
        if !word.is_empty() {
            found(FoundWord { word, rule, undivided });
        }
    };
    match &rules.pattern {
        Some(pattern) => {
            let text = text.replace('’', "'");
            pattern.matches(&text, |word| tell(word, rules.stops(word), 0));
        }
        None => segments(&text, rules.unspaced, |segment, is_unspaced| {
            let whole = shown(segment);
            // A sign that follows no letter is none.
            if letters(&whole) == 0 {
                return;
            }
            if rules.stop_words.0.contains(&whole) {
                return tell(&whole, Some(Rule::StopWords), 0);
            }
            let undivided = is_unspaced && rules.unspaced == Unspaced::Words;
            let has_length = !is_unspaced || undivided;
            parts(&whole, rules.apostrophes, |part, stays| {
                let rule = if stays { rules.leaves_out(part, has_length) } else { Some(Rule::Apostrophes) };
                tell(part, rule, if undivided { letters(part) } else { 0 });
            });
        }),
    }
}

impl WordRules {
    /// Whether a word is left out since it is in the list. A pattern that finds a word knows of letters and lengths by itself.
    fn stops(&self, word: &str) -> Option<Rule> {
        self.stop_words.0.contains(word).then_some(Rule::StopWords)
    }

    /// Why a word of Unicode is left out.
    fn leaves_out(&self, word: &str, has_length: bool) -> Option<Rule> {
        let is_number = || word.contains(char::is_numeric) && !word.contains(char::is_alphabetic);
        if let Some(rule) = self.stops(word) {
            Some(rule)
        } else if !self.numbers && is_number() {
            Some(Rule::Numbers)
        } else {
            (has_length && letters(word) < self.min_length).then_some(Rule::MinLength)
        }
    }
}

/// Calls back with the segments of a text, and whether they are of a script without spaces.
fn segments(text: &str, unspaced: Unspaced, mut each: impl FnMut(&str, bool)) {
    let mut run: Range<usize> = 0..0;
    for (start, segment) in text.split_word_bound_indices() {
        let end = start + segment.len();
        let is_unspaced = segment.chars().next().is_some_and(is_unspaced);
        let goes_on = is_unspaced && unspaced == Unspaced::Words && run.end == start;
        if goes_on && !run.is_empty() {
            run.end = end;
            continue;
        }
        if !run.is_empty() {
            each(&text[run.clone()], true);
        }
        run = if is_unspaced { start..end } else { end..end };
        if !is_unspaced {
            each(segment, false);
        }
    }
    if !run.is_empty() {
        each(&text[run], true);
    }
}

/// Whether a letter is of a script without spaces: UAX #29 parts it from any other letter.
fn is_unspaced(letter: char) -> bool {
    !letter.is_ascii()
        && letter.is_alphabetic()
        && ['a', letter].iter().collect::<String>().split_word_bounds().count() > 1
}

/// Calls back with the parts of a word between apostrophes, and whether they are words.
fn parts(word: &str, apostrophes: Apostrophes, mut each: impl FnMut(&str, bool)) {
    let is_latin = |letter: char| matches!(letter, 'a'..='z' | '\u{df}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}');
    if apostrophes == Apostrophes::Keep || !word.contains('\'') || !word.contains(is_latin) {
        return each(word, true);
    }
    let mut longest = (0, 0);
    for (number, part) in word.split('\'').enumerate() {
        let length = letters(part);
        longest = if length > longest.1 { (number, length) } else { longest };
    }
    for (number, part) in word.split('\'').enumerate() {
        each(part, apostrophes == Apostrophes::Split || number == longest.0);
    }
}

/// Number of letters and digits; signs on a letter are no letters.
fn letters(word: &str) -> usize {
    use GeneralCategory::{EnclosingMark, NonspacingMark, SpacingMark};
    let is_mark = |character| matches!(get_general_category(character), EnclosingMark | NonspacingMark | SpacingMark);
    word.chars()
        .filter(|character| character.is_alphanumeric() && (character.is_ascii() || !is_mark(*character)))
        .count()
}

/// A text in lower case and NFC.
fn normal(text: &str) -> String {
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.nfc().collect::<String>().to_lowercase().nfc().collect()
    }
}

/// A segment without what is not seen and without punctuation at its ends, with one kind of apostrophe.
fn shown(segment: &str) -> String {
    let is_hidden = |character: char| {
        !character.is_ascii()
            && !JOINERS.contains(&character)
            && get_general_category(character) == GeneralCategory::Format
    };
    let kept: String = segment.chars().filter(|character| !is_hidden(*character)).collect();
    kept.trim_matches(|end| JOINERS.contains(&end) || end == '_').replace('’', "'")
}
