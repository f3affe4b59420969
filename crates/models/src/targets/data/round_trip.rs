//! Tests: random tables in random layouts, written by a rule of its own and read back.

use proptest::prelude::*;

use super::numbers::DecimalMark;
use super::reading::MissingChoice;
use super::{Cells, ColumnKind, DecimalChoice, Folder, Reading, Sheet, read_named};
use crate::encoding::Encoding;
use base::params::{ParamType, Settings, Value};

/// How a table is written.
#[derive(Clone, Debug)]
struct Dialect {
    separator: char,
    comma: bool,
    thousands: bool,
    quotes: bool,
    told: bool,
    comments: usize,
    encoding: u8,
    line: &'static str,
    minus: char,
    missing: &'static str,
}

fn dialects() -> impl Strategy<Value = Dialect> {
    let marks = (prop::sample::select(vec![',', ';', '\t', '|']), any::<[bool; 4]>(), 0..3_usize, 0..5_u8);
    let words = (prop::sample::select(vec!["\n", "\r\n"]), prop::sample::select(vec!['-', '\u{2212}']));
    (marks, words, prop::sample::select(vec!["NA", "", "?", "missing"])).prop_map(|(marks, (line, minus), missing)| {
        let (separator, [comma, thousands, quotes, told], comments, encoding) = marks;
        // Windows-1252 has no other minus.
        let minus = if encoding == 4 { '-' } else { minus };
        Dialect { separator, comma, thousands, quotes, told, comments, encoding, line, minus, missing }
    })
}

/// A number is so many hundredths; `None` is missing.
type Cell = Option<i64>;

fn tables() -> impl Strategy<Value = Vec<[Cell; 3]>> {
    let cell = || prop::option::weighted(0.9, prop_oneof![-99_999_999..99_999_999_i64, -500..500_i64, Just(112_000)]);
    prop::collection::vec([cell(), cell(), cell()], 2..12)
}

impl Dialect {
    /// Digits by hand, so that no rule of the reader is used.
    fn number(&self, hundredths: i64) -> String {
        let (mark, other) = if self.comma { (',', '.') } else { ('.', ',') };
        let whole = (hundredths.abs() / 100).to_string();
        let mut text = String::new();
        if hundredths < 0 {
            text.push(self.minus);
        }
        for (index, digit) in whole.chars().enumerate() {
            if self.thousands && index > 0 && (whole.len() - index).is_multiple_of(3) {
                text.push(other);
            }
            text.push(digit);
        }
        let rest = hundredths.abs() % 100;
        if rest > 0 { format!("{text}{mark}{rest:02}") } else { text }
    }

    fn cell(&self, cell: Cell) -> String {
        let text = cell.map_or_else(|| self.missing.to_owned(), |hundredths| self.number(hundredths));
        if self.quotes || text.contains(self.separator) { format!("\"{text}\"") } else { text }
    }

    fn file(&self, table: &[[Cell; 3]]) -> Vec<u8> {
        let mut lines: Vec<String> =
            (0..self.comments).map(|comment| format!("# comment; {comment}, of\tme")).collect();
        if self.told {
            lines.insert(0, format!("sep={}", self.separator));
        }
        let row = |cells: [String; 4]| cells.join(&self.separator.to_string());
        lines.push(row(["name", "a b", "c", "d"].map(str::to_owned)));
        for (number, cells) in table.iter().enumerate() {
            let [a, b, c] = cells.map(|cell| self.cell(cell));
            lines.push(row([format!("né € {number}"), a, b, c]));
        }
        let text = lines.join(self.line) + self.line;
        match self.encoding {
            0 => text.into_bytes(),
            1 => [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
            2 => [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect(),
            4 => {
                let western = |character| match character {
                    '€' => 0x80,
                    'é' => 0xE9,
                    plain => u8::try_from(u32::from(plain)).unwrap(),
                };
                text.chars().map(western).collect()
            }
            _ => [0xFE, 0xFF].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect(),
        }
    }
}

/// Columns of the file by the reader of targets.
fn columns(folder: &Folder, decimal: DecimalChoice) -> Result<Vec<Vec<f64>>, String> {
    let mut settings = Settings::defaults(&super::CSV);
    settings.set("path", Value::Text("a.csv".to_owned())).unwrap();
    for (key, word) in [("decimal", decimal.word()), ("missing", MissingChoice::LeaveOut.word())] {
        let ParamType::Choice(choices) = super::CSV.param(key).unwrap().ty else { panic!() };
        let name = choices.iter().find(|choice| choice.name == word).unwrap().name;
        settings.set(key, Value::Choice(name)).unwrap();
    }
    let wanted = ["a b", "c", "d"].map(|name| ("column", name, Cells::Measure));
    match read_named(&settings, folder, &wanted) {
        Ok(found) => Ok(found.into_iter().map(|(values, _)| values).collect()),
        Err(errors) => Err(errors[0].to_string()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(table in tables(), dialect in dialects()) {
        let bytes = dialect.file(&table);
        let sheet = Sheet::read(&bytes, &Reading::default()).unwrap();
        prop_assert_eq!((sheet.separator, sheet.comments, sheet.rows), (dialect.separator, dialect.comments, table.len()));
        prop_assert_eq!(sheet.separator_is_told, dialect.told);
        let encodings = [Encoding::Utf8, Encoding::Utf8WithMark, Encoding::Utf16Le, Encoding::Utf16Be, Encoding::Windows1252];
        prop_assert_eq!(sheet.encoding, encodings[usize::from(dialect.encoding)]);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.csv"), &bytes).unwrap();
        let whole: Vec<&[Cell; 3]> = table.iter().filter(|row| row.iter().all(Option::is_some)).collect();
        prop_assert_eq!(sheet.rows_without(&[1, 2, 3]), table.len() - whole.len());
        let expected: Vec<Vec<f64>> =
            (0..3).map(|column| whole.iter().map(|row| row[column].unwrap() as f64 / 100.0).collect()).collect();
        let (own, other) = match dialect.comma {
            true => (DecimalChoice::Comma, DecimalMark::Comma),
            false => (DecimalChoice::Point, DecimalMark::Point),
        };
        let folder = Folder::from(folder.path());
        // With the mark that it was written with, every table is read.
        if !whole.is_empty() {
            prop_assert_eq!(&columns(&folder, own).unwrap(), &expected);
        }
        match columns(&folder, DecimalChoice::Automatic) {
            Ok(found) => {
                // A point is a decimal point where no cell of the file says that decimals have commas.
                let is_taken_for_point = dialect.comma && dialect.thousands && sheet.decimal != Some(other);
                if !is_taken_for_point {
                    prop_assert_eq!(found, expected);
                }
            }
            Err(error) => prop_assert!(whole.is_empty() || error.contains("with a decimal comma"), "{}", error),
        }
        for (index, column) in sheet.columns.iter().enumerate().skip(1) {
            let values: Vec<f64> = table.iter().filter_map(|row| row[index - 1]).map(|cell| cell as f64 / 100.0).collect();
            prop_assert_eq!(column.missing, table.len() - values.len());
            let Ok(reread) = Sheet::read(&bytes, &Reading { decimal: own, ..Reading::default() }) else { panic!() };
            if let ColumnKind::Numbers { low, high, .. } = reread.columns[index].kind {
                let ends = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
                prop_assert_eq!((low, high), ends);
            }
        }
    }
}
