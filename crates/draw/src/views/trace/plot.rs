//! Trace plot: one coordinate of the chains against steps, over the mean and standard deviation of the target.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc::{Receiver, TryRecvError};

use egui::{Color32, Context, Ui};
use egui_plot::{Axis, HLine, LineStyle, PlotUi, Points, Span};

use super::geometry::{Columns, Trace};
use crate::kit::axes::{AxisSpec, Ticks, answers, held, in_height, plot};
use crate::kit::background::{Computing, spawned};
use crate::kit::legend::{Entry as Told, Sample};
use crate::kit::marks::Mark;
use crate::kit::mesh_cache::MeshCache;
use crate::kit::run_header;
use crate::kit::steps::{StepsInput, StepsResponse, along_time, finish, furniture, scrolled, set_bounds};
use crate::kit::time_axis::as_f64;
use crate::theme::Theme;
use crate::words::numbers;
use engine::session::{History, RunFrame};

/// Largest number of traces per run: in the colour of the run, and in colours of their own.
const MOST_CHAINS: usize = 4;
const MOST_COLOURED: usize = 8;

/// Kept steps read within one frame; a background thread reads longer histories.
const STEPS_PER_FRAME: usize = 400_000;

/// Distance outside the view at which values are clamped, in heights of the view.
const OUTSIDE: f64 = 100.0;

/// Opacity of the first chain's trace, and of those after it.
const OPACITY: [f32; MOST_CHAINS] = [0.95, 0.65, 0.5, 0.4];

/// Opacity of the line at the mean of the target.
const MEAN: f32 = 0.6;

/// Opacity of traces with colours of their own.
const COLOURED: f32 = 0.75;

/// The reduced traces of all runs.
#[derive(Debug, Default)]
pub struct TraceCache {
    traces: BTreeMap<(usize, usize), Entry>,
    /// Number of pictures made so far.
    made: u64,
}

/// The trace of a chain, and its last picture.
#[derive(Debug, Default)]
struct Entry {
    /// The trace and its history; `None` while a thread works on it.
    trace: Option<(Trace, History)>,
    away: Option<Receiver<(Trace, History)>>,
    columns: Option<(Shown, Columns)>,
    /// A number that no other columns have had.
    version: u64,
    kept: MeshCache,
}

/// What the columns depend on.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    generation: u64,
    rows: usize,
    stride: u64,
    range: Range<f64>,
    most: usize,
}

impl TraceCache {
    /// Reads new steps; returns whether a thread is still reading.
    fn update(&mut self, ctx: &Context, input: &StepsInput<'_>, (computing, most): (Computing, usize)) -> bool {
        let mut budget = if computing == Computing::Now { usize::MAX } else { STEPS_PER_FRAME };
        let mut pending = false;
        for (run, frame, chain) in shown_chains(input, most) {
            let entry = self.traces.entry((run, chain)).or_default();
            pending |= entry.update(ctx, chain, (&frame.history, input.frame.generation), &mut budget);
        }
        pending
    }

    /// Updates the columns of every chain shown.
    fn prepare(&mut self, input: &StepsInput<'_>, chains: usize, range: &Range<f64>, most: usize) {
        for (run, _, chain) in shown_chains(input, chains) {
            if let Some(entry) = self.traces.get_mut(&(run, chain))
                && entry.prepare(&input.along(run).steps(range), most)
            {
                self.made += 1;
                entry.version = self.made;
            }
        }
    }
}

impl Entry {
    /// Reads new steps of a history, here if they are few; returns whether a thread is still reading. Meanwhile the last
    /// picture stays.
    fn update(&mut self, ctx: &Context, chain: usize, of: (&History, u64), budget: &mut usize) -> bool {
        if let Some(away) = self.away.take() {
            match away.try_recv() {
                Ok(done) => self.trace = Some(done),
                Err(TryRecvError::Empty) => {
                    self.away = Some(away);
                    return true;
                }
                // The thread panicked; the next one starts again.
                Err(TryRecvError::Disconnected) => {}
            }
        }
        let (history, generation) = of;
        let (mut trace, before) = self.trace.take().unwrap_or_else(|| (Trace::new(chain), History::default()));
        let missing = trace.missing(history, generation);
        if missing <= *budget {
            *budget -= missing;
            trace.update(history, generation);
            self.trace = Some((trace, history.clone()));
            return false;
        }
        drop(before);
        let history = history.clone();
        self.away = Some(spawned(ctx.clone(), async move {
            trace.update(&history, generation);
            (trace, history)
        }));
        true
    }

