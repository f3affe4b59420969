//! Path plot: −log p along straight lines between draws ([`engine::diagnostics::path`]), flat inside one mode, a barrier between
//! two.
//!
//! The lines go between the ends of consecutive cycles of one chain, or between two picked draws. The chosen line is thick, the
//! others are thin. Its rise above the higher of its ends is marked and labelled.

use std::ops::Range;

use egui::{Align2, Rect, Response, Ui};
use egui_plot::{LineStyle, PlotTransform, Points};

use super::canvas_line;
use super::choice::{End, Lines, PathChoice};
use crate::canvas::nearest_mode;
use crate::kit::axes::{AxisSpec, Ticks, answers, curve, plot, show_part};
use crate::kit::background::{Computing, Same, SameTarget, Slot};
use crate::kit::gestures::Gesture;
use crate::kit::marks::Mark;
use crate::kit::mesh_cache::MeshCache;
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::run_header;
use crate::theme::Theme;
use crate::words::numbers;
use base::math::Point;
use engine::diagnostics::path::{PLACES, Path};
use engine::session::Frame;
use models::targets::TargetInfo;

/// What can be done on the plot, and on the canvases beside it.
pub(crate) const GESTURES: [Gesture; 3] = [
    Gesture::at("Path", "Point at the plot", "Show this place of the line on the canvas"),
    Gesture::at("Path", "Click a thin line", "Show the line between these two cycles"),
    Gesture::at("Pick on the canvas", "Click two draws", "Show the line between them; a third click starts again"),
];

/// Rise in nats below which a line counts as flat.
const FLAT: f64 = 0.1;

/// Least range of the vertical axis in nats, so that a flat line looks flat.
pub(super) const FEWEST_NATS: f64 = 4.0;

/// Least margin below and above the lines, as a share of the plot's height; and beside them, as a share of their length.
const MARGIN: f64 = 0.1;
const SIDE: f64 = 0.045;

/// Densities of single data evaluated for all lines together, at most: a second or two in the background.
const WORK: usize = 100_000_000;

/// Least number of points on a line, even with many data.
pub(super) const FEWEST_POINTS: usize = 51;

/// Opacity of the lines that are not in front.
const OPACITY: f32 = 0.4;

/// Input of the plot.
#[derive(Clone, Copy, Debug)]
pub struct PathInput<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// The run whose cycles are shown.
    pub focus: Option<usize>,
    /// The line that a person has chosen.
    pub choice: &'a PathChoice,
    /// When the lines are computed.
    pub computing: Computing,
}

/// Response of the plot.
#[must_use]
#[derive(Clone, Debug)]
pub struct PathResponse {
    /// λ under the pointer.
    pub pointed: Option<f64>,
    /// The earlier cycle of a line that was clicked.
    pub clicked: Option<u64>,
    /// The plot itself.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests find the plot by it"))]
    pub response: Response,
}

/// The lines as last computed.
#[derive(Debug, Default)]
pub struct PathCache {
    slot: Slot<Asked, Vec<Path>>,
    /// The inputs of the kept tessellation, and a number that no other lines have had.
    pub(super) drawn: (Option<Asked>, u64),
    kept: MeshCache,
}

/// Inputs of the computation: target and ends of the lines.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Asked {
    target: SameTarget,
    pub(super) ends: Vec<[Point; 2]>,
    pub(super) points: usize,
}

impl Asked {
    /// All lines, or only the chosen one if the density is slow.
    pub(super) fn of(frame: &Frame, lines: &Lines) -> Self {
        let ends = |pair: &[End; 2]| pair.map(|end| end.at);
        let (whole, points) = affordable(frame.target.data_count().unwrap_or(1), lines.pairs.len());
        let front = || lines.front.and_then(|front| lines.pairs.get(front));
        let all = if whole { lines.pairs.iter().map(ends).collect() } else { front().into_iter().map(ends).collect() };
        Self { target: Same(frame.target.clone()), ends: all, points }
    }
}

