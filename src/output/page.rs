//! Output of a page: a file becomes a download, whole. There are no folders, and no other process.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::platform::download;

/// A file in the making.
#[derive(Debug)]
pub struct Staging {
    place: PathBuf,
    bytes: Arc<Mutex<Vec<u8>>>,
}

/// What is written to a [`Staging`].
#[derive(Debug)]
pub struct Staged(Arc<Mutex<Vec<u8>>>);

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Staging {
    /// Begins a download with the name of `place`.
    ///
    /// # Errors
    /// If `place` has no name.
    pub fn beside(place: &Path) -> io::Result<Self> {
        place.file_name().ok_or(ErrorKind::InvalidInput)?;
        Ok(Self { place: place.to_owned(), bytes: Arc::default() })
    }

    /// The place of the finished file.
    #[must_use]
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// The file that is staged.
    ///
    /// # Errors
    /// None on a page.
    pub fn file(&self) -> io::Result<Staged> {
        Ok(Staged(self.bytes.clone()))
    }

    /// Gives the file to the browser. It never replaces another one: the browser finds a free name.
    ///
    /// # Errors
    /// If the browser refuses.
    pub fn publish_file(self, _replace: bool) -> io::Result<()> {
        let name = self.place.file_name().unwrap_or_default().to_string_lossy();
        download(&name, &self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A file that belongs to this page; there is none.
#[derive(Debug)]
pub enum Claim {}

impl Claim {
    /// Claims the file at `place`.
    ///
    /// # Errors
    /// Always: a page has no files.
    pub fn on(_place: &Path) -> io::Result<Option<Self>> {
        Err(ErrorKind::Unsupported.into())
    }

    /// Claims files of processes that are gone: none.
    #[must_use]
    pub fn left_behind(_folder: &Path, _prefix: &str, _extension: &str) -> Vec<Self> {
        Vec::new()
    }

    /// The file.
    #[must_use]
    pub fn place(&self) -> &Path {
        match *self {}
    }

    /// Removes the file.
    pub fn remove(self) {
        match self {}
    }

    /// Gives the file another name.
    ///
    /// # Errors
    /// None.
    pub fn set_aside(self) -> io::Result<PathBuf> {
        match self {}
    }
}

/// Reasons why nothing could be written: none is known before the browser refuses.
pub mod foresight {
    use std::path::{Path, PathBuf};

    /// Why nothing can be written to a place.
    #[derive(Debug, thiserror::Error)]
    pub enum Obstacle {}

    /// The place itself.
    ///
    /// # Errors
    /// None on a page.
    pub fn replaceable(place: &Path) -> Result<PathBuf, Obstacle> {
        Ok(place.to_owned())
    }

    /// Checks nothing: the browser has the disk.
    ///
    /// # Errors
    /// None on a page.
    pub fn check_room(_folder: &Path, _bytes: u64) -> Result<(), Obstacle> {
        Ok(())
    }
}

/// The end of the program: a page is closed by its browser.
pub mod closing {
    use std::time::Duration;

    /// Does nothing: no signals reach a page.
    pub fn before_signals_end(_work: impl FnOnce() + Send + 'static) {}

    /// Does nothing.
    pub fn end_within(_patience: Duration) {}
}
