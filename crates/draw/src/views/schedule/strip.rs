//! Strip of cycles below the curves: the mode that a chain is at when a cycle ends, and whether an earlier cycle reached it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use egui::{Align2, Color32, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};
use egui_plot::PlotTransform;

use crate::kit::for_others;
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::steps::StepsInput;
use crate::kit::time_axis::as_f64;
use crate::theme::Theme;
use crate::words::numbers;
use engine::scenario::RunPlan;
use engine::session::{CycleEnd, Frame, RunFrame, cycle_ends_after};

/// The newest cycles that are looked at, at most.
const MOST: usize = 10_000;

/// Height of a row, in units of the theme.
const ROW: f32 = 4.5;

/// Least width of a mark, in points: narrower ones are drawn as one.
const NARROWEST: f32 = 2.0;

/// Steps of a cycle that are counted to tell its draws, at most.
const COUNTED: u64 = 1_000_000;

/// The chain whose cycles are shown.
const CHAIN: usize = 0;

/// What the strip says, for the header of the plot.
pub(super) const LEGEND: &str = "strip: mode of each cycle, filled if new, hollow if not";

/// A cycle with the mode that it ended at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CycleMark {
    end: CycleEnd,
    /// The nearest mode, from 0.
    mode: usize,
    /// Whether no earlier cycle ended there.
    new: bool,
}

/// The cycles of each run, which grow with the run.
#[derive(Debug, Default)]
pub(super) struct StripCache {
    rows: BTreeMap<usize, Row>,
}

#[derive(Debug)]
struct Row {
    plan: Arc<RunPlan>,
    generation: u64,
    since: u64,
    /// Step of the run when it was looked at.
    step: u64,
    marks: Vec<CycleMark>,
    seen: BTreeSet<usize>,
}

impl StripCache {
    /// The runs that have a row: those with cycles, on a target with several modes. None while the truth is hidden.
    pub fn prepare(&mut self, frame: &Frame, runs: &[usize], truth: bool) -> Vec<usize> {
        if !truth || frame.truth.modes().len() < 2 {
            return Vec::new();
        }
        let mut shown = Vec::new();
        for &run in runs {
            let Some(made) = frame.runs.get(run) else { continue };
            if made.plan.segments.iter().all(|segment| segment.schedule.cycle(segment.from + 1).is_none()) {
                continue;
            }
            shown.push(run);
            let row = self.rows.entry(run).or_insert_with(|| Row::new(frame, made));
            if !row.continues(frame, made) {
                *row = Row::new(frame, made);
            }
            row.follow(frame, made);
        }
        shown
    }

    fn marks(&self, run: usize) -> &[CycleMark] {
        self.rows.get(&run).map_or(&[], |row| &row.marks)
    }
}

impl Row {
    fn new(frame: &Frame, run: &RunFrame) -> Self {
        let (plan, since) = (run.plan.clone(), run.target_since);
        Self { plan, generation: frame.generation, since, step: 0, marks: Vec::new(), seen: BTreeSet::new() }
    }

    fn continues(&self, frame: &Frame, run: &RunFrame) -> bool {
        let same = Arc::ptr_eq(&self.plan, &run.plan) && self.generation == frame.generation;
        same && self.since == run.target_since && self.step <= run.step
    }

    /// Adds the cycles that have ended since the last look.
    fn follow(&mut self, frame: &Frame, run: &RunFrame) {
        if self.step == run.step {
            return;
        }
        self.step = run.step;
        let after = self.marks.last().map_or(self.since, |mark| mark.end.last);
        for end in cycle_ends_after(run, CHAIN, after, MOST) {
            let mode = frame.truth.mode_of(end.at);
            let new = self.seen.insert(mode);
            self.marks.push(CycleMark { end, mode, new });
        }
    }
}

/// Height of a strip with so many rows.
fn height(theme: &Theme, rows: usize) -> f32 {
    theme.space(if rows == 0 { 0.0 } else { rows as f32 * ROW + 1.0 })
}

