//! Step sizes against steps, of all runs over their whole length: what has been, what is to come, and where
//! plain Langevin becomes unstable.

mod curve;

use egui::{Align2, Color32, Rect, Ui};
use egui_plot::{HLine, LineStyle, PlotTransform, PlotUi, Points};

use crate::app::theme::Theme;
use crate::session::Frame;

use super::axes::{AxisSpec, Ticks, plot};
use super::kept::Mark;
use super::steps::{StepsInput, StepsResponse, along_steps, as_f64, finish, furniture, scrolled, set_bounds};
use super::words::Words;
use super::{header, numbers};

pub use curve::ScheduleCache;

/// Decades shown below the largest step size on a logarithmic axis: cycles end near 0.
const DECADES: f64 = 4.0;

/// The stability line is within the picture if it is at most so many times the largest step size.
const NEAR: f64 = 3.0;

/// Room above the highest thing shown, as a share of it.
const HEADROOM: f64 = 1.12;

/// Opacity of steps not made yet.
const FUTURE: f32 = 0.4;

/// Draws the plot into the space there is; `log` makes its axis of step sizes logarithmic.
pub fn show(ui: &mut Ui, input: &StepsInput<'_>, log: bool, theme: &Theme, cache: &mut ScheduleCache) -> StepsResponse {
    header::line(ui, input.frame, input.runs, theme, &theme.strong(), &["α in the Langevin convention, ε = 2α"]);
    ui.add_space(theme.space(0.5));
    let ticks = if log { Ticks::Log } else { Ticks::Linear };
    let (x, y) = (AxisSpec::wide("step", Ticks::Whole), AxisSpec::upright("step size α", ticks));
    let plot = along_steps(plot(("schedule", log), theme, x, y), ui, input.frame, theme);
    let stable = input.frame.reference.stability();
    let made = &mut *cache;
    let shown = plot.show(ui, |plot_ui| {
        let range = scrolled(plot_ui, &input.range);
        let width = plot_ui.response().rect.width();
        let mut largest = 0.0_f64;
        for &run in input.runs {
            if let Some(frame) = input.frame.runs.get(run) {
                largest = largest.max(made.prepare(run, &frame.plan, &range, width));
            }
        }
        // From here on the cache is only read, for as long as the plot's items borrow from it.
        let cache = &*made;
        let scale = Scale { log, largest, stable };
        furniture(plot_ui, input, &range, theme);
        add_stability(plot_ui, scale, theme);
        add_curves(plot_ui, input, scale, theme, cache);
        set_bounds(plot_ui, &range, &scale.bounds());
        (range, scale)
    });
    let (range, scale) = shown.inner;
    stability_words(ui, scale, theme, shown.response.rect, &shown.transform);
    finish(ui, input, theme, (shown.response, &shown.transform), &range, |step| readout(input, step))
}

/// What the vertical axis shows.
#[derive(Clone, Copy, Debug)]
struct Scale {
    log: bool,
    /// The largest step size of all.
    largest: f64,
    /// 2/λ.
    stable: Option<f64>,
}

impl Scale {
    /// The place of a step size on the axis.
    fn place(self, alpha: f64) -> f64 {
        if self.log { alpha.max(self.floor()).log10() } else { alpha }
    }

    /// The smallest step size on a logarithmic axis.
    fn floor(self) -> f64 {
        self.top() * 10f64.powf(-DECADES)
    }

    fn top(self) -> f64 {
        let near = self.stable.filter(|&stable| stable <= NEAR * self.largest).unwrap_or(0.0);
        let top = self.largest.max(near);
        if top > 0.0 { top } else { 1.0 }
    }

    fn bounds(self) -> std::ops::Range<f64> {
        if self.log { self.floor().log10()..self.top().log10() + 0.15 } else { 0.0..HEADROOM * self.top() }
    }
}

fn add_stability(plot_ui: &mut PlotUi<'_>, scale: Scale, theme: &Theme) {
    if let Some(stable) = scale.stable {
        let line = HLine::new("", scale.place(stable)).color(theme.error).width(theme.thin());
        plot_ui.hline(line.style(LineStyle::Dashed { length: theme.space(1.5) }).allow_hover(false));
    }
}

