//! Content of the readout: sections of rows, one row per measure, one column per run. Plain data for the panel, the sheet and
//! the clipboard.

use super::able::{doubt, has_diverged, is_able, noise};
use super::rows::{Cell, DIVERGED, Row, Section, WORKING, cell, row};
use super::{fits, own};
use crate::theme::Theme;
use crate::words::markup;
use engine::diagnostics::chain::OF_SERIES;
use engine::diagnostics::predictions::{Kind, measures_of};
use engine::diagnostics::quantities::{QUANTITY_MEASURES, SPREADS};
use engine::diagnostics::topics::FORMER_DISTANCE;
use engine::diagnostics::{
    Better, CHAIN_MEASURES, DYNAMICS, KSD, Measure, MeasureSpec, NoiseFloor, TRUTH_MEASURES, has_meaning,
    measure_dynamics,
};
use engine::scenario::Challenge;
use engine::scenario::challenge::{Rule, Task};
use engine::session::{Analysis, Frame, MAX_RECORDS, RunFrame};

/// The reason why an approximation has no draws.
const A_FIT: &str = "a fit, no draws";

/// The readout of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Names of the runs.
    pub runs: Vec<String>,
    /// Whether all of them are approximations.
    pub fits: bool,
    /// Whether values have what as many exact draws score beside them.
    pub floors: bool,
    /// The sections, in order.
    pub sections: Vec<Section>,
}

/// The reason for a measure of draws before the first.
const NO_DRAWS: &str = "no draws yet";

/// Number of draws.
const DRAWS: MeasureSpec = MeasureSpec {
    key: "draws",
    label: "Draws",
    help: "Draws collected so far, all chains together; of an ensemble, its members.",
    better: Better::Neither,
    headline: true,
    of_truth: false,
};

/// The same where all runs are ensembles.
const MEMBERS: MeasureSpec = MeasureSpec {
    label: "Members",
    help: "Members of the ensemble. Each is trained on its own; they are no draws of a chain.",
    ..DRAWS
};

/// The share of the first mode.
const MODE_SHARE: MeasureSpec = MeasureSpec {
    key: "mode_share",
    label: "Share of mode 1",
    help: "Share of draws, by weight, that are nearer to the first mode than to any other. In brackets its exact probability.",
    better: Better::Neither,
    headline: true,
    of_truth: true,
};

/// Cost of the draws.
const GRADIENTS: MeasureSpec = MeasureSpec {
    key: "gradient_evaluations",
    label: "Gradients",
    help: "Gradient evaluations so far, all chains together; a full gradient counts 1, a minibatch n/N.",
    better: Better::Neither,
    headline: true,
    of_truth: false,
};

/// Cost of methods without gradients.
const DENSITIES: MeasureSpec = MeasureSpec {
    key: "density_evaluations",
    label: "Densities",
    help: "Evaluations of the density by methods that use no gradients, all chains together. Plots against gradient evaluations count \
           each as one.",
    better: Better::Neither,
    headline: true,
    of_truth: false,
};

/// Measures of chains that say how many draws they are worth.
const COUNTS: [&str; 3] = ["ess_bulk", "ess_tail", "quantity_ess"];

impl Table {
    /// The readout of a frame.
    #[must_use]
    pub fn of(frame: &Frame) -> Self {
        let table = Self::of_all(frame);
        if frame.truth.is_known() || own::of(frame).is_some() { table } else { table.without_truth() }
    }

