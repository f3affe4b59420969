//! The one place of `lda` that reads files.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::refusals::{Refusals, text};
use super::{Input, MOST_DOCUMENTS, Preparation, Progress, Source, StopWords, WORDS, read_telling};
use crate::lda::Corpus;
use base::params::ParamError;
use base::platform::files;

/// Largest size of a file, and of all files of a folder together.
const MAX_BYTES: u64 = 256 << 20;

/// Files of a corpus. A relative path starts at the folder of the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Paths {
    /// A text file, `path`.
    Text(PathBuf),
    /// A CSV file, `path`, with the names of the columns of documents, and of the column of titles.
    Csv(PathBuf, Vec<String>, Option<String>),
    /// Counts, `docword`, and words, `vocab`.
    Uci(PathBuf, PathBuf),
    /// A folder, `path`, whose files with the ending `.txt` are documents.
    Folder(PathBuf),
}

/// Reads the files of a corpus, and tells how far it is.
///
/// # Errors
/// Files that cannot be read, and all that [`read`](super::read) refuses; and if it was stopped.
pub fn load(
    paths: &Paths,
    folder: &Path,
    preparation: &Preparation,
    progress: &Progress,
) -> Result<Corpus, Vec<ParamError>> {
    let corpus = load_telling(paths, folder, preparation, progress);
    progress.rest();
    corpus
}

fn load_telling(
    paths: &Paths,
    folder: &Path,
    preparation: &Preparation,
    progress: &Progress,
) -> Result<Corpus, Vec<ParamError>> {
    let mut refusals = Refusals::new(progress);
    refusals.go_on(WORDS, 0, 1);
    let input = match paths {
        Paths::Text(path) => source("path", folder, path, &mut refusals).map(Input::Text),
        Paths::Csv(path, columns, title) => source("path", folder, path, &mut refusals).map(|file| Input::Csv {
            file,
            columns: columns.clone(),
            title: title.clone(),
        }),
        Paths::Uci(docword, vocab) => {
            let docword = source("docword", folder, docword, &mut refusals);
            let vocab = source("vocab", folder, vocab, &mut refusals);
            docword.zip(vocab).map(|(docword, vocab)| Input::Uci { docword, vocab })
        }
        Paths::Folder(path) => sources(folder, path, &mut refusals).map(Input::Folder),
    };
    refusals.finish()?;
    input.map_or_else(|| Err(Vec::new()), |input| read_telling(&input, preparation, progress))
}

/// Reads a list of stop words, one on each line.
///
/// # Errors
/// A file that cannot be read, or is not text.
pub fn load_stop_words(path: &Path, folder: &Path) -> Result<StopWords, Vec<ParamError>> {
    let progress = Progress::default();
    let mut refusals = Refusals::new(&progress);
    let source = source("stop_words", folder, path, &mut refusals);
    let words = source.as_ref().and_then(|source| text(source, &mut refusals)).map(|file| StopWords::of(&file.text));
    refusals.finish()?;
    Ok(words.unwrap_or_else(StopWords::none))
}

fn source(key: &'static str, folder: &Path, path: &Path, refusals: &mut Refusals<'_>) -> Option<Source> {
    let name = path.display().to_string();
    match bytes(&folder.join(path), MAX_BYTES) {
        Ok(bytes) => Some(Source { key, name, bytes: Cow::Owned(bytes) }),
        Err(problem) => {
            refusals.add(key, format!("{name}: {problem}"), allowed());
            None
        }
    }
}

/// The text files of a folder.
fn sources(folder: &Path, path: &Path, refusals: &mut Refusals<'_>) -> Option<Vec<Source>> {
    let mut refuse = |problem: &str, allowed: String| {
        refusals.add("path", format!("{}: {problem}", path.display()), allowed);
        None
    };
    let listed = fs::read_dir(folder.join(path)).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = match listed {
        Ok(entries) => entries,
        Err(error) => return refuse(&in_words(&error), "a folder with text files".to_owned()),
    };
    let is_text = |path: &PathBuf| path.extension() == Some(OsStr::new("txt"));
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).filter(is_text).collect();
    files.sort();
    if files.is_empty() || files.len() > MOST_DOCUMENTS {
        let problem = format!("the folder has {} files with the ending .txt", files.len());
        return refuse(&problem, format!("1 to {MOST_DOCUMENTS} of them"));
    }
    let mut left = MAX_BYTES;
    let mut sources = Vec::with_capacity(files.len());
    for file in files {
        if !refusals.go_on(WORDS, 0, 1) {
            break;
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match bytes(&file, left) {
            Ok(bytes) => {
                left -= bytes.len() as u64;
                sources.push(Source { key: "path", name, bytes: Cow::Owned(bytes) });
            }
            Err(problem) => refusals.add("path", format!("{name}: {problem}"), allowed()),
        }
    }
    Some(sources)
}

/// The bytes of a file, at most `most`; or why there are none. The messages do not depend on the operating system.
fn bytes(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let read = || -> io::Result<Option<Vec<u8>>> {
        if !files::metadata(path)?.is_file() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        files::File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    };
    match read() {
        Ok(Some(bytes)) if bytes.len() as u64 <= most => Ok(bytes),
        Ok(Some(_)) => Err("the file is too large".to_owned()),
        Ok(None) => Err("this is not a file".to_owned()),
        Err(error) => Err(in_words(&error)),
    }
}

fn allowed() -> String {
    format!("text files of at most {} MiB together", MAX_BYTES >> 20)
}

fn in_words(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "it may not be read".to_owned(),
        ErrorKind::NotADirectory => "this is not a folder".to_owned(),
        _ => format!("it cannot be read ({error})"),
    }
}
