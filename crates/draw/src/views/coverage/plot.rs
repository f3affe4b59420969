//! Coverage against fidelity, the plot for tuning a cyclical schedule: each run is a point.
//!
//! Horizontal axis: mode-weight KL, large if modes are missing. Vertical axis: KL within modes, large if the draws spread too far
//! or too little. Their sum is KL(draws‖target), binned (the chain rule). Both axes are logarithmic and in nats; smaller values
//! are on the edge of the plot. Lower left is better, down to the point expected for as many exact draws. Unfinished runs
//! are hollow; finished ones leave a pale trail, and pins stay. Crosses show the ends of a run over several seeds.

use egui::{Align2, Pos2, Rect, RectAlign, Response, Tooltip, Ui, Vec2};
use egui_plot::MarkerShape;

use super::input::CoverageInput;
use super::mark::{Kind, Mark};
use super::scale::Scale;
use super::seeds::Spread;
use super::spot::{Past, Spot, spot};
use super::{paint, pin};
use crate::kit::axes::{AxisSpec, Ticks, answers, before_last_tick, fits_upright, plot, show_part};
use crate::kit::gestures::Gesture;
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::run_header;
use crate::theme::{Dash, RunStyle, Theme};
use crate::words::numbers;
use engine::diagnostics::NoiseFloor;

/// What can be done on the plot.
pub(crate) const GESTURES: [Gesture; 2] = [
    Gesture::at("Coverage", "Point at a marker", "Its settings and values"),
    Gesture::at("Coverage", "Click a pin", "Select it, to open its scenario or to remove it"),
];

/// Distance in points of the screen within which the pointer is at a marker.
const REACH: f32 = 14.0;

/// Response of the plot.
#[must_use]
#[derive(Clone, Debug)]
pub struct CoverageResponse {
    /// The click.
    pub click: Click,
    /// The plot itself.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests find the plot by it"))]
    pub response: Response,
}

/// A click on the plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Click {
    /// No click.
    None,
    /// A pin, by number.
    Pin(usize),
    /// Somewhere else on the plot.
    Elsewhere,
}

