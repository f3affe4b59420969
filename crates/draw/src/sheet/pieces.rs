//! What sheets and panels are made of: canvases, plots and the readout, each in the space that there is.

use egui::{Id, Label, Rect, RichText, Ui, UiBuilder, pos2, vec2};

use super::{Extras, columns};
use crate::canvas::{self, CanvasInput};
use crate::kit::background::Computing;
use crate::kit::{own_axes, run_header, told};
use crate::readout;
use crate::theme::{Labels, Theme};
use crate::views::{self, PlotsOf, Tab};
use engine::session::Frame;
use figure::vector::Tag;

/// The gap between the parts of a figure, in units of the theme.
pub(super) const GAP: f32 = 4.0;

/// Height of a plot below which it shows nothing, in sizes of body text.
pub(super) const LEAST_PLOT: f32 = 10.0;

/// The table of measures in the available space.
pub(super) fn readout_of(ui: &mut Ui, frame: &Frame, theme: &Theme, extras: &Extras) {
    /// Height of the note below the measures at least, in sizes of text.
    const NOTE: f32 = 1.5;
    let area = ui.max_rect();
    let columns = paper_columns(area.width(), theme, frame);
    let mut table = shown_measures(frame, extras).called(theme);
    // The first measures lead: others are left out where there is no space.
    let note = |table: &readout::Table| readout::note(frame, table, columns, false);
    while readout::height(ui, &table, columns, &note(&table)) > area.height() && table.without_last_row() {}
    // Its note may be cut; without a row there is no table.
    if readout::height(ui, &table, columns, "") - NOTE * theme.text.body > area.height() {
        let of = own_axes::panel_of(theme).unwrap_or_else(|| "The figure".to_owned());
        told::warn(ui, format!("{of} has no space for the table of measures: choose a larger size or smaller text"));
    }
    Readout(table).draw(ui, frame, theme, columns);
}

/// Lays out a part of a figure in an area; returns what it takes.
pub(super) fn within(ui: &mut Ui, name: &str, area: Rect, contents: impl FnOnce(&mut Ui)) -> Rect {
    within_named(ui, (name, name), area, contents)
}

/// The same with a name for people, which formats with groups have.
pub(super) fn within_named(ui: &mut Ui, (id, name): (&str, &str), area: Rect, contents: impl FnOnce(&mut Ui)) -> Rect {
    ui.scope_builder(UiBuilder::new().id_salt(id).max_rect(area), |ui| {
        Tag::Panel(name.to_owned()).say(ui);
        contents(ui);
        Tag::PanelEnd.say(ui);
        ui.min_rect()
    })
    .inner
}

/// The same for a tab, by its label.
pub(super) fn within_tab(ui: &mut Ui, tab: Tab, area: Rect, contents: impl FnOnce(&mut Ui)) -> Rect {
    within_named(ui, (tab.spec.name, tab.spec.label), area, contents)
}

/// The measures of a sheet.
pub(super) struct Readout(pub(super) readout::Table);

impl Readout {
    /// Those that the view shows, if it shows the readout.
    pub(super) fn of(frame: &Frame, extras: &Extras, theme: &Theme) -> Option<Self> {
        let hidden = extras.view.hidden.iter().any(|panel| panel == "readout");
        (!hidden).then(|| Self(shown_measures(frame, extras).called(theme)))
    }

    pub(super) fn draw(&self, ui: &mut Ui, frame: &Frame, theme: &Theme, columns: readout::Columns) {
        readout::draw(ui, theme, &self.0, columns, None);
        let note = RichText::new(readout::note(frame, &self.0, columns, false)).font(theme.small()).color(theme.faint);
        ui.add(Label::new(note).wrap());
    }
}

/// The columns of the readout on paper.
pub(super) fn paper_columns(width: f32, theme: &Theme, frame: &Frame) -> readout::Columns {
    readout::Columns::fitting(width, theme, frame.runs.len(), readout::Medium::Paper)
}

/// The measures that the view names, without those against a truth that is hidden.
#[must_use]
pub fn shown_measures(frame: &Frame, extras: &Extras) -> readout::Table {
    let table = readout::Table::of(frame).among(&extras.runs(frame)).short(extras.view.measures.as_deref()).at_rest();
    let table = if extras.layers.truth { table } else { table.without_truth() };
    let floors = extras.view.figure.as_ref().is_none_or(|figure| figure.flag("floors"));
    if floors { table } else { table.without_floors() }
}

pub(super) fn one_canvas(
    ui: &mut Ui,
    frame: &Frame,
    theme: &Theme,
    (extras, strip, runs): (&Extras, bool, &[usize]),
    plots: &mut PlotsOf,
) {
    // A run may be on several panels, each with limits of its own.
    let panel = theme.look.panel.as_ref().map(|panel| panel.number);
    let (view, layers, id) = (extras.area(frame), extras.layers, panel.or(runs.first().copied()).unwrap_or_default());
    let input = CanvasInput { id, frame, runs, view, layers, strip, sketch: None, computing: Computing::Now };
    plots.canvases.follow_courses(&extras.courses);
    drop(canvas::show(ui, &input, theme, &mut plots.canvases));
}

/// Draws the plot of a tab with these runs; plots of single coordinates below each other, unless one is chosen.
pub(super) fn plot(
    ui: &mut Ui,
    frame: &Frame,
    theme: &Theme,
    (tab, extras, runs): (Tab, &Extras, &[usize]),
    plots: &mut PlotsOf,
) {
    if let Some(reason) = views::silent(tab, frame) {
        ui.label(reason);
        return;
    }
    let mut cx = extras.context(frame, runs);
    if !(tab.by_coordinate)(&extras.seen.options) || extras.seen.coordinate.is_some() {
        drop(plots.tab(tab).show(ui, &cx, theme));
        return;
    }
    let area = ui.max_rect();
    let dimension = frame.target.info().dimension;
    // The names of the runs are above the first plot alone, and remarks below the last.
    let memory = Id::unique("header above coordinates").with(tab.spec.name);
    let names = ui.data(|data| data.get_temp::<f32>(memory)).filter(|_| theme.labels.legends).unwrap_or_default();
    let gap = theme.space(GAP);
    // With shared axes the last plot alone has the horizontal one, as far as the panel below has not.
    let once = columns::is_asked_for(extras) && columns::is_over_the_run(ui, theme);
    let axis = if once && !own_axes::is_below(theme) { columns::axis_height(theme) } else { 0.0 };
    let height = (area.height() - names - axis + gap) / dimension as f32 - gap;
    let mut top = area.min.y;
    for coordinate in 0..dimension {
        let (first, last) = (coordinate == 0, coordinate + 1 == dimension);
        let more = if first { names } else { 0.0 } + if last { axis } else { 0.0 };
        let cell = Rect::from_min_size(pos2(area.min.x, top), vec2(area.width(), height + more));
        top = cell.max.y + gap;
        cx.coordinate = coordinate;
        let labels = Labels { legends: theme.labels.legends && first, remarks: last, ..theme.labels };
        let mut theme = theme.clone();
        theme.labels = labels;
        theme.look.panel.iter_mut().for_each(|panel| panel.below |= once && !last);
        within(ui, &format!("coordinate {coordinate}"), cell, |ui| drop(plots.tab(tab).show(ui, &cx, &theme)));
        if let Some(header) = run_header::height(ui).filter(|_| first) {
            ui.data_mut(|data| data.insert_temp(memory, header));
        }
    }
}
