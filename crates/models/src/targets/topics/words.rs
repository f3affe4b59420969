//! What is a word of a text, and which words stay, as choices.

use std::path::Path;

use crate::lda::Rule;
use crate::lda::reading::{self, Apostrophes, Pattern, Preparation, StopWords, Unspaced, WordRules};
use base::params::{Choice, DefaultValue, Interval, ParamError, ParamSpec, ParamType, Settings};

/// The list of stop words that comes with the program, and the word for no list.
const ENGLISH: &str = "english";
const NO_LIST: &str = "none";

/// Stop words that are no file.
pub(in crate::targets) const WORD_LISTS: [&str; 2] = [ENGLISH, NO_LIST];

/// Words of apostrophes and of scripts without spaces.
const LONGEST: &str = "longest";
const KEEP: &str = "keep";
const SPLIT: &str = "split";
const WORDS: &str = "words";
const CHARACTERS: &str = "characters";

pub(super) const STOP_WORDS: ParamSpec = ParamSpec::of(
    Rule::StopWords.key(),
    "stop words",
    ParamType::Text,
    DefaultValue::Word(ENGLISH),
    "Words that are left out: english, a list that comes with the program; none; or a file with one on each line.",
)
.folded();

pub(super) const MIN_LENGTH: ParamSpec = ParamSpec::integer(
    Rule::MinLength.key(),
    "short words below",
    2.0,
    Interval::closed(1.0, 100.0),
    (1.0, 6.0),
    "Words with fewer letters and digits are left out; signs on a letter do not count. With 1 single letters are words, and single \
     characters of Chinese.",
)
.unit("letters")
.folded();

/// The fables keep the words that they had before there was a choice.
pub(super) const MIN_LENGTH_OF_FABLES: ParamSpec = MIN_LENGTH.default(DefaultValue::Number(3.0));

pub(super) const NUMBERS: ParamSpec = ParamSpec::of(
    Rule::Numbers.key(),
    "numbers are words",
    ParamType::Flag,
    DefaultValue::Flag(false),
    "Whether words without a letter count, as 1984. Words with letters and digits always do.",
)
.folded();

pub(super) const APOSTROPHES: ParamSpec = ParamSpec::of(
    Rule::Apostrophes.key(),
    "apostrophes",
    ParamType::Choice(&[
        Choice { name: LONGEST, label: "longest part", help: "Of wolf's the word is wolf, of l'été it is été." },
        Choice { name: KEEP, label: "part of the word", help: "Words are wolf's and l'été." },
        Choice { name: SPLIT, label: "between words", help: "Words are wolf and s, l and été." },
    ]),
    DefaultValue::Word(LONGEST),
    "What becomes of words of Latin script with apostrophes. In other scripts they are part of the word.",
)
.folded();

pub(super) const UNSPACED: ParamSpec = ParamSpec::of(
    "unspaced",
    "scripts without spaces",
    ParamType::Choice(&[
        Choice {
            name: WORDS,
            label: "words are divided",
            help: "What stands between spaces and punctuation is a word: for a text that was divided into words.",
        },
        Choice {
            name: CHARACTERS,
            label: "characters",
            help: "Every character of Chinese, Hiragana, Thai and the like is a word, whatever its length (UAX #29).",
        },
    ]),
    DefaultValue::Word(WORDS),
    "Words of Chinese, Japanese, Thai, Khmer and the like, which need a dictionary: divide such a text into words by spaces, with a \
     program such as jieba or MeCab, or take its characters.",
)
.folded();

pub(super) const PATTERN: ParamSpec = ParamSpec::of(
    "pattern",
    "pattern of words",
    ParamType::Text,
    DefaultValue::Word(""),
    "A regular expression for words in lower case: its matches, or its first group. \\S+ takes what stands between spaces. Apostrophes, \
     numbers and shortest words are then its own business. Empty: words of Unicode (UAX #29).",
)
.folded();

pub(super) const MIN_DOCUMENTS: ParamSpec = ParamSpec::integer(
    Rule::MinDocuments.key(),
    "rare words below",
    3.0,
    Interval::closed(1.0, 1e6),
    (1.0, 20.0),
    "Words in fewer documents are left out.",
)
.unit("documents")
.folded();

pub(super) const MAX_SHARE: ParamSpec = ParamSpec::number(
    Rule::MaxShare.key(),
    "common words above",
    0.5,
    Interval::above_to(0.0, 1.0),
    (0.05, 1.0),
    "Words in a larger share of the documents are left out.",
)
.folded();

pub(super) const MAX_WORDS: ParamSpec = ParamSpec::integer(
    Rule::MaxWords.key(),
    "words at most",
    1000.0,
    Interval::closed(2.0, 1e6),
    (10.0, 5000.0),
    "The most frequent words that stay; of equally frequent ones the first by code point. Left out: all stay.",
)
.optional()
.unit("words")
.log()
.folded();

/// How the texts of a choice become a corpus.
pub(super) fn preparation(
    group: &Settings,
    holdout_every: Option<usize>,
    folder: &Path,
) -> Result<Preparation, Vec<ParamError>> {
    let mut prepared = Preparation { holdout_every, ..Preparation::default() };
    if group.kind.param("seed").is_some() {
        prepared.seed = group.count("seed");
    }
    if group.kind.param(STOP_WORDS.key).is_some() {
        prepared.min_documents = count(group, MIN_DOCUMENTS.key);
        prepared.max_share = group.number(MAX_SHARE.key);
        prepared.max_words = group.optional_count(MAX_WORDS.key).and_then(|most| usize::try_from(most).ok());
        prepared.words = rules(group, folder)?;
    }
    Ok(prepared)
}

/// What is a word, with all that is wrong.
fn rules(group: &Settings, folder: &Path) -> Result<WordRules, Vec<ParamError>> {
    let stop_words = match group.word(STOP_WORDS.key).trim() {
        ENGLISH => Ok(StopWords::english()),
        NO_LIST | "" => Ok(StopWords::none()),
        path => reading::load_stop_words(Path::new(path), folder),
    };
    let pattern = match group.word(PATTERN.key).trim() {
        "" => Ok(None),
        text => Pattern::of(text).map(Some).map_err(|error| vec![error]),
    };
    let (stop_words, pattern) = match (stop_words, pattern) {
        (Ok(stop_words), Ok(pattern)) => (stop_words, pattern),
        (stop_words, pattern) => {
            return Err([stop_words.err(), pattern.err()].into_iter().flatten().flatten().collect());
        }
    };
    Ok(WordRules {
        pattern,
        apostrophes: match group.word(APOSTROPHES.key) {
            KEEP => Apostrophes::Keep,
            SPLIT => Apostrophes::Split,
            _ => Apostrophes::Longest,
        },
        unspaced: if group.word(UNSPACED.key) == CHARACTERS { Unspaced::Characters } else { Unspaced::Words },
        numbers: group.flag(NUMBERS.key),
        min_length: count(group, MIN_LENGTH.key),
        stop_words,
    })
}

/// A whole number.
pub(super) fn count(group: &Settings, key: &str) -> usize {
    usize::try_from(group.count(key)).unwrap_or(usize::MAX)
}
