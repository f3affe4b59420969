//! Scale of the variance at the right edge: how much a step size inflates the stationary variance of Langevin steps.
//!
//! In a mode of curvature λ the variance of unadjusted Langevin steps is 1/(1 − αλ/2) times too large
//! (`diagnostics/dynamics/stability.rs`). λ is the largest curvature: the figure is for the worst direction.

use egui::{Align2, Pos2, Rect, Stroke, Ui, pos2, vec2};
use egui_plot::PlotTransform;

use super::scale::Scale;
use crate::kit::for_others;
use crate::theme::Theme;
use crate::words::numbers;
use engine::session::{Frame, RunFrame};

/// What the scale is called.
const NAME: &str = "variance ×";

/// Space for the scale, in units of the theme.
pub(super) const WIDTH: f32 = 16.0;

/// Inflations with a tick, the ones that matter most first. Those without space are left out.
const TICKS: [f64; 11] = [2.0, 1.1, 1.5, 1.2, 1.05, 5.0, 1.02, 1.01, 10.0, 3.0, 1.001];

/// The factor by which steps of size α inflate the variance, where they are stable below `stable`; `None` from there on.
pub(super) fn inflation(alpha: f64, stable: f64) -> Option<f64> {
    (alpha >= 0.0 && alpha < stable).then(|| 1.0 / (1.0 - alpha / stable))
}

/// The step size with this inflation.
fn step_size(inflation: f64, stable: f64) -> f64 {
    stable * (1.0 - 1.0 / inflation)
}

/// The limit of stability 2/λ of a run whose steps are those of unadjusted Langevin dynamics.
pub(super) fn limit(frame: &Frame, run: &RunFrame) -> Option<f64> {
    let method = &run.plan.segment_of(run.step).method;
    let stable = run.stable_below(&frame.truth)?;
    let plain = 2.0 / frame.truth.curvature()?;
    // The Metropolis rule removes the inflation.
    let adjusted = run.acceptance.rate().is_some();
    (method.langevin() && !adjusted && (stable - plain).abs() <= 1e-9 * plain).then_some(stable)
}

/// The inflation at a step of a run, in words: a clause where there is one run, a number beside others.
pub(super) fn words(frame: &Frame, run: &RunFrame, step: u64, alone: bool) -> Option<String> {
    let stable = limit(frame, run)?;
    Some(match (inflation(run.plan.step_size(step), stable), alone) {
        (Some(factor), true) => {
            let factor = numbers::significant(factor, 3);
            format!(": steps this large inflate the variance by {factor} (worst direction)")
        }
        (Some(factor), false) => format!(" (variance × {})", numbers::significant(factor, 3)),
        (None, true) => ": unstable in the worst direction".to_owned(),
        (None, false) => " (unstable)".to_owned(),
    })
}

/// Paints the scale to the right of a plot.
pub(super) fn paint(ui: &Ui, theme: &Theme, plot: Rect, transform: &PlotTransform, scale: Scale, stable: f64) {
    let painter = ui.painter();
    let height = 1.25 * theme.text.small;
    let title = painter.layout_no_wrap(NAME.to_owned(), theme.small(), theme.soft);
    let top = plot.top() + title.size().y;
    painter.galley(pos2(plot.right() + theme.space(1.75), plot.top() - theme.space(0.5)), title, theme.soft);
    let mut used: Vec<f32> = vec![top - 0.5 * height];
    let mut ticks = Vec::new();
    for factor in TICKS {
        let place = scale.position(step_size(factor, stable));
        let y = transform.position_from_point_y(place);
        // The last number of the axis below reaches beyond the corner.
        let within = y > top && y < plot.bottom() - 0.6 * height;
        if !within || used.iter().any(|other| (other - y).abs() < height) {
            continue;
        }
        used.push(y);
        let words = numbers::significant(factor, 4);
        tick(ui, theme, pos2(plot.right(), y), &words);
        ticks.push((place, words));
    }
    for_others::scale(ui, plot, NAME, ticks);
}

fn tick(ui: &Ui, theme: &Theme, at: Pos2, text: &str) {
    let painter = ui.painter();
    let end = at + vec2(theme.space(1.0), 0.0);
    painter.line_segment([at, end], Stroke::new(1.0, theme.faint));
    painter.text(end + vec2(theme.space(0.5), 0.0), Align2::LEFT_CENTER, text, theme.small(), theme.faint);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stationary variance of θ ← (1 − αλ)θ + √(2α) ξ against 1/λ.
    #[test]
    fn the_inflation_is_that_of_the_autoregression() {
        let curvature = 1.0 / 0.03;
        for alpha in [0.001, 0.0074, 0.03, 0.059] {
            let variance = 2.0 * alpha / (1.0 - (1.0 - alpha * curvature) * (1.0 - alpha * curvature));
            let found = inflation(alpha, 2.0 / curvature).unwrap();
            assert!((found - variance * curvature).abs() < 1e-9 * found, "{alpha}: {found}");
            assert!((step_size(found, 2.0 / curvature) - alpha).abs() < 1e-12);
        }
        assert_eq!(inflation(0.06, 0.06), None);
    }
}
