//! The panels of a figure that its scenario describes: rows of canvases, plots and readouts, each with its letter.

use egui::{Id, Rect, Ui, UiBuilder, pos2};

use super::Extras;
use super::pieces::{GAP, LEAST_PLOT, one_canvas, plot, readout_of, within, within_named};
use crate::kit::axes::{self, AxisSpec, Ticks};
use crate::kit::{on_plots, own_axes, run_header, told, warnings, written};
use crate::theme::{LegendPlace, PanelLook, Theme};
use crate::views::{self, PlotsOf, Tab};
use crate::words::markup;
use base::params::Settings;
use engine::scenario::figures::{OwnAxis, Panel, Row, axes_of, given, notes_of, rows};
use engine::scenario::{Scenario, ViewSpec};
use engine::session::Frame;

/// The tabs whose plots are among the panels of the figure of a view.
#[must_use]
pub fn panels_of(view: &ViewSpec, scenario: &Scenario) -> Vec<Tab> {
    let rows = of_view(view, scenario);
    let panels = rows.into_iter().flat_map(|row| row.panels);
    panels.filter_map(|(panel, _)| if let Panel::Plot(kind) = panel { views::tab(kind.name) } else { None }).collect()
}

/// The rows of panels of the figure of a view; all canvases above the schedule where it does not say which.
#[must_use]
pub fn of_view(view: &ViewSpec, scenario: &Scenario) -> Vec<Row> {
    let runs: Vec<&str> = scenario.runs.iter().map(|run| run.name.as_str()).collect();
    let text = view.figure.as_ref().and_then(|figure| given(figure, "panels"));
    text.and_then(|text| rows(text, &runs).ok()).unwrap_or_else(|| {
        let canvases = runs.iter().take(4).map(|run| (Panel::Canvas((*run).to_owned()), 1.0));
        let schedule = (Panel::Plot(views::SCHEDULE.spec), 1.0);
        vec![Row { panels: canvases.collect(), height: 1.5 }, Row { panels: vec![schedule], height: 1.0 }]
    })
}

/// A panel in words.
pub(super) struct Shown {
    /// Its letter, if it has one.
    pub letter: Option<String>,
    /// What it is: `canvas of A`.
    pub name: String,
}

/// The panels of the figure of a view in words, in their order.
pub(super) fn shown(view: &ViewSpec, scenario: &Scenario) -> Vec<Shown> {
    let panels: Vec<Panel> =
        of_view(view, scenario).into_iter().flat_map(|row| row.panels).map(|(panel, _)| panel).collect();
    let style = view.figure.as_ref().map_or("(a)", |figure| figure.word("letters"));
    let several = panels.len() > 1;
    let one = |(number, panel): (usize, Panel)| Shown {
        letter: if several { letter(style, number) } else { None },
        name: name(&panel, view.figure.as_ref()),
    };
    panels.into_iter().enumerate().map(one).collect()
}

/// A panel by its name; runs are called what the figure calls them.
fn name(panel: &Panel, figure: Option<&Settings>) -> String {
    let called = |run: &str| {
        let look = figure.into_iter().flat_map(|figure| figure.list("run")).find(|look| look.word("name") == run);
        look.and_then(|look| given(look, "label")).map_or_else(|| run.to_owned(), markup::plain)
    };
    match panel {
        Panel::Canvas(run) => format!("canvas of {}", called(run)),
        Panel::Overlay => "canvas of all runs".to_owned(),
        Panel::Readout => "table of measures".to_owned(),
        Panel::Plot(kind) => format!("plot {}", kind.label),
    }
}

