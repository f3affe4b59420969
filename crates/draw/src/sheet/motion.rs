//! How a figure moves: a run from one moment to another, or the end of a run for one value of a parameter after another.

use serde::{Deserialize, Serialize};

use base::math::elementary::{exp, ln};
use base::params::{ParamError, ParamErrors, ParamSpec, ParamType, Settings, Value};
use engine::scenario::Scenario;
use engine::session::Clock;

/// Numbers of pictures of a figure that moves.
pub const FRAMES: std::ops::RangeInclusive<u32> = 1..=2000;

/// Pictures per second.
pub const RATES: std::ops::RangeInclusive<u16> = 1..=50;

/// What changes from picture to picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Over {
    /// The moment of one run of the scenario, in ticks of this clock.
    Time(Clock),
    /// A parameter of a run. Each picture shows the end of the scenario with another value.
    Parameter {
        /// The name of the run.
        run: String,
        /// The dotted path of the parameter.
        path: String,
    },
}

impl Default for Over {
    fn default() -> Self {
        Self::Time(Clock::Steps)
    }
}

impl Over {
    /// The parameters of all runs that are numbers.
    #[must_use]
    pub fn parameters(scenario: &Scenario) -> Vec<Self> {
        let mut found = Vec::new();
        for run in &scenario.runs {
            numbers(&run.settings, "", &mut |path| found.push(Self::Parameter { run: run.name.clone(), path }));
        }
        found
    }

    /// The parameter that `run.path` names. Names of runs may have points in them.
    #[must_use]
    pub fn parameter(text: &str, scenario: &Scenario) -> Option<Self> {
        let found = scenario.runs.iter().filter_map(|run| {
            let path = text.strip_prefix(&run.name)?.strip_prefix('.')?;
            Some(Self::Parameter { run: run.name.clone(), path: path.to_owned() })
        });
        found.into_iter().find(|over| over.found_in(scenario).is_some())
    }

    /// Number of the run of a parameter, and its description and value.
    fn found_in(&self, scenario: &Scenario) -> Option<(usize, &'static ParamSpec, f64)> {
        let Self::Parameter { run, path } = self else { return None };
        let run = scenario.run_index(run)?;
        let settings = &scenario.runs[run].settings;
        match (settings.spec_at(path), settings.at(path)) {
            (Some(spec), Some(Value::Number(value))) => Some((run, spec, *value)),
            _ => None,
        }
    }

    /// Whether it is in the scenario; moments always are.
    #[must_use]
    pub fn is_in(&self, scenario: &Scenario) -> bool {
        matches!(self, Self::Time(_)) || self.found_in(scenario).is_some()
    }

    /// Its name: `Steps`, `cSGLD: initial step size α₀`.
    #[must_use]
    pub fn words(&self, scenario: &Scenario) -> String {
        match (self, self.found_in(scenario)) {
            (Self::Time(Clock::Steps), _) => "Steps".to_owned(),
            (Self::Time(Clock::Gradients), _) => "Gradient evaluations".to_owned(),
            (Self::Parameter { run, .. }, Some((_, spec, _))) => format!("{run}: {}", spec.label),
            (Self::Parameter { run, path }, None) => format!("{run}: {path}"),
        }
    }

    /// The first and the last value that a parameter takes where nothing else is asked for: half and twice its value, within its
    /// slider. `None` of moments, whose last is the end of the run.
    #[must_use]
    pub fn usual(&self, scenario: &Scenario) -> Option<[f64; 2]> {
        let (_, spec, value) = self.found_in(scenario)?;
        let (ParamType::Number { slider, .. } | ParamType::Integer { slider, .. }) = spec.ty else {
            return Some([value; 2]);
        };
        let (low, high) = slider;
        Some(if value > 0.0 { [(value / 2.0).max(low), (value * 2.0).min(high)] } else { [low, high] })
    }
}

/// Calls `found` with the dotted path of each parameter that is a number, in groups too.
fn numbers(settings: &Settings, above: &str, found: &mut dyn FnMut(String)) {
    for (spec, value) in settings.iter() {
        let path = format!("{above}{}", spec.key);
        match value {
            Value::Number(_) => found(path),
            Value::Group(group) => numbers(group, &format!("{path}."), found),
            _ => (),
        }
    }
}

/// How a figure moves.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Motion {
    /// What changes, which belongs to a scenario.
    #[serde(skip)]
    pub over: Over,
    /// Its first value; the start of the run, or the usual value, if there is none.
    #[serde(skip)]
    pub from: Option<f64>,
    /// Its last value; the end of the run, or the usual value, if there is none.
    #[serde(skip)]
    pub to: Option<f64>,
    /// Number of pictures, one of [`FRAMES`].
    pub frames: u32,
    /// Pictures per second, one of [`RATES`].
    pub per_second: u16,
    /// The picture that stands beside it as a still, for paper and for slides before they move.
    #[serde(default)]
    pub poster: Option<Poster>,
}

