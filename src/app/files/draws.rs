//! Draws that leave the window: those that the histories of all runs have kept, and those from fits, in one file. On a target in more
//! dimensions than are drawn they are the vectors that are kept, in all coordinates.

use std::io;
use std::mem::take;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::{DrawsAs, NewFile, Purpose, SaveError};
use crate::app::state::State;
use crate::app::tasks::slices::{Slice, Slices};
use crate::app::tasks::{Done, Task};
use crate::output::draws::coordinates::{self, CoordinateFile};
use crate::output::draws::{Destination, DrawChoice, DrawFile, DrawFormat, Memory, group_of, zipped};
use crate::platform::Instant;
use draw::words::numbers;
use engine::session::Frame;

/// Positions between two looks at the clock.
const PIECE: usize = 8192;

/// Writes the draws of the present frame into a file.
pub fn save(state: &mut State, choice: DrawsAs, path: PathBuf, replace: bool) {
    let frame = state.model.frame().clone();
    let job = state.tasks.slices(Task::Draws, |ticket| Writing {
        ticket,
        frame,
        choice,
        path,
        replace,
        files: Memory::default(),
        run: 0,
        row: 0,
        open: None,
        named: None,
        written: 0,
    });
    state.view.files.writing = Some(job);
}

/// Writes the cells of the sweep of the present scenario into a file.
pub fn save_cells(state: &mut State, path: PathBuf, replace: bool) {
    let Some(swept) = state.view.studies.sweep.swept(state.model.scenario()) else {
        return state.view.messages.problem("There are no cells of a sweep to save");
    };
    state.tasks.start(Task::Cells, move || {
        let write = || {
            Purpose::Cells.check_extension(&path)?;
            NewFile::at(&path, replace)?.write(swept.table().as_bytes())?;
            Ok(saved(swept.cells.len() as u64, "cells", &path))
        };
        Done::Written { job: None, result: write() }
    });
}

/// Whether there is something to write.
#[must_use]
pub fn are_there(frame: &Frame) -> bool {
    frame.runs.iter().any(|run| match &run.fits {
        Some(fits) => !fits.draws.is_empty(),
        None => run.collected > 0,
    })
}

/// The news that draws or cells are in a file.
fn saved(count: u64, what: &str, path: &Path) -> String {
    format!("Saved {} {what} to {}", numbers::count(count), path.display())
}

/// A file of draws in the making.
struct Writing {
    ticket: u64,
    frame: Arc<Frame>,
    choice: DrawsAs,
    path: PathBuf,
    replace: bool,
    files: Memory,
    /// The number of the run, and the row of its history that comes next.
    run: usize,
    row: usize,
    open: Option<DrawFile<<Memory as Destination>::File>>,
    named: Option<CoordinateFile<<Memory as Destination>::File>>,
    written: u64,
}

impl Slices<Done> for Writing {
    fn step(&mut self, budget: Duration) -> Slice<Done> {
        let since = Instant::now();
        while self.run < self.frame.runs.len() {
            if let Err(error) = self.piece() {
                let source = io::Error::other(error.to_string());
                return self.ended(Err(SaveError::Refused { path: self.path.clone(), source }));
            }
            if since.elapsed() >= budget {
                return Slice::after(self.run as f32 / self.frame.runs.len() as f32);
            }
        }
        let result = self.finish();
        self.ended(result)
    }
}

impl Writing {
    /// The name of the file of the present run, or that of its folder.
    fn name(&self) -> (String, DrawChoice) {
        let run = &self.frame.runs[self.run];
        let (format, name) = match self.choice {
            DrawsAs::Csv => (DrawFormat::Csv, run.plan.name.clone()),
            // Several runs are groups of one store.
            DrawsAs::Zarr if self.frame.runs.len() > 1 => (DrawFormat::Zarr, run.plan.name.clone()),
            DrawsAs::Zarr => (DrawFormat::Zarr, String::new()),
        };
        (name, DrawChoice { format, every_step: false, named: true })
    }

