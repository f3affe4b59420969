//! Table of trials: the columns of some trials, which are the parameters that differ between them and the chosen measures, each of every
//! run that has them, with seed, step and note; and the order of its rows.

use std::cmp::Ordering;
use std::sync::Arc;

use super::trial::{Parameter, Trial, parameter};
use draw::words::numbers;

/// What stands in the place of a value that there is not.
pub const NONE: &str = "–";

/// What a column has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The number of the trial.
    Number,
    /// The title of the experiment.
    Title,
    /// The seed.
    Seed,
    /// The step.
    Step,
    /// The note.
    Note,
    /// A parameter of the target, by its path.
    Target(String),
    /// A parameter of a run, by its path.
    Parameter(String),
    /// A measure of a run, by its key.
    Measure(String),
}

/// A column of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What it has.
    pub quantity: Quantity,
    /// The name of the run that it is of.
    pub run: Option<String>,
    /// Its name.
    pub label: String,
}

/// The value of a column of a trial.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    /// The value as it is read; a dash without one.
    pub text: String,
    /// The value, of a finite number.
    pub number: Option<f64>,
}

/// Trials with their columns.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// The trials, in the order of the rows.
    pub trials: Vec<Arc<Trial>>,
    /// The columns.
    pub columns: Vec<Column>,
    /// The names of all runs, in the order in which they appear.
    pub runs: Vec<String>,
}

impl Column {
    fn plain(quantity: Quantity, label: &str) -> Self {
        Self { quantity, run: None, label: label.to_owned() }
    }

    /// The value of a trial.
    #[must_use]
    pub fn value(&self, trial: &Trial) -> Value {
        let count = |number: u64| Value { text: numbers::count(number), number: Some(number as f64) };
        let words = |text: &str| Value { text: text.to_owned(), number: None };
        let of = |one: &Parameter| Value { text: one.words.clone(), number: one.number };
        let run = self.run.as_deref().and_then(|name| trial.run(name));
        let found = match &self.quantity {
            Quantity::Number => Some(count(trial.number)),
            Quantity::Seed => Some(count(trial.seed)),
            Quantity::Step => Some(count(trial.step)),
            Quantity::Title => Some(words(&trial.title)),
            Quantity::Note => Some(words(&trial.note)),
            Quantity::Target(path) => parameter(&trial.target, path).map(of),
            Quantity::Parameter(path) => run.and_then(|run| parameter(&run.parameters, path)).map(of),
            Quantity::Measure(key) => run
                .and_then(|run| run.measure(key))
                .map(|measured| Value { text: measured.text.clone(), number: measured.value }),
        };
        found.unwrap_or_else(|| words(NONE))
    }

    /// Its name with that of its run, if there are `several`.
    #[must_use]
    pub fn head(&self, several: bool) -> String {
        match &self.run {
            Some(run) if several => format!("{run}: {}", self.label),
            _ => self.label.clone(),
        }
    }
}

impl Sheet {
    /// The table of trials with some measures.
    #[must_use]
    pub fn of(trials: Vec<Arc<Trial>>, measures: &[String]) -> Self {
        let mut runs: Vec<String> = Vec::new();
        for run in trials.iter().flat_map(|trial| &trial.runs) {
            if !runs.contains(&run.name) {
                runs.push(run.name.clone());
            }
        }
        let mut columns = vec![Column::plain(Quantity::Number, "trial")];
        if differ(trials.iter().map(|trial| trial.title.as_str())) {
            columns.push(Column::plain(Quantity::Title, "experiment"));
        }
        let of_target = differing(&trials.iter().map(|trial| &trial.target[..]));
        columns.extend(of_target.into_iter().map(|(path, label)| Column::plain(Quantity::Target(path), &label)));
        let of_run = |name: &String| trials.iter().filter_map(|trial| trial.run(name)).collect::<Vec<_>>();
        for name in &runs {
            let found = differing(&of_run(name).iter().map(|run| &run.parameters[..]));
            columns.extend(found.into_iter().map(|(path, label)| Column {
                quantity: Quantity::Parameter(path),
                run: Some(name.clone()),
                label,
            }));
        }
        for key in measures {
            for name in &runs {
                let label = of_run(name).into_iter().find_map(|run| Some(run.measure(key)?.label.clone()));
                columns.extend(label.map(|label| Column {
                    quantity: Quantity::Measure(key.clone()),
                    run: Some(name.clone()),
                    label,
                }));
            }
        }
        columns.push(Column::plain(Quantity::Step, "step"));
        columns.push(Column::plain(Quantity::Seed, "seed"));
        columns.push(Column::plain(Quantity::Note, "note"));
        Self { trials, columns, runs }
    }