/// Which picture of a figure that moves stands beside it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Poster {
    /// The first.
    First,
    /// The last.
    Last,
}

impl Poster {
    /// Whether it is the picture with this number, from 0, of so many.
    pub(super) fn is(self, number: usize, count: usize) -> bool {
        match self {
            Self::First => number == 0,
            Self::Last => number + 1 == count,
        }
    }
}

impl Default for Motion {
    fn default() -> Self {
        Self { over: Over::default(), from: None, to: None, frames: 60, per_second: 12, poster: None }
    }
}

impl Motion {
    /// Checks that a parameter is in the scenario and can have its first and its last value.
    ///
    /// # Errors
    /// If it is not, or cannot.
    pub fn check(&self, scenario: &Scenario) -> Result<(), ParamErrors> {
        if !self.over.is_in(scenario) {
            let problem = format!("{} is not in the scenario", self.over.words(scenario));
            return Err(ParamErrors(vec![ParamError::new("over", problem, "steps, or a parameter of a run")]));
        }
        let values = self.values_of_parameter(scenario);
        let ends = [values.first(), values.last()].into_iter().flatten();
        ends.map(|value| with(scenario, &self.over, *value)).collect::<Result<Vec<_>, _>>().map(drop)
    }

    /// The values of a parameter; none of moments.
    pub(super) fn values_of_parameter(&self, scenario: &Scenario) -> Vec<f64> {
        let Some((_, spec, _)) = self.over.found_in(scenario) else { return Vec::new() };
        let in_ratios = matches!(spec.ty, ParamType::Number { log: true, .. } | ParamType::Integer { log: true, .. });
        self.over.usual(scenario).map(|ends| self.values(ends, in_ratios)).unwrap_or_default()
    }

    /// The values of the pictures: evenly spaced, in equal ratios where the slider of the parameter is.
    pub(super) fn values(&self, [first, last]: [f64; 2], in_ratios: bool) -> Vec<f64> {
        let (from, to) = (self.from.unwrap_or(first), self.to.unwrap_or(last));
        let spaces = f64::from(self.frames.saturating_sub(1).max(1));
        let ratios = in_ratios && from > 0.0 && to > 0.0;
        let value = |number: u32| match f64::from(number) / spaces {
            // The ends have all their digits.
            share if share <= 0.0 => from,
            share if share >= 1.0 => to,
            share if ratios => from * exp(share * ln(to / from)),
            share => from + (to - from) * share,
        };
        (0..self.frames).map(value).collect()
    }
}

/// The scenario with another value of a parameter; the same of moments.
pub(super) fn with(scenario: &Scenario, over: &Over, value: f64) -> Result<Scenario, ParamErrors> {
    let mut scenario = scenario.clone();
    let (Over::Parameter { path, .. }, Some((run, spec, _))) = (over, over.found_in(&scenario)) else {
        return Ok(scenario);
    };
    let value = if matches!(spec.ty, ParamType::Integer { .. }) { value.round() } else { value };
    let run = &mut scenario.runs[run];
    run.settings.set(path, Value::Number(value)).map_err(|error| ParamErrors(vec![error.under(&run.name)]))?;
    Ok(scenario)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::read;

    const TEXT: &str = "format = 1\n[target]\nkind = \"banana\"\n[[run]]\nname = \"A.B\"\nmethod = \"sgld\"\nsteps = 100\n\
                        step_size = { kind = \"constant\", value = 0.01 }\n";

    fn scenario() -> Scenario {
        read(TEXT, "test", std::path::Path::new(".")).unwrap()
    }

    #[test]
    fn parameters_are_found_by_name_and_have_usual_values() {
        let scenario = scenario();
        let all = Over::parameters(&scenario);
        let value = Over::parameter("A.B.step_size.value", &scenario).unwrap();
        assert!(all.contains(&value) && all.iter().all(|over| over.is_in(&scenario)), "{all:?}");
        assert_eq!(value.usual(&scenario), Some([0.005, 0.02]));
        assert_eq!(Over::parameter("A.B.step_size.kind", &scenario), None);
        assert_eq!(Over::parameter("A.steps", &scenario), None);
        assert!(Over::Time(Clock::Gradients).is_in(&scenario));
    }

    #[test]
    fn values_are_in_equal_ratios_where_the_slider_is_and_reach_both_ends() {
        let motion = Motion { from: Some(0.001), to: Some(0.1), frames: 3, ..Motion::default() };
        let close = |found: Vec<f64>, expected: [f64; 3]| {
            assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-15), "{found:?}");
            assert_eq!(found.len(), 3);
        };
        close(motion.values([0.0, 1.0], true), [0.001, 0.01, 0.1]);
        close(motion.values([0.0, 1.0], false), [0.001, 0.0505, 0.1]);
        close(Motion { frames: 3, ..Motion::default() }.values([0.0, 1.0], true), [0.0, 0.5, 1.0]);
        assert_eq!(Motion { frames: 1, ..Motion::default() }.values([2.0, 5.0], false), [2.0]);
    }
}