    /// Writes some vectors of the present run, or completes it.
    fn piece_of_vectors(&mut self, mut file: CoordinateFile<<Memory as Destination>::File>) -> anyhow::Result<()> {
        let frame = self.frame.clone();
        let (run, target) = (&frame.runs[self.run], frame.target.as_ref());
        let (rows, numbers) = (coordinates::rows(run), target.model().map_or(1, |model| model.dimension()));
        let end = rows.min(self.row + (PIECE / (run.plan.chains * numbers).max(1)).max(1));
        file.write(&mut self.files, (target, run), self.row..end)?;
        self.row = end;
        if end < rows {
            self.named = Some(file);
            return Ok(());
        }
        self.written += file.written();
        file.finish(&mut self.files)?;
        (self.run, self.row) = (self.run + 1, 0);
        Ok(())
    }

    /// Writes some rows of the present run, or completes it.
    fn piece(&mut self) -> anyhow::Result<()> {
        let frame = self.frame.clone();
        let run = &frame.runs[self.run];
        if let Some(file) = self.named.take() {
            return self.piece_of_vectors(file);
        }
        if self.row == 0 && self.open.is_none() {
            let (name, choice) = self.name();
            if let Some(file) = CoordinateFile::new(&self.files, name, (&frame, run), choice)? {
                return self.piece_of_vectors(file);
            }
        }
        let mut file = match self.open.take() {
            Some(file) => file,
            None => {
                let (name, choice) = self.name();
                let dimension = frame.target.info().dimension;
                DrawFile::new(&self.files, name, (&frame.scenario, &run.plan), choice, dimension)?
            }
        };
        let rows = run.history.rows();
        let end = rows.min(self.row + (PIECE / run.plan.chains.max(1)).max(1));
        file.write(&mut self.files, (&run.history, self.row..end), &run.plan)?;
        self.row = end;
        if end < rows {
            self.open = Some(file);
            return Ok(());
        }
        if let Some(fits) = &run.fits {
            file.write_fit(&mut self.files, &run.plan, &fits.draws)?;
        }
        self.written += file.written();
        file.finish(&mut self.files)?;
        (self.run, self.row) = (self.run + 1, 0);
        Ok(())
    }

    /// Puts the files of all runs together and writes the result.
    fn finish(&mut self) -> Result<u64, SaveError> {
        Purpose::Draws(self.choice).check_extension(&self.path)?;
        let mut files = take(&mut self.files.files);
        let bytes = match self.choice {
            DrawsAs::Csv => joined(files),
            DrawsAs::Zarr => {
                if self.frame.runs.len() > 1 {
                    files.push(group_of(&files));
                }
                let refused = |error: anyhow::Error| io::Error::other(error.to_string());
                zipped(&files)
                    .map_err(|error| SaveError::Refused { path: self.path.clone(), source: refused(error) })?
            }
        };
        NewFile::at(&self.path, self.replace)?.write(&bytes)?;
        Ok(self.written)
    }

    fn ended(&self, result: Result<u64, SaveError>) -> Slice<Done> {
        let result = result.map(|count| saved(count, "draws", &self.path));
        Slice::last(Done::Written { job: Some(self.ticket), result })
    }
}

