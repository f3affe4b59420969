//! Output: files and folders that are whole or not there at all, whatever ends the program.
//!
//! Everything is written into a [`Staging`] folder beside its place and moved there in one step. A signal, a closed
//! window or an error removes the staging folder; after a kill the next [`Staging`] for the same place does. [`closing`]
//! ends the program on signals. [`Lines`] are for what takes so long that it goes on after a kill. On a page a file becomes a download. [`draws`] has the formats of files of draws.
//! [`foresight`] says what keeps a place from being written, `claim` gives a file to one process at a time.

#![cfg_attr(
    not(target_arch = "wasm32"),
    expect(clippy::disallowed_methods, reason = "files are made, moved and removed here alone")
)]

use std::io::{self, Write};
use std::path::Path;

#[cfg(not(target_arch = "wasm32"))]
mod claim;
#[cfg(not(target_arch = "wasm32"))]
pub mod closing;
pub mod draws;
#[cfg(not(target_arch = "wasm32"))]
pub mod foresight;
#[cfg(not(target_arch = "wasm32"))]
mod lines;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(not(target_arch = "wasm32"))]
mod staging;

#[cfg(not(target_arch = "wasm32"))]
pub use claim::{Claim, set_aside};
#[cfg(not(target_arch = "wasm32"))]
pub use lines::Lines;
#[cfg(target_arch = "wasm32")]
pub use page::{Claim, Staging, closing, foresight};
#[cfg(not(target_arch = "wasm32"))]
pub use staging::Staging;

/// Writes a file whole, in the place of another one if there is one.
///
/// # Errors
/// If the system refuses; the place is then as it was.
pub fn replace_file(place: &Path, bytes: &[u8]) -> io::Result<()> {
    let staging = Staging::beside(place)?;
    staging.file()?.write_all(bytes)?;
    staging.publish_file(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_left_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("kept.json");
        for text in ["first", "second, and longer", ""] {
            replace_file(&place, text.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&place).unwrap(), text);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing stays beside it");
        assert!(replace_file(&folder.path().join("no folder").join("a"), b"x").is_err());
        // A folder is no file that can be replaced.
        std::fs::create_dir(folder.path().join("taken")).unwrap();
        assert!(replace_file(&folder.path().join("taken"), b"x").is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