/// The curve of each run, full up to the newest step and pale after it.
fn add_curves<'a>(
    plot_ui: &mut PlotUi<'a>,
    input: &StepsInput<'_>,
    scale: Scale,
    theme: &Theme,
    cache: &'a ScheduleCache,
) {
    for &run in input.runs {
        let (Some(frame), Some((kept, version))) = (input.frame.runs.get(run), cache.kept(run)) else { continue };
        let colour: Color32 = theme.run(run).colour;
        let content = (version, frame.step, scale.log, scale.top().to_bits(), theme.mode, theme.scale);
        kept.show(plot_ui, content, || {
            let place = |&[step, alpha]: &[f64; 2]| [step, scale.place(alpha)];
            let points: Vec<[f64; 2]> = cache.points(run).iter().map(place).collect();
            let now = points.partition_point(|point| point[0] <= as_f64(frame.step));
            let line = |points: &[[f64; 2]], colour: Color32| Mark::Line {
                points: points.to_vec(),
                colour,
                width: theme.line(),
                graph: true,
            };
            let future = line(&points[now.saturating_sub(1)..], colour.gamma_multiply(FUTURE));
            let past = line(&points[..now], colour);
            if now < points.len() { vec![future, past] } else { vec![past] }
        });
        let here = Points::new("", vec![[as_f64(frame.step), scale.place(frame.alpha)]]).shape(theme.run(run).marker);
        plot_ui.points(here.color(colour).radius(theme.space(1.25)).allow_hover(false));
    }
}

/// The words on the stability line, or at the top if it is further up.
fn stability_words(ui: &Ui, scale: Scale, theme: &Theme, rect: Rect, transform: &PlotTransform) {
    let Some(stable) = scale.stable else { return };
    let y = transform.position_from_point_y(scale.place(stable));
    let value = numbers::significant(stable, 3);
    let (text, y, align) = if rect.y_range().contains(y) {
        (format!("2/λ = {value}, unstable above"), y, Align2::RIGHT_BOTTOM)
    } else {
        (format!("stable up to 2/λ = {value}"), rect.top() + theme.space(1.0), Align2::RIGHT_TOP)
    };
    let at = egui::pos2(rect.right() - theme.space(1.0), y);
    Words { text: &text, font: theme.small(), colour: theme.error, at, align }.paint(ui, theme, rect);
}

/// The step size of each run at a step.
fn readout(input: &StepsInput<'_>, step: u64) -> String {
    let part = |frame: &Frame, run: usize| {
        let plan = &frame.runs.get(run)?.plan;
        Some(format!("{} α {}", plan.name, numbers::significant(plan.step_size(step), 3)))
    };
    let parts: Vec<String> = input.runs.iter().filter_map(|&run| part(input.frame, run)).collect();
    parts.join("   ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::plots::testing::Fake;
    use crate::diagnostics::stability;

    #[test]
    fn stability_of_known_targets() {
        let grid = stability(&Fake::grid()).unwrap();
        assert!((grid - 2.0 * 0.03).abs() < 1e-12, "curvature 1/.03 gives 2/λ = .06, not {grid}");
        let beta = Fake::beta();
        let at: f64 = 39.0 / 113.0;
        let expected = 2.0 / (39.0 / at.powi(2) + 74.0 / (1.0 - at).powi(2));
        assert!((stability(&beta).unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn a_far_stability_line_does_not_flatten_the_curves() {
        let near = Scale { log: false, largest: 0.043, stable: Some(0.06) };
        assert!(near.bounds().end > 0.06);
        let far = Scale { stable: Some(6.0), ..near };
        assert!(far.bounds().end < 0.05);
    }

    #[test]
    fn step_sizes_of_zero_have_a_place_on_a_logarithmic_axis() {
        let scale = Scale { log: true, largest: 0.1, stable: None };
        assert!((scale.place(0.0) - scale.bounds().start).abs() < 1e-12);
        assert!((scale.place(0.01) + 2.0).abs() < 1e-12);
        assert!(Scale { largest: 0.0, ..scale }.bounds().start.is_finite());
    }
}