/// Whether there is time for all `lines` lines on a density with `data` data, and the number of points on each.
pub(super) fn affordable(data: usize, lines: usize) -> (bool, usize) {
    let whole = data.saturating_mul(lines).saturating_mul(PLACES) <= WORK;
    (whole, if whole { PLACES } else { (WORK / data.max(1)).clamp(FEWEST_POINTS, PLACES) })
}

impl PathCache {
    /// Updates the lines. While they are being computed the last ones stay.
    fn prepare(&mut self, ui: &Ui, asked: &Asked, computing: Computing) {
        let job = asked.clone();
        self.slot.request(asked.clone(), computing, ui.ctx(), async move {
            let density = job.target.0.density();
            let path = |[a, b]: &[Point; 2]| Some(Path::between(density?.as_ref(), *a, *b, job.points));
            job.ends.iter().filter_map(path).collect()
        });
        let newest = self.slot.all().map(|(key, _)| key).find(|key| key.target == asked.target);
        if newest != self.drawn.0.as_ref() {
            self.drawn = (newest.cloned(), self.drawn.1 + 1);
        }
    }

    /// The lines to be drawn.
    pub(super) fn paths(&self) -> &[Path] {
        self.drawn.0.as_ref().and_then(|key| self.slot.get(key)).map_or(&[], Vec::as_slice)
    }
}