/// Draws the plot into the available space.
pub fn show(ui: &mut Ui, input: &CoverageInput<'_>, theme: &Theme) -> CoverageResponse {
    let (marks, elsewhere) = marks(input, theme);
    let scale = Scale::of(marks.iter().flat_map(Mark::points));
    // The caller describes a selected pin in the place of the names; the names are also beside their marks.
    if input.selected.is_none() {
        run_header::line(ui, input.frame, input.runs, theme, &theme.strong(), &notes(&marks, elsewhere, scale));
        ui.add_space(theme.space(0.5));
    }
    let x = AxisSpec::wide("mode-weight KL (nats)", Ticks::Log);
    let names = ["KL within modes (nats)", "within (nats)", "within"];
    let name = names.into_iter().find(|name| fits_upright(ui, theme, name)).unwrap_or_default();
    let y = AxisSpec::upright(name, Ticks::Log);
    let width = before_last_tick(ui, theme);
    let plot = plot("coverage", theme, x, y).width(width).allow_drag(false).allow_zoom(false);
    let shown = plot.show(ui, |plot_ui| {
        let (min, max) = scale.bounds();
        show_part(plot_ui, min, max, theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
    let rect = shown.response.rect;
    let position = |at: [f64; 2]| {
        let [x, y] = scale.position(at);
        shown.transform.position_from_point(&egui_plot::PlotPoint::new(x, y))
    };
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    // Names are below markers, which a label could hide, but above the trail.
    let (past, present) = marks.split_at(marks.partition_point(|mark| mark.kind == Kind::Past));
    let names = paint::names(ui, present, input.selected, theme, rect, &position);
    paint::better(ui, theme, rect, &names);
    paint::marks(&painter, past, input.selected, theme, &position);
    paint::compared(&painter, input, present, theme, &position);
    paint::links(&painter, present, theme, &position);
    for name in names {
        name.paint(ui, theme, rect);
    }
    paint::marks(&painter, present, input.selected, theme, &position);
    if !marks.iter().any(|mark| matches!(mark.kind, Kind::Run { .. })) {
        nothing(ui, input, theme, rect);
    }
    let near = |at: Option<Pos2>, wanted: fn(Kind) -> bool| {
        let away = |mark: &&Mark| position(mark.at).distance(at.unwrap_or(Pos2::ZERO));
        // Of overlapping marks the last one is on top.
        let nearest = marks.iter().rev().filter(|mark| wanted(mark.kind)).min_by(|a, b| away(a).total_cmp(&away(b)));
        nearest.filter(|mark| at.is_some() && away(mark) <= REACH)
    };
    let response = shown.response;
    if let Some(mark) = near(response.hover_pos(), |_| true) {
        // Beside the mark, which stays in sight.
        let mut tip = Tooltip::for_enabled(&response);
        let mark_rect = Rect::from_center_size(position(mark.at), Vec2::splat(2.0 * REACH));
        tip.popup = tip.popup.anchor(mark_rect).align(RectAlign::RIGHT);
        tip.show(|ui| explain(ui, mark, scale, theme));
    }
    // A pin can be selected even below a run.
    let pin = near(response.interact_pointer_pos(), |kind| matches!(kind, Kind::Pin(_)));
    let click = match (response.clicked(), pin.map(|mark| mark.kind)) {
        (false, _) => Click::None,
        (true, Some(Kind::Pin(pin))) => Click::Pin(pin),
        (true, _) => Click::Elsewhere,
    };
    CoverageResponse { click, response }
}

/// Whether a run that is shown has the name that it had at an earlier point.
fn is_of(input: &CoverageInput<'_>, past: &Past) -> bool {
    let named = input.frame.runs.get(past.run).is_some_and(|run| run.plan.name == past.name);
    named && input.runs.contains(&past.run)
}

/// All marks of the plot, the topmost last; and the number of pins of other targets.
pub(super) fn marks(input: &CoverageInput<'_>, theme: &Theme) -> (Vec<Mark>, usize) {
    let mut all = Vec::new();
    for past in input.trail.before(input.frame.generation).filter(|past| is_of(input, past)) {
        let (name, words) = (past.name.clone(), past.words.clone());
        all.push(Mark { kind: Kind::Past, at: past.at, style: theme.run(past.run), name, words });
    }
    for (&index, spread) in input.runs.iter().filter_map(|run| Some((run, input.spreads.get(*run)?.as_ref()?))) {
        let Some(run) = input.frame.runs.get(index) else { continue };
        let (name, words) = (format!("{}, {} seeds", run.plan.name, input.seeds), of_seeds(spread));
        all.push(Mark { kind: Kind::Seeds(spread.ends), at: spread.mean, style: theme.run(index), name, words });
    }
    let (mut runs, mut elsewhere) = (Vec::new(), 0);
    for &index in input.runs {
        let Some(run) = input.frame.runs.get(index) else { continue };
        let Ok(Spot { at, floor }) = spot(&run.measures) else { continue };
        let floor = floor.filter(|_| theme.look.floors);
        let (style, name) = (theme.run(index), run.plan.name.clone());
        if let Some(floor) = floor {
            let style = RunStyle { colour: theme.exact, marker: MarkerShape::Plus, dash: Dash::Solid };
            let (name, words) = ("exact draws".to_owned(), of_exact_draws(run.collected, &name, &floor));
            all.push(Mark { kind: Kind::Exact, at: floor.map(|floor| floor.mean), style, name, words });
        }
        let floor = floor.map(|floor| floor.map(|floor| floor.mean));
        let kind = Kind::Run { finished: run.step == run.plan.steps, floor };
        runs.push(Mark { kind, at, style, name, words: pin::in_words(input.frame, index) });
    }
    for (number, pin) in input.pins.iter().enumerate() {
        if pin.identity == input.trail.identity() {
            let words = format!("{} · seed {}", pin.words, pin.seed);
            let (style, name) = (theme.run(pin.style), pin.name.clone());
            all.push(Mark { kind: Kind::Pin(number), at: pin.at, style, name, words });
        } else {
            elsewhere += 1;
        }
    }
    all.extend(runs);
    (all, elsewhere)
}

/// What a cross stands for.
fn of_seeds(spread: &Spread) -> String {
    let [x, y] = spread.ends.map(|ends| ends.map(|end| numbers::significant(end, 2)).join(" to "));
    format!("mean over the seeds at the end of the run; 10 to 90 %: mode weights {x}, within modes {y}")
}

/// What the mark of exact draws stands for.
fn of_exact_draws(draws: u64, run: &str, floor: &[NoiseFloor; 2]) -> String {
    let [x, y] = floor.map(|floor| floor.band().map(|end| numbers::significant(end, 2)).join(" to "));
    let draws = numbers::count(draws);
    format!(
        "the average of sets of {draws} draws, as many as {run} has; nine sets of ten: mode weights {x}, within modes {y}"
    )
}

/// The remarks beside the names of the runs.
pub(super) fn notes(marks: &[Mark], elsewhere: usize, scale: Scale) -> Vec<String> {
    let mut parts = Vec::new();
    if marks.iter().any(|mark| matches!(mark.kind, Kind::Run { finished: false, .. })) {
        parts.push("hollow: in progress".to_owned());
    }
    if marks.iter().any(|mark| matches!(mark.kind, Kind::Seeds(_))) {
        parts.push("crosses: mean, 10 to 90 % of seeds".to_owned());
    }
    if let Some(edge) = scale.edge() {
        parts.push(edge);
    }
    match elsewhere {
        0 => {}
        1 => parts.push("1 pin of another target".to_owned()),
        several => parts.push(format!("{several} pins of other targets")),
    }
    parts
}

/// Labels a plot without runs with the reason.
fn nothing(ui: &Ui, input: &CoverageInput<'_>, theme: &Theme, rect: Rect) {
    let reason = input.runs.iter().filter_map(|&run| spot(&input.frame.runs.get(run)?.measures).err()).next();
    let text = match reason {
        Some("the target has one mode") => "The target has one mode: there is nothing to cover",
        Some("no draws yet") | None => "No draws yet",
        Some(other) => other,
    };
    let (font, colour, at) = (theme.body(), theme.soft, rect.center());
    OverlayLabel { text, font, colour, at, align: Align2::CENTER_CENTER }.paint(ui, theme, rect);
}

/// The tooltip of a mark.
fn explain(ui: &mut Ui, mark: &Mark, scale: Scale, theme: &Theme) {
    let kind = match mark.kind {
        Kind::Past => " · earlier run",
        Kind::Pin(_) => " · pinned, click for more",
        Kind::Run { finished: false, .. } => " · in progress",
        Kind::Exact | Kind::Seeds(_) | Kind::Run { .. } => "",
    };
    ui.label(egui::RichText::new(format!("{}{kind}", mark.name)).font(theme.strong()));
    let [x, y] = mark.at.map(|value| numbers::significant(value, 3));
    ui.label(format!("mode-weight KL {x} nats · KL within modes {y} nats"));
    if scale.at_edge(mark.at) {
        ui.label(egui::RichText::new("on the edge of the plot").font(theme.small()).color(theme.soft));
    }
    ui.label(egui::RichText::new(&mark.words).font(theme.small()).color(theme.soft));
}
