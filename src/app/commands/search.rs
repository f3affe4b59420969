//! Search: how well a name matches typed words, and where.

use draw::words::glossary::Term;

/// Words that join others or ask: beside others they need not be found.
const JOINING: [&str; 26] = [
    "a", "an", "the", "of", "in", "on", "for", "and", "or", "to", "with", VERSUS, "what", "why", "when", "how", "is",
    "are", "do", "does", "can", "i", "my", "many", "much", "need",
];

/// Its short forms are read as this one.
const VERSUS: &str = "versus";

/// The rank of a joining word that is not found.
const MISSING: usize = 2;

/// How well a name, with what is said about it, matches a query: lower is better, `None` for not at all. The name itself is best. Every word but those
/// that only join others must be found: at the start of the name, at the start of a word, within one, in the rest, or nearly (a slip of the finger).
#[must_use]
pub fn rank(query: &str, name: &str, about: &str) -> Option<usize> {
    let (query, name, about) = (query.trim().to_lowercase(), name.to_lowercase(), about.to_lowercase());
    let query = query.trim_end_matches(['?', '!']).trim();
    let asked: Vec<&str> = query.split_whitespace().map(whole).collect();
    let has_others = asked.iter().any(|word| !JOINING.contains(word));
    let of = |word: &&str| match rank_of_word(word, &name, &about) {
        rank if has_others && JOINING.contains(word) => Some(rank.unwrap_or(MISSING).min(MISSING)),
        rank => rank,
    };
    let sum: usize = asked.iter().map(of).sum::<Option<usize>>()?;
    Some(match () {
        // Of a command that opens a dialog the dots are no part of the name.
        () if name.trim_end_matches('…') == query => 0,
        () if name.starts_with(query) => 1,
        () => sum + 2,
    })
}

/// The rank of a term of the glossary: that of the spelling that matches best.
#[must_use]
pub fn rank_of_term(query: &str, term: &Term) -> Option<usize> {
    let about = format!("{} {}", term.meaning, term.used);
    term.spellings.iter().filter_map(|spelling| rank(query, &spelling.text, &about)).min()
}

/// The whole of a word that is often written short.
fn whole(word: &str) -> &str {
    if matches!(word, "vs" | "vs.") { VERSUS } else { word }
}

/// The rank of a lesson: that of its title, or of the name of its file, which is shorter, if that matches better.
#[must_use]
pub fn rank_of_lesson(query: &str, title: &str, (file, about): (&str, &str)) -> Option<usize> {
    let by_file = rank(query, &file.replace('-', " "), "").map(|rank| rank + 1);
    [rank(query, title, about), by_file].into_iter().flatten().min()
}

