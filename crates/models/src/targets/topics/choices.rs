//! Corpora, as choices: generated ones, the fables that come with the program, and one's own files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::lda::reading::{self, MOST_DOCUMENTS, Paths, Progress};
use crate::lda::{Corpus, Recipe};
use crate::targets::Folder;
use crate::targets::data::named_files::FOLDER as FOLDER_LABEL;
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings};

use super::words::{
    APOSTROPHES, MAX_SHARE, MAX_WORDS, MIN_DOCUMENTS, MIN_LENGTH, MIN_LENGTH_OF_FABLES, NUMBERS, PATTERN, STOP_WORDS,
    UNSPACED, count, preparation,
};

/// Largest number of tokens of a document that is generated.
const LONGEST: f64 = 1000.0;

/// Largest number of tokens of all documents that are generated.
const MOST_TOKENS: usize = 10_000_000;

/// A corpus with the settings that it suggests.
pub(super) struct Given {
    pub(super) corpus: Arc<Corpus>,
    /// Pixels along a side, of bars.
    pub(super) side: Option<usize>,
    /// K.
    pub(super) topics: usize,
    pub(super) alpha: f64,
    pub(super) eta: f64,
}

const SIDE: ParamSpec = ParamSpec::integer(
    "side",
    "pixels of a side",
    5.0,
    Interval::closed(4.0, 5.0),
    (4.0, 5.0),
    "Pixels along a side of the square: 5 make 25 words and 10 bars, 4 make 16 words and 8 bars.",
);

const DOCUMENTS: ParamSpec = ParamSpec::integer(
    "documents",
    "documents D",
    1000.0,
    Interval::closed(2.0, MOST_DOCUMENTS as f64),
    (50.0, 2000.0),
    "Number of documents to learn from. Left out: 1000 of bars (200 with a side of 4), 2000 of Griffiths and Steyvers, 300 of the \
     triangle, 200 of the segment.",
)
.optional()
.unit("documents")
.log();

const HELD_OUT: ParamSpec = ParamSpec::integer(
    "held_out",
    "held-out documents",
    200.0,
    Interval::closed(0.0, MOST_DOCUMENTS as f64),
    (0.0, 500.0),
    "Number of documents more, to test topics on. Left out: 200 of bars (50 with a side of 4) and of Griffiths and Steyvers, else 100.",
)
.optional()
.unit("documents")
.folded();

const LENGTH: ParamSpec = ParamSpec::integer(
    "length",
    "words per document",
    100.0,
    Interval::closed(1.0, LONGEST),
    (10.0, 200.0),
    "Tokens of each document. Left out: 100 of bars (40 with a side of 4), 60 of the triangle, 50 of the segment.",
)
.optional()
.unit("words")
.log()
.folded();

const CONCENTRATION: ParamSpec = ParamSpec::number(
    "generator_alpha",
    "generator's α",
    0.2,
    Interval::above_to(0.0, 1.0),
    (0.05, 1.0),
    "Concentration of the topics' shares in the documents that are generated: small ones have few topics each. Left out: 0.2 of \
     bars, 1 of Griffiths and Steyvers, 0.3 of the triangle, 0.5 of the segment.",
)
.optional()
.log()
.folded();

const SEED: ParamSpec = ParamSpec { key: "seed", ..crate::targets::data::SEED }.folded();

const BARS: [ParamSpec; 6] = [SIDE, DOCUMENTS, HELD_OUT, LENGTH, CONCENTRATION, SEED];

const GENERATED: [ParamSpec; 5] = [DOCUMENTS, HELD_OUT, LENGTH, CONCENTRATION, SEED];

const fn file(key: &'static str, label: &'static str, help: &'static str) -> ParamSpec {
    ParamSpec::of(key, label, ParamType::Text, DefaultValue::Required, help)
}

const AESOP: [ParamSpec; 9] =
    [STOP_WORDS, MIN_LENGTH_OF_FABLES, NUMBERS, APOSTROPHES, UNSPACED, PATTERN, MIN_DOCUMENTS, MAX_SHARE, MAX_WORDS];

const TEXT: [ParamSpec; 10] = [
    file(
        "path",
        "file",
        "A text file with a document on each line. A relative path starts at the folder of the scenario.",
    ),
    STOP_WORDS,
    MIN_LENGTH,
    NUMBERS,
    APOSTROPHES,
    UNSPACED,
    PATTERN,
    MIN_DOCUMENTS,
    MAX_SHARE,
    MAX_WORDS,
];

