//! Data that a person brings: tables of cells in files or pasted, and folders of texts, read before a scenario is made of them.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::platform::files as disk;
use engine::scenario::from_data::Source;
use engine::scenario::{Folder, folder_of};
use models::targets::{MOST_INLINE, Reading, Sheet};

/// The extensions of tables.
pub const TABLES: [&str; 5] = ["csv", "tsv", "tab", "dat", "npy"];

/// The extension of what may be a table or a scenario, and of texts.
pub const TEXT: &str = "txt";

/// Bytes at the beginning of a text that say which of them it is.
const BEGINNING: u64 = 1 << 14;

/// Marks between columns.
const SEPARATORS: [char; 4] = ['\t', ';', ',', '|'];

/// Where a table comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableSource {
    /// A file.
    File(PathBuf),
    /// A text that was pasted. It stays in the scenario.
    Pasted(Arc<str>),
}

impl TableSource {
    /// What people call it.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
            Self::Pasted(_) => "Pasted table".to_owned(),
        }
    }

    /// Where a scenario finds it from the folder of its file.
    #[must_use]
    pub fn from_its_folder<'a>(&'a self, name: &'a str) -> (Source<'a>, Folder) {
        match self {
            Self::File(path) => (Source::File(name), folder_of(path)),
            Self::Pasted(text) => (Source::Inline(text), Folder::from(".")),
        }
    }

    /// Reads the table.
    ///
    /// # Errors
    /// Why it is none, in words, with its path.
    pub fn read(&self, reading: &Reading) -> Result<Sheet, String> {
        match self {
            Self::File(path) => read_sheet(path, reading),
            Self::Pasted(text) if text.len() > MOST_INLINE => Err(format!(
                "the pasted table has {} bytes; a scenario takes up to {}: save the table as a CSV file, and open that",
                text.len(),
                MOST_INLINE
            )),
            Self::Pasted(text) => {
                Sheet::read(text.as_bytes(), reading).map_err(|error| format!("the pasted table: {error}"))
            }
        }
    }
}

/// Whether a file is a table by its name, or a text that does not begin like a scenario.
#[must_use]
pub fn is_table(path: &Path) -> bool {
    let has = |extension: &str| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension));
    TABLES.into_iter().any(has) || (has(TEXT) && !is_scenario(path))
}

/// Whether some line at the beginning of a text has the key that every scenario has. What cannot be read is none.
fn is_scenario(path: &Path) -> bool {
    let mut bytes = Vec::new();
    let read = disk::File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut bytes));
    read.is_ok() && has_format(&String::from_utf8_lossy(&bytes))
}

fn has_format(text: &str) -> bool {
    let rest = |line: &str| line.trim_start().strip_prefix("format").map(|rest| rest.trim_start().starts_with('='));
    text.lines().any(|line| rest(line) == Some(true))
}

/// Whether a text that is pasted is plainly a table: its first lines have several cells, or a number below a name; and it is no scenario.
#[must_use]
pub fn is_pasted_table(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let (Some(first), Some(second)) = (lines.next(), lines.next()) else { return false };
    let has_cells = |line: &str| line.contains(SEPARATORS);
    let is_number = second.trim().replace(',', ".").parse::<f64>().is_ok();
    !has_format(text) && (has_cells(first) && has_cells(second) || is_number)
}

/// How many texts a folder has.
#[must_use]
pub fn texts_in(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.path().extension().is_some_and(|found| found == TEXT)).count()
}

/// Reads a table.
///
/// # Errors
/// Why it is none, in words, with its path.
pub fn read_sheet(path: &Path, reading: &Reading) -> Result<Sheet, String> {
    let named = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
    let about = disk::metadata(path).map_err(|error| named(&error))?;
    if !about.is_file() {
        return Err(named(&"this is not a file"));
    }
    let bytes = disk::read(path).map_err(|error| named(&error))?;
    Sheet::read(&bytes, reading).map_err(|error| named(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_told_from_scenarios() {
        let folder = tempfile::tempdir().unwrap();
        let text = |name: &str, content: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            path
        };
        assert!(
            is_table(Path::new("a.CSV"))
                && is_table(Path::new("a.npy"))
                && is_table(Path::new("b/c.tsv"))
                && !is_table(Path::new("a.toml"))
        );
        assert!(is_table(&text("a.txt", "x y\n1\t2\n")) && !is_table(&text("b.txt", "# mine\nformat = 1\n")));
        let sheet = read_sheet(&text("c.csv", "x,y\n1,2\n"), &Reading::default()).unwrap();
        assert_eq!((sheet.rows, sheet.columns.len()), (1, 2));
        let problem = read_sheet(&folder.path().join("none.csv"), &Reading::default()).unwrap_err();
        assert!(problem.contains("none.csv"), "{problem}");
    }

    #[test]
    fn what_is_pasted_is_a_table_or_not() {
        let tables =
            ["x\ty\n1\t2\n", "# mine\n\nx;y\r\n1,5;2\r\n", "y\n0,5\n1\n", "format,y\n1,2\n", "sep=;\nx;y\n1;2"];
        for text in tables {
            assert!(is_pasted_table(text), "{text}");
        }
        let others =
            ["", "one line, with a comma", "two lines\nof words", "# mine\nformat = 1\nseed, x\n1, 2\n", "x\ty"];
        for text in others {
            assert!(!is_pasted_table(text), "{text}");
        }
        let large = TableSource::Pasted("1,2\n".repeat(300_000).into());
        let problem = large.read(&Reading::default()).unwrap_err();
        assert!(problem.contains("1200000 bytes") && problem.contains("save the table as a CSV file"), "{problem}");
    }
}
