//! Challenges against a frame: what is true of the runs, and what an answer is worth.
//!
//! Everything here is a function of a frame, so that the window and the command line say the same. Before the end of the runs it is what
//! is true so far.

use crate::diagnostics::chips::Mass;
use crate::scenario::Challenge;
use crate::scenario::challenge::{Rule, Task};
use base::math::Point;

use super::frame::{Frame, RunFrame};

/// Why there is nothing to compare with.
const NO_RUN: &str = "the run is not there";
const NO_DRAWS: &str = "no draws yet";
const UNKNOWN: &str = "the truth is not known";
const NOT_COMPUTED: &str = "not computed yet";

/// An answer to a challenge.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Positions of chips.
    Chips(Vec<Point>),
    /// The value of a measure.
    Number(f64),
    /// Numbers of runs, in ascending order.
    Runs(Vec<usize>),
}

/// What is true of a challenge.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// The mass, and chips that account for much of it.
    Mass {
        /// The mass.
        mass: Mass,
        /// A good answer.
        chips: Vec<Point>,
        /// The share of the mass that it accounts for.
        share: f64,
    },
    /// The value of the measure.
    Number(f64),
    /// The runs of which it is true, and the value of the measure of every run.
    Runs {
        /// Numbers of runs, in ascending order.
        right: Vec<usize>,
        /// A value for each run, or why there is none.
        values: Vec<Result<f64, &'static str>>,
    },
    /// How far the goal is.
    Goal(Attempt),
}

/// How far a goal is at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attempt {
    /// The value of the measure.
    pub value: f64,
    /// Distance of the value from the bound; negative outside of it.
    pub margin: f64,
    /// Evaluations of all chains so far, of gradients and of densities.
    pub evaluations: f64,
    /// Whether that is no more than the goal allows.
    pub affordable: bool,
}

impl Attempt {
    /// Whether the goal is met.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.affordable && self.margin >= 0.0
    }

    /// Whether it is better than another one: it meets the goal at a lower cost, or comes nearer to it.
    #[must_use]
    pub fn beats(&self, other: &Self) -> bool {
        match (self.is_met(), other.is_met()) {
            (true, true) => self.evaluations < other.evaluations,
            (met, other_met) if met != other_met => met,
            _ if self.affordable != other.affordable => self.affordable,
            _ => self.margin > other.margin,
        }
    }
}

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Whether it is right.
    pub right: bool,
    /// Of chips the share of the mass that they account for; of runs the share that is named rightly; of a number its error.
    pub value: f64,
}

/// What is true of a challenge at a frame.
///
/// # Errors
/// Why nothing is, in a few words.
pub fn key(frame: &Frame, challenge: &Challenge) -> Result<Key, &'static str> {
    let named = |name: &str| frame.runs.iter().find(|run| run.plan.name == name).ok_or(NO_RUN);
    Ok(match &challenge.task {
        Task::Mass { run, chips, .. } => {
            let mass = match run {
                Some(name) => mass_of_draws(frame, named(name)?)?,
                None => mass_of_target(frame)?,
            };
            let chips = mass.greedy_chips(*chips);
            let share = mass.accounted(&chips, challenge_chips(&challenge.task));
            Key::Mass { mass, chips, share }
        }
        Task::Number { run, measure, .. } => Key::Number(value(named(run)?, measure)?),
        Task::Choice { measure, rule } => {
            let values: Vec<_> = frame.runs.iter().map(|run| value(run, measure)).collect();
            if values.iter().all(Result::is_err) {
                return Err(values.first().and_then(|value| value.err()).unwrap_or(NO_RUN));
            }
            Key::Runs { right: chosen(frame, measure, *rule, &values), values }
        }
        Task::Goal { run, measure, bound, within } => {
            let run = named(run)?;
            let value = value(run, measure)?;
            let evaluations = run.evaluations();
            let affordable = within.is_none_or(|most| evaluations <= most);
            Key::Goal(Attempt { value, margin: bound.within(value), evaluations, affordable })
        }
    })
}

