//! Plot of where in a cycle its mode is decided: the probability that a chain still changes its mode until the end of the cycle, by its position
//! in the cycle.

use egui::{Align2, Ui};
use egui_plot::VLine;

use super::geometry::{change_at, decision, digits};
use crate::kit::axes::{AxisSpec, Ticks, answers, before_last_tick, in_height, plot, show_part};
use crate::kit::cycles::Known;
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::run_line;
use crate::theme::Theme;
use crate::words::numbers;
use engine::session::Frame;

/// Opacity of the lines where the decision begins and ends.
const EDGES: f32 = 0.5;

/// Draws the curves of the runs that are known.
pub(super) fn show(ui: &mut Ui, frame: &Frame, known: &[Known<'_>], none: &str, theme: &Theme) {
    let (x, y) = (
        AxisSpec::wide("position in the cycle, steps", Ticks::Linear),
        AxisSpec { apart: 9.0, ..AxisSpec::upright("P(mode changes)", Ticks::Linear) },
    );
    let [x, y] = in_height(ui, ui.available_height(), theme, [x, y]);
    let width = before_last_tick(ui, theme);
    let drawn = plot("decided", theme, x, y).width(width).allow_drag(false).allow_zoom(false);
    let last =
        known.iter().filter_map(|known| known.of.changes.last()).map(|(step, _)| *step as f64).fold(1.0, f64::max);
    let shown = drawn.show(ui, |plot_ui| {
        for Known { run, of, opacity } in known {
            let colour = theme.run(*run).colour.gamma_multiply(*opacity);
            if let Some(decision) = decision(of) {
                for step in [decision.from, decision.to] {
                    let line = VLine::new("", step).color(colour.gamma_multiply(EDGES)).width(theme.thin());
                    plot_ui.vline(line.allow_hover(false));
                }
            }
            let line: Vec<[f64; 2]> = of.changes.iter().map(|(step, change)| [*step as f64, change.value]).collect();
            run_line::line(plot_ui, line, (colour, theme.line()), theme.run(*run));
        }
        show_part(plot_ui, [0.0, -0.02], [last, 1.02], theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
    let rect = shown.response.rect;
    let corner = |text: &str, colour| {
        let at = rect.shrink(theme.space(1.5)).left_bottom();
        OverlayLabel { text, font: theme.small(), colour, at, align: Align2::LEFT_BOTTOM }.paint(ui, theme, rect);
    };
    if known.is_empty() {
        corner(none, theme.soft);
    } else if let Some(pointer) = shown.response.hover_pos() {
        let step = shown.transform.value_from_position(pointer).x;
        let told = |Known { run, of, .. }: &Known<'_>| {
            let (at, change) = change_at(of, step)?;
            let name = &frame.runs.get(*run)?.plan.name;
            Some(format!("{name}, step {}: {}", numbers::count(at), digits(change, 4)))
        };
        corner(&known.iter().filter_map(told).collect::<Vec<_>>().join("   "), theme.ink);
    }
}
