//! Staging: a folder beside the place of a file or of a folder of results, in which the new one is made whole.
//!
//! For a place `results` the staging folder is `.results.sampler-lab-` and six random characters; of a long name it has the beginning and
//! a digest. It contains
//!
//! - `lock`, a file that is locked as long as its process lives: it tells a staging folder at work from one that was
//!   left behind by a kill;
//! - `new`, the file or folder in the making; after the move, what was there before;
//! - `old`, only where a system cannot exchange two folders in one step: what was there before, between the two moves.
//!
//! A staging folder that was left behind is removed by the next [`Staging`] for the same place. If `old` is in it and the
//! place is empty, `old` is moved back first. So a kill at any moment leaves the old file or folder or the new one, whole:
//! at once where there is an exchange (Linux, macOS) and for files everywhere, after the next start elsewhere.
//!
//! On file systems without locks, what a kill leaves behind is not removed.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempPath};

use super::closing::Staged;

/// Part of the name of a staging folder, between the name of its place and its random end.
const MARK: &str = ".sampler-lab-";

const LOCK: &str = "lock";
const NEW: &str = "new";
const OLD: &str = "old";

/// How often a staging folder is begun again if another process takes it for one that was left behind: it does so only
/// between two calls to the system.
const ATTEMPTS: usize = 20;

/// A file or folder in the making, which replaces the one at its place or leaves no trace.
#[derive(Debug)]
pub struct Staging {
    path: PathBuf,
    root: PathBuf,
    lock: Option<File>,
    published: bool,
}

impl Staging {
    /// Removes what killed processes left behind of what would have been at `path`, as far as the system allows it.
    pub fn remove_remains(path: &Path) {
        if let Some(prefix) = prefix_of(path) {
            remove_left_behind(path, &folder_of(path), &prefix).ok();
        }
    }

    /// Begins to stage what will be at `path`, whose folder must exist. Removes what killed processes left behind there.
    ///
    /// # Errors
    /// If the folder of `path` cannot be written to.
    pub fn beside(path: &Path) -> io::Result<Self> {
        let folder = folder_of(path);
        let prefix = prefix_of(path).ok_or(ErrorKind::InvalidInput)?;
        remove_left_behind(path, &folder, &prefix)?;
        for _ in 0..ATTEMPTS {
            let mut staged = Staged::hold();
            let root = private().prefix(&prefix).tempdir_in(&folder)?.keep();
            staged.add(root.clone());
            let mut begun = Self { path: path.to_owned(), root, lock: None, published: false };
            // From here on an error removes the folder again.
            drop(staged);
            match begun.take_lock() {
                Ok(true) => return Ok(begun),
                Ok(false) => {}
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Err(ErrorKind::ResourceBusy.into())
    }

    /// Locks the staging folder; false if another process has taken it for one that was left behind.
    fn take_lock(&mut self) -> io::Result<bool> {
        let path = self.root.join(LOCK);
        let file = File::create_new(&path)?;
        let locked = match file.try_lock() {
            Err(TryLockError::WouldBlock) => false,
            // Without locks nobody can take it for left behind either.
            Ok(()) | Err(TryLockError::Error(_)) => path.exists(),
        };
        self.lock = Some(file);
        Ok(locked)
    }

    /// The place of the finished file or folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that is staged, new and empty.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn file(&self) -> io::Result<File> {
        let _staged = Staged::hold();
        File::create_new(self.root.join(NEW))
    }

    /// A new, empty file in the folder that is staged, `name` its path there. Its folders are made.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn file_within(&self, name: &Path) -> io::Result<File> {
        // Once the program is ending this waits for the end: nothing may appear in a folder that is being removed.
        let _staged = Staged::hold();
        let path = self.root.join(NEW).join(name);
        fs::create_dir_all(folder_of(&path))?;
        File::create_new(path)
    }

