//! Sentences of a text.

/// The ends of the sentences of a text, in bytes: after each stop before a space, unless a small letter follows, and at its end.
#[must_use]
pub fn ends(text: &str) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices(['.', '!', '?']) {
        let mut after = text[at + 1..].chars();
        let space = after.next().is_some_and(char::is_whitespace);
        if space && after.next().is_some_and(|letter| !letter.is_lowercase()) {
            found.push(at + 1);
        }
    }
    if !text.is_empty() {
        found.push(text.len());
    }
    found
}

/// The text up to the end of its first sentence.
#[must_use]
pub fn first(text: &str) -> &str {
    ends(text).first().map_or(text, |end| &text[..*end])
}

/// The questions of a text, one after the other.
#[must_use]
pub fn questions(text: &str) -> String {
    each_question(text).join(" ")
}

/// The questions of a text.
#[must_use]
pub fn each_question(text: &str) -> Vec<&str> {
    let mut begun = 0;
    let sentences = ends(text).into_iter().map(|end| text[std::mem::replace(&mut begun, end)..end].trim());
    sentences.filter(|sentence| sentence.ends_with('?')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_at_a_stop_before_a_space() {
        assert_eq!(first("Radius 0.25 counts. Then more."), "Radius 0.25 counts.");
        assert_eq!(first("Why?\nBecause."), "Why?");
        assert_eq!(first("One sentence only."), "One sentence only.");
        assert_eq!(first(""), "");
        assert_eq!(first("It is (much) simpler. The rest."), "It is (much) simpler.");
        assert_eq!(first("Neal et al. found 1.5 of it."), "Neal et al. found 1.5 of it.");
        let text = "One. Two? Three of θ′. Four";
        assert_eq!(ends(text).len(), 4);
        assert_eq!(questions("One. Two? It is 3.5. And four?"), "Two? And four?");
        assert_eq!(questions("Nothing is asked."), "");
        assert_eq!(ends(text).last(), Some(&text.len()));
    }
}