    /// Updates the columns of a range; returns whether they have changed.
    fn prepare(&mut self, range: &Range<f64>, most: usize) -> bool {
        let Some((trace, history)) = &self.trace else { return false };
        let (generation, rows, stride) = (trace.generation(), trace.rows(), history.stride());
        let shown = Shown { generation, rows, stride, range: range.clone(), most };
        if self.columns.as_ref().is_some_and(|(known, _)| *known == shown) {
            return false;
        }
        self.columns = Some((shown, trace.columns(history, range.clone(), most)));
        true
    }
}

/// The first chains of every run shown, at most `most` of each.
fn shown_chains<'a>(input: &'a StepsInput<'_>, most: usize) -> impl Iterator<Item = (usize, &'a RunFrame, usize)> {
    let runs = input.runs.iter().filter_map(|&run| Some((run, input.frame.runs.get(run)?)));
    runs.flat_map(move |(run, frame)| (0..frame.history.chains().min(most)).map(move |chain| (run, frame, chain)))
}

/// Draws the trace of coordinate 0 (x) or 1 (y) into the available space. With `by_chain`, the chains of a single run have
/// colours of their own; with several runs a colour stands for a run.
pub fn show(
    ui: &mut Ui,
    input: &StepsInput<'_>,
    (coordinate, computing, by_chain): (usize, Computing, bool),
    theme: &Theme,
    cache: &mut TraceCache,
) -> StepsResponse {
    let coordinate = coordinate.min(1);
    let by_chain = by_chain && input.runs.len() == 1;
    let most = if by_chain { MOST_COLOURED } else { MOST_CHAINS };
    let pending = cache.update(ui.ctx(), input, (computing, most));
    let shown = left_out(input, most);
    let chains = (!shown.is_empty()).then(|| Told::new(Sample::None, shown));
    let dash = theme.space(1.5);
    let mean = Sample::Line(theme.exact.gamma_multiply(MEAN), theme.thin(), Some([dash, dash]));
    let of_target = (input.truth && moments(input, coordinate).is_some())
        .then(|| Told::new(mean, "mean of the target, band: ± sd"));
    let entries: Vec<Told> = chains.into_iter().chain(of_target).collect();
    run_header::with_legend(ui, input.frame, input.runs, theme, &theme.strong(), &entries);
    ui.add_space(theme.space(0.5));
    let info = input.frame.target.info();
    let axes = [
        AxisSpec::wide(input.axis.label(), input.axis.ticks()),
        AxisSpec::upright(theme.axes(input.frame.target.axis_labels())[coordinate], Ticks::Linear),
    ];
    let [x, y] = in_height(ui, ui.available_height(), theme, axes);
    let plot = along_time(plot(("trace", coordinate, input.axis.key()), theme, x, y), ui, input, theme);
    let made = &mut *cache;
    let shown = plot.show(ui, |plot_ui| {
        let range = scrolled(plot_ui, &input.positions());
        made.prepare(input, most, &range, columns_in(plot_ui));
        // From here on the cache is only read, for as long as the plot's items borrow from it.
        let cache = &*made;
        furniture(plot_ui, input, &range, theme);
        if input.truth {
            band(plot_ui, input, coordinate, theme);
        }
        // A run that diverges leaves the plot long before its numbers overflow.
        let (low, high) = (info.view.min[coordinate], info.view.max[coordinate]);
        let limits = low - OUTSIDE * (high - low)..high + OUTSIDE * (high - low);
        let alone = input.frame.runs.len() == 1;
        let of_chain = |run: usize, chain| theme.chain_of(theme.run(run), chain, alone);
        for (run, frame, chain) in shown_chains(input, most) {
            let Some(Entry { columns: Some((_, columns)), version, kept, .. }) = cache.traces.get(&(run, chain)) else {
                continue;
            };
            let colour = if by_chain {
                of_chain(run, chain).colour.gamma_multiply(COLOURED)
            } else {
                theme.run(run).colour.gamma_multiply(OPACITY[chain])
            };
            let along = input.along(run);
            let position = |[step, low, high]: [f64; 3]| [along.position(step), low, high];
            kept.show(plot_ui, (version, &along, coordinate, by_chain, theme.mode, theme.scale), || {
                let pieces = outlines(columns, coordinate, &limits).into_iter();
                let pieces = pieces.map(|piece| piece.into_iter().map(position).collect::<Vec<_>>());
                pieces.map(|piece| mark(piece, columns.width == 1, colour, theme.thin())).collect()
            });
            if by_chain && let Some(at) = frame.positions.get(chain) {
                let end = Points::new("", vec![[along.position(as_f64(frame.step)), at[coordinate]]])
                    .shape(of_chain(run, chain).marker);
                plot_ui.points(end.color(of_chain(run, chain).colour).radius(theme.marker(1.25)).allow_hover(false));
            }
        }
        set_bounds(plot_ui, &range, &in_sight(input, coordinate), theme);
        range
    });
    answers(ui, theme, &shown.response, [x, y]);
    let response =
        finish(ui, input, theme, (shown.response, &shown.transform), &shown.inner, |_| readout(input, coordinate));
    StepsResponse { pending, ..response }
}