    /// Moves the staged file to its place in one step; without `replace`, only if there is none.
    ///
    /// # Errors
    /// If there is one without `replace` ([`ErrorKind::AlreadyExists`]), or the system refuses; the place is then as it was.
    pub fn publish_file(mut self, replace: bool) -> io::Result<()> {
        let new = self.root.join(NEW);
        keep_permissions(&self.path, &new)?;
        File::open(&new)?.sync_all()?;
        let staged = Staged::hold();
        if replace {
            fs::rename(&new, &self.path)?;
        } else {
            TempPath::try_from_path(new)?.persist_noclobber(&self.path).map_err(|refused| refused.error)?;
        }
        self.published = true;
        drop(staged);
        sync_folder(&folder_of(&self.path))
    }

    /// Moves the staged folder to its place; the folder that was there is removed. On Linux and macOS this is one step.
    ///
    /// # Errors
    /// If the system refuses; the place is then as it was, and [`Self::set_aside`] keeps the staged folder.
    pub fn publish_folder(&mut self) -> io::Result<()> {
        let new = self.root.join(NEW);
        keep_permissions(&self.path, &new)?;
        sync_tree(&new)?;
        let staged = Staged::hold();
        replace_folder(&new, &self.path, &self.root.join(OLD))?;
        self.published = true;
        drop(staged);
        sync_folder(&folder_of(&self.path))
    }

    /// Keeps the staged folder that could not be published, under the first free name like `results-2` beside the place,
    /// and returns its path; `None` if it is at its place, or cannot be kept.
    pub fn set_aside(&mut self) -> Option<PathBuf> {
        let _staged = Staged::hold();
        let aside = (2..100).map(|number| {
            let mut name = self.path.file_name().unwrap_or_default().to_owned();
            name.push(format!("-{number}"));
            self.path.with_file_name(name)
        });
        let free = aside.into_iter().find(|path| path.symlink_metadata().is_err()).filter(|_| !self.published)?;
        fs::rename(self.root.join(NEW), &free).ok()?;
        Some(free)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Where open files cannot be removed, the lock has to be closed first.
        self.lock = None;
        remove(&self.root);
        Staged::hold().forget(&self.root);
    }
}

/// The longest name that is part of the name of a staging folder, in bytes: together they have at most the 255 of most file systems.
const LONGEST: usize = 200;

/// The name of a staging folder without its random end.
fn prefix_of(path: &Path) -> Option<OsString> {
    let name = path.file_name()?;
    let mut prefix = OsString::from(".");
    if name.len() <= LONGEST {
        prefix.push(name);
    } else {
        // FNV-1a (Fowler, Noll and Vo).
        let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        let digest = name.as_encoded_bytes().iter().fold(0xcbf2_9ce4_8422_2325, mix);
        let start: String = name.to_string_lossy().chars().take(LONGEST / 8).collect();
        prefix.push(format!("{start}-{digest:016x}"));
    }
    prefix.push(MARK);
    Some(prefix)
}

/// A staging folder is private: what will replace a private file must not be seen before.
fn private() -> Builder<'static, 'static> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mut builder = Builder::new();
        builder.permissions(fs::Permissions::from_mode(0o700));
        builder
    }
    #[cfg(not(unix))]
    Builder::new()
}

/// Removes a staging folder as far as the system allows: the lock last, so that the rest is never without one.
pub(super) fn remove(root: &Path) {
    let entries = fs::read_dir(root).into_iter().flatten().flatten().map(|entry| entry.path());
    for path in entries.filter(|path| path.file_name() != Some(OsStr::new(LOCK))) {
        let gone = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        if gone.is_err() && path.exists() {
            // The next start tries again.
            return;
        }
    }
    fs::remove_file(root.join(LOCK)).ok();
    fs::remove_dir(root).ok();
}

/// Removes the staging folders for `path` whose processes no longer live.
fn remove_left_behind(path: &Path, folder: &Path, prefix: &OsStr) -> io::Result<()> {
    let ours = |name: &OsStr| name.as_encoded_bytes().starts_with(prefix.as_encoded_bytes());
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !ours(&entry.file_name()) || !entry.file_type()?.is_dir() {
            continue;
        }
        let root = entry.path();
        match File::open(root.join(LOCK)) {
            Ok(lock) if lock.try_lock().is_ok() => {
                if path.symlink_metadata().is_err() {
                    // A kill came between two moves; there is nothing to move back after any other.
                    fs::rename(root.join(OLD), path).ok();
                }
                remove(&root);
            }
            Ok(_) => {}
            // A process has just begun it, and begins again, or was killed then: an empty folder in either case.
            Err(_) => _ = fs::remove_dir(&root),
        }
    }
    Ok(())
}

