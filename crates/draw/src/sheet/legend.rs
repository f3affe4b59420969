//! The names of all runs of a figure of panels in one place, above the panels.

use egui::{Rect, Ui, pos2};

use super::pieces::GAP;
use crate::kit::{on_plots, told};
use crate::theme::Theme;
use crate::words::markup;
use figure::vector::{LEGEND, Tag};

/// Height of a line, in sizes of small text.
const LINE: f32 = 1.4;

/// The gap between two names, in units of the theme.
const APART: f32 = 4.0;

/// Share of the height of a figure that the names take at most.
const MOST: f32 = 0.3;

/// Shows the names of runs, by their numbers, in the middle of the upper edge of an area, in as many lines as they need. Returns where the area
/// below begins.
pub(super) fn show(ui: &Ui, theme: &Theme, names: &[(usize, String)], area: Rect) -> f32 {
    let widths: Vec<f32> = names.iter().map(|(_, name)| on_plots::width_of_name(ui, theme, name)).collect();
    for ((_, name), _) in names.iter().zip(&widths).filter(|(_, width)| **width > area.width()) {
        told::warn(ui, format!("There is no space for \"{}\" in the legend", markup::plain(name)));
    }
    let lines = lines(&widths, theme.space(APART), area.width());
    let height = LINE * theme.text.small;
    let taken = height * lines.len() as f32;
    if taken > MOST * area.height() {
        told::warn(ui, "There is no space for the names of runs above the panels".to_owned());
        return area.top();
    }
    if lines.is_empty() {
        return area.top();
    }
    Tag::Series(LEGEND.to_owned()).say(ui);
    for (number, (line, width)) in lines.iter().enumerate() {
        let mut at = pos2(area.center().x - 0.5 * width, area.top() + (number as f32 + 0.5) * height);
        for name in line {
            on_plots::entry(ui, theme, at, (names[*name].0, &names[*name].1), true);
            at.x += widths[*name] + theme.space(APART);
        }
    }
    Tag::SeriesEnd.say(ui);
    area.top() + taken + theme.space(0.5 * GAP)
}

/// Names of these widths in lines, each with its width. Those wider than a line are in none.
fn lines(widths: &[f32], gap: f32, most: f32) -> Vec<(Vec<usize>, f32)> {
    let mut lines: Vec<(Vec<usize>, f32)> = Vec::new();
    for (number, width) in widths.iter().enumerate().filter(|(_, width)| **width <= most) {
        match lines.last_mut().filter(|(_, taken)| taken + gap + width <= most) {
            Some((line, taken)) => {
                line.push(number);
                *taken += gap + width;
            }
            None => lines.push((vec![number], *width)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_as_many_lines_as_they_need() {
        let found = lines(&[30.0, 30.0, 120.0, 60.0, 35.0], 5.0, 100.0);
        assert_eq!(found, [(vec![0, 1], 65.0), (vec![3, 4], 100.0)]);
        assert_eq!(lines(&[], 5.0, 100.0), []);
    }
}
