//! Files in memory, for one that contains them all.

use std::io::{Cursor, Write};

use zip::write::{SimpleFileOptions, ZipWriter};

use super::Destination;

/// Files in memory.
#[derive(Debug, Default)]
pub struct Memory {
    /// Names and contents, in the order in which they were completed.
    pub files: Vec<(String, Vec<u8>)>,
}

impl Destination for Memory {
    type File = Cursor<Vec<u8>>;

    fn file(&self, _name: &str) -> anyhow::Result<Self::File> {
        Ok(Cursor::default())
    }

    fn close(&mut self, name: &str, file: Self::File) -> anyhow::Result<()> {
        self.files.push((name.to_owned(), file.into_inner()));
        Ok(())
    }
}

/// A ZIP archive of files, not compressed.
///
/// # Errors
/// If the archive would be larger than the format allows.
pub fn zipped(files: &[(String, Vec<u8>)]) -> anyhow::Result<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::default());
    let options = SimpleFileOptions::default();
    for (name, bytes) in files {
        archive.start_file(name, options.large_file(bytes.len() >= u32::MAX as usize))?;
        archive.write_all(bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}
