//! Columns of a sheet as terms of a regression.

use models::targets::{ColumnKind, Level, Sheet, SheetColumn};

/// Largest number that the reader of a regression takes.
const LARGEST: f64 = 1e9;

/// Levels of a factor at most that is proposed.
const MOST_LEVELS: usize = 20;

/// Characters of a name at most that is written in terms.
const LONGEST: usize = 200;

/// How terms name a column; `None` if they cannot.
#[must_use]
pub fn named(column: &SheetColumn) -> Option<String> {
    let reference = column.reference.as_deref()?;
    let is_number = reference.bytes().all(|digit| digit.is_ascii_digit());
    if column.name.as_deref() != Some(reference) && is_number {
        return Some(format!("${reference}"));
    }
    let belongs = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
    let is_plain = reference.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
    if is_plain && reference.chars().all(belongs) {
        return Some(reference.to_owned());
    }
    let single = reference.split_whitespace().collect::<Vec<_>>().join(" ") == reference;
    (single && !reference.contains('`') && reference.len() <= LONGEST).then(|| format!("`{reference}`"))
}

/// The column as a term: numbers as they are, also 0 and 1, words as a factor with a level of reference, the first one if none is named.
///
/// # Errors
/// Why it cannot be a term.
pub fn term(column: &SheetColumn, reference: Option<&str>) -> Result<String, String> {
    let name = named(column)
        .ok_or("no term can name it: it has no name, one with ` in it, or one that another column has as well")?;
    if let Some((line, cell)) = &column.first_fault {
        return Err(format!("\"{cell}\" in line {line} is no number"));
    }
    match &column.kind {
        ColumnKind::Numbers { different: 1, low, .. } => Err(format!("it is {low} in every row")),
        ColumnKind::Numbers { low, high, .. } if low.abs().max(high.abs()) > LARGEST => {
            Err(format!("it has numbers beyond {LARGEST}"))
        }
        _ if is_factor(column) && levels(column).len() == 2 => Ok(factor(&name, reference)),
        ColumnKind::Numbers { .. } | ColumnKind::YesNo(_) => Ok(name),
        ColumnKind::Words(levels) if levels.len() < 2 => Err("it has one word only".to_owned()),
        ColumnKind::Words(levels) if levels.len() > MOST_LEVELS => Err(format!("it has {} words", levels.len())),
        ColumnKind::Words(_) => Ok(factor(&name, reference)),
        ColumnKind::Text { .. } => Err("it is text".to_owned()),
        ColumnKind::Empty => Err("it is empty".to_owned()),
    }
}

fn factor(name: &str, reference: Option<&str>) -> String {
    match reference.and_then(word) {
        Some(word) => format!("factor({name}, {word})"),
        None => format!("factor({name})"),
    }
}

/// Whether a column becomes indicators, whose names say of which word: one of words, also of two words for no and yes. 0 and 1 are numbers,
/// and so are no and yes in several spellings.
pub fn is_factor(column: &SheetColumn) -> bool {
    match &column.kind {
        ColumnKind::Words(_) => true,
        ColumnKind::YesNo(both) => column.different_words == 2 && both.iter().all(|level| word(&level.word).is_some()),
        _ => false,
    }
}

/// Groups at most.
const MOST_GROUPS: usize = 100;

/// Whether a column can say which rows belong together: it has words, or a few whole numbers.
pub fn is_of_groups(column: &SheetColumn) -> bool {
    match &column.kind {
        ColumnKind::Words(levels) => (2..=MOST_GROUPS).contains(&levels.len()),
        ColumnKind::YesNo(_) => true,
        ColumnKind::Numbers { whole, different, .. } => *whole && (2..=MOST_GROUPS).contains(different),
        ColumnKind::Text { .. } | ColumnKind::Empty => false,
    }
}

/// Whether each row has a name of its own, of few rows.
pub fn is_a_few_names(column: &SheetColumn) -> bool {
    matches!(column.kind, ColumnKind::Text { different, .. } if (2..=MOST_GROUPS).contains(&different))
}

/// The words of a column that has words, or yes and no.
pub fn levels(column: &SheetColumn) -> &[Level] {
    match &column.kind {
        ColumnKind::Words(levels) => levels,
        ColumnKind::YesNo(both) => both,
        _ => &[],
    }
}

/// A word as expressions write it; `None` if they cannot.
pub fn word(word: &str) -> Option<String> {
    let single = word.split_whitespace().collect::<Vec<_>>().join(" ") == word;
    (single && !word.contains('"') && word.len() <= LONGEST).then(|| format!("\"{word}\""))
}

/// Coefficients of a term.
pub fn coefficients(column: &SheetColumn) -> usize {
    if let ColumnKind::Words(levels) = &column.kind { levels.len() - 1 } else { 1 }
}

/// Whether a column numbers the rows: it says nothing of them.
pub fn numbers_rows(sheet: &Sheet, column: &SheetColumn) -> bool {
    let ColumnKind::Numbers { whole: true, low, high, different } = column.kind else { return false };
    let names = ["id", "index", "row", "nr", "no", "no.", "number", "unnamed: 0", "rownames", "case"];
    let is_named = column.name.as_ref().is_none_or(|name| names.contains(&name.to_lowercase().as_str()));
    let is_dense = (high - low + 1.0 - sheet.rows as f64).abs() < 0.5;
    is_named && sheet.has_header && is_dense && different == sheet.rows && sheet.rows > 2
}
