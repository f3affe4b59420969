//! What is wrong with a sweep of a scenario.

use super::{Axis, COST, MAX_CELLS, Sweep};
use crate::scenario::table_reader::quoted;
use crate::scenario::{RunSpec, Scenario};
use base::params::{ParamError, ParamType, Settings, Value, excerpt};

impl Sweep {
    /// The values of each axis on the runs of `scenario`.
    ///
    /// # Errors
    /// Everything that keeps the sweep from being one of this scenario, with paths from `sweep` down. Whether all values go together is
    /// known only when the cells are built.
    pub fn values(&self, scenario: &Scenario) -> Result<Vec<Vec<f64>>, Vec<ParamError>> {
        let Some(index) = scenario.run_index(&self.run) else {
            return Err(vec![scenario.no_run(&self.run).under("sweep")]);
        };
        let mut errors = Vec::new();
        let mut all = Vec::new();
        if !(1..=2).contains(&self.axes.len()) {
            errors.push(ParamError::new("sweep.axes", format!("there are {} axes", self.axes.len()), "one or two"));
        }
        for (number, axis) in self.axes.iter().enumerate() {
            match axis_values(axis, &scenario.runs[index]) {
                Ok(values) => all.push(values),
                Err(error) => errors.push(error.under(&format!("sweep.axes[{number}]"))),
            }
        }
        if let [one, other] = &self.axes[..]
            && one.parameter == other.parameter
        {
            let problem = "both axes have the same parameter";
            errors.push(ParamError::new("sweep.axes[1].parameter", problem, "another parameter of the run"));
        }
        let cells = all.iter().map(Vec::len).fold(1, usize::saturating_mul);
        if cells > MAX_CELLS {
            errors.push(ParamError::new(
                "sweep.axes",
                format!("there are {cells} cells"),
                format!("at most {MAX_CELLS}"),
            ));
        }
        errors.extend(self.question_errors());
        if errors.is_empty() { Ok(all) } else { Err(errors) }
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

/// The values of an axis of a run.
fn axis_values(axis: &Axis, run: &RunSpec) -> Result<Vec<f64>, ParamError> {
    let is_whole = match run.settings.spec_at(&axis.parameter).map(|spec| spec.ty) {
        Some(ParamType::Number { .. }) => false,
        Some(ParamType::Integer { .. }) => true,
        found => {
            let problem = match found {
                None => format!("the run has no parameter \"{}\"", excerpt(&axis.parameter)),
                Some(_) => format!("\"{}\" is not a number", excerpt(&axis.parameter)),
            };
            let paths = number_paths(&run.settings);
            return Err(ParamError::new("parameter", problem, paths.join(", ")));
        }
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
    let values = axis.values(is_whole);
    let mut settings = run.settings.clone();
    for &value in &values {
        settings.set(&axis.parameter, Value::Number(value)).map_err(|error| {
            let key = if value.to_bits() == values[0].to_bits() { "from" } else { "to" };
            ParamError::new(key, format!("{}: {}", axis.parameter, error.problem), error.allowed)
        })?;
    }
    Ok(values)
}

/// Dotted paths of the numbers of a run: what a sweep can have along its axes.
#[must_use]
pub fn number_paths(settings: &Settings) -> Vec<String> {
    let mut paths = Vec::new();
    numbers_of(settings, "", &mut paths);
    paths
}

fn numbers_of(settings: &Settings, within: &str, found: &mut Vec<String>) {
    for spec in settings.kind.params {
        let path = format!("{within}{}", spec.key);
        match (spec.ty, settings.get(spec.key)) {
            (ParamType::Number { .. } | ParamType::Integer { .. }, _) => found.push(path),
            (_, Some(Value::Group(group))) => numbers_of(group, &format!("{path}."), found),
            _ => {}
        }
    }
}
