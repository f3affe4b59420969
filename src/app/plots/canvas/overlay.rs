//! Words on a canvas: what the pointer is over, which chains diverged, what the contours mean.

use egui::{Align2, Rect, Ui};

use crate::app::plots::words::Words;
use crate::app::plots::{header, numbers};
use crate::app::theme::Theme;
use crate::math::Point;
use crate::scene::REGIONS;
use crate::targets::{Facts, Target};

use super::CanvasInput;

/// Width from which a canvas has room for notes, in units of the theme.
const ROOM_FOR_NOTES: f32 = 52.0;

/// Paints the words over the plot in `rect`.
pub(super) fn paint(ui: &Ui, input: &CanvasInput<'_>, theme: &Theme, rect: Rect, hovered: Option<Point>) {
    let inner = rect.shrink(theme.space(1.5));
    let mut at = inner.left_top();
    for &index in input.runs {
        let Some(run) = input.frame.runs.get(index) else { continue };
        if let Some(text) = header::divergence(run) {
            let name = if input.runs.len() > 1 { format!("{}: {text}", run.plan.name) } else { text };
            let text = format!("⚠ {name}");
            let (font, colour, align) = (theme.strong(), theme.error, Align2::LEFT_TOP);
            at.y = Words { text: &text, font, colour, at, align }.paint(ui, theme, rect).bottom() + theme.space(1.0);
        }
    }
    // On a small canvas the note would hide what it explains.
    let roomy = rect.width() > theme.space(ROOM_FOR_NOTES);
    if roomy && input.layers.contours && input.frame.target.facts().dimension == 2 {
        let (font, colour, at) = (theme.small(), theme.faint, inner.right_top());
        Words { text: &contour_words(), font, colour, at, align: Align2::RIGHT_TOP }.paint(ui, theme, rect);
    }
    if let Some(point) = hovered {
        let text = readout(input.frame.target.as_ref(), point);
        let (font, colour, at) = (theme.small(), theme.ink, inner.left_bottom());
        Words { text: &text, font, colour, at, align: Align2::LEFT_BOTTOM }.paint(ui, theme, rect);
    }
}

fn contour_words() -> String {
    let shares: Vec<String> = REGIONS.iter().map(|share| numbers::significant(100.0 * share, 2)).collect();
    format!("contours hold {} %", shares.join(", "))
}

/// Position, log density and nearest mode in one line.
fn readout(target: &dyn Target, at: Point) -> String {
    let facts = target.facts();
    let [x, y] = facts.axes;
    let position = if facts.dimension == 1 {
        format!("{x} {}", numbers::significant(at.x, 4))
    } else {
        format!("{x} {}   {y} {}", numbers::significant(at.x, 4), numbers::significant(at.y, 4))
    };
    let log_density = target.log_density(at) - facts.log_normaliser;
    let mut text = format!("{position}   log p {}", numbers::significant(log_density, 4));
    if let Some((number, away)) = nearest_mode(facts, at) {
        let away = numbers::significant(away, 3);
        let name = if facts.modes.len() == 1 { "mode".to_owned() } else { format!("mode {}", number + 1) };
        text.push_str(&format!("   {name} {away} away"));
    }
    text
}

/// The number of the mode nearest to `at`, from 0, and how far away it is.
pub fn nearest_mode(facts: &Facts, at: Point) -> Option<(usize, f64)> {
    let distance = |mode: Point| if facts.dimension == 1 { (mode.x - at.x).abs() } else { (mode - at).norm() };
    let distances = facts.modes.iter().map(|mode| distance(mode.at)).enumerate();
    distances.min_by(|a, b| a.1.total_cmp(&b.1))
}