/// The values that are in sight: those of the target, and those of the area that the file shows, where chains may start.
fn in_sight(input: &StepsInput<'_>, coordinate: usize) -> Range<f64> {
    let view = &input.frame.target.info().view;
    let (low, high) = (view.min[coordinate], view.max[coordinate]);
    let area = input.frame.scenario.view.area.map(|area| area[coordinate]);
    area.map_or(low..high, |[from, to]| low.min(from)..high.max(to))
}

/// The number of chains shown, if not all are.
fn left_out(input: &StepsInput<'_>, most: usize) -> String {
    let runs = input.runs.iter().filter_map(|&run| input.frame.runs.get(run));
    let chains = runs.map(|run| run.plan.chains).max().unwrap_or(0);
    if chains > most { format!("{most} of {} chains", numbers::count(chains as u64)) } else { String::new() }
}

/// One column per point of the screen, so that neighbouring strokes touch.
#[expect(clippy::cast_sign_loss, reason = "a screen has a few thousand points")]
fn columns_in(plot_ui: &PlotUi<'_>) -> usize {
    plot_ui.response().rect.width().max(1.0) as usize
}

/// Mean and standard deviation of the target, if they are known.
fn moments(input: &StepsInput<'_>, coordinate: usize) -> Option<(f64, f64)> {
    let info = input.frame.target.info();
    let (mean, sd) = (info.mean[coordinate], info.covariance[(coordinate, coordinate)].sqrt());
    (mean.is_finite() && sd.is_finite()).then_some((mean, sd))
}

/// Draws mean and standard deviation of the target.
fn band(plot_ui: &mut PlotUi<'_>, input: &StepsInput<'_>, coordinate: usize, theme: &Theme) {
    let Some((mean, sd)) = moments(input, coordinate) else { return };
    let fill = theme.exact.gamma_multiply(0.07);
    plot_ui.span(Span::new("", mean - sd..=mean + sd).axis(Axis::Y).fill(fill));
    let line = HLine::new("", mean).color(theme.exact.gamma_multiply(MEAN)).width(theme.thin());
    plot_ui.hline(line.style(LineStyle::Dashed { length: theme.space(1.5) }).allow_hover(false));
}

