//! Numbers in cells: with a decimal point or a decimal comma, and with separators of thousands.
//!
//! `1,120` is 1120 where decimals have points, and 1.12 where they have commas. One mark holds for a column. A cell that is a number with
//! one of the marks only, such as 0,5 or 1,234,567, decides for its column, and for columns of the file that have none. Without such a
//! cell a point is a decimal point, and a comma is unclear.

use std::borrow::Cow;

/// The mark before the decimals of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalMark {
    /// 0.5; a comma separates thousands.
    Point,
    /// 0,5; a point separates thousands.
    Comma,
}

impl DecimalMark {
    /// The sign.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }

    /// In words: a decimal point.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Point => "a decimal point",
            Self::Comma => "a decimal comma",
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Point => Self::Comma,
            Self::Comma => Self::Point,
        }
    }
}

/// Separators of thousands besides the other mark: apostrophes, and spaces that break no line.
pub(super) const THOUSANDS: [char; 4] = ['\'', '\u{2019}', '\u{a0}', '\u{202f}'];

/// The minus sign of typeset tables.
const MINUS: char = '\u{2212}';

/// The number that is written in a cell, with this decimal mark.
pub(super) fn number(cell: &str, mark: DecimalMark) -> Option<f64> {
    let cell = match cell.contains(MINUS) {
        true => Cow::Owned(cell.replace(MINUS, "-")),
        false => Cow::Borrowed(cell),
    };
    let plain = match mark {
        DecimalMark::Point => cell.parse().ok(),
        DecimalMark::Comma if cell.contains('.') => None,
        DecimalMark::Comma if cell.contains(',') => cell.replace(',', ".").parse().ok(),
        DecimalMark::Comma => cell.parse().ok(),
    };
    plain.or_else(|| grouped(&cell, mark))
}

/// A number with separators of thousands: one to three digits that begin with none but 1 to 9, then groups of three.
fn grouped(cell: &str, mark: DecimalMark) -> Option<f64> {
    let (sign, digits) = match cell.strip_prefix('-') {
        Some(digits) => (-1.0, digits),
        None => (1.0, cell.strip_prefix('+').unwrap_or(cell)),
    };
    let (whole, decimals) = digits.split_once(mark.sign()).unwrap_or((digits, ""));
    let separator = whole.chars().find(|letter| !letter.is_ascii_digit())?;
    if separator != mark.other().sign() && !THOUSANDS.contains(&separator) {
        return None;
    }
    let mut groups = whole.split(separator);
    let first = groups.next()?;
    let are_digits = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
    let is_right = (1..=3).contains(&first.len())
        && are_digits(first)
        && !first.starts_with('0')
        && groups.all(|group| group.len() == 3 && are_digits(group))
        && are_digits(decimals);
    is_right
        .then(|| format!("{}.{decimals}", whole.replace(separator, "")).parse::<f64>().ok())
        .flatten()
        .map(|x| sign * x)
}

/// Whether a cell is a number with either mark.
pub(super) fn is_number(cell: &str) -> bool {
    number(cell, DecimalMark::Point).is_some() || number(cell, DecimalMark::Comma).is_some()
}

/// Whether a cell has several numbers with spaces between them: the columns of a table of another kind.
pub(super) fn is_row(cell: &str) -> bool {
    !is_number(cell) && cell.split_whitespace().count() > 1 && cell.split_whitespace().all(is_number)
}

/// A cell that is another number with the other mark.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unclear {
    pub(super) line: u64,
    pub(super) cell: String,
}

/// What the cells of a column say of its decimal mark.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    /// Whether some cell is a number with this mark only.
    point: bool,
    comma: bool,
    /// The first cell with a comma that is a number with both.
    comma_or_thousands: Option<Unclear>,
    /// Whether some cell with a point is a number with both.
    point_or_thousands: bool,
    numbers: usize,
    others: usize,
}

impl Evidence {
    /// Notes a cell that is neither empty nor stands for a missing number.
    pub(super) fn note(&mut self, cell: &str, line: u64) {
        // Most cells of most files.
        if !cell.contains([',', '.']) && cell.parse::<f64>().is_ok() {
            self.numbers += 1;
            return;
        }
        match [DecimalMark::Point, DecimalMark::Comma].map(|mark| number(cell, mark)) {
            [None, None] => {
                self.others += 1;
                return;
            }
            [Some(_), None] => self.point = true,
            [None, Some(_)] => self.comma = true,
            [Some(with_point), Some(with_comma)] if (with_point - with_comma).abs() > 0.0 => {
                if cell.contains(',') {
                    self.comma_or_thousands.get_or_insert_with(|| Unclear { line, cell: cell.to_owned() });
                } else {
                    self.point_or_thousands = true;
                }
            }
            _ => {}
        }
        self.numbers += 1;
    }

