//! Texts of the input in messages: short, and with nothing in them that a terminal or a window would obey.

use std::borrow::Cow;

use unicode_general_category::{GeneralCategory, get_general_category};

/// The most characters of a key or value that a message repeats; chosen by eye.
const LONGEST: usize = 40;

/// The most characters of a line of a message; the longest list of allowed values has about a third of them.
const LONGEST_LINE: usize = 2000;

/// The text with control characters, line breaks and invisible characters (which turn text around, join it or have no
/// width) as TOML writes them: `\n`, `\u001B`.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_printable) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            _ if is_printable(c) => escaped.push(c),
            _ if u32::from(c) > 0xFFFF => escaped.push_str(&format!("\\U{:08X}", u32::from(c))),
            _ => escaped.push_str(&format!("\\u{:04X}", u32::from(c))),
        }
    }
    Cow::Owned(escaped)
}

/// [`printable`] line by line: the line breaks stay.
#[must_use]
pub fn printable_lines(text: &str) -> String {
    text.split('\n').map(printable).collect::<Vec<_>>().join("\n")
}

/// A message for a person, [`printable`] line by line, without the end of lines that nobody would read.
#[must_use]
pub fn message(text: &str) -> String {
    let line = |line| match printable(line) {
        long if long.chars().count() > LONGEST_LINE => long.chars().take(LONGEST_LINE).chain(['…']).collect(),
        line => line.into_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// The beginning of a key or value for a message, [`printable`].
#[must_use]
pub fn excerpt(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", printable(&text[..end])),
        None => printable(text).into_owned(),
    }
}

fn is_printable(c: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator};
    // Most characters of most texts: no look-up.
    matches!(c, ' '..='~') || !matches!(get_general_category(c), Control | Format | LineSeparator | ParagraphSeparator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_escaped_and_the_rest_stays() {
        assert_eq!(printable("θ = \"β\\n\" 中 é"), "θ = \"β\\n\" 中 é");
        assert_eq!(printable("\u{1b}[2J\u{7f}\u{9b}"), "\\u001B[2J\\u007F\\u009B");
        assert_eq!(printable("a\n\r\tb"), "a\\n\\r\\tb");
        assert_eq!(
            printable("\u{202e}\u{2066}\u{200b}\u{feff}\u{2028}\u{ad}"),
            "\\u202E\\u2066\\u200B\\uFEFF\\u2028\\u00AD"
        );
        assert_eq!(printable("\u{e0041}"), "\\U000E0041");
    }

    #[test]
    fn line_breaks_stay_between_lines() {
        assert_eq!(printable_lines("a\n\u{7}b\n"), "a\n\\u0007b\n");
    }

    #[test]
    fn a_message_keeps_its_lines_and_loses_what_is_too_long() {
        let long = "x".repeat(LONGEST_LINE);
        assert_eq!(message(&format!("\u{1b}a\n{long}y")), format!("\\u001Ba\n{long}…"));
        assert_eq!(message(&long), long);
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(excerpt("short"), "short");
        assert_eq!(excerpt(&"α".repeat(LONGEST)), "α".repeat(LONGEST));
        assert_eq!(excerpt(&"α".repeat(LONGEST + 1)), format!("{}…", "α".repeat(LONGEST)));
    }
}
