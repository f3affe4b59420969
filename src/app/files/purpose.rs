//! What a path is asked for, and how the system asks.

use std::path::{Path, PathBuf};

use super::data::{TABLES, TEXT};
use super::new_file::SaveError;
use super::scenario::carries_scenario;
use crate::app::documents::html;
use crate::platform::{file_to_open, file_to_write, folder_to_open};
use draw::sheet::Format;

/// What a path is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To open a scenario, a figure that contains one, or data of which one is made.
    Open,
    /// To make a scenario of, a table of data.
    Table,
    /// To read data from, or texts.
    Data,
    /// To read texts from, a folder.
    Folder,
    /// To save the scenario.
    Save,
    /// To export a figure, in this format if the path does not say otherwise.
    Export(Format),
    /// To save draws.
    Draws(DrawsAs),
    /// To save the cells of a sweep.
    Cells,
    /// To add to the playlist, a scenario or a figure that contains one.
    Item,
    /// To save the playlist.
    Playlist,
    /// To save a hand-out.
    HandOut,
    /// To save a report.
    Report(ReportAs),
    /// To save a worksheet.
    Worksheet,
    /// To save the table of the trials.
    Trials(TableAs),
}

/// Format of a file with the draws of all runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawsAs {
    /// A table with the name of the run in its first column.
    Csv,
    /// A Zarr store in a ZIP archive: of one run, or with a group for each.
    Zarr,
}

/// Format of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReportAs {
    /// A page for browsers.
    #[default]
    Html,
    /// Pages to be printed.
    Pdf,
}

impl ReportAs {
    /// The extension of such files.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Html => html::EXTENSION,
            Self::Pdf => "pdf",
        }
    }
}

/// Format of a table for other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableAs {
    /// Comma-separated values, with all digits.
    Csv,
    /// A table in Markdown, as it is read.
    Markdown,
}

impl TableAs {
    /// The extension of such files.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Markdown => "md",
        }
    }
}

/// Whether a path ends with an extension.
fn ends(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

impl DrawsAs {
    /// The extension of such files.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Zarr => "zarr.zip",
        }
    }

    /// Whether a path has the extension, the last part of it.
    fn fits(self, path: &Path) -> bool {
        let last = if self == Self::Csv { "csv" } else { "zip" };
        ends(path, last)
    }
}

impl Purpose {
    /// The extension of what is written.
    #[must_use]
    pub fn extension(self) -> Option<&'static str> {
        match self {
            Self::Open | Self::Table | Self::Data | Self::Folder | Self::Item => None,
            Self::Save | Self::Playlist | Self::HandOut => Some("toml"),
            Self::Export(format) => Some(format.extension()),
            Self::Draws(format) => Some(format.extension()),
            Self::Cells => Some("csv"),
            Self::Report(format) => Some(format.extension()),
            Self::Worksheet => Some(html::EXTENSION),
            Self::Trials(format) => Some(format.extension()),
        }
    }

    /// The path with the extension of this purpose, if it has none.
    #[must_use]
    pub fn with_extension(self, path: PathBuf) -> PathBuf {
        match (self.extension(), path.extension()) {
            (Some(extension), None) => path.with_extension(extension),
            _ => path,
        }
    }

    /// Checks that a path has an extension for which the right format is written.
    ///
    /// # Errors
    /// [`SaveError::Extension`] if not.
    pub fn check_extension(self, path: &Path) -> Result<(), SaveError> {
        let wrong = |what, extension| Err(SaveError::Extension { path: path.to_owned(), what, extension });
        match self {
            // A scenario may have any name, but one like a picture could not be opened again.
            Self::Save if carries_scenario(path) => wrong("a scenario", "toml"),
            Self::HandOut if carries_scenario(path) => wrong("a hand-out", "toml"),
            Self::Playlist if carries_scenario(path) => wrong("a playlist", "toml"),
            Self::Export(format) if Format::of(path).is_none_or(|other| other.moves() != format.moves()) => {
                wrong(if format.moves() { "a figure that moves" } else { "a figure" }, format.extension())
            }
            Self::Draws(format) if !format.fits(path) => wrong("draws", format.extension()),
            Self::Report(format) if !ends(path, format.extension()) => {
                wrong("a report in this format", format.extension())
            }
            Self::Worksheet if !ends(path, html::EXTENSION) && !ends(path, TableAs::Markdown.extension()) => {
                wrong("a worksheet", html::EXTENSION)
            }
            Self::Trials(format) if !ends(path, format.extension()) => {
                wrong("a table in this format", format.extension())
            }
            Self::Cells if !DrawsAs::Csv.fits(path) => wrong("cells", "csv"),
            _ => Ok(()),
        }
    }
}

