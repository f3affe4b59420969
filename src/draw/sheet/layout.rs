//! What stands where on paper.

use egui::{Label, Rect, RichText, Ui, UiBuilder, pos2, vec2};

use super::{ExportOptions, Extras, Picture, plots};
use crate::draw::arrangement::cells;
use crate::draw::plots::canvas::{self, CanvasCache, CanvasInput, Layers};
use crate::draw::plots::chain;
use crate::draw::plots::steps::{StepAxis, StepsInput, focus, whole};
use crate::draw::plots::{Computing, compare, elbo, noise, path, schedule, smoothing, trace, truth};
use crate::draw::readout;
use crate::draw::theme::Theme;
use crate::session::Frame;

/// Margin of the paper, and the gap between its parts, in units of the theme.
const MARGIN: f32 = 5.0;
pub(super) const GAP: f32 = 4.0;

/// Share of the sheet's height that the schedule and the readout take; more if the readout needs it.
const LOWER: f32 = 0.34;

/// Share of the sheet's height above which the readout is left out: the sheet is too small for it.
const TOO_LARGE: f32 = 0.66;

/// Share of the sheet's width that the schedule takes.
const SCHEDULE: f32 = 0.56;

/// Pictures that must be kept from one layout pass to the next.
#[derive(Debug, Default)]
pub struct Caches {
    canvases: CanvasCache,
    schedule: schedule::ScheduleCache,
    pub(super) trace: trace::TraceCache,
    pub(super) noise: [noise::NoiseCache; 2],
    pub(super) elbo: elbo::ElboCache,
    pub(super) smoothing: smoothing::SmoothingCache,
    pub(super) truth: truth::TruthCache,
    pub(super) compare: compare::CompareCache,
    pub(super) path: path::PathCache,
    pub(super) chain: chain::ChainCache,
}

/// Lays out a figure in all of the room there is.
pub fn draw(
    ui: &mut Ui,
    frame: &Frame,
    theme: &Theme,
    (options, extras): (&ExportOptions, &Extras),
    caches: &mut Caches,
) {
    let mut room = ui.max_rect().shrink(theme.space(MARGIN));
    if options.footer {
        room.max.y = footer(ui, frame, theme, room) - theme.space(GAP * 0.5);
    }
    match options.picture {
        Picture::Sheet => sheet(ui, frame, theme, (extras.layers, room), caches),
        Picture::Canvas(run) => {
            within(ui, "canvas", room, |ui| one_canvas(ui, frame, theme, (extras.layers, run), caches));
        }
        Picture::Plot(tab) => plots::draw(ui, frame, theme, (tab, extras), room, caches),
    }
}

pub(super) fn within(ui: &mut Ui, name: &str, room: Rect, contents: impl FnOnce(&mut Ui)) -> Rect {
    ui.scope_builder(UiBuilder::new().id_salt(name).max_rect(room), |ui| {
        contents(ui);
        ui.min_rect()
    })
    .inner
}

fn sheet(ui: &mut Ui, frame: &Frame, theme: &Theme, (layers, mut room): (Layers, Rect), caches: &mut Caches) {
    let head = within(ui, "head", room, |ui| {
        ui.label(RichText::new(&frame.scenario.title).font(theme.title()));
        if !frame.scenario.caption.is_empty() {
            ui.add(Label::new(RichText::new(&frame.scenario.caption).color(theme.soft)).wrap());
        }
    });
    room.min.y = head.max.y + theme.space(GAP);
    let table = readout::height(ui, theme, frame) / room.height();
    let (upper, lower) =
        room.split_top_bottom_at_fraction(1.0 - if table < TOO_LARGE { table.max(LOWER) } else { LOWER });
    let upper = Rect::from_min_max(upper.min, upper.max - vec2(0.0, theme.space(GAP)));
    for (run, cell) in cells(upper, frame.runs.len(), theme.space(GAP)).into_iter().enumerate() {
        within(ui, &format!("canvas {run}"), cell, |ui| one_canvas(ui, frame, theme, (layers, run), caches));
    }
    if table >= TOO_LARGE {
        within(ui, "schedule", lower, |ui| step_sizes(ui, frame, theme, caches));
        return;
    }
    let (left, right) = lower.split_left_right_at_fraction(SCHEDULE);
    let left = Rect::from_min_max(left.min, left.max - vec2(theme.space(2.0 * GAP), 0.0));
    if frame.runs.iter().all(|run| run.fits.is_some()) {
        // What tells most of the run of an approximation is its bound, not its step size.
        within(ui, "elbo", left, |ui| bounds(ui, frame, theme, caches));
    } else {
        within(ui, "schedule", left, |ui| step_sizes(ui, frame, theme, caches));
    }
    within(ui, "readout", right, |ui| {
        let columns = readout::Columns::fitting(ui.available_width(), theme, frame.runs.len());
        readout::headlines(ui, theme, frame, columns);
        ui.label(RichText::new(readout::NOTE).font(theme.small()).color(theme.faint));
    });
}

fn one_canvas(ui: &mut Ui, frame: &Frame, theme: &Theme, (layers, run): (Layers, usize), caches: &mut Caches) {
    let view = frame.target.info().view;
    let input = CanvasInput { id: run, frame, runs: &[run], view, layers, computing: Computing::Now };
    drop(canvas::show(ui, &input, theme, &mut caches.canvases));
}

/// The evidence lower bounds of all runs.
pub(super) fn bounds(ui: &mut Ui, frame: &Frame, theme: &Theme, caches: &mut Caches) {
    let runs: Vec<usize> = (0..frame.runs.len()).collect();
    let (focus, range) = (focus(frame, &runs), whole(frame));
    let input = StepsInput { frame, runs: &runs, focus, range, axis: StepAxis::Log };
    drop(elbo::show(ui, &input, theme, &mut caches.elbo));
}

pub(super) fn step_sizes(ui: &mut Ui, frame: &Frame, theme: &Theme, caches: &mut Caches) {
    let runs: Vec<usize> = (0..frame.runs.len()).collect();
    let input =
        StepsInput { frame, runs: &runs, focus: focus(frame, &runs), range: whole(frame), axis: StepAxis::Linear };
    drop(schedule::show(ui, &input, false, theme, &mut caches.schedule));
}

/// Writes the footer at the lower edge and returns where it begins.
fn footer(ui: &mut Ui, frame: &Frame, theme: &Theme, room: Rect) -> f32 {
    let text = super::footer::text(frame);
    let galley = ui.painter().layout(text, theme.small(), theme.faint, room.width());
    let top = room.max.y - galley.size().y;
    ui.painter().galley(pos2(room.min.x, top), galley, theme.faint);
    top
}
