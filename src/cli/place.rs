//! A single file that a command writes: whole or not at all, and never over another file without consent.

use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::output::Staging;
use crate::output::foresight::{check_room, replaceable};

use super::Failure;

/// A file in the making.
#[derive(Debug)]
pub struct NewPlace {
    path: PathBuf,
    staging: Staging,
    replace: bool,
}

impl NewPlace {
    /// Begins the file of `--out`; without `replace`, only if there is none.
    ///
    /// # Errors
    /// [`Failure::Option`] if the file exists and `replace` is off, or something else than a file is there; [`Failure::Place`] or
    /// [`Failure::Running`] if nothing can be written there.
    pub fn at(path: &Path, replace: bool) -> Result<Self, Failure> {
        let place = replaceable(path)?;
        let refuse = |problem: &str| {
            Failure::option("out", format!("{} {problem}", path.display()), "a new file, or --force to replace one")
        };
        if place.exists() && !place.is_file() {
            return Err(refuse("is not a file"));
        }
        if !replace && place.exists() {
            return Err(refuse("exists already"));
        }
        let staging = Staging::beside(&place).with_context(|| format!("{}: cannot be written to", path.display()))?;
        Ok(Self { path: path.to_owned(), staging, replace })
    }

    /// Checks that `bytes` fit on the disk.
    ///
    /// # Errors
    /// If they do not.
    pub fn check_room(&self, bytes: u64) -> Result<(), Failure> {
        let place = self.staging.place();
        Ok(check_room(place.parent().unwrap_or(place), bytes)?)
    }

    /// Writes the file with `write`, and moves it to its place.
    ///
    /// # Errors
    /// If the system refuses; what was there is then as it was.
    pub fn write(self, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
        let Self { path, staging, replace } = self;
        let file = staging.file().and_then(|file| {
            let mut file = BufWriter::new(file);
            write(&mut file)?;
            file.flush()
        });
        file.and_then(|()| staging.publish_file(replace)).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => Failure::option(
                "out",
                format!("{} exists already", path.display()),
                "a new file, or --force to replace one",
            ),
            _ => Failure::Running(anyhow::Error::new(error).context(path.display().to_string())),
        })
    }
}
