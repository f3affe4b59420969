//! What the plot of coefficients keeps: the numbers of the reference and of each run, computed beside the window.

use std::sync::Arc;

use egui::Context;

use crate::kit::background::{Computing, Same, SameTarget, Slot};
use crate::kit::by_run::ByRun;
use crate::words::numbers;
use base::platform::pause;
use engine::session::{Described, Frame, QuantityDraws, QuantityNumbers, RunFrame};
use models::targets::Target;

/// Draws per draw that is used, from which on this is said.
const THINNED: f64 = 1.5;

/// The numbers.
#[derive(Debug, Default)]
pub struct CoefficientsCache {
    /// Whether numbers are those of coefficients in the units of the data file.
    in_file_units: bool,
    references: Slot<SameTarget, Vec<Described>>,
    runs: ByRun<OfRun>,
}

/// What a run says of all quantities.
#[derive(Clone, Debug)]
pub(super) struct OfRun {
    /// A number for each, or why there are none.
    pub(super) numbers: Result<Vec<QuantityNumbers>, &'static str>,
    /// What has to be known of them.
    pub(super) remarks: Vec<String>,
}

impl CoefficientsCache {
    /// For numbers in the units of the data file.
    pub(super) fn in_file_units() -> Self {
        Self { in_file_units: true, ..Self::default() }
    }

    /// Updates the numbers of what is shown.
    pub(super) fn update(&mut self, ctx: &Context, (frame, runs): (&Frame, &[usize]), computing: Computing) {
        let (target, in_file_units) = (frame.target.clone(), self.in_file_units);
        let of_target = target.clone();
        let known = async move { references(&of_target, in_file_units).await };
        self.references.request(Same(target.clone()), computing, ctx, known);
        self.runs.update(ctx, (frame, runs), computing, |run| of_run((target.clone(), in_file_units), run));
    }

    /// The reference of every quantity of a target, once it is computed.
    pub(super) fn references(&self, frame: &Frame) -> Option<&Vec<Described>> {
        self.references.get(&Same(frame.target.clone())).filter(|known| !known.is_empty())
    }

    /// What a run says.
    pub(super) fn run(&self, run: usize) -> Option<&OfRun> {
        self.runs.get(run).map(|(_, of)| of)
    }

    /// Whether what is shown of runs is from before they started again.
    pub(super) fn is_stale(&self, frame: &Frame, runs: &[usize]) -> bool {
        self.runs.is_stale(frame, runs)
    }
}

async fn references(target: &Target, in_file_units: bool) -> Vec<Described> {
    let Some(known) = target.known_quantities() else { return Vec::new() };
    let mut found = Vec::new();
    if in_file_units {
        for original in target.originals() {
            found.push(Described::known_sum(known, original));
            pause().await;
        }
        return found;
    }
    for number in 0..known.names().len() {
        found.push(Described::known(known, number));
        pause().await;
    }
    found
}

async fn of_run((target, in_file_units): (Arc<Target>, bool), run: RunFrame) -> OfRun {
    let none = |reason| OfRun { numbers: Err(reason), remarks: Vec::new() };
    let Some(draws) = QuantityDraws::of_run(&target, &run) else {
        return none(missing(&run));
    };
    if draws.count() == 0 {
        return none(missing(&run));
    }
    let remarks = remarks(&run, &draws);
    let draws = if in_file_units { draws.combined(target.originals()) } else { draws };
    let mut numbers = Vec::new();
    for number in 0..draws.chains.len() {
        numbers.push(draws.numbers(&run, number));
        pause().await;
    }
    OfRun { numbers: Ok(numbers), remarks }
}

/// Why a run has no numbers.
fn missing(run: &RunFrame) -> &'static str {
    match (&run.fits, run.collected) {
        (Some(_), _) => "nothing is fitted yet",
        (None, 0) => "no draws yet",
        // Vectors are kept every so many steps.
        (None, _) if run.collected_vectors().is_empty() => "the first draws are still to be kept",
        (None, _) => "all chains have left",
    }
}

/// Chains and draws that are not counted.
fn remarks(run: &RunFrame, draws: &QuantityDraws) -> Vec<String> {
    if run.fits.is_some() {
        return Vec::new();
    }
    let mut remarks = Vec::new();
    let chains = draws.chains.first().map_or(0, Vec::len);
    let left = run.plan.chains.saturating_sub(chains);
    if left > 0 {
        remarks.push(format!("{left} of {} chains have left and are not counted", run.plan.chains));
    }
    let per_draw = run.collected as f64 / (draws.count() as f64 * run.plan.chains as f64 / chains as f64);
    if per_draw >= THINNED {
        remarks.push(format!("computed from one draw in {}", numbers::significant(per_draw.round(), 3)));
    }
    remarks
}
