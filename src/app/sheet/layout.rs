//! What stands where on paper.

use egui::{Label, Rect, RichText, Ui, UiBuilder, pos2, vec2};

use super::{ExportOptions, Picture, Tab};
use crate::app::panels::bottom::focus;
use crate::app::panels::canvases::cells;
use crate::app::panels::readout;
use crate::app::plots::canvas::{self, CanvasCache, CanvasInput, Layers};
use crate::app::plots::steps::{StepsInput, whole};
use crate::app::plots::{Computing, schedule, trace};
use crate::app::theme::Theme;
use crate::session::Frame;

/// Margin of the paper, and the gap between its parts, in units of the theme.
const MARGIN: f32 = 5.0;
const GAP: f32 = 4.0;

/// Share of the sheet's height that the schedule and the readout take; more if the readout needs it.
const LOWER: f32 = 0.34;

/// Share of the sheet's height above which the readout is left out: the sheet is too small for it.
const TOO_LARGE: f32 = 0.6;

/// Share of the sheet's width that the schedule takes.
const SCHEDULE: f32 = 0.56;

/// Pictures that must be kept from one layout pass to the next.
#[derive(Debug, Default)]
pub struct Caches {
    canvases: CanvasCache,
    schedule: schedule::ScheduleCache,
    trace: trace::TraceCache,
}

/// Lays out a figure in all of the room there is.
pub fn draw(ui: &mut Ui, frame: &Frame, theme: &Theme, options: &ExportOptions, caches: &mut Caches) {
    let mut room = ui.max_rect().shrink(theme.space(MARGIN));
    if options.footer {
        room.max.y = footer(ui, frame, theme, room) - theme.space(GAP * 0.5);
    }
    match options.picture {
        Picture::Sheet => sheet(ui, frame, theme, room, caches),
        Picture::Canvas(run) => {
            within(ui, "canvas", room, |ui| one_canvas(ui, frame, theme, run, caches));
        }
        Picture::Plot(tab) => plot(ui, frame, theme, tab, room, caches),
    }
}

fn plot(ui: &mut Ui, frame: &Frame, theme: &Theme, tab: Tab, room: Rect, caches: &mut Caches) {
    match tab {
        Tab::Schedule => {
            within(ui, "schedule", room, |ui| step_sizes(ui, frame, theme, caches));
        }
        Tab::Trace => traces(ui, frame, theme, room, caches),
        Tab::Truth | Tab::Chain | Tab::Path | Tab::Coverage => {}
    }
}

fn within(ui: &mut Ui, name: &str, room: Rect, contents: impl FnOnce(&mut Ui)) -> Rect {
    ui.scope_builder(UiBuilder::new().id_salt(name).max_rect(room), |ui| {
        contents(ui);
        ui.min_rect()
    })
    .inner
}

fn sheet(ui: &mut Ui, frame: &Frame, theme: &Theme, mut room: Rect, caches: &mut Caches) {
    let head = within(ui, "head", room, |ui| {
        ui.label(RichText::new(&frame.scenario.title).font(theme.title()));
        if !frame.scenario.caption.is_empty() {
            ui.add(Label::new(RichText::new(&frame.scenario.caption).color(theme.soft)).wrap());
        }
    });
    room.min.y = head.max.y + theme.space(GAP);
    let table = readout::height(ui, theme) / room.height();
    let (upper, lower) =
        room.split_top_bottom_at_fraction(1.0 - if table < TOO_LARGE { table.max(LOWER) } else { LOWER });
    let upper = Rect::from_min_max(upper.min, upper.max - vec2(0.0, theme.space(GAP)));
    for (run, cell) in cells(upper, frame.runs.len(), theme.space(GAP)).into_iter().enumerate() {
        within(ui, &format!("canvas {run}"), cell, |ui| one_canvas(ui, frame, theme, run, caches));
    }
    if table >= TOO_LARGE {
        within(ui, "schedule", lower, |ui| step_sizes(ui, frame, theme, caches));
        return;
    }
    let (left, right) = lower.split_left_right_at_fraction(SCHEDULE);
    let left = Rect::from_min_max(left.min, left.max - vec2(theme.space(2.0 * GAP), 0.0));
    within(ui, "schedule", left, |ui| step_sizes(ui, frame, theme, caches));
    within(ui, "readout", right, |ui| {
        let columns = readout::Columns::fitting(ui.available_width(), theme, frame.runs.len());
        readout::table(ui, theme, &frame.runs, columns);
        ui.label(RichText::new(readout::NOTE).font(theme.small()).color(theme.faint));
    });
}

fn one_canvas(ui: &mut Ui, frame: &Frame, theme: &Theme, run: usize, caches: &mut Caches) {
    let view = frame.target.facts().view;
    let layers = Layers { trail: false, ..Layers::default() };
    let input = CanvasInput { id: run, frame, runs: &[run], view, layers, computing: Computing::Now };
    drop(canvas::show(ui, &input, theme, &mut caches.canvases));
}

fn step_sizes(ui: &mut Ui, frame: &Frame, theme: &Theme, caches: &mut Caches) {
    let runs: Vec<usize> = (0..frame.runs.len()).collect();
    let input = StepsInput { frame, runs: &runs, focus: focus(frame, &runs), range: whole(frame) };
    drop(schedule::show(ui, &input, false, theme, &mut caches.schedule));
}

/// The traces of all coordinates, below each other.
#[expect(clippy::cast_precision_loss, reason = "one or two coordinates")]
fn traces(ui: &mut Ui, frame: &Frame, theme: &Theme, room: Rect, caches: &mut Caches) {
    let runs: Vec<usize> = (0..frame.runs.len()).collect();
    let input = StepsInput { frame, runs: &runs, focus: focus(frame, &runs), range: whole(frame) };
    let dimension = frame.target.facts().dimension;
    let height = (room.height() + theme.space(GAP)) / dimension as f32;
    for coordinate in 0..dimension {
        let corner = pos2(room.min.x, room.min.y + height * coordinate as f32);
        let cell = Rect::from_min_size(corner, vec2(room.width(), height - theme.space(GAP)));
        within(ui, &format!("trace {coordinate}"), cell, |ui| {
            drop(trace::show(ui, &input, (coordinate, Computing::Now), theme, &mut caches.trace));
        });
    }
}

/// Writes the footer at the lower edge and returns where it begins.
fn footer(ui: &mut Ui, frame: &Frame, theme: &Theme, room: Rect) -> f32 {
    let text = super::footer::text(frame);
    let galley = ui.painter().layout(text, theme.small(), theme.faint, room.width());
    let top = room.max.y - galley.size().y;
    ui.painter().galley(pos2(room.min.x, top), galley, theme.faint);
    top
}