    /// Whether the trials have more than one run, so that columns need the names of runs.
    #[must_use]
    pub fn several(&self) -> bool {
        self.runs.len() > 1
    }

    /// Sorts the rows by a column, from the smallest value on or from the largest. What has no value comes last.
    pub fn sort(&mut self, column: &Column, descending: bool) {
        self.trials.sort_by(|one, other| {
            let (one, other) = (column.value(one), column.value(other));
            let order = match (one.number, other.number) {
                (Some(one), Some(other)) => one.total_cmp(&other),
                (Some(_), None) => return Ordering::Less,
                (None, Some(_)) => return Ordering::Greater,
                (None, None) => one.text.cmp(&other.text),
            };
            if descending { order.reverse() } else { order }
        });
    }

    /// The columns with numbers, for the axes of a plot: each quantity once, with a name.
    #[must_use]
    pub fn quantities(&self) -> Vec<(Quantity, String)> {
        let mut found: Vec<(Quantity, String)> = Vec::new();
        for column in &self.columns {
            let has_numbers = self.trials.iter().any(|trial| column.value(trial).number.is_some());
            if has_numbers && found.iter().all(|(known, _)| *known != column.quantity) {
                found.push((column.quantity.clone(), column.label.clone()));
            }
        }
        found
    }

    /// The values of two quantities for every run of every trial: the number of the run, that of the trial, and both values.
    #[must_use]
    pub fn points(&self, [x, y]: [&Quantity; 2]) -> Vec<(usize, u64, [f64; 2])> {
        let of_run = |quantity: &Quantity| matches!(quantity, Quantity::Parameter(_) | Quantity::Measure(_));
        // Without a run in either, every trial is one point.
        let runs = if of_run(x) || of_run(y) { &self.runs[..] } else { self.runs.get(..1).unwrap_or_default() };
        let column = |quantity: &Quantity, run: &String| Column {
            quantity: quantity.clone(),
            run: Some(run.clone()),
            label: String::new(),
        };
        let mut found = Vec::new();
        for (number, run) in runs.iter().enumerate() {
            let [x, y] = [x, y].map(|quantity| column(quantity, run));
            let of =
                |trial: &Arc<Trial>| Some((number, trial.number, [x.value(trial).number?, y.value(trial).number?]));
            found.extend(self.trials.iter().filter_map(of));
        }
        found
    }
}

/// What differs between two trials, and their measures: a name with both values.
#[must_use]
pub fn compared(pair: [&Arc<Trial>; 2], measures: &[String]) -> Vec<(String, [Value; 2])> {
    let sheet = Sheet::of(pair.map(Arc::clone).to_vec(), measures);
    let several = sheet.several();
    let is_compared = |column: &&Column| match column.quantity {
        Quantity::Number | Quantity::Note => false,
        Quantity::Seed | Quantity::Step => column.value(pair[0]) != column.value(pair[1]),
        _ => true,
    };
    let columns = sheet.columns.iter().filter(is_compared);
    columns.map(|column| (column.head(several), pair.map(|trial| column.value(trial)))).collect()
}

/// The parameters that do not have one value in all lists that have them: their paths and names, in the order of the lists.
fn differing<'a>(lists: &(impl Iterator<Item = &'a [Parameter]> + Clone)) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for one in lists.clone().flatten() {
        let values = lists.clone().filter_map(|list| parameter(list, &one.path)).map(|other| other.words.as_str());
        if found.iter().all(|(known, _)| *known != one.path) && differ(values) {
            found.push((one.path.clone(), one.label.clone()));
        }
    }
    found
}

