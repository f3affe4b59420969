//! The variance of λ in the long run by the window length L, for a constant step size on topics.
//!
//! The variance of a step falls as 1/L. That of λ, which adds up many steps, falls only from L ≈ 1/ρ on
//! ([`smoothed_variance`]): a smooth step is not a smooth λ.

use egui::{Align2, Color32, Label, RichText, Ui, pos2};
use egui_plot::{LineStyle, MarkerShape, Points, VLine};

use crate::kit::axes::{AxisSpec, Ticks, answers, before_last_tick, curve, in_height, plot, show_part};
use crate::kit::overlay_label::{OverlayLabel, at_free_position};
use crate::theme::Theme;
use crate::words::numbers;
use engine::session::{Frame, RunFrame, SmoothingErrors};
use models::lda::smoothed_variance;
use samplers::methods::Average;
use samplers::schedules;

/// Window lengths shown, at most, and points of a curve.
const LONGEST: usize = 300;
const POINTS: u32 = 80;

/// The variance of λ for a step size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LongRun {
    rho: f64,
    /// L of the run.
    window: usize,
}

impl LongRun {
    /// That of a run on topics with a constant step size, which averages statistics.
    pub(super) fn of(frame: &Frame, run: &RunFrame, smoothing: &SmoothingErrors) -> Option<Self> {
        let spec = frame.scenario.runs.iter().find(|spec| spec.name == run.plan.name)?;
        let settings = frame.scenario.settings_at(spec, run.step.saturating_sub(1));
        let constant = settings.group("step_size")?.kind.name == schedules::CONSTANT.name;
        let applies = constant && frame.target.topics().is_some() && smoothing.average == Average::Statistics;
        let rho = run.plan.step_size(run.step.max(1));
        (applies && rho > 0.0 && rho <= 1.0).then_some(Self { rho, window: smoothing.window })
    }

    /// The variance of λ relative to that for L = 1.
    fn relative(self, window: usize) -> f64 {
        smoothed_variance(self.rho, window) / smoothed_variance(self.rho, 1)
    }

    /// The longest window shown: the usual ones, and that of the run.
    fn longest(self) -> usize {
        LONGEST.max(self.window)
    }

    /// Points (log₁₀ L, log₁₀ of the relative variance), evenly along the axis.
    fn points(self) -> Vec<[f64; 2]> {
        let end = log(self.longest());
        let mut lengths: Vec<usize> =
            (0..=POINTS).map(|index| rounded(10f64.powf(end * f64::from(index) / f64::from(POINTS)))).collect();
        lengths.dedup();
        lengths.into_iter().map(|length| [log(length), self.relative(length).log10()]).collect()
    }

