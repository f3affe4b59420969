//! Foresight: reasons why nothing could be written to a path, found before the work and not after it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::staging::folder_of;

/// Why nothing can be written to a path, with what helps.
#[derive(Debug, Error)]
pub enum Obstacle {
    /// The folder of the path does not exist.
    #[error("{}: there is no folder {}; make it first, or name another place", .place.display(), .folder.display())]
    NoFolder {
        /// The path.
        place: PathBuf,
        /// Its folder.
        folder: PathBuf,
    },
    /// What should be a folder on the way to the path is none.
    #[error("{}: {} is not a folder; name a place in a folder", .place.display(), .folder.display())]
    NotAFolder {
        /// The path.
        place: PathBuf,
        /// What is there in the place of a folder.
        folder: PathBuf,
    },
    /// The path is a link to nothing.
    #[error("{}: this link points to nothing; remove it, or name another place", .0.display())]
    Dangling(PathBuf),
    /// The path is the root of a file system, which cannot be replaced.
    #[error("{}: a file system is mounted here, which cannot be replaced; name a folder in it", .0.display())]
    Mounted(PathBuf),
    /// The path may not be written to.
    #[error("{}: is read-only; make it writable, or name another place", .0.display())]
    ReadOnly(PathBuf),
    /// There is too little space on the disk.
    #[error(
        "{}: about {needed} MB are needed and {free} MB are free; make room, or name another place", .folder.display()
    )]
    NoSpace {
        /// The folder to be written to.
        folder: PathBuf,
        /// What is needed, in megabytes.
        needed: u64,
        /// What is free, in megabytes.
        free: u64,
    },
    /// The system refuses to tell.
    #[error("{}: {}", .place.display(), refusal(source))]
    Refused {
        /// The path.
        place: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
}

/// What helps against a refusal of the system to write; `None` where that is not known.
#[must_use]
pub fn remedy(refused: &std::io::Error) -> Option<&'static str> {
    Some(match refused.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "make room, or name another place"
        }
        ErrorKind::PermissionDenied => "allow it, or name another place",
        ErrorKind::ReadOnlyFilesystem => "name a place on another disk",
        ErrorKind::NotADirectory => "name a place in a folder",
        ErrorKind::InvalidFilename => "choose a shorter name",
        _ => return None,
    })
}

/// A refusal of the system in words, with what helps.
#[must_use]
pub fn refusal(refused: &std::io::Error) -> String {
    match remedy(refused) {
        Some(remedy) => format!("{refused}; {remedy}"),
        None => refused.to_string(),
    }
}

/// The path with links followed and with a name of its own. What is there may be replaced.
///
/// # Errors
/// If its folder does not exist, or what is there cannot be replaced.
pub fn replaceable(place: &Path) -> Result<PathBuf, Obstacle> {
    let refused = |source| Obstacle::Refused { place: place.to_owned(), source };
    match place.canonicalize() {
        Ok(found) => {
            if found.file_name().is_none() || is_mounted(&found) {
                return Err(Obstacle::Mounted(place.to_owned()));
            }
            let about = fs::metadata(&found).map_err(refused)?;
            if about.permissions().readonly() { Err(Obstacle::ReadOnly(place.to_owned())) } else { Ok(found) }
        }
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            if place.symlink_metadata().is_ok() {
                return Err(Obstacle::Dangling(place.to_owned()));
            }
            let folder = folder_of(place);
            let found = folder.canonicalize().ok().filter(|folder| folder.is_dir());
            let found = found.ok_or_else(|| no_folder(place, &folder))?;
            Ok(found.join(place.file_name().ok_or_else(|| refused(ErrorKind::InvalidInput.into()))?))
        }
        Err(error) => Err(refused(error)),
    }
}

/// That there is no folder for a path: it does not exist, or what is there is none.
fn no_folder(place: &Path, folder: &Path) -> Obstacle {
    let place = place.to_owned();
    match folder.ancestors().find(|above| above.exists()) {
        Some(above) if !above.is_dir() => Obstacle::NotAFolder { place, folder: above.to_owned() },
        _ => Obstacle::NoFolder { place, folder: folder.to_owned() },
    }
}

/// Checks that `bytes` more fit on the disk of `folder`, where the system tells.
///
/// # Errors
/// [`Obstacle::NoSpace`] if they do not.
pub fn check_space(folder: &Path, bytes: u64) -> Result<(), Obstacle> {
    match free(folder) {
        Some(free) if free < bytes => {
            let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
            Err(Obstacle::NoSpace { folder: folder.to_owned(), needed: megabytes(bytes), free: free / 1_000_000 })
        }
        _ => Ok(()),
    }
}

/// Free bytes on the disk of a folder; `None` if the system does not tell.
fn free(folder: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let about = rustix::fs::statvfs(folder).ok()?;
        Some(about.f_bavail.saturating_mul(about.f_frsize))
    }
    #[cfg(not(unix))]
    {
        _ = folder;
        None
    }
}

/// Whether a file system is mounted at a path. Elsewhere than on Unix the system refuses when results are moved.
fn is_mounted(path: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
        // A file system may be mounted from a folder of the same one: its number alone does not tell.
        if let Ok(about) = statx(CWD, path, AtFlags::empty(), StatxFlags::empty()) {
            return about.stx_attributes.contains(StatxAttributes::MOUNT_ROOT);
        }
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let device = |path: &Path| fs::metadata(path).map(|about| about.dev()).ok();
        device(path) != device(&folder_of(path))
    }
    #[cfg(not(unix))]
    {
        _ = path;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_a_folder_can_be_written_and_one_without_cannot() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        assert_eq!(replaceable(&root.join("new")).unwrap(), root.join("new"));
        let error = replaceable(&root.join("no/new")).unwrap_err();
        assert!(matches!(error, Obstacle::NoFolder { .. }), "{error}");
        fs::write(root.join("file"), "").unwrap();
        for place in ["file/new", "file/no/new"] {
            let error = replaceable(&root.join(place)).unwrap_err();
            assert!(matches!(&error, Obstacle::NotAFolder { folder, .. } if *folder == root.join("file")), "{error}");
        }
    }

    #[test]
    fn what_is_read_only_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(matches!(replaceable(&path), Err(Obstacle::ReadOnly(_))));
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed_and_links_to_nothing_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::os::unix::fs::symlink("there", root.join("link")).unwrap();
        assert!(matches!(replaceable(&root.join("link")), Err(Obstacle::Dangling(_))));
        fs::create_dir(root.join("there")).unwrap();
        assert_eq!(replaceable(&root.join("link")).unwrap(), root.join("there"));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_root_of_a_file_system_is_not_replaced() {
        assert!(matches!(replaceable(Path::new("/")), Err(Obstacle::Mounted(_))));
        assert!(matches!(replaceable(Path::new("/proc")), Err(Obstacle::Mounted(_))));
    }

    #[test]
    #[cfg(unix)]
    fn more_than_the_disk_holds_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(check_space(folder.path(), 0).is_ok());
        let error = check_space(folder.path(), u64::MAX).unwrap_err();
        assert!(error.to_string().contains("MB are needed"), "{error}");
    }
}
