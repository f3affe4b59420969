//! Layout of the figures: title, canvases, plots, readout and footer on one sheet.

use egui::{Label, Rect, RichText, Ui, UiBuilder, pos2, vec2};

use super::{ExportOptions, Extras, Picture};
use crate::draw::canvas_grid::cells;
use crate::draw::plots::canvas::{self, CanvasInput, Layers};
use crate::draw::plots::{Computing, warnings};
use crate::draw::readout;
use crate::draw::tabs::{self, Plots, Tab};
use crate::draw::theme::Theme;
use crate::session::Frame;

/// Margin of the paper, and the gap between its parts, in units of the theme.
const MARGIN: f32 = 5.0;
const GAP: f32 = 4.0;

/// Share of the sheet's height that the schedule and the readout take; more if the readout needs it.
const LOWER: f32 = 0.34;

/// Share of the sheet's height above which the readout is left out.
const TOO_LARGE: f32 = 0.66;

/// Share of the sheet's width that the schedule takes.
const SCHEDULE: f32 = 0.56;

/// Lays out a figure in the available space.
pub fn draw(
    ui: &mut Ui,
    frame: &Frame,
    theme: &Theme,
    (options, extras): (&ExportOptions, &Extras),
    plots: &mut Plots,
) {
    let mut room = ui.max_rect().shrink(theme.space(MARGIN));
    if options.footer {
        room.max.y = footer(ui, frame, theme, room) - theme.space(GAP * 0.5);
    }
    match options.picture {
        Picture::Sheet => sheet(ui, frame, theme, (extras, room), plots),
        Picture::Canvas(run) if tabs::shows_topics(frame) => {
            within(ui, "canvas", room, |ui| topics(ui, frame, theme, (extras, &[run]), plots));
        }
        Picture::Canvas(run) => {
            let strip = warnings::any(frame, &[run]);
            within(ui, "canvas", room, |ui| one_canvas(ui, frame, theme, (extras.layers.on(frame), strip, run), plots));
        }
        Picture::Plot(tab) => {
            within(ui, tab.key, room, |ui| plot(ui, frame, theme, (tab, extras), plots));
        }
    }
}

fn within(ui: &mut Ui, name: &str, room: Rect, contents: impl FnOnce(&mut Ui)) -> Rect {
    ui.scope_builder(UiBuilder::new().id_salt(name).max_rect(room), |ui| {
        contents(ui);
        ui.min_rect()
    })
    .inner
}

fn sheet(ui: &mut Ui, frame: &Frame, theme: &Theme, (extras, mut room): (&Extras, Rect), plots: &mut Plots) {
    let head = within(ui, "head", room, |ui| {
        ui.label(RichText::new(&frame.scenario.title).font(theme.title()));
        let watch = &frame.scenario.caption.watch;
        if !watch.is_empty() {
            ui.add(Label::new(RichText::new(watch).color(theme.soft)).wrap());
        }
    });
    room.min.y = head.max.y + theme.space(GAP);
    let mut measures = readout::Table::of(frame).short(extras.view.measures.as_deref());
    if !extras.layers.truth {
        measures = measures.without_truth();
    }
    let columns = readout::Columns::fitting((1.0 - SCHEDULE) * room.width(), theme, frame.runs.len());
    let table = readout::height(ui, &measures, columns) / room.height();
    let (upper, lower) =
        room.split_top_bottom_at_fraction(1.0 - if table < TOO_LARGE { table.max(LOWER) } else { LOWER });
    let upper = Rect::from_min_max(upper.min, upper.max - vec2(0.0, theme.space(GAP)));
    let runs: Vec<usize> = (0..frame.runs.len()).collect();
    if tabs::shows_topics(frame) {
        within(ui, "topics", upper, |ui| topics(ui, frame, theme, (extras, &runs), plots));
    } else {
        canvases(ui, frame, theme, (extras, upper), plots);
    }
    if table >= TOO_LARGE {
        within(ui, "schedule", lower, |ui| plot(ui, frame, theme, (tabs::SCHEDULE, extras), plots));
        return;
    }
    let (left, right) = lower.split_left_right_at_fraction(SCHEDULE);
    let left = Rect::from_min_max(left.min, left.max - vec2(theme.space(2.0 * GAP), 0.0));
    // For approximations the bound says more about the run than the step size, and for weights their functions do.
    let approximations = frame.runs.iter().all(|run| run.fits.is_some());
    let of_functions = tabs::OF_FUNCTIONS.into_iter().find(|tab| (tab.applies)(frame));
    let otherwise = match approximations {
        _ if tabs::shows_topics(frame) => tabs::HELD_OUT,
        true => tabs::ELBO,
        false => tabs::SCHEDULE,
    };
    let tab = of_functions.unwrap_or(otherwise);
    within(ui, tab.key, left, |ui| plot(ui, frame, theme, (tab, extras), plots));
    within(ui, "readout", right, |ui| {
        readout::draw(ui, theme, &measures, columns, None);
        ui.label(RichText::new(readout::note(frame, columns)).font(theme.small()).color(theme.faint));
    });
}

