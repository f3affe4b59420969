//! The panels of a figure that its scenario describes: rows of canvases, plots and readouts, each with its letter.

use egui::{Align2, Rect, Ui, pos2};

use super::Extras;
use super::layout::{one_canvas, plot, readout_of, within};
use crate::kit::{run_header, warnings};
use crate::theme::Theme;
use crate::views::{self, PlotsOf, Tab};
use engine::scenario::figure::{Panel, Row, given, rows};
use engine::scenario::{Scenario, ViewSpec};
use engine::session::Frame;

/// The gap between panels, in units of the theme.
const GAP: f32 = 4.0;

/// The tabs whose plots are among the panels of the figure of a view.
#[must_use]
pub fn panels_of(view: &ViewSpec, scenario: &Scenario) -> Vec<Tab> {
    let rows = of_view(view, scenario);
    let panels = rows.into_iter().flat_map(|row| row.panels);
    panels.filter_map(|(panel, _)| if let Panel::Plot(kind) = panel { views::tab(kind.name) } else { None }).collect()
}

/// The rows of panels of the figure of a view; all canvases above the schedule where it does not say which.
fn of_view(view: &ViewSpec, scenario: &Scenario) -> Vec<Row> {
    let runs: Vec<&str> = scenario.runs.iter().map(|run| run.name.as_str()).collect();
    let text = view.figure.as_ref().and_then(|figure| given(figure, "panels"));
    text.and_then(|text| rows(text, &runs).ok()).unwrap_or_else(|| {
        let canvases = runs.iter().take(4).map(|run| (Panel::Canvas((*run).to_owned()), 1.0));
        let schedule = (Panel::Plot(views::SCHEDULE.spec), 1.0);
        vec![Row { panels: canvases.collect(), height: 1.5 }, Row { panels: vec![schedule], height: 1.0 }]
    })
}

/// Draws the panels in an area.
pub(super) fn draw(ui: &mut Ui, frame: &Frame, theme: &Theme, (extras, area): (&Extras, Rect), plots: &mut PlotsOf) {
    let rows = of_view(&extras.view, &frame.scenario);
    let gap = theme.space(GAP);
    let count = rows.iter().map(|row| row.panels.len()).sum::<usize>();
    let style = extras.view.figure.as_ref().map_or("(a)", |figure| figure.word("letters"));
    let mut number = 0;
    for (row, top, bottom) in shares(rows.iter().map(|row| (row, row.height)), area.y_range(), gap) {
        for ((panel, _), left, right) in shares(row.panels.iter().map(|at| (at, at.1)), area.x_range(), gap) {
            let cell = Rect::from_min_max(pos2(left, top), pos2(right, bottom));
            let mut theme = theme.clone();
            theme.look.letter = if count > 1 { letter(style, number) } else { None };
            within(ui, &format!("panel {number}"), cell, |ui| one(ui, frame, &theme, (extras, panel), plots));
            number += 1;
        }
    }
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

fn one(ui: &mut Ui, frame: &Frame, theme: &Theme, (extras, panel): (&Extras, &Panel), plots: &mut PlotsOf) {
    let all = extras.runs(frame);
    let area = ui.max_rect();
    run_header::forget_letter(ui);
    match panel {
        Panel::Canvas(name) => {
            let run = frame.runs.iter().position(|run| run.plan.name == *name);
            let runs = [run.unwrap_or(0)];
            one_canvas(ui, frame, theme, (extras, warnings::any(frame, &runs), &runs), plots);
        }
        Panel::Overlay => one_canvas(ui, frame, theme, (extras, warnings::any(frame, &all), &all), plots),
        Panel::Readout => readout_of(ui, frame, theme, extras),
        Panel::Plot(kind) => match views::tab(kind.name) {
            Some(tab) => plot(ui, frame, theme, (tab, extras, &all), plots),
            None => drop(ui.label(kind.label)),
        },
    }
    if let Some(letter) = theme.look.letter.as_ref().filter(|_| !run_header::has_letter(ui)) {
        ui.painter().text(area.left_top(), Align2::LEFT_TOP, letter, theme.heading(), theme.ink);
    }
}
