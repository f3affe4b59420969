//! Numbers of ticks as they are written.

use std::ops::RangeInclusive;

use egui_plot::GridMark;

use super::axis_spec::{FEW_DECADES, Ticks};
use crate::words::numbers;

/// Whether a number has no more than so many decimals.
fn is_round(value: f64, decimals: usize) -> bool {
    let scaled = value * 10f64.powi(decimals as i32);
    (scaled - scaled.round()).abs() < 1e-6 * scaled.abs().max(1.0)
}

/// A tick as it is written on an axis that shows a range.
#[expect(clippy::cast_sign_loss, reason = "exponents of ticks are small")]
pub(super) fn tick_text(mark: GridMark, ticks: Ticks, range: &RangeInclusive<f64>) -> String {
    /// Powers of ten that are written as numbers on a short axis, where others stand beside them.
    const SHORT: RangeInclusive<i32> = -3..=3;
    /// Most digits of a tick of a logarithmic axis.
    const DIGITS: usize = 5;
    if ticks == Ticks::Log {
        let power = mark.value.round();
        let whole = (mark.value - power).abs() < 1e-6;
        let short = range.end() - range.start() < FEW_DECADES && SHORT.contains(&(power as i32));
        return if whole && !short {
            numbers::power_of_ten(power as i32)
        } else {
            // Ticks are round numbers, with more digits where they are closer to each other than those.
            let value = 10f64.powf(mark.value);
            let scale = 10f64.powf((value.log10() + 1e-9).floor());
            let digits = (1..DIGITS).find(|digits| is_round(value / scale, digits - 1)).unwrap_or(DIGITS);
            numbers::significant(value, digits)
        };
    }
    let by_step = (-(mark.step_size.log10() + 1e-9).floor()).max(0.0) as usize;
    let decimals = (by_step..=by_step + 2).find(|decimals| is_round(mark.value, *decimals)).unwrap_or(by_step);
    if decimals > 5 { numbers::significant(mark.value, 3) } else { numbers::decimal(mark.value, decimals) }
}
