//! A plot of step sizes that handles and strokes change: what they read, and where steps and sizes are on the screen.

use egui::{Pos2, Response, Ui, pos2, vec2};
use egui_plot::PlotTransform;

use super::scale::Scale;
use crate::kit::steps::StepsInput;
use crate::theme::Theme;
use engine::scenario::Scenario;
use samplers::schedules::Spot;

/// A plot with handles on it.
pub(super) struct Editor<'a> {
    pub ui: &'a Ui,
    pub theme: &'a Theme,
    pub input: &'a StepsInput<'a>,
    pub scenario: &'a Scenario,
    pub plot: &'a Response,
    pub transform: &'a PlotTransform,
    pub scale: Scale,
}

impl Editor<'_> {
    /// The position on the screen of a step of a run and a step size.
    pub(super) fn screen(&self, run: usize, spot: Spot) -> Pos2 {
        let point =
            egui_plot::PlotPoint::new(self.input.along(run).position(spot.step), self.scale.position(spot.alpha));
        self.transform.position_from_point(&point)
    }

    /// The step of a run and the step size at a position on the screen: a step within the plot, and a size above 0, also above the
    /// plot.
    pub(super) fn spot(&self, run: usize, at: Pos2) -> Spot {
        let inside = pos2(self.plot.rect.clamp(at).x, at.y);
        let value = self.transform.value_from_position(inside);
        let least =
            self.scale.alpha(self.transform.value_from_position(self.plot.rect.left_bottom() - vec2(0.0, 1.0)).y);
        Spot { step: self.input.along(run).step(value.x), alpha: self.scale.alpha(value.y).max(least) }
    }

    pub(super) fn painter(&self) -> egui::Painter {
        self.ui.painter().with_clip_rect(self.plot.rect.expand(self.theme.space(2.5)))
    }
}
