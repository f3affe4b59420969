//! Glossary: the words of the field as `docs/glossary.md` explains them, for the help and for the palette.

use std::sync::LazyLock;

/// A row of the glossary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The section that it is in.
    pub section: &'static str,
    /// The word.
    pub term: String,
    /// What it means, in one sentence.
    pub meaning: String,
    /// Its symbol; empty for a word without one.
    pub symbol: String,
    /// Where it is used.
    pub used: String,
}

static TERMS: LazyLock<Vec<Term>> = LazyLock::new(|| parse(include_str!("../../../docs/glossary.md")));

/// All rows, in order.
#[must_use]
pub fn terms() -> &'static [Term] {
    &TERMS
}

/// The row that explains a measure.
#[must_use]
pub fn of_measure(key: &str, label: &str) -> Option<&'static Term> {
    let names = |term: &&Term| {
        term.used.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == key)
    };
    let same = |term: &&Term| term.term.eq_ignore_ascii_case(label);
    terms().iter().find(same).or_else(|| terms().iter().find(names))
}

/// Reads the rows of four cells under headings of the second level. Marks of code and of stress are left out.
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
        let [term, meaning, symbol, used] = [term, meaning, symbol, used].map(String::clone);
        let symbol = if symbol == "–" { String::new() } else { symbol };
        found.push(Term { section, term, meaning, symbol, used });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::diagnostics::predictions::PREDICTION_MEASURES;
    use engine::diagnostics::topics::TOPICS_MEASURES;
    use engine::diagnostics::{CHAIN_MEASURES, DYNAMICS, FIT_MEASURES, TRUTH_MEASURES};

    #[test]
    fn every_row_of_the_file_is_a_term() {
        let rows = include_str!("../../../docs/glossary.md").lines().filter(|line| line.starts_with("| ")).count();
        let headings =
            include_str!("../../../docs/glossary.md").lines().filter(|line| line.starts_with("| term")).count();
        assert_eq!(terms().len(), rows - headings);
        assert!(terms().iter().all(|term| !term.section.is_empty() && term.meaning.ends_with('.')));
        assert_eq!(terms()[0].term, "target");
        assert!(terms().iter().any(|term| term.symbol.is_empty()) && terms().iter().any(|term| term.symbol == "α"));
    }

    #[test]
    fn every_measure_has_a_term() {
        let specs = TRUTH_MEASURES.iter().chain(&CHAIN_MEASURES).chain(&FIT_MEASURES).chain(&DYNAMICS);
        for spec in specs.chain(&PREDICTION_MEASURES).chain(&TOPICS_MEASURES) {
            assert!(of_measure(spec.key, spec.label).is_some(), "{}", spec.key);
        }
        assert_eq!(of_measure("rhat", "R-hat").unwrap().term, "R-hat");
    }
}