/// Draws the plot into the available space.
pub fn show(ui: &mut Ui, input: &PathInput<'_>, theme: &Theme, cache: &mut PathCache) -> PathResponse {
    let lines = Lines::of(input.frame, input.focus, input.choice);
    cache.prepare(ui, &Asked::of(input.frame, &lines), input.computing);
    let cache = &*cache;
    let front = front_of(&lines, cache.paths());
    let notes = notes(input, &lines, cache.paths(), front);
    let run = lines.ends().first().map(|end| end.run).or(input.focus);
    run_header::line(ui, input.frame, run.as_slice(), theme, &theme.strong(), &notes);
    ui.add_space(theme.space(0.5));
    let (x, y) =
        (AxisSpec::wide("λ in (1 − λ)·a + λ·b", Ticks::Linear), AxisSpec::upright("−log p (nats)", Ticks::Linear));
    let plot = plot("path", theme, x, y).allow_drag(false).allow_zoom(false);
    let shown = plot.show(ui, |plot_ui| {
        let heights = shown_heights(cache.paths(), share_of_words(plot_ui.response().rect.height(), theme));
        let colour = theme.run(run.unwrap_or(0)).colour;
        let content = (cache.drawn.1, run, theme.mode, theme.scale);
        cache.kept.show(plot_ui, content, || {
            let pieces = cache.paths().iter().flat_map(pieces);
            let colour = colour.gamma_multiply(OPACITY);
            pieces.map(|points| Mark::Line { points, colour, width: theme.thin(), graph: true }).collect()
        });
        if let Some(path) = front {
            for piece in pieces(path) {
                plot_ui.line(curve(piece, colour, 1.6 * theme.line()));
            }
            rise(plot_ui, path, theme);
            for end in [path.curve().next(), path.curve().last()].into_iter().flatten() {
                let point = Points::new("", vec![[end.0, end.1]]).color(theme.ink).radius(theme.marker(1.0));
                plot_ui.points(point.allow_hover(false));
            }
        }
        show_part(plot_ui, [-SIDE, heights.start], [1.0 + SIDE, heights.end], theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
    let rect = shown.response.rect;
    if let Some(path) = front {
        front_words(ui, path, theme, (rect, &shown.transform));
    } else if lines.pairs.is_empty() {
        let text = missing(input, &lines);
        let (font, colour, at) = (theme.body(), theme.soft, rect.center());
        OverlayLabel { text, font, colour, at, align: Align2::CENTER_CENTER }.paint(ui, theme, rect);
    }
    let pointed = shown.response.hover_pos().filter(|_| front.is_some()).map(|at| {
        let share = shown.transform.value_from_position(at).x.clamp(0.0, 1.0);
        readout(ui, front, share, theme, rect);
        share
    });
    let clicked = shown.response.clicked().then(|| shown.response.interact_pointer_pos()).flatten();
    let clicked = clicked.and_then(|at| nearest_line(cache.paths(), &lines, (at, &shown.transform)));
    PathResponse { pointed, clicked, response: shown.response }
}

/// The chosen line, if it is computed.
fn front_of<'a>(lines: &Lines, paths: &'a [Path]) -> Option<&'a Path> {
    let ends = lines.pairs.get(lines.front?)?.map(|end| end.at);
    paths.iter().find(|path| path.ends() == ends)
}

/// The finite pieces of a line.
pub(super) fn pieces(path: &Path) -> Vec<Vec<[f64; 2]>> {
    let points: Vec<[f64; 2]> = path.curve().map(|(share, height)| [share, height]).collect();
    points.split(|point| !point[1].is_finite()).filter(|piece| !piece.is_empty()).map(<[_]>::to_vec).collect()
}

/// The share of a plot's height that the label above the highest line needs.
pub(super) fn share_of_words(height: f32, theme: &Theme) -> f64 {
    let words = 1.4 * theme.text.body + theme.space(2.5);
    f64::from(words / height.max(1.0)).clamp(MARGIN, 0.4)
}

/// The range of the vertical axis: all lines, with a share `above` of it free above them.
pub(super) fn shown_heights(paths: &[Path], above: f64) -> Range<f64> {
    let heights = || paths.iter().flat_map(Path::heights).copied().filter(|height| height.is_finite());
    let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
    if low > high {
        return 0.0..FEWEST_NATS;
    }
    let high = high.max(low + FEWEST_NATS);
    let span = (high - low) / (1.0 - MARGIN - above);
    low - MARGIN * span..high + above * span
}

/// The highest point of a line: λ, the level of the higher end, and the height. `None` for a line that is flat or leaves the
/// support.
fn highest_point(path: &Path) -> Option<(f64, f64, f64)> {
    let barrier = path.barrier().filter(|barrier| *barrier >= FLAT && barrier.is_finite())?;
    let (at, top) = path.curve().max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some((at, top - barrier, top))
}

/// The level of the higher end, and the rise above it.
fn rise(plot_ui: &mut egui_plot::PlotUi<'_>, path: &Path, theme: &Theme) {
    let Some((at, level, top)) = highest_point(path) else { return };
    let dashed = LineStyle::Dashed { length: theme.space(1.5) };
    plot_ui.line(curve(vec![[0.0, level], [1.0, level]], theme.faint, theme.thin()).style(dashed));
    plot_ui.line(curve(vec![[at, level], [at, top]], theme.ink, theme.thin()));
}

/// Labels of the ends and of the barrier.
fn front_words(ui: &Ui, path: &Path, theme: &Theme, (rect, transform): (Rect, &PlotTransform)) {
    let position = |(share, height): (f64, f64)| {
        transform.position_from_point(&egui_plot::PlotPoint::new(share, height.min(transform.bounds().max()[1])))
    };
    let ends = [path.curve().next(), path.curve().last()];
    let beside = egui::vec2(theme.space(1.5), 0.0);
    let sides = [(Align2::RIGHT_CENTER, -beside), (Align2::LEFT_CENTER, beside)];
    for ((end, text), (align, beside)) in ends.into_iter().zip(canvas_line::NAMES).zip(sides) {
        let Some(end) = end else { continue };
        let at = position(end) + beside;
        OverlayLabel { text, font: theme.strong(), colour: theme.ink, at, align }.paint(ui, theme, rect);
    }
    if let Some((share, level, top)) = highest_point(path) {
        let text = format!("{} nats", numbers::significant(top - level, 3));
        let at = position((share, top)) - egui::vec2(0.0, theme.space(1.0));
        let (font, colour) = (theme.strong(), theme.ink);
        OverlayLabel { text: &text, font, colour, at, align: Align2::CENTER_BOTTOM }.paint(ui, theme, rect);
    } else if path.leaves_support() {
        let at = rect.center_top() + egui::vec2(0.0, theme.space(1.5));
        let (font, colour, text) = (theme.strong(), theme.warning, "the line leaves the support");
        OverlayLabel { text, font, colour, at, align: Align2::CENTER_TOP }.paint(ui, theme, rect);
    }
}

/// λ and −log p under the pointer.
fn readout(ui: &Ui, front: Option<&Path>, share: f64, theme: &Theme, rect: Rect) {
    let Some(path) = front else { return };
    let nearest = path.curve().min_by(|a, b| (a.0 - share).abs().total_cmp(&(b.0 - share).abs()));
    let Some((_, height)) = nearest else { return };
    let text = format!("λ {}   −log p {}", numbers::decimal(share, 2), numbers::significant(height, 4));
    let (font, colour, at) = (theme.small(), theme.ink, rect.shrink(theme.space(1.5)).left_top());
    OverlayLabel { text: &text, font, colour, at, align: Align2::LEFT_TOP }.paint(ui, theme, rect);
}

/// The earlier cycle of the line that passes nearest above or below a point of the screen.
fn nearest_line(paths: &[Path], lines: &Lines, (at, transform): (egui::Pos2, &PlotTransform)) -> Option<u64> {
    let value = transform.value_from_position(at);
    let away = |path: &Path| {
        let nearest = path.curve().min_by(|a, b| (a.0 - value.x).abs().total_cmp(&(b.0 - value.x).abs()));
        nearest.map_or(f64::INFINITY, |(_, height)| (height - value.y).abs())
    };
    let path = paths.iter().min_by(|a, b| away(a).total_cmp(&away(b)))?;
    lines.pairs.iter().find(|pair| pair.map(|end| end.at) == path.ends())?[0].cycle
}

/// The header of the plot: the number of lines with a barrier, and the barrier of the chosen line.
pub(super) fn notes(input: &PathInput<'_>, lines: &Lines, paths: &[Path], front: Option<&Path>) -> Vec<String> {
    let mut parts = Vec::new();
    if paths.len() > 1 {
        let high = paths.iter().filter(|path| path.barrier().is_none_or(|barrier| barrier >= FLAT)).count();
        parts.push(format!("{high} of {} pairs with a barrier", paths.len()));
    }
    if let [a, b] = lines.ends()[..] {
        let name = |end: &End, which: &str| match end.cycle {
            Some(cycle) => numbers::count(cycle + 1),
            None => format!("{which} at step {}", numbers::count(end.step)),
        };
        let kind = if a.cycle.is_some() { "cycle " } else { "" };
        let verdict = front.map_or_else(|| "…".to_owned(), |path| verdict(path, input.frame.target.info()));
        parts.push(format!(
            "{kind}{} → {}: {verdict}",
            name(&a, canvas_line::NAMES[0]),
            name(&b, canvas_line::NAMES[1])
        ));
    }
    parts
}

/// A line in words: flat, or its barrier and the modes at its ends.
pub(super) fn verdict(path: &Path, info: &TargetInfo) -> String {
    let modes = path.ends().map(|at| nearest_mode(info, at).map_or(0, |(number, _)| number + 1));
    let one = modes[0] == modes[1];
    match path.barrier() {
        Some(barrier) if barrier < FLAT && info.modes.is_empty() => "flat".to_owned(),
        None => "an end outside the support".to_owned(),
        Some(barrier) if barrier.is_infinite() => "leaves the support".to_owned(),
        Some(barrier) if barrier < FLAT && one => "flat: same mode".to_owned(),
        Some(barrier) if barrier < FLAT => format!("flat, from mode {} to {}", modes[0], modes[1]),
        Some(barrier) => {
            let height = numbers::significant(barrier, 3);
            let modes = if one { String::new() } else { format!(" (mode {} → {})", modes[0], modes[1]) };
            format!("barrier {height} nats{modes}")
        }
    }
}

/// The text of an empty plot.
fn missing(input: &PathInput<'_>, lines: &Lines) -> &'static str {
    if input.choice.picking() {
        return match lines.alone {
            Some(_) => "Click another draw on a canvas: b",
            None if input.frame.runs.iter().all(|run| run.collected == 0) => "No draws yet",
            None => "Click a draw on a canvas: a",
        };
    }
    let cyclical = input.focus.and_then(|run| input.frame.runs.get(run)).is_some_and(|run| run.cycle.is_some());
    if cyclical {
        "The plot appears after the end of the second cycle"
    } else {
        "This run has no cycles: choose a cyclical schedule, or pick two draws on the canvas"
    }
}
