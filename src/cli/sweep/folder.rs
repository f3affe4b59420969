//! The folder of a sweep: files of cells and the summary, and nothing else.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value as Json;

use crate::output::foresight::replaceable;
use crate::output::{Lines, Staging};
use engine::session::sweep::SweepPlan;

use super::super::Failure;
use super::records;
use super::shard::Shard;

/// Beginning and end of the names of files of cells.
const CELLS: (&str, &str) = ("cells", ".jsonl");

/// The file of the summary.
const SUMMARY: &str = "summary.json";

const ALLOWED: &str = "a new folder, an empty one, or one of the same sweep";

/// The folder of a sweep, which may not exist yet.
#[derive(Debug)]
pub struct SweepFolder<'a> {
    place: PathBuf,
    plan: &'a SweepPlan,
    /// The first line of files of this sweep.
    header: String,
}

impl<'a> SweepFolder<'a> {
    /// The folder at `place`, of cells that are computed without draws or not.
    ///
    /// # Errors
    /// [`Failure::Option`] if there are other files than those of this sweep.
    pub fn at(place: &Path, plan: &'a SweepPlan, exact: bool) -> Result<Self, Failure> {
        let place = replaceable(place)?;
        let folder = Self { place, plan, header: records::header(plan, exact) };
        let wrong = |problem: String| Err(Failure::option("out", problem, ALLOWED));
        if !folder.place.exists() {
            return Ok(folder);
        }
        if !folder.place.is_dir() {
            return wrong(format!("{} is not a folder", folder.place.display()));
        }
        let files = folder.files()?;
        let names = fs::read_dir(&folder.place).with_context(|| folder.place.display().to_string())?;
        for entry in names.flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            let ours =
                files.contains(&path) || (name == SUMMARY && !files.is_empty()) || name.starts_with(".summary.json.");
            if !ours {
                return wrong(format!("{} was not written by a sweep", path.display()));
            }
        }
        for file in &files {
            let lines = Lines::read(file).with_context(|| file.display().to_string())?;
            if lines.first().is_some_and(|first| *first != folder.header) {
                return wrong(format!("{} has cells of another sweep, or of another version", file.display()));
            }
        }
        Ok(folder)
    }

    /// The files of cells.
    fn files(&self) -> anyhow::Result<Vec<PathBuf>> {
        if !self.place.exists() {
            return Ok(Vec::new());
        }
        let entries = fs::read_dir(&self.place).with_context(|| self.place.display().to_string())?;
        let is_cells = |path: &PathBuf| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            name.starts_with(CELLS.0) && name.ends_with(CELLS.1) && path.is_file()
        };
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_cells).collect();
        files.sort();
        Ok(files)
    }

    /// The lines of all cells that any file has, by their numbers.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn known(&self) -> anyhow::Result<BTreeMap<usize, String>> {
        let mut known = BTreeMap::new();
        for file in self.files()? {
            let lines = Lines::read(&file).with_context(|| file.display().to_string())?;
            if lines.first() == Some(&self.header) {
                let cells = lines.into_iter().skip(1);
                known.extend(cells.filter_map(|line| Some((records::number(&line, self.plan)?, line))));
            }
        }
        Ok(known)
    }

    /// Opens the file of a shard, or of all cells, which is to have the cells `wanted`; returns how many of them it has already.
    ///
    /// # Errors
    /// [`Failure::Option`] if another process writes to it; [`Failure::Running`] if the system refuses.
    pub fn open(&self, shard: Option<Shard>, wanted: &[usize]) -> Result<(Lines, usize), Failure> {
        let part = shard.map_or_else(String::new, |shard| format!("-{shard}"));
        let place = self.place.join(format!("{}{part}{}", CELLS.0, CELLS.1));
        let mut there = None;
        let keep = |lines: &[&str]| -> anyhow::Result<usize> {
            if lines.first() != Some(&self.header.as_str()) {
                return Ok(0);
            }
            let in_order = |(line, cell): &(&&str, &usize)| records::number(line, self.plan) == Some(**cell);
            let cells = lines[1..].iter().zip(wanted).take_while(in_order).count();
            there = Some(cells);
            Ok(1 + cells)
        };
        let file = Lines::open(&place, keep).with_context(|| place.display().to_string())?;
        let Some(mut file) = file else {
            return Err(Failure::option(
                "out",
                format!("another process writes to {}", place.display()),
                "another folder",
            ));
        };
        if there.is_none() {
            file.push(&self.header).with_context(|| place.display().to_string())?;
        }
        Ok((file, there.unwrap_or(0)))
    }

    /// Writes the summary, in the place of an earlier one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn publish_summary(&self, summary: &Json) -> anyhow::Result<()> {
        let place = self.place.join(SUMMARY);
        let publish = || -> std::io::Result<()> {
            let staging = Staging::beside(&place)?;
            let mut file = staging.file()?;
            writeln!(file, "{summary:#}")?;
            drop(file);
            staging.publish_file(true)
        };
        publish().with_context(|| place.display().to_string())
    }
}