    /// The same, with rows for the truth even where it is not known.
    fn of_all(frame: &Frame) -> Self {
        let runs = &frame.runs;
        let fits = runs.iter().all(|run| run.fits.is_some());
        let names = || runs.iter().map(|run| run.plan.name.clone()).collect();
        let made = |sections| Self { runs: names(), fits, floors: true, sections };
        if let Some(own) = own::of(frame) {
            return made(vec![Section { title: "", rows: (own.rows)(frame) }]);
        }
        let counted = |value: f64| Cell::plain(Some(value), "");
        let plain =
            |spec, value: fn(&RunFrame) -> f64| row(&spec, runs.iter().map(|run| counted(value(run))).collect());
        let drawn = |run: &RunFrame| match run.fits {
            Some(_) => Cell::plain(None, A_FIT),
            None if run.is_ensemble() => counted(run.plan.chains as f64),
            None => counted(run.collected as f64),
        };
        let draws = if runs.iter().all(RunFrame::is_ensemble) { MEMBERS } else { DRAWS };
        let mut head = vec![
            row(&draws, runs.iter().map(drawn).collect()),
            plain(GRADIENTS, |run| spent(run.gradient_evaluations)),
        ];
        if runs.iter().any(|run| run.density_evaluations > 0.0) {
            head.push(plain(DENSITIES, |run| run.density_evaluations));
        }
        let share = |run: &RunFrame| mode_share(frame, run);
        if runs.iter().any(|run| !run.mode_shares.is_empty()) {
            head.push(row(&MODE_SHARE, runs.iter().map(share).collect()));
        }
        let truth = |index| move |run: &RunFrame| against_truth(run, index);
        let slow = |index| {
            move |run: &RunFrame| {
                let earlier = (run.analysis.step != run.step).then_some(run.analysis.step);
                let measure = run.analysis.measures.get(index);
                let of_series = measure.is_some_and(|measure: &Measure| OF_SERIES.contains(&measure.key));
                let thinning = if of_series { run.analysis.thinning.max(1) } else { 1 };
                Cell { thinning, ..cell(measure, WORKING, earlier) }
            }
        };
        let readouts: Vec<Vec<Measure>> =
            runs.iter().map(|run| measure_dynamics(&run.dynamics(&frame.truth))).collect();
        let dynamics = DYNAMICS.iter().enumerate().map(|(index, spec)| {
            row(spec, readouts.iter().map(|measures| cell(measures.get(index), "no step yet", None)).collect())
        });
        let of = |specs: &[MeasureSpec], first: usize| -> Vec<Row> {
            specs.iter().zip(first..).map(|(spec, at)| row(spec, runs.iter().map(slow(at)).collect())).collect()
        };
        let dimension = frame.target.info().dimension;
        let against = TRUTH_MEASURES.iter().enumerate().filter(|(_, spec)| has_meaning(spec, dimension));
        let newest = newest_step(runs);
        let mut sections = vec![
            Section { title: "", rows: head },
            Section { title: "Fits", rows: fits::rows(frame) },
            Section {
                title: "Compared with the truth",
                rows: against.map(|(index, spec)| row(spec, runs.iter().map(truth(index)).collect())).collect(),
            },
            Section { title: "All named quantities", rows: quantities(frame) },
            Section { title: "Predictions", rows: predictions(frame) },
            Section { title: "Chains: mixing, not bias", rows: of(&CHAIN_MEASURES, 0) },
            Section { title: "Gradients: bias, not missing modes", rows: of(&[KSD], CHAIN_MEASURES.len()) },
            Section { title: newest, rows: dynamics.collect() },
        ];
        sections.retain(|section| !section.rows.is_empty());
        let gone: Vec<bool> = runs.iter().map(has_diverged).collect();
        // What such a run has cost and how far its newest step was is known; its draws are of nothing.
        let of_draws = sections.iter_mut().filter(|section| !section.title.is_empty() && section.title != newest);
        for row in of_draws.flat_map(|section| &mut section.rows) {
            let cells = row.cells.iter_mut().zip(&gone).filter(|(_, gone)| **gone);
            cells.for_each(|(cell, _)| *cell = Cell::plain(None, DIVERGED));
        }
        let able: Vec<bool> = runs.iter().map(is_able).collect();
        let mut rows: Vec<&mut Row> = sections.iter_mut().flat_map(|section| &mut section.rows).collect();
        rows.iter_mut().for_each(|row| row.limits.extend(limits(frame, row.spec.key)));
        let doubts: Vec<Option<&'static str>> = runs.iter().map(doubt).collect();
        let noise: Vec<f64> = runs.iter().map(noise).collect();
        let sound: Vec<bool> = doubts.iter().map(Option::is_none).collect();
        rows.iter_mut().filter(|row| COUNTS.contains(&row.spec.key)).for_each(|row| row.doubts.clone_from(&doubts));
        rows.iter_mut().filter(|row| knows_noise(row, runs)).for_each(|row| {
            let of_chains = CHAIN_MEASURES.iter().any(|spec| spec.key == row.spec.key);
            row.compare(if of_chains { &sound } else { &able }, &noise);
        });
        made(sections)
    }

    /// The readout of a frame as it may be seen: with what compares with the truth, or without where that is hidden.
    #[must_use]
    pub fn seen(frame: &Frame, truth: bool) -> Self {
        let table = Self::of(frame);
        if truth { table } else { table.without_truth() }
    }

    /// The same with the runs that are not `shown` pale: what is bold is the best of those that are.
    #[must_use]
    pub fn among(mut self, shown: &[usize]) -> Self {
        self.sections.iter_mut().flat_map(|section| &mut section.rows).for_each(|row| row.among(shown));
        self
    }