/// Height that a strip takes from the plot above it: its own and the gap between the two. Without the gap, the panel around
/// them would grow with every frame.
pub(super) fn taken_height(ui: &Ui, theme: &Theme, rows: usize) -> f32 {
    if rows == 0 { 0.0 } else { height(theme, rows) + ui.spacing().item_spacing.y }
}

/// Shows the rows of `runs` below `plot`, along the same steps.
pub(super) fn show(
    ui: &mut Ui,
    theme: &Theme,
    input: &StepsInput<'_>,
    runs: &[usize],
    cache: &StripCache,
    (plot, transform): (Rect, &PlotTransform),
) {
    if runs.is_empty() {
        return;
    }
    let size = vec2(ui.available_width(), height(theme, runs.len()));
    let (area, response) = ui.allocate_exact_size(size, Sense::hover());
    let pointer = response.hover_pos();
    for (number, &run) in runs.iter().enumerate() {
        let top = area.top() + theme.space(ROW) * number as f32;
        let row = Rect::from_x_y_ranges(plot.x_range(), top..=top + theme.space(ROW - 1.0));
        let Some(made) = input.frame.runs.get(run) else { continue };
        let along = input.along(run);
        name(ui, theme, made, row.left_center());
        let x = |step: f64| transform.position_from_point_x(along.position(step));
        let shown = columns(cache.marks(run), x, row);
        for_others::strip(ui, || marks(ui, theme, row, theme.run(run).colour, shown));
        if let Some(at) = pointer.filter(|at| row.expand2(vec2(0.0, theme.space(0.5))).contains(*at))
            && let Some(mark) = mark_at(cache.marks(run), along.step(transform.value_from_position(at).x))
        {
            let (text, font, colour) = (words(made, mark), theme.small(), theme.ink);
            let above = pos2(at.x, plot.bottom() - theme.space(1.0));
            OverlayLabel { text: &text, font, colour, at: above, align: Align2::CENTER_BOTTOM }.paint(ui, theme, plot);
        }
    }
}

/// What a row shows, at its left.
fn name(ui: &Ui, theme: &Theme, run: &RunFrame, at: Pos2) {
    let text = if run.plan.chains > 1 { "chain 1" } else { "modes" };
    ui.painter().text(at - vec2(theme.space(1.5), 0.0), Align2::RIGHT_CENTER, text, theme.small(), theme.faint);
}

/// One mark for each cycle; cycles narrower than [`NARROWEST`] share one, which is full if any of them is new. Modes have their numbers where all
/// of them have space.
fn marks(ui: &Ui, theme: &Theme, row: Rect, colour: Color32, marks: Vec<(f32, f32, CycleMark)>) {
    let painter = ui.painter().with_clip_rect(row.expand2(vec2(1.0, 1.0)));
    let number = |mark: &CycleMark| {
        let ink = if mark.new { theme.paper } else { theme.soft };
        painter.layout_no_wrap((mark.mode + 1).to_string(), theme.small(), ink)
    };
    let fits = |(left, right, mark): &(f32, f32, CycleMark)| number(mark).size().x + 3.0 < right - left;
    let numbered = marks.iter().all(fits);
    for (left, right, mark) in marks {
        let gap = if right - left > 2.0 * NARROWEST { 1.0 } else { 0.0 };
        let rect = Rect::from_x_y_ranges(left..=right - gap, row.y_range());
        if mark.new {
            painter.rect_filled(rect, 1.0, colour);
        } else {
            painter.rect_stroke(rect, 1.0, Stroke::new(1.0, colour), StrokeKind::Inside);
        }
        if numbered {
            let galley = number(&mark);
            painter.galley(rect.center() - 0.5 * galley.size(), galley, theme.ink);
        }
    }
}

/// The marks with their left and right ends on the screen; at most one in each [`NARROWEST`] points.
fn columns(marks: &[CycleMark], x: impl Fn(f64) -> f32, row: Rect) -> Vec<(f32, f32, CycleMark)> {
    let mut columns: Vec<(f32, f32, CycleMark)> = Vec::new();
    for mark in marks {
        let (left, right) = (x(as_f64(mark.end.first - 1)), x(as_f64(mark.end.last)));
        if right < row.left() || left > row.right() {
            continue;
        }
        match columns.last_mut() {
            Some((start, end, known)) if right - *start < NARROWEST => {
                *end = right;
                known.new |= mark.new;
            }
            _ => columns.push((left, right, *mark)),
        }
    }
    columns
}

