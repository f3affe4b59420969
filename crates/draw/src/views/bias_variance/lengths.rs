//! Names of the curves for several lengths of the average.

use egui::{Align2, Color32, Pos2, Rect, Ui, pos2};

use super::shown::{Shown, windows};
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::time_axis::as_f64;
use crate::theme::Theme;

impl Shown<'_> {
    /// The width of the longest name of a curve with the gap before it.
    pub(super) fn widest(&self, ui: &Ui, theme: &Theme) -> f32 {
        let lengths = windows(self.smoothing).iter().map(|(length, _)| *length).chain([self.smoothing.window]);
        let width = |length| ui.painter().layout_no_wrap(format!("L = {length}"), theme.small(), theme.ink).size().x;
        lengths.map(width).fold(0.0, f32::max) + theme.space(1.5)
    }

    /// Labels the curves of several lengths at their right ends, without overlap.
    pub(super) fn lengths(
        &self,
        ui: &Ui,
        theme: &Theme,
        (rect, beside): (Rect, f32),
        position: impl Fn(f64, f64) -> Pos2,
    ) {
        let Some(last) = self.smoothing.steps.last() else { return };
        let end = |values: &Vec<f64>| values.last().copied().filter(|value| *value > 0.0 && value.is_finite());
        let mut named: Vec<(Pos2, String, Color32)> = Vec::new();
        for (length, curve) in windows(self.smoothing).iter().filter(|(length, _)| *length != self.smoothing.window) {
            let colour = shade(*length, theme);
            named.extend(
                end(&curve.squared_error)
                    .map(|value| (position(as_f64(*last), value), format!("L = {length}"), colour)),
            );
        }
        if let Some(value) = self.smoothing.own.as_ref().and_then(|own| end(&own.squared_error)) {
            named.push((position(as_f64(*last), value), format!("L = {}", self.smoothing.window), self.colour));
        }
        named.sort_by(|a, b| a.0.y.total_cmp(&b.0.y));
        let mut free = rect.top();
        for (at, text, colour) in named {
            let height = 1.3 * theme.text.small;
            let y = at.y.max(free + 0.5 * height);
            // Labels without space are left out; the readout at the pointer has them all.
            if y + 0.5 * height > rect.bottom() {
                break;
            }
            free = y + 0.5 * height;
            let font = theme.small();
            if beside > 0.0 {
                let at = pos2(rect.right() + theme.space(1.0), y);
                ui.painter().text(at, Align2::LEFT_CENTER, text, font, colour);
                continue;
            }
            let at = pos2(at.x - theme.space(0.5), y);
            OverlayLabel { text: &text, font, colour, at, align: Align2::RIGHT_CENTER }.paint(ui, theme, rect);
        }
    }
}

/// The colour of a length: longer windows are darker.
pub(super) fn shade(length: usize, theme: &Theme) -> Color32 {
    /// Share of paper in the colour of length 1, and the decrease per power of ten (chosen by eye).
    const PAPER: [f64; 2] = [0.45, 0.2];
    let share = (PAPER[0] - PAPER[1] * (length.max(1) as f64).log10()).max(0.0);
    theme.ink.lerp_to_gamma(theme.paper, share as f32)
}
