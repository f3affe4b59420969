//! Files that the browser keeps from one visit to the next, in its local storage: the session of each tab, and the small files that were
//! opened or saved last.
//!
//! They have paths as on a disk, below the folder [`KEPT`]. An entry of the storage is the time of the file in milliseconds since 1970, a
//! space, and its text. The storage has room for some five million characters in all, of which the files take less than half.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use wasm_bindgen::JsValue;
use web_sys::Storage;

/// The folder of the files that the browser keeps.
pub const KEPT: &str = "sampler-lab";

/// The folder of the files that were opened or saved.
const FILES: &str = "sampler-lab/files";

/// The most characters of all files that were opened or saved, and of one of them.
const MOST: usize = 500_000;
const LARGEST: usize = 100_000;

/// The most characters of everything that is kept.
const CAPACITY: usize = 2_000_000;

fn storage() -> io::Result<Storage> {
    let storage = web_sys::window().and_then(|window| window.local_storage().ok().flatten());
    storage.ok_or_else(|| io::Error::new(ErrorKind::Unsupported, "the browser keeps nothing for this page"))
}

/// Whether the path is that of a kept file.
pub fn is_kept(path: &Path) -> bool {
    path.starts_with(KEPT)
}

/// Checks that the browser keeps a file with this path.
///
/// # Errors
/// If it does not.
pub fn check(path: &Path) -> io::Result<()> {
    if is_kept(path) { storage().map(drop) } else { Err(ErrorKind::Unsupported.into()) }
}

fn key(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| ErrorKind::InvalidInput.into())
}

/// The time and the text of an entry. An entry that somebody else has made has no time: it is the oldest.
fn parts(entry: &str) -> (SystemTime, &str) {
    let stamped = entry.split_once(' ').and_then(|(time, text)| Some((time.parse().ok()?, text)));
    let (time, text) = stamped.unwrap_or((0, entry));
    (SystemTime::UNIX_EPOCH + Duration::from_millis(time), text)
}

fn entry(path: &Path) -> io::Result<String> {
    storage()?.get_item(key(path)?).ok().flatten().ok_or_else(|| ErrorKind::NotFound.into())
}

/// The bytes of a kept file.
///
/// # Errors
/// If there is none.
pub fn read(path: &Path) -> io::Result<Rc<[u8]>> {
    Ok(parts(&entry(path)?).1.as_bytes().into())
}

/// When a kept file was written.
///
/// # Errors
/// If there is none.
pub fn modified(path: &Path) -> io::Result<SystemTime> {
    Ok(parts(&entry(path)?).0)
}

/// The path of a file that was opened or saved under a name.
pub fn by_name(name: &Path) -> PathBuf {
    Path::new(FILES).join(name)
}

/// All kept files in a folder, with their lengths in characters.
pub fn list(folder: &Path) -> Vec<(PathBuf, usize)> {
    let Ok(storage) = storage() else { return Vec::new() };
    let keys = (0..storage.length().unwrap_or(0)).filter_map(|index| storage.key(index).ok().flatten());
    let inside = keys.filter(|key| Path::new(key).starts_with(folder));
    inside
        .map(|key| (storage.get_item(&key).ok().flatten().map_or(0, |entry| entry.len()), key))
        .map(|(length, key)| (key.into(), length))
        .collect()
}

/// Keeps a file in the place of the one before.
///
/// # Errors
/// If there is no room for it, or the browser keeps nothing; the file before is then still there.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let text =
        std::str::from_utf8(bytes).map_err(|_| io::Error::new(ErrorKind::InvalidData, "only text can be kept"))?;
    let others: usize = list(Path::new(KEPT)).iter().filter(|(other, _)| other != path).map(|(_, length)| length).sum();
    let full = || io::Error::new(ErrorKind::StorageFull, "the storage of the browser for this page is full");
    if others + text.len() > CAPACITY {
        return Err(full());
    }
    let entry = format!("{:.0} {text}", js_sys::Date::now());
    storage()?.set_item(key(path)?, &entry).map_err(|_| full())
}

/// Keeps a file that was opened or saved, if it is small and a text; the oldest make way.
pub fn note(name: &Path, bytes: &[u8]) {
    if bytes.len() > LARGEST {
        return;
    }
    let file = by_name(name);
    let mut files = list(Path::new(FILES));
    files.retain(|(path, _)| *path != file);
    files.sort_by_key(|(path, _)| modified(path).ok());
    let mut sum = bytes.len() + files.iter().map(|(_, length)| length).sum::<usize>();
    for (path, length) in files {
        if sum > MOST {
            remove(&path);
            sum -= length;
        }
    }
    // Where nothing is kept, the file is still there as long as the page.
    write(&file, bytes).ok();
}

/// Removes a kept file.
pub fn remove(path: &Path) {
    if let (Ok(storage), Ok(key)) = (storage(), key(path)) {
        storage.remove_item(key).ok();
    }
}

/// What the page says of itself and of other tabs, as `globalThis.samplerLab`: the number of this tab, and those of the others.
fn said(name: &str) -> Option<JsValue> {
    let page = js_sys::Reflect::get(&js_sys::global(), &"samplerLab".into()).ok()?;
    js_sys::Reflect::get(&page, &name.into()).ok().filter(|value| !value.is_undefined())
}

/// A number that no other tab with this page has.
#[must_use]
pub fn process_number() -> u32 {
    said("tab").and_then(|number| number.as_string()?.parse().ok()).unwrap_or(0)
}

/// Whether another tab with this number is open.
pub fn is_open(number: u32) -> bool {
    said("others").is_some_and(|others| js_sys::Array::from(&others).includes(&number.to_string().into(), 0))
}