/// Draws the panels in an area.
pub(super) fn draw(ui: &mut Ui, frame: &Frame, theme: &Theme, (extras, area): (&Extras, Rect), plots: &mut PlotsOf) {
    let rows = of_view(&extras.view, &frame.scenario);
    let gap = theme.space(GAP);
    let count = rows.iter().map(|row| row.panels.len()).sum::<usize>();
    let figure = extras.view.figure.as_ref();
    let style = figure.map_or("(a)", |figure| figure.word("letters"));
    let share = figure.is_some_and(|figure| figure.flag("share"));
    let mut number = 0;
    for (row, top, bottom) in shares(rows.iter().map(|row| (row, row.height)), area.y_range(), gap) {
        let shared = if share { shared(row, frame) } else { vec![false; row.panels.len()] };
        let axis = axes::thickness(theme, [AxisSpec::wide("x", Ticks::Linear), AxisSpec::wide("y", Ticks::Linear)]).x;
        // Panels without their axis are narrower by it, so that what is inside of the axes is as wide.
        let saved = axis * shared.iter().filter(|shared| **shared).count() as f32;
        let range = egui::Rangef::new(area.x_range().min, area.x_range().max + saved);
        let mut moved = 0.0;
        for (at, ((panel, _), left, right)) in
            shares(row.panels.iter().map(|at| (at, at.1)), range, gap).into_iter().enumerate()
        {
            let from = left - moved;
            moved += if shared[at] { axis } else { 0.0 };
            let cell = Rect::from_min_max(pos2(from, top), pos2(right - moved, bottom));
            let mut theme = theme.clone();
            theme.look.letter = if count > 1 { letter(style, number) } else { None };
            let mut axes = figure.map(|figure| axes_of(figure, number)).unwrap_or_default();
            leave_out_long_names(ui, number, &mut axes);
            let notes = figure.map(|figure| notes_of(figure, number)).unwrap_or_default();
            theme.look.panel = Some(PanelLook { number, axes, notes, shares: shared[at] });
            let (id, name) = (format!("panel {number}"), name(panel, figure));
            let name = theme.look.letter.as_ref().map_or(name.clone(), |letter| format!("{letter} {name}"));
            within_named(ui, (&id, &name), cell, |ui| {
                // What finds no space ends with its panel, not in another one.
                ui.set_clip_rect(cell.expand(0.5 * gap).intersect(ui.clip_rect()));
                one(ui, frame, &theme, (extras, panel), plots);
            });
            note_long_names(ui, &theme);
            number += 1;
        }
    }
    for note in figure.into_iter().flat_map(|figure| figure.list("note")) {
        let panel = note.number("panel");
        if panel > f64::from(u32::try_from(number).unwrap_or(u32::MAX)) {
            told::warn(ui, format!("There is no panel {panel} for the note \"{}\"", note.word("text")));
        }
    }
}

/// Which panels of a row have the vertical axis of the panel at their left: canvases of a plane beside each other.
fn shared(row: &Row, frame: &Frame) -> Vec<bool> {
    let plane = frame.target.info().dimension > 1;
    let canvas = |at: usize| matches!(row.panels[at].0, Panel::Canvas(_) | Panel::Overlay);
    (0..row.panels.len()).map(|at| plane && at > 0 && canvas(at) && canvas(at - 1)).collect()
}

/// Parts of a range with a gap between them, in proportion to their shares.
fn shares<T>(parts: impl Iterator<Item = (T, f64)>, range: egui::Rangef, gap: f32) -> Vec<(T, f32, f32)> {
    let parts: Vec<(T, f64)> = parts.collect();
    let whole: f64 = parts.iter().map(|(_, share)| share).sum();
    let free = (range.span() - gap * parts.len().saturating_sub(1) as f32).max(0.0);
    let mut at = range.min;
    let place = |(part, share): (T, f64)| {
        let from = at;
        let to = from + free * (share / whole) as f32;
        at = to + gap;
        (part, from, to)
    };
    parts.into_iter().map(place).collect()
}