/// The canvases of all runs.
fn canvases(ui: &mut Ui, frame: &Frame, theme: &Theme, (extras, room): (&Extras, Rect), plots: &mut Plots) {
    let runs: Vec<usize> = (0..frame.runs.len()).collect();
    let (layers, strip) = (extras.layers.on(frame), warnings::any(frame, &runs));
    let shape = canvas::shape(frame, None, (layers, strip), theme);
    for (run, cell) in cells(room, frame.runs.len(), theme.space(GAP), shape).into_iter().enumerate() {
        within(ui, &format!("canvas {run}"), cell, |ui| one_canvas(ui, frame, theme, (layers, strip, run), plots));
    }
}

/// The pictures of the topics of some runs.
fn topics(ui: &mut Ui, frame: &Frame, theme: &Theme, (extras, runs): (&Extras, &[usize]), plots: &mut Plots) {
    drop(plots.tab(tabs::TOPICS).show(ui, &extras.context(frame, runs), theme));
}

fn one_canvas(
    ui: &mut Ui,
    frame: &Frame,
    theme: &Theme,
    (layers, strip, run): (Layers, bool, usize),
    plots: &mut Plots,
) {
    let view = frame.target.info().view;
    let input = CanvasInput { id: run, frame, runs: &[run], view, layers, strip, computing: Computing::Now };
    drop(canvas::show(ui, &input, theme, &mut plots.canvases));
}

/// Draws the plot of a tab with all runs; plots of single coordinates below each other.
#[expect(clippy::cast_precision_loss, reason = "one or two coordinates")]
fn plot(ui: &mut Ui, frame: &Frame, theme: &Theme, (tab, extras): (Tab, &Extras), plots: &mut Plots) {
    if let Some(reason) = tabs::missing_on_topics(tab, frame) {
        ui.label(reason);
        return;
    }
    let runs: Vec<usize> = (0..frame.runs.len()).collect();
    let mut cx = extras.context(frame, &runs);
    if !tab.by_coordinate {
        drop(plots.tab(tab).show(ui, &cx, theme));
        return;
    }
    let room = ui.max_rect();
    let dimension = frame.target.info().dimension;
    let height = (room.height() + theme.space(GAP)) / dimension as f32;
    for coordinate in 0..dimension {
        let corner = pos2(room.min.x, room.min.y + height * coordinate as f32);
        let cell = Rect::from_min_size(corner, vec2(room.width(), height - theme.space(GAP)));
        cx.coordinate = coordinate;
        within(ui, &format!("coordinate {coordinate}"), cell, |ui| drop(plots.tab(tab).show(ui, &cx, theme)));
    }
}

/// Paints the footer at the lower edge and returns its top.
fn footer(ui: &mut Ui, frame: &Frame, theme: &Theme, room: Rect) -> f32 {
    let text = super::footer::text(frame);
    let galley = ui.painter().layout(text, theme.small(), theme.faint, room.width());
    let top = room.max.y - galley.size().y;
    ui.painter().galley(pos2(room.min.x, top), galley, theme.faint);
    top
}
