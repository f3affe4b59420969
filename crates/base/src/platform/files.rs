//! Files of a page: those that a person gave to it, in memory, by their names, and those that the browser keeps.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use super::kept;

/// The most bytes that are kept; the oldest files make way.
const MOST: usize = 256 << 20;

thread_local! {
    static FILES: RefCell<VecDeque<(PathBuf, Rc<[u8]>)>> = const { RefCell::new(VecDeque::new()) };
}

/// Keeps a file that was given; it takes the place of one of the same name.
pub fn keep(path: PathBuf, bytes: &[u8]) {
    kept::note(&path, bytes);
    FILES.with_borrow_mut(|files| {
        files.retain(|(known, _)| *known != path);
        files.push_back((path, bytes.into()));
        while files.len() > 1 && files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > MOST {
            files.pop_front();
        }
    });
}

/// A path as a name of a file: files stand beside each other.
fn found(path: &Path) -> io::Result<Rc<[u8]>> {
    if kept::is_kept(path) {
        return kept::read(path);
    }
    let name = path.strip_prefix(".").unwrap_or(path);
    let given =
        FILES.with_borrow(|files| files.iter().find(|(known, _)| known == name).map(|(_, bytes)| bytes.clone()));
    given.map_or_else(|| kept::read(&kept::by_name(name)), Ok)
}

/// What is known of a file.
#[derive(Clone, Copy, Debug)]
pub struct Metadata {
    length: u64,
    modified: Option<SystemTime>,
}

#[expect(clippy::len_without_is_empty, reason = "the names of std::fs")]
impl Metadata {
    /// Its length in bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.length
    }

    /// When it was written, if the browser keeps it.
    ///
    /// # Errors
    /// If nobody knows.
    pub fn modified(&self) -> io::Result<SystemTime> {
        self.modified.ok_or_else(|| ErrorKind::Unsupported.into())
    }

    /// Whether it is a file: always.
    #[must_use]
    pub fn is_file(&self) -> bool {
        true
    }

    /// Whether it is a folder: never.
    #[must_use]
    pub fn is_dir(&self) -> bool {
        false
    }
}

/// What is known of the file at `path`.
///
/// # Errors
/// If no such file was given.
pub fn metadata(path: &Path) -> io::Result<Metadata> {
    Ok(Metadata { length: found(path)?.len() as u64, modified: kept::modified(path).ok() })
}

/// The bytes of the file at `path`.
///
/// # Errors
/// If no such file was given.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    Ok(found(path)?.to_vec())
}

/// A file that is read.
#[derive(Debug)]
pub struct File(Cursor<Rc<[u8]>>);

impl File {
    /// Opens the file at `path`.
    ///
    /// # Errors
    /// If no such file was given.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self(Cursor::new(found(path)?)))
    }
}

impl Read for File {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}
