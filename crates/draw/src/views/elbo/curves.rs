//! Curves of the evidence lower bound, computed again when there are more steps or another range is shown.

use std::collections::BTreeMap;
use std::ops::Range;

use egui::Color32;
use egui_plot::PlotUi;

use super::geometry::{Column as ElboColumn, ElboTrace};
use crate::kit::axes::held;
use crate::kit::marks::Mark;
use crate::kit::mesh_cache::MeshCache;
use crate::kit::run_line;
use crate::kit::steps::StepsInput;
use crate::kit::time_axis::{Along, as_f64};
use crate::theme::Theme;
use engine::session::FitFrame;
use samplers::methods::FitRecord;

/// Chains of a run whose curves are drawn, and their opacity.
pub(super) const MOST_CHAINS: usize = 4;
const OPACITY: [f32; MOST_CHAINS] = [1.0, 0.65, 0.5, 0.4];

/// Opacity of values for an earlier target, as a factor (chosen by eye).
const EARLIER: f32 = 0.35;

/// Opacity of bands.
const BAND: f32 = 0.25;

/// Width of a column in points of the screen, for exact values and for random estimates. With narrower columns the line of
/// random estimates would flicker (chosen by eye).
const COLUMN: f32 = 2.0;
const NOISY_COLUMN: f32 = 12.0;

/// Distance outside the plot at which values are clamped, in heights of the plot, because of single precision.
const OUTSIDE: f64 = 100.0;

/// The curves of all runs.
#[derive(Debug, Default)]
pub struct ElboCache {
    chains: BTreeMap<(usize, usize), Entry>,
    /// Curves made so far.
    made: u64,
}

/// The curve of a chain.
#[derive(Debug, Default)]
struct Entry {
    reduced: Option<ElboTrace>,
    key: Option<Key>,
    columns: Vec<ElboColumn>,
    /// Number of columns that belong to an earlier target.
    earlier: usize,
    /// A number that no other columns have had.
    version: u64,
    kept: MeshCache,
}

/// What columns depend on.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    generation: u64,
    rows: usize,
    stride: u64,
    target_since: u64,
    along: Along,
    range: Range<f64>,
    columns: u32,
}

impl ElboCache {
    /// Updates the curves of a run in a range of positions, `width` points wide.
    pub(super) fn prepare(
        &mut self,
        input: &StepsInput<'_>,
        (run, target_since, fits): (usize, u64, &FitFrame),
        (range, width): (&Range<f64>, f32),
    ) {
        let trace = &fits.trace;
        let chance = |record: &FitRecord| record.elbo.is_some_and(|elbo| elbo.standard_error != 0.0);
        let column = if fits.records.iter().any(chance) { NOISY_COLUMN } else { COLUMN };
        for chain in 0..trace.chains().min(MOST_CHAINS) {
            let entry = self.chains.entry((run, chain)).or_default();
            let key = Key {
                generation: input.frame.generation,
                rows: trace.rows(),
                stride: trace.stride(),
                target_since,
                along: input.along(run),
                range: range.clone(),
                columns: columns_in(width, column),
            };
            if entry.key.as_ref() == Some(&key) {
                continue;
            }
            let reduced = entry.reduced.get_or_insert_with(|| ElboTrace::new(chain));
            reduced.update(trace, key.generation);
            let share = |column: u32| f64::from(column) / f64::from(key.columns);
            let edge = |column: u32| key.along.step(range.start + share(column) * (range.end - range.start));
            let edges = parted((0..=key.columns).map(edge).collect(), target_since);
            entry.columns = reduced.columns(trace, &edges);
            entry.earlier = entry.columns.partition_point(|column| column.step < first_step(target_since));
            self.made += 1;
            (entry.version, entry.key) = (self.made, Some(key));
        }
    }

    /// The columns of a run's chains for the present target.
    pub(super) fn columns(&self, run: usize) -> impl Iterator<Item = &[ElboColumn]> {
        self.chains.range((run, 0)..(run, MOST_CHAINS)).map(|(_, entry)| &entry.columns[entry.earlier..])
    }

    /// The columns of a run's chains for all targets.
    pub(super) fn all_columns(&self, run: usize) -> impl Iterator<Item = &[ElboColumn]> {
        self.chains.range((run, 0)..(run, MOST_CHAINS)).map(|(_, entry)| &entry.columns[..])
    }

    /// The number of the curve of a run's first chain.
    #[cfg(test)]
    pub(super) fn version(&self, run: usize) -> u64 {
        self.chains.get(&(run, 0)).map_or(0, |entry| entry.version)
    }

    /// Drops the curves of chains that no longer exist; `chains` gives the number of chains of a run.
    pub(super) fn keep(&mut self, chains: impl Fn(usize) -> usize) {
        self.chains.retain(|&(run, chain), _| chain < chains(run));
    }

    /// Adds the curves of a run to a plot that shows these values.
    pub(super) fn add<'a>(
        &'a self,
        plot_ui: &mut PlotUi<'a>,
        input: &StepsInput<'_>,
        (run, colour): (usize, Color32),
        values: &Range<f64>,
        theme: &Theme,
    ) {
        let along = input.along(run);
        for (&(_, chain), entry) in self.chains.range((run, 0)..(run, MOST_CHAINS)) {
            let bounds = [values.start.to_bits(), values.end.to_bits()];
            let colour = colour.gamma_multiply(OPACITY[chain]);
            entry.kept.show(plot_ui, (entry.version, bounds, theme.mode, theme.scale), || {
                let reach = OUTSIDE * (values.end - values.start);
                let within = |value: f64| held(value, &(values.start - reach..values.end + reach));
                let mut marks = Vec::new();
                let (earlier, present) = entry.columns.split_at(entry.earlier);
                let pale = pieces(earlier).map(|piece| (piece, colour.gamma_multiply(EARLIER)));
                for (piece, colour) in pale.chain(pieces(present).map(|piece| (piece, colour))) {
                    let edge = |column: &ElboColumn| {
                        [along.position(column.step), within(column.span.low), within(column.span.high)]
                    };
                    if piece.iter().any(|column| column.span.high > column.span.low) {
                        let edges = piece.iter().map(edge).collect();
                        marks.push(Mark::Band { edges, colour: colour.gamma_multiply(BAND), width: 0.0 });
                    }
                    let mean = |column: &ElboColumn| Some([along.position(column.step), within(column.span.mean()?)]);
                    let points = piece.iter().filter_map(mean).collect();
                    marks.push(run_line::mark(points, colour, theme.line(), theme.run(run)));
                }
                marks
            });
        }
    }
}

/// Between the last step for an earlier target and the first one for the present; before all steps if there was no other.
fn first_step(target_since: u64) -> f64 {
    if target_since > 0 { as_f64(target_since) + 0.5 } else { f64::NEG_INFINITY }
}

/// Edges of columns with one more at the change of the target, so that each column belongs to one target.
fn parted(mut edges: Vec<f64>, target_since: u64) -> Vec<f64> {
    let first = first_step(target_since);
    let index = edges.partition_point(|edge| *edge < first);
    if index > 0 && index < edges.len() {
        edges.insert(index, first);
    }
    edges
}

/// The runs of consecutive columns that have an estimate.
fn pieces(columns: &[ElboColumn]) -> impl Iterator<Item = &[ElboColumn]> {
    columns.split(|column| column.span.count == 0).filter(|piece| !piece.is_empty())
}

#[expect(clippy::cast_sign_loss, reason = "a screen has a few thousand points")]
fn columns_in(width: f32, column: f32) -> u32 {
    (width / column).max(1.0) as u32
}