    /// Leaves the last row out; whether there were others.
    pub(crate) fn without_last_row(&mut self) -> bool {
        if self.rows().count() < 2 {
            return false;
        }
        let last = self.sections.iter_mut().rev().find(|section| !section.rows.is_empty());
        last.is_some_and(|section| section.rows.pop().is_some())
    }

    /// As it is where nothing follows: nothing waits for its floor.
    pub(crate) fn at_rest(mut self) -> Self {
        let cells = self.sections.iter_mut().flat_map(|section| &mut section.rows).flat_map(|row| &mut row.cells);
        cells.for_each(|cell| cell.waits = false);
        self
    }

    /// With the names that a theme gives the runs.
    pub(crate) fn called(mut self, theme: &Theme) -> Self {
        for (run, name) in self.runs.iter_mut().enumerate() {
            if let Some(own) = theme.own_name(run) {
                *name = markup::plain(own);
            }
        }
        self
    }

    /// Whether a run is one that the window does not show.
    pub(super) fn is_unseen(&self, run: usize) -> bool {
        self.rows().next().is_some_and(|row| row.unseen.contains(&run))
    }

    /// Only the rows that the scenario names, in its order; without names the headline rows. Rows without a value are left out,
    /// unless some run is still to get one.
    #[must_use]
    pub fn short(self, measures: Option<&[String]>) -> Self {
        let Some(measures) = measures else { return self.headlines().with_reasons() };
        let rows: Vec<Row> = measures.iter().filter_map(|key| self.row(key)).cloned().collect();
        Self { sections: vec![Section { title: "", rows }], ..self }.with_reasons()
    }

    /// Without rows that have no value for any run, and get none in time.
    fn with_reasons(mut self) -> Self {
        let is_shown = |cell: &Cell| cell.value.is_some() || [WORKING, NO_DRAWS, DIVERGED].contains(&cell.reason);
        for section in &mut self.sections {
            section.rows.retain(|row| row.cells.iter().any(is_shown));
        }
        self.sections.retain(|section| !section.rows.is_empty());
        self
    }

    /// Without the rows that compare with the truth.
    #[must_use]
    pub fn without_truth(mut self) -> Self {
        for section in &mut self.sections {
            section.rows.retain(|row| !row.spec.of_truth);
            // That draws are biased is known from the truth alone.
            section.rows.iter_mut().for_each(|row| row.doubts.clear());
        }
        self.sections.retain(|section| !section.rows.is_empty());
        self
    }

    /// Only the headline rows.
    #[must_use]
    pub fn headlines(mut self) -> Self {
        // If all runs are fits, the measures of draws would be rows of dashes.
        let fits = self.fits;
        let is_shown =
            |row: &Row| row.cells.iter().any(|cell| cell.value.is_some() || [WORKING, DIVERGED].contains(&cell.reason));
        for section in &mut self.sections {
            section.rows.retain(|row| row.spec.headline && (!fits || is_shown(row)));
            section.title = "";
        }
        self.sections.retain(|section| !section.rows.is_empty());
        self
    }

    /// A table of some of the rows, without titles.
    #[must_use]
    pub fn only(&self, rows: &[&Row]) -> Self {
        let rows: Vec<Row> = rows.iter().map(|&row| row.clone()).collect();
        Self { sections: vec![Section { title: "", rows }], runs: self.runs.clone(), ..*self }
    }

    /// The row of a measure.
    #[must_use]
    pub fn row(&self, key: &str) -> Option<&Row> {
        let (former, distance) = FORMER_DISTANCE;
        let of_topics = |row: &&Row| key == former && row.spec.key == distance;
        self.rows().find(|row| row.spec.key == key).or_else(|| self.rows().find(of_topics))
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.sections.iter().flat_map(|section| &section.rows)
    }
}

/// A measure of a run against the truth, and whether its floor is still to come: one that there cannot be has a reason.
fn against_truth(run: &RunFrame, index: usize) -> Cell {
    let cell = cell(run.measures.get(index), NO_DRAWS, None);
    let waits = run.fits.is_none() && cell.value.is_some() && cell.floor.is_none() && cell.reason.is_empty();
    Cell { waits, ..cell }
}

/// The share of the draws of a run at the first mode, beside its exact probability with what as many independent draws differ from it.
fn mode_share(frame: &Frame, run: &RunFrame) -> Cell {
    /// The quantile of a normal distribution between whose negative and itself nine draws of ten are.
    const NINE_OF_TEN: f64 = 1.645;
    let Some(share) = run.mode_shares.first().filter(|_| run.fits.is_none()) else {
        return Cell::plain(None, if run.fits.is_some() { A_FIT } else { NO_DRAWS });
    };
    let modes = frame.truth.modes();
    let mean = modes[0].weight / modes.iter().map(|mode| mode.weight).sum::<f64>();
    let reach = NINE_OF_TEN * (mean * (1.0 - mean) / run.collected.max(1) as f64).sqrt();
    let floor = NoiseFloor { mean, low: (mean - reach).max(0.0), high: (mean + reach).min(1.0) };
    Cell { floor: Some(floor), ..Cell::plain(Some(*share), "") }
}

