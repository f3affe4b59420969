//! The axis of perplexity at the right of held-out values: exp(−value), with ticks at round numbers.

use std::f32::consts::FRAC_PI_2;
use std::ops::Range;

use egui::epaint::TextShape;
use egui::{Align2, Rect, Ui, pos2};
use egui_plot::PlotTransform;

use crate::kit::axes::round_step;
use crate::theme::Theme;
use crate::words::numbers;

/// The name of the axis.
const NAME: &str = "perplexity";

/// Least distance of ticks, in units of the theme.
const APART: f32 = 9.0;

/// Ticks at most.
const MOST: u32 = 30;

/// Space for tick labels, in digits, and the width of a digit in sizes of its font.
const DIGITS: f32 = 4.5;
const DIGIT: f32 = 0.65;

/// Length of a tick, and the gap between it and its label, in units of the theme.
const TICK: f32 = 1.0;
const GAP: f32 = 0.5;

/// Width of ticks and, where the axis is `named`, of its name.
pub fn width(theme: &Theme, named: bool) -> f32 {
    let ticks = theme.text.small * DIGIT * DIGITS + theme.space(TICK + GAP);
    if named { ticks + theme.text.body * 1.5 } else { ticks }
}

/// Round perplexities for held-out values in a range, with their number of decimals. On an axis of so many points none are closer
/// than `apart`.
fn ticks(values: &Range<f64>, points: f64, apart: f64) -> (Vec<f64>, usize) {
    let (least, most) = ((-values.end).exp(), (-values.start).exp());
    // The largest perplexities are the closest.
    let step = round_step(most * (1.0 - (-(values.end - values.start) * apart / points).exp()));
    if !(step.is_finite() && step > 0.0 && points > 0.0) {
        return (Vec::new(), 0);
    }
    let first = (least / step).ceil();
    let all = (0..MOST).map(|number| (first + f64::from(number)) * step);
    (all.take_while(|tick| *tick <= most).collect(), decimals(step))
}

/// Decimals of multiples of a step.
#[expect(clippy::cast_sign_loss, reason = "a few decimals")]
fn decimals(step: f64) -> usize {
    (-(step.log10() + 1e-9).floor()).clamp(0.0, 5.0) as usize
}

/// Paints the axis at the right of a plot of held-out values.
pub fn paint(ui: &Ui, theme: &Theme, (rect, transform): (Rect, &PlotTransform), named: bool) {
    let [low, high] = [transform.bounds().min()[1], transform.bounds().max()[1]];
    let (ticks, decimals) = ticks(&(low..high), f64::from(rect.height()), f64::from(theme.space(APART)));
    let painter = ui.painter();
    let (tick, gap) = (theme.space(TICK), theme.space(GAP));
    for perplexity in ticks {
        let y = transform.position_from_point_y(-perplexity.ln());
        painter.hline(rect.right()..=rect.right() + tick, y, (theme.hairline().width, theme.faint));
        let text = numbers::decimal(perplexity, decimals);
        painter.text(pos2(rect.right() + tick + gap, y), Align2::LEFT_CENTER, text, theme.small(), theme.faint);
    }
    if named {
        let galley = painter.layout_no_wrap(NAME.to_owned(), theme.body(), theme.soft);
        // Turned by a right angle, the text goes down from its corner at the upper right.
        let right = rect.right() + width(theme, named);
        let top = rect.center().y - 0.5 * galley.size().x;
        painter.add(TextShape::new(pos2(right, top), galley, theme.soft).with_angle(FRAC_PI_2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From e^2.7 = 14.9 to e^3.2 = 24.5 on 100 points: 20 points apart are 2.3 below 24.5, so every fifth one.
    #[test]
    fn ticks_are_round_and_apart() {
        assert_eq!(ticks(&(-3.2..-2.7), 100.0, 20.0), (vec![15.0, 20.0], 0));
        assert_eq!(
            ticks(&(-3.2..-2.7), 300.0, 20.0),
            (vec![15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0], 0)
        );
        let (found, decimals) = ticks(&(-0.9..-0.88), 100.0, 20.0);
        assert_eq!((found.len(), decimals), (4, 2), "{found:?}");
        for (range, points) in [(-7.1..-6.6, 120.0), (-3.3..-2.6, 60.0), (-9.0..-1.0, 200.0)] {
            let (found, _) = ticks(&range, points, 20.0);
            let position = |perplexity: f64| -perplexity.ln() * points / (range.end - range.start);
            assert!(!found.is_empty() && found.iter().all(|tick| range.contains(&-tick.ln())));
            assert!(found.windows(2).all(|pair| position(pair[0]) - position(pair[1]) >= 20.0 - 1e-9), "{found:?}");
        }
    }

    #[test]
    fn senseless_ranges_have_no_ticks() {
        for range in [f64::NAN..1.0, 1.0..1.0, f64::NEG_INFINITY..0.0] {
            assert!(ticks(&range, 100.0, 20.0).0.len() <= 1, "{range:?}");
        }
        assert!(ticks(&(-3.0..-2.0), 0.0, 20.0).0.is_empty());
    }
}
