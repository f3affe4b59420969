//! Plain text: a document on each line of a file, or in each file of a folder.

use super::refusals::{Refusals, text};
use super::{Raw, Source, WORDS, WordRules};

/// A document on each line that is not empty.
pub(super) fn lines(source: &Source, rules: &WordRules, refusals: &mut Refusals<'_>) -> Raw {
    let mut raw = Raw::default();
    let Some(file) = text(source, refusals) else { return raw };
    raw.guessed += usize::from(file.is_guessed);
    let (text, mut bytes) = (file.text.as_ref(), 0);
    for (number, line) in text.lines().enumerate() {
        bytes += line.len() + 1;
        if !refusals.go_on(WORDS, bytes, text.len()) {
            break;
        }
        if line.trim().is_empty() {
            continue;
        }
        if !raw.push(format!("line {}", number + 1), line, rules, source, refusals) {
            break;
        }
    }
    raw
}

/// A document in each file, in the order of their names.
pub(super) fn files(sources: &[Source], rules: &WordRules, refusals: &mut Refusals<'_>) -> Raw {
    let mut raw = Raw::default();
    let mut sources: Vec<&Source> = sources.iter().collect();
    sources.sort_by(|a, b| a.name.cmp(&b.name));
    let all = sources.len();
    for (number, source) in sources.into_iter().enumerate() {
        if !refusals.go_on(WORDS, number, all) {
            break;
        }
        let Some(file) = text(source, refusals) else { continue };
        raw.guessed += usize::from(file.is_guessed);
        if !raw.push(source.name.clone(), &file.text, rules, source, refusals) {
            break;
        }
    }
    raw
}
