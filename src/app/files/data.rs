//! Data files: tables of cells that a person brings, read before a scenario is made of them.

use std::io::Read;
use std::path::Path;

use crate::platform::files as disk;
use models::targets::{Reading, Sheet};

/// The extensions of tables.
pub const TABLES: [&str; 4] = ["csv", "tsv", "tab", "dat"];

/// The extension of what may be a table or a scenario.
const TEXT: &str = "txt";

/// Bytes at the beginning of a text that say which of them it is.
const BEGINNING: u64 = 1 << 14;

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
    read.is_ok() && String::from_utf8_lossy(&bytes).lines().any(|line| line.trim_start().starts_with("format"))
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
        assert!(is_table(Path::new("a.CSV")) && is_table(Path::new("b/c.tsv")) && !is_table(Path::new("a.toml")));
        assert!(is_table(&text("a.txt", "x y\n1\t2\n")) && !is_table(&text("b.txt", "# mine\nformat = 1\n")));
        let sheet = read_sheet(&text("c.csv", "x,y\n1,2\n"), &Reading::default()).unwrap();
        assert_eq!((sheet.rows, sheet.columns.len()), (1, 2));
        let problem = read_sheet(&folder.path().join("none.csv"), &Reading::default()).unwrap_err();
        assert!(problem.contains("none.csv"), "{problem}");
    }
}
