//! What an axis of a plot is: its name and its ticks.

/// Number of decades below which a logarithmic axis also has ticks at 2 and 5 times the powers of ten.
pub(super) const FEW_DECADES: f64 = 2.5;

/// Ticks of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ticks {
    /// Round numbers.
    Linear,
    /// Whole numbers: steps.
    Whole,
    /// Round numbers, none below zero: densities.
    Density,
    /// Powers of ten: the axis holds log₁₀ of the values.
    Log,
    /// No tick labels and no space for them.
    None,
}

/// An axis: its label and its ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisSpec<'a> {
    /// Label; may be empty.
    pub label: &'a str,
    /// Ticks.
    pub ticks: Ticks,
    /// Least distance of ticks, in units of the theme.
    pub apart: f32,
    /// Space for tick labels along a vertical axis, in digits; fixed, so that plots above each other line up.
    pub digits: f32,
    /// Whether a tick at its lower end has a label. Where both axes cross in the middle of their ranges, two labels would touch.
    pub corner: bool,
}

impl<'a> AxisSpec<'a> {
    /// A horizontal axis, or one of a plot that has the same scale along both.
    pub fn wide(label: &'a str, ticks: Ticks) -> Self {
        Self { label, ticks, apart: 16.0, digits: 2.5, corner: true }
    }

    /// A vertical axis of a plot against steps.
    pub fn upright(label: &'a str, ticks: Ticks) -> Self {
        Self { label, ticks, apart: 9.0, digits: 5.5, corner: true }
    }
}

/// Where a value is along an axis: of a logarithmic one its logarithm to base 10.
#[must_use]
pub fn place_of(value: f64, log: bool) -> f64 {
    if log { value.log10() } else { value }
}

/// The value at a place along an axis.
#[must_use]
pub fn value_at(place: f64, log: bool) -> f64 {
    if log { 10f64.powf(place) } else { place }
}

/// The smallest of 1, 2 or 5 times a power of ten that is at least `least`.
#[must_use]
pub fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let choice = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= least * (1.0 - 1e-9));
    choice.unwrap_or(10.0) * power
}
