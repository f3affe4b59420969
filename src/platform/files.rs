//! Files of a page: those that a person gave to it, in memory, by their names.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The most bytes that are kept; the oldest files make way.
const MOST: usize = 256 << 20;

thread_local! {
    static FILES: RefCell<VecDeque<(PathBuf, Rc<[u8]>)>> = const { RefCell::new(VecDeque::new()) };
}

/// Keeps a file that was given; it takes the place of one of the same name.
pub fn keep(path: PathBuf, bytes: &[u8]) {
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
    let name = path.strip_prefix(".").unwrap_or(path);
    let kept = FILES.with_borrow(|files| files.iter().find(|(known, _)| known == name).map(|(_, bytes)| bytes.clone()));
    kept.ok_or_else(|| ErrorKind::NotFound.into())
}

/// What is known of a file.
#[derive(Clone, Copy, Debug)]
pub struct Metadata {
    length: u64,
}

#[expect(clippy::len_without_is_empty, reason = "the names of std::fs")]
impl Metadata {
    /// Its length in bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.length
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
    Ok(Metadata { length: found(path)?.len() as u64 })
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
