//! Notebook of trials: what a person keeps of the runs that were tried, as rows of a table. [`trial`] is one row as plain data, [`table`] the
//! columns of some rows, [`text`] writes them as CSV and Markdown, and [`look`] is what
//! the dialog shows of it all.

pub mod look;
pub mod table;
pub mod text;
pub mod trial;

use std::sync::Arc;

use draw::readout::Table;
use engine::session::Frame;

use trial::{Along, Source, Trial};

/// Most trials that are kept, and most bytes of them together in the file of a session.
pub const MOST: usize = 200;
pub const MOST_BYTES: usize = 1 << 20;

/// Most measures that are shown unless a person chooses others.
const LEADING: usize = 3;

/// The trials that a person keeps, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct Notebook {
    trials: Vec<Arc<Trial>>,
    /// Keys of the measures that a person has chosen; `None` for those that lead the newest trial.
    measures: Option<Vec<String>>,
    /// Trials that were deleted, with their positions, the last one at the end.
    deleted: Vec<(usize, Arc<Trial>)>,
    /// Changes with every change.
    version: u64,
    /// The frame of the newest trial, while measures of it are still being computed: its generation and its tick.
    unfinished: Option<(u64, u64)>,
}

/// Why a trial is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotKept {
    /// There is nothing to keep.
    #[error("There is nothing to keep yet: the runs are at step 0. Play them first")]
    AtStart,
    /// There are too many.
    #[error("The notebook has {MOST} trials; delete some of them first")]
    Full,
    /// They are too large.
    #[error("The notebook is full: its scenarios are too large together. Delete some trials first")]
    Large,
}

impl Notebook {
    /// A notebook with these trials and chosen measures, as they were kept.
    #[must_use]
    pub fn restored(trials: Vec<Trial>, measures: Option<Vec<String>>) -> Self {
        let trials = trials.into_iter().take(MOST).map(Arc::new).collect();
        Self { trials, measures, ..Self::default() }
    }

    /// Adds trials of an older notebook before the present ones, each once.
    pub fn add_older(&mut self, older: Self) {
        let is_new = |trial: &Arc<Trial>| !self.trials.iter().any(|known| known.is_same(trial));
        let new = older.trials.into_iter().filter(is_new).collect::<Vec<_>>();
        let space = MOST.saturating_sub(self.trials.len());
        let kept = new.len().min(space);
        self.trials.splice(0..0, new.into_iter().rev().take(kept).rev());
        // Two sessions may have counted from 1 each.
        for at in 0..self.trials.len() {
            let number = self.trials[at].number;
            if self.trials[at + 1..].iter().any(|trial| trial.number == number) {
                let number = self.next_number();
                Arc::make_mut(&mut self.trials[at]).number = number;
            }
        }
        self.measures = self.measures.take().or(older.measures);
        self.version += 1;
    }

    /// Keeps what a frame shows; returns the number of the trial.
    ///
    /// # Errors
    /// Why it is not kept.
    pub fn keep(&mut self, source: Source<'_>) -> Result<u64, NotKept> {
        if source.frame.step == 0 {
            return Err(NotKept::AtStart);
        }
        if self.trials.len() >= MOST {
            return Err(NotKept::Full);
        }
        let number = self.next_number();
        let trial = Trial::of(number, source);
        let bytes: usize = self.trials.iter().map(|trial| trial.bytes()).sum();
        if bytes + trial.bytes() > MOST_BYTES {
            return Err(NotKept::Large);
        }
        self.trials.push(Arc::new(trial));
        self.unfinished = Some((source.frame.generation, source.frame.time.tick));
        self.version += 1;
        Ok(number)
    }

    fn next_number(&self) -> u64 {
        self.trials.iter().map(|trial| trial.number).max().unwrap_or(0) + 1
    }