    /// Whether nearly all of its cells are numbers.
    pub(super) fn is_of_numbers(&self) -> bool {
        self.numbers > 0 && 4 * self.others <= self.numbers
    }

    /// The mark that its own cells decide for; a column with both has points, and its commas are mistakes.
    fn own(&self) -> Option<DecimalMark> {
        match (self.point, self.comma) {
            (true, _) => Some(DecimalMark::Point),
            (false, true) => Some(DecimalMark::Comma),
            (false, false) => None,
        }
    }
}

/// The mark that the cells of a file decide for, if its columns of numbers have one.
pub(super) fn mark_of_file(columns: &[Evidence]) -> Option<DecimalMark> {
    let of_numbers = || columns.iter().filter(|column| column.is_of_numbers());
    match (of_numbers().any(|column| column.point), of_numbers().any(|column| column.comma)) {
        (true, false) => Some(DecimalMark::Point),
        (false, true) => Some(DecimalMark::Comma),
        _ => None,
    }
}

/// The mark of a column in a file that decides for `of_file`.
///
/// # Errors
/// If the cells are numbers with either mark, and none decides.
pub(super) fn mark_of(column: &Evidence, of_file: Option<DecimalMark>) -> Result<DecimalMark, Unclear> {
    if let Some(own) = column.own() {
        return Ok(own);
    }
    match (&column.comma_or_thousands, of_file) {
        (Some(unclear), None) => Err(unclear.clone()),
        (None, None) => Ok(DecimalMark::Point),
        (Some(_), Some(mark)) => Ok(mark),
        (None, Some(mark)) => Ok(if column.point_or_thousands { mark } else { DecimalMark::Point }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DecimalMark::{Comma, Point};

    #[test]
    fn numbers_with_marks_and_thousands() {
        for (cell, with_point, with_comma) in [
            ("12", Some(12.0), Some(12.0)),
            ("-3e-2", Some(-0.03), Some(-0.03)),
            ("\u{2212}0.75", Some(-0.75), None),
            ("\u{2212}0,75", None, Some(-0.75)),
            (".5", Some(0.5), None),
            ("5.", Some(5.0), None),
            (",5", None, Some(0.5)),
            ("+5E-1", Some(0.5), Some(0.5)),
            ("1,5e3", None, Some(1500.0)),
            ("1,120", Some(1120.0), Some(1.12)),
            ("1.120", Some(1.12), Some(1120.0)),
            ("0,120", None, Some(0.12)),
            ("0.120", Some(0.12), None),
            ("1,234,567", Some(1_234_567.0), None),
            ("-1.234.567", None, Some(-1_234_567.0)),
            ("1,234.5", Some(1234.5), None),
            ("1.234,5", None, Some(1234.5)),
            ("1,23,456", None, None),
            ("1234,567", None, Some(1234.567)),
            ("1'234.5", Some(1234.5), None),
            ("1\u{a0}234", Some(1234.0), Some(1234.0)),
            ("1 234", None, None),
            ("1,234.567.8", None, None),
            ("a", None, None),
            ("", None, None),
            ("-", None, None),
        ] {
            assert_eq!([number(cell, Point), number(cell, Comma)], [with_point, with_comma], "{cell}");
        }
    }

    #[test]
    fn one_cell_decides_for_a_column_and_for_a_file() {
        let column = |cells: &[&str]| {
            let mut evidence = Evidence::default();
            cells.iter().zip(2..).for_each(|(cell, line)| evidence.note(cell, line));
            evidence
        };
        let unclear = Err(Unclear { line: 3, cell: "1,120".to_owned() });
        for (cells, others, expected) in [
            (&["1", "1,120"][..], &["2"][..], unclear.clone()),
            (&["1", "1,120", "1,234,567"], &["2"], Ok(Point)),
            (&["1", "1,120", "0,5"], &["2"], Ok(Comma)),
            (&["1", "1,120"], &["0,5"], Ok(Comma)),
            (&["1", "1,120"], &["0.5"], Ok(Point)),
            (&["1", "1,120"], &["1.120"], unclear),
            (&["1", "1,120"], &["a", "b", "0.5"], Err(Unclear { line: 3, cell: "1,120".to_owned() })),
            (&["1", "1.120"], &["2"], Ok(Point)),
            (&["1", "1.120"], &["0,5"], Ok(Comma)),
            (&["1.5", "1.120"], &["0,5"], Ok(Point)),
            (&["1", "2"], &["0,5"], Ok(Point)),
        ] {
            let (own, other) = (column(cells), column(others));
            assert_eq!(mark_of(&own, mark_of_file(&[own.clone(), other])), expected, "{cells:?} {others:?}");
        }
    }
}
