//! Glossary: the words of the field as `docs/glossary.md` explains them, and the methods as their entries do.

use std::sync::LazyLock;

use super::sentences;
use engine::diagnostics::all_measures;
use models::targets::TARGETS;
use samplers::methods::{METHODS, algorithm};
use samplers::schedules::SCHEDULES;

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
    /// Where it is used, with keys of files between marks of code.
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
        sentences::first(&self.meaning)
    }

    /// Where it is used, as it is called on the screen. The keys of files stand at the end.
    #[must_use]
    pub fn used_on_screen(&self) -> String {
        let mut keys = Vec::new();
        let named = self.used.split('`').enumerate().map(|(index, part)| {
            let name = (index % 2 == 1).then(|| name_on_screen(part)).flatten();
            if let Some(name) = name {
                keys.push(part);
                return name;
            }
            part
        });
        let mut words: String = named.collect();
        if let Some(first) = words.chars().next().filter(|first| first.is_lowercase()) {
            words = first.to_uppercase().chain(words.chars().skip(1)).collect();
        }
        match keys.as_slice() {
            [] => words,
            [key] => format!("{words} (key {key})"),
            keys => format!("{words} (keys {})", keys.join(", ")),
        }
    }

    /// Whether it is spelt like this, whatever the case of its letters.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.spellings.iter().any(|spelling| spelling.text.to_lowercase() == text)
    }
}

static TERMS: LazyLock<Vec<Term>> = LazyLock::new(|| {
    let mut terms = parse(include_str!("../../../../docs/glossary.md"));
    terms.extend(METHODS.iter().map(|method| Term {
        section: "Methods",
        spellings: [method.label, method.name].map(|text| Spelling { text: text.to_owned(), explained: true }).into(),
        meaning: format!("{} {}", algorithm(method).summary, method.help),
        symbol: String::new(),
        used: format!("`{}`", method.name),
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

/// What a key of files is called on the screen: a method, a target, a schedule, a measure or a parameter.
fn name_on_screen(key: &str) -> Option<&'static str> {
    let kinds = || METHODS.iter().chain(TARGETS.iter()).chain(SCHEDULES.iter());
    let kind = kinds().find(|kind| kind.name == key).map(|kind| kind.label);
    let measure = || all_measures().find(|spec| spec.key == key).map(|spec| spec.label);
    let last = key.rsplit('.').next().unwrap_or(key);
    let parameter = || kinds().find_map(|kind| kind.param(last)).map(|spec| spec.label);
    kind.or_else(measure).or_else(parameter)
}

/// Reads the rows of four cells under headings of the second level. Marks of stress are left out, and marks of code but
/// for the last cell. The cell of the term has
/// its spellings, with semicolons between them; those in brackets are ordinary words.
fn parse(text: &'static str) -> Vec<Term> {
    let mut section = "";
    let mut found = Vec::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading;
        }
        let cells: Vec<String> = line.trim_matches('|').split('|').map(|cell| cell.trim().replace('*', "")).collect();
        let [term, meaning, symbol, used] = cells.as_slice() else { continue };
        let [term, meaning, symbol] = [term, meaning, symbol].map(|cell| cell.replace('`', ""));
        if term == "term" || term.starts_with("---") {
            continue;
        }
        let spelling = |text: &str| {
            let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
            Spelling { text: inner.unwrap_or(text).to_owned(), explained: inner.is_none() }
        };
        let spellings = term.split(';').map(str::trim).map(spelling).collect();
        let symbol = if symbol == "–" { String::new() } else { symbol };
        found.push(Term { section, spellings, meaning, symbol, used: used.clone() });
    }
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

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
    }

    #[test]
    fn every_measure_has_a_term() {
        for spec in all_measures() {
            assert!(of_measure(spec.key, spec.label).is_some(), "{}", spec.key);
        }
        assert_eq!(of_measure("rhat", "R-hat").unwrap().name(), "R-hat");
    }

    /// Keys have an underscore or a stop; they stand in brackets at the end, if anywhere.
    #[test]
    fn names_on_the_screen_stand_in_the_place_of_keys() {
        let used = |word: &str| find(word).unwrap().used_on_screen();
        assert_eq!(used("mode-weight KL"), "Mode-weight KL (key mode_weight_kl)");
        assert!(
            used("Langevin step").ends_with("(keys langevin, sgld, mala)") && used("Langevin step").contains("SGLD")
        );
        assert_eq!(used("trail"), "Canvas");
        let words = |text: &str| text.split("(key").next().unwrap().replace('`', "");
        for term in terms() {
            assert!(!term.plain().contains('_'), "{}", term.name());
            let used = words(&term.used_on_screen());
            assert!(METHODS.iter().all(|method| method.label == method.name || used != method.name), "{used}");
        }
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
