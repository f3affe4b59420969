//! The bag-of-words format of the UCI repository: `docword` with three lines D, V, number of entries and then a line
//! `document word count` for each entry, counted from 1, and `vocab` with a word on each line.
//!
//! The order of the tokens of a document is not known. Its words come in the order of their lines, each as often as it
//! occurs, and are shuffled, so that both halves of a held-out document are alike.

use super::raw::{Raw, RawDocument};
use super::refusals::{Refusals, text};
use super::{MOST_DOCUMENTS, MOST_ENTRIES, MOST_TOKENS, Source, WORDS};
use base::math::{Purpose, Stream};
use base::params::excerpt;

/// What a line of an entry is.
const ENTRY: &str = "a line with the numbers of a document and of a word, from 1, and a count of at least 1";

/// Entries after which it is looked whether reading goes on.
const LOOKS: usize = 1000;

/// D, V and the number of entries.
#[derive(Clone, Copy, Debug)]
struct Header {
    documents: usize,
    words: usize,
    entries: usize,
}

/// A word of a document, and how often it occurs.
#[derive(Clone, Copy, Debug)]
struct WordCount {
    word: u32,
    count: usize,
    line: usize,
}

/// The documents of counts; a document without entries is an empty one.
pub(super) fn counts(docword: &Source, vocab: &Source, seed: u64, refusals: &mut Refusals<'_>) -> Raw {
    let (counts, words) = (text(docword, refusals), text(vocab, refusals));
    let (Some(counts), Some(words)) = (counts, words) else { return Raw::default() };
    let counts = counts.text.as_ref();
    let Some(header) = header(counts, docword, refusals) else { return Raw::default() };
    let guessed = usize::from(words.is_guessed);
    let words: Vec<String> = words.text.lines().map(|word| word.trim().to_owned()).collect();
    if words.len() != header.words {
        let problem = format!("there are {} words, but {} announces {}", words.len(), docword.name, header.words);
        refusals.file(vocab, problem, "as many lines as the second line of the counts says");
    }
    let documents = entries(counts, header, docword, refusals);
    let mut raw = Raw::over(words, guessed);
    if refusals.is_empty() {
        let named = (1_u64..).zip(documents).map(|(number, entries)| RawDocument {
            name: format!("document {number}"),
            tokens: shuffled(&entries, &mut Stream::derive(seed, Purpose::Data, 0, number)),
            left_out: 0,
        });
        raw.documents.extend(named);
    }
    raw
}

fn header(counts: &str, docword: &Source, refusals: &mut Refusals<'_>) -> Option<Header> {
    let mut lines = counts.lines();
    let limits = [("documents", MOST_DOCUMENTS), ("words", u32::MAX as usize), ("entries", MOST_ENTRIES)];
    let numbers = [0, 1, 2].map(|number| {
        let (what, most) = limits[number];
        let line = lines.next().unwrap_or_default();
        match line.trim().parse::<usize>() {
            Ok(value) if (1..=most).contains(&value) => Some(value),
            _ => {
                let problem = format!("\"{}\" is not a number of {what}", excerpt(line));
                refusals.line(docword, number + 1, problem, format!("a number from 1 to {most}"));
                None
            }
        }
    });
    let [Some(documents), Some(words), Some(entries)] = numbers else { return None };
    Some(Header { documents, words, entries })
}

/// The entries of each document, in the order of their lines.
fn entries(counts: &str, header: Header, docword: &Source, refusals: &mut Refusals<'_>) -> Vec<Vec<WordCount>> {
    let mut documents = vec![Vec::new(); header.documents];
    let (mut found, mut tokens) = (0_usize, 0_usize);
    for (number, text) in counts.lines().enumerate().skip(3).filter(|(_, text)| !text.trim().is_empty()) {
        if found.is_multiple_of(LOOKS) && !refusals.go_on(WORDS, found, header.entries) {
            return documents;
        }
        found += 1;
        let line = number + 1;
        match entry(text, header) {
            Ok((document, word, count)) => {
                tokens = tokens.saturating_add(count);
                documents[document].push(WordCount { word, count, line });
            }
            Err((problem, allowed)) => refusals.line(docword, line, problem, allowed),
        }
        if found > header.entries || tokens > MOST_TOKENS {
            break;
        }
    }
    if tokens > MOST_TOKENS {
        refusals.file(docword, "the counts add up to too many words", format!("at most {MOST_TOKENS} words"));
    } else if found != header.entries {
        let more = if found > header.entries { "more" } else { "fewer" };
        let problem = format!("there are {more} entries than the announced {}", header.entries);
        refusals.line(docword, 3, problem, "the number of lines that follow");
    }
    for (number, document) in documents.iter().enumerate() {
        let mut sorted: Vec<&WordCount> = document.iter().collect();
        sorted.sort_by_key(|entry| (entry.word, entry.line));
        for pair in sorted.windows(2).filter(|pair| pair[0].word == pair[1].word) {
            let problem =
                format!("word {} of document {} is on line {} too", pair[1].word + 1, number + 1, pair[0].line);
            refusals.line(docword, pair[1].line, problem, "one line for each word of a document");
        }
    }
    documents
}

/// Document and word, counted from 0, and count of a line; or what is wrong, and what is allowed.
fn entry(text: &str, header: Header) -> Result<(usize, u32, usize), (String, String)> {
    let wrong = || (format!("\"{}\" is not an entry", excerpt(text)), ENTRY.to_owned());
    let numbers: Vec<usize> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map_err(|_| wrong())?;
    let [document, word, count] = numbers[..] else { return Err(wrong()) };
    let outside = |what: &str, number, most| (format!("there is no {what} {number}"), format!("1 to {most}"));
    if !(1..=header.documents).contains(&document) {
        return Err(outside("document", document, header.documents));
    }
    if !(1..=header.words).contains(&word) {
        return Err(outside("word", word, header.words));
    }
    if count == 0 {
        return Err(("the count is 0".to_owned(), "a count of at least 1".to_owned()));
    }
    Ok((document - 1, u32::try_from(word - 1).unwrap_or(u32::MAX), count))
}

/// Every word as often as it occurs, in random order (Fisher and Yates 1938, as in Durstenfeld 1964).
fn shuffled(entries: &[WordCount], stream: &mut Stream) -> Vec<u32> {
    let mut tokens: Vec<u32> = entries.iter().flat_map(|entry| std::iter::repeat_n(entry.word, entry.count)).collect();
    for last in (1..tokens.len()).rev() {
        let other = stream.below(u32::try_from(last + 1).unwrap_or(u32::MAX));
        tokens.swap(last, other as usize);
    }
    tokens
}