/// The columns as bands between their extremes, or as lines where every step has its own column; interrupted where the chain
/// diverged. Values are clamped to `limits`. A band goes on from the values before it: a chain that jumps has a stroke there, where a band
/// between two values has no width.
fn outlines(columns: &Columns, coordinate: usize, limits: &Range<f64>) -> Vec<Vec<[f64; 3]>> {
    let mut pieces = vec![Vec::new()];
    for (step, extent) in columns.steps.iter().zip(&columns.extents) {
        if extent.is_empty() {
            pieces.push(Vec::new());
            continue;
        }
        let Some(piece) = pieces.last_mut() else { continue };
        let [low, high] = [extent.min[coordinate], extent.max[coordinate]].map(|value| held(value, limits));
        let before: Option<[f64; 3]> = piece.last().copied().filter(|_| columns.width > 1);
        let [from, to] = before.map_or([low, high], |[_, below, above]| [low.min(above), high.max(below)]);
        piece.push([*step, from, to]);
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// A piece of a trace as a line or band.
fn mark(piece: Vec<[f64; 3]>, single: bool, colour: Color32, width: f32) -> Mark {
    if single {
        let points = piece.into_iter().map(|[step, value, _]| [step, value]).collect();
        Mark::Line { points, colour, width, graph: true }
    } else {
        Mark::Band { edges: piece, colour, width }
    }
}

/// Position of the first chain of each run.
fn readout(input: &StepsInput<'_>, coordinate: usize) -> String {
    let axis = input.frame.target.info().axes[coordinate];
    let part = |run: &RunFrame| {
        let at = run.positions.first()?[coordinate];
        Some(format!("{} {axis} {}", run.plan.name, numbers::significant(at, 4)))
    };
    let parts: Vec<String> = input.runs.iter().filter_map(|&run| part(input.frame.runs.get(run)?)).collect();
    if parts.is_empty() { String::new() } else { format!("now: {}", parts.join("   ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::trace::geometry::Extent;

    fn columns(values: &[(f64, f64)], width: usize) -> Columns {
        let extent = |&(low, high): &(f64, f64)| Extent { min: [low, -high], max: [high, -low] };
        let steps = (0..values.len()).map(|step| f64::from(u32::try_from(step).unwrap())).collect();
        Columns { steps, extents: values.iter().map(extent).collect(), width }
    }

    #[test]
    fn every_extreme_is_on_the_band() {
        let pieces = outlines(&columns(&[(0.0, 1.0), (0.5, 3.0), (-2.0, 0.0)], 16), 0, &(-9.0..9.0));
        assert_eq!(pieces, [vec![[0.0, 0.0, 1.0], [1.0, 0.5, 3.0], [2.0, -2.0, 0.5]]]);
    }

    /// Between a chain's stays at two values the band is as high as the jump, and not a line that is too steep to see.
    #[test]
    fn a_jump_is_a_stroke() {
        let pieces =
            outlines(&columns(&[(1.0, 1.0), (1.0, 1.0), (4.0, 4.0), (4.0, 4.0), (0.0, 0.0)], 2), 0, &(-9.0..9.0));
        let expected = [[0.0, 1.0, 1.0], [1.0, 1.0, 1.0], [2.0, 1.0, 4.0], [3.0, 4.0, 4.0], [4.0, 0.0, 4.0]];
        assert_eq!(pieces, [expected]);
        let line = outlines(&columns(&[(1.0, 1.0), (4.0, 4.0)], 1), 0, &(-9.0..9.0));
        assert_eq!(line, [vec![[0.0, 1.0, 1.0], [1.0, 4.0, 4.0]]]);
    }

    #[test]
    fn single_steps_are_points_of_a_line() {
        let mut pieces = outlines(&columns(&[(1.0, 1.0), (2.0, 2.0)], 1), 1, &(-9.0..9.0));
        let Mark::Line { points, .. } = mark(pieces.remove(0), true, Color32::BLACK, 1.0) else { panic!("no line") };
        assert_eq!(points, [[0.0, -1.0], [1.0, -2.0]]);
    }

    #[test]
    fn a_gap_breaks_the_line() {
        let mut found = columns(&[(1.0, 1.0), (0.0, 0.0), (2.0, 2.0)], 1);
        found.extents[1] = Extent::EMPTY;
        assert_eq!(outlines(&found, 0, &(-9.0..9.0)), [vec![[0.0, 1.0, 1.0]], vec![[2.0, 2.0, 2.0]]]);
    }

    #[test]
    fn a_thread_reads_a_long_history_and_it_is_drawn_once_it_is_whole() {
        let mut history = History::new(1, 1);
        for _ in 0..1000 {
            history.push(&[0.5], &[0.5]);
        }
        let (ctx, mut entry) = (Context::default(), Entry::default());
        let mut rounds = 0;
        while entry.update(&ctx, 0, (&history, 3), &mut 100) {
            assert!(!entry.prepare(&(0.0..1000.0), 50), "no picture before the history is whole");
            rounds += 1;
            std::thread::yield_now();
        }
        assert!(rounds > 0);
        assert!(entry.prepare(&(0.0..1000.0), 50));
        assert!(!entry.prepare(&(0.0..1000.0), 50), "the same columns are not made twice");
        history.push(&[0.7], &[0.7]);
        let mut budget = 100;
        assert!(!entry.update(&ctx, 0, (&history, 3), &mut budget), "few steps are read at once");
        assert_eq!(budget, 99);
        assert!(entry.prepare(&(0.0..1000.0), 50));
    }
}