    /// Draws the plot into the available space.
    pub(super) fn show(self, ui: &mut Ui, theme: &Theme, colour: Color32) {
        let title = format!("long-run variance of λ relative to L = 1, for ρ = {}", numbers::significant(self.rho, 3));
        ui.add(Label::new(RichText::new(title).font(theme.small()).color(theme.soft)).truncate());
        let axes = [AxisSpec::wide("window length L", Ticks::Log), AxisSpec::upright("", Ticks::Log)];
        let [x, y] = in_height(ui, ui.available_height(), theme, axes);
        let width = before_last_tick(ui, theme);
        let plot = plot(("smoothing", "long run"), theme, x, y).width(width);
        let end = log(self.longest());
        let own = [log(self.window), self.relative(self.window).log10()];
        let shown = plot.allow_drag(false).allow_zoom(false).show(ui, |plot_ui| {
            let dashed = LineStyle::Dashed { length: theme.space(2.0) };
            plot_ui.line(curve(vec![[0.0, 0.0], [end, -end]], theme.soft, theme.thin()).style(dashed));
            let begins = VLine::new("", -self.rho.log10()).color(theme.rule).width(theme.thin());
            plot_ui.vline(begins.allow_hover(false));
            plot_ui.line(curve(self.points(), colour, theme.line()));
            let own = Points::new("", vec![own]).shape(MarkerShape::Circle).color(colour);
            plot_ui.points(own.radius(theme.marker(1.0)).allow_hover(false));
            show_part(plot_ui, [0.0, -end - 0.1], [end, 0.2], theme);
        });
        answers(ui, theme, &shown.response, [x, y]);
        let rect = shown.response.rect;
        let mut used = Vec::new();
        let mut label = |[x, y]: [f64; 2], align: &[Align2], text: &str, colour| {
            let at = pos2(shown.transform.position_from_point_x(x), shown.transform.position_from_point_y(y));
            let label = |(at, align)| OverlayLabel { text, font: theme.small(), colour, at, align };
            let positions: Vec<_> = align.iter().map(|align| (at, *align)).collect();
            at_free_position(ui, theme, (rect, &mut used, &[]), label, &positions);
        };
        let value = numbers::significant(self.relative(self.window), 2);
        let sides = [Align2::LEFT_BOTTOM, Align2::RIGHT_TOP, Align2::LEFT_TOP];
        label(own, &sides, &format!("λ at L = {}: {value}", self.window), colour);
        label([0.75 * end, -0.75 * end], &[Align2::RIGHT_TOP], "step: 1/L", theme.soft);
        let begins = -self.rho.log10();
        if (0.0..end).contains(&begins) {
            label([begins, -end], &[Align2::LEFT_BOTTOM, Align2::RIGHT_BOTTOM], "L = 1/ρ", theme.soft);
        }
        if let Some(at) = shown.response.hover_pos() {
            let length = rounded(10f64.powf(shown.transform.value_from_position(at).x)).clamp(1, self.longest());
            let [of_lambda, of_step] =
                [self.relative(length), 1.0 / length as f64].map(|value| numbers::significant(value, 2));
            let text = format!("L {length}   λ {of_lambda}   step {of_step}");
            let (font, colour, at) = (theme.small(), theme.ink, rect.shrink(theme.space(1.5)).left_bottom());
            OverlayLabel { text: &text, font, colour, at, align: Align2::LEFT_BOTTOM }.paint(ui, theme, rect);
        }
    }
}

fn log(length: usize) -> f64 {
    (length.max(1) as f64).log10()
}

#[expect(clippy::cast_sign_loss, reason = "a length of a few hundred")]
fn rounded(length: f64) -> usize {
    length.round().max(1.0) as usize
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing::topics_frame;
    use base::params::{Settings, Value, find_kind};
    use engine::session::smoothing;
    use samplers::schedules::SVI_SCHEDULES;

    /// The figures of an independent program: in brackets, those of the formula.
    #[test]
    fn a_smooth_step_is_not_a_smooth_parameter() {
        let run = LongRun { rho: 0.05, window: 10 };
        assert!((run.relative(10) - 0.85).abs() < 0.005 && (run.relative(100) - 0.31).abs() < 0.005);
        let points = run.points();
        assert_eq!((points[0], points.last().unwrap()[0]), ([0.0, 0.0], 300_f64.log10()));
        assert!(points.windows(2).all(|pair| pair[1][0] > pair[0][0] && pair[1][1] < pair[0][1]));
        assert_eq!(LongRun { rho: 0.05, window: 1000 }.longest(), 1000);
    }

    /// SVI of the test frame has decreasing step sizes.
    #[test]
    fn only_a_constant_step_size_has_a_long_run() {
        let mut frame = topics_frame("corpus = { kind = \"bars\", side = 4, documents = 60 }");
        let known = smoothing(&frame, &frame.runs[0]).unwrap();
        assert_eq!(LongRun::of(&frame, &frame.runs[0], &known), None);
        let constant = Value::Group(Settings::defaults(find_kind(&SVI_SCHEDULES, schedules::CONSTANT.name).unwrap()));
        Arc::make_mut(&mut frame.scenario).runs[0].settings.set("step_size", constant).unwrap();
        let rho = frame.runs[0].plan.step_size(60);
        assert_eq!(LongRun::of(&frame, &frame.runs[0], &known), Some(LongRun { rho, window: 1 }));
        let gradients = SmoothingErrors { average: Average::Gradients, ..known };
        assert_eq!(LongRun::of(&frame, &frame.runs[0], &gradients), None);
    }
}
