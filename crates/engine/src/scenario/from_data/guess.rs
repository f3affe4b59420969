//! What a table most likely asks: which column is explained, and which question suits it.

use models::encoding::Encoding;
use models::targets::{ColumnKind, Sheet, SheetColumn};

use super::question::Question;
use super::terms;

/// Names that a response often has.
const RESPONSES: [&str; 10] =
    ["y", "response", "outcome", "target", "label", "class", "species", "diagnosis", "result", "dependent"];

/// Names that counts often have.
const COUNTS: [&str; 8] = ["count", "counts", "events", "cases", "deaths", "visits", "number", "claims"];

/// Names that classes often have, also where they are numbers.
const CLASSES: [&str; 6] = ["label", "class", "species", "category", "cluster", "diagnosis"];

/// Names of columns that more often say what rows belong to than what is to be explained.
const GROUPS: [&str; 8] = ["group", "arm", "treatment", "condition", "variant", "cohort", "sex", "gender"];

/// Names that standard errors often have.
const ERRORS: [&str; 10] =
    ["sd", "se", "sem", "sigma", "stderr", "std_err", "std_error", "standard_error", "std.error", "standard error"];

/// The column that is most likely a response, and what speaks for it.
pub(super) fn response(sheet: &Sheet) -> (Option<&SheetColumn>, &'static str) {
    if let Some(named) = candidates(sheet).find(|column| is_named_as_response(column)) {
        return (Some(named), "from its name");
    }
    let text = sheet.columns.iter().find(|column| is_long_text(sheet, column));
    if let Some(text) = text.filter(|_| topics_fault(sheet).is_none()) {
        return (Some(text), "as the column of texts");
    }
    let last = candidates(sheet).last();
    match candidates(sheet).filter(|column| !is_group(column)).last() {
        Some(likely) if last.is_some_and(|last| last.index != likely.index) => {
            (Some(likely), "as the last column of numbers, or of two values")
        }
        Some(likely) => (Some(likely), "as the last column that suits a question"),
        None => (last, "as the last column that suits a question"),
    }
}

/// The columns that a question suits, as far as they do not number the rows and vary.
fn candidates(sheet: &Sheet) -> impl Iterator<Item = &SheetColumn> {
    sheet.columns.iter().filter(|column| {
        terms::named(column).is_some()
            && column.faults == 0
            && !terms::numbers_rows(sheet, column)
            && !matches!(column.kind, ColumnKind::Numbers { different: 1, .. } | ColumnKind::Text { .. })
            && question(sheet, column).is_some()
            && (!is_standard_error(column) || sheet.columns.len() == 1)
    })
}

fn is_named_as_response(column: &SheetColumn) -> bool {
    is_called(column, &RESPONSES)
}

/// Whether a column has more than two words, or is called so: it more often says what belongs together than what is to be explained.
fn is_group(column: &SheetColumn) -> bool {
    has_several_words(column) || is_called(column, &GROUPS)
}

fn has_several_words(column: &SheetColumn) -> bool {
    matches!(&column.kind, ColumnKind::Words(levels) if levels.len() > 2)
}

fn is_called(column: &SheetColumn, names: &[&str]) -> bool {
    column.name.as_ref().is_some_and(|name| names.contains(&name.to_lowercase().as_str()))
}

/// Whether a column has positive numbers and is called as standard errors are.
fn is_standard_error(column: &SheetColumn) -> bool {
    is_called(column, &ERRORS) && matches!(column.kind, ColumnKind::Numbers { low, .. } if low > 0.0)
}

/// The column that has the standard error of the response in each row, by its name.
pub(super) fn standard_error(sheet: &Sheet) -> Option<&SheetColumn> {
    sheet.columns.iter().find(|column| is_standard_error(column))
}

/// Why no question suits any column.
pub(super) fn why_none(sheet: &Sheet) -> String {
    let spaced = |row: &Vec<String>| row.iter().any(|cell| cell.split_whitespace().count() > 1);
    match &sheet.columns[..] {
        _ if sheet.rows < 2 => "one row of data says too little".to_owned(),
        [_] if sheet.first_rows().iter().all(spaced) => {
            "each line is one cell with spaces in it: put commas, semicolons, tabs or | between columns".to_owned()
        }
        _ => "no column suits any question".to_owned(),
    }
}

