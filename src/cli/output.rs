//! Results on disk: whole or not at all.

use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::TempDir;

/// The file that marks a directory as results of this program.
const MARK: &str = "summary.json";

/// A directory of results that is filled beside its place.
#[derive(Debug)]
pub struct Results {
    place: PathBuf,
    beside: TempDir,
}

impl Results {
    /// Room for results that are to appear at `place`.
    ///
    /// # Errors
    /// If `place` exists and is not an empty directory or one of earlier results, or its folder cannot be written to.
    pub fn at(place: &Path) -> anyhow::Result<Self> {
        if place.exists() && !place.is_dir() {
            bail!("{}: is a file; name a directory for the results", place.display());
        }
        if place.is_dir() && !place.join(MARK).exists() && fs::read_dir(place)?.next().is_some() {
            bail!("{}: holds other things than results; name a new directory", place.display());
        }
        let place = std::path::absolute(place).context("the directory for the results has no name")?;
        let folder = folder_of(&place);
        fs::create_dir_all(&folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
        let beside = tempfile::Builder::new()
            .prefix(".sampler-lab-")
            .tempdir_in(&folder)
            .with_context(|| format!("{}: cannot be written to", folder.display()))?;
        Ok(Self { place, beside })
    }

    /// A new file among the results; folders on the way are made.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn file(&self, name: &str) -> anyhow::Result<BufWriter<fs::File>> {
        let path = self.beside.path().join(name);
        fs::create_dir_all(folder_of(&path)).with_context(|| format!("{name}: cannot be made"))?;
        Ok(BufWriter::new(fs::File::create(&path).with_context(|| format!("{name}: cannot be made"))?))
    }

    /// Puts the results in place of what was there.
    ///
    /// # Errors
    /// If the directories cannot be renamed; what was there before is still there then.
    pub fn publish(self) -> anyhow::Result<()> {
        let Self { place, beside } = self;
        share(beside.path())?;
        let failed = || format!("{}: cannot be put in place", place.display());
        if !place.exists() {
            return fs::rename(beside.keep(), &place).with_context(failed);
        }
        let old =
            tempfile::Builder::new().prefix(".sampler-lab-old-").tempdir_in(folder_of(&place)).with_context(failed)?;
        let before = old.path().join("results");
        fs::rename(&place, &before).with_context(failed)?;
        if let Err(error) = fs::rename(beside.path(), &place) {
            fs::rename(&before, &place).with_context(failed)?;
            return Err(error).with_context(failed);
        }
        Ok(())
    }
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Temporary directories are private; results are for everyone whom the folder allows in.
#[cfg(unix)]
fn share(path: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("{}: cannot be shared", path.display()))
}

#[cfg(not(unix))]
fn share(_path: &Path) -> anyhow::Result<()> {
    Ok(())
}
