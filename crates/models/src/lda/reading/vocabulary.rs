//! From documents as they are read to a corpus: the words that stay, and the documents that are held out.

use super::raw::{Raw, RawDocument};
use super::tokens::WordRules;
use super::{BAGS, MOST_ENTRIES, Progress, Refusals};
use crate::lda::{Corpus, Documents, Dropped, LeftOut, Rule};
use base::params::ParamError;

/// Fewest documents, and fewest words, of a corpus.
const FEWEST: usize = 2;

/// A word that does not stay.
const GONE: u32 = u32::MAX;

/// How texts become a corpus.
#[derive(Clone, Debug, PartialEq)]
pub struct Preparation {
    /// What is a word, and which words are left out whatever their frequency.
    pub words: WordRules,
    /// Words in fewer documents are left out.
    pub min_documents: usize,
    /// Words in a larger share of the documents are left out, from 0 to 1.
    pub max_share: f64,
    /// Number of words that stay, the most frequent ones. Of equally frequent words the first in the order of code points stay.
    pub max_words: Option<usize>,
    /// Every so many documents, the last one is held out; `None` holds out none.
    pub holdout_every: Option<usize>,
    /// Seed of the order of tokens where a file has only counts.
    pub seed: u64,
}

impl Default for Preparation {
    fn default() -> Self {
        Self {
            words: WordRules::default(),
            min_documents: 3,
            max_share: 0.5,
            max_words: None,
            holdout_every: Some(10),
            seed: 1,
        }
    }
}

/// A corpus of all words.
pub(super) fn whole(raw: Raw, preparation: &Preparation, progress: &Progress) -> Result<Corpus, Vec<ParamError>> {
    let numbers = (0..).take(raw.vocabulary.len()).collect::<Vec<u32>>();
    let dropped = raw.dropped();
    corpus(raw.documents, raw.vocabulary, &numbers, dropped, (preparation, progress))
}

/// A corpus of the words within the limits, sorted by code point. All documents count, also those held out.
pub(super) fn pruned(raw: Raw, preparation: &Preparation, progress: &Progress) -> Result<Corpus, Vec<ParamError>> {
    let (documents_with, totals) = frequencies(&raw);
    let most = preparation.max_share * raw.documents.len() as f64;
    let (mut kept, mut rare, mut common, mut beyond) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (number, &with) in documents_with.iter().enumerate() {
        if with < preparation.min_documents {
            rare.push(number);
        } else if with as f64 > most {
            common.push(number);
        } else {
            kept.push(number);
        }
    }
    kept.sort_by(|a, b| raw.vocabulary[*a].cmp(&raw.vocabulary[*b]));
    if let Some(most) = preparation.max_words.filter(|most| *most < kept.len()) {
        // A stable sort: ties stay in the order of code points.
        kept.sort_by(|a, b| totals[*b].cmp(&totals[*a]));
        beyond = kept.split_off(most);
        kept.sort_by(|a, b| raw.vocabulary[*a].cmp(&raw.vocabulary[*b]));
    }
    let mut dropped = raw.dropped();
    for (rule, words) in [(Rule::MinDocuments, rare), (Rule::MaxShare, common), (Rule::MaxWords, beyond)] {
        let counted = |number: usize| (raw.vocabulary[number].as_str(), totals[number]);
        dropped.words.extend(LeftOut::of(rule, words.into_iter().map(counted)));
    }
    let mut numbers = vec![GONE; raw.vocabulary.len()];
    for (new, &old) in (0..).zip(&kept) {
        numbers[old] = new;
    }
    let vocabulary = kept.into_iter().map(|number| raw.vocabulary[number].clone()).collect();
    corpus(raw.documents, vocabulary, &numbers, dropped, (preparation, progress))
}

/// In how many documents each word occurs, and how often in all.
fn frequencies(raw: &Raw) -> (Vec<usize>, Vec<usize>) {
    let words = raw.vocabulary.len();
    let (mut with, mut totals, mut last) = (vec![0; words], vec![0; words], vec![usize::MAX; words]);
    for (number, document) in raw.documents.iter().enumerate() {
        for &word in &document.tokens {
            let word = word as usize;
            totals[word] += 1;
            with[word] += usize::from(last[word] != number);
            last[word] = number;
        }
    }
    (with, totals)
}

/// Renumbers words, drops documents without any, and holds some of the others out.
fn corpus(
    documents: Vec<RawDocument>,
    vocabulary: Vec<String>,
    numbers: &[u32],
    mut dropped: Dropped,
    (preparation, progress): (&Preparation, &Progress),
) -> Result<Corpus, Vec<ParamError>> {
    let (mut training, mut held_out) = (Documents::default(), Documents::default());
    let (mut kept, all) = (0, documents.len());
    for (number, document) in documents.into_iter().enumerate() {
        if !progress.tell(BAGS, number, all) {
            break;
        }
        let tokens: Vec<u32> =
            document.tokens.iter().map(|word| numbers[*word as usize]).filter(|word| *word != GONE).collect();
        if tokens.is_empty() {
            dropped.empty += usize::from(document.tokens.is_empty());
            dropped.emptied += usize::from(!document.tokens.is_empty());
            continue;
        }
        kept += 1;
        let is_held_out = preparation.holdout_every.is_some_and(|every| kept % every.max(1) == 0);
        dropped.kept += tokens.len();
        let left_out = document.left_out + u32::try_from(document.tokens.len() - tokens.len()).unwrap_or(u32::MAX);
        if is_held_out { &mut held_out } else { &mut training }.push_part(document.name, &tokens, left_out);
    }
    let corpus = Corpus { vocabulary, training, held_out, truth: None, dropped };
    check(&corpus, progress)?;
    Ok(corpus)
}

fn check(corpus: &Corpus, progress: &Progress) -> Result<(), Vec<ParamError>> {
    let mut refusals = Refusals::new(progress);
    let (documents, words) = (corpus.training.len(), corpus.words());
    if documents < FEWEST {
        let Dropped { empty, emptied, .. } = corpus.dropped;
        let held_out = corpus.held_out.len();
        let problem = format!(
            "documents to learn from: {documents}; {empty} have no words, {emptied} none that stay, {held_out} are held out"
        );
        refusals.add("corpus", problem, format!("at least {FEWEST} documents"));
    }
    if words < FEWEST {
        let problem = match corpus.dropped.words_in_words() {
            Some(left_out) => format!("words that stay: {words}; {left_out}"),
            None => format!("words that stay: {words}"),
        };
        refusals.add("corpus", problem, format!("at least {FEWEST} words"));
    }
    let entries = corpus.training.entry_count() + corpus.held_out.entry_count();
    if entries > MOST_ENTRIES {
        let problem = format!("the documents have {entries} pairs of a document and a word of it");
        refusals.add("corpus", problem, format!("at most {MOST_ENTRIES}"));
    }
    refusals.finish()
}