/// The columns that may be explained, each with its question, where nothing tells which of them is meant: the last one has a few words,
/// and others have numbers. None where one of them is likely.
#[must_use]
pub fn rivals(sheet: &Sheet) -> Vec<(&SheetColumn, Question)> {
    let chosen = response(sheet).0.filter(|column| !is_named_as_response(column));
    let last = candidates(sheet).last().filter(|column| has_several_words(column));
    match (chosen, last) {
        (Some(chosen), Some(last)) if chosen.index != last.index && !matches!(chosen.kind, ColumnKind::Text { .. }) => {
            candidates(sheet).filter_map(|column| Some((column, question(sheet, column)?.0))).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a column has texts of many words, rather than names.
fn is_long_text(sheet: &Sheet, column: &SheetColumn) -> bool {
    let ColumnKind::Text { .. } = column.kind else { return false };
    let words = |row: &Vec<String>| row.get(column.index).map_or(0, |cell| cell.split_whitespace().count());
    let rows = sheet.first_rows();
    sheet.rows >= 10 && rows.iter().map(words).sum::<usize>() >= 8 * rows.len()
}

/// Why topics cannot be read from a sheet, whose reader is another one.
pub(super) fn topics_fault(sheet: &Sheet) -> Option<&'static str> {
    let has_lines_above = sheet.separator_is_told || sheet.comments > 0;
    let faults = [
        (
            sheet.separator != ',' || has_lines_above,
            "topics are read from files with commas between columns and no lines above the header",
        ),
        (!sheet.has_header, "topics are read from files with a header"),
        (sheet.encoding == Encoding::NumPy, "topics are read from files of text"),
    ];
    faults.into_iter().find(|(is_there, _)| *is_there).map(|(_, why)| why)
}

/// The question that suits a response, and why; `None` if none does.
pub(super) fn question(sheet: &Sheet, response: &SheetColumn) -> Option<(Question, String)> {
    let others = || sheet.columns.iter().filter(|column| column.index != response.index);
    let usable = others().filter(|column| terms::term(column, None).is_ok() && !terms::numbers_rows(sheet, column));
    let inputs = usable.clone().filter(|column| matches!(column.kind, ColumnKind::Numbers { .. })).count();
    let binary = |other: &SheetColumn| Question::Logistic.suits(other);
    let name = response.name.as_deref().unwrap_or_default().to_lowercase();
    let is_called_count = || name.split(|letter: char| !letter.is_alphabetic()).any(|word| COUNTS.contains(&word));
    let of = format!("\"{}\"", response.title());
    let found = match &response.kind {
        _ if binary(response) => match usable.clone().collect::<Vec<_>>()[..] {
            [] => (Question::Coin, format!("{of} has two values and there is nothing to explain it")),
            [only] if binary(only) && Question::Arms.suits(response) => {
                (Question::Arms, format!("{of} has two values, and so has \"{}\": two arms", only.title()))
            }
            _ => (Question::Logistic, format!("{of} has two values")),
        },
        ColumnKind::Words(levels) if inputs >= 2 && Question::Classes.suits(response) => {
            (Question::Classes, format!("{of} has {} words, and there are numbers to tell them apart", levels.len()))
        }
        ColumnKind::Text { .. } if topics_fault(sheet).is_none() => (Question::Topics, format!("{of} has texts")),
        ColumnKind::Numbers { .. } if standard_error(sheet).is_some() && others().any(terms::is_a_few_names) => {
            let error = standard_error(sheet).map(SheetColumn::title).unwrap_or_default();
            (Question::Groups, format!("{of} has its standard error in \"{error}\", and each row has a name"))
        }
        ColumnKind::Numbers { different: 3.., .. }
            if inputs >= 2 && is_called(response, &CLASSES) && Question::Classes.suits(response) =>
        {
            (Question::Classes, format!("{of} has a few numbers, which its name calls classes"))
        }
        ColumnKind::Numbers { whole: true, low, high, different, .. }
            if *low >= 0.0 && (is_called_count() || *low <= 0.0 && *high <= 200.0 && *different < 60) =>
        {
            (Question::Counts, format!("{of} has whole numbers from 0 up"))
        }
        ColumnKind::Numbers { .. } => (Question::Linear, format!("{of} has numbers")),
        _ => return None,
    };
    Some(found)
}