/// The letter of a panel, by the style of letters and its number from 0.
fn letter(style: &str, number: usize) -> Option<String> {
    let small = char::from(b'a' + u8::try_from(number % 26).unwrap_or_default());
    let capital = small.to_ascii_uppercase();
    match style {
        "(a)" => Some(format!("({small})")),
        "a" => Some(small.to_string()),
        "A" => Some(capital.to_string()),
        "(A)" => Some(format!("({capital})")),
        _ => None,
    }
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

/// Whether something is wrong with these runs, and the figure says so.
fn warns(frame: &Frame, extras: &Extras, runs: &[usize]) -> bool {
    extras.view.figure.as_ref().is_none_or(|figure| figure.flag("warnings")) && warnings::any(frame, runs)
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

/// The theme of a canvas, whose limits are those of its view.
fn of_canvas(theme: &Theme) -> Theme {
    let mut theme = theme.clone();
    theme.look.panel.iter_mut().flat_map(|panel| &mut panel.axes).for_each(|axis| axis.limits = None);
    theme
}

/// The name of whether a panel's own name of an axis is longer than that axis, among what egui keeps from frame to frame.
fn long_name(number: usize, axis: usize) -> Id {
    Id::unique(("name longer than its axis", number, axis))
}

/// Takes names of axes that were longer than their axes away, and tells it.
fn leave_out_long_names(ui: &Ui, number: usize, axes: &mut [OwnAxis; 2]) {
    for (axis, own) in axes.iter_mut().enumerate() {
        if ui.data(|data| data.get_temp(long_name(number, axis))).unwrap_or(false)
            && let Some(name) = own.name.take()
        {
            own_axes::tell_name(ui, number, axis, &name);
        }
    }
}

/// Notes which of the panel's own names of axes are longer than their axes.
fn note_long_names(ui: &Ui, theme: &Theme) {
    let Some(panel) = &theme.look.panel else { return };
    let spots = told::taken(ui.ctx()).spots;
    let Some(spot) = spots.iter().find(|spot| spot.panel == panel.number) else { return };
    for (axis, length) in [spot.area.width(), spot.area.height()].into_iter().enumerate() {
        let Some(name) = &panel.axes[axis].name else { continue };
        if written::galley(ui, name, &theme.body(), theme.soft).size().x > length {
            ui.data_mut(|data| data.insert_temp(long_name(panel.number, axis), true));
            ui.ctx().request_repaint();
        }
    }
}

fn one(ui: &mut Ui, frame: &Frame, theme: &Theme, (extras, panel): (&Extras, &Panel), plots: &mut PlotsOf) {
    let all = extras.runs(frame);
    let mut area = ui.max_rect();
    run_header::forget_letter(ui);
    on_plots::forget(ui);
    let several = matches!(panel, Panel::Overlay | Panel::Plot(_)) && all.len() > 1;
    if several && theme.labels.legends && matches!(theme.look.legend, LegendPlace::Right | LegendPlace::Ends) {
        let name = |run: &usize| written::name_of(theme, *run, &frame.runs[*run].plan.name);
        let names: Vec<String> = all.iter().map(name).collect();
        area.max.x -= on_plots::width_of_names(ui, theme, &names).min(0.5 * area.width());
    }
    // A panel without a header has its letter in a line above, which is known once it was drawn.
    let lacks_header = Id::unique(("panel without a header", theme.look.panel.as_ref().map(|panel| panel.number)));
    ui.scope_builder(UiBuilder::new().id_salt("inside").max_rect(area), |ui| {
        ui.shrink_clip_rect(ui.max_rect().with_max_x(f32::INFINITY).expand(theme.space(GAP)));
        if ui.data(|data| data.get_temp(lacks_header)).unwrap_or(false) {
            run_header::letter_alone(ui, theme);
        }
        contents(ui, frame, theme, (extras, panel, &all), plots);
    });
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
            one_canvas(ui, frame, &of_canvas(theme), (extras, warns(frame, extras, &runs), &runs), plots);
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
    use base::params::{Settings, Value};
    use engine::scenario::figures::{FIGURE, VENUES};

    #[test]
    fn shares_fill_a_range_and_letters_have_styles() {
        let parts = shares([('a', 1.0), ('b', 3.0)].into_iter(), egui::Rangef::new(10.0, 54.0), 4.0);
        assert_eq!(parts, [('a', 10.0, 20.0), ('b', 24.0, 54.0)]);
        let letters: Vec<Option<String>> =
            ["(a)", "a", "A", "(A)", "none"].iter().map(|style| letter(style, 2)).collect();
        assert_eq!(letters, [Some("(c)".into()), Some("c".into()), Some("C".into()), Some("(C)".into()), None]);
    }

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
            let size = Dimensions { dpi: 72.0, ..Dimensions::of_figure(&figure).unwrap() };
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
            ("line", Value::Number(3.0)),
        ] {
            assert!(drawn("icml", &[(key, value)]) != usual, "{key} changes nothing");
        }
    }
}