/// Puts the folder `new` at `path`. What was there is at `new` or at `old` afterwards.
fn replace_folder(new: &Path, path: &Path, old: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;

        match renameat_with(CWD, new, CWD, path, RenameFlags::EXCHANGE) {
            // There is nothing to exchange, or the file system cannot.
            Err(Errno::NOENT | Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => {}
            done => return Ok(done?),
        }
    }
    replace_in_two_moves(new, path, old)
}

/// [`replace_folder`] for file systems without an exchange.
fn replace_in_two_moves(new: &Path, path: &Path, old: &Path) -> io::Result<()> {
    let replaces = path.symlink_metadata().is_ok();
    if replaces {
        fs::rename(path, old)?;
    }
    fs::rename(new, path).inspect_err(|_| {
        if replaces {
            // If this fails too, the next start moves it back.
            fs::rename(old, path).ok();
        }
    })
}

/// Gives the new file or folder the permissions of the one that it replaces.
fn keep_permissions(path: &Path, new: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(before) => fs::set_permissions(new, before.permissions()),
        Err(_) => Ok(()),
    }
}

/// Waits until the names in a folder and in the folders inside are on the disk. Files are synchronised as they are finished.
fn sync_tree(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_tree(&entry.path())?;
        }
    }
    sync_folder(folder)
}

/// Waits until the names in a folder are on the disk, where the system can.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder)?.sync_all() {
        // Some file systems synchronise no folders.
        Err(error) if error.kind() == ErrorKind::InvalidInput => Ok(()),
        done => done,
    }
}