    /// Whether measures of the newest trial are still being computed.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.unfinished.is_some()
    }

    /// Whether they are those of this frame.
    fn awaits(&self, frame: &Frame) -> bool {
        self.unfinished == Some((frame.generation, frame.time.tick))
    }

    /// Takes the measures of the frame of the newest trial that have been computed since. Another frame ends the waiting.
    pub fn complete(&mut self, frame: &Frame, table: &Table) {
        if self.unfinished.is_none() {
            return;
        }
        if !self.awaits(frame) {
            self.unfinished = None;
            return;
        }
        let Some(newest) = self.trials.last_mut() else { return };
        let (runs, pending) = trial::measures_of(frame, table);
        if newest.runs.iter().map(|run| &run.measures).ne(&runs) {
            let newest = Arc::make_mut(newest);
            newest.runs.iter_mut().zip(runs).for_each(|(run, measures)| run.measures = measures);
            self.version += 1;
        }
        if !pending {
            self.unfinished = None;
        }
    }

    /// The trials, the oldest first.
    #[must_use]
    pub fn all(&self) -> &[Arc<Trial>] {
        &self.trials
    }

    /// The trial with a number.
    #[must_use]
    pub fn find(&self, number: u64) -> Option<&Arc<Trial>> {
        self.trials.iter().find(|trial| trial.number == number)
    }

    /// A number that changes with every change.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Deletes a trial; [`Self::undelete`] brings it back.
    pub fn delete(&mut self, number: u64) {
        if let Some(at) = self.trials.iter().position(|trial| trial.number == number) {
            let trial = self.trials.remove(at);
            self.deleted.push((at, trial));
            (self.unfinished, self.version) = (None, self.version + 1);
        }
    }

    /// The number of the trial that was deleted last, if it can be brought back.
    #[must_use]
    pub fn deleted(&self) -> Option<u64> {
        self.deleted.last().map(|(_, trial)| trial.number)
    }

    /// Brings back the trial that was deleted last.
    pub fn undelete(&mut self) {
        let Some((at, trial)) = self.deleted.pop() else { return };
        // Its number may be that of a trial that was kept since.
        let taken = self.find(trial.number).is_some();
        let number = self.next_number();
        let trial = if taken { Arc::new(Trial { number, ..trial.as_ref().clone() }) } else { trial };
        self.trials.insert(at.min(self.trials.len()), trial);
        (self.unfinished, self.version) = (None, self.version + 1);
    }

    /// Writes a note to a trial.
    pub fn annotate(&mut self, number: u64, note: &str) {
        self.change(number, |trial| note.clone_into(&mut trial.note));
    }

    /// Notes how the main measure went along the runs of a trial.
    pub fn note_along(&mut self, number: u64, along: Along) {
        self.change(number, |trial| trial.along = Some(along));
    }

    fn change(&mut self, number: u64, change: impl FnOnce(&mut Trial)) {
        if let Some(trial) = self.trials.iter_mut().find(|trial| trial.number == number) {
            change(Arc::make_mut(trial));
            self.version += 1;
        }
    }

    /// Keys of the measures that are shown: those that a person has chosen, or those that lead the newest trial of some.
    #[must_use]
    pub fn measures(&self, shown: &[Arc<Trial>]) -> Vec<String> {
        let leading = || shown.last().map(|trial| trial.leading.iter().take(LEADING).cloned().collect());
        self.measures.clone().or_else(leading).unwrap_or_default()
    }

    /// The measures that a person has chosen, if they have.
    #[must_use]
    pub fn chosen(&self) -> Option<&[String]> {
        self.measures.as_deref()
    }

    /// Chooses the measures that are shown.
    pub fn choose(&mut self, measures: Vec<String>) {
        self.measures = Some(measures);
        self.version += 1;
    }

    /// The titles of the experiments that have trials, each once, the oldest first.
    #[must_use]
    pub fn titles(&self) -> Vec<&str> {
        let mut titles: Vec<&str> = Vec::new();
        for trial in &self.trials {
            if !titles.contains(&trial.title.as_str()) {
                titles.push(&trial.title);
            }
        }
        titles
    }

    /// The trials of the experiment with this title, or of all.
    #[must_use]
    pub fn of(&self, title: Option<&str>) -> Vec<Arc<Trial>> {
        let is_of = |trial: &&Arc<Trial>| title.is_none_or(|title| trial.title == title);
        self.trials.iter().filter(is_of).cloned().collect()
    }
}

#[cfg(test)]
pub mod testing;

#[cfg(test)]
mod tests {
    use super::testing::trial;
    use super::*;

    fn notebook(numbers: &[u64]) -> Notebook {
        Notebook::restored(numbers.iter().map(|number| trial(*number, 0.1 * *number as f64, &[0.5])).collect(), None)
    }

    fn numbers(notebook: &Notebook) -> Vec<u64> {
        notebook.all().iter().map(|trial| trial.number).collect()
    }

    #[test]
    fn trials_that_are_deleted_come_back_to_their_positions() {
        let mut notebook = notebook(&[1, 2, 3]);
        let before = notebook.version();
        notebook.delete(1);
        notebook.delete(3);
        notebook.delete(9);
        assert_eq!((numbers(&notebook), notebook.deleted()), (vec![2], Some(3)));
        notebook.undelete();
        notebook.undelete();
        notebook.undelete();
        assert_eq!((numbers(&notebook), notebook.deleted()), (vec![1, 2, 3], None));
        assert!(notebook.version() > before);
    }

    #[test]
    fn older_trials_come_first_and_none_twice() {
        let (mut one, other) = (notebook(&[3, 4]), notebook(&[1, 3]));
        one.add_older(other);
        assert_eq!(numbers(&one), [1, 3, 4]);
        let of_another = Trial { seed: 8, ..trial(3, 0.2, &[0.1]) };
        one.add_older(Notebook::restored(vec![of_another], None));
        assert_eq!(numbers(&one), [5, 1, 3, 4], "a number belongs to one trial");
        let mut full = notebook(&(1..=MOST as u64).collect::<Vec<_>>());
        full.add_older(notebook(&[1000]));
        assert_eq!(full.all().len(), MOST, "there is no space for more");
    }

    #[test]
    fn measures_are_those_that_lead_until_a_person_chooses() {
        let mut notebook = notebook(&[1]);
        assert_eq!(notebook.measures(notebook.all()), ["tv"]);
        notebook.choose(vec!["rhat".to_owned()]);
        assert_eq!(notebook.measures(notebook.all()), ["rhat"]);
        assert!(notebook.measures(&[]) == ["rhat"] && Notebook::default().measures(&[]).is_empty());
    }

    #[test]
    fn a_note_belongs_to_its_trial() {
        let mut notebook = notebook(&[1, 2]);
        notebook.annotate(2, "too long");
        let notes: Vec<&str> = notebook.all().iter().map(|trial| trial.note.as_str()).collect();
        assert_eq!(notes, ["", "too long"]);
        assert_eq!(notebook.titles(), ["Test"]);
        assert!(notebook.of(Some("other")).is_empty() && notebook.of(None).len() == 2);
    }
}
