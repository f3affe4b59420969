//! Scenarios are read: from a TOML file, from an exported figure or a report, or from a link.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::data::texts_in;
use super::link::{self, LinkError};
use crate::app::documents::html;
use crate::platform::files as disk;
use draw::sheet::{Format, ReadError};
use engine::scenario::from_data::topics_of_texts;
use engine::scenario::{Folder, LoadError, Playlist, Scenario, ScenarioErrors, folder_of, load_in, read};

/// The largest figure that is opened, in bytes: above what the largest export makes.
const LARGEST_FIGURE: u64 = 256 << 20;

/// Why no scenario was read.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The scenario file cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The file is no picture that was exported here.
    #[error("{}: not a picture or a report; allowed: {} or an HTML of at most {} MiB", .0.display(), Format::IN_WORDS, LARGEST_FIGURE >> 20)]
    NoPicture(PathBuf),
    /// The picture is broken.
    #[error("{}: {source}; allowed: a picture or report as it was written by Sampler Lab", .path.display())]
    Broken { path: PathBuf, source: ReadError },
    /// The file contains no scenario.
    #[error("{}: this file contains no scenario; figures and reports made by Sampler Lab contain one", .0.display())]
    NoScenario(PathBuf),
    /// The link shows nothing.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The scenario in the picture is not valid.
    #[error(transparent)]
    Invalid(#[from] ScenarioErrors),
}

impl OpenError {
    /// The playlist that was found where a scenario was looked for.
    ///
    /// # Errors
    /// Why there is none.
    pub fn playlist(self) -> Result<Playlist, Self> {
        match self {
            Self::Load(LoadError::Playlist { path, text }) => {
                let folder = folder_of(&path).to_path_buf();
                Playlist::read(&text, &path.display().to_string(), folder).map_err(Self::Invalid)
            }
            Self::Link(LinkError::Playlist(playlist)) => Ok(*playlist),
            other => Err(other),
        }
    }
}

/// Reads a scenario from a TOML file, from an exported figure, or from a link, or makes one of a folder of texts. `folder` is that of the file; it tells how far the reading of a
/// corpus is.
///
/// # Errors
/// If the file cannot be read, if the scenario in it is not valid, or if reading was stopped.
pub fn read_scenario(path: &Path, folder: &Folder) -> Result<Scenario, OpenError> {
    if let Some(fragment) = link::in_path(path) {
        folder.note_file_read();
        return Ok(link::scenario(fragment)?);
    }
    match Format::of(path) {
        _ if path.is_dir() => of_texts(path, folder),
        Some(format) => read_inside(path, |bytes| format.scenario(bytes), folder),
        None if is_page(path) => read_inside(path, html::scenario_in, folder),
        _ => Ok(load_in(path, folder)?),
    }
}

/// The topics of the texts in a folder, if it has any.
fn of_texts(path: &Path, folder: &Folder) -> Result<Scenario, OpenError> {
    let documents = texts_in(path);
    if documents == 0 {
        return Ok(load_in(path, folder)?);
    }
    folder.note_file_read();
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    Ok(read(&topics_of_texts(&name, documents), &path.display().to_string(), folder)?)
}

/// Whether a path has the extension of a file with a scenario inside: a figure or a report.
#[must_use]
pub fn carries_scenario(path: &Path) -> bool {
    is_figure(path) || is_page(path)
}

/// Whether a path has the extension of a report for browsers.
fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(html::EXTENSION))
}

/// Whether a path has the extension of a picture.
#[must_use]
pub fn is_figure(path: &Path) -> bool {
    Format::of(path).is_some()
}

/// Reads the scenario that `find` finds in a file.
fn read_inside(
    path: &Path,
    find: impl FnOnce(&[u8]) -> Result<Option<String>, ReadError>,
    folder: &Folder,
) -> Result<Scenario, OpenError> {
    let refused = |source| LoadError::refused(path, source);
    let about = disk::metadata(path).map_err(refused)?;
    if !about.is_file() {
        return Err(LoadError::NoFile(path.to_owned()).into());
    }
    if about.len() > LARGEST_FIGURE {
        return Err(OpenError::NoPicture(path.to_owned()));
    }
    let bytes = disk::read(path).map_err(refused)?;
    folder.note_file_read();
    let text = find(&bytes).map_err(|source| OpenError::Broken { path: path.to_owned(), source })?;
    let text = text.ok_or_else(|| OpenError::NoScenario(path.to_owned()))?;
    Ok(read(&text, &path.display().to_string(), folder)?)
}

/// Whether a file is a figure that was exported here: it contains a scenario.
#[must_use]
pub fn is_our_figure(path: &Path) -> bool {
    let short = disk::metadata(path).is_ok_and(|about| about.is_file() && about.len() <= LARGEST_FIGURE);
    let bytes = if short { disk::read(path).ok() } else { None };
    let format = Format::of(path).unwrap_or_default();
    bytes.is_some_and(|bytes| format.scenario(&bytes).is_ok_and(|text| text.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_that_cannot_be_opened_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        let read_scenario = |path: &Path| super::read_scenario(path, &folder_of(path));
        let missing = read_scenario(&path).unwrap_err();
        assert!(matches!(missing, OpenError::Load(LoadError::Missing(_))), "as of a missing scenario: {missing}");
        std::fs::write(&path, b"no picture").unwrap();
        assert!(matches!(read_scenario(&path), Err(OpenError::Broken { .. })));
        std::fs::write(&path, include_bytes!("../../../assets/icon.png")).unwrap();
        assert!(matches!(read_scenario(&path), Err(OpenError::NoScenario(_))));
        let path = folder.path().join("a.svg");
        std::fs::write(&path, "<svg").unwrap();
        assert!(matches!(read_scenario(&path), Err(OpenError::Broken { .. })));
    }
}
