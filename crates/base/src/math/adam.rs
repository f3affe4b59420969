//! Adam: steps along a moving average of gradients, divided by the root of a moving average of their squares.
//!
//! m ← β₁ m + (1 − β₁) g, v ← β₂ v + (1 − β₂) g², x ← x + α m̂/(√v̂ + ε), with m̂ = m/(1 − β₁ᵗ) and v̂ = v/(1 − β₂ᵗ).
//!
//! Kingma and Ba (2015), "Adam: A method for stochastic optimization", ICLR, arXiv:1412.6980, algorithm 1, here as an ascent.

/// ε, as the authors recommend.
const EPSILON: f64 = 1e-8;

/// Gradients beyond this size are clamped to it, so that their squares stay finite.
const LARGEST_GRADIENT: f64 = 1e150;

/// Decay rates of the moving averages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decay {
    /// β₁, in [0, 1).
    pub first: f64,
    /// β₂, in [0, 1).
    pub second: f64,
}

impl Decay {
    /// Those that the authors recommend.
    pub const USUAL: Self = Self { first: 0.9, second: 0.999 };

    /// Updates the moving averages [m, v] of one parameter.
    #[inline(always)]
    pub fn average(self, [first, second]: [&mut f64; 2], gradient: f64) {
        *first = self.first * *first + (1.0 - self.first) * gradient;
        *second = self.second * *second + (1.0 - self.second) * (gradient * gradient);
    }

    /// Updates the moving averages [m, v] of one parameter and returns its step; `corrections` are 1 − β₁ᵗ and 1 − β₂ᵗ.
    #[inline(always)]
    pub fn step(self, [first, second]: [&mut f64; 2], gradient: f64, alpha: f64, corrections: [f64; 2]) -> f64 {
        self.average([&mut *first, &mut *second], gradient.clamp(-LARGEST_GRADIENT, LARGEST_GRADIENT));
        alpha * (*first / corrections[0]) / adam_scale(*second, corrections[1])
    }
}

/// √v̂ + ε, by which a step is divided; `correction` is 1 − β₂ᵗ.
#[inline(always)]
#[must_use]
pub fn adam_scale(second: f64, correction: f64) -> f64 {
    (second / correction).sqrt() + EPSILON
}