const FOLDER: [ParamSpec; 10] = [
    file(
        "path",
        FOLDER_LABEL,
        "A folder whose files with the ending .txt are the documents, in the order of their names.",
    ),
    STOP_WORDS,
    MIN_LENGTH,
    NUMBERS,
    APOSTROPHES,
    UNSPACED,
    PATTERN,
    MIN_DOCUMENTS,
    MAX_SHARE,
    MAX_WORDS,
];

const CSV: [ParamSpec; 12] = [
    file(
        "path",
        "file",
        "A CSV file with a header and commas between cells. A relative path starts at the folder of the scenario.",
    ),
    ParamSpec::of(
        "column",
        "column",
        ParamType::Text,
        DefaultValue::Word("text"),
        "The name of the column with the documents, one in each row.",
    ),
    ParamSpec::of(
        "title",
        "column of titles",
        ParamType::Text,
        DefaultValue::Word(""),
        "The name of the column with what the documents are called. Empty: they are called by their lines.",
    )
    .folded(),
    STOP_WORDS,
    MIN_LENGTH,
    NUMBERS,
    APOSTROPHES,
    UNSPACED,
    PATTERN,
    MIN_DOCUMENTS,
    MAX_SHARE,
    MAX_WORDS,
];

const UCI: [ParamSpec; 3] = [
    file(
        "docword",
        "counts",
        "Counts in the UCI bag-of-words format: three lines D, V, number of entries, then document, word, count.",
    ),
    file("vocab", "words", "The words of the counts, one on each line."),
    ParamSpec {
        help: "Seed of the order in which the words of a document come, of which the file knows nothing. Document completion \
               depends on it.",
        ..SEED
    },
];

/// The choices.
pub(super) static KINDS: [KindSpec; 9] = [
    KindSpec {
        name: "bars",
        label: "Bars",
        help: "Words are the pixels of a square, topics its rows and columns, each even on its pixels (after Griffiths and \
               Steyvers 2004).",
        params: &BARS,
    },
    KindSpec {
        name: "triangle",
        label: "Triangle",
        help: "Three topics over three words, which are points of a triangle.",
        params: &GENERATED,
    },
    KindSpec {
        name: "segment",
        label: "Segment",
        help: "Two topics over three words: documents lie on a segment of the triangle. Variational inference is surest and most wrong here.",
        params: &GENERATED,
    },
    KindSpec {
        name: "griffiths-steyvers",
        label: "Griffiths and Steyvers",
        help: "Their own bars: with a generator's α of 1 documents are almost grey, and bars are hard to find.",
        params: &GENERATED,
    },
    KindSpec {
        name: "aesop",
        label: "Aesop's fables",
        help: "Fables of Aesop, 311 of them, translated by George Fyler Townsend (1867).",
        params: &AESOP,
    },
    KindSpec { name: "text", label: "Text file", help: "A document on each line of a text file.", params: &TEXT },
    KindSpec { name: "folder", label: "Folder", help: "A document in each text file of a folder.", params: &FOLDER },
    KindSpec { name: "csv", label: "CSV file", help: "A document in each row of a CSV file.", params: &CSV },
    KindSpec {
        name: "uci",
        label: "Counts",
        help: "Counts of words in documents, in the UCI bag-of-words format, taken as they are.",
        params: &UCI,
    },
];

/// The corpus of a choice; without one, the first at its defaults. `holdout_every` is that of corpora that are read. Errors
/// are relative to the target.
pub(super) fn given(
    group: Option<&Settings>,
    holdout_every: Option<usize>,
    folder: &Folder,
) -> Result<Given, Vec<ParamError>> {
    let defaults = Settings::defaults(&KINDS[0]);
    let group = group.unwrap_or(&defaults);
    let below = |errors: Vec<ParamError>| -> Vec<ParamError> {
        // What is wrong with a corpus as a whole is at the group itself.
        let under_corpus = |error: ParamError| if error.path == "corpus" { error } else { error.under("corpus") };
        errors.into_iter().map(under_corpus).collect()
    };
    let side = |group: &Settings| count(group, "side");
    let generated = |recipe: Recipe, side: Option<usize>, alpha: f64, eta: f64| {
        let topics = recipe.topics.count();
        let corpus = folder.corpus(group, None, |_| generate(recipe, group))?;
        Ok(Given { corpus, side, topics, alpha, eta })
    };
    match group.kind.name {
        "bars" => generated(Recipe::bars(side(group)), Some(side(group)), 0.2, 0.1),
        "griffiths-steyvers" => generated(Recipe::griffiths_steyvers(), Some(5), 1.0, 0.1),
        "triangle" => generated(Recipe::triangle(), None, 0.3, 0.5),
        "segment" => generated(Recipe::segment(), None, 0.5, 0.5),
        _ => folder
            .corpus(group, holdout_every, |progress| read(group, holdout_every, (folder, progress)))
            .map(|corpus| Given { corpus, side: None, topics: 10, alpha: 0.1, eta: 0.5 }),
    }
    .map_err(below)
}

