//! Plots over the run below each other with one horizontal axis: which they are, and one left and one right end for all of a column, so that a step
//! is at one place in all of them.
//!
//! How far a plot is from the edges of its panel is known once it was drawn; the next frame moves it to the others.

use egui::{Id, Rect, Ui};

use super::Extras;
use crate::kit::axes::{self, AxisSpec, Ticks};
use crate::kit::column::{self, Along};
use crate::kit::told;
use crate::theme::Theme;
use engine::scenario::figures::{OwnAxis, Panel, Row};

/// Whether a figure has horizontal axes once.
pub(super) fn is_asked_for(extras: &Extras) -> bool {
    extras.view.figure.as_ref().is_some_and(|figure| figure.flag("share_x"))
}

/// Whether the plot of the panel that is drawn was one over the run when it was drawn before.
pub(super) fn is_over_the_run(ui: &Ui, theme: &Theme) -> bool {
    theme.look.panel.as_ref().is_some_and(|panel| column::known(ui, panel.number).is_some())
}

/// The height of the horizontal axis of a plot over the run.
pub(super) fn axis_height(theme: &Theme) -> f32 {
    axes::thickness(theme, [AxisSpec::wide("step", Ticks::Whole), AxisSpec::upright("", Ticks::Linear)]).y
}

/// Which panels have the horizontal axis of the panel below: plots of the same steps, in rows of as many panels of the same widths without
/// canvases, which are as wide as what they show.
pub(super) fn with_axis_below(
    rows: &[Row],
    along: impl Fn(usize) -> Option<Along>,
    axes: impl Fn(usize) -> [OwnAxis; 2],
) -> Vec<bool> {
    let mut below = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let first = below.len();
        let next = rows.get(number + 1).filter(|next| in_line(row, next));
        let shares = |at: usize| {
            let (this, other) = (first + at, first + row.panels.len() + at);
            next.is_some()
                && along(this).is_some_and(|this| along(other) == Some(this))
                && agree(&axes(this)[0], &axes(other)[0])
        };
        below.extend((0..row.panels.len()).map(shares).collect::<Vec<_>>());
    }
    below
}

/// Whether the panels of two rows are exactly below each other.
fn in_line(one: &Row, other: &Row) -> bool {
    let canvas = |(panel, _): &(Panel, f64)| matches!(panel, Panel::Canvas(_) | Panel::Overlay);
    let same = |(one, other): (&(Panel, f64), &(Panel, f64))| (one.1 - other.1).abs() < 1e-9;
    one.panels.len() == other.panels.len()
        && one.panels.iter().zip(&other.panels).all(same)
        && !one.panels.iter().chain(&other.panels).any(canvas)
}

/// Whether what the lower of two panels says of its axis holds for the upper one.
fn agree(upper: &OwnAxis, lower: &OwnAxis) -> bool {
    let words = |upper: &Option<String>, lower: &Option<String>| upper.is_none() || upper == lower;
    words(&upper.name, &lower.name)
        && words(&upper.unit, &lower.unit)
        && (upper.limits, &upper.ticks, upper.count) == (lower.limits, &lower.ticks, lower.count)
}

/// The columns of panels with one axis, by their numbers, each from the highest to the one with the axis.
pub(super) fn of(rows: &[Row], below: &[bool]) -> Vec<Vec<usize>> {
    let mut columns: Vec<Vec<usize>> = Vec::new();
    let mut first = 0;
    for row in rows {
        let count = row.panels.len();
        for panel in (first..first + count).filter(|panel| below[*panel]) {
            match columns.iter_mut().find(|column| column.last() == Some(&panel)) {
                Some(column) => column.push(panel + count),
                None => columns.push(vec![panel, panel + count]),
            }
        }
        first += count;
    }
    columns
}

/// What a plot in a column has at its sides: the least width of its vertical axis, and how much narrower it is at the right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sides {
    left: f32,
    narrower: f32,
}

fn sides(panel: usize) -> Id {
    Id::unique(("sides of a plot in a column", panel))
}

fn known(ui: &Ui, panel: usize) -> Option<Sides> {
    ui.data(|data| data.get_temp(sides(panel)))
}

/// The least width of the vertical axis of a panel in a column, and how much narrower its plot is at the right.
pub(super) fn left_and_narrower(ui: &Ui, panel: usize) -> Option<[f32; 2]> {
    known(ui, panel).map(|Sides { left, narrower }| [left, narrower])
}

/// Panels below each other without a common axis, by their numbers: those whose `cells` begin at one place.
pub(super) fn below_each_other(cells: &[Rect]) -> Vec<Vec<usize>> {
    /// Spaces are laid out at whole points.
    const SAME: f32 = 2.0;
    let mut columns: Vec<Vec<usize>> = Vec::new();
    for (panel, cell) in cells.iter().enumerate() {
        let is_above =
            |other: &usize| (cells[*other].left() - cell.left()).abs() < SAME && cells[*other].bottom() <= cell.top();
        match columns.iter_mut().find(|column| column.last().is_some_and(is_above)) {
            Some(column) => column.push(panel),
            None => columns.push(vec![panel]),
        }
    }
    columns.retain(|column| column.len() > 1);
    columns
}

