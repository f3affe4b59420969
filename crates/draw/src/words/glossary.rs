//! Glossary: the words of the field as `docs/glossary.md` explains them, and the methods as their entries do.

use std::sync::LazyLock;

use samplers::methods::{METHODS, algorithm};

/// A word, or several words with one meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The section that it is in.
    pub section: &'static str,
    /// The spellings, the usual one first.
    pub spellings: Vec<Spelling>,
    /// What it means: a plain sentence, and more for those who want to know exactly.
    pub meaning: String,
    /// Its symbol; empty for a word without one.
    pub symbol: String,
    /// Where it is used.
    pub used: String,
}

/// A spelling of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// The word or words.
    pub text: String,
    /// Whether texts explain it where it stands: not an ordinary word, which also means something else there.
    pub explained: bool,
}

impl Term {
    /// The usual spelling.
    #[must_use]
    pub fn name(&self) -> &str {
        self.spellings.first().map_or("", |spelling| &spelling.text)
    }

    /// The usual spelling with the abbreviation, if there is one: `Markov chain Monte Carlo (MCMC)`.
    #[must_use]
    pub fn title(&self) -> String {
        let is_short = |text: &str| !text.contains([' ', '-']) && text.chars().filter(|c| c.is_uppercase()).count() > 1;
        let short = self.spellings.iter().skip(1).find(|spelling| is_short(&spelling.text));
        match short {
            Some(short) if !is_short(self.name()) && !self.name().contains(&short.text) => {
                format!("{} ({})", self.name(), short.text)
            }
            _ => self.name().to_owned(),
        }
    }

    /// The first sentence of the meaning, for somebody who knows no statistics.
    #[must_use]
    pub fn plain(&self) -> &str {
        first_sentence(&self.meaning)
    }

    /// Whether it is spelt like this, whatever the case of its letters.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.spellings.iter().any(|spelling| spelling.text.to_lowercase() == text)
    }
}

/// The text up to the end of its first sentence: a stop after a word and before a capital letter.
fn first_sentence(text: &str) -> &str {
    let ends = text.match_indices(". ").find(|(at, _)| {
        let before = text[..*at].chars().next_back();
        let after = text[at + 2..].chars().next();
        before.is_some_and(|c| c.is_alphanumeric() || c == ')') && after.is_some_and(|c| !c.is_lowercase())
    });
    ends.map_or(text, |(at, _)| &text[..=at])
}

static TERMS: LazyLock<Vec<Term>> = LazyLock::new(|| {
    let mut terms = parse(include_str!("../../../../docs/glossary.md"));
    terms.extend(METHODS.iter().map(|method| Term {
        section: "Methods",
        spellings: [method.label, method.name].map(|text| Spelling { text: text.to_owned(), explained: true }).into(),
        meaning: format!("{} {}", algorithm(method).summary, method.help),
        symbol: String::new(),
        used: method.name.to_owned(),
    }));
    terms
});

/// All terms, in order: the rows of the file, then the methods.
#[must_use]
pub fn terms() -> &'static [Term] {
    &TERMS
}

/// The term that is spelt like this.
#[must_use]
pub fn find(text: &str) -> Option<&'static Term> {
    terms().iter().find(|term| term.is(text))
}

/// The row that explains a measure.
#[must_use]
pub fn of_measure(key: &str, label: &str) -> Option<&'static Term> {
    let names = |term: &&Term| {
        term.used.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == key)
    };
    find(label).or_else(|| terms().iter().find(names))
}

/// Reads the rows of four cells under headings of the second level. Marks of code and of stress are left out. The cell of the term has
/// its spellings, with semicolons between them; those in brackets are ordinary words.
fn parse(text: &'static str) -> Vec<Term> {
    let mut section = "";
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading;
        }
        let cells: Vec<String> =
            line.trim_matches('|').split('|').map(|cell| cell.trim().replace(['`', '*'], "")).collect();
        let [term, meaning, symbol, used] = cells.as_slice() else { continue };
        if term == "term" || term.starts_with("---") {
            continue;
        }
        let spelling = |text: &str| {
            let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
            Spelling { text: inner.unwrap_or(text).to_owned(), explained: inner.is_none() }
        };
        let spellings = term.split(';').map(str::trim).map(spelling).collect();
        let [meaning, symbol, used] = [meaning, symbol, used].map(String::clone);
        let symbol = if symbol == "–" { String::new() } else { symbol };
        found.push(Term { section, spellings, meaning, symbol, used });
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use engine::diagnostics::predictions::PREDICTION_MEASURES;
    use engine::diagnostics::topics::TOPICS_MEASURES;
    use engine::diagnostics::{CHAIN_MEASURES, DYNAMICS, FIT_MEASURES, TRUTH_MEASURES};

    #[test]
    fn every_row_of_the_file_is_a_term_and_every_spelling_is_one_of_them() {
        let file = include_str!("../../../../docs/glossary.md");
        let rows = file.lines().filter(|line| line.starts_with("| ")).count();
        let headings = file.lines().filter(|line| line.starts_with("| term")).count();
        assert_eq!(terms().len(), rows - headings + METHODS.len());
        assert!(terms().iter().all(|term| !term.section.is_empty() && term.meaning.ends_with('.')));
        assert!(terms().iter().any(|term| term.symbol.is_empty()) && terms().iter().any(|term| term.symbol == "α"));
        let mut seen = BTreeSet::new();
        for term in terms() {
            let own: BTreeSet<String> = term.spellings.iter().map(|spelling| spelling.text.to_lowercase()).collect();
            for spelling in own {
                assert!(!spelling.is_empty() && seen.insert(spelling.clone()), "{spelling} is explained twice");
            }
        }
    }

    /// What anybody understands: at most thirty words, no signs of mathematics, no keys of files.
    #[test]
    fn every_meaning_begins_with_a_plain_sentence() {
        let plain = |letter: char| {
            letter.is_alphanumeric() && !('α'..='ω').contains(&letter) || " ,;:.’'()-–−%/?".contains(letter)
        };
        for term in terms() {
            let sentence = term.plain();
            let words = sentence.split_whitespace().count();
            assert!((4..=30).contains(&words), "{}: {words} words", term.name());
            let odd: String = sentence.chars().filter(|letter| !plain(*letter)).collect();
            assert!(odd.is_empty() && sentence.ends_with('.'), "{}: {odd} in {sentence}", term.name());
        }
        assert_eq!(first_sentence("It is (much) simpler. The rest."), "It is (much) simpler.");
        assert_eq!(first_sentence("Neal et al. found 1.5 of it."), "Neal et al. found 1.5 of it.");
    }

    #[test]
    fn every_measure_has_a_term() {
        let specs = TRUTH_MEASURES.iter().chain(&CHAIN_MEASURES).chain(&FIT_MEASURES).chain(&DYNAMICS);
        for spec in specs.chain(&PREDICTION_MEASURES).chain(&TOPICS_MEASURES) {
            assert!(of_measure(spec.key, spec.label).is_some(), "{}", spec.key);
        }
        assert_eq!(of_measure("rhat", "R-hat").unwrap().name(), "R-hat");
    }

    #[test]
    fn a_title_has_the_abbreviation() {
        let title = |word: &str| find(word).unwrap().title();
        assert_eq!(title("mcmc"), "Markov chain Monte Carlo (MCMC)");
        assert_eq!(title("ESS"), "bulk ESS", "a name that is short already");
        assert_eq!(title("NUTS"), "NUTS");
        assert_eq!(title("mode"), "mode");
    }
}
