//! Terms in running texts: which words of a lesson, a legend or an axis the glossary explains, and where they stand.

use std::ops::Range;
use std::sync::LazyLock;

use super::glossary::{Term, terms};

/// A term in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// What it is.
    pub term: &'static Term,
    /// Whether the same term stands before it in the text.
    pub again: bool,
}

/// A spelling in the order in which they are tried.
struct Candidate {
    /// In lower case, unless its capitals matter.
    text: String,
    exact: bool,
    term: &'static Term,
}

/// All spellings that texts explain, the longest first.
static CANDIDATES: LazyLock<Vec<Candidate>> = LazyLock::new(|| {
    let mut all: Vec<Candidate> = Vec::new();
    for term in terms() {
        for spelling in term.spellings.iter().filter(|spelling| spelling.explained) {
            let text = &spelling.text;
            let exact = text.chars().count() < 3 || text.chars().filter(|letter| letter.is_uppercase()).count() > 1;
            let text = if exact { text.clone() } else { text.to_lowercase() };
            all.push(Candidate { text, exact, term });
        }
    }
    all.sort_by_key(|candidate| std::cmp::Reverse(candidate.text.len()));
    all
});

/// The terms of a text from its start to its end: whole words, the longest spelling at each position. A plural is the same term.
#[must_use]
pub fn mentions(text: &str) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let (mut from, mut before) = (0, None::<char>);
    while let Some(letter) = text[from..].chars().next() {
        let begins = !before.is_some_and(is_inner);
        let here = begins.then(|| CANDIDATES.iter().find_map(|one| Some((length(&text[from..], one)?, one.term))));
        let end = match here.flatten().filter(|(length, _)| !is_verb(&text[from..], *length)) {
            Some((length, term)) => {
                let again = found.iter().any(|mention| mention.term == term);
                found.push(Mention { range: from..from + length, term, again });
                from + length
            }
            None => from + letter.len_utf8(),
        };
        before = text[from..end].chars().next_back();
        from = end;
    }
    found
}

/// Whether a word of this length is one that tells what to do, and not the noun that it looks like: "draw a number", not "a draw".
fn is_verb(text: &str, length: usize) -> bool {
    /// Words that look alike, and what follows the verb.
    const VERBS: [&str; 1] = ["draw"];
    const OBJECTS: [&str; 7] = ["a ", "an ", "the ", "it ", "two ", "every ", "from "];
    let (word, after) = text.split_at(length);
    let follows = after.strip_prefix(' ').is_some_and(|after| OBJECTS.iter().any(|object| after.starts_with(object)));
    follows && VERBS.iter().any(|verb| word.eq_ignore_ascii_case(verb))
}

/// What is part of a word, so that none begins or ends beside it.
fn is_inner(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The bytes that a spelling, or its plural, takes at the start of a text; `None` if another word is there.
fn length(text: &str, candidate: &Candidate) -> Option<usize> {
    let stem = candidate.text.strip_suffix('y').filter(|_| !candidate.exact);
    let plural = stem.and_then(|stem| whole(text, stem, candidate.exact, &["ies"]));
    whole(text, &candidate.text, candidate.exact, &["", "s", "es"]).or(plural)
}

/// The bytes of a spelling with one of some endings, if a word ends there.
fn whole(text: &str, spelling: &str, exact: bool, endings: &[&str]) -> Option<usize> {
    let mut rest = text.char_indices();
    for letter in spelling.chars() {
        let (_, other) = rest.next()?;
        if other != letter && (exact || !other.to_lowercase().eq([letter])) {
            return None;
        }
    }
    let rest = rest.as_str();
    let begun = text.len() - rest.len();
    endings.iter().find_map(|ending| {
        let after = rest.strip_prefix(ending)?;
        (!after.chars().next().is_some_and(is_inner)).then_some(begun + ending.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, &'static str)> {
        mentions(text).into_iter().map(|mention| (&text[mention.range.clone()], mention.term.name())).collect()
    }

    #[test]
    fn whole_words_are_found_the_longest_first_and_in_the_plural() {
        assert_eq!(found("The step sizes of SGLD."), [("step sizes", "step size"), ("SGLD", "SGLD")]);
        assert_eq!(
            found("Gradient noise is no gradient"),
            [("Gradient noise", "gradient noise"), ("gradient", "gradient")]
        );
        assert_eq!(found("densities, modeled"), [("densities", "density")]);
        assert_eq!(found("KL(q‖p) of q"), [("KL(q‖p)", "KL(q‖p)"), ("q", "approximation")]);
        assert_eq!(found("a map, a MAP"), [("MAP", "MAP estimate")], "capitals of an abbreviation matter");
        assert!(found("the formula on the left").is_empty(), "ordinary words");
        assert!(found("θ_mode modes_visited").is_empty(), "names of the code");
        assert!(found("").is_empty());
    }

    #[test]
    fn a_verb_is_not_the_noun_that_it_looks_like() {
        assert!(found("Draw a new one; it cannot draw from it").is_empty());
        assert_eq!(found("a draw of the run, its Draws"), [("draw", "draw"), ("Draws", "draw")]);
        for method in &samplers::methods::METHODS {
            for line in &samplers::methods::algorithm(method).lines {
                let first = found(line.words).first().map(|(text, _)| *text);
                let begins = first.is_some_and(|text| line.words.starts_with(text) && text.to_lowercase() == "draw");
                assert!(!begins, "{}: {}", method.name, line.words);
            }
        }
    }

    #[test]
    fn a_term_that_comes_again_says_so() {
        let again: Vec<bool> =
            mentions("Modes: a mode, and ESS or effective draws").iter().map(|one| one.again).collect();
        assert_eq!(again, [false, true, false, true]);
    }
}
