//! Claim: a file that belongs to one process at a time, and that another process may take over once the first is gone.
//!
//! Beside the file, `session-12.json`, is `session-12.lock`. The system locks it for its process and lets go of it when the
//! process ends, however it ends. On file systems without locks no file is ever taken over.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::closing::Staged;
use super::staging::Staging;

const LOCK: &str = "lock";

/// The right of this process to a file; it ends with the value, or with the process.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    lock_path: PathBuf,
    /// Locked as long as it is open.
    lock: File,
}

impl Claim {
    /// Claims the file at `path`, whose folder is made if there is none; `None` if it belongs to another process.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn on(path: &Path) -> io::Result<Option<Self>> {
        let _staged = Staged::hold();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let lock_path = path.with_extension(LOCK);
        // A pipe would be waited for.
        if lock_path.exists() && !lock_path.is_file() {
            return Ok(None);
        }
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&lock_path)?;
        // Whoever has just taken the file over has removed the lock as well.
        let ours = lock.try_lock().is_ok() && lock_path.exists();
        Ok(ours.then(|| Self { path: path.to_owned(), lock_path, lock }))
    }

    /// The paths of all files `<prefix>….<extension>` in a folder that processes have claimed, whether they live or are gone. None is
    /// claimed here: that takes a while for many.
    #[must_use]
    pub fn paths(folder: &Path, prefix: &str, extension: &str) -> Vec<PathBuf> {
        let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let named = names.filter(|path| {
            let starts = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(prefix));
            starts && path.extension().is_some_and(|found| found == extension || found == LOCK)
        });
        let paths: BTreeSet<PathBuf> = named.map(|path| path.with_extension(extension)).collect();
        paths.into_iter().collect()
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file, which nobody needs any more, and what a kill has left of one in the making.
    pub fn remove(self) {
        Staging::remove_remains(&self.path);
        let _staged = Staged::hold();
        fs::remove_file(&self.path).ok();
        self.end();
    }

    /// Gives the file a name under which nobody looks for it; returns this name.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn set_aside(self) -> io::Result<PathBuf> {
        let aside = set_aside(&self.path)?;
        self.end();
        Ok(aside)
    }

    fn end(self) {
        let Self { lock_path, lock, .. } = self;
        // Where open files cannot be removed, the lock has to be closed first.
        #[cfg(windows)]
        drop(lock);
        fs::remove_file(lock_path).ok();
        #[cfg(not(windows))]
        drop(lock);
    }
}

/// Gives a file, or whatever is in its place, a name under which nobody looks for it; returns this name.
///
/// # Errors
/// If the system refuses.
pub fn set_aside(path: &Path) -> io::Result<PathBuf> {
    let _staged = Staged::hold();
    let aside = path.with_extension("unreadable");
    fs::rename(path, &aside)?;
    Ok(aside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_one_at_a_time_and_can_be_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/session-1.json");
        let claim = Claim::on(&path).unwrap().unwrap();
        fs::write(&path, "text").unwrap();
        assert!(Claim::on(&path).unwrap().is_none());
        let found = |extension: &str| -> Vec<Claim> {
            let paths = Claim::paths(path.parent().unwrap(), "session-", extension);
            paths.iter().filter_map(|path| Claim::on(path).unwrap()).collect()
        };
        assert!(found("json").is_empty());
        drop(claim);
        let mut left = found("json");
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].path(), path);
        assert!(found("json").is_empty(), "it is taken");
        left.remove(0).remove();
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_that_is_set_aside_is_not_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session-1.json");
        fs::write(&path, "broken").unwrap();
        let aside = Claim::on(&path).unwrap().unwrap().set_aside().unwrap();
        assert_eq!(fs::read_to_string(aside).unwrap(), "broken");
        assert!(Claim::paths(folder.path(), "session-", "json").is_empty());
    }
}
