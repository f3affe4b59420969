//! Scale of the variance at the right edge: how much a step size inflates the stationary variance of Langevin steps.
//!
//! In a mode of curvature λ the variance of unadjusted Langevin steps is 1/(1 − αλ/2) times too large
//! (`diagnostics/dynamics/stability.rs`). λ is the largest curvature: the figure is for the worst direction.

use egui::{Align2, Pos2, Rangef, Rect, Stroke, Ui, pos2, vec2};
use egui_plot::PlotTransform;

use super::scale::Scale;
use crate::kit::{for_others, told};
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

/// Paints the scale to the right of a plot where that is free, if there is space for two ticks; returns whether there is. A figure tells the
/// range in its place.
pub(super) fn paint(
    ui: &Ui,
    theme: &Theme,
    (plot, is_free): (Rect, bool),
    transform: &PlotTransform,
    (scale, stable): (Scale, f64),
) -> bool {
    let painter = ui.painter();
    let height = 1.25 * theme.text.small;
    let title = painter.layout_no_wrap(NAME.to_owned(), theme.small(), theme.soft);
    // The last number of the axis below reaches beyond the corner.
    let free = Rangef::new(plot.top() + title.size().y, plot.bottom() - 0.6 * height);
    let place = |factor: f64| scale.position(step_size(factor, stable));
    let y = |factor: f64| transform.position_from_point_y(place(factor));
    let factor = |y: f32| {
        let alpha = scale.alpha(transform.value_from_position(pos2(plot.left(), y)).y);
        inflation(alpha.max(0.0), stable)
    };
    let ticks = chosen(y, factor, (free, height));
    if ticks.len() < 2 {
        if theme.is_figure() {
            let words = |factor: Option<f64>| {
                factor.map_or_else(|| "beyond stability".to_owned(), |factor| numbers::significant(factor, 4))
            };
            let [low, high] = [plot.bottom(), plot.top()].map(factor).map(words);
            told::warn(ui, format!("There is no space for the scale \"{NAME}\", from {low} to {high}"));
        }
        return false;
    }
    if !is_free {
        return true;
    }
    painter.galley(pos2(plot.right() + theme.space(1.75), plot.top() - theme.space(0.5)), title, theme.soft);
    let words = |factor: f64| numbers::significant(factor, 4);
    ticks.iter().for_each(|factor| tick(ui, theme, pos2(plot.right(), y(*factor)), &words(*factor)));
    for_others::scale(ui, plot, NAME, ticks.into_iter().map(|factor| (place(factor), words(factor))).collect());
    true
}

/// The inflations with a tick in a range of the screen, `height` apart: those that matter most; where fewer than two of them are in it, others as
/// well. `y` is where one is, `factor` the one at a place.
fn chosen(y: impl Fn(f64) -> f32, factor: impl Fn(f32) -> Option<f64>, (free, height): (Rangef, f32)) -> Vec<f64> {
    /// Places of other ticks, as shares of the range from its lower end, the usual ones first.
    const SHARES: [f32; 5] = [0.1, 0.8, 0.5, 0.3, 0.65];
    let mut used: Vec<f32> = vec![free.min - 0.5 * height];
    let mut ticks = Vec::new();
    let mut take = |factor: f64, ticks: &mut Vec<f64>| {
        let y = y(factor);
        if free.min < y && y < free.max && used.iter().all(|other| (other - y).abs() >= height) {
            used.push(y);
            ticks.push(factor);
        }
    };
    TICKS.into_iter().for_each(|factor| take(factor, &mut ticks));
    for share in SHARES {
        if ticks.len() >= 2 {
            break;
        }
        // A place where steps are unstable has no factor.
        let found = factor(free.max - share * free.span()).and_then(with_few_digits);
        found.into_iter().for_each(|factor| take(factor, &mut ticks));
    }
    ticks
}

/// An inflation of which what is above 1 has one digit; `None` for one that four digits do not tell from 1.
fn with_few_digits(factor: f64) -> Option<f64> {
    let above = factor - 1.0;
    let unit = 10f64.powf(above.log10().floor());
    (above >= 1e-3).then(|| 1.0 + (above / unit).round() * unit)
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

    /// Where round factors are too few, others are added, each apart from the others; a place that is too low has fewer than two.
    #[test]
    fn the_scale_has_two_ticks_where_it_has_space() {
        // From 1 at the lower end to a factor at the upper one.
        let ticks = |most: f64, high: f32| {
            let y = |factor: f64| high * (1.0 - ((factor - 1.0) / (most - 1.0)) as f32);
            let factor = |y: f32| Some(1.0 + (most - 1.0) * f64::from(1.0 - y / high));
            let found = chosen(y, factor, (Rangef::new(0.0, high), 15.0));
            for (number, one) in found.iter().enumerate() {
                assert!((0.0..high).contains(&y(*one)), "{found:?}");
                assert!(found[..number].iter().all(|other| (y(*other) - y(*one)).abs() >= 15.0), "{found:?}");
            }
            found
        };
        let words = |factor: &f64| numbers::significant(*factor, 4);
        assert_eq!(ticks(3.5, 100.0).iter().take(2).map(words).collect::<Vec<_>>(), ["2", "1.1"]);
        for most in [1.3, 1.06, 1.2, 8.0, 100.0] {
            assert!(ticks(most, 90.0).len() >= 2, "{most}");
        }
        assert!(ticks(1.3, 14.0).len() < 2);
    }

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
