//! Directory of results: complete or not there at all.

use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::TempDir;

use super::Failure;

/// File name of the summary of all runs.
pub const SUMMARY: &str = "summary.json";

/// Folder of the draws.
pub const DRAWS: &str = "draws";

/// A directory of results that is filled in a temporary directory beside its place.
#[derive(Debug)]
pub struct Results {
    place: PathBuf,
    beside: TempDir,
}

impl Results {
    /// An empty temporary directory for results at `place`.
    ///
    /// # Errors
    /// [`Failure::Option`] if `place` has files that are not results of an earlier run; [`Failure::Running`] if its folder
    /// cannot be written to.
    pub fn at(place: &Path) -> Result<Self, Failure> {
        let place =
            place.canonicalize().or_else(|_| std::path::absolute(place)).context("the directory for the results")?;
        if place.exists() && !holds_only_results(&place) {
            let place = place.display();
            return Err(Failure::option(
                "out",
                format!("{place} contains files that are not results"),
                "a new directory, an empty one, or one of earlier results",
            ));
        }
        let folder = folder_of(&place);
        fs::create_dir_all(&folder).with_context(|| format!("{}: cannot be created", folder.display()))?;
        let beside = tempfile::Builder::new()
            .prefix(".sampler-lab-")
            .tempdir_in(&folder)
            .with_context(|| format!("{}: cannot be written to", folder.display()))?;
        Ok(Self { place, beside })
    }

    /// A new file among the results; its folders are created.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn file(&self, name: &str) -> anyhow::Result<BufWriter<fs::File>> {
        let path = self.beside.path().join(name);
        fs::create_dir_all(folder_of(&path)).with_context(|| format!("{name}: cannot be created"))?;
        Ok(BufWriter::new(fs::File::create(&path).with_context(|| format!("{name}: cannot be created"))?))
    }

    /// Moves the results to their place; earlier results are replaced.
    ///
    /// # Errors
    /// If the directories cannot be renamed; then the earlier results are kept.
    pub fn publish(self) -> anyhow::Result<()> {
        let Self { place, beside } = self;
        share(beside.path())?;
        let failed = || format!("{}: the results cannot be moved there", place.display());
        let old =
            tempfile::Builder::new().prefix(".sampler-lab-").tempdir_in(folder_of(&place)).with_context(failed)?;
        let before = old.path().join("results");
        let replaces = place.exists();
        if replaces {
            fs::rename(&place, &before).with_context(failed)?;
        }
        if let Err(error) = fs::rename(beside.path(), &place) {
            if replaces {
                fs::rename(&before, &place).with_context(failed)?;
            }
            return Err(error).with_context(failed);
        }
        Ok(())
    }
}

/// Whether `place` is an empty directory, or one with no other files than a run writes.
fn holds_only_results(place: &Path) -> bool {
    let names = |folder: &Path| -> Option<Vec<PathBuf>> {
        fs::read_dir(folder).ok()?.map(|entry| Some(entry.ok()?.path())).collect()
    };
    let is_draws =
        |path: &PathBuf| path.extension().is_some_and(|kind| kind == "csv" || kind == "npy") && path.is_file();
    let is_ours = |path: &PathBuf| match path.file_name().and_then(|name| name.to_str()) {
        Some(SUMMARY) => path.is_file(),
        Some(DRAWS) => names(path).is_some_and(|draws| draws.iter().all(is_draws)),
        _ => false,
    };
    names(place).is_some_and(|entries| entries.iter().all(is_ours))
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Makes a directory readable for everybody: temporary directories are private.
#[cfg(unix)]
fn share(path: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("{}: its permissions cannot be changed", path.display()))
}

#[cfg(not(unix))]
fn share(_path: &Path) -> anyhow::Result<()> {
    Ok(())
}
