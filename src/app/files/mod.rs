//! Files: scenarios are read, files are written whole, the system is asked for a path. Called by tasks, never by a frame.

pub(super) mod drawing;
pub(super) mod draws;
pub(super) mod figures;
pub mod link;
pub(super) mod preview;
pub mod qr;
pub(super) mod reading;
pub(super) mod saving;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::output::Staging;
use crate::output::foresight::{Obstacle, check_room, refusal, replaceable};
use crate::platform::{file_to_open, file_to_write, files as disk, folder_to_open};
use draw::sheet::{DrawError, Format, ReadError};
use engine::scenario::{Folder, LoadError, Scenario, ScenarioErrors, load_in, read};
use link::LinkError;

/// The largest figure that is opened, in bytes: above what the largest export makes.
const LARGEST_FIGURE: u64 = 256 << 20;

/// Why no scenario was read.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The scenario file cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The file is no picture that was exported here.
    #[error("{}: not a picture; allowed: {} of at most {} MiB", .0.display(), Format::IN_WORDS, LARGEST_FIGURE >> 20)]
    NoPicture(PathBuf),
    /// The picture is broken.
    #[error("{}: {source}; allowed: a picture as it was exported from Sampler Lab", .path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ReadError,
    },
    /// The picture contains no scenario.
    #[error("{}: this picture contains no scenario; figures exported from Sampler Lab contain one", .0.display())]
    NoScenario(PathBuf),
    /// The link shows nothing.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The scenario in the picture is not valid.
    #[error(transparent)]
    Invalid(#[from] ScenarioErrors),
}

/// Why a file was not written.
#[derive(Debug, Error)]
pub enum SaveError {
    /// The file exists, and replacing it was not allowed.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// Comments in the file would be lost.
    #[error("{}: {count} comments would be lost; save to another file, or say that they may go", .path.display())]
    Comments {
        /// The file.
        path: PathBuf,
        /// Their number.
        count: usize,
    },
    /// The path names a folder, a device or a pipe.
    #[error("{}: is not a file; name a new file or one to be replaced", .0.display())]
    NoFile(PathBuf),
    /// The path has the extension of another kind of file.
    #[error("{}: {what} cannot be written in this format; name a file that ends in .{extension}", .path.display())]
    Extension {
        /// The path.
        path: PathBuf,
        /// What was to be written.
        what: &'static str,
        /// The extension that fits.
        extension: &'static str,
    },
    /// Nothing can be written there.
    #[error(transparent)]
    Place(#[from] Obstacle),
    /// The system refused.
    #[error("{}: {}", .path.display(), refusal(source))]
    Refused {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The figure cannot be drawn.
    #[error("the figure cannot be drawn: {0}")]
    Figure(#[from] DrawError),
}

/// What a path is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To open a scenario, or a figure that contains one.
    Open,
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
}

/// Format of a file with the draws of all runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawsAs {
    /// A table with the name of the run in its first column.
    Csv,
    /// A Zarr store in a ZIP archive: of one run, or with a group for each.
    Zarr,
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
        path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(last))
    }
}

impl Purpose {
    /// The path with the extension of this purpose, if it has none.
    #[must_use]
    pub fn with_extension(self, path: PathBuf) -> PathBuf {
        match (self, path.extension()) {
            (Self::Save, None) => path.with_extension("toml"),
            (Self::Export(format), None) => path.with_extension(format.extension()),
            (Self::Draws(format), None) => path.with_extension(format.extension()),
            (Self::Cells, None) => path.with_extension("csv"),
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
            Self::Save if is_figure(path) => wrong("a scenario", "toml"),
            Self::Export(format) if Format::of(path).is_none_or(|other| other.moves() != format.moves()) => {
                wrong(if format.moves() { "a figure that moves" } else { "a figure" }, format.extension())
            }
            Self::Draws(format) if !format.fits(path) => wrong("draws", format.extension()),
            Self::Cells if !DrawsAs::Csv.fits(path) => wrong("cells", "csv"),
            _ => Ok(()),
        }
    }
}

/// Reads a scenario from a TOML file, from an exported figure, or from a link. `folder` is that of the file; it tells how far the reading of a
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
        Some(format) if !path.is_dir() => read_figure(path, format, folder),
        _ => Ok(load_in(path, folder)?),
    }
}

/// Whether a path has the extension of a picture.
#[must_use]
pub fn is_figure(path: &Path) -> bool {
    Format::of(path).is_some()
}

fn read_figure(path: &Path, format: Format, folder: &Folder) -> Result<Scenario, OpenError> {
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
    let text = format.scenario(&bytes).map_err(|source| OpenError::Broken { path: path.to_owned(), source })?;
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

/// A file that is written whole or not at all.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    staging: Staging,
    replace: bool,
}

