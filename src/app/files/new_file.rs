//! What the window writes to a path that was chosen: it asks before it replaces a file, and names it. [`crate::output`] writes it whole.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::output::Staging;
use crate::output::foresight::{Obstacle, check_space, refusal, replaceable};
use draw::sheet::{DrawError, Format};
use figure::source::Source;

/// Why a file was not written.
#[derive(Debug, Error)]
pub enum SaveError {
    /// The file exists, and replacing it was not allowed.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// Comments in the file would be lost.
    #[error("{}: {count} comments would be lost; save to another file, or say that they may go", .path.display())]
    Comments { path: PathBuf, count: usize },
    /// The path names a folder, a device or a pipe.
    #[error("{}: is not a file; name a new file or one to be replaced", .0.display())]
    NoFile(PathBuf),
    /// The path has the extension of another kind of file.
    #[error("{}: {what} cannot be written in this format; name a file that ends in .{extension}", .path.display())]
    Extension {
        path: PathBuf,
        /// What was to be written.
        what: &'static str,
        /// The extension that fits.
        extension: &'static str,
    },
    /// Nothing can be written there.
    #[error(transparent)]
    Obstacle(#[from] Obstacle),
    /// The system refused.
    #[error("{}: {}", .path.display(), refusal(source))]
    Refused { path: PathBuf, source: io::Error },
    /// The figure cannot be drawn.
    #[error("the figure cannot be drawn: {0}")]
    Figure(#[from] DrawError),
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
        let target = replaceable(path)?;
        if target.exists() && !target.is_file() {
            return Err(SaveError::NoFile(path.to_owned()));
        }
        if !replace && target.exists() {
            return Err(SaveError::Exists(path.to_owned()));
        }
        let path = path.to_owned();
        match Staging::beside(&target) {
            Ok(staging) => Ok(Self { path, staging, replace }),
            Err(source) => Err(SaveError::Refused { path, source }),
        }
    }

    /// Checks that `bytes` fit on its disk, where the system tells.
    ///
    /// # Errors
    /// If they do not.
    pub fn check_space(&self, bytes: u64) -> Result<(), Obstacle> {
        let target = self.staging.path();
        check_space(target.parent().unwrap_or(target), bytes)
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

/// Writes a figure, after what it has beside it under names that begin as its own does: the figure is there once all of it is.
///
/// # Errors
/// See [`NewFile`]; `replace` is about the files beside it.
pub fn write_figure(file: NewFile, figure: &Source, replace: bool) -> Result<(), SaveError> {
    let name = file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = stem_of(&name);
    for (suffix, bytes) in &figure.beside {
        write_whole(&file.path.with_file_name(format!("{stem}{suffix}")), bytes, replace)?;
    }
    file.write(&figure.file)
}

/// The name of a figure without its extension.
#[must_use]
pub fn stem_of(name: &str) -> &str {
    let extension = Format::of(Path::new(name)).map_or(0, |format| format.extension().len() + 1);
    name.get(..name.len().saturating_sub(extension)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_figure_has_beside_it_is_named_after_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.b.pgf");
        let beside = vec![("-1.png".to_owned(), b"one".to_vec())];
        let figure = Source { file: b"whole".to_vec(), beside };
        write_figure(NewFile::at(&path, false).unwrap(), &figure, false).unwrap();
        assert_eq!(std::fs::read(folder.path().join("a.b-1.png")).unwrap(), b"one");
        std::fs::remove_file(&path).unwrap();
        let again = write_figure(NewFile::at(&path, false).unwrap(), &figure, false);
        assert!(matches!(again, Err(SaveError::Exists(found)) if found.ends_with("a.b-1.png")));
        assert!(!path.exists(), "without it there is no figure");
        assert_eq!(stem_of("x.vl.json"), "x");
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
}
