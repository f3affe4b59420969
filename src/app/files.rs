//! Reading and writing files, and asking the system where. All of it runs in a task, never in a frame.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use thiserror::Error;

use super::tasks::Done;
use crate::draw::sheet::{DrawError, SCENARIO_KEY};
use crate::figure;
use crate::scenario::{Scenario, load, read};

/// The name of the task that waits for a system dialog.
pub const DIALOG_TASK: &str = "waiting for the file dialog";

/// The largest figure that is opened, in bytes: above what the largest export makes.
const LARGEST_FIGURE: u64 = 256 << 20;

/// Why a file was not written.
#[derive(Debug, Error)]
pub enum SaveError {
    /// There is such a file already, and nobody said to replace it.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// What is there is a folder, a device or a pipe.
    #[error("{}: is not a file; name a new file or one to be replaced", .0.display())]
    NoFile(PathBuf),
    /// The system refused.
    #[error("{}: {source}", .path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The figure could not be drawn.
    #[error("the figure could not be drawn: {0}")]
    Figure(#[from] DrawError),
}

/// What a file dialog is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To open a scenario, or a figure with one inside.
    Open,
    /// To save the scenario.
    Save,
    /// To write a figure.
    Export,
}

/// Reads a scenario for the window.
#[must_use]
pub fn open(path: PathBuf) -> Done {
    let scenario = read_scenario(&path);
    Done::Opened { path, scenario: scenario.map(Box::new) }
}

/// Reads a scenario from a TOML file or out of a figure.
///
/// # Errors
/// Everything that is wrong with the file, in words.
pub fn read_scenario(path: &Path) -> Result<Scenario, String> {
    let is_figure = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"));
    if is_figure && !path.is_dir() { open_figure(path) } else { load(path).map_err(|error| error.to_string()) }
}

fn open_figure(path: &Path) -> Result<Scenario, String> {
    let told = |problem: String| format!("{}: {problem}", path.display());
    let about = std::fs::metadata(path).map_err(|error| told(error.to_string()))?;
    if !about.is_file() || about.len() > LARGEST_FIGURE {
        return Err(told(format!("is no picture; allowed: a PNG of at most {} MiB", LARGEST_FIGURE >> 20)));
    }
    let bytes = std::fs::read(path).map_err(|error| told(error.to_string()))?;
    let text = figure::png::read_text(&bytes, SCENARIO_KEY).map_err(|error| told(error.to_string()))?;
    let text =
        text.ok_or_else(|| told("this picture carries no scenario; figures exported from here do".to_owned()))?;
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    read(&text, &path.display().to_string(), folder).map_err(|errors| errors.to_string())
}

/// Writes a file whole or not at all: beside its place first, then moved there.
///
/// # Errors
/// If the file exists and `replace` is off, or the system refuses.
pub fn write_whole(path: &Path, bytes: &[u8], replace: bool) -> Result<(), SaveError> {
    let refused = |source| SaveError::Refused { path: path.to_owned(), source };
    if !replace && path.exists() {
        return Err(SaveError::Exists(path.to_owned()));
    }
    // A link stays a link: what it points to is written. Devices and pipes are not for renaming over.
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if place.exists() && !place.is_file() {
        return Err(SaveError::NoFile(path.to_owned()));
    }
    let path = place.as_path();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let mut beside = tempfile::NamedTempFile::new_in(folder).map_err(refused)?;
    beside.write_all(bytes).map_err(refused)?;
    beside.as_file().sync_all().map_err(refused)?;
    make_readable(&beside).map_err(refused)?;
    let kept = if replace { beside.persist(path) } else { beside.persist_noclobber(path) };
    kept.map(drop).map_err(|error| refused(error.error))
}

/// Temporary files are private; a scenario or a figure is for sharing.
#[cfg(unix)]
fn make_readable(file: &tempfile::NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_file: &tempfile::NamedTempFile) -> std::io::Result<()> {
    Ok(())
}

/// Asks the system for a path. Where there is no dialog service the answer is a quick `None`.
#[must_use]
pub fn pick(purpose: Purpose, ticket: u64, folder: Option<&Path>, suggestion: &str) -> Done {
    let begun = Instant::now();
    let mut dialog = rfd::FileDialog::new();
    if let Some(folder) = folder {
        dialog = dialog.set_directory(folder);
    }
    let path = match purpose {
        Purpose::Open => dialog.add_filter("Scenario or figure", &["toml", "png"]).pick_file(),
        Purpose::Save => dialog.add_filter("Scenario", &["toml"]).set_file_name(suggestion).save_file(),
        Purpose::Export => dialog.add_filter("PNG picture", &["png"]).set_file_name(suggestion).save_file(),
    };
    Done::Picked { ticket, path, after: begun.elapsed() }
}

/// A title as the name of a file: `sgld-against-cyclical-sgld`.
#[must_use]
pub fn file_stem(title: &str) -> String {
    let dashed: String = title.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let words: Vec<&str> = dashed.split('-').filter(|word| !word.is_empty()).collect();
    let stem = words.join("-").to_lowercase();
    if stem.is_empty() { "scenario".to_owned() } else { stem.chars().take(60).collect() }
}

#[cfg(test)]
mod tests {
    use super::{SaveError, file_stem, write_whole};

    #[test]
    fn titles_become_names() {
        assert_eq!(file_stem("SGLD against cyclical SGLD"), "sgld-against-cyclical-sgld");
        assert_eq!(file_stem("β, ε/2 …"), "β-ε-2");
        assert_eq!(file_stem("  "), "scenario");
    }

    #[test]
    fn files_appear_whole_and_are_not_replaced_by_accident() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        write_whole(&path, b"one", false).unwrap();
        assert!(matches!(write_whole(&path, b"two", false), Err(SaveError::Exists(_))));
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        write_whole(&path, b"two", true).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let error = write_whole(&folder.path().join("no/such/a.toml"), b"", false).unwrap_err();
        assert!(error.to_string().contains("a.toml"), "{error}");
    }
}