/// The cycle of a step.
fn mark_at(marks: &[CycleMark], step: f64) -> Option<CycleMark> {
    let index = marks.partition_point(|mark| as_f64(mark.end.last) < step);
    marks.get(index).filter(|mark| as_f64(mark.end.first) <= step + 1.0).copied()
}

/// `Cycle 7: steps 10 001–11 667, 230 draws, mode 12, new`.
fn words(run: &RunFrame, mark: CycleMark) -> String {
    let CycleEnd { cycle, first, last, .. } = mark.end;
    let count = numbers::count;
    let draws = if last - first < COUNTED {
        let steps = (first..=last).filter(|&step| run.collects(step)).count() as u64;
        format!("{} draws, ", count(steps * run.plan.chains as u64))
    } else {
        String::new()
    };
    let new = if mark.new { "new" } else { "reached before" };
    format!("Cycle {}: steps {}–{}, {draws}mode {}, {new}", count(cycle + 1), count(first), count(last), mark.mode + 1)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use engine::scenario::read;
    use engine::session::Session;

    fn session(cycles: u64, steps: u64) -> Session {
        let text = format!(
            "format = 1\nseed = 3\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"one\"\nmethod = \"csgld\"\n\
             steps = {steps}\nstep_size = {{ kind = \"cyclical\", cycles = {cycles} }}\n[[run]]\nname = \"two\"\n\
             method = \"sgld\"\nsteps = {steps}\n"
        );
        Session::new(read(&text, "strip.toml", Path::new("")).unwrap()).unwrap()
    }

    #[test]
    fn rows_grow_with_the_run_as_if_looked_at_once() {
        let (mut session, mut slow) = (session(40, 4000), StripCache::default());
        for _ in 0..17 {
            session.advance(250);
            assert_eq!(slow.prepare(&session.frame(), &[0, 1], true), [0], "only the first run has cycles");
        }
        let mut once = StripCache::default();
        once.prepare(&session.frame(), &[0], true);
        assert_eq!(slow.marks(0), once.marks(0));
        assert_eq!(once.marks(0).len(), 40);
        let mut reached = BTreeSet::new();
        assert!(once.marks(0).iter().all(|mark| reached.insert(mark.mode) == mark.new));
        assert!(reached.len() > 3, "{reached:?}");
    }

    #[test]
    fn a_hidden_truth_hides_the_strip() {
        let mut session = session(40, 4000);
        session.advance(1000);
        assert!(StripCache::default().prepare(&session.frame(), &[0], false).is_empty());
    }

    #[test]
    fn words_name_steps_draws_and_mode() {
        let mut session = session(4, 4000);
        session.advance(4000);
        let (frame, mut cache) = (session.frame(), StripCache::default());
        cache.prepare(&frame, &[0], true);
        let mark = mark_at(cache.marks(0), 1500.0).unwrap();
        let text = words(&frame.runs[0], mark);
        let mode = mark.mode + 1;
        let new = if mark.new { "new" } else { "reached before" };
        assert_eq!(text, format!("Cycle 2: steps 1001–2000, 750 draws, mode {mode}, {new}"));
        assert_eq!(mark_at(cache.marks(0), 5000.0), None);
    }

    #[test]
    fn there_are_no_more_marks_than_pixels() {
        let mut session = session(2000, 8000);
        session.advance(8000);
        let mut cache = StripCache::default();
        cache.prepare(&session.frame(), &[0], true);
        assert_eq!(cache.marks(0).len(), 2000);
        let row = Rect::from_min_max(pos2(0.0, 0.0), pos2(300.0, 10.0));
        let found = columns(cache.marks(0), |step| (step / 8000.0 * 300.0) as f32, row);
        assert!(found.len() <= 300, "{}", found.len());
        assert!(found.iter().any(|column| column.2.new));
        assert_eq!(found.last().map(|column| column.1), Some(300.0));
    }
}