/// The numbers that challenges of the scenario compare a measure with.
fn limits<'a>(frame: &'a Frame, key: &'a str) -> impl Iterator<Item = f64> + 'a {
    let of = |challenge: &Challenge| match &challenge.task {
        Task::Choice { rule: Rule::Within(bound), .. } | Task::Goal { bound, .. } => Some(bound.limit()),
        _ => None,
    };
    let of_measure = move |challenge: &&Challenge| challenge.task.measure() == Some(key);
    frame.scenario.challenges.iter().filter(of_measure).filter_map(of)
}

/// The measures of predictions, of targets whose draws are functions.
fn predictions(frame: &Frame) -> Vec<Row> {
    Kind::of(frame.target.as_ref())
        .map(|kind| analysed(frame, measures_of(kind), |analysis| &analysis.predicted.measures))
        .unwrap_or_default()
}

/// The measures of named quantities, of targets with such.
fn quantities(frame: &Frame) -> Vec<Row> {
    frame
        .target
        .quantities()
        .map(|_| analysed(frame, QUANTITY_MEASURES.iter(), |analysis| &analysis.quantities))
        .unwrap_or_default()
}

/// Rows of slow measures, which an analysis has in the order of these descriptions.
fn analysed(
    frame: &Frame,
    specs: impl Iterator<Item = &'static MeasureSpec>,
    of: fn(&Analysis) -> &[Measure],
) -> Vec<Row> {
    let one = |index: usize| {
        move |run: &RunFrame| {
            let earlier = (run.analysis.step != run.step).then_some(run.analysis.step);
            cell(of(&run.analysis).get(index), WORKING, earlier)
        }
    };
    specs.enumerate().map(|(index, spec)| row(spec, frame.runs.iter().map(one(index)).collect())).collect()
}

/// Whether the noise in a row is known: draws are compared with the truth only beside floors, which may take a moment.
fn knows_noise(row: &Row, runs: &[RunFrame]) -> bool {
    let known = |(cell, run): (&Cell, &RunFrame)| cell.value.is_none() || cell.floor.is_some() || run.fits.is_some();
    // Nothing is known of how spreads of draws scatter.
    row.spec.key != SPREADS && !TRUTH_MEASURES.iter().any(|spec| spec.key == row.spec.key)
        || row.cells.iter().zip(runs).all(known)
}

/// The title of the readouts of the dynamics: the steps of more chains are not recorded.
fn newest_step(runs: &[RunFrame]) -> &'static str {
    const { assert!(MAX_RECORDS == 64, "the number in the title") };
    if runs.iter().any(|run| run.plan.chains > MAX_RECORDS) { "Newest step, first 64 chains" } else { "Newest step" }
}

