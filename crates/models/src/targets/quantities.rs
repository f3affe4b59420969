//! Quantities of the vectors of a model: what is reported of them beside the two coordinates that are drawn, under names.
//!
//! Of a regression they are the coefficients, ln σ and σ; of a hierarchy of groups their means, whatever coordinates chains move in.

use std::fmt::Debug;

use base::math::Stream;

/// How what is known of quantities was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sureness {
    /// By closed forms and quadrature, to about nine digits.
    Exact,
    /// By draws with weights; the share of draws without weights that would be worth as much, in (0, 1].
    Weighted(f64),
    /// Nothing is known of them: moments and quantiles are NaN.
    Unknown,
}

impl Sureness {
    /// Whether there is something to compare draws with.
    #[must_use]
    pub fn is_known(self) -> bool {
        self != Self::Unknown
    }
}

/// Named functions of the vectors of a model, with what is known of their distributions.
///
/// Numbers count from 0. Where a moment does not exist it is NaN.
pub trait Quantities: Debug + Send + Sync {
    /// The names of the coordinates of a vector, which may name the plane that is drawn.
    fn coordinates(&self) -> &[String];

    /// The names of the quantities: those of the coordinates come first.
    fn names(&self) -> &[String];

    /// The quantities of a vector.
    fn values(&self, at: &[f64], out: &mut [f64]);

    /// How the following was found.
    fn sureness(&self) -> Sureness;

    /// Mean and standard deviation of a quantity.
    fn moments(&self, number: usize) -> [f64; 2];

    /// The correlation of two quantities.
    fn correlation(&self, numbers: [usize; 2]) -> f64;

    /// The value below which a quantity is with this probability, in (0, 1).
    fn quantile(&self, number: usize, probability: f64) -> f64;

    /// The probability that a quantity is below this value.
    fn below(&self, number: usize, value: f64) -> f64;

    /// ln ∫ p̃, with the densities of proper priors normalised and flat ones 1.
    fn log_normaliser(&self) -> f64;

    /// Whether all priors are proper, so that the normaliser is an evidence.
    fn is_proper(&self) -> bool;

    /// An exact draw of a vector; `false` if there is none.
    fn exact_draw(&self, stream: &mut Stream, out: &mut [f64]) -> bool;
}
