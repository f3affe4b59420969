//! What of a formula and of its data changes nothing: a line that is used nowhere, a column, a whole table.

use super::columns::DATA;
use crate::formula::Formula;
use crate::targets::{DataNote, Folder, data};
use base::params::{Settings, excerpt};

/// Columns that are named at most.
const MOST: usize = 6;

/// A sentence for each kind of what is not used. The table was read before, if the formula has columns.
pub(super) fn told(formula: &Formula, settings: &Settings, folder: &Folder) -> Vec<String> {
    let quoted = |name: &str| format!("\"{}\"", excerpt(name));
    let lines: Vec<String> = formula.unused_lines().into_iter().map(quoted).collect();
    let of_lines = match &lines[..] {
        [] => None,
        [line] => Some(format!("the formula does not use its line {line}")),
        lines => Some(format!("the formula does not use its lines {}", lines.join(", "))),
    };
    let table = settings.group(DATA.key).filter(|group| group.kind.name != "none").map(data::called);
    let has_columns = formula.columns().next().is_some();
    let of_data = table.filter(|_| !has_columns).map(|table| {
        format!("the formula does not use its data, {table}: no column is in it, as t[i] is in sum((x − t[i])²)")
    });
    let unused = folder.data().map(|DataNote { unused, .. }| unused).filter(|_| has_columns).unwrap_or_default();
    let of_columns = table.filter(|_| !unused.is_empty()).map(|table| {
        let named: Vec<String> = unused.iter().take(MOST).map(|name| quoted(name)).collect();
        let more = unused.len() - named.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let columns = if unused.len() == 1 { "column" } else { "columns" };
        format!("the formula does not use the {columns} {}{more} of {table}", named.join(", "))
    });
    [of_lines, of_data, of_columns].into_iter().flatten().collect()
}