/// Gradient evaluations to be read: whole ones, and parts of one while they are few, since minibatches cost so little.
fn spent(evaluations: f64) -> f64 {
    /// From here on whole ones are told.
    const FEW: f64 = 10.0;
    let known = evaluations.max(0.0);
    if known < FEW { known } else { known.round() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, Recipe, frame};
    use engine::diagnostics::NoiseFloor;
    use engine::session::Warning;

    /// Gives a run effective sample sizes.
    fn worth_draws(run: &mut RunFrame, worth: Option<f64>) {
        let chain = |spec: &MeasureSpec| Measure { key: spec.key, value: worth, floor: None, reason: "" };
        let measures = CHAIN_MEASURES.iter().map(chain).collect();
        run.analysis = std::sync::Arc::new(Analysis { measures, ..Analysis::default() });
    }

    #[test]
    fn every_measure_has_a_row_with_a_cell_for_every_run() {
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let table = Table::of(&frame(Fake::grid(), &[recipe, recipe]));
        let keys: Vec<&str> = table.rows().map(|row| row.spec.key).collect();
        for spec in TRUTH_MEASURES.iter().chain(&CHAIN_MEASURES).chain([&KSD]).chain(&DYNAMICS) {
            assert_eq!(keys.iter().filter(|key| **key == spec.key).count(), 1, "{}", spec.key);
        }
        assert!(table.rows().all(|row| row.cells.len() == 2));
        assert!(table.rows().flat_map(|row| &row.cells).all(|cell| cell.value.is_some() || !cell.reason.is_empty()));
        let line = Table::of(&frame(Fake::beta(), &[recipe]));
        assert!(table.row("w1_y").is_some() && line.row("w1_y").is_none() && line.row("w1_x").is_some());
        let hidden = table.clone().without_truth();
        assert!(hidden.rows().all(|row| row.spec.key != "tv") && hidden.rows().any(|row| row.spec.key == "rhat"));
        let short = table.headlines();
        assert!(short.rows().all(|row| row.spec.headline) && short.rows().count() >= 10);
    }

    #[test]
    fn nothing_is_bold_before_its_noise_is_known() {
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 60, total: 100, alpha: 0.004, cycle: 0 };
        let mut made = frame(Fake::grid(), &[recipe; 2]);
        let mut best = |floor: Option<NoiseFloor>, worth: Option<f64>| {
            for (run, value) in made.runs.iter_mut().zip([0.1, 0.9]) {
                let measure = |spec: &MeasureSpec| Measure { key: spec.key, value: Some(value), floor, reason: "" };
                run.measures = std::sync::Arc::new(TRUTH_MEASURES.iter().map(measure).collect());
                worth_draws(run, worth);
            }
            Table::of(&made).row("tv").unwrap().best
        };
        let known = Some(NoiseFloor { mean: 0.05, low: 0.04, high: 0.06 });
        assert_eq!(best(None, Some(60.0)), None);
        assert_eq!(best(known, None), None, "before it is known how many draws they are worth");
        assert_eq!(best(known, Some(60.0)), Some(0));
        assert_eq!(best(known, Some(5.0)), None, "five draws say nothing");
    }

    #[test]
    fn a_scenario_names_rows_and_their_order() {
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let table = Table::of(&frame(Fake::grid(), &[recipe, recipe]));
        let known: Vec<&str> = engine::scenario::view::measure_keys().collect();
        assert!(table.rows().all(|row| known.contains(&row.spec.key)), "a file cannot name every row");
        let named = ["kl", "draws", "rhat"].map(str::to_owned);
        let short = table.short(Some(&named));
        assert!(short.rows().map(|row| row.spec.key).eq(["kl", "draws", "rhat"]));
    }

    #[test]
    fn a_short_table_has_no_rows_of_dashes_that_stay() {
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let mut table = Table::of(&frame(Fake::grid(), &[recipe, recipe]));
        let mut kept = |values: [Option<f64>; 2], reason| {
            let row = table.sections.iter_mut().flat_map(|section| &mut section.rows).find(|row| row.spec.key == "tv");
            row.unwrap().cells = values.map(|value| Cell::plain(value, reason)).to_vec();
            table.clone().short(Some(&["draws", "tv"].map(str::to_owned))).row("tv").is_some()
        };
        assert!(kept([Some(0.1), None], "no HMC reference"));
        assert!(!kept([None, None], "no HMC reference"));
        assert!(kept([None, None], WORKING) && kept([None, None], NO_DRAWS));
    }

    /// Three runs, the second of which has left the target: its place says so, and the better one of the others is bold.
    #[test]
    fn a_diverged_run_has_no_numbers_and_the_others_are_compared() {
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 60, total: 100, alpha: 0.004, cycle: 0 };
        let mut made = frame(Fake::grid(), &[recipe, Recipe { chains: 4, ..recipe }, recipe]);
        let floor = Some(NoiseFloor { mean: 0.05, low: 0.04, high: 0.06 });
        for (run, value) in made.runs.iter_mut().zip([0.9, 0.1, 0.4]) {
            let measure = |spec: &MeasureSpec| Measure { key: spec.key, value: Some(value), floor, reason: "" };
            run.measures = std::sync::Arc::new(TRUTH_MEASURES.iter().map(measure).collect());
            worth_draws(run, Some(60.0));
        }
        let left = |chains| Warning::Diverged { chains, first: 3, stable_below: None };
        made.runs[1].warnings = vec![left(2)];
        let table = Table::of(&made);
        let row = table.row("tv").unwrap();
        assert_eq!((row.cells[1].value, row.cells[1].reason, row.best), (None, DIVERGED, Some(2)));
        assert!(table.row("draws").unwrap().cells[1].value.is_some(), "what it has cost is known");
        // The eye of the third run is shut.
        let among = table.among(&[0, 1]);
        assert_eq!(among.row("tv").unwrap().best, None, "there is nothing to compare the first with");
        assert!(among.is_unseen(2) && !among.is_unseen(0));
        // One chain of many is a warning.
        made.runs[1].warnings = vec![left(1)];
        assert!(Table::of(&made).row("tv").unwrap().cells[1].value.is_some());
    }
}
