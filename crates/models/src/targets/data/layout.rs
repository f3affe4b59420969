//! Layout of a CSV text: comment lines at its head, the line `sep=;` of Excel, and the character between columns.

use super::cells::COMMENT;

/// Characters that may stand between columns, besides the comma. A line that has one of them has no others.
const SEPARATORS: [char; 2] = [';', '\t'];

/// Characters at the head in which the separator is looked for.
const HEAD: usize = 1 << 16;

/// Lines whose numbers of | are compared.
const COMPARED: usize = 20;

/// What stands around the cells of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout<'a> {
    /// The rows.
    pub(super) rows: &'a str,
    /// Lines above them.
    pub(super) above: u64,
    /// Those of them that are comments.
    pub(super) comments: usize,
    /// The character between columns.
    pub(super) separator: char,
    /// Whether a line `sep=` names it.
    pub(super) is_told: bool,
}

impl<'a> Layout<'a> {
    /// The layout of a text without a byte order mark.
    pub(super) fn of(text: &'a str) -> Self {
        let (mut rest, mut above, mut comments, mut told) = (text, 0, 0, None);
        loop {
            let line = rest.split('\n').next().unwrap_or_default();
            let bare = line.trim();
            if told.is_none() && separator_line(bare).is_some() {
                told = separator_line(bare);
            } else if bare.starts_with(COMMENT) {
                comments += 1;
            } else if !bare.is_empty() || rest.is_empty() {
                break;
            }
            above += 1;
            rest = rest.get(line.len() + 1..).unwrap_or_default();
        }
        Self {
            rows: rest,
            above,
            comments,
            separator: told.unwrap_or_else(|| separator(rest)),
            is_told: told.is_some(),
        }
    }

    /// A reader of the rows.
    pub(super) fn reader(&self) -> csv::Reader<&'a [u8]> {
        csv::ReaderBuilder::new()
            .delimiter(u8::try_from(self.separator).unwrap_or(b','))
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(self.rows.as_bytes())
    }

    /// Whether cells may have commas in them.
    pub(super) fn may_have_commas(&self) -> bool {
        self.separator != ',' || self.rows.contains('"')
    }
}

/// The separator in a line `sep=;`, also in quotes and followed by separators.
fn separator_line(line: &str) -> Option<char> {
    let line = line.trim_matches('"');
    let rest = line.get(..4).filter(|key| key.eq_ignore_ascii_case("sep=")).map(|_| &line[4..])?;
    let separator = rest.chars().next().unwrap_or('\t');
    let is_known = SEPARATORS.contains(&separator) || separator == '|' || separator == ',';
    (is_known && rest.chars().all(|letter| letter == separator || letter == '"')).then_some(separator)
}

/// The character between columns, found in the first line.
fn separator(text: &str) -> char {
    let mut end = text.len().min(HEAD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let head = &text[..end];
    let first = count(head).next().unwrap_or_default();
    // A name may have a semicolon in it: where there are commas too, another line decides.
    let others = |which: usize| count(head).skip(1).take(COMPARED).map(move |counts| counts[which]).sum::<usize>();
    let has = |which: usize| first[which] > 0 && (first[3] == 0 || others(which) > 0 || others(3) == 0);
    match SEPARATORS.iter().enumerate().find(|(which, _)| has(*which)) {
        Some((_, separator)) => *separator,
        None if first[2] > 0 && (first[3] == 0 || is_in_bars(head)) => '|',
        None => ',',
    }
}

/// Whether all of the first lines have as many |, and not as many commas.
fn is_in_bars(head: &str) -> bool {
    let lines: Vec<[usize; 4]> =
        count(head).filter(|counts| counts.iter().any(|count| *count > 0)).take(COMPARED).collect();
    let alike = |which: usize| lines.iter().all(|counts| counts[which] == lines[0][which]);
    lines.len() > 1 && alike(2) && !alike(3)
}

/// How often each line has a semicolon, a tab, a | and a comma outside of quotation marks.
fn count(text: &str) -> impl Iterator<Item = [usize; 4]> {
    let mut lines = text.split('\n');
    std::iter::from_fn(move || {
        let (mut counts, mut quoted) = ([0; 4], false);
        loop {
            let Some(line) = lines.next() else { return quoted.then_some(counts) };
            for letter in line.chars() {
                quoted ^= letter == '"';
                let known = [';', '\t', '|', ','].iter().position(|separator| *separator == letter);
                if let Some(index) = known.filter(|_| !quoted) {
                    counts[index] += 1;
                }
            }
            if !quoted {
                return Some(counts);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_are_found_in_the_first_line() {
        for (text, separator) in [
            ("a,b\n1,2", ','),
            ("a;b\n1,5;2,5", ';'),
            ("a\tb,c\n1\t2", '\t'),
            ("a|b\n1|2", '|'),
            ("1,5|2\n2,5|3\n4|3", '|'),
            ("a|b,c\nx,1", ','),
            ("\"a;b\",c\n1,2", ','),
            ("a;b,c\n1,2\n3,4", ','),
            ("a;b,c\n1;2\n3;4", ';'),
            ("a;b,c", ';'),
            ("\"a\n;b\",c\n1,2", ','),
            ("a", ','),
            ("", ','),
        ] {
            assert_eq!(Layout::of(text).separator, separator, "{text:?}");
        }
    }

    #[test]
    fn lines_above_the_rows_are_counted() {
        for (text, rows, above, comments, separator, is_told) in [
            ("sep=;\na,b;c", "a,b;c", 1, 0, ';', true),
            ("\"sep=;\"\r\na;b", "a;b", 1, 0, ';', true),
            ("SEP=,\na;b,c", "a;b,c", 1, 0, ',', true),
            ("sep=;;\na;b", "a;b", 1, 0, ';', true),
            ("sep=\t\na\tb", "a\tb", 1, 0, '\t', true),
            ("# x\n\n  # y\nsep=|\n# z\na|b", "a|b", 5, 3, '|', true),
            ("sep=x\na", "sep=x\na", 0, 0, ',', false),
            ("# a", "", 1, 1, ',', false),
            ("\n \n", "", 2, 0, ',', false),
        ] {
            let found = Layout::of(text);
            assert_eq!(found, Layout { rows, above, comments, separator, is_told }, "{text:?}");
        }
    }
}