/// Notes where the plots of panels below each other are in their `cells`, and moves their left ends to one place.
pub(super) fn note_left(ui: &Ui, column: &[usize], cells: &[Rect]) {
    /// Layouts that differ by less are the same.
    const SAME: f32 = 0.1;
    let spots = told::taken(ui.ctx()).spots;
    let left = |panel: &usize| spots.iter().find(|spot| spot.panel == *panel).map(|spot| spot.area.left());
    let Some(found) = column.iter().map(left).collect::<Option<Vec<f32>>>() else { return };
    let most = found.into_iter().fold(f32::NEG_INFINITY, f32::max);
    for panel in column {
        let before = known(ui, *panel).unwrap_or_default();
        let left = (most - cells[*panel].left()).max(before.left);
        if (left - before.left).abs() > SAME {
            ui.data_mut(|data| data.insert_temp(sides(*panel), Sides { left, ..before }));
            ui.ctx().request_repaint();
        }
    }
}

/// Notes where the plots of a column are in their `cells`, and moves their ends to one place. An axis keeps the largest width it had, so that this
/// comes to an end.
pub(super) fn note(ui: &Ui, column: &[usize], cells: &[Rect]) {
    /// Layouts that differ by less are the same.
    const SAME: f32 = 0.1;
    let spots = told::taken(ui.ctx()).spots;
    let found = column.iter().map(|panel| {
        let area = spots.iter().find(|spot| spot.panel == *panel)?.area;
        let (cell, before) = (cells.get(*panel)?, known(ui, *panel).unwrap_or_default());
        let left = (area.left() - cell.left()).max(before.left);
        Some((*panel, before, left, cell.right() - area.right() - before.narrower))
    });
    let Some(found) = found.collect::<Option<Vec<_>>>() else { return };
    let left = found.iter().map(|(_, _, left, _)| *left).fold(0.0, f32::max);
    let right = found.iter().map(|(.., right)| *right).fold(0.0, f32::max);
    for (panel, before, _, own) in found {
        let now = Sides { left, narrower: right - own };
        if (now.left - before.left).abs() > SAME || (now.narrower - before.narrower).abs() > SAME {
            ui.data_mut(|data| data.insert_temp(sides(panel), now));
            ui.ctx().request_repaint();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::time_axis::TimeAxis;
    use crate::testing::{Fake, Recipe, frame};
    use engine::scenario::figures::rows;
    use engine::scenario::view::Axis;

    /// Plots of the same steps share their axis where they are exactly below each other, unless the lower one says something else of it.
    #[test]
    fn plots_of_the_same_steps_below_each_other_share_their_axis() {
        let recipe = Recipe { name: "A", chains: 1, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let frame = frame(Fake::grid(), &[recipe]);
        let along = |counts: Axis, end: f64| Some(Along::of(TimeAxis::of(&frame, counts, false), &(0.0..end)));
        let steps = along(Axis::Steps, 100.0);
        let shared = |panels: &str, all: &[Option<Along>], limits: Option<usize>| {
            let rows = rows(panels, &["A"]).unwrap();
            let axes = |panel: usize| {
                let own = OwnAxis { limits: (limits == Some(panel)).then_some([0.0, 9.0]), ..OwnAxis::default() };
                [own, OwnAxis::default()]
            };
            let below = with_axis_below(&rows, |panel| all[panel], axes);
            of(&rows, &below)
        };
        let three = "schedule ; trace ; noise";
        assert_eq!(shared(three, &[steps; 3], None), [[0, 1, 2]]);
        assert_eq!(shared(three, &[steps, None, steps], None), Vec::<Vec<usize>>::new());
        assert_eq!(shared(three, &[steps, steps, along(Axis::Steps, 50.0)], None), [[0, 1]]);
        assert_eq!(shared(three, &[steps; 3], Some(0)), [[1, 2]]);
        assert_eq!(shared("schedule | trace ; trace | noise", &[steps; 4], None), [[0, 2], [1, 3]]);
        assert_eq!(shared("schedule | 2: trace ; trace | noise", &[steps; 4], None), Vec::<Vec<usize>>::new());
        // A canvas leaves the plot beside it another width.
        assert_eq!(
            shared("canvas A | trace ; noise | trace", &[None, steps, steps, steps], None),
            Vec::<Vec<usize>>::new()
        );
    }

    #[test]
    fn panels_that_begin_at_one_place_are_below_each_other() {
        let cell = |left: f32, top: f32| Rect::from_min_size(egui::pos2(left, top), egui::vec2(40.0, 30.0));
        let cells = [cell(5.0, 0.0), cell(60.0, 0.0), cell(6.0, 40.0), cell(80.0, 40.0), cell(5.0, 80.0)];
        assert_eq!(below_each_other(&cells), [[0, 2, 4]]);
    }

    /// The name and the unit that only the lowest has are those of all.
    #[test]
    fn the_lowest_panel_says_the_name() {
        let named = |name: &str| OwnAxis { name: Some(name.to_owned()), ..OwnAxis::default() };
        assert!(agree(&OwnAxis::default(), &named("k")) && agree(&named("k"), &named("k")));
        assert!(!agree(&named("k"), &OwnAxis::default()) && !agree(&named("k"), &named("t")));
        let counted = OwnAxis { count: Some(3), ..OwnAxis::default() };
        assert!(!agree(&OwnAxis::default(), &counted));
    }
}
