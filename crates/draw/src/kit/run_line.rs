//! Lines of runs, which a figure may have dashed, dotted or both.

use egui::{Color32, Shape, Stroke, Ui};
use egui_plot::{PlotBounds, PlotPoint, PlotTransform, PlotUi};

use super::axes::curve;
use super::dashes;
use super::marks::Mark;
use super::passive_items::PassiveItem;
use crate::theme::RunStyle;

/// The line of a run through points whose first coordinates never decrease, as a mark.
pub fn mark(points: Vec<[f64; 2]>, colour: Color32, width: f32, style: RunStyle) -> Mark {
    match style.dash.lengths(width) {
        None => Mark::Line { points, colour, width, graph: true },
        Some(lengths) => Mark::Broken { points, colour, width, lengths },
    }
}

/// Adds the line of a run to a plot.
pub fn line(plot_ui: &mut PlotUi<'_>, points: Vec<[f64; 2]>, (colour, width): (Color32, f32), style: RunStyle) {
    let Some(lengths) = style.dash.lengths(width) else { return plot_ui.line(curve(points, colour, width)) };
    let draw = move |ui: &Ui, transform: &PlotTransform, found: &mut Vec<Shape>| {
        let screen = |&[x, y]: &[f64; 2]| transform.position_from_point(&PlotPoint::new(x, y));
        found.extend(dashes::shapes(ui, points.iter().map(screen), Stroke::new(width, colour), lengths));
    };
    plot_ui.add(PassiveItem::new(PlotBounds::NOTHING, draw));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{Dash, Theme};

    #[test]
    fn a_full_line_is_as_any_other() {
        let style = Theme::default().run(0);
        assert!(matches!(mark(Vec::new(), style.colour, 1.0, style), Mark::Line { graph: true, .. }));
        let broken = RunStyle { dash: Dash::Dotted, ..style };
        assert!(matches!(mark(Vec::new(), style.colour, 1.0, broken), Mark::Broken { .. }));
    }
}