fn differ<'a>(mut values: impl Iterator<Item = &'a str>) -> bool {
    values.next().is_some_and(|first| values.any(|other| other != first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::trials::testing::trial;

    fn sheet(trials: Vec<Trial>) -> Sheet {
        Sheet::of(trials.into_iter().map(Arc::new).collect(), &["tv".to_owned()])
    }

    fn heads(sheet: &Sheet) -> Vec<String> {
        sheet.columns.iter().map(|column| column.head(sheet.several())).collect()
    }

    #[test]
    fn columns_are_what_differs_and_the_chosen_measures() {
        let same = sheet(vec![trial(1, 0.1, &[0.5]), trial(2, 0.1, &[0.4])]);
        assert_eq!(heads(&same), ["trial", "Total variation", "step", "seed", "note"]);
        let sizes = sheet(vec![trial(1, 0.1, &[0.5]), trial(2, 0.2, &[0.4])]);
        assert_eq!(heads(&sizes), ["trial", "step size α", "Total variation", "step", "seed", "note"]);
        let two = sheet(vec![trial(1, 0.1, &[0.5, 0.6]), trial(2, 0.2, &[0.4])]);
        let expected = ["trial", "Run 0: step size α", "Run 0: Total variation", "Run 1: Total variation", "step"];
        assert_eq!(heads(&two)[..5], expected, "one value of the second run does not differ");
        let other = Trial { title: "Other".to_owned(), ..trial(3, 0.1, &[0.5]) };
        assert_eq!(heads(&sheet(vec![trial(1, 0.1, &[0.5]), other]))[1], "experiment");
        assert_eq!(heads(&sheet(Vec::new())), ["trial", "step", "seed", "note"]);
    }

    #[test]
    fn rows_are_sorted_by_number_and_what_has_none_comes_last() {
        let mut made = sheet(vec![
            trial(1, 0.1, &[0.5]),
            trial(2, 0.2, &[f64::NAN]),
            trial(3, 10.0, &[0.25]),
            trial(4, 2.0, &[-1.0]),
        ]);
        let column = made.columns[2].clone();
        let numbers = |sheet: &Sheet| sheet.trials.iter().map(|trial| trial.number).collect::<Vec<_>>();
        made.sort(&column, false);
        assert_eq!(numbers(&made), [4, 3, 1, 2]);
        made.sort(&column, true);
        assert_eq!(numbers(&made), [1, 3, 4, 2]);
        let size = made.columns[1].clone();
        made.sort(&size, false);
        assert_eq!(numbers(&made), [1, 2, 4, 3], "by numbers, not by letters");
    }

    #[test]
    fn points_are_of_every_run_with_both_values() {
        let made = sheet(vec![trial(1, 0.1, &[0.5, 0.6]), trial(2, 0.2, &[f64::NAN, 0.7])]);
        let (size, tv) = (Quantity::Parameter("step_size.value".to_owned()), Quantity::Measure("tv".to_owned()));
        let points = made.points([&size, &tv]);
        assert_eq!(points, [(0, 1, [0.1, 0.5]), (1, 1, [0.1, 0.6]), (1, 2, [0.2, 0.7])]);
        assert_eq!(made.points([&Quantity::Number, &Quantity::Seed]).len(), 2, "one point for each trial");
        let names: Vec<String> = made.quantities().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["trial", "step size α", "Total variation", "step", "seed"]);
    }

    #[test]
    fn two_trials_are_compared_by_what_differs() {
        let (one, other) = (Arc::new(trial(1, 0.1, &[0.5])), Arc::new(trial(2, 0.2, &[0.4])));
        let rows = compared([&one, &other], &["tv".to_owned()]);
        let told: Vec<(&str, [&str; 2])> =
            rows.iter().map(|(name, values)| (name.as_str(), [values[0].text.as_str(), &values[1].text])).collect();
        assert_eq!(told, [("step size α", ["0.1", "0.2"]), ("Total variation", ["0.5", "0.4"])]);
    }
}
