//! Comments of a scenario file: what is lost when the file is written anew.

/// Comments of a TOML text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    /// The lines before the first key or table, if there is a comment among them.
    pub head: String,
    /// Number of comments after them.
    pub others: usize,
}

impl Comments {
    /// The comments of a text; of one that is no TOML, what looks like them.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let (mut others, mut rest) = (0, text);
        let head = head(text);
        rest = &rest[head.len()..];
        while let Some(at) = rest.find(['#', '"', '\'']) {
            let found = &rest[at..];
            rest = match found.chars().next() {
                Some('#') => {
                    others += 1;
                    found.find('\n').map_or("", |end| &found[end..])
                }
                _ => after_string(found),
            };
        }
        let head = if head.contains('#') { head.to_owned() } else { String::new() };
        Self { head, others }
    }
}

/// The lines at the beginning that are empty or comments.
fn head(text: &str) -> &str {
    let is_head = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with('#');
    let length = text.split_inclusive('\n').take_while(is_head).map(str::len).sum();
    &text[..length]
}

/// What follows a string at the beginning of a text.
fn after_string(text: &str) -> &str {
    for (quote, escapes) in [("\"\"\"", true), ("'''", false), ("\"", true), ("'", false)] {
        let Some(inside) = text.strip_prefix(quote) else { continue };
        let mut at = 0;
        while let Some(end) = inside[at..].find(['\\', '\n', '"', '\'']) {
            let found = &inside[at + end..];
            if let Some(after) = found.strip_prefix(quote) {
                return after;
            }
            if quote.len() == 1 && found.starts_with('\n') {
                return found;
            }
            let escaped =
                if escapes && found.starts_with('\\') { found.chars().nth(1).map_or(0, char::len_utf8) } else { 0 };
            at += end + 1 + escaped;
        }
        return "";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_told_from_strings() {
        let text = "# one\n\n  # two\nformat = 1 # three\ntitle = \"a # b \\\" # c\" # four\ncaption = '''\n# no\n'''\nb = '#' #five\n\
                    c = \"\"\"\n# no \\\"\"\" # no\n\"\"\"\n#six";
        assert_eq!(Comments::of(text), Comments { head: "# one\n\n  # two\n".to_owned(), others: 4 });
        assert_eq!(Comments::of("format = 1\n"), Comments::default());
        assert_eq!(Comments::of("\nformat = 1\n"), Comments::default());
        assert_eq!(Comments::of("a = \"open # string\n# and a comment").others, 1);
        assert_eq!(Comments::of("# all\n").head, "# all\n");
        assert_eq!(Comments::of("a = \"\\").others, 0);
    }
}