/// The rank of one word; all in lower case.
fn rank_of_word(word: &str, name: &str, about: &str) -> Option<usize> {
    let starts = |text: &str| words(text).any(|other| other.starts_with(word));
    if name.starts_with(word) {
        Some(0)
    } else if starts(name) {
        Some(1)
    } else if name.contains(word) {
        Some(3)
    } else if starts(about) {
        Some(4)
    } else if about.contains(word) {
        Some(6)
    } else {
        words(name).any(|other| is_near(word, other) || leaves_out(word, other)).then_some(8)
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Whether a word is the start of another but for one slip in four letters.
fn is_near(word: &str, other: &str) -> bool {
    let slips = word.chars().count() / 4;
    let start: String = other.chars().take(word.chars().count()).collect();
    slips > 0 && strsim::damerau_levenshtein(word, &start).min(strsim::damerau_levenshtein(word, other)) <= slips
}

/// Whether a word of several letters is another with some letters left out, but for the first.
fn leaves_out(word: &str, other: &str) -> bool {
    let mut rest = other.chars();
    word.chars().count() > 2
        && other.starts_with(word.chars().next().unwrap_or_default())
        && word.chars().all(|letter| rest.any(|other| other == letter))
}

/// Where the words of a query are in a text, as ranges of bytes in order, without overlap.
#[must_use]
pub fn marks(query: &str, text: &str) -> Vec<std::ops::Range<usize>> {
    let query: Vec<Vec<char>> = query.to_lowercase().split_whitespace().map(|word| word.chars().collect()).collect();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(letter) = text[from..].chars().next() {
        let longest = query.iter().filter_map(|word| length(&text[from..], word)).max();
        if let Some(length) = longest {
            found.push(from..from + length);
        }
        from += longest.unwrap_or(letter.len_utf8());
    }
    found
}

/// The bytes that a word takes at the start of a text, whatever the case of its letters.
fn length(text: &str, word: &[char]) -> Option<usize> {
    let mut rest = word;
    for (at, letter) in text.char_indices() {
        if rest.is_empty() {
            return Some(at);
        }
        for lower in letter.to_lowercase() {
            rest = rest.strip_prefix(&[lower])?;
        }
    }
    rest.is_empty().then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that a query finds, best first.
    fn found<'n>(query: &str, names: &[&'n str]) -> Vec<&'n str> {
        let mut ranked: Vec<(usize, &str)> =
            names.iter().filter_map(|name| Some((rank(query, name, "Command")?, *name))).collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn names_that_begin_with_the_query_come_first_then_words_then_parts_then_slips() {
        let names = ["Restep", "First step", "Step size", "Temperature", "Steep hill"];
        assert_eq!(found("step", &names), ["Step size", "First step", "Restep", "Steep hill"]);
        assert_eq!(found("siz st", &names), ["Step size"], "words in any order");
        assert_eq!(found("temprature", &names), ["Temperature"]);
        assert_eq!(found("tempreature", &names), ["Temperature"]);
        assert_eq!(found("tmp", &names), ["Temperature"]);
        assert_eq!(found("zzz", &names), [""; 0]);
        assert_eq!(found("", &names).len(), names.len());
        assert_eq!(found("comm", &names).len(), names.len(), "what is said about them counts as well");
        assert!(rank("ste", "Step", "").unwrap() < rank("step", "Steep", "").unwrap());
        assert_eq!(rank("sweep", "Sweep…", ""), Some(0), "the dots are no part of a name");
    }

    #[test]
    fn words_that_join_others_need_not_be_found() {
        let names = ["MCMC or VI?", "MCMC versus VI at equal cost", "Add MALA"];
        for query in ["mcmc vs vi", "mcmc versus vi", "mcmc or vi", "VI and MCMC"] {
            let mut all = found(query, &names);
            all.sort_unstable();
            assert_eq!(all, names[..2], "{query}");
        }
        assert_eq!(found("mcmc vs vi", &names)[0], names[1]);
        assert_eq!(found("mcmc or vi", &names)[0], names[0]);
        assert_eq!(found("versus", &names), [names[1]], "alone it is a word like others");
        assert_eq!(found("What is MCMC?", &names), names[..2], "as people ask");
    }

    #[test]
    fn a_lesson_is_found_by_the_name_of_its_file() {
        let rank = |query| rank_of_lesson(query, "Steps too small, too large", ("step-sizes", "start-here step-sizes"));
        assert!(rank("step size").unwrap() < 4 && rank("steps too small").unwrap() == 1);
        assert_eq!(rank("momentum"), None);
    }

    #[test]
    fn marks_are_where_the_words_are() {
        let marked = |query, text: &'static str| -> Vec<&str> {
            marks(query, text).into_iter().map(|range| &text[range]).collect()
        };
        assert_eq!(marked("step SIZE", "Step sizes, step by step"), ["Step", "size", "step", "step"]);
        assert_eq!(marked("st step", "Step"), ["Step"], "the longest word");
        assert_eq!(marked("σ ß", "Σ of Straße ΣΣ"), ["Σ", "ß", "Σ", "Σ"]);
        assert_eq!(marked("봉우리", "모든 봉우리를"), ["봉우리"]);
        assert_eq!(marked("x", "none"), [""; 0]);
        assert!(marks("", "anything").is_empty());
    }
}
