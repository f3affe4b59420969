//! The glossary: rows of four cells, each term once, each measure explained.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use sampler_lab::diagnostics::all_measures;

#[test]
fn the_glossary_is_a_plain_table_that_explains_every_measure() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/glossary.md");
    let text = fs::read_to_string(path).unwrap();
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| term |"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let mut terms = BTreeSet::new();
    for row in &rows {
        let [term, meaning, symbol, used] = row[..] else { panic!("not four cells: {row:?}") };
        assert!(terms.insert(term), "{term} is explained twice");
        assert!(meaning.ends_with('.') && meaning.len() < 240, "{term}: {meaning}");
        assert!(!symbol.is_empty() && !used.is_empty(), "{term} has an empty cell");
    }
    for spec in all_measures() {
        assert!(rows.iter().any(|row| row[3].contains(&format!("`{}`", spec.key))), "{} is not explained", spec.key);
    }
}
