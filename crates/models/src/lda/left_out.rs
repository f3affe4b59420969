//! What is left out of a corpus: words by the rule that they fall under, and documents.

/// Words that are named of each rule, at most.
const NAMED: usize = 5;

/// Mean number of letters of a word from which on a text of a script without spaces counts as undivided (chosen by eye: words of
/// Chinese have two letters, of Thai four, what stands between punctuation ten and more).
const UNDIVIDED: f64 = 6.0;

/// A choice of a corpus that leaves words out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Words of a list.
    StopWords,
    /// Words with few letters.
    MinLength,
    /// Words without a letter.
    Numbers,
    /// Parts of words beside an apostrophe.
    Apostrophes,
    /// Words of few documents.
    MinDocuments,
    /// Words of many documents.
    MaxShare,
    /// Words that are less frequent than as many as stay.
    MaxWords,
}

impl Rule {
    /// All of them, in the order in which they apply.
    pub const ALL: [Self; 7] = [
        Self::StopWords,
        Self::Numbers,
        Self::MinLength,
        Self::Apostrophes,
        Self::MinDocuments,
        Self::MaxShare,
        Self::MaxWords,
    ];

    /// The key of the choice in a scenario file.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::StopWords => "stop_words",
            Self::MinLength => "min_length",
            Self::Numbers => "numbers",
            Self::Apostrophes => "apostrophes",
            Self::MinDocuments => "min_documents",
            Self::MaxShare => "max_share",
            Self::MaxWords => "max_words",
        }
    }

    /// Whether it is a limit of the vocabulary, which depends on all documents.
    const fn limits_the_vocabulary(self) -> bool {
        matches!(self, Self::MinDocuments | Self::MaxShare | Self::MaxWords)
    }

    /// The share of tokens, of those that are no stop words, above which it is worth a warning (chosen by eye): a list of stop
    /// words does what it says, a common word may be what a corpus is about.
    const fn worth_a_warning(self) -> f64 {
        match self {
            Self::StopWords => f64::INFINITY,
            Self::MinLength | Self::Numbers | Self::Apostrophes => 0.1,
            Self::MinDocuments | Self::MaxWords => 0.5,
            Self::MaxShare => 0.0,
        }
    }
}

/// Words that a rule left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The rule.
    pub rule: Rule,
    /// Number of different words.
    pub words: usize,
    /// How often they occur in all documents.
    pub tokens: usize,
    /// The most frequent of them.
    pub most: Vec<String>,
}

impl LeftOut {
    /// Words with the numbers of their tokens; `None` without any.
    pub(super) fn of<'a>(rule: Rule, words: impl Iterator<Item = (&'a str, usize)>) -> Option<Self> {
        let mut counts: Vec<(&str, usize)> = words.collect();
        counts.sort_unstable_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(other.0)));
        let most = counts.iter().take(NAMED).map(|(word, _)| (*word).to_owned()).collect();
        let tokens = counts.iter().map(|(_, tokens)| tokens).sum();
        (!counts.is_empty()).then_some(Self { rule, words: counts.len(), tokens, most })
    }

    /// The rule, its numbers and its most frequent words.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Self { rule, words, tokens, most } = self;
        let and_more = if most.len() < *words { ", …" } else { "" };
        format!("{} {tokens} ({}: {}{and_more})", rule.key(), counted(*words, "word"), most.join(", "))
    }
}

/// What was left out of a corpus.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dropped {
    /// Documents without any token: no words at all, or only such as stop words and short ones.
    pub empty: usize,
    /// Documents all of whose words the limits of the vocabulary removed.
    pub emptied: usize,
    /// Tokens that stay, also those of held-out documents.
    pub kept: usize,
    /// Words that were left out, in the order of the rules.
    pub words: Vec<LeftOut>,
    /// Mean number of letters of words of scripts without spaces, if that looks as if a text was not divided into words.
    pub undivided: Option<f64>,
    /// Files that are no UTF-8 and were read as Windows-1252.
    pub guessed: usize,
}

impl Dropped {
    /// The mean number of letters, if it is worth a word.
    pub(super) fn undivided(words: usize, letters: usize) -> Option<f64> {
        Some(letters as f64 / words as f64).filter(|mean| *mean >= UNDIVIDED)
    }

    /// Number of tokens that were left out.
    #[must_use]
    pub fn tokens(&self) -> usize {
        self.words.iter().map(|left| left.tokens).sum()
    }

    /// Number of tokens that the limits of the vocabulary left out.
    #[must_use]
    pub fn pruned(&self) -> usize {
        self.words.iter().filter(|left| left.rule.limits_the_vocabulary()).map(|left| left.tokens).sum()
    }

    /// What is worth a warning, in words; `None` if nothing is.
    #[must_use]
    pub fn in_words(&self) -> Option<String> {
        let Self { empty, emptied, .. } = self;
        let all = empty + emptied;
        let are = if all == 1 { "is" } else { "are" };
        let documents = (all > 0).then(|| {
            let documents = counted(all, "document");
            format!("{documents} {are} left out: {empty} without words, {emptied} with none of the words that stay")
        });
        let is_stop = |left: &&LeftOut| left.rule == Rule::StopWords;
        let stop: usize = self.words.iter().filter(is_stop).map(|left| left.tokens).sum();
        let others = (self.kept + self.tokens() - stop) as f64;
        let large = |left: &&LeftOut| left.tokens as f64 > left.rule.worth_a_warning() * others;
        let large: Vec<String> = self.words.iter().filter(large).map(LeftOut::in_words).collect();
        let words = (!large.is_empty()).then(|| format!("left out of {others} tokens are: {}", large.join("; ")));
        let undivided = self.undivided.map(|letters| {
            format!(
                "words of a script without spaces have {letters:.1} letters on average: divide the text into words by spaces, or \
                 choose unspaced = \"characters\""
            )
        });
        let guessed = (self.guessed > 0).then(|| {
            let (files, are) = (counted(self.guessed, "file"), if self.guessed == 1 { "is" } else { "are" });
            format!(
                "{files} {are} not in UTF-8 and {are} read as Windows-1252: in another encoding some letters are others"
            )
        });
        let mut sentences = [documents, words, undivided, guessed].into_iter().flatten();
        let first = sentences.next()?;
        Some(sentences.fold(first, |text, sentence| format!("{text}. {}", capitalised(&sentence))))
    }

    /// All words that were left out; `None` if there are none.
    #[must_use]
    pub fn words_in_words(&self) -> Option<String> {
        let rules: Vec<String> = self.words.iter().map(LeftOut::in_words).collect();
        let (left, all) = (self.tokens(), self.kept + self.tokens());
        (!rules.is_empty()).then(|| format!("of {all} tokens {left} are left out: {}", rules.join("; ")))
    }
}

/// A sentence behind another one.
fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// A number of things.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