impl NewFile {
    /// Begins the file at `path`. A link stays a link: the file that it points to is written.
    ///
    /// # Errors
    /// If the file exists and `replace` is off, if something else than a file is there, or if nothing can be written there.
    pub fn at(path: &Path, replace: bool) -> Result<Self, SaveError> {
        let place = replaceable(path)?;
        if place.exists() && !place.is_file() {
            return Err(SaveError::NoFile(path.to_owned()));
        }
        if !replace && place.exists() {
            return Err(SaveError::Exists(path.to_owned()));
        }
        let path = path.to_owned();
        match Staging::beside(&place) {
            Ok(staging) => Ok(Self { path, staging, replace }),
            Err(source) => Err(SaveError::Refused { path, source }),
        }
    }

    /// Checks that `bytes` fit on its disk, where the system tells.
    ///
    /// # Errors
    /// If they do not.
    pub fn check_room(&self, bytes: u64) -> Result<(), Obstacle> {
        let place = self.staging.place();
        check_room(place.parent().unwrap_or(place), bytes)
    }

    /// Writes the file, down to the disk.
    ///
    /// # Errors
    /// If the system refuses; then the file is as it was.
    pub fn write(self, bytes: &[u8]) -> Result<(), SaveError> {
        self.write_with(|file| file.write_all(bytes))
    }

    /// Writes the file with `write`, down to the disk.
    ///
    /// # Errors
    /// If the system refuses; then the file is as it was.
    pub fn write_with(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), SaveError> {
        let Self { path, staging, replace } = self;
        let written = staging.file().and_then(|file| {
            let mut file = BufWriter::new(file);
            write(&mut file)?;
            file.flush()
        });
        written.and_then(|()| staging.publish_file(replace)).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => SaveError::Exists(path),
            _ => SaveError::Refused { path, source },
        })
    }
}

/// Writes a [`NewFile`] at once.
///
/// # Errors
/// See there.
pub fn write_whole(path: &Path, bytes: &[u8], replace: bool) -> Result<(), SaveError> {
    NewFile::at(path, replace)?.write(bytes)
}

/// Asks the system for a path. `None` if the person cancels, and at once if the system has no file dialog.
#[must_use]
pub fn pick(purpose: Purpose, folder: Option<&Path>, suggestion: &str) -> Option<PathBuf> {
    match purpose {
        Purpose::Open => {
            let known: Vec<&str> = ["toml"].into_iter().chain(Format::ALL.map(Format::extension)).collect();
            file_to_open(folder, ("Scenario or figure", &known))
        }
        Purpose::Data => file_to_open(folder, ("Data or texts", &["csv", "tsv", "txt", "dat"])),
        Purpose::Folder => folder_to_open(folder),
        Purpose::Save => file_to_write(folder, suggestion, ("Scenario", "toml")),
        Purpose::Export(format) => {
            let kind = format!("{} picture", format.label());
            file_to_write(folder, suggestion, (&kind, format.extension()))
        }
        Purpose::Draws(DrawsAs::Csv) => file_to_write(folder, suggestion, ("Draws as CSV", "csv")),
        Purpose::Cells => file_to_write(folder, suggestion, ("Cells as CSV", "csv")),
        Purpose::Draws(DrawsAs::Zarr) => file_to_write(folder, suggestion, ("Draws as Zarr", "zip")),
    }
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
    use std::path::{Path, PathBuf};

    use engine::scenario::{LoadError, folder_of};

    use super::Format;
    use super::OpenError;
    use super::Purpose;
    use super::SaveError;
    use super::file_stem;
    use super::write_whole;

    #[test]
    fn a_title_becomes_a_file_name() {
        assert_eq!(file_stem("SGLD against cyclical SGLD"), "sgld-against-cyclical-sgld");
        assert_eq!(file_stem("β, ε/2 …"), "β-ε-2");
        assert_eq!(file_stem("  "), "scenario");
    }

    #[test]
    fn a_file_is_written_whole_and_replaced_only_on_request() {
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
    #[cfg(unix)]
    fn a_replaced_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        std::fs::write(&path, "one").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        write_whole(&path, b"two", true).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn the_error_names_the_file_in_a_missing_folder() {
        let folder = tempfile::tempdir().unwrap();
        let error = write_whole(&folder.path().join("no/such/a.toml"), b"", false).unwrap_err();
        assert!(error.to_string().contains("a.toml"), "{error}");
    }

    #[test]
    fn a_path_gets_the_extension_of_its_purpose_if_it_has_none() {
        assert_eq!(Purpose::Save.with_extension(PathBuf::from("a")), PathBuf::from("a.toml"));
        assert_eq!(Purpose::Export(Format::Png).with_extension(PathBuf::from("a")), PathBuf::from("a.png"));
        assert_eq!(Purpose::Export(Format::Svg).with_extension(PathBuf::from("a")), PathBuf::from("a.svg"));
        assert_eq!(Purpose::Export(Format::Png).with_extension(PathBuf::from("a.b")), PathBuf::from("a.b"));
        assert_eq!(Purpose::Open.with_extension(PathBuf::from("a")), PathBuf::from("a"));
    }

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