/// A generated corpus.
fn generate(recipe: Recipe, group: &Settings) -> Result<Corpus, Vec<ParamError>> {
    let of = |key: &str, own: usize| {
        group.optional_count(key).map_or(own, |count| usize::try_from(count).unwrap_or(usize::MAX))
    };
    let recipe = Recipe {
        documents: of("documents", recipe.documents),
        held_out: of("held_out", recipe.held_out),
        length: of("length", recipe.length),
        concentration: group.optional_number("generator_alpha").unwrap_or(recipe.concentration),
        ..recipe
    };
    let all = recipe.documents + recipe.held_out;
    if all.saturating_mul(recipe.length) > MOST_TOKENS {
        let problem = format!("{all} documents of {} words are too many words", recipe.length);
        let most = MOST_TOKENS / recipe.length.max(1);
        return Err(vec![ParamError::new(
            "documents",
            problem,
            format!("at most {most} documents, with those held out"),
        )]);
    }
    Ok(recipe.corpus(group.count("seed")))
}

/// A corpus that is read. Errors are at its parameters, or at `corpus`.
fn read(
    group: &Settings,
    holdout_every: Option<usize>,
    (folder, progress): (&Path, &Progress),
) -> Result<Corpus, Vec<ParamError>> {
    let path = |key: &str| PathBuf::from(group.word(key));
    let name = |key: &str| Some(group.word(key).trim()).filter(|name| !name.is_empty()).map(str::to_owned);
    let mut errors = unnamed(group);
    let prepared = keep(preparation(group, holdout_every, folder), &mut errors);
    let paths = match group.kind.name {
        "text" => Some(Paths::Text(path("path"))),
        "folder" => Some(Paths::Folder(path("path"))),
        "csv" => Some(Paths::Csv(path("path"), name("column").into_iter().collect(), name("title"))),
        "uci" => Some(Paths::Uci(path("docword"), path("vocab"))),
        _ => None,
    };
    let named = errors.iter().all(|error| [STOP_WORDS.key, PATTERN.key].contains(&error.path.as_str()));
    // Without its rules for words a file can still be looked at for what is wrong with it, but not for the words that stay.
    let ruled = prepared.is_some();
    let looked = prepared.unwrap_or_default();
    let read = match paths {
        Some(paths) if named => Some(reading::load(&paths, folder, &looked, progress)),
        Some(_) => None,
        None => Some(reading::aesop(&looked)),
    };
    let of_words = |error: &ParamError| error.path == "corpus";
    let reported = |found: Vec<ParamError>| found.into_iter().filter(|error| ruled || !of_words(error)).collect();
    let corpus = read.and_then(|read| keep(read.map_err(reported), &mut errors));
    corpus.filter(|_| errors.is_empty()).ok_or(errors)
}

/// Parameters that must name a file or a column, and are empty.
fn unnamed(group: &Settings) -> Vec<ParamError> {
    let needed = ["path", "docword", "vocab", "column"].into_iter().filter(|key| group.kind.param(key).is_some());
    let empty = needed.filter(|key| group.word(key).trim().is_empty());
    let error = |key| match key {
        "column" => ParamError::new(key, "no column is named", "a name of the header"),
        _ => ParamError::new(key, "no file is named", "the path of a file or folder"),
    };
    empty.map(error).collect()
}

fn keep<T>(result: Result<T, Vec<ParamError>>, errors: &mut Vec<ParamError>) -> Option<T> {
    result.map_err(|found| errors.extend(found)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::params::{Value, find_kind};

    /// A pattern that is none is reported alone: which words stay is not known without it.
    #[test]
    fn a_wrong_rule_for_words_is_the_only_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.txt"), "wolf lamb\nwolf fox\n").unwrap();
        for kind in ["text", "aesop"] {
            let mut group = Settings::defaults(find_kind(&KINDS, kind).unwrap());
            if kind == "text" {
                group.set("path", Value::Text("a.txt".into())).unwrap();
            }
            for (key, value) in [(PATTERN.key, "["), (STOP_WORDS.key, "nowhere.txt")] {
                let mut wrong = group.clone();
                wrong.set(key, Value::Text(value.into())).unwrap();
                let errors = given(Some(&wrong), None, &Folder::from(folder.path())).err().unwrap();
                let paths: Vec<&str> = errors.iter().map(|error| error.path.as_str()).collect();
                assert_eq!(paths, [format!("corpus.{key}")], "{kind}");
            }
        }
    }
}
