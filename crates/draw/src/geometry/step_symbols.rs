//! Symbols in the text of a formula: where those stand that the algorithm has a sentence for.

use std::ops::Range;

use samplers::methods::{Algorithm, Symbol};

/// The symbols of an algorithm in a text, in order, each with its bytes. Of two that begin at the same place it is the longer one.
#[must_use]
pub fn symbols_in<'a>(algorithm: &'a Algorithm, text: &str) -> Vec<(Range<usize>, &'a Symbol)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(letter) = text[from..].chars().next() {
        let here = algorithm.symbols.iter().filter(|symbol| stands_at(text, from, symbol.name));
        match here.max_by_key(|symbol| symbol.name.len()) {
            Some(symbol) => {
                found.push((from..from + symbol.name.len(), symbol));
                from += symbol.name.len();
            }
            None => from += letter.len_utf8(),
        }
    }
    found
}

/// Whether a symbol stands at a place of a text: whole, neither as a letter of a word nor without its index or its marks.
fn stands_at(text: &str, at: usize, name: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphabetic();
    let Some(rest) = text[at..].strip_prefix(name) else { return false };
    let (first, last) = (name.chars().next(), name.chars().last());
    let is_begun = first.is_some_and(is_letter) && text[..at].ends_with(is_letter);
    let goes_on = rest.starts_with(|next: char| belongs(next) || is_letter(next) && last.is_some_and(is_letter));
    !(is_begun || goes_on)
}

/// Whether a character is part of the symbol before it: a prime, an index, or a mark above it.
fn belongs(letter: char) -> bool {
    matches!(letter, '′' | 'ⱼ')
        || ('\u{300}'..='\u{36f}').contains(&letter)
        || ('₀'..='ₜ').contains(&letter)
        || ('ᵢ'..='ᵪ').contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use samplers::methods::{METHODS, algorithm, fits};

    fn names(method: &str, text: &str) -> Vec<&'static str> {
        let kind = METHODS.iter().find(|kind| kind.name == method).unwrap();
        symbols_in(algorithm(kind), text).into_iter().map(|(_, symbol)| symbol.name).collect()
    }

    #[test]
    fn symbols_are_found_whole() {
        assert_eq!(names("sgld", "θ ← θ + "), ["θ", "θ"]);
        assert_eq!(names("random-walk", "θ′, θ and p, but no letter of: accepted with probability"), ["θ′", "θ", "p"]);
        assert_eq!(names("adam", "m̂ = m/(1 − β₁^t)"), ["m", "β₁", "t"], "m̂ is another one");
        assert_eq!(names("hmc", "L times: r ← r + "), ["L", "r", "r"]);
    }

    /// What stands between the terms of a formula, and the terms, which say all symbols in them.
    #[test]
    fn every_symbol_of_every_formula_says_what_it_is() {
        for kind in METHODS.iter().filter(|kind| !fits(kind)) {
            let algorithm = algorithm(kind);
            for symbol in &algorithm.symbols {
                let says = algorithm.formulas.iter().flatten().any(|piece| match piece.phase {
                    Some(_) => piece.text.contains(symbol.name),
                    None => symbols_in(algorithm, piece.text).iter().any(|(_, found)| *found == symbol),
                });
                assert!(says, "{}: nothing at the pointer says what {} is", kind.name, symbol.name);
            }
        }
    }
}
