//! Folder of results: complete or not there at all. Its manifest lists what a run has written; nothing else is ever removed.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};

use crate::output::Staging;
use crate::output::draws::Destination;
use crate::output::foresight::{check_space, remedy, replaceable};

use super::Failure;

/// File name of the summary of all runs.
pub const SUMMARY: &str = "summary.json";

/// Folder of the draws.
pub const DRAWS: &str = "draws";

/// Folder of the draws in all coordinates.
pub const COORDINATES: &str = "coordinates";

/// File name of the manifest.
const MANIFEST: &str = "manifest.json";

/// Version of the manifest's format.
const FORMAT: u32 = 1;

/// The largest manifest that is read, in bytes: one of as many runs as a scenario can have is far smaller.
const LARGEST_MANIFEST: u64 = 4 << 20;

/// What `manifest.json` contains.
#[derive(Debug, Deserialize, Serialize)]
struct Manifest {
    format: u32,
    files: Vec<Listed>,
}

/// A file of the results.
#[derive(Debug, Deserialize, Serialize)]
struct Listed {
    /// From the folder of the results, with `/` between folders.
    path: String,
    bytes: u64,
}

/// A folder of results in the making.
#[derive(Debug)]
pub struct Results {
    staging: Staging,
    files: Vec<Listed>,
}

impl Results {
    /// Results that will be at `folder`: new, an empty folder, or one of earlier results.
    ///
    /// # Errors
    /// [`Failure::Option`] if `folder` has files that no run has written, or cannot be replaced; [`Failure::Running`] if its
    /// folder cannot be written to.
    pub fn at(folder: &Path) -> Result<Self, Failure> {
        const ALLOWED: &str = "a new folder, an empty one, or one with nothing but results";
        let folder = replaceable(folder)?;
        if folder.exists() && !folder.is_dir() {
            return Err(Failure::option("out", format!("{} is not a folder", folder.display()), ALLOWED));
        }
        if let Some(foreign) = foreign(&folder).with_context(|| format!("{}: cannot be read", folder.display()))? {
            return Err(Failure::option("out", foreign, ALLOWED));
        }
        let staging = Staging::beside(&folder).map_err(|error| {
            let folder = folder.parent().unwrap_or(&folder).display();
            // What helps against the reason stands behind it, where that is known.
            let help = if remedy(&error).is_some() { "" } else { "; name a place in another folder" };
            anyhow::Error::from(error).context(format!("{folder}: cannot be written to{help}"))
        })?;
        Ok(Self { staging, files: Vec::new() })
    }

    /// Checks that `bytes` fit on the disk.
    ///
    /// # Errors
    /// If they do not.
    pub fn check_space(&self, bytes: u64) -> Result<(), Failure> {
        let folder = self.staging.path();
        Ok(check_space(folder.parent().unwrap_or(folder), bytes)?)
    }

    /// A new file among the results; its folders are created.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn file(&self, name: &str) -> anyhow::Result<BufWriter<File>> {
        let file = self.staging.file_within(Path::new(name));
        Ok(BufWriter::new(file.with_context(|| format!("{name}: cannot be created"))?))
    }

    /// Completes a file that [`Self::file`] has made, down to the disk, and lists it in the manifest.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn close(&mut self, name: &str, file: BufWriter<File>) -> anyhow::Result<()> {
        let length = || -> io::Result<u64> {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.sync_all()?;
            Ok(file.metadata()?.len())
        };
        let bytes = length().with_context(|| format!("{name}: cannot be written"))?;
        self.files.push(Listed { path: name.to_owned(), bytes });
        Ok(())
    }

    /// Moves the results to their place; earlier results are replaced.
    ///
    /// # Errors
    /// If that is not possible; then what is there is kept, and so are the new results, under a name that the message gives.
    pub fn publish(mut self) -> anyhow::Result<()> {
        self.write_manifest()?;
        self.replace().map_err(|error| match self.staging.set_aside() {
            Some(aside) => error.context(format!("the results are in {}", aside.display())),
            None => error,
        })
    }

    fn write_manifest(&mut self) -> anyhow::Result<()> {
        let manifest = Manifest { format: FORMAT, files: std::mem::take(&mut self.files) };
        let mut file = self.file(MANIFEST)?;
        serde_json::to_writer_pretty(&mut file, &manifest).context(MANIFEST)?;
        writeln!(file).context(MANIFEST)?;
        self.close(MANIFEST, file)
    }

    fn replace(&mut self) -> anyhow::Result<()> {
        let folder = self.staging.path().to_owned();
        // While a run takes its time, people put files where they see earlier results.
        match foreign(&folder).with_context(|| format!("{}: cannot be read", folder.display()))? {
            Some(foreign) => anyhow::bail!(foreign),
            None => self
                .staging
                .publish_folder()
                .with_context(|| format!("{}: the results cannot be moved there", folder.display())),
        }
    }
}

impl Destination for Results {
    type File = BufWriter<File>;

    fn file(&self, name: &str) -> anyhow::Result<Self::File> {
        self.file(name)
    }

    fn close(&mut self, name: &str, file: Self::File) -> anyhow::Result<()> {
        self.close(name, file)
    }
}

/// What `folder` contains beside results as a run has written them, in words: the first file or folder.
/// `None` if it has nothing else, or does not exist.
fn foreign(folder: &Path) -> io::Result<Option<String>> {
    if !folder.exists() {
        return Ok(None);
    }
    let listed = manifest_of(folder);
    let mut found = Vec::new();
    walk(folder, Path::new(""), &mut found)?;
    found.sort();
    let why = |(path, entry): &(PathBuf, Entry)| match (entry, listed.get(path)) {
        (Entry::File(_), _) if path == Path::new(MANIFEST) && !listed.is_empty() => None,
        (Entry::File(bytes), Some(written)) if bytes == written => None,
        (Entry::File(_), Some(_)) => Some("has changed since a run has written it"),
        // A folder belongs to the results if one of their files is in it.
        (Entry::Folder, None) if listed.keys().any(|file| file.starts_with(path)) => None,
        _ => Some("was not written by a run"),
    };
    Ok(found.iter().find_map(|entry| Some(format!("{} {}", folder.join(&entry.0).display(), why(entry)?))))
}

/// What a folder contains.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Entry {
    Folder,
    /// With its length in bytes.
    File(u64),
    /// A link, a device, a pipe.
    Other,
}

/// Every entry below a folder; links are not followed.
fn walk(folder: &Path, within: &Path, found: &mut Vec<(PathBuf, Entry)>) -> io::Result<()> {
    for entry in fs::read_dir(folder.join(within))? {
        let entry = entry?;
        let (path, about) = (within.join(entry.file_name()), entry.metadata()?);
        let kind = if about.is_dir() {
            walk(folder, &path, found)?;
            Entry::Folder
        } else if about.is_file() {
            Entry::File(about.len())
        } else {
            Entry::Other
        };
        found.push((path, kind));
    }
    Ok(())
}

/// The files that the manifest in a folder lists, with their lengths in bytes; none without a manifest.
fn manifest_of(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let mut text = String::new();
    let read = File::open(folder.join(MANIFEST)).and_then(|file| file.take(LARGEST_MANIFEST).read_to_string(&mut text));
    let manifest = read.ok().and_then(|_| serde_json::from_str::<Manifest>(&text).ok());
    let files = manifest.filter(|manifest| manifest.format == FORMAT).map_or_else(Vec::new, |manifest| manifest.files);
    files.into_iter().map(|file| (PathBuf::from(file.path), file.bytes)).collect()
}
