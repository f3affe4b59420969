//! Corpora from bytes: lines of text, CSV, the UCI bag-of-words format, and folders of text files.
//!
//! Readers take the bytes of files, with names for messages. [`load`] alone reads files. Everything that is wrong is
//! reported together, with file and line, as errors at the parameter that names the file.

mod csv;
mod files;
mod pattern;
mod plain;
mod progress;
mod raw;
mod refusals;
#[cfg(test)]
mod tests;
mod tokens;
mod uci;
mod vocabulary;

use std::borrow::Cow;

use self::raw::Raw;
use self::refusals::Refusals;
use super::Corpus;
use base::params::ParamError;

pub use files::{Paths, load, load_stop_words};
pub use pattern::Pattern;
pub use progress::Progress;
pub use tokens::{Apostrophes, StopWords, Unspaced, WordRules};
pub use vocabulary::Preparation;

/// Largest number of documents of a corpus.
pub const MOST_DOCUMENTS: usize = 50_000;

/// Largest number of entries of all bags of words.
pub const MOST_ENTRIES: usize = 5_000_000;

/// Largest number of tokens.
pub const MOST_TOKENS: usize = 50_000_000;

/// Fables of Aesop, translated by George Fyler Townsend (1867), in the public domain: columns `title` and `text`. From
/// Project Gutenberg's text 21 by way of github.com/lpodol/books, commit 7b45394, with nothing but the fables left.
const AESOP: &[u8] = include_bytes!("../../../../../assets/data/aesop.csv");

/// Parts of the way that words are read on, and that bags are made of them on.
const WORDS: (f32, f32) = (0.0, 0.8);
const BAGS: (f32, f32) = (0.8, 1.0);

/// A file in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    /// The parameter that names the file: where errors are.
    pub key: &'static str,
    /// What messages call the file.
    pub name: String,
    /// Its bytes.
    pub bytes: Cow<'static, [u8]>,
}

/// What a corpus is made from.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// Text with a document on each line. Empty lines are skipped.
    Text(Source),
    /// Text with commas between cells and quotes as in RFC 4180, and a header; a document in each row.
    Csv {
        /// The file.
        file: Source,
        /// The names of the columns that make up a document, in their order.
        columns: Vec<String>,
        /// The name of the column of their titles, if there is one.
        title: Option<String>,
    },
    /// Counts: three lines D, V, number of entries, then a line `document word count` for each entry, counted from 1.
    Uci {
        /// The counts.
        docword: Source,
        /// The words, one on each line.
        vocab: Source,
    },
    /// A document in each file.
    Folder(Vec<Source>),
}

/// Reads a corpus. Counts (`Uci`) are taken as they are; texts become words as `preparation` says.
///
/// # Errors
/// All that is wrong with the files, at most 20 errors; or fewer than two documents or words left.
pub fn read(input: &Input, preparation: &Preparation) -> Result<Corpus, Vec<ParamError>> {
    read_telling(input, preparation, &Progress::default())
}

/// The same, telling how far it is.
///
/// # Errors
/// As [`read`]; and if it was stopped.
fn read_telling(input: &Input, preparation: &Preparation, progress: &Progress) -> Result<Corpus, Vec<ParamError>> {
    let mut refusals = Refusals::new(progress);
    let raw = match input {
        Input::Text(source) => plain::lines(source, &preparation.words, &mut refusals),
        Input::Csv { file, columns, title } => {
            csv::rows(file, (columns, title.as_deref()), &preparation.words, &mut refusals)
        }
        Input::Uci { docword, vocab } => uci::counts(docword, vocab, preparation.seed, &mut refusals),
        Input::Folder(sources) => plain::files(sources, &preparation.words, &mut refusals),
    };
    refusals.finish()?;
    if matches!(input, Input::Uci { .. }) {
        vocabulary::whole(raw, preparation, progress)
    } else {
        vocabulary::pruned(raw, preparation, progress)
    }
}

/// The fables of Aesop that come with the program. A document is the title and the text of a fable.
///
/// # Errors
/// If `preparation` leaves fewer than two documents or words.
pub fn aesop(preparation: &Preparation) -> Result<Corpus, Vec<ParamError>> {
    let file = Source { key: "corpus", name: "aesop.csv".to_owned(), bytes: Cow::Borrowed(AESOP) };
    let columns = ["title", "text"].map(str::to_owned).to_vec();
    read(&Input::Csv { file, columns, title: Some("title".to_owned()) }, preparation)
}
