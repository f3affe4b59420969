//! Which panels a figure has, in rows, what they are called, and how they are arranged for another size.

use super::{Dimensions, cells};
use crate::views::{self, Tab};
use crate::words::markup;
use base::params::{Settings, Value};
use engine::scenario::figures::{Panel, Row, given, row_count, rows, text_of};
use engine::scenario::{Scenario, ViewSpec};

/// The tabs whose plots are among the panels of the figure of a view.
#[must_use]
pub fn panels_of(view: &ViewSpec, scenario: &Scenario, size: &Dimensions) -> Vec<Tab> {
    let rows = of_view(view, scenario, size);
    let panels = rows.into_iter().flat_map(|row| row.panels);
    panels.filter_map(|(panel, _)| if let Panel::Plot(kind) = panel { views::tab(kind.name) } else { None }).collect()
}

/// Whether canvases are among the panels of the figure of a view.
pub(super) fn has_canvas(view: &ViewSpec, scenario: &Scenario, size: &Dimensions) -> bool {
    let is = |panel: &Panel| matches!(panel, Panel::Canvas(_) | Panel::Overlay);
    of_view(view, scenario, size).iter().flat_map(|row| &row.panels).any(|(panel, _)| is(panel))
}

/// The rows of panels of the figure of a view. Where it does not say which, canvases are above the schedule, or on a wide page beside it.
#[must_use]
pub fn of_view(view: &ViewSpec, scenario: &Scenario, size: &Dimensions) -> Vec<Row> {
    let runs: Vec<&str> = scenario.runs.iter().map(|run| run.name.as_str()).collect();
    let text = view.figure.as_ref().and_then(|figure| given(figure, "panels"));
    // The part of the target's own view has about one side for the other.
    let aspect = view.area.map_or(1.0, |[x, y]| (x[1] - x[0]) / (y[1] - y[0]));
    let aspect = if aspect.is_finite() && aspect > 0.0 { aspect.clamp(0.05, 20.0) } else { 1.0 };
    text.and_then(|text| rows(text, &runs).ok()).unwrap_or_else(|| cells::usual(&runs, size, aspect))
}

/// Arranges the panels of a figure that nobody has placed, which are those that it has in the size `before`, for another size: on a slide they
/// stand beside each other. The size of a place follows its rows. Returns whether nobody has placed them.
pub fn rearrange(scenario: &Scenario, (before, after): (Dimensions, &mut Dimensions), figure: &mut Settings) -> bool {
    let usual = |size: &Dimensions| {
        let mut free = figure.clone();
        free.clear("panels");
        text_of(&of_view(&ViewSpec { figure: Some(free), ..scenario.view.clone() }, scenario, size))
    };
    let given = given(figure, "panels").map(str::to_owned);
    // Where nothing is said, the figure has as many rows as at first.
    let before = before.with_rows(row_count(Some(figure)), row_count(None));
    if given.is_some_and(|panels| panels != usual(&before)) {
        return false;
    }
    *after = after.with_rows(row_count(Some(figure)), row_count(None));
    let panels = usual(after);
    figure.set("panels", Value::Text(panels)).ok();
    *after = after.with_rows(row_count(None), row_count(Some(figure)));
    true
}

/// A panel in words.
pub(super) struct Shown {
    /// Its letter, if it has one.
    pub letter: Option<String>,
    /// What it is: `canvas of A`.
    pub name: String,
    /// Of a canvas, which runs it is of.
    pub canvas_of: Option<String>,
    /// Of a plot, its tab.
    pub tab: Option<Tab>,
}

/// The panels of the figure of a view in words, in their order.
pub(super) fn shown(view: &ViewSpec, scenario: &Scenario, size: &Dimensions) -> Vec<Shown> {
    let panels: Vec<Panel> =
        of_view(view, scenario, size).into_iter().flat_map(|row| row.panels).map(|(panel, _)| panel).collect();
    let style = view.figure.as_ref().map_or("(a)", |figure| figure.word("letters"));
    let several = panels.len() > 1;
    let one = |(number, panel): (usize, Panel)| Shown {
        letter: if several { letter(style, number) } else { None },
        name: name(&panel, view.figure.as_ref()),
        canvas_of: canvas_of(&panel, view.figure.as_ref()),
        tab: if let Panel::Plot(kind) = &panel { views::tab(kind.name) } else { None },
    };
    panels.into_iter().enumerate().map(one).collect()
}

/// The runs that a canvas is of, called what the figure calls them.
fn canvas_of(panel: &Panel, figure: Option<&Settings>) -> Option<String> {
    let called = |run: &str| {
        let look = figure.into_iter().flat_map(|figure| figure.list("run")).find(|look| look.word("name") == run);
        look.and_then(|look| given(look, "label")).map_or_else(|| run.to_owned(), markup::plain)
    };
    match panel {
        Panel::Canvas(run) => Some(called(run)),
        Panel::Overlay => Some("all runs".to_owned()),
        Panel::Readout | Panel::Plot(_) => None,
    }
}

/// A panel by its name.
pub(super) fn name(panel: &Panel, figure: Option<&Settings>) -> String {
    if let Some(runs) = canvas_of(panel, figure) {
        return format!("canvas of {runs}");
    }
    match panel {
        Panel::Canvas(_) | Panel::Overlay => "canvas".to_owned(),
        Panel::Readout => "table of measures".to_owned(),
        Panel::Plot(kind) => kind.label.to_owned(),
    }
}

/// The letter of a panel, by the style of letters and its number from 0.
pub(super) fn letter(style: &str, number: usize) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_styles() {
        let letters: Vec<Option<String>> =
            ["(a)", "a", "A", "(A)", "none"].iter().map(|style| letter(style, 2)).collect();
        assert_eq!(letters, [Some("(c)".into()), Some("c".into()), Some("C".into()), Some("(C)".into()), None]);
    }
}
