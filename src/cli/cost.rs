//! Cost of a scenario before it runs: steps, gradient evaluations, draws on disk, and memory of the history.
//!
//! Steps, draws and memory are exact; only of runs that would keep more than 20 million draws a chain the stages of cyclical
//! schedules are looked at in 10 000 steps. Evaluations always come from such a look, and lengths of numbers in a text differ: what
//! depends on these is about right, and the text says so.

use std::ops::Range;

use engine::scenario::{Collect, Experiment, RunPlan, Segment, Shares};
use engine::session::{CAPACITY, KEPT_RECORDS};
use samplers::methods::Fitting;
use samplers::schedules::Stage;

use crate::output::draws::{COLUMNS, npy};

/// Bytes of a position in the history.
const POSITION: u64 = 16;

/// Bytes of what is told of a transition.
const TRANSITION: u64 = 40;

/// Bytes of the record of an approximation after a step.
const RECORD: u64 = 120;

/// Bytes of a coordinate in a CSV file, with its sign and point, on average.
const COORDINATE: f64 = 18.5;

/// Bytes of the word "sampling", which collected draws of cycles have in a CSV file.
const STAGE: f64 = 8.0;

/// Draws of a chain whose stages are looked at one by one, which takes a tenth of a second.
const COUNTED: u64 = 20_000_000;

/// The cost of a run, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Steps of all chains together.
    pub steps: f64,
    /// Whether these are the most: a budget may be spent before.
    pub at_most: bool,
    /// Evaluations of the gradient over all data: the fewest and the most.
    pub gradients: [f64; 2],
    /// Evaluations of the density, by methods that use no gradients.
    pub densities: [f64; 2],
    /// Collected draws.
    pub draws: f64,
    /// Bytes of these draws as CSV.
    pub csv: f64,
    /// Bytes of these draws for NumPy.
    pub npy: f64,
    /// Bytes of the history that the window keeps.
    pub history: f64,
}

impl Cost {
    /// The cost of a run on an experiment's targets.
    pub fn of_run(experiment: &Experiment, plan: &RunPlan) -> Self {
        let chains = plan.chains as f64;
        let since = plan.target_since(u64::MAX);
        let mut cost = Self { steps: plan.steps as f64 * chains, ..Self::default() };
        for (segment, end) in plan.segments_with_ends() {
            let data = experiment.data_at(segment.from);
            let share = Shares::of(segment, end, data);
            let steps = chains * end.saturating_sub(segment.from) as f64;
            let most = segment.method.most_evaluations();
            // A step whose cost is not fixed takes one evaluation at least.
            let bounds = most.map_or([share.evaluations; 2], |most| [f64::min(1.0, most), most]);
            let counted = if segment.method.uses_gradients() { &mut cost.gradients } else { &mut cost.densities };
            *counted = sum(*counted, bounds.map(|bound| bound * steps));
            // Files have the draws from the last target alone.
            cost.draws += chains * drawn(segment, share.sampling, segment.from.max(since)..end);
        }
        if let Some(budget) = plan.budget {
            let varies = |segment: &Segment| segment.method.most_evaluations().is_some() || !segment.samples;
            cost.at_most = plan.segments.iter().any(varies);
            for counted in [&mut cost.gradients, &mut cost.densities] {
                *counted = counted.map(|evaluations| evaluations.min(budget));
            }
        }
        let fitting = plan.segments.last().and_then(|segment| segment.method.fitting());
        cost.draws += fitting.map_or(0.0, |Fitting { draws, .. }| draws as f64);
        let digits = |number: u64| number.max(1).ilog10() as f64 + 1.0;
        let weight = if plan.segments.iter().any(|segment| segment.collect.weighted) { COORDINATE } else { 3.0 };
        let cycles = plan.segments.last().and_then(|segment| segment.schedule.cycle(plan.steps));
        let stage = cycles.map_or(0.0, |cycles| digits(cycles) + STAGE);
        let line = digits(plan.chains as u64 - 1) + digits(plan.steps) + 2.0 * COORDINATE + weight + stage + 7.0;
        cost.csv = cost.draws * line;
        cost.npy = npy::HEADER as f64 + cost.draws * 8.0 * COLUMNS as f64;
        let rows = (plan.steps + 1).saturating_mul(plan.chains as u64);
        let records = if fitting.is_some() { rows.min(KEPT_RECORDS as u64) * RECORD } else { 0 };
        let draw = POSITION + if plan.transitions().is_some() { TRANSITION } else { 0 };
        cost.history = (rows.min(CAPACITY as u64) * draw + records) as f64;
        cost
    }

