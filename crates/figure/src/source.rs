//! Figures that are source of another program: what lies beside their file, and texts inside of it. Each line of such a text is a comment,
//! between two lines that say what it is.

/// A file, and those that it needs beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The file.
    pub file: Vec<u8>,
    /// What follows the stem of its name in those of other files, such as `-1.png`, and their contents.
    pub beside: Vec<(String, Vec<u8>)>,
}

/// What makes source of a text, with what would be markup escaped.
pub type Written<'a> = &'a dyn Fn(&str) -> String;

/// How the first and the last line of a text go on, after what begins a comment and the name of the text.
const BEGINS: &str = " of this figure, for Sampler Lab:";
const ENDS: &str = " ends here.";

/// Adds a text as comments.
pub(crate) fn add_text(file: &mut String, (comment, name, text): (&str, &str, &str)) {
    file.push_str(&format!("{comment} {name}{BEGINS}\n"));
    for line in text.split('\n') {
        file.push_str(&format!("{comment} |{}\n", line.replace('\r', "\u{240d}")));
    }
    file.push_str(&format!("{comment} {name}{ENDS}\n"));
}

/// The text with a name in the comments of a file, as it was written, if there is one.
#[must_use]
pub fn read_text(bytes: &[u8], comment: &str, name: &str) -> Option<String> {
    let file = std::str::from_utf8(bytes).ok()?;
    let (first, last) = (format!("{comment} {name}{BEGINS}"), format!("{comment} {name}{ENDS}"));
    // Whoever sends a file on may change how its lines end.
    let mut lines = file.lines().skip_while(|line| *line != first).skip(1);
    let mut text = Vec::new();
    let mut ended = false;
    for line in lines.by_ref() {
        if line == last {
            ended = true;
            break;
        }
        let content = line.strip_prefix(comment)?.strip_prefix(" |")?;
        text.push(content.replace('\u{240d}', "\r"));
    }
    ended.then(|| text.join("\n"))
}

/// A length with at most two decimals.
pub(crate) fn number(value: f32) -> String {
    short(&format!("{value:.2}"))
}

/// A number in decimals without zeros at its end, nor a sign of 0.
pub(crate) fn short(text: &str) -> String {
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A text as comments: in lines of some length.
pub(crate) fn add_comment(file: &mut String, comment: &str, text: &str) {
    const LONGEST: usize = 110;
    let mut line = String::from(comment);
    for word in text.split_whitespace() {
        if line.chars().count() + word.chars().count() > LONGEST && line.len() > comment.len() {
            file.push_str(&line);
            file.push('\n');
            line = String::from(comment);
        }
        line.push(' ');
        line.push_str(word);
    }
    if line.len() > comment.len() {
        file.push_str(&line);
        file.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_out_as_it_went_in() {
        for text in ["", "a = 1", "title = \"x\"\r\n\n# b\n  c\n", "scenario ends here.\n"] {
            let mut file = "\\begin{x}\n".to_owned();
            add_text(&mut file, ("%", "scenario", text));
            file.push_str("\\end{x}\n");
            assert_eq!(read_text(file.as_bytes(), "%", "scenario").as_deref(), Some(text));
            assert_eq!(read_text(file.as_bytes(), "%", "other"), None);
            assert_eq!(
                read_text(file.replace('\n', "\r\n").as_bytes(), "%", "scenario").map(|text| text.len()),
                Some(text.len())
            );
            assert_eq!(read_text(&file.as_bytes()[..file.len() - 30], "%", "scenario"), None, "cut off");
        }
    }
}
