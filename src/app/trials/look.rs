//! What the dialog of the trials shows: whose trials, in which order, and which view of them.

use super::Notebook;
use super::table::{Column, Quantity, Sheet};

/// The trials of the window, with what the dialog shows of them.
#[derive(Debug, Default)]
pub struct Trials {
    /// What is kept.
    pub notebook: Notebook,
    /// What is shown of it.
    pub look: Look,
}

/// What the dialog shows. None of it is kept for the next start.
#[derive(Debug, Default)]
pub struct Look {
    /// The title of the experiment whose trials are shown; `None` for all.
    pub title: Option<String>,
    /// The view of them.
    pub view: TrialsView,
    /// The column by which rows are sorted, and whether from the largest value on.
    pub order: Option<(Column, bool)>,
    /// The numbers of the trials that are chosen to be compared, the newest choice at the end.
    pub chosen: Vec<u64>,
    /// The axes of the plot, if a person has chosen.
    pub axes: [Option<Quantity>; 2],
    /// Whether the axes are logarithmic, if a person has chosen.
    pub log: [Option<bool>; 2],
}

/// A view of the trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrialsView {
    /// The table.
    #[default]
    Table,
    /// One column against another.
    Plot,
    /// Two trials side by side.
    Compare,
}

impl Trials {
    /// The table as it is shown.
    #[must_use]
    pub fn sheet(&self) -> Sheet {
        let trials = self.notebook.of(self.look.title.as_deref());
        let measures = self.notebook.measures(&trials);
        let mut sheet = Sheet::of(trials, &measures);
        if let Some((column, descending)) = &self.look.order {
            sheet.sort(column, *descending);
        }
        sheet
    }

    /// Shows the trials of an experiment, if it has some.
    pub fn turn_to(&mut self, title: &str) {
        let known = self.notebook.titles().contains(&title);
        self.look.title = known.then(|| title.to_owned());
    }
}

impl Look {
    /// Sorts by a column; by the one that rows are sorted by already, the other way round.
    pub fn sort_by(&mut self, column: &Column) {
        let descending = self.order.as_ref().is_some_and(|(by, descending)| by == column && !descending);
        self.order = Some((column.clone(), descending));
    }

    /// Chooses a trial to be compared, or no longer; of three the oldest choice goes.
    pub fn toggle(&mut self, number: u64) {
        if let Some(at) = self.chosen.iter().position(|chosen| *chosen == number) {
            self.chosen.remove(at);
        } else {
            self.chosen.push(number);
            self.chosen.drain(..self.chosen.len().saturating_sub(2));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::trials::testing::trial;

    #[test]
    fn the_table_is_that_of_the_chosen_experiment_in_the_chosen_order() {
        let trials = vec![trial(1, 0.3, &[0.5]), trial(2, 0.1, &[0.4]), trial(3, 0.2, &[0.3])];
        let mut trials = Trials { notebook: Notebook::restored(trials, None), look: Look::default() };
        let numbers = |trials: &Trials| trials.sheet().trials.iter().map(|trial| trial.number).collect::<Vec<_>>();
        assert_eq!(numbers(&trials), [1, 2, 3]);
        let column = trials.sheet().columns[1].clone();
        trials.look.sort_by(&column);
        assert_eq!(numbers(&trials), [2, 3, 1]);
        trials.look.sort_by(&column);
        assert_eq!(numbers(&trials), [1, 3, 2]);
        trials.turn_to("nothing of this name");
        assert_eq!(numbers(&trials).len(), 3, "all of them");
        trials.turn_to("Test");
        assert_eq!(trials.look.title.as_deref(), Some("Test"));
    }

    #[test]
    fn two_trials_are_chosen_at_most() {
        let mut look = Look::default();
        (1..=3).for_each(|number| look.toggle(number));
        assert_eq!(look.chosen, [2, 3]);
        look.toggle(2);
        assert_eq!(look.chosen, [3]);
    }
}