    /// The costs of two runs together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            steps: self.steps + other.steps,
            at_most: self.at_most || other.at_most,
            gradients: sum(self.gradients, other.gradients),
            densities: sum(self.densities, other.densities),
            draws: self.draws + other.draws,
            csv: self.csv + other.csv,
            npy: self.npy + other.npy,
            history: self.history + other.history,
        }
    }

    /// The cost in words.
    pub fn in_words(&self) -> String {
        let counted = [(self.gradients, "gradient"), (self.densities, "density")]
            .into_iter()
            .filter(|([_, most], _)| *most > 0.0);
        let evaluations: Vec<String> =
            counted.map(|(bounds, of)| format!("{} {of} evaluations", between(bounds))).collect();
        let most = if self.at_most { "at most " } else { "" };
        let varies = [self.gradients, self.densities].into_iter().any(|[fewest, most]| fewest < most);
        let why = if varies { " (a step evaluates as often as its path is long)" } else { "" };
        format!(
            "{most}{} steps of all chains, {}{why}; {most}{} draws: about {} as CSV, {} as NumPy; history {}",
            count(self.steps),
            evaluations.join(" and "),
            count(self.draws),
            bytes(self.csv),
            bytes(self.npy),
            bytes(self.history)
        )
    }
}

/// The sums of both ends.
fn sum(one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    [one[0] + other[0], one[1] + other[1]]
}

/// A count between two bounds, which is about so large where they are the same.
fn between([fewest, most]: [f64; 2]) -> String {
    if fewest < most { format!("{} to {}", count(fewest), count(most)) } else { format!("about {}", count(most)) }
}

/// The draws of a chain that are collected after the first of `steps` and up to the last: those that burn-in and thinning leave
/// of the sampling stages, which are a share of about `sampling`.
fn drawn(segment: &Segment, sampling: f64, steps: Range<u64>) -> f64 {
    let Collect { burn_in, thin, .. } = segment.collect;
    let up_to = |step: u64| step.saturating_sub(burn_in) / thin.max(1);
    let kept = up_to(steps.start) + 1..(up_to(steps.end) + 1).max(up_to(steps.start) + 1);
    let number = kept.end - kept.start;
    if !segment.samples || number > COUNTED {
        return sampling * number as f64;
    }
    let is_drawn = |draw: &u64| segment.schedule.stage(burn_in + draw * thin.max(1)) == Stage::Sampling;
    kept.filter(is_drawn).count() as f64
}

