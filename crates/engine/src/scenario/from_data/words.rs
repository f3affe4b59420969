//! Words and numbers of a scenario that people read.

/// A line of a comment, which has no line breaks.
pub(super) fn comment(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("# {}\n", base::params::printable(&words.join(" ")))
}

/// A number with two digits.
pub(super) fn rounded(number: f64) -> f64 {
    format!("{number:.1e}").parse().unwrap_or(number)
}
