//! The panels of a figure that its scenario describes: rows of canvases, plots and readouts, each with its letter.

use std::ops::Range;

use egui::{Id, Rect, Ui, UiBuilder};

use super::arrangement::{letter, name, of_view};
use super::cells::{self, MOST_CANVASES, warns};
use super::columns;
use super::legend;
use super::pieces::{GAP, LEAST_PLOT, one_canvas, plot, readout_of, within, within_named};
use super::shared;
use super::{Dimensions, Extras, space};
use crate::kit::{column, notes, on_plots, own_axes, run_header, told, written};
use crate::theme::{LegendPlace, PanelLook, Theme};
use crate::views::{self, PlotsOf, Tab};
use crate::words::markup;
use base::params::Settings;
use engine::scenario::figures::{OwnAxis, Panel, Row, axes_of, given, notes_of};
use engine::session::Frame;

/// Draws the panels in an area.
pub(super) fn draw(
    ui: &mut Ui,
    frame: &Frame,
    theme: &Theme,
    (extras, area, size): (&Extras, Rect, &Dimensions),
    plots: &mut PlotsOf,
) {
    let rows = of_view(&extras.view, &frame.scenario, size);
    let count = rows.iter().map(|row| row.panels.len()).sum::<usize>();
    let figure = extras.view.figure.as_ref();
    let share = cells::is_shared(extras);
    let area = area.with_min_y(legend_of_all(ui, frame, theme, (extras, &rows, area)));
    let axes_of = |panel: usize| figure.map(|figure| axes_of(figure, panel)).unwrap_or_default();
    let below = if columns::is_asked_for(extras) {
        columns::with_axis_below(&rows, |panel| column::known(ui, panel), axes_of)
    } else {
        vec![false; count]
    };
    let (mut looks, mut groups): (Vec<Vec<Theme>>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
    for row in &rows {
        let first = looks.iter().map(Vec::len).sum::<usize>();
        let in_row = shared::groups(row, frame, share);
        let without = |at: bool| share && at;
        let shares = shared::without_axis(row, &in_row, |at| axes_of(first + at)).into_iter().map(without);
        let look = |(at, shares)| look_of(ui, theme, (figure, first + at), count, [shares, below[first + at]]);
        looks.push(shares.enumerate().map(look).collect());
        groups.extend(in_row.into_iter().map(|group| first + group.start..first + group.end));
    }
    let cells = cells::of_rows(ui, frame, (extras, looks.as_slice()), &rows, area);
    let panels = rows.iter().flat_map(|row| &row.panels);
    for (number, ((panel, _), (theme, cell))) in
        panels.zip(looks.iter().flatten().zip(cells.iter().copied())).enumerate()
    {
        let (id, name) = (format!("panel {number}"), name(panel, figure));
        let name = theme.look.letter.as_ref().map_or(name.clone(), |letter| format!("{letter} {name}"));
        within_named(ui, (&id, &name), cell, |ui| {
            // What finds no space ends with its panel, not in another one.
            ui.set_clip_rect(cell.expand(0.5 * theme.space(GAP)).intersect(ui.clip_rect()));
            one(ui, frame, theme, (extras, panel), plots);
        });
        note_long_names(ui, theme);
    }
    let themes: Vec<&Theme> = looks.iter().flatten().collect();
    for group in groups {
        let limited = themes[group.clone()].iter().filter(|theme| has_limits(theme)).count();
        let size = extras.area(frame).size();
        let aspect = (0 < limited && limited < group.len() && !extras.layers.on(frame).free_scales)
            .then_some((size.x / size.y) as f32);
        shared::note(ui, group, &cells, aspect);
    }
    let columns = columns::of(&rows, &below);
    columns.iter().for_each(|column| columns::note(ui, column, &cells));
    if columns.is_empty() {
        columns::below_each_other(&cells).iter().for_each(|column| columns::note_left(ui, column, &cells));
    }
    if columns::is_asked_for(extras)
        && columns::with_axis_below(&rows, |panel| column::known(ui, panel), axes_of) != below
    {
        // What the plots have along their axes is known from now on.
        ui.ctx().request_repaint();
    }
    space::tell_panels(ui, theme, (&rows, &extras.chosen.unwrap_or(*size)));
    tell_left_out(ui, frame, figure);
    for note in figure.into_iter().flat_map(|figure| figure.list("note")) {
        let panel = note.number("panel");
        if panel > f64::from(u32::try_from(count).unwrap_or(u32::MAX)) {
            let text = markup::plain(note.word("text"));
            told::warn(ui, format!("There is no panel {panel} for the note \"{text}\""));
        }
    }
}

/// The names of all runs above the panels, where the figure has them once and panels of several runs. Returns where the panels begin.
fn legend_of_all(ui: &Ui, frame: &Frame, theme: &Theme, (extras, rows, area): (&Extras, &[Row], Rect)) -> f32 {
    let runs = extras.runs(frame);
    let of_several = |(panel, _): &(Panel, f64)| matches!(panel, Panel::Overlay | Panel::Plot(_));
    let needed = runs.len() > 1 && rows.iter().flat_map(|row| &row.panels).any(of_several);
    if !needed || theme.look.legend != LegendPlace::Once || !theme.labels.legends {
        return area.top();
    }
    let name = |run: usize| (run, written::name_of(theme, run, &frame.runs[run].plan.name));
    legend::show(ui, theme, &runs.into_iter().map(name).collect::<Vec<_>>(), area)
}

/// Whether a panel has limits of its own.
fn has_limits(theme: &Theme) -> bool {
    theme.look.panel.as_ref().is_some_and(|panel| panel.axes.iter().any(|axis| axis.limits.is_some()))
}

/// Tells which runs have no canvas in a figure that says no panels.
fn tell_left_out(ui: &Ui, frame: &Frame, figure: Option<&Settings>) {
    if figure.is_some_and(|figure| given(figure, "panels").is_some()) {
        return;
    }
    let names: Vec<&str> = frame.scenario.runs.iter().skip(MOST_CANVASES).map(|run| run.name.as_str()).collect();
    if !names.is_empty() {
        told::warn(ui, format!("There is no canvas of {}: say which panels the figure has", names.join(", ")));
    }
}

/// The theme of a panel: its letter, if it is one of several, its axes, of which other panels have those that it `shares` upright or from `below`,
/// and its notes.
fn look_of(
    ui: &Ui,
    theme: &Theme,
    (figure, number): (Option<&Settings>, usize),
    count: usize,
    [shares, below]: [bool; 2],
) -> Theme {
    let style = figure.map_or("(a)", |figure| figure.word("letters"));
    let mut theme = theme.clone();
    theme.look.letter = if count > 1 { letter(style, number) } else { None };
    let mut axes = figure.map(|figure| axes_of(figure, number)).unwrap_or_default();
    shorten_long_names(ui, &theme, number, &mut axes);
    let [left, narrower] = columns::left_and_narrower(ui, number).unwrap_or_default();
    theme.look.panel = Some(PanelLook {
        number,
        axes,
        notes: figure.map(|figure| notes_of(figure, number)).unwrap_or_default(),
        shares,
        below,
        aspect: None,
        narrower,
        inset: shared::inset(ui, number),
        beside: match shared::beside(ui, number) {
            Some([axis, right]) => Some([axis.max(left), right]),
            None => (left > 0.0).then_some([left, 0.0]),
        },
    });
    theme
}

/// What a plot of single coordinates shows in a panel that is too low for all of them: the first.
fn first_alone(tab: Tab, frame: &Frame, extras: &Extras, (height, theme): (f32, &Theme)) -> Option<Extras> {
    let all = (tab.by_coordinate)(&extras.seen.options) && extras.seen.coordinate.is_none();
    let needed = frame.target.info().dimension as f32 * LEAST_PLOT * theme.text.body;
    if !all || height >= needed {
        return None;
    }
    let mut first = extras.clone();
    first.seen.coordinate = Some(0);
    Some(first)
}

/// What a canvas shows: the limits of the figure in the place of the view's.
fn with_limits(extras: &Extras, frame: &Frame, theme: &Theme) -> Option<Extras> {
    let axes = &theme.look.panel.as_ref()?.axes;
    axes.iter().find(|axis| axis.limits.is_some())?;
    let area = extras.area(frame);
    let [x, y] = [(area.min.x, area.max.x), (area.min.y, area.max.y)];
    let mut extras = extras.clone();
    let side = |axis: usize, (low, high): (f64, f64)| axes[axis].limits.unwrap_or([low, high]);
    extras.view.area = Some([side(0, x), side(1, y)]);
    // Both ends hold: the scales of the axes may differ then.
    extras.layers.free_scales = true;
    Some(extras)
}

/// The theme of a canvas, whose limits are those of its view; one unit is equally long on both axes.
fn of_canvas(theme: &Theme, extras: &Extras, frame: &Frame) -> Theme {
    let aspect = cells::aspect_of_limits(theme, extras, frame);
    let mut theme = theme.clone();
    if let Some(panel) = &mut theme.look.panel {
        panel.aspect = aspect;
        panel.axes.iter_mut().for_each(|axis| axis.limits = None);
    }
    theme
}

/// Shortens names of axes that were longer than their axes, and tells it; where not even a beginning has space, the axis has none.
fn shorten_long_names(ui: &Ui, theme: &Theme, number: usize, axes: &mut [OwnAxis; 2]) {
    for (axis, own) in axes.iter_mut().enumerate() {
        let name = own.name.as_ref().or(theme.look.axes[axis].as_ref()).filter(|name| !name.is_empty()).cloned();
        let (Some(length), Some(name)) = (own_axes::known_length(ui, number, axis), name) else { continue };
        let short = own_axes::short_name(ui, theme, (&name, own.unit.as_deref()), length);
        if short.is_empty() {
            // Nor has the axis the name of the plot, which says something else.
            own.unit = None;
            own_axes::tell_name(ui, number, axis, &name);
        } else {
            own_axes::tell_short_name(ui, number, axis, &name);
        }
        own.name = Some(short);
    }
}

/// Notes which of the panel's own names of axes are longer than their axes.
fn note_long_names(ui: &Ui, theme: &Theme) {
    let Some(panel) = &theme.look.panel else { return };
    let spots = told::taken(ui.ctx()).spots;
    let Some(spot) = spots.iter().find(|spot| spot.panel == panel.number) else { return };
    for (axis, length) in [spot.area.width(), spot.area.height()].into_iter().enumerate() {
        let is_there = |name: &&String| !name.is_empty() && spot.labelled[axis];
        let Some(name) = panel.axes[axis].name.as_ref().filter(is_there) else { continue };
        let whole = own_axes::with_unit(name, panel.axes[axis].unit.as_deref());
        if written::galley(ui, &whole, &theme.body(), theme.soft).size().x > length {
            own_axes::shorten(ui, theme, (axis, ""), length);
        }
    }
}

/// Width that names at the right leave to a plot with its axis at least, in sizes of text.
const BESIDE_NAMES: f32 = 12.0;

/// The theme of a panel without space for names at its right.
fn with_names_above(theme: &Theme) -> Theme {
    let mut theme = theme.clone();
    theme.look.legend = LegendPlace::Above;
    theme
}

fn one(ui: &mut Ui, frame: &Frame, theme: &Theme, (extras, panel): (&Extras, &Panel), plots: &mut PlotsOf) {
    let all = extras.runs(frame);
    let mut area = ui.max_rect();
    run_header::forget_letter(ui);
    on_plots::forget(ui);
    notes::begin(ui, theme);
    let several = matches!(panel, Panel::Overlay | Panel::Plot(_)) && all.len() > 1;
    let mut above = None;
    if several && theme.labels.legends && matches!(theme.look.legend, LegendPlace::Right | LegendPlace::Ends) {
        let name = |run: &usize| written::name_of(theme, *run, &frame.runs[*run].plan.name);
        let names: Vec<String> = all.iter().map(name).collect();
        let taken = on_plots::width_of_names(ui, theme, &names, area.width());
        if area.width() - taken < BESIDE_NAMES * theme.text.body {
            let panel = own_axes::panel_of(theme).unwrap_or_else(|| "The figure".to_owned());
            told::warn(ui, format!("{panel} is too narrow for the names of runs at its right: they are above"));
            above = Some(with_names_above(theme));
        } else {
            area.max.x -= taken;
        }
    }
    let theme = above.as_ref().unwrap_or(theme);
    area.max.x -= theme.look.panel.as_ref().map_or(0.0, |panel| panel.narrower).min(0.5 * area.width());
    // A panel without a header has its letter in a line above, which is known once it was drawn.
    let lacks_header = Id::unique(("panel without a header", theme.look.panel.as_ref().map(|panel| panel.number)));
    ui.scope_builder(UiBuilder::new().id_salt("inside").max_rect(area), |ui| {
        ui.shrink_clip_rect(ui.max_rect().with_max_x(f32::INFINITY).expand(theme.space(GAP)));
        if ui.data(|data| data.get_temp(lacks_header)).unwrap_or(false) {
            run_header::letter_alone(ui, theme);
        }
        contents(ui, frame, theme, (extras, panel, &all), plots);
    });
    if let Some((spot, crowd)) = notes::automatic(ui, theme) {
        on_plots::tell_covered(ui, theme, &spot, &crowd);
    }
    on_plots::tell_waiting(ui, theme);
    if theme.look.letter.is_some() && !run_header::has_letter(ui) {
        ui.data_mut(|data| data.insert_temp(lacks_header, true));
        ui.ctx().request_repaint();
    }
}

fn contents(
    ui: &mut Ui,
    frame: &Frame,
    theme: &Theme,
    (extras, panel, all): (&Extras, &Panel, &[usize]),
    plots: &mut PlotsOf,
) {
    let height = ui.max_rect().height();
    let runs = match panel {
        Panel::Canvas(name) => vec![frame.runs.iter().position(|run| run.plan.name == *name).unwrap_or(0)],
        _ => all.to_vec(),
    };
    match panel {
        Panel::Canvas(_) | Panel::Overlay => {
            let limited = with_limits(extras, frame, theme);
            let extras = limited.as_ref().unwrap_or(extras);
            let look = of_canvas(theme, extras, frame);
            one_canvas(ui, frame, &look, (extras, warns(frame, extras, &runs), &runs), plots);
        }
        Panel::Readout => {
            run_header::letter_alone(ui, theme);
            let left = ui.available_rect_before_wrap();
            within(ui, "table", left, |ui| readout_of(ui, frame, theme, extras));
        }
        Panel::Plot(kind) => match views::tab(kind.name) {
            Some(tab) => match first_alone(tab, frame, extras, (height, theme)) {
                Some(first) => plot(ui, frame, theme, (tab, &first, all), plots),
                None => plot(ui, frame, theme, (tab, extras, all), plots),
            },
            None => drop(ui.label(kind.label)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::{Dimensions, ExportOptions, Picture, render};
    use crate::testing::{Fake, Recipe, frame};
    use base::params::Value;
    use engine::scenario::ViewSpec;
    use engine::scenario::figures::{FIGURE, VENUES};

    /// Figures of all venues are drawn, with what a file gives them: whatever it changes, the picture is another one.
    #[test]
    fn figures_have_the_look_of_their_file_in_every_size() {
        let recipe = Recipe { name: "SGLD", chains: 1, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let frame = frame(Fake::grid(), &[recipe, Recipe { name: "cSGLD", ..recipe }]);
        let drawn = |venue: &'static str, changes: &[(&str, Value)]| {
            let mut figure = Settings::defaults(&FIGURE);
            figure.set("panels", Value::Text("2* overlay | readout ; schedule".to_owned())).unwrap();
            figure.set("size", Value::Choice(venue)).unwrap();
            changes.iter().for_each(|(key, value)| figure.set(key, value.clone()).unwrap());
            let size = Dimensions { dpi: 72.0, ..Dimensions::of_figure(&figure, 2).unwrap() };
            let options = ExportOptions { picture: Picture::Panels, size, ..ExportOptions::default() };
            let view = ViewSpec { figure: Some(figure), ..ViewSpec::default() };
            render(&frame, &options, &Extras::of(view)).unwrap().pixels().to_vec()
        };
        for venue in VENUES {
            let pixels = drawn(venue.choice.name, &[]);
            let dark = pixels.iter().filter(|pixel| pixel[0] < 120).count() as f64 / pixels.len() as f64;
            assert!((0.003..0.5).contains(&dark), "{}: {dark}", venue.choice.name);
        }
        let usual = drawn("icml", &[]);
        for (key, value) in [
            ("palette", Value::Choice("greys")),
            ("letters", Value::Choice("A")),
            ("typeface", Value::Choice("sans")),
            ("grid", Value::Flag(false)),
            ("cursor", Value::Flag(false)),
            ("legend", Value::Choice("once")),
            ("line", Value::Number(3.0)),
        ] {
            assert!(drawn("icml", &[(key, value)]) != usual, "{key} changes nothing");
        }
    }
}