/// The folder that a path is in.
pub(super) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io::Write;

    use super::*;

    /// A folder with a folder `results` in it that has a file with this text.
    fn with_results(text: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("results")).unwrap();
        fs::write(folder.path().join("results/file"), text).unwrap();
        folder
    }

    fn staged(path: &Path, text: &str) -> Staging {
        let staging = Staging::beside(path).unwrap();
        staging.file_within(Path::new("file")).unwrap().write_all(text.as_bytes()).unwrap();
        staging
    }

    fn names(folder: &Path) -> Vec<OsString> {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    /// Names up to the 255 bytes of the file system, in letters of one byte and of several.
    #[test]
    #[cfg(unix)]
    fn every_name_that_a_file_can_have_can_be_staged() {
        let long = [198, 200, 201, 230, 235, 236, 255].map(|bytes| "n".repeat(bytes));
        let wide = ["\u{e9}".repeat(127), "\u{1d538}".repeat(63)];
        let all: BTreeSet<OsString> = long.iter().chain(&wide).filter_map(|name| prefix_of(Path::new(name))).collect();
        assert_eq!(all.len(), long.len() + wide.len(), "no two share a staging folder");
        for name in long.iter().chain(&wide) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(name);
            let staging = Staging::beside(&path).unwrap_or_else(|error| panic!("{} bytes: {error}", name.len()));
            staging.file().unwrap().write_all(b"text").unwrap();
            staging.publish_file(false).unwrap();
            assert_eq!(names(folder.path()), [OsString::from(name)]);
        }
    }

    fn text(folder: &tempfile::TempDir) -> String {
        fs::read_to_string(folder.path().join("results/file")).unwrap()
    }

    /// What a kill leaves behind: a staging folder whose lock nobody holds.
    fn leave_behind(folder: &Path, parts: &[&str]) {
        let root = folder.join(".results.sampler-lab-abcdef");
        fs::create_dir(&root).unwrap();
        for part in parts {
            if *part == LOCK {
                File::create(root.join(LOCK)).unwrap();
            } else {
                fs::create_dir(root.join(part)).unwrap();
                fs::write(root.join(part).join("file"), *part).unwrap();
            }
        }
    }

    #[test]
    fn a_published_folder_replaces_what_was_there_and_nothing_is_left() {
        let folder = with_results("before");
        let path = folder.path().join("results");
        staged(&path, "after").publish_folder().unwrap();
        assert_eq!((text(&folder).as_str(), names(folder.path())), ("after", vec!["results".into()]));
        fs::remove_dir_all(&path).unwrap();
        staged(&path, "first").publish_folder().unwrap();
        assert_eq!((text(&folder).as_str(), names(folder.path())), ("first", vec!["results".into()]));
    }

    #[test]
    fn what_is_not_published_leaves_no_trace() {
        let folder = with_results("before");
        drop(staged(&folder.path().join("results"), "after"));
        assert_eq!((text(&folder).as_str(), names(folder.path())), ("before", vec!["results".into()]));
    }

    #[test]
    fn two_moves_replace_a_folder_or_put_it_back() {
        let folder = with_results("before");
        let at = |name: &str| folder.path().join(name);
        assert!(replace_in_two_moves(&at("none"), &at("results"), &at("old")).is_err());
        assert_eq!((text(&folder).as_str(), names(folder.path())), ("before", vec!["results".into()]));
        fs::create_dir(at("new")).unwrap();
        fs::write(at("new/file"), "after").unwrap();
        replace_in_two_moves(&at("new"), &at("results"), &at("old")).unwrap();
        assert_eq!((text(&folder).as_str(), names(folder.path())), ("after", vec!["old".into(), "results".into()]));
    }

    #[test]
    fn after_a_kill_between_two_moves_the_next_start_moves_back() {
        let folder = tempfile::tempdir().unwrap();
        leave_behind(folder.path(), &[LOCK, NEW, OLD]);
        drop(Staging::beside(&folder.path().join("results")).unwrap());
        assert_eq!((text(&folder).as_str(), names(folder.path())), (OLD, vec!["results".into()]));
    }

    #[test]
    fn after_a_kill_at_another_moment_the_next_start_removes_what_is_left() {
        for parts in [&[][..], &[LOCK], &[LOCK, NEW], &[LOCK, NEW, OLD]] {
            let folder = with_results("present");
            leave_behind(folder.path(), parts);
            drop(Staging::beside(&folder.path().join("results")).unwrap());
            let left = (text(&folder), names(folder.path()));
            assert_eq!(left, ("present".to_owned(), vec!["results".into()]), "{parts:?}");
        }
    }

    #[test]
    fn what_another_process_stages_and_what_has_another_name_is_kept() {
        let folder = with_results("before");
        let path = folder.path().join("results");
        // The lock belongs to an open file, so a second one in this process is like one of another process.
        let mut first = staged(&path, "first");
        let mut second = staged(&path, "second");
        fs::create_dir(folder.path().join(".results.sampler-lab")).unwrap();
        leave_behind(folder.path(), &["mine"]);
        drop(staged(&folder.path().join("other"), ""));
        first.publish_folder().unwrap();
        assert_eq!(text(&folder), "first");
        second.publish_folder().unwrap();
        assert_eq!(text(&folder), "second");
        drop((first, second));
        let kept = [".results.sampler-lab", ".results.sampler-lab-abcdef", "results"];
        assert_eq!(names(folder.path()), kept.map(OsString::from));
    }

    #[test]
    fn results_that_cannot_be_published_are_set_aside() {
        let folder = with_results("before");
        fs::create_dir(folder.path().join("results-2")).unwrap();
        let mut staging = staged(&folder.path().join("results"), "after");
        let aside = staging.set_aside().unwrap();
        drop(staging);
        assert_eq!(aside, folder.path().join("results-3"));
        assert_eq!(fs::read_to_string(aside.join("file")).unwrap(), "after");
        assert_eq!(names(folder.path()), ["results", "results-2", "results-3"].map(OsString::from));
    }

    #[test]
    fn a_file_is_replaced_only_on_request() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let write = |text: &str, replace| {
            let staging = Staging::beside(&path).unwrap();
            staging.file().unwrap().write_all(text.as_bytes()).unwrap();
            staging.publish_file(replace)
        };
        write("one", false).unwrap();
        assert_eq!(write("two", false).unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        write("three", true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "three");
        assert_eq!(names(folder.path()), ["file"]);
    }
}
