//! What is wrong with a sweep of a scenario.

use super::{Axis, COST, MAX_AXES, MAX_CELLS, MAX_MAPS, MAX_TARGETS, Number, Sweep, TARGET};
use crate::scenario::Scenario;
use crate::scenario::near::suggestion;
use crate::scenario::table_reader::quoted;
use base::params::{ParamError, excerpt};

impl Sweep {
    /// The values of each axis on the runs of `scenario`.
    ///
    /// # Errors
    /// Everything that keeps the sweep from being one of this scenario, with paths from `sweep` down. Whether all values go together is
    /// known only when the cells are built.
    pub fn values(&self, scenario: &Scenario) -> Result<Vec<Vec<f64>>, Vec<ParamError>> {
        if scenario.run_index(&self.run).is_none() {
            return Err(vec![scenario.no_run(&self.run).under("sweep")]);
        }
        let numbers = scenario.numbers(&self.run);
        let mut errors = Vec::new();
        let mut all = Vec::new();
        if !(1..=MAX_AXES).contains(&self.axes.len()) {
            errors.push(ParamError::new("sweep.axes", format!("there are {} axes", self.axes.len()), "one to three"));
        }
        for (number, axis) in self.axes.iter().enumerate() {
            let path = format!("sweep.axes[{number}]");
            match axis_values(axis, &self.run, &numbers, scenario) {
                Ok(values) => all.push(values),
                Err(error) => errors.push(error.under(&path)),
            }
            if self.axes[..number].iter().any(|other| other.parameter == axis.parameter) {
                let problem = if self.axes.len() == 2 {
                    "both axes have the same parameter"
                } else {
                    "two axes have the same parameter"
                };
                let allowed = "another parameter of the run or the target";
                errors.push(ParamError::new(format!("{path}.parameter"), problem, allowed));
            }
        }
        errors.extend(self.size_errors(&all));
        errors.extend(self.question_errors());
        if errors.is_empty() { Ok(all) } else { Err(errors) }
    }

    /// What is wrong with the numbers of cells, maps and targets.
    fn size_errors(&self, all: &[Vec<f64>]) -> impl Iterator<Item = ParamError> {
        let count = |values: &mut dyn Iterator<Item = usize>| values.fold(1, usize::saturating_mul);
        let cells = count(&mut all.iter().map(Vec::len));
        let of_target = all.iter().zip(&self.axes).filter(|(_, axis)| axis.parameter.starts_with(TARGET));
        let targets = count(&mut of_target.map(|(values, _)| values.len()));
        let maps = all.get(2).map_or(0, Vec::len);
        let found = [
            ("sweep.axes", "cells", cells, MAX_CELLS),
            ("sweep.axes", "different targets", targets, MAX_TARGETS),
            ("sweep.axes[2]", "values along the third axis, each with a map of its own", maps, MAX_MAPS),
        ];
        let too_many = |(path, what, count, most): (&str, &str, usize, usize)| {
            (count > most)
                .then(|| ParamError::new(path, format!("there are {count} {what}"), format!("at most {most}")))
        };
        found.into_iter().filter_map(too_many)
    }

    fn question_errors(&self) -> impl Iterator<Item = ParamError> {
        self.questions.iter().enumerate().flat_map(|(number, question)| {
            let path = |key: &str| format!("sweep.questions[{number}].{key}");
            let unmeasured = (!self.measures.contains(&question.measure)).then(|| {
                let problem = format!("\"{}\" is not among the measures of the sweep", question.measure);
                ParamError::new(path("measure"), problem, quoted(self.measures.iter().copied()))
            });
            let axes = || self.axes.iter().map(|axis| axis.parameter.as_str()).chain([COST]);
            let unknown = (!axes().any(|axis| axis == question.of)).then(|| {
                ParamError::new(path("of"), format!("there is no axis \"{}\"", excerpt(&question.of)), quoted(axes()))
            });
            let (key, bound) = question.bound.key_and_number();
            let endless = (!bound.is_finite())
                .then(|| ParamError::new(path(key), format!("{bound} is no bound"), "a finite number"));
            unmeasured.into_iter().chain(unknown).chain(endless)
        })
    }
}

/// The values of an axis of a run that has these numbers.
fn axis_values(axis: &Axis, run: &str, numbers: &[Number], scenario: &Scenario) -> Result<Vec<f64>, ParamError> {
    let paths = || numbers.iter().map(|number| number.path.as_str());
    let Some(number) = numbers.iter().find(|number| number.path == axis.parameter) else {
        let (of, inner) =
            axis.parameter.strip_prefix(TARGET).map_or(("run", axis.parameter.as_str()), |inner| ("target", inner));
        let settings = match of {
            "target" => Some(&scenario.target),
            _ => scenario.runs.iter().find(|other| other.name == run).map(|run| &run.settings),
        };
        let shown = excerpt(&axis.parameter);
        let problem = match settings.and_then(|settings| settings.spec_at(inner)) {
            None => format!("the {of} has no parameter \"{shown}\"{}", suggestion(&axis.parameter, paths())),
            Some(_) => format!("\"{shown}\" is not a number"),
        };
        return Err(ParamError::new("parameter", problem, paths().collect::<Vec<_>>().join(", ")));
    };
    if axis.log && axis.from <= 0.0 {
        return Err(ParamError::new(
            "from",
            format!("{} has no logarithm", axis.from),
            "a number above 0, or scale = \"linear\"",
        ));
    }
    if axis.count > 1 && axis.to <= axis.from {
        let problem = format!("{} is not above {}", axis.to, axis.from);
        return Err(ParamError::new("to", problem, "a number above from, or count = 1"));
    }
    let values = axis.values(number.is_whole);
    // What is allowed is an interval.
    for (value, key) in values.first().into_iter().zip(["from"]).chain(values.last().into_iter().zip(["to"])) {
        scenario
            .allows_number(run, &axis.parameter, *value)
            .map_err(|error| ParamError::new(key, format!("{}: {}", axis.parameter, error.problem), error.allowed))?;
    }
    Ok(values)
}
