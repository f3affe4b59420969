//! Output of a page: a file becomes a download, whole, unless it is one that the browser keeps. There are no folders; other tabs with
//! this page are its other processes.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::platform::{download, files, kept};

/// A file in the making.
#[derive(Debug)]
pub struct Staging {
    path: PathBuf,
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
    /// Begins a download with the name of `path`.
    ///
    /// # Errors
    /// If `path` has no name.
    pub fn beside(path: &Path) -> io::Result<Self> {
        path.file_name().ok_or(ErrorKind::InvalidInput)?;
        Ok(Self { path: path.to_owned(), bytes: Arc::default() })
    }

    /// The path of the finished file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that is staged.
    ///
    /// # Errors
    /// None on a page.
    pub fn file(&self) -> io::Result<Staged> {
        Ok(Staged(self.bytes.clone()))
    }

    /// Gives the file to the browser, to keep it or to save it. A download never replaces a file: the browser finds a free name.
    ///
    /// # Errors
    /// If the browser refuses.
    pub fn publish_file(self, _replace: bool) -> io::Result<()> {
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        if kept::is_kept(&self.path) {
            return kept::write(&self.path, &bytes);
        }
        let name = self.path.file_name().unwrap_or_default();
        download(&name.to_string_lossy(), &bytes)?;
        // A scenario can be opened again by its name.
        if self.path.extension().is_some_and(|extension| extension == "toml") {
            files::keep(name.into(), &bytes);
        }
        Ok(())
    }
}

/// A kept file that belongs to one tab at a time: its name ends with the number of the tab.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
}

/// The number of a tab at the end of a file's name.
fn tab(path: &Path) -> Option<u32> {
    path.file_stem()?.to_str()?.rsplit('-').next()?.parse().ok()
}

impl Claim {
    /// Claims the file at `path`; `None` if it belongs to another tab.
    ///
    /// # Errors
    /// If the browser keeps no such files.
    pub fn on(path: &Path) -> io::Result<Option<Self>> {
        kept::check(path)?;
        Ok((!tab(path).is_some_and(kept::is_open)).then(|| Self { path: path.to_owned() }))
    }

    /// The paths of all files `<prefix>….<extension>` in a folder, whether their tabs are open or closed.
    #[must_use]
    pub fn paths(folder: &Path, prefix: &str, extension: &str) -> Vec<PathBuf> {
        let named = kept::list(folder).into_iter().map(|(path, _)| path).filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            path.parent() == Some(folder)
                && name.is_some_and(|name| name.starts_with(prefix))
                && path.extension().is_some_and(|found| found == extension)
        });
        named.collect()
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file; nobody needs it any more.
    pub fn remove(self) {
        kept::remove(&self.path);
    }

    /// Gives the file a name under which nobody looks for it; returns this name. The one before it that had this name is gone.
    ///
    /// # Errors
    /// If the browser refuses.
    pub fn set_aside(self) -> io::Result<PathBuf> {
        let aside = self.path.with_file_name("session.unreadable");
        let bytes = kept::read(&self.path)?;
        kept::remove(&self.path);
        kept::write(&aside, &bytes)?;
        Ok(aside)
    }
}

/// Reasons why nothing could be written: none is known before the browser refuses.
pub mod foresight {
    use std::path::{Path, PathBuf};

    /// Why nothing can be written to a path.
    #[derive(Debug, thiserror::Error)]
    pub enum Obstacle {}

    /// A refusal of the browser in words.
    #[must_use]
    pub fn refusal(refused: &std::io::Error) -> String {
        refused.to_string()
    }

    /// The path itself.
    ///
    /// # Errors
    /// None on a page.
    pub fn replaceable(path: &Path) -> Result<PathBuf, Obstacle> {
        Ok(path.to_owned())
    }

    /// Checks nothing: the browser has the disk.
    ///
    /// # Errors
    /// None on a page.
    pub fn check_space(_folder: &Path, _bytes: u64) -> Result<(), Obstacle> {
        Ok(())
    }
}

/// The end of the program: a page is closed by its browser.
pub mod closing {
    use std::time::Duration;

    /// Has `work` done whenever the page may be about to end: no signals reach it.
    pub fn before_signals_end(work: impl Fn() + Send + 'static) {
        crate::platform::before_leaving(work);
    }

    /// Does nothing.
    pub fn end_within(_patience: Duration) {}
}