/// A count with its digits in groups of three, or its power of ten from a billion on.
fn count(number: f64) -> String {
    if number >= 1e9 {
        return format!("{number:.1e}");
    }
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes with a fitting unit.
fn bytes(number: f64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let unit = units.iter().find(|(size, _)| number >= *size);
    unit.map_or_else(|| format!("{number:.0} bytes"), |(size, name)| format!("{:.1} {name}", number / size))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use engine::scenario;
    use engine::session::Session;

    fn cost(run: &str) -> Cost {
        let text = format!("format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"one\"\n{run}\n");
        let experiment = scenario::read(&text, "cost.toml", Path::new("")).unwrap().build().unwrap();
        Cost::of_run(&experiment, &experiment.runs[0])
    }

    fn is(found: f64, expected: f64) {
        approx::assert_relative_eq!(found, expected, max_relative = 1e-12);
    }

    #[test]
    fn burn_in_and_thinning_leave_their_draws() {
        let found = cost("method = \"sgld\"\nchains = 3\nsteps = 1000\ncollect = { burn_in = 100, thin = 7 }");
        is(found.steps, 3000.0);
        assert_eq!(Some(found.gradients), Some([3000.0; 2]));
        is(found.draws, 3.0 * 128.0);
        is(found.npy, 128.0 + 56.0 * found.draws);
        is(found.history, 16.0 * 3.0 * 1001.0);
    }

    /// Half of each of ten cycles explores, without collecting.
    #[test]
    fn cycles_collect_in_their_sampling_stages() {
        let found = cost(
            "method = \"csgld\"\nsteps = 1000\nstep_size = { kind = \"cyclical\", cycles = 10, exploration = 0.5 }",
        );
        is(found.draws, 500.0);
    }

    /// Against the run itself: cycles of any length and rounding, with burn-in and thinning.
    #[test]
    fn draws_are_those_that_the_run_collects() {
        let mut stream = base::math::Stream::derive(5, base::math::Purpose::Truth, 0, 0);
        let mut below = |most: f64| (most * stream.uniform()).floor();
        for case in 0..60 {
            let (steps, cycles) = (1.0 + below(30_000.0), 1.0 + below(40.0));
            let (burn_in, thin) = (below(0.5 * steps), 1.0 + below(9.0));
            let (share, rounding) = (below(75.0) / 100.0, if case % 2 == 0 { "exact" } else { "ceil" });
            let cycles = cycles.min((steps / 10.0).ceil());
            let run = format!(
                "method = \"csgld\"\nsteps = {steps}\nchains = 2\ncollect = {{ burn_in = {burn_in}, thin = {thin} }}\n\
                 step_size = {{ kind = \"cyclical\", cycles = {cycles}, exploration = {share}, rounding = \"{rounding}\" }}"
            );
            let text = format!("format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"one\"\n{run}\n");
            let Ok(mut session) = scenario::read(&text, "cost.toml", Path::new(""))
                .map_err(|_| ())
                .and_then(|scenario| Session::new(scenario).map_err(|_| ()))
            else {
                continue;
            };
            session.advance(session.total());
            is(cost(&run).draws, session.frame().runs[0].collected as f64);
        }
    }

    #[test]
    fn the_longest_history_has_a_bound() {
        let found = cost(
            "method = \"sgld\"\nchains = 4096\nsteps = 100000000\nstep_size = { kind = \"constant\", value = 1e-3 }",
        );
        is(found.history, 16.0 * 12e6);
        is(found.steps, 4.096e11);
        assert!(
            found.in_words().starts_with("4.1e11 steps of all chains, about 4.1e11 gradient evaluations; 4.1e11 draws")
        );
    }

    /// A step of NUTS doubles up to ten times, one of Gibbs sampling searches for two slices.
    #[test]
    fn steps_whose_cost_differs_have_a_range() {
        let nuts =
            cost("method = \"nuts\"\nsteps = 300\nchains = 4\nstep_size = { kind = \"constant\", value = 1e-6 }");
        assert_eq!(Some(nuts.gradients), Some([1200.0, 1200.0 * 1023.0]));
        assert!(nuts.in_words().contains("1 200 to 1 227 600 gradient evaluations"), "{}", nuts.in_words());
        assert_eq!(cost("method = \"nuts\"\nmax_depth = 3\nsteps = 100").gradients[..], [100.0, 700.0][..]);
        let gibbs = cost("method = \"gibbs\"\nsteps = 100");
        assert!(gibbs.densities[0] < gibbs.densities[1] && gibbs.gradients[1] <= 0.0);
        let both = gibbs.plus(nuts);
        is(both.gradients[0], 1200.0);
        is(both.densities[0], 100.0);
        assert!(both.in_words().contains(" gradient evaluations and 100 to "), "{}", both.in_words());
        let walk = cost("method = \"random-walk\"\nsteps = 100").in_words();
        assert!(walk.contains("about 100 density evaluations; ") && !walk.contains("gradient"), "{walk}");
    }

    #[test]
    fn numbers_are_read_at_a_glance() {
        assert_eq!([count(0.0), count(999.0), count(1000.0), count(1_234_567.0)], ["0", "999", "1 000", "1 234 567"]);
        assert_eq!([bytes(12.0), bytes(1234.0), bytes(9.87e10)], ["12 bytes", "1.2 kB", "98.7 GB"]);
    }
}