/// Asks the system for a path. `None` if the person cancels, and at once if the system has no file dialog.
#[must_use]
pub fn pick(purpose: Purpose, folder: Option<&Path>, suggestion: &str) -> Option<PathBuf> {
    match purpose {
        Purpose::Open | Purpose::Item => {
            let (name, data): (_, &[&str]) = match purpose {
                Purpose::Open => ("Scenario, playlist, figure, report or data", &TABLES),
                _ => ("Scenario, figure or report", &[]),
            };
            let known: Vec<&str> = ["toml", html::EXTENSION]
                .into_iter()
                .chain(Format::ALL.map(last_part))
                .chain(data.iter().copied())
                .collect();
            file_to_open(folder, (name, &known))
        }
        Purpose::Table | Purpose::Data => {
            let name = if purpose == Purpose::Table { "Data" } else { "Data or texts" };
            let known: Vec<&str> = TABLES.into_iter().chain([TEXT]).collect();
            file_to_open(folder, (name, &known))
        }
        Purpose::Folder => folder_to_open(folder),
        Purpose::Save => file_to_write(folder, suggestion, ("Scenario", "toml")),
        Purpose::HandOut => file_to_write(folder, suggestion, ("Hand-out", "toml")),
        Purpose::Playlist => file_to_write(folder, suggestion, ("Playlist", "toml")),
        Purpose::Export(format) => {
            let kind = format!("{} figure", format.label());
            file_to_write(folder, suggestion, (&kind, last_part(format)))
        }
        Purpose::Draws(DrawsAs::Csv) => file_to_write(folder, suggestion, ("Draws as CSV", "csv")),
        Purpose::Cells => file_to_write(folder, suggestion, ("Cells as CSV", "csv")),
        Purpose::Report(format) => file_to_write(folder, suggestion, ("Report", format.extension())),
        Purpose::Worksheet => file_to_write(folder, suggestion, ("Worksheet", html::EXTENSION)),
        Purpose::Trials(format) => file_to_write(folder, suggestion, ("Trials", format.extension())),
        Purpose::Draws(DrawsAs::Zarr) => file_to_write(folder, suggestion, ("Draws as Zarr", "zip")),
    }
}

/// What follows the last dot in names of figures of a format, by which systems tell files.
fn last_part(format: Format) -> &'static str {
    let extension = format.extension();
    extension.rsplit_once('.').map_or(extension, |(_, last)| last)
}

/// A title as a file name without extension: `sgld-against-cyclical-sgld`.
#[must_use]
pub fn file_stem(title: &str) -> String {
    let dashed: String = title.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let words: Vec<&str> = dashed.split('-').filter(|word| !word.is_empty()).collect();
    let stem = words.join("-").to_lowercase();
    if stem.is_empty() { "scenario".to_owned() } else { stem.chars().take(60).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_becomes_a_file_name() {
        assert_eq!(file_stem("SGLD against cyclical SGLD"), "sgld-against-cyclical-sgld");
        assert_eq!(file_stem("β, ε/2 …"), "β-ε-2");
        assert_eq!(file_stem("  "), "scenario");
    }

    #[test]
    fn a_format_that_does_not_fit_the_extension_is_refused() {
        let refused = |purpose: Purpose, path: &str| purpose.check_extension(Path::new(path)).is_err();
        assert!(refused(Purpose::Export(Format::Png), "a.jpg") && refused(Purpose::Export(Format::Png), "a"));
        assert!(!refused(Purpose::Export(Format::Png), "a.pdf") && refused(Purpose::Export(Format::Png), "a.gif"));
        assert!(!refused(Purpose::Export(Format::Png), "a.svg") && !refused(Purpose::Export(Format::Svg), "a.SVG"));
        assert!(!refused(Purpose::Export(Format::Gif), "a.apng") && refused(Purpose::Export(Format::Gif), "a.png"));
        assert!(!refused(Purpose::Export(Format::Png), "a.png") && !refused(Purpose::Export(Format::Png), "a.PNG"));
        assert!(refused(Purpose::Save, "a.png") && !refused(Purpose::Save, "a.toml"));
    }

    #[test]
    fn a_path_gets_the_extension_of_its_purpose_if_it_has_none() {
        assert_eq!(Purpose::Save.with_extension(PathBuf::from("a")), PathBuf::from("a.toml"));
        assert_eq!(Purpose::Export(Format::Png).with_extension(PathBuf::from("a")), PathBuf::from("a.png"));
        assert_eq!(Purpose::Export(Format::Svg).with_extension(PathBuf::from("a")), PathBuf::from("a.svg"));
        assert_eq!(Purpose::Export(Format::Png).with_extension(PathBuf::from("a.b")), PathBuf::from("a.b"));
        assert_eq!(Purpose::Open.with_extension(PathBuf::from("a")), PathBuf::from("a"));
    }
}
