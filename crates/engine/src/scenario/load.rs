//! Loading a scenario file.

use std::io::Read;
use std::path::Path;

use super::errors::LoadError;
use super::{Folder, MAX_BYTES, Scenario, is_playlist, read};
use base::platform::files;

/// The largest file that is read, in bytes.
const LARGEST: u64 = MAX_BYTES as u64;

/// Reads the scenario in a file. Relative paths in it are looked up in the file's folder.
///
/// # Errors
/// If the file cannot be read, is no text, is a playlist, or is not a valid scenario.
pub fn load(path: &Path) -> Result<Scenario, LoadError> {
    load_in(path, &folder_of(path))
}

/// The same with relative paths looked up in a given folder, which tells how far reading is.
///
/// # Errors
/// As [`load`]; and if reading was stopped.
pub fn load_in(path: &Path, folder: &Folder) -> Result<Scenario, LoadError> {
    let text = text_of(path)?;
    folder.note_file_read();
    if is_playlist(&text) {
        return Err(LoadError::Playlist { path: path.to_owned(), text });
    }
    Ok(read(&text, &path.display().to_string(), folder)?)
}

/// The folder of a file.
#[must_use]
pub fn folder_of(path: &Path) -> Folder {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).into()
}

/// The text of a file that is small enough.
fn text_of(path: &Path) -> Result<String, LoadError> {
    let refused = |source| LoadError::refused(path, source);
    let about = files::metadata(path).map_err(refused)?;
    if about.is_dir() {
        return Err(LoadError::Folder(path.to_owned()));
    }
    // A pipe with a name may have nobody who writes to it.
    if !about.is_file() && !is_passed(path) {
        return Err(LoadError::NoFile(path.to_owned()));
    }
    let too_large = |size| LoadError::TooLarge { path: path.to_owned(), size, limit: LARGEST };
    if about.len() > LARGEST {
        return Err(too_large(about.len()));
    }
    // A file may grow, and a pipe has no length: never more than one byte beyond the limit is read.
    let mut bytes = Vec::new();
    files::File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)).map_err(refused)?;
    if bytes.len() as u64 > LARGEST {
        return Err(too_large(bytes.len() as u64));
    }
    text(bytes).map_err(|offset| LoadError::NotText { path: path.to_owned(), offset })
}

/// Whether a path stands for what another program passes on: standard input, or the pipe of `<(…)` in a shell.
fn is_passed(path: &Path) -> bool {
    path == Path::new("/dev/stdin") || ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder))
}

/// Bytes as text, or the position of the first byte that is not text. UTF-8 with zero bytes is no text either.
fn text(bytes: Vec<u8>) -> Result<String, usize> {
    if let Some(zero) = bytes.iter().position(|&byte| byte == 0) {
        return Err(zero);
    }
    String::from_utf8(bytes).map_err(|error| error.utf8_error().valid_up_to())
}
