//! Plain text: a document on each line of a file, or in each file of a folder.

use super::refusals::{Refusals, text};
use super::{Raw, Source, StopWords};

/// A document on each line that is not empty.
pub(super) fn lines(source: &Source, stop_words: &StopWords, refusals: &mut Refusals) -> Raw {
    let mut raw = Raw::default();
    let Some(text) = text(source, refusals) else { return raw };
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        if !raw.push(format!("line {}", number + 1), line, stop_words, source, refusals) {
            break;
        }
    }
    raw
}

/// A document in each file, in the order of their names.
pub(super) fn files(sources: &[Source], stop_words: &StopWords, refusals: &mut Refusals) -> Raw {
    let mut raw = Raw::default();
    let mut sources: Vec<&Source> = sources.iter().collect();
    sources.sort_by(|a, b| a.name.cmp(&b.name));
    for source in sources {
        if let Some(text) = text(source, refusals)
            && !raw.push(source.name.clone(), text, stop_words, source, refusals)
        {
            break;
        }
    }
    raw
}