/// What an answer is worth. `None` for an answer of another kind than the challenge, and for goals, which have none.
#[must_use]
pub fn score(challenge: &Challenge, key: &Key, answer: &Answer) -> Option<Score> {
    Some(match (&challenge.task, key, answer) {
        (Task::Mass { chips: count, at_least, .. }, Key::Mass { mass, .. }, Answer::Chips(chips)) => {
            let share = mass.accounted(chips, *count);
            Score { right: share >= *at_least, value: share }
        }
        (Task::Number { tolerance, .. }, Key::Number(truth), Answer::Number(number)) => {
            let error = number - truth;
            Score { right: error.abs() <= *tolerance, value: error }
        }
        (Task::Choice { .. }, Key::Runs { right, values }, Answer::Runs(runs)) => {
            let correct = (0..values.len()).filter(|run| runs.contains(run) == right.contains(run)).count();
            // Of two runs that share the extreme, either is right.
            let one = matches!(&challenge.task, Task::Choice { rule, .. } if rule.names_one());
            let all = if one { matches!(runs[..], [run] if right.contains(&run)) } else { correct == values.len() };
            Score { right: all, value: if all { 1.0 } else { share(correct, values.len()) } }
        }
        _ => return None,
    })
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn challenge_chips(task: &Task) -> usize {
    match task {
        Task::Mass { chips, .. } => *chips,
        _ => 0,
    }
}

/// The value of a measure of a run, against the truth or of its chains.
fn value(run: &RunFrame, key: &str) -> Result<f64, &'static str> {
    let of_chains = || {
        // Those of an earlier step are not those of the step that is shown.
        (run.analysis.step == run.step).then_some(&run.analysis.measures).into_iter().flatten()
    };
    let measure = run.measures.iter().chain(of_chains()).find(|measure| measure.key == key);
    let measure = measure.ok_or(NOT_COMPUTED)?;
    measure.value.ok_or(measure.reason)
}

/// The runs that a rule chooses.
fn chosen(frame: &Frame, key: &str, rule: Rule, values: &[Result<f64, &'static str>]) -> Vec<usize> {
    let known = || values.iter().filter_map(|value| value.ok());
    let extreme = match rule {
        Rule::Smallest => known().reduce(f64::min),
        Rule::Largest => known().reduce(f64::max),
        Rule::Within(_) | Rule::Floors(_) => None,
    };
    let floor = |run: usize| {
        let measure = frame.runs[run].measures.iter().find(|measure| measure.key == key)?;
        Some(measure.floor?.mean)
    };
    let is_chosen = |run: usize, value: f64| match rule {
        Rule::Smallest | Rule::Largest => extreme.is_some_and(|extreme| value.total_cmp(&extreme).is_eq()),
        Rule::Within(bound) => bound.admits(value),
        Rule::Floors(times) => floor(run).is_some_and(|floor| value <= times * floor),
    };
    let runs = values.iter().enumerate();
    runs.filter_map(|(run, value)| value.ok().filter(|value| is_chosen(run, *value)).map(|_| run)).collect()
}

/// The cells of the draws of a run, each draw once whatever its weight; of an approximation, of the draws from it.
fn mass_of_draws(frame: &Frame, run: &RunFrame) -> Result<Mass, &'static str> {
    let info = frame.target.info();
    if let Some(fits) = &run.fits {
        let grid = frame.truth.grid();
        let mut cells = vec![0.0; grid.len()];
        for cell in fits.draws.iter().filter_map(|draw| grid.cell(*draw)) {
            cells[cell] += 1.0;
        }
        return Mass::new(grid, &cells, fits.draws.len() as f64, (info.view, info.dimension == 1)).ok_or(NO_DRAWS);
    }
    let total = run.cloud.iter().sum::<f64>() + run.totals.outside as f64;
    Mass::new(&run.cloud_grid, &run.cloud, total, (info.view, info.dimension == 1)).ok_or(NO_DRAWS)
}

/// The exact cells of the target.
fn mass_of_target(frame: &Frame) -> Result<Mass, &'static str> {
    let (info, truth) = (frame.target.info(), &frame.truth);
    let known =
        truth.is_known().then(|| Mass::new(truth.grid(), truth.probabilities(), 1.0, (info.view, info.dimension == 1)));
    known.flatten().ok_or(UNKNOWN)
}

#[cfg(test)]
mod tests;
