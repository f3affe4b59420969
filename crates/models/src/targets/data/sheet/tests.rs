//! Tests of sheets: files as people have them.

use super::*;
use crate::targets::data::reading::DecimalChoice;

fn read(text: &str) -> Sheet {
    Sheet::read(text.as_bytes(), &Reading::default()).unwrap()
}

fn numbers(sheet: &Sheet, column: usize) -> (bool, f64, f64, usize) {
    match sheet.columns[column].kind {
        ColumnKind::Numbers { whole, low, high, different } => (whole, low, high, different),
        ref other => panic!("{other:?}"),
    }
}

fn words(levels: &[Level]) -> Vec<(&str, usize)> {
    levels.iter().map(|level| (level.word.as_str(), level.count)).collect()
}

#[test]
fn a_table_of_a_spreadsheet_in_europe() {
    let sheet = read("sep=;\r\ngroup;weight;cured\r\nlow;\u{2212}0,5;no\r\nhigh;12,25;Yes\r\n;2;no\r\nlow;NA;yes\r\n");
    assert_eq!((sheet.separator, sheet.separator_is_told, sheet.has_header), (';', true, true));
    assert_eq!((sheet.decimal, sheet.has_thousands, sheet.rows), (Some(DecimalMark::Comma), false, 4));
    assert_eq!(sheet.ambiguity, None);
    let ColumnKind::Words(levels) = &sheet.columns[0].kind else { panic!() };
    assert_eq!(words(levels), [("low", 2), ("high", 1)]);
    assert_eq!((sheet.columns[0].missing, sheet.columns[0].first_missing), (1, Some(5)));
    assert_eq!(numbers(&sheet, 1), (false, -0.5, 12.25, 3));
    assert_eq!((sheet.columns[1].missing, sheet.columns[1].first_missing), (1, Some(6)));
    let ColumnKind::YesNo(both) = &sheet.columns[2].kind else { panic!() };
    assert_eq!(words(both), [("no", 2), ("Yes", 2)]);
    assert_eq!([&[1][..], &[0, 1], &[0, 1, 2], &[2]].map(|columns| sheet.rows_without(columns)), [1, 2, 2, 0]);
    assert_eq!(sheet.first_rows()[0], ["low", "\u{2212}0,5", "no"]);
    assert_eq!(sheet.columns[1].reference.as_deref(), Some("weight"));
    assert_eq!(sheet.in_words(), "4 rows and 3 columns, separated by semicolons, with a decimal comma");
}

#[test]
fn utf_16_and_comments() {
    let text = "\u{feff}# by me\n\n# in May\nx\ty\n1\t2.5\n2\t3\n";
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let sheet = Sheet::read(&bytes, &Reading::default()).unwrap();
    assert_eq!((sheet.encoding, sheet.comments, sheet.separator), (Encoding::Utf16Be, 2, '\t'));
    assert_eq!(numbers(&sheet, 1), (false, 2.5, 3.0, 2));
    assert_eq!(
        sheet.in_words(),
        "2 rows and 2 columns, separated by tabs, with a decimal point, below 2 comment lines, in UTF-16 (big-endian)"
    );
}

#[test]
fn what_can_be_read_in_two_ways_is_said() {
    let text = "price,sold\n\"1,120\",0\n\"2,300\",1\n";
    let sheet = read(text);
    let Some(Ambiguity::Decimal { column: 0, line: 2, ref cell, point, comma }) = sheet.ambiguity else { panic!() };
    assert_eq!((cell.as_str(), point, comma), ("1,120", 1120.0, 1.12));
    assert_eq!(
        sheet.ambiguity.as_ref().unwrap().in_words(),
        "\"1,120\" in line 2 is 1120 with a decimal point, and 1.12 with a decimal comma"
    );
    for (decimal, low, has_thousands) in [(DecimalChoice::Point, 1120.0, true), (DecimalChoice::Comma, 1.12, false)] {
        let sheet = Sheet::read(text.as_bytes(), &Reading { decimal, ..Reading::default() }).unwrap();
        assert_eq!((sheet.ambiguity.is_none(), numbers(&sheet, 0).1), (true, low));
        assert_eq!(sheet.has_thousands, has_thousands);
    }
    // Another cell decides.
    assert_eq!(numbers(&read("price,sold\n\"1,120\",0\n\"1,234,567\",1\n"), 0).1.to_bits(), 1120.0_f64.to_bits());
    assert_eq!(numbers(&read("price;sold\n1,120;0,5\n2,300;1\n"), 0).1.to_bits(), 1.12_f64.to_bits());
    assert_eq!(numbers(&read("price;sold\n1.120;0,5\n2.300;1\n"), 0).1.to_bits(), 1120.0_f64.to_bits());
    assert_eq!(numbers(&read("price;sold\n1.120;0.5\n2.300;1\n"), 0).1.to_bits(), 1.12_f64.to_bits());
}

#[test]
fn a_first_line_of_numbers_and_words_is_unclear() {
    let text = "setosa,5.1\nvirginica,4.9\n";
    let sheet = read(text);
    assert!(
        matches!(&sheet.ambiguity, Some(Ambiguity::Header { line: 1, number, word }) if number == "5.1" && word == "setosa")
    );
    assert_eq!((sheet.rows, sheet.has_header), (1, true));
    let data = Sheet::read(text.as_bytes(), &Reading { header: HeaderChoice::Data, ..Reading::default() }).unwrap();
    assert_eq!((data.rows, data.has_header, data.ambiguity), (2, false, None));
    let numbers_only = read("1,2\n3,4\n");
    assert_eq!((numbers_only.rows, numbers_only.has_header), (2, false));
    assert_eq!(numbers_only.columns[1].reference.as_deref(), Some("2"));
    assert_eq!(numbers_only.columns[1].title(), "column 2");
}

#[test]
fn kinds_of_columns() {
    let rows: String = (0..20)
        .map(|row| format!("{row},id{row},{},{},,{}\n", row % 2, 7, if row == 3 { "x" } else { "1.5" }))
        .collect();
    let sheet = read(&format!("n,id,flag,same,none,faulty\n{rows}"));
    assert_eq!(numbers(&sheet, 0), (true, 0.0, 19.0, 20));
    assert!(matches!(sheet.columns[1].kind, ColumnKind::Text { different: 20, longest: 4 }));
    assert!(matches!(&sheet.columns[2].kind, ColumnKind::YesNo(both) if words(both) == [("0", 10), ("1", 10)]));
    assert_eq!(numbers(&sheet, 3), (true, 7.0, 7.0, 1));
    assert_eq!((&sheet.columns[4].kind, sheet.columns[4].missing), (&ColumnKind::Empty, 20));
    assert_eq!((sheet.columns[5].faults, sheet.columns[5].first_fault.clone()), (1, Some((5, "x".to_owned()))));
}

#[test]
fn files_that_are_no_sheets() {
    let error = |bytes: &[u8]| Sheet::read(bytes, &Reading::default()).unwrap_err();
    assert_eq!(error(b""), SheetError::Empty);
    assert_eq!(error(b"# a\n"), SheetError::Empty);
    assert_eq!(error(b"x,y\n"), SheetError::Empty);
    assert_eq!(error(b"\x89PNG\r\n\x1a\n\0"), SheetError::NoTable(NoTable::NotText));
    assert_eq!(error(b"x,y\n1,2\n3,4,5\n"), SheetError::Ragged { line: 3, cells: 3, first: 2 });
    assert_eq!(error("a,".repeat(1001).as_bytes()), SheetError::TooManyColumns(1002));
}