/// Tables with the same header as one.
fn joined(files: Vec<(String, Vec<u8>)>) -> Vec<u8> {
    let mut all = Vec::new();
    for (_, bytes) in files {
        let header = bytes.iter().position(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let from = if all.is_empty() { 0 } else { header };
        all.extend_from_slice(&bytes[from..]);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::read;
    use engine::session::Session;

    fn written(choice: DrawsAs, path: &Path) -> Result<u64, SaveError> {
        written_after(
            50,
            "steps = 50\nchains = 3\n[[run]]\nname = \"B\"\nmethod = \"laplace\"\ndraws = 40\n",
            choice,
            path,
        )
    }

    fn written_after(taken: u64, run: &str, choice: DrawsAs, path: &Path) -> Result<u64, SaveError> {
        let first = "format = 1\n[target]\nkind = \"banana\"\n[[run]]\nname = \"A, first\"\nmethod = \"sgld\"\n";
        let mut session = Session::new(read(&format!("{first}{run}"), "test", Path::new(".")).unwrap()).unwrap();
        session.advance(taken);
        let frame = Arc::new(session.frame());
        assert!(are_there(&frame));
        let mut writing = Writing {
            ticket: 1,
            frame,
            choice,
            path: path.to_owned(),
            replace: false,
            files: Memory::default(),
            run: 0,
            row: 0,
            open: None,
            named: None,
            written: 0,
        };
        loop {
            let slice = writing.step(Duration::ZERO);
            if let Some(Done::Written { result, .. }) = slice.done {
                return result.map(|news| news.split(' ').nth(1).unwrap().parse().unwrap());
            }
        }
    }

    #[test]
    fn a_table_has_the_draws_of_all_runs_under_one_header() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("draws.csv");
        assert_eq!(written(DrawsAs::Csv, &path).unwrap(), 3 * 50 + 40);
        let mut reader = csv::Reader::from_path(&path).unwrap();
        let header: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        assert_eq!(header.join(" "), "run chain step x y weight cycle stage");
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let of = |run: &str| rows.iter().filter(|row| &row[0] == run).count();
        assert_eq!((of("A, first"), of("B"), rows.len()), (150, 40, 190));
        assert!(rows.iter().all(|row| row[3].parse::<f64>().is_ok_and(f64::is_finite)));
        assert!(matches!(written(DrawsAs::Csv, &path), Err(SaveError::Exists(_))));
        assert!(matches!(written(DrawsAs::Csv, &folder.path().join("a.zip")), Err(SaveError::Extension { .. })));
    }

    #[test]
    fn a_store_has_a_group_for_each_run() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("draws.zarr.zip");
        assert_eq!(written(DrawsAs::Zarr, &path).unwrap(), 3 * 50 + 40);
        let mut archive = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
        let names: Vec<String> = archive.file_names().map(str::to_owned).collect();
        for name in ["zarr.json", "A, first/zarr.json", "A, first/posterior/x/c/0/0", "B/posterior/y/c/0/0"] {
            assert!(names.iter().any(|known| known == name), "{name} is not in {names:?}");
        }
        let mut bytes_of = |name: &str| {
            let mut bytes = Vec::new();
            io::Read::read_to_end(&mut archive.by_name(name).unwrap(), &mut bytes).unwrap();
            bytes
        };
        assert_eq!(bytes_of("B/posterior/x/c/0/0").len(), 8 * 40);
        let root: serde_json::Value = serde_json::from_slice(&bytes_of("zarr.json")).unwrap();
        let shape = &root["consolidated_metadata"]["metadata"]["A, first/posterior/x"]["shape"];
        assert_eq!(*shape, serde_json::json!([3, 50]));
    }
    /// A run that is under way has fewer draws than steps, and so has one of which the history keeps some: nothing stands for the others.
    #[test]
    fn a_store_is_as_long_as_its_draws() {
        let folder = tempfile::tempdir().unwrap();
        let (store, table) = (folder.path().join("draws.zarr.zip"), folder.path().join("draws.csv"));
        let run = "steps = 50000\nchains = 3\n";
        for (choice, path) in [(DrawsAs::Zarr, &store), (DrawsAs::Csv, &table)] {
            assert_eq!(written_after(70, run, choice, path).unwrap(), 3 * 70);
        }
        assert!(std::fs::metadata(&store).unwrap().len() < 30_000);
        let mut archive = zip::ZipArchive::new(std::fs::File::open(&store).unwrap()).unwrap();
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut archive.by_name("posterior/x/c/0/0").unwrap(), &mut bytes).unwrap();
        let x = bytes.chunks(8).map(|number| f64::from_le_bytes(number.try_into().unwrap()).to_bits());
        let mut rows: Vec<(usize, u64)> = csv::Reader::from_path(&table)
            .unwrap()
            .records()
            .map(Result::unwrap)
            .map(|row| (row[1].parse().unwrap(), row[3].parse::<f64>().unwrap().to_bits()))
            .collect();
        // A table goes by steps, a store by chains.
        rows.sort_by_key(|(chain, _)| *chain);
        assert_eq!(x.collect::<Vec<_>>(), rows.into_iter().map(|(_, x)| x).collect::<Vec<_>>());
    }
}
